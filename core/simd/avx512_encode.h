/* core/simd/avx512_encode.h: encodes well-formed UTF-8 as UTF-16, UTF-32 and Latin-1. The functions for
** avx512_convert.h are at the end; kernel.h has their contract.
**
** The bytes of a code unit are computed at every place of a vector, out of the byte there and
** the three before it, as if a code point ended there. A GFNI bit matrix moves the bits of each.
** vpcompressb then keeps the places where one ends. vpermi2b joins the bytes of the units.
**
** Robert Clausecker and Daniel Lemire pack code points with vpcompress too, in "Transcoding
** Unicode Characters with AVX-512 Instructions" (2023, doi 10.1002/spe.3261).
*/
#ifndef UTF8_CORE_SIMD_AVX512_ENCODE_H
#define UTF8_CORE_SIMD_AVX512_ENCODE_H

#include "core/simd/avx512_decode.h"

AVX512_BEGIN

/* Bit matrices: bit i of the result is the parity of the bits that byte 7 - i selects. */
#define AVX512_MATRIX(bits) _mm512_set1_epi64(bits)
#define AVX512_LEFT_6       AVX512_MATRIX(0x0000000000000102) /* x << 6 */
#define AVX512_LEFT_4       AVX512_MATRIX(0x0000000001020408) /* x << 4 */
#define AVX512_LEFT_2       AVX512_MATRIX(0x0000010204081020) /* x << 2 */
#define AVX512_LEFT_2_OF_3  AVX512_MATRIX(0x0000010204000000) /* (x & 07) << 2 */
#define AVX512_RIGHT_2      AVX512_MATRIX(0x0408102000000000) /* x >> 2 & 0F */
#define AVX512_RIGHT_2_OF_4 AVX512_MATRIX(0x0408000000000000) /* x >> 2 & 03 */
#define AVX512_RIGHT_4_OF_6 AVX512_MATRIX(0x1020000000000000) /* x >> 4 & 03 */

/* Indexes of vpermi2b: 32 units of two bytes, a byte of the first vector and one of the second; and
** 16 units of four. In these, the third byte has the index of the first, for another vector.
** avx512_quads[1] is for big-endian. avx512_iota is every place's own index. */
#define AVX512_PAIR(i)    i, 64 + (i)
#define AVX512_QUAD(i)    i, 64 + (i), i, 0
#define AVX512_QUAD_BE(i) 0, i, 64 + (i), i

static const uint8_t avx512_pairs[64] = {AVX512_OF_16(AVX512_PAIR, 0),
                                         AVX512_OF_16(AVX512_PAIR, 16)};
static const uint8_t avx512_iota[64] = {AVX512_UP64(0)};
static const uint8_t avx512_quads[2][64] = {{AVX512_OF_16(AVX512_QUAD, 0)},
                                            {AVX512_OF_16(AVX512_QUAD_BE, 0)}};

/* A block of up to 64 bytes of well-formed UTF-8 and, in the same places, the bytes one, two and
** three before each. */
typedef struct Avx512Places {
  __m512i at, back1, back2, back3;
  __mmask64 continuations;
  __mmask64 ends3, ends4; /* places with E0..FF two, and F0..FF three before them */
  uint64_t ends;          /* last bytes of code points */
  size_t size;
} Avx512Places;

/* Loads the places of in[i..size), at most 64, which follow `before`. */
ALWAYS_INLINE Avx512Places avx512_places(const uint8_t *in, size_t size, size_t i,
                                         __m512i before) {
  Avx512Places p;
  uint64_t next_starts = 1;
  p.size = size - i;
  if (p.size > BLOCK) {
    p.at = avx512_load(in + i);
    p.size = BLOCK;
    next_starts = !bytes_is_continuation(in[i + BLOCK]);
  } else {
    p.at = avx512_load_short(in + i, p.size);
  }
  p.continuations = _mm512_cmplt_epi8_mask(p.at, avx512_fill(-64));
  p.ends = (~(uint64_t)p.continuations >> 1 | next_starts << 63) & mask_first(p.size);
  p.back1 = avx512_shifted_1(before, p.at);
  p.back2 = avx512_shifted_2(before, p.at);
  p.back3 = avx512_shifted_3(before, p.at);
  p.ends3 = _mm512_cmpge_epu8_mask(p.back2, avx512_fill(0xE0));
  p.ends4 = _mm512_cmpge_epu8_mask(p.back3, avx512_fill(0xF0));
  return p;
}

