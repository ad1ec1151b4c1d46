/* mojibake/omitted.c: what other files call, in a build without mojibake/. No text is misread. */
#include "mojibake/readings.h"

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

size_t utf8mojibake_restore(const Utf8MojibakeCharset *charset, const uint8_t *text,
                            size_t size, size_t *at, uint8_t *out, size_t room) {
  (void)charset, (void)text, (void)out, (void)room;
  *at = size;
  return 0;
}

void utf8mojibake_readings(Utf8MojibakeReadings *r, const uint8_t *text, size_t size) {
  *r = (Utf8MojibakeReadings){.count = 1};
  r->list[0].probability = UTF8_MOJIBAKE_ONE;
  r->list[0].of.written = size;
  for (size_t i = 0; i < size; i++) r->list[0].text[i] = text[i];
}
