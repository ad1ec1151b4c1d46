/* form/closest.h: what stands for a character that a charset lacks. */
#ifndef UTF8_FORM_CLOSEST_H
#define UTF8_FORM_CLOSEST_H

#include "core/utf8core.h"

/* Text in UTF-8. */
#define UTF8_CLOSEST_MAX 224
typedef struct Utf8Closest {
  size_t size;
  uint8_t bytes[UTF8_CLOSEST_MAX];
} Utf8Closest;

/* A code point of a text, and its neighbours; 0 where the text ends. */
typedef struct Utf8InContext {
  uint32_t before, code, after;
} Utf8InContext;

/* Stores text that the charset has and that is like the code point, which it lacks: the letter
** with as many of its marks as the charset has, as "ê" and U+0301 for "ế" in windows-1258; or ASCII
** for quotes, dashes, currencies and letters that have no decomposition, other scripts included; or
** the compatibility decomposition. A mark, and what is invisible, is like no text at all. Only
** Greek letters depend on their neighbours. Returns 0 if there is nothing like it. */
int utf8form_closest(Utf8Charset charset, Utf8InContext place, Utf8Closest *to);

/* May the code point be a Latin letter that utf8form_latin_text() has? × and ÷ are signs, as are those
** between the full-width letters. */
static inline int utf8form_is_latin(uint32_t code) {
  if (code < 0x2B0) return code >= 0xC0 && code != 0xD7 && code != 0xF7;
  return (code >= 0x1D00 && code <= 0x1DBF) || code >> 8 == 0x1E ||
         (code >= 0x2C60 && code <= 0x2C7F) || (code >= 0xA722 && code <= 0xA7FF) ||
         (code >= 0xFB00 && code <= 0xFB06) || (code >= 0xFF21 && code <= 0xFF3A) ||
         (code >= 0xFF41 && code <= 0xFF5A);
}

/* Returns the ASCII that stands for a Latin letter without marks, such as "o" for U+00F8, and stores
** its size; NULL for any other code point, and if there is none. */
const char *utf8form_latin_text(uint32_t code, size_t *size);

#endif
