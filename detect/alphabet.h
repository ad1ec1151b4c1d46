/* detect/alphabet.h: what bigrams cost as text in a single-byte charset. detect/model.c has the
** costs, detect/rank.c compares the charsets.
**
** The tables are built at their first use, in static memory, which takes about 400 microseconds. Every
** thread that builds them stores the same values, atomically.
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

/* How a charset is read: as it is; for a cause, with U+2019 as an apostrophe, of which the counted text
** has too few; or for a cause, also with capitals beyond ASCII as small letters. */
enum { ALPHABET_AS_IS, ALPHABET_CAUSE, ALPHABET_CAPITALS, ALPHABET_WAYS };
#define UTF8_ALPHABETS (UTF8_ALPHABET_CHARSETS * ALPHABET_WAYS)

/* What each class of bytes is in a charset. */
typedef struct Utf8Alphabet {
  _Atomic(uint32_t) lacks[4]; /* bit n of all: the byte 80 + n is undefined */
  _Atomic(uint8_t) kind[UTF8_BYTE_CLASSES];
  /* A letter's number in the script, from 1; or 0. */
  _Atomic(uint8_t) letter[UTF8_BYTE_CLASSES];
  /* letter; in viscii its tone, if the model has that as a mark of its own. */
  _Atomic(uint8_t) last[UTF8_BYTE_CLASSES];
  _Atomic(uint16_t) row[UTF8_BYTE_CLASSES]; /* in Utf8Alphabets.cost */
  _Atomic(uint16_t) column[UTF8_BYTE_CLASSES];
} Utf8Alphabet;

/* What each kind, and each letter in the language in which it costs least, costs after another one:
** cost[row of the first + column of the second]. All scripts follow each other, then comes viscii in
** each way, with tones. */
#define UTF8_SCRIPTS        7 /* 0 is not one */
#define UTF8_SCRIPT_LETTERS 136
#define UTF8_SCRIPT_COLUMNS (DETECT_KINDS + 2 * UTF8_SCRIPT_LETTERS)
#define UTF8_SCRIPT_ROWS    (DETECT_KINDS + 2)
#define UTF8_SCRIPT_COSTS   (UTF8_SCRIPT_ROWS * UTF8_SCRIPT_COLUMNS)

/* The costs of a bigram of ASCII letters in all Latin languages: each has a byte of a word. */
#define UTF8_LATIN_LETTERS 27 /* 0 is none */
#define UTF8_LATIN_WORDS   (32 / sizeof(size_t))

/* The alphabets of all charsets in one way come first, in the order of utf8detect_charsets, then those
** in the next one. */
typedef struct Utf8Alphabets {
  _Atomic(int) ready[ALPHABET_WAYS];
  Utf8Alphabet of[UTF8_ALPHABETS];
  _Atomic(uint16_t) cost[(UTF8_SCRIPTS + ALPHABET_WAYS) * UTF8_SCRIPT_COSTS];
  _Atomic(size_t) latin[UTF8_LATIN_LETTERS][UTF8_LATIN_LETTERS][UTF8_LATIN_WORDS];
} Utf8Alphabets;

/* The charsets that are compared. */
extern const DetectCharset *const utf8detect_charsets;

/* Returns the tables, those of a cause included if it is one. */
const Utf8Alphabets *utf8detect_alphabets(int is_cause);

/* Returns what the kinds alone cost in list[0..count). */
uint64_t utf8detect_kinds_cost(const Utf8Alphabet *alphabet, const Utf8Bigram *list,
                               size_t count);

/* Returns what the letters of list[0..count) cost in a language; or a number above bound, before the
** end. */
uint64_t utf8detect_language_cost(const Utf8Alphabet *alphabet, unsigned language,
                                  const Utf8Bigram *list, size_t count, uint64_t bound);

/* Like utf8detect_language_cost(), but a letter may also be that of a foreign name. */
uint64_t utf8detect_names_cost(const Utf8Alphabet *alphabet, unsigned language,
                               const Utf8Bigram *list, size_t count, uint64_t bound);

/* Returns what trigrams add to utf8detect_names_cost() in a language of Latin script, one of the first DETECT_LATIN: how
** much more letters cost after the two before them than after one. Below 0 if they cost less. */
int64_t utf8detect_trigrams_cost(const Utf8Alphabet *alphabet, unsigned language,
                                 const Utf8Trigrams *trigrams);

/* Returns what the tones of viscii cost after their letters. */
uint64_t utf8detect_tones_cost(const Utf8Alphabet *alphabet, const Utf8Bigram *list,
                               size_t count);

/* Stores what bigrams of ASCII letters cost in each Latin language. */
void utf8detect_latin_costs(uint64_t of[DETECT_LATIN], const Utf8Alphabets *alphabets,
                            const Utf8Bigram *list, size_t count);

/* Does the language lack the letter, by its number in the script? */
int utf8detect_is_unknown(unsigned language, unsigned letter);

#endif
