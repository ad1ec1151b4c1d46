/* detect/words.h: what no language writes: bytes read in a charset that they are hardly in. */
#ifndef UTF8_DETECT_WORDS_H
#define UTF8_DETECT_WORDS_H

#include "detect/alphabet.h"
#include "detect/trigrams.h"

/* How odd the words are in a single-byte charset. */
typedef enum Utf8WordsOddness {
  UTF8_WORDS_USUAL,
  /* A capital after a small letter, or between a capital and a small letter; a letter of Greek or Cyrillic
  ** after one of ASCII; a dash or no-break space inside of a word, or a currency after it; an apostrophe
  ** before a word; marks of quotation all of which stand before words, or all behind words: mistyped, or misread. */
  UTF8_WORDS_UNUSUAL,
  UTF8_WORDS_ODD /* another sign inside of a word, such as „ in Z„zilie, or an accent without a letter: misread */
} Utf8WordsOddness;

/* Returns how odd the bigrams are in the charset at this place of utf8detect_charsets. */
Utf8WordsOddness utf8detect_words_oddness(const Utf8BigramList *bigrams, size_t index);

/* Returns the bits that contractions speak for English in a charset of Windows, which has U+2019 at 92: don’t, we’re, and
** in a long text Anna’s. trigrams may be NULL. */
unsigned utf8detect_words_contraction_bits(const Utf8BigramList *bigrams,
                                           const Utf8Trigrams *trigrams);

/* A text in capitals costs as much as in small letters, and these bits. */
#define UTF8_CAPITALS_BITS 5

/* May some charset read the bigrams as capitals? Two bytes above 7F are neighbours then. */
int utf8detect_words_may_be_capitals(const Utf8BigramList *bigrams);

/* Are they capitals in the alphabet, if they may be? They have no small letter beyond ASCII. */
int utf8detect_words_are_capitals(const Utf8BigramList *bigrams,
                                  const Utf8Alphabet *alphabet);

#endif
