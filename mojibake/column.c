/* mojibake/column.c: decides about a value that may be misread by the values of its column (mojibake/column.h). */
#include "mojibake/column.h"
#include "charset/legacy/legacy.h"
#include "detect/weight.h"
#include "mojibake/codes.h"
#include "mojibake/multibyte.h"
#include <string.h>

/* So many values must surely be misread in a charset, before another one is held for misread in it. */
#define COLUMN_ENOUGH 3

#define COLUMN_ROUNDS 16  /* of the estimate */
#define COLUMN_VALUE  256 /* a whole one */

/* A table of more values learns no more from further columns: counts of 256ths stay below 2^32. */
#define COLUMN_MANY ((uint32_t)1 << 22)

/* Where none of the first values that look misread is, no more of them are examined: Ukrainian text has many. */
#define COLUMN_DOUBTFUL 512

/* The first COLUMN_TEXTS values show the languages of a column. What is likely anywhere weighs as much as
** COLUMN_LANGUAGES values, and one in COLUMN_SHARE of them more: foreign names are common in any list. */
#define COLUMN_TEXTS     64
#define COLUMN_LANGUAGES 3
#define COLUMN_SHARE     4

/* ---- counting ---------------------------------------------------------------------------------- */

/* Is it a value that was not counted lately? Then it is from now on. */
static int isNewInColumn(Utf8MojibakeColumn *c, const uint8_t *text, size_t size) {
  uint64_t hash = size;
  size_t at = 0;
  for (; size - at >= 8; at += 8)
    hash = (hash ^ bytes_load_little64(text + at)) * 0x9E3779B97F4A7C15;
  for (; at < size; at++) hash = (hash ^ text[at]) * 0x9E3779B97F4A7C15;
  uint32_t *place = &c->seen[hash >> 56];
  const uint32_t mark = (uint32_t)(hash >> 24);
  if (*place == mark) return 0;
  *place = mark;
  return 1;
}

/* Counts in which languages a text may be. */
static void addLanguages(Utf8MojibakeColumn *c, const uint8_t *text, size_t size) {
  uint32_t codes[UTF8_MODEL_CODES];
  uint64_t cost[UTF8_MODEL_LANGUAGES] = {0}, least = UINT64_MAX, sum = 0;
  if (c->language_values == COLUMN_TEXTS) return;
  c->language_values++;
  utf8detect_languages_cost(cost, codes, utf8detect_read_codes(codes, text, size));
  for (size_t i = 0; i < UTF8_MODEL_LANGUAGES; i++)
    least = utf8detect_lesser(least, cost[i]);
  for (size_t i = 0; i < UTF8_MODEL_LANGUAGES; i++) {
    cost[i] =
        utf8detect_weight((uint32_t)utf8detect_lesser(cost[i] - least, 512)) >> 16;
    sum += cost[i];
  }
  for (size_t i = 0; i < UTF8_MODEL_LANGUAGES; i++)
    c->languages[i] += (uint32_t)(cost[i] * COLUMN_VALUE / sum);
}

static void addCleanLine(Utf8MojibakeColumn *c, const uint8_t *text, size_t size) {
  c->values++;
  c->clean++;
  addLanguages(c, text, size);
}

/* Counts values that these charsets read alike. */
static void addAlike(Utf8MojibakeColumn *c, Utf8MojibakeAlike alike) {
  size_t i = 0;
  while (i < c->alike_count && c->alike[i].charsets != alike.charsets) i++;
  if (i == UTF8_MOJIBAKE_ALIKE) return;
  if (i == c->alike_count)
    c->alike[c->alike_count++] = (Utf8MojibakeAlike){alike.charsets, 0};
  c->alike[i].values += alike.values;
  c->values += alike.values;
  for (uint32_t left = alike.charsets; left; left &= left - 1)
    c->sure[mask_lowest(left)] += alike.values;
}

/* Is it one line that has more than ASCII? */
static int isHighLine(const uint8_t *text, size_t size) {
  return utf8mojibake_is_line(text, size) && bytes_skip_ascii(text, 0, size) < size;
}