/* Is there a block of ASCII at in[i..size)? */
ALWAYS_INLINE int avx512_at_ascii(const uint8_t *in, size_t size, size_t i) {
  return size - i >= BLOCK && avx512_ascii(avx512_load(in + i));
}

/* Bits 0 to 7, and 8 to 15, of the code points that end at each place. */
ALWAYS_INLINE __m512i avx512_low_bytes(const Avx512Places *p) {
  __m512i high_bits = _mm512_maskz_gf2p8affine_epi64_epi8(p->continuations, p->back1,
                                                          AVX512_LEFT_6, 0x80);
  return _mm512_xor_si512(p->at, high_bits);
}

ALWAYS_INLINE __m512i avx512_high_bytes(const Avx512Places *p) {
  __m512i two = _mm512_maskz_gf2p8affine_epi64_epi8(p->continuations, p->back1,
                                                    AVX512_RIGHT_2, 0);
  __m512i three = _mm512_maskz_gf2p8affine_epi64_epi8(p->ends3 | p->ends4, p->back2,
                                                      AVX512_LEFT_4, 0);
  return avx512_or(two, three);
}

/* Returns the indexes of the places in kept. One vpcompressb takes as long as five vpermb, so the
** bytes of a unit share it. */
ALWAYS_INLINE __m512i avx512_kept_places(uint64_t kept) {
  return _mm512_maskz_compress_epi8(kept, avx512_load(avx512_iota));
}

/* Where encoding stopped before in[i]: returns the start of the code point that i cuts. */
static NOINLINE size_t avx512_start_of(const uint8_t *in, size_t size, size_t i) {
  while (i < size && bytes_is_continuation(in[i])) i--;
  return i;
}

/* ---- UTF-16 --------------------------------------------------------------------------- */

/* Replaces the bytes of supplementary code points by those of surrogates: the high one at the
** third byte, which `thirds` has, the low one at the fourth. */
ALWAYS_INLINE void avx512_put_surrogates(const Avx512Places *p, __mmask64 thirds,
                                         __m512i *low, __m512i *high) {
  __m512i ten = avx512_or(_mm512_gf2p8affine_epi64_epi8(p->back1, AVX512_LEFT_2, 0),
                          _mm512_gf2p8affine_epi64_epi8(p->at, AVX512_RIGHT_4_OF_6, 0));
  /* D800 - (10000 >> 10) is D7C0; the second byte is at least 90 where C0 + ten carries. */
  __mmask64 carries = thirds & _mm512_test_epi8_mask(p->back1, avx512_fill(0x30));
  *low = _mm512_mask_add_epi8(*low, thirds, ten, avx512_fill(0xC0));
  *high = _mm512_mask_sub_epi8(*high, thirds, p->back2, avx512_fill(0xF0 - 0xD7));
  *high = _mm512_mask_sub_epi8(*high, carries, *high, avx512_fill(-1));
  *high = _mm512_mask_gf2p8affine_epi64_epi8(*high, p->ends4, p->back1,
                                             AVX512_RIGHT_2_OF_4, 0xDC);
}

/* Stores the pairs of a byte of a and one of b: the first 32, or all 64. */
ALWAYS_INLINE void avx512_store_pairs(uint8_t *out, __m512i a, __m512i b, int all) {
  __m512i index = avx512_load(avx512_pairs);
  avx512_store(out, _mm512_permutex2var_epi8(a, index, b));
  if (!all) return;
  index = _mm512_add_epi8(index, avx512_fill(32));
  avx512_store(out + 64, _mm512_permutex2var_epi8(a, index, b));
}

/* Stores 32 bytes of ASCII as units of two. */
ALWAYS_INLINE void avx512_widen16(uint8_t *out, const uint8_t *in, int big) {
  __m512i units =
      _mm512_cvtepu8_epi16(_mm256_loadu_si256((const __m256i *)(const void *)in));
  avx512_store(out, big ? _mm512_slli_epi16(units, 8) : units);
}

ALWAYS_INLINE size_t avx512_ascii_utf16(const uint8_t *in, size_t size, size_t *at,
                                        uint8_t *out, size_t room, int big) {
  size_t n = 0, i = *at;
  for (; room - n >= 2 * BLOCK && avx512_at_ascii(in, size, i); i += BLOCK) {
    avx512_widen16(out + n, in + i, big);
    avx512_widen16(out + n + BLOCK, in + i + BLOCK / 2, big);
    n += 2 * BLOCK;
  }
  *at = i;
  return n;
}

