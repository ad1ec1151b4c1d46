#!/bin/sh
# sqlite.sh: other versions of SQLite, for tests.
#
#     sh test/sqlite.sh list            # the versions, oldest first
#     sh test/sqlite.sh 3.31.1          # prints build/sqlite/3.31.1
#
# The directory holds the amalgamation (sqlite3.c, sqlite3.h, sqlite3ext.h) and
# libsqlite3.so.0, built with Debian's options, so that LD_LIBRARY_PATH puts it in the place
# of the system's. The sources come from npm packages, which carry them in deps/, and are
# cached. Without npm, or without the package, it prints the reason and returns 1.

cd "$(dirname "$0")/.." || exit 1

# Version, and the npm package that carries its amalgamation.
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

# As Debian 12 builds libsqlite3.so.0 (PRAGMA compile_options). Tcl's binding needs the
# column metadata and the unlock-notify functions.
options="-DSQLITE_SECURE_DELETE -DSQLITE_ENABLE_COLUMN_METADATA -DSQLITE_ENABLE_FTS3
-DSQLITE_ENABLE_FTS3_PARENTHESIS -DSQLITE_ENABLE_FTS3_TOKENIZER -DSQLITE_ENABLE_FTS4
-DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE=1 -DSQLITE_ENABLE_DBSTAT_VTAB
-DSQLITE_ENABLE_UNLOCK_NOTIFY -DSQLITE_ENABLE_UPDATE_DELETE_LIMIT=1 -DSQLITE_SOUNDEX=1
-DSQLITE_ENABLE_JSON1 -DSQLITE_ENABLE_STMTVTAB -DSQLITE_ENABLE_PREUPDATE_HOOK
-DSQLITE_ENABLE_SESSION -DSQLITE_LIKE_DOESNT_MATCH_BLOBS -DSQLITE_ENABLE_MATH_FUNCTIONS
-DSQLITE_ENABLE_LOAD_EXTENSION -DSQLITE_USE_URI -DSQLITE_MAX_VARIABLE_NUMBER=250000
-DSQLITE_MAX_SCHEMA_RETRY=25 -DSQLITE_TEMP_STORE=1 -DSQLITE_THREADSAFE=1 -DHAVE_ISNAN"

die() {
  echo "$*"
  exit 1
}

# fetch PACKAGE DIRECTORY: the package's amalgamation in the directory.
fetch() {
  command -v npm >/dev/null || die "npm is not installed"
  mkdir -p "$2"
  (cd "$2" && npm pack --silent "$1") >"$2/npm.log" 2>&1 || die "npm has no $1"
  tar -xzf "$2"/*.tgz -C "$2" || die "$1: not a package"
  for archive in "$2"/package/deps/sqlite-autoconf-*.tar.gz; do
    [ -e "$archive" ] && tar -xzf "$archive" -C "$2"
  done
  for name in sqlite3.c sqlite3.h sqlite3ext.h; do
    mv "$(find "$2" -mindepth 2 -name $name | head -n 1)" "$2/$name" || die "$1: no $name"
  done
  rm -rf "$2"/package "$2"/sqlite-autoconf-* "$2"/*.tgz
}

# build DIRECTORY: its libsqlite3.so.0.
build() {
  # shellcheck disable=SC2086
  ${CC:-cc} -O2 -w -fPIC $options -shared -Wl,-soname,libsqlite3.so.0 \
    -o "$1/libsqlite3.so.0" "$1/sqlite3.c" -lm -ldl -lpthread >"$1/build.log" 2>&1 ||
    die "SQLite does not compile: $(head -n 1 "$1/build.log")"
}

[ "$1" = list ] && versions | cut -d ' ' -f 1 && exit
directory=build/sqlite/$1
if [ ! -e "$directory/libsqlite3.so.0" ]; then
  package=$(versions | sed -n "s/^$1 //p")
  [ -n "$package" ] || die "$1 is not in the list of versions"
  new=$directory.$$
  trap 'rm -rf "$new"' EXIT
  fetch "$package" "$new" && build "$new" && mv "$new" "$directory" || exit 1
fi
echo "$directory"
