/* kernel.c: the AVX-512 kernel for processors without AVX-512.
**
** Linked instead of core/simd/kernel.c, it provides kerneltest with the kernel, compiled with SIMDe
** (package libsimde-dev), a library that emulates Intel's intrinsics. Tests the kernel's
** logic, not its speed. The functions below are missing in SIMDe 0.7.
*/
#define UTF8_KERNEL_SIMDE
#define SIMDE_ENABLE_NATIVE_ALIASES

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <simde/x86/avx512.h>
#include <simde/x86/gfni.h>
#pragma GCC diagnostic pop
#include <stdint.h>
#include <string.h>

typedef struct Bytes512 {
  uint8_t byte[64];
} Bytes512;

static Bytes512 bytes_of(__m512i v) {
  Bytes512 b;
  memcpy(&b, &v, sizeof b);
  return b;
}

static __m512i vector_of(Bytes512 b) {
  __m512i v;
  memcpy(&v, &b, sizeof v);
  return v;
}

static uint64_t _pext_u64(uint64_t from, uint64_t mask) {
  uint64_t to = 0;
  for (int i = 0, n = 0; i < 64; i++)
    if (mask >> i & 1) to |= (from >> i & 1) << n++;
  return to;
}

static uint64_t _pdep_u64(uint64_t from, uint64_t mask) {
  uint64_t to = 0;
  for (int i = 0, n = 0; i < 64; i++)
    if (mask >> i & 1) to |= (from >> n++ & 1) << i;
  return to;
}

static __m512i _mm512_maskz_compress_epi8(uint64_t mask, __m512i v) {
  Bytes512 from = bytes_of(v), to = {{0}};
  for (int i = 0, n = 0; i < 64; i++)
    if (mask >> i & 1) to.byte[n++] = from.byte[i];
  return vector_of(to);
}

static __m512i _mm512_maskz_expand_epi8(uint64_t mask, __m512i v) {
  Bytes512 from = bytes_of(v), to = {{0}};
  for (int i = 0, n = 0; i < 64; i++)
    if (mask >> i & 1) to.byte[i] = from.byte[n++];
  return vector_of(to);
}

static __m512i _mm512_maskz_loadu_epi8(uint64_t mask, const void *from) {
  Bytes512 to = {{0}};
  for (int i = 0; i < 64; i++)
    if (mask >> i & 1) to.byte[i] = ((const uint8_t *)from)[i];
  return vector_of(to);
}

/* In each lane of 128 bits. */
static __m512i _mm512_alignr_epi8(__m512i high, __m512i low, int n) {
  Bytes512 h = bytes_of(high), l = bytes_of(low), to;
  for (int i = 0; i < 64; i++) {
    int lane = i & ~15, from = (i & 15) + n;
    to.byte[i] = from < 16 ? l.byte[lane + from] : h.byte[lane + from - 16];
  }
  return vector_of(to);
}

/* In words of 64 bits. */
static __m512i _mm512_alignr_epi64(__m512i high, __m512i low, int n) {
  uint8_t both[128];
  memcpy(both, &low, 64);
  memcpy(both + 64, &high, 64);
  Bytes512 to;
  memcpy(&to, both + 8 * n, 64);
  return vector_of(to);
}

#include "core/simd/avx512.h"
#include "core/simd/avx512_set.h"
#include "core/simd/portable.h"
#include "core/simd/portable_set.h"

static const Utf8Kernel scalar_kernel = {
    "scalar",
    0,
    scalar_valid,
    scalar_count,
    scalar_repair,
    scalar_classify_block,
    {portable_skip_outside, portable_prefix_outside, NULL},
    &portable_converters};

static const Utf8Kernel avx512_kernel = {
    "avx512",
    0,
    avx512_valid,
    avx512_count,
    avx512_repair,
    avx512_classify_block,
    {avx512_skip_outside, avx512_prefix_outside, avx512_skip_unpaired},
    &portable_converters};

static const Utf8Kernel *const kernels[] = {&avx512_kernel, &scalar_kernel, NULL};

const Utf8Kernel *const *utf8simd_kernels(void) {
  return kernels;
}

_Atomic(const Utf8Kernel *) utf8simd_chosen = &scalar_kernel;

const Utf8Kernel *utf8simd_choose(void) {
  return &scalar_kernel;
}

const char *utf8simd_unknown(void) {
  return NULL;
}
