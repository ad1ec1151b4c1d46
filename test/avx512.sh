#!/bin/sh
# avx512.sh: compares the AVX-512 kernel with the decoder step on any x86-64: SIMDe emulates
# its instructions. On a processor with AVX-512, check-kernels runs the real ones.
. test/tally.sh

if ! echo '#include <simde/x86/avx512.h>' | ${CC:-cc} -E -o /dev/null - 2>/dev/null; then
  echo "SKIPPED: AVX-512 kernel: simde/x86/avx512.h is not installed (package libsimde-dev)"
  finish
  exit
fi
mkdir -p build
check "the kernel compiles with SIMDe" ${CC:-cc} -std=c11 -O2 -w -I. \
  -o build/kerneltest-avx512 test/kerneltest.c test/simde/kernel.c core/utf8core.c core/find.c mojibake/pairs.c
check "kerneltest has it" \
  same "kernels: avx512 scalar" "$(build/kerneltest-avx512 list)"
check "the AVX-512 kernel agrees with the step" build/kerneltest-avx512 quick avx512
finish
