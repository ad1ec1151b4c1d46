/* form/loss.h: what stands for a character that the target of utf8_to() lacks. */
#ifndef UTF8_FORM_LOSS_H
#define UTF8_FORM_LOSS_H

#include "charset/names.h"
#include "charset/stream.h"
#include "form/closest.h"
#include <stdio.h>

/* Returns the code point at `at`: U+FFFD if ill-formed, 0 at the end. */
static inline uint32_t utf8form_code_at(const uint8_t *text, size_t size, size_t at,
                                        unsigned dialect) {
  if (at >= size) return 0;
  const Utf8Step step = utf8core_step(text, size, at, dialect);
  return step.error ? 0xFFFD : step.codepoint;
}

/* Returns the code point that ends at `at`; 0 at the start, and after ill-formed bytes. */
static inline uint32_t utf8form_code_before(const uint8_t *text, size_t size, size_t at,
                                            unsigned dialect) {
  for (size_t length = 1; length <= 4 && length <= at; length++) {
    if ((text[at - length] & 0xC0) == 0x80) continue;
    const Utf8Step step = utf8core_step(text, size, at - length, dialect);
    return step.error || step.length != length ? 0 : step.codepoint;
  }
  return 0;
}

/* Stores in *to what stands for the code point or ill-formed subpart at c->at, which cannot be encoded, and moves
** c->at past it. Returns 0 if only a replacement can stand for it. */
static inline int utf8form_stand_in(Utf8Loss loss, Utf8Conversion *c,
                                    const uint8_t *text, size_t size, Utf8Closest *to) {
  const size_t at = c->at, next = at + utf8core_step(text, size, at, c->dialect).length;
  const Utf8InContext place = {utf8form_code_before(text, size, at, c->dialect),
                               utf8form_code_at(text, size, at, c->dialect),
                               utf8form_code_at(text, size, next, c->dialect)};
  c->at = next;
  to->size = 0;
  switch (loss) {
  case UTF8_LOSS_CLOSEST:
    return utf8form_closest(c->charset, place, to);
  case UTF8_LOSS_XML:
    to->size = (size_t)snprintf((char *)to->bytes, UTF8_CLOSEST_MAX, "&#%lu;",
                                (unsigned long)place.code);
    return utf8charset_encodes(c->charset, to->bytes, to->size);
  default:
    return loss == UTF8_LOSS_IGNORE;
  }
}

#endif
