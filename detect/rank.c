/* detect/rank.c: compares legacy charsets by how plausible the bytes are as text in them.
**
** The cheapest charset is the most plausible one.
**
** Single-byte charsets: what bigrams cost, in a charset and one of its languages. Only
** bigrams with a byte above 7F distinguish charsets; ASCII bigrams distinguish languages, and count
** less. The counts of all bigrams are all that is needed of a text, so values can be added up.
**
** Most sums are never completed: the first bigrams show a charset that is cheap, and others are
** dropped as soon as they cost more. Costs only grow, so the answer is that of all sums.
*/
#include "detect/alphabet.h"
#include "detect/signs.h"
#include "detect/usage.h"
#include "detect/words.h"
#include "core/bytes.h"
#include <string.h>

#define RANK_COUNT(array) (sizeof(array) / sizeof *(array))
/* ASCII bigrams speak for a language with one in this many of their bits, and with at most this
** many bits for each bigram that has a byte above 7F. */
#define ASCII_SHARE 2
#define ASCII_BITS  6

/* One in this many of the ASCII bigrams, of which at most ASCII_MAX count, is a bit that speaks
** against other scripts. */
#define ASCII_MAX     24
#define FOREIGN_SHARE 3

/* Bits that speak against every charset but the commonest, if there is one byte above 7F and at
** most LONE_ASCII bigrams of ASCII. */
#define LONE_BITS  6
#define LONE_ASCII 2

/* Bits that speak against a charset that hardly anyone uses. */
#define RARE_BITS 8

#define COST_MAX UINT64_MAX

#define DETECT_LANGUAGES RANK_COUNT(detect_languages)

/* ---- the language by its ASCII letters ------------------------------------------------- */

#define DETECT_ENGLISH 0

/* If English costs SURE_BITS more than another Latin language, the text is not English with a
** foreign name; then SURE_MAX_BITS may speak against the other languages. */
#define SURE_BITS     12
#define SURE_MAX_BITS 24

/* At most this many bits speak against another script: its texts have ASCII words in English. */
#define SCRIPT_MAX_BITS 16

/* Bits that speak against a language without a letter that is around. */
#define UNKNOWN_BITS 8

/* What speaks against each language: how much more its ASCII bigrams cost than in the best one. */
typedef struct RankPenalties {
  int is_set;
  int is_sure;   /* English costs SURE_BITS more than the best one */
  unsigned best; /* the Latin language that costs least */
  uint64_t of[DETECT_LANGUAGES];
} RankPenalties;

typedef struct RankText {
  const Utf8Alphabets *alphabets;
  Utf8BigramList bigrams;
  /* Bit n of all: it has the byte 80 + n. */
  uint32_t bytes[RANK_COUNT(((Utf8Alphabet *)0)->lacks)];
  RankPenalties penalties;
  uint64_t foreign; /* what its ASCII bigrams speak against other scripts than Latin */
  uint64_t lone;    /* what speaks against every charset but the commonest */
  uint64_t signs;   /* signsCost() */
  const Utf8Surroundings *around; /* of pasted text; NULL to name a charset */
  int has_capitals; /* some charset may read capitals, unless around is NULL */
} RankText;

/* Returns what speaks against a Latin language: letters that it does not have. */
static uint64_t unknownCost(const Utf8CodesSeen *seen, unsigned language) {
  uint64_t count = 0;
  for (unsigned i = 0; i <= UTF8_SCRIPT_LETTERS; i++) {
    const int isSeen = seen->letters[i / 64] >> i % 64 & 1;
    count += isSeen && utf8detect_is_unknown(language, i);
  }
  return count * UNKNOWN_BITS * DETECT_UNIT;
}

/* Stores what each Latin language costs, and returns the cheapest one. */
static unsigned setLatinCosts(uint64_t of[DETECT_LATIN], const RankText *text) {
  const Utf8Surroundings *around = text->around;
  const Utf8BigramList *bigrams = around ? around->whole : &text->bigrams;
  unsigned best = 0;
  utf8detect_latin_costs(of, text->alphabets, bigrams->ascii,
                         bigrams->size - bigrams->high);
  for (unsigned i = 0; i < DETECT_LATIN; i++) {
    of[i] /= ASCII_SHARE;
    if (around) of[i] += unknownCost(&around->damage->codes, i);
    if (of[i] < of[best]) best = i;
  }
  return best;
}

