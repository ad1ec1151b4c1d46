/* core/simd/avx512.h: the kernel for x86-64 with VBMI, VBMI2 and GFNI (Ice Lake, Zen 4), 64 bytes at a
** time. generic.h explains the operations.
**
** A vector is a whole block, and richer instructions replace the three shuffles of lookup.h.
** About ten operations check 64 bytes:
**   - vpermi2b looks up the byte before in a table of all 64 lead bytes: is it one that not
**     every continuation byte may follow? Bit 6 of that byte chooses between this table and
**     one of zeros.
**   - One shuffle by the high half, which a GFNI bit matrix moves down, finds out of each byte
**     whether it is a continuation byte and which lead bytes it may not follow.
**   - Three saturating subtractions leave the top bit set where a lead byte one, two or three
**     bytes before needs a continuation byte here. There must be one in just these places.
**   - vpternlogd combines three operands, so each of two error accumulators costs one.
**
** The source of the shifted bytes decides the speed. From the caches, two unaligned loads and
** one permutation are best. From memory, loads that cross cache lines are slow, and three
** permutations and a prefetch are better.
**
** In repair, vpcompressb drops bytes and vpexpandb makes room for longer ones.
*/
#ifndef UTF8_CORE_SIMD_AVX512_H
#define UTF8_CORE_SIMD_AVX512_H

#include "core/simd/block.h"
#include "core/bytes.h"
#include "core/simd/edge.h"
#include "core/simd/kernel.h"
#include "core/simd/scalar.h"
#include "core/simd/tables/pair_rows.h"
#ifdef UTF8_KERNEL_SIMDE /* a test emulates the instructions */
#define AVX512_BEGIN
#define AVX512_END
#else
#include <immintrin.h>
#define AVX512_BEGIN                                                                   \
  TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,gfni,bmi,"   \
               "bmi2,lzcnt,popcnt")
#define AVX512_END TARGET_END
#endif

AVX512_BEGIN

#define K(name) avx512_##name
#define K_SIZE  64

typedef __m512i avx512_vector;
typedef size_t avx512_counter;
typedef size_t avx512_sum;

typedef struct avx512_errors {
  __m512i structure; /* top bit: a continuation byte too many, or one missing */
  __m512i pairs;     /* any bit: a continuation byte that may not follow its lead */
} avx512_errors;

ALWAYS_INLINE __m512i avx512_load(const uint8_t *from) {
  return _mm512_loadu_si512((const void *)from);
}

ALWAYS_INLINE __m512i avx512_load_once(const uint8_t *from) {
  __m512i v = avx512_load(from);
#ifndef UTF8_KERNEL_SIMDE
  __asm__("" : "+v"(v));
#endif
  return v;
}

ALWAYS_INLINE __m512i avx512_load_short(const uint8_t *text, size_t size) {
  return _mm512_maskz_loadu_epi8(mask_first(size), (const void *)text);
}

ALWAYS_INLINE __m512i avx512_load_end(const uint8_t *text, size_t size) {
  return avx512_load_short(text, size);
}

ALWAYS_INLINE void avx512_store(uint8_t *to, __m512i v) {
  _mm512_storeu_si512((void *)to, v);
}

ALWAYS_INLINE __m512i avx512_fill(int byte) {
  return _mm512_set1_epi8((char)byte);
}

ALWAYS_INLINE __m512i avx512_and(__m512i a, __m512i b) {
  return _mm512_and_si512(a, b);
}

ALWAYS_INLINE __m512i avx512_or(__m512i a, __m512i b) {
  return _mm512_or_si512(a, b);
}

ALWAYS_INLINE __m512i avx512_subs(__m512i a, __m512i b) {
  return _mm512_subs_epu8(a, b);
}

ALWAYS_INLINE int avx512_ascii(__m512i v) {
  return _mm512_movepi8_mask(v) == 0;
}

/* Moves v up by 16 bytes, and the last 16 of `before` in below them. */
ALWAYS_INLINE __m512i avx512_middle(__m512i before, __m512i v) {
  return _mm512_alignr_epi64(v, before, 6);
}

