/* core/simd/avx2_squeeze.h: what avx2_encode.h and avx2_decode.h share: keeping some bytes of a vector and
** closing the gaps between them.
**
** The conversions do not search for code points. Every place of a vector is converted as if a
** code point started there, and then the places where none starts are squeezed out. A mask
** picks a row of a table, and one shuffle by that row moves the kept bytes together. Nothing
** branches on single code points. Vectors of ASCII, and those without supplementary code points,
** have fast paths.
**
** Robert Clausecker and Daniel Lemire showed with AVX-512 that squeezing is faster than finding
** code points: "Transcoding Unicode Characters with AVX-512 Instructions" (2023, doi
** 10.1002/spe.3261). With AVX2 the table replaces the instruction that packs.
*/
#ifndef UTF8_CORE_SIMD_AVX2_SQUEEZE_H
#define UTF8_CORE_SIMD_AVX2_SQUEEZE_H

#include "core/simd/avx2.h"
#include "core/simd/tables/avx2_rows.h"

AVX2_BEGIN

/* Vectors of one constant are loaded from memory. In a loop, gcc would compute each again, with
** three instructions. */
#define AVX2_FILL32(word)                                                              \
  __extension__({                                                                      \
    static const uint32_t fill = (word);                                               \
    avx2_broadcast(&fill);                                                             \
  })
#define AVX2_FILL16(unit) AVX2_FILL32(0x10001u * (unit))
#define AVX2_FILL8(byte)  AVX2_FILL32(0x1010101u * (byte))

ALWAYS_INLINE __m256i avx2_broadcast(const uint32_t *word) {
  __m256i v;
  __asm__("vpbroadcastd %1, %0" : "=x"(v) : "m"(*word));
  return v;
}

ALWAYS_INLINE __m128i avx2_load128(const uint8_t *p) {
  return _mm_loadu_si128((const __m128i *)(const void *)p);
}

ALWAYS_INLINE void avx2_store128(uint8_t *p, __m128i x) {
  _mm_storeu_si128((__m128i *)(void *)p, x);
}

/* Stores the low eight bytes. */
ALWAYS_INLINE void avx2_store64(uint8_t *p, __m128i x) {
  _mm_storel_epi64((__m128i *)(void *)p, x);
}

ALWAYS_INLINE __m128i avx2_low(__m256i x) {
  return _mm256_castsi256_si128(x);
}

ALWAYS_INLINE __m128i avx2_high(__m256i x) {
  return _mm256_extracti128_si256(x, 1);
}

/* In each byte: yes where the top bit of condition is set, else no. */
ALWAYS_INLINE __m256i avx2_select(__m256i condition, __m256i yes, __m256i no) {
  return _mm256_blendv_epi8(no, yes, condition);
}

/* Returns the top bits of the 32 bytes. */
ALWAYS_INLINE uint32_t avx2_bits(__m256i x) {
  return (uint32_t)_mm256_movemask_epi8(x);
}

/* FF where the byte is 80..9F. */
ALWAYS_INLINE __m256i avx2_is_80_9f(__m256i byte) {
  return _mm256_cmpeq_epi8(avx2_and(byte, AVX2_FILL8(0xE0)), AVX2_FILL8(0x80));
}

/* Returns the shuffle that moves together what mask keeps of each eight bytes. */
ALWAYS_INLINE __m256i avx2_rows(uint32_t mask) {
  const __m256i second_eight =
      _mm256_set_epi64x(0x0808080808080808, 0, 0x0808080808080808, 0);
  __m128i low = _mm_set_epi64x((long long)bytes_load64(avx2_kept[mask >> 8 & 255]),
                               (long long)bytes_load64(avx2_kept[mask & 255]));
  __m128i high = _mm_set_epi64x((long long)bytes_load64(avx2_kept[mask >> 24]),
                                (long long)bytes_load64(avx2_kept[mask >> 16 & 255]));
  return avx2_or(_mm256_set_m128i(high, low), second_eight);
}

