#!/bin/sh
# test.sh: builds the Debian package for this machine, checks it with lintian, installs it below a
# directory, loads the extension by its bare name, and removes it.
. test/tally.sh

package=deb
. packaging/package.sh

command -v dpkg-deb >/dev/null || skip "dpkg-deb is not installed"
test_native || skip "packaging/targets.tsv has no target for this machine"
target=$native
architecture=$(target_field "$target" deb)
[ "$architecture" != - ] || skip "Debian has no architecture for $target"
# Binaries of a release are stripped.
[ "$release" = "$native_release" ] && strip --strip-unneeded "$(library "$target")"

check "make package-deb" sh packaging/deb/build.sh
deb=$out/libsqlite3-mod-utf8ext_${debian_version}_$architecture.deb
field() { dpkg-deb --field "$deb" "$1"; }
check "its version" same "$debian_version" "$(field Version)"
check "its architecture" same "$architecture" "$(field Architecture)"
check "it needs a version of libc6" sh -c 'echo "$0" | grep -qx "libc6 (>= 2\.[0-9]*)"' "$(field Depends)"

if command -v lintian >/dev/null; then
  check "lintian" lintian --allow-root --fail-on error,warning "$deb"
else
  echo "SKIPPED: lintian of the Debian package: it is not installed"
fi

# as_root COMMAND...: runs it as root, or as fakeroot's.
as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else fakeroot -- "$@"; fi; }
dpkg_below() {
  as_root dpkg --root="$root" --log=/dev/null --force-not-root,script-chrootless,depends "$@"
}
root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
touch "$root/var/lib/dpkg/status" "$root/var/lib/dpkg/available"
check "dpkg -i" dpkg_below -i "$deb"
check "dpkg -V" same "" "$(dpkg_below -V libsqlite3-mod-utf8ext 2>&1)"
directory=$(dirname "$(find "$root/usr/lib" -name utf8ext.so)")
check "the library's directory" same "$root/usr/lib/$(gcc -print-multiarch)" "$directory"

# over_system COMMAND...: runs it with the package's directory over the system's, as if dpkg had
# installed it. Only the command sees that.
over_system() {
  unshare --mount --map-root-user sh -c 'mount -t overlay overlay -o "lowerdir=$0:$1" "$1" && shift && "$@"' \
    "$directory" "${directory#"$root"}" "$@"
}
if over_system true >/dev/null 2>&1; then
  check ".load utf8ext" over_system sh packaging/loads.sh utf8ext
else
  echo "SKIPPED: .load utf8ext from the system's directory: unshare or mount is not permitted"
fi
check ".load with LD_LIBRARY_PATH" env LD_LIBRARY_PATH="$directory" sh packaging/loads.sh utf8ext

check "dpkg -r" dpkg_below -r libsqlite3-mod-utf8ext
check "nothing of it remains" [ ! -e "$root/usr" ]
finish
