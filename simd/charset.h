/* charset.h: bulk conversion between UTF-8 and UTF-16, UTF-32, CESU-8, Latin-1 and
** Windows-1252 for x86 processors with AVX2. Included by utf8charset.c, its only user.
**
** One idea carries all of it: no character is looked for. Every place of a vector is
** converted as if a character stood there, with what its neighbours hold, and then the
** places where none stands are squeezed out: a mask picks a row of a table, and the row
** makes one shuffle move what is kept together.
**
**   - From UTF-8, the places are bytes. A lead sees the bytes behind it in loads that start
**     one, two and three bytes further on; continuation bytes are squeezed out.
**   - To UTF-8, the places are units of 16 bits. Each makes up to three bytes in a lane of
**     four, of which the length of the character is kept. A surrogate makes two.
**
** So nothing branches on single characters; whole vectors of ASCII and those without
** supplementary characters take a short cut. That squeezing beats finding characters was
** shown with AVX-512 by Robert Clausecker and Daniel Lemire, "Transcoding Unicode
** Characters with AVX-512 Instructions" (2023, doi 10.1002/spe.3261); with AVX2 the table
** stands for the instruction that packs.
**
** Bulk functions may stop anywhere on a boundary, and do so at what they do not know.
*/
#ifndef UTF8_SIMD_CHARSET_H
#define UTF8_SIMD_CHARSET_H

#include "../utf8core.h"
#include "kernel.h"
#include <string.h>

/* Converts in[*at..size) to out as far as it likes, and returns how many bytes it wrote,
** at most room; *at becomes where it stopped, on a boundary. A decoder is given any bytes,
** but in CESU-8 well-formed ones; an encoder well-formed UTF-8. */
typedef size_t CharsetBulk(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                           size_t room);

#if defined(__x86_64__) && defined(__GNUC__)

#include <immintrin.h>

#define CHARSET_TARGET __attribute__((target("avx2,bmi,lzcnt,popcnt")))
#define CHARSET_INLINE __attribute__((always_inline)) CHARSET_TARGET static inline

/* ---- the tables ---------------------------------------------------------------------- */

#define CHARSET_ROWS_4(row, m) row(m), row(m + 1), row(m + 2), row(m + 3)
#define CHARSET_ROWS_16(row, m)                                                        \
  CHARSET_ROWS_4(row, m), CHARSET_ROWS_4(row, m + 4), CHARSET_ROWS_4(row, m + 8),      \
      CHARSET_ROWS_4(row, m + 12)
#define CHARSET_ROWS_64(row, m)                                                        \
  CHARSET_ROWS_16(row, m), CHARSET_ROWS_16(row, m + 16), CHARSET_ROWS_16(row, m + 32), \
      CHARSET_ROWS_16(row, m + 48)
#define CHARSET_ROWS_256(row)                                                          \
  CHARSET_ROWS_64(row, 0), CHARSET_ROWS_64(row, 64), CHARSET_ROWS_64(row, 128),        \
      CHARSET_ROWS_64(row, 192)

/* The numbers of the bits that are set in m, one in each byte, the lowest first: what m
** keeps of eight places. */
#define CHARSET_BIT(m, i) ((uint64_t)(m) >> (i)&1)
#define CHARSET_PUT(m, i, after)                                                       \
  ((after) << 8 * CHARSET_BIT(m, i) | (i)*CHARSET_BIT(m, i))
#define CHARSET_KEPT(m)                                                                \
  CHARSET_PUT(                                                                         \
      m, 0,                                                                            \
      CHARSET_PUT(m, 1, CHARSET_PUT(m, 2, CHARSET_PUT(m, 3, CHARSET_KEPT_HIGH(m)))))
#define CHARSET_KEPT_HIGH(m)                                                           \
  CHARSET_PUT(m, 4, CHARSET_PUT(m, 5, CHARSET_PUT(m, 6, CHARSET_PUT(m, 7, 0))))

static const uint64_t charset_kept[256] = {CHARSET_ROWS_256(CHARSET_KEPT)};

/* Four lanes of four bytes, of each of which the first one to three are kept: bits 2i and
** 2i + 1 of m tell whether lane i has a second byte, and a third. */
#define CHARSET_LENGTH(m, i) (1 + CHARSET_BIT(m, 2 * (i)) + CHARSET_BIT(m, 2 * (i) + 1))
#define CHARSET_LANE(m, i)                                                             \
  ((0x020100 + 0x010101 * 4 * (i)) & (((uint64_t)1 << 8 * CHARSET_LENGTH(m, i)) - 1))
#define CHARSET_TWO_LANES(m, i)                                                        \
  (CHARSET_LANE(m, i + 1) << 8 * CHARSET_LENGTH(m, i) | CHARSET_LANE(m, i))
#define CHARSET_FIRST_LENGTH(m) (CHARSET_LENGTH(m, 0) + CHARSET_LENGTH(m, 1))
#define CHARSET_FOUR_LANES(m)                                                          \
  {                                                                                    \
    CHARSET_TWO_LANES(m, 2) << 8 * CHARSET_FIRST_LENGTH(m) | CHARSET_TWO_LANES(m, 0),  \
        CHARSET_TWO_LANES(m, 2) >> (64 - 8 * CHARSET_FIRST_LENGTH(m))                  \
  }

static const uint64_t charset_lanes[256][2] = {CHARSET_ROWS_256(CHARSET_FOUR_LANES)};

/* Eight pairs of bytes, of which the second is kept where m has bit i. */
#define CHARSET_PAIR(m, i)                                                             \
  ((0x0100 + 0x0202 * (uint64_t)(i)) & (0xFF | 0xFF00 * CHARSET_BIT(m, i)))
#define CHARSET_TWO_PAIRS(m, i)                                                        \
  (CHARSET_PAIR(m, i + 1) << 8 * (1 + CHARSET_BIT(m, i)) | CHARSET_PAIR(m, i))
#define CHARSET_TWO_LENGTH(m, i) (2 + CHARSET_BIT(m, i) + CHARSET_BIT(m, i + 1))
#define CHARSET_FOUR_PAIRS(m, i)                                                       \
  (CHARSET_TWO_PAIRS(m, i + 2) << 8 * CHARSET_TWO_LENGTH(m, i) |                       \
   CHARSET_TWO_PAIRS(m, i))
