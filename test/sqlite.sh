#!/bin/sh
# sqlite.sh: fetches and builds other versions of SQLite, for tests.
#
#     sh test/sqlite.sh list            # the versions, oldest first
#     sh test/sqlite.sh 3.31.1          # prints build/sqlite/3.31.1
#     sh test/sqlite.sh version newest  # prints the version in build/sqlite/newest
#
# The directory holds the amalgamation (sqlite3.c, sqlite3.h, sqlite3ext.h) and
# libsqlite3.so.0, built with Debian's options. With LD_LIBRARY_PATH set to the directory,
# programs load it instead of the system's. The sources come from npm packages, which have
# them in deps/. Keeps each build, also of "newest", until build/sqlite is removed. Without
# npm, or if it cannot fetch the package, prints the reason and returns 1.

cd "$(dirname "$0")/.." || exit 1

# Prints each version and the npm package that has its amalgamation.
versions() {
  cat <<'END'
3.31.1 sqlite3@4.2.0
3.34.0 sqlite3@5.0.2
3.40.0 sqlite3@5.1.4
3.44.2 sqlite3@5.1.7
3.52.0 sqlite3@6.0.1
3.53.2 better-sqlite3@12.11.1
newest better-sqlite3@latest
END
}

# The options of Debian 12's libsqlite3.so.0 (PRAGMA compile_options). Tcl's binding calls
# the functions of SQLITE_ENABLE_DESERIALIZE, which is the default since 3.36.
options="-DSQLITE_SECURE_DELETE -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_FTS3
-DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS3_TOKENIZER -DSQLITE_ENABLE_FTS4
-DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE=1 -DSQLITE_ENABLE_DBSTAT_VTAB
-DSQLITE_ENABLE_UNLOCK_NOTIFY -DSQLITE_ENABLE_UPDATE_DELETE_LIMIT=1 -DSQLITE_SOUNDEX=1
-DSQLITE_ENABLE_JSON1 -DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_PREUPDATE_HOOK
-DSQLITE_ENABLE_SESSION -DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_ENABLE_MATH_FUNCTIONS
-DSQLITE_ENABLE_LOAD_EXTENSION -DSQLITE_USE_URI -DSQLITE_MAX_VARIABLE_NUMBER=250000
-DSQLITE_MAX_SCHEMA_RETRY=25 -DSQLITE_TEMP_STORE=1 -DSQLITE_THREADSAFE=1 -DHAVE_ISNAN
-DSQLITE_ENABLE_DESERIALIZE"

# Prints functions that Debian 12's Tcl binding needs to load, for versions that lack them.
newer_functions() {
  cat <<'END'
#include "sqlite3.h"
#if SQLITE_VERSION_NUMBER < 3037000
sqlite3_int64 sqlite3_changes64(sqlite3 *db) { return sqlite3_changes(db); }
sqlite3_int64 sqlite3_total_changes64(sqlite3 *db) { return sqlite3_total_changes(db); }
#endif
#if SQLITE_VERSION_NUMBER < 3038000
int sqlite3_error_offset(sqlite3 *db) { return -1; }
#endif
END
}

die() {
  echo "$*"
  exit 1
}

# fetch PACKAGE DIRECTORY: stores the package's amalgamation in the directory.
fetch() {
  command -v npm >/dev/null || die "npm is not installed"
  mkdir -p "$2"
  (cd "$2" && npm pack --loglevel=error "$1") >"$2/npm.log" 2>&1 ||
    die "npm cannot fetch $1: $(grep . "$2/npm.log" | head -n 1)"
  tar -xzf "$2"/*.tgz -C "$2" || die "$1 is not a package"
  for archive in "$2"/package/deps/sqlite-autoconf-*.tar.gz; do
    [ -e "$archive" ] && tar -xzf "$archive" -C "$2"
  done
  for name in sqlite3.c sqlite3.h sqlite3ext.h; do
    mv "$(find "$2" -mindepth 2 -name $name | head -n 1)" "$2/$name" || die "$1 has no $name"
  done
  rm -rf "$2"/package "$2"/sqlite-autoconf-* "$2"/*.tgz
}

# Prints the version of the amalgamation in directory $1.
source_version() {
  sed -n 's/^#define SQLITE_VERSION  *"\(.*\)"/\1/p' "$1/sqlite3.h"
}

# build DIRECTORY: compiles libsqlite3.so.0 in the directory.
build() {
  newer_functions >"$1/newer.c"
  # shellcheck disable=SC2086
  ${CC:-cc} -O2 -w -fPIC $options -shared -Wl,-soname,libsqlite3.so.0 \
    -o "$1/libsqlite3.so.0" "$1/sqlite3.c" "$1/newer.c" -lm -ldl -lpthread \
    >"$1/build.log" 2>&1 || die "SQLite does not compile: $(head -n 1 "$1/build.log")"
}

# make_version VERSION: fetches and builds build/sqlite/VERSION. The directory is complete as
# soon as it exists. If several processes make it at once, the first one wins.
make_version() {
  package=$(versions | sed -n "s/^$1 //p")
  [ -n "$package" ] || die "$1 is not in the list of versions"
  new=build/sqlite/$1.$$
  trap 'rm -rf "$new"' EXIT
  trap 'exit 130' INT TERM
  fetch "$package" "$new"
  [ "$1" = newest ] || [ "$1" = "$(source_version "$new")" ] ||
    die "$package has SQLite $(source_version "$new"), not $1"
  build "$new"
  [ -e "build/sqlite/$1" ] || mv "$new" "build/sqlite/$1"
}

case $1 in
list)
  versions | cut -d ' ' -f 1
  exit
  ;;
version)
  source_version "build/sqlite/$2"
  exit
  ;;
esac
[ -e "build/sqlite/$1/libsqlite3.so.0" ] || make_version "$1"
echo "build/sqlite/$1"
