/* detect/signs.c: where signs stand, and letters in numbers. */
#include "detect/signs.h"
#include "charset/legacy/legacy.h"
#include <string.h>

#define SIGNS_COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- signs -------------------------------------------------------------------------------- */

/* The letters beside which signs stand. */
typedef enum SignBeside {
  BESIDE_M,
  BESIDE_N,
  BESIDE_C_OR_F,
  BESIDE_S_OR_T,
  BESIDE_WORD, /* any letter, where nothing else is usual */
  BESIDE_ANY,  /* any letter, which may also be one of a word with the sign's byte */
  BESIDE_NONE
} SignBeside;

/* Signs of windows-1252 that may stand directly after an ASCII letter, and before one. */
typedef struct UsualSign {
  uint16_t code;
  uint8_t beside;
} UsualSign;
static const UsualSign signsAfter[] = {
    {0xB0, BESIDE_N},     {0xBA, BESIDE_N},      {0xB2, BESIDE_M},
    {0xB3, BESIDE_M},     {0xB4, BESIDE_ANY},    {0x2019, BESIDE_ANY},
    {0x201D, BESIDE_ANY}, {0x2122, BESIDE_WORD}, {0xAE, BESIDE_WORD}};
static const UsualSign signsBefore[] = {
    {0xB5, BESIDE_M},     {0x2019, BESIDE_S_OR_T}, {0x20AC, BESIDE_ANY},
    {0x201E, BESIDE_ANY}, {0x2039, BESIDE_ANY},    {0x2018, BESIDE_ANY},
    {0x201C, BESIDE_ANY}, {0xAB, BESIDE_ANY},      {0xB0, BESIDE_C_OR_F},
    {0xA1, BESIDE_WORD},  {0xBF, BESIDE_WORD},     {0xB4, BESIDE_ANY}};

/* Returns the letters before which the sign stands, or after which. */
static SignBeside lettersBeside(unsigned code, int isBefore) {
  const UsualSign *signs = isBefore ? signsBefore : signsAfter;
  const size_t count = isBefore ? SIGNS_COUNT(signsBefore) : SIGNS_COUNT(signsAfter);
  for (size_t i = 0; i < count; i++)
    if (signs[i].code == code) return (SignBeside)signs[i].beside;
  return BESIDE_NONE;
}

static int isBeside(SignBeside beside, unsigned letter) {
  const uint8_t *class = utf8detect_bigrams_class;
  if (beside == BESIDE_NONE) return 0;
  if (beside == BESIDE_M) return letter == class['m'];
  if (beside == BESIDE_N) return letter == class['n'] || letter == class['N'];
  if (beside == BESIDE_C_OR_F) return letter == class['C'] || letter == class['F'];
  return beside >= BESIDE_WORD || letter == class['s'] || letter == class['t'];
}

/* Is it a sign of windows-1252 that people use, unlike ¤ ¦ ¨ ¬ ¯ ¸? */
static int isUsualSign(unsigned code) {
  const uint16_t *high = utf8charset_high(UTF8_CHARSET_WINDOWS1252);
  if (!utf8detect_is_sign(code)) return 0;
  if (code >= 0xA0 && code <= 0xFF)
    return memchr("\xA4\xA6\xA8\xAC\xAF\xB8", (int)code, 6) == NULL;
  for (int i = 0; i < 0x20; i++) {
    if (high[i] == code) return 1;
  }
  return 0;
}

/* Does the sign stand after something: ’ ” † ‡? */
static int isNeverFirst(unsigned code) {
  return code == 0x2019 || code == 0x201D || (code | 1) == 0x2021;
}

/* Does the sign hardly ever stand directly before a number: ¢ ª ® ° ² ³ ´ µ ¹ º ¼ ½ ¾ ‰ ™? */
static int isNeverBeforeNumber(unsigned code) {
  if (code > 0xFF) return code == 0x2030 || code == 0x2122;
  return memchr("\xA2\xAA\xAE\xB0\xB2\xB3\xB4\xB5\xB9\xBA\xBC\xBD\xBE", (int)code,
                13) != NULL;
}

/* Does the sign hardly ever stand directly after a number: ¡ § « · ¿, and those beyond U+00FF except – — ’
** ” … € ‰ ™? */
static int isNeverAfterNumber(unsigned code) {
  static const uint16_t usual[] = {0x2013, 0x2014, 0x2019, 0x201D,
                                   0x2026, 0x20AC, 0x2030, 0x2122};
  if (code <= 0xFF) return memchr("\xA1\xA7\xAB\xB7\xBF", (int)code, 5) != NULL;
  for (size_t i = 0; i < SIGNS_COUNT(usual); i++)
    if (usual[i] == code) return 0;
  return 1;
}

/* Can the bigram be a usual sign and a byte that it may stand beside? */
static int isSignBigram(const Utf8Bigram *bigram, const uint16_t *high) {
  const unsigned first = bigram->first, second = bigram->second;
  const unsigned sign = first < 128 ? first : second;
  const unsigned code = high[sign], number = utf8detect_bigrams_class['0'];
  if (!isUsualSign(code)) return 0;
  if (first < 128 && second < 128) return code == 0xA7 && second == first; /* §§ */
  if (first == UTF8_CLASS_SPACE && isNeverFirst(code)) return 0;
  if (code == 0xA0 && (first == UTF8_CLASS_SPACE || second == UTF8_CLASS_SPACE))
    return 0;
  if (code == 0xB4 && (first >= UTF8_CLASS_SPACE || second >= UTF8_CLASS_SPACE))
    return 0;
  const unsigned other = first < 128 ? second : first;
  if (second == number && isNeverBeforeNumber(code)) return 0;
  if (first == number && isNeverAfterNumber(code)) return 0;
  if (other >= UTF8_CLASS_SPACE) return other != utf8detect_bigrams_class['~'];
  return isBeside(lettersBeside(code, first < 128), other);
}

