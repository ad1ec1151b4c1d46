#!/bin/sh
# format.sh: checks that clang-format, with the project's .clang-format, changes nothing.
. test/tally.sh

for file in $(sh tool/sources.sh all) $(sh tool/sources.sh headers) test/*.c test/*.h bench/*.c fuzz/*.c fuzz/*.h tool/*.c packaging/*.c web/wasm/*.c; do
  [ -f "$file" ] || continue
  check "$file is formatted" clang-format --dry-run -Werror "$file"
done
finish
