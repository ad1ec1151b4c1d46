#!/bin/sh
# test-dist.sh: gathers the packages that this machine's binary gives, and checks what would be
# published.
. test/tally.sh

package=sqlpkg
. packaging/package.sh

test_native || skip "packaging/targets.tsv has no target for this machine"
check "a package" sh packaging/sqlpkg/build.sh
mkdir -p "$RELEASE/$native/core"
cp "build/core/$EXTENSION" "$RELEASE/$native/core" || skip "no small build; run: make core"
export DIST="$work/dist" PACKAGES="$work/packages"
mkdir -p "$PACKAGES/sqlpkg"
cp "$out"/*.* "$PACKAGES/sqlpkg"
check "packaging/dist.sh" sh packaging/dist.sh

in_dist() { (cd "$DIST" && "$@"); }
check "SHA256SUMS is right" in_dist sha256sum --quiet -c --strict SHA256SUMS
check "SHA256SUMS has every file" same "$(in_dist ls | grep -vx SHA256SUMS)" "$(sed 's/.*  //' "$DIST/SHA256SUMS" | sort)"
check "the package is there" cmp "$out/sqlpkg.json" "$DIST/sqlpkg.json"

# The amalgamation as a user gets it.
amalgamation() {
  ${PYTHON:-python3} -m zipfile -e "$DIST/utf8ext-amalgamation-$version.zip" "$work" &&
    ${CC:-cc} -O0 -fsyntax-only -fPIC "$work/utf8ext-amalgamation-$version/utf8ext.c"
}
check "the amalgamation compiles" amalgamation

# The small build of a target as a user gets it.
small_build() {
  ${PYTHON:-python3} -m zipfile -e "$DIST/utf8ext-core-$version.zip" "$work" &&
    cmp "build/core/$EXTENSION" "$work/utf8ext-core-$version/$native/$EXTENSION" && [ -e "$work/utf8ext-core-$version/LICENSE" ]
}
check "the small builds are there" small_build

# notes VERSION: what dist.sh says of a version.
notes() { sh -c "version=$1; $(sed -n '/^notes()/,/^}/p' packaging/dist.sh)
  die() { echo \"\$*\"; exit 1; }; notes"; }
check "the notes have a part for what differs" same "### Changed" "$(grep '^### ' "$DIST/NOTES.md" | head -n 1)"
check "the notes end before the next version" sh -c '! grep "^## " "$0"' "$DIST/NOTES.md"
check "1.0.0 has notes" sh -c 'echo "$0" | grep -q "^- "' "$(notes 1.0.0)"
check "a version without notes is refused" same "CHANGELOG.md has no part [9.9.9]" "$(notes 9.9.9)"

mkdir -p "$PACKAGES/again/sqlpkg"
cp "$out/sqlpkg.json" "$PACKAGES/again/sqlpkg"
check "two files of one name are refused" same "package-dist: two packages are named sqlpkg.json" "$(sh packaging/dist.sh 2>&1)"
rm -r "$PACKAGES"
check "no packages are an error" same "package-dist: no packages; run: make release packages" "$(sh packaging/dist.sh 2>&1)"
finish
