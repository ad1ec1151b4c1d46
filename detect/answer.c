/* detect/answer.c: gathers evidence, names the most plausible charset of bytes, and rates one. */
#include "detect/model.h"
#include "core/compiler.h"
#include <string.h>

/* ---- the evidence ----------------------------------------------------------------------- */

void utf8detect_begin(Utf8Evidence *evidence) {
  memset(&evidence->asian, 0, sizeof evidence->asian);
  memset(&evidence->damage, 0, sizeof evidence->damage);
  utf8detect_bigrams_begin(&evidence->bigrams);
}

void utf8detect_add(Utf8Evidence *evidence, const uint8_t *bytes, size_t size,
                    size_t at, size_t until) {
  utf8detect_bigrams_add(&evidence->bigrams, bytes, at, until);
  utf8detect_add_asian(&evidence->asian, bytes, size, at, until);
  utf8detect_damage_add(&evidence->damage, NULL, bytes, size, at, until, 0);
  if (until == size) utf8detect_bigrams_end(&evidence->bigrams);
}

/* ---- the charset --------------------------------------------------------------------------- */

/* Bits that speak against naming damaged UTF-8, with and without a whole sequence; without one, it
** is named only if there are NONE_ASCII bigrams of ASCII. */
#define DAMAGE_BITS      4u
#define DAMAGE_NONE_BITS 8u
#define NONE_ASCII       8

/* Returns the cost at which legacy charsets must beat damaged UTF-8. */
static uint64_t damageBound(const Utf8Damage *damage, const Utf8BigramList *bigrams) {
  const uint64_t cost = utf8detect_damage_cost(damage, bigrams);
  if (damage->sequences == 0 &&
      utf8detect_bigrams_ascii(bigrams, NONE_ASCII) < NONE_ASCII)
    return UINT64_MAX;
  if (cost == UINT64_MAX || (damage->sequences > 0 && damage->cuts == damage->runs))
    return cost;
  return cost +
         (damage->sequences > 0 ? DAMAGE_BITS : DAMAGE_NONE_BITS) * UTF8_MODEL_UNIT;
}

static Utf8Charset cheapest(const Utf8AsianEvidence *asian, const Utf8Damage *damage,
                            const Utf8BigramList *bigrams) {
  Utf8Ranked list[UTF8_RANKED_MAX];
  const size_t count =
      utf8detect_rank(list, bigrams, asian, NULL, damageBound(damage, bigrams), 0);
  return count > 0 ? list[0].charset : UTF8_CHARSET_UTF8;
}

Utf8Charset utf8detect_charset(Utf8Evidence *evidence) {
  Utf8BigramList bigrams;
  utf8detect_bigrams_list(&bigrams, &evidence->bigrams);
  return cheapest(&evidence->asian, &evidence->damage, &bigrams);
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
  Utf8BigramsShort room;
  Utf8BigramList bigrams;
  if (size > UTF8_BIGRAMS_SHORT) return charsetOfLong(bytes, size);
  utf8detect_add_asian(&asian, bytes, size, 0, size);
  utf8detect_damage_add(&damage, NULL, bytes, size, 0, size, 0);
  utf8detect_bigrams_list_short(&bigrams, &room, bytes, size);
  return cheapest(&asian, &damage, &bigrams);
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

double utf8detect_score(Utf8Evidence *evidence, Utf8Charset charset) {
  Utf8BigramList bigrams;
  utf8detect_bigrams_list(&bigrams, &evidence->bigrams);
  const uint64_t cost = utf8detect_cost_in(&bigrams, &evidence->asian, charset);
  if (cost == UINT64_MAX) return 0.0;
  const double bits = (double)cost / UTF8_MODEL_UNIT / (double)(bigrams.high_sum + 1);
  const double square = bits * bits / (HALF_BITS * HALF_BITS);
  return 1.0 / (1.0 + rounded(square * square));
}
