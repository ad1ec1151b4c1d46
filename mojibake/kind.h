/* mojibake/kind.h: what all files of mojibake/ share: the kind of a code point, and
** the charset that a caller names.
*/
#ifndef UTF8_MOJIBAKE_KIND_H
#define UTF8_MOJIBAKE_KIND_H

#include "mojibake/tables/classes.h"
#include "core/step.h"
#include <stddef.h>
#include <stdint.h>

/* A line of more bytes is restored in segments. */
#define UTF8_MOJIBAKE_LINE 1024

/* All charsets, as bits. */
#define MOJIBAKE_ALL (((uint32_t)1 << MOJIBAKE_WITH_RIVALS) - 1)

/* Returns the kind of a code point: an index into the tables. */
static inline unsigned utf8mojibake_kind_of(uint32_t code) {
  if (code < 0x10000)
    return utf8mojibake_kind[utf8mojibake_block[code >> 6] + (code & 63)];
  unsigned class = MOJIBAKE_RARE;
  if (code >= 0x1F000 && code < 0x1FB00) class = MOJIBAKE_EMOJI;
  if (code >= 0x33480) class = MOJIBAKE_NONE; /* after CJK ideographs of extension J */
  return MOJIBAKE_KIND_OF_CLASS + class;
}

/* Returns the traits of a class; script and far are those of all its code points. */
static inline Utf8MojibakeTraits utf8mojibake_traits_of(unsigned class) {
  return utf8mojibake_traits[MOJIBAKE_KIND_OF_CLASS + class];
}

/* Is there, at `at`, a space that may have been the byte A0: after "Ã" or "Â"? */
static inline int utf8mojibake_is_space_after(const uint8_t *text, size_t at) {
  return text[at] == ' ' && at >= 2 && text[at - 2] == 0xC3 &&
         (text[at - 1] | 1) == 0x83;
}

/* A single-byte charset that reads 00..7F as ASCII, for runs that are misread in it. Sorted
** by code point. */
typedef struct Utf8MojibakeCharset {
  uint16_t code[128];
  uint8_t byte[128];
  int is_lossy; /* other decoders leave some of its bytes undefined */
} Utf8MojibakeCharset;

/* Returns the byte of a code point above 7F, or 0. */
static inline uint8_t utf8mojibake_byte_in(const Utf8MojibakeCharset *charset,
                                           uint32_t code) {
  unsigned low = 0, high = 128;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (charset->code[middle] < code) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < 128 && charset->code[low] == code && code != 0xFFFD ? charset->byte[low]
                                                                   : 0;
}

#endif
