/* text.h: random numbers, growing text, and random TEXT in the encoding of a case.
**
** The seed alone determines the random numbers.
*/
#ifndef UTF8_FUZZ_TEXT_H
#define UTF8_FUZZ_TEXT_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "test/abnf.h"
#include "test/words.h"
#include "utf8ext.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* ---- random numbers -------------------------------------------------------------- */

static uint64_t seed, random_state;

/* splitmix64 */
static inline uint64_t random_bits(void) {
  uint64_t z = (random_state += 0x9E3779B97F4A7C15u);
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static inline int below(int n) {
  return (int)(random_bits() % (uint64_t)n);
}

static inline int chance(int percent) {
  return below(100) < percent;
}

#define PICK(array) ((array)[below(COUNT(array))])

/* Returns a random word of the list (words.h), until the next call. */
static inline const char *pick_word(const char *list) {
  static char word[WORD_MAX];
  return word_of(list, (uint32_t)below((int)word_count(list)), word);
}

/* ---- growing text; not allocated by SQLite, whose memory is checked for leaks -------- */

typedef struct Text {
  char *bytes; /* ends in 00 */
  size_t size, room;
} Text;

static inline void text_bytes(Text *t, const void *bytes, size_t size) {
  if (t->size + size + 1 > t->room) {
    t->room = 2 * (t->size + size + 1);
    t->bytes = realloc(t->bytes, t->room);
    if (!t->bytes) exit((fputs("out of memory\n", stderr), 2));
  }
  if (size) memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
  t->bytes[t->size] = 0;
}

static inline void text_string(Text *t, const char *string) {
  text_bytes(t, string, strlen(string));
}

#ifdef __GNUC__
#define FORMAT(n) __attribute__((format(printf, n, n + 1)))
#else
#define FORMAT(n)
#endif

static inline void text_vformat(Text *t, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *bytes = malloc((size_t)size + 1);
  if (!bytes) exit(2);
  vsnprintf(bytes, (size_t)size + 1, format, arguments);
  text_bytes(t, bytes, (size_t)size);
  free(bytes);
}

FORMAT(2) static inline void text_format(Text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vformat(t, format, arguments);
  va_end(arguments);
}

static inline void text_hex(Text *t, const void *bytes, size_t size) {
  text_string(t, "x'");
  for (size_t i = 0; i < size; i++) text_format(t, "%02x", ((const uint8_t *)bytes)[i]);
  text_string(t, "'");
}

/* Appends an identifier in double quotes. */
static inline void text_name(Text *t, const char *name) {
  text_string(t, "\"");
  for (; *name; name++)
    text_bytes(t, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
  text_string(t, "\"");
}

static inline const char *text_of(const Text *t) {
  return t->bytes ? t->bytes : "";
}

static inline void text_clear(Text *t) {
  free(t->bytes);
  *t = (Text){NULL, 0, 0};
}

/* ---- encodings ------------------------------------------------------------------- */

typedef enum Encoding { UTF_8, UTF_16LE, UTF_16BE } Encoding;
static const char *const encoding_names[] = {"UTF-8", "UTF-16le", "UTF-16be"};
static Encoding encoding; /* of the case's databases */

static inline void text_unit(Text *t, uint32_t unit) {
  uint8_t pair[2] = {(uint8_t)(unit >> 8), (uint8_t)unit};
  uint8_t swapped[2] = {(uint8_t)unit, (uint8_t)(unit >> 8)};
  text_bytes(t, encoding == UTF_16BE ? pair : swapped, 2);
}

static inline uint32_t unit_at(const uint8_t *bytes) {
  int big = encoding == UTF_16BE;
  return (uint32_t)bytes[!big] << 8 | bytes[big];
}

static inline void text_wtf8_from_utf16(Text *t, const uint8_t *bytes, size_t size) {
  size_t at = 0;
  for (; at + 2 <= size; at += 2) {
    uint32_t c = unit_at(bytes + at);
    uint32_t next = at + 4 <= size ? unit_at(bytes + at + 2) : 0;
    if (c >> 10 == 0xD800 >> 10 && next >> 10 == 0xDC00 >> 10) {
      c = 0x10000 + ((c & 0x3FF) << 10 | (next & 0x3FF));
      at += 2;
    }
    uint8_t out[6];
    text_bytes(t, out, abnf_encode(ABNF_UTF8 | ABNF_WTF8, c, out));
  }
  if (at < size) text_bytes(t, (const uint8_t[]){UTF8_ODD_BYTES(bytes[at])}, 3);
}

/* Appends TEXT with these bytes as utf8ext reads it: the bytes, or UTF-16 in WTF-8. */
static inline void text_wtf8(Text *t, const uint8_t *bytes, size_t size) {
  if (encoding == UTF_8) {
    text_bytes(t, bytes, size);
  } else {
    text_wtf8_from_utf16(t, bytes, size);
  }
}

/* Appends well-formed UTF-8, converted to the case's encoding. */
static inline void text_stored(Text *t, const uint8_t *bytes, size_t size) {
  if (encoding == UTF_8) text_bytes(t, bytes, size);
  for (size_t at = 0; encoding != UTF_8 && at < size;) {
    Utf8Step step = abnf_step(&abnf_dialects[0], bytes, size, at);
    uint32_t c = step.codepoint;
    if (c >= 0x10000) {
      text_unit(t, 0xD800 + ((c - 0x10000) >> 10));
      c = 0xDC00 + (c & 0x3FF);
    }
    text_unit(t, c);
    at += step.length;
  }
}

/* Appends a random TEXT of at most `max` sequences in the case's encoding, of which about
** `percent` in 100 may be ill-formed. */
static inline void text_random(Text *t, int max, int percent) {
  static const char well_formed[] =
      "a|b|A|a |\xC3\xA9|'|\xE2\x82\xAC|\xF0\x9F\x98\x80|%|\x7F|\xEF\xBF\xBD";
  static const char ill_formed[] =
      "\xFF|\x80|\xC3|\xE2\x82|\xC0\xAF|\xC0\x80|\xED\xA0\x80|\xED\xB0\x80|"
      "\xED\xA0\xBD\xED\xB8\x80|\xF0\x9F\x98|\xF4\x90\x80\x80|\xFD\xBF\xBF\xBF\xBF\xBF|"
      "\xE9";
  static const uint16_t units[] = {0x61,   0x62,   0xE9,   0x20AC, 0xFFFD,
                                   0xD83D, 0xDE00, 0xD800, 0xDC00};
  static const uint16_t noncharacters[] = {0xFFFE, 0xFFFF, 0xFEFF, 0};
  for (int n = below(max + 1); n > 0; n--) {
    if (chance(3)) {
      if (encoding == UTF_8) text_bytes(t, "", 1);
      if (encoding != UTF_8) text_unit(t, PICK(noncharacters));
    } else if (chance(2)) {
      for (int i = 60 + below(10); i > 0; i--) text_stored(t, (const uint8_t *)"x", 1);
    } else if (!chance(percent)) {
      const char *sequence = pick_word(well_formed);
      text_stored(t, (const uint8_t *)sequence, strlen(sequence));
    } else if (encoding == UTF_8) {
      text_string(t, pick_word(ill_formed));
    } else {
      text_unit(t, PICK(units));
    }
  }
}

#endif
