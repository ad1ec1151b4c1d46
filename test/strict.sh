#!/bin/sh
# strict.sh: with -DUTF8_NO_GNU the core is C11 without extensions, for any compiler, and its
# scalar kernel gives the same results.
. test/tally.sh

core="utf8core.c utf8repair.c utf8charset.c utf8detect.c utf8mojibake.c utf8mojibakesegment.c utf8kernel.c"
strict="${CC:-cc} -std=c11 -DUTF8_NO_GNU -I."
mkdir -p build/strict

# extensions FILE: the project's lines, after preprocessing, that are GNU C.
extensions() {
  $strict -E "$1" | awk '/^# [0-9]+ "/ { ours = $3 !~ /^"[\/<]/ } ours' |
    grep -E '__builtin|__attribute__|__asm__' || true
}

objects=
for file in $core; do
  object=build/strict/${file%.c}.o
  check "$file is C11" $strict -O2 -Wall -Wextra -pedantic-errors -Werror -c -o "$object" "$file"
  check "$file has no extension" same "" "$(extensions "$file")"
  objects="$objects $object"
done
for name in coretest charsettest mojibaketest kerneltest; do
  check "$name links" $strict -O2 -o build/strict/$name test/$name.c $objects
done
check "the scalar kernel is the only one" same "kernels: scalar" "$(build/strict/kerneltest list)"
check "the kernel is right" build/strict/kerneltest quick
check "the core is right" build/strict/coretest
check "the charsets are right" build/strict/charsettest
check "mojibake is repaired" build/strict/mojibaketest
finish
