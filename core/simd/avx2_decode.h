/* core/simd/avx2_decode.h: decodes UTF-16, UTF-32, Latin-1 and Windows-1252 to UTF-8, by squeezing
** (avx2_squeeze.h). The functions for avx2_convert.h are at the end; kernel.h has their
** contract.
**
** The places of a vector are code units of 16 bits. Each becomes up to three bytes in a lane of
** four, of which those that its code point takes are kept. A surrogate becomes two.
*/
#ifndef UTF8_CORE_SIMD_AVX2_DECODE_H
#define UTF8_CORE_SIMD_AVX2_DECODE_H

#include "core/simd/avx2_squeeze.h"

AVX2_BEGIN

/* What 16 code units become: the first two bytes of each; the third, in the low byte of
** `third`; and FFFF where there is a second byte, and where there is a third. */
typedef struct Avx2Units {
  __m256i pair, third, has_two, has_three;
} Avx2Units;

/* FFFF where the unit is at least min. */
ALWAYS_INLINE __m256i avx2_at_least(__m256i unit, __m256i min) {
  return _mm256_cmpeq_epi16(unit, _mm256_max_epu16(unit, min));
}

/* Combines the low byte of a, six bits of the high byte of b, and the marks of UTF-8. */
ALWAYS_INLINE __m256i avx2_two_bytes(__m256i a, __m256i b, __m256i marks) {
  b = avx2_and(b, AVX2_FILL16(0x3F00));
  return avx2_or(avx2_or(a, b), marks);
}

/* What sixteen units become if each is a code point, surrogates included. With nul, U+0000
** takes two bytes. */
ALWAYS_INLINE Avx2Units avx2_units_of(__m256i unit, int nul) {
  __m256i has_two = avx2_at_least(unit, AVX2_FILL16(0x0080)),
          has_three = avx2_at_least(unit, AVX2_FILL16(0x0800));
  if (nul) {
    __m256i is_nul = _mm256_cmpeq_epi16(unit, _mm256_setzero_si256());
    has_two = avx2_or(has_two, is_nul);
  }
  __m256i two = avx2_two_bytes(_mm256_srli_epi16(unit, 6), _mm256_slli_epi16(unit, 8),
                               AVX2_FILL16(0x80C0));
  __m256i three = avx2_two_bytes(_mm256_srli_epi16(unit, 12),
                                 _mm256_slli_epi16(unit, 2), AVX2_FILL16(0x80E0));
  __m256i third = avx2_or(avx2_and(unit, AVX2_FILL16(0x003F)), AVX2_FILL16(0x0080));
  __m256i pair = avx2_select(has_three, three, avx2_select(has_two, two, unit));
  return (Avx2Units){pair, third, has_two, has_three};
}

/* FFFF where unit & mask is prefix. */
ALWAYS_INLINE __m256i avx2_has_prefix(__m256i unit, __m256i prefix, __m256i mask) {
  return _mm256_cmpeq_epi16(avx2_and(unit, mask), prefix);
}

/* FFFF where the unit is a surrogate: any, a high one, or a low one. */
ALWAYS_INLINE __m256i avx2_surrogates(__m256i unit) {
  return avx2_has_prefix(unit, AVX2_FILL16(0xD800), AVX2_FILL16(0xF800));
}

ALWAYS_INLINE __m256i avx2_high_surrogates(__m256i unit) {
  return avx2_has_prefix(unit, AVX2_FILL16(0xD800), AVX2_FILL16(0xFC00));
}

ALWAYS_INLINE __m256i avx2_low_surrogates(__m256i unit) {
  return avx2_has_prefix(unit, AVX2_FILL16(0xDC00), AVX2_FILL16(0xFC00));
}

/* Like avx2_units_of(), with surrogate pairs: each surrogate makes two bytes of the four. The
** last two bits of the high one go into the third byte, with the low one. */
ALWAYS_INLINE Avx2Units avx2_units_of_pairs(__m256i unit) {
  Avx2Units u = avx2_units_of(unit, 0);
  __m256i is_high = avx2_high_surrogates(unit), is_low = avx2_low_surrogates(unit);
  __m256i ten = _mm256_add_epi16(avx2_and(unit, AVX2_FILL16(0x03FF)),
                                 AVX2_FILL16(0x0040)); /* 10000 >> 10 */
  __m256i first = avx2_two_bytes(_mm256_srli_epi16(ten, 8), _mm256_slli_epi16(ten, 6),
                                 AVX2_FILL16(0x80F0));
  __m256i middle = _mm256_permute2x128_si256(unit, unit, 0x08);
  __m256i carried = _mm256_slli_epi16(_mm256_alignr_epi8(unit, middle, 14), 4);
  carried = avx2_and(carried, AVX2_FILL16(0x0030));
  __m256i high = avx2_and(_mm256_srli_epi16(unit, 6), AVX2_FILL16(0x000F));
  __m256i last = avx2_two_bytes(avx2_or(high, carried), _mm256_slli_epi16(unit, 8),
                                AVX2_FILL16(0x8080));
  u.pair = avx2_select(is_high, first, avx2_select(is_low, last, u.pair));
  u.has_three = _mm256_andnot_si256(avx2_or(is_high, is_low), u.has_three);
  return u;
}