static NOINLINE void setPenalties(RankText *text) {
  uint64_t max = text->bigrams.high_sum * ASCII_BITS * DETECT_UNIT;
  uint64_t *of = text->penalties.of;
  text->penalties.best = setLatinCosts(of, text);
  const uint64_t min = of[text->penalties.best];
  const uint64_t english = text->around ? of[DETECT_ENGLISH] - min : 0;
  text->penalties.is_sure = english >= SURE_BITS * DETECT_UNIT;
  if (text->penalties.is_sure && max < SURE_MAX_BITS * DETECT_UNIT)
    max = SURE_MAX_BITS * DETECT_UNIT;
  for (size_t i = 0; i < DETECT_LATIN; i++) of[i] = utf8detect_lesser(of[i] - min, max);
  for (size_t i = DETECT_LATIN; i < DETECT_LANGUAGES; i++)
    of[i] = utf8detect_lesser(english, SCRIPT_MAX_BITS * DETECT_UNIT);
  text->penalties.is_set = 1;
}

/* ---- alphabets ----------------------------------------------------------------------------- */

/* Does the alphabet lack a byte of the text? */
static int lacksByte(const Utf8Alphabet *alphabet, const RankText *text) {
  const _Atomic(uint32_t) *lacks = alphabet->lacks;
  return ((ALPHABET_LOAD(lacks[0]) & text->bytes[0]) |
          (ALPHABET_LOAD(lacks[1]) & text->bytes[1]) |
          (ALPHABET_LOAD(lacks[2]) & text->bytes[2]) |
          (ALPHABET_LOAD(lacks[3]) & text->bytes[3])) != 0;
}

/* ---- the cheapest single-byte charset ---------------------------------------------------- */

/* A charset in which no byte is undefined. */
typedef struct RankCandidate {
  const DetectCharset *charset;
  size_t alphabet;    /* its number, which says how the charset is read */
  uint64_t languages; /* those in which it is read */
  uint64_t fixed;     /* what speaks against it before the text is read */
  uint64_t least; /* fixed, and what its bigrams cost at least, whatever the language */
} RankCandidate;

/* Returns what speaks against a charset before the text is read in it. */
static uint64_t priorCost(const RankText *text, unsigned prior, int isLatin) {
  return (isLatin ? 0 : text->foreign) + (prior > 0 ? text->lone : 0) +
         prior * DETECT_UNIT;
}

/* Bits that speak against a charset that is never named, as that of pasted text. */
#define RIVAL_BITS 20

/* Returns the bits that speak against the charset. */
static unsigned priorOf(const RankText *text, const DetectCharset *charset) {
  return charset->prior == DETECT_NEVER && text->around ? RIVAL_BITS : charset->prior;
}

/* Returns what speaks against a rare charset. */
static uint64_t rareCost(const Utf8BigramList *bigrams, Utf8Charset charset) {
  return utf8detect_usage_is_unlikely(bigrams, charset) ? RARE_BITS * DETECT_UNIT : 0;
}

/* Returns what speaks against the charset whatever the bigrams are. */
static uint64_t fixedCost(const RankText *text, const DetectCharset *charset,
                          int isCapital) {
  const Utf8Charset name = charset->charset;
  uint64_t cost =
      priorCost(text, priorOf(text, charset), charset->script == DETECT_SCRIPT_LATIN);
  cost += rareCost(&text->bigrams, name);
  if (!text->around) return cost;
  cost +=
      DETECT_UNIT * utf8detect_usage_pasted_bits(text->around, name, charset->script);
  return cost + (isCapital ? UTF8_CAPITALS_BITS * DETECT_UNIT : 0);
}

/* Stores a candidate of which no bigram is read. Returns 0 if the charset does not have a byte of the
** text, or no language. */
static int beginCandidate(RankCandidate *new, const RankText *text,
                          const DetectCharset *charset) {
  const size_t index = (size_t)(charset - utf8detect_charsets);
  const Utf8Alphabet *alphabet = &text->alphabets->of[index];
  if (charset->languages == 0 || lacksByte(alphabet, text)) return 0;
  const int isCapital =
      text->has_capitals && utf8detect_words_are_capitals(&text->bigrams, alphabet);
  const int way = isCapital ? ALPHABET_CAPITALS : ALPHABET_CAUSE;
  new->charset = charset;
  new->alphabet =
      index + (text->around ? (size_t)way * UTF8_ALPHABET_CHARSETS : ALPHABET_AS_IS);
  new->languages = charset->languages;
  new->fixed = new->least = fixedCost(text, charset, isCapital);
  return 1;
}

