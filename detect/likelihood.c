/* detect/likelihood.c: reads a value in each charset and each of its languages. */
#include "detect/likelihood.h"
#include "detect/alphabet.h"
#include "detect/usage.h"
#include "detect/words.h"
#include "simd/bytes.h"
#include <string.h>

#define LIKELIHOOD_COUNT(array) (sizeof(array) / sizeof *(array))
#define LIKELIHOOD_BITS(n)      ((uint64_t)(n)*DETECT_UNIT)
#define LIKELIHOOD_ALL          (((uint64_t)1 << UTF8_LANGUAGES) - 1)

_Static_assert(LIKELIHOOD_COUNT(detect_languages) == UTF8_MODEL_LANGUAGES,
               "the languages of the model");

/* ---- histories ----------------------------------------------------------------------------- */

/* The language of each multi-byte charset, in the order of Utf8AsianEvidence. */
static const struct {
  Utf8Charset charset;
  unsigned language;
} asianHistories[UTF8_ASIAN_CHARSETS] = {
    {UTF8_CHARSET_GBK, UTF8_MODEL_LANGUAGES},
    {UTF8_CHARSET_BIG5, UTF8_MODEL_LANGUAGES + 1},
    {UTF8_CHARSET_EUC_JP, UTF8_MODEL_LANGUAGES + 2},
    {UTF8_CHARSET_SHIFT_JIS, UTF8_MODEL_LANGUAGES + 2},
    {UTF8_CHARSET_EUC_KR, UTF8_MODEL_LANGUAGES + 3},
    {UTF8_CHARSET_JOHAB, UTF8_MODEL_LANGUAGES + 3},
    {UTF8_CHARSET_EUC_TW, UTF8_MODEL_LANGUAGES + 1},
};

uint64_t utf8detect_history_languages(size_t history) {
  if (history < UTF8_HISTORY_ASIAN) return utf8detect_charsets[history].languages;
  if (history >= UTF8_HISTORY_DAMAGED) return LIKELIHOOD_ALL;
  return (uint64_t)1 << asianHistories[history - UTF8_HISTORY_ASIAN].language;
}

Utf8Charset utf8detect_history_charset(size_t history) {
  if (history < UTF8_HISTORY_ASIAN) return utf8detect_charsets[history].charset;
  if (history >= UTF8_HISTORY_DAMAGED) return UTF8_CHARSET_UTF8;
  return asianHistories[history - UTF8_HISTORY_ASIAN].charset;
}

/* ---- ASCII letters ---------------------------------------------------------------------------- */

/* ASCII letters count with one bit of ASCII_SHARE, since words are borrowed. They speak against a Latin
** language with at most ASCII_PAIR bits for each pair that has a byte above 7F, or ASCII_BITS if that is
** more; against another script with at most OTHER_SCRIPT bits. */
#define LIKELIHOOD_ASCII_SHARE  2
#define LIKELIHOOD_ASCII_PAIR   6
#define LIKELIHOOD_ASCII_BITS   24
#define LIKELIHOOD_OTHER_SCRIPT 16
/* Each FOREIGN_SHARE pairs of ASCII letters are one more bit against another script, of at most FOREIGN_MAX
** pairs. */
#define LIKELIHOOD_FOREIGN_SHARE 3
#define LIKELIHOOD_FOREIGN_MAX   24

typedef struct LikelihoodText {
  const Utf8Alphabets *alphabets;
  const Utf8PairList *pairs;
  uint64_t ascii[UTF8_LANGUAGES]; /* what ASCII letters speak against each language */
  int may_be_capitals;
} LikelihoodText;

