/* arrow/check.c: what values are: well-formed, where not, why, how long. */
#include "arrow/call.h"
#include "core/bytes.h"

/* Returns the offset of the first error, or ARROW_USUAL. */
static size_t firstError(ArrowValue value) {
  const Utf8FirstError error =
      utf8core_find_error(value.bytes, value.size, 0, value.size, UTF8_STRICT);
  return error.error ? error.offset : ARROW_USUAL;
}

size_t utf8arrow_skip_valid(Utf8Arrow *call, ArrowValue values) {
  const size_t at = firstError(values);
  call->first_error = at == ARROW_USUAL ? NULL : values.bytes + at;
  return at;
}

size_t utf8arrow_pass_valid(Utf8Arrow *call, const ArrowText *text, size_t row,
                            size_t rows) {
  for (size_t i = 0; i < rows; i++) {
    if (arrowIsNull(text, row + i)) continue;
    const ArrowValue value = arrowValue(text, row + i);
    if (utf8core_valid(value.bytes, value.size)) continue;
    call->is_ill_formed = 1;
    return i;
  }
  return rows;
}

/* Is the remembered error in this value? */
static int isErrorKnown(const Utf8Arrow *call, ArrowValue value) {
  const uintptr_t known = (uintptr_t)call->first_error, from = (uintptr_t)value.bytes;
  return known >= from && known - from < value.size;
}

size_t utf8arrow_first_error(const Utf8Arrow *call, ArrowValue value) {
  return isErrorKnown(call, value) ? (size_t)(call->first_error - value.bytes)
                                   : firstError(value);
}

/* In other dialects than UTF-8, a sequence may start where another one does. */
size_t utf8arrow_skip_dialect(Utf8Arrow *call, ArrowValue values) {
  return call->dialect == UTF8_STRICT ? utf8arrow_skip_valid(call, values) : 0;
}

size_t utf8arrow_skip_ascii(Utf8Arrow *call, ArrowValue values) {
  (void)call;
  const uint8_t *bytes = values.bytes;
  size_t at = 0;
  for (; values.size - at >= 32; at += 32) {
    const uint64_t four = bytes_load64(bytes + at) | bytes_load64(bytes + at + 8) |
                          bytes_load64(bytes + at + 16) | bytes_load64(bytes + at + 24);
    if (four & BYTES_HIGH_BITS) break;
  }
  at = bytes_skip_ascii(bytes, at, values.size);
  return at < values.size ? at : ARROW_USUAL;
}

size_t utf8arrow_pass_dialect(Utf8Arrow *call, const ArrowText *text, size_t row,
                              size_t rows) {
  return call->dialect == UTF8_STRICT ? utf8arrow_pass_valid(call, text, row, rows) : 0;
}

static size_t findErrorIn(const Utf8Arrow *call, ArrowValue value) {
  if (call->dialect == UTF8_STRICT) return utf8arrow_first_error(call, value);
  const Utf8FirstError error =
      utf8core_find_error(value.bytes, value.size, 0, value.size, call->dialect);
  return error.error ? error.offset : ARROW_USUAL;
}

size_t utf8arrow_find_ill_formed(Utf8Arrow *call, ArrowValue value) {
  if (call->is_ill_formed) return 0;
  if (call->dialect != UTF8_STRICT || isErrorKnown(call, value))
    return findErrorIn(call, value);
  return utf8core_valid(value.bytes, value.size) ? ARROW_USUAL : 0;
}

size_t utf8arrow_find_invalid(Utf8Arrow *call, ArrowValue value) {
  const size_t at = utf8arrow_first_error(call, value);
  if (at == ARROW_USUAL) return at;
  const Utf8Step step = utf8core_step(value.bytes, value.size, at, UTF8_STRICT);
  utf8arrow_fail(call->error, UTF8_ARROW_INVALID, "%s: %s at byte %lld",
                 (const char *)call->text.bytes, utf8core_error_name(step.error),
                 (long long)at);
  return ARROW_USUAL;
}

const char *utf8arrow_name_error(Utf8Arrow *call, ArrowValue value) {
  const size_t at = findErrorIn(call, value);
  if (at == ARROW_USUAL) return NULL;
  return utf8core_error_name(
      utf8core_step(value.bytes, value.size, at, call->dialect).error);
}

int utf8arrow_error_offset(Utf8Arrow *call, ArrowValue value, int64_t *number) {
  const size_t at = findErrorIn(call, value);
  *number = (int64_t)at;
  return at != ARROW_USUAL;
}

int utf8arrow_codepoints(Utf8Arrow *call, ArrowValue value, int64_t *number) {
  (void)call;
  size_t at = 0;
  *number =
      (int64_t)utf8core_count(value.bytes, value.size, &at, value.size, UTF8_STRICT);
  return 1;
}

/* ---- suspicious text -------------------------------------------------------------- */

static int findSuspicious(ArrowValue value, Utf8SuspectFound *found) {
  size_t at = 0;
  return utf8core_valid(value.bytes, value.size) &&
         utf8suspect_find(value.bytes, value.size, &at, value.size, found);
}

const char *utf8arrow_name_suspect(Utf8Arrow *call, ArrowValue value) {
  (void)call;
  Utf8SuspectFound found;
  return findSuspicious(value, &found) ? utf8suspect_kind_name(found.kind) : NULL;
}

int utf8arrow_suspect_offset(Utf8Arrow *call, ArrowValue value, int64_t *number) {
  (void)call;
  Utf8SuspectFound found;
  if (!findSuspicious(value, &found)) return 0;
  *number = (int64_t)found.offset;
  return 1;
}
