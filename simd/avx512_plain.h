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

/* Returns the lanes of `lanes` whose code points are not plain by the table of their group of 512.
** `high` has the byte with the first three bits of their number in the group, `low` the next. */
ALWAYS_INLINE uint64_t avx512_plain_in_group(const avx512_plain_tables *t,
                                             const uint8_t group[64], uint64_t lanes,
                                             __m512i high, __m512i low) {
  const __m512i place = avx512_plain_place(t, high, low);
  const __m512i row = _mm512_permutexvar_epi8(place, avx512_load(group));
  return _mm512_mask_test_epi8_mask(lanes, row, avx512_plain_bit(t, low));
}

/* Returns the lanes of `lanes` whose code points, of two bytes, are not plain. text is the block: its
** bytes choose the groups, of which most blocks have one. */
ALWAYS_INLINE uint64_t avx512_plain_two(const avx512_plain_tables *t,
                                        const uint8_t *text, uint64_t lanes, __m512i b,
                                        __m512i n1) {
  uint64_t changes = 0;
  while (lanes) {
    const int lead = text[mask_lowest(lanes)] & 0xF8;
    const uint64_t mine = _mm512_mask_cmpeq_epi8_mask(
        lanes, _mm512_and_si512(b, avx512_fill(0xF8)), avx512_fill(lead));
    const uint8_t *group = t->plain->two + 8 * (lead & 0x18);
    changes |= avx512_plain_in_group(t, group, mine, b, n1);
    lanes &= ~mine & (lanes - 1);
  }
  return changes;
}

/* Like avx512_plain_two(), for code points of three bytes. Those of the groups start with E0..E3. */
ALWAYS_INLINE uint64_t avx512_plain_three(const avx512_plain_tables *t,
                                          const uint8_t *text, uint64_t lanes,
                                          __m512i b, __m512i n1, __m512i n2) {
  const uint8_t *three = t->plain->three;
  const __m512i number = avx512_plain_place(t, b, n1);
  const __m512i row =
      _mm512_permutex2var_epi8(avx512_load(three), number, avx512_load(three + 64));
  lanes = _mm512_mask_test_epi8_mask(lanes, row, avx512_plain_bit(t, n1));
  uint64_t changes = lanes & _mm512_cmpge_epu8_mask(b, avx512_fill(0xE4));
  lanes &= ~changes;
  while (lanes) {
    const unsigned own = plain_number(text + mask_lowest(lanes));
    const unsigned group = plain_group_of[own];
    const uint64_t mine =
        _mm512_mask_cmpeq_epi8_mask(lanes, number, avx512_fill((int)own));
    changes |= group
                   ? avx512_plain_in_group(t, t->plain->groups[group - 1], mine, n1, n2)
                   : mine;
    lanes &= ~mine & (lanes - 1);
  }
  return changes;
}

/* Like avx512_plain_two(), for code points of four bytes. */
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

