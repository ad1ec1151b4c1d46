#!/bin/sh
# noavx.sh: checks on older processors, emulated by qemu, that a kernel whose instructions are
# missing is not chosen, and that no such instruction is executed.
. test/tally.sh

if [ "$(uname -m)" != x86_64 ]; then
  echo "SKIPPED: processors without AVX: this machine is not x86-64"
  finish
  exit
fi
if ! command -v qemu-x86_64 >/dev/null; then
  echo "SKIPPED: processors without AVX: qemu-x86_64 is not installed (package qemu-user)"
  finish
  exit
fi

# kernels PROCESSOR: prints the names of the kernels that run on it, best first.
kernels() {
  qemu-x86_64 -cpu "$1" build/kerneltest list
}

check "Haswell has AVX2" same "kernels: avx2 ssse3 scalar" "$(kernels Haswell)"
check "AVX2 needs BMI2" same "kernels: ssse3 scalar" "$(kernels max,-bmi2)"
check "AVX2 needs AVX" same "kernels: ssse3 scalar" "$(kernels max,-avx)"
check "AVX2 needs an operating system that saves its registers" \
  same "kernels: ssse3 scalar" "$(kernels max,-xsave)"
check "Nehalem has SSSE3" same "kernels: ssse3 scalar" "$(kernels Nehalem)"
check "the oldest have only the scalar kernel" same "kernels: scalar" "$(kernels qemu64)"
check "the SSSE3 kernel agrees with the step on Nehalem" \
  qemu-x86_64 -cpu Nehalem build/kerneltest quick ssse3
check "the scalar kernel agrees with the step on the oldest" \
  qemu-x86_64 -cpu qemu64 build/kerneltest quick scalar
finish
