/* detect/weight.h: costs, in eighths of a bit, and what they weigh as probabilities. All are integers, so that
** results are the same on every machine.
*/
#ifndef UTF8_DETECT_WEIGHT_H
#define UTF8_DETECT_WEIGHT_H

#include "core/bytes.h"

/* The weight of a cost of 0. */
#define UTF8_WEIGHT ((uint64_t)1 << 40)

/* 2^(40 - k/8) */
static const uint64_t utf8detect_powers[8] = {
    1099511627776, 1008256608221, 924575386327, 847839367509,
    777472127994,  712945084849,  653773525390, 599512966123};

/* Returns 2^-(cost / 8), times UTF8_WEIGHT. */
static inline uint64_t utf8detect_weight(uint32_t cost) {
  return cost / 8 < 64 ? utf8detect_powers[cost % 8] >> cost / 8 : 0;
}

/* Returns 8 log2(x), rounded down; x is at least 1. */
static inline uint32_t utf8detect_log(uint64_t x) {
  const unsigned bits = (unsigned)mask_highest(x);
  const uint64_t half = bits > 39 ? x >> (bits - 39) : x << (39 - bits);
  uint32_t log = bits * 8;
  for (unsigned k = 7; k > 0; k--) log += half >= utf8detect_powers[k];
  return log;
}

#endif
