#!/bin/sh
# coverage.sh: which lines and branches of the hand-written C the tests run.
#
#     sh test/coverage.sh            # under the suites of make test that run the C code: half an hour
#     sh test/coverage.sh tcl core   # under these suites
#
# Works in a copy of the tree, build/coverage/tree, which is compiled with --coverage and without
# optimization. Prints the figures and writes what was not run to build/coverage/report.txt
# (tool/coverage.py). Needs gcc and its gcov.

cd "$(dirname "$0")/.." || exit 1
SUITES="core charset mojibake suspect form plausible legacy stream kernels tcl versions faults interrupt load"
[ $# -gt 0 ] && SUITES=$*
tree=build/coverage/tree
MAKE=${MAKE:-make}

# A fresh copy of what git has, with what fetching and building the tests' tools has made.
rm -rf "$tree"
mkdir -p "$tree/build"
git ls-files -z | xargs -0 cp --parents -t "$tree" || exit 1
for folder in sqlite testfixture charsets; do
  [ -d "build/$folder" ] && ln -s "$(pwd)/build/$folder" "$tree/build/$folder"
done

cd "$tree" || exit 1
CC='gcc --coverage -O0 -fprofile-update=atomic'
export CC
objects=$(sh tool/sources.sh all | sed 's|\(.*\)\.c$|build/lib/\1.o|')
# shellcheck disable=SC2086
$MAKE -s -j2 CFLAGS=-O0 $objects && $CC -shared -Wl,-z,nodelete -o utf8ext.so $objects || exit 1
for suite in $SUITES; do
  # -o: the extension is the one just linked.
  $MAKE -s -o utf8ext.so CFLAGS=-O0 "check-$suite" | tail -n 1 | sed "s/^/check-$suite: /"
done
exec "${PYTHON:-python3}" tool/coverage.py build/lib >&1