ALWAYS_INLINE __m512i avx512_shifted_1(__m512i before, __m512i v) {
  return _mm512_alignr_epi8(v, avx512_middle(before, v), 15);
}

ALWAYS_INLINE __m512i avx512_shifted_2(__m512i before, __m512i v) {
  return _mm512_alignr_epi8(v, avx512_middle(before, v), 14);
}

ALWAYS_INLINE __m512i avx512_shifted_3(__m512i before, __m512i v) {
  return _mm512_alignr_epi8(v, avx512_middle(before, v), 13);
}

/* ---- checking ----------------------------------------------------------------------- */

/* The lead bytes that not every continuation byte may follow, one bit for each kind; and the
** continuation bytes, with the leads that they may not follow. */
enum {
  LEAD_INVALID = 1, /* C0, C1, F5..FF: none may */
  LEAD_E0 = 2,
  LEAD_ED = 4,
  LEAD_F0 = 8,
  LEAD_F4 = 16,
  CONTINUATION = 128,
  CONTINUATION_80_8F = CONTINUATION | LEAD_INVALID | LEAD_E0 | LEAD_F0,
  CONTINUATION_90_9F = CONTINUATION | LEAD_INVALID | LEAD_E0 | LEAD_F4,
  CONTINUATION_A0_BF = CONTINUATION | LEAD_INVALID | LEAD_ED | LEAD_F4
};

typedef struct Lookup512 {
  uint8_t shift1[64], shift2[64], shift3[64]; /* indexes one, two, three bytes before */
  uint8_t next_items[64];                     /* indexes 21 bytes after */
  uint8_t leads[64];                       /* LEAD_.. by the low six bits of C0..FF */
  uint8_t continuations[16];               /* CONTINUATION_.. by the high half */
  uint8_t lead2[16], lead3[16], lead4[16]; /* subtracted, as in lookup.h */
  uint64_t high_half[2];                   /* the bit matrix of x >> 4 */
} Lookup512;

#define AVX512_4(x)   x, x, x, x
#define AVX512_16(x)  AVX512_4(x), AVX512_4(x), AVX512_4(x), AVX512_4(x)
#define AVX512_UP4(i) i, i + 1, i + 2, i + 3
#define AVX512_UP16(i)                                                                 \
  AVX512_UP4(i), AVX512_UP4(i + 4), AVX512_UP4(i + 8), AVX512_UP4(i + 12)
#define AVX512_UP64(i)                                                                 \
  AVX512_UP16(i), AVX512_UP16(i + 16), AVX512_UP16(i + 32), AVX512_UP16(i + 48)

/* A macro's values for i and the numbers after it. */
#define AVX512_OF_4(item, i) item(i), item((i) + 1), item((i) + 2), item((i) + 3)
#define AVX512_OF_16(item, i)                                                          \
  AVX512_OF_4(item, i), AVX512_OF_4(item, (i) + 4), AVX512_OF_4(item, (i) + 8),        \
      AVX512_OF_4(item, (i) + 12)
#define AVX512_OF_64(item, i)                                                          \
  AVX512_OF_16(item, i), AVX512_OF_16(item, (i) + 16), AVX512_OF_16(item, (i) + 32),   \
      AVX512_OF_16(item, (i) + 48)

static const Lookup512 lookup512 = {{AVX512_UP64(63)},
                                    {AVX512_UP64(62)},
                                    {AVX512_UP64(61)},
                                    {AVX512_UP64(21)},
                                    {[0x00] = LEAD_INVALID,
                                     [0x01] = LEAD_INVALID,
                                     [0x20] = LEAD_E0,
                                     [0x2D] = LEAD_ED,
                                     [0x30] = LEAD_F0,
                                     [0x34] = LEAD_F4,
                                     [0x35] = LEAD_INVALID,
                                     [0x36] = LEAD_INVALID,
                                     [0x37] = LEAD_INVALID,
                                     [0x38] = AVX512_4(LEAD_INVALID),
                                     AVX512_4(LEAD_INVALID)},
                                    {[8] = CONTINUATION_80_8F,
                                     CONTINUATION_90_9F,
                                     CONTINUATION_A0_BF,
                                     CONTINUATION_A0_BF},
                                    {AVX512_16(0xC0 - 0x80)},
                                    {AVX512_16(0xE0 - 0x80)},
                                    {AVX512_16(0xF0 - 0x80)},
                                    {0x1020408000000000, 0x1020408000000000}};

