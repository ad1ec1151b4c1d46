#!/bin/sh
# setup.sh: tests which commands the project's setup.sh runs. A test machine is a PATH with a
# few basic tools, a package manager that records its arguments, and optionally sudo.
. test/tally.sh

real_path=$PATH

# machine MANAGER UID [sudo]: creates $work/bin. Its package manager records the call and
# creates every tool.
machine() {
  rm -rf "$work/bin" "$work/calls"
  mkdir "$work/bin"
  for tool in sh dirname cat cut tr grep sed sort rm mktemp chmod env uname; do
    ln -s "$(command -v $tool)" "$work/bin/$tool"
  done
  script id "echo $2"
  [ "$1" = none ] || script "$1" "echo $1 \"\$@\" >>'$work/calls'
for tool in gcc g++ lintian cc clang clang-format sqlite3 tclsh python3 pkg-config valgrind java npm \\
  emcc node chromium \\
  aarch64-linux-gnu-gcc i686-linux-gnu-gcc s390x-linux-gnu-gcc qemu-x86_64 qemu-aarch64 \\
  qemu-s390x wine x86_64-w64-mingw32-gcc dpkg-query perl php ruby; do
  printf '#!/bin/sh\nexit 0\n' >'$work/bin/'\$tool
  chmod +x '$work/bin/'\$tool
done
printf '#!/bin/sh\necho make \"\$@\" >>%s\n' '$work/calls' >'$work/bin/make'
chmod +x '$work/bin/make'"
  [ -z "$3" ] || script sudo "echo sudo >>'$work/calls'; exec \"\$@\""
}

# script NAME TEXT: creates a command of the machine.
script() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
  chmod +x "$work/bin/$1"
}

# setup SHELL [ARGUMENT...]: runs setup.sh on the machine. Sets output, status and calls.
setup() {
  setup_shell=$1
  shift
  output=$(PYTHON=python3 PATH="$work/bin" "$setup_shell" ./setup.sh "$@" 2>&1)
  status=$?
  calls=$(PATH=$real_path cat "$work/calls" 2>/dev/null)
}

# Succeeds if shell $1 runs commands from the PATH. Some busybox run their own instead.
uses_path() {
  machine none 4711
  [ "$(PATH="$work/bin" "$1" -c id)" = 4711 ] || {
    echo "SKIPPED: setup.sh under ${1##*/}: it runs its own id, not the one on the PATH"
    return 1
  }
}

# The installed shells. busybox is a shell if it is called ash.
shells=
for shell in sh dash bash; do
  command -v $shell >/dev/null && shells="$shells $(command -v $shell)"
done
command -v busybox >/dev/null && ln -s "$(command -v busybox)" "$work/ash" &&
  uses_path "$work/ash" && shells="$shells $work/ash"

# The expected calls of each package manager, to build and to test.
apt="apt-get update
apt-get satisfy -y --no-install-recommends"
apt_build="$apt gcc, libc6-dev, libsqlite3-dev, make, sqlite3"
tools="make -s test-tools"
apt_test="$apt clang, clang-format, g++, gcc, libc6-dev, libsqlite3-dev, libsqlite3-tcl, make, npm, \
pkg-config, python3, python3-pip, sqlite3, tcl, tcl-dev
$tools"
apt_all="$apt clang, clang-format, default-jre-headless, emscripten, g++, gcc, gcc-aarch64-linux-gnu, gcc-i686-linux-gnu, \
gcc-mingw-w64-x86-64-win32, gcc-s390x-linux-gnu, libc6-dev, libc6-dev-arm64-cross, libc6-dev-i386-cross, \
libc6-dev-s390x-cross, libclang-rt-dev|clang(<<1:14.0-55.6), libdbd-sqlite3-perl, libicu-dev, \
libsimde-dev, libsqlite3-dev, libsqlite3-tcl, libutf8proc-dev, lintian, make, nodejs, npm, php-cli, php-sqlite3, pkg-config, \
python3, python3-pip, python3-venv, qemu-user, ruby-sqlite3, sqlite3, tcl, tcl-dev, valgrind
$tools"
apt_release="$apt gcc, gcc-mingw-w64-x86-64-win32, libc6-arm64-cross, libc6-armhf-cross, \
libc6-dev, libc6-i386-cross, libc6-ppc64el-cross, libc6-riscv64-cross, libc6-s390x-cross, \
libsqlite3-dev, make, npm, python3, python3-venv, qemu-user, sqlite3, wine, wine64"
apt_site="$apt chromium, emscripten, gcc, libc6-dev, libsqlite3-dev, make, nodejs, npm, python3, sqlite3"
dnf_build="dnf install -y gcc glibc-devel make sqlite sqlite-devel"
dnf_test="dnf install -y clang clang-tools-extra gcc gcc-c++ glibc-devel libasan libubsan \
make npm pkgconf-pkg-config python3 python3-pip sqlite sqlite-devel sqlite-tcl tcl
$tools"
apk_build="apk add gcc make musl-dev sqlite sqlite-dev"
apk_test="apk add clang clang-extra-tools g++ gcc make musl-dev npm pkgconf \
py3-pip python3 sqlite sqlite-dev sqlite-tcl tcl
$tools"
brew_build="brew install sqlite"
brew_test="brew install clang-format node pkgconf python sqlite tcl-tk
$tools"

