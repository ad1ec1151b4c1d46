#!/bin/sh
# setup.sh: installs the packages that utf8ext needs and this machine lacks.
#
#     sh setup.sh && make demo         # to build and to run the demo
#     sh setup.sh test && make test    # also what the tests use
#     sh setup.sh test-all && make test-all       # also cross compilers, emulators and fuzzers
#     sh setup.sh release && make test-release    # to build and to run the binaries of a release
#     sh setup.sh site && make site    # what the page for browsers needs (emscripten, Chromium)
#
# Calls the system's package manager, as root or through sudo. Without these rights, prints the
# command and stops. If nothing is missing, changes nothing. For the tests, then fetches and builds
# other versions of SQLite below build/, so that make test needs no network.

cd "$(dirname "$0")" || exit 1

# Prints a line for each requirement: its purpose (build, test, test-all, release or site), its name, and its packages for
# apt, dnf, apk and brew, joined by commas. '|' separates alternatives, which only apt supports;
# '-' means none.
needs() {
  cat <<'END'
build make           make               make                make               -
build gcc            gcc,libc6-dev      gcc,glibc-devel     gcc,musl-dev       -
build sqlite3_header libsqlite3-dev     sqlite-devel        sqlite-dev         sqlite
build sqlite3        sqlite3            sqlite              sqlite             sqlite
test  clang          clang              clang               clang              -
test  clang_format   clang-format       clang-tools-extra   clang-extra-tools  clang-format
test  sanitizers     gcc                libasan,libubsan    -                  -
test  tclsh          tcl                tcl                 tcl                tcl-tk
test  tcl_sqlite3    libsqlite3-tcl     sqlite-tcl          sqlite-tcl         -
test  tcl_header     tcl-dev            -                   -                  -
test  python3        python3            python3             python3            python
test  pip            python3-pip        python3-pip         py3-pip            python
test  pkg_config     pkg-config         pkgconf-pkg-config  pkgconf            pkgconf
test  g++            g++                gcc-c++             g++                -
test  npm            npm                npm                 npm                node
test-all fuzzer      libclang-rt-dev|clang(<<1:14.0-55.6) compiler-rt compiler-rt      -
test-all valgrind    valgrind           valgrind            valgrind           -
test-all java        default-jre-headless java-latest-openjdk-headless openjdk17-jre-headless openjdk
test-all qemu_user   qemu-user          qemu-user           -                  -
test-all arm64_gcc   gcc-aarch64-linux-gnu,libc6-dev-arm64-cross - -           -
test-all i686_gcc    gcc-i686-linux-gnu,libc6-dev-i386-cross - -               -
test-all s390x_gcc   gcc-s390x-linux-gnu,libc6-dev-s390x-cross - -             -
test-all mingw       gcc-mingw-w64-x86-64-win32 mingw64-gcc mingw-w64-gcc      mingw-w64
test-all simde       libsimde-dev       simde-devel         -                  -
test-all venv        python3-venv       python3             python3            python
test-all perl_sqlite libdbd-sqlite3-perl perl-DBD-SQLite    perl-dbd-sqlite    -
test-all php_sqlite  php-cli,php-sqlite3 php-cli,php-pdo    -                  -
test-all ruby_sqlite ruby-sqlite3       rubygem-sqlite3     -                  -
test-all lintian     lintian            -                   -                  -
test-all emcc        emscripten         emscripten          emscripten         emscripten
test-all node        nodejs             nodejs              nodejs             node
test-all icu_header  libicu-dev         libicu-devel        icu-dev            -
test-all utf8proc    libutf8proc-dev    utf8proc-devel      utf8proc-dev       -
release python3      python3            python3             python3            python
release venv         python3-venv       python3             python3            python
release npm          npm                npm                 npm                node
release qemu_user    qemu-user          qemu-user           -                  -
release wine         wine,wine64        wine                wine               -
release mingw        gcc-mingw-w64-x86-64-win32 mingw64-gcc mingw-w64-gcc      mingw-w64
release cross_glibc  libc6-arm64-cross,libc6-armhf-cross,libc6-i386-cross,libc6-ppc64el-cross,libc6-riscv64-cross,libc6-s390x-cross - - -
site  emcc           emscripten         emscripten          emscripten         emscripten
site  node           nodejs             nodejs              nodejs             node
site  npm            npm                npm                 npm                node
site  python3        python3            python3             python3            python
site  chromium       chromium           chromium            chromium           -
END
}

