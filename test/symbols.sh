#!/bin/sh
# symbols.sh: the two entry points are all that the extension exports. Anything more could
# be taken for a function of the same name in another extension of the same process.
. test/tally.sh

if [ "$(uname -s)" = Darwin ]; then
  exported=$(nm -gU "$EXTENSION" | awk '{ sub(/^_/, "", $NF); print $NF }' | sort)
else
  exported=$(nm -D --defined-only "$EXTENSION" | awk '{ print $NF }' | sort)
fi
check "exported symbols" same "sqlite3_extension_init
sqlite3_utfext_init" "$exported"
finish
