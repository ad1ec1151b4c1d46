/* avx512_plain.h: skip_stable() of kernel.h for AVX-512, with the tables of plain.h in registers.
**
** A code point is looked up at its first byte b; n1 and n2 have the two bytes after each. The lead
** bytes of most text are plain by leads[]: nothing else is loaded then. Else a code point's number
** without the last three bits selects a byte of a table, by vpermi2b, and these three bits
** select a bit of it. So code points of one and two bytes are known exactly; others first by 64
** neighbours, and then exactly in the groups of plain.h.
*/
#ifndef UTF8_SIMD_AVX512_PLAIN_H
#define UTF8_SIMD_AVX512_PLAIN_H

#include "simd/avx512.h"
#include "simd/plain.h"

AVX512_BEGIN

typedef struct avx512_plain_tables {
  const Utf8Plain *plain;
  __m512i leads;
  __m512i up, down; /* bit matrices: byte << 3, byte >> 3 & 7 */
  __m512i bits;     /* 1 << (index & 7), for vpshufb */
} avx512_plain_tables;

ALWAYS_INLINE avx512_plain_tables avx512_plain_load(const Utf8Plain *plain) {
  avx512_plain_tables t;
  t.plain = plain;
  t.leads = avx512_load(plain->leads);
  t.up = _mm512_set1_epi64(0x0000000102040810);
  t.down = _mm512_set1_epi64(0x0810200000000000);
  t.bits = _mm512_set1_epi64((long long)0x8040201008040201u);
  return t;
}

/* Returns 8 * (high & 31) + (low >> 3 & 7) for each byte. */
ALWAYS_INLINE __m512i avx512_plain_place(const avx512_plain_tables *t, __m512i high,
                                         __m512i low) {
  return _mm512_or_si512(_mm512_gf2p8affine_epi64_epi8(high, t->up, 0),
                         _mm512_gf2p8affine_epi64_epi8(low, t->down, 0));
}

/* Returns 1 << (low & 7) for each byte. */
ALWAYS_INLINE __m512i avx512_plain_bit(const avx512_plain_tables *t, __m512i low) {
  return _mm512_shuffle_epi8(t->bits, _mm512_and_si512(low, avx512_fill(7)));
}

/* Returns the lanes of `lanes` whose code points, of three bytes, are not plain: all that start
** with such a pair of bytes, except in the groups, which start with E0..E3. `place` is that of b and n1. */
static NOINLINE uint64_t avx512_plain_groups(const avx512_plain_tables *t,
                                             uint64_t lanes, __m512i place, __m512i b,
                                             __m512i n1, __m512i n2) {
  if (!(lanes & _mm512_cmplt_epu8_mask(b, avx512_fill(0xE4)))) return lanes;
  const __m512i part = avx512_plain_place(t, n1, n2), bit = avx512_plain_bit(t, n2);
  const __m512i key = _mm512_and_si512(place, avx512_fill(127));
  uint64_t changes = lanes;
  for (int i = 0; i < PLAIN_GROUPS; i++) {
    const __m512i group = avx512_fill(plain_group[i]);
    const uint64_t mine = _mm512_mask_cmpeq_epi8_mask(lanes, key, group);
    if (!mine) continue;
    const __m512i row = _mm512_permutexvar_epi8(part, avx512_load(t->plain->groups[i]));
    changes &= ~mine | _mm512_test_epi8_mask(row, bit);
  }
  return changes;
}

/* Like avx512_plain_groups(), for all code points of four bytes that start at `lanes`. */
static NOINLINE uint64_t avx512_plain_four(const avx512_plain_tables *t, uint64_t lanes,
                                           __m512i place, __m512i b, __m512i n1,
                                           __m512i n2) {
  const __m512i row = _mm512_permutexvar_epi8(place, avx512_load(t->plain->four));
  const uint64_t changes =
      _mm512_mask_test_epi8_mask(lanes, row, avx512_plain_bit(t, n1));
  const uint64_t emoji = _mm512_mask_cmpeq_epi8_mask(
      _mm512_mask_cmpeq_epi8_mask(changes, b, avx512_fill(0xF0)), n1,
      avx512_fill(0x9F));
  const __m512i rows = _mm512_set1_epi64((long long)bytes_load64(t->plain->emoji));
  const __m512i row2 =
      _mm512_shuffle_epi8(rows, _mm512_gf2p8affine_epi64_epi8(n2, t->down, 0));
  return changes & (~emoji | _mm512_test_epi8_mask(row2, avx512_plain_bit(t, n2)));
}

