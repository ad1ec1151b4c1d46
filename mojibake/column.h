/* mojibake/column.h: what the values of a column say about one of them that may be misread UTF-8.
**
** "OÔÇÖHiggins" alone may be meant. Among values that were surely misread in cp850 it is "O’Higgins".
**
**     utf8mojibake_column_add(&column, text, size);                      // each value
**     utf8mojibake_column_merge(&table, &column);                        // each column
**     utf8mojibake_column_estimate(&column);                             // and the table
**     if (utf8mojibake_column_find(&column, &table, text, size, &found, &probability)) ...
**
** Many charsets read most values alike. How much of a column was misread in each is estimated by expectation
** maximization, and is what is likely before a value is read. The prior of a column is its table, and the prior of that
** what is likely anywhere (mojibake/readings.h). Nothing is allocated, and nothing is shared between threads.
*/
#ifndef UTF8_MOJIBAKE_COLUMN_H
#define UTF8_MOJIBAKE_COLUMN_H

#include "detect/likelihood.h"
#include "mojibake/mojibake.h"
#include "mojibake/readings.h"

#define UTF8_MOJIBAKE_SEEN  256
#define UTF8_MOJIBAKE_ALIKE 32

/* Charsets, as bits, that have the same bytes for some values, and how many values these are. */
typedef struct Utf8MojibakeAlike {
  uint32_t charsets;
  uint32_t values;
} Utf8MojibakeAlike;

/* The values of a column, or of a table. Zeroed before its first use. About 2 KB. */
typedef struct Utf8MojibakeColumn {
  uint32_t values;   /* how many are decided: misread for sure, or clean */
  uint32_t clean;    /* how many of these are clean */
  uint32_t doubtful; /* how many look misread, before the first that surely is */
  /* How many surely were misread in each charset, or in another one that has the same bytes for them: */
  uint32_t sure[MOJIBAKE_WITH_RIVALS];
  size_t alike_count;
  Utf8MojibakeAlike alike[UTF8_MOJIBAKE_ALIKE];
  uint32_t misread[MOJIBAKE_WITH_RIVALS]; /* by the estimate, in 256ths of a value */
  /* Of the first values, restored if they were misread: how many there are, and in 256ths of a value how many are in
  ** each language. */
  uint32_t language_values;
  uint32_t languages[UTF8_MODEL_LANGUAGES];
  /* Hashes, each in its place: a value that comes again soon counts once. */
  uint32_t seen[UTF8_MOJIBAKE_SEEN];
} Utf8MojibakeColumn;

/* Adds a well-formed value. One of several lines, or a long one, adds nothing, nor does ASCII. */
void utf8mojibake_column_add(Utf8MojibakeColumn *column, const uint8_t *text,
                             size_t size);

/* Adds the values of a column to its table. */
void utf8mojibake_column_merge(Utf8MojibakeColumn *table,
                               const Utf8MojibakeColumn *column);

/* Estimates the column when all values were added. Returns 0 if too few surely were misread for another one to be. */
int utf8mojibake_column_estimate(Utf8MojibakeColumn *column);

/* Is all of a well-formed value UTF-8 that was surely misread in one charset, as the other values show? Then stores
** where, as utf8mojibake_find() does, and how likely it is, of UTF8_MOJIBAKE_ONE: utf8_demojibake() with this charset
** restores it. Column and table are estimated. */
int utf8mojibake_column_find(const Utf8MojibakeColumn *column,
                             const Utf8MojibakeColumn *table, const uint8_t *text,
                             size_t size, Utf8MojibakeFound *found,
                             uint64_t *probability);

#endif
