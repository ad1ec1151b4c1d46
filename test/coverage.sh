#!/bin/sh
# coverage.sh: which lines and branches of the hand-written C the tests run.
#
#     sh test/coverage.sh            # under the suites of make test that run the C code
#     sh test/coverage.sh tcl core   # under these suites
#
# Works in a copy of the tree, build/coverage/tree, which is compiled with --coverage, without
# optimization, and with no function inside another one, so that each branch is counted once. Prints
# the figures, and writes what was not run to build/coverage.txt there (tool/coverage.py). Needs gcc
# and its gcov.

cd "$(dirname "$0")/.." || exit 1
SUITES="core charset mojibake suspect form model legacy stream arrow kernels tcl versions faults interrupt calls reads load"
[ $# -gt 0 ] && SUITES=$*
tree=build/coverage/tree
MAKE=${MAKE:-make}

# A fresh copy of what git has, with the tools of the tests.
rm -rf "$tree"
mkdir -p "$tree/build"
git ls-files -z | xargs -0 cp --parents -t "$tree" || exit 1
for folder in sqlite testfixture charsets; do
  [ -d "build/$folder" ] && ln -s "$(pwd)/build/$folder" "$tree/build/$folder"
done

cd "$tree" || exit 1
sed -i 's/ __attribute__((always_inline))//' core/compiler.h
CC='gcc --coverage -O0 -fprofile-update=atomic'
export CC
# link LIBRARY FOLDER FLAGS: compiles what has no object in $objects yet into FOLDER, and links all.
link() {
  library=$1 folder=$2
  shift 2
  mkdir -p "$(dirname "$library")"
  for file in $(sh tool/sources.sh all); do
    case " $objects " in *"/${file%.c}.o "*) continue ;; esac
    mkdir -p "$folder/$(dirname "$file")"
    $CC -std=c11 -fPIC -fvisibility=hidden "$@" -I. -c -o "$folder/${file%.c}.o" "$file" || exit 1
    objects="$objects $folder/${file%.c}.o"
  done
  # shellcheck disable=SC2086
  $CC -shared -Wl,-z,nodelete -o "$library" $objects
}
core=$(sh tool/sources.sh core | sed 's|\(.*\)\.c$|build/lib/\1.o|' | tr '\n' ' ')
# shellcheck disable=SC2086
$MAKE -s -j2 CFLAGS=-O0 $core || exit 1
ln -s lib build/sanitized # what is sanitized elsewhere is counted too
objects=$core
link utf8ext.so build/lib
objects=$core
link build/chunks/utf8ext.so build/chunked -DUTF8_CHUNK=64 # see check-interrupt
for suite in $SUITES; do
  # -o: the two libraries are those just linked.
  $MAKE -s -o utf8ext.so -o build/chunks/utf8ext.so CFLAGS=-O0 SANITIZE= "check-$suite" | tail -n 1 | sed "s/^/check-$suite: /"
done
exec "${PYTHON:-python3}" tool/coverage.py build/lib build/chunked