ALWAYS_INLINE size_t avx512_encode_utf16(const uint8_t *in, size_t size, size_t *at,
                                         uint8_t *out, size_t room, int big) {
  const __m512i zero = _mm512_setzero_si512();
  __m512i before = zero;
  size_t n = 0, i = *at;
  while (i < size && room - n >= 2 * BLOCK) {
    if (avx512_at_ascii(in, size, i)) {
      n += avx512_ascii_utf16(in, size, &i, out + n, room - n, big);
      before = zero;
      continue;
    }
    Avx512Places p = avx512_places(in, size, i, before);
    before = p.at;
    i += p.size;
    __m512i low = avx512_low_bytes(&p), high = avx512_high_bytes(&p);
    uint64_t kept = p.ends;
    __mmask64 thirds = _mm512_cmpge_epu8_mask(p.back2, avx512_fill(0xF0));
    if (UNLIKELY((thirds | p.ends4) != 0)) {
      avx512_put_surrogates(&p, thirds, &low, &high);
      kept |= thirds;
    }
    __m512i places = avx512_kept_places(kept);
    low = _mm512_permutexvar_epi8(places, low);
    high = _mm512_permutexvar_epi8(places, high);
    size_t count = mask_count(kept);
    avx512_store_pairs(out + n, big ? high : low, big ? low : high, count > 32);
    n += 2 * count;
  }
  *at = avx512_start_of(in, size, i);
  if (i - *at == 3) n -= 2; /* the high surrogate */
  return n;
}

/* ---- UTF-32 --------------------------------------------------------------------------- */

/* The bytes of up to 64 units of 32 bits. */
typedef struct Avx512Units {
  __m512i low, high, plane;
} Avx512Units;

/* Stores 16 units, from unit `from` on. */
ALWAYS_INLINE void avx512_store_quads(uint8_t *out, Avx512Units u, int from, int big) {
  const __mmask64 two = big ? 0xCCCCCCCCCCCCCCCC : 0x3333333333333333;
  const __mmask64 third = big ? 0x2222222222222222 : 0x4444444444444444;
  __m512i index = _mm512_add_epi8(avx512_load(avx512_quads[big]), avx512_fill(from));
  __m512i units = _mm512_maskz_permutex2var_epi8(two, u.low, index, u.high);
  units = _mm512_mask_permutexvar_epi8(units, third, index, u.plane);
  avx512_store(out + 4 * from, units);
}

ALWAYS_INLINE void avx512_store_units(uint8_t *out, Avx512Units u, size_t count,
                                      int big) {
  avx512_store_quads(out, u, 0, big);
  avx512_store_quads(out, u, 16, big);
  if (count <= 32) return;
  avx512_store_quads(out, u, 32, big);
  avx512_store_quads(out, u, 48, big);
}

/* Returns bits 16 to 20 of supplementary code points. */
ALWAYS_INLINE __m512i avx512_planes(const Avx512Places *p) {
  __m512i first =
      _mm512_maskz_gf2p8affine_epi64_epi8(p->ends4, p->back3, AVX512_LEFT_2_OF_3, 0);
  __m512i second =
      _mm512_maskz_gf2p8affine_epi64_epi8(p->ends4, p->back2, AVX512_RIGHT_4_OF_6, 0);
  return avx512_or(first, second);
}

ALWAYS_INLINE size_t avx512_ascii_utf32(const uint8_t *in, size_t size, size_t *at,
                                        uint8_t *out, size_t room, int big) {
  size_t n = 0, i = *at;
  for (; room - n >= 4 * BLOCK && avx512_at_ascii(in, size, i); i += BLOCK) {
    UNROLL for (size_t k = 0; k < BLOCK; k += 16) {
      __m512i units = _mm512_cvtepu8_epi32(
          _mm_loadu_si128((const __m128i *)(const void *)(in + i + k)));
      avx512_store(out + n + 4 * k, big ? _mm512_slli_epi32(units, 24) : units);
    }
    n += 4 * BLOCK;
  }
  *at = i;
  return n;
}

