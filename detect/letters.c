/* detect/letters.c: counts the letters of well-formed values, and compares ill-formed ones with them. */
#include "detect/letters.h"
#include "core/bytes.h"

/* ---- well-formed values ------------------------------------------------------------------------- */

/* Letters of well-formed values that are counted. */
#define LETTERS_ENOUGH 1024

/* Returns the place of the letter, or where it can be added. */
static size_t placeOfLetter(const Utf8Mixture *m, uint32_t letter) {
  size_t at = letter * 0x9E3779B1u >> 16 & (UTF8_MIXTURE_LETTERS - 1);
  while (m->letters[at].count > 0 && m->letters[at].letter != letter)
    at = (at + 1) & (UTF8_MIXTURE_LETTERS - 1);
  return at;
}

static void addLetter(Utf8Mixture *m, uint32_t code) {
  const uint32_t letter = utf8detect_letter_of(code);
  Utf8MixtureLetter *place = &m->letters[placeOfLetter(m, letter)];
  if (m->letter_sum == LETTERS_ENOUGH) return;
  if (place->count == 0) {
    if (m->letter_count == UTF8_MIXTURE_LETTERS - 1) return;
    m->letter_count++;
    place->letter = letter;
  }
  place->count++;
  m->letter_sum++;
}

void utf8detect_letters_add(Utf8Mixture *m, uint32_t code, const uint8_t *bytes,
                            size_t length) {
  if (length > 1) m->leads |= (uint64_t)1 << (bytes[0] - 0xC0);
  if (code > 0x7F) addLetter(m, code);
  for (size_t i = 1; i < length; i++) m->trails[bytes[i] - 0x80]++;
}

/* ---- ill-formed values ------------------------------------------------------------------------- */

/* A letter of a charset is one of LETTER_SHARE, unless well-formed values have it, which counts as much as one letter
** of theirs. All letters say at most LETTERS_BITS for a charset, or against it. */
#define LETTER_SHARE 32
#define LETTERS_BITS 6

/* What column and table know of letters. */
typedef struct KnownLetters {
  const Utf8Mixture *column, *table;
  uint64_t sum;
} KnownLetters;

/* Returns what a letter speaks against a reading. */
static int32_t letterAgainst(const KnownLetters *known, uint32_t letter) {
  const Utf8Mixture *column = known->column, *table = known->table;
  const uint64_t n =
      (column ? column->letters[placeOfLetter(column, letter)].count : 0) +
      (uint64_t)table->letters[placeOfLetter(table, letter)].count;
  return (int32_t)utf8detect_log(known->sum + 1) -
         (int32_t)utf8detect_log(LETTER_SHARE * n + 1);
}

static int32_t notBeyond(int32_t cost) {
  const int32_t most = LETTERS_BITS * 8;
  return cost > most ? most : cost < -most ? -most : cost;
}

static int32_t lettersAgainst(const KnownLetters *known, Utf8Charset charset,
                              const Utf8BigramList *bigrams) {
  const uint16_t *high = utf8detect_high(charset);
  int32_t sum = 0;
  for (size_t i = 0; i < bigrams->bytes_count; i++)
    sum += letterAgainst(known, utf8detect_letter_of(high[bigrams->bytes[i]]));
  return notBeyond(sum);
}

uint64_t utf8detect_trails_of(const Utf8BigramList *bigrams) {
  uint64_t trails = 0;
  for (size_t i = 0; i < bigrams->bytes_count && bigrams->bytes[i] < 64; i++)
    trails |= (uint64_t)1 << bigrams->bytes[i];
  return trails;
}

int32_t utf8detect_trails_against(const Utf8Mixture *table, uint64_t trails) {
  uint64_t all = 0;
  int32_t sum = 0;
  for (int i = 0; i < 64; i++) all += table->trails[i];
  for (; trails > 0; trails &= trails - 1)
    sum +=
        (int32_t)utf8detect_log(all + 1) -
        (int32_t)utf8detect_log((uint64_t)64 * table->trails[mask_lowest(trails)] + 1);
  return notBeyond(sum);
}

void utf8detect_letters_against(uint32_t against[UTF8_HISTORIES],
                                const Utf8BigramList *bigrams,
                                const Utf8Mixture *column, const Utf8Mixture *table) {
  const KnownLetters known = {
      column, table, (uint64_t)table->letter_sum + (column ? column->letter_sum : 0)};
  if (known.sum == 0) return;
  for (size_t i = 0; i < UTF8_HISTORIES; i++) {
    int32_t sum = 0;
    if (i < UTF8_HISTORY_ASIAN) {
      sum = lettersAgainst(&known, utf8detect_history_charset(i), bigrams);
    } else if (i == UTF8_HISTORY_DAMAGED) {
      sum = utf8detect_trails_against(table, utf8detect_trails_of(bigrams));
    }
    against[i] = (uint32_t)(sum + LETTERS_BITS * 8);
  }
}
