# package.sh: what every build.sh and test.sh needs. Include it in the project's root.
#
#     package=npm
#     . packaging/package.sh
#     fill packaging/npm/package.json >"$out/package.json"
#
# Binaries are those of build/release, or of the directory in $RELEASE. Packages are written to
# build/packages/NAME, or $PACKAGES/NAME.

. packaging/targets.sh

# The version as npm, Cargo, Go and sqlpkg write it, 2.0.0-dev before the release; as PEP 440 does,
# 2.0.0.dev0; as Debian does, 2.0.0~dev-1; and its first number, which ends the path of the Go module.
version=$(cat VERSION)
wheel_version=$(echo "$version" | sed 's/-dev$/.dev0/')
debian_version=$(echo "$version" | tr - '~')-1
major=${version%%.*}

# The project's address, for formats that demand one. A placeholder until the project has one.
address=example.org/utf8ext
maintainer="The utf8ext authors <utf8ext@${address%%/*}>"

# What all packages say about the project, in one line.
description="SQLite extension that finds, explains, repairs and prevents ill-formed UTF-8"

# absolute PATH: prints it as an absolute path.
absolute() { case $1 in /*) echo "$1" ;; *) echo "$PWD/$1" ;; esac; }

# locate: sets $release and $out, the directories of the binaries and of the package.
locate() {
  release=$(absolute "${RELEASE:-build/release}")
  out=$(absolute "${PACKAGES:-build/packages}")/$package
}
locate

# The release that use_native makes.
native_release=$PWD/build/native/release-$package

# use_native: takes the extension that make has just built for the only binary of a release. Does
# nothing if $RELEASE names another release. Fails if the list has no target for this machine.
use_native() {
  native=$(native_target) || return
  [ -z "$RELEASE" ] || return 0
  export RELEASE="$native_release"
  locate
  mkdir -p "$RELEASE/$native"
  cp "$EXTENSION" "$(library "$native")" || die "no extension; run: make package-$package"
}

# test_native: use_native for a test, which leaves build/packages as it is.
test_native() {
  [ -n "$RELEASE" ] || export PACKAGES=build/native
  use_native
}

die() {
  echo "package-$package: $*" >&2
  exit 1
}

# fill FILE: prints the file with values for @VERSION@, @MAJOR@, @ADDRESS@, @MAINTAINER@ and
# @DESCRIPTION@.
fill() {
  sed "s|@VERSION@|$version|g; s|@MAJOR@|$major|g; s|@ADDRESS@|$address|g; s|@MAINTAINER@|$maintainer|g
    s|@DESCRIPTION@|$description|g" "$1"
}

# library NAME: prints the path of a target's binary.
library() { echo "$release/$1/$(target_field "$1" library)"; }

# built COLUMN: prints the names of the targets that have a value in this column of the list and a
# binary. Says on standard error which have none, except in a test. Fails if all have none, or there
# is no release.
built() {
  [ -d "$release" ] || die "there is no $release; run: make release"
  for name in $(targets); do
    [ "$(target_field "$name" "$1")" = - ] && continue
    if [ -e "$(library "$name")" ]; then
      echo "$name"
    elif [ "$release" != "$native_release" ]; then
      echo "package-$package: $release has no binary for $name" >&2
    fi
  done | grep . || die "$release has no binaries; run: make release"
}

# skip WHAT: ends a test that cannot run. For a test.sh, which includes test/tally.sh as well.
skip() {
  echo "SKIPPED: package $package: $*"
  finish
  exit
}