ALWAYS_INLINE size_t avx512_encode_utf32(const uint8_t *in, size_t size, size_t *at,
                                         uint8_t *out, size_t room, int big) {
  const __m512i zero = _mm512_setzero_si512();
  __m512i before = zero;
  size_t n = 0, i = *at;
  while (i < size && room - n >= 4 * BLOCK) {
    if (avx512_at_ascii(in, size, i)) {
      n += avx512_ascii_utf32(in, size, &i, out + n, room - n, big);
      before = zero;
      continue;
    }
    Avx512Units u = {zero, zero, zero};
    Avx512Places p = avx512_places(in, size, i, before);
    before = p.at;
    i += p.size;
    __m512i places = avx512_kept_places(p.ends);
    u.low = _mm512_permutexvar_epi8(places, avx512_low_bytes(&p));
    u.high = _mm512_permutexvar_epi8(places, avx512_high_bytes(&p));
    if (p.ends4) u.plane = _mm512_permutexvar_epi8(places, avx512_planes(&p));
    avx512_store_units(out + n, u, mask_count(p.ends), big);
    n += 4 * mask_count(p.ends);
  }
  *at = avx512_start_of(in, size, i);
  return n;
}

/* ---- Latin-1 -------------------------------------------------------------------------- */

/* A block of Latin-1's UTF-8: the bytes that are not C2 or C3, those after C3, and those that show
** an error or another code point. */
typedef struct Avx512Latin1 {
  __mmask64 kept, after_c3, wrong;
} Avx512Latin1;

ALWAYS_INLINE Avx512Latin1 avx512_latin1(__m512i before, __m512i v) {
  const __m512i one = avx512_fill(1), c3 = avx512_fill(0xC3);
  __m512i back = avx512_shifted_1(before, v);
  __mmask64 leads = _mm512_cmpeq_epi8_mask(avx512_or(v, one), c3);
  __mmask64 due = _mm512_cmpeq_epi8_mask(avx512_or(back, one), c3);
  __mmask64 kept = _mm512_cmplt_epu8_mask(v, avx512_fill(0xC0));
  __mmask64 continuations = _mm512_cmplt_epi8_mask(v, avx512_fill(-64));
  Avx512Latin1 l = {kept, _mm512_cmpeq_epi8_mask(back, c3),
                    (due ^ continuations) | ~(kept | leads)};
  return l;
}

/* Encodes as Latin-1. The byte after C2 stays, that after C3 gets bit 6, and the lead bytes go.
** Accepts any bytes; stops at an error, or a code point above U+00FF. */
static size_t avx512_encode_latin1(const uint8_t *in, size_t size, size_t *at,
                                   uint8_t *out, size_t room) {
  const __m512i zero = _mm512_setzero_si512();
  __m512i before = zero;
  size_t n = 0, i = *at;
  for (int stops = 0; !stops && i < size && room - n >= BLOCK;) {
    if (avx512_at_ascii(in, size, i) && (i == *at || in[i - 1] < 0xC0)) {
      n += avx512_copy_ascii(in, size, &i, out + n, room - n);
      before = zero;
      continue;
    }
    size_t count = size - i < BLOCK ? size - i : BLOCK;
    __m512i v = count == BLOCK ? avx512_load(in + i) : avx512_load_short(in + i, count);
    Avx512Latin1 l = avx512_latin1(before, v);
    stops = l.wrong != 0;
    if (UNLIKELY(stops) && mask_lowest(l.wrong) < count) count = mask_lowest(l.wrong);
    if (UNLIKELY(count < BLOCK)) l.kept &= mask_first(count);
    __m512i bytes = _mm512_mask_add_epi8(v, l.after_c3, v, avx512_fill(0x40));
    avx512_store(out + n, _mm512_maskz_compress_epi8(l.kept, bytes));
    n += mask_count(l.kept);
    before = v;
    i += count;
  }
  *at = i > *at && in[i - 1] >= 0xC0 ? i - 1 : i;
  return n;
}

KERNEL_CONVERTER(avx512_ascii_utf16le, avx512_ascii_utf16, 0)
KERNEL_CONVERTER(avx512_ascii_utf16be, avx512_ascii_utf16, 1)
KERNEL_CONVERTER(avx512_ascii_utf32le, avx512_ascii_utf32, 0)
KERNEL_CONVERTER(avx512_ascii_utf32be, avx512_ascii_utf32, 1)
KERNEL_CONVERTER(avx512_encode_utf16le, avx512_encode_utf16, 0)
KERNEL_CONVERTER(avx512_encode_utf16be, avx512_encode_utf16, 1)
KERNEL_CONVERTER(avx512_encode_utf32le, avx512_encode_utf32, 0)
KERNEL_CONVERTER(avx512_encode_utf32be, avx512_encode_utf32, 1)

AVX512_END

#endif
