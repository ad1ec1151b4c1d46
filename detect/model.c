/* detect/model.c: compares legacy charsets by how plausible the bytes are as text in them.
**
** A model of text (tool/detect/model.py, detect/tables/model.h) says how many bits a character costs
** after the one before it, in each of many languages. Text that is read in the wrong charset
** costs more than text that is read right: its characters come in combinations that no
** language has. The charset of the cheapest reading is the most plausible one.
**
** Single-byte charsets: a reading of pairs of bytes, in a charset and one of its languages. Only
** pairs with a byte above 7F distinguish charsets; ASCII pairs distinguish languages, and count
** less. The counts of all pairs are all that is needed of a text, so values can be added up.
**
** Multi-byte charsets: code points are read one by one, and cost what their classes and groups
** of frequency do.
*/
#include "detect/model.h"
#include <string.h>
#include "charset/legacy.h"
#include "simd/bytes.h"
#include "detect/tables/model.h"

#define PLAUSIBLE_COUNT(array) (sizeof(array) / sizeof *(array))
_Static_assert(UTF8_BYTE_CLASSES == 128 + DETECT_ASCII, "the classes of bytes");

/* ASCII pairs speak for a language with one in this many of their bits, and with at most this
** many bits for each pair that has a byte above 7F. */
#define ASCII_SHARE 2
#define ASCII_BITS  6

/* One in this many of the ASCII pairs, of which at most ASCII_MAX count, is a bit that speaks
** against other scripts. */
#define ASCII_MAX     24
#define FOREIGN_SHARE 3

/* Bits that speak against every charset but the commonest, if there is one byte above 7F and at
** most LONE_ASCII pairs of ASCII. */
#define LONE_BITS  6
#define LONE_ASCII 2

#define COST_MAX UINT64_MAX

/* ---- pairs of bytes -------------------------------------------------------------------- */

#define CLASS_SPACE (128 + 52) /* before a value, and after it */

/* The pairs of a text, those with a byte above 7F first. */
typedef struct PlausiblePairs {
  uint8_t (*list)[2];
  const uint32_t (*counts)[UTF8_BYTE_CLASSES]; /* how often each occurs; NULL: once */
  size_t high;                                 /* list[0..high) have a byte above 7F */
  size_t size;
  uint64_t high_sum;  /* how often those occur in all */
  uint8_t bytes[129]; /* the bytes above 7F, less 80 */
  size_t bytes_count;
} PlausiblePairs;

static inline uint64_t countOf(const PlausiblePairs *pairs, const uint8_t pair[2]) {
  return pairs->counts ? pairs->counts[pair[0]][pair[1]] : 1;
}

static int isHigh(const uint8_t pair[2]) {
  return pair[0] < 128 || pair[1] < 128;
}

/* Do two ASCII letters follow each other, or a letter and what is none? */
static int hasLetter(const uint8_t pair[2]) {
  return pair[0] < CLASS_SPACE || pair[1] < CLASS_SPACE;
}

/* Moves the pairs with a byte above 7F to the start of the list, and drops those without a
** letter. */
static void sortPairs(PlausiblePairs *pairs, size_t size) {
  for (size_t i = 0; i < size; i++) {
    uint8_t pair[2];
    memcpy(pair, pairs->list[i], 2);
    if (!hasLetter(pair)) continue;
    size_t at = pairs->size++;
    if (isHigh(pair)) {
      memcpy(pairs->list[at], pairs->list[pairs->high], 2);
      at = pairs->high++;
      pairs->high_sum += countOf(pairs, pair);
    }
    memcpy(pairs->list[at], pair, 2);
  }
}

/* Lists the bytes above 7F. */
static void listBytes(PlausiblePairs *pairs) {
  uint8_t is[256] = {0};
  for (size_t i = 0; i < pairs->high; i++) {
    is[pairs->list[i][0]] = 1;
    is[pairs->list[i][1]] = 1;
  }
  for (size_t i = 0; i < 128; i++) {
    pairs->bytes[pairs->bytes_count] = (uint8_t)i;
    pairs->bytes_count += is[i];
  }
}

