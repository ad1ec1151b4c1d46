/* detect/among.c: decides what happened to an ill-formed value by its column and table. */
#include "detect/among.h"
#include "charset/legacy.h"
#include "detect/prior.h"
#include "detect/usage.h"

/* ---- the decision -------------------------------------------------------------------------------- */

/* A reading is written if all others together weigh at most one in SURE_SHARE; and less, where few values
** were read: what they show is uncertain as well. */
#define SURE_SHARE   1024
#define LIKELY_SHARE 16
#define SURE_VALUES  16

static uint64_t sureShare(const Utf8Mixture *table) {
  const uint64_t values = table->count + table->clean_count;
  return SURE_SHARE + SURE_SHARE * SURE_VALUES / (values + 1);
}

/* The damage of the value, in a column with these sequences. */
static Utf8Damage damageAmong(const Utf8Damage *damage, const Utf8Mixture *table) {
  Utf8Damage among = *damage;
  if (table->leads == 0) return among;
  among.seen |= table->leads;
  if (among.sequences < among.runs) among.sequences = among.runs;
  return among;
}

/* A letter of a charset is one of LETTER_SHARE, unless well-formed values have it. That counts as much as
** LETTER_PRIOR letters of theirs. All letters say at most LETTERS_BITS for a charset, or against it. */
#define LETTER_SHARE 32
#define LETTER_PRIOR 4
#define LETTERS_BITS 16

/* What column and table know of letters. */
typedef struct MixtureLetters {
  const Utf8Mixture *column, *table;
  uint64_t sum;
} MixtureLetters;

/* Returns what a letter, which well-formed values have n times, speaks against a reading. */
static int32_t letterAgainst(const MixtureLetters *letters, uint64_t n) {
  return (int32_t)utf8detect_log(letters->sum + LETTER_PRIOR) -
         (int32_t)utf8detect_log(LETTER_SHARE * n + LETTER_PRIOR);
}

static int32_t notBeyond(int32_t cost, int32_t max) {
  return cost > max ? max : cost < -max ? -max : cost;
}

static int32_t lettersAgainst(const MixtureLetters *letters, Utf8Charset charset,
                              const Utf8PairList *pairs) {
  const uint16_t *high = utf8detect_high(charset);
  int32_t sum = 0;
  for (size_t i = 0; i < pairs->bytes_count; i++) {
    const uint32_t letter = utf8detect_letter_of(high[pairs->bytes[i]]);
    const uint64_t own =
        letters->column ? utf8detect_mixture_letter(letters->column, letter) : 0;
    sum +=
        letterAgainst(letters, own + utf8detect_mixture_letter(letters->table, letter));
  }
  return notBeyond(sum, LETTERS_BITS * 8);
}

/* Returns what the continuation bytes of well-formed values speak against damage that left those of the
** value: a character of theirs that lost its lead byte leaves one of theirs. */
static int32_t trailsAgainst(const Utf8Mixture *table, const Utf8PairList *pairs) {
  uint64_t all = 0;
  int32_t sum = 0;
  for (int i = 0; i < 64; i++) all += table->trails[i];
  for (size_t i = 0; i < pairs->bytes_count && pairs->bytes[i] < 64; i++)
    sum += (int32_t)utf8detect_log(all + LETTER_PRIOR) -
           (int32_t)utf8detect_log((uint64_t)64 * table->trails[pairs->bytes[i]] +
                                   LETTER_PRIOR);
  return notBeyond(sum, LETTERS_BITS * 8);
}

/* Adds what the well-formed values say to the prior of a value with these pairs. */
static void weighLetters(Utf8Prior *prior, const Utf8Mixture *column,
                         const Utf8Mixture *table, const Utf8PairList *pairs) {
  const MixtureLetters letters = {
      column, table, (uint64_t)table->letter_sum + (column ? column->letter_sum : 0)};
  if (letters.sum == 0) return;
  for (size_t i = 0; i < UTF8_HISTORIES; i++) {
    int32_t against = 0;
    if (i < UTF8_HISTORY_ASIAN) {
      against = lettersAgainst(&letters, utf8detect_history_charset(i), pairs);
    } else if (i == UTF8_HISTORY_DAMAGED) {
      against = trailsAgainst(table, pairs);
    }
    prior->history[i] += (uint32_t)(against + LETTERS_BITS * 8);
  }
}

