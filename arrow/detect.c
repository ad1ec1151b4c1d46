/* arrow/detect.c: the charset of a value, and of a column, as sql/detect.c finds them. */
#include "arrow/call.h"
#include "detect/model.h"
#include "detect/rules.h"
#include <stdlib.h>

/* Returns what utf8_detect names for a value that the rules do not; 150 KB of the stack are too much for a
** long one in a thread of Python. */
static int nameLegacy(Utf8Arrow *call, ArrowValue value, Utf8Charset *charset) {
  if (value.size <= UTF8_PAIRS_SHORT) {
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

#define ARROW_CHARSET(charset) ((charset)-UTF8_CHARSET_UNKNOWN) /* from 0 */
#define ARROW_CHARSETS         ARROW_CHARSET(UTF8_CHARSETS)

/* How many values the rules named each charset for; UTF8_CHARSET_UNKNOWN: those in `legacy`. */
struct ArrowDetected {
  uint64_t well_formed[ARROW_CHARSETS];
  uint64_t ill_formed[ARROW_CHARSETS];
  int has_legacy;
  Utf8Charset first; /* what utf8_detect names for the first value in `legacy` */
  Utf8Evidence legacy;
};

void utf8arrow_free_detected(ArrowDetected *detected) {
  free(detected);
}

/* Does a lead byte precede a continuation byte? Usually not in single-byte charsets. */
static int leadsAndTrails(ArrowValue value) {
  for (size_t i = 1; i < value.size; i++)
    if (value.bytes[i - 1] >= 0xC2 && (value.bytes[i] & 0xC0) == 0x80) return 1;
  return 0;
}

/* Has the value as many whole sequences of UTF-8 as damage leaves? In a legacy charset, they are rare
** accidents. */
static int isMaybeDamaged(ArrowValue value) {
  Utf8Damage damage = {.text = 0};
  if (!leadsAndTrails(value)) return 0;
  utf8detect_damage_add(&damage, NULL, value.bytes, value.size, 0, value.size, 0);
  return !damage.is_hopeless && damage.errors <= 2 * damage.sequences;
}

static int addLegacyValue(Utf8Arrow *call, ArrowValue value) {
  ArrowDetected *detected = call->detected;
  Utf8Evidence *legacy = &detected->legacy;
  if (!detected->has_legacy) {
    utf8detect_begin(legacy);
    legacy->damage.is_hopeless = 1; /* values with damage are not in it */
    detected->has_legacy = 1;
    if (nameLegacy(call, value, &detected->first)) return call->error->code;
  }
  utf8detect_pairs_add(&legacy->pairs, value.bytes, 0, value.size);
  utf8detect_add_asian(&legacy->asian, value.bytes, value.size, 0, value.size);
  utf8detect_pairs_end(&legacy->pairs);
  return 0;
}

static int detectVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                       void *state) {
  (void)row, (void)state;
  Utf8Charset charset = utf8detect_by_rules(value.bytes, value.size);
  *is_usual = 0;
  if (charset == UTF8_CHARSET_ASCII || utf8core_valid(value.bytes, value.size)) {
    call->detected->well_formed[ARROW_CHARSET(charset)]++;
    return 0;
  }
  if (charset == UTF8_CHARSET_UNKNOWN && isMaybeDamaged(value)) {
    if (nameLegacy(call, value, &charset)) return call->error->code;
    if (charset != UTF8_CHARSET_UTF8) charset = UTF8_CHARSET_UNKNOWN;
  }
  call->detected->ill_formed[ARROW_CHARSET(charset)]++;
  return charset == UTF8_CHARSET_UNKNOWN ? addLegacyValue(call, value) : 0;
}

int utf8arrow_add_detected(Utf8Arrow *call, const struct ArrowArray *chunks,
                           size_t count) {
  if (!call->detected) call->detected = calloc(1, sizeof *call->detected);
  if (!call->detected) return utf8arrow_no_memory(call->error);
  return utf8arrow_each_value(call, chunks, count, detectVisit);
}

/* Returns the charset that most values have, the first of several; ASCII if there is none, or no other. */
static Utf8Charset mostValues(const uint64_t counts[ARROW_CHARSETS]) {
  Utf8Charset most = UTF8_CHARSET_ASCII;
  uint64_t count = 0;
  for (int i = 0; i < ARROW_CHARSETS; i++) {
    if (i == ARROW_CHARSET(UTF8_CHARSET_ASCII) || counts[i] <= count) continue;
    most = (Utf8Charset)(i + UTF8_CHARSET_UNKNOWN);
    count = counts[i];
  }
  return most;
}

static int hasValues(const ArrowDetected *detected) {
  uint64_t sum = 0;
  for (int i = 0; i < ARROW_CHARSETS; i++)
    sum += detected->well_formed[i] + detected->ill_formed[i];
  return sum > 0;
}

const char *utf8arrow_detected(const Utf8Arrow *opened) {
  ArrowDetected *detected = opened->detected;
  if (!detected || !hasValues(detected)) return NULL;
  Utf8Charset charset = mostValues(detected->ill_formed);
  if (charset == UTF8_CHARSET_ASCII) charset = mostValues(detected->well_formed);
  if (charset == UTF8_CHARSET_UNKNOWN)
    charset = detected->ill_formed[ARROW_CHARSET(UTF8_CHARSET_UNKNOWN)] == 1
                  ? detected->first
                  : utf8detect_charset(&detected->legacy);
  return utf8core_charset_name(charset);
}
