/* core/simd/avx2_encode.h: encodes well-formed UTF-8 as UTF-16, UTF-32, Latin-1 and Windows-1252, by
** squeezing (avx2_squeeze.h). The functions for avx2_convert.h are at the end; kernel.h has
** their contract.
**
** The places of a vector are bytes. The bytes that follow a lead byte come from loads that
** start one, two and three bytes later. Continuation bytes are squeezed out.
*/
#ifndef UTF8_CORE_SIMD_AVX2_ENCODE_H
#define UTF8_CORE_SIMD_AVX2_ENCODE_H

#include "core/simd/avx2_squeeze.h"

AVX2_BEGIN

/* 32 bytes, and those one, two and three after each. */
typedef struct Avx2Places {
  __m256i at, next, next2, next3;
} Avx2Places;

/* Loads the places of p[0..32). Reads 35 bytes. */
ALWAYS_INLINE Avx2Places avx2_load_places(const uint8_t *p) {
  return (Avx2Places){avx2_load(p), avx2_load(p + 1), avx2_load(p + 2),
                      avx2_load(p + 3)};
}

/* Sets the top bit where the byte is E0..FF. */
ALWAYS_INLINE __m256i avx2_leads3(__m256i byte) {
  return avx2_subs(byte, AVX2_FILL8(0x60)); /* E0 - 80 */
}

/* Sets the top bit where the byte is F0..FF. */
ALWAYS_INLINE __m256i avx2_leads4(__m256i byte) {
  return avx2_subs(byte, AVX2_FILL8(0x70)); /* F0 - 80 */
}

/* Returns a mask of the bytes that are not continuation bytes. */
ALWAYS_INLINE uint32_t avx2_starts(__m256i byte) {
  return ~avx2_bits(avx2_continuations(byte));
}

/* (x << n) & mask and (x >> n) & mask, in each byte. */
ALWAYS_INLINE __m256i avx2_left(__m256i x, int n, __m256i mask) {
  return avx2_and(_mm256_slli_epi16(x, n), mask);
}

ALWAYS_INLINE __m256i avx2_right(__m256i x, int n, __m256i mask) {
  return avx2_and(_mm256_srli_epi16(x, n), mask);
}

/* Bits 0 to 7 of the code point whose last two bytes are x and y. */
ALWAYS_INLINE __m256i avx2_low_byte(__m256i x, __m256i y) {
  return avx2_or(avx2_left(x, 6, AVX2_FILL8(0xC0)), avx2_and(y, AVX2_FILL8(0x3F)));
}

/* Bytes 0, 1 and 2 of code points, or of UTF-16 code units, where plane is 0. */
typedef struct Avx2Codes {
  __m256i low, high, plane;
} Avx2Codes;

/* The code points of ASCII and of the lead bytes of up to three bytes. Bytes where `also` has
** its top bit set are taken for leads of three. */
ALWAYS_INLINE Avx2Codes avx2_codes(Avx2Places p, __m256i also) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i three = avx2_leads3(p.at);
  __m256i three_or_also = avx2_or(three, also);
  __m256i x = avx2_select(three_or_also, p.next, p.at),
          y = avx2_select(three_or_also, p.next2, p.next);
  __m256i top = avx2_select(three, avx2_left(p.at, 4, AVX2_FILL8(0xF0)), zero);
  __m256i high = avx2_or(avx2_right(x, 2, AVX2_FILL8(0x0F)), top);
  return (Avx2Codes){avx2_select(p.at, avx2_low_byte(x, y), p.at),
                     avx2_select(p.at, high, zero), zero};
}

/* Like avx2_codes(), but supplementary code points become surrogates: the high one takes the
** place of the lead byte, the low one of the byte after it, where after_four has its top bit
** set. */
ALWAYS_INLINE Avx2Codes avx2_codes_utf16(Avx2Places p, __m256i after_four) {
  Avx2Codes codes = avx2_codes(p, after_four);
  __m256i four = avx2_leads4(p.at);
  __m256i low =
      _mm256_sub_epi8(avx2_left(p.next, 2, AVX2_FILL8(0xFC)), AVX2_FILL8(0x40));
  low = avx2_or(low, avx2_right(p.next2, 4, AVX2_FILL8(0x03)));
  __m256i borrow = avx2_and(p.next, AVX2_FILL8(0x30));
  borrow = _mm256_cmpeq_epi8(borrow, _mm256_setzero_si256());
  __m256i high = _mm256_sub_epi8(p.at, AVX2_FILL8(0x18)); /* F0 - D8 */
  high = avx2_add(high, borrow);
  __m256i last = avx2_or(avx2_right(p.next, 2, AVX2_FILL8(0x03)), AVX2_FILL8(0xDC));
  codes.low = avx2_select(four, low, codes.low);
  codes.high = avx2_select(four, high, avx2_select(after_four, last, codes.high));
  return codes;
}

/* Like avx2_codes(), with supplementary code points. */
ALWAYS_INLINE Avx2Codes avx2_codes_utf32(Avx2Places p) {
  const __m256i zero = _mm256_setzero_si256();
  Avx2Codes codes = avx2_codes(p, zero);
  __m256i four = avx2_leads4(p.at);
  __m256i high = avx2_left(p.next, 4, AVX2_FILL8(0xF0));
  high = avx2_or(high, avx2_right(p.next2, 2, AVX2_FILL8(0x0F)));
  __m256i plane = avx2_left(p.at, 2, AVX2_FILL8(0x1C));
  plane = avx2_or(plane, avx2_right(p.next, 4, AVX2_FILL8(0x03)));
  codes.low = avx2_select(four, avx2_low_byte(p.next2, p.next3), codes.low);
  codes.high = avx2_select(four, high, codes.high);
  codes.plane = avx2_select(four, plane, zero);
  return codes;
}

