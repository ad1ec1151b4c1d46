/* detect/trigrams.c: lists the trigrams of a value. */
#include "detect/trigrams.h"
#include "detect/bigrams.h"

/* The bytes that are read. */
#define TRIGRAMS_WITHIN 256

/* Returns the class of a byte; of a space before the value, where `at` has wrapped, and after it. */
static unsigned trigramByte(const uint8_t *bytes, size_t size, size_t at) {
  return at < size ? utf8detect_bigrams_class[bytes[at]] : UTF8_CLASS_SPACE;
}

void utf8detect_trigrams_begin(Utf8Trigrams *t) {
  t->count = 0;
}

void utf8detect_trigrams_add(Utf8Trigrams *t, const uint8_t *bytes, size_t size,
                             size_t at, size_t until) {
  const size_t end = until + (until == size);
  unsigned first = trigramByte(bytes, size, at - 2),
           second = trigramByte(bytes, size, at - 1);
  for (; at < end && at < TRIGRAMS_WITHIN && t->count < UTF8_TRIGRAMS; at++) {
    const unsigned third = trigramByte(bytes, size, at);
    if (second < UTF8_CLASS_SPACE && (first & second & third) < 128)
      t->list[t->count++] =
          (Utf8Trigram){(uint8_t)first, (uint8_t)second, (uint8_t)third};
    first = second;
    second = third;
  }
}