static void listShort(PlausiblePairs *pairs, const uint8_t *bytes, size_t size) {
  uint8_t previous = CLASS_SPACE;
  for (size_t i = 0; i <= size; i++) {
    pairs->list[i][0] = previous;
    pairs->list[i][1] = previous = i < size ? detect_class[bytes[i]] : CLASS_SPACE;
  }
  sortPairs(pairs, size + 1);
  listBytes(pairs);
}

static void listCounted(PlausiblePairs *pairs, Utf8Evidence *evidence) {
  pairs->list = evidence->list;
  pairs->counts = (const uint32_t(*)[UTF8_BYTE_CLASSES])evidence->pairs;
  sortPairs(pairs, evidence->listed);
  evidence->listed = pairs->size;
  listBytes(pairs);
}

/* ---- readings of single-byte charsets -------------------------------------------------- */

/* What each class of bytes is in a charset. */
typedef struct PlausibleReading {
  uint8_t kind[UTF8_BYTE_CLASSES];
  uint8_t
      letter[UTF8_BYTE_CLASSES]; /* its number in the charset's script, from 1; or 0 */
} PlausibleReading;

static uint16_t entryOfCode(uint32_t code) {
  if (code >= DETECT_CODES) return DETECT_SYMBOL;
  return detect_entry[detect_page[code / 64]][code % 64];
}

static void readByte(PlausibleReading *reading, unsigned script, unsigned byte,
                     unsigned entry) {
  const int isOwn = entry >> 12 == script;
  reading->letter[byte] = (uint8_t)(isOwn ? entry & 0xFF : 0);
  if (isOwn) {
    reading->kind[byte] = entry & 0x800 ? DETECT_UPPER : DETECT_LOWER;
  } else {
    reading->kind[byte] = (uint8_t)(entry >> 12 ? DETECT_FOREIGN : entry);
  }
}

/* Reads the bytes in the charset. Returns 0 if one of them is undefined there. */
static int readCharset(PlausibleReading *reading, const PlausiblePairs *pairs,
                       const DetectCharset *charset) {
  const uint16_t *high = utf8charset_high(charset->charset);
  const int isLatin = charset->script == DETECT_SCRIPT_LATIN;
  memcpy(reading->kind + 128, detect_ascii_kind[isLatin], DETECT_ASCII);
  memcpy(reading->letter + 128, detect_ascii_letter[isLatin], DETECT_ASCII);
  for (size_t i = 0; i < pairs->bytes_count; i++) {
    const unsigned byte = pairs->bytes[i];
    if (high[byte] == BYTES_FFFD) return 0;
    readByte(reading, charset->script, byte, entryOfCode(high[byte]));
  }
  return 1;
}

static inline unsigned letterCost(const PlausibleReading *reading,
                                  const DetectLanguage *language,
                                  const uint8_t pair[2]) {
  const uint8_t *symbol = detect_symbols + language->symbol;
  const unsigned first = symbol[reading->letter[pair[0]]];
  const unsigned at = first * language->symbols + symbol[reading->letter[pair[1]]];
  return detect_level[detect_letter_costs[language->cost + at / 2] >> at % 2 * 4 & 15];
}

/* Returns what the letters of list[from..to) cost in the language; or a number above bound,
** before the end. */
static uint64_t lettersCost(const PlausiblePairs *pairs,
                            const PlausibleReading *reading,
                            const DetectLanguage *language, size_t from, size_t to,
                            uint64_t bound) {
  uint64_t cost = 0;
  for (size_t i = from; i < to && cost <= bound; i++) {
    const uint8_t *pair = pairs->list[i];
    cost += countOf(pairs, pair) * letterCost(reading, language, pair);
  }
  return cost;
}

/* ---- the language by its ASCII letters ------------------------------------------------- */

#define DETECT_LANGUAGES PLAUSIBLE_COUNT(detect_languages)

/* Returns the number of ASCII pairs, or ASCII_MAX if there are more. */
static uint64_t countAscii(const PlausiblePairs *pairs) {
  uint64_t sum = 0;
  for (size_t i = pairs->high; i < pairs->size && sum < ASCII_MAX; i++)
    sum += countOf(pairs, pairs->list[i]);
  return sum < ASCII_MAX ? sum : ASCII_MAX;
}

