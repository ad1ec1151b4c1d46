/* detect/lost.c: reads a value as it was before a few letters lost their lead bytes, or before a byte was inserted. */
#include "detect/lost.h"
#include "detect/words.h"

/* The bits below were chosen with `damage` and `one` of tool/detect/lists.py, and with causes.py. */
#define LOST_BITS(n) ((int64_t)(n)*UTF8_MODEL_UNIT)

/* Damage has its price in detect/damage.h if each letter that lost its lead byte costs this many bits where it stands. */
#define LOST_LETTER 16

/* If the letters cost less, damage does, too: at most LOST_LETTER bits less. If they cost more, something else has happened, which
** costs at most LOST_MORE bits more. */
#define LOST_MORE 3

/* The bits of an inserted byte, which is any of 256. */
#define LOST_INSERTED 25

/* If a value lost more letters than this, they are not read: damage has its price. */
#define LOST_RUNS 4

/* Trigrams are not read where letters cost this many bits more than the price allows. */
#define LOST_FAR 8

/* Stores what bigrams cost in each Latin language. */
static void readBigrams(int64_t cost[DETECT_LATIN], const Utf8Alphabet *alphabet,
                        const Utf8Bigram *list, size_t count) {
  uint32_t of[UTF8_MODEL_LANGUAGES] = {0};
  const int64_t kinds = (int64_t)utf8detect_kinds_cost(alphabet, list, count);
  utf8detect_add_names(of, alphabet, DETECT_SCRIPT_LATIN, list, count);
  for (size_t i = 0; i < DETECT_LATIN; i++) cost[i] = kinds + of[i];
}

/* ---- lead bytes --------------------------------------------------------------------------------- */

/* Is all that is ill-formed a few lone continuation bytes inside of the value? */
static int areTrails(const Utf8Damage *d) {
  return d->runs <= LOST_RUNS && d->runs == d->errors && d->trails == d->errors &&
         d->cuts == 0;
}

/* Lowers what the letters cost in each language to what they cost in the alphabet of a lead byte, unless that is above far. */
static void readLead(int64_t cost[DETECT_LATIN], const Utf8Alphabet *alphabet,
                     const Utf8AsUtf8 *as, int64_t far) {
  int64_t of[DETECT_LATIN];
  readBigrams(of, alphabet, as->pasted_bigrams.list, as->pasted_bigrams.high);
  for (unsigned i = 0; i < DETECT_LATIN; i++) {
    if (of[i] > far) continue;
    of[i] += utf8detect_trigrams_cost(alphabet, i, as->pasted_trigrams);
    if (of[i] < cost[i]) cost[i] = of[i];
  }
}

/* Stores how much more than LOST_LETTER the letters cost in each language, with the lead byte that fits best. */
static void readTrails(int64_t more[DETECT_LATIN], const Utf8AsUtf8 *as,
                       int may_be_capitals) {
  const Utf8Alphabet *lost = utf8detect_alphabets()->lost;
  const int64_t price = LOST_BITS(LOST_LETTER * as->damage.runs);
  const int64_t most = price + LOST_BITS(LOST_MORE), far = most + LOST_BITS(LOST_FAR);
  const int64_t least = price - LOST_BITS(LOST_LETTER);
  for (size_t i = 0; i < DETECT_LATIN; i++) more[i] = most;
  for (size_t lead = 0; lead < UTF8_LOST_LEADS; lead++) {
    const int is_upper = may_be_capitals && utf8detect_words_are_capitals(
                                                &as->pasted_bigrams, &lost[lead]);
    readLead(more, &lost[lead + (is_upper ? UTF8_LOST_LEADS : 0)], as, far);
  }
  for (size_t i = 0; i < DETECT_LATIN; i++)
    more[i] = (more[i] > least ? more[i] : least) - price;
}

/* ---- inserted bytes ------------------------------------------------------------------------------- */

/* Stores the bigram of the two bytes beside the only ill-formed one. Returns 0 if there are not two of ASCII. */
static int bigramAround(Utf8Bigram *around, const Utf8BigramList *bigrams) {
  if (bigrams->high != 2) return 0;
  const size_t before = bigrams->list[0].second < 128 ? 0 : 1;
  *around =
      (Utf8Bigram){bigrams->list[before].first, bigrams->list[1 - before].second, 1};
  return around->first >= 128 && around->second >= 128;
}

/* Lowers what the value costs in each language to what it does without its only ill-formed byte. */
static void readInserted(int64_t more[DETECT_LATIN], const Utf8AsUtf8 *as) {
  int64_t of[DETECT_LATIN];
  Utf8Bigram around;
  if (as->damage.errors != 1 || as->damage.cuts > 0 || as->damage.sequences == 0)
    return;
  if (!bigramAround(&around, &as->pasted_bigrams)) return;
  const int64_t price = (int64_t)as->damaged -
                        (int64_t)utf8detect_text_cost(&as->damage, &as->whole_bigrams);
  readBigrams(of, utf8detect_alphabets()->lost, &around, 1);
  for (size_t i = 0; i < DETECT_LATIN; i++) {
    const int64_t all = LOST_BITS(LOST_INSERTED) + of[i] - price;
    if (all < more[i]) more[i] = all;
  }
}

void utf8detect_lost_costs(int64_t more[DETECT_LATIN], const Utf8AsUtf8 *as,
                           int may_be_capitals) {
  for (size_t i = 0; i < DETECT_LATIN; i++) more[i] = 0;
  if (as->damage.errors == 0) return;
  if (areTrails(&as->damage)) readTrails(more, as, may_be_capitals);
  readInserted(more, as);
}
