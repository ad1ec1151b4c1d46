/* ssse3.h: 16 bytes at a time, on x86-64 since 2006.
**
** The same operations as in avx2.h, where they are explained, on vectors of 16 bytes.
*/
#ifndef UTF8_SSSE3_H
#define UTF8_SSSE3_H

#include "lookup.h"
#include <immintrin.h>

#define K(name)  ssse3_##name
#define K_NAME   "ssse3"
#define K_TARGET __attribute__((target("ssse3")))
#define K_SIZE   16
#define SSSE3_OP static inline __attribute__((always_inline)) K_TARGET

typedef __m128i ssse3_vector;
typedef __m128i ssse3_errors; /* not zero where something is wrong */
typedef __m128i
    ssse3_counter;         /* in each byte, how many starts of characters were there */
typedef __m128i ssse3_sum; /* two 64-bit numbers */

SSSE3_OP __m128i ssse3_load(const uint8_t *from) {
  return _mm_loadu_si128((const __m128i *)from);
}

/* The same; but a compiler that uses the value twice must not load it twice. */
SSSE3_OP __m128i ssse3_load_once(const uint8_t *from) {
  __m128i v = ssse3_load(from);
  __asm__("" : "+x"(v));
  return v;
}

SSSE3_OP void ssse3_store(uint8_t *to, __m128i v) {
  _mm_storeu_si128((__m128i *)to, v);
}

SSSE3_OP __m128i ssse3_fill(int byte) {
  return _mm_set1_epi8((char)byte);
}

SSSE3_OP __m128i ssse3_and(__m128i a, __m128i b) {
  return _mm_and_si128(a, b);
}

SSSE3_OP __m128i ssse3_or(__m128i a, __m128i b) {
  return _mm_or_si128(a, b);
}

SSSE3_OP __m128i ssse3_add(__m128i a, __m128i b) {
  return _mm_add_epi8(a, b);
}

/* a - b, or 0 where b is greater. */
SSSE3_OP __m128i ssse3_subs(__m128i a, __m128i b) {
  return _mm_subs_epu8(a, b);
}

/* Top bit set where the byte is 80..BF. */
SSSE3_OP __m128i ssse3_is_tail(__m128i v) {
  return _mm_cmpgt_epi8(ssse3_fill(-64), v);
}

/* Is every byte below 80? */
SSSE3_OP int ssse3_ascii(__m128i v) {
  return _mm_movemask_epi8(v) == 0;
}

/* The top bits of a block's 64 bytes. */
SSSE3_OP uint64_t ssse3_mask(const __m128i block[4]) {
  uint64_t mask = 0;
  UNROLL for (int i = 0; i < 4; i++) {
    mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(block[i]) << 16 * i;
  }
  return mask;
}

SSSE3_OP __m128i ssse3_shifted_1(__m128i before, __m128i v) {
  return _mm_alignr_epi8(v, before, 15);
}

SSSE3_OP __m128i ssse3_shifted_2(__m128i before, __m128i v) {
  return _mm_alignr_epi8(v, before, 14);
}

SSSE3_OP __m128i ssse3_shifted_3(__m128i before, __m128i v) {
  return _mm_alignr_epi8(v, before, 13);
}

/* ---- judging ------------------------------------------------------------------------ */

typedef struct ssse3_tables {
  __m128i after_high, after_low, at_high, low_half, lead3, lead4, two_tails;
} ssse3_tables;

SSSE3_OP ssse3_tables ssse3_tables_for(void) {
  const Lookup *l = lookup_hidden();
  ssse3_tables t = {ssse3_load(l->after_high), ssse3_load(l->after_low),
                    ssse3_load(l->at_high),    ssse3_load(l->low_half),
                    ssse3_load(l->lead3),      ssse3_load(l->lead4),
                    ssse3_load(l->two_tails)};
  return t;
}

