/* charset/legacy/codec.h: what the codecs of legacy charsets share with each other and with
** charset/legacy/legacy.c, which finds the codec of a charset. Other files include charset/legacy/legacy.h.
**
** To add a charset, add its row to WHATWG or CODE_PAGES in tool/charsets.py, which writes the row
** of utf8charsets.h and the table in charset/legacy/tables/. A single-byte charset then works.
**
** A multi-byte charset also needs a LegacyCodec, and a case in charset/legacy/legacy.c. charset/legacy/double.h has
** what most codecs share, charset/legacy/states.h what those of charsets with states share. If utf8_detect
** shall recognize the charset, it needs a case in utf8charset_read_codes() too.
**
** charset/stream.c converts text in pieces. It relies on this: a code point ends within
** UTF8_LEGACY_LOOKAHEAD bytes, and only where an error is written may more bytes change what has
** been decoded. What a decoder or an encoder must remember otherwise is in its state.
*/
#ifndef UTF8_CHARSET_LEGACY_CODEC_H
#define UTF8_CHARSET_LEGACY_CODEC_H

#include "charset/legacy/legacy.h"
#include "core/step.h"
#include "core/bytes.h"
#include "core/simd/kernel.h"

/* ---- codecs, for charset/legacy/legacy.c ----------------------------------------------------- */

/* The codecs of single-byte charsets. (charset/legacy/singlebyte.c) */
size_t utf8charset_decode_bytes(Utf8Charset charset, const uint8_t *in, size_t size,
                                size_t *at, uint8_t *out, size_t room);
size_t utf8charset_encode_bytes(Utf8Charset charset, const uint8_t *in, size_t size,
                                size_t *at, uint8_t *out, size_t room);

/* The codec of a multi-byte charset: what utf8charset_decode_until(), utf8charset_encode_legacy() and
** utf8charset_finish_legacy() do for it. finish is NULL if nothing is ever missing at the end. */
typedef struct LegacyCodec {
  size_t (*decode)(unsigned *state, const uint8_t *in, size_t size, size_t until,
                   size_t *at, uint8_t *out, size_t room);
  size_t (*encode)(unsigned *state, const uint8_t *in, size_t size, size_t *at,
                   uint8_t *out, size_t room);
  size_t (*finish)(unsigned *state, uint8_t *out);
} LegacyCodec;

/* (charset/legacy/multibyte.c) */
extern const LegacyCodec utf8charset_gbk, utf8charset_gb18030, utf8charset_euc_jp,
    utf8charset_shift_jis, utf8charset_euc_kr;

/* (charset/legacy/big5.c) */
extern const LegacyCodec utf8charset_big5, utf8charset_big5_hkscs;

/* With states. (charset/legacy/iso2022jp.c, iso2022kr.c, iso2022cn.c, hz.c, utf7.c, marc8.c) */
extern const LegacyCodec utf8charset_iso2022_jp, utf8charset_iso2022_kr,
    utf8charset_iso2022_cn, utf8charset_hz, utf8charset_utf7, utf8charset_marc8;

/* (charset/legacy/johab.c) */
extern const LegacyCodec utf8charset_johab;

/* Like legacyCodeOfDouble() and legacyDoubleOfCode(), of GB 2312 alone. (charset/legacy/hz.c) */
uint32_t utf8charset_code_in_gb2312(uint8_t lead, uint8_t trail);
uint32_t utf8charset_double_in_gb2312(uint32_t code);

/* (charset/legacy/jis2004.c) */
extern const LegacyCodec utf8charset_euc_jis_2004, utf8charset_shift_jis_2004,
    utf8charset_iso2022_jp_2004;

/* (charset/legacy/cns.c) */
extern const LegacyCodec utf8charset_euc_tw;

/* utf8charset_read_codes() of these charsets. (charset/legacy/big5.c, charset/legacy/johab.c, charset/legacy/cns.c) */
size_t utf8charset_big5_codes(const uint8_t *in, size_t size, size_t *at, size_t until,
                              uint32_t *codes, size_t room);
size_t utf8charset_johab_codes(const uint8_t *in, size_t size, size_t *at, size_t until,
                               uint32_t *codes, size_t room);
size_t utf8charset_euc_tw_codes(const uint8_t *in, size_t size, size_t *at,
                                size_t until, uint32_t *codes, size_t room);

/* Returns the code point of a cell of CNS 11643, or 0. Planes count from 1, rows and cells from 0.
** (charset/legacy/cns.c) */
uint32_t utf8charset_code_in_cns(uint32_t plane, uint32_t row, uint32_t cell);

/* Returns a code point's place in CNS 11643, or 0: the plane in bits 16 to 19, and the row and the cell
** as bytes 21..7E. (charset/legacy/cns.c) */
uint32_t utf8charset_bytes_in_cns(uint32_t code);

/* JIS X 0208 and JIS X 0212 in rows of 94: the code point of row * 94 + cell, or 0.
** (charset/legacy/multibyte.c) */
extern const uint16_t *const utf8charset_jis0208;
extern const uint16_t *const utf8charset_jis0212;

/* big5 in rows of 157: the code point of (lead - 81) * 157 + trail's cell, D800..DFFF if it is above
** FFFF, or 0. (charset/legacy/big5.c) */
extern const uint16_t *const utf8charset_big5_index;

/* euc-kr in rows of 190: the code point of (lead - 81) * 190 + trail - 41, or 0.
** (charset/legacy/multibyte.c) */
extern const uint16_t *const utf8charset_euckr;

/* Returns a code point's bytes in euc-jp as a number, or 0. (charset/legacy/multibyte.c) */
uint32_t utf8charset_bytes_in_euc_jp(uint32_t code);

/* ---- shared ----------------------------------------------------------------------------- */

/* The number of half-width katakana, U+FF61..FF9F. */
#define LEGACY_KATAKANA 63

/* Room for one code point in any charset and for a word that is stored whole. */
#define LEGACY_STEP 16

/* Moves *at past a byte that is an error. Returns U+FFFD. */
static inline uint32_t legacyError(size_t *at) {
  *at += 1;
  return BYTES_FFFD;
}

/* Copies the ASCII at in[*at..size), and moves *at past it. Returns the number of bytes. */
static inline size_t legacyCopyAscii(const uint8_t *in, size_t size, size_t *at,
                                     uint8_t *out, size_t room) {
  size_t n = bytes_copy_ascii(out, in + *at, bytes_min(size - *at, room));
  *at += n;
  return n;
}

/* Two code points up to FFFF as one number, which is above 10FFFF. */
#define LEGACY_BOTH(first, second) ((uint32_t)(second) << 16 | (first))

/* Writes the UTF-8 of a code point, or of the two in LEGACY_BOTH(). Returns the number of bytes,
** at most LEGACY_STEP. */
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
