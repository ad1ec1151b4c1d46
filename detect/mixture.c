/* detect/mixture.c: estimates the histories and languages of a column. */
#include "detect/mixture.h"
#include "detect/letters.h"
#include "core/step.h"
#include "detect/prior.h"
#include "detect/signs.h"
#include "core/bytes.h"
#include <stdlib.h>
#include <string.h>

/* ---- the estimate -------------------------------------------------------------------------------- */

static uint16_t shareOf(uint64_t weight, uint64_t sum) {
  return (uint16_t)(weight / (sum / UINT16_MAX + 1));
}

static void shareOut(Utf8MixtureShares *shares, const Utf8Weights *w) {
  memset(shares, 0, sizeof *shares);
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    shares->histories[i] = shareOf(w->histories[i], w->sum);
  for (size_t i = 0; i < UTF8_LANGUAGES; i++)
    shares->languages[i] = shareOf(w->languages[i], w->sum);
}

/* Stores the shares of each charset in each language, where those of the charsets are known. Damage and pasted
** text occur in all languages alike. */
static void shareTogether(Utf8MixtureShares *shares, const Utf8Weights *w) {
  for (size_t h = 0; h < UTF8_HISTORY_DAMAGED; h++) {
    const size_t end = utf8detect_history_first(h + 1);
    for (size_t at = utf8detect_history_first(h); at < end; at++)
      shares->together[at] =
          (uint8_t)((uint32_t)shareOf(w->together[at], w->sum) * shares->histories[h] >>
                    24);
  }
}

static void weighClean(Utf8Weights *w, const uint8_t cost[UTF8_LANGUAGES],
                       const Utf8Prior *prior) {
  uint32_t costs[UTF8_LANGUAGES], least = UINT32_MAX;
  memset(w, 0, sizeof *w);
  for (size_t i = 0; i < UTF8_LANGUAGES; i++) {
    costs[i] = cost[i] * (8u / UTF8_LIKELIHOOD_UNIT) + prior->language[i];
    if (costs[i] < least) least = costs[i];
  }
  for (size_t i = 0; i < UTF8_LANGUAGES; i++) {
    w->languages[i] = utf8detect_weight(costs[i] - least);
    w->sum += w->languages[i];
  }
}

static void shareValue(Utf8MixtureShares *own, const Utf8Mixture *m, size_t at,
                       const Utf8Prior *prior) {
  Utf8Weights w;
  utf8detect_weigh(&w, &m->values[at].likelihood, prior);
  shareOut(own, &w);
  shareTogether(own, &w);
}

static void shareClean(Utf8MixtureShares *own, const Utf8Mixture *m, size_t at,
                       const Utf8Prior *prior) {
  Utf8Weights w;
  weighClean(&w, m->clean[at], prior);
  shareOut(own, &w);
}

static int isCounted(const Utf8Mixture *m, size_t at) {
  return !m->is_signs[at] || m->signs == m->count;
}

size_t utf8detect_mixture_commonest(const Utf8Mixture *m) {
  size_t most = 0;
  for (size_t i = 1; i < UTF8_HISTORIES; i++)
    if (m->counts.histories[i] > m->counts.histories[most]) most = i;
  return most;
}

/* Before the values of a column are read, nearly all are supposed to have one history, and one in OTHER_SHARE another. That
** counts as much as OTHER_SHARE values. A value surely has another history if the common one accounts for less than
** one in OTHER_SURE of it. */
#define OTHER_SHARE 16
#define OTHER_SURE  256

/* Adds to cost how much more a value costs if all values have one history, except one in OTHER_SHARE, than
** if nothing is known of the others. */
static void addSingle(int64_t cost[UTF8_HISTORIES], const Utf8Weights *w,
                      const Utf8Prior *prior) {
  for (size_t i = 0; i < UTF8_HISTORIES; i++) {
    const uint64_t share = (w->histories[i] << 12) / (w->sum >> 28); /* of 2^40 */
    const uint64_t other = utf8detect_weight(prior->history[i]);
    const uint64_t mixed = (share * (OTHER_SHARE - 1) + other) / OTHER_SHARE;
    cost[i] -= (int64_t)utf8detect_log(mixed + 1) - (int64_t)utf8detect_log(other + 1);
  }
}

