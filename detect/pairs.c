/* detect/pairs.c: counts pairs of neighbouring bytes. */
#include "detect/pairs.h"
#include <string.h>
#include "core/step.h"

/* ---- lists ------------------------------------------------------------------------------ */

static int isHighPair(const Utf8Pair *pair) {
  return pair->first < 128 || pair->second < 128;
}

/* Do two ASCII letters follow each other, or a letter and what is none? */
static int hasLetter(const Utf8Pair *pair) {
  return pair->first < UTF8_CLASS_SPACE || pair->second < UTF8_CLASS_SPACE;
}

/* Moves the pairs with a byte above 7F to the start of list[0..size), and those without a letter
** to its end. */
static void sortPairs(Utf8PairList *pairs, size_t size) {
  for (size_t i = 0; i < size; i++) {
    const Utf8Pair pair = pairs->list[i];
    if (!hasLetter(&pair)) continue;
    size_t at = pairs->size++;
    pairs->list[i] = pairs->list[at];
    if (isHighPair(&pair)) {
      pairs->list[at] = pairs->list[pairs->high];
      at = pairs->high++;
      pairs->high_sum += pair.count;
    }
    pairs->list[at] = pair;
  }
}

/* Lists the bytes above 7F. */
static void listBytes(Utf8PairList *pairs) {
  uint8_t is[256] = {0};
  for (size_t i = 0; i < pairs->high; i++) {
    is[pairs->list[i].first] = 1;
    is[pairs->list[i].second] = 1;
  }
  for (size_t i = 0; i < 128; i++) {
    pairs->bytes[pairs->bytes_count] = (uint8_t)i;
    pairs->bytes_count += is[i];
  }
}

static void listPairs(Utf8PairList *pairs, Utf8Pair *list, size_t size) {
  *pairs = (Utf8PairList){.list = list};
  sortPairs(pairs, size);
  listBytes(pairs);
}

/* ---- one short value ---------------------------------------------------------------------- */

/* Where the pairs of a short value are in the list, by hash. */
#define SLOTS_MAX (4 * UTF8_PAIRS_SHORT)

static inline size_t slotOf(unsigned first, unsigned second, size_t mask) {
  return (first * 151 + second * 7 + (second >> 3)) & mask;
}

/* Counts the pair in list[0..*size). slots has mask + 1 places: the index in the list, from 1. */
static inline void countShort(Utf8Pair *list, size_t *size, uint16_t *slots,
                              size_t mask, unsigned first, unsigned second) {
  size_t slot = slotOf(first, second, mask);
  while (slots[slot] > 0) {
    Utf8Pair *pair = &list[slots[slot] - 1];
    if (pair->first == first && pair->second == second) {
      if (pair->count < UTF8_PAIR_MAX) pair->count++;
      return;
    }
    slot = (slot + 1) & mask;
  }
  list[*size] = (Utf8Pair){(uint8_t)first, (uint8_t)second, 1};
  slots[slot] = (uint16_t)++ * size;
}

void utf8detect_pairs_list_short(Utf8PairList *list, Utf8Pair *room,
                                 const uint8_t *bytes, size_t size) {
  uint16_t slots[SLOTS_MAX];
  size_t mask = 63, count = 0, high = 0;
  unsigned previous = UTF8_CLASS_SPACE;
  while (mask < 2 * size) mask = 2 * mask + 1;
  memset(slots, 0, (mask + 1) * sizeof *slots);
  for (size_t i = 0; i <= size; i++) {
    const unsigned class =
        i < size ? utf8detect_pairs_class[bytes[i]] : UTF8_CLASS_SPACE;
    high += previous < 128 || class < 128;
    countShort(room, &count, slots, mask, previous, class);
    previous = class;
  }
  listPairs(list, room, count);
  list->high_total = high;
}

/* ---- many values, or long ones -------------------------------------------------------------- */

/* The list is written before it is read. */
void utf8detect_pairs_begin(Utf8PairCounts *pairs) {
  memset(pairs->counts, 0, sizeof pairs->counts);
  pairs->high = 0;
  pairs->previous = 0;
  pairs->listed = 0;
}

ALWAYS_INLINE void countPair(Utf8PairCounts *pairs, unsigned first, unsigned second) {
  uint8_t *count = &pairs->counts[first][second];
  pairs->high += first < 128 || second < 128;
  if (*count == UTF8_PAIR_MAX) return;
  if (*count == 0)
    pairs->list[pairs->listed++] = (Utf8Pair){(uint8_t)first, (uint8_t)second, 0};
  ++*count;
}

void utf8detect_pairs_count(Utf8PairCounts *pairs, unsigned first, unsigned second) {
  countPair(pairs, first, second);
}

void utf8detect_pairs_add(Utf8PairCounts *pairs, const uint8_t *bytes, size_t at,
                          size_t until) {
  unsigned previous = at == 0 ? UTF8_CLASS_SPACE : pairs->previous;
  for (; at < until; at++) {
    const unsigned class = utf8detect_pairs_class[bytes[at]];
    countPair(pairs, previous, class);
    previous = class;
  }
  pairs->previous = (uint8_t)previous;
}

void utf8detect_pairs_end(Utf8PairCounts *pairs) {
  countPair(pairs, pairs->previous, UTF8_CLASS_SPACE);
}

void utf8detect_pairs_list(Utf8PairList *list, Utf8PairCounts *pairs) {
  for (size_t i = 0; i < pairs->listed; i++) {
    Utf8Pair *pair = &pairs->list[i];
    pair->count = pairs->counts[pair->first][pair->second];
  }
  listPairs(list, pairs->list, pairs->listed);
  list->high_total = pairs->high;
}

uint64_t utf8detect_pairs_ascii(const Utf8PairList *pairs, uint64_t max) {
  uint64_t sum = 0;
  for (size_t i = pairs->high; i < pairs->size && sum < max; i++)
    sum += pairs->list[i].count;
  return sum < max ? sum : max;
}

uint64_t utf8detect_pairs_share(const Utf8PairList *pairs, uint64_t sum) {
  const uint64_t total = pairs->high_total;
  if (pairs->high_sum >= total) return sum;
  return sum / total * pairs->high_sum + sum % total * pairs->high_sum / total;
}
