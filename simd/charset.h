/* charset.h: bulk conversion between UTF-8 and UTF-16, Latin-1 and Windows-1252 for x86
** processors with AVX2 and BMI2. Included by utf8charset.c, which is its only user.
**
** One idea carries all of it. A block of characters is spread over lanes of equal width,
** the bytes of each are computed in all lanes at once, and a mask tells which bytes of the
** lanes count. Then PEXT moves the bytes that count together, eight at a time: squeeze().
** So there are neither tables nor branches on what the characters are, beyond a short cut
** for ASCII.
**
** Bulk functions may stop anywhere on a boundary, and do so at what they do not know.
*/
#ifndef UTF8_SIMD_CHARSET_H
#define UTF8_SIMD_CHARSET_H

#include "../utf8core.h"
#include "kernel.h"
#include <string.h>

/* Converts in[*at..size) to out as far as it likes, and returns how many bytes it wrote,
** at most room; *at becomes where it stopped, on a boundary. A decoder is given bytes of a
** charset, an encoder well-formed UTF-8. */
typedef size_t CharsetBulk(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                           size_t room);

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define CHARSET_TARGET __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define CHARSET_INLINE __attribute__((always_inline)) CHARSET_TARGET static inline

/* Writes the bytes whose mask is FF, close together; returns how many. */
CHARSET_INLINE size_t charset_squeeze8(uint8_t *out, uint64_t bytes, uint64_t mask) {
  uint64_t kept = _pext_u64(bytes, mask);
  memcpy(out, &kept, 8);
  return (size_t)_mm_popcnt_u64(mask) / 8;
}

/* The same for 32 bytes. out has room for 32. */
CHARSET_INLINE size_t charset_squeeze(uint8_t *out, __m256i bytes, __m256i mask) {
  __m128i bytes0 = _mm256_castsi256_si128(bytes);
  __m128i bytes1 = _mm256_extracti128_si256(bytes, 1);
  __m128i mask0 = _mm256_castsi256_si128(mask);
  __m128i mask1 = _mm256_extracti128_si256(mask, 1);
  size_t n = charset_squeeze8(out, (uint64_t)_mm_cvtsi128_si64(bytes0),
                              (uint64_t)_mm_cvtsi128_si64(mask0));
  n += charset_squeeze8(out + n, (uint64_t)_mm_extract_epi64(bytes0, 1),
                        (uint64_t)_mm_extract_epi64(mask0, 1));
  n += charset_squeeze8(out + n, (uint64_t)_mm_cvtsi128_si64(bytes1),
                        (uint64_t)_mm_cvtsi128_si64(mask1));
  n += charset_squeeze8(out + n, (uint64_t)_mm_extract_epi64(bytes1, 1),
                        (uint64_t)_mm_extract_epi64(mask1, 1));
  return n;
}

CHARSET_INLINE __m128i charset_load16(const uint8_t *p) {
  return _mm_loadu_si128((const __m128i *)(const void *)p);
}

CHARSET_INLINE void charset_store16(uint8_t *p, __m128i x) {
  _mm_storeu_si128((__m128i *)(void *)p, x);
}

