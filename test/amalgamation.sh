#!/bin/sh
# amalgamation.sh: all sources in one file. It compiles alone, as a loadable extension that
# passes the Tcl tests, and linked in with -DSQLITE_CORE.
. test/tally.sh

one=build/amalgamation
check "it is written" "$PYTHON" tool/amalgamate.py $one
check "nothing of the project is included" \
  same "" "$(grep -E '^ *# *include "' $one/utf8ext.c | grep -v sqlite3)"
check "it compiles as an extension" $CC -std=c11 -O2 -fPIC -fvisibility=hidden -Wall -Wextra \
  -Werror -Wno-unused-function $CPPFLAGS -shared -o $one/$EXTENSION $one/utf8ext.c
check "it exports what utf8ext does" same "$(nm -D --defined-only $EXTENSION | cut -d ' ' -f 2-)" \
  "$(nm -D --defined-only $one/$EXTENSION | cut -d ' ' -f 2-)"
check "it links in" $CC -std=c11 -O2 -DSQLITE_CORE $CPPFLAGS -I$one \
  -o $one/static test/static.c $one/utf8ext.c -lsqlite3
check "and works" $one/static
check "it is as good as the extension" env UTF8EXT_SO="$(pwd)/$one/$EXTENSION" \
  TEST_OUTPUT=$one JOBS=2 sh -c 'for file in test/*.test; do
    set -- "$@" "$TCLSH -encoding utf-8 $file"
  done
  sh test/run.sh "$@"' sh
finish