/* Writes the first `count` units, and returns how many bytes. out has room for 64. */
ALWAYS_INLINE size_t avx2_put_units(uint8_t *out, Avx2Units u, size_t count) {
  __m256i even = _mm256_unpacklo_epi16(u.pair, u.third);
  __m256i odd = _mm256_unpackhi_epi16(u.pair, u.third);
  uint32_t m =
      avx2_bits(avx2_and(u.has_two, avx2_or(u.has_three, AVX2_FILL16(0x00FF))));
  Avx2Offsets more = avx2_offsets(m);
  even = _mm256_shuffle_epi8(
      even, _mm256_set_m128i(avx2_load128(avx2_lane_rows[m >> 16 & 255]),
                             avx2_load128(avx2_lane_rows[m & 255])));
  odd = _mm256_shuffle_epi8(
      odd, _mm256_set_m128i(avx2_load128(avx2_lane_rows[m >> 24]),
                            avx2_load128(avx2_lane_rows[m >> 8 & 255])));
  avx2_store128(out, avx2_low(even));
  avx2_store128(out + 4 + more.second, avx2_low(odd));
  avx2_store128(out + 8 + more.third, avx2_high(even));
  avx2_store128(out + 12 + more.fourth, avx2_high(odd));
  return count + mask_count(count < 16 ? m & ((1u << 2 * count) - 1) : m);
}

/* Swaps the two bytes of each unit if the charset is big-endian. */
ALWAYS_INLINE __m256i avx2_native16(__m256i x, int big) {
  return big ? avx2_or(_mm256_slli_epi16(x, 8), _mm256_srli_epi16(x, 8)) : x;
}

/* Writes sixteen units below 800, and returns how many bytes. out has room for 32. */
ALWAYS_INLINE size_t avx2_put_below_800(uint8_t *out, __m256i unit) {
  __m256i two = avx2_two_bytes(_mm256_srli_epi16(unit, 6), _mm256_slli_epi16(unit, 8),
                               AVX2_FILL16(0x80C0));
  __m256i has_two = avx2_at_least(unit, AVX2_FILL16(0x0080));
  uint32_t mask = avx2_bits(_mm256_packs_epi16(has_two, _mm256_setzero_si256()));
  __m256i rows = _mm256_set_m128i(avx2_load128(avx2_pair_rows[mask >> 16]),
                                  avx2_load128(avx2_pair_rows[mask & 255]));
  __m256i kept = _mm256_shuffle_epi8(avx2_select(has_two, two, unit), rows);
  avx2_store128(out, avx2_low(kept));
  avx2_store128(out + 8 + mask_count(mask & 255), avx2_high(kept));
  return 16 + mask_count(mask);
}

/* Writes sixteen units, and returns how many bytes: 0 if one is a surrogate. */
ALWAYS_INLINE size_t avx2_put_bmp(uint8_t *out, __m256i unit) {
  if (!_mm256_testz_si256(unit, AVX2_FILL16(0xF800))) {
    if (avx2_bits(avx2_surrogates(unit))) return 0;
    return avx2_put_units(out, avx2_units_of(unit, 0), 16);
  }
  if (!_mm256_testz_si256(unit, AVX2_FILL16(0xFF80)))
    return avx2_put_below_800(out, unit);
  avx2_store128(out, _mm_packus_epi16(avx2_low(unit), avx2_high(unit)));
  return 16;
}

/* Writes the ASCII at the start of a text in UTF-16, and returns the number of code points. */
ALWAYS_INLINE size_t avx2_put_ascii(const uint8_t *in, size_t size, uint8_t *out,
                                    size_t room, int big) {
  size_t n = 0;
  for (; size - 2 * n >= 64 && room - n >= 32; n += 32) {
    __m256i a = avx2_native16(avx2_load(in + 2 * n), big);
    __m256i b = avx2_native16(avx2_load(in + 2 * n + 32), big);
    if (!_mm256_testz_si256(avx2_or(a, b), AVX2_FILL16(0xFF80))) break;
    avx2_store(out + n, _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xD8));
  }
  return n;
}