/* What speaks against each language: how much more its ASCII pairs cost than in the best one. */
typedef struct PlausiblePenalties {
  int is_set;
  uint64_t of[DETECT_LANGUAGES];
} PlausiblePenalties;

static NOINLINE void setPenalties(PlausiblePenalties *penalties,
                                  const PlausiblePairs *pairs) {
  PlausibleReading reading;
  const uint64_t max = pairs->high_sum * ASCII_BITS * DETECT_UNIT;
  uint64_t min = COST_MAX, *of = penalties->of;
  memcpy(reading.letter + 128, detect_ascii_letter[1], DETECT_ASCII);
  for (size_t i = 0; i < DETECT_LATIN; i++) {
    const DetectLanguage *language = &detect_languages[i];
    of[i] = lettersCost(pairs, &reading, language, pairs->high, pairs->size, COST_MAX);
    of[i] /= ASCII_SHARE;
    if (of[i] < min) min = of[i];
  }
  for (size_t i = 0; i < DETECT_LATIN; i++)
    of[i] = of[i] - min < max ? of[i] - min : max;
  penalties->is_set = 1;
}

/* ---- the cheapest single-byte charset ---------------------------------------------------- */

/* A charset in which no byte is undefined. */
typedef struct PlausibleCandidate {
  const DetectCharset *charset;
  uint64_t fixed; /* what does not depend on the language */
  uint64_t least; /* what a reading costs at least, whatever the language */
} PlausibleCandidate;

typedef struct PlausibleText {
  PlausiblePairs pairs;
  PlausiblePenalties penalties;
  uint64_t ascii; /* countAscii() */
} PlausibleText;

/* Returns what speaks against a charset before the text is read in it. */
static uint64_t priorCost(const PlausibleText *text, unsigned prior, int isLatin) {
  const int isLone = text->pairs.high_sum <= 2 && text->ascii <= LONE_ASCII;
  const uint64_t foreign = isLatin ? 0 : text->ascii * DETECT_UNIT / FOREIGN_SHARE;
  return foreign + (prior + (prior > 0 && isLone ? LONE_BITS : 0)) * DETECT_UNIT;
}

/* Adds what pairs with a byte above 7F cost: their kinds, and at least their letters. */
static void addPairCosts(PlausibleCandidate *candidate, const PlausiblePairs *pairs,
                         const PlausibleReading *reading) {
  const uint8_t(*least)[PLAUSIBLE_COUNT(detect_least[0][0])] =
      detect_least[candidate->charset->script];
  uint64_t kinds = 0, letters = 0;
  for (size_t i = 0; i < pairs->high; i++) {
    const unsigned first = pairs->list[i][0], second = pairs->list[i][1];
    const unsigned after = reading->letter[first] ? 1 + (first < 128) : 0;
    const uint64_t count = countOf(pairs, pairs->list[i]);
    kinds += count * detect_kind_costs[reading->kind[first]][reading->kind[second]];
    letters += count * least[after][reading->letter[second]];
  }
  candidate->fixed += kinds;
  candidate->least = candidate->fixed + letters;
}

static PlausibleCandidate candidateOf(const PlausibleText *text,
                                      const DetectCharset *charset) {
  PlausibleCandidate new = {charset, COST_MAX, COST_MAX};
  PlausibleReading reading;
  if (!readCharset(&reading, &text->pairs, charset)) return new;
  new.fixed = priorCost(text, charset->prior, charset->script == DETECT_SCRIPT_LATIN);
  addPairCosts(&new, &text->pairs, &reading);
  return new;
}