static void readAsciiLetters(LikelihoodText *text) {
  const Utf8PairList *pairs = text->pairs;
  uint64_t of[DETECT_LATIN], least = UINT64_MAX;
  uint64_t max = LIKELIHOOD_BITS(pairs->high_sum * LIKELIHOOD_ASCII_PAIR);
  const uint64_t foreign =
      LIKELIHOOD_BITS(utf8detect_pairs_ascii(pairs, LIKELIHOOD_FOREIGN_MAX)) /
      LIKELIHOOD_FOREIGN_SHARE;
  utf8detect_latin_costs(of, text->alphabets, pairs->ascii, pairs->size - pairs->high);
  for (size_t i = 0; i < DETECT_LATIN; i++) {
    of[i] /= LIKELIHOOD_ASCII_SHARE;
    least = utf8detect_lesser(least, of[i]);
  }
  if (max < LIKELIHOOD_BITS(LIKELIHOOD_ASCII_BITS))
    max = LIKELIHOOD_BITS(LIKELIHOOD_ASCII_BITS);
  const uint64_t other =
      foreign +
      utf8detect_lesser(of[0] - least, LIKELIHOOD_BITS(LIKELIHOOD_OTHER_SCRIPT));
  for (size_t i = 0; i < UTF8_LANGUAGES; i++)
    text->ascii[i] = i < DETECT_LATIN ? utf8detect_lesser(of[i] - least, max) : other;
}

/* ---- single-byte charsets ----------------------------------------------------------------------- */

static int hasUndefined(const Utf8Alphabet *alphabet, const Utf8PairList *pairs) {
  for (size_t i = 0; i < pairs->bytes_count; i++) {
    const unsigned byte = pairs->bytes[i];
    if (ALPHABET_LOAD(alphabet->lacks[byte / 32]) >> byte % 32 & 1) return 1;
  }
  return 0;
}

/* The bits of each different sign, where a text has only signs beyond ASCII: they show no language. A sign
** beside a letter costs LETTER_SIGN more, since it may be a letter of another charset. */
#define LIKELIHOOD_SIGN        3
#define LIKELIHOOD_LETTER_SIGN 8

/* Returns what the text costs at most: UINT64_MAX unless it has only signs. */
static uint64_t costOfSigns(const LikelihoodText *text, Utf8Charset charset) {
  const Utf8PairList *pairs = text->pairs;
  if (!utf8detect_usage_are_signs_in(pairs, charset)) return UINT64_MAX;
  return LIKELIHOOD_BITS(pairs->bytes_count * LIKELIHOOD_SIGN +
                         utf8detect_usage_beside_letters(pairs) *
                             LIKELIHOOD_LETTER_SIGN);
}

/* The bits of words that are usual, unusual, odd: see detect/words.h. */
static const uint8_t oddnessBits[] = {0, 7, 10};

/* Returns what the text costs in an alphabet of the charset, whatever the language. */
static uint64_t costOfKinds(const LikelihoodText *text, size_t index,
                            const Utf8Alphabet *alphabet, int isUpper) {
  const Utf8PairList *pairs = text->pairs;
  const unsigned bits = oddnessBits[utf8detect_words_oddness(pairs, index)];
  uint64_t cost = LIKELIHOOD_BITS(bits + (isUpper ? UTF8_CAPITALS_BITS : 0)) +
                  utf8detect_kinds_cost(alphabet, pairs->list, pairs->high);
  if (utf8detect_charsets[index].charset == UTF8_CHARSET_VISCII)
    cost += utf8detect_tones_cost(alphabet, pairs->list, pairs->high);
  return cost;
}

/* Stores the costs of a charset that has all bytes of the text, in its languages. */
static void readWhole(uint64_t *cost, const LikelihoodText *text, size_t index) {
  const Utf8PairList *pairs = text->pairs;
  const DetectCharset *charset = &utf8detect_charsets[index];
  const Utf8Alphabet *plain = &text->alphabets->of[index];
  const int isUpper =
      text->may_be_capitals && utf8detect_words_are_capitals(pairs, plain);
  const Utf8Alphabet *alphabet =
      plain + (isUpper ? ALPHABET_CAPITALS : ALPHABET_CAUSE) * UTF8_ALPHABET_CHARSETS;
  const uint64_t kinds = costOfKinds(text, index, alphabet, isUpper);
  const uint64_t signs = costOfSigns(text, charset->charset);
  for (uint64_t left = charset->languages; left > 0; left &= left - 1) {
    const unsigned language = (unsigned)mask_lowest(left);
    const uint64_t letters =
        utf8detect_names_cost(alphabet, language, pairs->list, pairs->high);
    *cost++ = text->ascii[language] + utf8detect_lesser(signs, kinds + letters);
  }
}

