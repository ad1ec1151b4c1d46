/* mojibake/omitted.c: what other files call, in a build without mojibake/. No text is misread. */
#include "mojibake/column.h"
#include "mojibake/mojibake.h"
#include "mojibake/multibyte.h"

const char *utf8mojibake_charset_name(int charset) {
  (void)charset;
  return NULL;
}

void utf8mojibake_set_charset(Utf8MojibakeCharset *charset, const uint16_t high[128]) {
  (void)charset, (void)high;
}

int utf8mojibake_find(const Utf8MojibakeCharset *charset, const uint8_t *text,
                      size_t size, size_t *at, size_t until, Utf8MojibakeFound *found) {
  (void)charset, (void)text, (void)size, (void)found;
  *at = until;
  return 0;
}

size_t utf8mojibake_scan_runs(const Utf8MojibakeCharset *charset, const uint8_t *text,
                              size_t size) {
  (void)charset, (void)text;
  return size;
}

size_t utf8mojibake_scan_multibyte(const uint8_t *text, size_t size) {
  (void)text;
  return size;
}

size_t utf8mojibake_restore(const Utf8MojibakeCharset *charset, const uint8_t *text,
                            size_t size, size_t *at, uint8_t *out, size_t room) {
  (void)charset, (void)text, (void)out, (void)room;
  *at = size;
  return 0;
}

void utf8mojibake_readings(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                           const uint8_t *text, size_t size) {
  (void)prior;
  *r = (Utf8MojibakeReadings){.count = 1};
  r->list[0].probability = UTF8_MOJIBAKE_ONE;
  r->list[0].of.written = size;
  for (size_t i = 0; i < size; i++) r->list[0].text[i] = text[i];
}

void utf8mojibake_column_add(Utf8MojibakeColumn *column, const uint8_t *text,
                             size_t size) {
  (void)column, (void)text, (void)size;
}

void utf8mojibake_column_merge(Utf8MojibakeColumn *table,
                               const Utf8MojibakeColumn *column) {
  (void)table, (void)column;
}

int utf8mojibake_column_estimate(Utf8MojibakeColumn *column) {
  (void)column;
  return 0;
}

int utf8mojibake_column_find(const Utf8MojibakeColumn *column,
                             const Utf8MojibakeColumn *table, const uint8_t *text,
                             size_t size, Utf8MojibakeFound *found,
                             uint64_t *probability) {
  (void)column, (void)table, (void)text, (void)size, (void)found, (void)probability;
  return 0;
}