/* Stores how likely each history is that of nearly all values, of 2^40. */
static void weighSingle(uint64_t weight[UTF8_HISTORIES], const Utf8Prior *prior,
                        const int64_t cost[UTF8_HISTORIES]) {
  int64_t least = INT64_MAX;
  uint64_t sum = 0;
  for (size_t i = 0; i < UTF8_HISTORIES; i++) {
    const int64_t all = cost[i] + prior->history[i];
    if (all < least) least = all;
  }
  for (size_t i = 0; i < UTF8_HISTORIES; i++) {
    const int64_t more = cost[i] + prior->history[i] - least;
    weight[i] = utf8detect_weight(more < UINT32_MAX ? (uint32_t)more : UINT32_MAX);
    sum += weight[i];
  }
  for (size_t i = 0; i < UTF8_HISTORIES; i++) weight[i] = weight[i] / (sum >> 32) << 8;
}

/* Makes UTF-8 with damage or pasted text the rarer, the fewer values are well-formed. */
static void makeDamageRarer(Utf8Prior *prior, const Utf8Mixture *m) {
  const uint64_t own = m->rows_well_formed, all = own + m->rows_ill_formed;
  const uint32_t more = utf8detect_log(all + 1) - utf8detect_log(own + 1);
  prior->history[UTF8_HISTORY_DAMAGED] += more;
  prior->history[UTF8_HISTORY_PASTED] += more;
}

/* Stores the prior of values of which `others` in 256 do not have the common history. */
static void mixSingle(Utf8Prior *mixed, const Utf8Prior *prior,
                      const uint64_t single[UTF8_HISTORIES], uint64_t others) {
  *mixed = *prior;
  for (size_t i = 0; i < UTF8_HISTORIES; i++) {
    const uint64_t other = utf8detect_weight(prior->history[i]);
    const uint64_t weight = (single[i] * (256 - others) + other * others) / 256;
    mixed->history[i] =
        utf8detect_log(UTF8_WEIGHT) -
        utf8detect_log(weight + 1 < UTF8_WEIGHT ? weight + 1 : UTF8_WEIGHT);
  }
}

/* Returns how many values of 256 have another history than the likeliest: those that surely have, and what was supposed. */
static uint64_t othersOf(const Utf8Mixture *m, const uint64_t single[UTF8_HISTORIES],
                         const Utf8Prior *mixed) {
  Utf8MixtureShares own;
  uint64_t others = 1;
  size_t most = 0;
  for (size_t i = 1; i < UTF8_HISTORIES; i++)
    if (single[i] > single[most]) most = i;
  for (size_t i = 0; i < m->count; i++) {
    if (!isCounted(m, i)) continue;
    shareValue(&own, m, i, mixed);
    others += own.histories[most] < UINT16_MAX / OTHER_SURE;
  }
  return others * 256 / (utf8detect_mixture_counted(m) + OTHER_SHARE);
}

/* Stores the prior of a column in which nearly all values have one history. */
static void supposeSingle(Utf8Prior *mixed, const Utf8Prior *prior,
                          const Utf8Mixture *m) {
  int64_t cost[UTF8_HISTORIES] = {0};
  uint64_t single[UTF8_HISTORIES];
  Utf8Prior other = *prior;
  Utf8Weights w;
  for (size_t i = 0; i < m->count; i++) {
    if (!isCounted(m, i)) continue;
    utf8detect_weigh(&w, &m->values[i].likelihood, prior);
    addSingle(cost, &w, prior);
  }
  weighSingle(single, prior, cost);
  makeDamageRarer(&other, m);
  mixSingle(mixed, &other, single, 256 / OTHER_SHARE);
  mixSingle(mixed, &other, single, othersOf(m, single, mixed));
}

static void addShares(Utf8MixtureCounts *counts, const Utf8MixtureShares *shares) {
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    counts->histories[i] += shares->histories[i];
  for (size_t i = 0; i < UTF8_LANGUAGES; i++)
    counts->languages[i] += shares->languages[i];
  for (size_t i = 0; i < UTF8_LIKELIHOODS; i++)
    counts->together[i] += shares->together[i];
  counts->agreed += shares->agreed;
}

