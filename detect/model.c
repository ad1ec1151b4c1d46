/* detect/model.c: what characters cost in text.
**
** A model of text (tool/detect/model.py, detect/tables/model.h) says how many bits a character costs
** after the one before it, in each of many languages. Text that is read in the wrong charset
** costs more than text that is read right: its characters come in combinations that no
** language has.
**
** The costs are of code points. For bytes in single-byte charsets, tables are built from them
** (detect/alphabet.h).
*/
#include "detect/alphabet.h"
#include "charset/legacy/legacy.h"
#include "core/bytes.h"
#include <string.h>

_Static_assert(UTF8_BYTE_CLASSES == 128 + DETECT_ASCII, "the classes of bytes");
_Static_assert(UTF8_SCRIPT_LATIN == DETECT_SCRIPT_LATIN, "the script of Latin");
_Static_assert(UTF8_MODEL_UNIT == DETECT_UNIT, "the unit of costs");

#define MODEL_COUNT(array) (sizeof(array) / sizeof *(array))

_Static_assert(MODEL_COUNT(detect_charsets) == UTF8_ALPHABET_CHARSETS, "the charsets");
_Static_assert(MODEL_COUNT(detect_languages) == UTF8_MODEL_LANGUAGES, "the languages");
const uint8_t *const utf8detect_bigrams_class = detect_class;
const DetectCharset *const utf8detect_charsets = detect_charsets;

/* ---- code points --------------------------------------------------------------------------- */

const uint16_t *utf8detect_high(Utf8Charset charset) {
  return charset == UTF8_CHARSET_VISCII ? detect_viscii : utf8charset_high(charset);
}

unsigned utf8detect_entry(uint32_t code) {
  if (code >= DETECT_CODES) return DETECT_SYMBOL;
  return detect_entry[detect_page[code / 64]][code % 64];
}

int utf8detect_is_alike(Utf8Charset a, Utf8Charset b, const uint8_t *bytes,
                        size_t count) {
  const uint16_t *one = utf8detect_high(a), *other = utf8detect_high(b);
  for (size_t i = 0; i < count; i++) {
    if (utf8detect_entry(one[bytes[i]]) != utf8detect_entry(other[bytes[i]])) return 0;
  }
  return 1;
}

int utf8detect_is_sign(uint32_t code) {
  const unsigned entry = utf8detect_entry(code);
  return entry >> 12 == 0 && entry != DETECT_CONTROL;
}

/* ---- letters in a language -------------------------------------------------------------------------- */

/* The symbol of a letter that a language does not have. */
#define DETECT_UNKNOWN 1

/* The symbol of each letter in each language, by its number in the script, and detect_letter_costs, each
** in a byte. Built like the other tables. */
typedef struct SymbolTable {
  _Atomic(int) ready;
  _Atomic(uint8_t) of[MODEL_COUNT(detect_languages)][UTF8_SCRIPT_LETTERS + 1];
  _Atomic(uint8_t) cost[2 * MODEL_COUNT(detect_letter_costs)];
} SymbolTable;
static SymbolTable symbolTable;

static NOINLINE void buildSymbols(void) {
  for (size_t i = 0; i < MODEL_COUNT(detect_languages); i++) {
    const DetectLanguage *language = &detect_languages[i];
    uint8_t symbol[UTF8_SCRIPT_LETTERS + 1] = {0};
    memset(symbol + 1, DETECT_UNKNOWN, UTF8_SCRIPT_LETTERS);
    for (unsigned k = 2; k < language->symbols; k++)
      symbol[detect_letters[language->letter + k - 2]] = (uint8_t)k;
    for (size_t k = 0; k < sizeof symbol; k++)
      ALPHABET_STORE(symbolTable.of[i][k], symbol[k]);
  }
  for (size_t i = 0; i < MODEL_COUNT(symbolTable.cost); i++)
    ALPHABET_STORE(symbolTable.cost[i],
                   detect_level[detect_letter_costs[i / 2] >> i % 2 * 4 & 15]);
  atomic_store_explicit(&symbolTable.ready, 1, memory_order_release);
}

static inline const _Atomic(uint8_t) *symbolsOf(const DetectLanguage *language) {
  if (UNLIKELY(!atomic_load_explicit(&symbolTable.ready, memory_order_acquire)))
    buildSymbols();
  return symbolTable.of[language - detect_languages];
}

/* Returns what a letter costs after another one, both by their symbols, once these are built. */
static inline unsigned costOfSymbols(const DetectLanguage *language, unsigned first,
                                     unsigned second) {
  const unsigned at = 2u * language->cost + first * language->symbols + second;
  return ALPHABET_LOAD(symbolTable.cost[at]);
}

