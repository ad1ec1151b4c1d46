/* core/simd/avx512_set.h: skip_outside() and prefix_outside() of kernel.h for AVX-512, with the tables of codeset.h in
** registers.
**
** A code point is looked up at its first byte b; n1 and n2 have the two bytes after each. The lead
** bytes of most text are outside of the set by leads[]: nothing else is loaded then. Else a code point's number
** without the last three bits selects a byte of a table, by vpermi2b, and these three bits
** select a bit of it. So code points of one and two bytes are known exactly; others first by 64
** neighbours, and then exactly in the groups of codeset.h.
*/
#ifndef UTF8_CORE_SIMD_AVX512_SET_H
#define UTF8_CORE_SIMD_AVX512_SET_H

#include "core/simd/avx512.h"
#include "core/simd/portable_set.h"

AVX512_BEGIN

/* A group of 512 code points: its tables, and the key of each. */
typedef struct avx512_set_group {
  __m512i key, row;
  const uint8_t *singles;
} avx512_set_group;

/* two and three are the groups that were looked at last: those of the next block are usually the same.
** Their singles are NULL before the first. */
typedef struct avx512_set_tables {
  const Utf8CodeSet *set;
  avx512_set_group two, three;
  __m512i leads;
  __m512i up, down; /* bit matrices: byte << 3, byte >> 3 & 7 */
  __m512i bits;     /* 1 << (index & 7), for vpshufb */
} avx512_set_tables;

ALWAYS_INLINE avx512_set_group avx512_set_group_of(int key, const uint8_t *row,
                                                   const uint8_t *singles) {
  return (avx512_set_group){avx512_fill(key), avx512_load(row), singles};
}

ALWAYS_INLINE avx512_set_tables avx512_set_load(const Utf8CodeSet *set) {
  avx512_set_tables t;
  t.set = set;
  t.two.singles = t.three.singles = NULL;
  t.leads = avx512_load(set->leads);
  t.up = _mm512_set1_epi64(0x0000000102040810);
  t.down = _mm512_set1_epi64(0x0810200000000000);
  t.bits = _mm512_set1_epi64((long long)0x8040201008040201u);
  return t;
}

/* Returns 8 * (high & 31) + (low >> 3 & 7) for each byte. */
ALWAYS_INLINE __m512i avx512_set_place(const avx512_set_tables *t, __m512i high,
                                       __m512i low) {
  return _mm512_or_si512(_mm512_gf2p8affine_epi64_epi8(high, t->up, 0),
                         _mm512_gf2p8affine_epi64_epi8(low, t->down, 0));
}

/* Returns 1 << (low & 7) for each byte. */
ALWAYS_INLINE __m512i avx512_set_bit(const avx512_set_tables *t, __m512i low) {
  return _mm512_shuffle_epi8(t->bits, _mm512_and_si512(low, avx512_fill(7)));
}

/* Code points that are in the set, and the singles among them. */
typedef struct avx512_set_found {
  uint64_t members, single;
} avx512_set_found;

/* Adds those of the lanes that are in the set, and returns the lanes that are not of the group. `high` has
** the byte with the first three bits of a code point's number in the group, `low` the next. */
ALWAYS_INLINE uint64_t avx512_set_in_group(const avx512_set_tables *t,
                                           const avx512_set_group *group,
                                           uint64_t lanes, __m512i key, __m512i high,
                                           __m512i low, avx512_set_found *found) {
  const __m512i place = avx512_set_place(t, high, low);
  const __m512i bit = avx512_set_bit(t, low);
  const __m512i row = _mm512_permutexvar_epi8(place, group->row);
  const uint64_t mine = _mm512_mask_cmpeq_epi8_mask(lanes, key, group->key);
  const uint64_t members = _mm512_mask_test_epi8_mask(mine, row, bit);
  if (members) {
    const __m512i singles = _mm512_permutexvar_epi8(place, avx512_load(group->singles));
    found->members |= members;
    found->single |= _mm512_mask_test_epi8_mask(members, singles, bit);
  }
  return lanes & ~mine;
}

