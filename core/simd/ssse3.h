/* core/simd/ssse3.h: the kernel for x86-64 since 2006, 16 bytes at a time.
**
** generic.h explains the operations.
*/
#ifndef UTF8_CORE_SIMD_SSSE3_H
#define UTF8_CORE_SIMD_SSSE3_H

#include "core/simd/block.h"
#include "core/bytes.h"
#include "core/simd/edge.h"
#include "core/simd/kernel.h"
#include "core/simd/lookup.h"
#include "core/simd/portable_set.h"
#include "core/simd/tables/repair_rows.h"
#include "core/simd/scalar.h"
#include <immintrin.h>

TARGET_BEGIN("ssse3")

#define K(name) ssse3_##name
#define K_SIZE  16

typedef __m128i ssse3_vector;
typedef __m128i ssse3_errors;
typedef __m128i ssse3_counter;
typedef __m128i ssse3_sum; /* two 64-bit numbers */

ALWAYS_INLINE __m128i ssse3_load(const uint8_t *from) {
  return _mm_loadu_si128((const __m128i *)from);
}

ALWAYS_INLINE __m128i ssse3_load_once(const uint8_t *from) {
  __m128i v = ssse3_load(from);
  __asm__("" : "+x"(v));
  return v;
}

ALWAYS_INLINE __m128i ssse3_load_short(const uint8_t *text, size_t size) {
  BytesShort both = bytes_load_short16(text, size);
  return _mm_set_epi64x((long long)both.high, (long long)both.low);
}

ALWAYS_INLINE __m128i ssse3_load_end(const uint8_t *text, size_t size) {
  __m128i places = ssse3_load(edge_places + 16 - size);
  return _mm_shuffle_epi8(ssse3_load(text + size - 16), places);
}

ALWAYS_INLINE void ssse3_store(uint8_t *to, __m128i v) {
  _mm_storeu_si128((__m128i *)to, v);
}

ALWAYS_INLINE __m128i ssse3_fill(int byte) {
  return _mm_set1_epi8((char)byte);
}

ALWAYS_INLINE __m128i ssse3_and(__m128i a, __m128i b) {
  return _mm_and_si128(a, b);
}

ALWAYS_INLINE __m128i ssse3_or(__m128i a, __m128i b) {
  return _mm_or_si128(a, b);
}

ALWAYS_INLINE __m128i ssse3_add(__m128i a, __m128i b) {
  return _mm_add_epi8(a, b);
}

ALWAYS_INLINE __m128i ssse3_subs(__m128i a, __m128i b) {
  return _mm_subs_epu8(a, b);
}

ALWAYS_INLINE __m128i ssse3_continuations(__m128i v) {
  return _mm_cmpgt_epi8(ssse3_fill(-64), v);
}

ALWAYS_INLINE int ssse3_ascii(__m128i v) {
  return _mm_movemask_epi8(v) == 0;
}

ALWAYS_INLINE uint64_t ssse3_mask(const __m128i block[4]) {
  uint64_t mask = 0;
  UNROLL for (int i = 0; i < 4; i++) {
    mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(block[i]) << 16 * i;
  }
  return mask;
}

ALWAYS_INLINE __m128i ssse3_shifted_1(__m128i before, __m128i v) {
  return _mm_alignr_epi8(v, before, 15);
}

ALWAYS_INLINE __m128i ssse3_shifted_2(__m128i before, __m128i v) {
  return _mm_alignr_epi8(v, before, 14);
}

ALWAYS_INLINE __m128i ssse3_shifted_3(__m128i before, __m128i v) {
  return _mm_alignr_epi8(v, before, 13);
}

/* ---- checking ------------------------------------------------------------------------ */

typedef struct ssse3_tables {
  __m128i after_high, after_low, at_high, low_half, lead3, lead4, two_continuations;
} ssse3_tables;

ALWAYS_INLINE ssse3_tables ssse3_load_tables(void) {
  const Lookup *l = &lookup;
  OPAQUE_POINTER(l);
  ssse3_tables t = {
      ssse3_load(l->after_high),       ssse3_load(l->after_low), ssse3_load(l->at_high),
      ssse3_load(l->low_half),         ssse3_load(l->lead3),     ssse3_load(l->lead4),
      ssse3_load(l->two_continuations)};
  return t;
}

