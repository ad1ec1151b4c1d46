/* detect/words.c: finds signs, contractions and capitals in words. */
#include "detect/words.h"

#define WORDS_GREEK    2
#define WORDS_CYRILLIC 3

/* What each kind is beside another byte, and how odd it is between two letters. */
enum {
  BESIDE_OTHER = 1,
  BESIDE_LOWER = 2,
  BESIDE_UPPER = 4,
  BESIDE_ASCII = 8,
  BESIDE_OWN = 16
};
#define BESIDE_LETTER (BESIDE_LOWER | BESIDE_UPPER)

static const uint8_t besideKind[DETECT_KINDS] = {
    [DETECT_LOWER] = BESIDE_LOWER | BESIDE_OWN,
    [DETECT_UPPER] = BESIDE_UPPER | BESIDE_OWN,
    [DETECT_ASCII_LOWER] = BESIDE_LOWER | BESIDE_ASCII,
    [DETECT_ASCII_UPPER] = BESIDE_UPPER | BESIDE_ASCII,
    [DETECT_FOREIGN] = BESIDE_LOWER};

static const uint8_t insideKind[DETECT_KINDS] = {
    [DETECT_NBSP] = UTF8_WORDS_UNUSUAL, [DETECT_DASH] = UTF8_WORDS_UNUSUAL,
    [DETECT_OPEN] = UTF8_WORDS_ODD,     [DETECT_CLOSE] = UTF8_WORDS_ODD,
    [DETECT_CURRENCY] = UTF8_WORDS_ODD, [DETECT_MARK] = UTF8_WORDS_ODD,
    [DETECT_INVERTED] = UTF8_WORDS_ODD, [DETECT_SYMBOL] = UTF8_WORDS_ODD,
    [DETECT_BOX] = UTF8_WORDS_ODD,      [DETECT_CONTROL] = UTF8_WORDS_ODD};

/* May the sign stand inside of words? U+2018 and U+00B4 are written for an apostrophe, U+00AD is a soft hyphen, which
** Greek and Cyrillic charsets have where others of their script have a letter, and U+200C to U+200F join and part
** letters. */
static int isInWords(unsigned code, int hasOneScript) {
  if (code == 0xAD) return !hasOneScript;
  return code == 0x2018 || code == 0xB4 || (code & ~3u) == 0x200C;
}

static int isL(unsigned class) {
  return class == utf8detect_bigrams_class['l'] ||
         class == utf8detect_bigrams_class['L'];
}

/* Is a byte the sign of Catalan l·l? */
static int isBetweenL(const Utf8BigramList *bigrams, unsigned byte, unsigned code) {
  if (code != 0xB7) return 0;
  for (size_t i = 0; i < bigrams->high; i++) {
    const Utf8Bigram *bigram = &bigrams->list[i];
    if (bigram->first == byte && !isL(bigram->second)) return 0;
    if (bigram->second == byte && !isL(bigram->first)) return 0;
  }
  return 1;
}

/* Is it ¿ or ¡, ‚ or „, or a bullet? */
static int isNeverAfterLetter(unsigned kind, unsigned code) {
  return kind == DETECT_INVERTED || code == 0x201A || code == 0x201E || code == 0x2022;
}

/* Is it an accent without a letter, as ˛ or ˝? */
static int isLoneAccent(unsigned code) {
  return code >= 0x2C6 && code <= 0x2DD;
}

/* Is it ’, which stands after something, or ¤, which is in no text? */
static int isNeverBeforeLetter(unsigned code) {
  return code == 0x2019 || code == 0xA4;
}

/* What stands before each byte above 7F, and after it. */
typedef struct WordsBeside {
  uint8_t before[UTF8_BYTE_CLASSES];
  uint8_t after[UTF8_BYTE_CLASSES];
} WordsBeside;

/* Returns whether a bigram is unusual, and stores what stands beside each byte. */
static int readBeside(WordsBeside *beside, const Utf8BigramList *bigrams,
                      const Utf8Alphabet *alphabet, int hasOneScript) {
  int isUnusual = 0;
  for (size_t i = 0; i < bigrams->high; i++) {
    const Utf8Bigram *bigram = &bigrams->list[i];
    const unsigned first = besideKind[ALPHABET_LOAD(alphabet->kind[bigram->first])];
    const unsigned second = besideKind[ALPHABET_LOAD(alphabet->kind[bigram->second])];
    beside->before[bigram->second] |= (uint8_t)first;
    beside->after[bigram->first] |= (uint8_t)second;
    if (first == 0) beside->before[bigram->second] |= BESIDE_OTHER;
    if (second == 0) beside->after[bigram->first] |= BESIDE_OTHER;
    isUnusual |= (first & BESIDE_LOWER) && (second & BESIDE_UPPER);
    isUnusual |= hasOneScript && (first & BESIDE_ASCII) && (second & BESIDE_OWN);
  }
  return isUnusual;
}

static unsigned oddnessOfByte(unsigned kind, unsigned code, unsigned before,
                              unsigned after, int hasOneScript) {
  if (isLoneAccent(code)) return UTF8_WORDS_ODD;
  if (!(before & BESIDE_LETTER))
    return isNeverBeforeLetter(code) && (after & BESIDE_LETTER) ? UTF8_WORDS_UNUSUAL
                                                                : UTF8_WORDS_USUAL;
  if (isNeverAfterLetter(kind, code)) return UTF8_WORDS_ODD;
  if (kind == DETECT_UPPER)
    return !(before & (BESIDE_LOWER | BESIDE_OTHER)) && (after & BESIDE_LOWER)
               ? UTF8_WORDS_UNUSUAL
               : UTF8_WORDS_USUAL;
  if (!(after & BESIDE_LETTER)) return kind == DETECT_CURRENCY;
  return isInWords(code, hasOneScript) ? UTF8_WORDS_USUAL : insideKind[kind];
}

