/* arrow/change.c: values repaired, cut, stripped, normalized, folded and unescaped. */
#include "arrow/call.h"

int utf8arrow_copy_start(Utf8Arrow *call, ArrowValue value, size_t at,
                         ArrowBuffer *out) {
  if (utf8arrow_append(out, value.bytes, at)) return 0;
  return utf8arrow_no_memory(call->error);
}

int utf8arrow_make_room(Utf8Arrow *call, ArrowValue value, size_t at, size_t needed,
                        ArrowBuffer *out) {
  if (utf8arrow_grow(out, value.size - at + needed)) return 1;
  utf8arrow_no_memory(call->error);
  return 0;
}

/* ---- repair --------------------------------------------------------------------------------------------- */

int utf8arrow_repair_from(Utf8Arrow *call, const Utf8Repair *how, ArrowValue value,
                          size_t at, ArrowBuffer *out) {
  if (utf8arrow_copy_start(call, value, at, out)) return call->error->code;
  while (at < value.size) {
    if (!utf8arrow_make_room(call, value, at, UTF8_REPAIR_ROOM(how), out)) break;
    out->used += utf8core_repair(how, value.bytes, value.size, &at,
                                 out->bytes + out->used, out->room - out->used);
  }
  return call->error->code;
}

int utf8arrow_repair_by_cause(Utf8Arrow *call, Utf8Cause cause, ArrowValue value,
                              size_t at, ArrowBuffer *out) {
  Utf8Repair how = {.dialect = UTF8_STRICT};
  if (cause.is_escaped) {
    value = (ArrowValue){call->escaped.bytes, call->escaped.used};
    at = 0;
  }
  switch (utf8detect_cause_repair(cause, &how)) {
  case UTF8_CAUSE_KEEP:
    return ARROW_NULL_ANSWER;
  case UTF8_CAUSE_DECODE:
    return utf8arrow_decode(call, cause.charset, value, out);
  default:
    return utf8arrow_repair_from(call, &how, value, at, out);
  }
}

/* Finds the cause of an ill-formed value, whose first error is at `at`. */
static size_t findByCause(Utf8Arrow *call, ArrowValue value, size_t at) {
  Utf8Repair how;
  if (utf8arrow_find_readings(call, value)) return ARROW_USUAL;
  const Utf8Cause cause = call->readings.cause;
  if (utf8detect_cause_repair(cause, &how) == UTF8_CAUSE_KEEP) return ARROW_USUAL;
  return cause.is_escaped ? 0 : at;
}

size_t utf8arrow_find_repair(Utf8Arrow *call, ArrowValue value) {
  const size_t at = utf8arrow_first_error(call, value);
  if (at == ARROW_USUAL || call->repair.policy != UTF8_POLICY_AUTO) return at;
  return findByCause(call, value, at);
}

int utf8arrow_write_repair(Utf8Arrow *call, ArrowValue value, size_t at,
                           ArrowBuffer *out) {
  if (call->repair.policy == UTF8_POLICY_AUTO)
    return utf8arrow_repair_by_cause(call, call->readings.cause, value, at, out);
  return utf8arrow_repair_from(call, &call->repair, value, at, out);
}

/* ---- the start of values ------------------------------------------------------------------------------------ */

size_t utf8arrow_find_bom(Utf8Arrow *call, ArrowValue value) {
  (void)call;
  const size_t size = utf8core_bom_length(value.bytes, value.size);
  return size ? size : ARROW_USUAL;
}

int utf8arrow_write_after(Utf8Arrow *call, ArrowValue value, size_t at,
                          ArrowBuffer *out) {
  const ArrowValue rest = {value.bytes + at, value.size - at};
  return utf8arrow_copy_start(call, rest, rest.size, out);
}

size_t utf8arrow_find_end(Utf8Arrow *call, ArrowValue value) {
  if (call->limit >= value.size) return ARROW_USUAL;
  const size_t end =
      utf8core_boundary(value.bytes, value.size, call->limit, UTF8_STRICT);
  return end == value.size ? ARROW_USUAL : end;
}

int utf8arrow_write_before(Utf8Arrow *call, ArrowValue value, size_t at,
                           ArrowBuffer *out) {
  return utf8arrow_copy_start(call, value, at, out);
}

size_t utf8arrow_find_stripped(Utf8Arrow *call, ArrowValue value) {
  if (!utf8core_valid(value.bytes, value.size)) return ARROW_USUAL;
  const size_t at =
      utf8suspect_find_kind(call->kind, value.bytes, value.size, 0, value.size);
  return at < value.size ? at : ARROW_USUAL;
}

