/* core/simd/avx512_decode.h: decodes UTF-16, UTF-32 and Latin-1 to UTF-8. The functions for avx512_convert.h
** are at the end; kernel.h has their contract.
**
** vpmultishiftqb picks eight bits for each byte of a code point's longest sequence. vpcompressb then
** drops the bytes that shorter sequences lack.
*/
#ifndef UTF8_CORE_SIMD_AVX512_DECODE_H
#define UTF8_CORE_SIMD_AVX512_DECODE_H

#include "core/simd/avx512.h"

AVX512_BEGIN

/* In each word of 64 bits, the bit from which vpmultishiftqb picks each byte: of units of 16 bits
** below 800, of code points of 32 bits below 10000, and of those above. */
#define AVX512_PICK_2 _mm512_set1_epi64(0x3036202610160006)
#define AVX512_PICK_3 _mm512_set1_epi64(0x0020262C0000060C)
#define AVX512_PICK_4 _mm512_set1_epi64(0x20262C3200060C12)

/* Bitwise (a & b) | c */
enum { AND_OR = 0xEA };

/* Writes the first `count` of 32 units below 800, those in `two` as two bytes. Returns how many
** bytes. */
ALWAYS_INLINE size_t avx512_put_below_800(uint8_t *out, __m512i unit, __mmask32 two,
                                          size_t count) {
  const uint64_t first_bytes = 0x5555555555555555;
  uint64_t kept = first_bytes | _pdep_u64(two, ~first_bytes);
  kept &= mask_first(2 * count);
  __m512i bytes = _mm512_multishift_epi64_epi8(AVX512_PICK_2, unit);
  bytes = _mm512_ternarylogic_epi32(bytes, avx512_fill(0x3F),
                                    _mm512_set1_epi16((short)0x80C0), AND_OR);
  bytes = _mm512_mask_mov_epi16(unit, two, bytes);
  avx512_store(out, _mm512_maskz_compress_epi8(kept, bytes));
  return mask_count(kept);
}

/* Which of the code points take at least two, and three bytes. */
typedef struct Avx512Lengths {
  uint32_t two, three;
} Avx512Lengths;

/* Returns the bits that UTF-8 adds to code points of up to three bytes. ASCII is in byte 2, and
** gets a bit that only says so. */
ALWAYS_INLINE __m512i avx512_marks(Avx512Lengths l) {
  __m512i marks = _mm512_set1_epi32(0x00800000);
  marks = _mm512_mask_mov_epi32(marks, (__mmask16)l.two, _mm512_set1_epi32(0x0080C000));
  return _mm512_mask_mov_epi32(marks, (__mmask16)l.three,
                               _mm512_set1_epi32(0x008080E0));
}

/* Writes the first `count` of 16 code points, of which the bytes with marks are kept. bytes has six
** bits of a code point in each, except that those not in `more` are ASCII. */
ALWAYS_INLINE size_t avx512_put_marked(uint8_t *out, __m512i bytes, __m512i marks,
                                       __mmask16 more, size_t count) {
  bytes = _mm512_mask_ternarylogic_epi32(bytes, more, avx512_fill(0x3F), marks, AND_OR);
  uint64_t kept = _mm512_test_epi8_mask(marks, marks) & mask_first(4 * count);
  avx512_store(out, _mm512_maskz_compress_epi8(kept, bytes));
  return mask_count(kept);
}

/* Writes the first `count` of 16 code points below 10000. */
ALWAYS_INLINE size_t avx512_put_16(uint8_t *out, __m256i units, Avx512Lengths l,
                                   size_t count) {
  __m512i code = _mm512_cvtepu16_epi32(units);
  return avx512_put_marked(out, _mm512_multishift_epi64_epi8(AVX512_PICK_3, code),
                           avx512_marks(l), (__mmask16)l.two, count);
}

/* ---- UTF-16 --------------------------------------------------------------------------- */

ALWAYS_INLINE __m256i avx512_half(__m512i v, int upper) {
  return upper ? _mm512_extracti64x4_epi64(v, 1) : _mm512_castsi512_si256(v);
}

