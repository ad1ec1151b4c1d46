#!/bin/sh
# build.sh: makes the Go module: build/packages/go/module, and a module proxy's files in
# build/packages/go/proxy. Go installs it from there with GOPROXY=file://....
#
# The module has the amalgamation: `go mod vendor` copies only a package's own directory.

package=go
. packaging/package.sh

# The oldest SQLite that utf8ext supports. Its header works with every later library.
sqlite=$(sh test/sqlite.sh 3.31.1) || die "$sqlite"

module=$out/module
rm -rf "$module" "$out/proxy"
mkdir -p "$module"
for file in go.mod utf8ext.go README.md; do fill packaging/go/$file >"$module/$file" || die "$file"; done
cp LICENSE "$sqlite/sqlite3.h" "$sqlite/sqlite3ext.h" "$module" &&
  ${PYTHON:-python3} tool/amalgamate.py "$module" || die "cannot copy the sources to $module"

path=$address/v$major
versions=$out/proxy/$path/@v
mkdir -p "$versions"
echo "v$version" >"$versions/list"
echo "{\"Version\": \"v$version\"}" >"$versions/v$version.info"
cp "$module/go.mod" "$versions/v$version.mod"
${PYTHON:-python3} packaging/archive.py "$versions/v$version.zip" "$module" "$path@v$version"