#define CHARSET_HALF_LENGTH(m) (CHARSET_TWO_LENGTH(m, 0) + CHARSET_TWO_LENGTH(m, 2))
#define CHARSET_EIGHT_PAIRS(m)                                                         \
  {                                                                                    \
    CHARSET_FOUR_PAIRS(m, 4) << 4 * CHARSET_HALF_LENGTH(m)                             \
                             << 4 * CHARSET_HALF_LENGTH(m) |                           \
        CHARSET_FOUR_PAIRS(m, 0),                                                      \
        CHARSET_FOUR_PAIRS(m, 4) >> (64 - 8 * CHARSET_HALF_LENGTH(m))                  \
  }

static const uint64_t charset_pairs[256][2] = {CHARSET_ROWS_256(CHARSET_EIGHT_PAIRS)};

/* ---- constants ------------------------------------------------------------------------ */

/* What charset_fill() fills vectors with: the same byte, 16 or 32 bits. */
/* clang-format off */
#define CHARSET_FILLS(F)                                                              \
  F(03030303) F(0F0F0F0F) F(18181818) F(1C1C1C1C) F(30303030) F(3F3F3F3F) F(40404040) \
  F(44444444) F(60606060) F(70707070) F(80808080) F(C0C0C0C0) F(DCDCDCDC) F(E0E0E0E0) \
  F(EDEDEDED) F(F0F0F0F0) F(FCFCFCFC)                                                 \
  F(000F000F) F(00300030) F(003F003F) F(00400040) F(00800080) F(00FF00FF) F(03FF03FF) \
  F(08000800) F(3F003F00) F(80C080C0) F(80E080E0) F(80F080F0) F(D800D800) F(DC00DC00) \
  F(F800F800) F(FC00FC00) F(FF80FF80)                                                 \
  F(0000001B) F(0000003F) F(0000007F) F(000007FF) F(000080C0) F(0000FFFF) F(00110000) \
  F(008080E0) F(808080F0)
/* clang-format on */

#define CHARSET_NAME(x) CHARSET_FILL_##x,
enum CharsetFill { CHARSET_FILLS(CHARSET_NAME) };

#define CHARSET_EIGHT(x) {0x##x, 0x##x, 0x##x, 0x##x, 0x##x, 0x##x, 0x##x, 0x##x},
static const uint32_t charset_fills[][8]
    __attribute__((aligned(32))) = {CHARSET_FILLS(CHARSET_EIGHT)};

/* ---- vectors ------------------------------------------------------------------------- */

