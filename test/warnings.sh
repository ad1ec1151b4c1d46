#!/bin/sh
# warnings.sh: checks that gcc and clang compile every C file without a warning, loadable and
# linked in (-DSQLITE_CORE), and that utf8ext.h compiles in C and in C++. So does mingw-w64 if it
# is installed.
. test/tally.sh

flags="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror $CPPFLAGS"
for compiler in gcc clang; do
  for file in $(sh tool/sources.sh all); do
    for define in UTF8EXT_LOADABLE SQLITE_CORE; do
      check "$compiler -D$define $file" \
        $compiler -std=c11 -O2 $flags -I. -D$define -c -o "$work/object.o" "$file"
    done
  done
  for file in test/*.c bench/*.c fuzz/*.c tool/*.c packaging/*.c; do
    [ -f "$file" ] || continue
    check "$compiler $file" $compiler -std=c11 -O2 $flags -I. -c -o "$work/object.o" "$file"
  done
done

# For Windows: the extension, and the tests that test/mingw.sh runs.
mingw=x86_64-w64-mingw32-gcc
if ! command -v $mingw >/dev/null; then
  echo "SKIPPED: warnings of mingw-w64: $mingw is not installed (sh setup.sh release)"
elif ! sqlite=$(sh test/sqlite.sh 3.53.2); then
  echo "SKIPPED: warnings of mingw-w64: $sqlite"
else
  for file in $(sh tool/sources.sh all) packaging/*.c; do
    check "$mingw $file" $mingw -std=c11 -O2 $flags -I. "-I$sqlite" -c -o "$work/object.o" "$file"
  done
  for name in $(. test/machine.sh && echo "$all_core_tests"); do
    check "$mingw test/${name}test.c" $mingw -std=c11 -O2 $flags -I. -c -o "$work/object.o" "test/${name}test.c"
  done
fi
check "utf8ext.h in C" gcc -std=c11 -x c $flags -fsyntax-only utf8ext.h
check "utf8ext.h in C++" clang -std=c++11 -x c++ $flags -Wno-pragma-once-outside-header \
  -fsyntax-only utf8ext.h
finish
