/* detect/omitted.c: what other files call, in a build without detect/. No value has a cause. */
#include "detect/accident.h"
#include "detect/misread.h"
#include "detect/texts.c" /* needs nothing else of detect/ */

int utf8detect_is_escaped(const uint8_t *bytes, size_t size) {
  (void)bytes, (void)size;
  return 0;
}

int utf8detect_cause_by_rules(const uint8_t *bytes, size_t size, unsigned dialect,
                              Utf8Cause *cause) {
  (void)bytes, (void)size, (void)dialect;
  *cause = (Utf8Cause){.kind = UTF8_CAUSE_NONE, .charset = UTF8_CHARSET_UNKNOWN};
  return 1;
}

void utf8detect_cause_begin(Utf8CauseEvidence *evidence) {
  (void)evidence;
}

void utf8detect_cause_add(Utf8CauseEvidence *evidence, const uint8_t *bytes,
                          size_t size, size_t at, size_t until) {
  (void)evidence, (void)bytes, (void)size, (void)at, (void)until;
}

void utf8detect_readings(Utf8Readings *readings, Utf8CauseEvidence *evidence,
                         uint64_t hash, const Utf8Neighbours *among) {
  (void)evidence, (void)hash, (void)among;
  readings->count = 0;
  readings->cause =
      (Utf8Cause){.kind = UTF8_CAUSE_NONE, .charset = UTF8_CHARSET_UNKNOWN};
}

void utf8detect_read_in_row(Utf8Row *row, Utf8CauseEvidence *evidence, uint64_t hash,
                            const Utf8Neighbours *among) {
  (void)row, (void)evidence, (void)hash, (void)among;
}

const char *utf8detect_language_tag(unsigned language) {
  (void)language;
  return NULL;
}

void utf8detect_cause_name(Utf8Cause cause, char name[UTF8_CAUSE_NAME_MAX]) {
  (void)cause;
  name[0] = '\0';
}

Utf8CauseAction utf8detect_cause_repair(Utf8Cause cause, Utf8Repair *how) {
  (void)cause, (void)how;
  return UTF8_CAUSE_KEEP;
}

uint64_t utf8detect_mixture_hash(const uint8_t *bytes, size_t size) {
  (void)bytes, (void)size;
  return 0;
}

int utf8detect_mixture_is_known(const Utf8Mixture *n, uint64_t hash) {
  (void)n, (void)hash;
  return 1;
}

void utf8detect_mixture_add(Utf8Mixture *n, uint64_t hash,
                            Utf8CauseEvidence *evidence) {
  (void)n, (void)hash, (void)evidence;
}

void utf8detect_mixture_add_clean(Utf8Mixture *n, const uint8_t *bytes, size_t size) {
  (void)n, (void)bytes, (void)size;
}

void utf8detect_mixture_estimate(Utf8Mixture *m, const Utf8Mixture *table) {
  (void)m, (void)table;
}

void utf8detect_misread_read(Utf8MisreadValue *value, const uint8_t *text,
                             size_t size) {
  (void)text, (void)size;
  value->kind = UTF8_MISREAD_NOTHING;
}

void utf8detect_misread_add(Utf8MisreadColumn *column, Utf8CauseEvidence *evidence,
                            const Utf8MisreadValue *value) {
  (void)column, (void)evidence, (void)value;
}

void utf8detect_misread_add_clean(Utf8MisreadColumn *column, const uint8_t *text,
                                  size_t size) {
  (void)column, (void)text, (void)size;
}

int utf8detect_misread_estimate(Utf8MisreadColumn *column) {
  (void)column;
  return 0;
}

int utf8detect_misread_decide(const Utf8MisreadColumn *column,
                              Utf8CauseEvidence *evidence,
                              const Utf8MisreadValue *value, Utf8Reading *reading) {
  (void)column, (void)evidence, (void)value, (void)reading;
  return 0;
}

unsigned utf8detect_language_of(const uint8_t *text, size_t size) {
  (void)text, (void)size;
  return UTF8_LANGUAGES;
}

void utf8detect_mixture_add_first(Utf8Mixture *mixture, const uint8_t *bytes,
                                  size_t size) {
  (void)mixture, (void)bytes, (void)size;
}

int utf8detect_has_accidents(const Utf8Mixture *column) {
  (void)column;
  return 0;
}

int utf8detect_is_accident(const uint8_t *text, size_t size,
                           Utf8CauseEvidence *evidence, const Utf8Neighbours *among,
                           Utf8Reading *reading) {
  (void)text, (void)size, (void)evidence, (void)among, (void)reading;
  return 0;
}