CHARSET_INLINE __m256i charset_load(const uint8_t *p) {
  return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

CHARSET_INLINE void charset_store(uint8_t *p, __m256i x) {
  _mm256_storeu_si256((__m256i *)(void *)p, x);
}

CHARSET_INLINE __m128i charset_load_half(const uint8_t *p) {
  return _mm_loadu_si128((const __m128i *)(const void *)p);
}

CHARSET_INLINE void charset_store_half(uint8_t *p, __m128i x) {
  _mm_storeu_si128((__m128i *)(void *)p, x);
}

CHARSET_INLINE __m128i charset_low(__m256i x) {
  return _mm256_castsi256_si128(x);
}

CHARSET_INLINE __m128i charset_high(__m256i x) {
  return _mm256_extracti128_si256(x, 1);
}

/* Vectors of the same 32 bits again and again are loaded, such that the compiler does not
** see which: gcc would make each anew, with three instructions, where a loop needs it. */
CHARSET_INLINE __m256i charset_fill(enum CharsetFill which) {
  const uint32_t(*fill)[8] = charset_fills;
  __asm__("" : "+r"(fill));
  return _mm256_load_si256((const __m256i *)(const void *)fill[which]);
}

#define CHARSET_FILL32(x) charset_fill(CHARSET_FILL_##x)
#define CHARSET_FILL16(x) CHARSET_FILL32(x##x)
#define CHARSET_FILL8(x)  CHARSET_FILL16(x##x)

/* Where a has its top bits, b; elsewhere c. */
CHARSET_INLINE __m256i charset_if(__m256i a, __m256i b, __m256i c) {
  return _mm256_blendv_epi8(c, b, a);
}

CHARSET_INLINE uint32_t charset_mask(__m256i x) {
  return (uint32_t)_mm256_movemask_epi8(x);
}

CHARSET_INLINE size_t charset_count(uint32_t mask) {
  return (size_t)_mm_popcnt_u32(mask);
}

/* FF where the byte is of 80..9F. */
CHARSET_INLINE __m256i charset_controls(__m256i byte) {
  return _mm256_cmpeq_epi8(_mm256_and_si256(byte, CHARSET_FILL8(E0)),
                           CHARSET_FILL8(80));
}

/* ---- squeezing ------------------------------------------------------------------------ */

/* The shuffle by which each eight bytes of a vector move together. */
CHARSET_INLINE __m256i charset_rows(uint32_t mask) {
  const __m256i places =
      _mm256_set_epi64x(0x0808080808080808, 0, 0x0808080808080808, 0);
  __m128i low = _mm_set_epi64x((long long)charset_kept[mask >> 8 & 255],
                               (long long)charset_kept[mask & 255]);
  __m128i high = _mm_set_epi64x((long long)charset_kept[mask >> 24],
                                (long long)charset_kept[mask >> 16 & 255]);
  return _mm256_or_si256(_mm256_set_m128i(high, low), places);
}

/* Where each eight places of a mask have their output, in places; and where it ends. */
typedef struct CharsetStarts {
  size_t second, third, fourth, end;
} CharsetStarts;

CHARSET_INLINE CharsetStarts charset_starts(uint32_t mask) {
  return (CharsetStarts){charset_count(mask & 0xFF), charset_count(mask & 0xFFFF),
                         charset_count(mask & 0xFFFFFF), charset_count(mask)};
}

/* Writes the bytes that mask keeps; returns how many. out has room for 32. */
CHARSET_INLINE size_t charset_squeeze(uint8_t *out, __m256i bytes, uint32_t mask) {
  CharsetStarts to = charset_starts(mask);
  __m256i kept = _mm256_shuffle_epi8(bytes, charset_rows(mask));
  __m128i low = charset_low(kept), high = charset_high(kept);
  _mm_storel_epi64((__m128i *)(void *)out, low);
  _mm_storel_epi64((__m128i *)(void *)(out + to.second), _mm_unpackhi_epi64(low, low));
  _mm_storel_epi64((__m128i *)(void *)(out + to.third), high);
  _mm_storel_epi64((__m128i *)(void *)(out + to.fourth),
                   _mm_unpackhi_epi64(high, high));
  return to.end;
}

/* Writes units of 16 bits, whose bytes in memory are a and b, where mask keeps them;
** returns how many bytes. out has room for 64. */
CHARSET_INLINE size_t charset_squeeze16(uint8_t *out, __m256i a, __m256i b,
                                        uint32_t mask) {
  CharsetStarts to = charset_starts(mask);
  __m256i rows = charset_rows(mask);
  a = _mm256_shuffle_epi8(a, rows);
  b = _mm256_shuffle_epi8(b, rows);
  __m256i even = _mm256_unpacklo_epi8(a, b), odd = _mm256_unpackhi_epi8(a, b);
  charset_store_half(out, charset_low(even));
  charset_store_half(out + 2 * to.second, charset_low(odd));
  charset_store_half(out + 2 * to.third, charset_high(even));
  charset_store_half(out + 2 * to.fourth, charset_high(odd));
  return 2 * to.end;
}

/* Writes units of 32 bits, of the bytes a, b, c and d. Those of each eight places are
** where `to` says; out has room for 128. */
CHARSET_INLINE void charset_put32(uint8_t *out, CharsetStarts to, __m256i a, __m256i b,
                                  __m256i c, __m256i d) {
  __m256i even = _mm256_unpacklo_epi8(a, b), even2 = _mm256_unpacklo_epi8(c, d);
  __m256i odd = _mm256_unpackhi_epi8(a, b), odd2 = _mm256_unpackhi_epi8(c, d);
  __m256i part = _mm256_unpacklo_epi16(even, even2);
  __m256i part2 = _mm256_unpackhi_epi16(even, even2);
  __m256i part3 = _mm256_unpacklo_epi16(odd, odd2);
  __m256i part4 = _mm256_unpackhi_epi16(odd, odd2);
  charset_store_half(out, charset_low(part));
  charset_store_half(out + 16, charset_low(part2));
  charset_store_half(out + 4 * to.second, charset_low(part3));
  charset_store_half(out + 4 * to.second + 16, charset_low(part4));
  charset_store_half(out + 4 * to.third, charset_high(part));
  charset_store_half(out + 4 * to.third + 16, charset_high(part2));
  charset_store_half(out + 4 * to.fourth, charset_high(part3));
  charset_store_half(out + 4 * to.fourth + 16, charset_high(part4));
}

/* The same where mask keeps them; returns how many bytes. */
CHARSET_INLINE size_t charset_squeeze32(uint8_t *out, __m256i a, __m256i b, __m256i c,
                                        __m256i d, uint32_t mask) {
  CharsetStarts to = charset_starts(mask);
  __m256i rows = charset_rows(mask);
  charset_put32(out, to, _mm256_shuffle_epi8(a, rows), _mm256_shuffle_epi8(b, rows),
                _mm256_shuffle_epi8(c, rows), _mm256_shuffle_epi8(d, rows));
  return 4 * to.end;
}

/* Writes 32 bytes as units of 32 bits. */
CHARSET_INLINE void charset_put32_ascii(uint8_t *out, __m256i bytes, int big) {
  __m128i half[2] = {charset_low(bytes), charset_high(bytes)};
  for (int i = 0; i < 4; i++) {
    __m128i eight = i & 1 ? _mm_srli_si128(half[i / 2], 8) : half[i / 2];
    __m256i units = _mm256_cvtepu8_epi32(eight);
    charset_store(out + 32 * i, big ? _mm256_slli_epi32(units, 24) : units);
  }
}

/* ---- from UTF-8 ----------------------------------------------------------------------- */

/* 32 places, and what stands one, two and three bytes further on. */
typedef struct CharsetPlaces {
  __m256i at, next, next2, next3;
} CharsetPlaces;

/* Reads 35 bytes. */
CHARSET_INLINE CharsetPlaces charset_places(const uint8_t *p) {
  return (CharsetPlaces){charset_load(p), charset_load(p + 1), charset_load(p + 2),
                         charset_load(p + 3)};
}

/* Top bits where the byte is a lead of three or more, or of four. */
CHARSET_INLINE __m256i charset_leads3(__m256i byte) {
  return _mm256_subs_epu8(byte, CHARSET_FILL8(60)); /* E0 - 80 */
}

CHARSET_INLINE __m256i charset_leads4(__m256i byte) {
  return _mm256_subs_epu8(byte, CHARSET_FILL8(70)); /* F0 - 80 */
}

CHARSET_INLINE uint32_t charset_tails(__m256i byte) {
  return charset_mask(_mm256_cmpgt_epi8(CHARSET_FILL8(C0), byte));
}

/* (x << n) & mask and (x >> n) & mask, in each byte. */
#define CHARSET_LEFT(x, n, mask)                                                       \
  _mm256_and_si256(_mm256_slli_epi16(x, n), CHARSET_FILL8(mask))
#define CHARSET_RIGHT(x, n, mask)                                                      \
  _mm256_and_si256(_mm256_srli_epi16(x, n), CHARSET_FILL8(mask))

/* The bits 0 to 7 of a character that ends in the bytes x and y, and its bits 8 to 11. */
CHARSET_INLINE __m256i charset_low_byte(__m256i x, __m256i y) {
  return _mm256_or_si256(CHARSET_LEFT(x, 6, C0),
                         _mm256_and_si256(y, CHARSET_FILL8(3F)));
}

/* Bytes 0, 1 and 2 of code points. */
typedef struct CharsetCodes {
  __m256i low, high, plane;
} CharsetCodes;

/* What each lead of up to three bytes, and each byte below 80, stands for. Where `also`
** has its top bits, bytes are taken for leads of three. */
CHARSET_INLINE CharsetCodes charset_codes(CharsetPlaces p, __m256i also) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i three = charset_leads3(p.at);
  __m256i long_ = _mm256_or_si256(three, also);
  __m256i x = charset_if(long_, p.next, p.at), y = charset_if(long_, p.next2, p.next);
  __m256i top = charset_if(three, CHARSET_LEFT(p.at, 4, F0), zero);
  __m256i high = _mm256_or_si256(CHARSET_RIGHT(x, 2, 0F), top);
  return (CharsetCodes){charset_if(p.at, charset_low_byte(x, y), p.at),
                        charset_if(p.at, high, zero), zero};
}

