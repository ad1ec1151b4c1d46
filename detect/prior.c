/* detect/prior.c: combines what is likely before a value is read with its likelihood. */
#include "detect/prior.h"
#include "detect/alphabet.h"
#include "detect/counts.h"
#include "core/bytes.h"
#include <string.h>

/* ---- constants ---------------------------------------------------------------------------------- */

/* How many values the prior of histories weighs as much as. A column has few: nearly always one. */
#define HISTORY_PRIOR_TENTHS 1

/* How many values the prior of languages weighs as much as: foreign names are common in any list. */
#define LANGUAGE_PRIOR 3

/* Eighths of a bit by which it counts less how often neighbours have a charset and a language together than how
** common each is alone. And how many values more are supposed, which have other bigrams: with fewer, damaged
** values among clean ones are misread. One of 2^STRANGER_BITS of the supposed values came from elsewhere. */
#define TOGETHER_EIGHTHS 8
#define TOGETHER_PRIOR   28
#define STRANGER_BITS    12

/* Neighbours show a history that accounts for at least one in SHOWN_SHARE of them. What they do not show is the rarer the more
** of them agree. AGREEING that agree say as much against it as one that does not says for it. */
#define SHOWN_SHARE 48
#define AGREEING    4

#define PRIOR_BIT 8 /* in eighths */

/* The cost of a charset and a language that no neighbour has together: it weighs nothing. */
#define NEVER_TOGETHER (UINT32_MAX / 2)

/* ---- the prior --------------------------------------------------------------------------------- */

/* Shifts the costs, so that the parts of the whole for which they stand add up to 1. */
static void normalize(uint32_t *cost, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; i++) sum += utf8detect_weight(cost[i]);
  const uint32_t log = utf8detect_log(sum), one = utf8detect_log(UTF8_WEIGHT);
  for (size_t i = 0; i < count; i++) cost[i] = cost[i] + log - one;
}

void utf8detect_prior_apart(Utf8Prior *prior) {
  for (size_t i = 0; i < UTF8_LIKELIHOODS; i++) prior->together[i] = NEVER_TOGETHER;
}

void utf8detect_world_prior(Utf8Prior *prior) {
  utf8detect_prior_apart(prior);
  memset(prior->against, 0, sizeof prior->against);
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    prior->history[i] = utf8detect_world_cost(i);
  memset(prior->language, 0, sizeof prior->language);
  normalize(prior->history, UTF8_HISTORIES);
  normalize(prior->language, UTF8_LANGUAGES);
}

/* Adds what each language weighs in all charsets, as common as these are in the world. */
static void weighLanguages(uint64_t all[UTF8_LANGUAGES]) {
  for (size_t h = 0; h < UTF8_HISTORY_DAMAGED; h++) {
    const uint32_t cost = utf8detect_world_cost(h);
    const uint64_t away = utf8detect_away_languages(h);
    const uint64_t weight[2] = {utf8detect_weight(cost),
                                utf8detect_weight(cost + UTF8_AWAY_COST)};
    for (uint64_t left = utf8detect_history_languages(h); left > 0; left &= left - 1)
      all[mask_lowest(left)] += weight[away >> mask_lowest(left) & 1];
  }
}

void utf8detect_suppose_strangers(Utf8Prior *prior) {
  uint64_t all[UTF8_LANGUAGES] = {0};
  uint32_t rest[UTF8_LANGUAGES]; /* the cost without that of the charset */
  const uint32_t one = utf8detect_log(UTF8_WEIGHT);
  weighLanguages(all);
  for (size_t l = 0; l < UTF8_LANGUAGES; l++)
    rest[l] =
        STRANGER_BITS * PRIOR_BIT + prior->language[l] + utf8detect_log(all[l]) - one;
  for (size_t h = 0; h < UTF8_HISTORY_DAMAGED; h++) {
    const uint32_t cost = utf8detect_world_cost(h);
    const uint64_t away = utf8detect_away_languages(h);
    size_t at = utf8detect_history_first(h);
    for (uint64_t left = utf8detect_history_languages(h); left > 0;
         left &= left - 1, at++) {
      const size_t l = mask_lowest(left);
      prior->together[at] = cost + (away >> l & 1 ? UTF8_AWAY_COST : 0) + rest[l];
    }
  }
}

/* ---- what a value weighs ------------------------------------------------------------------------ */

