#!/bin/sh
# noavx.sh: on processors that lack something, the kernels that need it are not chosen,
# and nothing that the processor does not have is executed. qemu plays the processors.
. test/tally.sh

if [ "$(uname -m)" != x86_64 ]; then
  echo "SKIPPED: processors without AVX: this is no x86-64"
  finish
  exit
fi
if ! command -v qemu-x86_64 >/dev/null; then
  echo "SKIPPED: processors without AVX: qemu-x86_64 is not installed (package qemu-user)"
  finish
  exit
fi

# kernels PROCESSOR: the names of the kernels that run on it, best first.
kernels() {
  qemu-x86_64 -cpu "$1" build/kerneltest list
}

check "Haswell has AVX2" same "kernels: avx2 ssse3 scalar" "$(kernels Haswell)"
check "AVX2 needs BMI2" same "kernels: ssse3 scalar" "$(kernels max,-bmi2)"
check "AVX2 needs AVX" same "kernels: ssse3 scalar" "$(kernels max,-avx)"
check "AVX2 needs an operating system that saves its registers" \
  same "kernels: ssse3 scalar" "$(kernels max,-xsave)"
check "Nehalem has SSSE3" same "kernels: ssse3 scalar" "$(kernels Nehalem)"
check "the oldest have nothing" same "kernels: scalar" "$(kernels qemu64)"
check "all kernels of Nehalem are right there" \
  qemu-x86_64 -cpu Nehalem build/kerneltest quick ssse3
check "the scalar kernel is right where there is no other" \
  qemu-x86_64 -cpu qemu64 build/kerneltest quick scalar
finish
