#!/bin/sh
# amalgamation.sh: checks that the amalgamation, all sources in one file, compiles alone: as a
# loadable extension, and linked in with -DSQLITE_CORE.
#
#     sh test/amalgamation.sh         # not optimized; the loadable extension passes one of the Tcl tests
#     sh test/amalgamation.sh full    # optimized, also for arm64; it passes those of TESTS
. test/tally.sh

one=build/amalgamation
tests=test/registry.test optimize=-O0
[ "$1" != full ] || tests=${TESTS:-test/*.test} optimize=-O2
check "tool/amalgamate.py writes it" "$PYTHON" tool/amalgamate.py $one
check "it includes no file of the project" \
  same "" "$(grep -E '^ *# *include "' $one/utf8ext.c | grep -v sqlite3)"
check "it compiles as an extension" $CC -std=c11 $optimize -fPIC -fvisibility=hidden -Wall -Wextra \
  -Werror -Wno-unused-function $CPPFLAGS -shared -o $one/$EXTENSION $one/utf8ext.c
check "it exports its entry points only" env EXTENSION=$one/$EXTENSION sh test/symbols.sh
check "it compiles into a program" $CC -std=c11 $optimize -DSQLITE_CORE $CPPFLAGS -I$one \
  -o $one/static test/static.c $one/utf8ext.c -lsqlite3
check "the program works" $one/static
# What is external in an object file: the names, of which compilers for macOS start all with a line.
external() {
  $CC -std=c11 -O0 -DSQLITE_CORE $CPPFLAGS "$@" -c -o "$work/one.o" $one/utf8ext.c &&
    nm "$work/one.o" | sed -n 's/^[0-9a-f]* [A-TV-Z] _*//p' | sort
}
check "linked in, its only external name is the entry point" same sqlite3_utfext_init "$(external)"
check "-DUTF8_PRIVATE= makes the core external" \
  same "sqlite3_utfext_init utf8core_valid" "$(external -DUTF8_PRIVATE= | grep -E '^sqlite3_|^utf8core_valid$' | tr '\n' ' ' | sed 's/ $//')"
check "a build without parts has one external name too" same sqlite3_utfext_init \
  "$(external -DUTF8EXT_OMIT_MOJIBAKE -DUTF8EXT_OMIT_FORM)"
if [ "$1" != full ]; then
  :
elif command -v aarch64-linux-gnu-gcc >/dev/null && headers=$(sh test/sqlite.sh 3.53.2); then
  check "it compiles for arm64" aarch64-linux-gnu-gcc -std=c11 -O1 -DSQLITE_CORE -I"$headers" \
    -c -o "$work/arm64.o" $one/utf8ext.c
else
  echo "SKIPPED: the amalgamation on arm64: no aarch64-linux-gnu-gcc (package gcc-aarch64-linux-gnu) or SQLite"
fi
check "the extension passes the Tcl tests" env UTF8EXT_SO="$(pwd)/$one/$EXTENSION" TEST_OUTPUT=$one \
  JOBS="${JOBS:-2}" sh -c 'for file in "$@"; do
    shift
    set -- "$@" "$TCLSH -encoding utf-8 $file"
  done
  sh test/run.sh "$@"' sh $tests
finish
