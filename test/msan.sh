#!/bin/sh
# msan.sh: runs the extension and the core's tests under clang's MemorySanitizer: no uninitialized byte decides anything.
#
#     make test-msan     # sets CORE, the source files
#
# SQLite is instrumented too, without temporary files, whose stat() clang 14 does not know. It does not
# know AVX-512's loads through a mask either, so that kernel's functions are trusted. The statements are those that compare
# the binaries of a release.
. test/tally.sh
. test/machine.sh

exe=
out=build/machine/msan
mkdir -p $out
echo 'fun:avx512_*' >$out/trusted
msan="clang -g -fsanitize-ignorelist=$out/trusted -fsanitize=memory -fno-sanitize-recover=all -fno-omit-frame-pointer"

# runs_sql KERNEL ENCODING
runs_sql() {
  cat packaging/core.sql packaging/release.sql | UTF8EXT_KERNEL=$1 $out/runsql ./$out/utf8ext.so "$2" >"$work/result" 2>&1 ||
    { tail -n 30 "$work/result" && return 1; }
}

if ! can_run env $msan; then
  echo "SKIPPED: msan: clang cannot build with MemorySanitizer (sh setup.sh test-all)"
  finish
  exit
fi
sqlite=$(sh test/sqlite.sh 3.53.2) || { echo "SKIPPED: msan: $sqlite" && finish && exit; }
check "SQLite compiles" build_runsql $out/runsql $msan -O1 -std=gnu11 -DSQLITE_TEMP_STORE=3
check "the extension builds" \
  $msan -O1 -std=c11 -fPIC -shared "-I$sqlite" -I. -o $out/utf8ext.so $(sh tool/sources.sh all)
for kernel in scalar ssse3 avx2 avx512; do
  for encoding in UTF-8 UTF-16le; do
    check "kernel $kernel: the statements of a release, $encoding" runs_sql $kernel $encoding
  done
done
test_on msan env $msan
finish
