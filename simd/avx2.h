/* avx2.h: 32 bytes at a time, on x86-64 since 2013 (Haswell, Zen).
**
** The three-shuffle judgement of lookup.h on vectors of 32 bytes. These are the operations
** on which generic.h builds; ssse3.h and neon.h have the same ones.
*/
#ifndef UTF8_AVX2_H
#define UTF8_AVX2_H

#include "lookup.h"
#include <immintrin.h>

#define K(name)     avx2_##name
#define K_NAME      "avx2"
#define AVX2_TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define K_TARGET    AVX2_TARGET
#define K_SIZE      32
#define AVX2_OP     static inline __attribute__((always_inline)) AVX2_TARGET

typedef __m256i avx2_vector;
typedef __m256i avx2_errors; /* not zero where something is wrong */
typedef __m256i
    avx2_counter;         /* in each byte, how many starts of characters were there */
typedef __m256i avx2_sum; /* four 64-bit numbers, sums of counters */

AVX2_OP __m256i avx2_load(const uint8_t *from) {
  return _mm256_loadu_si256((const __m256i *)from);
}

/* The same; but a compiler that uses the value twice must not load it twice. */
AVX2_OP __m256i avx2_load_once(const uint8_t *from) {
  __m256i v = avx2_load(from);
  __asm__("" : "+x"(v));
  return v;
}

AVX2_OP void avx2_store(uint8_t *to, __m256i v) {
  _mm256_storeu_si256((__m256i *)to, v);
}

AVX2_OP __m256i avx2_fill(int byte) {
  return _mm256_set1_epi8((char)byte);
}

AVX2_OP __m256i avx2_and(__m256i a, __m256i b) {
  return _mm256_and_si256(a, b);
}

AVX2_OP __m256i avx2_or(__m256i a, __m256i b) {
  return _mm256_or_si256(a, b);
}

AVX2_OP __m256i avx2_add(__m256i a, __m256i b) {
  return _mm256_add_epi8(a, b);
}

/* a - b, or 0 where b is greater. */
AVX2_OP __m256i avx2_subs(__m256i a, __m256i b) {
  return _mm256_subs_epu8(a, b);
}

/* Top bit set where the byte is 80..BF. */
AVX2_OP __m256i avx2_is_tail(__m256i v) {
  return _mm256_cmpgt_epi8(avx2_fill(-64), v);
}

/* Is every byte below 80? */
AVX2_OP int avx2_ascii(__m256i v) {
  return _mm256_movemask_epi8(v) == 0;
}

/* The top bits of a block's 64 bytes. */
AVX2_OP uint64_t avx2_mask(const __m256i block[2]) {
  return (uint32_t)_mm256_movemask_epi8(block[0]) |
         (uint64_t)(uint32_t)_mm256_movemask_epi8(block[1]) << 32;
}

/* v moved up by one, two, three bytes; below come the last bytes of before. */
AVX2_OP __m256i avx2_middle(__m256i before, __m256i v) {
  return _mm256_permute2x128_si256(before, v, 0x21);
}

AVX2_OP __m256i avx2_shifted_1(__m256i before, __m256i v) {
  return _mm256_alignr_epi8(v, avx2_middle(before, v), 15);
}

AVX2_OP __m256i avx2_shifted_2(__m256i before, __m256i v) {
  return _mm256_alignr_epi8(v, avx2_middle(before, v), 14);
}

AVX2_OP __m256i avx2_shifted_3(__m256i before, __m256i v) {
  return _mm256_alignr_epi8(v, avx2_middle(before, v), 13);
}

/* ---- judging ------------------------------------------------------------------------ */

/* Lookup's rows, each in both halves of a vector. */
typedef struct avx2_tables {
  __m256i after_high, after_low, at_high, low_half, lead3, lead4, two_tails;
} avx2_tables;

AVX2_OP __m256i avx2_twice(const uint8_t row[16]) {
  return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)row));
}

AVX2_OP avx2_tables avx2_tables_for(void) {
  const Lookup *l = lookup_hidden();
  avx2_tables t = {avx2_twice(l->after_high), avx2_twice(l->after_low),
                   avx2_twice(l->at_high),    avx2_twice(l->low_half),
                   avx2_twice(l->lead3),      avx2_twice(l->lead4),
                   avx2_twice(l->two_tails)};
  return t;
}

