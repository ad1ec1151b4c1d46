/* core/simd/avx2_cesu8.h: converts well-formed UTF-8 to CESU-8 or to Java's form of it, and well-formed
** text in these back to UTF-8. Java writes U+0000 in two bytes (`nul`).
**
** CESU-8 encodes each code unit of UTF-16 on its own (UTR 26). Text that is the same in both is
** copied. Other text goes through UTF-16 in both directions.
*/
#ifndef UTF8_CORE_SIMD_AVX2_CESU8_H
#define UTF8_CORE_SIMD_AVX2_CESU8_H

#include "core/simd/avx2_decode.h"
#include "core/simd/avx2_encode.h"

AVX2_BEGIN

enum { CESU8_UNITS = 1024 }; /* code units of UTF-16 converted at a time */

/* Sets the top bit where CESU-8 has other bytes than UTF-8: at lead bytes of four, and at 00 if
** nul is set. */
ALWAYS_INLINE __m256i avx2_not_cesu8(__m256i byte, int nul) {
  __m256i is_nul = _mm256_cmpeq_epi8(byte, _mm256_setzero_si256());
  __m256i four = avx2_leads4(byte);
  return nul ? avx2_or(four, is_nul) : four;
}

/* Sets the top bit where UTF-8 may have other bytes than CESU-8: at ED, which may be the lead
** byte of a surrogate, and at C0. */
ALWAYS_INLINE __m256i avx2_not_utf8(__m256i byte) {
  return avx2_or(_mm256_cmpeq_epi8(byte, AVX2_FILL8(0xED)),
                 _mm256_cmpeq_epi8(byte, AVX2_FILL8(0xC0)));
}

/* Copies vectors of text that is the same in CESU-8 and UTF-8, and the end of a sequence that
** the last of them cuts. The text is CESU-8 with `decode`, else UTF-8. Moves *at past it, and
** returns how many bytes it copied. */
ALWAYS_INLINE size_t avx2_copy(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                               size_t room, int decode, int nul) {
  size_t n = 0, i = *at;
  for (; size - i >= 32 && room - n >= 32 + 3; i += 32, n += 32) {
    __m256i byte = avx2_load(in + i);
    if (avx2_bits(decode ? avx2_not_utf8(byte) : avx2_not_cesu8(byte, nul))) break;
    avx2_store(out + n, byte);
  }
  *at = bytes_next_start(in, size, i);
  while (i < *at) out[n++] = in[i++];
  return n;
}

/* Converts UTF-8 to CESU-8, like a Utf8Convert: encodes it as UTF-16, as much as `units` holds,
** and then each code unit on its own. */
ALWAYS_INLINE size_t avx2_to_cesu8(const uint8_t *in, size_t size, size_t *at,
                                   uint8_t *out, size_t room, int nul) {
  uint8_t units[2 * CESU8_UNITS];
  size_t n = 0, size16 = 1;
  while (size16 > 0) {
    n += avx2_copy(in, size, at, out + n, room - n, 0, nul);
    size_t max = room - n < 64 ? 0 : (room - n - 64) / 3 * 2;
    if (max > sizeof units) max = sizeof units;
    size16 = avx2_encode_utf16(in, size, at, units, max, 0);
    memset(units + size16, 0, (sizeof units - size16) & 31);
    for (size_t i = 0; i < size16; i += 32) {
      unsigned count = size16 - i < 32 ? (unsigned)(size16 - i) / 2 : 16;
      n += avx2_put_units(out + n, avx2_units_of(avx2_load(units + i), nul), count);
    }
  }
  return n;
}

/* Returns how many bytes the unit at p takes in CESU-8. With nul, U+0000 takes two. */
ALWAYS_INLINE size_t avx2_length(const uint8_t *p, int nul) {
  uint16_t unit;
  memcpy(&unit, p, 2);
  if (unit < 0x80 && !(nul && unit == 0)) return 1;
  return unit < 0x800 ? 2 : 3;
}

/* Converts CESU-8 to UTF-8, like a Utf8Convert: encodes each sequence as a code unit of UTF-16,
** and decodes that. Stops where the decoder stops. */
ALWAYS_INLINE size_t avx2_from_cesu8(const uint8_t *in, size_t size, size_t *at,
                                     uint8_t *out, size_t room, int nul) {
  uint8_t units[2 * CESU8_UNITS];
  size_t n = 0, done = 1;
  while (done > 0) {
    n += avx2_copy(in, size, at, out + n, room - n, 1, nul);
    size_t size16 = avx2_encode_utf16(in, size, at, units, sizeof units, 0);
    done = 0;
    n += avx2_decode_utf16(units, size16, &done, out + n, room - n, 0);
    for (size_t i = done; i < size16; i += 2) *at -= avx2_length(units + i, nul);
  }
  return n;
}

KERNEL_CONVERTER(avx2_encode_cesu8, avx2_to_cesu8, 0)
KERNEL_CONVERTER(avx2_encode_mutf8, avx2_to_cesu8, 1)
KERNEL_CONVERTER(avx2_decode_cesu8, avx2_from_cesu8, 0)
KERNEL_CONVERTER(avx2_decode_mutf8, avx2_from_cesu8, 1)

TARGET_END

#endif
