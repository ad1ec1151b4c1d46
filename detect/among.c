/* detect/among.c: makes the prior of a value of what its neighbours show. */
#include "detect/among.h"
#include "detect/letters.h"
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
  utf8detect_letters_against(prior->against, &as->whole_bigrams, column, table);
  weighRow(prior, among->row);
  weighUnshown(prior, column ? column : table, hash);
  if (!column) return;
  if (as->damage.runs == 0)
    weighWellFormed(prior, column);
  else
    weighRepeated(prior, column);
}
