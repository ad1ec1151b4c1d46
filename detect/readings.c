/* detect/readings.c: adds up what the ways of reading a value weigh, by the text that they give. */
#include "detect/readings.h"
#include "charset/legacy/legacy.h"
#include "core/bytes.h"
#include <string.h>

/* ---- weights --------------------------------------------------------------------------------- */

/* A value, and what each way of reading it weighs. */
typedef struct ReadingWeights {
  const Utf8AsianEvidence *asian;
  Utf8AsUtf8 as;
  Utf8Likelihood likelihood;
  Utf8Weights weights;
} ReadingWeights;

static void readEvidence(ReadingWeights *w, Utf8CauseEvidence *e,
                         const Utf8Mixture *table) {
  const Utf8Damage damage = utf8detect_damage_among(&e->whole.damage, table);
  w->asian = &e->whole.asian;
  utf8detect_read_as_utf8(&w->as, e, &damage);
  utf8detect_likelihood(&w->likelihood, w->asian, &e->whole.trigrams, &w->as);
}

static void weighReadings(ReadingWeights *w, uint64_t hash,
                          const Utf8Neighbours *among) {
  Utf8Prior prior;
  utf8detect_prior_among(&prior, &w->as, hash, among);
  utf8detect_weigh(&w->weights, &w->likelihood, &prior);
}

/* Returns the part of the sum, which is at least 2^32, as a probability. */
static uint64_t probabilityOf(uint64_t weight, uint64_t sum) {
  const unsigned shift = (unsigned)mask_highest(sum) - 31;
  return ((weight >> shift) << 32) / (sum >> shift);
}

/* The most that a reading can be probable where the charset may be one that is not compared. */
#define DOUBTFUL (UTF8_PROBABILITY_ONE / 100 * 99)

/* Does it have bytes in several places, of which fewer whole sequences show UTF-8? Repairing damage would lose
** them. */
static int isDoubtfulDamage(const Utf8Damage *d) {
  return d->runs > 1 && d->runs > d->sequences;
}

static int isDoubtful(const ReadingWeights *w, Utf8Cause cause) {
  if (cause.kind == UTF8_CAUSE_CUT || cause.kind == UTF8_CAUSE_DAMAGED)
    return isDoubtfulDamage(&w->as.damage);
  return w->likelihood.is_tcvn && cause.charset == UTF8_CHARSET_VISCII;
}

/* ---- readings -------------------------------------------------------------------------------- */

/* Adds a reading in its order, unless its probability is too low. */
static void addReading(Utf8Readings *r, Utf8Reading new) {
  size_t at = r->count;
  if (new.probability < UTF8_READINGS_MIN) return;
  if (r->count == UTF8_READINGS_MAX) { /* unreachable: all known values have fewer */
    at--;
    if (r->list[at].probability >= new.probability) return;
  } else {
    r->count++;
  }
  for (; at > 0 && r->list[at - 1].probability < new.probability; at--)
    r->list[at] = r->list[at - 1];
  r->list[at] = new;
}

/* The histories that give the same text. */
typedef struct ReadingGroup {
  size_t named; /* the one that is named */
  uint64_t weight;
  uint64_t languages[UTF8_LANGUAGES];
} ReadingGroup;

static void addToGroup(ReadingGroup *g, const ReadingWeights *w, size_t history) {
  size_t at = utf8detect_history_first(history);
  for (uint64_t left = utf8detect_history_languages(history); left > 0;
       left &= left - 1, at++)
    g->languages[mask_lowest(left)] += w->weights.together[at];
  g->weight += w->weights.histories[history];
}

static unsigned languageOf(const ReadingGroup *g) {
  for (unsigned i = 0; i < UTF8_LANGUAGES; i++)
    if (g->languages[i] > g->weight / 2) return i;
  return UTF8_LANGUAGES;
}

/* Of charsets that read a value alike, windows-1252 is named, or the likeliest one. */
static int isNamedBefore(const ReadingWeights *w, size_t a, size_t b) {
  const Utf8Charset one = utf8detect_history_charset(a),
                    other = utf8detect_history_charset(b);
  if (one == UTF8_CHARSET_WINDOWS1252 || other == UTF8_CHARSET_WINDOWS1252)
    return one == UTF8_CHARSET_WINDOWS1252;
  if (w->weights.histories[a] != w->weights.histories[b])
    return w->weights.histories[a] > w->weights.histories[b];
  return one < other;
}