/* Returns what a letter costs after another one, both by their numbers in the script. */
static inline unsigned costOfLetters(const DetectLanguage *language, unsigned first,
                                     unsigned second) {
  const _Atomic(uint8_t) *symbol = symbolsOf(language);
  return costOfSymbols(language, ALPHABET_LOAD(symbol[first]),
                       ALPHABET_LOAD(symbol[second]));
}

/* The first letters of Latin, by number, are those of ASCII. */
#define ASCII_LETTERS 26

/* What a letter follows: no letter, one of ASCII, another one. */
enum { AFTER_NONE, AFTER_ASCII, AFTER_OTHER, AFTER };

static unsigned afterOf(unsigned script, unsigned letter) {
  if (letter == 0) return AFTER_NONE;
  return script == DETECT_SCRIPT_LATIN && letter <= ASCII_LETTERS ? AFTER_ASCII
                                                                  : AFTER_OTHER;
}

/* The least costs of letters, by number, in any language of a script. */
typedef struct LeastCosts {
  uint8_t of[AFTER][UTF8_SCRIPT_LETTERS + 1];
} LeastCosts;

/* Stores the least costs of symbols in the language. */
static void leastSymbols(uint8_t least[AFTER][UTF8_BYTE_CLASSES],
                         const DetectLanguage *language) {
  const _Atomic(uint8_t) *symbol = symbolsOf(language);
  uint8_t has[AFTER][UTF8_BYTE_CLASSES] = {{0}};
  for (unsigned i = 0; i < detect_scripts[language->script].letters; i++)
    has[afterOf(language->script, i)][ALPHABET_LOAD(symbol[i])] = 1;
  memset(least, UINT8_MAX, AFTER * sizeof *least);
  for (unsigned after = 0; after < AFTER; after++) {
    for (unsigned first = 0; first < language->symbols; first++) {
      if (!has[after][first]) continue;
      for (unsigned second = 0; second < language->symbols; second++) {
        const unsigned cost = costOfSymbols(language, first, second);
        if (cost < least[after][second]) least[after][second] = (uint8_t)cost;
      }
    }
  }
}

static void addLeastCosts(LeastCosts *least, const DetectLanguage *language) {
  const _Atomic(uint8_t) *symbol = symbolsOf(language);
  uint8_t symbols[AFTER][UTF8_BYTE_CLASSES];
  leastSymbols(symbols, language);
  for (unsigned after = 0; after < AFTER; after++) {
    for (unsigned i = 0; i < detect_scripts[language->script].letters; i++) {
      const uint8_t cost = symbols[after][ALPHABET_LOAD(symbol[i])];
      if (cost < least->of[after][i]) least->of[after][i] = cost;
    }
  }
}

/* ---- letters in any language ------------------------------------------------------------------- */

/* The costs of letters, by number, after each kind of letter, in the languages of a script together: where
** one is common, by how many languages have it. */
typedef struct AnyCosts {
  _Atomic(int) ready;
  _Atomic(uint8_t) of[UTF8_SCRIPTS][AFTER][UTF8_SCRIPT_LETTERS + 1];
} AnyCosts;
static AnyCosts anyCosts;

/* Adds 2^-cost of each letter in a language to the sums, in millionths. */
static void addLikelihoods(uint32_t sum[AFTER][UTF8_SCRIPT_LETTERS + 1],
                           const DetectLanguage *language) {
  LeastCosts least;
  memset(&least, detect_level[MODEL_COUNT(detect_level) - 1], sizeof least);
  addLeastCosts(&least, language);
  for (unsigned after = 0; after < AFTER; after++)
    for (unsigned i = 0; i < detect_scripts[language->script].letters; i++)
      sum[after][i] += (uint32_t)1000000 >> least.of[after][i] / DETECT_UNIT;
}

static void buildAny(unsigned script) {
  uint32_t sum[AFTER][UTF8_SCRIPT_LETTERS + 1] = {{0}}, languages = 0;
  for (size_t i = 0; i < MODEL_COUNT(detect_languages); i++) {
    if (detect_languages[i].script != script) continue;
    addLikelihoods(sum, &detect_languages[i]);
    languages++;
  }
  for (unsigned after = 0; after < AFTER; after++) {
    for (unsigned i = 0; i <= UTF8_SCRIPT_LETTERS; i++) {
      unsigned bits = 0;
      while (bits < 20 && sum[after][i] < (languages * 1000000) >> bits) bits++;
      ALPHABET_STORE(anyCosts.of[script][after][i], (uint8_t)(bits * DETECT_UNIT));
    }
  }
}

