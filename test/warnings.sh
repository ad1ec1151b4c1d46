#!/bin/sh
# warnings.sh: checks that gcc and clang compile every C file without a warning, loadable and
# linked in (-DSQLITE_CORE), and that utf8ext.h compiles in C and in C++.
#
#     sh test/warnings.sh          # each file, by the steps that can warn of it
#     sh test/warnings.sh full     # everything by every compiler, mingw-w64 included, to machine code
#
# Some of gcc's warnings need the optimizer, none of clang's does: so clang only reads the files, and
# gcc those of tests and tools. -DSQLITE_CORE matters only to files that include
# sqlite3ext.h, and not to the optimizer.
. test/tally.sh

flags="-std=c11 -O2 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror $CPPFLAGS -I."
compile="-c -o $work/object.o"
only_read=-fsyntax-only
all=$(sh tool/sources.sh all)
with_sqlite=$(grep -l sqlite $all)
programs=$(ls test/*.c bench/*.c fuzz/*.c packaging/*.c 2>/dev/null)

# no_warnings COMPILER OPTIONS FILES: checks each file.
no_warnings() {
  for file in $3; do
    # shellcheck disable=SC2086
    check "$1 $2 $file" $1 $flags $2 "$file"
  done
}

# For Windows: the extension, and the tests that test/mingw.sh runs.
no_warnings_mingw() {
  mingw=x86_64-w64-mingw32-gcc
  if ! command -v $mingw >/dev/null; then
    echo "SKIPPED: warnings of mingw-w64: $mingw is not installed (sh setup.sh release)"
  elif ! sqlite=$(sh test/sqlite.sh 3.53.2); then
    echo "SKIPPED: warnings of mingw-w64: $sqlite"
  else
    tests=$(. test/machine.sh && for name in $core_tests; do echo "test/${name}test.c"; done)
    no_warnings $mingw "$compile -I$sqlite" "$all $(ls packaging/*.c) $tests"
  fi
}

if [ "$1" = full ]; then
  for compiler in gcc clang; do
    no_warnings $compiler "$compile -DUTF8EXT_LOADABLE" "$all"
    no_warnings $compiler "$compile -DSQLITE_CORE" "$all"
    no_warnings $compiler "$compile" "$programs"
  done
  no_warnings_mingw
else
  no_warnings gcc "$compile" "$all"
  no_warnings gcc "$only_read" "$programs"
  no_warnings clang "$only_read" "$all $programs"
  no_warnings gcc "$only_read -DSQLITE_CORE" "$with_sqlite"
  no_warnings clang "$only_read -DSQLITE_CORE" "$with_sqlite"
fi
check "utf8ext.h in C" gcc $flags -x c -fsyntax-only utf8ext.h
check "utf8ext.h in C++" clang -std=c++11 -x c++ -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror \
  -Wno-pragma-once-outside-header -fsyntax-only utf8ext.h
finish