/* Supplementary characters in UTF-16: the first half takes the place of the lead, the last
** half that of the byte behind it, where afterFour has its top bits. */
CHARSET_INLINE CharsetCodes charset_halves(CharsetPlaces p, __m256i afterFour) {
  CharsetCodes codes = charset_codes(p, afterFour);
  __m256i four = charset_leads4(p.at);
  __m256i low = _mm256_sub_epi8(CHARSET_LEFT(p.next, 2, FC), CHARSET_FILL8(40));
  low = _mm256_or_si256(low, CHARSET_RIGHT(p.next2, 4, 03));
  __m256i borrow = _mm256_and_si256(p.next, CHARSET_FILL8(30));
  borrow = _mm256_cmpeq_epi8(borrow, _mm256_setzero_si256());
  __m256i high = _mm256_sub_epi8(p.at, CHARSET_FILL8(18)); /* F0 - D8 */
  high = _mm256_add_epi8(high, borrow);
  __m256i last = _mm256_or_si256(CHARSET_RIGHT(p.next, 2, 03), CHARSET_FILL8(DC));
  codes.low = charset_if(four, low, codes.low);
  codes.high = charset_if(four, high, charset_if(afterFour, last, codes.high));
  return codes;
}

/* The same in UTF-32. */
CHARSET_INLINE CharsetCodes charset_planes(CharsetPlaces p) {
  const __m256i zero = _mm256_setzero_si256();
  CharsetCodes codes = charset_codes(p, zero);
  __m256i four = charset_leads4(p.at);
  __m256i high = CHARSET_LEFT(p.next, 4, F0);
  high = _mm256_or_si256(high, CHARSET_RIGHT(p.next2, 2, 0F));
  __m256i plane = CHARSET_LEFT(p.at, 2, 1C);
  plane = _mm256_or_si256(plane, CHARSET_RIGHT(p.next, 4, 03));
  codes.low = charset_if(four, charset_low_byte(p.next2, p.next3), codes.low);
  codes.high = charset_if(four, high, codes.high);
  codes.plane = charset_if(four, plane, zero);
  return codes;
}

/* The bytes one place before those of v; in front, the last one of `before`. */
CHARSET_INLINE __m256i charset_previous(__m256i before, __m256i v) {
  return _mm256_alignr_epi8(v, _mm256_permute2x128_si256(before, v, 0x21), 15);
}

/* Where a loop over places stops, the character before it is written: on to its end. */
CHARSET_INLINE size_t charset_end(const uint8_t *in, size_t size, size_t at) {
  while (at < size && (in[at] & 0xC0) == 0x80) at++;
  return at;
}

CHARSET_INLINE size_t charset_encode_utf16(const uint8_t *in, size_t size, size_t *at,
                                           uint8_t *out, size_t room, int big) {
  const __m256i zero = _mm256_setzero_si256();
  __m256i before = zero;
  size_t n = 0, i = *at;
  for (; size - i >= 35 && room - n >= 64; i += 32) {
    CharsetPlaces p = charset_places(in + i);
    if (charset_mask(p.at) == 0) {
      __m256i low = _mm256_cvtepu8_epi16(charset_low(p.at));
      __m256i high = _mm256_cvtepu8_epi16(charset_high(p.at));
      charset_store(out + n, big ? _mm256_slli_epi16(low, 8) : low);
      charset_store(out + n + 32, big ? _mm256_slli_epi16(high, 8) : high);
      n += 64;
      before = zero;
      continue;
    }
    uint32_t mask = ~charset_tails(p.at);
    __m256i afterFour = charset_leads4(charset_previous(before, p.at));
    CharsetCodes codes;
    if (charset_mask(_mm256_or_si256(charset_leads4(p.at), afterFour)) == 0) {
      codes = charset_codes(p, zero);
    } else {
      codes = charset_halves(p, afterFour);
      mask |= charset_mask(afterFour);
    }
    n += big ? charset_squeeze16(out + n, codes.high, codes.low, mask)
             : charset_squeeze16(out + n, codes.low, codes.high, mask);
    before = p.at;
  }
  if (i > *at && in[i - 1] >= 0xF0) n -= 2, i--; /* its last half is not written */
  *at = charset_end(in, size, i);
  return n;
}

CHARSET_INLINE size_t charset_encode_utf32(const uint8_t *in, size_t size, size_t *at,
                                           uint8_t *out, size_t room, int big) {
  const __m256i zero = _mm256_setzero_si256();
  size_t n = 0, i = *at;
  for (; size - i >= 35 && room - n >= 128; i += 32) {
    CharsetPlaces p = charset_places(in + i);
    if (charset_mask(p.at) == 0) {
      charset_put32_ascii(out + n, p.at, big);
      n += 128;
      continue;
    }
    int hasLong = charset_mask(charset_leads4(p.at)) != 0;
    CharsetCodes codes = hasLong ? charset_planes(p) : charset_codes(p, zero);
    uint32_t mask = ~charset_tails(p.at);
    n +=
        big ? charset_squeeze32(out + n, zero, codes.plane, codes.high, codes.low, mask)
            : charset_squeeze32(out + n, codes.low, codes.high, codes.plane, zero,
                                mask);
  }
  *at = charset_end(in, size, i);
  return n;
}