# chooses WHAT SHELL EXPECTED [ARGUMENT...]: checks the status and the calls of setup.sh.
chooses() {
  what="${2##*/}: $1" shell=$2 expected=$3
  shift 3
  setup "$shell" "$@"
  check "$what" same "$expected" "$status $calls"
}

# Tests setup.sh under shell $1.
test_shell() {
  machine apt-get 0
  chooses "apt as root, to build" "$1" "0 $apt_build"
  chooses "nothing is installed a second time" "$1" "0 $apt_build"
  check "${1##*/}: the second run reports it" same "setup.sh: nothing is missing" "$output"
  machine apt-get 0
  chooses "apt as root, to test" "$1" "0 $apt_test" test
  chooses "the tools for tests include those for building" "$1" "0 $apt_test"
  chooses "what is installed, is not installed a second time" "$1" "0 $apt_test
$tools" test
  machine apt-get 0
  chooses "apt as root, to test everything" "$1" "0 $apt_all" test-all
  machine apt-get 0
  chooses "apt as root, to run the binaries of a release" "$1" "0 $apt_release" release
  machine apt-get 0
  chooses "apt as root, for the page" "$1" "0 $apt_site" site
  machine apt-get 1000 sudo
  chooses "apt through sudo" "$1" "0 sudo
$apt_build"
  machine apt-get 1000
  chooses "without root and sudo it runs nothing" "$1" "1 "
  check "${1##*/}: the command is printed" same \
    "    apt-get update && DEBIAN_FRONTEND=noninteractive $(quoted "$apt_build")" \
    "$(echo "$output" | tail -n 1)"
  machine dnf 0
  chooses "dnf, to build" "$1" "0 $dnf_build"
  machine dnf 0
  chooses "dnf, to test" "$1" "0 $dnf_test" test
  machine apk 1000 sudo
  chooses "apk, to build" "$1" "0 sudo
$apk_build"
  machine apk 1000 sudo
  chooses "apk, to test" "$1" "0 sudo
$apk_test" test
  machine brew 1000 sudo
  chooses "brew never through sudo, to build" "$1" "0 $brew_build"
  machine brew 1000 sudo
  chooses "brew never through sudo, to test" "$1" "0 $brew_test" test
  machine none 0
  chooses "no package manager is a failure" "$1" "1 "
  machine apt-get 0
  script apt-get "exit 100"
  chooses "a failing package manager is a failure" "$1" "1 "
  machine apt-get 0
  chooses "an unknown argument is a failure" "$1" "2 " tests
  check "${1##*/}: the error names the accepted values" same \
    "setup.sh: unknown argument 'tests': pass 'test', 'test-all', 'release' or 'site' to install what make test, \
make test-all, make test-release or make site uses, or nothing" \
    "$output"
  chooses "a second argument is a failure" "$1" "2 " test test
}

# Prints the last line of the calls as a user types it, with the packages in quotes.
quoted() {
  echo "$1" | sed -n "\$s/recommends \(.*\)/recommends '\1'/p"
}

for shell in $shells; do
  test_shell "$shell"
done
finish
