#!/bin/sh
# testfixture.sh: runs test/*.test in SQLite's own test program, with injected faults.
#
#     sh test/testfixture.sh                    # every test/*.test and test/fault/*.test
#     sh test/testfixture.sh test/valid.test
#     sh test/testfixture.sh build              # builds the program and runs nothing
#
# Fetches the source of the distribution's SQLite with apt-get, builds its program "testfixture"
# unmodified under build/testfixture, and runs each file with SQLite's own tester.tcl. It has no Tcl
# library, so expr has no max() and min(). The build has dbstat, as the distribution's does, since
# the tests of utf8_audit read it. Needs gcc, make, tclsh, Tcl's headers and apt, but not root. Skips
# all tests without apt or the headers. Keeps the build.
#
# SQLite's tester.tcl changes to its own directory, and derives the test's directory from
# the name of the file. So the tests and SQLite's scripts are linked into one directory,
# with what else the project's root has in its parent.

. test/tally.sh
. test/apt.sh
EXTENSION=${EXTENSION:-utf8ext.so}
root=$(pwd)
home=$root/build/testfixture
source=$home/sqlite
stage=$home/stage

skip() {
  echo "SKIPPED: SQLite's testfixture: $*"
  finish
  exit
}

# Prints the directory of tclConfig.sh, which configure needs.
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

# Links the tests and what they read into $stage.
link_tests() {
  rm -rf "$stage"
  mkdir -p "$stage/test" "$stage/run"
  for name in "$root"/*; do
    case ${name##*/} in build | test) ;; *) ln -s "$name" "$stage" ;; esac
  done
  for file in "$root"/test/* "$root"/test/fault/*.test; do
    ln -s "$file" "$stage/test/${file##*/}"
  done
  ln -sf "$source"/test/*.tcl "$stage/test/"
}

# Runs file $1 in its own directory. Adds the numbers of errors and tests that SQLite reports
# at the end, and checks that there were tests and that all memory was freed.
run_file() {
  echo "== $1"
  (cd "$stage/run" && "$home/obj/testfixture" "$stage/test/${1##*/}" --testdir="${1##*/}" 2>&1) \
    >"$work/log"
  status=$?
  grep -E '^(!|SKIPPED|Error)' "$work/log"
  counts=$(sed -n 's/^\([0-9]*\) errors out of \([0-9]*\) tests.*/\1 \2/p' "$work/log")
  errors=${counts% *}
  tests=${counts#* }
  tests=$((${tests:-1} - 1)) # SQLite counts one more
  passed=$((passed + tests - ${errors:-0}))
  failed=$((failed + ${errors:-0}))
  check "$1 tests something" [ "$tests" -gt 0 ]
  check "$1 ends with status 0" [ "$status" = 0 ]
  check "$1 frees all memory" grep -q '^All memory allocations freed - no leaks' "$work/log"
  [ "$status" = 0 ] || tail -n 20 "$work/log"
}

[ -x "$home/obj/testfixture" ] || build_fixture
[ "$1" != build ] || exit 0
link_tests
[ $# -gt 0 ] || set -- test/*.test test/fault/*.test
for file in "$@"; do
  run_file "$file"
done
finish
