#!/bin/sh
# format.sh: clang-format, with the project's .clang-format, has nothing to change.
. test/tally.sh

for file in *.c *.h simd/*.h test/*.c test/*.h bench/*.c fuzz/*.c fuzz/*.h tool/*.c; do
  [ -f "$file" ] || continue
  check "$file is formatted" clang-format --dry-run -Werror "$file"
done
finish