/* Swaps the two bytes of each unit if the charset is big-endian. */
ALWAYS_INLINE __m512i avx512_native16(__m512i v, int big) {
  return big ? avx512_or(_mm512_slli_epi16(v, 8), _mm512_srli_epi16(v, 8)) : v;
}

/* A mask of the units whose bits in mask have this value. */
ALWAYS_INLINE uint32_t avx512_units_with(__m512i unit, int mask, int value) {
  __m512i bits = avx512_and(unit, _mm512_set1_epi16((short)mask));
  return _mm512_cmpeq_epi16_mask(bits, _mm512_set1_epi16((short)value));
}

/* 32 code units of UTF-16, the block before them, and whether that ends with a high surrogate. */
typedef struct Avx512Utf16 {
  __m512i unit, before;
  uint32_t after_high;
} Avx512Utf16;

/* Indexes of vpermi2w: 16 units, from number i on, each with the unit before it. */
#define AVX512_UNIT(i) 32 + (i), 31 + (i)
static const uint16_t avx512_with_before[32] = {32,
                                                31,
                                                AVX512_UNIT(1),
                                                AVX512_UNIT(2),
                                                AVX512_UNIT(3),
                                                AVX512_OF_4(AVX512_UNIT, 4),
                                                AVX512_OF_4(AVX512_UNIT, 8),
                                                AVX512_OF_4(AVX512_UNIT, 12)};

/* Like avx512_put_16(), for the units from number `from` on: the code point of a pair takes the
** place of the low surrogate. */
ALWAYS_INLINE size_t avx512_put_16_pairs(uint8_t *out, const Avx512Utf16 *u, int from,
                                         Avx512Lengths l, __mmask16 high, __mmask16 low,
                                         size_t count) {
  /* The sum of both surrogates as signed numbers, the high one times 400, is this much less. */
  const int missing = (0x10000 - 0xD800) * 0x400 + (0x10000 - 0xDC00) + 0x10000;
  __m512i index = _mm512_add_epi16(avx512_load((const uint8_t *)avx512_with_before),
                                   _mm512_set1_epi16((short)from));
  __m512i both = _mm512_permutex2var_epi16(u->before, index, u->unit);
  __m512i pair = _mm512_madd_epi16(both, _mm512_set1_epi32(0x400 << 16 | 1));
  __m512i code = avx512_and(both, _mm512_set1_epi32(0xFFFF));
  code = _mm512_mask_add_epi32(code, low, pair, _mm512_set1_epi32(missing));
  __m512i pick = _mm512_mask_mov_epi32(AVX512_PICK_3, low, AVX512_PICK_4);
  __m512i marks =
      _mm512_mask_mov_epi32(avx512_marks(l), low, _mm512_set1_epi32((int)0x808080F0));
  marks = _mm512_mask_mov_epi32(marks, high, _mm512_setzero_si512());
  return avx512_put_marked(out, _mm512_multishift_epi64_epi8(pick, code), marks,
                           (__mmask16)l.two, count);
}

/* Writes the first `count` units, of which some are surrogates, and moves *out past them. Returns 0
** if one of them, or the one before them, is lone. */
ALWAYS_INLINE int avx512_put_pairs(uint8_t **out, Avx512Utf16 *u, Avx512Lengths l,
                                   size_t count) {
  uint32_t high = avx512_units_with(u->unit, 0xFC00, 0xD800);
  uint32_t low = avx512_units_with(u->unit, 0xFC00, 0xDC00);
  uint32_t due = high << 1 | u->after_high;
  if (low != (due & (uint32_t)mask_first(count))) return 0;
  u->after_high = high >> (count - 1);
  size_t first = count < 16 ? count : 16;
  *out += avx512_put_16_pairs(*out, u, 0, l, (__mmask16)high, (__mmask16)low, first);
  l = (Avx512Lengths){l.two >> 16, l.three >> 16};
  *out += avx512_put_16_pairs(*out, u, 16, l, (__mmask16)(high >> 16),
                              (__mmask16)(low >> 16), count - first);
  return 1;
}

