#!/bin/sh
# sql.sh: runs random queries (fuzz_each.c, fuzz_audit.c, fuzz_functions.c) on several versions of SQLite.
#
#     sh fuzz/sql.sh SECONDS VERSIONS [SEED]    # SECONDS per target, split over the versions
#     sh fuzz/sql.sh 60 '3.31.1 system newest'
#
# A version is one that test/sqlite.sh accepts, or `system`. The default seed is the time.
. test/tally.sh

seconds=$(($1 / $(echo "$2" | wc -w)))
[ "$seconds" -gt 0 ] || seconds=1
versions=$2
seed=${3:-$(date +%s)000000}

# build VERSION [DIRECTORY]
build() {
  ${MAKE:-make} -s -f fuzz/Makefile VERSION="$1" ${2:+SQLITE="$2"}
}

# Runs the targets on version $1 and prints their counts.
run() {
  for target in each audit functions; do
    log=build/fuzz/$1/$target.log
    check "$target on SQLite $1, seed $seed" \
      sh -c "build/fuzz/$1/$target --seed $seed --seconds $seconds >$log 2>&1 || { cat $log; exit 1; }"
    echo "$target $1: $(tail -n 1 "$log")"
  done
}

for version in $versions; do
  directory=
  if [ "$version" != system ] && ! directory=$(sh test/sqlite.sh "$version"); then
    echo "SKIPPED: random queries on SQLite $version: $directory"
    continue
  fi
  if build "$version" "$directory" >"$work/build" 2>&1; then
    run "$version"
  else
    check "SQLite $version builds" sh -c "cat $work/build; exit 1"
  fi
done
finish
