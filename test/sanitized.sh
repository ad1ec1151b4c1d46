#!/bin/sh
# sanitized.sh: test/*.test with the extension built under ASan and UBSan, two at a time.
#
#     sh test/sanitized.sh build/sanitized/utf8ext.so build/sanitized/overread.so test/*.test
#
# tclsh and SQLite are built without sanitizers, so ASan's library is preloaded. It replaces
# malloc(), so it also checks the memory of SQLite's values. The second extension reads one
# byte too many, and ASan must stop it. Leaks are not reported, since most are Tcl's own.

cd "$(dirname "$0")/.." || exit 1
TCLSH=${TCLSH:-tclsh}
export ASAN_OPTIONS=detect_leaks=0

# Prints the path of the ASan library that extension $1 is linked with.
runtime() {
  ldd "$1" | sed -n 's/.*libasan[^ ]* => \([^ ]*\).*/\1/p'
}

# Tests that ASan stops over_read() of extension $1.
check_over_read() {
  . test/tally.sh
  check "ASan stops a read after the end of a value" over_read_is_stopped "$1"
  finish
}

over_read_is_stopped() {
  LD_PRELOAD=$(runtime "$1") "$TCLSH" >"$work/out" 2>&1 <<END
package require sqlite3
sqlite3 db :memory:
db enable_load_extension 1
db eval {SELECT load_extension('./$1')}
puts [db eval {SELECT over_read(zeroblob(4096))}]
END
  cat "$work/out"
  grep -q 'AddressSanitizer: heap-buffer-overflow' "$work/out"
}

if [ "$1" = over_read ]; then
  check_over_read "$2"
  exit
fi
library=$(runtime "$1")
if [ -z "$library" ]; then
  echo "SKIPPED: SQL under sanitizers: ${CC:-cc} has no ASan library that can be preloaded"
  echo "0 passed, 0 failed"
  exit
fi
export UTF8EXT_SO="$(pwd)/$1" TEST_OUTPUT=build/sanitized
over_read="sh test/sanitized.sh over_read $2"
shift 2
for file in "$@"; do
  shift
  set -- "$@" "LD_PRELOAD='$library' $TCLSH -encoding utf-8 $file"
done
JOBS=${JOBS:-2} sh test/run.sh "$over_read" "$@"
