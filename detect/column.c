/* detect/column.c: names the charset of a column. */
#include "detect/column.h"

#define COLUMN_CHARSETS (UTF8_CHARSETS - UTF8_CHARSET_UNKNOWN)

void utf8detect_column_begin(Utf8Evidence *legacy) {
  utf8detect_begin(legacy);
  legacy->damage.is_hopeless = 1;
}

void utf8detect_column_add(Utf8Evidence *legacy, const uint8_t *bytes, size_t size,
                           size_t at, size_t until) {
  utf8detect_bigrams_add(&legacy->bigrams, bytes, size, at, until);
  utf8detect_add_asian(&legacy->asian, bytes, size, at, until);
}

int utf8detect_has_lead_and_trail(const uint8_t *bytes, size_t size) {
  for (size_t i = 1; i < size; i++)
    if (bytes[i - 1] >= 0xC2 && (bytes[i] & 0xC0) == 0x80) return 1;
  return 0;
}

int utf8detect_is_damaged(const Utf8Damage *damage) {
  return !damage->is_hopeless && damage->errors <= 2 * damage->sequences;
}

static Utf8Charset mostFrequent(const uint64_t counts[COLUMN_CHARSETS]) {
  Utf8Charset most = UTF8_CHARSET_ASCII;
  uint64_t count = 0;
  for (int i = 0; i < COLUMN_CHARSETS; i++) {
    const Utf8Charset charset = (Utf8Charset)(i + UTF8_CHARSET_UNKNOWN);
    if (charset == UTF8_CHARSET_ASCII || counts[i] <= count) continue;
    most = charset;
    count = counts[i];
  }
  return most;
}

Utf8Charset utf8detect_column_charset(const Utf8ColumnCounts *counts,
                                      Utf8Evidence *legacy, Utf8Charset first) {
  Utf8Charset charset = mostFrequent(counts->ill_formed);
  if (charset == UTF8_CHARSET_ASCII) charset = mostFrequent(counts->well_formed);
  if (charset != UTF8_CHARSET_UNKNOWN) return charset;
  return counts->ill_formed[0] == 1 ? first : utf8detect_charset(legacy);
}
