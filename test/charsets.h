/* charsets.h: a second definition of every charset. The tests compare charset/unicode.c with it.
**
**     Codes codes;
**     read_charset(&codes, UTF8_CHARSET_UTF16LE, bytes, size);
**
** Slow and literal. UTF-16 follows the handler of the WHATWG Encoding Standard (§14.2.1),
** one byte at a time. The dialects of UTF-8 use the rules of abnf.h, and the single-byte
** charsets use tables. Calls no function of the core; utf8core.h provides the types.
*/
#ifndef TEST_CHARSETS_H
#define TEST_CHARSETS_H

#include "core/utf8core.h"

/* The charsets up to this one have a second definition here. */
#define CHARSETS_DEFINED (UTF8_CHARSET_WTF8 + 1)

#include "test/abnf.h"

#define CHARSET_INPUT_MAX 20000 /* bytes */
#define CODES_MAX         (CHARSET_INPUT_MAX + 8)

/* The decoded code points of an input, U+FFFD for each error. */
typedef struct Codes {
  uint32_t code[CODES_MAX];
  size_t count, errors;
} Codes;

static inline void push(Codes *codes, uint32_t code) {
  codes->code[codes->count++] = code;
}

#define REPLACEMENT_CHARACTER 0xFFFD

static inline void push_error(Codes *codes) {
  push(codes, REPLACEMENT_CHARACTER);
  codes->errors++;
}

static inline void push_or_error(Codes *codes, int is_error, uint32_t code) {
  if (is_error) {
    push_error(codes);
  } else {
    push(codes, code);
  }
}

static inline int is_surrogate(uint32_t code) {
  return code >= 0xD800 && code <= 0xDFFF;
}

/* WHATWG's shared UTF-16 decoder: the state is the first byte of a code unit, and a high
** surrogate, each -1 if there is none. */
static inline void read_utf16(Codes *codes, const uint8_t *in, size_t size, int big) {
  int32_t byte = -1, high = -1;
  for (size_t i = 0; i < size; i++) {
    if (byte < 0) {
      byte = in[i];
      continue;
    }
    uint32_t unit = big ? (uint32_t)byte * 256 + in[i] : in[i] * 256u + (uint32_t)byte;
    byte = -1;
    if (high >= 0) {
      uint32_t first = (uint32_t)high;
      high = -1;
      if (unit >= 0xDC00 && unit <= 0xDFFF) {
        push(codes, 0x10000 + (first - 0xD800) * 0x400 + (unit - 0xDC00));
        continue;
      }
      push_error(codes);
    }
    if (unit >= 0xD800 && unit <= 0xDBFF) {
      high = (int32_t)unit;
    } else {
      push_or_error(codes, is_surrogate(unit), unit);
    }
  }
  if (byte >= 0 || high >= 0) push_error(codes);
}

static inline void read_utf32(Codes *codes, const uint8_t *in, size_t size, int big) {
  for (size_t i = 0; i < size; i += 4) {
    uint32_t unit = 0;
    for (size_t k = 0; k < 4 && i + k < size; k++) {
      unit |= (uint32_t)in[i + k] << (big ? 24 - 8 * k : 8 * k);
    }
    int is_error = size - i < 4 || unit > 0x10FFFF || is_surrogate(unit);
    push_or_error(codes, is_error, unit);
  }
}

/* Returns the code point of a byte in a single-byte charset. */
static inline uint32_t decode_byte(Utf8Charset charset, uint8_t byte) {
  if (charset == UTF8_CHARSET_WINDOWS1252 && byte >= 0x80 && byte < 0xA0) {
    return abnf_windows1252[byte - 0x80];
  }
  return byte;
}

static inline void read_bytes(Codes *codes, const uint8_t *in, size_t size,
                              Utf8Charset charset) {
  for (size_t i = 0; i < size; i++) {
    int is_error = charset == UTF8_CHARSET_ASCII && in[i] >= 0x80;
    push_or_error(codes, is_error, decode_byte(charset, in[i]));
  }
}

/* The dialects after utf-8 are charsets, in the same order. */
static inline const AbnfDialect *dialect_of(Utf8Charset charset) {
  const int is_other = charset >= UTF8_CHARSET_RFC2044 && charset <= UTF8_CHARSET_WTF8;
  return &abnf_dialects[is_other ? 1 + charset - UTF8_CHARSET_RFC2044 : 0];
}

static inline void read_dialect(Codes *codes, const uint8_t *in, size_t size,
                                const AbnfDialect *dialect) {
  for (size_t at = 0; at < size;) {
    Utf8Step s = abnf_step(dialect, in, size, at);
    int is_error = s.error || s.codepoint > 0x10FFFF || is_surrogate(s.codepoint);
    push_or_error(codes, is_error, s.codepoint);
    at += s.length;
  }
}