int utf8arrow_write_stripped(Utf8Arrow *call, ArrowValue value, size_t at,
                             ArrowBuffer *out) {
  if (utf8arrow_copy_start(call, value, at, out)) return call->error->code;
  while (at < value.size) {
    if (!utf8arrow_make_room(call, value, at, UTF8_SUSPECT_ROOM, out)) break;
    out->used += utf8suspect_strip(call->kind, value.bytes, value.size, &at,
                                   out->bytes + out->used, out->room - out->used);
  }
  return call->error->code;
}

/* ---- normalization, case, accents ----------------------------------------------------------------------- */

size_t utf8arrow_find_unnormalized(Utf8Arrow *call, ArrowValue values) {
  size_t at = 0;
  while (at < values.size)
    if (!utf8core_is_normalized(call->form, values.bytes, values.size, &at,
                                values.size))
      return at;
  return ARROW_USUAL;
}

int utf8arrow_normalize_from(Utf8Arrow *call, Utf8NormalForm form, ArrowValue value,
                             size_t at, ArrowBuffer *out) {
  size_t needed = UTF8_NORMALIZE_ROOM;
  if (utf8arrow_copy_start(call, value, at, out)) return call->error->code;
  while (at < value.size) {
    if (!utf8arrow_make_room(call, value, at, needed, out)) break;
    const size_t before = at, room = out->room - out->used;
    out->used += utf8core_normalize(form, value.bytes, value.size, &at,
                                    out->bytes + out->used, room);
    needed = at > before ? UTF8_NORMALIZE_ROOM : 2 * room;
  }
  return call->error->code;
}

int utf8arrow_write_normalized(Utf8Arrow *call, ArrowValue value, size_t at,
                               ArrowBuffer *out) {
  return utf8arrow_normalize_from(call, call->form, value, at, out);
}

size_t utf8arrow_find_unfolded(Utf8Arrow *call, ArrowValue values) {
  (void)call;
  const size_t at = utf8core_find_unfolded(values.bytes, values.size, 0, values.size);
  return at < values.size ? at : ARROW_USUAL;
}

int utf8arrow_write_folded(Utf8Arrow *call, ArrowValue value, size_t at,
                           ArrowBuffer *out) {
  if (utf8arrow_copy_start(call, value, at, out)) return call->error->code;
  while (at < value.size) {
    if (!utf8arrow_make_room(call, value, at, UTF8_CASEFOLD_ROOM, out)) break;
    out->used += utf8core_casefold(value.bytes, value.size, &at, out->bytes + out->used,
                                   out->room - out->used);
  }
  return call->error->code;
}

size_t utf8arrow_find_accent(Utf8Arrow *call, ArrowValue values) {
  call->letter = 0;
  const size_t at =
      utf8form_find_accent(&call->letter, values.bytes, values.size, 0, values.size);
  return at < values.size ? at : ARROW_USUAL;
}

int utf8arrow_write_unaccented(Utf8Arrow *call, ArrowValue value, size_t at,
                               ArrowBuffer *out) {
  if (utf8arrow_copy_start(call, value, at, out)) return call->error->code;
  while (at < value.size) {
    if (!utf8arrow_make_room(call, value, at, UTF8_FORM_ROOM, out)) break;
    out->used += utf8form_unaccent(&call->letter, value.bytes, value.size, &at,
                                   out->bytes + out->used, out->room - out->used);
  }
  return call->error->code;
}

/* ---- escaped text ----------------------------------------------------------------------------------------- */

size_t utf8arrow_find_escape(Utf8Arrow *call, ArrowValue values) {
  const size_t start = utf8clean_find_escape(call->escape, values.bytes, values.size);
  return start < values.size ? start : ARROW_USUAL;
}

int utf8arrow_write_unescaped(Utf8Arrow *call, ArrowValue value, size_t at,
                              ArrowBuffer *out) {
  Utf8Mime mime = {0};
  if (utf8arrow_copy_start(call, value, at, out)) return call->error->code;
  while (at < value.size) {
    if (!utf8arrow_make_room(call, value, at, UTF8_FORM_ROOM, out)) break;
    out->used += utf8clean_unescape(call->escape, &mime, value.bytes, value.size, &at,
                                    out->bytes + out->used, out->room - out->used);
  }
  return call->error->code;
}
