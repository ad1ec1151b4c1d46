/* detect/trigrams.c: lists the trigrams of a value. */
#include "detect/trigrams.h"
#include "detect/bigrams.h"

/* The bytes that are read. */
#define TRIGRAMS_WITHIN 256

void utf8detect_trigrams_begin(Utf8Trigrams *t) {
  t->count = t->words.size = 0;
}

/* Without branches: it is hard to predict which trigrams are the same. */
static unsigned isSame(const Utf8Trigram *a, const Utf8Trigram *b) {
  return (unsigned)(a->first == b->first) & (a->second == b->second) &
         (a->third == b->third);
}

void utf8detect_trigrams_count(Utf8Trigrams *t, size_t at, unsigned first,
                               unsigned second, unsigned third) {
  const Utf8Trigram trigram = {(uint8_t)first, (uint8_t)second, (uint8_t)third};
  unsigned count = 0;
  if (second >= UTF8_CLASS_SPACE || (first & second & third) >= 128) return;
  if (at >= TRIGRAMS_WITHIN || t->count == UTF8_TRIGRAMS) return;
  for (size_t i = 0; i < t->count; i++) count += isSame(&t->list[i], &trigram);
  if (count < UTF8_TRIGRAM_MAX) t->list[t->count++] = trigram;
}

void utf8detect_trigrams_add(Utf8Trigrams *t, const uint8_t *bytes, size_t size,
                             size_t at, size_t until) {
  const size_t end = until + (until == size);
  utf8detect_lexicon_add(&t->words, bytes, size, at, until);
  /* Before the value, at - 2 and at - 1 wrap, and are outside of it, too. */
  unsigned first = utf8detect_bigrams_class_at(bytes, size, at - 2),
           second = utf8detect_bigrams_class_at(bytes, size, at - 1);
  for (; at < end && at < TRIGRAMS_WITHIN && t->count < UTF8_TRIGRAMS; at++) {
    const unsigned third = utf8detect_bigrams_class_at(bytes, size, at);
    if ((first & second & third) < 128)
      utf8detect_trigrams_count(t, at, first, second, third);
    first = second;
    second = third;
  }
}