static const AnyCosts *costsOfAny(void) {
  if (UNLIKELY(!atomic_load_explicit(&anyCosts.ready, memory_order_acquire))) {
    for (unsigned i = 1; i < UTF8_SCRIPTS; i++) buildAny(i);
    atomic_store_explicit(&anyCosts.ready, 1, memory_order_release);
  }
  return &anyCosts;
}

/* ---- alphabets ----------------------------------------------------------------------------------- */

static Utf8Alphabets alphabets;

/* What a class of bytes is; `tone` is the number of the mark after the letter, or 0. */
typedef struct ClassOfBytes {
  unsigned kind;
  unsigned letter;
  unsigned tone;
} ClassOfBytes;

static void setClass(Utf8Alphabet *alphabet, unsigned class, ClassOfBytes is) {
  ALPHABET_STORE(alphabet->kind[class], (uint8_t)is.kind);
  ALPHABET_STORE(alphabet->letter[class], (uint8_t)is.letter);
  ALPHABET_STORE(alphabet->last[class], (uint8_t)(is.tone ? is.tone : is.letter));
}

/* Returns what a code point beyond ASCII is. */
static ClassOfBytes classOfCode(unsigned script, int way, uint32_t code) {
  const unsigned entry = utf8detect_entry(code);
  const int isUpper = entry & 0x800 && way != ALPHABET_CAPITALS;
  if (code == 0x2019) return (ClassOfBytes){DETECT_JOIN, 0, 0};
  if (entry >> 12 != script)
    return (ClassOfBytes){entry >> 12 ? DETECT_FOREIGN : entry, 0, 0};
  return (ClassOfBytes){isUpper ? DETECT_UPPER : DETECT_LOWER, entry & 0xFF, 0};
}

static void buildHigh(Utf8Alphabet *alphabet, const DetectCharset *charset, int way) {
  const uint16_t *high = utf8detect_high(charset->charset);
  for (unsigned byte = 0; byte < 128; byte++) {
    ClassOfBytes is = classOfCode(charset->script, way, high[byte]);
    if (charset->charset == UTF8_CHARSET_VISCII) is.tone = detect_viscii_tones[byte];
    setClass(alphabet, byte, is);
  }
}

/* Is a byte above 7F undefined in the charset, or no text there? What is ASCII from right to left shows no Arabic, but text
** that is not. */
static int isNoText(const DetectCharset *charset, unsigned byte) {
  const uint16_t code = utf8detect_high(charset->charset)[byte];
  const int isTone =
      charset->charset == UTF8_CHARSET_VISCII && detect_viscii_tones[byte];
  return code == BYTES_FFFD || (code < 0x80 && !isTone);
}

static void buildAscii(Utf8Alphabet *alphabet, int isLatin) {
  for (unsigned i = 0; i < DETECT_ASCII; i++)
    setClass(alphabet, 128 + i,
             (ClassOfBytes){detect_ascii_kind[isLatin][i],
                            detect_ascii_letter[isLatin][i], 0});
}

static void buildAlphabet(Utf8Alphabet *alphabet, const DetectCharset *charset,
                          int way) {
  buildHigh(alphabet, charset, way);
  buildAscii(alphabet, charset->script == DETECT_SCRIPT_LATIN);
}

/* The lead bytes of Latin letters that languages of the model have. */
static const uint8_t lostLeads[UTF8_LOST_LEADS] = {0xC3, 0xC4, 0xC5, 0xC8};

/* Builds the alphabet of a lead byte that is lost. */
static void buildLost(Utf8Alphabet *alphabet, unsigned lead, int way) {
  for (unsigned byte = 0; byte < 128; byte++)
    setClass(alphabet, byte,
             classOfCode(DETECT_SCRIPT_LATIN, way, (lead & 31) << 6 | (byte & 63)));
  buildAscii(alphabet, 1);
}

uint64_t utf8detect_kinds_cost(const Utf8Alphabet *a, const Utf8Bigram *list,
                               size_t count) {
  uint64_t cost = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned first = ALPHABET_LOAD(a->kind[list[i].first]);
    const unsigned second = ALPHABET_LOAD(a->kind[list[i].second]);
    cost += (unsigned)list[i].count * detect_kind_costs[first][second];
  }
  return cost;
}

/* ---- bigrams in a language ----------------------------------------------------------------------------- */

/* Bits that speak against a letter of another language: a name. */
#define NAME_BITS 6

/* Returns what a letter costs after another one in a name, both by their numbers in the script. */
static inline unsigned costOfName(const AnyCosts *any, unsigned script, unsigned first,
                                  unsigned second) {
  return NAME_BITS * DETECT_UNIT +
         ALPHABET_LOAD(any->of[script][afterOf(script, first)][second]);
}

