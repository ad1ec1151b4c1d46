// model.cpp: simdutf's loops over long text, marked for llvm-mca as in bench/model.c, without
// the test for ASCII. Never run.
#include <simdutf.cpp> // of the crate

// The loop. check_block(), defined before it in the same namespace, checks 64 bytes.
#define MODEL(checker_type, region)                                                    \
  bool model_valid(const uint8_t *text, size_t blocks) {                               \
    checker_type checker{};                                                            \
    while (blocks-- > 0) {                                                             \
      __asm__ volatile("# LLVM-MCA-BEGIN " region : "+r"(text));                       \
      check_block(checker, text);                                                      \
      text += 64;                                                                      \
      __asm__ volatile("# LLVM-MCA-END" : "+r"(text));                                 \
    }                                                                                  \
    checker.check_eof();                                                               \
    return checker.errors();                                                           \
  }

namespace simdutf {

SIMDUTF_TARGET_REGION(
    "avx512f,avx512dq,avx512cd,avx512bw,avx512vbmi,avx512vbmi2,avx512vl,"
    "avx2,bmi,bmi2,pclmul,lzcnt,popcnt,avx512vpopcntdq")
namespace icelake {
static inline void check_block(avx512_utf8_checker &checker, const uint8_t *text) {
  const __m512i input = _mm512_loadu_si512(text);
  checker.check_utf8_bytes(input, checker.prev_input_block);
  checker.prev_incomplete = is_incomplete(input);
  checker.prev_input_block = input;
}
MODEL(avx512_utf8_checker, "simdutf icelake:64")
} // namespace icelake
SIMDUTF_UNTARGET_REGION

SIMDUTF_TARGET_REGION("avx2,bmi,lzcnt,popcnt")
namespace haswell {
static inline void check_block(utf8_validation::utf8_checker &checker,
                               const uint8_t *text) {
  const simd::simd8x64<uint8_t> input(text);
  checker.check_utf8_bytes(input.chunks[0], checker.prev_input_block);
  checker.check_utf8_bytes(input.chunks[1], input.chunks[0]);
  checker.prev_incomplete = utf8_validation::is_incomplete(input.chunks[1]);
  checker.prev_input_block = input.chunks[1];
}
MODEL(utf8_validation::utf8_checker, "simdutf haswell:64")
} // namespace haswell
SIMDUTF_UNTARGET_REGION

} // namespace simdutf
