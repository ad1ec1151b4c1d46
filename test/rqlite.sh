#!/bin/sh
# rqlite.sh: prints the path of an rqlited that it compiles from the published Go module, once.
# Prints why if that fails. Needs go.

cd "$(dirname "$0")/.." || exit 1
module=github.com/rqlite/rqlite/v8@v8.36.3
folder=$PWD/build/rqlite

[ -x "$folder/rqlited" ] && echo "$folder/rqlited" && exit
command -v go >/dev/null || { echo "there is no go to compile rqlited"; exit 1; }
mkdir -p "$folder" || exit
# The module cache is read-only, and go install would ask for other versions of the module.
sources=$(go mod download -json "$module" 2>"$folder/log" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p') &&
  [ -n "$sources" ] && (cd "$sources" && go build -o "$folder/rqlited" ./cmd/rqlited) >>"$folder/log" 2>&1 ||
  { echo "go cannot compile $module: $(tail -n 1 "$folder/log")"; exit 1; }
echo "$folder/rqlited"
