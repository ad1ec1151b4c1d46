#!/bin/sh
# setup.sh's test: which command it chooses, on machines made of a PATH with nothing but a
# few basic tools, a package manager that writes down how it was called, and perhaps sudo.
. test/tally.sh

real_path=$PATH

# machine MANAGER UID [sudo]: makes $work/bin. Its manager "installs" every tool.
machine() {
  rm -rf "$work/bin" "$work/calls"
  mkdir "$work/bin"
  for tool in sh dirname cat cut tr grep sort rm mktemp chmod env uname; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
  done
  script id "echo $2"
  [ "$1" = none ] || script "$1" "echo $1 \"\$@\" >>'$work/calls'
for tool in make gcc cc clang clang-format sqlite3 tclsh python3 pkg-config valgrind \\
  aarch64-linux-gnu-gcc qemu-x86_64 qemu-aarch64; do
  printf '#!/bin/sh\nexit 0\n' >'$work/bin/'\$tool
  chmod +x '$work/bin/'\$tool
done"
  [ -z "$3" ] || script sudo "echo sudo >>'$work/calls'; exec \"\$@\""
}

script() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# setup SHELL: runs setup.sh there; sets output, status, calls.
setup() {
  output=$(PYTHON=python3 PATH="$work/bin" "$1" ./setup.sh 2>&1)
  status=$?
  calls=$(PATH=$real_path cat "$work/calls" 2>/dev/null)
}

# Whether a shell runs what is on the PATH, not tools of its own: some busybox do not.
heeds_path() {
  machine none 4711
  [ "$(PATH="$work/bin" "$1" -c id)" = 4711 ] || {
    echo "SKIPPED: setup.sh under ${1##*/}: it runs its own id, not that on the PATH"
    return 1
  }
}

# The shells that are here. busybox is a shell if called by the name of one.
shells=
for shell in sh dash bash; do
  command -v $shell >/dev/null && shells="$shells $(command -v $shell)"
done
command -v busybox >/dev/null && ln -s "$(command -v busybox)" "$work/ash" &&
  heeds_path "$work/ash" && shells="$shells $work/ash"

apt="apt-get update
apt-get install -y --no-install-recommends clang clang-format gcc gcc-aarch64-linux-gnu libc6-dev \
libc6-dev-arm64-cross libsimde-dev libsqlite3-dev libsqlite3-tcl make \
pkg-config python3 qemu-user sqlite3 tcl valgrind"
dnf="dnf install -y clang clang-tools-extra compiler-rt gcc glibc-devel libasan libubsan make \
pkgconf-pkg-config python3 qemu-user simde-devel sqlite sqlite-devel sqlite-tcl tcl valgrind"
apk="apk add clang clang-extra-tools compiler-rt gcc make musl-dev pkgconf python3 sqlite \
sqlite-dev sqlite-tcl tcl valgrind"
brew="brew install clang-format pkgconf python sqlite tcl-tk"

for shell in $shells; do
  machine apt-get 0; setup "$shell"
  check "${shell##*/}: apt as root" same "0 $apt" "$status $calls"
  setup "$shell"
  check "${shell##*/}: where all is there, nothing is run" same "0 $apt" "$status $calls"
  check "${shell##*/}: and it says so" same "setup.sh: all is there; nothing to do" "$output"
  machine apt-get 1000 sudo; setup "$shell"
  check "${shell##*/}: apt through sudo" same "0 sudo
$apt" "$status $calls"
  machine apt-get 1000; setup "$shell"
  check "${shell##*/}: without root and sudo nothing is run" same "1 " "$status $calls"
  check "${shell##*/}: but the command is shown" same \
    "    apt-get update && DEBIAN_FRONTEND=noninteractive ${apt#*
}" "$(echo "$output" | tail -n 1)"
  machine dnf 0; setup "$shell"
  check "${shell##*/}: dnf as root" same "0 $dnf" "$status $calls"
  machine apk 1000 sudo; setup "$shell"
  check "${shell##*/}: apk through sudo" same "0 sudo
$apk" "$status $calls"
  machine brew 1000 sudo; setup "$shell"
  check "${shell##*/}: brew never through sudo" same "0 $brew" "$status $calls"
  machine none 0; setup "$shell"
  check "${shell##*/}: no package manager is a failure" same 1 "$status"
  machine apt-get 0; script apt-get "exit 100"; setup "$shell"
  check "${shell##*/}: a failing package manager is a failure" same 1 "$status"
done
finish
