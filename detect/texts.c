/* detect/texts.c: the readings of a value by their text. detect/omitted.c includes it. */
#include "detect/texts.h"
#include <string.h>

/* Stores what the rules say as a reading. A value that they call unclear ends inside a code unit of its
** charset: then the mark at its start is as likely an accident. */
static void readByRules(Utf8Readings *readings, Utf8Cause cause) {
  Utf8Reading *reading = &readings->list[0];
  readings->count = cause.kind != UTF8_CAUSE_BINARY;
  readings->cause = cause;
  *reading = (Utf8Reading){cause, UTF8_LANGUAGES, UTF8_PROBABILITY_ONE};
  if (cause.kind != UTF8_CAUSE_UNCLEAR) return;
  reading->cause.kind = UTF8_CAUSE_CHARSET;
  reading->probability /= 2;
}

int utf8detect_readings_by_rules(Utf8Readings *readings, const uint8_t *bytes,
                                 size_t size, unsigned dialect) {
  Utf8Cause cause;
  if (!utf8detect_cause_by_rules(bytes, size, dialect, &cause)) return 0;
  readByRules(readings, cause);
  return 1;
}

/* ---- the list -------------------------------------------------------------------------------- */

static const char *charsetOfCause(Utf8Cause cause) {
  return cause.charset == UTF8_CHARSET_UNKNOWN ? NULL
                                               : utf8core_charset_name(cause.charset);
}

/* Returns the place of a reading with the text, or the number of readings. */
static int placeOfText(const Utf8TextReadings *r, const uint8_t *text, size_t size) {
  int at = 0;
  while (at < r->count && (r->list[at].size != size ||
                           (size > 0 && memcmp(r->list[at].text, text, size) != 0)))
    at++;
  return at;
}

/* Adds a reading like utf8detect_add_text(). */
static int addNewText(Utf8TextReadings *r, const Utf8TextReading *of) {
  const int at = placeOfText(r, of->text, of->size);
  if (at < r->count) {
    r->list[at].probability += of->probability;
    return 0;
  }
  r->list[r->count++] = *of;
  return 1;
}

int utf8detect_add_text(Utf8TextReadings *r, uint8_t *text, size_t size,
                        Utf8Reading of) {
  Utf8TextReading new = {.text = text,
                         .size = size,
                         .charset = charsetOfCause(of.cause),
                         .language = utf8detect_language_tag(of.language),
                         .probability =
                             (double)of.probability / (double)UTF8_PROBABILITY_ONE};
  utf8detect_cause_name(of.cause, new.cause);
  return addNewText(r, &new);
}

int utf8detect_add_misread(Utf8TextReadings *r, uint8_t *text, size_t size,
                           const char *charset, double probability) {
  static const char prefix[] = "mojibake ";
  Utf8TextReading new = {
      .text = text, .size = size, .charset = charset, .probability = probability};
  if (charset) {
    new.language = utf8detect_language_tag(utf8detect_language_of(text, size));
    memcpy(new.cause, prefix, sizeof prefix);
    strncat(new.cause, charset, sizeof new.cause - sizeof prefix);
  }
  return addNewText(r, &new);
}

static int isTextBefore(const Utf8TextReading *a, const Utf8TextReading *b) {
  if (a->probability != b->probability) return a->probability > b->probability;
  const size_t size = a->size < b->size ? a->size : b->size;
  const int order = size > 0 ? memcmp(a->text, b->text, size) : 0;
  return order != 0 ? order < 0 : a->size < b->size;
}

int utf8detect_sort_texts(Utf8TextReadings *r) {
  for (int i = 1; i < r->count; i++) {
    const Utf8TextReading moved = r->list[i];
    int at = i;
    for (; at > 0 && isTextBefore(&moved, &r->list[at - 1]); at--)
      r->list[at] = r->list[at - 1];
    r->list[at] = moved;
  }
  int listed = r->count < UTF8_TEXT_READINGS_MAX ? r->count : UTF8_TEXT_READINGS_MAX;
  while (listed > 0 && r->list[listed - 1].probability < UTF8_TEXT_READINGS_MIN)
    listed--;
  return listed;
}
