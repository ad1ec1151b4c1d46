/* detect/column.h: which charset a column of values has, by what each of them is named.
**
** sql/detect.c and arrow/detect.c add the values, since each allocates and stops in its own way.
*/
#ifndef UTF8_DETECT_COLUMN_H
#define UTF8_DETECT_COLUMN_H

#include "detect/model.h"

/* How many values each charset was named for, from UTF8_CHARSET_UNKNOWN on, which stands for those in
** `legacy`. Zeroed before its first use. */
typedef struct Utf8ColumnCounts {
  uint64_t well_formed[UTF8_CHARSETS - UTF8_CHARSET_UNKNOWN];
  uint64_t ill_formed[UTF8_CHARSETS - UTF8_CHARSET_UNKNOWN];
} Utf8ColumnCounts;

/* Counts a value. */
static inline void utf8detect_count(uint64_t *counts, Utf8Charset charset) {
  counts[charset - UTF8_CHARSET_UNKNOWN]++;
}

/* Begins the evidence of the values in a legacy charset. Those with damage are not in it. */
void utf8detect_column_begin(Utf8Evidence *legacy);

/* Adds bytes[at..until) of a value in a legacy charset, like utf8detect_add(). */
void utf8detect_column_add(Utf8Evidence *legacy, const uint8_t *bytes, size_t size,
                           size_t at, size_t until);

/* Does a lead byte precede a continuation byte? If not, the value is not damaged UTF-8. */
int utf8detect_has_lead_and_trail(const uint8_t *bytes, size_t size);

/* Has a value with this damage at least half as many whole sequences of UTF-8 as ill-formed bytes? In a
** legacy charset, they are rare accidents. */
int utf8detect_is_damaged(const Utf8Damage *damage);

/* Returns the charset that most ill-formed values have, or else most well-formed ones, the first of
** several; ASCII if no other was counted. legacy has the values of UTF8_CHARSET_UNKNOWN, and `first` is the
** charset of the first of them. */
Utf8Charset utf8detect_column_charset(const Utf8ColumnCounts *counts,
                                      Utf8Evidence *legacy, Utf8Charset first);

#endif
