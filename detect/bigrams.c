/* detect/bigrams.c: counts bigrams: two neighbouring bytes, by class. */
#include "detect/bigrams.h"
#include "core/step.h"
#include "core/bytes.h"
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
static void listBytes(Utf8BigramList *bigrams) {
  uint8_t is[256] = {0};
  for (size_t i = 0; i < bigrams->high; i++) {
    is[bigrams->list[i].first] = 1;
    is[bigrams->list[i].second] = 1;
  }
  for (size_t i = 0; i < 128; i += 8) {
    if (bytes_load64(is + i) == 0) continue;
    for (size_t byte = i; byte < i + 8; byte++) {
      bigrams->bytes[bigrams->bytes_count] = (uint8_t)byte;
      bigrams->bytes_count += is[byte];
    }
  }
}

/* Stores what sortBigrams() has sorted. */
static void listBigrams(Utf8BigramList *bigrams, const Utf8Bigram *list, size_t high,
                        const Utf8Bigram *ascii, size_t low) {
  *bigrams =
      (Utf8BigramList){.list = list, .ascii = ascii, .high = high, .size = high + low};
  for (size_t i = 0; i < high; i++) bigrams->high_sum += list[i].count;
  listBytes(bigrams);
}

/* ---- one short value ---------------------------------------------------------------------- */

/* Where the bigrams of a short value are in the list, by hash: the bigram, and its index from 1 in the low
** half; or 0. */
#define SLOTS_MAX (4 * UTF8_BIGRAMS_SHORT)
typedef struct BigramSlots {
  size_t mask; /* slot has mask + 1 places */
  uint32_t slot[SLOTS_MAX];
} BigramSlots;

static void beginSlots(BigramSlots *slots, size_t size) {
  slots->mask = 63;
  while (slots->mask < 2 * size) slots->mask = 2 * slots->mask + 1;
  memset(slots->slot, 0, (slots->mask + 1) * sizeof *slots->slot);
}

/* Counts the bigram in list[0..*size). */
static inline void countShort(Utf8Bigram *list, size_t *size, BigramSlots *slots,
                              unsigned first, unsigned second) {
  const uint32_t both = (uint32_t)(first << 8 | second);
  size_t at = (first * 151 + second * 7 + (second >> 3)) & slots->mask;
  for (; slots->slot[at] > 0; at = (at + 1) & slots->mask) {
    if (slots->slot[at] >> 16 != both) continue;
    Utf8Bigram *bigram = &list[(slots->slot[at] & 0xFFFF) - 1];
    bigram->count = (uint8_t)(bigram->count + (bigram->count < UTF8_BIGRAM_MAX));
    return;
  }
  list[*size] = (Utf8Bigram){(uint8_t)first, (uint8_t)second, 1};
  slots->slot[at] = both << 16 | (uint32_t)++ * size;
}

void utf8detect_bigrams_list_short(Utf8BigramList *list, Utf8BigramsShort *room,
                                   const uint8_t *bytes, size_t size) {
  BigramSlots slots;
  size_t total = 0, high = 0, low = 0;
  unsigned previous = UTF8_CLASS_SPACE;
  beginSlots(&slots, size);
  for (size_t i = 0; i <= size; i++) {
    const unsigned class = utf8detect_bigrams_class_at(bytes, size, i);
    if (isHigh(previous, class)) {
      countShort(room->list, &high, &slots, previous, class);
      total++;
    } else if (hasLetter(previous, class)) {
      countShort(room->ascii, &low, &slots, previous, class);
    }
    previous = class;
  }
  listBigrams(list, room->list, high, room->ascii, low);
  list->high_total = total;
  utf8detect_places_add(&list->places, bytes, size, 0, size);
}

/* ---- many values, or long ones -------------------------------------------------------------- */

/* The lists are written before they are read. */
void utf8detect_bigrams_begin(Utf8BigramCounts *bigrams) {
  memset(bigrams->counts, 0, sizeof bigrams->counts);
  bigrams->high = 0;
  memset(&bigrams->places, 0, sizeof bigrams->places);
  bigrams->previous = 0;
  bigrams->listed = bigrams->high_listed = bigrams->ascii_listed = 0;
}