/* Makes the prior of a value with this hash from what the mixture says, apart from the value itself. */
static void priorAmong(Utf8Prior *prior, const Utf8Mixture *m, uint64_t hash) {
  if (!m) return;
  const size_t at = utf8detect_mixture_place(m, hash);
  utf8detect_apply_mixture(prior, m, at < m->count ? &m->values[at].shares : NULL);
}

/* Do two histories read the value alike? */
static int isReadSame(const Utf8PairList *pairs, size_t a, size_t b) {
  return a == b || (a < UTF8_HISTORY_ASIAN && b < UTF8_HISTORY_ASIAN &&
                    utf8detect_is_same_text(pairs->bytes, pairs->bytes_count,
                                            utf8detect_history_charset(a),
                                            utf8detect_history_charset(b)));
}

/* Returns what all histories weigh that read the value as this one does. */
static uint64_t weightOfText(const Utf8Weights *w, const Utf8PairList *pairs,
                             size_t history) {
  uint64_t sum = 0;
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    if (w->histories[i] > 0 && isReadSame(pairs, history, i)) sum += w->histories[i];
  return sum;
}

/* Returns the weight of the cheapest pasted text, of what all pasted texts weigh. */
static uint64_t weightOfPasted(const Utf8Readings *r, uint64_t all) {
  uint64_t same = 0, sum = 0;
  for (size_t i = 0; i < r->pasted_count; i++) {
    const uint64_t weight = utf8detect_weight(
        (uint32_t)utf8detect_lesser(r->pasted[i].cost - r->pasted[0].cost, UINT32_MAX));
    sum += weight;
    if (utf8detect_is_same_text(r->pasted_pairs.bytes, r->pasted_pairs.bytes_count,
                                r->pasted[0].charset, r->pasted[i].charset))
      same += weight;
  }
  return sum > 0 ? all / ((sum >> 20) + 1) * (same >> 20) : 0;
}

static size_t heaviest(const Utf8Weights *w) {
  size_t best = 0;
  for (size_t i = 1; i < UTF8_HISTORIES; i++) {
    const int isFirst =
        utf8detect_history_charset(i) < utf8detect_history_charset(best);
    if (w->histories[i] > w->histories[best] ||
        (w->histories[i] == w->histories[best] && isFirst))
      best = i;
  }
  return best;
}

static Utf8Cause causeOfHistory(const Utf8CauseEvidence *e, const Utf8Readings *r,
                                const Utf8Damage *damage, size_t history) {
  if (history == UTF8_HISTORY_DAMAGED) return utf8detect_cause_of_damage(damage);
  if (history == UTF8_HISTORY_PASTED)
    return (Utf8Cause){UTF8_CAUSE_PASTED, r->pasted[0].charset};
  const int isFour = history == UTF8_HISTORY_ASIAN && e->whole.asian.four_bytes > 0;
  return (Utf8Cause){UTF8_CAUSE_CHARSET, isFour ? UTF8_CHARSET_GB18030
                                                : utf8detect_history_charset(history)};
}

/* What the weights of a value show. */
typedef struct MixtureDecision {
  Utf8Cause cause; /* the likeliest one */
  size_t history;  /* which it follows from */
  int is_sure;
  int is_likely;
} MixtureDecision;

/* Does the charset read the value as the likeliest one does? */
static int isReadAs(const MixtureDecision *d, const Utf8PairList *pairs,
                    Utf8Charset charset) {
  return d->history < UTF8_HISTORY_ASIAN &&
         utf8detect_is_same_text(pairs->bytes, pairs->bytes_count, d->cause.charset,
                                 charset);
}

