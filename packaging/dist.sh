#!/bin/sh
# dist.sh: gathers what a release publishes in build/dist, or in $DIST: the packages of
# build/packages, the amalgamation, NOTES.md and SHA256SUMS.
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

# Writes the archive of the amalgamation.
amalgamation() {
  folder=$dist/utf8ext-amalgamation-$version
  mkdir "$folder" && ${PYTHON:-python3} tool/amalgamate.py "$folder" && cp LICENSE "$folder" &&
    ${PYTHON:-python3} packaging/archive.py "$folder.zip" "$folder" "$(basename "$folder")" && rm -r "$folder"
}

if [ "$1" = notes ]; then
  notes
  exit
fi
dist=${DIST:-build/dist}
files=$(packages) && [ -n "$files" ] || die "no packages; run: make release packages"
rm -rf "$dist"
mkdir -p "$dist" && notes >"$dist/NOTES.md" && amalgamation || exit
# Go's archive is named after the version alone.
for file in $files; do
  case $file in */proxy/*) name=utf8ext-go-$(basename "$file") ;; *) name=$(basename "$file") ;; esac
  [ ! -e "$dist/$name" ] || die "two packages are named $name"
  cp "$file" "$dist/$name" || exit
done
cd "$dist" && sha256sum -- *.* >SHA256SUMS
