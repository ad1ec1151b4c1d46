/* arrow/convert.c: values from and to other charsets. */
#include "arrow/call.h"
#include "charset/legacy/legacy.h"
#include "form/loss.h"

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

/* Encodes what stands for the code point or ill-formed subpart at c->at, and moves past it. */
static int encodeStandIn(Utf8Arrow *call, Utf8Conversion *c, ArrowValue value,
                         ArrowBuffer *out) {
  Utf8Closest text;
  const int has_stand_in =
      utf8form_stand_in(call->substitution.loss, c, value.bytes, value.size, &text);
  const int is_last = c->at == value.size;
  return has_stand_in
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