typedef struct avx512_tables {
  __m512i leads, continuations, lead2, lead3, lead4, high_half;
  const Lookup512 *lookup;
} avx512_tables;

/* Returns a vector with the 16 bytes at row in each quarter. */
ALWAYS_INLINE __m512i avx512_4_times(const void *row) {
  return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)row));
}

ALWAYS_INLINE avx512_tables avx512_load_tables(void) {
  const Lookup512 *l = &lookup512;
  OPAQUE_POINTER(l);
  avx512_tables t = {avx512_load(l->leads),
                     avx512_4_times(l->continuations),
                     avx512_4_times(l->lead2),
                     avx512_4_times(l->lead3),
                     avx512_4_times(l->lead4),
                     avx512_4_times(l->high_half),
                     l};
  return t;
}

/* Returns LEAD_.. for C0..FF, and 0 for 00..3F and 80..BF. Looks up 40..7F like C0..FF, which
** adds no error: no continuation byte may follow ASCII. */
ALWAYS_INLINE __m512i avx512_leads(const avx512_tables *t, __m512i v) {
  return _mm512_permutex2var_epi8(_mm512_setzero_si512(), v, t->leads);
}

/* Returns CONTINUATION_.. for each byte, or 0. */
ALWAYS_INLINE __m512i avx512_continuations(const avx512_tables *t, __m512i v) {
  return _mm512_shuffle_epi8(t->continuations,
                             _mm512_gf2p8affine_epi64_epi8(v, t->high_half, 0));
}

/* Truth tables of vpternlogd. */
enum { OR_3 = 0xFE, OR_XOR = 0xF6, OR_AND = 0xF8 }; /* a|b|c, a|(b^c), a|(b&c) */

ALWAYS_INLINE avx512_errors avx512_check(const avx512_tables *t, avx512_errors errors,
                                         __m512i v, __m512i back1, __m512i back2,
                                         __m512i back3) {
  __m512i found = avx512_continuations(t, v), leads = avx512_leads(t, back1);
  __m512i due = _mm512_ternarylogic_epi64(avx512_subs(back1, t->lead2),
                                          avx512_subs(back2, t->lead3),
                                          avx512_subs(back3, t->lead4), OR_3);
  errors.structure = _mm512_ternarylogic_epi64(errors.structure, due, found, OR_XOR);
  errors.pairs = _mm512_ternarylogic_epi64(errors.pairs, leads, found, OR_AND);
  return errors;
}

ALWAYS_INLINE avx512_errors avx512_check_next(const avx512_tables *t,
                                              avx512_errors errors, __m512i before,
                                              __m512i v, const uint8_t *text, int far) {
  const Lookup512 *l = t->lookup;
  __m512i back3 = _mm512_permutex2var_epi8(before, avx512_load(l->shift3), v);
  __m512i back1, back2;
  if (far) {
    back1 = _mm512_permutex2var_epi8(before, avx512_load(l->shift1), v);
    back2 = _mm512_permutex2var_epi8(before, avx512_load(l->shift2), v);
  } else {
    back1 = avx512_load_once(text - 1);
    back2 = avx512_load_once(text - 2);
  }
  return avx512_check(t, errors, v, back1, back2, back3);
}

ALWAYS_INLINE avx512_errors avx512_no_errors(void) {
  avx512_errors none = {_mm512_setzero_si512(), _mm512_setzero_si512()};
  return none;
}

ALWAYS_INLINE avx512_errors avx512_note(avx512_errors errors, __m512i wrong) {
  errors.pairs = avx512_or(errors.pairs, wrong);
  return errors;
}

