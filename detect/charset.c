/* detect/charset.c: gathers evidence, names the likeliest charset of bytes, and rates one. */
#include "core/compiler.h"
#include "detect/likelihood.h"
#include <string.h>

/* ---- the evidence ----------------------------------------------------------------------- */

void utf8detect_begin(Utf8Evidence *evidence) {
  memset(&evidence->asian, 0, sizeof evidence->asian);
  memset(&evidence->damage, 0, sizeof evidence->damage);
  utf8detect_bigrams_begin(&evidence->bigrams);
  utf8detect_trigrams_begin(&evidence->trigrams);
}

void utf8detect_add(Utf8Evidence *evidence, const uint8_t *bytes, size_t size,
                    size_t at, size_t until) {
  utf8detect_bigrams_add(&evidence->bigrams, bytes, size, at, until);
  utf8detect_trigrams_add(&evidence->trigrams, bytes, size, at, until);
  utf8detect_add_asian(&evidence->asian, bytes, size, at, until);
  utf8detect_damage_add(&evidence->damage, NULL, bytes, size, at, until, 0);
}

/* Returns the trigrams of a single value, or NULL. */
static const Utf8Trigrams *trigramsOf(const Utf8Evidence *evidence) {
  return evidence->asian.values == 1 ? &evidence->trigrams : NULL;
}

/* ---- the charset --------------------------------------------------------------------------- */

/* Of the two charsets that differ in 80..9F alone, windows-1252 is named if the text has these bytes. gbk is named
** gb18030 if the text has four-byte codes. */
static Utf8Charset nameOf(size_t history, const Utf8AsianEvidence *asian,
                          const Utf8BigramList *bigrams) {
  const Utf8Charset charset = utf8detect_history_charset(history);
  if (history == UTF8_HISTORY_ASIAN && asian->four_bytes > 0)
    return UTF8_CHARSET_GB18030;
  if (charset != UTF8_CHARSET_WINDOWS1252 && charset != UTF8_CHARSET_LATIN1)
    return charset;
  return bigrams->bytes[0] < 0xA0 - 0x80 ? UTF8_CHARSET_WINDOWS1252
                                         : UTF8_CHARSET_LATIN1;
}

/* Bits that speak for UTF-8 with damage: whole sequences are in nothing else so often. Without one it is not named. */
#define SEQUENCE_BITS 3

static Utf8Charset nameText(const Utf8BigramList *bigrams, const Utf8Damage *damage,
                            const Utf8AsianEvidence *asian,
                            const Utf8Trigrams *trigrams) {
  Utf8AsUtf8 as;
  utf8detect_read_as_damaged(&as, bigrams, damage);
  if (damage->sequences == 0) as.damaged = UINT64_MAX;
  if (as.damaged != UINT64_MAX)
    as.damaged -= utf8detect_lesser(as.damaged, SEQUENCE_BITS * UTF8_MODEL_UNIT);
  return nameOf(utf8detect_likeliest(asian, trigrams, &as), asian, bigrams);
}

Utf8Charset utf8detect_charset(Utf8Evidence *evidence) {
  Utf8BigramList bigrams;
  utf8detect_bigrams_list(&bigrams, &evidence->bigrams);
  return nameText(&bigrams, &evidence->damage, &evidence->asian, trigramsOf(evidence));
}

static NOINLINE Utf8Charset charsetOfLong(const uint8_t *bytes, size_t size) {
  Utf8Evidence evidence;
  utf8detect_begin(&evidence);
  utf8detect_add(&evidence, bytes, size, 0, size);
  return utf8detect_charset(&evidence);
}

Utf8Charset utf8detect_of_value(const uint8_t *bytes, size_t size) {
  Utf8AsianEvidence asian = {.values = 0};
  Utf8Damage damage = {.text = 0};
  Utf8Trigrams trigrams;
  Utf8BigramsShort room;
  Utf8BigramList bigrams;
  if (size > UTF8_BIGRAMS_SHORT) return charsetOfLong(bytes, size);
  utf8detect_add_asian(&asian, bytes, size, 0, size);
  utf8detect_damage_add(&damage, NULL, bytes, size, 0, size, 0);
  utf8detect_trigrams_begin(&trigrams);
  utf8detect_trigrams_add(&trigrams, bytes, size, 0, size);
  utf8detect_bigrams_list_short(&bigrams, &room, bytes, size);
  return nameText(&bigrams, &damage, &asian, &trigrams);
}

/* ---- the score ----------------------------------------------------------------------------- */

/* The bits per bigram at which a reading has the score 0.5. */
#define HALF_BITS 8.0

/* Returns x, rounded to a double: no compiler fuses the operation that made x with the next one,
** as arm64 could, so that the score has the same bits everywhere. */
static double rounded(double x) {
  volatile double stored = x;
  return stored;
}

/* Returns how plausible the values are in a charset against which `before` speaks. */
static double scoreAfter(Utf8Evidence *evidence, Utf8Charset charset, uint64_t before) {
  Utf8BigramList bigrams;
  utf8detect_bigrams_list(&bigrams, &evidence->bigrams);
  const uint64_t cost =
      utf8detect_cost_in(charset, &evidence->asian, trigramsOf(evidence), &bigrams);
  if (cost == UINT64_MAX) return 0.0;
  const double bits =
      (double)(before + cost) / UTF8_MODEL_UNIT / (double)(bigrams.high_sum + 1);
  const double square = bits * bits / (HALF_BITS * HALF_BITS);
  return 1.0 / (1.0 + rounded(square * square));
}

double utf8detect_plausibility(Utf8Evidence *evidence, Utf8Charset charset) {
  return scoreAfter(evidence, charset, 0);
}

static double scoreIn(Utf8Evidence *evidence, Utf8Charset charset) {
  return scoreAfter(evidence, charset,
                    utf8detect_world_cost(utf8detect_history_of(charset)));
}

double utf8detect_score(Utf8Evidence *evidence, Utf8Charset charset,
                        Utf8Charset named) {
  const double score = scoreIn(evidence, charset);
  const double highest = named == UTF8_CHARSET_UTF8 ? 1.0 : scoreIn(evidence, named);
  return score < highest ? score : highest;
}