ALWAYS_INLINE __m128i ssse3_pairs(const ssse3_tables *t, __m128i v, __m128i first) {
  __m128i first_high = ssse3_and(_mm_srli_epi16(first, 4), t->low_half);
  __m128i first_low = ssse3_and(first, t->low_half);
  __m128i high = ssse3_and(_mm_srli_epi16(v, 4), t->low_half);
  return ssse3_and(ssse3_and(_mm_shuffle_epi8(t->after_high, first_high),
                             _mm_shuffle_epi8(t->after_low, first_low)),
                   _mm_shuffle_epi8(t->at_high, high));
}

ALWAYS_INLINE ssse3_errors ssse3_check(const ssse3_tables *t, ssse3_errors errors,
                                       __m128i v, __m128i back1, __m128i back2,
                                       __m128i back3) {
  __m128i lead = ssse3_or(ssse3_subs(back2, t->lead3), ssse3_subs(back3, t->lead4));
  __m128i due = ssse3_and(lead, t->two_continuations);
  __m128i wrong = _mm_xor_si128(ssse3_pairs(t, v, back1), due);
  errors = ssse3_or(errors, wrong);
  __asm__("" : "+x"(errors));
  return errors;
}

ALWAYS_INLINE ssse3_errors ssse3_check_next(const ssse3_tables *t, ssse3_errors errors,
                                            __m128i before, __m128i v,
                                            const uint8_t *text, int far) {
  (void)before, (void)far;
  return ssse3_check(t, errors, v, ssse3_load_once(text - 1), ssse3_load_once(text - 2),
                     ssse3_load_once(text - 3));
}

ALWAYS_INLINE ssse3_errors ssse3_no_errors(void) {
  return _mm_setzero_si128();
}

ALWAYS_INLINE ssse3_errors ssse3_note(ssse3_errors errors, __m128i wrong) {
  return ssse3_or(errors, wrong);
}

ALWAYS_INLINE int ssse3_any(ssse3_errors errors) {
  return _mm_movemask_epi8(_mm_cmpeq_epi8(errors, _mm_setzero_si128())) != 0xFFFF;
}

/* ---- counting ----------------------------------------------------------------------- */

ALWAYS_INLINE ssse3_counter ssse3_no_starts(void) {
  return _mm_setzero_si128();
}

ALWAYS_INLINE ssse3_counter ssse3_count_starts(ssse3_counter counter, __m128i v) {
  return _mm_sub_epi8(counter, _mm_cmpgt_epi8(v, ssse3_fill(-65)));
}

ALWAYS_INLINE ssse3_sum ssse3_no_sum(void) {
  return _mm_setzero_si128();
}

ALWAYS_INLINE ssse3_sum ssse3_add_up(ssse3_sum sum, ssse3_counter counter) {
  return _mm_add_epi64(sum, _mm_sad_epu8(counter, _mm_setzero_si128()));
}

ALWAYS_INLINE size_t ssse3_total(ssse3_sum sum) {
  return (size_t)_mm_cvtsi128_si64(sum) +
         (size_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(sum, sum));
}

/* ---- repair ------------------------------------------------------------------------- */

ALWAYS_INLINE void ssse3_move(uint8_t *to, const uint8_t *from, const uint8_t row[16]) {
  __m128i fffd = _mm_set_epi32(0, 0, 0xBDBFEF, (int)bytes_load32(from));
  __m128i moved = _mm_shuffle_epi8(fffd, _mm_loadu_si128((const __m128i *)row));
  _mm_storeu_si128((__m128i *)to, moved);
}

/* ---- sets of code points --------------------------------------------------------------- */

ALWAYS_INLINE __m128i ssse3_row(const uint8_t row[16]) {
  return ssse3_load(row);
}

ALWAYS_INLINE __m128i ssse3_pick(__m128i row, __m128i index) {
  return _mm_shuffle_epi8(row, _mm_adds_epu8(index, ssse3_fill(0x70)));
}

ALWAYS_INLINE __m128i ssse3_equal(__m128i a, __m128i b) {
  return _mm_cmpeq_epi8(a, b);
}

ALWAYS_INLINE __m128i ssse3_up_3(__m128i v) {
  return _mm_slli_epi16(v, 3);
}

ALWAYS_INLINE __m128i ssse3_down_3(__m128i v) {
  return _mm_srli_epi16(v, 3);
}

#include "core/simd/generic.h"

TARGET_END

#endif