/* Like avx512_put_pairs(), for any units. Writes up to 128 bytes. */
ALWAYS_INLINE int avx512_put_units(uint8_t **out, Avx512Utf16 *u, size_t count) {
  Avx512Lengths l = {_mm512_cmpge_epu16_mask(u->unit, _mm512_set1_epi16(0x80)),
                     _mm512_cmpge_epu16_mask(u->unit, _mm512_set1_epi16(0x800))};
  if (UNLIKELY(u->after_high)) return avx512_put_pairs(out, u, l, count);
  if (l.two == 0) {
    _mm256_storeu_si256((__m256i *)(void *)*out, _mm512_cvtepi16_epi8(u->unit));
    *out += count;
    return 1;
  }
  if (l.three == 0) {
    *out += avx512_put_below_800(*out, u->unit, l.two, count);
    return 1;
  }
  if (avx512_units_with(u->unit, 0xF800, 0xD800))
    return avx512_put_pairs(out, u, l, count);
  size_t first = count < 16 ? count : 16;
  *out += avx512_put_16(*out, avx512_half(u->unit, 0), l, first);
  l = (Avx512Lengths){l.two >> 16, l.three >> 16};
  *out += avx512_put_16(*out, avx512_half(u->unit, 1), l, count - first);
  return 1;
}

/* Decodes UTF-16, big-endian if `big`. Stops up to 32 units before a lone surrogate. */
ALWAYS_INLINE size_t avx512_decode_utf16(const uint8_t *in, size_t size, size_t *at,
                                         uint8_t *out, size_t room, int big) {
  uint8_t *to = out, *last = out + room - 2 * BLOCK;
  size_t i = *at;
  int whole = room >= 2 * BLOCK;
  Avx512Utf16 u = {_mm512_setzero_si512(), _mm512_setzero_si512(), 0};
  for (; whole && size - i >= BLOCK && to <= last; i += BLOCK) {
    u.unit = avx512_native16(avx512_load(in + i), big);
    whole = avx512_put_units(&to, &u, BLOCK / 2);
    if (!whole) break;
    u.before = u.unit;
  }
  size_t count = (size - i) / 2;
  if (whole && count > 0 && count < BLOCK / 2 && to <= last) {
    u.unit = avx512_native16(avx512_load_short(in + i, 2 * count), big);
    if (avx512_put_units(&to, &u, count)) i += 2 * count;
  }
  *at = i - 2 * u.after_high;
  return (size_t)(to - out);
}

/* ---- Latin-1 -------------------------------------------------------------------------- */

/* Copies blocks of ASCII. */
static size_t avx512_copy_ascii(const uint8_t *in, size_t size, size_t *at,
                                uint8_t *out, size_t room) {
  size_t n = 0, i = *at;
  for (; size - i >= BLOCK && room - n >= BLOCK; i += BLOCK, n += BLOCK) {
    __m512i v = avx512_load(in + i);
    if (!avx512_ascii(v)) break;
    avx512_store(out + n, v);
  }
  *at = i;
  return n;
}

/* From Latin-1, or, up to the block with the first byte 80..9F, from Windows-1252. */
ALWAYS_INLINE size_t avx512_decode_byte(const uint8_t *in, size_t size, size_t *at,
                                        uint8_t *out, size_t room, int controls) {
  size_t n = 0, i = *at;
  while (i < size && room - n >= 2 * BLOCK) {
    size_t count = size - i < BLOCK ? size - i : BLOCK;
    __m512i v = count == BLOCK ? avx512_load(in + i) : avx512_load_short(in + i, count);
    if (count == BLOCK && avx512_ascii(v)) {
      n += avx512_copy_ascii(in, size, &i, out + n, room - n);
      continue;
    }
    if (!controls && _mm512_cmplt_epi8_mask(v, avx512_fill(-96))) break; /* 80..9F */
    i += count;
    uint64_t two = _mm512_movepi8_mask(v);
    size_t first = count < 32 ? count : 32;
    n += avx512_put_below_800(out + n, _mm512_cvtepu8_epi16(avx512_half(v, 0)),
                              (__mmask32)two, first);
    n += avx512_put_below_800(out + n, _mm512_cvtepu8_epi16(avx512_half(v, 1)),
                              (__mmask32)(two >> 32), count - first);
  }
  *at = i;
  return n;
}

KERNEL_CONVERTER(avx512_decode_latin1, avx512_decode_byte, 1)
KERNEL_CONVERTER(avx512_decode_no_controls, avx512_decode_byte, 0)

