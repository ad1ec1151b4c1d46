/* detect/alphabet.h: what bigrams cost as text in a single-byte charset. detect/model.c has the
** costs, detect/likelihood.c compares the charsets.
**
** The tables are built at their first use, in static memory, which takes less than a millisecond. Rows of costs are built when
** a text first needs them; all of them are 9 MB. Every thread that builds something stores the same values, atomically.
*/
#ifndef UTF8_DETECT_ALPHABET_H
#define UTF8_DETECT_ALPHABET_H

#include "core/compiler.h"
#include "detect/model.h"
#include "detect/tables/model.h"
#include "detect/trigrams.h"
#include <stdatomic.h>

#define ALPHABET_LOAD(from) atomic_load_explicit(&(from), memory_order_relaxed)
#define ALPHABET_STORE(to, number)                                                     \
  atomic_store_explicit(&(to), (number), memory_order_relaxed)

/* How a charset is read, always with U+2019 as an apostrophe, of which the counted text has too few: as it is, or with
** capitals beyond ASCII as small letters. */
enum { ALPHABET_AS_IS, ALPHABET_CAPITALS, ALPHABET_WAYS };
#define UTF8_ALPHABETS (UTF8_ALPHABET_CHARSETS * ALPHABET_WAYS)

/* How many lead bytes start Latin letters in UTF-8. */
#define UTF8_LOST_LEADS 4

/* What each class of bytes is in a charset. */
typedef struct Utf8Alphabet {
  _Atomic(uint8_t) kind[UTF8_BYTE_CLASSES];
  /* A letter's number in the script, from 1; or 0. */
  _Atomic(uint8_t) letter[UTF8_BYTE_CLASSES];
  /* letter; in viscii its tone, if the model has that as a mark of its own. */
  _Atomic(uint8_t) last[UTF8_BYTE_CLASSES];
} Utf8Alphabet;

#define UTF8_SCRIPTS        7 /* 0 is not one */
#define UTF8_SCRIPT_LETTERS 136

/* A set of the charsets that are compared: bit n of all words for the charset n. */
#define UTF8_CHARSETS_WORDS ((UTF8_ALPHABET_CHARSETS + 31) / 32)
static inline int utf8detect_is_in(const uint32_t charsets[UTF8_CHARSETS_WORDS],
                                   size_t index) {
  return charsets[index / 32] >> index % 32 & 1;
}
static inline void utf8detect_put_in(uint32_t charsets[UTF8_CHARSETS_WORDS],
                                     size_t index) {
  charsets[index / 32] |= (uint32_t)1 << index % 32;
}

/* The alphabets of all charsets in one way come first, in the order of utf8detect_charsets, then those
** in the next one. */
typedef struct Utf8Alphabets {
  _Atomic(int) ready;
  Utf8Alphabet of[UTF8_ALPHABETS];
  /* The charsets in which the byte 80 + n is undefined, and those in which it is a small letter. */
  _Atomic(uint32_t) lacking[128][UTF8_CHARSETS_WORDS];
  _Atomic(uint32_t) lower[128][UTF8_CHARSETS_WORDS];
  /* In each way, an alphabet for each of these lead bytes: a continuation byte stands for the letter that it ends. */
  Utf8Alphabet lost[UTF8_LOST_LEADS * ALPHABET_WAYS];
} Utf8Alphabets;

/* The charsets that are compared. */
extern const DetectCharset *const utf8detect_charsets;

/* Returns the cost of a charset for being rare. */
static inline uint32_t utf8detect_rare_cost(size_t index) {
  return utf8detect_charsets[index].prior * (uint32_t)DETECT_UNIT;
}

const Utf8Alphabets *utf8detect_alphabets(void);

/* Returns what the kinds alone cost in list[0..count). */
uint64_t utf8detect_kinds_cost(const Utf8Alphabet *alphabet, const Utf8Bigram *list,
                               size_t count);

/* Stores what list[0..size) cost at least in each of the first charsets, DETECT_NAMED or all, read in one way, whatever the
** language. */
void utf8detect_least_costs(uint32_t least[UTF8_ALPHABET_CHARSETS], int way,
                            const Utf8Bigram *list, size_t size, size_t charsets);

/* Adds what the letters of list[0..count) cost in each language of a script, each as one of it or of a foreign name. */
void utf8detect_add_names(uint32_t of[UTF8_MODEL_LANGUAGES],
                          const Utf8Alphabet *alphabet, unsigned script,
                          const Utf8Bigram *list, size_t count);

/* Returns what trigrams add to utf8detect_add_names() in a language of Latin script, one of the first DETECT_LATIN: how
** much more letters cost after the two before them than after one. Below 0 if they cost less. */
int64_t utf8detect_trigrams_cost(const Utf8Alphabet *alphabet, unsigned language,
                                 const Utf8Trigrams *trigrams);

/* Returns what the tones of viscii cost after their letters. */
uint64_t utf8detect_tones_cost(const Utf8Alphabet *alphabet, const Utf8Bigram *list,
                               size_t count);

/* Stores what bigrams of ASCII letters cost in each Latin language. */
void utf8detect_latin_costs(uint32_t of[DETECT_LATIN], const Utf8Bigram *list,
                            size_t count);

/* Does the language lack the letter, by its number in the script? */
int utf8detect_is_unknown(unsigned language, unsigned letter);

#endif