/* Returns what a letter costs after another one in a language, both by their numbers in the script, as one of it or of a
** name. */
static inline unsigned costOfEither(const DetectLanguage *language, const AnyCosts *any,
                                    unsigned first, unsigned second) {
  const unsigned own = costOfLetters(language, first, second);
  const unsigned name = costOfName(any, language->script, first, second);
  return own < name || second == 0 ? own : name;
}

/* The bits that a letter costs in addition that a language does not have. */
#define LACKING_BITS 3

/* Returns what a letter costs after another one in a language, both by their numbers in the script, as one of it. */
static inline unsigned costOfOwn(const DetectLanguage *language, unsigned first,
                                 unsigned second) {
  const int isLacking = ALPHABET_LOAD(symbolsOf(language)[second]) == DETECT_UNKNOWN;
  return costOfLetters(language, first, second) +
         LACKING_BITS * DETECT_UNIT * (unsigned)isLacking;
}

/* ---- bigrams in all languages of a script --------------------------------------------------------------- */

/* A row of costs, a byte for each language or charset, then a 1 in the last word. Built at its first use, 0 before. */
#define ROW_WORDS(size) ((size) / sizeof(size_t))
#define ROW_SIZE        32
typedef struct LettersRow {
  _Atomic(size_t) word[ROW_WORDS(ROW_SIZE)];
} LettersRow;

_Static_assert(DETECT_LATIN < ROW_SIZE, "the languages of a row");

/* What a letter costs after another one in each language of their script: as letters of it or of a name, and as letters of
** it. */
static LettersRow namesRows[DETECT_LETTER_ROWS];
static LettersRow lettersRows[DETECT_LETTER_ROWS];

/* Stores the bytes of a row, the last word last. */
static void storeRow(_Atomic(size_t) *word, const uint8_t *costs, size_t words) {
  for (size_t i = 0; i < words; i++) {
    size_t bytes;
    memcpy(&bytes, costs + i * sizeof bytes, sizeof bytes);
    atomic_store_explicit(&word[i], bytes, memory_order_release);
  }
}

static NOINLINE void buildRow(LettersRow *row, unsigned script, unsigned first,
                              unsigned second, const AnyCosts *any) {
  uint8_t costs[ROW_SIZE] = {[ROW_SIZE - 1] = 1};
  for (size_t i = 0; i < detect_scripts[script].languages; i++) {
    const DetectLanguage *language =
        &detect_languages[detect_scripts[script].language + i];
    costs[i] = (uint8_t)(any ? costOfEither(language, any, first, second)
                             : costOfOwn(language, first, second));
  }
  storeRow(row->word, costs, ROW_WORDS(ROW_SIZE));
}

static inline int isRowBuilt(const _Atomic(size_t) *word, size_t words) {
  return atomic_load_explicit(&word[words - 1], memory_order_acquire) != 0;
}

/* Returns the row of two letters in namesRows or lettersRows. */
ALWAYS_INLINE const LettersRow *rowOf(LettersRow *rows, unsigned script, unsigned first,
                                      unsigned second) {
  const DetectScript *of = &detect_scripts[script];
  LettersRow *row = &rows[of->row + first * of->letters + second];
  if (UNLIKELY(!isRowBuilt(row->word, ROW_WORDS(ROW_SIZE))))
    buildRow(row, script, first, second, rows == namesRows ? costsOfAny() : NULL);
  return row;
}

/* The even bytes of a word. */
#define ROW_EVEN ((size_t)-1 / 0xFFFF * 0xFF)

/* Sums of costs, of two bytes each: those of the even bytes of each word, and of the odd ones. */
#define SUMS_SIZE 48
typedef struct RowSums {
  size_t even[ROW_WORDS(SUMS_SIZE)];
  size_t odd[ROW_WORDS(SUMS_SIZE)];
} RowSums;

/* The sums of this many bigrams do not overflow. */
#define ROW_BIGRAMS (0xFFFF / (255 * UTF8_BIGRAM_MAX))

ALWAYS_INLINE void addRow(RowSums *sums, const _Atomic(size_t) *word, size_t words,
                          size_t times) {
  UNROLL for (size_t i = 0; i < words; i++) {
    const size_t costs = ALPHABET_LOAD(word[i]);
    sums->even[i] += (costs & ROW_EVEN) * times;
    sums->odd[i] += (costs >> 8 & ROW_EVEN) * times;
  }
}