static Utf8Cause causeOfCharsetHistory(const ReadingWeights *w, size_t history) {
  const int isFour = history == UTF8_HISTORY_ASIAN && w->asian->four_bytes > 0;
  return (Utf8Cause){.kind = UTF8_CAUSE_CHARSET,
                     .charset = isFour ? UTF8_CHARSET_GB18030
                                       : utf8detect_history_charset(history)};
}

/* Adds the text that several single-byte charsets give, of which this is the first. */
static void addTextOf(Utf8Readings *r, const ReadingWeights *w, size_t history) {
  ReadingGroup g = {.named = history};
  for (size_t i = history; i < UTF8_HISTORY_ASIAN; i++) {
    if (w->likelihood.same[i] != history) continue;
    addToGroup(&g, w, i);
    if (isNamedBefore(w, i, g.named)) g.named = i;
  }
  addReading(r, (Utf8Reading){causeOfCharsetHistory(w, g.named), languageOf(&g),
                              probabilityOf(g.weight, w->weights.sum)});
}

static void addSingleBytes(Utf8Readings *r, const ReadingWeights *w) {
  uint8_t done[UTF8_HISTORY_ASIAN] = {0};
  for (size_t i = 0; i < UTF8_HISTORY_ASIAN; i++) {
    const size_t first = w->likelihood.same[i];
    if (w->weights.histories[i] == 0 || done[first]) continue;
    done[first] = 1;
    addTextOf(r, w, first);
  }
}

/* Adds a history that gives a text of its own. */
static void addAlone(Utf8Readings *r, const ReadingWeights *w, size_t history,
                     Utf8Cause cause) {
  ReadingGroup g = {.named = history};
  addToGroup(&g, w, history);
  addReading(
      r, (Utf8Reading){cause, languageOf(&g), probabilityOf(g.weight, w->weights.sum)});
}

/* Without damage, a value is well-formed. */
static Utf8Cause causeOfDamage(const Utf8Damage *d) {
  const Utf8CauseKind kind = d->runs == 0         ? UTF8_CAUSE_NONE
                             : d->cuts == d->runs ? UTF8_CAUSE_CUT
                                                  : UTF8_CAUSE_DAMAGED;
  return (Utf8Cause){.kind = kind, .charset = UTF8_CHARSET_UNKNOWN};
}

/* Returns what a charset of pasted text weighs beside the cheapest one. */
static uint64_t weightOfPasted(const Utf8AsUtf8 *as, size_t i) {
  const uint64_t more = as->pasted[i].cost - as->pasted[0].cost;
  return utf8detect_weight((uint32_t)utf8detect_lesser(more, UINT32_MAX));
}

/* Adds the pasted text that the charset at `from` gives. Its share of the history is what all charsets weigh
** that give it. A charset that does not extend ASCII is left out, since no policy writes it. */
static void addPastedText(Utf8Readings *r, const ReadingWeights *w, size_t from,
                          uint64_t sum) {
  const Utf8AsUtf8 *as = &w->as;
  const Utf8Charset charset = as->pasted[from].charset;
  const uint64_t all =
      probabilityOf(w->weights.histories[UTF8_HISTORY_PASTED], w->weights.sum);
  uint64_t same = 0;
  for (size_t i = 0; i < as->pasted_count; i++) {
    if (!utf8detect_is_same_text(&as->pasted_bigrams, charset, as->pasted[i].charset))
      continue;
    if (i < from) return; /* added already */
    same += weightOfPasted(as, i);
  }
  if (!utf8charset_extends_ascii(charset)) return;
  addReading(r, (Utf8Reading){{.kind = UTF8_CAUSE_PASTED, .charset = charset},
                              UTF8_LANGUAGES,
                              all * (probabilityOf(same, sum) >> 1) >> 31});
}