ALWAYS_INLINE int avx512_any(avx512_errors errors) {
  return (_mm512_movepi8_mask(errors.structure) |
          _mm512_test_epi8_mask(errors.pairs, errors.pairs)) != 0;
}

/* ---- counting ----------------------------------------------------------------------- */

ALWAYS_INLINE avx512_counter avx512_no_starts(void) {
  return 0;
}

ALWAYS_INLINE avx512_counter avx512_count_starts(avx512_counter counter, __m512i v) {
  uint64_t starts = _mm512_cmpgt_epi8_mask(v, avx512_fill(-65));
  return counter + mask_count(starts);
}

ALWAYS_INLINE avx512_sum avx512_no_sum(void) {
  return 0;
}

ALWAYS_INLINE avx512_sum avx512_add_up(avx512_sum sum, avx512_counter counter) {
  return sum + counter;
}

ALWAYS_INLINE size_t avx512_total(avx512_sum sum) {
  return sum;
}

/* ---- repair ------------------------------------------------------------------------- */

ALWAYS_INLINE BlockMasks avx512_block_masks(const uint8_t *text) {
  __m512i v = avx512_load(text);
  avx512_tables t = avx512_load_tables();
  __m512i leads = avx512_leads(&t, avx512_shifted_1(_mm512_setzero_si512(), v));
  BlockMasks masks = {~_mm512_movepi8_mask(v),
                      _mm512_cmplt_epi8_mask(v, avx512_fill(-64)),
                      _mm512_cmpge_epu8_mask(v, avx512_fill(0xE0)),
                      _mm512_cmpge_epu8_mask(v, avx512_fill(0xF0)),
                      _mm512_test_epi8_mask(leads, avx512_continuations(&t, v))};
  return masks;
}

/* Writes the first `count` bytes of items, at most 21, and BF BD after those in replace, which
** are EF. In the masks below, item i has bits 3i to 3i + 2: it uses the first of them, or all.
** pext drops the bits that are not in use, so that bit i is byte i of the output. */
ALWAYS_INLINE uint8_t *avx512_put_items(uint8_t *to, __m512i items, unsigned count,
                                        uint64_t replace) {
  const uint64_t one_in_three = 0x1249249249249249;
  uint64_t first = one_in_three & mask_first(3 * count);
  uint64_t fffd = _pdep_u64(replace, one_in_three) & first;
  uint64_t bytes = first | fffd << 1 | fffd << 2;
  uint64_t ef = _pext_u64(fffd, bytes);
  __m512i out = _mm512_maskz_expand_epi8(_pext_u64(first, bytes), items);
  out = _mm512_mask_mov_epi8(out, ef << 1, avx512_fill(0xBF));
  out = _mm512_mask_mov_epi8(out, ef << 2, avx512_fill(0xBD));
  avx512_store(to, out);
  return to + mask_count(bytes);
}

/* Writes to `to` what the plan makes of the block at text, and returns where that ends. An item
** is a byte to keep or a subpart to replace; 21 of them become up to 63 bytes. */
ALWAYS_INLINE uint8_t *avx512_move_block(uint8_t *to, const uint8_t *text,
                                         BlockPlan plan) {
  enum { ITEMS = 21 };
  uint64_t used = plan.keep | plan.replace;
  uint64_t replace = _pext_u64(plan.replace, used);
  __m512i items = _mm512_maskz_compress_epi8(used, avx512_load(text));
  items = _mm512_mask_mov_epi8(items, replace, avx512_fill(0xEF));
  const __m512i next_items = avx512_load(lookup512.next_items);
  for (int left = (int)mask_count(used); left > 0; left -= ITEMS) {
    to = avx512_put_items(to, items, left < ITEMS ? (unsigned)left : ITEMS, replace);
    replace >>= ITEMS;
    items = _mm512_permutexvar_epi8(next_items, items);
  }
  return to;
}

#include "core/simd/avx512_pairs.h"
#include "core/simd/generic.h"

AVX512_END

#endif
