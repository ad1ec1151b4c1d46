// model.cpp: simdutf's loops over long text, marked for llvm-mca as in bench/model.c; without
// their test for ASCII. Never run.
#include <simdutf.cpp> // of the crate

namespace simdutf {

SIMDUTF_TARGET_REGION(
    "avx512f,avx512dq,avx512cd,avx512bw,avx512vbmi,avx512vbmi2,avx512vl,"
    "avx2,bmi,bmi2,pclmul,lzcnt,popcnt,avx512vpopcntdq")
namespace icelake {
bool model_valid(const uint8_t *text, size_t blocks) {
  avx512_utf8_checker checker{};
  while (blocks-- > 0) {
    __asm__ volatile("# LLVM-MCA-BEGIN simdutf icelake:64" : "+r"(text));
    const __m512i input = _mm512_loadu_si512(text);
    checker.check_utf8_bytes(input, checker.prev_input_block);
    checker.prev_incomplete = is_incomplete(input);
    checker.prev_input_block = input;
    text += 64;
    __asm__ volatile("# LLVM-MCA-END" : "+r"(text));
  }
  checker.check_eof();
  return checker.errors();
}
} // namespace icelake
SIMDUTF_UNTARGET_REGION

SIMDUTF_TARGET_REGION("avx2,bmi,lzcnt,popcnt")
namespace haswell {
bool model_valid(const uint8_t *text, size_t blocks) {
  utf8_validation::utf8_checker checker{};
  while (blocks-- > 0) {
    __asm__ volatile("# LLVM-MCA-BEGIN simdutf haswell:64" : "+r"(text));
    const simd::simd8x64<uint8_t> input(text);
    checker.check_utf8_bytes(input.chunks[0], checker.prev_input_block);
    checker.check_utf8_bytes(input.chunks[1], input.chunks[0]);
    checker.prev_incomplete = utf8_validation::is_incomplete(input.chunks[1]);
    checker.prev_input_block = input.chunks[1];
    text += 64;
    __asm__ volatile("# LLVM-MCA-END" : "+r"(text));
  }
  checker.check_eof();
  return checker.errors();
}
} // namespace haswell
SIMDUTF_UNTARGET_REGION

} // namespace simdutf
