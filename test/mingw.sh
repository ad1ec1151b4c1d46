#!/bin/sh
# mingw.sh: builds utf8ext.dll and the core's tests with mingw-w64, and runs them with wine.
#
#     make test-mingw     # sets CORE, the source files
#
# `sh setup.sh release` installs the compiler and wine; in MSYS2, Windows itself runs them.
# packaging/runsql.c loads the extension; it and SQLite are compiled for Windows as well.
. test/tally.sh
. test/machine.sh

exe=.exe
machine=x86_64-w64-mingw32
gcc=$machine-gcc
out=build/machine/$machine
export WINEDEBUG=-all WINEPREFIX="$PWD/build/wine"
objdump=$machine-objdump
case $(uname -s) in
MINGW* | MSYS*) run=env objdump=objdump ;;
*) run=wine ;;
esac

# Ends the test if there is no command $1.
require() {
  command -v "$1" >/dev/null && return
  echo "SKIPPED: mingw: $1 is not installed (sh setup.sh release)"
  finish
  exit
}

# Prints what statement $1 returns on Windows.
result() {
  echo "$1" | $run $out/runsql$exe ./$out/utf8ext.dll UTF-8 2>&1
}

require $gcc
require $run
sqlite=$(sh test/sqlite.sh 3.53.2) || { echo "SKIPPED: mingw: $sqlite" && finish && exit; }
mkdir -p $out "$WINEPREFIX"
check "make builds utf8ext.dll without a message" same "" \
  "$(${MAKE:-make} -s utf8ext.dll CC=$gcc CPPFLAGS="-I$sqlite" CFLAGS="-O2 -Wall -Wextra -Werror" LDFLAGS= 2>&1)"
mv utf8ext.dll $out
check "it exports its entry points only" env EXTENSION=$out/utf8ext.dll OBJDUMP=$objdump \
  sh test/symbols.sh
check "it needs the system's libraries only" same "KERNEL32.dll
msvcrt.dll" "$($objdump -p $out/utf8ext.dll | sed -n 's/.*DLL Name: //p' | sort)"
check "SQLite compiles" build_runsql $out/runsql$exe $gcc -std=c11 -O1
[ $run = env ] || check "wine starts" wine wineboot --init
check "SQLite loads it" same "$(cat VERSION)" "$(result 'SELECT utf8_version()')"
check "it repairs" same "x'4a6f73c3a9'" "$(result "SELECT utf8_repair(x'4a6f73e9', 'latin1')")"
check "its kernel is a fast one" [ -z "$(result 'SELECT utf8_debug()' | grep scalar)" ]
test_on $machine $run $gcc
finish