/* Adds a line that may be misread. */
static void addRuns(Utf8MojibakeColumn *c, const uint8_t *text, size_t size) {
  Segment s;
  uint8_t restored[UTF8_MOJIBAKE_TEXT];
  const Utf8MojibakeSegment found =
      utf8mojibake_restore_segment(text, size, 1, restored);
  utf8mojibake_read_segment(&s, NULL, 1, text, size);
  if (found.runs) {
    const unsigned charset = (unsigned)found.charset;
    const uint32_t alike =
        utf8mojibake_whole_charsets(&s) & utf8mojibake_alike_charsets(&s, charset);
    addAlike(c, (Utf8MojibakeAlike){alike | (uint32_t)1 << charset, 1});
    addLanguages(c, restored, found.written);
  } else if (utf8mojibake_whole_charsets(&s) == 0) {
    addCleanLine(c, text, size);
  }
}

void utf8mojibake_column_add(Utf8MojibakeColumn *c, const uint8_t *text, size_t size) {
  Utf8Multibyte multibyte;
  if (!isHighLine(text, size) || !isNewInColumn(c, text, size)) return;
  if (utf8mojibake_read_multibyte(&multibyte, text, size, NULL))
    c->values++;
  else if (utf8mojibake_scan_runs(NULL, text, size) == size)
    addCleanLine(c, text, size);
  else if (c->alike_count > 0 || c->doubtful++ < COLUMN_DOUBTFUL)
    addRuns(c, text, size);
}

void utf8mojibake_column_merge(Utf8MojibakeColumn *table, const Utf8MojibakeColumn *c) {
  if (table->values > COLUMN_MANY) return;
  for (size_t i = 0; i < c->alike_count; i++) addAlike(table, c->alike[i]);
  table->values += c->clean;
  table->clean += c->clean;
  table->language_values += c->language_values;
  for (size_t i = 0; i < UTF8_MODEL_LANGUAGES; i++)
    table->languages[i] += c->languages[i];
}

/* Returns the charsets, as bits, in which enough was misread. */
static uint32_t charsetsOfColumn(const Utf8MojibakeColumn *c) {
  uint32_t charsets = 0;
  for (unsigned i = 0; i < MOJIBAKE_WITH_RIVALS; i++)
    charsets |= (uint32_t)(c->sure[i] >= COLUMN_ENOUGH) << i;
  return charsets;
}

/* ---- the estimate ------------------------------------------------------------------------------ */

/* Returns the weight of a charset: of n 256ths of a value that were misread in it, and of one value more, by the cost
** that this has for any value. */
static uint64_t weightOfCharset(uint32_t n, uint32_t cost) {
  return ((uint64_t)n << 16) + (utf8detect_weight(cost) >> 16);
}

/* Shares the values of a column among the charsets that read them alike, by what these weigh. */
static void shareAlike(Utf8MojibakeColumn *c,
                       const uint64_t weight[MOJIBAKE_WITH_RIVALS]) {
  memset(c->misread, 0, sizeof c->misread);
  for (size_t k = 0; k < c->alike_count; k++) {
    const Utf8MojibakeAlike *alike = &c->alike[k];
    uint64_t sum = 0;
    for (uint32_t left = alike->charsets; left; left &= left - 1)
      sum += weight[mask_lowest(left)];
    for (uint32_t left = alike->charsets; left; left &= left - 1) {
      const unsigned i = (unsigned)mask_lowest(left);
      c->misread[i] +=
          (uint32_t)((weight[i] << 16) / sum * alike->values * COLUMN_VALUE >> 16);
    }
  }
}

int utf8mojibake_column_estimate(Utf8MojibakeColumn *c) {
  Utf8MojibakePrior alone;
  if (!charsetsOfColumn(c)) return 0;
  utf8mojibake_alone(&alone);
  for (int round = 0; round < COLUMN_ROUNDS; round++) {
    uint64_t weight[MOJIBAKE_WITH_RIVALS];
    for (unsigned i = 0; i < MOJIBAKE_WITH_RIVALS; i++)
      weight[i] = weightOfCharset(c->misread[i], 2 * (uint32_t)alone.misread[i]);
    shareAlike(c, weight);
  }
  return 1;
}

/* ---- the prior --------------------------------------------------------------------------------- */

/* Returns the cost of n 256ths of a value among so many values, in eighths of a bit. The cost before these were
** counted weighs as much as `weight` values. */
static uint32_t costOfShare(uint32_t n, uint32_t of, uint32_t cost, uint32_t weight) {
  const uint64_t all = (uint64_t)(of + weight) << 24;
  const uint64_t counted = (uint64_t)n << 16;
  return utf8detect_log(all) -
         utf8detect_log(counted + weight * (utf8detect_weight(cost) >> 16) + 1);
}

/* Likewise, of costs in quarters of a bit; the one before weighs as much as one value. */
static int32_t costOfHistory(uint32_t n, uint32_t of, int32_t cost) {
  return (int32_t)costOfShare(n, of, 2 * (uint32_t)cost, 1) / 2;
}

