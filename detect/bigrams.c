/* detect/bigrams.c: counts bigrams, pairs of neighbouring bytes. */
#include "detect/bigrams.h"
#include "core/step.h"
#include "simd/bytes.h"
#include <string.h>

/* ---- lists ------------------------------------------------------------------------------ */

/* Is one of the classes that of a byte above 7F? */
static inline unsigned isHigh(unsigned first, unsigned second) {
  return ~(first & second) >> 7 & 1;
}

/* Is one of two ASCII classes that of a letter? */
static inline unsigned hasLetter(unsigned first, unsigned second) {
  return (first < UTF8_CLASS_SPACE) | (second < UTF8_CLASS_SPACE);
}

/* Lists the bytes above 7F. */
static void listBytes(Utf8PairList *pairs) {
  uint8_t is[256] = {0};
  for (size_t i = 0; i < pairs->high; i++) {
    is[pairs->list[i].first] = 1;
    is[pairs->list[i].second] = 1;
  }
  for (size_t i = 0; i < 128; i += 8) {
    if (bytes_load64(is + i) == 0) continue;
    for (size_t byte = i; byte < i + 8; byte++) {
      pairs->bytes[pairs->bytes_count] = (uint8_t)byte;
      pairs->bytes_count += is[byte];
    }
  }
}

/* Stores what sortPairs() has sorted. */
static void listPairs(Utf8PairList *pairs, const Utf8Pair *list, size_t high,
                      const Utf8Pair *ascii, size_t low) {
  *pairs =
      (Utf8PairList){.list = list, .ascii = ascii, .high = high, .size = high + low};
  for (size_t i = 0; i < high; i++) pairs->high_sum += list[i].count;
  listBytes(pairs);
}

/* ---- one short value ---------------------------------------------------------------------- */

/* Where the pairs of a short value are in the list, by hash: the pair, and its index from 1 in the low
** half; or 0. */
#define SLOTS_MAX (4 * UTF8_PAIRS_SHORT)
typedef struct PairSlots {
  size_t mask; /* slot has mask + 1 places */
  uint32_t slot[SLOTS_MAX];
} PairSlots;

static void beginSlots(PairSlots *slots, size_t size) {
  slots->mask = 63;
  while (slots->mask < 2 * size) slots->mask = 2 * slots->mask + 1;
  memset(slots->slot, 0, (slots->mask + 1) * sizeof *slots->slot);
}

/* Counts the pair in list[0..*size). */
static inline void countShort(Utf8Pair *list, size_t *size, PairSlots *slots,
                              unsigned first, unsigned second) {
  const uint32_t both = (uint32_t)(first << 8 | second);
  size_t at = (first * 151 + second * 7 + (second >> 3)) & slots->mask;
  for (; slots->slot[at] > 0; at = (at + 1) & slots->mask) {
    if (slots->slot[at] >> 16 != both) continue;
    Utf8Pair *pair = &list[(slots->slot[at] & 0xFFFF) - 1];
    pair->count = (uint8_t)(pair->count + (pair->count < UTF8_PAIR_MAX));
    return;
  }
  list[*size] = (Utf8Pair){(uint8_t)first, (uint8_t)second, 1};
  slots->slot[at] = both << 16 | (uint32_t)++ * size;
}

void utf8detect_pairs_list_short(Utf8PairList *list, Utf8PairsShort *room,
                                 const uint8_t *bytes, size_t size) {
  PairSlots slots;
  size_t total = 0, high = 0, low = 0;
  unsigned previous = UTF8_CLASS_SPACE;
  beginSlots(&slots, size);
  for (size_t i = 0; i <= size; i++) {
    const unsigned class =
        i < size ? utf8detect_pairs_class[bytes[i]] : UTF8_CLASS_SPACE;
    if (isHigh(previous, class)) {
      countShort(room->list, &high, &slots, previous, class);
      total++;
    } else if (hasLetter(previous, class)) {
      countShort(room->ascii, &low, &slots, previous, class);
    }
    previous = class;
  }
  listPairs(list, room->list, high, room->ascii, low);
  list->high_total = total;
}

