/* detect/weight.h: costs, in eighths of a bit, and what they weigh as probabilities. All are integers, so that
** results are the same on every machine.
*/
#ifndef UTF8_DETECT_WEIGHT_H
#define UTF8_DETECT_WEIGHT_H

#include <stdint.h>

/* The weight of a cost of 0. */
#define UTF8_WEIGHT ((uint64_t)1 << 40)

/* Returns 2^-(cost / 8), times UTF8_WEIGHT. */
uint64_t utf8detect_weight(uint32_t cost);

/* Returns 8 log2(x), rounded down; x is at least 1. */
uint32_t utf8detect_log(uint64_t x);

#endif
