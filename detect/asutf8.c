/* detect/asutf8.c: reads a value as UTF-8 that lost bytes, or that text was pasted into. */
#include "detect/asutf8.h"
#include "detect/alphabet.h"
#include "detect/likelihood.h"
#include "core/bytes.h"

#define AS_BITS(n) ((uint64_t)(n)*DETECT_UNIT)

/* ---- damage ----------------------------------------------------------------------------------- */

/* Bits that speak against damage for each lead byte that it would not leave alone; and, if it left no whole sequence, for each
** further place that is ill-formed: something would be left. */
#define AS_ISOLATED     6
#define AS_NONE_FURTHER 10

static uint64_t costOfDamage(const Utf8Damage *damage, const Utf8BigramList *bigrams) {
  const uint64_t isolated = AS_BITS(utf8detect_damage_isolated(damage) * AS_ISOLATED);
  const uint64_t cost = utf8detect_damage_cost(damage, bigrams);
  const uint64_t all = cost + utf8detect_bigrams_share(bigrams, isolated);
  if (cost == UINT64_MAX) return cost;
  if (damage->sequences > 0) return all;
  return all + AS_BITS((damage->runs - 1) * AS_NONE_FURTHER);
}

/* ---- pasted text ------------------------------------------------------------------------------- */

/* Bits that speak against text of two charsets in one value. */
#define AS_PASTED 2

/* Bits that speak against pasted text in another script than the text around it, and against text of other systems than
** Windows. */
#define AS_OTHER 6

/* Readings that cost more than this above the cheapest are not told apart. */
#define AS_MARGIN AS_BITS(UTF8_LIKELIHOOD_NEVER / UTF8_LIKELIHOOD_UNIT)

/* Returns the bits against text in a charset that was pasted into text of these scripts, each a bit. */
static unsigned bitsOfPasted(const DetectCharset *charset, uint64_t scripts) {
  return (scripts >> charset->script & 1 ? 0u : AS_OTHER) +
         (charset->is_windows ? 0u : AS_OTHER);
}

/* Returns what the pasted text costs in a charset, by what it costs in each of its languages; UINT64_MAX if it has an
** error there. */
static uint64_t costOfPasted(size_t history, const uint64_t *cost, uint64_t scripts) {
  const DetectCharset *charset = &utf8detect_charsets[history];
  const uint64_t away = utf8detect_away_languages(history);
  uint64_t least = UINT64_MAX;
  for (uint64_t left = charset->languages; left > 0; left &= left - 1, cost++) {
    const unsigned more = away >> mask_lowest(left) & 1 ? UTF8_AWAY_COST : 0;
    if (*cost < UINT64_MAX) least = utf8detect_lesser(least, *cost + more);
  }
  if (least == UINT64_MAX) return least;
  return least + utf8detect_world_cost(history) +
         AS_BITS(bitsOfPasted(charset, scripts));
}

static void addPastedCharset(Utf8AsUtf8 *as, Utf8Pasted new) {
  size_t at = as->pasted_count++;
  for (; at > 0 && as->pasted[at - 1].cost > new.cost; at--)
    as->pasted[at] = as->pasted[at - 1];
  as->pasted[at] = new;
}

/* Stores the charsets in which the value costs at most limit. */
static void comparePasted(Utf8AsUtf8 *as, const Utf8Damage *damage, uint64_t limit) {
  uint64_t cost[UTF8_LIKELIHOODS], scripts = damage->codes.scripts;
  const uint64_t base =
      utf8detect_text_cost(damage, &as->whole_bigrams) + AS_BITS(AS_PASTED);
  if (as->whole_bigrams.size > as->whole_bigrams.high)
    scripts |= 1u << UTF8_SCRIPT_LATIN;
  utf8detect_pasted_costs(cost, as, &damage->codes);
  for (size_t i = 0; i < UTF8_HISTORY_ASIAN; i++) {
    const uint64_t pasted =
        costOfPasted(i, cost + utf8detect_history_first(i), scripts);
    if (pasted < UINT64_MAX && base + pasted <= limit)
      addPastedCharset(as, (Utf8Pasted){utf8detect_charsets[i].charset, base + pasted});
  }
}

static void readPasted(Utf8AsUtf8 *as, const Utf8Damage *damage) {
  if (damage->sequences == 0 || damage->beside > 0 || damage->torn > 0) return;
  comparePasted(as, damage,
                as->damaged == UINT64_MAX ? UINT64_MAX : as->damaged + AS_MARGIN);
  while (as->pasted_count > 0 &&
         as->pasted[as->pasted_count - 1].cost > as->pasted[0].cost + AS_MARGIN)
    as->pasted_count--;
}

/* ---- both ---------------------------------------------------------------------------------------- */

void utf8detect_read_as_damaged(Utf8AsUtf8 *as, const Utf8BigramList *bigrams,
                                const Utf8Damage *damage) {
  as->whole_bigrams = *bigrams;
  as->damage = *damage;
  as->damaged = costOfDamage(damage, bigrams);
  as->pasted_count = 0;
}

void utf8detect_read_as_utf8(Utf8AsUtf8 *as, Utf8CauseEvidence *e,
                             const Utf8Damage *damage) {
  Utf8BigramList bigrams;
  utf8detect_bigrams_list(&bigrams, &e->whole.bigrams);
  utf8detect_read_as_damaged(as, &bigrams, damage);
  utf8detect_bigrams_list(&as->pasted_bigrams, &e->pasted.bigrams);
  utf8detect_lexicon_keep(&e->pasted.trigrams.words, &e->whole.trigrams.words);
  as->pasted_trigrams = &e->pasted.trigrams;
  readPasted(as, &e->whole.damage);
}
