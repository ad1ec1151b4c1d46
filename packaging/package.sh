# package.sh: what every build.sh and test.sh needs. Include it in the project's root.
#
#     package=npm
#     . packaging/package.sh
#     fill packaging/npm/package.json >"$out/package.json"
#
# Binaries are those of build/release, or of the directory in $RELEASE. Packages are written to
# build/packages/NAME, or $PACKAGES/NAME.

. packaging/targets.sh
version=$(cat VERSION)

# The project's address, for formats that demand one. A placeholder until the project has one.
address=example.org/utf8ext

# What all packages say about the project, in one line.
description="SQLite extension that finds, explains, repairs and prevents ill-formed UTF-8"

# locate: sets $release and $out, the directories of the binaries and of the package.
locate() {
  release=${RELEASE:-build/release}
  out=${PACKAGES:-build/packages}/$package
}
locate

# test_native: lets build.sh use the extension that make has just built, as if it were the only
# one of a release. Does nothing if $RELEASE names another release to test.
test_native() {
  [ -n "$RELEASE" ] && return
  native=$(native_target) || return
  export RELEASE=build/native/release PACKAGES=build/native
  mkdir -p "$RELEASE/$native"
  cp "$EXTENSION" "$RELEASE/$native/$(target_field "$native" library)" || die "no extension; run: make"
  locate
}

die() {
  echo "package-$package: $*" >&2
  exit 1
}

# fill FILE: prints the file with values for @VERSION@, @ADDRESS@ and @DESCRIPTION@.
fill() { sed "s|@VERSION@|$version|g; s|@ADDRESS@|$address|g; s|@DESCRIPTION@|$description|g" "$1"; }

# library NAME: prints the path of a target's binary.
library() { echo "$release/$1/$(target_field "$1" library)"; }

# built COLUMN: prints the names of the targets that have a value in this column of the list and a
# binary. Fails if there are none.
built() {
  for name in $(targets); do
    [ "$(target_field "$name" "$1")" != - ] && [ -e "$(library "$name")" ] && echo "$name"
  done | grep . || die "$release has no binaries; run: make release"
}

# skip WHAT: ends a test that cannot run. For a test.sh, which includes test/tally.sh as well.
skip() {
  echo "SKIPPED: package $package: $*"
  finish
  exit
}