/* Returns the lanes at which a letter A..Z is, if these are not plain. */
ALWAYS_INLINE uint64_t avx512_plain_letters(const avx512_plain_tables *t, __m512i b) {
  if (!t->plain->letters) return 0;
  return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(b, avx512_fill('A')), avx512_fill(26));
}

/* Returns the lanes at which a code point starts that is not plain and not ASCII, by the tables of
** code points. */
static NOINLINE uint64_t avx512_plain_exact(const avx512_plain_tables *t, __m512i b,
                                            __m512i n1, __m512i n2) {
  const Utf8Plain *p = t->plain;
  const __m512i place = avx512_plain_place(t, b, n1), bit = avx512_plain_bit(t, n1);
  const __m512i low =
      _mm512_permutex2var_epi8(avx512_load(p->two), place, avx512_load(p->two + 64));
  const __m512i high = _mm512_permutex2var_epi8(avx512_load(p->two + 128), place,
                                                avx512_load(p->two + 192));
  const __m512i two = _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(place), high);
  const __m512i three = _mm512_permutex2var_epi8(avx512_load(p->three), place,
                                                 avx512_load(p->three + 64));
  const uint64_t starts2 = _mm512_cmpge_epu8_mask(b, avx512_fill(0xC0));
  const uint64_t starts3 = _mm512_cmpge_epu8_mask(b, avx512_fill(0xE0));
  const uint64_t starts4 = _mm512_cmpge_epu8_mask(b, avx512_fill(0xF0));
  uint64_t changes = _mm512_mask_test_epi8_mask(starts2 & ~starts3, two, bit);
  const uint64_t threes = _mm512_mask_test_epi8_mask(starts3 & ~starts4, three, bit);
  if (threes) changes |= avx512_plain_groups(t, threes, place, b, n1, n2);
  if (starts4) changes |= avx512_plain_four(t, starts4, place, b, n1, n2);
  return changes;
}

/* Returns the lanes at which a code point starts that leads[] does not show to be plain. */
ALWAYS_INLINE uint64_t avx512_plain_leads(const avx512_plain_tables *t, __m512i b,
                                          __m512i n1) {
  const __m512i row = _mm512_permutexvar_epi8(b, t->leads);
  const __m512i second = _mm512_gf2p8affine_epi64_epi8(n1, t->down, 0);
  return _mm512_mask_test_epi8_mask(_mm512_cmpge_epu8_mask(b, avx512_fill(0xC0)), row,
                                    _mm512_shuffle_epi8(t->bits, second));
}

/* Loads text[n..size), padded with zeros. */
ALWAYS_INLINE __m512i avx512_plain_load_at(const uint8_t *text, size_t size, size_t n) {
  if (size <= n) return _mm512_setzero_si512();
  return avx512_load_short(text + n, size - n < 64 ? size - n : 64);
}

/* Returns the lanes of a block at the end of text[0..size) that are not plain. */
ALWAYS_INLINE uint64_t avx512_plain_last(const avx512_plain_tables *t,
                                         const uint8_t *text, size_t size) {
  const __m512i b = avx512_plain_load_at(text, size, 0);
  const __m512i n1 = avx512_plain_load_at(text, size, 1);
  const uint64_t letters = avx512_plain_letters(t, b);
  if (!avx512_plain_leads(t, b, n1)) return letters;
  return letters | avx512_plain_exact(t, b, n1, avx512_plain_load_at(text, size, 2));
}

static size_t avx512_skip_stable(const Utf8Plain *plain, const uint8_t *text,
                                 size_t size, uint64_t *places) {
  const avx512_plain_tables t = avx512_plain_load(plain);
  size_t at = 0;
  for (; size - at >= 64 + 2; at += 64) {
    const __m512i b = avx512_load(text + at), n1 = avx512_load(text + at + 1);
    *places = avx512_plain_letters(&t, b);
    if (avx512_plain_leads(&t, b, n1))
      *places |= avx512_plain_exact(&t, b, n1, avx512_load(text + at + 2));
    if (*places) return at;
  }
  for (; at < size; at += 64) {
    *places = avx512_plain_last(&t, text + at, size - at);
    if (*places) return at;
  }
  *places = 0;
  return size;
}

AVX512_END

#endif
