/* avx512.h: 64 bytes at a time, on x86-64 with VBMI, VBMI2 and GFNI (Ice Lake, Zen 4).
**
** A vector is a whole block, and richer instructions take the place of the three shuffles
** of lookup.h; about ten operations judge 64 bytes:
**   - vpermi2b looks up all 64 possible leads at once: what is special about the byte
**     before. The index's top bit chooses between that table and one of zeros
**   - one shuffle by the high half, which a GFNI bit matrix moves down, says of each byte
**     whether it is a continuation byte and what it may not follow
**   - three saturating subtractions leave the top bit set where the bytes one, two and
**     three before want a continuation byte here; it must agree with there being one
**   - vpternlogd joins three operands, so two accumulators of errors cost one each
**
** Where the shifted bytes come from decides the speed. In the caches: two unaligned loads
** and one permutation. From memory, loads that cross cache lines are slow, and three
** permutations and a prefetch win.
**
** In repair, vpcompressb drops bytes and vpexpandb makes room for longer ones.
*/
#ifndef UTF8_AVX512_H
#define UTF8_AVX512_H

#include "bytes.h"
#ifndef UTF8_KERNEL_SIMDE /* else a test emulates all this on older processors */
#include <immintrin.h>
#define AVX512_TARGET                                                                  \
  __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,"   \
                        "gfni,bmi,bmi2,lzcnt,popcnt")))
#else
#define AVX512_TARGET
#endif

#define K(name)   avx512_##name
#define K_NAME    "avx512"
#define K_TARGET  AVX512_TARGET
#define K_SIZE    64
#define AVX512_OP static inline __attribute__((always_inline)) AVX512_TARGET

typedef __m512i avx512_vector;
typedef size_t avx512_counter;
typedef size_t avx512_sum;

typedef struct avx512_errors {
  __m512i structure; /* top bit: continuation bytes too many or missing */
  __m512i pairs;     /* any bit: a byte that may not follow the one before it */
} avx512_errors;

AVX512_OP __m512i avx512_load(const uint8_t *from) {
  return _mm512_loadu_si512((const void *)from);
}

AVX512_OP __m512i avx512_load_once(const uint8_t *from) {
  __m512i v = avx512_load(from);
#ifndef UTF8_KERNEL_SIMDE
  __asm__("" : "+v"(v));
#endif
  return v;
}

AVX512_OP void avx512_store(uint8_t *to, __m512i v) {
  _mm512_storeu_si512((void *)to, v);
}

AVX512_OP __m512i avx512_fill(int byte) {
  return _mm512_set1_epi8((char)byte);
}

AVX512_OP __m512i avx512_and(__m512i a, __m512i b) {
  return _mm512_and_si512(a, b);
}

AVX512_OP __m512i avx512_or(__m512i a, __m512i b) {
  return _mm512_or_si512(a, b);
}

AVX512_OP __m512i avx512_subs(__m512i a, __m512i b) {
  return _mm512_subs_epu8(a, b);
}

AVX512_OP int avx512_ascii(__m512i v) {
  return _mm512_movepi8_mask(v) == 0;
}

/* v moved up by 16 bytes; below come the last of before. */
AVX512_OP __m512i avx512_middle(__m512i before, __m512i v) {
  return _mm512_alignr_epi64(v, before, 6);
}

AVX512_OP __m512i avx512_shifted_1(__m512i before, __m512i v) {
  return _mm512_alignr_epi8(v, avx512_middle(before, v), 15);
}

AVX512_OP __m512i avx512_shifted_2(__m512i before, __m512i v) {
  return _mm512_alignr_epi8(v, avx512_middle(before, v), 14);
}

AVX512_OP __m512i avx512_shifted_3(__m512i before, __m512i v) {
  return _mm512_alignr_epi8(v, avx512_middle(before, v), 13);
}

/* ---- judging ------------------------------------------------------------------------ */

enum { /* of a lead */
       LEAD_BAD = 1,
       LEAD_E0 = 2,
       LEAD_ED = 4,
       LEAD_F0 = 8,
       LEAD_F4 = 16,
       TAIL =
           128, /* of a continuation byte, besides the leads that it may not follow */
       TAIL_80_8F = TAIL | LEAD_BAD | LEAD_E0 | LEAD_F0,
       TAIL_90_9F = TAIL | LEAD_BAD | LEAD_E0 | LEAD_F4,
       TAIL_A0_BF = TAIL | LEAD_BAD | LEAD_ED | LEAD_F4
};

