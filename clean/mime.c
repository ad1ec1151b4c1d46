/* clean/mime.c: text as mail writes it (utf8form.h).
**
** Sources: RFC 2045 §6.7 and §6.8, RFC 2047, RFC 2231 §5 (a language after the charset).
*/
#include "core/utf8form.h"
#include "clean/edit.h"
#include "core/bytes.h"

/* ---- quoted-printable ------------------------------------------------------------------ */

/* Returns the byte of the code at p[0..size), which starts with '=', or -1. */
static int quotedByte(const uint8_t *p, size_t size) {
  if (size < 3) return -1;
  const uint32_t high = utf8clean_digit(p[1], 16), low = utf8clean_digit(p[2], 16);
  return high < 16 && low < 16 ? (int)(high << 4 | low) : -1;
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

size_t utf8form_unescape_quoted(const uint8_t *text, size_t size, size_t *at,
                                uint8_t *out, size_t room) {
  static const uint32_t starts[256] = {['='] = 1};
  return utf8clean_edit(editQuoted, starts, 1, text, size, at, out, room);
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
  const size_t limit = bytes_min(size, WORD_CHARSET_MAX);
  const uint8_t *end = limit ? memchr(name, '?', limit) : NULL;
  return end ? (size_t)(end - name) : 0;
}

static Utf8Charset findWordCharset(const uint8_t *name, size_t size) {
  const uint8_t *language = memchr(name, '*', size);
  const size_t length = language ? (size_t)(language - name) : size;
  return utf8core_find_charset((const char *)name, length);
}

/* Is the name text[name..name+size) the one that was unknown last? Looking that up again would take a
** hundred times as long as decoding a word. */
static int isUnknown(const Utf8Mime *m, const uint8_t *text, size_t name, size_t size) {
  return size == m->unknown_size && memcmp(text + m->unknown, text + name, size) == 0;
}

/* Finds the charset of m->word by its name text[name..name+size). Returns 0 if it is unknown. */
static int setCharset(Utf8Mime *m, const uint8_t *text, size_t name, size_t size) {
  if (isUnknown(m, text, name, size)) return 0;
  m->word.charset = findWordCharset(text + name, size);
  if (m->word.charset >= 0) return 1;
  m->unknown = name;
  m->unknown_size = size;
  return 0;
}

/* Reads the encoded word that starts at text[at..), which are "=?", as m->word. Returns 0 if it is not
** one, or if its charset is unknown. */
static int readWord(Utf8Mime *m, const uint8_t *text, size_t size, size_t at) {
  const size_t name = at + 2, length = wordCharset(text + name, size - name);
  const size_t kind = name + length + 1;
  if (length == 0 || size - kind < 2 || text[kind + 1] != '?') return 0;
  const uint8_t encoding = text[kind] | 0x20;
  if (encoding != 'b' && encoding != 'q') return 0;
  findWordEnd(text, size, kind + 2, &m->searched);
  const size_t end = m->searched;
  if (end >= size || text[end] != '?') return 0;
  m->word = (Utf8MimeWord){
      .is_base64 = encoding == 'b', .at = kind + 2, .end = end, .next = end + 2};
  return setCharset(m, text, name, length);
}

/* Ignores bytes that are not digits of base64, as all decoders of mail do. */
static size_t base64Bytes(const uint8_t *text, Utf8MimeWord *word, uint8_t *out,
                          size_t room) {
  size_t n = 0;
  while (word->at < word->end && n < room) {
    const int digit = bytes_base64_digit(text[word->at++]);
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

/* Stores the next bytes of the word in its charset, at most room, and moves word->at. Returns their
** number, 0 at the end. */
static size_t wordBytes(const uint8_t *text, Utf8MimeWord *word, uint8_t *out,
                        size_t room) {
  size_t n = 0;
  if (word->is_base64) return base64Bytes(text, word, out, room);
  while (word->at < word->end && n < room) out[n++] = nextQuoted(text, word);
  return n;
}

/* ---- a text ------------------------------------------------------------------------------ */

static void readBytes(Utf8Mime *m, const uint8_t *text) {
  m->count = wordBytes(text, &m->word, m->bytes, UTF8_MIME_BYTES);
  m->conversion.at = 0;
}

/* Reads the word at text[at..), and its first bytes. Returns 0 if there is none. */
static int wordAt(Utf8Mime *m, const uint8_t *text, size_t size, size_t at) {
  if (size - at < 2 || text[at] != '=' || text[at + 1] != '?') return 0;
  if (!readWord(m, text, size, at)) {
    m->word.next = 0;
    return 0;
  }
  readBytes(m, text);
  return 1;
}

static size_t skipBlanks(const uint8_t *text, size_t size, size_t at) {
  while (at < size && (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))) at++;
  return at;
}

/* A word that starts with an escape sequence, as most in iso-2022-jp do, needs no other before it:
** after the return to ASCII there, the escape would be an error. */
#define MIME_ESC 0x1B

/* Does the word that has been read continue the one before it? */
static int continuesWords(const Utf8Mime *m) {
  const int is_whole = m->count > 0 && m->bytes[0] == MIME_ESC;
  return m->is_open && m->conversion.charset == m->word.charset && !is_whole;
}

/* Ends the words that are decoded as one text. Returns the number of bytes written. */
static size_t closeWords(Utf8Mime *m, uint8_t *out, size_t room) {
  const uint8_t none = 0;
  if (!m->is_open) return 0;
  m->is_open = 0;
  m->conversion.continues = 0;
  m->conversion.at = 0;
  return utf8core_decode(&m->conversion, &none, 0, out, room);
}

/* Decodes more of the word, and moves *at past what has been read: past the word at its end. Returns
** the number of bytes written. */
static size_t decodeWord(Utf8Mime *m, const uint8_t *text, size_t size, size_t *at,
                         uint8_t *out, size_t room) {
  if (m->conversion.at < m->count)
    return utf8core_decode(&m->conversion, m->bytes, m->count, out, room);
  *at = m->word.at;
  readBytes(m, text);
  if (m->count > 0) return 0;
  *at = m->word.next;
  m->word.next = 0;
  return *at == size ? closeWords(m, out, room) : 0;
}

/* Starts with the word that has been read, at *at. Returns the number of bytes written. */
static size_t startWord(Utf8Mime *m, uint8_t *out, size_t room) {
  size_t used = 0;
  if (!continuesWords(m)) {
    used = closeWords(m, out, room);
    m->conversion = (Utf8Conversion){
        .charset = m->word.charset, .dialect = UTF8_STRICT, .continues = 1};
  }
  m->is_open = 1;
  m->conversion.at = 0;
  return used;
}

/* Copies the byte at *at, and what follows up to the next '='. */
static size_t copyToWord(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                         size_t room) {
  const size_t limit = bytes_min(size - *at, room);
  const uint8_t *equals = limit > 1 ? memchr(text + *at + 1, '=', limit - 1) : NULL;
  const size_t n = equals ? (size_t)(equals - (text + *at)) : limit;
  memcpy(out, text + *at, n);
  *at += n;
  return n;
}

size_t utf8form_unescape_mime(Utf8Mime *m, const uint8_t *text, size_t size, size_t *at,
                              uint8_t *out, size_t room) {
  size_t used = 0;
  while (*at < size && room - used >= UTF8_FORM_ROOM) {
    uint8_t *const to = out + used;
    if (m->word.next) {
      used += decodeWord(m, text, size, at, to, room - used);
      continue;
    }
    const size_t next = m->is_open ? skipBlanks(text, size, *at) : *at;
    if (wordAt(m, text, size, next)) {
      *at = next;
      used += startWord(m, to, room - used);
    } else if (m->is_open) {
      used += closeWords(m, to, room - used);
    } else {
      used += copyToWord(text, size, at, to, room - used);
    }
  }
  return used;
}
