/* arrow/restore.c: misread text, found and restored. */
#include "arrow/call.h"
#include "charset/legacy/legacy.h"
#include "mojibake/multibyte.h"

/* ---- where it is -------------------------------------------------------------------------------------------- */

/* Does well-formed text have a misread run? */
static int findMisread(const Utf8MojibakeCharset *charset, ArrowValue value,
                       Utf8MojibakeFound *found) {
  size_t at = 0;
  return utf8core_valid(value.bytes, value.size) &&
         utf8mojibake_find(charset, value.bytes, value.size, &at, value.size, found);
}

const char *utf8arrow_name_misread(Utf8Arrow *call, ArrowValue value) {
  (void)call;
  Utf8MojibakeFound found;
  return findMisread(NULL, value, &found) ? utf8mojibake_charset_name(found.charset)
                                          : NULL;
}

static const Utf8MojibakeCharset *givenCharset(const Utf8Arrow *call) {
  return call->is_misread_given ? &call->misread : NULL;
}

/* Returns where well-formed bytes may be misread, or an end that is lower than their size. */
static size_t scanRuns(const Utf8Arrow *call, ArrowValue values, size_t end) {
  const Utf8MojibakeCharset *charset = givenCharset(call);
  size_t at = utf8mojibake_scan_runs(charset, values.bytes, end);
  if (!charset) at = utf8mojibake_scan_multibyte(values.bytes, at);
  return at < values.size ? at : ARROW_USUAL;
}

/* A run that crosses two values is one that neither has. What the column decides may have no run. */
size_t utf8arrow_skip_misread(Utf8Arrow *call, ArrowValue values) {
  if (call->misread_text || call->mojibake) return utf8arrow_skip_ascii(call, values);
  const size_t end =
      utf8core_find_error(values.bytes, values.size, 0, values.size, UTF8_STRICT)
          .offset;
  return scanRuns(call, values, end);
}

/* ---- restored ----------------------------------------------------------------------------------------------- */

static int restoreOnce(Utf8Arrow *call, const Utf8MojibakeCharset *charset,
                       ArrowValue value, ArrowBuffer *out) {
  for (size_t at = 0; at < value.size;) {
    if (!utf8arrow_make_room(call, value, at, UTF8_MOJIBAKE_ROOM, out)) break;
    out->used += utf8mojibake_restore(charset, value.bytes, value.size, &at,
                                      out->bytes + out->used, out->room - out->used);
  }
  return call->error->code;
}

/* Restores what is left in long lines of out[start..used), in at most as many passes as utf8_demojibake. */
static int restoreRest(Utf8Arrow *call, const Utf8MojibakeCharset *charset,
                       size_t start, ArrowBuffer *out) {
  ArrowBuffer next = {NULL, 0, 0};
  Utf8MojibakeFound found;
  for (int i = 0; i < UTF8_CLEAN_PASSES; i++) {
    const ArrowValue value = {out->bytes + start, out->used - start};
    size_t at = 0;
    if (!utf8mojibake_find(charset, value.bytes, value.size, &at, value.size, &found))
      break;
    next.used = 0;
    if (restoreOnce(call, charset, value, &next)) break;
    out->used = start;
    if (!utf8arrow_append(out, next.bytes, next.used)) {
      utf8arrow_no_memory(call->error);
      break;
    }
  }
  utf8arrow_clear(&next);
  return call->error->code;
}

int utf8arrow_restore(Utf8Arrow *call, const Utf8MojibakeCharset *charset,
                      ArrowValue value, ArrowBuffer *out) {
  const size_t start = out->used;
  const int rc = restoreOnce(call, charset, value, out);
  if (rc || value.size <= UTF8_MOJIBAKE_WHOLE) return rc;
  return restoreRest(call, charset, start, out);
}

int utf8arrow_restore_mojibake(Utf8Arrow *call, ArrowValue value, ArrowBuffer *out) {
  Utf8MojibakeCharset only;
  utf8mojibake_set_charset(&only, utf8charset_high(call->mojibake->charset));
  return utf8arrow_restore(call, &only, value, out);
}

static int restoreAlone(Utf8Arrow *call, ArrowValue value, ArrowBuffer *out) {
  return utf8arrow_restore(call, givenCharset(call), value, out);
}

/* Restores a whole value. */
static size_t restoreWhole(Utf8Arrow *call, ArrowRestore *restore, ArrowValue value) {
  ArrowBuffer *out = &call->work[0];
  out->used = 0;
  if (restore(call, value, out)) return ARROW_USUAL;
  call->cleaned = (ArrowValue){out->bytes, out->used};
  return out->used == value.size &&
                 (value.size == 0 || memcmp(out->bytes, value.bytes, value.size) == 0)
             ? ARROW_USUAL
             : 0;
}

/* Finds whether a well-formed value alone shows that it is misread. To restore a short one takes no longer than to look. */
static size_t findAlone(Utf8Arrow *call, ArrowValue value) {
  Utf8MojibakeFound found;
  if (scanRuns(call, value, value.size) == ARROW_USUAL) return ARROW_USUAL;
  if (value.size <= UTF8_MOJIBAKE_WHOLE) return restoreWhole(call, restoreAlone, value);
  return findMisread(givenCharset(call), value, &found) ? 0 : ARROW_USUAL;
}

size_t utf8arrow_find_misread(Utf8Arrow *call, ArrowValue value) {
  call->cleaned.bytes = NULL;
  if (utf8arrow_is_misread(call, value))
    return restoreWhole(call, utf8arrow_restore_misread, value);
  if (!utf8core_valid(value.bytes, value.size)) return ARROW_USUAL;
  const size_t at = findAlone(call, value);
  if (at != ARROW_USUAL || !utf8arrow_is_mojibake(call, value)) return at;
  return restoreWhole(call, utf8arrow_restore_mojibake, value);
}

int utf8arrow_write_misread(Utf8Arrow *call, ArrowValue value, size_t at,
                            ArrowBuffer *out) {
  (void)at;
  if (call->cleaned.bytes)
    return utf8arrow_copy_start(call, call->cleaned, call->cleaned.size, out);
  return utf8arrow_restore(call, givenCharset(call), value, out);
}