/* Of charsets that read a value alike, windows-1252 is named. */
static MixtureDecision decideByWeights(const Utf8Weights *w, const Utf8CauseEvidence *e,
                                       const Utf8Readings *r, const Utf8Damage *damage,
                                       uint64_t share) {
  const size_t best = heaviest(w);
  const uint64_t weight = best == UTF8_HISTORY_PASTED
                              ? weightOfPasted(r, w->histories[best])
                              : weightOfText(w, &r->whole_pairs, best);
  MixtureDecision d = {causeOfHistory(e, r, damage, best), best,
                       w->sum - weight <= w->sum / share,
                       w->sum - weight <= w->sum / LIKELY_SHARE};
  if (isReadAs(&d, &r->whole_pairs, UTF8_CHARSET_WINDOWS1252))
    d.cause.charset = UTF8_CHARSET_WINDOWS1252;
  return d;
}

/* Does the likeliest charset read a value of signs that stand apart, as in prices? */
static int isOfSigns(const MixtureDecision *d, const Utf8PairList *pairs) {
  return d->history < UTF8_HISTORY_ASIAN &&
         utf8detect_usage_beside_letters(pairs) == 0 &&
         utf8detect_usage_are_signs_in(pairs, d->cause.charset);
}

/* Does the value alone show what its neighbours hold for likeliest? */
static int isAlsoAlone(const MixtureDecision *d, Utf8Cause alone,
                       const Utf8PairList *pairs) {
  if (d->history < UTF8_HISTORY_ASIAN)
    return alone.kind == UTF8_CAUSE_CHARSET && isReadAs(d, pairs, alone.charset);
  return alone.kind == d->cause.kind && alone.charset == d->cause.charset;
}

/* Does the table show nothing but the value itself, if that, or but signs? */
static int isWithoutNeighbours(const Utf8Mixture *table, uint64_t hash) {
  const size_t own = utf8detect_mixture_place(table, hash) < table->count;
  return table->clean_count == 0 && (table->count == own || !table->has_letters);
}

/* Returns the cause of a value without neighbours. Signs are those of Windows. */
static Utf8Cause causeAlone(Utf8CauseEvidence *e, const Utf8PairList *pairs) {
  if (utf8detect_usage_are_signs(pairs))
    return (Utf8Cause){UTF8_CAUSE_CHARSET, UTF8_CHARSET_WINDOWS1252};
  return utf8detect_cause_decide(e);
}

Utf8Cause utf8detect_cause_among(Utf8CauseEvidence *e, uint64_t hash,
                                 const Utf8Mixture *column, const Utf8Mixture *table) {
  Utf8Readings r;
  Utf8Likelihood likelihood;
  Utf8Prior prior;
  Utf8Weights w;
  const Utf8Damage damage = damageAmong(&e->whole.damage, table);
  if (utf8detect_is_overlong(e)) return utf8detect_cause_decide(e);
  utf8detect_read_utf8(&r, e, &damage, UTF8_MIXTURE_MARGIN);
  if (isWithoutNeighbours(table, hash)) return causeAlone(e, &r.whole_pairs);
  utf8detect_likelihood(&likelihood, e, &r);
  utf8detect_world_prior(&prior);
  priorAmong(&prior, table, hash);
  priorAmong(&prior, column, hash);
  weighLetters(&prior, column, table, &r.whole_pairs);
  utf8detect_weigh(&w, &likelihood, &prior);
  const MixtureDecision d = decideByWeights(&w, e, &r, &damage, sureShare(table));
  const int isWritten =
      d.history != UTF8_HISTORY_PASTED || utf8charset_extends_ascii(d.cause.charset);
  const int isConfirmed =
      d.is_likely && (isOfSigns(&d, &r.whole_pairs) ||
                      isAlsoAlone(&d, utf8detect_cause_decide(e), &r.whole_pairs));
  if (isWritten && (d.is_sure || isConfirmed)) return d.cause;
  return (Utf8Cause){UTF8_CAUSE_UNCLEAR, UTF8_CHARSET_UNKNOWN};
}
