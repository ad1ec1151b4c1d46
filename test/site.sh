#!/bin/sh
# site.sh: tests the page in headless Chromium: what it shows, what it repairs (byte for byte what
# the loadable extension repairs), keyboard, screen readers, phones, and that no request leaves.
. test/tally.sh
. test/node.sh

packages="playwright-core@1.65.1 axe-core@4.14.1"
sqlite=build/sqlite/3.53.2
out=build/site-test

skip() {
  echo "SKIPPED: the page in a browser: $*"
  finish
  exit
}

# Installs the packages, unless they are those of the last time.
install_packages() {
  [ "$(cat $out/packages 2>/dev/null)" = "$packages" ] && return
  # shellcheck disable=SC2086
  (cd $out && npm install --no-save --no-package-lock --ignore-scripts --loglevel=error $packages) &&
    echo "$packages" >$out/packages
}

for command in emcc node npm; do
  command -v $command >/dev/null || skip "$command is not installed (sh setup.sh site)"
done
CHROMIUM=$(command -v chromium || command -v chromium-browser) || skip "chromium is not installed (sh setup.sh site)"
export CHROMIUM
message=$(sh test/sqlite.sh 3.53.2) || skip "$message"
mkdir -p $out/files && echo '{}' >$out/package.json
install_packages >"$work/npm" 2>&1 || skip "npm cannot install $packages: $(grep . "$work/npm" | head -n 1)"

check "the page is built" ${MAKE:-make} -s -f web/wasm/Makefile site
check "the fixtures are made" env LD_LIBRARY_PATH=$sqlite "$PYTHON" test/site/fixtures.py "./$EXTENSION" $out/files
node_tests test/site/site.test.mjs
node_tests test/site/choices.test.mjs
finish