/* Decodes UTF-16, big-endian if `big`, up to 16 code units at a time. Stops up to 15 units before
** a lone surrogate. */
ALWAYS_INLINE size_t avx2_decode_utf16(const uint8_t *in, size_t size, size_t *at,
                                       uint8_t *out, size_t room, int big) {
  size_t n = 0, i = *at;
  while (size - i >= 32 && room - n >= 64) {
    __m256i unit = avx2_native16(avx2_load(in + i), big);
    size_t count = 16;
    if (_mm256_testz_si256(unit, AVX2_FILL16(0xF800))) {
      size_t ascii = avx2_put_ascii(in + i, size - i, out + n, room - n, big);
      n += ascii ? ascii : avx2_put_below_800(out + n, unit);
      if (ascii) count = ascii;
    } else if (avx2_bits(avx2_surrogates(unit)) == 0) {
      n += avx2_put_units(out + n, avx2_units_of(unit, 0), 16);
    } else {
      uint32_t high = avx2_bits(avx2_high_surrogates(unit));
      uint32_t low = avx2_bits(avx2_low_surrogates(unit));
      if (low != high << 2) break;
      count -= high >> 31; /* its low surrogate is in the next vector */
      n += avx2_put_units(out + n, avx2_units_of_pairs(unit), count);
    }
    i += 2 * count;
  }
  *at = i;
  return n;
}

/* Reverses the four bytes of each unit if the charset is big-endian. */
ALWAYS_INLINE __m256i avx2_native32(__m256i x, int big) {
  const __m256i reverse =
      _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 3, 2, 1, 0,
                       7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  return big ? _mm256_shuffle_epi8(x, reverse) : x;
}

/* Returns six bits of each code point, from bit n on, in byte number `byte` of its lane. */
ALWAYS_INLINE __m256i avx2_six(__m256i code, int n, int byte) {
  __m256i six = avx2_and(_mm256_srli_epi32(code, n), AVX2_FILL32(0x3F));
  return _mm256_slli_epi32(six, 8 * byte);
}

/* Writes eight code points, each of up to four bytes in its lane, and returns how many bytes. */
ALWAYS_INLINE size_t avx2_put_codes(uint8_t *out, __m256i code) {
  __m256i two = avx2_or(_mm256_srli_epi32(code, 6), avx2_six(code, 0, 1));
  __m256i three = avx2_or(_mm256_srli_epi32(code, 12), avx2_six(code, 6, 1));
  three = avx2_or(three, avx2_six(code, 0, 2));
  __m256i four = avx2_or(_mm256_srli_epi32(code, 18), avx2_six(code, 12, 1));
  four = avx2_or(four, avx2_six(code, 6, 2));
  four = avx2_or(four, avx2_six(code, 0, 3));
  two = avx2_or(two, AVX2_FILL32(0x000080C0));
  three = avx2_or(three, AVX2_FILL32(0x008080E0));
  four = avx2_or(four, AVX2_FILL32(0x808080F0));
  __m256i is_two = _mm256_cmpgt_epi32(code, AVX2_FILL32(0x0000007F));
  __m256i is_three = _mm256_cmpgt_epi32(code, AVX2_FILL32(0x000007FF));
  __m256i is_four = _mm256_cmpgt_epi32(code, AVX2_FILL32(0x0000FFFF));
  __m256i bytes = avx2_select(is_two, two, code);
  bytes = avx2_select(is_four, four, avx2_select(is_three, three, bytes));
  uint32_t mask = 0x11111111 | (avx2_bits(is_two) & 0x22222222) |
                  (avx2_bits(is_three) & 0x44444444) |
                  (avx2_bits(is_four) & 0x88888888);
  return avx2_squeeze(out, bytes, mask);
}

/* Does mask cover all bits of eight code points? */
ALWAYS_INLINE int avx2_fits(__m256i codes, __m256i mask) {
  return _mm256_testc_si256(mask, codes);
}

/* FFFFFFFF where the code point is above 10FFFF or a surrogate: 1B is D800 >> 11. */
ALWAYS_INLINE __m256i avx2_not_scalar(__m256i code) {
  const __m256i beyond = AVX2_FILL32(0x00110000);
  __m256i too_large = _mm256_cmpeq_epi32(code, _mm256_max_epu32(code, beyond));
  __m256i is_surrogate =
      _mm256_cmpeq_epi32(_mm256_srli_epi32(code, 11), AVX2_FILL32(0x0000001B));
  return avx2_or(too_large, is_surrogate);
}