/* Returns the cost of the cheapest reading in the charset, or a number above bound. */
static uint64_t charsetCost(PlausibleText *text, const PlausibleCandidate *candidate,
                            uint64_t bound) {
  const DetectCharset *charset = candidate->charset;
  PlausibleReading reading;
  uint64_t best = COST_MAX;
  if (candidate->least > bound || !readCharset(&reading, &text->pairs, charset))
    return COST_MAX;
  if (!text->penalties.is_set && charset->script == DETECT_SCRIPT_LATIN)
    setPenalties(&text->penalties, &text->pairs);
  for (size_t i = 0; i < DETECT_LANGUAGES; i++) {
    if (!(charset->languages >> i & 1)) continue;
    const uint64_t base =
        candidate->fixed + (i < DETECT_LATIN ? text->penalties.of[i] : 0);
    if (base > bound) continue;
    const uint64_t cost =
        base + lettersCost(&text->pairs, &reading, &detect_languages[i], 0,
                           text->pairs.high, bound - base);
    if (cost < best) best = cost;
    if (cost < bound) bound = cost;
  }
  return best;
}

/* Inserts a candidate, in the order of least costs. Equal ones keep their order. */
static void insertCandidate(PlausibleCandidate *candidates, size_t count,
                            PlausibleCandidate new) {
  while (count > 0 && candidates[count - 1].least > new.least) {
    candidates[count] = candidates[count - 1];
    count--;
  }
  candidates[count] = new;
}

/* ---- multi-byte charsets --------------------------------------------------------------- */

typedef struct PlausibleAsian {
  Utf8Charset charset;
  unsigned prior;
  const uint8_t (*costs)[DETECT_CLASSES];
  const DetectBlock *blocks;
} PlausibleAsian;

static const PlausibleAsian plausibleAsian[UTF8_ASIAN_CHARSETS] = {
    {UTF8_CHARSET_GBK, 3, detect_zh_cn_costs, detect_zh_cn_blocks},
    {UTF8_CHARSET_BIG5, 4, detect_zh_tw_costs, detect_zh_tw_blocks},
    {UTF8_CHARSET_EUC_JP, 4, detect_ja_costs, detect_ja_blocks},
    {UTF8_CHARSET_SHIFT_JIS, 3, detect_ja_costs, detect_ja_blocks},
    {UTF8_CHARSET_EUC_KR, 3, detect_ko_costs, detect_ko_blocks},
};

/* No branch: in a wrong charset the classes are random. */
static inline unsigned classOfAsian(const PlausibleAsian *asian, uint32_t code) {
  if (UNLIKELY(code > 0xFFFF)) return DETECT_ASIAN_RARE;
  const DetectBlock *block = &asian->blocks[detect_asian_type[code >> 8]];
  const uint32_t at = code - block->first;
  return block->classes[block->table[at / 4 & block->mask] >> at % 4 * 2 & 3];
}

#define ASIAN_CODES 64

/* Adds the cost of code points. Returns the number of four-byte codes. */
static uint64_t addCodes(Utf8AsianSum *sum, const PlausibleAsian *asian,
                         const uint32_t *codes, size_t count) {
  unsigned previous = sum->previous;
  uint64_t cost = 0, fours = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned class = classOfAsian(asian, codes[i] & ~UTF8_LEGACY_FOUR);
    fours += codes[i] >= UTF8_LEGACY_FOUR;
    cost += asian->costs[previous][class];
    previous = class;
  }
  sum->value_cost += cost;
  sum->previous = (uint8_t)previous;
  return fours;
}

/* Reads bytes[sum->at..until). Returns the number of four-byte codes. */
static uint64_t readAsian(Utf8AsianSum *sum, const PlausibleAsian *asian,
                          const uint8_t *bytes, size_t size, size_t until) {
  uint32_t codes[ASIAN_CODES];
  uint64_t fours = 0;
  while (sum->at < until && !sum->is_broken) {
    const size_t n = utf8charset_read_codes(asian->charset, bytes, size, &sum->at,
                                            until, codes, ASIAN_CODES);
    sum->is_broken = codes[n - 1] == BYTES_FFFD;
    if (!sum->is_broken) fours += addCodes(sum, asian, codes, n);
  }
  return fours;
}

/* Starts at the first byte above 7F: ASCII costs nothing. */
static void beginAsian(Utf8AsianSum *sum, const PlausibleAsian *asian,
                       const uint8_t *bytes, size_t first) {
  sum->at = first;
  sum->value_cost = 0;
  sum->previous = (uint8_t)classOfAsian(asian, first ? bytes[first - 1] : ' ');
  sum->is_broken = 0;
}