/* Stops at what is above U+00FF. controls: U+0080..U+009F are converted. */
CHARSET_INLINE size_t charset_encode_byte(const uint8_t *in, size_t size, size_t *at,
                                          uint8_t *out, size_t room, int controls) {
  size_t n = 0, i = *at;
  for (; size - i >= 33 && room - n >= 32; i += 32) {
    __m256i byte = charset_load(in + i), next = charset_load(in + i + 1);
    if (charset_mask(byte) == 0) {
      charset_store(out + n, byte);
      n += 32;
      continue;
    }
    uint32_t mask = ~charset_tails(byte);
    uint32_t stop =
        charset_mask(_mm256_subs_epu8(byte, CHARSET_FILL8(44))); /* C4 - 80 */
    byte = charset_if(byte, charset_low_byte(byte, next), byte);
    if (!controls) stop |= charset_mask(charset_controls(byte)) & mask;
    if (stop != 0) { /* what is before it, and no more */
      n += charset_squeeze(out + n, byte, mask & (_blsmsk_u32(stop) >> 1));
      i += _tzcnt_u32(stop);
      break;
    }
    n += charset_squeeze(out + n, byte, mask);
  }
  *at = charset_end(in, size, i);
  return n;
}

/* ---- to UTF-8 ------------------------------------------------------------------------- */

/* 16 units: the first two bytes of each and, in the low byte of `third`, the third; and
** FFFF where there is a second one, and a third. */
typedef struct CharsetUnits {
  __m256i pair, third, hasTwo, hasThree;
} CharsetUnits;

/* FFFF where the unit is not below least. */
CHARSET_INLINE __m256i charset_from(__m256i unit, __m256i least) {
  return _mm256_cmpeq_epi16(unit, _mm256_max_epu16(unit, least));
}

/* The low byte of a | the high byte of b & 3F, with these marks. */
CHARSET_INLINE __m256i charset_pair(__m256i a, __m256i b, __m256i marks) {
  b = _mm256_and_si256(b, CHARSET_FILL16(3F00));
  return _mm256_or_si256(_mm256_or_si256(a, b), marks);
}

/* nul: U+0000 takes two bytes. */
CHARSET_INLINE CharsetUnits charset_units(__m256i unit, int nul) {
  __m256i hasTwo = charset_from(unit, CHARSET_FILL16(0080)),
          hasThree = charset_from(unit, CHARSET_FILL16(0800));
  if (nul) {
    __m256i isNul = _mm256_cmpeq_epi16(unit, _mm256_setzero_si256());
    hasTwo = _mm256_or_si256(hasTwo, isNul);
  }
  __m256i two = charset_pair(_mm256_srli_epi16(unit, 6), _mm256_slli_epi16(unit, 8),
                             CHARSET_FILL16(80C0));
  __m256i three = charset_pair(_mm256_srli_epi16(unit, 12), _mm256_slli_epi16(unit, 2),
                               CHARSET_FILL16(80E0));
  __m256i third = _mm256_or_si256(_mm256_and_si256(unit, CHARSET_FILL16(003F)),
                                  CHARSET_FILL16(0080));
  __m256i pair = charset_if(hasThree, three, charset_if(hasTwo, two, unit));
  return (CharsetUnits){pair, third, hasTwo, hasThree};
}

/* FFFF where the unit is of those that have the ten, or six, highest bits of `of`. */
CHARSET_INLINE __m256i charset_is(__m256i unit, __m256i of, __m256i bits) {
  return _mm256_cmpeq_epi16(_mm256_and_si256(unit, bits), of);
}

CHARSET_INLINE __m256i charset_surrogates(__m256i unit) {
  return charset_is(unit, CHARSET_FILL16(D800), CHARSET_FILL16(F800));
}

CHARSET_INLINE __m256i charset_first_half(__m256i unit) {
  return charset_is(unit, CHARSET_FILL16(D800), CHARSET_FILL16(FC00));
}

CHARSET_INLINE __m256i charset_last_half(__m256i unit) {
  return charset_is(unit, CHARSET_FILL16(DC00), CHARSET_FILL16(FC00));
}

/* The same with surrogates that are in pairs: each half makes two bytes of the four. The
** last two bits of the first half go with the last one. */
CHARSET_INLINE CharsetUnits charset_paired(__m256i unit) {
  CharsetUnits u = charset_units(unit, 0);
  __m256i isFirst = charset_first_half(unit), isLast = charset_last_half(unit);
  __m256i ten = _mm256_add_epi16(_mm256_and_si256(unit, CHARSET_FILL16(03FF)),
                                 CHARSET_FILL16(0040)); /* 10000 >> 10 */
  __m256i first = charset_pair(_mm256_srli_epi16(ten, 8), _mm256_slli_epi16(ten, 6),
                               CHARSET_FILL16(80F0));
  __m256i middle = _mm256_permute2x128_si256(unit, unit, 0x08);
  __m256i carried = _mm256_slli_epi16(_mm256_alignr_epi8(unit, middle, 14), 4);
  carried = _mm256_and_si256(carried, CHARSET_FILL16(0030));
  __m256i high = _mm256_and_si256(_mm256_srli_epi16(unit, 6), CHARSET_FILL16(000F));
  __m256i last = charset_pair(_mm256_or_si256(high, carried),
                              _mm256_slli_epi16(unit, 8), CHARSET_FILL16(8080));
  u.pair = charset_if(isFirst, first, charset_if(isLast, last, u.pair));
  u.hasThree = _mm256_andnot_si256(_mm256_or_si256(isFirst, isLast), u.hasThree);
  return u;
}

CHARSET_INLINE __m128i charset_row(const uint64_t row[2]) {
  return _mm_loadu_si128((const __m128i *)(const void *)row);
}

