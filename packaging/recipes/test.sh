#!/bin/sh
# test.sh: writes the recipes, and installs from the archive of the sources by what each of them says.
# The tools of the indexes need their servers, so that files beside this one stand in for them.
. test/tally.sh

package=recipes
. packaging/package.sh
export PACKAGES=build/native
locate

# The code need not be fast here.
export CFLAGS=-O0

skipped() { echo "SKIPPED: recipe of $1: $2"; }

# unpack NAME: a fresh folder with the sources.
unpack() {
  mkdir "$work/$1" && tar -xzf "$out/$archive" -C "$work/$1" --strip-components=1 || exit
}

# Does what was installed below $work/NAME-prefix load, and can programs find it?
is_installed() {
  prefix=$work/$1-prefix
  sh packaging/loads.sh "$prefix/lib/utf8ext" &&
    PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --exists utf8ext utf8core &&
    same "$version" "$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --modversion utf8ext)"
}

# is_source URL SHA256: are they those of the archive?
is_source() {
  same "$archive" "${1##*/}" && same "$(sha256sum "$out/$archive" | cut -d ' ' -f 1)" "$2"
}

# run_in NAME COMMAND: runs a command of a recipe in the sources, with the shell that finds the tools.
run_in() {
  (cd "$work/$1" && PREFIX=$work/$1-prefix out=$work/$1-prefix sh -e -c "$2")
}

# ---- conda-forge: Python reads YAML -----------------------------------------------------------

# conda EXPRESSION: prints an expression over the parsed recipe.
conda() {
  build/venv/recipes/bin/python -c "import sys, yaml
recipe = yaml.safe_load(open(sys.argv[1], encoding='utf-8'))
print($1)" "$out/conda-forge/recipe.yaml"
}

test_conda() {
  sh packaging/venv.sh build/venv/recipes PyYAML==6.0.3 >"$work/pip" 2>&1 ||
    { skipped conda-forge "pip cannot install PyYAML"; return; }
  unpack conda
  check "conda-forge: the version" same "$version" "$(conda "recipe['context']['version']")"
  check "conda-forge: the source" is_source "$(conda "recipe['source']['url']")" "$(conda "recipe['source']['sha256']")"
  check "conda-forge: the build" run_in conda "$(conda "recipe['build']['script']")"
  check "conda-forge: the test" run_in conda "$(conda "recipe['tests'][0]['script'][0]")"
  check "conda-forge: what is installed" is_installed conda
}

# ---- Homebrew --------------------------------------------------------------------------------

install_formula() {
  root=$PWD
  (cd "$work/homebrew" && PKG_CONFIG_PATH=$work/homebrew-prefix/lib/pkgconfig ruby \
    "$root/packaging/recipes/homebrew_run.rb" "$out/homebrew/utf8ext.rb" "$work/homebrew-prefix" "$(command -v "$SQLITE3")") >"$work/formula" &&
    is_source "$(tail -n 2 "$work/formula" | head -n 1)" "$(tail -n 1 "$work/formula")"
}

test_homebrew() {
  command -v ruby >/dev/null || { skipped Homebrew "ruby is not installed"; return; }
  unpack homebrew
  check "Homebrew: the formula's installation and test" install_formula
  check "Homebrew: what is installed" is_installed homebrew
}

# ---- Nix -------------------------------------------------------------------------------------

# nix ATTRIBUTE: prints what the package has.
nix() {
  nix-instantiate --eval --strict --json packaging/recipes/nix_run.nix --argstr package "$out/nix/package.nix" -A "$1" |
    ${PYTHON:-python3} -c 'import json, sys; print(json.load(sys.stdin))'
}

test_nix() {
  command -v nix-instantiate >/dev/null || { skipped Nix "nix-instantiate is not installed"; return; }
  export NIX_STATE_DIR="$work/nix-state" NIX_STORE_DIR="$work/nix-store" NIX_CONFIG="build-users-group ="
  unpack nix
  check "Nix: the source" is_source "$(nix src.url)" "$(nix src.sha256)"
  check "Nix: the installation" run_in nix "$(nix installPhase)"
  check "Nix: the test" run_in nix "$(nix installCheckPhase)"
  check "Nix: what is installed" is_installed nix
}

# ---- vcpkg -----------------------------------------------------------------------------------

run_portfile() {
  cmake -DPORTFILE="$out/vcpkg/portfile.cmake" -DARCHIVE_FILE="$out/$archive" -DSOURCES="$work/vcpkg" \
    -DPREFIX="$work/vcpkg-prefix" -DINCLUDE="$work" -P packaging/recipes/vcpkg_run.cmake
}

test_vcpkg() {
  check "vcpkg: the manifest" same "utf8ext $version" "$(${PYTHON:-python3} -c 'import json, sys
port = json.load(open(sys.argv[1]))
print(port["name"], port["version-semver"])' "$out/vcpkg/vcpkg.json")"
  command -v cmake >/dev/null || { skipped vcpkg "cmake is not installed"; return; }
  unpack vcpkg
  check "vcpkg: the portfile" run_portfile
  check "vcpkg: the licence" cmp LICENSE "$work/vcpkg-prefix/share/utf8ext/LICENSE"
  check "vcpkg: what is installed" is_installed vcpkg
}

command -v git >/dev/null && git rev-parse HEAD >"$work/git" 2>&1 || skip "this is not a git checkout"
check "make package-recipes" sh packaging/recipes/build.sh
archive=utf8ext-source-$version.tar.gz
check "no place is left to fill" sh -c '! grep -rE "@[A-Z0-9]+@" "$0"/*/' "$out"
test_conda
test_homebrew
test_nix
test_vcpkg
finish