static void endAsian(Utf8AsianSum *sum, const PlausibleAsian *asian) {
  if (sum->is_broken) {
    sum->broken++;
  } else {
    sum->cost += sum->value_cost + asian->costs[sum->previous][DETECT_ASIAN_SIGN];
  }
}

static void addAsian(Utf8AsianEvidence *evidence, const uint8_t *bytes, size_t size,
                     size_t at, size_t until) {
  size_t first = 0;
  while (at == 0 && first < size && bytes[first] < 0x80) first++;
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++) {
    Utf8AsianSum *sum = &evidence->sum[i];
    if (at == 0) beginAsian(sum, &plausibleAsian[i], bytes, first);
    const uint64_t fours = readAsian(sum, &plausibleAsian[i], bytes, size, until);
    if (i == 0) evidence->four_bytes += fours;
    if (until == size) endAsian(sum, &plausibleAsian[i]);
  }
  evidence->values += until == size;
}

/* One value in this many may have an error in a multi-byte charset: a column that was cut by a
** limit in bytes has such values. */
#define BROKEN_SHARE 16

static uint64_t asianCost(const Utf8AsianEvidence *evidence, size_t i,
                          const PlausibleText *text) {
  const Utf8AsianSum *sum = &evidence->sum[i];
  if (sum->broken > evidence->values / BROKEN_SHARE) return COST_MAX;
  const uint64_t whole = evidence->values - sum->broken;
  return sum->cost + sum->cost / whole * sum->broken +
         priorCost(text, plausibleAsian[i].prior, 0);
}

/* ---- the evidence ----------------------------------------------------------------------- */

/* The list is written before it is read. */
void utf8detect_begin(Utf8Evidence *evidence) {
  memset(&evidence->asian, 0, sizeof evidence->asian);
  memset(evidence->pairs, 0, sizeof evidence->pairs);
  evidence->previous = 0;
  evidence->listed = 0;
}

static inline void countPair(Utf8Evidence *evidence, unsigned first, unsigned second) {
  uint32_t *count = &evidence->pairs[first][second];
  if (UNLIKELY(*count == 0)) {
    evidence->list[evidence->listed][0] = (uint8_t)first;
    evidence->list[evidence->listed++][1] = (uint8_t)second;
  }
  *count += *count != UINT32_MAX;
}

static void addPairs(Utf8Evidence *evidence, const uint8_t *bytes, size_t at,
                     size_t until) {
  unsigned previous = at == 0 ? CLASS_SPACE : evidence->previous;
  for (; at < until; at++) {
    const unsigned class = detect_class[bytes[at]];
    countPair(evidence, previous, class);
    previous = class;
  }
  evidence->previous = (uint8_t)previous;
}

void utf8detect_add(Utf8Evidence *evidence, const uint8_t *bytes, size_t size,
                    size_t at, size_t until) {
  addPairs(evidence, bytes, at, until);
  addAsian(&evidence->asian, bytes, size, at, until);
  if (until == size) countPair(evidence, evidence->previous, CLASS_SPACE);
}

/* ---- answers ------------------------------------------------------------------------------ */

/* The cheapest charset so far. */
typedef struct PlausibleBest {
  Utf8Charset charset;
  unsigned prior;
  uint64_t cost;
} PlausibleBest;

/* Takes the charset if it is cheaper; of equal ones, the commoner is kept. */
static void offerCharset(PlausibleBest *best, Utf8Charset charset, unsigned prior,
                         uint64_t cost) {
  if (cost > best->cost || (cost == best->cost && prior >= best->prior)) return;
  *best = (PlausibleBest){charset, prior, cost};
}

/* May the charset be named? Not iso-8859-1 if it has control characters: windows-1252 then reads
** the text as well or better. */
static int isNamed(const DetectCharset *charset, const PlausiblePairs *pairs) {
  const int hasC1 = pairs->bytes_count > 0 && pairs->bytes[0] < 0xA0 - 0x80;
  return charset->prior != DETECT_NEVER &&
         (charset->charset != UTF8_CHARSET_LATIN1 || !hasC1);
}

