#!/bin/sh
# test-release.sh: runs the libraries of packaging/release.sh where this machine can.
#
#     make test-release                                      # every target, two at a time
#     make test-release TARGETS='native x86_64-linux-musl'   # these
#     make test-release TARGETS='--quick native'             # without UTF-16be and the core's tests
#
# A target's library is loaded into SQLite, which zig compiles for the same target. The results
# of packaging/core.sql and release.sql, in UTF-8 and in UTF-16, must equal those of the root's extension,
# which this machine's compiler made; with the small build, those of core.sql. Then zig compiles the core's
# tests, which run as well. qemu runs the programs of other processors and wine those of Windows; their C
# libraries come from Debian's packages. `sh setup.sh release` installs all of that.

cd "$(dirname "$0")/.." || exit 1
. packaging/zig.sh
. packaging/run.sh
. test/machine.sh

encodings="UTF-8 UTF-16le UTF-16be"
quick=
[ "$1" != --quick ] || { quick=--quick && encodings="UTF-8 UTF-16le" && shift; }

# statements BUILD: prints what the whole or the small build runs.
statements() {
  cat packaging/core.sql
  [ "$1" = small ] || cat packaging/release.sql
}

# Writes to build/test-release what this machine's own extension returns.
write_expected() {
  mkdir -p build/test-release
  ${CC:-cc} -O2 "-I$sqlite" -o build/test-release/runsql packaging/runsql.c "$sqlite/libsqlite3.so.0" \
    "-Wl,-rpath,$PWD/$sqlite" || return
  for encoding in $encodings; do
    for build in whole small; do
      statements $build | build/test-release/runsql "./$EXTENSION" $encoding \
        >build/test-release/expected.$build.$encoding || return
    done
  done
}

# runs_sql BUILD FOLDER ENCODING: do the statements return what they should, with the library in the folder?
runs_sql() {
  statements "$1" | $run "$dir/runsql$exe" "./$2/$(target_field "$name" library)" "$3" >"$dir/$3" ||
    { cat "$dir/$3"; return 1; }
  cmp "$dir/$3" "build/test-release/expected.$1.$3" && rm "$dir/$3"
}

# Is the library the same, byte for byte, if it is compiled in another folder and without what zig
# remembers?
is_reproducible() {
  mkdir -p "$work/copy/build/release"
  cp -R ./*.c ./*.h $(sh tool/sources.sh layers | tr " " "\n" | cut -d / -f 1 | sort -u) tool packaging test "$work/copy"
  ln -s "$PWD/build/venv" "$PWD/build/sqlite" "$work/copy/build"
  ZIG_GLOBAL_CACHE_DIR=$work/cache sh "$work/copy/packaging/release.sh" "$name" || return
  library=build/release/$name/$(target_field "$name" library)
  cmp "$library" "$work/copy/$library"
}

# Does packaging/binary.py find what is wrong if SQLite's library of this machine is taken for ours
# of another processor?
refuses_other() {
  other=$(targets | grep -e -linux-gnu | grep -v "^$(native_processor)-" | head -n 1)
  cp "$sqlite/libsqlite3.so.0" "$work/utf8ext.so"
  ! $venv/bin/python packaging/binary.py "$other" "$work/utf8ext.so" >"$work/refused" 2>&1 || return
  for fault in "it is for ARCH" "it exports" "it can be unloaded"; do
    grep -q "$fault" "$work/refused" || { cat "$work/refused" && return 1; }
  done
}

# Tests what does not depend on the target.
test_release() {
  check "packaging/binary.py refuses another library" refuses_other
  [ -n "$quick" ] || check "a second build has the same bytes" is_reproducible
}

# Tests the library of target $1.
test_one() {
  name=$1 dir=$PWD/build/test-release/$1 exe=
  case $1 in *-windows-*) exe=.exe ;; esac
  if ! find_run "$name"; then
    echo "SKIPPED: the binary for $name: $why"
    return
  fi
  mkdir -p "$dir"
  # SQLite compiles nine times as fast without optimization.
  check "$name: SQLite compiles" build_runsql "$dir/runsql$exe" zig_cc "$name" -O0 -fno-sanitize=undefined
  for encoding in $encodings; do
    check "$name: the results are those of this machine's extension ($encoding)" \
      runs_sql whole "build/release/$name" $encoding
    check "$name: so are those of the small build ($encoding)" runs_sql small "build/release/$name/core" $encoding
  done
  [ "$name" != "$(native_target)" ] || test_release
  [ -z "$quick" ] || return
  test_on "$name" "$run" zig_cc "$name" -w
}

if [ "$1" = one ]; then
  . test/tally.sh
  test_one "$2"
  finish
  exit
fi
[ $# -gt 0 ] || set -- $(targets)
if why=$(install_zig); then
  sh packaging/release.sh "$@" && write_expected || exit
  for name in "$@"; do
    [ "$name" != native ] || name=$(native_target)
    shift
    set -- "$@" "sh packaging/test-release.sh $quick one $name"
  done
  JOBS=${JOBS:-2} sh test/run.sh "$@"
else
  echo "SKIPPED: the binaries: $why"
  echo "0 passed, 0 failed"
fi