/* Decodes UTF-32, big-endian if `big`, 16 code units at a time. Stops up to 15 units before one
** that is not a scalar value. */
ALWAYS_INLINE size_t avx2_decode_utf32(const uint8_t *in, size_t size, size_t *at,
                                       uint8_t *out, size_t room, int big) {
  size_t n = 0, i = *at;
  for (; size - i >= 64 && room - n >= 64; i += 64) {
    __m256i codes = avx2_native32(avx2_load(in + i), big);
    __m256i codes2 = avx2_native32(avx2_load(in + i + 32), big);
    if (avx2_fits(avx2_or(codes, codes2), AVX2_FILL32(0x0000FFFF))) {
      __m256i units = _mm256_packus_epi32(codes, codes2);
      size_t put = avx2_put_bmp(out + n, _mm256_permute4x64_epi64(units, 0xD8));
      if (put == 0) break;
      n += put;
    } else {
      __m256i wrong = avx2_or(avx2_not_scalar(codes), avx2_not_scalar(codes2));
      if (!_mm256_testz_si256(wrong, wrong)) break;
      n += avx2_put_codes(out + n, codes);
      n += avx2_put_codes(out + n, codes2);
    }
  }
  *at = i;
  return n;
}

/* Writes 32 bytes of Latin-1, and returns how many bytes. out has room for 64. */
ALWAYS_INLINE size_t avx2_put_latin1(uint8_t *out, __m256i bytes) {
  if (avx2_bits(bytes) == 0) {
    avx2_store(out, bytes);
    return 32;
  }
  size_t n = avx2_put_below_800(out, _mm256_cvtepu8_epi16(avx2_low(bytes)));
  return n + avx2_put_below_800(out + n, _mm256_cvtepu8_epi16(avx2_high(bytes)));
}

/* Decodes Latin-1, 32 bytes at a time. Every byte is a code point, so there are no errors. */
static size_t avx2_decode_latin1(const uint8_t *in, size_t size, size_t *at,
                                 uint8_t *out, size_t room) {
  size_t n = 0, i = *at;
  for (; size - i >= 32 && room - n >= 64; i += 32) {
    n += avx2_put_latin1(out + n, avx2_load(in + i));
  }
  *at = i;
  return n;
}

/* Returns row `byte & 31` of the 32 rows. */
ALWAYS_INLINE __m128i avx2_lookup_32(const uint8_t rows[32], __m128i byte) {
  __m128i row = _mm_and_si128(byte, _mm_set1_epi8(0x0F));
  __m128i upper = _mm_slli_epi16(byte, 3);
  return _mm_blendv_epi8(_mm_shuffle_epi8(avx2_load128(rows), row),
                         _mm_shuffle_epi8(avx2_load128(rows + 16), row), upper);
}

/* Returns sixteen bytes of Windows-1252 as units. */
ALWAYS_INLINE __m256i avx2_units_1252(__m128i byte, __m128i is_80_9f) {
  __m128i low = _mm_blendv_epi8(byte, avx2_lookup_32(avx2_1252_low, byte), is_80_9f);
  __m128i high = _mm_and_si128(avx2_lookup_32(avx2_1252_high, byte), is_80_9f);
  return _mm256_set_m128i(_mm_unpackhi_epi8(low, high), _mm_unpacklo_epi8(low, high));
}

/* Writes 32 bytes of Windows-1252, and returns how many bytes. out has room for 112. */
ALWAYS_INLINE size_t avx2_put_windows1252(uint8_t *out, __m256i bytes) {
  __m256i is_80_9f = avx2_is_80_9f(bytes);
  if (avx2_bits(bytes) == 0 || avx2_bits(is_80_9f) == 0)
    return avx2_put_latin1(out, bytes);
  __m256i units = avx2_units_1252(avx2_low(bytes), avx2_low(is_80_9f));
  size_t n = avx2_put_units(out, avx2_units_of(units, 0), 16);
  units = avx2_units_1252(avx2_high(bytes), avx2_high(is_80_9f));
  return n + avx2_put_units(out + n, avx2_units_of(units, 0), 16);
}

static size_t avx2_decode_windows1252(const uint8_t *in, size_t size, size_t *at,
                                      uint8_t *out, size_t room) {
  size_t n = 0, i = *at;
  for (; size - i >= 32 && room - n >= 48 + 64; i += 32) {
    n += avx2_put_windows1252(out + n, avx2_load(in + i));
  }
  *at = i;
  return n;
}

KERNEL_CONVERTER(avx2_decode_utf16le, avx2_decode_utf16, 0)
KERNEL_CONVERTER(avx2_decode_utf16be, avx2_decode_utf16, 1)
KERNEL_CONVERTER(avx2_decode_utf32le, avx2_decode_utf32, 0)
KERNEL_CONVERTER(avx2_decode_utf32be, avx2_decode_utf32, 1)

TARGET_END

#endif
