/* detect/neighbours.h: the cause of an ill-formed value by the other values of its column and table.
**
** Ill-formed neighbours show a charset, and well-formed ones the letters that the column has: in a
** column of Polish names, the bytes of one more name are likelier to be in windows-1250 than in
** windows-1252. What they say is a number of bits for or against each reading of the value, which
** detect/cause.c then compares by the same margin. They decide what is unclear, and outweigh a
** value that is clear alone only where they contradict it strongly.
**
** Nothing is allocated, and nothing is shared between threads.
*/
#ifndef UTF8_DETECT_NEIGHBOURS_H
#define UTF8_DETECT_NEIGHBOURS_H

#include "detect/cause.h"

/* Different ill-formed values that are read, of the first ones. */
#define UTF8_VOTES_MAX 256

/* Places for different letters of well-formed values, a power of two. */
#define UTF8_LETTERS_MAX 512

/* A letter without case, or a sign, and how often it occurs. */
typedef struct Utf8Letter {
  uint32_t letter;
  uint32_t count;
} Utf8Letter;

/* The values of a column, or of a table. Zeroed before its first use. About 7 KB. */
typedef struct Utf8Neighbours {
  /* Ill-formed values. Each is read for itself, and adds how much dearer each charset is than its
  ** cheapest reading; UTF8_CHARSET_UTF8 stands for damaged UTF-8. */
  uint32_t cost[UTF8_CHARSETS];
  /* hashes of the values: each counts once, whatever its digits */
  uint64_t seen[UTF8_VOTES_MAX];
  size_t count;
  uint16_t with_byte[128]; /* the number of values that have the byte 80 + i */
  int has_signs; /* a value has only signs of windows-1252 beyond ASCII: it adds nothing */
  /* Well-formed values. */
  Utf8Letter letters[UTF8_LETTERS_MAX];
  size_t letter_count;
  uint32_t letter_sum; /* of their counts */
  uint32_t bytes[128]; /* how often they have the byte 80 + i */
  /* what the letters of East Asia cost in each charset */
  uint64_t asian[UTF8_ASIAN_CHARSETS];
} Utf8Neighbours;

/* Returns a hash of the value, its digits apart. */
uint64_t utf8detect_neighbour_hash(const uint8_t *bytes, size_t size);

/* Does an ill-formed value with this hash add nothing? */
int utf8detect_neighbour_is_known(const Utf8Neighbours *n, uint64_t hash);

/* Adds an ill-formed value whose evidence is complete. */
void utf8detect_neighbour_add(Utf8Neighbours *n, uint64_t hash,
                              Utf8CauseEvidence *evidence);

/* Adds a well-formed value; only its first bytes are read. */
void utf8detect_neighbour_add_clean(Utf8Neighbours *n, const uint8_t *bytes,
                                    size_t size);

/* Returns the charset of the ill-formed values, if it beats all with other text by the margin of
** the cause, damaged UTF-8 included; else UTF8_CHARSET_UNKNOWN. */
Utf8Charset utf8detect_neighbour_charset(const Utf8Neighbours *n);

/* Returns the cause of a value with this hash, which was added to column and table. */
Utf8Cause utf8detect_cause_among(Utf8CauseEvidence *evidence, uint64_t hash,
                                 const Utf8Neighbours *column,
                                 const Utf8Neighbours *table);

#endif
