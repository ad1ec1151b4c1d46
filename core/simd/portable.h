/* core/simd/portable.h: converters in plain C, for kernels that have none of their own. They convert eight
** bytes at a time, of ASCII, or of text that is the same in CESU-8 and UTF-8, and stop at all
** other text. kernel.h has their contract (Utf8Convert).
*/
#ifndef UTF8_CORE_SIMD_PORTABLE_H
#define UTF8_CORE_SIMD_PORTABLE_H

#include "core/bytes.h"
#include "core/simd/kernel.h"

static inline uint64_t portable_not_ascii(uint64_t eight) {
  return eight & BYTES_HIGH_BITS;
}

/* Copies ASCII, which is the same in Latin-1, Windows-1252 and UTF-8. */
static size_t portable_ascii(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                             size_t room) {
  return bytes_copy_until(in, size, at, out, room, portable_not_ascii);
}

/* ---- code units ---------------------------------------------------------------------- */

/* Converts ASCII to code units of `width` bytes, of which byte number `low` is the lowest. */
ALWAYS_INLINE size_t portable_widen(const uint8_t *in, size_t size, size_t *at,
                                    uint8_t *out, size_t room, size_t width,
                                    size_t low) {
  size_t n = 0;
  for (; size - *at >= 8 && room - n >= 8 * width; *at += 8, n += 8 * width) {
    if (portable_not_ascii(bytes_load64(in + *at))) break;
    memset(out + n, 0, 8 * width);
    for (size_t i = 0; i < 8; i++) out[n + i * width + low] = in[*at + i];
  }
  return n;
}

/* Converts code units of `width` bytes, of which byte number `low` is the lowest, to ASCII. */
ALWAYS_INLINE size_t portable_narrow(const uint8_t *in, size_t size, size_t *at,
                                     uint8_t *out, size_t room, size_t width,
                                     size_t low) {
  uint8_t others[8]; /* the bits that are 0 in ASCII, in memory as the code units are */
  memset(others, 0xFF, 8);
  for (size_t i = low; i < 8; i += width) others[i] = 0x80;
  size_t n = 0;
  for (; size - *at >= 8 && room - n >= 4; *at += 8) {
    if (bytes_load64(in + *at) & bytes_load64(others)) break;
    for (size_t i = 0; i < 8 / width; i++) out[n++] = in[*at + i * width + low];
  }
  return n;
}

/* Defines the two converters of a charset by the width and the low byte of its code units. */
#define PORTABLE_UNITS(charset, width, low)                                            \
  static size_t portable_encode_##charset(const uint8_t *in, size_t size, size_t *at,  \
                                          uint8_t *out, size_t room) {                 \
    return portable_widen(in, size, at, out, room, width, low);                        \
  }                                                                                    \
  static size_t portable_decode_##charset(const uint8_t *in, size_t size, size_t *at,  \
                                          uint8_t *out, size_t room) {                 \
    return portable_narrow(in, size, at, out, room, width, low);                       \
  }
PORTABLE_UNITS(utf16le, 2, 0)
PORTABLE_UNITS(utf16be, 2, 1)
PORTABLE_UNITS(utf32le, 4, 0)
PORTABLE_UNITS(utf32be, 4, 3)

/* ---- CESU-8 -------------------------------------------------------------------------- */

/* Copies text until stops() finds something. Then moves *at back to a boundary, and returns how
** many bytes before that were copied. */
ALWAYS_INLINE size_t portable_copy(const uint8_t *in, size_t size, size_t *at,
                                   uint8_t *out, size_t room,
                                   uint64_t (*stops)(uint64_t)) {
  size_t n = bytes_copy_until(in, size, at, out, room, stops);
  for (; n > 0 && *at < size && bytes_is_continuation(in[*at]); n--) --*at;
  return n;
}

/* Is there 00 or F0..FF, for which CESU-8 or MUTF-8 has other bytes? */
static inline uint64_t portable_not_cesu8(uint64_t eight) {
  uint64_t lead4 = eight & eight << 1 & eight << 2 & eight << 3;
  return (lead4 & BYTES_HIGH_BITS) | bytes_zeros(eight);
}

static size_t portable_encode_cesu8(const uint8_t *in, size_t size, size_t *at,
                                    uint8_t *out, size_t room) {
  return portable_copy(in, size, at, out, room, portable_not_cesu8);
}

/* Is there ED, which may be the lead byte of a surrogate, or C0? */
static inline uint64_t portable_not_utf8(uint64_t eight) {
  return bytes_zeros(eight ^ BYTES_ONES * 0xED) |
         bytes_zeros(eight ^ BYTES_ONES * 0xC0);
}

static size_t portable_decode_cesu8(const uint8_t *in, size_t size, size_t *at,
                                    uint8_t *out, size_t room) {
  return portable_copy(in, size, at, out, room, portable_not_utf8);
}

static const Utf8Converters portable_converters = {
    .decode = {[UTF8_CONVERTER_UTF16LE] = portable_decode_utf16le,
               [UTF8_CONVERTER_UTF16BE] = portable_decode_utf16be,
               [UTF8_CONVERTER_UTF32LE] = portable_decode_utf32le,
               [UTF8_CONVERTER_UTF32BE] = portable_decode_utf32be,
               [UTF8_CONVERTER_LATIN1] = portable_ascii,
               [UTF8_CONVERTER_WINDOWS1252] = portable_ascii,
               [UTF8_CONVERTER_ASCII] = portable_ascii,
               [UTF8_CONVERTER_CESU8] = portable_decode_cesu8,
               [UTF8_CONVERTER_MUTF8] = portable_decode_cesu8},
    .encode = {[UTF8_CONVERTER_UTF16LE] = portable_encode_utf16le,
               [UTF8_CONVERTER_UTF16BE] = portable_encode_utf16be,
               [UTF8_CONVERTER_UTF32LE] = portable_encode_utf32le,
               [UTF8_CONVERTER_UTF32BE] = portable_encode_utf32be,
               [UTF8_CONVERTER_LATIN1] = portable_ascii,
               [UTF8_CONVERTER_WINDOWS1252] = portable_ascii,
               [UTF8_CONVERTER_ASCII] = portable_ascii,
               [UTF8_CONVERTER_CESU8] = portable_encode_cesu8,
               [UTF8_CONVERTER_MUTF8] = portable_encode_cesu8},
};

#endif
