/* charset/legacy/omitted.c: what other files call, in a build without the legacy charsets. It has three:
** charset/unicode.c converts ascii, iso-8859-1 and windows-1252. */
#include "charset/legacy/codec.h"

/* ---- iso-8859-1 and windows-1252 --------------------------------------------------------------- */

#define EIGHT(n) n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7
#define FROM_A0                                                                        \
  EIGHT(0xA0), EIGHT(0xA8), EIGHT(0xB0), EIGHT(0xB8), EIGHT(0xC0), EIGHT(0xC8),        \
      EIGHT(0xD0), EIGHT(0xD8), EIGHT(0xE0), EIGHT(0xE8), EIGHT(0xF0), EIGHT(0xF8)

static const uint16_t latin1High[128] = {EIGHT(0x80), EIGHT(0x88), EIGHT(0x90),
                                         EIGHT(0x98), FROM_A0};

/* As the WHATWG Encoding Standard has it. */
static const uint16_t windows1252High[128] = {
    0x20AC, 0x81,   0x201A, 0x192,  0x201E, 0x2026, 0x2020, 0x2021, 0x2C6,
    0x2030, 0x160,  0x2039, 0x152,  0x8D,   0x17D,  0x8F,   0x90,   0x2018,
    0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC,  0x2122, 0x161,
    0x203A, 0x153,  0x9D,   0x17E,  0x178,  FROM_A0};

int utf8charset_extends_ascii(Utf8Charset charset) {
  return charset == UTF8_CHARSET_LATIN1 || charset == UTF8_CHARSET_WINDOWS1252;
}

int utf8charset_is_single_byte(Utf8Charset charset) {
  return utf8charset_extends_ascii(charset);
}

const uint16_t *utf8charset_high(Utf8Charset charset) {
  return charset == UTF8_CHARSET_LATIN1 ? latin1High : windows1252High;
}

int utf8charset_byte_of_code(Utf8Charset charset, uint32_t codepoint) {
  const uint16_t *high = utf8charset_high(charset);
  if (codepoint < 0x80) return (int)codepoint;
  for (int i = 0; i < 0x80; i++) {
    if (high[i] == codepoint) return 0x80 + i;
  }
  return -1;
}

/* ---- the others, which no caller has ----------------------------------------------------------- */

static size_t omitText(size_t until, size_t *at) {
  *at = until;
  return 0;
}

size_t utf8charset_decode_legacy(Utf8Charset charset, unsigned *state,
                                 const uint8_t *in, size_t size, size_t *at,
                                 uint8_t *out, size_t room) {
  (void)charset, (void)state, (void)in, (void)out, (void)room;
  return omitText(size, at);
}

size_t utf8charset_decode_until(Utf8Charset charset, unsigned *state, const uint8_t *in,
                                size_t size, size_t until, size_t *at, uint8_t *out,
                                size_t room) {
  (void)charset, (void)state, (void)in, (void)size, (void)out, (void)room;
  return omitText(until, at);
}

size_t utf8charset_encode_legacy(Utf8Charset charset, unsigned *state,
                                 const uint8_t *in, size_t size, size_t *at,
                                 uint8_t *out, size_t room) {
  (void)charset, (void)state, (void)in, (void)out, (void)room;
  return omitText(size, at);
}

size_t utf8charset_finish_legacy(Utf8Charset charset, unsigned *state, uint8_t *out) {
  (void)charset, (void)state, (void)out;
  return 0;
}

size_t utf8charset_read_codes(Utf8Charset charset, const uint8_t *in, size_t size,
                              size_t *at, size_t until, uint32_t *codes, size_t room) {
  (void)charset, (void)in, (void)size, (void)codes, (void)room;
  return omitText(until, at);
}

uint64_t utf8charset_own_in_utf7(unsigned state, const uint8_t *in, size_t size,
                                 size_t at, size_t end) {
  (void)state, (void)in, (void)size, (void)at, (void)end;
  return 0;
}