/* Replaces a prior by what the values say whose prior it is. */
static void applyColumn(Utf8MojibakePrior *prior,
                        uint32_t languages[UTF8_MODEL_LANGUAGES],
                        const Utf8MojibakeColumn *c) {
  const uint32_t weight = COLUMN_LANGUAGES + c->language_values / COLUMN_SHARE;
  prior->itself = costOfHistory(c->clean * COLUMN_VALUE, c->values, prior->itself);
  for (unsigned i = 0; i < MOJIBAKE_WITH_RIVALS; i++)
    prior->misread[i] = costOfHistory(c->misread[i], c->values, prior->misread[i]);
  for (unsigned i = 0; i < UTF8_MODEL_LANGUAGES; i++)
    languages[i] =
        costOfShare(c->languages[i], c->language_values, languages[i], weight);
  prior->known |= charsetsOfColumn(c);
}

/* Stores what a column and its table say, and in languages what speaks against each. */
static void setPrior(Utf8MojibakePrior *prior, uint32_t languages[UTF8_MODEL_LANGUAGES],
                     const Utf8MojibakeColumn *column,
                     const Utf8MojibakeColumn *table) {
  utf8mojibake_alone(prior);
  prior->languages = languages;
  for (unsigned i = 0; i < UTF8_MODEL_LANGUAGES; i++)
    languages[i] = utf8detect_log(UTF8_MODEL_LANGUAGES);
  applyColumn(prior, languages, table);
  applyColumn(prior, languages, column);
}

/* ---- the decision ------------------------------------------------------------------------------ */

/* Is all of a line UTF-8 in the charset? */
static int isWholeLine(const Utf8MojibakeCharset *only, const uint8_t *text,
                       size_t size) {
  uint8_t bytes[UTF8_MOJIBAKE_WHOLE];
  size_t count = 0;
  for (size_t at = 0; at < size;) {
    const Utf8Step one = stepWellFormed(text + at);
    const uint8_t byte = one.codepoint < 0x80
                             ? (uint8_t)one.codepoint
                             : utf8mojibake_byte_in(only, one.codepoint);
    if (byte == 0 && one.codepoint > 0) return 0;
    bytes[count++] = byte;
    at += one.length;
  }
  return utf8core_valid(bytes, count);
}

/* Is all of the line in the charset of the reading, and is the reading what utf8_demojibake() with that charset makes? */
static int isDecoded(const Utf8MojibakeReading *reading, const uint8_t *text,
                     size_t size) {
  const Utf8Charset charset = (Utf8Charset)utf8mojibake_charset[reading->of.charset];
  Utf8MojibakeCharset only;
  Utf8MojibakeFound found;
  uint8_t out[UTF8_MOJIBAKE_ROOM];
  size_t at = 0;
  utf8mojibake_set_charset(&only, utf8charset_high(charset));
  if (!isWholeLine(&only, text, size)) return 0;
  const size_t written = utf8mojibake_restore(&only, text, size, &at, out, sizeof out);
  at = 0;
  return written == reading->of.written && memcmp(out, reading->text, written) == 0 &&
         !utf8mojibake_find(&only, out, written, &at, written, &found);
}

int utf8mojibake_column_find(const Utf8MojibakeColumn *column,
                             const Utf8MojibakeColumn *table, const uint8_t *text,
                             size_t size, Utf8MojibakeFound *found,
                             uint64_t *probability) {
  Utf8MojibakeReadings r;
  Utf8MojibakePrior prior;
  uint32_t languages[UTF8_MODEL_LANGUAGES];
  Segment s;
  if (!isHighLine(text, size)) return 0;
  utf8mojibake_read_segment(&s, NULL, 1, text, size);
  const uint32_t charsets = charsetsOfColumn(column) | charsetsOfColumn(table);
  if (!(utf8mojibake_whole_charsets(&s) & charsets)) return 0;
  setPrior(&prior, languages, column, table);
  utf8mojibake_readings(&r, &prior, text, size);
  const Utf8MojibakeSegment of = r.list[0].of;
  *found =
      (Utf8MojibakeFound){of.charset, utf8mojibake_bytes_of(text, of.start), of.runs};
  *probability = r.list[0].probability;
  return of.runs > 0 && *probability >= UTF8_MOJIBAKE_SURE &&
         (charsets >> of.charset & 1) && isDecoded(&r.list[0], text, size);
}