/* Adds those of the lanes, code points of two bytes, that are in the set. text is the block: its bytes choose
** the groups, of which most blocks have one. */
ALWAYS_INLINE void avx512_set_two(avx512_set_tables *t, const uint8_t *text,
                                  uint64_t lanes, __m512i b, __m512i n1,
                                  avx512_set_found *found) {
  const __m512i key = _mm512_and_si512(b, avx512_fill(0xF8));
  for (;;) {
    if (t->two.singles)
      lanes = avx512_set_in_group(t, &t->two, lanes, key, b, n1, found);
    if (!lanes) return;
    const int lead = text[mask_lowest(lanes)] & 0xF8;
    const size_t group = 8 * (size_t)(lead & 0x18);
    t->two =
        avx512_set_group_of(lead, t->set->two + group, t->set->singles->two + group);
  }
}

/* Returns the group of the code point of three bytes at p. */
ALWAYS_INLINE avx512_set_group avx512_set_group_at(const Utf8CodeSet *set,
                                                   const uint8_t *p) {
  static const uint8_t all[64] = {AVX512_16(0xFF), AVX512_16(0xFF), AVX512_16(0xFF),
                                  AVX512_16(0xFF)},
                       none[64] = {0};
  const unsigned number = codeset_number(p), group = set->singles->group_of[number];
  return avx512_set_group_of((int)number, group ? set->groups[group - 1] : all,
                             group ? set->singles->groups[group - 1] : none);
}

/* Like avx512_set_two(), for code points of three bytes. */
ALWAYS_INLINE void avx512_set_three(avx512_set_tables *t, const uint8_t *text,
                                    uint64_t lanes, __m512i b, __m512i n1, __m512i n2,
                                    avx512_set_found *found) {
  const uint8_t *three = t->set->three;
  const __m512i number = avx512_set_place(t, b, n1);
  const __m512i row =
      _mm512_permutex2var_epi8(avx512_load(three), number, avx512_load(three + 64));
  lanes = _mm512_mask_test_epi8_mask(lanes, row, avx512_set_bit(t, n1));
  for (;;) {
    if (t->three.singles)
      lanes = avx512_set_in_group(t, &t->three, lanes, number, n1, n2, found);
    if (!lanes) return;
    t->three = avx512_set_group_at(t->set, text + mask_lowest(lanes));
  }
}

/* Returns the lanes of `lanes` whose code points, of four bytes, are in the set. */
static NOINLINE uint64_t avx512_set_four(const avx512_set_tables *t, uint64_t lanes,
                                         __m512i place, __m512i b, __m512i n1,
                                         __m512i n2) {
  const __m512i row = _mm512_permutexvar_epi8(place, avx512_load(t->set->four));
  const uint64_t changes =
      _mm512_mask_test_epi8_mask(lanes, row, avx512_set_bit(t, n1));
  const int fine_of = t->set->fine_of;
  const uint64_t fine = _mm512_mask_cmpeq_epi8_mask(
      _mm512_mask_cmpeq_epi8_mask(changes, b, avx512_fill(0xF0 | fine_of >> 6)), n1,
      avx512_fill(0x80 | (fine_of & 0x3F)));
  const __m512i rows = _mm512_set1_epi64((long long)bytes_load64(t->set->fine));
  const __m512i row2 =
      _mm512_shuffle_epi8(rows, _mm512_gf2p8affine_epi64_epi8(n2, t->down, 0));
  return changes & (~fine | _mm512_test_epi8_mask(row2, avx512_set_bit(t, n2)));
}

/* Returns the lanes at which a letter A..Z is, if these are in the set. */
ALWAYS_INLINE uint64_t avx512_set_letters(const avx512_set_tables *t, __m512i b) {
  if (!t->set->letters) return 0;
  return _mm512_cmplt_epu8_mask(_mm512_sub_epi8(b, avx512_fill('A')), avx512_fill(26));
}

