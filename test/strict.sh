#!/bin/sh
# strict.sh: checks that with -DUTF8_NO_GNU the core is C11 without extensions, and that it
# passes the core's tests with its only kernel, the scalar one.
. test/tally.sh

strict="${CC:-cc} -std=c11 -DUTF8_NO_GNU -I."
mkdir -p build/strict

# extensions COMPILER... FILE: prints the lines of the preprocessed project code that are GNU
# C.
extensions() {
  "$@" -E | awk '/^# [0-9]+ "/ { ours = $3 !~ /^"[\/<]/ } ours' |
    grep -E '__builtin|__attribute__|__asm__' || true
}

check "extensions() finds GNU C" [ -n "$(extensions ${CC:-cc} -std=c11 -I. utf8core.c)" ]

objects=
for file in $CORE; do
  object=build/strict/${file%.c}.o
  mkdir -p "$(dirname "$object")"
  check "$file is C11" $strict -O2 -Wall -Wextra -pedantic-errors -Werror -c -o "$object" "$file"
  check "$file has no extension" same "" "$(extensions $strict "$file")"
  objects="$objects $object"
done
for name in coretest conformancetest charsettest legacytest streamtest mojibaketest mojibaketablestest plausibletest suspecttest kerneltest; do
  check "$name links" $strict -O2 -o build/strict/$name test/$name.c $objects
done
check "the scalar kernel is the only one" same "kernels: scalar" "$(build/strict/kerneltest list)"
check "kerneltest passes" build/strict/kerneltest quick
check "coretest passes" build/strict/coretest
check "conformancetest passes" build/strict/conformancetest
check "charsettest passes" build/strict/charsettest
check "legacytest passes" build/strict/legacytest
check "streamtest passes" build/strict/streamtest
check "mojibaketest passes" build/strict/mojibaketest
check "mojibaketablestest passes" build/strict/mojibaketablestest
check "suspecttest passes" build/strict/suspecttest
check "plausibletest passes" build/strict/plausibletest
finish