/* Writes the first `count` units; returns how many bytes. out has room for 64. */
CHARSET_INLINE size_t charset_put(uint8_t *out, CharsetUnits u, size_t count) {
  __m256i even = _mm256_unpacklo_epi16(u.pair, u.third);
  __m256i odd = _mm256_unpackhi_epi16(u.pair, u.third);
  uint32_t m = charset_mask(
      _mm256_and_si256(u.hasTwo, _mm256_or_si256(u.hasThree, CHARSET_FILL16(00FF))));
  CharsetStarts more = charset_starts(m);
  even = _mm256_shuffle_epi8(even,
                             _mm256_set_m128i(charset_row(charset_lanes[m >> 16 & 255]),
                                              charset_row(charset_lanes[m & 255])));
  odd = _mm256_shuffle_epi8(odd,
                            _mm256_set_m128i(charset_row(charset_lanes[m >> 24]),
                                             charset_row(charset_lanes[m >> 8 & 255])));
  charset_store_half(out, charset_low(even));
  charset_store_half(out + 4 + more.second, charset_low(odd));
  charset_store_half(out + 8 + more.third, charset_high(even));
  charset_store_half(out + 12 + more.fourth, charset_high(odd));
  return count + charset_count(count < 16 ? m & ((1u << 2 * count) - 1) : m);
}

/* The two bytes of each unit change places, if the charset is big-endian. */
CHARSET_INLINE __m256i charset_order(__m256i x, int big) {
  return big ? _mm256_or_si256(_mm256_slli_epi16(x, 8), _mm256_srli_epi16(x, 8)) : x;
}

/* Sixteen units below 800. out has room for 32. */
CHARSET_INLINE size_t charset_put_below_800(uint8_t *out, __m256i unit) {
  __m256i two = charset_pair(_mm256_srli_epi16(unit, 6), _mm256_slli_epi16(unit, 8),
                             CHARSET_FILL16(80C0));
  __m256i hasTwo = charset_from(unit, CHARSET_FILL16(0080));
  uint32_t mask = charset_mask(_mm256_packs_epi16(hasTwo, _mm256_setzero_si256()));
  __m256i rows = _mm256_set_m128i(charset_row(charset_pairs[mask >> 16]),
                                  charset_row(charset_pairs[mask & 255]));
  __m256i kept = _mm256_shuffle_epi8(charset_if(hasTwo, two, unit), rows);
  charset_store_half(out, charset_low(kept));
  charset_store_half(out + 8 + charset_count(mask & 255), charset_high(kept));
  return 16 + charset_count(mask);
}

/* Sixteen units; returns 0 if there is a surrogate among them. */
CHARSET_INLINE size_t charset_put_units(uint8_t *out, __m256i unit) {
  if (!_mm256_testz_si256(unit, CHARSET_FILL16(F800))) {
    if (charset_mask(charset_surrogates(unit))) return 0;
    return charset_put(out, charset_units(unit, 0), 16);
  }
  if (!_mm256_testz_si256(unit, CHARSET_FILL16(FF80)))
    return charset_put_below_800(out, unit);
  charset_store_half(out, _mm_packus_epi16(charset_low(unit), charset_high(unit)));
  return 16;
}

/* Writes the ASCII of a text in UTF-16 as long as it goes on; returns how many units. */
CHARSET_INLINE size_t charset_put_ascii(const uint8_t *in, size_t size, uint8_t *out,
                                        size_t room, int big) {
  size_t n = 0;
  for (; size - 2 * n >= 64 && room - n >= 32; n += 32) {
    __m256i a = charset_order(charset_load(in + 2 * n), big);
    __m256i b = charset_order(charset_load(in + 2 * n + 32), big);
    if (!_mm256_testz_si256(_mm256_or_si256(a, b), CHARSET_FILL16(FF80))) break;
    charset_store(out + n, _mm256_permute4x64_epi64(_mm256_packus_epi16(a, b), 0xD8));
  }
  return n;
}

/* Stops before a surrogate without its partner, and may do so up to 15 units earlier. */
CHARSET_INLINE size_t charset_decode_utf16(const uint8_t *in, size_t size, size_t *at,
                                           uint8_t *out, size_t room, int big) {
  size_t n = 0, i = *at;
  while (size - i >= 32 && room - n >= 64) {
    __m256i unit = charset_order(charset_load(in + i), big);
    size_t count = 16;
    if (_mm256_testz_si256(unit, CHARSET_FILL16(F800))) {
      size_t ascii = charset_put_ascii(in + i, size - i, out + n, room - n, big);
      n += ascii ? ascii : charset_put_below_800(out + n, unit);
      if (ascii) count = ascii;
    } else if (charset_mask(charset_surrogates(unit)) == 0) {
      n += charset_put(out + n, charset_units(unit, 0), 16);
    } else {
      uint32_t first = charset_mask(charset_first_half(unit));
      uint32_t last = charset_mask(charset_last_half(unit));
      if (last != first << 2) break;
      count -= first >> 31;
      n += charset_put(out + n, charset_paired(unit), count);
    }
    i += 2 * count;
  }
  *at = i;
  return n;
}

/* The four bytes of each unit in reverse order, if the charset is big-endian. */
CHARSET_INLINE __m256i charset_order32(__m256i x, int big) {
  const __m256i reverse =
      _mm256_setr_epi8(3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12, 3, 2, 1, 0,
                       7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12);
  return big ? _mm256_shuffle_epi8(x, reverse) : x;
}

/* x >> n & 3F in each unit of 32 bits, moved up to byte `byte`. */
#define CHARSET_SIX(x, n, byte)                                                        \
  _mm256_slli_epi32(                                                                   \
      _mm256_and_si256(_mm256_srli_epi32(x, n), CHARSET_FILL32(0000003F)), 8 * (byte))

