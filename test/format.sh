#!/bin/sh
# format.sh: checks that clang-format, with the project's .clang-format, changes nothing.
. test/tally.sh

files="$(sh tool/sources.sh all) $(ls */omitted.c */*/omitted.c) $(sh tool/sources.sh headers)
$(ls test/*.c test/*.h bench/*.c fuzz/*.c fuzz/*.h packaging/*.c web/wasm/*.c 2>/dev/null)"
# shellcheck disable=SC2086
check "the C files are formatted" clang-format --dry-run -Werror $files
finish