/* What each byte of v and the one before it, in first, show: the errors of lookup.h. */
SSSE3_OP __m128i ssse3_pairs(const ssse3_tables *t, __m128i v, __m128i first) {
  __m128i first_high = ssse3_and(_mm_srli_epi16(first, 4), t->low_half);
  __m128i first_low = ssse3_and(first, t->low_half);
  __m128i high = ssse3_and(_mm_srli_epi16(v, 4), t->low_half);
  return ssse3_and(ssse3_and(_mm_shuffle_epi8(t->after_high, first_high),
                             _mm_shuffle_epi8(t->after_low, first_low)),
                   _mm_shuffle_epi8(t->at_high, high));
}

/* The errors, and what is wrong with v. back1, back2, back3 are the bytes one, two and
** three before those of v. */
SSSE3_OP ssse3_errors ssse3_check(const ssse3_tables *t, ssse3_errors errors, __m128i v,
                                  __m128i back1, __m128i back2, __m128i back3) {
  __m128i after_lead =
      ssse3_or(ssse3_subs(back2, t->lead3), ssse3_subs(back3, t->lead4));
  __m128i two_tails = ssse3_and(after_lead, t->two_tails);
  __m128i wrong = _mm_xor_si128(ssse3_pairs(t, v, back1), two_tails);
  errors = ssse3_or(errors, wrong);
  __asm__("" : "+x"(errors)); /* one vector after the other, or registers run out */
  return errors;
}

SSSE3_OP ssse3_errors ssse3_check_next(const ssse3_tables *t, ssse3_errors errors,
                                       __m128i before, __m128i v, const uint8_t *text,
                                       int far) {
  (void)before, (void)far;
  return ssse3_check(t, errors, v, ssse3_load_once(text - 1), ssse3_load_once(text - 2),
                     ssse3_load_once(text - 3));
}

SSSE3_OP ssse3_errors ssse3_no_errors(void) {
  return _mm_setzero_si128();
}

/* The errors, and one more unless wrong is zero. */
SSSE3_OP ssse3_errors ssse3_note(ssse3_errors errors, __m128i wrong) {
  return ssse3_or(errors, wrong);
}

SSSE3_OP int ssse3_any(ssse3_errors errors) {
  return _mm_movemask_epi8(_mm_cmpeq_epi8(errors, _mm_setzero_si128())) != 0xFFFF;
}

/* ---- counting ----------------------------------------------------------------------- */

SSSE3_OP ssse3_counter ssse3_no_starts(void) {
  return _mm_setzero_si128();
}

/* Counts the bytes that are not 80..BF. A counter may take up to 255 vectors. */
SSSE3_OP ssse3_counter ssse3_count_starts(ssse3_counter counter, __m128i v) {
  return _mm_sub_epi8(counter, _mm_cmpgt_epi8(v, ssse3_fill(-65)));
}

SSSE3_OP ssse3_sum ssse3_no_sum(void) {
  return _mm_setzero_si128();
}

SSSE3_OP ssse3_sum ssse3_add_up(ssse3_sum sum, ssse3_counter counter) {
  return _mm_add_epi64(sum, _mm_sad_epu8(counter, _mm_setzero_si128()));
}

SSSE3_OP size_t ssse3_total(ssse3_sum sum) {
  return (size_t)_mm_cvtsi128_si64(sum) +
         (size_t)_mm_cvtsi128_si64(_mm_unpackhi_epi64(sum, sum));
}

/* ---- moving ------------------------------------------------------------------------- */

/* Writes 16 bytes to `to`: what a row of repair.h makes of the four bytes at from. */
SSSE3_OP void ssse3_move(uint8_t *to, const uint8_t *from, const uint8_t row[16]) {
  __m128i fffd = _mm_set_epi32(0, 0, 0xBDBFEF, (int)bytes_load32(from));
  __m128i moved = _mm_shuffle_epi8(fffd, _mm_loadu_si128((const __m128i *)row));
  _mm_storeu_si128((__m128i *)to, moved);
}

#include "generic.h"
#undef SSSE3_OP
#endif
