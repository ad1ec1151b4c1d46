#!/bin/sh
# setup.sh: installs what building, testing and the demo need and this machine lacks.
#
#     sh setup.sh && make test
#
# Uses the system's package manager, as root or through sudo; with neither it prints the
# command to run and stops. Where all is there it changes nothing.

cd "$(dirname "$0")" || exit 1

# What is needed, and the package that has it: name, then apt, dnf, apk, brew. Several are
# joined by commas; - where there is none or the system always has it.
needs() {
  cat <<'END'
make           make               make                make               -
gcc            gcc,libc6-dev      gcc,glibc-devel     gcc,musl-dev       -
clang          clang              clang,compiler-rt   clang,compiler-rt  -
clang_format   clang-format       clang-tools-extra   clang-extra-tools  clang-format
sanitizers     gcc                libasan,libubsan    -                  -
sqlite3_header libsqlite3-dev     sqlite-devel        sqlite-dev         sqlite
sqlite3        sqlite3            sqlite              sqlite             sqlite
tclsh          tcl                tcl                 tcl                tcl-tk
tcl_sqlite3    libsqlite3-tcl     sqlite-tcl          sqlite-tcl         -
python3        python3            python3             python3            python
pkg_config     pkg-config         pkgconf-pkg-config  pkgconf            pkgconf
valgrind       valgrind           valgrind            valgrind           -
qemu_user      qemu-user          qemu-user           -                  -
arm64_gcc      gcc-aarch64-linux-gnu,libc6-dev-arm64-cross - -            -
simde          libsimde-dev       simde-devel         -                  -
END
}

# How each is recognized; by default, by a command of its name.
has() {
  case $1 in
  gcc) echo '#include <stdlib.h>' | gcc -E -o /dev/null - ;;
  sqlite3_header) echo '#include <sqlite3ext.h>' | cc -E -o /dev/null - ;;
  sanitizers) can_sanitize ;;
  clang_format) command -v clang-format ;;
  tcl_sqlite3) echo 'exit [catch {package require sqlite3}]' | tclsh ;;
  python3) "$(sh test/python.sh)" -c 'import sqlite3; sqlite3.Connection.enable_load_extension' ;;
  pkg_config) command -v pkg-config ;;
  qemu_user) command -v qemu-x86_64 && command -v qemu-aarch64 ;;
  arm64_gcc) [ "$(uname -m)" = aarch64 ] || can_link_arm64 ;;
  simde) echo '#include <simde/x86/avx512.h>' | cc -E -o /dev/null - ;;
  *) command -v "$1" ;;
  esac >/dev/null 2>&1
}

can_sanitize() {
  program=$(mktemp) || return
  echo 'int main(void) { return 0; }' |
    gcc -fsanitize=address,undefined -x c -o "$program" -
  status=$?
  rm -f "$program"
  return $status
}

can_link_arm64() {
  program=$(mktemp) || return
  echo 'int main(void) { return 0; }' |
    aarch64-linux-gnu-gcc -static -x c -o "$program" -
  status=$?
  rm -f "$program"
  return $status
}

# The names of what is missing, one line each, with its packages for manager $1.
missing() {
  needs | while read -r name apt dnf apk brew; do
    has "$name" && continue
    case $1 in
    apt-get) packages=$apt ;;
    dnf) packages=$dnf ;;
    apk) packages=$apk ;;
    brew) packages=$brew ;;
    *) packages=- ;;
    esac
    echo "$name $packages"
  done
}

find_manager() {
  for manager in apt-get dnf apk brew; do
    command -v "$manager" >/dev/null 2>&1 && echo "$manager" && return
  done
}

# The command by which manager $1 installs packages $2.
install_command() {
  case $1 in
  apt-get) echo "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $2" ;;
  dnf) echo "dnf install -y $2" ;;
  apk) echo "apk add $2" ;;
  brew) echo "brew install $2" ;;
  esac
}

# How to get the rights that manager $1 needs: nothing, sudo, or failure.
rights() {
  if [ "$1" = brew ] || [ "$(id -u)" = 0 ]; then
    echo
  elif command -v sudo >/dev/null 2>&1; then
    echo sudo
  else
    return 1
  fi
}

names() {
  echo "$1" | cut -d ' ' -f 1 | tr '\n' ' '
}

say() {
  echo "setup.sh: $*"
}

manager=$(find_manager)
lack=$(missing "$manager")
if [ -z "$lack" ]; then
  say "all is there; nothing to do"
  exit 0
fi
say "missing: $(names "$lack")"

packages=$(echo "$lack" | cut -d ' ' -f 2 | tr ',' '\n' | grep -v '^-$' | sort -u | tr '\n' ' ')
if [ -z "$packages" ]; then
  say "no package manager known here (apt-get, dnf, apk, brew) offers these: install them by hand"
  exit 1
fi
command=$(install_command "$manager" "${packages% }")
if ! sudo=$(rights "$manager"); then
  say "this needs root, and there is no sudo. As root, run:"
  echo "    $command"
  exit 1
fi
say "running${sudo:+ with $sudo}: $command"
if ! $sudo sh -c "$command"; then
  say "that failed. With the rights to do so, run:"
  echo "    $command"
  exit 1
fi
lack=$(missing "$manager")
if [ -n "$lack" ]; then
  say "still missing, so what needs it will fail or be skipped: $(names "$lack")"
  echo "$lack" | grep -Eq '^(make|gcc|sqlite3_header|sqlite3) ' && exit 1
fi
say "done"