/* Offers all single-byte charsets, first those that are likely to be cheap. */
static void offerSingleBytes(PlausibleBest *best, PlausibleText *text) {
  PlausibleCandidate candidates[PLAUSIBLE_COUNT(detect_charsets)];
  size_t count = 0;
  for (size_t i = 0; i < PLAUSIBLE_COUNT(detect_charsets); i++) {
    const DetectCharset *charset = &detect_charsets[i];
    if (isNamed(charset, &text->pairs))
      insertCandidate(candidates, count++, candidateOf(text, charset));
  }
  for (size_t i = 0; i < count; i++) {
    const DetectCharset *charset = candidates[i].charset;
    offerCharset(best, charset->charset, charset->prior,
                 charsetCost(text, &candidates[i], best->cost));
  }
}

static Utf8Charset cheapest(const Utf8AsianEvidence *asian, PlausibleText *text) {
  PlausibleBest best = {UTF8_CHARSET_LATIN1, 0, COST_MAX};
  text->ascii = countAscii(&text->pairs);
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++)
    offerCharset(&best, plausibleAsian[i].charset, plausibleAsian[i].prior,
                 asianCost(asian, i, text));
  if (best.charset == UTF8_CHARSET_GBK && asian->four_bytes > 0)
    best.charset = UTF8_CHARSET_GB18030;
  offerSingleBytes(&best, text);
  return best.charset;
}

Utf8Charset utf8detect_charset(Utf8Evidence *evidence) {
  PlausibleText text = {.pairs.size = 0};
  listCounted(&text.pairs, evidence);
  return cheapest(&evidence->asian, &text);
}

static NOINLINE Utf8Charset charsetOfLong(const uint8_t *bytes, size_t size) {
  Utf8Evidence evidence;
  utf8detect_begin(&evidence);
  utf8detect_add(&evidence, bytes, size, 0, size);
  return utf8detect_charset(&evidence);
}

Utf8Charset utf8detect_of_value(const uint8_t *bytes, size_t size) {
  Utf8AsianEvidence asian = {.values = 0};
  uint8_t list[UTF8_PLAUSIBLE_SHORT + 1][2];
  PlausibleText text = {.pairs.list = list};
  if (size > UTF8_PLAUSIBLE_SHORT) return charsetOfLong(bytes, size);
  addAsian(&asian, bytes, size, 0, size);
  listShort(&text.pairs, bytes, size);
  return cheapest(&asian, &text);
}

static uint64_t costIn(const Utf8AsianEvidence *asian, PlausibleText *text,
                       Utf8Charset charset) {
  const Utf8Charset same = charset == UTF8_CHARSET_GB18030 ? UTF8_CHARSET_GBK : charset;
  text->ascii = countAscii(&text->pairs);
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++) {
    if (plausibleAsian[i].charset == same) return asianCost(asian, i, text);
  }
  for (size_t i = 0; i < PLAUSIBLE_COUNT(detect_charsets); i++) {
    if (detect_charsets[i].charset != charset) continue;
    const PlausibleCandidate candidate = candidateOf(text, &detect_charsets[i]);
    return charsetCost(text, &candidate, COST_MAX);
  }
  return COST_MAX;
}

/* The bits per pair at which a reading has the score 0.5. */
#define HALF_BITS 8.0

/* Returns x, rounded to a double: no compiler fuses the operation that made x with the next one,
** as arm64 could, so that the score has the same bits everywhere. */
static double rounded(double x) {
  volatile double stored = x;
  return stored;
}

double utf8detect_score(Utf8Evidence *evidence, Utf8Charset charset) {
  PlausibleText text = {.pairs.size = 0};
  listCounted(&text.pairs, evidence);
  const uint64_t cost = costIn(&evidence->asian, &text, charset);
  if (cost == COST_MAX) return 0.0;
  const double bits = (double)cost / DETECT_UNIT / (double)(text.pairs.high_sum + 1);
  const double square = bits * bits / (HALF_BITS * HALF_BITS);
  return 1.0 / (1.0 + rounded(square * square));
}
