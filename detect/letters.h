/* detect/letters.h: what the characters of well-formed values say of the ill-formed ones beside them. */
#ifndef UTF8_DETECT_LETTERS_H
#define UTF8_DETECT_LETTERS_H

#include "detect/counts.h"

/* Counts a code point of a well-formed value, and the bytes of its sequence. */
void utf8detect_letters_add(Utf8Mixture *mixture, uint32_t code, const uint8_t *bytes,
                            size_t length);

/* Returns the bytes 80 to BF that the bigrams have, each a bit. */
uint64_t utf8detect_trails_of(const Utf8BigramList *bigrams);

/* Returns what the well-formed values of a table speak against damage that left these bytes of a value, in eighths of a
** bit; below 0 if they speak for it: a character of theirs that lost its lead byte leaves continuation bytes of theirs. */
int32_t utf8detect_trails_against(const Utf8Mixture *table, uint64_t trails);

/* Stores what the well-formed values of a table, and of a column, which may be NULL, speak against each history of a value
** with these bigrams, in eighths of a bit; nothing if they have no letters. */
void utf8detect_letters_against(uint32_t against[UTF8_HISTORIES],
                                const Utf8BigramList *bigrams,
                                const Utf8Mixture *column, const Utf8Mixture *table);

#endif