/* Is there a single « or », without the other? */
static int isHalfQuotation(const Utf8BigramList *bigrams, const uint16_t *high) {
  size_t count = 0;
  for (size_t i = 0; i < bigrams->high; i++) {
    const Utf8Bigram *bigram = &bigrams->list[i];
    const unsigned code = bigram->first < 128 ? high[bigram->first] : 0;
    if (code == 0xAB || code == 0xBB) count += bigram->count;
  }
  return count == 1;
}

int utf8detect_may_be_signs(const Utf8BigramList *bigrams) {
  for (size_t i = 0; i < bigrams->high; i++) {
    const unsigned first = bigrams->list[i].first, second = bigrams->list[i].second;
    if (first < 128 && second < 128 && first != second) return 0;
  }
  return 1;
}

int utf8detect_are_signs_in(const Utf8BigramList *bigrams, Utf8Charset charset) {
  const uint16_t *high = utf8detect_high(charset);
  for (size_t i = 0; i < bigrams->high; i++) {
    if (!isSignBigram(&bigrams->list[i], high)) return 0;
  }
  return bigrams->high > 0 && !isHalfQuotation(bigrams, high);
}

size_t utf8detect_signs_beside_letters(const Utf8BigramList *bigrams,
                                       Utf8Charset charset, int isOfWord) {
  const uint16_t *high = utf8detect_high(charset);
  const SignBeside wanted = isOfWord ? BESIDE_WORD : BESIDE_ANY;
  size_t count = 0;
  for (size_t i = 0; i < bigrams->high; i++) {
    const Utf8Bigram *bigram = &bigrams->list[i];
    const int isBefore = bigram->first < 128;
    const unsigned sign = isBefore ? bigram->first : bigram->second;
    const unsigned other = isBefore ? bigram->second : bigram->first;
    const int isLetter =
        other < UTF8_CLASS_SPACE && bigram->first != bigram->second; /* §§ */
    count += isLetter && lettersBeside(high[sign], isBefore) == wanted;
  }
  return count;
}

/* ---- letters of numbers ---------------------------------------------------------------------- */

/* The bits of a letter after a number, as in 14б: letters count houses, classes and paragraphs, and the first ones of
** an alphabet are commoner. Letters of Latin are in ASCII. */
#define NUMBER_LETTER     3
#define NUMBER_LETTER_MAX 10

static unsigned numberLetterBits(unsigned code) {
  static const uint16_t firsts[] = {0x3B1, 0x430, 0x5D0, 0x627, 0xE01};
  const uint32_t letter = utf8detect_letter_of(code);
  for (size_t i = 0; i < SIGNS_COUNT(firsts); i++) {
    const uint32_t rank = letter - utf8detect_letter_of(firsts[i]);
    if (rank < NUMBER_LETTER_MAX - NUMBER_LETTER) return NUMBER_LETTER + rank;
  }
  return NUMBER_LETTER_MAX;
}

/* Can the bigram be a letter between a number and something that is neither letter nor number? */
static int isNumberLetterBigram(const Utf8Bigram *bigram) {
  const unsigned number = utf8detect_bigrams_class['0'];
  if (bigram->first == number) return bigram->second < 128;
  return bigram->first < 128 && bigram->second >= UTF8_CLASS_SPACE &&
         bigram->second != number;
}

int utf8detect_end_numbers(const Utf8BigramList *bigrams) {
  for (size_t i = 0; i < bigrams->high; i++)
    if (!isNumberLetterBigram(&bigrams->list[i])) return 0;
  return bigrams->high > 0;
}

/* Signs that stand after numbers, where no common charset has one of the first letters of an alphabet: ª ° ² ³ º
** ¼ ½ ¾. */
static int isSignOfNumber(unsigned code) {
  return code <= 0xFF &&
         memchr("\xAA\xB0\xB2\xB3\xBA\xBC\xBD\xBE", (int)code, 8) != NULL;
}

int utf8detect_are_signs_of_numbers(const Utf8BigramList *bigrams,
                                    Utf8Charset charset) {
  const uint16_t *high = utf8detect_high(charset);
  for (size_t i = 0; i < bigrams->bytes_count; i++)
    if (!isSignOfNumber(high[bigrams->bytes[i]])) return 0;
  return 1;
}

unsigned utf8detect_number_letters(const Utf8BigramList *bigrams, Utf8Charset charset) {
  const uint16_t *high = utf8detect_high(charset);
  unsigned bits = 0;
  if (!utf8detect_end_numbers(bigrams)) return 0;
  for (size_t i = 0; i < bigrams->bytes_count; i++) {
    const unsigned code = high[bigrams->bytes[i]];
    if (utf8detect_entry(code) >> 12 == 0) return 0;
    bits += numberLetterBits(code);
  }
  return bits;
}
