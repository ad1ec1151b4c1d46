#!/bin/sh
# musl.sh: prints the loader of musl, a C library, for the processor of a target.
#
#     sh packaging/musl.sh aarch64-linux-musl     # build/musl/arm64/lib/ld-musl-aarch64.so.1
#
# A loader that is not installed comes from Debian's package musl. apt downloads it as for a machine
# of that processor, without root and without a change to the system. Prints the reason and returns
# 1 if that fails.

cd "$(dirname "$0")/.." || exit 1
. packaging/targets.sh

die() {
  echo "$*"
  exit 1
}

# Runs apt-get for architecture $architecture, on a state of its own.
apt_get() {
  apt-get -q -o Dir::State="$root/state" -o Dir::State::status="$root/status" \
    -o Dir::Cache="$root/cache" -o APT::Architecture="$architecture" \
    -o APT::Architectures="$architecture" -o APT::Sandbox::User="$(id -un)" "$@"
}

# Unpacks the package into $root. Ignores package lists that cannot be read.
fetch() {
  command -v apt-get >/dev/null || die "there is no apt-get to fetch musl for $architecture"
  mkdir -p "$root/state/lists/partial" "$root/cache/archives/partial"
  : >"$root/status"
  {
    apt_get update
    (cd "$root" && apt_get download musl) && dpkg-deb -x "$root"/musl_*.deb "$root"
  } >"$root/log" 2>&1
  rm -rf "$root/state" "$root/cache" "$root"/musl_*.deb
}

find_loader() {
  find "$root/lib" /lib/ -maxdepth 1 -name "ld-musl-$processor*.so.1" 2>/dev/null | head -n 1
}

architecture=$(target_field "$(echo "$1" | sed 's/musl/gnu/')" deb) || die "$1 is not a target"
processor=$(echo "${1%%-*}" | sed 's/^x86$/i386/')
root=$PWD/build/musl/$architecture
[ -n "$(find_loader)" ] || fetch
[ -n "$(find_loader)" ] || die "apt has no package musl for $architecture"
find_loader