CHARSET_INLINE __m256i charset_load32(const uint8_t *p) {
  return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

CHARSET_INLINE void charset_store32(uint8_t *p, __m256i x) {
  _mm256_storeu_si256((__m256i *)(void *)p, x);
}

/* The two bytes of each 16-bit lane change places, if the charset is big-endian. */
CHARSET_INLINE __m256i charset_order(__m256i x, int big) {
  return big ? _mm256_or_si256(_mm256_slli_epi16(x, 8), _mm256_srli_epi16(x, 8)) : x;
}

/* Sixteen units below 800, as UTF-8: in each lane the lead in front, then the tail. */
CHARSET_INLINE size_t charset_put_below_800(uint8_t *out, __m256i unit) {
  __m256i lead = _mm256_or_si256(_mm256_srli_epi16(unit, 6), _mm256_set1_epi16(0xC0));
  __m256i tail = _mm256_and_si256(unit, _mm256_set1_epi16(0x3F));
  tail = _mm256_slli_epi16(_mm256_or_si256(tail, _mm256_set1_epi16(0x80)), 8);
  __m256i isTwo = _mm256_cmpgt_epi16(unit, _mm256_set1_epi16(0x7F));
  __m256i bytes = _mm256_blendv_epi8(unit, _mm256_or_si256(lead, tail), isTwo);
  return charset_squeeze(out, bytes, _mm256_or_si256(isTwo, _mm256_set1_epi16(0xFF)));
}

/* Eight characters below 10000: up to three bytes in each 32-bit lane. */
CHARSET_INLINE size_t charset_put_eight(uint8_t *out, __m256i unit) {
  const __m256i low6 = _mm256_set1_epi32(0x3F), mark = _mm256_set1_epi32(0x80);
  __m256i last = _mm256_or_si256(_mm256_and_si256(unit, low6), mark);
  __m256i high = _mm256_srli_epi32(unit, 6);
  __m256i middle = _mm256_or_si256(_mm256_and_si256(high, low6), mark);
  __m256i two = _mm256_or_si256(_mm256_or_si256(high, _mm256_set1_epi32(0xC0)),
                                _mm256_slli_epi32(last, 8));
  __m256i three = _mm256_or_si256(_mm256_srli_epi32(unit, 12), _mm256_set1_epi32(0xE0));
  three = _mm256_or_si256(three, _mm256_slli_epi32(middle, 8));
  three = _mm256_or_si256(three, _mm256_slli_epi32(last, 16));
  __m256i isTwo = _mm256_cmpgt_epi32(unit, _mm256_set1_epi32(0x7F));
  __m256i isThree = _mm256_cmpgt_epi32(unit, _mm256_set1_epi32(0x7FF));
  __m256i bytes = _mm256_blendv_epi8(unit, two, isTwo);
  bytes = _mm256_blendv_epi8(bytes, three, isThree);
  __m256i mask = _mm256_or_si256(_mm256_set1_epi32(0xFF), _mm256_srli_epi32(isTwo, 16));
  mask = _mm256_or_si256(mask, _mm256_srli_epi32(isThree, 8));
  return charset_squeeze(out, bytes, mask);
}

/* Sixteen ASCII units. */
CHARSET_INLINE size_t charset_put_ascii(uint8_t *out, __m256i unit) {
  __m128i low = _mm256_castsi256_si128(unit), high = _mm256_extracti128_si256(unit, 1);
  charset_store16(out, _mm_packus_epi16(low, high));
  return 16;
}

/* ---- one at a time, in blocks with supplementary characters ------------------------- */

CHARSET_INLINE uint32_t charset_load_unit(const uint8_t *p, int big) {
  uint16_t unit;
  memcpy(&unit, p, 2);
  return big ? __builtin_bswap16(unit) : unit;
}

CHARSET_INLINE void charset_store_unit(uint8_t *p, uint32_t unit, int big) {
  uint16_t stored = big ? __builtin_bswap16((uint16_t)unit) : (uint16_t)unit;
  memcpy(p, &stored, 2);
}

/* The units from `at` up to `stop`, or to a surrogate without its partner. Returns how
** many bytes it wrote. */
CHARSET_INLINE size_t charset_decode_units(const uint8_t *in, size_t size, size_t *at,
                                           size_t stop, uint8_t *out, int big) {
  size_t n = 0;
  while (*at < stop) {
    uint32_t c = charset_load_unit(in + *at, big);
    if (c < 0x80) {
      out[n++] = (uint8_t)c;
    } else if (c >> 11 != 0xD800 >> 11) {
      n += utf8core_put(out + n, c);
    } else {
      uint32_t last = size - *at < 4 ? 0 : charset_load_unit(in + *at + 2, big);
      if (c >= 0xDC00 || last >> 10 != 0xDC00 >> 10) break;
      c = 0x10000 + ((c & 0x3FF) << 10 | (last & 0x3FF));
      uint32_t four = 0x808080F0u | c >> 18 | (c >> 12 & 0x3F) << 8 |
                      (c >> 6 & 0x3F) << 16 | (c & 0x3F) << 24;
      memcpy(out + n, &four, 4);
      n += 4;
      *at += 2;
    }
    *at += 2;
  }
  return n;
}

/* Well-formed UTF-8, the characters that start before `stop`. */
CHARSET_INLINE size_t charset_encode_units(const uint8_t *in, size_t *at, size_t stop,
                                           uint8_t *out, int big) {
  size_t n = 0;
  while (*at < stop) {
    const uint8_t *p = in + *at;
    unsigned length = p[0] < 0x80 ? 1 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    uint32_t c = p[0] & (length == 1 ? 0x7Fu : 0x7Fu >> length);
    for (unsigned i = 1; i < length; i++) c = c << 6 | (p[i] & 0x3Fu);
    if (c >= 0x10000) {
      charset_store_unit(out + n, 0xD7C0 + (c >> 10), big);
      n += 2;
      c = 0xDC00 | (c & 0x3FF);
    }
    charset_store_unit(out + n, c, big);
    n += 2;
    *at += length;
  }
  return n;
}

/* ---- decoders ------------------------------------------------------------------------ */

CHARSET_INLINE size_t charset_decode_utf16(const uint8_t *in, size_t size, size_t *at,
                                           uint8_t *out, size_t room, int big) {
  size_t n = 0;
  while (size - *at >= 32 && room - n >= 64) {
    __m256i unit = charset_order(charset_load32(in + *at), big);
    if (_mm256_testz_si256(unit, _mm256_set1_epi16((short)0xFF80))) {
      n += charset_put_ascii(out + n, unit);
    } else if (_mm256_testz_si256(unit, _mm256_set1_epi16((short)0xF800))) {
      n += charset_put_below_800(out + n, unit);
    } else {
      __m256i top = _mm256_and_si256(unit, _mm256_set1_epi16((short)0xF800));
      __m256i half = _mm256_cmpeq_epi16(top, _mm256_set1_epi16((short)0xD800));
      if (!_mm256_testz_si256(half, half)) {
        size_t stop = *at + 32;
        n += charset_decode_units(in, size, at, stop, out + n, big);
        if (*at < stop) break;
        continue;
      }
      n += charset_put_eight(out + n,
                             _mm256_cvtepu16_epi32(_mm256_castsi256_si128(unit)));
      n += charset_put_eight(out + n,
                             _mm256_cvtepu16_epi32(_mm256_extracti128_si256(unit, 1)));
    }
    *at += 32;
  }
  return n;
}

CHARSET_TARGET static size_t charset_decode_utf16le(const uint8_t *in, size_t size,
                                                    size_t *at, uint8_t *out,
                                                    size_t room) {
  return charset_decode_utf16(in, size, at, out, room, 0);
}

CHARSET_TARGET static size_t charset_decode_utf16be(const uint8_t *in, size_t size,
                                                    size_t *at, uint8_t *out,
                                                    size_t room) {
  return charset_decode_utf16(in, size, at, out, room, 1);
}

/* The four bytes of each 32-bit lane in reverse order, if the charset is big-endian. */
CHARSET_INLINE __m256i charset_order32(__m256i x, int big) {
  const __m256i reverse =
      _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 3, 2, 1, 0,
                       7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  return big ? _mm256_shuffle_epi8(x, reverse) : x;
}

/* Surrogates and what is above U+FFFF are left to the caller. */
CHARSET_INLINE size_t charset_decode_utf32(const uint8_t *in, size_t size, size_t *at,
                                           uint8_t *out, size_t room, int big) {
  size_t n = 0;
  while (size - *at >= 32 && room - n >= 32) {
    __m256i unit = charset_order32(charset_load32(in + *at), big);
    __m256i top = _mm256_srli_epi32(unit, 11);
    __m256i half = _mm256_cmpeq_epi32(top, _mm256_set1_epi32(0xD800 >> 11));
    __m256i high = _mm256_and_si256(unit, _mm256_set1_epi32((int)0xFFFF0000));
    __m256i stop = _mm256_or_si256(half, high);
    if (!_mm256_testz_si256(stop, stop)) break;
    n += charset_put_eight(out + n, unit);
    *at += 32;
  }
  return n;
}

CHARSET_TARGET static size_t charset_decode_utf32le(const uint8_t *in, size_t size,
                                                    size_t *at, uint8_t *out,
                                                    size_t room) {
  return charset_decode_utf32(in, size, at, out, room, 0);
}

CHARSET_TARGET static size_t charset_decode_utf32be(const uint8_t *in, size_t size,
                                                    size_t *at, uint8_t *out,
                                                    size_t room) {
  return charset_decode_utf32(in, size, at, out, room, 1);
}

/* stop: bytes of 80..9F are left to the caller, as they are in Windows-1252. */
CHARSET_INLINE size_t charset_decode_byte(const uint8_t *in, size_t size, size_t *at,
                                          uint8_t *out, size_t room, int stop) {
  size_t n = 0;
  while (size - *at >= 16 && room - n >= 32) {
    __m128i byte = charset_load16(in + *at);
    if (_mm_movemask_epi8(byte) == 0) {
      charset_store16(out + n, byte);
      n += 16;
    } else {
      __m128i top = _mm_and_si128(byte, _mm_set1_epi8((char)0xE0));
      __m128i isC1 = _mm_cmpeq_epi8(top, _mm_set1_epi8((char)0x80));
      if (stop && _mm_movemask_epi8(isC1)) break;
      n += charset_put_below_800(out + n, _mm256_cvtepu8_epi16(byte));
    }
    *at += 16;
  }
  return n;
}

CHARSET_TARGET static size_t charset_decode_latin1(const uint8_t *in, size_t size,
                                                   size_t *at, uint8_t *out,
                                                   size_t room) {
  return charset_decode_byte(in, size, at, out, room, 0);
}

CHARSET_TARGET static size_t charset_decode_windows1252(const uint8_t *in, size_t size,
                                                        size_t *at, uint8_t *out,
                                                        size_t room) {
  return charset_decode_byte(in, size, at, out, room, 1);
}

/* ---- encoders ------------------------------------------------------------------------ */

/* Sixteen bytes of UTF-8 without leads of four: in the lane of each character's last byte
** the character, computed from that byte and the two before it. The first byte is a lead. */
CHARSET_INLINE __m256i charset_gather(__m128i byte) {
  __m256i cur = _mm256_cvtepu8_epi16(byte);
  __m256i prev = _mm256_cvtepu8_epi16(_mm_slli_si128(byte, 1));
  __m256i prev2 = _mm256_cvtepu8_epi16(_mm_slli_si128(byte, 2));
  const __m256i low6 = _mm256_set1_epi16(0x3F), tail = _mm256_set1_epi16(0x80);
  const __m256i top2 = _mm256_set1_epi16(0xC0);
  __m256i curIsTail = _mm256_cmpeq_epi16(_mm256_and_si256(cur, top2), tail);
  __m256i prevIsTail = _mm256_cmpeq_epi16(_mm256_and_si256(prev, top2), tail);
  __m256i high = _mm256_slli_epi16(_mm256_and_si256(prev, low6), 6);
  __m256i two =
      _mm256_and_si256(high, _mm256_set1_epi16(0x7C0)); /* of a lead, 5 bits */
  __m256i three = _mm256_or_si256(high, _mm256_slli_epi16(prev2, 12));
  __m256i more = _mm256_blendv_epi8(two, three, prevIsTail);
  more = _mm256_or_si256(more, _mm256_and_si256(cur, low6));
  return _mm256_blendv_epi8(cur, more, curIsTail);
}

/* FF for those of 16 bytes that end a character: the next is no continuation. */
CHARSET_INLINE __m128i charset_ends(const uint8_t *p) {
  __m128i following = charset_load16(p + 1);
  return _mm_cmpgt_epi8(following, _mm_set1_epi8((char)0xBF));
}

/* Without `pairs`, what takes one is left to the caller. */
CHARSET_INLINE size_t charset_encode_utf16(const uint8_t *in, size_t size, size_t *at,
                                           uint8_t *out, size_t room, int big,
                                           int pairs) {
  size_t n = 0;
  while (size - *at >= 17 && room - n >= 32) {
    __m128i byte = charset_load16(in + *at);
    if (_mm_movemask_epi8(byte) == 0) {
      charset_store32(out + n, charset_order(_mm256_cvtepu8_epi16(byte), big));
      *at += 16;
      n += 32;
      continue;
    }
    __m128i isFour = _mm_subs_epu8(byte, _mm_set1_epi8((char)0xEF));
    if (!_mm_testz_si128(isFour, isFour)) {
      if (!pairs) break;
      n += charset_encode_units(in, at, *at + 13, out + n, big);
      continue;
    }
    __m128i ends = charset_ends(in + *at);
    __m256i mask = _mm256_cvtepi8_epi16(ends);
    n += charset_squeeze(out + n, charset_order(charset_gather(byte), big), mask);
    *at += 32 - (size_t)_lzcnt_u32((uint32_t)_mm_movemask_epi8(ends));
  }
  return n;
}

CHARSET_TARGET static size_t charset_encode_utf16le(const uint8_t *in, size_t size,
                                                    size_t *at, uint8_t *out,
                                                    size_t room) {
  return charset_encode_utf16(in, size, at, out, room, 0, 1);
}

CHARSET_TARGET static size_t charset_encode_utf16be(const uint8_t *in, size_t size,
                                                    size_t *at, uint8_t *out,
                                                    size_t room) {
  return charset_encode_utf16(in, size, at, out, room, 1, 1);
}

/* By way of native UTF-16, which is UTF-32 without its zeros. */
CHARSET_INLINE size_t charset_encode_utf32(const uint8_t *in, size_t size, size_t *at,
                                           uint8_t *out, size_t room, int big) {
  uint8_t units[512];
  size_t n = 0, size16;
  do {
    size_t most = (room - n) / 32 * 16; /* units are widened 16 bytes at a time */
    if (most > sizeof units) most = sizeof units;
    size16 = charset_encode_utf16(in, size, at, units, most, 0, 0);
    memset(units + size16, 0, size16 % 16 ? 16 - size16 % 16 : 0);
    for (size_t i = 0; i < size16; i += 16) {
      __m256i wide = _mm256_cvtepu16_epi32(charset_load16(units + i));
      charset_store32(out + n + 2 * i, charset_order32(wide, big));
    }
    n += 2 * size16;
  } while (size16 > 0 && room - n >= 2 * 32);
  return n;
}

CHARSET_TARGET static size_t charset_encode_utf32le(const uint8_t *in, size_t size,
                                                    size_t *at, uint8_t *out,
                                                    size_t room) {
  return charset_encode_utf32(in, size, at, out, room, 0);
}

CHARSET_TARGET static size_t charset_encode_utf32be(const uint8_t *in, size_t size,
                                                    size_t *at, uint8_t *out,
                                                    size_t room) {
  return charset_encode_utf32(in, size, at, out, room, 1);
}

/* stop: U+0080..U+009F are left to the caller. */
CHARSET_INLINE size_t charset_encode_byte(const uint8_t *in, size_t size, size_t *at,
                                          uint8_t *out, size_t room, int stop) {
  const __m128i c2 = _mm_set1_epi8((char)0xC2), c3 = _mm_set1_epi8((char)0xC3);
  size_t n = 0;
  while (size - *at >= 16 && room - n >= 16) {
    __m128i byte = charset_load16(in + *at);
    __m128i isMore = _mm_subs_epu8(byte, c3); /* above U+00FF */
    if (!_mm_testz_si128(isMore, isMore)) break;
    __m128i before = _mm_slli_si128(byte, 1);
    __m128i isC1 = _mm_cmpgt_epi8(_mm_set1_epi8((char)0xA0), byte);
    if (stop && !_mm_testz_si128(isC1, _mm_cmpeq_epi8(before, c2))) break;
    __m128i isLead = _mm_or_si128(_mm_cmpeq_epi8(byte, c2), _mm_cmpeq_epi8(byte, c3));
    __m128i mask = _mm_andnot_si128(isLead, _mm_set1_epi8(-1));
    __m128i more = _mm_and_si128(_mm_cmpeq_epi8(before, c3), _mm_set1_epi8(0x40));
    byte = _mm_add_epi8(byte, more);
    n += charset_squeeze8(out + n, (uint64_t)_mm_cvtsi128_si64(byte),
                          (uint64_t)_mm_cvtsi128_si64(mask));
    n += charset_squeeze8(out + n, (uint64_t)_mm_extract_epi64(byte, 1),
                          (uint64_t)_mm_extract_epi64(mask, 1));
    *at += in[*at + 15] >= 0xC2 ? 15 : 16;
  }
  return n;
}

CHARSET_TARGET static size_t charset_encode_latin1(const uint8_t *in, size_t size,
                                                   size_t *at, uint8_t *out,
                                                   size_t room) {
  return charset_encode_byte(in, size, at, out, room, 0);
}

CHARSET_TARGET static size_t charset_encode_windows1252(const uint8_t *in, size_t size,
                                                        size_t *at, uint8_t *out,
                                                        size_t room) {
  return charset_encode_byte(in, size, at, out, room, 1);
}

/* ---- the choice ---------------------------------------------------------------------- */

/* Are these functions to be used: where the kernel is an AVX one, except on processors
** whose PEXT is microcode, many times slower than a shift (AMD before Zen 3). */
static int charset_is_fast(void) {
  __builtin_cpu_init();
  return memcmp(utf8kernel()->name, "avx", 3) == 0 && __builtin_cpu_supports("bmi2") &&
         !__builtin_cpu_is("znver1") && !__builtin_cpu_is("znver2");
}

static CharsetBulk *charset_decoder(Utf8Charset charset, CharsetBulk *portable) {
  static CharsetBulk *const fast[UTF8_CHARSETS] = {
      [UTF8_CHARSET_UTF16] = charset_decode_utf16be,
      [UTF8_CHARSET_UTF16LE] = charset_decode_utf16le,
      [UTF8_CHARSET_UTF16BE] = charset_decode_utf16be,
      [UTF8_CHARSET_UTF32] = charset_decode_utf32be,
      [UTF8_CHARSET_UTF32LE] = charset_decode_utf32le,
      [UTF8_CHARSET_UTF32BE] = charset_decode_utf32be,
      [UTF8_CHARSET_LATIN1] = charset_decode_latin1,
      [UTF8_CHARSET_WINDOWS1252] = charset_decode_windows1252,
  };
  return fast[charset] && charset_is_fast() ? fast[charset] : portable;
}

static CharsetBulk *charset_encoder(Utf8Charset charset, CharsetBulk *portable) {
  static CharsetBulk *const fast[UTF8_CHARSETS] = {
      [UTF8_CHARSET_UTF16] = charset_encode_utf16be,
      [UTF8_CHARSET_UTF16LE] = charset_encode_utf16le,
      [UTF8_CHARSET_UTF16BE] = charset_encode_utf16be,
      [UTF8_CHARSET_UTF32] = charset_encode_utf32be,
      [UTF8_CHARSET_UTF32LE] = charset_encode_utf32le,
      [UTF8_CHARSET_UTF32BE] = charset_encode_utf32be,
      [UTF8_CHARSET_LATIN1] = charset_encode_latin1,
      [UTF8_CHARSET_WINDOWS1252] = charset_encode_windows1252,
  };
  return fast[charset] && charset_is_fast() ? fast[charset] : portable;
}

#else

static CharsetBulk *charset_decoder(Utf8Charset charset, CharsetBulk *portable) {
  (void)charset;
  return portable;
}

static CharsetBulk *charset_encoder(Utf8Charset charset, CharsetBulk *portable) {
  (void)charset;
  return portable;
}

#endif
#endif