/* Counts the shares that the values have under the prior. */
static void countShares(Utf8Mixture *m, const Utf8Prior *prior) {
  Utf8MixtureShares own;
  memset(&m->counts, 0, sizeof m->counts);
  for (size_t i = 0; i < m->count; i++) {
    if (!isCounted(m, i)) continue;
    shareValue(&own, m, i, prior);
    addShares(&m->counts, &own);
  }
  for (size_t i = 0; i < m->clean_count; i++) {
    shareClean(&own, m, i, prior);
    addShares(&m->counts, &own);
  }
}

/* Returns for how much of a value a history, or one with the same text, accounts. */
static uint16_t agreedOf(const Utf8MixtureShares *own,
                         const uint8_t same[UTF8_HISTORY_ASIAN], size_t history) {
  uint32_t sum = 0;
  if (history >= UTF8_HISTORY_ASIAN || same[history] == UTF8_HISTORIES)
    return own->histories[history];
  for (size_t i = 0; i < UTF8_HISTORY_ASIAN; i++)
    if (same[i] == same[history]) sum += own->histories[i];
  return (uint16_t)utf8detect_lesser(sum, UINT16_MAX);
}

/* Replaces the likelihood of each value by its shares, under the prior and what m->counts has of the other values.
** Then counts these shares. m->counts are of countShares() with the prior `before`. */
static void recountShares(Utf8Mixture *m, const Utf8Prior *prior,
                          const Utf8Prior *before) {
  Utf8MixtureCounts counts;
  Utf8MixtureShares own;
  const size_t most = utf8detect_mixture_commonest(m);
  memset(&counts, 0, sizeof counts);
  for (size_t i = 0; i < m->count; i++) {
    Utf8Prior among = *prior;
    shareValue(&own, m, i, before);
    utf8detect_apply_mixture(&among, m, isCounted(m, i) ? &own : NULL);
    shareValue(&own, m, i, &among);
    own.agreed = agreedOf(&own, m->values[i].likelihood.same, most);
    if (isCounted(m, i)) addShares(&counts, &own);
    m->values[i].shares = own;
  }
  for (size_t i = 0; i < m->clean_count; i++) {
    Utf8Prior among = *prior;
    shareClean(&own, m, i, before);
    utf8detect_apply_languages(&among, m, &own);
    shareClean(&own, m, i, &among);
    addShares(&counts, &own);
  }
  m->counts = counts;
}

/* Adds to a cost, unless it is beyond all others. */
static void makeDearer(uint8_t *cost, uint32_t more) {
  if (*cost != UTF8_LIKELIHOOD_NEVER)
    *cost = (uint8_t)utf8detect_lesser(*cost + more, UTF8_LIKELIHOOD_NEVER - 1);
}

/* Adds to the likelihood of each value what the continuation bytes of well-formed ones say of damage. */
static void compareTrails(Utf8Mixture *m, const Utf8Mixture *table) {
  const size_t from = utf8detect_history_first(UTF8_HISTORY_DAMAGED);
  const size_t end = utf8detect_history_first(UTF8_HISTORY_DAMAGED + 1);
  for (size_t i = 0; i < m->count; i++) {
    uint8_t *cost = m->values[i].likelihood.cost;
    const int32_t against = utf8detect_trails_against(table, m->with_trails[i]) /
                            (8 / UTF8_LIKELIHOOD_UNIT);
    for (size_t k = 0; k < UTF8_LIKELIHOODS; k++) {
      const int isDamage = k >= from && k < end;
      if (isDamage == (against > 0)) makeDearer(&cost[k], (uint32_t)abs(against));
    }
  }
}

/* First most values are supposed to have one history, then each is corrected once by the others. More often, and
** two values that are alike unclear talk each other into the same error. */
void utf8detect_mixture_estimate(Utf8Mixture *m, const Utf8Mixture *table) {
  Utf8Prior prior, mixed;
  if (table) {
    prior = table->world;
    utf8detect_apply_mixture(&prior, table, NULL);
  } else {
    utf8detect_world_prior(&m->world);
    utf8detect_suppose_strangers(&m->world);
    prior = m->world;
  }
  compareTrails(m, table ? table : m);
  supposeSingle(&mixed, &prior, m);
  countShares(m, &mixed);
  recountShares(m, &prior, &mixed);
}