/* Returns whether the candidate costs more than bound in all languages. */
static int isTooDear(const RankCandidate *candidate, uint64_t bound) {
  return candidate->least > bound;
}

/* Returns what list[from..to) costs in an alphabet at least. */
static uint64_t costOfBigrams(const Utf8Alphabets *all, const Utf8Alphabet *alphabet,
                              const Utf8Bigram *list, size_t from, size_t to) {
  uint64_t cost = 0;
  for (size_t i = from; i < to; i++) {
    const Utf8Bigram bigram = list[i];
    const unsigned cell = (unsigned)ALPHABET_LOAD(alphabet->row[bigram.first]) +
                          ALPHABET_LOAD(alphabet->column[bigram.second]);
    cost += (unsigned)bigram.count * ALPHABET_LOAD(all->cost[cell]);
  }
  return cost;
}

/* Adds what list[from..to) costs in each candidate. */
static void readBigrams(RankCandidate *candidates, size_t count, const RankText *text,
                        size_t from, size_t to) {
  const Utf8Alphabets *all = text->alphabets;
  for (size_t i = 0; i < count; i++)
    candidates[i].least += costOfBigrams(all, &all->of[candidates[i].alphabet],
                                         text->bigrams.list, from, to);
}

/* The languages of Western Europe come first. */
#define WESTERN_LANGUAGES 15

/* Bits that speak against a language of Western Europe in a charset of another region. */
#define AWAY_BITS 4

/* What speaks against a language in the charset. */
static uint64_t languagePenalty(const RankText *text, const DetectCharset *charset,
                                unsigned language) {
  const int isAway = text->around && language < WESTERN_LANGUAGES &&
                     !utf8detect_usage_is_western(charset->charset);
  return text->penalties.of[language] + (isAway ? AWAY_BITS * DETECT_UNIT : 0);
}

/* A candidate whose bigrams are all read, in its languages. */
typedef struct RankLanguages {
  const RankText *text;
  const RankCandidate *candidate;
  const Utf8Alphabet *alphabet;
  uint64_t fixed; /* what does not depend on the language */
  uint64_t best;  /* the cheapest cost so far; COST_MAX if none is below bound */
  uint64_t bound;
} RankLanguages;

static void readIn(RankLanguages *l, unsigned language) {
  const RankText *text = l->text;
  const DetectCharset *charset = l->candidate->charset;
  const uint64_t penalty = languagePenalty(text, charset, language);
  const uint64_t base = l->fixed + penalty;
  if (l->candidate->least + penalty > l->bound) return;
  const uint64_t cost =
      base + utf8detect_language_cost(l->alphabet, language, text->bigrams.list,
                                      text->bigrams.high, l->bound - base);
  l->best = utf8detect_lesser(l->best, cost);
  l->bound = utf8detect_lesser(l->bound, cost);
}

/* Returns what the text costs in the charset, in the cheapest language, or a number above bound. */
static uint64_t charsetCost(RankText *text, const RankCandidate *candidate,
                            uint64_t bound) {
  const DetectCharset *charset = candidate->charset;
  const Utf8BigramList *bigrams = &text->bigrams;
  const Utf8Alphabet *alphabet = &text->alphabets->of[candidate->alphabet];
  RankLanguages l = {text, candidate, alphabet, 0, COST_MAX, bound};
  if (isTooDear(candidate, bound)) return COST_MAX;
  l.fixed = candidate->fixed +
            utf8detect_kinds_cost(l.alphabet, bigrams->list, bigrams->high);
  if (charset->charset == UTF8_CHARSET_VISCII)
    l.fixed += utf8detect_tones_cost(alphabet, bigrams->list, bigrams->high);
  if (!text->penalties.is_set &&
      (text->around || charset->script == DETECT_SCRIPT_LATIN))
    setPenalties(text);
  uint64_t left = candidate->languages;
  const uint64_t best = (uint64_t)1 << text->penalties.best;
  if (left & best) readIn(&l, text->penalties.best);
  for (left &= ~best; left > 0; left &= left - 1)
    readIn(&l, (unsigned)mask_lowest(left));
  return l.best;
}

/* ---- multi-byte charsets --------------------------------------------------------------- */

/* One value in this many may have an error in a multi-byte charset: a column that was cut by a
** limit in bytes has such values. */
#define BROKEN_SHARE 16

