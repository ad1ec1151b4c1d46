#!/bin/sh
# neon.sh: the arm64 kernel against the decoder step; on other machines cross-compiled and
# run by qemu.
. test/tally.sh

# Ends the test if command $1, of package $2, is missing.
need() {
  command -v "$1" >/dev/null && return
  echo "SKIPPED: NEON kernel: $1 is not installed (package $2)"
  finish
  exit
}

if [ "$(uname -m)" = aarch64 ]; then
  compiler=cc run=
else
  compiler=aarch64-linux-gnu-gcc run=qemu-aarch64
  need $compiler gcc-aarch64-linux-gnu
  need $run qemu-user
fi
mkdir -p build
check "the kernels compile for arm64" $compiler -std=c11 -O2 -static -I. \
  -o build/kerneltest-arm64 test/kerneltest.c utf8kernel.c utf8core.c
check "arm64 has NEON" same "kernels: neon scalar" "$($run build/kerneltest-arm64 list)"
check "the NEON kernel is right" $run build/kerneltest-arm64 quick neon
finish