/* Writes 32 ASCII characters as 32-bit units: 128 bytes. */
ALWAYS_INLINE void avx2_widen32(uint8_t *out, __m256i bytes, int big) {
  __m128i half[2] = {avx2_low(bytes), avx2_high(bytes)};
  for (int i = 0; i < 4; i++) {
    __m128i eight = i & 1 ? _mm_srli_si128(half[i / 2], 8) : half[i / 2];
    __m256i units = _mm256_cvtepu8_epi32(eight);
    avx2_store(out + 32 * i, big ? _mm256_slli_epi32(units, 24) : units);
  }
}

/* Writes 32 ASCII characters as 16-bit units: 64 bytes. */
ALWAYS_INLINE void avx2_widen16(uint8_t *out, __m256i bytes, int big) {
  __m256i low = _mm256_cvtepu8_epi16(avx2_low(bytes));
  __m256i high = _mm256_cvtepu8_epi16(avx2_high(bytes));
  avx2_store(out, big ? _mm256_slli_epi16(low, 8) : low);
  avx2_store(out + 32, big ? _mm256_slli_epi16(high, 8) : high);
}

/* To UTF-16. Vectors with lead bytes of four take the slow path. */
ALWAYS_INLINE size_t avx2_encode_utf16(const uint8_t *in, size_t size, size_t *at,
                                       uint8_t *out, size_t room, int big) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i before = zero;
  size_t n = 0, i = *at;
  for (; size - i >= 35 && room - n >= 64; i += 32) {
    Avx2Places p = avx2_load_places(in + i);
    if (avx2_bits(p.at) == 0) {
      avx2_widen16(out + n, p.at, big);
      n += 64;
      before = zero;
      continue;
    }
    uint32_t mask = avx2_starts(p.at);
    __m256i after_four = avx2_leads4(avx2_shifted_1(before, p.at));
    Avx2Codes codes;
    if (avx2_bits(avx2_or(avx2_leads4(p.at), after_four)) == 0) {
      codes = avx2_codes(p, zero);
    } else {
      codes = avx2_codes_utf16(p, after_four);
      mask |= avx2_bits(after_four);
    }
    n += big ? avx2_squeeze16(out + n, codes.high, codes.low, mask)
             : avx2_squeeze16(out + n, codes.low, codes.high, mask);
    before = p.at;
  }
  /* The last vector ends after a lead byte of four, and only its high surrogate was written. */
  if (i > *at && in[i - 1] >= 0xF0) n -= 2, i--;
  *at = bytes_next_start(in, size, i);
  return n;
}

/* To UTF-32. */
ALWAYS_INLINE size_t avx2_encode_utf32(const uint8_t *in, size_t size, size_t *at,
                                       uint8_t *out, size_t room, int big) {
  const __m256i zero = _mm256_setzero_si256();
  size_t n = 0, i = *at;
  for (; size - i >= 35 && room - n >= 128; i += 32) {
    Avx2Places p = avx2_load_places(in + i);
    if (avx2_bits(p.at) == 0) {
      avx2_widen32(out + n, p.at, big);
      n += 128;
      continue;
    }
    int has_four = avx2_bits(avx2_leads4(p.at)) != 0;
    Avx2Codes codes = has_four ? avx2_codes_utf32(p) : avx2_codes(p, zero);
    uint32_t mask = avx2_starts(p.at);
    n += big ? avx2_squeeze32(out + n, zero, codes.plane, codes.high, codes.low, mask)
             : avx2_squeeze32(out + n, codes.low, codes.high, codes.plane, zero, mask);
  }
  *at = bytes_next_start(in, size, i);
  return n;
}

/* To Latin-1, or, without the controls U+0080..U+009F, to Windows-1252. Stops at other code
** points. */
ALWAYS_INLINE size_t avx2_encode_byte(const uint8_t *in, size_t size, size_t *at,
                                      uint8_t *out, size_t room, int controls) {
  size_t n = 0, i = *at;
  for (; size - i >= 33 && room - n >= 32; i += 32) {
    __m256i byte = avx2_load(in + i), next = avx2_load(in + i + 1);
    if (avx2_bits(byte) == 0) {
      avx2_store(out + n, byte);
      n += 32;
      continue;
    }
    uint32_t mask = avx2_starts(byte);
    uint32_t stop = avx2_bits(avx2_subs(byte, AVX2_FILL8(0x44))); /* C4 - 80 */
    byte = avx2_select(byte, avx2_low_byte(byte, next), byte);
    if (!controls) stop |= avx2_bits(avx2_is_80_9f(byte)) & mask;
    if (stop != 0) { /* convert only what comes before it */
      n += avx2_squeeze(out + n, byte, mask & (_blsmsk_u32(stop) >> 1));
      i += _tzcnt_u32(stop);
      break;
    }
    n += avx2_squeeze(out + n, byte, mask);
  }
  *at = bytes_next_start(in, size, i);
  return n;
}

KERNEL_CONVERTER(avx2_encode_utf16le, avx2_encode_utf16, 0)
KERNEL_CONVERTER(avx2_encode_utf16be, avx2_encode_utf16, 1)
KERNEL_CONVERTER(avx2_encode_utf32le, avx2_encode_utf32, 0)
KERNEL_CONVERTER(avx2_encode_utf32be, avx2_encode_utf32, 1)
KERNEL_CONVERTER(avx2_encode_latin1, avx2_encode_byte, 1)
KERNEL_CONVERTER(avx2_encode_windows1252, avx2_encode_byte, 0)

TARGET_END

#endif