/* In the order of Utf8AsianEvidence. */
static const struct {
  Utf8Charset charset;
  unsigned prior; /* bits that speak against it */
} asianPriors[UTF8_ASIAN_CHARSETS] = {
    {UTF8_CHARSET_GBK, 3},       {UTF8_CHARSET_BIG5, 4},   {UTF8_CHARSET_EUC_JP, 4},
    {UTF8_CHARSET_SHIFT_JIS, 3}, {UTF8_CHARSET_EUC_KR, 3}, {UTF8_CHARSET_JOHAB, 16},
    {UTF8_CHARSET_EUC_TW, 16},
};

static uint64_t asianCost(const Utf8AsianEvidence *evidence, size_t i,
                          const RankText *text) {
  const Utf8AsianSum *sum = &evidence->sum[i];
  if (evidence->values == 0 || sum->broken > evidence->values / BROKEN_SHARE)
    return COST_MAX;
  const uint64_t whole = evidence->values - sum->broken;
  const uint64_t cost = sum->cost + sum->cost / whole * sum->broken;
  return utf8detect_bigrams_share(&text->bigrams, cost) +
         priorCost(text, asianPriors[i].prior, 0);
}

/* ---- the ranking --------------------------------------------------------------------------- */

/* Is the charset iso-8859-1, and has the text control characters in it? windows-1252 is then named instead. */
static int isLatin1WithC1(const DetectCharset *charset, const Utf8BigramList *bigrams) {
  return charset->charset == UTF8_CHARSET_LATIN1 && bigrams->bytes_count > 0 &&
         bigrams->bytes[0] < 0xA0 - 0x80;
}

/* The bits of each sign, where a text has nothing else beyond ASCII. */
#define SIGN_BITS 6

/* Returns the cost of the text in windows-1252 if it has nothing but signs beyond ASCII, else
** COST_MAX. */
static uint64_t signsCost(const Utf8BigramList *bigrams) {
  return utf8detect_has_signs_only(bigrams)
             ? bigrams->bytes_count * SIGN_BITS * DETECT_UNIT
             : COST_MAX;
}

static int isWestern(Utf8Charset charset) {
  return charset == UTF8_CHARSET_WINDOWS1252 || charset == UTF8_CHARSET_LATIN1;
}

/* Returns the cost of a candidate, or a number above bound. */
static uint64_t candidateCost(RankText *text, const RankCandidate *candidate,
                              uint64_t bound) {
  const uint64_t cost = charsetCost(text, candidate, bound);
  return isWestern(candidate->charset->charset) ? utf8detect_lesser(cost, text->signs)
                                                : cost;
}

/* The charsets so far. */
typedef struct Ranking {
  const RankText *text;
  Utf8Ranked *list; /* in the order of isBefore() */
  size_t count;
  uint64_t margin;
  uint64_t bound; /* dearer charsets are left out */
} Ranking;

/* Of charsets with equal costs, the commoner charset comes first. */
static int isBefore(const Utf8Ranked *a, const Utf8Ranked *b) {
  if (a->cost != b->cost) return a->cost < b->cost;
  if (a->prior != b->prior) return a->prior < b->prior;
  return a->order != b->order ? a->order < b->order : a->charset < b->charset;
}

static void offerCharset(Ranking *r, Utf8Charset charset, unsigned prior, uint64_t cost,
                         uint64_t order) {
  const Utf8Ranked new = {charset, prior, cost, order};
  size_t at = r->count;
  if (cost == COST_MAX || cost > r->bound) return;
  if (cost + r->margin < r->bound) r->bound = cost + r->margin;
  for (; at > 0 && isBefore(&new, &r->list[at - 1]); at--)
    r->list[at] = r->list[at - 1];
  r->list[at] = new;
  r->count++;
}

/* The order of charsets that are never named, after the others. */
#define ORDER_RIVAL (UINT64_MAX / 2)

static void offerCandidate(Ranking *r, RankText *text, const RankCandidate *candidate) {
  const DetectCharset *charset = candidate->charset;
  const unsigned prior = priorOf(text, charset);
  const uint64_t order = (prior > 0 ? candidate->least : 0) +
                         (charset->prior == DETECT_NEVER ? ORDER_RIVAL : 0);
  offerCharset(r, charset->charset, prior, candidateCost(text, candidate, r->bound),
               order);
}

