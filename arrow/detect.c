/* arrow/detect.c: the charset of a value, and of a column, as sql/detect.c finds them. */
#include "arrow/call.h"
#include "detect/column.h"
#include "detect/rules.h"
#include <stdlib.h>

/* Returns what utf8_detect names for a value that the rules do not; 200 KB of the stack are too much for a
** long one in a thread of Python. */
static int nameLegacy(Utf8Arrow *call, ArrowValue value, Utf8Charset *charset) {
  if (value.size <= UTF8_BIGRAMS_SHORT) {
    *charset = utf8detect_of_value(value.bytes, value.size);
    return 0;
  }
  Utf8Evidence *evidence = malloc(sizeof *evidence);
  if (!evidence) return utf8arrow_no_memory(call->error);
  utf8detect_begin(evidence);
  utf8detect_add(evidence, value.bytes, value.size, 0, value.size);
  *charset = utf8detect_charset(evidence);
  free(evidence);
  return 0;
}

const char *utf8arrow_name_charset(Utf8Arrow *call, ArrowValue value) {
  Utf8Charset charset = utf8detect_by_rules(value.bytes, value.size);
  if (charset == UTF8_CHARSET_UNKNOWN && nameLegacy(call, value, &charset)) return NULL;
  return utf8core_charset_name(charset);
}

/* ---- columns ----------------------------------------------------------------------------------------------- */

struct ArrowDetected {
  Utf8ColumnCounts counts;
  int is_begun; /* a value was counted */
  int has_legacy;
  Utf8Charset first; /* what utf8_detect names for the first value in `legacy` */
  Utf8Evidence legacy;
};

void utf8arrow_free_detected(ArrowDetected *detected) {
  free(detected);
}

static int isMaybeDamaged(ArrowValue value) {
  Utf8Damage damage = {.text = 0};
  if (!utf8detect_has_lead_and_trail(value.bytes, value.size)) return 0;
  utf8detect_damage_add(&damage, NULL, value.bytes, value.size, 0, value.size, 0);
  return utf8detect_is_damaged(&damage);
}

static int addLegacyValue(Utf8Arrow *call, ArrowValue value) {
  ArrowDetected *detected = call->detected;
  Utf8Evidence *legacy = &detected->legacy;
  if (!detected->has_legacy) {
    utf8detect_column_begin(legacy);
    detected->has_legacy = 1;
    if (nameLegacy(call, value, &detected->first)) return call->error->code;
  }
  utf8detect_column_add(legacy, value.bytes, value.size, 0, value.size);
  return 0;
}

static int detectVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                       void *state) {
  (void)row, (void)state;
  Utf8Charset charset = utf8detect_by_rules(value.bytes, value.size);
  *is_usual = 0;
  call->detected->is_begun = 1;
  if (charset == UTF8_CHARSET_ASCII || utf8core_valid(value.bytes, value.size)) {
    utf8detect_count(call->detected->counts.well_formed, charset);
    return 0;
  }
  if (charset == UTF8_CHARSET_UNKNOWN && isMaybeDamaged(value)) {
    if (nameLegacy(call, value, &charset)) return call->error->code;
    if (charset != UTF8_CHARSET_UTF8) charset = UTF8_CHARSET_UNKNOWN;
  }
  utf8detect_count(call->detected->counts.ill_formed, charset);
  return charset == UTF8_CHARSET_UNKNOWN ? addLegacyValue(call, value) : 0;
}

int utf8arrow_add_detected(Utf8Arrow *call) {
  if (!call->detected) call->detected = calloc(1, sizeof *call->detected);
  if (!call->detected) return utf8arrow_no_memory(call->error);
  return utf8arrow_each_value(call, detectVisit);
}

const char *utf8arrow_detected(const Utf8Arrow *opened) {
  ArrowDetected *detected = opened->detected;
  if (!detected || !detected->is_begun) return NULL;
  return utf8core_charset_name(
      utf8detect_column_charset(&detected->counts, &detected->legacy, detected->first));
}