/* Stores the costs of a charset in its languages, UINT64_MAX if it does not have a byte of the text. */
static void readCharset(uint64_t *cost, const LikelihoodText *text, size_t index) {
  const uint64_t languages = utf8detect_charsets[index].languages;
  if (languages == 0) return;
  if (!hasUndefined(&text->alphabets->of[index], text->pairs)) {
    readWhole(cost, text, index);
    return;
  }
  for (size_t i = 0; i < mask_count(languages); i++) cost[i] = UINT64_MAX;
}

/* ---- all histories ----------------------------------------------------------------------------- */

static uint64_t addCost(uint64_t a, uint64_t b) {
  return a == UINT64_MAX ? a : a + b;
}

/* Stores the costs of a history, each in a language. */
static void readHistory(uint64_t *cost, const LikelihoodText *text,
                        const Utf8CauseEvidence *e, const Utf8Readings *r,
                        size_t history) {
  const uint64_t pasted = r->pasted_count > 0 ? r->pasted[0].cost : UINT64_MAX;
  if (history < UTF8_HISTORY_ASIAN) {
    readCharset(cost, text, history);
  } else if (history < UTF8_HISTORY_DAMAGED) {
    *cost = utf8detect_cost_in(text->pairs, &e->whole.asian,
                               utf8detect_history_charset(history));
  } else {
    for (size_t i = 0; i < UTF8_LANGUAGES; i++)
      cost[i] =
          history == UTF8_HISTORY_PASTED ? pasted : addCost(r->damaged, text->ascii[i]);
  }
}

static uint8_t quartersMore(uint64_t cost, uint64_t least) {
  if (cost == UINT64_MAX) return UTF8_LIKELIHOOD_NEVER;
  const uint64_t quarters = (cost - least) / (DETECT_UNIT / UTF8_LIKELIHOOD_UNIT);
  return (uint8_t)utf8detect_lesser(quarters, UTF8_LIKELIHOOD_NEVER - 1);
}

void utf8detect_likelihood(Utf8Likelihood *likelihood, const Utf8CauseEvidence *e,
                           const Utf8Readings *r) {
  uint64_t cost[UTF8_LIKELIHOODS], least = UINT64_MAX;
  LikelihoodText text = {.alphabets = utf8detect_alphabets(1),
                         .pairs = &r->whole_pairs};
  size_t count = 0;
  text.may_be_capitals = utf8detect_words_may_be_capitals(text.pairs);
  readAsciiLetters(&text);
  for (size_t i = 0; i < UTF8_HISTORIES; i++) {
    readHistory(cost + count, &text, e, r, i);
    count += mask_count(utf8detect_history_languages(i));
  }
  for (size_t i = 0; i < count; i++) least = utf8detect_lesser(least, cost[i]);
  for (size_t i = 0; i < count; i++) likelihood->cost[i] = quartersMore(cost[i], least);
}

/* ---- well-formed values ------------------------------------------------------------------------ */

/* Bits that speak against another language in a text with letters of East Asia. */
#define LIKELIHOOD_SCRIPT 30

void utf8detect_language_likelihood(uint8_t cost[UTF8_LANGUAGES], const uint32_t *codes,
                                    size_t count) {
  uint64_t costs[UTF8_LANGUAGES] = {0}, asian[UTF8_ASIAN_CHARSETS] = {0};
  uint64_t least = UINT64_MAX;
  utf8detect_languages_cost(costs, codes, count);
  for (size_t i = 0; i < count; i++) utf8detect_asian_costs(asian, codes[i]);
  for (size_t i = 0; i < UTF8_MODEL_LANGUAGES; i++)
    costs[i] += asian[0] > 0 ? LIKELIHOOD_BITS(LIKELIHOOD_SCRIPT) + asian[0] : 0;
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++)
    costs[asianHistories[i].language] =
        asian[i] > 0 ? asian[i]
                     : costs[0] + LIKELIHOOD_BITS(LIKELIHOOD_FOREIGN_MAX /
                                                  LIKELIHOOD_FOREIGN_SHARE);
  for (size_t i = 0; i < UTF8_LANGUAGES; i++)
    least = utf8detect_lesser(least, costs[i]);
  for (size_t i = 0; i < UTF8_LANGUAGES; i++)
    cost[i] = quartersMore(least + (costs[i] - least) / LIKELIHOOD_ASCII_SHARE, least);
}