/* What each byte of v and the one before it, in first, show: the errors of lookup.h. */
AVX2_OP __m256i avx2_pairs(const avx2_tables *t, __m256i v, __m256i first) {
  __m256i first_high = avx2_and(_mm256_srli_epi16(first, 4), t->low_half);
  __m256i first_low = avx2_and(first, t->low_half);
  __m256i high = avx2_and(_mm256_srli_epi16(v, 4), t->low_half);
  return avx2_and(avx2_and(_mm256_shuffle_epi8(t->after_high, first_high),
                           _mm256_shuffle_epi8(t->after_low, first_low)),
                  _mm256_shuffle_epi8(t->at_high, high));
}

/* The errors, and what is wrong with v. back1, back2, back3 are the bytes one, two and
** three before those of v. */
AVX2_OP avx2_errors avx2_check(const avx2_tables *t, avx2_errors errors, __m256i v,
                               __m256i back1, __m256i back2, __m256i back3) {
  __m256i after_lead = avx2_or(avx2_subs(back2, t->lead3), avx2_subs(back3, t->lead4));
  __m256i two_tails = avx2_and(after_lead, t->two_tails);
  __m256i wrong = _mm256_xor_si256(avx2_pairs(t, v, back1), two_tails);
  errors = avx2_or(errors, wrong);
  __asm__("" : "+x"(errors)); /* one vector after the other, or registers run out */
  return errors;
}

/* The same for v at text, which follows `before`. The bytes before each come from memory,
** unaligned: the vector units have more to do than the loads. */
AVX2_OP avx2_errors avx2_check_next(const avx2_tables *t, avx2_errors errors,
                                    __m256i before, __m256i v, const uint8_t *text,
                                    int far) {
  (void)before, (void)far;
  return avx2_check(t, errors, v, avx2_load_once(text - 1), avx2_load_once(text - 2),
                    avx2_load_once(text - 3));
}

AVX2_OP avx2_errors avx2_no_errors(void) {
  return _mm256_setzero_si256();
}

/* The errors, and one more unless wrong is zero. */
AVX2_OP avx2_errors avx2_note(avx2_errors errors, __m256i wrong) {
  return avx2_or(errors, wrong);
}

AVX2_OP int avx2_any(avx2_errors errors) {
  return !_mm256_testz_si256(errors, errors);
}

/* ---- counting ----------------------------------------------------------------------- */

AVX2_OP avx2_counter avx2_no_starts(void) {
  return _mm256_setzero_si256();
}

/* Counts the bytes that are not 80..BF. A counter may take up to 255 vectors. */
AVX2_OP avx2_counter avx2_count_starts(avx2_counter counter, __m256i v) {
  return _mm256_sub_epi8(counter, _mm256_cmpgt_epi8(v, avx2_fill(-65)));
}

AVX2_OP avx2_sum avx2_no_sum(void) {
  return _mm256_setzero_si256();
}

AVX2_OP avx2_sum avx2_add_up(avx2_sum sum, avx2_counter counter) {
  return _mm256_add_epi64(sum, _mm256_sad_epu8(counter, _mm256_setzero_si256()));
}

AVX2_OP size_t avx2_total(avx2_sum sum) {
  __m128i two =
      _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
  return (size_t)_mm_cvtsi128_si64(two) + (size_t)_mm_extract_epi64(two, 1);
}

/* ---- moving ------------------------------------------------------------------------- */

/* Writes 16 bytes to `to`: what a row of repair.h makes of the four bytes at from. */
AVX2_OP void avx2_move(uint8_t *to, const uint8_t *from, const uint8_t row[16]) {
  const __m128i fffd = _mm_set_epi32(0, 0, 0xBDBFEF, 0);
  __m128i four = _mm_insert_epi32(fffd, (int)bytes_load32(from), 0);
  __m128i moved = _mm_shuffle_epi8(four, _mm_loadu_si128((const __m128i *)row));
  _mm_storeu_si128((__m128i *)to, moved);
}

#include "generic.h"
#undef AVX2_OP
#endif
