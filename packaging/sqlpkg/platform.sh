# platform.sh: how sqlpkg names a platform. Include it: `. packaging/sqlpkg/platform.sh`.

# platform TARGET: prints Go's names of its system and processor, as sqlpkg calls platforms. Prints
# nothing for musl, since sqlpkg has one name for all Linux.
platform() {
  case $1 in
  *-musl*) return ;;
  *-linux-*) system=linux ;;
  *-macos) system=darwin ;;
  *-windows-*) system=windows ;;
  *) system=${1#*-} ;;
  esac
  case $1 in
  x86_64-*) processor=amd64 ;;
  aarch64-*) processor=arm64 ;;
  x86-*) processor=386 ;;
  powerpc64le-*) processor=ppc64le ;;
  loongarch64-*) processor=loong64 ;;
  *) processor=${1%%-*} ;;
  esac
  echo "$system-$processor"
}
