/* core/simd/avx2.h: the kernel for x86-64 since 2013 (Haswell, Zen), 32 bytes at a time.
**
** Bytes are checked with three shuffles, as lookup.h explains. generic.h explains the operations,
** and builds the kernel from them.
*/
#ifndef UTF8_CORE_SIMD_AVX2_H
#define UTF8_CORE_SIMD_AVX2_H

#include "core/simd/block.h"
#include "core/bytes.h"
#include "core/simd/edge.h"
#include "core/simd/kernel.h"
#include "core/simd/lookup.h"
#include "core/simd/portable_set.h"
#include "core/simd/tables/repair_rows.h"
#include "core/simd/scalar.h"
#include <immintrin.h>

#define AVX2_BEGIN TARGET_BEGIN("avx2,bmi,bmi2,lzcnt,popcnt")

AVX2_BEGIN

#define K(name) avx2_##name
#define K_SIZE  32

typedef __m256i avx2_vector;
typedef __m256i avx2_errors; /* not zero if there is an error */
typedef __m256i avx2_counter;
typedef __m256i avx2_sum; /* four 64-bit numbers */

ALWAYS_INLINE __m256i avx2_load(const uint8_t *from) {
  return _mm256_loadu_si256((const __m256i *)from);
}

ALWAYS_INLINE __m256i avx2_load_once(const uint8_t *from) {
  __m256i v = avx2_load(from);
  __asm__("" : "+x"(v));
  return v;
}

/* Eight lanes of FFFFFFFF, then eight of 0; and one in the middle of sixteen of 0. */
static const uint32_t avx2_head[16] = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};
static const uint32_t avx2_tail[17] = {[8] = ~0u};

/* A masked load reads whole lanes of four bytes, and nothing else. The last one to three bytes
** come from a load of the text's last four, which reads text[-4..0) if size is less than 4. */
ALWAYS_INLINE __m256i avx2_load_end(const uint8_t *text, size_t size) {
  size_t lanes = size / 4;
  __m256i head = avx2_load((const uint8_t *)(avx2_head + 8 - lanes));
  __m256i tail = avx2_load((const uint8_t *)(avx2_tail + 8 - lanes));
  uint64_t last = (uint64_t)bytes_load32(text + size - 4) >> 8 * (4 - size % 4);
  tail = _mm256_and_si256(tail, _mm256_set1_epi32((int)last));
  return _mm256_or_si256(_mm256_maskload_epi32((const int *)text, head), tail);
}

ALWAYS_INLINE __m256i avx2_load_short(const uint8_t *text, size_t size) {
  if (size >= 4) return avx2_load_end(text, size);
  int bytes = (int)bytes_load_short(text, size);
  return _mm256_zextsi128_si256(_mm_cvtsi32_si128(bytes));
}

ALWAYS_INLINE void avx2_store(uint8_t *to, __m256i v) {
  _mm256_storeu_si256((__m256i *)to, v);
}

ALWAYS_INLINE __m256i avx2_fill(int byte) {
  return _mm256_set1_epi8((char)byte);
}

ALWAYS_INLINE __m256i avx2_and(__m256i a, __m256i b) {
  return _mm256_and_si256(a, b);
}

ALWAYS_INLINE __m256i avx2_or(__m256i a, __m256i b) {
  return _mm256_or_si256(a, b);
}

ALWAYS_INLINE __m256i avx2_add(__m256i a, __m256i b) {
  return _mm256_add_epi8(a, b);
}

ALWAYS_INLINE __m256i avx2_subs(__m256i a, __m256i b) {
  return _mm256_subs_epu8(a, b);
}

ALWAYS_INLINE __m256i avx2_continuations(__m256i v) {
  return _mm256_cmpgt_epi8(avx2_fill(-64), v);
}

ALWAYS_INLINE int avx2_ascii(__m256i v) {
  return _mm256_movemask_epi8(v) == 0;
}

ALWAYS_INLINE uint64_t avx2_mask(const __m256i block[2]) {
  return (uint32_t)_mm256_movemask_epi8(block[0]) |
         (uint64_t)(uint32_t)_mm256_movemask_epi8(block[1]) << 32;
}

/* Returns the last 16 bytes of `before` and the first 16 of v. */
ALWAYS_INLINE __m256i avx2_middle(__m256i before, __m256i v) {
  return _mm256_permute2x128_si256(before, v, 0x21);
}

ALWAYS_INLINE __m256i avx2_shifted_1(__m256i before, __m256i v) {
  return _mm256_alignr_epi8(v, avx2_middle(before, v), 15);
}

ALWAYS_INLINE __m256i avx2_shifted_2(__m256i before, __m256i v) {
  return _mm256_alignr_epi8(v, avx2_middle(before, v), 14);
}

ALWAYS_INLINE __m256i avx2_shifted_3(__m256i before, __m256i v) {
  return _mm256_alignr_epi8(v, avx2_middle(before, v), 13);
}

/* ---- checking ----------------------------------------------------------------------- */

/* The rows of Lookup, each in both halves of a vector. */
typedef struct avx2_tables {
  __m256i after_high, after_low, at_high, low_half, lead3, lead4, two_continuations;
} avx2_tables;