static void addPasted(Utf8Readings *r, const ReadingWeights *w) {
  const Utf8AsUtf8 *as = &w->as;
  uint64_t sum = 0;
  for (size_t i = 0; i < as->pasted_count; i++) sum += weightOfPasted(as, i);
  for (size_t i = 0; i < as->pasted_count; i++) addPastedText(r, w, i, sum);
}

static void addAll(Utf8Readings *r, const ReadingWeights *w) {
  r->count = 0;
  addSingleBytes(r, w);
  for (size_t i = UTF8_HISTORY_ASIAN; i < UTF8_HISTORY_DAMAGED; i++)
    addAlone(r, w, i, causeOfCharsetHistory(w, i));
  addAlone(r, w, UTF8_HISTORY_DAMAGED, causeOfDamage(&w->as.damage));
  addPasted(r, w);
}

/* ---- calibration ------------------------------------------------------------------------------- */

/* A short value alone is less sure than its costs say, since no table has all names: the logarithm of the odds is a
** fifth less. Of TEMPER_VALUES values in its table, or TEMPER_BIGRAMS bigrams in it for each, it is a tenth.
** Fitted on the development text of tool/detect/causes.py. */
#define TEMPER_ONE     256
#define TEMPER_LESS    (TEMPER_ONE / 5)
#define TEMPER_VALUES  9
#define TEMPER_BIGRAMS 2

/* The logarithm is up to this much more in a long text, of which detect/bigrams.h counts each bigram but a few times;
** of TEMPER_HIGH different bigrams beyond ASCII, it is half of that. */
#define TEMPER_MORE (TEMPER_ONE / 5 * 2)
#define TEMPER_HIGH 32

/* Is there a reading that is alike to the model? Then only its prior speaks against it. */
static int hasAlike(const Utf8Readings *r, const Utf8BigramList *bigrams) {
  for (size_t i = 1; i < r->count; i++) {
    const Utf8Cause a = r->list[0].cause, b = r->list[i].cause;
    if (a.kind == UTF8_CAUSE_CHARSET && b.kind == UTF8_CAUSE_CHARSET &&
        utf8charset_extends_ascii(a.charset) && utf8charset_extends_ascii(b.charset) &&
        utf8detect_is_alike(a.charset, b.charset, bigrams->bytes, bigrams->bytes_count))
      return 1;
  }
  return 0;
}

/* Returns how many values the neighbourhood has. A mixture has signs beside different numbers once, so their rows count. */
static size_t neighboursOf(const ReadingWeights *w, const Utf8Neighbours *among) {
  const Utf8Mixture *column = among->column, *table = among->table;
  size_t count = table ? table->count + table->clean_count : 0;
  if (column && w->likelihood.is_signs && !w->likelihood.is_lone)
    count += column->rows_ill_formed;
  return count;
}

static unsigned temperOf(const Utf8Readings *r, const ReadingWeights *w,
                         const Utf8Neighbours *among) {
  const Utf8BigramList *bigrams = &w->as.whole_bigrams;
  const size_t values =
      neighboursOf(w, among) + (size_t)bigrams->high_sum / TEMPER_BIGRAMS;
  const size_t more = TEMPER_MORE * bigrams->high / (bigrams->high + TEMPER_HIGH);
  const unsigned less =
      (unsigned)(TEMPER_LESS * TEMPER_VALUES / (values + TEMPER_VALUES));
  if (hasAlike(r, bigrams)) return TEMPER_ONE - less;
  return TEMPER_ONE - less + (unsigned)more;
}

/* Makes the first reading, which is not certain, as probable as p. The others share the rest in the same proportion as
** before; those whose share rounds to 0 are dropped. */
static void setFirstProbability(Utf8Readings *r, uint64_t p) {
  const uint64_t rest = UTF8_PROBABILITY_ONE - r->list[0].probability;
  for (size_t i = 1; i < r->count; i++) {
    const uint64_t share = (r->list[i].probability << 31) / rest;
    r->list[i].probability = share * (UTF8_PROBABILITY_ONE - p) >> 31;
  }
  r->list[0].probability = p;
  while (r->list[r->count - 1].probability == 0) r->count--;
}

