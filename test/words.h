/* words.h: lists of words in one string, with '|' between them. A word can be empty. */
#ifndef UTF8_TEST_WORDS_H
#define UTF8_TEST_WORDS_H

#include <stdint.h>
#include <string.h>

#define WORD_MAX 200

static inline uint32_t word_count(const char *list) {
  uint32_t count = 1;
  for (; *list; list++) count += *list == '|';
  return count;
}

/* Copies word n of the list, from 0, to `word`, and returns that; NULL if there are fewer. */
static inline const char *word_of(const char *list, uint32_t n, char word[WORD_MAX]) {
  for (; n > 0; n--) {
    list = strchr(list, '|');
    if (!list++) return NULL;
  }
  const size_t size = strcspn(list, "|");
  memcpy(word, list, size);
  word[size] = 0;
  return word;
}

#endif
