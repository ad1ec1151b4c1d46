#!/bin/sh
# wordsize.sh: runs the core's tests on i686, a 32-bit machine, under ASan and UBSan, and on
# s390x, a big-endian machine. x86-64 runs the programs for i686, qemu those for s390x. Skips
# a machine if the packages of `sh setup.sh test-all` are missing.
#
#     make check-wordsize     # sets CORE, the source files, and SANITIZE, compiler options
. test/tally.sh
. test/machine.sh

exe=

# skip MACHINE WHY: reports that the tests do not run on the machine.
skip() {
  echo "SKIPPED: core on $1: $2 (sh setup.sh test-all)"
}

# Prints the flags with which programs of cross compiler $1 find their libraries at run time.
cross_flags() {
  loader=$("$1" -print-file-name=ld-linux.so.2)
  echo "-Wl,--dynamic-linker=$loader,-rpath,${loader%/*}"
}

# Sets i686 to a compiler for i686: the system's with -m32, or a cross compiler.
find_i686() {
  i686="${CC:-cc} -m32 $SANITIZE"
  can_run "" $i686 && return
  command -v i686-linux-gnu-gcc >/dev/null || return
  i686="i686-linux-gnu-gcc $SANITIZE $(cross_flags i686-linux-gnu-gcc)"
  can_run "" $i686
}

if find_i686; then
  test_on i686 "" $i686
else
  skip i686 "no compiler for it, with sanitizers"
fi
s390x="s390x-linux-gnu-gcc -static"
if ! command -v s390x-linux-gnu-gcc >/dev/null; then
  skip s390x "s390x-linux-gnu-gcc is not installed"
elif ! can_run qemu-s390x $s390x; then
  skip s390x "its programs do not build or qemu-s390x does not run them"
else
  test_on s390x qemu-s390x $s390x
fi
finish
