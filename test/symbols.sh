#!/bin/sh
# symbols.sh: checks that the extension exports only its two entry points. Any other name
# could clash with one of another extension in the same process.
. test/tally.sh

if [ "$(uname -s)" = Darwin ]; then
  exported=$(nm -gU "$EXTENSION" | awk '{ sub(/^_/, "", $NF); print $NF }' | sort)
else
  exported=$(nm -D --defined-only "$EXTENSION" | awk '{ print $NF }' | sort)
fi
check "exported symbols" same "sqlite3_extension_init
sqlite3_utfext_init" "$exported"
finish