/* Where the marks of quotation of a text stand, as bits: before words, behind words. Most texts have both. */
enum { QUOTES_BEFORE = 1, QUOTES_AFTER = 2, QUOTES_BOTH = 3 };

/* Returns where a mark of quotation stands, by what stands beside it; 0 for any other character. ’ behind a word may be an
** apostrophe: then no mark before a word is missing. */
static unsigned quotesOfByte(unsigned kind, unsigned code, unsigned before,
                             unsigned after) {
  if (kind != DETECT_OPEN && kind != DETECT_CLOSE && code != 0x2019) return 0;
  if (!(before & BESIDE_LETTER) && !(after & BESIDE_OTHER)) return QUOTES_BEFORE;
  if (!(before & BESIDE_OTHER) && !(after & BESIDE_LETTER) && code != 0x2019)
    return QUOTES_AFTER;
  return QUOTES_BOTH;
}

Utf8WordsOddness utf8detect_words_oddness(const Utf8BigramList *bigrams, size_t index) {
  const DetectCharset *charset = &utf8detect_charsets[index];
  const Utf8Alphabet *alphabet =
      &utf8detect_alphabets()->of[index + ALPHABET_AS_IS * UTF8_ALPHABET_CHARSETS];
  const uint16_t *high = utf8detect_high(charset->charset);
  const int hasOneScript =
      charset->script == WORDS_GREEK || charset->script == WORDS_CYRILLIC;
  WordsBeside beside = {{0}, {0}};
  unsigned most = (unsigned)readBeside(&beside, bigrams, alphabet, hasOneScript);
  unsigned quotes = 0;
  for (size_t i = 0; i < bigrams->bytes_count; i++) {
    const unsigned byte = bigrams->bytes[i];
    if (isBetweenL(bigrams, byte, high[byte])) continue;
    const unsigned kind = ALPHABET_LOAD(alphabet->kind[byte]);
    const unsigned before = beside.before[byte], after = beside.after[byte];
    const unsigned is = oddnessOfByte(kind, high[byte], before, after, hasOneScript);
    if (is > most) most = is;
    quotes |= quotesOfByte(kind, high[byte], before, after);
  }
  const int areHalf = quotes == QUOTES_BEFORE || quotes == QUOTES_AFTER;
  return areHalf && most == UTF8_WORDS_USUAL ? UTF8_WORDS_UNUSUAL
                                             : (Utf8WordsOddness)most;
}

/* ---- contractions --------------------------------------------------------------------------- */

/* Bits of each contraction with U+2019, which the counted text has too few of; and the class of that. */
#define CONTRACTION_BITS 8
#define CONTRACTION_MARK (0x92 - 0x80)

/* The bigrams of a text that shows its language: in a word, í could stand before an s in another charset, as in país. */
#define CONTRACTION_TEXT 32

static int isClass(unsigned class, const char *letters) {
  for (; *letters; letters++)
    if (class == utf8detect_bigrams_class[(uint8_t)*letters]) return 1;
  return 0;
}

/* Does one of the letters stand before the mark, and this one after it? */
static int isAfter(const Utf8Trigrams *trigrams, const char *letters, unsigned third) {
  for (size_t i = 0; i < trigrams->count; i++) {
    const Utf8Trigram *t = &trigrams->list[i];
    if (isClass(t->first, letters) && t->second == CONTRACTION_MARK &&
        t->third == third)
      return 1;
  }
  return 0;
}

/* Are these what follows the mark of n’t, I’m, he’d, we’re, I’ve, you’ll, and in a text ’s? */
static int isContraction(const Utf8Trigrams *trigrams, unsigned second, unsigned third,
                         int is_text) {
  if (third >= UTF8_CLASS_SPACE)
    return isClass(second, "dD") || (is_text && isClass(second, "sS")) ||
           (isClass(second, "tT") && isAfter(trigrams, "nN", second)) ||
           (isClass(second, "mM") && isAfter(trigrams, "I", second));
  return (isClass(second, "rvRV") && isClass(third, "eE")) ||
         (isClass(second, "lL") && isClass(third, "lL"));
}

unsigned utf8detect_words_contraction_bits(const Utf8BigramList *bigrams,
                                           const Utf8Trigrams *trigrams) {
  unsigned count = 0;
  for (size_t i = 0; trigrams && i < trigrams->count; i++) {
    const Utf8Trigram *t = &trigrams->list[i];
    count +=
        t->first == CONTRACTION_MARK &&
        isContraction(trigrams, t->second, t->third, bigrams->size >= CONTRACTION_TEXT);
  }
  return count * CONTRACTION_BITS;
}

/* ---- capitals ------------------------------------------------------------------------------ */

int utf8detect_words_may_be_capitals(const Utf8BigramList *bigrams) {
  for (size_t i = 0; i < bigrams->high; i++)
    if (bigrams->list[i].first < 128 && bigrams->list[i].second < 128) return 1;
  return 0;
}

int utf8detect_words_are_capitals(const Utf8BigramList *bigrams,
                                  const Utf8Alphabet *alphabet) {
  for (size_t i = 0; i < bigrams->bytes_count; i++) {
    if (ALPHABET_LOAD(alphabet->kind[bigrams->bytes[i]]) == DETECT_LOWER) return 0;
  }
  return 1;
}