static inline int starts(const uint8_t *in, size_t size, const char *mark, size_t n) {
  return size >= n && memcmp(in, mark, n) == 0;
}

typedef void ReadUnits(Codes *codes, const uint8_t *in, size_t size, int big);

/* A mark of n bytes says the byte order, which is big without one. */
static inline void read_marked(Codes *codes, ReadUnits *read, const char *little,
                               const char *big, size_t n, const uint8_t *in,
                               size_t size) {
  const int is_little = starts(in, size, little, n);
  const size_t mark = is_little || starts(in, size, big, n) ? n : 0;
  read(codes, in + mark, size - mark, !is_little);
}

/* Decodes the whole input. */
static inline void read_charset(Codes *codes, Utf8Charset charset, const uint8_t *in,
                                size_t size) {
  codes->count = codes->errors = 0;
  switch (charset) {
  case UTF8_CHARSET_UTF8BOM:
    if (starts(in, size, "\xEF\xBB\xBF", 3)) in += 3, size -= 3;
    read_dialect(codes, in, size, dialect_of(charset));
    break;
  case UTF8_CHARSET_UTF16:
    read_marked(codes, read_utf16, "\xFF\xFE", "\xFE\xFF", 2, in, size);
    break;
  case UTF8_CHARSET_UTF16LE:
  case UTF8_CHARSET_UTF16BE:
    read_utf16(codes, in, size, charset == UTF8_CHARSET_UTF16BE);
    break;
  case UTF8_CHARSET_UTF32:
    read_marked(codes, read_utf32, "\xFF\xFE\0\0", "\0\0\xFE\xFF", 4, in, size);
    break;
  case UTF8_CHARSET_UTF32LE:
  case UTF8_CHARSET_UTF32BE:
    read_utf32(codes, in, size, charset == UTF8_CHARSET_UTF32BE);
    break;
  case UTF8_CHARSET_LATIN1:
  case UTF8_CHARSET_WINDOWS1252:
  case UTF8_CHARSET_ASCII:
    read_bytes(codes, in, size, charset);
    break;
  default:
    read_dialect(codes, in, size, dialect_of(charset));
  }
}

static inline size_t write_unit(uint8_t *out, uint32_t unit, size_t width, int big) {
  for (size_t i = 0; i < width; i++) {
    out[i] = (uint8_t)(unit >> 8 * (big ? width - 1 - i : i));
  }
  return width;
}

static inline size_t write_utf16(uint8_t *out, uint32_t code, int big) {
  if (code < 0x10000) return write_unit(out, code, 2, big);
  write_unit(out, 0xD800 + (code - 0x10000) / 0x400, 2, big);
  write_unit(out + 2, 0xDC00 + (code - 0x10000) % 0x400, 2, big);
  return 4;
}

/* Encodes the code point. Returns the number of bytes, or 0 if the charset lacks it. */
static inline size_t write_code(Utf8Charset charset, uint32_t code, uint8_t *out) {
  switch (charset) {
  case UTF8_CHARSET_UTF16LE:
    return write_utf16(out, code, 0);
  case UTF8_CHARSET_UTF16:
  case UTF8_CHARSET_UTF16BE:
    return write_utf16(out, code, 1);
  case UTF8_CHARSET_UTF32LE:
    return write_unit(out, code, 4, 0);
  case UTF8_CHARSET_UTF32:
  case UTF8_CHARSET_UTF32BE:
    return write_unit(out, code, 4, 1);
  case UTF8_CHARSET_LATIN1:
  case UTF8_CHARSET_WINDOWS1252:
  case UTF8_CHARSET_ASCII:
    for (unsigned byte = 0; byte < 256; byte++) {
      int unused = charset == UTF8_CHARSET_ASCII && byte >= 0x80;
      out[0] = (uint8_t)byte;
      if (!unused && decode_byte(charset, (uint8_t)byte) == code) return 1;
    }
    return 0;
  default:
    return abnf_encode(dialect_of(charset)->bit, code, out);
  }
}

/* Writes the byte order mark that utf8core_encode() adds. Returns its size, or 0. */
static inline size_t write_mark(Utf8Charset charset, uint8_t *out) {
  if (charset == UTF8_CHARSET_UTF16 || charset == UTF8_CHARSET_UTF32) {
    return write_code(charset, 0xFEFF, out);
  }
  if (charset != UTF8_CHARSET_UTF8BOM) return 0;
  memcpy(out, "\xEF\xBB\xBF", 3);
  return 3;
}

#endif