typedef struct Lookup512 {
  uint8_t shift1[64], shift2[64], shift3[64]; /* indexes: the bytes before 0, 1, ... */
  uint8_t next_items[64];                     /* and those 21 after */
  uint8_t after[64];                          /* by the low six bits of C0..FF */
  uint8_t at[16];                             /* by the high half of a byte */
  uint8_t lead2[16], lead3[16], lead4[16];    /* to be subtracted, as in lookup.h */
  uint64_t high_half[2];                      /* the bit matrix of x >> 4 */
} Lookup512;

#define AVX512_4(x)   x, x, x, x
#define AVX512_16(x)  AVX512_4(x), AVX512_4(x), AVX512_4(x), AVX512_4(x)
#define AVX512_UP4(i) i, i + 1, i + 2, i + 3
#define AVX512_UP16(i)                                                                 \
  AVX512_UP4(i), AVX512_UP4(i + 4), AVX512_UP4(i + 8), AVX512_UP4(i + 12)
#define AVX512_UP64(i)                                                                 \
  AVX512_UP16(i), AVX512_UP16(i + 16), AVX512_UP16(i + 32), AVX512_UP16(i + 48)

static const Lookup512 lookup512 = {
    {AVX512_UP64(63)},
    {AVX512_UP64(62)},
    {AVX512_UP64(61)},
    {AVX512_UP64(21)},
    {[0x00] = LEAD_BAD,
     [0x01] = LEAD_BAD,
     [0x20] = LEAD_E0,
     [0x2D] = LEAD_ED,
     [0x30] = LEAD_F0,
     [0x34] = LEAD_F4,
     [0x35] = LEAD_BAD,
     [0x36] = LEAD_BAD,
     [0x37] = LEAD_BAD,
     [0x38] = AVX512_4(LEAD_BAD),
     AVX512_4(LEAD_BAD)},
    {[8] = TAIL_80_8F, TAIL_90_9F, TAIL_A0_BF, TAIL_A0_BF},
    {AVX512_16(0xC0 - 0x80)},
    {AVX512_16(0xE0 - 0x80)},
    {AVX512_16(0xF0 - 0x80)},
    {0x1020408000000000, 0x1020408000000000}};

typedef struct avx512_tables {
  __m512i after, at, lead2, lead3, lead4, high_half;
  const Lookup512 *lookup;
} avx512_tables;

AVX512_OP __m512i avx512_4_times(const void *row) {
  return _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)row));
}

AVX512_OP avx512_tables avx512_tables_for(void) {
  const Lookup512 *l = &lookup512;
  __asm__("" : "+r"(l)); /* as in lookup_hidden() */
  avx512_tables t = {avx512_load(l->after),
                     avx512_4_times(l->at),
                     avx512_4_times(l->lead2),
                     avx512_4_times(l->lead3),
                     avx512_4_times(l->lead4),
                     avx512_4_times(l->high_half),
                     l};
  return t;
}

/* What is special about each byte if it is a lead. */
AVX512_OP __m512i avx512_leads(const avx512_tables *t, __m512i v) {
  return _mm512_permutex2var_epi8(_mm512_setzero_si512(), v, t->after);
}

/* And what is if it is a continuation byte. */
AVX512_OP __m512i avx512_tails(const avx512_tables *t, __m512i v) {
  return _mm512_shuffle_epi8(t->at, _mm512_gf2p8affine_epi64_epi8(v, t->high_half, 0));
}

/* Truth tables of vpternlogd. */
enum { OR_3 = 0xFE, OR_XOR = 0xF6, OR_AND = 0xF8 }; /* a|b|c, a|(b^c), a|(b&c) */

AVX512_OP avx512_errors avx512_check(const avx512_tables *t, avx512_errors errors,
                                     __m512i v, __m512i back1, __m512i back2,
                                     __m512i back3) {
  __m512i tails = avx512_tails(t, v), leads = avx512_leads(t, back1);
  __m512i wanted = _mm512_ternarylogic_epi64(avx512_subs(back1, t->lead2),
                                             avx512_subs(back2, t->lead3),
                                             avx512_subs(back3, t->lead4), OR_3);
  errors.structure = _mm512_ternarylogic_epi64(errors.structure, wanted, tails, OR_XOR);
  errors.pairs = _mm512_ternarylogic_epi64(errors.pairs, leads, tails, OR_AND);
  return errors;
}

