#!/bin/sh
# neon.sh: compares the arm64 kernel with the decoder step. On other machines it is
# cross-compiled and run by qemu.
. test/tally.sh

# require COMMAND PACKAGE: skips the test and exits if the command is not installed.
require() {
  command -v "$1" >/dev/null && return
  echo "SKIPPED: NEON kernel: $1 is not installed (package $2)"
  finish
  exit
}

if [ "$(uname -m)" = aarch64 ]; then
  compiler=cc run=
else
  compiler=aarch64-linux-gnu-gcc run=qemu-aarch64
  require $compiler gcc-aarch64-linux-gnu
  require $run qemu-user
fi
mkdir -p build
check "the kernels compile for arm64" $compiler -std=c11 -O2 -static -I. \
  -o build/kerneltest-arm64 test/kerneltest.c core/simd/kernel.c core/utf8core.c core/find.c mojibake/pairs.c
check "arm64 has NEON" same "kernels: neon scalar" "$($run build/kerneltest-arm64 list)"
check "the NEON kernel agrees with the step" $run build/kerneltest-arm64 quick neon
finish
