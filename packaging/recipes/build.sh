#!/bin/sh
# build.sh: writes the archive of the sources and the recipes of conda-forge, Homebrew, Nix and vcpkg
# to build/packages/recipes. They share the lines below; make has the list of the sources and options.

package=recipes
. packaging/package.sh

# What each recipe runs in the sources, with PREFIX after it, and the SQL that tests what it installed.
build="make install install-lib"
test="SELECT utf8_error(CAST(x'ff' AS TEXT))"

archive=utf8ext-source-$version.tar.gz

# Writes what git has of the tree, changes included.
write_archive() {
  tree=$(git stash create) &&
    git archive --format=tar.gz --prefix="utf8ext-$version/" -o "$out/$archive" "${tree:-HEAD}"
}

# hash BITS FILE: prints its SHA-256 or SHA-512.
hash() { "sha$1sum" "$2" | cut -d ' ' -f 1; }

# fill_recipe FILE: like fill(), with the values that only recipes have.
fill_recipe() {
  fill "packaging/recipes/$1" | sed "s|@SOURCE@|https://$address/releases/download/v$version/$archive|
    s|@SHA256@|$(hash 256 "$out/$archive")|; s|@SHA512@|$(hash 512 "$out/$archive")|
    s|@BUILD@|$build|; s|@TEST@|$test|"
}

rm -rf "$out"
mkdir -p "$out/conda-forge" "$out/homebrew" "$out/nix" "$out/vcpkg" || exit
write_archive || die "git cannot write the archive of the sources"
fill_recipe conda.yaml >"$out/conda-forge/recipe.yaml" &&
  fill_recipe homebrew.rb >"$out/homebrew/utf8ext.rb" &&
  fill_recipe nix.nix >"$out/nix/package.nix" &&
  fill_recipe vcpkg.json >"$out/vcpkg/vcpkg.json" &&
  fill_recipe vcpkg.cmake >"$out/vcpkg/portfile.cmake"
