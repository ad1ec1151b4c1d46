/* charset/codec.h: the codecs of legacy charsets, and what they share. Callers use
** charset/legacy.h, which finds the codec of a charset.
*/
#ifndef UTF8_CHARSET_CODEC_H
#define UTF8_CHARSET_CODEC_H

#include "utf8core.h"
#include "core/step.h"
#include "simd/bytes.h"
#include "simd/kernel.h"

/* ---- single-byte charsets: charset/singlebyte.c --------------------------------------------- */

/* Returns the code point of a byte in a single-byte charset, or U+FFFD if it is undefined. */
uint32_t utf8charset_code_of_byte(Utf8Charset charset, uint8_t byte);

/* Returns the byte of a code point in a single-byte charset, or -1 if the charset lacks it. */
int utf8charset_byte_of_code(Utf8Charset charset, uint32_t codepoint);

/* Returns the code points of 80..FF, U+FFFD where undefined, in a charset of the kind
** UTF8_KIND_SINGLE_BYTE. */
const uint16_t *utf8charset_high(Utf8Charset charset);

/* Is it a single-byte charset? */
int utf8charset_is_single_byte(Utf8Charset charset);

/* The codecs of single-byte charsets. (charset/singlebyte.c) */
size_t utf8charset_decode_bytes(Utf8Charset charset, const uint8_t *in, size_t size,
                                size_t *at, uint8_t *out, size_t room);
size_t utf8charset_encode_bytes(Utf8Charset charset, const uint8_t *in, size_t size,
                                size_t *at, uint8_t *out, size_t room);

/* ---- multi-byte charsets: charset/multibyte.c, charset/iso2022jp.c ------------------------------- */

/* The codecs of multi-byte charsets other than iso-2022-jp. (charset/multibyte.c) */
size_t utf8charset_decode_pairs(Utf8Charset charset, const uint8_t *in, size_t size,
                                size_t *at, uint8_t *out, size_t room);
size_t utf8charset_encode_pairs(Utf8Charset charset, const uint8_t *in, size_t size,
                                size_t *at, uint8_t *out, size_t room);

/* The codecs of iso-2022-jp. (charset/iso2022jp.c) */
size_t utf8charset_decode_jp(unsigned *state, const uint8_t *in, size_t size,
                             size_t *at, uint8_t *out, size_t room);
size_t utf8charset_encode_jp(unsigned *state, const uint8_t *in, size_t size,
                             size_t *at, uint8_t *out, size_t room);

size_t utf8charset_finish_jp(unsigned *state, uint8_t *out);

/* Reads code points that start in in[*at..until), up to the first error, in a multi-byte charset
** other than iso-2022-jp; moves *at past them. Stores at most room of them,
** an error as BYTES_FFFD, and returns their number. A code of four bytes has UTF8_LEGACY_FOUR
** added; the four pairs of big5 that are two code points are above 10FFFF. (charset/multibyte.c) */
#define UTF8_LEGACY_FOUR 0x80000000u
size_t utf8charset_read_codes(Utf8Charset charset, const uint8_t *in, size_t size,
                              size_t *at, size_t until, uint32_t *codes, size_t room);

/* JIS X 0208 in rows of 94: the code point of row * 94 + cell, or 0. (charset/multibyte.c) */
extern const uint16_t *const utf8charset_jis0208;

/* Returns a code point's bytes in euc-jp as a number, or 0. (charset/multibyte.c) */
uint32_t utf8charset_euc_jp(uint32_t code);

/* ---- shared ----------------------------------------------------------------------------- */

/* The number of half-width katakana, U+FF61..FF9F. */
#define LEGACY_KATAKANA 63

/* Room for one code point in any charset and for a word that is stored whole. */
#define LEGACY_STEP 16

/* Copies the ASCII at in[*at..size), and moves *at past it. Returns the number of bytes. */
static inline size_t legacyCopyAscii(const uint8_t *in, size_t size, size_t *at,
                                     uint8_t *out, size_t room) {
  size_t n = bytes_copy_ascii(out, in + *at, size - *at < room ? size - *at : room);
  *at += n;
  return n;
}

/* Writes the UTF-8 of a code point, or of both that LEGACY_BOTH() has joined, neither of them
** above FFFF. Returns the number of bytes, at most LEGACY_STEP. */
#define LEGACY_BOTH(first, second) ((uint32_t)(second) << 16 | (first))
static NOINLINE size_t legacyPutAny(uint8_t *out, uint32_t code) {
  if (code <= 0x10FFFF) return stepPut(out, code);
  size_t n = stepPut(out, code & 0xFFFF);
  return n + stepPut(out + n, code >> 16);
}

/* Like legacyPutAny(), but inline for code points of three bytes, which most are. */
ALWAYS_INLINE size_t legacyPut(uint8_t *out, uint32_t code) {
  if (UNLIKELY(code - 0x800 >= 0x10000 - 0x800)) return legacyPutAny(out, code);
  out[0] = (uint8_t)(0xE0 | code >> 12);
  out[1] = (uint8_t)(0x80 | (code >> 6 & 0x3F));
  out[2] = (uint8_t)(0x80 | (code & 0x3F));
  return 3;
}

/* Writes a number of one or two bytes. */
ALWAYS_INLINE size_t legacyPutBytes(uint8_t *out, uint32_t bytes) {
  if (bytes < 0x100) {
    out[0] = (uint8_t)bytes;
    return 1;
  }
  out[0] = (uint8_t)(bytes >> 8);
  out[1] = (uint8_t)bytes;
  return 2;
}

#endif
