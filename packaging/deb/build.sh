#!/bin/sh
# build.sh: makes Debian packages in build/packages/deb, for each architecture of Debian that has a
# binary. They install usr/lib/TRIPLET/utf8ext.so, where SQLite finds it by its bare name.

package=deb
. packaging/package.sh

name=libsqlite3-mod-utf8ext

# triplet TARGET: prints Debian's name of the architecture's directory.
triplet() {
  case $1 in
  x86-*) echo "i386${1#x86}" ;;
  *) echo "$1" ;;
  esac
}

# oldest_glibc LIBRARY: prints the version of glibc that its symbols need.
oldest_glibc() {
  readelf --version-info "$1" | grep -o 'GLIBC_[0-9.]*' | sed 's/GLIBC_//' | sort -V | tail -n 1
}

# The date of this version, from its heading in CHANGELOG.md: ## [1.0.0] - 2026-11-20. The heading of
# an unreleased version has no date; then that of the file is taken.
released=$(sed -n "s/^## \[$version\] - //p" CHANGELOG.md)
[ "$released" != unreleased ] || released=$(date -u -r CHANGELOG.md +%F)
[ -n "$released" ] || die "CHANGELOG.md has no date for version $version"
SOURCE_DATE_EPOCH=$(date -u -d "$released" +%s)
export SOURCE_DATE_EPOCH

changelog() {
  cat <<END
$name ($debian_version) unstable; urgency=medium

  * Version $version: see changelog.gz.

 -- $maintainer  $(LC_ALL=C date -u -d "$released" '+%a, %d %b %Y %T +0000')
END
}

# Prints the licence as a paragraph of the copyright file.
license() {
  echo
  echo "License: Expat"
  sed '1,/^Copyright/d; 1d; s/^$/./; s/^/ /' LICENSE | sed '1{/^ \.$/d}'
}

# write_files TARGET DIRECTORY: writes what the package installs.
write_files() {
  doc=$2/usr/share/doc/$name
  mkdir -p "$2/usr/lib/$(triplet "$1")" "$doc" "$2/usr/share/lintian/overrides"
  cp "$(library "$1")" "$2/usr/lib/$(triplet "$1")"
  { cat packaging/deb/copyright; license; } >"$doc/copyright"
  gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
  changelog | gzip -9n >"$doc/changelog.Debian.gz"
  cp packaging/deb/overrides "$2/usr/share/lintian/overrides/$name"
}

# write_control TARGET DIRECTORY
write_control() {
  mkdir "$2/DEBIAN"
  (cd "$2" && find usr -type f | sort | xargs md5sum) >"$2/DEBIAN/md5sums"
  size=$(du -k --apparent-size -s "$2/usr" | cut -f 1)
  fill packaging/deb/control | sed "s/@DEBIAN_VERSION@/$debian_version/; s/@ARCHITECTURE@/$(target_field "$1" deb)/; s/@SIZE@/$size/
    s/@GLIBC@/$(oldest_glibc "$(library "$1")")/" >"$2/DEBIAN/control"
}

# write_package TARGET
write_package() {
  directory=$out/$1
  write_files "$1" "$directory" && write_control "$1" "$directory" || die "cannot write $directory"
  find "$directory" -type d -exec chmod 755 {} + -o -exec chmod 644 {} +
  dpkg-deb --root-owner-group --build "$directory" "$out" >/dev/null || die "dpkg-deb failed for $1"
  rm -rf "$directory"
}

command -v dpkg-deb >/dev/null || die "dpkg-deb is not installed"
targets=$(built deb) || exit
rm -rf "$out"
mkdir -p "$out"
for target in $targets; do write_package "$target"; done
