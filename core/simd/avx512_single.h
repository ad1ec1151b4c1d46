/* core/simd/avx512_single.h: decodes and encodes the charsets of one byte for each code point that extend ASCII.
** kernel.h has the contracts (Utf8DecodeHigh, Utf8EncodeHigh).
**
** The tables of the three bytes that UTF-8 has for 80..FF fit in registers, where vpermi2b looks up
** 64 bytes at once. vpermi2b also joins the bytes of each code point, and vpcompressb drops those
** that shorter ones lack.
**
** To encode, the last bytes of all code points of a page of 64 are looked up together, as most text
** has two or three pages. vpcompressb keeps the places of last bytes.
*/
#ifndef UTF8_CORE_SIMD_AVX512_SINGLE_H
#define UTF8_CORE_SIMD_AVX512_SINGLE_H

#include "core/simd/avx512_double.h"
#include "core/simd/avx512_encode.h"
#include "core/simd/avx2_squeeze.h"

AVX512_BEGIN

/* The first, second and third byte of the UTF-8 of 80..BF and of C0..FF; 0 if it is shorter. */
typedef struct Avx512High {
  __m512i byte[3][2];
} Avx512High;

/* Returns (unit & mask) | marks for each of 32 units, as bytes; 0 for those not in lanes. */
ALWAYS_INLINE __m256i avx512_high_byte(__mmask32 lanes, __m512i unit, int mask,
                                       int marks) {
  __m512i bits = avx512_and(unit, _mm512_set1_epi16((short)mask));
  bits = avx512_or(bits, _mm512_set1_epi16((short)marks));
  return _mm256_maskz_mov_epi8(lanes, _mm512_cvtepi16_epi8(bits));
}

/* Stores the bytes of the UTF-8 of 32 code points. */
ALWAYS_INLINE void avx512_half_high(const uint16_t *high, __m256i byte[3]) {
  const __m512i unit = avx512_load((const uint8_t *)high);
  const __m512i middle = _mm512_srli_epi16(unit, 6), top = _mm512_srli_epi16(unit, 12);
  const __mmask32 more = _mm512_cmpge_epu16_mask(unit, _mm512_set1_epi16(0x80));
  const __mmask32 three = _mm512_cmpge_epu16_mask(unit, _mm512_set1_epi16(0x800));
  const __mmask32 two = more & ~three;
  byte[0] = _mm256_or_si256(avx512_high_byte(~more, unit, 0x7F, 0),
                            avx512_high_byte(three, top, 0x0F, 0xE0));
  byte[0] = _mm256_or_si256(byte[0], avx512_high_byte(two, middle, 0x1F, 0xC0));
  byte[1] = _mm256_or_si256(avx512_high_byte(two, unit, 0x3F, 0x80),
                            avx512_high_byte(three, middle, 0x3F, 0x80));
  byte[2] = avx512_high_byte(three, unit, 0x3F, 0x80);
}

ALWAYS_INLINE Avx512High avx512_high(const uint16_t high[128]) {
  Avx512High tables;
  UNROLL for (int half = 0; half < 2; half++) {
    __m256i low[3], up[3];
    avx512_half_high(high + 64 * half, low);
    avx512_half_high(high + 64 * half + 32, up);
    UNROLL for (int i = 0; i < 3; i++) {
      tables.byte[i][half] =
          _mm512_inserti64x4(_mm512_castsi256_si512(low[i]), up[i], 1);
    }
  }
  return tables;
}

/* The UTF-8 of 64 bytes: byte[i] has byte i of each code point, 0 if it is shorter. */
typedef struct Avx512Bytes {
  __m512i byte[3];
  __mmask64 three; /* the code points of three bytes */
} Avx512Bytes;

ALWAYS_INLINE Avx512Bytes avx512_look_up(const Avx512High *t, __m512i v) {
  Avx512Bytes b;
  const __mmask64 high = _mm512_movepi8_mask(v);
  b.byte[0] = _mm512_mask2_permutex2var_epi8(t->byte[0][0], v, high, t->byte[0][1]);
  b.byte[1] = _mm512_maskz_permutex2var_epi8(high, t->byte[1][0], v, t->byte[1][1]);
  b.byte[2] = _mm512_maskz_permutex2var_epi8(high, t->byte[2][0], v, t->byte[2][1]);
  b.three = _mm512_test_epi8_mask(b.byte[2], b.byte[2]);
  return b;
}