/* Returns the places among `lanes`, which leads[] does not decide. *after is as in codeset_places(). */
ALWAYS_INLINE uint64_t avx512_set_exact(avx512_set_tables *t, const uint8_t *text,
                                        uint64_t lanes, __m512i b, __m512i n1,
                                        __m512i n2, uint64_t *after) {
  avx512_set_found found = {0, 0};
  const uint64_t starts3 = lanes & _mm512_cmpge_epu8_mask(b, avx512_fill(0xE0));
  const uint64_t starts4 = lanes & _mm512_cmpge_epu8_mask(b, avx512_fill(0xF0));
  if (lanes & ~starts3) avx512_set_two(t, text, lanes & ~starts3, b, n1, &found);
  if (starts3 & ~starts4)
    avx512_set_three(t, text, starts3 & ~starts4, b, n1, n2, &found);
  if (starts4)
    found.members |= avx512_set_four(t, starts4, avx512_set_place(t, b, n1), b, n1, n2);
  if (!found.members) return *after = 0;
  const uint64_t continuations = _mm512_cmplt_epi8_mask(b, avx512_fill(-64));
  return codeset_places(found.members, found.single, continuations, after);
}

/* Returns the lanes at which a code point starts that leads[] does not show to be outside of the set. */
ALWAYS_INLINE uint64_t avx512_set_leads(const avx512_set_tables *t, __m512i b,
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
ALWAYS_INLINE uint64_t avx512_set_unknown(const avx512_set_tables *t,
                                          const uint8_t *text) {
  return avx512_set_leads(t, avx512_load(text), avx512_load(text + 1));
}

/* Returns the places among them. */
ALWAYS_INLINE uint64_t avx512_set_known(avx512_set_tables *t, const uint8_t *text,
                                        uint64_t unknown, uint64_t *after) {
  return avx512_set_exact(t, text, unknown, avx512_load(text), avx512_load(text + 1),
                          avx512_load(text + 2), after);
}

/* Returns the places of a block at the end of text[0..size). */
static NOINLINE uint64_t avx512_set_last(avx512_set_tables *t, const uint8_t *text,
                                         size_t size, uint64_t *after) {
  const __m512i b = avx512_load_short(text, size < 64 ? size : 64);
  const __m512i next =
      size > 64 ? avx512_load_short(text + 64, size - 64) : _mm512_setzero_si512();
  const __m512i n1 = avx512_after_1(b, next);
  const uint64_t letters = avx512_set_letters(t, b);
  const uint64_t unknown = avx512_set_leads(t, b, n1);
  if (!unknown) {
    *after = 0;
    return letters;
  }
  return letters |
         avx512_set_exact(t, text, unknown, b, n1, avx512_after_2(b, next), after);
}

/* Returns the first lead byte that leads[] does not decide alone. */
ALWAYS_INLINE int avx512_set_first(const avx512_set_tables *t) {
  const uint64_t some = _mm512_test_epi8_mask(t->leads, t->leads);
  return 0xC0 + (int)mask_lowest(some | (uint64_t)1 << 63);
}

/* Returns how much of text[at..size) is passed over 256 bytes at a time: no byte is as high as the first
** lead byte whose code points may be in the set. */
ALWAYS_INLINE size_t avx512_skip_low(const avx512_set_tables *t, const uint8_t *text,
                                     size_t size, size_t at) {
  const __m512i first = avx512_fill(avx512_set_first(t));
  for (; size - at >= 256; at += 256) {
    const __m512i low =
        _mm512_max_epu8(avx512_load(text + at), avx512_load(text + at + 64));
    const __m512i high =
        _mm512_max_epu8(avx512_load(text + at + 128), avx512_load(text + at + 192));
    if (_mm512_cmpge_epu8_mask(_mm512_max_epu8(low, high), first)) break;
  }
  return at;
}

/* Like skip_outside(), for blocks with two bytes after them. Stores 0 if none has a place. */
ALWAYS_INLINE size_t avx512_skip_blocks(avx512_set_tables *t, const uint8_t *text,
                                        size_t size, uint64_t *places,
                                        uint64_t *after) {
  enum { LOW = 512 }; /* the offset from which skip_low() is tried */
  *places = 0;
  for (size_t at = 0;; at += 64) {
    if (at == LOW) {
      const size_t from = at;
      at = avx512_skip_low(t, text, size, at);
      if (at > from) *after = 0;
    }
    if (size - at < 64 + 2) return at;
    const uint64_t unknown = avx512_set_unknown(t, text + at);
    if (!unknown) {
      *after = 0;
      continue;
    }
    *places = avx512_set_known(t, text + at, unknown, after);
    if (*places) return at;
  }
}

/* Like avx512_skip_blocks(), if A..Z are in the set. */
ALWAYS_INLINE size_t avx512_skip_letters(avx512_set_tables *t, const uint8_t *text,
                                         size_t size, uint64_t *places,
                                         uint64_t *after) {
  size_t at = 0;
  *places = 0;
  for (; size - at >= 64 + 2; at += 64) {
    const uint64_t unknown = avx512_set_unknown(t, text + at);
    *places = avx512_set_letters(t, avx512_load(text + at));
    if (unknown) {
      *places |= avx512_set_known(t, text + at, unknown, after);
    } else {
      *after = 0;
    }
    if (*places) break;
  }
  return at;
}

/* Like skip_outside(). `after` is as in codeset_places(). */
static NOINLINE size_t avx512_skip_from(const Utf8CodeSet *set, const uint8_t *text,
                                        size_t size, uint64_t after, uint64_t *places) {
  avx512_set_tables t = avx512_set_load(set);
  size_t at = set->letters ? avx512_skip_letters(&t, text, size, places, &after)
                           : avx512_skip_blocks(&t, text, size, places, &after);
  for (; !*places && at < size; at += size - at < 64 ? size - at : 64) {
    *places = avx512_set_last(&t, text + at, size - at, &after);
    if (*places) break;
  }
  return at;
}

static size_t avx512_skip_outside(const Utf8CodeSet *set, const uint8_t *text,
                                  size_t size, uint64_t *places) {
  return avx512_skip_from(set, text, size, 1, places);
}

/* Is the block v, before which comes `before`, without errors and places? `next` comes after it, and
** is 0 if the text ends. */
ALWAYS_INLINE int avx512_is_outside_block(avx512_set_tables *t, const uint8_t *text,
                                          __m512i before, __m512i v, __m512i next,
                                          uint64_t *after) {
  const avx512_tables tables = avx512_load_tables();
  const avx512_errors errors =
      avx512_check_after(&tables, avx512_no_errors(), before, v);
  const __m512i n1 = avx512_after_1(v, next);
  const uint64_t unknown = avx512_set_leads(t, v, n1);
  if (avx512_any(errors)) return 0;
  if (unknown)
    return !avx512_set_exact(t, text, unknown, v, n1, avx512_after_2(v, next), after);
  *after = 0;
  return 1;
}

/* prefix_outside() for text of up to two vectors: 0 or size. */
ALWAYS_INLINE size_t avx512_outside_short(avx512_set_tables *t, const uint8_t *text,
                                          size_t size) {
  const __m512i zero = _mm512_setzero_si512();
  uint64_t after = 0;
  const __m512i v = avx512_load_short(text, size < 64 ? size : 64);
  const __m512i last = size > 64 ? avx512_load_short(text + 64, size - 64) : zero;
  if (avx512_set_letters(t, v) | avx512_set_letters(t, last)) return 0;
  if (avx512_any(avx512_check_end(avx512_no_errors(), size > 64 ? last : v))) return 0;
  if (!avx512_is_outside_block(t, text, zero, v, last, &after)) return 0;
  if (size <= 64) return size;
  return avx512_is_outside_block(t, text + 64, v, last, zero, &after) ? size : 0;
}

/* Bits of the tables of avx512_check() that no error uses. A lead byte has one if a code point that starts
** with it is in the set by leads[]: LEAD_8 before 80..8F, LEAD_9 before 90..BF. So a check finds these pairs
** too. */
enum { LEAD_8 = 32, LEAD_9 = 64, LEAD_PAIR = LEAD_8 | LEAD_9 };

/* Returns the tables of avx512_check() with these bits. */
ALWAYS_INLINE avx512_tables avx512_set_pairs(const avx512_set_tables *t) {
  static const uint8_t continuations[16] = {[8] = LEAD_8, LEAD_9, LEAD_9, LEAD_9};
  avx512_tables tables = avx512_load_tables();
  const __m512i before_8 = _mm512_maskz_mov_epi8(
      _mm512_test_epi8_mask(t->leads, avx512_fill(3)), avx512_fill(LEAD_8));
  const __m512i before_9 = _mm512_maskz_mov_epi8(
      _mm512_test_epi8_mask(t->leads, avx512_fill(0xFC)), avx512_fill(LEAD_9));
  tables.leads = _mm512_ternarylogic_epi64(tables.leads, before_8, before_9, OR_3);
  tables.continuations = avx512_or(tables.continuations, avx512_4_times(continuations));
  return tables;
}

/* Are there places in the group of 256 bytes at text? Looks at the code points that start from the byte
** before the group on, and not at one that starts with its last byte. */
ALWAYS_INLINE int avx512_has_place(avx512_set_tables *t, const uint8_t *text,
                                   uint64_t *after) {
  for (int i = 0; i < 4; i++) {
    const uint8_t *p = text + 64 * i - 1;
    const uint64_t unknown = avx512_set_unknown(t, p);
    if (!unknown) {
      *after = 0;
    } else if (avx512_set_known(t, p, unknown, after)) {
      return 1;
    }
  }
  return 0;
}

/* Is the group of 256 bytes at text without errors and places? The latter as in avx512_has_place(). */
ALWAYS_INLINE int avx512_is_outside_group(avx512_set_tables *t,
                                          const avx512_tables *pairs,
                                          const uint8_t *text, uint64_t *after) {
  avx512_errors errors = avx512_no_errors();
  __m512i before = avx512_load_once(text - 64);
  UNROLL for (int i = 0; i < 4; i++) {
    const __m512i v = avx512_load_once(text + 64 * i);
    errors = avx512_check_next(pairs, errors, before, v, text + 64 * i, 0);
    before = v;
  }
  const uint64_t found = _mm512_test_epi8_mask(errors.pairs, errors.pairs);
  if (_mm512_movepi8_mask(errors.structure)) return 0;
  if (!found) {
    *after = 0;
    return 1;
  }
  if (_mm512_test_epi8_mask(errors.pairs, avx512_fill(~LEAD_PAIR))) return 0;
  return !avx512_has_place(t, text, after);
}

/* prefix_outside() for text of more than 256 bytes. Starts with two blocks, so that the groups are aligned. */
static NOINLINE size_t avx512_outside_long(avx512_set_tables *t, const uint8_t *text,
                                           size_t size) {
  const avx512_tables pairs = avx512_set_pairs(t);
  const __m512i v = avx512_load(text), next = avx512_load(text + 64);
  uint64_t after = 0;
  unsigned length;
  if (!avx512_is_outside_block(t, text, _mm512_setzero_si512(), v, next, &after) ||
      !avx512_is_outside_block(t, text + 64, v, next, avx512_load(text + 128), &after))
    return 0;
  size_t at = avx512_first_group(text);
  after =
      !portable_is_outside(t->set, text + bytes_start_before(text, at - 1), &length);
  for (; size - at > 256; at += 256) {
    if (text[at - 1] < 0x80 && avx512_group_is_ascii(text + at)) {
      after = 0;
    } else if (!avx512_is_outside_group(t, &pairs, text + at, &after)) {
      break;
    }
  }
  return bytes_boundary(text, at);
}

static size_t avx512_prefix_outside(const Utf8CodeSet *set, const uint8_t *text,
                                    size_t size) {
  avx512_set_tables t = avx512_set_load(set);
  uint64_t places;
  if (size <= 128) return avx512_outside_short(&t, text, size);
  if (size > KERNEL_SHORT)
    return set->letters ? 0 : avx512_outside_long(&t, text, size);
  if (avx512_valid(text, size) < size) return 0;
  avx512_skip_from(set, text, size, 0, &places);
  return places ? 0 : size;
}

AVX512_END

#endif
