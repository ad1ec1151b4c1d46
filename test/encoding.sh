#!/bin/sh
# encoding.sh: builds utf8ext with the header of SQLite 3.31, which lacks
# sqlite3_value_encoding() (since 3.40), and runs the tests that depend on encodings.
. test/tally.sh

export UTF8EXT_SO="$work/utf8ext.so" TEST_OUTPUT="$work"
check "built with the header of SQLite 3.31" \
  $CC -std=c11 -O2 -fPIC $CPPFLAGS -I. -Itest/old -shared -o "$UTF8EXT_SO" $(sh tool/sources.sh all)
check "utf8_valid is registered for UTF-8 and for UTF-16" \
  same 4 "$("$SQLITE3" :memory: ".load $UTF8EXT_SO" \
    "SELECT count(*) FROM pragma_function_list WHERE name = 'utf8_valid'" 2>&1)"
for test in utf16 registry types charset each audit auditrepair; do
  check "$test.test" "$TCLSH" -encoding utf-8 test/$test.test
done
finish