/* Adds the first sums to of[0..count). */
ALWAYS_INLINE void addSums(uint32_t *of, size_t count, const RowSums *sums,
                           size_t words) {
  uint16_t even[SUMS_SIZE / 2], odd[SUMS_SIZE / 2];
  memcpy(even, sums->even, words * sizeof(size_t));
  memcpy(odd, sums->odd, words * sizeof(size_t));
  const uint16_t *first = bytes_is_little_endian() ? even : odd;
  const uint16_t *second = bytes_is_little_endian() ? odd : even;
  for (size_t i = 0; i < count; i += 2) {
    of[i] += first[i / 2];
    if (i + 1 < count) of[i + 1] += second[i / 2];
  }
}

/* Adds the first sums to the languages of a script. */
ALWAYS_INLINE void addToScript(uint32_t *of, unsigned script, const RowSums *sums,
                               size_t words) {
  const DetectScript *is = &detect_scripts[script];
  addSums(of + is->language, is->languages, sums, words);
}

void utf8detect_latin_costs(uint32_t of[DETECT_LATIN], const Utf8Bigram *list,
                            size_t count) {
  for (size_t i = 0; i < DETECT_LATIN; i++) of[i] = 0;
  for (size_t i = 0; i < count;) {
    const size_t until = count - i < ROW_BIGRAMS ? count : i + ROW_BIGRAMS;
    RowSums sums = {{0}, {0}};
    for (; i < until; i++)
      addRow(&sums,
             rowOf(lettersRows, DETECT_SCRIPT_LATIN,
                   detect_ascii_letter[1][list[i].first - 128],
                   detect_ascii_letter[1][list[i].second - 128])
                 ->word,
             ROW_WORDS(ROW_SIZE), list[i].count);
    addToScript(of, DETECT_SCRIPT_LATIN, &sums, ROW_WORDS(ROW_SIZE));
  }
}

ALWAYS_INLINE void addNames(uint32_t *of, const Utf8Alphabet *a, unsigned script,
                            const Utf8Bigram *list, size_t count, size_t words) {
  for (size_t i = 0; i < count;) {
    const size_t until = count - i < ROW_BIGRAMS ? count : i + ROW_BIGRAMS;
    RowSums sums = {{0}, {0}};
    for (; i < until; i++)
      addRow(&sums,
             rowOf(namesRows, script, ALPHABET_LOAD(a->last[list[i].first]),
                   ALPHABET_LOAD(a->letter[list[i].second]))
                 ->word,
             words, list[i].count);
    addToScript(of, script, &sums, words);
  }
}

/* The words of a row that has the languages of any other script than Latin. */
#define ROW_FEW 8
_Static_assert(DETECT_FEW <= ROW_FEW, "the languages of other scripts");

void utf8detect_add_names(uint32_t of[UTF8_MODEL_LANGUAGES], const Utf8Alphabet *a,
                          unsigned script, const Utf8Bigram *list, size_t count) {
  if (script == DETECT_SCRIPT_LATIN) {
    addNames(of, a, script, list, count, ROW_WORDS(ROW_SIZE));
  } else {
    addNames(of, a, script, list, count, ROW_WORDS(ROW_FEW));
  }
}

/* ---- what bigrams cost at least in all charsets ---------------------------------------------------------------- */

/* What a bigram costs at least in each charset of a part, in any of its languages; then a 1. */
#define LEAST_SIZE 48
typedef struct LeastRow {
  _Atomic(size_t) word[ROW_WORDS(LEAST_SIZE)];
} LeastRow;

/* The charsets that may be named, and the others. */
enum { LEAST_NAMED, LEAST_OTHERS, LEAST_PARTS };
#define LEAST_OTHERS_COUNT (UTF8_ALPHABET_CHARSETS - DETECT_NAMED)
_Static_assert(DETECT_NAMED < LEAST_SIZE && LEAST_OTHERS_COUNT < LEAST_SIZE,
               "the charsets of a row");
_Static_assert(LEAST_SIZE <= SUMS_SIZE, "the sums of a row");
static LeastRow leastRows[ALPHABET_WAYS][LEAST_PARTS][UTF8_BYTE_CLASSES]
                         [UTF8_BYTE_CLASSES];

/* Returns what the letters of a bigram cost in the language of the charset in which they cost least. */
static unsigned leastOfBigram(const Utf8Alphabet *a, const DetectCharset *charset,
                              unsigned first, unsigned second) {
  uint8_t costs[ROW_SIZE];
  size_t words[ROW_WORDS(ROW_SIZE)];
  unsigned least = UINT8_MAX;
  const LettersRow *row =
      rowOf(namesRows, charset->script, ALPHABET_LOAD(a->last[first]),
            ALPHABET_LOAD(a->letter[second]));
  for (size_t i = 0; i < ROW_WORDS(ROW_SIZE); i++)
    words[i] = ALPHABET_LOAD(row->word[i]);
  memcpy(costs, words, sizeof costs);
  for (uint64_t left = charset->languages; left > 0; left &= left - 1) {
    const unsigned cost =
        costs[mask_lowest(left) - detect_scripts[charset->script].language];
    if (cost < least) least = cost;
  }
  return least;
}

