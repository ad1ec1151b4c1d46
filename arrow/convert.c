/* arrow/convert.c: values from and to other charsets. */
#include "arrow/call.h"
#include "charset/legacy/legacy.h"
#include "charset/stream.h"
#include "form/closest.h"
#include <stdio.h>

/* ---- from ------------------------------------------------------------------------------------------------- */

/* What is the same in the charset and in UTF-8? */
typedef enum ArrowAlike {
  ARROW_ALIKE_NONE,
  ARROW_ALIKE_ASCII,
  ARROW_ALIKE_UTF8
} ArrowAlike;

static ArrowAlike alikeIn(Utf8Charset charset) {
  if (charset == UTF8_CHARSET_UTF8) return ARROW_ALIKE_UTF8;
  return utf8charset_extends_ascii(charset) ? ARROW_ALIKE_ASCII : ARROW_ALIKE_NONE;
}

size_t utf8arrow_skip_decoded(Utf8Arrow *call, ArrowValue values) {
  switch (alikeIn(call->charset)) {
  case ARROW_ALIKE_UTF8:
    return utf8arrow_skip_valid(call, values);
  case ARROW_ALIKE_ASCII:
    return utf8arrow_skip_ascii(call, values);
  default:
    return 0;
  }
}

size_t utf8arrow_find_decoded(Utf8Arrow *call, ArrowValue value) {
  return utf8arrow_skip_decoded(call, value) == ARROW_USUAL ? ARROW_USUAL : 0;
}

int utf8arrow_decode(Utf8Arrow *call, Utf8Charset charset, ArrowValue value,
                     ArrowBuffer *out) {
  Utf8Conversion c = {.charset = charset, .dialect = UTF8_STRICT};
  do {
    if (!utf8arrow_grow(out, value.size - c.at + UTF8_CHARSET_ROOM))
      return utf8arrow_no_memory(call->error);
    out->used += utf8core_decode(&c, value.bytes, value.size, out->bytes + out->used,
                                 out->room - out->used);
  } while (c.at < value.size);
  return 0;
}

int utf8arrow_write_decoded(Utf8Arrow *call, ArrowValue value, size_t at,
                            ArrowBuffer *out) {
  (void)at;
  if (call->charset == UTF8_CHARSET_BINARY) return ARROW_NULL_ANSWER;
  return utf8arrow_decode(call, call->charset, value, out);
}

/* ---- to --------------------------------------------------------------------------------------------------- */

size_t utf8arrow_find_encoded(Utf8Arrow *call, ArrowValue value) {
  if (alikeIn(call->charset) == ARROW_ALIKE_NONE) return 0;
  return utf8arrow_skip_ascii(call, value) == ARROW_USUAL ? ARROW_USUAL : 0;
}

/* Encodes text in the middle of a conversion, and ends it if is_last. Returns 0, ARROW_NULL_ANSWER if the
** charset lacks a character, or UTF8_ARROW_NO_MEMORY. */
static int encodeMiddle(Utf8Arrow *call, Utf8Conversion *conversion,
                        const uint8_t *text, size_t size, int is_last,
                        ArrowBuffer *out) {
  Utf8Conversion c = *conversion;
  if (size == 0 && !is_last) return 0;
  c.at = 0;
  c.dialect = UTF8_STRICT;
  c.continues = !is_last;
  do {
    if (!utf8arrow_grow(out, UTF8_CHARSET_ROOM))
      return utf8arrow_no_memory(call->error);
    const size_t used =
        utf8core_encode(&c, text, size, out->bytes + out->used, UTF8_CHARSET_ROOM);
    out->used += used;
    if (used == 0 && c.at < size) return ARROW_NULL_ANSWER;
  } while (c.at < size);
  conversion->state = c.state;
  return 0;
}

/* Returns the code point at `at`: U+FFFD if ill-formed, 0 at the end. */
static uint32_t arrowCodeAt(ArrowValue value, size_t at) {
  if (at >= value.size) return 0;
  const Utf8Step step = utf8core_step(value.bytes, value.size, at, UTF8_STRICT);
  return step.error ? 0xFFFD : step.codepoint;
}

/* Returns the code point that ends at `at`; 0 at the start, and after ill-formed bytes. */
static uint32_t arrowCodeBefore(ArrowValue value, size_t at) {
  for (size_t length = 1; length <= 4 && length <= at; length++) {
    if ((value.bytes[at - length] & 0xC0) == 0x80) continue;
    const Utf8Step step =
        utf8core_step(value.bytes, value.size, at - length, UTF8_STRICT);
    return step.error || step.length != length ? 0 : step.codepoint;
  }
  return 0;
}

/* Stores in *text what stands for a code point that the charset lacks, or returns 0: the replacement does. */
static int standIn(const Utf8Arrow *call, Utf8InContext place, Utf8Closest *text) {
  text->size = 0;
  switch (call->substitution.loss) {
  case UTF8_LOSS_CLOSEST:
    return utf8form_closest(call->charset, place, text);
  case UTF8_LOSS_XML:
    text->size =
        (size_t)snprintf((char *)text->bytes, UTF8_CLOSEST_MAX, "&#%u;", place.code);
    return utf8charset_encodes(call->charset, text->bytes, text->size);
  default:
    return call->substitution.loss == UTF8_LOSS_IGNORE;
  }
}

/* Encodes what stands for the code point or ill-formed subpart at c->at, and moves past it. */
static int encodeStandIn(Utf8Arrow *call, Utf8Conversion *c, ArrowValue value,
                         ArrowBuffer *out) {
  Utf8Closest text;
  const Utf8Step step = utf8core_step(value.bytes, value.size, c->at, UTF8_STRICT);
  const Utf8InContext place = {arrowCodeBefore(value, c->at), arrowCodeAt(value, c->at),
                               arrowCodeAt(value, c->at + step.length)};
  c->at += step.length;
  const int is_last = c->at == value.size;
  return standIn(call, place, &text)
             ? encodeMiddle(call, c, text.bytes, text.size, is_last, out)
             : encodeMiddle(call, c, call->text.bytes, call->text.used, is_last, out);
}

int utf8arrow_write_encoded(Utf8Arrow *call, ArrowValue value, size_t at,
                            ArrowBuffer *out) {
  (void)at;
  Utf8Conversion c = {.charset = call->charset, .dialect = UTF8_STRICT};
  if (call->charset == UTF8_CHARSET_BINARY) return ARROW_NULL_ANSWER;
  do {
    if (!utf8arrow_grow(out, value.size - c.at + UTF8_CHARSET_ROOM))
      return utf8arrow_no_memory(call->error);
    const size_t used = utf8core_encode(&c, value.bytes, value.size,
                                        out->bytes + out->used, out->room - out->used);
    out->used += used;
    if (used > 0 || c.at == value.size) continue;
    if (!call->substitution.is_given) return ARROW_NULL_ANSWER;
    const int rc = encodeStandIn(call, &c, value, out);
    if (rc) return rc;
  } while (c.at < value.size);
  return 0;
}
