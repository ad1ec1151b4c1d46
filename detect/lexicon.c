/* detect/lexicon.c: collects the words of a value, and looks them up. */
#include "detect/alphabet.h"
#include "detect/tables/lexicon.h"
#include "core/bytes.h"
#include <string.h>

/* ---- the words of a value ------------------------------------------------------------------ */

/* The bytes of a value that are read: a long text has enough bigrams. And those of a word, at most. */
#define LEXICON_WITHIN   256
#define LEXICON_WORD_MAX 32

static int isInWord(uint8_t byte) {
  return byte >= 0x80 || bytes_is_ascii_letter(byte);
}

/* Returns where the word starts whose first byte above 7F is bytes[at]; at + 1 if another one is before it, or the word is too
** long. */
static size_t startOfWord(const uint8_t *bytes, size_t at) {
  size_t start = at;
  while (start > 0 && isInWord(bytes[start - 1])) {
    start--;
    if (bytes[start] >= 0x80 || at - start == LEXICON_WORD_MAX) return at + 1;
  }
  return start;
}

/* Returns where the word ends that starts at `start`, or a byte after its longest end. */
static size_t endOfWord(const uint8_t *bytes, size_t size, size_t start) {
  size_t end = start;
  while (end < size && end - start <= LEXICON_WORD_MAX && isInWord(bytes[end])) end++;
  return end;
}

/* Does classes[0..size) have the word, including the class after it? */
static int hasWord(const uint8_t *classes, size_t size, const uint8_t *word,
                   size_t length) {
  for (size_t at = 0; at + length <= size; at++)
    if ((at == 0 || classes[at - 1] == UTF8_CLASS_SPACE) &&
        memcmp(classes + at, word, length) == 0)
      return 1;
  return 0;
}

static void addKnowable(Utf8LexiconWords *words, const uint8_t *word, size_t length) {
  uint8_t *new = words->classes + words->size;
  if (length > LEXICON_WORD_MAX || length >= UTF8_LEXICON_ROOM - words->size) return;
  for (size_t i = 0; i < length; i++) new[i] = utf8detect_bigrams_class[word[i]];
  new[length] = UTF8_CLASS_SPACE;
  if (!hasWord(words->classes, words->size, new, length + 1)) words->size += length + 1;
}

void utf8detect_lexicon_add(Utf8LexiconWords *words, const uint8_t *bytes, size_t size,
                            size_t at, size_t until) {
  if (until > LEXICON_WITHIN) until = LEXICON_WITHIN;
  while (at < until && (at = bytes_skip_ascii(bytes, at, until)) < until) {
    const size_t start = startOfWord(bytes, at);
    if (start > at) {
      at = start;
      continue;
    }
    const size_t end = endOfWord(bytes, size, start);
    addKnowable(words, bytes + start, end - start);
    at = end;
  }
}

void utf8detect_lexicon_keep(Utf8LexiconWords *words, const Utf8LexiconWords *others) {
  size_t kept = 0;
  for (size_t at = 0, end; at < words->size; at = end) {
    const uint8_t *word = words->classes + at;
    end = at;
    while (words->classes[end++] != UTF8_CLASS_SPACE) continue;
    if (!hasWord(others->classes, others->size, word, end - at)) continue;
    memmove(words->classes + kept, word, end - at);
    kept += end - at;
  }
  words->size = kept;
}

/* ---- the lexicon ------------------------------------------------------------------------------ */

/* The finalizer of MurmurHash3. */
static uint64_t mixHash(uint64_t hash) {
  hash = (hash ^ hash >> 33) * 0xFF51AFD7ED558CCD;
  hash = (hash ^ hash >> 33) * 0xC4CEB9FE1A85EC53;
  return hash ^ hash >> 33;
}

/* Returns the cell of a third of the filter that belongs to 32 bits of a hash. */
static unsigned cellAt(unsigned third, uint32_t bits) {
  const size_t at =
      third * LEXICON_BLOCK + (size_t)((uint64_t)bits * LEXICON_BLOCK >> 32);
  return lexicon_cells[at / 8] >> at % 8 * 8 & 0xFF;
}

static int isKnown(uint64_t hash) {
  const unsigned cells = cellAt(0, (uint32_t)hash) ^
                         cellAt(1, (uint32_t)(hash << 21 | hash >> 43)) ^
                         cellAt(2, (uint32_t)(hash << 42 | hash >> 22));
  return cells == ((hash ^ hash >> 32) & 0xFF);
}

/* A word that is being read: its letters so far. */
typedef struct LexiconWord {
  uint64_t hash; /* of its script, and the numbers of its letters */
  unsigned script;
  unsigned letters;
  int isBeyondAscii; /* one of them is */
  int isTorn;        /* it touches a sign, or a letter of another script */
} LexiconWord;

static void growWord(LexiconWord *word, unsigned script, unsigned letter,
                     int isBeyondAscii) {
  if (word->letters == 0) {
    word->hash = bytes_fnv_add(BYTES_FNV_START ^ LEXICON_SEED, script);
    word->script = script;
  }
  word->isTorn |= script != word->script;
  word->hash = bytes_fnv_add(word->hash, letter);
  word->letters++;
  word->isBeyondAscii |= isBeyondAscii;
}

/* Ends the word at a character of this kind, and starts the next one after it. Returns whether the word is known. A word that
** touches a sign beyond ASCII other than an apostrophe is not looked up. */
static unsigned cutWord(LexiconWord *word, unsigned kind) {
  const int tears = kind > DETECT_SIGN;
  const int is_word = word->isBeyondAscii && word->letters >= LEXICON_LETTERS &&
                      !word->isTorn && !tears;
  const unsigned known = is_word && isKnown(mixHash(word->hash));
  *word = (LexiconWord){.isTorn = tears};
  return known;
}

unsigned utf8detect_lexicon_known(const Utf8LexiconWords *words,
                                  const Utf8Alphabet *alphabet, unsigned script) {
  LexiconWord word = {.letters = 0};
  unsigned known = 0;
  for (size_t i = 0; i < words->size; i++) {
    const unsigned class = words->classes[i];
    const unsigned letter = ALPHABET_LOAD(alphabet->letter[class]);
    if (letter > 0) {
      growWord(&word, script, letter, class < 128);
    } else {
      known += cutWord(&word, ALPHABET_LOAD(alphabet->kind[class]));
    }
  }
  return known;
}

unsigned utf8detect_lexicon_known_codes(const uint32_t *codes, size_t count) {
  LexiconWord word = {.letters = 0};
  unsigned known = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned entry = utf8detect_entry(codes[i]);
    if (entry >> 12 > 0) {
      growWord(&word, entry >> 12, entry & 0xFF, codes[i] > 0x7F);
    } else {
      known += cutWord(&word, entry);
    }
  }
  return known + cutWord(&word, DETECT_SPACE);
}