static unsigned leastInCharset(size_t index, int way, unsigned first, unsigned second) {
  const DetectCharset *charset = &detect_charsets[index];
  const Utf8Alphabet *a =
      &utf8detect_alphabets()->of[(size_t)way * UTF8_ALPHABET_CHARSETS + index];
  const unsigned kinds =
      detect_kind_costs[ALPHABET_LOAD(a->kind[first])][ALPHABET_LOAD(a->kind[second])];
  return kinds + leastOfBigram(a, charset, first, second);
}

/* Stores what a bigram costs at least in charsets[from..from + count). */
static NOINLINE void buildLeast(LeastRow *row, int way, Utf8Bigram bigram, size_t from,
                                size_t count) {
  uint8_t costs[LEAST_SIZE] = {0};
  for (size_t i = 0; i < count; i++) {
    const unsigned cost = leastInCharset(from + i, way, bigram.first, bigram.second);
    costs[i] = (uint8_t)(cost < UINT8_MAX ? cost : UINT8_MAX);
  }
  costs[count] = 1;
  storeRow(row->word, costs, ROW_WORDS(LEAST_SIZE));
}

/* Adds what the bigrams cost at least in charsets[from..from + count), the charsets of a part. */
ALWAYS_INLINE void addLeast(uint32_t *least, int way, int part, const Utf8Bigram *list,
                            size_t size, size_t from, size_t count) {
  const size_t words = ROW_WORDS(count + sizeof(size_t));
  for (size_t i = 0; i < size;) {
    const size_t until = size - i < ROW_BIGRAMS ? size : i + ROW_BIGRAMS;
    RowSums sums = {{0}, {0}};
    for (; i < until; i++) {
      LeastRow *row = &leastRows[way][part][list[i].first][list[i].second];
      if (UNLIKELY(!isRowBuilt(row->word, words)))
        buildLeast(row, way, list[i], from, count);
      addRow(&sums, row->word, words, list[i].count);
    }
    addSums(least + from, count, &sums, words);
  }
}

void utf8detect_least_costs(uint32_t least[UTF8_ALPHABET_CHARSETS], int way,
                            const Utf8Bigram *list, size_t size, size_t charsets) {
  memset(least, 0, charsets * sizeof *least);
  addLeast(least, way, LEAST_NAMED, list, size, 0, DETECT_NAMED);
  if (charsets > DETECT_NAMED)
    addLeast(least, way, LEAST_OTHERS, list, size, DETECT_NAMED, LEAST_OTHERS_COUNT);
}

/* ---- tones ------------------------------------------------------------------------------------------------ */

uint64_t utf8detect_tones_cost(const Utf8Alphabet *a, const Utf8Bigram *list,
                               size_t count) {
  const DetectLanguage *language = &detect_languages[DETECT_VIETNAMESE];
  uint64_t cost = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned letter = ALPHABET_LOAD(a->letter[list[i].second]);
    const unsigned tone = ALPHABET_LOAD(a->last[list[i].second]);
    if (tone != letter) cost += list[i].count * costOfLetters(language, letter, tone);
  }
  return cost;
}

/* ---- trigrams in a language ---------------------------------------------------------------------------- */

/* Returns how much more the third symbol costs after the first two than after the second alone; below 0 if less. Searches
** without branches: which half has the trigram is hard to predict. */
static int costOfThird(size_t language, unsigned first, unsigned second,
                       unsigned third) {
  const unsigned both = first << 6 | third;
  const uint32_t *starts = detect_trigram_starts[language];
  const uint16_t *found = detect_trigrams + starts[second];
  size_t count = (size_t)starts[second + 1] - starts[second];
  if (count == 0) return 0;
  while (count > 1) {
    const size_t half = count / 2;
    found = (unsigned)found[half] >> 4 <= both ? found + half : found;
    count -= half;
  }
  return (unsigned)*found >> 4 == both ? detect_trigram_level[*found & 15] : 0;
}

/* Returns how much `more` changes what a letter costs after another one. A letter may also be that of a foreign name:
** it never costs more than that. */
static int notBeyondName(const DetectLanguage *of, unsigned first, unsigned second,
                         int more) {
  const _Atomic(uint8_t) *symbol = symbolsOf(of);
  const int own = (int)costOfSymbols(of, ALPHABET_LOAD(symbol[first]),
                                     ALPHABET_LOAD(symbol[second]));
  const int name = (int)costOfName(costsOfAny(), of->script, first, second);
  const int all = own + more < 0 ? 0 : own + more;
  if (second == 0) return all - own;
  return (all < name ? all : name) - (own < name ? own : name);
}