/* ---- values -------------------------------------------------------------------------------------- */

/* Digits are alike. */
static uint64_t addToHash(uint64_t hash, uint8_t byte) {
  const int isDigit = byte >= '0' && byte <= '9';
  return bytes_fnv_add(hash, isDigit ? '0' : byte);
}

uint64_t utf8detect_mixture_hash(const uint8_t *bytes, size_t size) {
  uint64_t hash = BYTES_FNV_START;
  uint8_t before = ' ';
  for (size_t i = 0; i < size && i < 1024; i++) {
    const int isHigh = bytes[i] >= 0x80;
    if (isHigh && before < 0x80) hash = addToHash(hash, before);
    if (isHigh || before >= 0x80) hash = addToHash(hash, bytes[i]);
    before = bytes[i];
  }
  return hash;
}

/* Returns the place of the ill-formed value with this hash, or count. */
static size_t placeOfValue(const Utf8Mixture *m, uint64_t hash) {
  size_t at = 0;
  while (at < m->count && m->seen[at] != hash) at++;
  return at;
}

int utf8detect_mixture_is_known(const Utf8Mixture *m, uint64_t hash) {
  return m->count == UTF8_MIXTURE_VALUES || placeOfValue(m, hash) < m->count;
}

const Utf8MixtureShares *utf8detect_mixture_own(const Utf8Mixture *m, uint64_t hash) {
  const size_t at = placeOfValue(m, hash);
  return at < m->count && isCounted(m, at) ? &m->values[at].shares : NULL;
}

void utf8detect_mixture_add(Utf8Mixture *m, uint64_t hash, Utf8CauseEvidence *e) {
  Utf8AsUtf8 as;
  if (utf8detect_mixture_is_known(m, hash) || utf8detect_cause_is_overlong(e)) return;
  utf8detect_read_as_utf8(&as, e, &e->whole.damage);
  if (utf8detect_end_numbers(&as.whole_bigrams.places)) return;
  utf8detect_likelihood(&m->values[m->count].likelihood, &e->whole.asian,
                        &e->whole.trigrams, &as);
  if (m->values[m->count].likelihood.is_lone)
    return; /* it shows nothing but the prior */
  m->with_trails[m->count] = utf8detect_trails_of(&as.whole_bigrams);
  m->is_signs[m->count] = m->values[m->count].likelihood.is_signs;
  m->signs += m->is_signs[m->count];
  m->seen[m->count++] = hash;
}

/* Code points of a well-formed value that are read. */
#define CLEAN_CODES 256

void utf8detect_mixture_add_clean(Utf8Mixture *m, const uint8_t *bytes, size_t size) {
  uint32_t codes[CLEAN_CODES];
  size_t count = 0, letters = 0;
  for (size_t at = 0; at < size && count < CLEAN_CODES; count++) {
    const Utf8Step s = utf8core_step(bytes, size, at, UTF8_STRICT);
    codes[count] = s.codepoint;
    letters += s.codepoint > 0x7F || (s.codepoint | 32) - 'a' < 26;
    utf8detect_letters_add(m, s.codepoint, bytes + at, s.length);
    at += s.length;
  }
  if (letters == 0 || m->clean_count == UTF8_MIXTURE_CLEAN) return;
  utf8detect_language_likelihood(m->clean[m->clean_count++], codes, count);
}

/* Counts a value of one of the first rows, unless it is ASCII. */
static void countRow(Utf8Mixture *m, const uint8_t *bytes, size_t size,
                     int is_well_formed) {
  uint32_t *rows = is_well_formed ? &m->rows_well_formed : &m->rows_ill_formed;
  if (bytes_skip_ascii(bytes, 0, size) == size) return;
  if (*rows < UINT32_MAX) ++*rows; /* unreachable: 2^32 rows */
}

void utf8detect_mixture_add_first(Utf8Mixture *m, const uint8_t *bytes, size_t size) {
  const int is_well_formed = utf8core_valid(bytes, size);
  countRow(m, bytes, size, is_well_formed);
  if (is_well_formed) utf8detect_mixture_add_clean(m, bytes, size);
}
