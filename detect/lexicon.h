/* detect/lexicon.h: known words with letters beyond ASCII.
**
** Pairs of letters say little of Müller: in half a dozen charsets, the letter in it is another plausible one. That the word
** is known in one of them says more. The lexicon (tool/detect/lexicon.py) has the frequent words of 39 languages and the names
** of places, without case; it also takes one of 256 other words for known.
*/
#ifndef UTF8_DETECT_LEXICON_H
#define UTF8_DETECT_LEXICON_H

#include <stddef.h>
#include <stdint.h>

/* The bits that a known word speaks for the reading that makes it. Of the words that tool/detect/lists.py has alone, half are
** known, and 0.02 of what other plausible charsets make of them: 4.7 bits for a known word, and 0.9 against another one. */
#define UTF8_KNOWN_BITS 6

/* The first different words of a value that have a byte above 7F: the classes of their bytes (detect/bigrams.h), with
** UTF8_CLASS_SPACE after each word. A word consists of ASCII letters and bytes above 7F. */
#define UTF8_LEXICON_ROOM 96
typedef struct Utf8LexiconWords {
  uint8_t classes[UTF8_LEXICON_ROOM];
  size_t size;
} Utf8LexiconWords;

/* Adds the words whose first byte above 7F is in bytes[at..until) of a value bytes[0..size), and among its first 256 bytes. Skips
** words of more than 32 bytes, and those for which there is no room. The words are the same however a value is cut into calls. */
void utf8detect_lexicon_add(Utf8LexiconWords *words, const uint8_t *bytes, size_t size,
                            size_t at, size_t until);

/* Removes the words that are not among the others. */
void utf8detect_lexicon_keep(Utf8LexiconWords *words, const Utf8LexiconWords *others);

struct Utf8Alphabet;

/* Returns how many of the words are known if they are read in an alphabet of this script. */
unsigned utf8detect_lexicon_known(const Utf8LexiconWords *words,
                                  const struct Utf8Alphabet *alphabet, unsigned script);

/* Likewise of the words of code points, each as often as it occurs. */
unsigned utf8detect_lexicon_known_codes(const uint32_t *codes, size_t count);

#endif