int64_t utf8detect_trigrams_cost(const Utf8Alphabet *a, unsigned language,
                                 const Utf8Trigrams *trigrams) {
  const DetectLanguage *of = &detect_languages[language];
  const _Atomic(uint8_t) *symbol = symbolsOf(of);
  int64_t cost = 0;
  for (size_t i = 0; i < trigrams->count; i++) {
    const Utf8Trigram *trigram = &trigrams->list[i];
    const unsigned first = ALPHABET_LOAD(a->last[trigram->first]);
    const unsigned second = ALPHABET_LOAD(a->last[trigram->second]);
    const unsigned third = ALPHABET_LOAD(a->letter[trigram->third]);
    const int more =
        costOfThird(language, ALPHABET_LOAD(symbol[first]),
                    ALPHABET_LOAD(symbol[second]), ALPHABET_LOAD(symbol[third]));
    const int isHigh = (trigram->second & trigram->third) < 128;
    cost += isHigh ? notBeyondName(of, second, third, more) : more;
  }
  return cost;
}

int utf8detect_is_unknown(unsigned language, unsigned letter) {
  return ALPHABET_LOAD(symbolsOf(&detect_languages[language])[letter]) ==
         DETECT_UNKNOWN;
}

/* ---- all tables ---------------------------------------------------------------------------------------- */

/* Stores in which charsets a byte above 7F is undefined, and in which it is a small letter. */
static void buildByte(unsigned byte) {
  uint32_t lacking[UTF8_CHARSETS_WORDS] = {0}, lower[UTF8_CHARSETS_WORDS] = {0};
  for (size_t i = 0; i < MODEL_COUNT(detect_charsets); i++) {
    if (isNoText(&detect_charsets[i], byte)) utf8detect_put_in(lacking, i);
    if (ALPHABET_LOAD(alphabets.of[i].kind[byte]) == DETECT_LOWER)
      utf8detect_put_in(lower, i);
  }
  for (size_t i = 0; i < UTF8_CHARSETS_WORDS; i++) {
    ALPHABET_STORE(alphabets.lacking[byte][i], lacking[i]);
    ALPHABET_STORE(alphabets.lower[byte][i], lower[i]);
  }
}

/* Several threads may build the tables at once: all of them store the same values, and a thread that
** reads `ready` as 1 sees all values of one of them. */
static NOINLINE void buildAlphabets(void) {
  for (size_t i = 0; i < UTF8_ALPHABETS; i++)
    buildAlphabet(&alphabets.of[i], &detect_charsets[i % UTF8_ALPHABET_CHARSETS],
                  (int)(i / UTF8_ALPHABET_CHARSETS));
  for (unsigned byte = 0; byte < 128; byte++) buildByte(byte);
  for (size_t i = 0; i < UTF8_LOST_LEADS * ALPHABET_WAYS; i++)
    buildLost(&alphabets.lost[i], lostLeads[i % UTF8_LOST_LEADS],
              (int)(i / UTF8_LOST_LEADS));
  atomic_store_explicit(&alphabets.ready, 1, memory_order_release);
}

const Utf8Alphabets *utf8detect_alphabets(void) {
  if (UNLIKELY(!atomic_load_explicit(&alphabets.ready, memory_order_acquire)))
    buildAlphabets();
  return &alphabets;
}

/* ---- letters of code points ------------------------------------------------------------------------- */

/* The last script that has letters of its own. */
#define DETECT_SCRIPT_LAST 6

/* Returns the number of a letter in its script, or 0, and stores the script. Marks, and Latin letters that no legacy
** charset has, are one letter that no language has. */
static unsigned letterNumber(uint32_t code, unsigned *script) {
  const int isOther = (code >= 0x180 && code < 0x370) || code >> 8 == 0x1E;
  const unsigned entry = utf8detect_entry(code);
  *script = isOther ? DETECT_SCRIPT_LATIN : entry >> 12;
  return isOther ? DETECT_LATIN_OTHER : *script ? entry & 0xFF : 0;
}

/* Code points as letters of their scripts. */
typedef struct LetterNumbers {
  uint8_t number[UTF8_MODEL_CODES];
  uint8_t script[UTF8_MODEL_CODES];
  unsigned scripts; /* those that occur, as bits */
  size_t count;
} LetterNumbers;

static void numberLetters(LetterNumbers *n, const uint32_t *codes, size_t count) {
  n->scripts = 0;
  n->count = count;
  for (size_t i = 0; i < count; i++) {
    unsigned script;
    const unsigned number = letterNumber(codes[i], &script);
    n->number[i] = (uint8_t)number;
    n->script[i] = (uint8_t)script;
    if (number) n->scripts |= 1u << script;
  }
}

