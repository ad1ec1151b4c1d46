#!/bin/sh
# build.sh: makes an archive for each platform in build/packages/sqlpkg, their checksums.txt, and
# sqlpkg.json, which tells sqlpkg (sqlpkg.org) about them. To publish, put all of them where
# assets.path in sqlpkg.json says.

package=sqlpkg
. packaging/package.sh
. packaging/sqlpkg/platform.sh

# write_archive TARGET: writes its archive. sqlpkg accepts no directories in it. Prints the line of
# sqlpkg.json.
write_archive() {
  platform=$(platform "$1")
  [ -n "$platform" ] || return 0
  case $platform in windows-*) suffix=zip ;; *) suffix=tar.gz ;; esac
  files=$out/files
  rm -rf "$files"
  mkdir -p "$files"
  cp LICENSE "$(library "$1")" "$files" &&
    ${PYTHON:-python3} packaging/archive.py "$out/utf8ext-$version-$platform.$suffix" "$files" &&
    printf '            "%s": "utf8ext-{version}-%s.%s",\n' "$platform" "$platform" "$suffix"
}

targets=$(built name) || exit
rm -rf "$out"
mkdir -p "$out"
for target in $targets; do
  write_archive "$target" >>"$out/lines" || die "no archive for $target"
done
sed -i '$s/,$//' "$out/lines"
fill packaging/sqlpkg/sqlpkg.json | sed -e "/@FILES@/{r $out/lines" -e 'd
}' >"$out/sqlpkg.json"
rm -r "$out/lines" "$out/files"
cd "$out" && sha256sum utf8ext-* >checksums.txt