/* ---- many values, or long ones -------------------------------------------------------------- */

/* The lists are written before they are read. */
void utf8detect_pairs_begin(Utf8PairCounts *pairs) {
  memset(pairs->counts, 0, sizeof pairs->counts);
  pairs->high = 0;
  pairs->previous = 0;
  pairs->listed = pairs->high_listed = pairs->ascii_listed = 0;
}

/* Counts a pair, which becomes list[*listed] if it is new. Without branches. */
ALWAYS_INLINE void countPair(Utf8PairCounts *pairs, size_t *listed, unsigned first,
                             unsigned second) {
  uint8_t *counted = &pairs->counts[first][second];
  const unsigned count = *counted;
  pairs->list[*listed].first = (uint8_t)first;
  pairs->list[*listed].second = (uint8_t)second;
  *listed += count == 0;
  *counted = (uint8_t)(count + (count < UTF8_PAIR_MAX));
}

void utf8detect_pairs_count(Utf8PairCounts *pairs, unsigned first, unsigned second) {
  countPair(pairs, &pairs->listed, first, second);
  pairs->high += isHigh(first, second);
}

void utf8detect_pairs_add(Utf8PairCounts *pairs, const uint8_t *bytes, size_t at,
                          size_t until) {
  unsigned previous = at == 0 ? UTF8_CLASS_SPACE : pairs->previous;
  size_t listed = pairs->listed, ascii = 0;
  pairs->high += until - at;
  for (; at < until; at++) {
    const unsigned class = utf8detect_pairs_class[bytes[at]];
    countPair(pairs, &listed, previous, class);
    ascii += (previous & class) >> 7;
    previous = class;
  }
  pairs->listed = listed;
  pairs->high -= ascii;
  pairs->previous = (uint8_t)previous;
}

void utf8detect_pairs_end(Utf8PairCounts *pairs) {
  utf8detect_pairs_count(pairs, pairs->previous, UTF8_CLASS_SPACE);
}

static void setCounts(const Utf8PairCounts *pairs, Utf8Pair *list, size_t size) {
  for (size_t i = 0; i < size; i++)
    list[i].count = pairs->counts[list[i].first][list[i].second];
}

/* Moves the new pairs with a byte above 7F to the end of those in list, and ASCII ones that have a
** letter to the end of ascii. Both have room for one pair more. Without branches: it is hard to
** predict which pair is which. */
static void sortPairs(Utf8PairCounts *pairs) {
  size_t high = pairs->high_listed, low = pairs->ascii_listed;
  for (size_t i = high; i < pairs->listed; i++) {
    Utf8Pair pair = pairs->list[i];
    const unsigned is = isHigh(pair.first, pair.second);
    pair.count = pairs->counts[pair.first][pair.second];
    pairs->list[high] = pairs->ascii[low] = pair;
    high += is;
    low += hasLetter(pair.first, pair.second) & ~is;
  }
  pairs->listed = pairs->high_listed = high;
  pairs->ascii_listed = low;
}

void utf8detect_pairs_list(Utf8PairList *list, Utf8PairCounts *pairs) {
  setCounts(pairs, pairs->list, pairs->high_listed);
  setCounts(pairs, pairs->ascii, pairs->ascii_listed);
  sortPairs(pairs);
  listPairs(list, pairs->list, pairs->high_listed, pairs->ascii, pairs->ascii_listed);
  list->high_total = pairs->high;
}

uint64_t utf8detect_pairs_ascii(const Utf8PairList *pairs, uint64_t max) {
  uint64_t sum = 0;
  for (size_t i = 0; i < pairs->size - pairs->high && sum < max; i++)
    sum += pairs->ascii[i].count;
  return sum < max ? sum : max;
}

uint64_t utf8detect_pairs_share(const Utf8PairList *pairs, uint64_t sum) {
  const uint64_t total = pairs->high_total;
  if (pairs->high_sum >= total) return sum;
  return sum / total * pairs->high_sum + sum % total * pairs->high_sum / total;
}