/* Eight code points: up to four bytes in the lane of each. */
CHARSET_INLINE size_t charset_put_codes(uint8_t *out, __m256i code) {
  __m256i two = _mm256_or_si256(_mm256_srli_epi32(code, 6), CHARSET_SIX(code, 0, 1));
  __m256i three = _mm256_or_si256(_mm256_srli_epi32(code, 12), CHARSET_SIX(code, 6, 1));
  three = _mm256_or_si256(three, CHARSET_SIX(code, 0, 2));
  __m256i four = _mm256_or_si256(_mm256_srli_epi32(code, 18), CHARSET_SIX(code, 12, 1));
  four = _mm256_or_si256(four, CHARSET_SIX(code, 6, 2));
  four = _mm256_or_si256(four, CHARSET_SIX(code, 0, 3));
  two = _mm256_or_si256(two, CHARSET_FILL32(000080C0));
  three = _mm256_or_si256(three, CHARSET_FILL32(008080E0));
  four = _mm256_or_si256(four, CHARSET_FILL32(808080F0));
  __m256i isTwo = _mm256_cmpgt_epi32(code, CHARSET_FILL32(0000007F));
  __m256i isThree = _mm256_cmpgt_epi32(code, CHARSET_FILL32(000007FF));
  __m256i isFour = _mm256_cmpgt_epi32(code, CHARSET_FILL32(0000FFFF));
  __m256i bytes = charset_if(isTwo, two, code);
  bytes = charset_if(isFour, four, charset_if(isThree, three, bytes));
  uint32_t mask = 0x11111111 | (charset_mask(isTwo) & 0x22222222) |
                  (charset_mask(isThree) & 0x44444444) |
                  (charset_mask(isFour) & 0x88888888);
  return charset_squeeze(out, bytes, mask);
}

/* Does none of eight code points have bits beyond those of mask? */
CHARSET_INLINE int charset_fit(__m256i codes, __m256i mask) {
  return _mm256_testc_si256(mask, codes);
}

/* FFFFFFFF where the code point is no character; 1B is D800 >> 11. */
CHARSET_INLINE __m256i charset_wrong(__m256i code) {
  const __m256i beyond = CHARSET_FILL32(00110000);
  __m256i isBeyond = _mm256_cmpeq_epi32(code, _mm256_max_epu32(code, beyond));
  __m256i isHalf =
      _mm256_cmpeq_epi32(_mm256_srli_epi32(code, 11), CHARSET_FILL32(0000001B));
  return _mm256_or_si256(isBeyond, isHalf);
}

/* Stops at most 15 characters before what is none. */
CHARSET_INLINE size_t charset_decode_utf32(const uint8_t *in, size_t size, size_t *at,
                                           uint8_t *out, size_t room, int big) {
  size_t n = 0, i = *at;
  for (; size - i >= 64 && room - n >= 64; i += 64) {
    __m256i codes = charset_order32(charset_load(in + i), big);
    __m256i codes2 = charset_order32(charset_load(in + i + 32), big);
    if (charset_fit(_mm256_or_si256(codes, codes2), CHARSET_FILL32(0000FFFF))) {
      __m256i units = _mm256_packus_epi32(codes, codes2);
      size_t put = charset_put_units(out + n, _mm256_permute4x64_epi64(units, 0xD8));
      if (put == 0) break;
      n += put;
    } else {
      __m256i wrong = _mm256_or_si256(charset_wrong(codes), charset_wrong(codes2));
      if (!_mm256_testz_si256(wrong, wrong)) break;
      n += charset_put_codes(out + n, codes);
      n += charset_put_codes(out + n, codes2);
    }
  }
  *at = i;
  return n;
}

/* 32 bytes of Latin-1. out has room for 64. */
CHARSET_INLINE size_t charset_put_latin1(uint8_t *out, __m256i bytes) {
  if (charset_mask(bytes) == 0) {
    charset_store(out, bytes);
    return 32;
  }
  size_t n = charset_put_below_800(out, _mm256_cvtepu8_epi16(charset_low(bytes)));
  return n + charset_put_below_800(out + n, _mm256_cvtepu8_epi16(charset_high(bytes)));
}

CHARSET_TARGET static size_t charset_decode_latin1(const uint8_t *in, size_t size,
                                                   size_t *at, uint8_t *out,
                                                   size_t room) {
  size_t n = 0, i = *at;
  for (; size - i >= 32 && room - n >= 64; i += 32) {
    n += charset_put_latin1(out + n, charset_load(in + i));
  }
  *at = i;
  return n;
}

/* What 80..9F are, each half-vector 16 of the low or of the high bytes. */
typedef struct Charset1252 {
  __m256i low, high;
} Charset1252;

CHARSET_INLINE Charset1252 charset_1252(void) {
  const uint8_t *p = (const uint8_t *)utf8core_windows1252;
  __m256i a = charset_load(p), b = charset_load(p + 32);
  __m256i low = _mm256_packus_epi16(_mm256_and_si256(a, CHARSET_FILL16(00FF)),
                                    _mm256_and_si256(b, CHARSET_FILL16(00FF)));
  __m256i high = _mm256_packus_epi16(_mm256_srli_epi16(a, 8), _mm256_srli_epi16(b, 8));
  return (Charset1252){_mm256_permute4x64_epi64(low, 0xD8),
                       _mm256_permute4x64_epi64(high, 0xD8)};
}

/* Row `byte & 31` of 32. */
CHARSET_INLINE __m128i charset_lookup(__m256i rows, __m128i byte) {
  __m128i row = _mm_and_si128(byte, _mm_set1_epi8(0x0F));
  __m128i is16 = _mm_slli_epi16(byte, 3);
  return _mm_blendv_epi8(_mm_shuffle_epi8(charset_low(rows), row),
                         _mm_shuffle_epi8(charset_high(rows), row), is16);
}

/* Sixteen bytes as units; isOwn as charset_controls() says. */
CHARSET_INLINE __m256i charset_units_1252(Charset1252 rows, __m128i byte,
                                          __m128i isOwn) {
  __m128i low = _mm_blendv_epi8(byte, charset_lookup(rows.low, byte), isOwn);
  __m128i high = _mm_and_si128(charset_lookup(rows.high, byte), isOwn);
  return _mm256_set_m128i(_mm_unpackhi_epi8(low, high), _mm_unpacklo_epi8(low, high));
}

CHARSET_TARGET static size_t charset_decode_windows1252(const uint8_t *in, size_t size,
                                                        size_t *at, uint8_t *out,
                                                        size_t room) {
  const Charset1252 rows = charset_1252();
  size_t n = 0, i = *at;
  for (; size - i >= 32 && room - n >= 48 + 64; i += 32) {
    __m256i bytes = charset_load(in + i);
    __m256i isOwn = charset_controls(bytes);
    if (charset_mask(isOwn) == 0) {
      n += charset_put_latin1(out + n, bytes);
      continue;
    }
    __m256i units = charset_units_1252(rows, charset_low(bytes), charset_low(isOwn));
    n += charset_put(out + n, charset_units(units, 0), 16);
    units = charset_units_1252(rows, charset_high(bytes), charset_high(isOwn));
    n += charset_put(out + n, charset_units(units, 0), 16);
  }
  *at = i;
  return n;
}

