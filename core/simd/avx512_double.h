/* core/simd/avx512_double.h: decodes charsets in which a byte above 7F starts a double-byte code. kernel.h has the
** contract (Utf8DecodeDouble).
**
** A byte above 7F is the first of a code unless it is the second of one. So the parity of its place
** in a run of such bytes decides, which a subtraction finds for 64 bytes at once: its borrow ends
** after the run. vpcompressb then makes a vector of all first bytes, of codes and of ASCII, and one
** of all second bytes; the code points are computed, gathered and written 32 at a time.
*/
#ifndef UTF8_CORE_SIMD_AVX512_DOUBLE_H
#define UTF8_CORE_SIMD_AVX512_DOUBLE_H

#include "core/simd/avx512_decode.h"

AVX512_BEGIN

/* Returns the places of second bytes in a block that starts at a boundary. high has the bytes above
** 7F. */
ALWAYS_INLINE uint64_t avx512_seconds(uint64_t high) {
  const uint64_t odd = 0xAAAAAAAAAAAAAAAA;
  return (((high << 1 | odd) - high) ^ odd) ^ high;
}

/* Returns the units of the index at the pointers of `lanes`, and 0 in the others. Single loads are
** faster than vpgatherdd, and only as many as lanes are needed, rounded up. */
ALWAYS_INLINE __m512i avx512_gather_units(const uint16_t *index, __m512i pointers,
                                          __mmask32 lanes) {
  enum { STEP = 8 };
  uint16_t from[32], to[32];
  avx512_store((uint8_t *)from, _mm512_maskz_compress_epi16(lanes, pointers));
  for (size_t i = 0, n = mask_count(lanes); i < n; i += STEP)
    UNROLL for (size_t k = i; k < i + STEP; k++) to[k] = index[from[k]];
  return _mm512_maskz_expand_epi16(lanes, avx512_load((const uint8_t *)to));
}

/* The code points of 32 characters. */
typedef struct Avx512Codes {
  __m512i unit;
  __mmask32 none; /* double-byte codes that have none */
} Avx512Codes;

/* The numbers of a Utf8DoubleByte, each in all lanes. */
typedef struct Avx512Double {
  const uint16_t *index;
  __m512i flip, first, rows, second, gap, gap_end, cells;
} Avx512Double;

ALWAYS_INLINE Avx512Double avx512_double(const Utf8DoubleByte *c) {
  const Avx512Double d = {
      c->index,
      _mm512_set1_epi16(c->flip),
      _mm512_set1_epi16(c->first),
      _mm512_set1_epi16(c->rows),
      _mm512_set1_epi16(c->second),
      _mm512_set1_epi16(c->gap),
      _mm512_set1_epi16((short)(0x7F + c->gap)),
      _mm512_set1_epi16(c->cells),
  };
  return d;
}

/* Looks 32 characters up, by their first and second bytes. Those below 80 are ASCII. */
ALWAYS_INLINE Avx512Codes avx512_look_up_double(const Avx512Double *d, __m512i first,
                                                __m512i second) {
  const __mmask32 doubles = _mm512_cmpge_epu16_mask(first, _mm512_set1_epi16(0x80));
  const __mmask32 above = _mm512_cmpge_epu16_mask(second, _mm512_set1_epi16(0x7F));
  const __mmask32 in_gap = _mm512_mask_cmplt_epu16_mask(above, second, d->gap_end);
  const __m512i row = _mm512_sub_epi16(_mm512_xor_si512(first, d->flip), d->first);
  __m512i cell = _mm512_sub_epi16(second, d->second);
  cell = _mm512_mask_sub_epi16(cell, above, cell, d->gap);
  __mmask32 known = _mm512_mask_cmplt_epu16_mask(doubles & ~in_gap, row, d->rows);
  known = _mm512_mask_cmplt_epu16_mask(known, cell, d->cells);
  const __m512i pointer = _mm512_add_epi16(_mm512_mullo_epi16(row, d->cells), cell);
  Avx512Codes c;
  c.unit = avx512_gather_units(d->index, pointer, known);
  c.none = doubles & (_mm512_testn_epi16_mask(c.unit, c.unit) |
                      avx512_units_with(c.unit, 0xF800, 0xD800));
  c.unit = _mm512_mask_mov_epi16(first, doubles, c.unit);
  return c;
}

