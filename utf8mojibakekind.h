/* utf8mojibakekind.h: the kind of a code point, inlined into both files of mojibake repair. */
#ifndef UTF8MOJIBAKEKIND_H
#define UTF8MOJIBAKEKIND_H

#include "charset/mojibake.h"
#include "simd/compiler.h"

/* Returns the kind of a code point: an index into the tables. */
static inline unsigned utf8mojibake_kind_of(uint32_t code) {
  if (code < 0x10000)
    return utf8mojibake_kind[utf8mojibake_block[code >> 6]][code & 63];
  unsigned class = MOJIBAKE_RARE;
  if (code >= 0x1F000 && code < 0x1FB00) class = MOJIBAKE_EMOJI;
  if (code >= 0x40000) class = MOJIBAKE_NONE;
  return MOJIBAKE_KIND_OF_CLASS + class;
}

#endif