/* Tempers the odds of the first reading against all others, if it is likelier than these together. */
static void temper(Utf8Readings *r, const ReadingWeights *w,
                   const Utf8Neighbours *among) {
  if (r->count == 0) return;
  if (r->list[0].probability == UTF8_PROBABILITY_ONE) r->list[0].probability--;
  const uint64_t p = r->list[0].probability, rest = UTF8_PROBABILITY_ONE - p;
  if (p <= rest) return;
  const uint32_t odds = utf8detect_log(p) - utf8detect_log(rest);
  const uint64_t less = utf8detect_weight(odds * temperOf(r, w, among) / TEMPER_ONE);
  const uint64_t tempered = probabilityOf(UTF8_WEIGHT, UTF8_WEIGHT + less);
  const int is_doubtful = isDoubtful(w, r->list[0].cause);
  setFirstProbability(r,
                      is_doubtful ? utf8detect_lesser(tempered, DOUBTFUL) : tempered);
}

/* A value that has no neighbours. */
static const Utf8Neighbours noNeighbours;

/* Lists what the value weighs under the prior of its neighbours, or of the world if it is alone. */
static void listReadings(Utf8Readings *r, ReadingWeights *w, uint64_t hash,
                         const Utf8Neighbours *among) {
  weighReadings(w, hash, among);
  addAll(r, w);
  temper(r, w, among);
}

/* ---- a value that is as sure alone ----------------------------------------------------------- */

/* A reading that its neighbours hold for this likely, at least, is as probable as it is alone: a value may have
** come from elsewhere than the others. */
#define LIKELY_AMONG (UTF8_PROBABILITY_ONE / 16 * 15)

/* Are two readings of the value the same text? */
static int isSameTextReading(const ReadingWeights *w, Utf8Cause a, Utf8Cause b) {
  const Utf8BigramList *bigrams =
      a.kind == UTF8_CAUSE_PASTED ? &w->as.pasted_bigrams : &w->as.whole_bigrams;
  return a.kind == b.kind && utf8detect_is_same_text(bigrams, a.charset, b.charset);
}

static void raiseByValue(Utf8Readings *r, ReadingWeights *w) {
  Utf8Readings own;
  if (r->count == 0 || r->list[0].probability < LIKELY_AMONG) return;
  if (r->list[0].probability >= UTF8_PROBABILITY_SURE) return;
  listReadings(&own, w, 0, &noNeighbours);
  if (own.count > 0 && own.list[0].probability > r->list[0].probability &&
      isSameTextReading(w, r->list[0].cause, own.list[0].cause))
    setFirstProbability(r, own.list[0].probability);
}

/* ---- all readings ---------------------------------------------------------------------------- */

static Utf8Cause causeOf(const Utf8Readings *r) {
  if (r->count > 0 && r->list[0].probability >= UTF8_PROBABILITY_SURE)
    return r->list[0].cause;
  return (Utf8Cause){.kind = UTF8_CAUSE_UNCLEAR, .charset = UTF8_CHARSET_UNKNOWN};
}

void utf8detect_readings(Utf8Readings *r, Utf8CauseEvidence *e, uint64_t hash,
                         const Utf8Neighbours *among) {
  ReadingWeights w;
  if (!among) among = &noNeighbours;
  if (utf8detect_cause_is_overlong(e)) {
    const Utf8Cause cause = {.kind = UTF8_CAUSE_OVERLONG,
                             .charset = UTF8_CHARSET_UNKNOWN};
    r->list[0] = (Utf8Reading){cause, UTF8_LANGUAGES, UTF8_PROBABILITY_ONE};
    r->count = 1;
  } else {
    readEvidence(&w, e, among->table);
    listReadings(r, &w, hash, among);
    if (among->table) raiseByValue(r, &w);
  }
  r->cause = causeOf(r);
}

void utf8detect_read_in_row(Utf8Row *row, Utf8CauseEvidence *e, uint64_t hash,
                            const Utf8Neighbours *among) {
  ReadingWeights w;
  Utf8Prior prior;
  if (utf8detect_cause_is_overlong(e)) return;
  readEvidence(&w, e, among->table);
  utf8detect_prior_among(&prior, &w.as, hash, among);
  utf8detect_row_add(row, &w.likelihood, &prior);
}