/* Writes the bytes of v at the places in `first`, and those that are not 0, up to place `end`. Returns how
** many bytes. */
ALWAYS_INLINE size_t avx512_put_some(uint8_t *out, __m512i v, uint64_t first,
                                     size_t end) {
  const uint64_t kept = (first | _mm512_test_epi8_mask(v, v)) & mask_first(end);
  avx512_store(out, _mm512_maskz_compress_epi8(kept, v));
  return mask_count(kept);
}

/* Writes the first `count` code points, none of which has three bytes. */
ALWAYS_INLINE size_t avx512_put_twos(uint8_t *out, const Avx512Bytes *b, size_t count) {
  const uint64_t first = 0x5555555555555555;
  const __m512i index = avx512_load(avx512_pairs);
  const __m512i index2 = _mm512_add_epi8(index, avx512_fill(32));
  const size_t end = 2 * count, end2 = end > 64 ? end - 64 : 0;
  const size_t n = avx512_put_some(
      out, _mm512_permutex2var_epi8(b->byte[0], index, b->byte[1]), first, end);
  return n + avx512_put_some(out + n,
                             _mm512_permutex2var_epi8(b->byte[0], index2, b->byte[1]),
                             first, end2);
}

/* Indexes of vpermi2b: three vectors with three bytes for each of 64 code points. The third byte has
** the index of the first, for another vector. */
#define AVX512_TRIPLE(i) i, 64 + (i), i
static const uint8_t avx512_triples[192] = {AVX512_OF_64(AVX512_TRIPLE, 0)};

/* Writes the first `count` code points. */
ALWAYS_INLINE size_t avx512_put_threes(uint8_t *out, const Avx512Bytes *b,
                                       size_t count) {
  /* The places in each vector of the first and of the third bytes. */
  static const uint64_t first[3] = {0x9249249249249249, 0x4924924924924924,
                                    0x2492492492492492};
  static const uint64_t third[3] = {0x4924924924924924, 0x2492492492492492,
                                    0x9249249249249249};
  size_t n = 0, end = 3 * count;
  UNROLL for (int i = 0; i < 3; i++) {
    const __m512i index = avx512_load(avx512_triples + 64 * i);
    __m512i v = _mm512_permutex2var_epi8(b->byte[0], index, b->byte[1]);
    v = _mm512_mask_permutexvar_epi8(v, third[i], index, b->byte[2]);
    n += avx512_put_some(out + n, v, first[i], end);
    end -= end < 64 ? end : 64;
  }
  return n;
}

static size_t avx512_decode_high(const uint16_t high[128], const uint8_t *in,
                                 size_t size, size_t *at, uint8_t *out, size_t room) {
  const Avx512High tables = avx512_high(high);
  size_t n = 0, i = *at;
  while (i < size && room - n >= 3 * BLOCK) {
    const size_t count = size - i < BLOCK ? size - i : BLOCK;
    const __m512i v =
        count == BLOCK ? avx512_load(in + i) : avx512_load_short(in + i, count);
    if (count == BLOCK && avx512_ascii(v)) {
      n += avx512_copy_ascii(in, size, &i, out + n, room - n);
      continue;
    }
    const Avx512Bytes b = avx512_look_up(&tables, v);
    n += b.three ? avx512_put_threes(out + n, &b, count)
                 : avx512_put_twos(out + n, &b, count);
    i += count;
  }
  *at = i;
  return n;
}

/* Returns the code points of 32 bytes of Windows-1252. */
ALWAYS_INLINE __m512i avx512_units_1252(__m256i bytes) {
  const __m512i low = _mm512_cvtepu8_epi16(avx2_load(avx2_1252_low));
  const __m512i high = _mm512_cvtepu8_epi16(avx2_load(avx2_1252_high));
  const __m512i from_80 = _mm512_or_si512(low, _mm512_slli_epi16(high, 8));
  const __mmask32 is_80_9f = _mm256_cmplt_epi8_mask(bytes, _mm256_set1_epi8(-96));
  const __m512i units = _mm512_cvtepu8_epi16(bytes);
  return _mm512_mask_permutexvar_epi16(units, is_80_9f, units, from_80);
}

/* Like avx512_decode_high(), for Windows-1252, of which most blocks are Latin-1. */
static size_t avx512_decode_windows1252(const uint8_t *in, size_t size, size_t *at,
                                        uint8_t *out, size_t room) {
  size_t n = avx512_decode_no_controls(in, size, at, out, room);
  while (*at < size && room - n >= 4 * BLOCK) {
    const size_t count = size - *at < BLOCK ? size - *at : BLOCK;
    const __m512i v = avx512_load_short(in + *at, count);
    const size_t first = count < 32 ? count : 32;
    n += avx512_put_bmp(out + n, avx512_units_1252(avx512_half(v, 0)), first);
    n += avx512_put_bmp(out + n, avx512_units_1252(avx512_half(v, 1)), count - first);
    *at += count;
    n += avx512_decode_no_controls(in, size, at, out + n, room - n);
  }
  return n;
}

