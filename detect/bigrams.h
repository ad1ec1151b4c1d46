/* detect/bigrams.h: bigrams, which bytes follow which in values, as evidence about single-byte charsets.
**
** All bytes above 7F are told apart, ASCII letters too; other ASCII bytes form six classes. A bigram
** that occurs often is no more evidence than one that occurs UTF8_BIGRAM_MAX times: 1,500 cells
** `1,50 €` say no more than a few.
*/
#ifndef UTF8_DETECT_BIGRAMS_H
#define UTF8_DETECT_BIGRAMS_H

#include "core/utf8core.h"
#include "detect/places.h"

/* The classes of bytes: 80..FF less 80, ASCII letters, six kinds of others. */
#define UTF8_BYTE_CLASSES 186
#define UTF8_CLASS_SPACE  (128 + 52) /* also before a value, and after it */

/* How often a bigram counts at most. */
#define UTF8_BIGRAM_MAX 4

/* A bigram, two classes, and how often it counts. */
typedef struct Utf8Bigram {
  uint8_t first;
  uint8_t second;
  uint8_t count;
} Utf8Bigram;

/* Bigrams of ASCII classes, at most. */
#define UTF8_ASCII_CLASSES (UTF8_BYTE_CLASSES - 128)
#define UTF8_ASCII_BIGRAMS (UTF8_ASCII_CLASSES * UTF8_ASCII_CLASSES)

/* The bigrams of any number of values. About 150 KB. */
typedef struct Utf8BigramCounts {
  uint64_t high; /* bigrams with a byte above 7F, each as often as it occurs */
  size_t listed;
  size_t high_listed;  /* list[0..high_listed) have a byte above 7F */
  size_t ascii_listed; /* the bigrams in ascii, which are no longer in list */
  Utf8Places places;   /* of the bytes above 7F */
  uint8_t previous;    /* the class of the last byte of the value that is being added */
  uint8_t counts[UTF8_BYTE_CLASSES][UTF8_BYTE_CLASSES];
  /* The bigrams that have a count, and room for one that has it already. */
  Utf8Bigram list[UTF8_BYTE_CLASSES * UTF8_BYTE_CLASSES + 1];
  Utf8Bigram ascii[UTF8_ASCII_BIGRAMS + 1];
} Utf8BigramCounts;

/* The bigrams that detect/likelihood.c reads. */
typedef struct Utf8BigramList {
  const Utf8Bigram *list;  /* those with a byte above 7F */
  const Utf8Bigram *ascii; /* those of ASCII with a letter */
  size_t high;             /* bigrams in list */
  size_t size;             /* bigrams in both */
  uint64_t high_sum;       /* the sum of the counts in list */
  uint64_t high_total;     /* how often they occur */
  uint8_t bytes[129];      /* the bytes above 7F, less 80, in ascending order */
  size_t bytes_count;
  Utf8Places places; /* of these bytes */
} Utf8BigramList;

/* The class of each byte. */
extern const uint8_t *const utf8detect_bigrams_class;

/* Returns the class of bytes[at] of a value; of a space where `at` is outside of it. */
static inline unsigned utf8detect_bigrams_class_at(const uint8_t *bytes, size_t size,
                                                   size_t at) {
  return at < size ? utf8detect_bigrams_class[bytes[at]] : UTF8_CLASS_SPACE;
}

void utf8detect_bigrams_begin(Utf8BigramCounts *bigrams);

/* Counts a bigram of two classes. */
void utf8detect_bigrams_count(Utf8BigramCounts *bigrams, unsigned first,
                              unsigned second);

/* Counts the bigrams of bytes[at..until) of a value, and adds the places of its bytes above 7F. The value ends with
** until = size. */
void utf8detect_bigrams_add(Utf8BigramCounts *bigrams, const uint8_t *bytes,
                            size_t size, size_t at, size_t until);

/* Stores the bigrams that were counted in *list, in the memory of bigrams, which stay as they are. */
void utf8detect_bigrams_list(Utf8BigramList *list, Utf8BigramCounts *bigrams);

/* Stores the bigrams of one value of at most UTF8_BIGRAMS_SHORT bytes in *room. */
#define UTF8_BIGRAMS_SHORT 1024
typedef struct Utf8BigramsShort {
  Utf8Bigram list[UTF8_BIGRAMS_SHORT + 1];
  Utf8Bigram ascii[UTF8_BIGRAMS_SHORT + 1];
} Utf8BigramsShort;
void utf8detect_bigrams_list_short(Utf8BigramList *list, Utf8BigramsShort *room,
                                   const uint8_t *bytes, size_t size);

/* Returns the number of ASCII bigrams, or max if there are more. */
uint64_t utf8detect_bigrams_ascii(const Utf8BigramList *bigrams, uint64_t max);

/* Returns the part of a sum over all bigrams with a byte above 7F that belongs to those that count. */
uint64_t utf8detect_bigrams_share(const Utf8BigramList *bigrams, uint64_t sum);

#endif
