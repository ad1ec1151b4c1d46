/* form/mime.c: text as mail writes it (form/mime.h).
**
** Sources: RFC 2045 §6.7 and §6.8, RFC 2047, RFC 2231 §5 (a language after the charset).
*/
#include "form/mime.h"

/* ---- quoted-printable ------------------------------------------------------------------ */

/* Returns the value of a hexadecimal digit, or -1. */
static int mimeDigit(uint8_t byte) {
  const uint8_t lower = byte | 0x20;
  if (byte >= '0' && byte <= '9') return byte - '0';
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* Returns the byte of the code at p[0..size), which starts with '=', or -1. */
static int quotedByte(const uint8_t *p, size_t size) {
  if (size < 3 || mimeDigit(p[1]) < 0 || mimeDigit(p[2]) < 0) return -1;
  return mimeDigit(p[1]) << 4 | mimeDigit(p[2]);
}

/* Returns the size of a soft line break at p[0..size), which starts with '=', or 0. */
static size_t softBreak(const uint8_t *p, size_t size) {
  if (size == 1) return 1;
  if (p[1] == '\r') return size > 2 && p[2] == '\n' ? 3 : 2;
  return p[1] == '\n' ? 2 : 0;
}

static Utf8Edit editQuoted(const uint8_t *p, size_t size) {
  Utf8Edit edit = {.length = softBreak(p, size)};
  if (edit.length > 0) return edit;
  const int byte = p[1] == '=' ? '=' : quotedByte(p, size);
  if (byte < 0) return edit;
  edit.length = p[1] == '=' ? 2 : 3;
  edit.bytes[edit.used++] = (uint8_t)byte;
  return edit;
}

size_t utf8form_decode_quoted(const uint8_t *text, size_t size, size_t *at,
                              uint8_t *out, size_t room) {
  static const uint16_t starts[256] = {['='] = 1};
  return utf8form_edit(editQuoted, starts, 1, text, size, at, out, room);
}

/* ---- encoded words --------------------------------------------------------------------- */

/* Moves *end, from `at` or where it is, to the next "?=" or the end of the line or text. */
static void findWordEnd(const uint8_t *text, size_t size, size_t at, size_t *end) {
  if (*end < at) *end = at;
  while (*end < size && text[*end] != '\n' &&
         !(text[*end] == '?' && *end + 1 < size && text[*end + 1] == '='))
    *end += 1;
}

/* No name of a charset is longer, with a language after it. */
#define WORD_CHARSET_MAX 100

/* Returns the size of the charset's name at name[0..size), which a '?' ends, or 0. */
static size_t wordCharset(const uint8_t *name, size_t size) {
  const size_t limit = size < WORD_CHARSET_MAX ? size : WORD_CHARSET_MAX;
  const uint8_t *end = limit ? memchr(name, '?', limit) : NULL;
  return end ? (size_t)(end - name) : 0;
}

static Utf8Charset findWordCharset(const uint8_t *name, size_t size) {
  const uint8_t *language = memchr(name, '*', size);
  const size_t length = language ? (size_t)(language - name) : size;
  return utf8core_find_charset((const char *)name, length);
}

int utf8form_read_word(const uint8_t *text, size_t size, size_t at, size_t *end,
                       Utf8MimeWord *word) {
  const size_t name = at + 2, length = wordCharset(text + name, size - name);
  const size_t kind = name + length + 1;
  if (length == 0 || size - kind < 2 || text[kind + 1] != '?') return 0;
  const uint8_t encoding = text[kind] | 0x20;
  if (encoding != 'b' && encoding != 'q') return 0;
  findWordEnd(text, size, kind + 2, end);
  if (*end >= size || text[*end] != '?') return 0;
  *word = (Utf8MimeWord){.charset = findWordCharset(text + name, length),
                         .is_base64 = encoding == 'b',
                         .at = kind + 2,
                         .end = *end,
                         .next = *end + 2};
  return word->charset >= 0;
}

/* Returns the value of a digit of base64, or -1. */
static int base64Digit(uint8_t byte) {
  const uint8_t lower = byte | 0x20;
  if (lower >= 'a' && lower <= 'z') return lower - 'a' + (byte == lower ? 26 : 0);
  if (byte >= '0' && byte <= '9') return byte - '0' + 52;
  return byte == '+' ? 62 : byte == '/' ? 63 : -1;
}

/* Ignores bytes that are not digits of base64, as all decoders of mail do. */
static size_t base64Bytes(const uint8_t *text, Utf8MimeWord *word, uint8_t *out,
                          size_t room) {
  size_t n = 0;
  while (word->at < word->end && n < room) {
    const int digit = base64Digit(text[word->at++]);
    if (digit < 0) continue;
    word->bits = word->bits << 6 | (uint32_t)digit;
    word->bit_count += 6;
    if (word->bit_count < 8) continue;
    word->bit_count -= 8;
    out[n++] = (uint8_t)(word->bits >> word->bit_count);
  }
  return n;
}

/* Returns the next byte of Q, in which '_' is a space. */
static uint8_t nextQuoted(const uint8_t *text, Utf8MimeWord *word) {
  const uint8_t *p = text + word->at;
  const int byte = *p == '=' ? quotedByte(p, word->end - word->at) : -1;
  word->at += byte < 0 ? 1 : 3;
  return byte >= 0 ? (uint8_t)byte : *p == '_' ? ' ' : *p;
}

size_t utf8form_word_bytes(const uint8_t *text, Utf8MimeWord *word, uint8_t *out,
                           size_t room) {
  size_t n = 0;
  if (word->is_base64) return base64Bytes(text, word, out, room);
  while (word->at < word->end && n < room) out[n++] = nextQuoted(text, word);
  return n;
}