/* ---- encoding -------------------------------------------------------------------------- */

/* A block of UTF-8; bit i of a mask is for byte i. */
typedef struct Avx512Utf8 {
  __m512i v, back1, back2; /* the bytes, and those one and two before each */
  uint64_t ascii;
  uint64_t ends; /* of code points above 7F */
} Avx512Utf8;

/* Examines the first `count` bytes, up to a code point of four bytes or one that the end cuts. */
ALWAYS_INLINE Avx512Utf8 avx512_utf8(__m512i v, size_t count) {
  const __m512i zero = _mm512_setzero_si512();
  const uint64_t lead = _mm512_cmpge_epu8_mask(v, avx512_fill(0xC0));
  const uint64_t lead3 = _mm512_cmpge_epu8_mask(v, avx512_fill(0xE0));
  const uint64_t lead4 = _mm512_cmpge_epu8_mask(v, avx512_fill(0xF0));
  const uint64_t whole = mask_first(count) & (lead4 - 1) & ~lead4;
  Avx512Utf8 u = {v, avx512_shifted_1(zero, v), avx512_shifted_2(zero, v), 0, 0};
  u.ascii = ~_mm512_movepi8_mask(v) & whole;
  u.ends = ((lead & ~lead3) << 1 | lead3 << 2) & whole;
  return u;
}

/* Returns the places of the code points that are in the page of the one whose last byte is text[0], and
** stores its number. */
ALWAYS_INLINE uint64_t avx512_same_page(const Avx512Utf8 *u, const uint8_t *text,
                                        unsigned *number) {
  const uint64_t same = _mm512_cmpeq_epi8_mask(u->back1, avx512_fill(text[-1]));
  *number = text[-1] & 0x3F;
  if (text[-1] >= 0xC0) return same;
  *number |= (text[-2] & 0x0Fu) << 6;
  return same & _mm512_cmpeq_epi8_mask(u->back2, avx512_fill(text[-2]));
}

/* Returns the charset's byte at each end of a code point, 0 if it has none. */
ALWAYS_INLINE __m512i avx512_look_up_pages(const Utf8Pages *pages, const Avx512Utf8 *u,
                                           const uint8_t *text) {
  __m512i bytes = u->v;
  for (uint64_t left = u->ends; left;) {
    unsigned number;
    const uint64_t same = avx512_same_page(u, text + mask_lowest(left), &number);
    const uint8_t *page = pages->bytes + (size_t)64 * pages->page[number];
    bytes = _mm512_mask_permutexvar_epi8(bytes, same, u->v, avx512_load(page));
    left &= ~same;
  }
  return bytes;
}

/* Encodes up to 64 bytes, and moves *at and *out. Returns 0 if it stops. */
ALWAYS_INLINE int avx512_encode_pages(const Utf8Pages *pages, const uint8_t *in,
                                      size_t *at, size_t count, __m512i v,
                                      uint8_t **out) {
  const Avx512Utf8 u = avx512_utf8(v, count);
  const __m512i bytes = avx512_look_up_pages(pages, &u, in + *at);
  const uint64_t none = u.ends & _mm512_testn_epi8_mask(bytes, bytes);
  uint64_t kept = u.ascii | u.ends;
  if (UNLIKELY(none)) kept &= mask_first(mask_lowest(none));
  avx512_store(*out, _mm512_maskz_compress_epi8(kept, bytes));
  *out += mask_count(kept);
  *at += 64 - (size_t)__builtin_clzll(kept | 1) - !kept;
  return !none && kept;
}

static size_t avx512_encode_high(const Utf8Pages *pages, const uint8_t *in, size_t size,
                                 size_t *at, uint8_t *out, size_t room) {
  uint8_t *to = out;
  while (*at < size && room - (size_t)(to - out) >= BLOCK) {
    const size_t count = size - *at < BLOCK ? size - *at : BLOCK;
    const __m512i v =
        count == BLOCK ? avx512_load(in + *at) : avx512_load_short(in + *at, count);
    if (count == BLOCK && avx512_ascii(v))
      to += avx512_copy_ascii(in, size, at, to, room - (size_t)(to - out));
    else if (!avx512_encode_pages(pages, in, at, count, v, &to))
      break;
  }
  return (size_t)(to - out);
}

AVX512_END

#endif