/* Returns the cost of the mean of two probabilities that have these costs. */
static uint32_t costOfMean(uint32_t a, uint32_t b) {
  const uint32_t least = a < b ? a : b, more = a < b ? b - a : a - b;
  if (more >= 4 * PRIOR_BIT)
    return least + PRIOR_BIT; /* the other adds less than an eighth of a bit */
  return least + PRIOR_BIT + utf8detect_log(UTF8_WEIGHT) -
         utf8detect_log(UTF8_WEIGHT + utf8detect_weight(more));
}

/* Stores the cost of each history in each language, UINT32_MAX where there is none. Returns the least. */
static uint32_t posteriorCosts(uint32_t cost[UTF8_LIKELIHOODS],
                               const Utf8Likelihood *of, const Utf8Prior *prior) {
  uint32_t least = UINT32_MAX;
  size_t at = 0;
  for (size_t h = 0; h < UTF8_HISTORIES; h++) {
    const uint64_t away = utf8detect_away_languages(h);
    for (uint64_t left = utf8detect_history_languages(h); left > 0;
         left &= left - 1, at++) {
      const size_t l = mask_lowest(left);
      const uint32_t likelihood = of->cost[at] * (8u / UTF8_LIKELIHOOD_UNIT);
      cost[at] = UINT32_MAX;
      if (of->cost[at] == UTF8_LIKELIHOOD_NEVER) continue;
      const uint32_t apart =
          prior->history[h] + prior->language[l] + (away >> l & 1 ? UTF8_AWAY_COST : 0);
      const uint32_t together = prior->together[at] + TOGETHER_EIGHTHS;
      cost[at] = likelihood + costOfMean(apart, together) + prior->against[h];
      if (cost[at] < least) least = cost[at];
    }
  }
  return least;
}

static void weighTogether(Utf8Weights *w, const Utf8Likelihood *of,
                          const Utf8Prior *prior) {
  uint32_t cost[UTF8_LIKELIHOODS];
  const uint32_t least = posteriorCosts(cost, of, prior);
  w->sum = 0;
  for (size_t i = 0; i < UTF8_LIKELIHOODS; i++) {
    w->together[i] = cost[i] == UINT32_MAX ? 0 : utf8detect_weight(cost[i] - least);
    w->sum += w->together[i];
  }
}

/* What charsets that make the same text of a value weigh together is shared out again: one part of OWN_SHARE as before, by
** the languages that each is read in, and the rest by their prior. Else Žužemberk would speak against windows-1252, which
** is not read in Slovene. */
#define OWN_SHARE 8

static void shareSameTexts(Utf8Weights *w, const uint8_t same[UTF8_HISTORY_ASIAN],
                           const Utf8Prior *prior) {
  uint64_t before[UTF8_HISTORY_ASIAN],
      all[UTF8_HISTORIES + 1] = {0}, weight[UTF8_HISTORIES + 1] = {0};
  for (size_t h = 0; h < UTF8_HISTORY_ASIAN; h++) {
    before[h] = utf8detect_weight(prior->history[h] + prior->against[h]);
    all[same[h]] += before[h];
    weight[same[h]] += w->histories[h];
  }
  for (size_t h = 0; h < UTF8_HISTORY_ASIAN; h++) {
    if (weight[same[h]] == 0 || all[same[h]] == 0) continue;
    const uint64_t part = (before[h] << 22) / all[same[h]];
    const uint64_t rest = (weight[same[h]] >> 10) * part >> 12;
    w->histories[h] = (w->histories[h] + rest * (OWN_SHARE - 1)) / OWN_SHARE;
  }
}

void utf8detect_weigh(Utf8Weights *w, const Utf8Likelihood *of,
                      const Utf8Prior *prior) {
  size_t at = 0;
  weighTogether(w, of, prior);
  memset(w->histories, 0, sizeof w->histories);
  memset(w->languages, 0, sizeof w->languages);
  for (size_t h = 0; h < UTF8_HISTORIES; h++) {
    for (uint64_t left = utf8detect_history_languages(h); left > 0;
         left &= left - 1, at++) {
      w->histories[h] += w->together[at];
      w->languages[mask_lowest(left)] += w->together[at];
    }
  }
  shareSameTexts(w, of->same, prior);
}

/* ---- what a mixture says ----------------------------------------------------------------------- */