/* Writes the first `count` units, of 32 that are not surrogates. Returns how many bytes. */
ALWAYS_INLINE size_t avx512_put_bmp(uint8_t *out, __m512i unit, size_t count) {
  Avx512Lengths l = {_mm512_cmpge_epu16_mask(unit, _mm512_set1_epi16(0x80)),
                     _mm512_cmpge_epu16_mask(unit, _mm512_set1_epi16(0x800))};
  if (l.two == 0) {
    _mm256_storeu_si256((__m256i *)(void *)out, _mm512_cvtepi16_epi8(unit));
    return count;
  }
  const size_t first = count < 16 ? count : 16;
  const size_t n = avx512_put_16(out, avx512_half(unit, 0), l, first);
  l = (Avx512Lengths){l.two >> 16, l.three >> 16};
  return n + avx512_put_16(out + n, avx512_half(unit, 1), l, count - first);
}

/* Like avx512_put_bmp(), where decoding stops. */
static NOINLINE size_t avx512_put_last(uint8_t *out, __m512i unit, size_t count) {
  return avx512_put_bmp(out, unit, count);
}

/* Returns the place of start number i. */
ALWAYS_INLINE size_t avx512_start(uint64_t starts, size_t i) {
  return mask_lowest(_pdep_u64((uint64_t)1 << i, starts));
}

/* Decodes up to 32 of the characters in the `count` bytes v at in + *at, which is a boundary, and moves
** *at past them. Returns 0, and stops, at what it does not decode. The next block does not wait for
** the code points of this one. */
ALWAYS_INLINE int avx512_double_block(const Avx512Double *d, const uint8_t *in,
                                      size_t size, size_t *at, size_t count, __m512i v,
                                      uint8_t **out) {
  const size_t after = size - *at - 1;
  const __m512i next = after >= BLOCK ? avx512_load(in + *at + 1)
                                      : avx512_load_short(in + *at + 1, after);
  const uint64_t high = _mm512_movepi8_mask(v), seconds = avx512_seconds(high);
  const uint64_t starts = ~seconds & mask_first(count);
  const __m512i first = _mm512_maskz_compress_epi8(starts, v);
  const __m512i second = _mm512_maskz_compress_epi8(starts, next);
  const size_t all = mask_count(starts), some = all < 32 ? all : 32;
  const Avx512Codes c =
      avx512_look_up_double(d, _mm512_cvtepu8_epi16(avx512_half(first, 0)),
                            _mm512_cvtepu8_epi16(avx512_half(second, 0)));
  const uint64_t none = c.none & mask_first(some);
  if (UNLIKELY(none)) {
    *out += avx512_put_last(*out, c.unit, mask_lowest(none));
    *at += avx512_start(starts, mask_lowest(none));
    return 0;
  }
  *out += avx512_put_bmp(*out, c.unit, some);
  *at += all > 32 ? avx512_start(starts, 32)
                  : count + ((high & ~seconds) >> (count - 1) & 1);
  return 1;
}

/* Writes the ASCII that v starts with, if it is long, and returns how many bytes, else 0. */
ALWAYS_INLINE size_t avx512_put_ascii(uint8_t *out, __m512i v) {
  enum { LONG = 12 };
  const size_t ascii = mask_lowest((uint64_t)_mm512_movepi8_mask(v));
  if (ascii < LONG) return 0;
  avx512_store(out, v);
  return ascii;
}

static size_t avx512_decode_double(const Utf8DoubleByte *charset, const uint8_t *in,
                                   size_t size, size_t until, size_t *at, uint8_t *out,
                                   size_t room) {
  const Avx512Double d = avx512_double(charset);
  uint8_t *to = out;
  int goes_on = 1;
  while (goes_on && *at < until && room - (size_t)(to - out) >= 2 * BLOCK) {
    const size_t count = until - *at < BLOCK ? until - *at : BLOCK;
    const __m512i v =
        count == BLOCK ? avx512_load(in + *at) : avx512_load_short(in + *at, count);
    if (count == BLOCK && avx512_ascii(v)) {
      to += avx512_copy_ascii(in, until, at, to, room - (size_t)(to - out));
      continue;
    }
    const size_t ascii = avx512_ascii(v) ? 0 : avx512_put_ascii(to, v);
    to += ascii;
    *at += ascii;
    if (ascii == 0) goes_on = avx512_double_block(&d, in, size, at, count, v, &to);
  }
  return (size_t)(to - out);
}

AVX512_END

#endif
