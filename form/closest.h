/* form/closest.h: what stands for a character that a charset lacks. */
#ifndef UTF8_FORM_CLOSEST_H
#define UTF8_FORM_CLOSEST_H

#include "utf8core.h"

/* Text in UTF-8. */
#define UTF8_CLOSEST_MAX 224
typedef struct Utf8Closest {
  size_t size;
  uint8_t bytes[UTF8_CLOSEST_MAX];
} Utf8Closest;

/* Stores text that the charset has and that is like the code point, which it lacks: the letter
** with as many of its marks as the charset has, as "ê" and U+0301 for "ế" in windows-1258; or ASCII
** for quotes, dashes, currencies and letters that have no decomposition; or the compatibility
** decomposition. A mark, and what is invisible, is like no text at all. Returns 0 if there is
** nothing like it. */
int utf8form_closest(Utf8Charset charset, uint32_t code, Utf8Closest *to);

#endif
