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

/* Likewise, of its ASCII and its punctuation alone. */
int32_t utf8mojibake_frame_cost(const Segment *s);

#endif
