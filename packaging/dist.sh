#!/bin/sh
# dist.sh: gathers what a release publishes in build/dist, or in $DIST: the packages of
# build/packages, the small builds, the amalgamation, NOTES.md and SHA256SUMS.
#
#     sh packaging/dist.sh          # after make release packages
#     sh packaging/dist.sh notes    # prints NOTES.md: what CHANGELOG.md says of this version

# Not a package, but it has the version.
package=dist
. packaging/package.sh

# Prints the version's part of CHANGELOG.md, without its heading. Fails if there is none.
notes() {
  awk -v heading="## [$version]" 'index($0, "## [") == 1 { inside = index($0, heading) == 1; next } inside' CHANGELOG.md |
    grep -v '^\[.*\]: ' | sed '/./,$!d' | grep . || die "CHANGELOG.md has no part [$version]"
}

# Prints the files that are published: not the folders from which they were made.
packages() {
  find "${PACKAGES:-build/packages}" -type f \( -name '*.whl' -o -path '*/python/*.tar.gz' -o -name '*.tgz' -o -name '*.crate' -o -name '*.deb' \
    -o -path '*/proxy/*.zip' -o -path '*/sqlpkg/*' \
    -o -path '*/recipes/*.tar.gz' \) 2>/dev/null
}

# pack FOLDER: replaces the folder by its archive.
pack() {
  cp LICENSE "$1" && ${PYTHON:-python3} packaging/archive.py "$1.zip" "$1" "$(basename "$1")" && rm -r "$1"
}

# Writes the archive of the amalgamation.
amalgamation() {
  folder=$dist/utf8ext-amalgamation-$version
  mkdir "$folder" && ${PYTHON:-python3} tool/amalgamate.py "$folder" && pack "$folder"
}

# Writes the archive of the small builds (make core), a folder for each target.
small_builds() {
  folder=$dist/utf8ext-core-$version
  for library in "$release"/*/core/*; do
    [ -e "$library" ] || die "no small builds; run: make release"
    target=${library%/core/*}
    mkdir -p "$folder/${target##*/}" && cp "$library" "$folder/${target##*/}" || return
  done
  pack "$folder"
}

if [ "$1" = notes ]; then
  notes
  exit
fi
dist=${DIST:-build/dist}
files=$(packages) && [ -n "$files" ] || die "no packages; run: make release packages"
rm -rf "$dist"
mkdir -p "$dist" && notes >"$dist/NOTES.md" && amalgamation && small_builds || exit
# Go's archive is named after the version alone.
for file in $files; do
  case $file in */proxy/*) name=utf8ext-go-$(basename "$file") ;; *) name=$(basename "$file") ;; esac
  [ ! -e "$dist/$name" ] || die "two packages are named $name"
  cp "$file" "$dist/$name" || exit
done
cd "$dist" && sha256sum -- *.* >SHA256SUMS
