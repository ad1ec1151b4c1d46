#!/bin/sh
# symbols.sh: checks that the extension exports only its entry points. Any other name
# could clash with one of another extension in the same process. WITHOUT_ARROW=1: in a build without arrow/.
. test/tally.sh

case $EXTENSION in
*.dylib) exported=$(nm -gU "$EXTENSION" | awk '{ sub(/^_/, "", $NF); print $NF }') ;;
*.dll) exported=$(${OBJDUMP:-objdump} -p "$EXTENSION" | sed -n '/Ordinal.*Name/,/^$/s/.*\[ *[0-9]*\].* //p') ;;
*) exported=$(nm -D --defined-only "$EXTENSION" | awk '{ print $NF }') ;;
esac
expected="sqlite3_extension_init sqlite3_utfext_init utf8ext_arrow utf8ext_calls"
[ -z "$WITHOUT_ARROW" ] || expected=$(echo "$expected" | sed 's/ utf8ext_arrow//')
check "exported symbols" same "$expected" "$(echo "$exported" | sort | tr '\n' ' ' | sed 's/ $//')"
finish