/* Counts a bigram, which becomes list[*listed] if it is new. Without branches. */
ALWAYS_INLINE void countBigram(Utf8BigramCounts *bigrams, size_t *listed,
                               unsigned first, unsigned second) {
  uint8_t *counted = &bigrams->counts[first][second];
  const unsigned count = *counted;
  bigrams->list[*listed].first = (uint8_t)first;
  bigrams->list[*listed].second = (uint8_t)second;
  *listed += count == 0;
  *counted = (uint8_t)(count + (count < UTF8_BIGRAM_MAX));
}

void utf8detect_bigrams_count(Utf8BigramCounts *bigrams, unsigned first,
                              unsigned second) {
  countBigram(bigrams, &bigrams->listed, first, second);
  bigrams->high += isHigh(first, second);
}

void utf8detect_bigrams_add(Utf8BigramCounts *bigrams, const uint8_t *bytes,
                            size_t size, size_t at, size_t until) {
  utf8detect_places_add(&bigrams->places, bytes, size, at, until);
  unsigned previous = at == 0 ? UTF8_CLASS_SPACE : bigrams->previous;
  size_t listed = bigrams->listed, ascii = 0;
  bigrams->high += until - at;
  for (; at < until; at++) {
    const unsigned class = utf8detect_bigrams_class[bytes[at]];
    countBigram(bigrams, &listed, previous, class);
    ascii += (previous & class) >> 7;
    previous = class;
  }
  bigrams->listed = listed;
  bigrams->high -= ascii;
  bigrams->previous = (uint8_t)previous;
  if (until == size) utf8detect_bigrams_count(bigrams, previous, UTF8_CLASS_SPACE);
}

static void setCounts(const Utf8BigramCounts *bigrams, Utf8Bigram *list, size_t size) {
  for (size_t i = 0; i < size; i++)
    list[i].count = bigrams->counts[list[i].first][list[i].second];
}

/* Moves the new bigrams with a byte above 7F to the end of those in list, and ASCII ones that have a
** letter to the end of ascii. Both have room for one bigram more. Without branches: it is hard to
** predict which bigram is which. */
static void sortBigrams(Utf8BigramCounts *bigrams) {
  size_t high = bigrams->high_listed, low = bigrams->ascii_listed;
  for (size_t i = high; i < bigrams->listed; i++) {
    Utf8Bigram bigram = bigrams->list[i];
    const unsigned is = isHigh(bigram.first, bigram.second);
    bigram.count = bigrams->counts[bigram.first][bigram.second];
    bigrams->list[high] = bigrams->ascii[low] = bigram;
    high += is;
    low += hasLetter(bigram.first, bigram.second) & ~is;
  }
  bigrams->listed = bigrams->high_listed = high;
  bigrams->ascii_listed = low;
}

void utf8detect_bigrams_list(Utf8BigramList *list, Utf8BigramCounts *bigrams) {
  setCounts(bigrams, bigrams->list, bigrams->high_listed);
  setCounts(bigrams, bigrams->ascii, bigrams->ascii_listed);
  sortBigrams(bigrams);
  listBigrams(list, bigrams->list, bigrams->high_listed, bigrams->ascii,
              bigrams->ascii_listed);
  list->high_total = bigrams->high;
  list->places = bigrams->places;
}

uint64_t utf8detect_bigrams_ascii(const Utf8BigramList *bigrams, uint64_t max) {
  uint64_t sum = 0;
  for (size_t i = 0; i < bigrams->size - bigrams->high && sum < max; i++)
    sum += bigrams->ascii[i].count;
  return sum < max ? sum : max;
}

uint64_t utf8detect_bigrams_share(const Utf8BigramList *bigrams, uint64_t sum) {
  const uint64_t total = bigrams->high_total;
  if (bigrams->high_sum >= total) return sum;
  return sum / total * bigrams->high_sum + sum % total * bigrams->high_sum / total;
}
