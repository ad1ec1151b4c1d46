#!/bin/sh
# warnings.sh: checks that gcc and clang compile every C file without a warning, loadable and
# linked in (-DSQLITE_CORE), and that utf8ext.h compiles in C and in C++.
. test/tally.sh

flags="-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror $CPPFLAGS"
for compiler in gcc clang; do
  for file in *.c; do
    for define in UTF8EXT_LOADABLE SQLITE_CORE; do
      check "$compiler -D$define $file" \
        $compiler -std=c11 -O2 $flags -D$define -c -o "$work/object.o" "$file"
    done
  done
  for file in test/*.c bench/*.c fuzz/*.c tool/*.c; do
    [ -f "$file" ] || continue
    check "$compiler $file" $compiler -std=c11 -O2 $flags -I. -c -o "$work/object.o" "$file"
  done
done
check "utf8ext.h in C" gcc -std=c11 -x c $flags -fsyntax-only utf8ext.h
check "utf8ext.h in C++" clang -std=c++11 -x c++ $flags -Wno-pragma-once-outside-header \
  -fsyntax-only utf8ext.h
finish