/* Returns a vector with the row in each half. */
ALWAYS_INLINE __m256i avx2_twice(const uint8_t row[16]) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)row));
}

ALWAYS_INLINE avx2_tables avx2_load_tables(void) {
  const Lookup *l = &lookup;
  OPAQUE_POINTER(l);
  avx2_tables t = {
      avx2_twice(l->after_high),       avx2_twice(l->after_low), avx2_twice(l->at_high),
      avx2_twice(l->low_half),         avx2_twice(l->lead3),     avx2_twice(l->lead4),
      avx2_twice(l->two_continuations)};
  return t;
}

ALWAYS_INLINE __m256i avx2_pairs(const avx2_tables *t, __m256i v, __m256i first) {
  __m256i first_high = avx2_and(_mm256_srli_epi16(first, 4), t->low_half);
  __m256i first_low = avx2_and(first, t->low_half);
  __m256i high = avx2_and(_mm256_srli_epi16(v, 4), t->low_half);
  return avx2_and(avx2_and(_mm256_shuffle_epi8(t->after_high, first_high),
                           _mm256_shuffle_epi8(t->after_low, first_low)),
                  _mm256_shuffle_epi8(t->at_high, high));
}

ALWAYS_INLINE avx2_errors avx2_check(const avx2_tables *t, avx2_errors errors,
                                     __m256i v, __m256i back1, __m256i back2,
                                     __m256i back3) {
  __m256i lead = avx2_or(avx2_subs(back2, t->lead3), avx2_subs(back3, t->lead4));
  __m256i due = avx2_and(lead, t->two_continuations);
  errors = avx2_or(errors, _mm256_xor_si256(avx2_pairs(t, v, back1), due));
  __asm__("" : "+x"(errors)); /* finish one vector before the next: registers are few */
  return errors;
}

/* The bytes before each come from memory: the vector units are busier than the load units. */
ALWAYS_INLINE avx2_errors avx2_check_next(const avx2_tables *t, avx2_errors errors,
                                          __m256i before, __m256i v,
                                          const uint8_t *text, int far) {
  (void)before, (void)far;
  return avx2_check(t, errors, v, avx2_load_once(text - 1), avx2_load_once(text - 2),
                    avx2_load_once(text - 3));
}

ALWAYS_INLINE avx2_errors avx2_no_errors(void) {
  return _mm256_setzero_si256();
}

ALWAYS_INLINE avx2_errors avx2_note(avx2_errors errors, __m256i wrong) {
  return avx2_or(errors, wrong);
}

ALWAYS_INLINE int avx2_any(avx2_errors errors) {
  return !_mm256_testz_si256(errors, errors);
}

/* ---- counting ----------------------------------------------------------------------- */

ALWAYS_INLINE avx2_counter avx2_no_starts(void) {
  return _mm256_setzero_si256();
}

ALWAYS_INLINE avx2_counter avx2_count_starts(avx2_counter counter, __m256i v) {
  return _mm256_sub_epi8(counter, _mm256_cmpgt_epi8(v, avx2_fill(-65)));
}

ALWAYS_INLINE avx2_sum avx2_no_sum(void) {
  return _mm256_setzero_si256();
}

ALWAYS_INLINE avx2_sum avx2_add_up(avx2_sum sum, avx2_counter counter) {
  return _mm256_add_epi64(sum, _mm256_sad_epu8(counter, _mm256_setzero_si256()));
}

ALWAYS_INLINE size_t avx2_total(avx2_sum sum) {
  __m128i two =
      _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  return (size_t)_mm_cvtsi128_si64(two) + (size_t)_mm_extract_epi64(two, 1);
}

/* ---- repair ------------------------------------------------------------------------- */

ALWAYS_INLINE void avx2_move(uint8_t *to, const uint8_t *from, const uint8_t row[16]) {
  const __m128i fffd = _mm_set_epi32(0, 0, 0xBDBFEF, 0);
  __m128i four = _mm_insert_epi32(fffd, (int)bytes_load32(from), 0);
  __m128i moved = _mm_shuffle_epi8(four, _mm_loadu_si128((const __m128i *)row));
  _mm_storeu_si128((__m128i *)to, moved);
}

/* ---- sets of code points --------------------------------------------------------------- */

ALWAYS_INLINE __m256i avx2_row(const uint8_t row[16]) {
  return avx2_twice(row);
}

ALWAYS_INLINE __m256i avx2_pick(__m256i row, __m256i index) {
  return _mm256_shuffle_epi8(row, _mm256_adds_epu8(index, avx2_fill(0x70)));
}

ALWAYS_INLINE __m256i avx2_equal(__m256i a, __m256i b) {
  return _mm256_cmpeq_epi8(a, b);
}

ALWAYS_INLINE __m256i avx2_up_3(__m256i v) {
  return _mm256_slli_epi16(v, 3);
}

ALWAYS_INLINE __m256i avx2_down_3(__m256i v) {
  return _mm256_srli_epi16(v, 3);
}

#include "core/simd/generic.h"

TARGET_END

#endif
