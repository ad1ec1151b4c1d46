/* detect/history.c: the charsets and languages of each history, and how common it is in the world. */
#include "detect/history.h"
#include "detect/alphabet.h"
#include "core/bytes.h"

#define HISTORY_ALL (((uint64_t)1 << UTF8_LANGUAGES) - 1)

_Static_assert(DETECT_TOGETHER + UTF8_ASIAN_CHARSETS + 2 * UTF8_LANGUAGES ==
                   UTF8_LIKELIHOODS,
               "the histories with each of their languages");

/* ---- charsets and languages --------------------------------------------------------------------- */

/* The multi-byte charsets, in the order of Utf8AsianEvidence, each with its language. */
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

_Static_assert(sizeof detect_asian_priors == UTF8_ASIAN_CHARSETS, "a prior for each");

uint64_t utf8detect_history_languages(size_t history) {
  if (history < UTF8_HISTORY_ASIAN) return utf8detect_charsets[history].languages;
  if (history >= UTF8_HISTORY_DAMAGED) return HISTORY_ALL;
  return (uint64_t)1 << asianHistories[history - UTF8_HISTORY_ASIAN].language;
}

size_t utf8detect_history_first(size_t history) {
  const size_t asian = history - UTF8_HISTORY_ASIAN,
               damaged = history - UTF8_HISTORY_DAMAGED;
  if (history < UTF8_HISTORY_ASIAN) return utf8detect_charsets[history].before;
  if (history < UTF8_HISTORY_DAMAGED) return DETECT_TOGETHER + asian;
  return DETECT_TOGETHER + UTF8_ASIAN_CHARSETS + damaged * UTF8_LANGUAGES;
}

Utf8Charset utf8detect_history_charset(size_t history) {
  if (history < UTF8_HISTORY_ASIAN) return utf8detect_charsets[history].charset;
  if (history >= UTF8_HISTORY_DAMAGED) return UTF8_CHARSET_UTF8;
  return asianHistories[history - UTF8_HISTORY_ASIAN].charset;
}

size_t utf8detect_history_of(Utf8Charset charset) {
  const int place = utf8detect_asian_of(charset);
  size_t index = 0;
  if (place >= 0) return UTF8_HISTORY_ASIAN + (size_t)place;
  while (index < UTF8_HISTORY_ASIAN && utf8detect_charsets[index].charset != charset)
    index++;
  return index < UTF8_HISTORY_ASIAN ? index : UTF8_HISTORY_DAMAGED;
}

const char *utf8detect_language_tag(unsigned language) {
  static const char *const asian[] = {"zh-Hans", "zh-Hant", "ja", "ko"};
  if (language == UTF8_LANGUAGES) return NULL;
  if (language < UTF8_MODEL_LANGUAGES) return detect_languages[language].tag;
  return asian[language - UTF8_MODEL_LANGUAGES];
}

unsigned utf8detect_asian_bits(size_t place) {
  return detect_asian_priors[place];
}

/* ---- the world ----------------------------------------------------------------------------------- */

/* Bits that speak against UTF-8 with damage, or with pasted text. */
#define DAMAGED_BITS 2

/* The languages of Western Europe come first. */
#define WESTERN_LANGUAGES 15

int utf8detect_history_is_named(size_t history) {
  return history >= UTF8_HISTORY_ASIAN || history < DETECT_NAMED;
}

uint32_t utf8detect_world_cost(size_t history) {
  if (history >= UTF8_HISTORY_DAMAGED) return DAMAGED_BITS * 8;
  return history < UTF8_HISTORY_ASIAN ? utf8detect_rare_cost(history) : 0;
}

uint64_t utf8detect_away_languages(size_t history) {
  const int isAway =
      history < UTF8_HISTORY_ASIAN && !utf8detect_charsets[history].is_western;
  return isAway ? ((uint64_t)1 << WESTERN_LANGUAGES) - 1 : 0;
}