/* How many of its 32 places a mask keeps before the second, third and fourth eight, and in
** all. */
typedef struct Avx2Offsets {
  size_t second, third, fourth, end;
} Avx2Offsets;

ALWAYS_INLINE Avx2Offsets avx2_offsets(uint32_t mask) {
  return (Avx2Offsets){mask_count(mask & 0xFF), mask_count(mask & 0xFFFF),
                       mask_count(mask & 0xFFFFFF), mask_count(mask)};
}

/* Writes the bytes that mask keeps, and returns how many. out has room for 32. */
ALWAYS_INLINE size_t avx2_squeeze(uint8_t *out, __m256i bytes, uint32_t mask) {
  Avx2Offsets to = avx2_offsets(mask);
  __m256i kept = _mm256_shuffle_epi8(bytes, avx2_rows(mask));
  __m128i low = avx2_low(kept), high = avx2_high(kept);
  avx2_store64(out, low);
  avx2_store64(out + to.second, _mm_unpackhi_epi64(low, low));
  avx2_store64(out + to.third, high);
  avx2_store64(out + to.fourth, _mm_unpackhi_epi64(high, high));
  return to.end;
}

/* Writes the 16-bit units that mask keeps, whose bytes in memory are a and b, and returns how
** many bytes. out has room for 64. */
ALWAYS_INLINE size_t avx2_squeeze16(uint8_t *out, __m256i a, __m256i b, uint32_t mask) {
  Avx2Offsets to = avx2_offsets(mask);
  __m256i rows = avx2_rows(mask);
  a = _mm256_shuffle_epi8(a, rows);
  b = _mm256_shuffle_epi8(b, rows);
  __m256i even = _mm256_unpacklo_epi8(a, b), odd = _mm256_unpackhi_epi8(a, b);
  avx2_store128(out, avx2_low(even));
  avx2_store128(out + 2 * to.second, avx2_low(odd));
  avx2_store128(out + 2 * to.third, avx2_high(even));
  avx2_store128(out + 2 * to.fourth, avx2_high(odd));
  return 2 * to.end;
}

/* Writes the 32-bit units that mask keeps, whose bytes in memory are a, b, c and d, and returns
** how many bytes. out has room for 128. */
ALWAYS_INLINE size_t avx2_squeeze32(uint8_t *out, __m256i a, __m256i b, __m256i c,
                                    __m256i d, uint32_t mask) {
  Avx2Offsets to = avx2_offsets(mask);
  __m256i rows = avx2_rows(mask);
  a = _mm256_shuffle_epi8(a, rows), b = _mm256_shuffle_epi8(b, rows);
  c = _mm256_shuffle_epi8(c, rows), d = _mm256_shuffle_epi8(d, rows);
  __m256i even = _mm256_unpacklo_epi8(a, b), even2 = _mm256_unpacklo_epi8(c, d);
  __m256i odd = _mm256_unpackhi_epi8(a, b), odd2 = _mm256_unpackhi_epi8(c, d);
  __m256i part = _mm256_unpacklo_epi16(even, even2);
  __m256i part2 = _mm256_unpackhi_epi16(even, even2);
  __m256i part3 = _mm256_unpacklo_epi16(odd, odd2);
  __m256i part4 = _mm256_unpackhi_epi16(odd, odd2);
  avx2_store128(out, avx2_low(part));
  avx2_store128(out + 16, avx2_low(part2));
  avx2_store128(out + 4 * to.second, avx2_low(part3));
  avx2_store128(out + 4 * to.second + 16, avx2_low(part4));
  avx2_store128(out + 4 * to.third, avx2_high(part));
  avx2_store128(out + 4 * to.third + 16, avx2_high(part2));
  avx2_store128(out + 4 * to.fourth, avx2_high(part3));
  avx2_store128(out + 4 * to.fourth + 16, avx2_high(part4));
  return 4 * to.end;
}

TARGET_END

#endif
