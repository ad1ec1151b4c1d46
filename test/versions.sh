#!/bin/sh
# versions.sh: test/*.test on several versions of SQLite, two at a time.
#
#     sh test/versions.sh                    # system, and every version of test/sqlite.sh
#     TESTS=test/audit.test sh test/versions.sh 3.31.1 newest
#
# "system" is the SQLite that Tcl's binding loads by default. Skips a version that cannot be
# fetched. The table at the end has the versions that SQLite reports.

cd "$(dirname "$0")/.." || exit 1
TCLSH=${TCLSH:-tclsh}
export TESTS="${TESTS:-$(echo test/*.test)}"
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# Prints the version that Tcl's binding loads if LD_LIBRARY_PATH is $1.
loaded_version() {
  echo 'package require sqlite3; puts [sqlite3 -version]' | LD_LIBRARY_PATH=$1 "$TCLSH" 2>&1
}

# fetch NAME: writes the directory of its library to $work/NAME, or, if it cannot be fetched,
# the reason to $work/NAME.missing.
fetch() {
  sh test/sqlite.sh "$1" >"$work/$1" || mv "$work/$1" "$work/$1.missing"
}

# on VERSION LIBRARY: runs every test with the SQLite of directory LIBRARY, which must have
# that version.
on() {
  version=$1
  export LD_LIBRARY_PATH="$2" TEST_OUTPUT="build/versions/$1"
  if [ "$version" != "$(loaded_version "$2")" ]; then
    echo "FAILED: instead of $version, Tcl's binding loads: $(loaded_version "$2")"
    echo "0 passed, 1 failed"
    return 1
  fi
  mkdir -p "$TEST_OUTPUT"
  set --
  for file in $TESTS; do
    set -- "$@" "$TCLSH -encoding utf-8 $file"
  done
  { sh test/run.sh "$@"; echo $? >"$work/status"; } | sed "s/^SKIPPED: /&SQLite $version: /"
  return "$(cat "$work/status")"
}

# without NAME REASON: skips a version.
without() {
  echo "SKIPPED: SQLite $1: $2"
  echo "0 passed, 0 failed"
}

# Prints the command that runs the tests on version $1, after fetch.
command_for() {
  if [ "$1" = system ]; then
    echo "sh test/versions.sh on $(loaded_version '') ''"
  elif [ -e "$work/$1.missing" ]; then
    echo "sh test/versions.sh without $1 '$(tr -d "'" <"$work/$1.missing")'"
  else
    echo "sh test/versions.sh on $(sh test/sqlite.sh version "$1") '$(pwd)/$(cat "$work/$1")'"
  fi
}

case $1 in
on | without)
  "$@"
  exit
  ;;
'') set -- system $(sh test/sqlite.sh list) ;;
esac
for name in "$@"; do
  [ "$name" = system ] || fetch "$name" &
done
wait
for name in "$@"; do
  shift
  set -- "$@" "$(command_for "$name")"
done
JOBS=${JOBS:-2} sh test/run.sh "$@"