/* ---- CESU-8 --------------------------------------------------------------------------- */

/* CESU-8 is UTF-16 of which each unit is written by itself (UTR 26), so both ways go
** through units. */
enum { CHARSET_UNITS = 1024 };

/* Top bits where UTF-8 may be written otherwise: leads of four and, if nul, NUL. */
CHARSET_INLINE __m256i charset_not_cesu8(__m256i byte, int nul) {
  __m256i isNul = _mm256_cmpeq_epi8(byte, _mm256_setzero_si256());
  __m256i four = charset_leads4(byte);
  return nul ? _mm256_or_si256(four, isNul) : four;
}

/* And where CESU-8 may be: ED, which may lead a surrogate, and C0. */
CHARSET_INLINE __m256i charset_not_utf8(__m256i byte) {
  return _mm256_or_si256(_mm256_cmpeq_epi8(byte, CHARSET_FILL8(ED)),
                         _mm256_cmpeq_epi8(byte, CHARSET_FILL8(C0)));
}

/* Copies text that is the same in CESU-8 and UTF-8. decode: it is CESU-8. */
CHARSET_INLINE size_t charset_copy(const uint8_t *in, size_t size, size_t *at,
                                   uint8_t *out, size_t room, int decode, int nul) {
  size_t n = 0, i = *at;
  for (; size - i >= 32 && room - n >= 32 + 3; i += 32, n += 32) {
    __m256i byte = charset_load(in + i);
    if (charset_mask(decode ? charset_not_utf8(byte) : charset_not_cesu8(byte, nul)))
      break;
    charset_store(out + n, byte);
  }
  *at = charset_end(in, size, i);
  while (i < *at) out[n++] = in[i++];
  return n;
}

CHARSET_INLINE size_t charset_encode_cesu8(const uint8_t *in, size_t size, size_t *at,
                                           uint8_t *out, size_t room, int nul) {
  uint8_t units[2 * CHARSET_UNITS];
  size_t n = 0, size16 = 1;
  while (size16 > 0) {
    n += charset_copy(in, size, at, out + n, room - n, 0, nul);
    size_t most = room - n < 64 ? 0 : (room - n - 64) / 3 * 2;
    if (most > sizeof units) most = sizeof units;
    size16 = charset_encode_utf16(in, size, at, units, most, 0);
    memset(units + size16, 0, (sizeof units - size16) & 31);
    for (size_t i = 0; i < size16; i += 32) {
      unsigned count = size16 - i < 32 ? (unsigned)(size16 - i) / 2 : 16;
      n += charset_put(out + n, charset_units(charset_load(units + i), nul), count);
    }
  }
  return n;
}

/* How many bytes the unit at p takes in CESU-8, or where NUL takes two. */
CHARSET_INLINE size_t charset_length(const uint8_t *p, int nul) {
  uint16_t unit;
  memcpy(&unit, p, 2);
  if (unit < 0x80 && !(nul && unit == 0)) return 1;
  return unit < 0x800 ? 2 : 3;
}

/* The text is well-formed CESU-8. */
CHARSET_INLINE size_t charset_decode_cesu8(const uint8_t *in, size_t size, size_t *at,
                                           uint8_t *out, size_t room, int nul) {
  uint8_t units[2 * CHARSET_UNITS];
  size_t n = 0, done = 1;
  while (done > 0) {
    n += charset_copy(in, size, at, out + n, room - n, 1, nul);
    size_t size16 = charset_encode_utf16(in, size, at, units, sizeof units, 0);
    done = 0;
    n += charset_decode_utf16(units, size16, &done, out + n, room - n, 0);
    for (size_t i = done; i < size16; i += 2) *at -= charset_length(units + i, nul);
  }
  return n;
}

/* ---- the choice ---------------------------------------------------------------------- */

/* Each with its constants, as CharsetBulk. */
#define CHARSET_BULK(name, function, constant)                                         \
  CHARSET_TARGET static size_t name(const uint8_t *in, size_t size, size_t *at,        \
                                    uint8_t *out, size_t room) {                       \
    return function(in, size, at, out, room, constant);                                \
  }
CHARSET_BULK(charset_encode_utf16le, charset_encode_utf16, 0)
CHARSET_BULK(charset_encode_utf16be, charset_encode_utf16, 1)
CHARSET_BULK(charset_encode_utf32le, charset_encode_utf32, 0)
CHARSET_BULK(charset_encode_utf32be, charset_encode_utf32, 1)
CHARSET_BULK(charset_encode_latin1, charset_encode_byte, 1)
CHARSET_BULK(charset_encode_windows1252, charset_encode_byte, 0)
CHARSET_BULK(charset_decode_utf16le, charset_decode_utf16, 0)
CHARSET_BULK(charset_decode_utf16be, charset_decode_utf16, 1)
CHARSET_BULK(charset_decode_utf32le, charset_decode_utf32, 0)
CHARSET_BULK(charset_decode_utf32be, charset_decode_utf32, 1)
CHARSET_BULK(charset_encode_only_cesu8, charset_encode_cesu8, 0)
CHARSET_BULK(charset_encode_mutf8, charset_encode_cesu8, 1)
CHARSET_BULK(charset_decode_only_cesu8, charset_decode_cesu8, 0)
CHARSET_BULK(charset_decode_mutf8, charset_decode_cesu8, 1)

/* Are these functions to be used: where the kernel is an AVX one. */
static int charset_is_fast(void) {
  return memcmp(utf8kernel()->name, "avx", 3) == 0;
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
      [UTF8_CHARSET_CESU8] = charset_decode_only_cesu8,
      [UTF8_CHARSET_MUTF8] = charset_decode_mutf8,
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
      [UTF8_CHARSET_CESU8] = charset_encode_only_cesu8,
      [UTF8_CHARSET_MUTF8] = charset_encode_mutf8,
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