/* ---- UTF-32 --------------------------------------------------------------------------- */

/* Reverses the four bytes of each unit if the charset is big-endian. */
ALWAYS_INLINE __m512i avx512_native32(__m512i v, int big) {
  const __m128i reverse =
      _mm_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  return big ? _mm512_shuffle_epi8(v, _mm512_broadcast_i32x4(reverse)) : v;
}

/* Does any of the code points exceed 10FFFF, or is a surrogate? */
ALWAYS_INLINE int avx512_not_scalar(__m512i code) {
  __m512i top = _mm512_srli_epi32(code, 11);
  return (_mm512_cmpeq_epi32_mask(top, _mm512_set1_epi32(0xD800 >> 11)) |
          _mm512_cmpgt_epu32_mask(code, _mm512_set1_epi32(0x10FFFF))) != 0;
}

/* Writes the first `count` of 16 scalar values, and returns how many bytes. */
ALWAYS_INLINE size_t avx512_put_codes(uint8_t *out, __m512i code, size_t count) {
  Avx512Lengths l = {_mm512_cmpge_epu32_mask(code, _mm512_set1_epi32(0x80)),
                     _mm512_cmpge_epu32_mask(code, _mm512_set1_epi32(0x800))};
  __mmask16 four = _mm512_cmpge_epu32_mask(code, _mm512_set1_epi32(0x10000));
  __m512i pick = _mm512_mask_mov_epi32(AVX512_PICK_3, four, AVX512_PICK_4);
  __m512i marks =
      _mm512_mask_mov_epi32(avx512_marks(l), four, _mm512_set1_epi32((int)0x808080F0));
  return avx512_put_marked(out, _mm512_multishift_epi64_epi8(pick, code), marks,
                           (__mmask16)l.two, count);
}

/* Writes 32 scalar values if all are below 800, and returns how many bytes, else 0. */
ALWAYS_INLINE size_t avx512_put_32(uint8_t *out, __m512i code, __m512i code2) {
  __m512i all = avx512_or(code, code2);
  if (_mm512_test_epi32_mask(all, _mm512_set1_epi32(~0x7FF))) return 0;
  __m512i unit = _mm512_castsi256_si512(_mm512_cvtepi32_epi16(code));
  unit = _mm512_inserti64x4(unit, _mm512_cvtepi32_epi16(code2), 1);
  __mmask32 two = _mm512_cmpge_epu16_mask(unit, _mm512_set1_epi16(0x80));
  if (two) return avx512_put_below_800(out, unit, two, 32);
  _mm256_storeu_si256((__m256i *)(void *)out, _mm512_cvtepi16_epi8(unit));
  return 32;
}

/* Decodes UTF-32, big-endian if `big`. Stops up to 15 units before one that is not a scalar
** value. */
ALWAYS_INLINE size_t avx512_decode_utf32(const uint8_t *in, size_t size, size_t *at,
                                         uint8_t *out, size_t room, int big) {
  size_t n = 0, i = *at, count = BLOCK / 4, put = 0;
  for (; size - i >= 4 && room - n >= BLOCK; i += 4 * count) {
    if (size - i < BLOCK) count = (size - i) / 4;
    __m512i code =
        count == BLOCK / 4 ? avx512_load(in + i) : avx512_load_short(in + i, 4 * count);
    code = avx512_native32(code, big);
    if (size - i >= 2 * BLOCK) {
      __m512i code2 = avx512_native32(avx512_load(in + i + BLOCK), big);
      put = avx512_put_32(out + n, code, code2);
      n += put;
      if (put) i += BLOCK;
      if (put) continue;
    }
    if (avx512_not_scalar(code)) break;
    n += avx512_put_codes(out + n, code, count);
  }
  *at = i;
  return n;
}

KERNEL_CONVERTER(avx512_decode_utf16le, avx512_decode_utf16, 0)
KERNEL_CONVERTER(avx512_decode_utf16be, avx512_decode_utf16, 1)
KERNEL_CONVERTER(avx512_decode_utf32le, avx512_decode_utf32, 0)
KERNEL_CONVERTER(avx512_decode_utf32be, avx512_decode_utf32, 1)

AVX512_END

#endif