/* The letters of one script: 0 for anything else. */
typedef struct ScriptLetters {
  uint8_t number[UTF8_MODEL_CODES + 1];
  size_t count;
} ScriptLetters;

/* Stores the letters of a script, with one mark for all that stands between two words. Returns 0 if
** there are no letters. */
static int scriptLettersOf(ScriptLetters *letters, unsigned script,
                           const LetterNumbers *n) {
  size_t count = 0;
  if (!(n->scripts >> script & 1)) return 0;
  for (size_t i = 0; i < n->count; i++) {
    const uint8_t mine = n->script[i] == script ? n->number[i] : 0;
    if (mine || (count > 0 && letters->number[count - 1]))
      letters->number[count++] = mine;
  }
  letters->count = count;
  return 1;
}

/* Adds what letters cost in each language of their script; `before` is the letter before them. */
ALWAYS_INLINE void addLetterRows(uint32_t *of, unsigned script, unsigned before,
                                 const uint8_t *number, size_t count, size_t words) {
  RowSums sums = {{0}, {0}};
  for (size_t i = 0; i < count; i++) {
    addRow(&sums, rowOf(lettersRows, script, before, number[i])->word, words, 1);
    before = number[i];
  }
  addToScript(of, script, &sums, words);
}

/* The letters that are read before what they cost is compared: their sums do not overflow. */
#define LETTERS_STEP 32

/* Returns the least of the costs of the languages of a script. */
static uint64_t leastOfScript(const uint32_t *of, unsigned script) {
  const DetectScript *is = &detect_scripts[script];
  uint64_t least = UINT64_MAX;
  for (size_t i = is->language; i < (size_t)is->language + is->languages; i++)
    least = utf8detect_lesser(least, of[i]);
  return least;
}

/* Adds what the letters cost in each language of their script. Returns the least of these sums; or a number above
** bound, before all letters are read, if it is above that. */
static uint64_t addScript(uint32_t *of, unsigned script, const ScriptLetters *letters,
                          uint64_t bound) {
  uint64_t least = 0;
  for (size_t i = 0; i < letters->count && least <= bound; i += LETTERS_STEP) {
    const size_t left = letters->count - i;
    const size_t count = left < LETTERS_STEP ? left : LETTERS_STEP;
    const unsigned before = i > 0 ? letters->number[i - 1] : 0;
    if (script == DETECT_SCRIPT_LATIN)
      addLetterRows(of, script, before, letters->number + i, count,
                    ROW_WORDS(ROW_SIZE));
    else
      addLetterRows(of, script, before, letters->number + i, count, ROW_WORDS(ROW_FEW));
    least = leastOfScript(of, script);
  }
  return least;
}

uint64_t utf8detect_letters_cost(const uint32_t *codes, size_t count,
                                 const uint32_t *prior, uint64_t bound) {
  ScriptLetters letters;
  LetterNumbers numbers;
  uint32_t of[UTF8_MODEL_LANGUAGES] = {0};
  uint64_t cost = 0;
  numberLetters(&numbers, codes, count);
  if (prior) memcpy(of, prior, sizeof of);
  for (unsigned script = DETECT_SCRIPT_LATIN;
       script <= DETECT_SCRIPT_LAST && cost <= bound; script++)
    if (scriptLettersOf(&letters, script, &numbers))
      cost += addScript(of, script, &letters, bound - cost);
  return cost;
}

/* What a letter costs in a language of another script. Latin letters cost there what they do in
** English. */
#define OTHER_LETTER_BITS 7

/* Adds to the costs of all languages what the letters of a script cost there. */
static void addToLanguages(uint64_t *costs, unsigned script,
                           const ScriptLetters *letters) {
  uint32_t of[UTF8_MODEL_LANGUAGES] = {0};
  const uint64_t other = letters->count * OTHER_LETTER_BITS * DETECT_UNIT;
  addScript(of, script, letters, UINT64_MAX);
  for (size_t i = 0; i < MODEL_COUNT(detect_languages); i++) {
    if (detect_languages[i].script == script)
      costs[i] += of[i];
    else
      costs[i] += script == DETECT_SCRIPT_LATIN ? of[0] : other;
  }
}

void utf8detect_languages_cost(uint64_t *costs, const uint32_t *codes, size_t count) {
  ScriptLetters letters;
  LetterNumbers numbers;
  numberLetters(&numbers, codes, count);
  for (unsigned script = DETECT_SCRIPT_LATIN; script <= DETECT_SCRIPT_LAST; script++)
    if (scriptLettersOf(&letters, script, &numbers))
      addToLanguages(costs, script, &letters);
}
