/* clean/unescape.c: the character references of HTML, and the escapes of URLs, JSON and Python (utf8form.h).
**
** Sources: WHATWG HTML, as of 2026-11: §13.2.5.72 to 80 (character reference states), §13.5 (names);
** RFC 3986 §2.1 for URLs; RFC 8259 §7 for JSON; PEP 383 for surrogates.
*/
#include "clean/unescape.h"
#include "charset/legacy/legacy.h"
#include "clean/edit.h"
#include "clean/tables/html.h"
#include "core/step.h"

/* ---- names ---------------------------------------------------------------------------- */

enum { NO_ROW = 0xFFFF };

static unsigned htmlStart(unsigned row) {
  return html_starts[row] & (HTML_BARE - 1u);
}

/* Compares name[0..size) with the name of a row, both without their first letter. */
static int compareName(unsigned row, const char *names, const uint8_t *name,
                       size_t size) {
  const size_t length = htmlStart(row + 1) - htmlStart(row);
  const int order = memcmp(name, names + htmlStart(row), bytes_min(size, length));
  if (order != 0 || size == length) return order;
  return size < length ? -1 : 1;
}

/* Returns the row of the reference name[0..size), letters and digits without the semicolon; NO_ROW if
** there is none. */
static unsigned findReference(const uint8_t *name, size_t size) {
  if (size == 0 || name[0] < 'A') return NO_ROW;
  const unsigned letter = name[0] - (unsigned)'A';
  unsigned low = html_first[letter], high = html_first[letter + 1] - 1u;
  while (low < high) {
    const unsigned middle = (low + high) / 2;
    const int order = compareName(middle, html_names[letter], name + 1, size - 1);
    if (order == 0) return middle;
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return NO_ROW;
}

/* Returns the row of the longest name without semicolon that name[0..size) starts with, and stores
** its length. */
static unsigned findBare(const uint8_t *name, size_t size, size_t *length) {
  for (*length = bytes_min(size, HTML_BARE_MAX); *length > 1; --*length) {
    const unsigned row = findReference(name, *length);
    if (row != NO_ROW && (html_starts[row] & HTML_BARE)) return row;
  }
  return NO_ROW;
}

static int isAlphanumeric(uint8_t byte) {
  const uint8_t lower = byte | 0x20;
  return (byte >= '0' && byte <= '9') || (lower >= 'a' && lower <= 'z');
}

static void editCode(Utf8Edit *edit, uint32_t code) {
  edit->used += stepPut(edit->bytes + edit->used, code);
}

static void editRow(Utf8Edit *edit, unsigned row) {
  const unsigned code = html_codes[row], number = 0xFFFFu - code;
  if (number < HTML_DOUBLES) {
    editCode(edit, html_doubles[number][0]);
    editCode(edit, html_doubles[number][1]);
  } else if (code >= HTML_ASTRAL && code < HTML_ASTRAL + 0x400) {
    editCode(edit, 0x1D400u + code - HTML_ASTRAL);
  } else {
    editCode(edit, code);
  }
}

/* Returns the edit for the name that starts at p[1]. */
static Utf8Edit namedReference(const uint8_t *p, size_t size, int closed) {
  Utf8Edit edit = {0};
  size_t length = 0;
  unsigned row = NO_ROW;
  while (length < size - 1 && length < HTML_NAME_MAX && isAlphanumeric(p[1 + length]))
    length++;
  if (length + 1 < size && p[1 + length] == ';') row = findReference(p + 1, length);
  if (row != NO_ROW) {
    edit.length = length + 2;
  } else if (!closed) {
    row = findBare(p + 1, length, &length);
    if (row != NO_ROW) edit.length = length + 1;
  }
  if (row != NO_ROW) editRow(&edit, row);
  return edit;
}

/* ---- numbers --------------------------------------------------------------------------- */

/* Returns the code point that a number stands for. */
static uint32_t codeOfNumber(uint32_t number) {
  if (number >= 0x80 && number <= 0x9F)
    return utf8charset_high(UTF8_CHARSET_WINDOWS1252)[number - 0x80];
  if (number == 0 || number > 0x10FFFF || number >> 11 == 0xD800 >> 11)
    return BYTES_FFFD;
  return number;
}

/* Returns the edit for the number after p[0..2), which is "&#". */
static Utf8Edit numberReference(const uint8_t *p, size_t size, int closed) {
  Utf8Edit edit = {0};
  const int isHex = size > 2 && (p[2] | 0x20) == 'x';
  const uint32_t base = isHex ? 16 : 10;
  const size_t first = isHex ? 3 : 2;
  size_t at = first;
  uint32_t number = 0;
  for (; at < size; at++) {
    const uint32_t digit = utf8clean_digit(p[at], base);
    if (digit == base) break;
    if (number <= 0x10FFFF) number = number * base + digit;
  }
  const int isClosed = at < size && p[at] == ';';
  if (at == first || (closed && !isClosed)) return edit;
  edit.length = at + (isClosed ? 1 : 0);
  editCode(&edit, codeOfNumber(number));
  return edit;
}

Utf8Edit utf8clean_html_reference(const uint8_t *p, size_t size, int closed) {
  if (size > 1 && p[1] == '#') return numberReference(p, size, closed);
  return namedReference(p, size, closed);
}

/* ---- URLs and JSON ---------------------------------------------------------------------- */

/* Stores the value of `count` hexadecimal digits at p[at..size). Returns 0 if there are fewer. */
static int hexValue(const uint8_t *p, size_t size, size_t at, size_t count,
                    uint32_t *value) {
  if (size < at + count) return 0;
  *value = 0;
  for (size_t i = at; i < at + count; i++) {
    const uint32_t digit = utf8clean_digit(p[i], 16);
    if (digit == 16) return 0;
    *value = *value * 16 + digit;
  }
  return 1;
}

/* The longest sequence of UTF-8 has 4 bytes. */
Utf8Edit utf8clean_url_escape(const uint8_t *p, size_t size) {
  Utf8Edit edit = {0};
  uint8_t bytes[4];
  uint32_t value;
  size_t count = 0;
  while (count < sizeof bytes && 3 * count < size && p[3 * count] == '%' &&
         hexValue(p, size, 3 * count + 1, 2, &value))
    bytes[count++] = (uint8_t)value;
  if (count == 0) return edit;
  const Utf8Step step = utf8core_step(bytes, count, 0, UTF8_STRICT);
  if (step.error) return edit;
  memcpy(edit.bytes, bytes, step.length);
  edit.used = step.length;
  edit.length = 3u * step.length;
  return edit;
}

static int isHighUnit(uint32_t unit) {
  return unit >> 10 == 0xD800 >> 10;
}

static int isLowUnit(uint32_t unit) {
  return unit >> 10 == 0xDC00 >> 10;
}

/* Returns the edit for \uXXXX, and the pair of surrogates that it may start. */
static Utf8Edit editUnit(const uint8_t *p, size_t size) {
  Utf8Edit edit = {0};
  uint32_t unit, low;
  if (!hexValue(p, size, 2, 4, &unit) || isLowUnit(unit)) return edit;
  edit.length = 6;
  if (isHighUnit(unit)) {
    const int isPair = size >= 12 && p[6] == '\\' && p[7] == 'u' &&
                       hexValue(p, size, 8, 4, &low) && isLowUnit(low);
    if (!isPair) return (Utf8Edit){0};
    unit = 0x10000 + ((unit & 0x3FF) << 10 | (low & 0x3FF));
    edit.length = 12;
  }
  editCode(&edit, unit);
  return edit;
}

Utf8Edit utf8clean_json_escape(const uint8_t *p, size_t size) {
  static const char letters[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
  Utf8Edit edit = {0};
  if (size < 2) return edit;
  if (p[1] == 'u') return editUnit(p, size);
  const char *letter = p[1] ? strchr(letters, p[1]) : NULL;
  if (!letter) return edit;
  edit.length = 2;
  editCode(&edit, (uint8_t)meanings[letter - letters]);
  return edit;
}

/* ---- surrogates ------------------------------------------------------------------------- */

/* Returns the edit for a low surrogate that stands for a byte; a pair replaces itself. */
static Utf8Edit editSurrogate(const uint8_t *p, size_t size) {
  Utf8Edit edit = {0};
  if (isPair(p, size, 0)) {
    edit.length = edit.used = 6;
    memcpy(edit.bytes, p, 6);
  } else if (isEscapeAt(p, size, 0)) {
    edit.length = 3;
    edit.used = 1;
    edit.bytes[0] = (uint8_t)((p[1] & 3u) << 6 | (p[2] & 0x3Fu));
  }
  return edit;
}

/* ---- text ------------------------------------------------------------------------------- */

static Utf8Edit editReference(const uint8_t *p, size_t size) {
  return utf8clean_html_reference(p, size, 0);
}

size_t utf8form_unescape_html(const uint8_t *text, size_t size, size_t *at,
                              uint8_t *out, size_t room) {
  static const uint32_t starts[256] = {['&'] = 1};
  return utf8clean_edit(editReference, starts, 1, text, size, at, out, room);
}

size_t utf8form_unescape_url(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                             size_t room) {
  static const uint32_t starts[256] = {['%'] = 1};
  return utf8clean_edit(utf8clean_url_escape, starts, 1, text, size, at, out, room);
}

size_t utf8form_unescape_json(const uint8_t *text, size_t size, size_t *at,
                              uint8_t *out, size_t room) {
  static const uint32_t starts[256] = {['\\'] = 1};
  return utf8clean_edit(utf8clean_json_escape, starts, 1, text, size, at, out, room);
}

size_t utf8form_unescape_surrogates(const uint8_t *text, size_t size, size_t *at,
                                    uint8_t *out, size_t room) {
  static const uint32_t starts[256] = {[0xED] = 1};
  return utf8clean_edit(editSurrogate, starts, 1, text, size, at, out, room);
}

/* ---- by kind ---------------------------------------------------------------------------- */

/* Returns the offset of the first "=?" of text[0..size), or size. */
static size_t findWord(const uint8_t *text, size_t size) {
  for (size_t at = 0; at + 1 < size; at++) {
    const uint8_t *p = memchr(text + at, '=', size - at - 1);
    if (!p) break;
    at = (size_t)(p - text);
    if (text[at + 1] == '?') return at;
  }
  return size;
}

size_t utf8clean_find_escape(Utf8EscapeKind kind, const uint8_t *text, size_t size) {
  static const char starts[] = {[UTF8_ESCAPE_HTML] = '&',
                                [UTF8_ESCAPE_QUOTED] = '=',
                                [UTF8_ESCAPE_URL] = '%',
                                [UTF8_ESCAPE_JSON] = '\\',
                                [UTF8_ESCAPE_SURROGATES] = '\xED'};
  if (size == 0) return 0;
  if (kind == UTF8_ESCAPE_MIME) return findWord(text, size);
  const uint8_t *first = memchr(text, starts[kind], size);
  return first ? (size_t)(first - text) : size;
}

size_t utf8clean_unescape(Utf8EscapeKind kind, Utf8Mime *mime, const uint8_t *text,
                          size_t size, size_t *at, uint8_t *out, size_t room) {
  switch (kind) {
  case UTF8_ESCAPE_HTML:
    return utf8form_unescape_html(text, size, at, out, room);
  case UTF8_ESCAPE_MIME:
    return utf8form_unescape_mime(mime, text, size, at, out, room);
  case UTF8_ESCAPE_URL:
    return utf8form_unescape_url(text, size, at, out, room);
  case UTF8_ESCAPE_JSON:
    return utf8form_unescape_json(text, size, at, out, room);
  case UTF8_ESCAPE_SURROGATES:
    return utf8form_unescape_surrogates(text, size, at, out, room);
  default:
    return utf8form_unescape_quoted(text, size, at, out, room);
  }
}
