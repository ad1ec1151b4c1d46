/* detect/lost.h: what damaged text cost before the accident.
**
** detect/damage.h has a price for each damaged place, whatever stands beside it. But what is left of a letter tells which
** letters it may have been: between Ko and ice, A1 is a š that lost its lead byte, rather than an í of cp852. And if a word is
** likely without a byte, the byte may have been inserted.
*/
#ifndef UTF8_DETECT_LOST_H
#define UTF8_DETECT_LOST_H

#include "detect/asutf8.h"
#include "detect/tables/model.h"

/* Stores how much more than as->damaged, or less, a value costs in each Latin language. as->damaged is not UINT64_MAX;
** may_be_capitals is what utf8detect_words_may_be_capitals() says of the value. */
void utf8detect_lost_costs(int64_t more[DETECT_LATIN], const Utf8AsUtf8 *as,
                           int may_be_capitals);

#endif
