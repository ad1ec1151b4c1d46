/* detect/weight.c: costs as weights (detect/weight.h). */
#include "detect/weight.h"
#include "core/bytes.h"

/* 2^(40 - k/8) */
static const uint64_t weightPowers[8] = {1099511627776, 1008256608221, 924575386327,
                                         847839367509,  777472127994,  712945084849,
                                         653773525390,  599512966123};

uint64_t utf8detect_weight(uint32_t cost) {
  return cost / 8 < 64 ? weightPowers[cost % 8] >> cost / 8 : 0;
}

uint32_t utf8detect_log(uint64_t x) {
  const unsigned bits = (unsigned)mask_highest(x);
  const uint64_t half = bits > 39 ? x >> (bits - 39) : x << (39 - bits);
  uint32_t log = bits * 8;
  for (unsigned k = 7; k > 0; k--) log += half >= weightPowers[k];
  return log;
}
