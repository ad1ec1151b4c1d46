#!/bin/sh
# test.sh: builds the npm packages for this machine, installs them into an empty folder without
# a network, and loads the extension into each client of test/package.json.
. test/tally.sh

package=npm
. packaging/package.sh

command -v npm >/dev/null || skip "npm is not installed"
test_native || skip "packaging/targets.tsv has no target for this machine"
check "make package-npm" sh packaging/npm/build.sh
platform=utf8ext-$(target_field "$native" npm)
tests=$PWD/packaging/npm/test

# install_offline DIRECTORY TARBALL...
install_offline() {
  mkdir -p "$1" && (cd "$1" && shift && echo '{"private": true}' >package.json && npm install --offline "$@")
}

# in_folder DIRECTORY COMMAND...: runs a command in it.
in_folder() { (cd "$1" && shift && "$@"); }

check "npm install of utf8ext alone" install_offline "$work/alone" "$out/utf8ext-$version.tgz"
cp "$tests"/*.cjs "$work/alone"
check "without the platform's package" in_folder "$work/alone" node missing.cjs "$platform" "$version"
if [ "$(uname -s)" = Linux ]; then check "with two C libraries" in_folder "$work/alone" node libc.cjs; fi

# The clients stay installed; utf8ext and the tests are new each time. npm succeeds without optional
# packages, also without a network: typescript shows that there was one.
clients=$out/clients
mkdir -p "$clients"
if ! cmp -s "$tests/package.json" "$clients/package.json"; then
  rm -rf "$clients/node_modules"
  cp "$tests/package.json" "$clients"
  # better-sqlite3 is compiled. SQLite compiles three times as fast without optimisation.
  (cd "$clients" && CFLAGS=-O0 CXXFLAGS=-O0 npm_config_build_from_source=true \
    npm install --no-package-lock >npm.log 2>&1 && [ -e node_modules/typescript ]) || rm -f "$clients/package.json"
fi
folder=$work/installed
check "npm install" install_offline "$folder" "$out/utf8ext-$version.tgz" "$out/$platform-$version.tgz"
cp "$tests"/*.?js "$tests"/*.mts "$folder"
check "library" in_folder "$folder" node library.cjs

# client NAME MODULE COMMAND...: checks that the command succeeds beside the clients' packages;
# skips it if npm could not install the module.
client() {
  what=$1
  if [ -e "$clients/node_modules/$2" ]; then
    shift 2
    check "$what" in_folder "$folder" "$@"
  else
    echo "SKIPPED: npm packages with $1: npm cannot install it"
  fi
}
for module in "$clients"/node_modules/* "$clients"/node_modules/.bin; do
  ln -s "$module" "$folder/node_modules/"
done
client better-sqlite3 better-sqlite3 node better-sqlite3.mjs better-sqlite3
client libsql libsql node better-sqlite3.mjs libsql
client node:sqlite .bin/node node_modules/.bin/node --no-warnings node-sqlite.mjs
client "the error of node:sqlite" .bin/node node_modules/.bin/node --no-warnings node-hint.mjs
client bun .bin/bun node_modules/.bin/bun bun.mjs
client deno .bin/deno node_modules/.bin/deno run --quiet --no-prompt --allow-ffi --allow-read --allow-sys \
  --node-modules-dir=manual node-sqlite.mjs
client types .bin/tsc node_modules/.bin/tsc --noEmit --strict --module nodenext --skipLibCheck types.mts

awk '/^```/ { inside = $0 == "```js"; next } inside' packaging/npm/README.md >"$folder/readme.mjs"
readme() { same "$(sed -n 's|^// ||p' readme.mjs)" "$(node readme.mjs 2>&1)"; }
client "the program in README.md" better-sqlite3 readme
finish