/* Returns the cost of a share: of n of `of` values, apart from `own`, and of a prior with a cost that
** weighs as much as `tenths` tenths of a value. */
static uint32_t costAmong(uint32_t n, uint32_t own, uint64_t of, uint32_t cost,
                          uint64_t tenths) {
  const uint64_t counted = (uint64_t)(n > own ? n - own : 0) << 24;
  const uint64_t before = utf8detect_weight(cost) / 10 * tenths;
  const uint64_t whole = (of << 40) + UTF8_WEIGHT / 10 * tenths;
  return utf8detect_log(whole) - utf8detect_log(counted + before + 1);
}

/* Returns how many ill-formed values count apart from `own`, which may be NULL. */
static size_t othersCounted(const Utf8Mixture *m, const Utf8MixtureShares *own) {
  return utf8detect_mixture_counted(m) - (own != NULL);
}

/* Replaces the prior by what the mixture says, whose own prior it is; without what the value itself, if the
** mixture has it, adds to that. */
static void applyHistories(Utf8Prior *prior, const Utf8Mixture *m,
                           const Utf8MixtureShares *own) {
  const uint64_t values = othersCounted(m, own);
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    prior->history[i] = costAmong(m->counts.histories[i], own ? own->histories[i] : 0,
                                  values, prior->history[i], HISTORY_PRIOR_TENTHS);
}

void utf8detect_apply_languages(Utf8Prior *prior, const Utf8Mixture *m,
                                const Utf8MixtureShares *own) {
  const size_t values = utf8detect_mixture_counted(m) + m->clean_count - (own != NULL);
  for (size_t i = 0; i < UTF8_LANGUAGES; i++)
    prior->language[i] = costAmong(m->counts.languages[i], own ? own->languages[i] : 0,
                                   values, prior->language[i], 10 * LANGUAGE_PRIOR);
}

/* Returns how much less likely than its share a history is that a mixture does not show. If a column may mix two
** histories in any shares, n values agree with a probability of 1/(n + 1), and the next one differs with 1/(n + 2)
** (Laplace's rule of succession). Most columns have one history, so that both count: about a square. */
static uint32_t costOfUnshown(const Utf8Mixture *m, const Utf8MixtureShares *own) {
  const uint64_t all = (uint64_t)UINT16_MAX * othersCounted(m, own);
  const uint64_t agreed = m->counts.agreed - (own ? own->agreed : 0);
  const uint64_t others = all - agreed, some = (uint64_t)AGREEING * UINT16_MAX;
  if (others * AGREEING >= all || m->counts.agreed == 0) return 0;
  return 2 * (utf8detect_log(some + all) - utf8detect_log(some + others * AGREEING));
}

/* Do the values apart from `own` show the history? */
static int isShown(const Utf8Mixture *m, const Utf8MixtureShares *own, size_t history) {
  const uint64_t all = (uint64_t)UINT16_MAX * othersCounted(m, own);
  const uint64_t count = m->counts.histories[history];
  return count - (own ? own->histories[history] : 0) >= all / SHOWN_SHARE;
}

void utf8detect_make_unshown_rarer(Utf8Prior *prior, const Utf8Mixture *m,
                                   const Utf8MixtureShares *own) {
  const uint32_t more = costOfUnshown(m, own);
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    if (!isShown(m, own, i)) prior->history[i] += more;
}

static void applyTogether(Utf8Prior *prior, const Utf8Mixture *m,
                          const Utf8MixtureShares *own) {
  const uint64_t values = othersCounted(m, own);
  const uint32_t whole = utf8detect_log((values + TOGETHER_PRIOR) * UTF8_WEIGHT);
  const uint32_t supposed = whole - utf8detect_log(TOGETHER_PRIOR * UTF8_WEIGHT);
  const uint32_t unshown = costOfUnshown(m, own);
  for (size_t h = 0; h < UTF8_HISTORIES; h++) {
    const size_t end = utf8detect_history_first(h + 1);
    const uint64_t one = utf8detect_weight(isShown(m, own, h) ? 0 : unshown) >> 8;
    for (size_t i = utf8detect_history_first(h); i < end; i++) {
      const uint32_t n = m->counts.together[i] - (own ? own->together[i] : 0);
      if (n == 0) {
        prior->together[i] += supposed;
        continue;
      }
      const uint64_t weight =
          n * one + TOGETHER_PRIOR * utf8detect_weight(prior->together[i]);
      prior->together[i] = whole - utf8detect_log(weight);
    }
  }
}

void utf8detect_apply_mixture(Utf8Prior *prior, const Utf8Mixture *m,
                              const Utf8MixtureShares *own) {
  applyTogether(prior, m, own);
  applyHistories(prior, m, own);
  utf8detect_apply_languages(prior, m, own);
}
