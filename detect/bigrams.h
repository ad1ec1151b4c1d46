/* detect/bigrams.h: bigrams, which bytes follow which in values, as evidence about single-byte charsets.
**
** All bytes above 7F are told apart, ASCII letters too; other ASCII bytes form six classes. A pair
** that occurs often is no more evidence than one that occurs UTF8_PAIR_MAX times: 1,500 cells
** `1,50 €` say no more than a few.
*/
#ifndef UTF8_DETECT_BIGRAMS_H
#define UTF8_DETECT_BIGRAMS_H

#include "utf8core.h"

/* The classes of bytes: 80..FF less 80, ASCII letters, six kinds of others. */
#define UTF8_BYTE_CLASSES 186
#define UTF8_CLASS_SPACE  (128 + 52) /* also before a value, and after it */

/* How often a pair counts at most. */
#define UTF8_PAIR_MAX 4

/* A pair of classes, and how often it counts. */
typedef struct Utf8Pair {
  uint8_t first;
  uint8_t second;
  uint8_t count;
} Utf8Pair;

/* Pairs of ASCII classes, at most. */
#define UTF8_ASCII_CLASSES (UTF8_BYTE_CLASSES - 128)
#define UTF8_ASCII_PAIRS   (UTF8_ASCII_CLASSES * UTF8_ASCII_CLASSES)

/* The pairs of any number of values. About 150 KB. */
typedef struct Utf8PairCounts {
  uint64_t high; /* pairs with a byte above 7F, each as often as it occurs */
  size_t listed;
  size_t high_listed;  /* list[0..high_listed) have a byte above 7F */
  size_t ascii_listed; /* the pairs in ascii, which are no longer in list */
  uint8_t previous;    /* the class of the last byte of the value that is being added */
  uint8_t counts[UTF8_BYTE_CLASSES][UTF8_BYTE_CLASSES];
  /* The pairs that have a count, and room for one that has it already. */
  Utf8Pair list[UTF8_BYTE_CLASSES * UTF8_BYTE_CLASSES + 1];
  Utf8Pair ascii[UTF8_ASCII_PAIRS + 1];
} Utf8PairCounts;

/* The pairs that detect/rank.c reads. */
typedef struct Utf8PairList {
  const Utf8Pair *list;  /* those with a byte above 7F */
  const Utf8Pair *ascii; /* those of ASCII with a letter */
  size_t high;           /* pairs in list */
  size_t size;           /* pairs in both */
  uint64_t high_sum;     /* the sum of the counts in list */
  uint64_t high_total;   /* how often they occur */
  uint8_t bytes[129];    /* the bytes above 7F, less 80, in ascending order */
  size_t bytes_count;
} Utf8PairList;

/* The class of each byte. */
extern const uint8_t *const utf8detect_pairs_class;

void utf8detect_pairs_begin(Utf8PairCounts *pairs);

/* Counts one pair of classes. */
void utf8detect_pairs_count(Utf8PairCounts *pairs, unsigned first, unsigned second);

/* Counts the pairs of bytes[at..until), of a value that bytes[0] starts; at its end call
** utf8detect_pairs_end(). */
void utf8detect_pairs_add(Utf8PairCounts *pairs, const uint8_t *bytes, size_t at,
                          size_t until);
void utf8detect_pairs_end(Utf8PairCounts *pairs);

/* Stores the pairs that were counted in *list, in the memory of pairs, which stay as they are. */
void utf8detect_pairs_list(Utf8PairList *list, Utf8PairCounts *pairs);

/* Stores the pairs of one value of at most UTF8_PAIRS_SHORT bytes in *room. */
#define UTF8_PAIRS_SHORT 1024
typedef struct Utf8PairsShort {
  Utf8Pair list[UTF8_PAIRS_SHORT + 1];
  Utf8Pair ascii[UTF8_PAIRS_SHORT + 1];
} Utf8PairsShort;
void utf8detect_pairs_list_short(Utf8PairList *list, Utf8PairsShort *room,
                                 const uint8_t *bytes, size_t size);

/* Returns the number of ASCII pairs, or max if there are more. */
uint64_t utf8detect_pairs_ascii(const Utf8PairList *pairs, uint64_t max);

/* Returns the part of a sum over all pairs with a byte above 7F that belongs to those that count. */
uint64_t utf8detect_pairs_share(const Utf8PairList *pairs, uint64_t sum);

#endif
