/* detect/among.c: makes the prior of a value of what its neighbours show. */
#include "detect/among.h"
#include "detect/mixture.h"
#include "detect/signs.h"
#include <string.h>

Utf8Damage utf8detect_damage_among(const Utf8Damage *damage, const Utf8Mixture *table) {
  Utf8Damage among = *damage;
  if (!table || table->leads == 0) return among;
  among.seen |= table->leads;
  if (among.sequences < among.runs) among.sequences = among.runs;
  return among;
}

/* A letter of a charset is one of LETTER_SHARE, unless well-formed values have it, which counts as much as one letter
** of theirs. All letters say at most LETTERS_BITS for a charset, or against it. */
#define LETTER_SHARE 32
#define LETTERS_BITS 6

/* What column and table know of letters. */
typedef struct MixtureLetters {
  const Utf8Mixture *column, *table;
  uint64_t sum;
} MixtureLetters;

/* Returns what a letter, which well-formed values have n times, speaks against a reading. */
static int32_t letterAgainst(const MixtureLetters *letters, uint64_t n) {
  return (int32_t)utf8detect_log(letters->sum + 1) -
         (int32_t)utf8detect_log(LETTER_SHARE * n + 1);
}

static int32_t notBeyond(int32_t cost, int32_t max) {
  return cost > max ? max : cost < -max ? -max : cost;
}

static int32_t lettersAgainst(const MixtureLetters *letters, Utf8Charset charset,
                              const Utf8BigramList *bigrams) {
  const uint16_t *high = utf8detect_high(charset);
  int32_t sum = 0;
  for (size_t i = 0; i < bigrams->bytes_count; i++) {
    const uint32_t letter = utf8detect_letter_of(high[bigrams->bytes[i]]);
    const uint64_t own =
        letters->column ? utf8detect_mixture_letter(letters->column, letter) : 0;
    sum +=
        letterAgainst(letters, own + utf8detect_mixture_letter(letters->table, letter));
  }
  return notBeyond(sum, LETTERS_BITS * 8);
}

/* Returns what the continuation bytes of well-formed values speak against damage that left those of the
** value: a character of theirs that lost its lead byte leaves one of theirs. */
static int32_t trailsAgainst(const Utf8Mixture *table, const Utf8BigramList *bigrams) {
  uint64_t all = 0;
  int32_t sum = 0;
  for (int i = 0; i < 64; i++) all += table->trails[i];
  for (size_t i = 0; i < bigrams->bytes_count && bigrams->bytes[i] < 64; i++)
    sum += (int32_t)utf8detect_log(all + 1) -
           (int32_t)utf8detect_log((uint64_t)64 * table->trails[bigrams->bytes[i]] + 1);
  return notBeyond(sum, LETTERS_BITS * 8);
}

/* Adds what the well-formed values say to the prior of a value with these bigrams. */
static void weighLetters(Utf8Prior *prior, const Utf8Mixture *column,
                         const Utf8Mixture *table, const Utf8BigramList *bigrams) {
  const MixtureLetters letters = {
      column, table, (uint64_t)table->letter_sum + (column ? column->letter_sum : 0)};
  if (letters.sum == 0) return;
  for (size_t i = 0; i < UTF8_HISTORIES; i++) {
    int32_t against = 0;
    if (i < UTF8_HISTORY_ASIAN) {
      against = lettersAgainst(&letters, utf8detect_history_charset(i), bigrams);
    } else if (i == UTF8_HISTORY_DAMAGED) {
      against = trailsAgainst(table, bigrams);
    }
    prior->against[i] = (uint32_t)(against + LETTERS_BITS * 8);
  }
}

/* Makes the prior of a value with this hash from what the mixture says, apart from the value itself. */
static void applyWithoutOwn(Utf8Prior *prior, const Utf8Mixture *m, uint64_t hash) {
  if (!m) return;
  utf8detect_apply_mixture(prior, m, utf8detect_mixture_own(m, hash));
}

static void weighUnshown(Utf8Prior *prior, const Utf8Mixture *m, uint64_t hash) {
  utf8detect_make_unshown_rarer(prior, m, utf8detect_mixture_own(m, hash));
}

/* Eighths of a bit that speak for damage that left no whole sequence in a value alone. */
#define ALONE_NONE_EIGHTHS 32