/* May the candidate cost at most the bound? */
static int isPossible(const RankCandidate *candidate, const Ranking *r) {
  return !isTooDear(candidate, r->bound) ||
         (r->text->signs <= r->bound && isWestern(candidate->charset->charset));
}

/* The single-byte charsets that are named, or all others, none of which is offered yet. */
typedef struct RankCandidates {
  RankCandidate list[UTF8_ALPHABET_CHARSETS];
  size_t count;
} RankCandidates;

static void beginCandidates(RankCandidates *c, const RankText *text, int isNamed) {
  c->count = 0;
  for (size_t i = isNamed ? 0 : DETECT_NAMED;
       i < (isNamed ? DETECT_NAMED : UTF8_ALPHABET_CHARSETS); i++) {
    const DetectCharset *charset = &utf8detect_charsets[i];
    if (!isLatin1WithC1(charset, &text->bigrams))
      c->count += (size_t)beginCandidate(&c->list[c->count], text, charset);
  }
}

/* The first bigrams, which show the charset that may be cheap. The others are read BIGRAMS_AT_ONCE at a time
** before the bound is compared again. */
#define BIGRAMS_FIRST   12
#define BIGRAMS_AT_ONCE 16

/* Forgets the candidates that cost more than the bound. */
static void forgetDear(RankCandidates *c, const Ranking *r) {
  size_t count = 0;
  for (size_t i = 0; i < c->count; i++) {
    if (!isPossible(&c->list[i], r)) continue;
    if (count < i) c->list[count] = c->list[i];
    count++;
  }
  c->count = count;
}

/* Reads list[from..) of the candidates, until they cost more than the bound. */
static void readPossible(RankCandidates *c, const Ranking *r, size_t from) {
  const size_t high = r->text->bigrams.high;
  forgetDear(c, r);
  for (size_t to = from; from < high && c->count > 0; from = to) {
    to = high - from < BIGRAMS_AT_ONCE ? high : from + BIGRAMS_AT_ONCE;
    readBigrams(c->list, c->count, r->text, from, to);
    forgetDear(c, r);
  }
}

/* Do two charsets of one script read all bytes of the text alike? */
static int isReadAlike(const RankText *text, const RankCandidate *a,
                       const RankCandidate *b) {
  const Utf8Alphabet *one = &text->alphabets->of[a->alphabet];
  const Utf8Alphabet *other = &text->alphabets->of[b->alphabet];
  for (size_t i = 0; i < text->bigrams.bytes_count; i++) {
    const unsigned byte = text->bigrams.bytes[i];
    if (ALPHABET_LOAD(one->row[byte]) != ALPHABET_LOAD(other->row[byte]) ||
        ALPHABET_LOAD(one->column[byte]) != ALPHABET_LOAD(other->column[byte]))
      return 0;
  }
  return 1;
}

/* Is the candidate never ranked before the other one, if both are read alike? */
static int isNeverBefore(const RankCandidate *candidate, const RankCandidate *other) {
  const DetectCharset *a = candidate->charset, *b = other->charset;
  return candidate->fixed >= other->fixed &&
         (a->prior > b->prior || (a->prior == b->prior && a->charset > b->charset));
}

/* Leaves out the languages in which a commoner charset has been read alike: the charset is not the first
** in the ranking because of them. */
static void leaveOutLanguages(RankCandidate *candidate, const RankText *text,
                              const RankCandidate *done, size_t count) {
  for (size_t i = 0; i < count && candidate->languages > 0; i++) {
    if ((candidate->languages & done[i].charset->languages) == 0) continue;
    if (isNeverBefore(candidate, &done[i]) && isReadAlike(text, candidate, &done[i]))
      candidate->languages &= ~done[i].charset->languages;
  }
}

/* Removes the candidate that is cheapest so far, and stores it. Returns 0 if none is left. */
static int takeCheapest(RankCandidates *c, RankCandidate *cheapest) {
  size_t best = 0;
  if (c->count == 0) return 0;
  for (size_t i = 1; i < c->count; i++)
    if (c->list[i].least < c->list[best].least) best = i;
  *cheapest = c->list[best];
  c->list[best] = c->list[--c->count];
  return 1;
}

