#!/bin/sh
# testfixture.sh: runs test/*.test inside SQLite's own test program, with faults injected.
#
#     sh test/testfixture.sh                    # every test/*.test and test/fault/*.test
#     sh test/testfixture.sh test/valid.test
#
# Gets the source of the distribution's SQLite with apt-get, builds its "testfixture"
# unmodified under build/testfixture (with dbstat, which the audit's tests read and the
# distribution's own build has), and runs each file with SQLite's own tester.tcl. Works
# without being root. Needs gcc, make, tclsh, Tcl's headers, and apt; without apt or the
# headers it is skipped. The build is kept.
#
# SQLite's tester.tcl changes to a directory of its own and takes the test's directory
# from the name of the file; so the tests are linked into a directory beside copies of
# SQLite's scripts, with utf8ext.so above it.

. test/tally.sh
. test/apt.sh
EXTENSION=${EXTENSION:-utf8ext.so}
root=$(pwd)
home=$root/build/testfixture
source=$home/sqlite
scene=$home/scene

skip() {
  echo "SKIPPED: SQLite's testfixture: $*"
  finish
  exit
}

# The directory of tclConfig.sh, which configure needs.
tcl_library() {
  for directory in $(echo 'puts $auto_path; puts [info library]' | tclsh) \
    /usr/lib/tcl8.6 /usr/lib/*/tcl8.6; do
    [ -e "$directory/tclConfig.sh" ] && echo "$directory" && return
  done
  return 1
}

fetch_source() {
  command -v apt-get >/dev/null || skip "there is no apt-get"
  mkdir -p "$home"
  apt_source sqlite3 "$source" >"$home/fetch.log" 2>&1 ||
    skip "apt-get has no source of sqlite3: $(grep '^E: ' "$home/fetch.log" | head -n 1)"
}

build_fixture() {
  tcl=$(tcl_library) || skip "there is no tclConfig.sh: install Tcl's headers (tcl-dev)"
  [ -e "$source/configure" ] || fetch_source
  mkdir -p "$home/obj"
  (cd "$home/obj" && "$source/configure" CFLAGS=-O1 --with-tcl="$tcl" &&
    make -j2 OPTS=-DSQLITE_ENABLE_DBSTAT_VTAB testfixture) >"$home/build.log" 2>&1 && return
  tail -n 20 "$home/build.log"
  exit 1
}

set_scene() {
  rm -rf "$scene"
  mkdir -p "$scene/test" "$scene/run"
  ln -s "$root/$EXTENSION" "$scene/$EXTENSION"
  ln -s "$root/docs" "$scene/docs"
  for file in "$root"/test/* "$root"/test/fault/*.test; do
    ln -s "$file" "$scene/test/${file##*/}"
  done
  ln -sf "$source"/test/*.tcl "$scene/test/"
}

# Runs one file in a directory of its own, and adds what SQLite's last lines say: errors
# and tests, and whether all memory was freed.
run_file() {
  echo "== $1"
  (cd "$scene/run" && "$home/obj/testfixture" "$scene/test/${1##*/}" --testdir="${1##*/}" 2>&1) \
    >"$work/log"
  status=$?
  grep -E '^(!|SKIPPED|Error)' "$work/log"
  counts=$(sed -n 's/^\([0-9]*\) errors out of \([0-9]*\) tests.*/\1 \2/p' "$work/log")
  errors=${counts% *}
  tests=${counts#* }
  passed=$((passed + ${tests:-0} - ${errors:-0}))
  failed=$((failed + ${errors:-0}))
  check "$1 ends well" [ "$status" = 0 ]
  check "$1 frees all memory" grep -q '^All memory allocations freed - no leaks' "$work/log"
  [ "$status" = 0 ] || tail -n 20 "$work/log"
}

[ -x "$home/obj/testfixture" ] || build_fixture
set_scene
[ $# -gt 0 ] || set -- test/*.test test/fault/*.test
for file in "$@"; do
  run_file "$file"
done
finish
