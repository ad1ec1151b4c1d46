#!/bin/sh
# strict.sh: checks that with -DUTF8_NO_GNU the core is C11 without extensions, and that it
# passes the core's tests with its only kernel, the scalar one.
. test/tally.sh
. test/machine.sh

strict="${CC:-cc} -std=c11 -DUTF8_NO_GNU -I."
mkdir -p build/strict

# extensions COMPILER... FILE: prints the lines of the preprocessed project code that are GNU C, but for
# the macros of <stdarg.h> and <stddef.h>, which are C11 and which compilers define with built-ins.
extensions() {
  "$@" -E | awk '/^# [0-9]+ "/ { ours = $3 !~ /^"[\/<]/ } ours' |
    sed -E 's/__builtin_(va_[a-z]+|offsetof)//g' | grep -E '__builtin|__attribute__|__asm__' || true
}

check "extensions() finds GNU C" [ -n "$(extensions ${CC:-cc} -std=c11 -I. core/utf8core.c)" ]

objects=
for file in $CORE; do
  object=build/strict/${file%.c}.o
  mkdir -p "$(dirname "$object")"
  check "$file is C11" $strict -O2 -Wall -Wextra -pedantic-errors -Werror -c -o "$object" "$file"
  check "$file has no extension" same "" "$(extensions $strict "$file")"
  objects="$objects $object"
done
for name in $core_tests; do
  check "${name}test links" $strict -O2 -o build/strict/${name}test test/${name}test.c $objects
  check "${name}test passes" build/strict/${name}test quick
done
check "the scalar kernel is the only one" same "kernels: scalar" "$(build/strict/kerneltest list)"
finish