/* Returns the lanes of `lanes`, which leads[] does not decide, whose code points are not plain. */
ALWAYS_INLINE uint64_t avx512_plain_exact(const avx512_plain_tables *t,
                                          const uint8_t *text, uint64_t lanes,
                                          __m512i b, __m512i n1, __m512i n2) {
  const uint64_t starts3 = lanes & _mm512_cmpge_epu8_mask(b, avx512_fill(0xE0));
  const uint64_t starts4 = lanes & _mm512_cmpge_epu8_mask(b, avx512_fill(0xF0));
  uint64_t changes = avx512_plain_two(t, text, lanes & ~starts3, b, n1);
  if (starts3 & ~starts4)
    changes |= avx512_plain_three(t, text, starts3 & ~starts4, b, n1, n2);
  if (starts4)
    changes |= avx512_plain_four(t, starts4, avx512_plain_place(t, b, n1), b, n1, n2);
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

/* Moves v down by one byte or two, and the first bytes of `next` in above them. */
ALWAYS_INLINE __m512i avx512_after_1(__m512i v, __m512i next) {
  return _mm512_alignr_epi8(_mm512_alignr_epi64(next, v, 2), v, 1);
}
ALWAYS_INLINE __m512i avx512_after_2(__m512i v, __m512i next) {
  return _mm512_alignr_epi8(_mm512_alignr_epi64(next, v, 2), v, 2);
}

/* Returns the lanes of the block at text, with two bytes after it, that leads[] does not decide. */
ALWAYS_INLINE uint64_t avx512_plain_unknown(const avx512_plain_tables *t,
                                            const uint8_t *text) {
  return avx512_plain_leads(t, avx512_load(text), avx512_load(text + 1));
}

/* Returns those of them that are not plain. */
ALWAYS_INLINE uint64_t avx512_plain_known(const avx512_plain_tables *t,
                                          const uint8_t *text, uint64_t unknown) {
  return avx512_plain_exact(t, text, unknown, avx512_load(text), avx512_load(text + 1),
                            avx512_load(text + 2));
}

/* Returns the lanes of a block at the end of text[0..size) that are not plain. */
static NOINLINE uint64_t avx512_plain_last(const avx512_plain_tables *t,
                                           const uint8_t *text, size_t size) {
  const __m512i b = avx512_load_short(text, size < 64 ? size : 64);
  const __m512i next =
      size > 64 ? avx512_load_short(text + 64, size - 64) : _mm512_setzero_si512();
  const __m512i n1 = avx512_after_1(b, next);
  const uint64_t letters = avx512_plain_letters(t, b);
  const uint64_t unknown = avx512_plain_leads(t, b, n1);
  if (!unknown) return letters;
  return letters | avx512_plain_exact(t, text, unknown, b, n1, avx512_after_2(b, next));
}

/* Returns the first lead byte that leads[] does not decide alone. */
ALWAYS_INLINE int avx512_plain_first(const avx512_plain_tables *t) {
  const uint64_t some = _mm512_test_epi8_mask(t->leads, t->leads);
  return 0xC0 + (int)mask_lowest(some | (uint64_t)1 << 63);
}

/* Returns how much of text[at..size) is passed over 256 bytes at a time: no byte is as high as the first
** lead byte whose code points are not all plain. */
ALWAYS_INLINE size_t avx512_skip_low(const avx512_plain_tables *t, const uint8_t *text,
                                     size_t size, size_t at) {
  const __m512i first = avx512_fill(avx512_plain_first(t));
  for (; size - at >= 256; at += 256) {
    const __m512i low =
        _mm512_max_epu8(avx512_load(text + at), avx512_load(text + at + 64));
    const __m512i high =
        _mm512_max_epu8(avx512_load(text + at + 128), avx512_load(text + at + 192));
    if (_mm512_cmpge_epu8_mask(_mm512_max_epu8(low, high), first)) break;
  }
  return at;
}

/* Like skip_stable(), for blocks with two bytes after them. Stores 0 if none has a place. */
ALWAYS_INLINE size_t avx512_skip_blocks(const avx512_plain_tables *t,
                                        const uint8_t *text, size_t size,
                                        uint64_t *places) {
  enum { LOW = 512 }; /* the offset from which skip_low() is tried */
  *places = 0;
  for (size_t at = 0;; at += 64) {
    if (at == LOW) at = avx512_skip_low(t, text, size, at);
    if (size - at < 64 + 2) return at;
    const uint64_t unknown = avx512_plain_unknown(t, text + at);
    if (!unknown) continue;
    *places = avx512_plain_known(t, text + at, unknown);
    if (*places) return at;
  }
}

/* Like avx512_skip_blocks(), if A..Z are not plain. */
ALWAYS_INLINE size_t avx512_skip_letters(const avx512_plain_tables *t,
                                         const uint8_t *text, size_t size,
                                         uint64_t *places) {
  size_t at = 0;
  *places = 0;
  for (; size - at >= 64 + 2; at += 64) {
    const uint64_t unknown = avx512_plain_unknown(t, text + at);
    *places = avx512_plain_letters(t, avx512_load(text + at));
    if (unknown) *places |= avx512_plain_known(t, text + at, unknown);
    if (*places) break;
  }
  return at;
}

static size_t avx512_skip_stable(const Utf8Plain *plain, const uint8_t *text,
                                 size_t size, uint64_t *places) {
  const avx512_plain_tables t = avx512_plain_load(plain);
  size_t at = plain->letters ? avx512_skip_letters(&t, text, size, places)
                             : avx512_skip_blocks(&t, text, size, places);
  for (; !*places && at < size; at += size - at < 64 ? size - at : 64) {
    *places = avx512_plain_last(&t, text + at, size - at);
    if (*places) break;
  }
  return at;
}

/* Is the block v, before which comes `before`, without errors, and plain? `next` comes after it, and
** is 0 if the text ends. */
ALWAYS_INLINE int avx512_is_stable_block(const avx512_plain_tables *t,
                                         const uint8_t *text, __m512i before, __m512i v,
                                         __m512i next) {
  const avx512_tables tables = avx512_load_tables();
  const avx512_errors errors =
      avx512_check_after(&tables, avx512_no_errors(), before, v);
  const __m512i n1 = avx512_after_1(v, next);
  const uint64_t unknown = avx512_plain_leads(t, v, n1);
  if (avx512_any(errors)) return 0;
  if (!unknown) return 1;
  return !avx512_plain_exact(t, text, unknown, v, n1, avx512_after_2(v, next));
}

static int avx512_is_stable(const Utf8Plain *plain, const uint8_t *text, size_t size) {
  const avx512_plain_tables t = avx512_plain_load(plain);
  const __m512i zero = _mm512_setzero_si512();
  uint64_t places;
  if (size > 128) {
    if (avx512_valid(text, size) < size) return 0;
    avx512_skip_stable(plain, text, size, &places);
    return !places;
  }
  const __m512i v = avx512_load_short(text, size < 64 ? size : 64);
  const __m512i last = size > 64 ? avx512_load_short(text + 64, size - 64) : zero;
  if (avx512_plain_letters(&t, v) | avx512_plain_letters(&t, last)) return 0;
  if (avx512_any(avx512_check_end(avx512_no_errors(), size > 64 ? last : v))) return 0;
  if (!avx512_is_stable_block(&t, text, zero, v, last)) return 0;
  return size <= 64 || avx512_is_stable_block(&t, text + 64, v, last, zero);
}

AVX512_END

#endif