AVX512_OP avx512_errors avx512_check_next(const avx512_tables *t, avx512_errors errors,
                                          __m512i before, __m512i v,
                                          const uint8_t *text, int far) {
  const Lookup512 *l = t->lookup;
  __m512i back3 = _mm512_permutex2var_epi8(before, avx512_load(l->shift3), v), back1,
          back2;
  if (far) {
    back1 = _mm512_permutex2var_epi8(before, avx512_load(l->shift1), v);
    back2 = _mm512_permutex2var_epi8(before, avx512_load(l->shift2), v);
  } else {
    back1 = avx512_load_once(text - 1);
    back2 = avx512_load_once(text - 2);
  }
  return avx512_check(t, errors, v, back1, back2, back3);
}

AVX512_OP avx512_errors avx512_no_errors(void) {
  avx512_errors none = {_mm512_setzero_si512(), _mm512_setzero_si512()};
  return none;
}

AVX512_OP avx512_errors avx512_note(avx512_errors errors, __m512i wrong) {
  errors.pairs = avx512_or(errors.pairs, wrong);
  return errors;
}

AVX512_OP int avx512_any(avx512_errors errors) {
  return (_mm512_movepi8_mask(errors.structure) |
          _mm512_test_epi8_mask(errors.pairs, errors.pairs)) != 0;
}

/* ---- counting ----------------------------------------------------------------------- */

AVX512_OP avx512_counter avx512_no_starts(void) {
  return 0;
}

AVX512_OP avx512_counter avx512_count_starts(avx512_counter counter, __m512i v) {
  uint64_t starts = _mm512_cmpgt_epi8_mask(v, avx512_fill(-65));
  return counter + (size_t)__builtin_popcountll(starts);
}

AVX512_OP avx512_sum avx512_no_sum(void) {
  return 0;
}

AVX512_OP avx512_sum avx512_add_up(avx512_sum sum, avx512_counter counter) {
  return sum + counter;
}

AVX512_OP size_t avx512_total(avx512_sum sum) {
  return sum;
}

/* ---- repair ------------------------------------------------------------------------- */

#include "repair.h"

/* The top bits of a block's 64 bytes. */
AVX512_OP uint64_t avx512_mask(const __m512i block[1]) {
  return _mm512_movepi8_mask(block[0]);
}

AVX512_OP BlockMasks avx512_block_masks(const __m512i block[1]) {
  __m512i v = block[0];
  avx512_tables t = avx512_tables_for();
  __m512i leads = avx512_leads(&t, avx512_shifted_1(_mm512_setzero_si512(), v));
  BlockMasks masks = {~avx512_mask(block), _mm512_cmplt_epi8_mask(v, avx512_fill(-64)),
                      _mm512_cmpge_epu8_mask(v, avx512_fill(0xE0)),
                      _mm512_cmpge_epu8_mask(v, avx512_fill(0xF0)),
                      _mm512_test_epi8_mask(leads, avx512_tails(&t, v))};
  return masks;
}

/* Items are the bytes to keep and EF for each subpart to replace, packed together. 21 of
** them give up to 63 bytes: each item is given three bits of a mask, of which one or all
** are used; pext with what is used packs such masks as the output is packed. There BF and
** BD stand right behind their EF. */
AVX512_OP uint8_t *avx512_move_block(uint8_t *to, const uint8_t *text, BlockPlan plan) {
  const uint64_t one_in_three = 0x1249249249249249;
  enum { ITEMS = 21 };
  uint64_t used = plan.keep | plan.replace;
  __m512i items = _mm512_maskz_compress_epi8(used, avx512_load(text));
  uint64_t replace = _pext_u64(plan.replace, used);
  items = _mm512_mask_mov_epi8(items, replace, avx512_fill(0xEF));
  const __m512i next_items = avx512_load(lookup512.next_items);
  for (int left = __builtin_popcountll(used); left > 0; left -= ITEMS) {
    uint64_t first =
        one_in_three & block_first(3 * (unsigned)(left < ITEMS ? left : ITEMS));
    uint64_t fffd = _pdep_u64(replace, one_in_three) & first;
    uint64_t bytes = first | fffd << 1 | fffd << 2;
    uint64_t ef = _pext_u64(fffd, bytes);
    __m512i out = _mm512_maskz_expand_epi8(_pext_u64(first, bytes), items);
    out = _mm512_mask_mov_epi8(out, ef << 1, avx512_fill(0xBF));
    out = _mm512_mask_mov_epi8(out, ef << 2, avx512_fill(0xBD));
    avx512_store(to, out);
    to += __builtin_popcountll(bytes);
    replace >>= ITEMS;
    items = _mm512_permutexvar_epi8(next_items, items);
  }
  return to;
}

#define K_OWN_REPAIR
#include "generic.h"
#undef AVX512_OP
#endif