static void weighDamageAlone(Utf8Prior *prior, const Utf8Damage *damage) {
  uint32_t *cost = &prior->history[UTF8_HISTORY_DAMAGED];
  if (damage->sequences > 0) return;
  *cost -= *cost < ALONE_NONE_EIGHTHS ? *cost : ALONE_NONE_EIGHTHS;
}

/* How common well-formed values are in the column of one of them: only that counts, in each language. */
static void weighWellFormed(Utf8Prior *prior, const Utf8Mixture *column) {
  const uint64_t all = (uint64_t)column->rows_ill_formed + column->rows_well_formed;
  const uint64_t own = column->rows_well_formed;
  prior->history[UTF8_HISTORY_DAMAGED] =
      utf8detect_log(all ? all : 1) - utf8detect_log(own ? own : 1);
  prior->against[UTF8_HISTORY_DAMAGED] = 0;
  utf8detect_prior_apart(prior);
}

/* Several rows with the same bytes need several accidents if they are damaged, and one if they are in a charset. Damage
** costs two bits more each time that a column has twice as many rows as different values. */
static void weighRepeated(Utf8Prior *prior, const Utf8Mixture *column) {
  const uint32_t rows = column->rows_ill_formed, values = (uint32_t)column->count;
  if (values == 0 || rows <= values) return;
  const uint32_t more = 2 * (utf8detect_log(rows) - utf8detect_log(values));
  prior->history[UTF8_HISTORY_DAMAGED] += more;
  prior->history[UTF8_HISTORY_PASTED] += more;
}

/* A column of signs and lone letters shows little of its charset, which is that of the letters in its table. Their evidence
** counts one and a half times. */
static void weighBySigns(Utf8Prior *prior, const Utf8AsUtf8 *as,
                         const Utf8Mixture *column, const Utf8Mixture *table) {
  uint32_t least = UINT32_MAX;
  if (!column || column->count > column->signs || table->count == table->signs) return;
  if (utf8detect_signs_text(&as->whole_bigrams.places) < UTF8_SIGNS_APART) return;
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    if (prior->history[i] < least) least = prior->history[i];
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    prior->history[i] += (prior->history[i] - least) / 2;
}

/* ---- the row ------------------------------------------------------------------------------------ */

/* Values that came in together usually share a charset: the other values of a row speak against a history of one with at
** most ROW_BITS. Damaged values do not count, since each was damaged on its own. */
#define ROW_BITS 5

void utf8detect_row_add(Utf8Row *row, const Utf8Likelihood *likelihood,
                        const Utf8Prior *prior) {
  Utf8Prior languages = *prior;
  Utf8Weights w;
  uint64_t most = 0;
  if (likelihood->is_lone) return;
  utf8detect_prior_apart(&languages);
  memset(languages.history, 0, sizeof languages.history);
  memset(languages.against, 0, sizeof languages.against);
  utf8detect_weigh(&w, likelihood, &languages);
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    if (w.histories[i] > most) most = w.histories[i];
  if (w.histories[UTF8_HISTORY_DAMAGED] == most ||
      w.histories[UTF8_HISTORY_PASTED] == most)
    return;
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    row->against[i] += utf8detect_log(most + 1) - utf8detect_log(w.histories[i] + 1);
}

static void weighRow(Utf8Prior *prior, const Utf8Row *row) {
  uint32_t least = UINT32_MAX;
  if (!row) return;
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    if (row->against[i] < least) least = row->against[i];
  for (size_t i = 0; i < UTF8_HISTORIES; i++)
    prior->against[i] +=
        (uint32_t)utf8detect_lesser(row->against[i] - least, ROW_BITS * 8);
}

/* ---- the prior of a value ------------------------------------------------------------------------ */

void utf8detect_prior_among(Utf8Prior *prior, const Utf8AsUtf8 *as, uint64_t hash,
                            const Utf8Neighbours *among) {
  const Utf8Mixture *column = among->column, *table = among->table;
  if (!table) {
    utf8detect_world_prior(prior);
    weighDamageAlone(prior, &as->damage);
    return;
  }
  *prior = table->world;
  applyWithoutOwn(prior, table, hash);
  applyWithoutOwn(prior, column, hash);
  weighBySigns(prior, as, column, table);
  weighLetters(prior, column, table, &as->whole_bigrams);
  weighRow(prior, among->row);
  weighUnshown(prior, column ? column : table, hash);
  if (!column) return;
  if (as->damage.runs == 0)
    weighWellFormed(prior, column);
  else
    weighRepeated(prior, column);
}