# Is requirement $1 installed? By default: is there a command with this name?
has() {
  case $1 in
  gcc) echo '#include <stdlib.h>' | gcc -E -o /dev/null - ;;
  sqlite3_header) echo '#include <sqlite3ext.h>' | cc -E -o /dev/null - ;;
  fuzzer) can_link LLVMFuzzerTestOneInput clang -fsanitize=fuzzer,address,undefined ;;
  sanitizers) can_link main gcc -fsanitize=address,undefined ;;
  clang_format) command -v clang-format ;;
  tcl_sqlite3) echo 'exit [catch {package require sqlite3}]' | tclsh ;;
  tcl_header) echo '#include <tcl.h>' | cc -I/usr/include/tcl -E -o /dev/null - ;;
  python3) "$(sh test/python.sh)" -c 'import sqlite3; sqlite3.Connection.enable_load_extension' ;;
  pip) "$(sh test/python.sh)" -m pip --version ;;
  pkg_config) command -v pkg-config ;;
  qemu_user) command -v qemu-x86_64 && command -v qemu-aarch64 && command -v qemu-s390x ;;
  arm64_gcc) [ "$(uname -m)" = aarch64 ] || can_link main aarch64-linux-gnu-gcc -static ;;
  i686_gcc) can_link main cc -m32 -fsanitize=address || can_link main i686-linux-gnu-gcc ;;
  s390x_gcc) can_link main s390x-linux-gnu-gcc -static ;;
  perl_sqlite) perl -M'DBD::SQLite 1.68' -e 1 ;;
  php_sqlite) php -r 'new SQLite3(":memory:");' ;;
  ruby_sqlite) ruby -r sqlite3 -e 1 ;;
  venv) "$(sh test/python.sh)" -c 'import ensurepip' ;;
  mingw) command -v x86_64-w64-mingw32-gcc ;;
  cross_glibc) dpkg-query -W libc6-armhf-cross libc6-ppc64el-cross libc6-riscv64-cross ;;
  icu_header) pkg-config --exists icu-uc ;;
  utf8proc) pkg-config --exists libutf8proc ;;
  simde) echo '#include <simde/x86/avx512.h>' | cc -E -o /dev/null - ;;
  *) command -v "$1" ;;
  esac >/dev/null 2>&1
}

# can_link FUNCTION COMPILER...: can the compiler link a program that defines the function?
can_link() {
  program=$(mktemp) || return
  source="int $1(void) { return 0; }"
  shift
  echo "$source" | "$@" -x c -o "$program" -
  status=$?
  rm -f "$program"
  return $status
}

# Does what is wanted include purpose $1? test-all includes test, and everything includes build.
is_wanted() {
  case $wanted/$1 in
  */build | test-all/test) ;;
  *) [ "$1" = "$wanted" ] ;;
  esac
}

# Prints a line for each missing requirement: its name, and its packages for manager $1.
missing() {
  needs | while read -r purpose name apt dnf apk brew; do
    is_wanted "$purpose" || continue
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

# Prints the command by which manager $1 installs packages $2. `apt-get satisfy` supports
# alternatives.
install_command() {
  case $1 in
  apt-get)
    echo "apt-get update && DEBIAN_FRONTEND=noninteractive apt-get satisfy -y" \
      "--no-install-recommends '$(echo "$2" | sed 's/ /, /g')'"
    ;;
  dnf) echo "dnf install -y $2" ;;
  apk) echo "apk add $2" ;;
  brew) echo "brew install $2" ;;
  esac
}

# Prints the prefix with which manager $1 has root rights: nothing, or sudo. Fails if neither works.
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

log() {
  echo "setup.sh: $*"
}

# A tool that cannot be built is not an error here: the tests that need it are skipped, with the reason.
build_tools() {
  case $wanted in test | test-all) make -s test-tools ;; esac
}

wanted=${1:-build}
if [ $# -gt 1 ] || ! needs | grep -q "^$wanted "; then
  log "unknown argument '$*': pass 'test', 'test-all', 'release' or 'site' to install what make test," \
    "make test-all, make test-release or make site uses, or nothing" >&2
  exit 2
fi

manager=$(find_manager)
lack=$(missing "$manager")
if [ -z "$lack" ]; then
  log "nothing is missing"
  build_tools
  exit 0
fi
log "missing: $(names "$lack")"

packages=$(echo "$lack" | cut -d ' ' -f 2 | tr ',' '\n' | grep -v '^-$' | sort -u | tr '\n' ' ')
if [ -z "$packages" ]; then
  log "no package manager found (apt-get, dnf, apk, brew) that has these. Install them yourself"
  exit 1
fi
command=$(install_command "$manager" "${packages% }")
if ! sudo=$(rights "$manager"); then
  log "installing needs root, and there is no sudo. As root, run:"
  echo "    $command"
  exit 1
fi
log "running${sudo:+ with $sudo}: $command"
if ! $sudo sh -c "$command"; then
  log "the command failed. Run it with sufficient rights:"
  echo "    $command"
  exit 1
fi
lack=$(missing "$manager")
if [ -n "$lack" ]; then
  log "still missing: $(names "$lack")"
  echo "$lack" | grep -Eq '^(make|gcc|sqlite3_header|sqlite3) ' && exit 1
  log "tests that need these are skipped or fail"
fi
build_tools
log "done"
