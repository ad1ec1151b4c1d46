/* mojibake/cost.h: what text costs: how many bits it takes in a model of text.
**
** Each code point costs what its class does after the class of the one before, and what it is within its class
** (tool/mojibake/model.py). What a letter is costs what the language says (detect/model.h). Costs are in quarters of a
** bit.
*/
#ifndef UTF8_MOJIBAKE_COST_H
#define UTF8_MOJIBAKE_COST_H

#include "mojibake/codes.h"

/* Returns what the code points from..end of a segment cost, apart from what the language of its letters says. */
int32_t utf8mojibake_cost(const Segment *s, size_t from, size_t end);

/* Stores in sum[n] what the first n code points cost, for n from 0 to their count. */
void utf8mojibake_costs(const Segment *s, int32_t *sum);

/* Returns what its ASCII and its punctuation alone cost. */
int32_t utf8mojibake_frame_cost(const Segment *s);

#endif