/* Reads list[0..BIGRAMS_FIRST) of all candidates, then all of the cheapest one, and offers that: the
** others may be above the bound soon. There is one, since some charsets have all bytes. */
static void offerCheapest(Ranking *r, RankText *text, RankCandidates *c,
                          RankCandidate *cheapest) {
  const size_t high = text->bigrams.high,
               first = high < BIGRAMS_FIRST ? high : BIGRAMS_FIRST;
  readBigrams(c->list, c->count, text, 0, first);
  takeCheapest(c, cheapest);
  readBigrams(cheapest, 1, text, first, high);
  offerCandidate(r, text, cheapest);
  readPossible(c, r, first);
}

static void offerSingleBytes(Ranking *r, RankText *text, int isNamed) {
  const int isFirstOnly = r->margin == 0;
  RankCandidates candidates;
  RankCandidate done[UTF8_ALPHABET_CHARSETS];
  beginCandidates(&candidates, text, isNamed);
  offerCheapest(r, text, &candidates, &done[0]);
  for (size_t count = 1; takeCheapest(&candidates, &done[count]); count++) {
    if (isFirstOnly) leaveOutLanguages(&done[count], text, done, count);
    offerCandidate(r, text, &done[count]);
  }
}

static void offerAsian(Ranking *r, const Utf8AsianEvidence *asian,
                       const RankText *text) {
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++) {
    const int isFour = i == 0 && asian->four_bytes > 0;
    offerCharset(r, isFour ? UTF8_CHARSET_GB18030 : asianPriors[i].charset,
                 asianPriors[i].prior, asianCost(asian, i, text), 0);
  }
}

static RankText textOf(const Utf8BigramList *bigrams, const Utf8Surroundings *around) {
  RankText text = {.alphabets = utf8detect_alphabets(around != NULL),
                   .bigrams = *bigrams,
                   .around = around};
  const uint64_t ascii = utf8detect_bigrams_ascii(bigrams, ASCII_MAX);
  const int isLone = bigrams->high_sum <= 2 && ascii <= LONE_ASCII;
  for (size_t i = 0; i < bigrams->bytes_count; i++)
    text.bytes[bigrams->bytes[i] / 32] |= (uint32_t)1 << bigrams->bytes[i] % 32;
  text.foreign = ascii * DETECT_UNIT / FOREIGN_SHARE;
  text.lone = isLone ? LONE_BITS * DETECT_UNIT : 0;
  text.has_capitals = text.around && utf8detect_words_may_be_capitals(bigrams);
  text.signs = text.around ? COST_MAX : signsCost(bigrams);
  return text;
}

size_t utf8detect_rank(Utf8Ranked list[UTF8_RANKED_MAX], const Utf8BigramList *bigrams,
                       const Utf8AsianEvidence *asian, const Utf8Surroundings *around,
                       uint64_t bound, uint64_t margin) {
  RankText text = textOf(bigrams, around);
  Ranking r = {&text, list, 0, margin, bound};
  _Static_assert(UTF8_ALPHABET_CHARSETS + UTF8_ASIAN_CHARSETS <= UTF8_RANKED_MAX,
                 "room");
  if (asian) offerAsian(&r, asian, &text);
  offerSingleBytes(&r, &text, 1);
  if (around) offerSingleBytes(&r, &text, 0);
  return r.count;
}

/* Returns what the text costs in a single-byte charset, or COST_MAX if there is none. */
static uint64_t costInCharset(RankText *text, const Utf8BigramList *bigrams,
                              Utf8Charset charset) {
  RankCandidate candidate;
  for (size_t i = 0; i < UTF8_ALPHABET_CHARSETS; i++) {
    const DetectCharset *row = &utf8detect_charsets[i];
    if (row->charset != charset) continue;
    if (!beginCandidate(&candidate, text, row)) return COST_MAX;
    readBigrams(&candidate, 1, text, 0, bigrams->high);
    const uint64_t cost = candidateCost(text, &candidate, COST_MAX);
    if (!isLatin1WithC1(row, bigrams)) return cost;
    const uint64_t named = costInCharset(text, bigrams, UTF8_CHARSET_WINDOWS1252);
    return cost > named ? cost : named; /* no better than what is named in its place */
  }
  return COST_MAX;
}

uint64_t utf8detect_cost_in(const Utf8BigramList *bigrams,
                            const Utf8AsianEvidence *asian, Utf8Charset charset) {
  const int asianAt = utf8detect_asian_of(charset);
  RankText text = textOf(bigrams, NULL);
  if (asianAt >= 0) return asianCost(asian, (size_t)asianAt, &text);
  return costInCharset(&text, bigrams, charset);
}
