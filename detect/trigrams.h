/* detect/trigrams.h: trigrams, three neighbouring bytes of a value, as evidence about languages of Latin script.
**
** What a letter costs after the one before it says little of a name with a single letter beyond ASCII. The two
** letters before it and the two after it say more.
*/
#ifndef UTF8_DETECT_TRIGRAMS_H
#define UTF8_DETECT_TRIGRAMS_H

#include "core/utf8core.h"
#include "detect/lexicon.h"

/* Three classes of bytes: see detect/bigrams.h. */
typedef struct Utf8Trigram {
  uint8_t first;
  uint8_t second;
  uint8_t third;
} Utf8Trigram;

/* How often a trigram counts at most: a word that a value repeats says no more each time. */
#define UTF8_TRIGRAM_MAX 2

/* The first trigrams of a value that have a byte above 7F and a letter between the two others. */
#define UTF8_TRIGRAMS 24
typedef struct Utf8Trigrams {
  Utf8Trigram list[UTF8_TRIGRAMS];
  size_t count;
  Utf8LexiconWords words; /* its first ones that have a byte above 7F */
} Utf8Trigrams;

void utf8detect_trigrams_begin(Utf8Trigrams *trigrams);

/* Adds the trigram that ends at bytes[at] of a value, by its classes. */
void utf8detect_trigrams_count(Utf8Trigrams *trigrams, size_t at, unsigned first,
                               unsigned second, unsigned third);

/* Adds the words that start in bytes[at..until), of a value bytes[0..size), and the trigrams that end there, with until = size also
** the one that ends after it. Only the first bytes are read: a long text has enough bigrams. */
void utf8detect_trigrams_add(Utf8Trigrams *trigrams, const uint8_t *bytes, size_t size,
                             size_t at, size_t until);

#endif
