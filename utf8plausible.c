/* utf8plausible.c: compares legacy charsets by how plausible the bytes are as text in them.
**
** A model of text (tool/detect_model.py, charset/detect.h) says how many bits a character costs
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
#include "utf8plausible.h"
#include <string.h>
#include "utf8legacycodec.h"
#include "charset/detect.h"

#define PLAUSIBLE_COUNT(array) (sizeof(array) / sizeof *(array))
_Static_assert(UTF8_BYTE_CLASSES == 128 + DETECT_ASCII, "the classes of bytes");

/* ASCII pairs speak for a language with one in this many of their bits, and with at most this
** many bits for each pair that has a byte above 7F. */
#define ASCII_SHARE 2
#define ASCII_BITS  6

#define COST_MAX UINT64_MAX

/* ---- pairs of bytes -------------------------------------------------------------------- */

#define CLASS_SPACE (128 + 52) /* before a value, and after it */

/* The pairs of a text: counted in a table; or listed, those with a byte above 7F first. */
typedef struct PlausiblePairs {
  const uint32_t (*table)[UTF8_BYTE_CLASSES]; /* NULL if listed */
  uint8_t used[UTF8_BYTE_CLASSES];            /* the classes in it, in order */
  size_t used_count;
  size_t used_high; /* how many of them are above 7F */
  uint8_t (*list)[2];
  size_t listed_high; /* list[0..listed_high) have a byte above 7F */
  size_t listed;
  uint64_t high; /* the number of pairs that have a byte above 7F */
} PlausiblePairs;

static int isHighPair(unsigned first, unsigned second) {
  return first < 128 || second < 128;
}

static void listPair(PlausiblePairs *pairs, uint8_t first, uint8_t second) {
  const size_t last = pairs->listed++;
  size_t at = last;
  if (isHighPair(first, second)) {
    at = pairs->listed_high++;
    memcpy(pairs->list[last], pairs->list[at], 2);
  }
  pairs->list[at][0] = first;
  pairs->list[at][1] = second;
}

/* Sets used: one of the classes is used if is[class]. */
static void setUsed(PlausiblePairs *pairs, const uint8_t is[UTF8_BYTE_CLASSES]) {
  for (size_t class = 0; class < UTF8_BYTE_CLASSES; class ++) {
    if (is[class]) pairs->used[pairs->used_count++] = (uint8_t) class;
    if (class == 127) pairs->used_high = pairs->used_count;
  }
}

static void listPairs(PlausiblePairs *pairs, const uint8_t *bytes, size_t size) {
  uint8_t is[UTF8_BYTE_CLASSES] = {0}, previous = CLASS_SPACE;
  for (size_t i = 0; i <= size; i++) {
    const uint8_t class = i < size ? detect_class[bytes[i]] : CLASS_SPACE;
    is[class] = 1;
    listPair(pairs, previous, class);
    previous = class;
  }
  setUsed(pairs, is);
  pairs->high = pairs->listed_high;
}

static void tablePairs(PlausiblePairs *pairs,
                       const uint32_t table[UTF8_BYTE_CLASSES][UTF8_BYTE_CLASSES]) {
  uint8_t is[UTF8_BYTE_CLASSES] = {0};
  pairs->table = table;
  for (size_t a = 0; a < UTF8_BYTE_CLASSES; a++) {
    for (size_t b = 0; b < UTF8_BYTE_CLASSES; b++) {
      if (table[a][b] == 0) continue;
      is[a] = is[b] = 1;
      if (isHighPair(a, b)) pairs->high += table[a][b];
    }
  }
  setUsed(pairs, is);
}

/* ---- readings of single-byte charsets -------------------------------------------------- */

/* What each class of bytes is in a charset and a language of its script. */
typedef struct PlausibleReading {
  uint16_t entry[UTF8_BYTE_CLASSES]; /* detect_entry of its character */
  uint8_t kind[UTF8_BYTE_CLASSES];
  uint8_t symbol[UTF8_BYTE_CLASSES];
  const uint8_t *costs; /* half bytes */
  unsigned symbols;
} PlausibleReading;

static uint16_t entryOfCode(uint32_t code) {
  if (code >= DETECT_CODES) return DETECT_SYMBOL;
  return detect_entry[detect_page[code / 64]][code % 64];
}

static uint8_t kindOfEntry(unsigned entry, unsigned script, int isAscii) {
  const int isUpper = entry & 0x800 ? 1 : 0;
  if (entry >> 12 == 0) return (uint8_t)entry;
  if (entry >> 12 == script) return (uint8_t)(DETECT_LOWER + isUpper);
  return (uint8_t)(isAscii ? DETECT_ASCII_LOWER + isUpper : DETECT_FOREIGN);
}

/* Reads the classes in the charset. Returns 0 if one of them is undefined there. */
static int readCharset(PlausibleReading *reading, const PlausiblePairs *pairs,
                       const DetectCharset *charset) {
  const uint16_t *high = utf8legacy_high(charset->charset);
  for (size_t i = 0; i < pairs->used_count; i++) {
    const unsigned class = pairs->used[i];
    const uint32_t code = class < 128 ? high[class] : detect_sample[class - 128];
    if (code == LEGACY_FFFD) return 0;
    reading->entry[class] = entryOfCode(code);
    reading->kind[class] =
        kindOfEntry(reading->entry[class], charset->script, class >= 128);
  }
  return 1;
}

static void readLanguage(PlausibleReading *reading, const PlausiblePairs *pairs,
                         const DetectLanguage *language) {
  const uint8_t *symbol = detect_symbols + language->symbol;
  reading->costs = detect_letter_costs + language->cost;
  reading->symbols = language->symbols;
  for (size_t i = 0; i < pairs->used_count; i++) {
    const unsigned class = pairs->used[i], entry = reading->entry[class];
    reading->symbol[class] =
        entry >> 12 == language->script ? symbol[entry & 0x7FF] : 0;
  }
}

static inline unsigned letterCost(const PlausibleReading *reading, unsigned first,
                                  unsigned second) {
  const unsigned at =
      reading->symbol[first] * reading->symbols + reading->symbol[second];
  return detect_level[reading->costs[at / 2] >> at % 2 * 4 & 15];
}

static inline unsigned pairCost(const PlausibleReading *reading, unsigned first,
                                unsigned second) {
  return letterCost(reading, first, second) +
         detect_kind_costs[reading->kind[first]][reading->kind[second]];
}

/* Returns what the pairs with a byte above 7F cost; or a number above bound, before the end. */
static uint64_t listedCost(const PlausiblePairs *pairs, const PlausibleReading *reading,
                           uint64_t bound) {
  uint64_t cost = 0;
  for (size_t i = 0; i < pairs->listed_high && cost <= bound; i++)
    cost += pairCost(reading, pairs->list[i][0], pairs->list[i][1]);
  return cost;
}

static uint64_t tableCost(const PlausiblePairs *pairs, const PlausibleReading *reading,
                          uint64_t bound) {
  uint64_t cost = 0;
  for (size_t i = 0; i < pairs->used_count && cost <= bound; i++) {
    const unsigned a = pairs->used[i];
    const size_t seconds = a < 128 ? pairs->used_count : pairs->used_high;
    for (size_t k = 0; k < seconds; k++) {
      const unsigned b = pairs->used[k];
      if (pairs->table[a][b])
        cost += (uint64_t)pairs->table[a][b] * pairCost(reading, a, b);
    }
  }
  return cost;
}

static uint64_t highCost(const PlausiblePairs *pairs, const PlausibleReading *reading,
                         uint64_t bound) {
  return pairs->table ? tableCost(pairs, reading, bound)
                      : listedCost(pairs, reading, bound);
}

/* ---- the language by its ASCII letters ------------------------------------------------- */

#define DETECT_LANGUAGES PLAUSIBLE_COUNT(detect_languages)

static uint64_t asciiCost(const PlausiblePairs *pairs,
                          const PlausibleReading *reading) {
  uint64_t cost = 0;
  for (size_t i = pairs->listed_high; i < pairs->listed; i++)
    cost += letterCost(reading, pairs->list[i][0], pairs->list[i][1]);
  for (size_t i = pairs->used_high; i < pairs->used_count && pairs->table; i++) {
    for (size_t k = pairs->used_high; k < pairs->used_count; k++) {
      const unsigned a = pairs->used[i], b = pairs->used[k];
      cost += (uint64_t)pairs->table[a][b] * letterCost(reading, a, b);
    }
  }
  return cost;
}

/* What speaks against each language: how much more its ASCII pairs cost than in the best one.
** 0 for languages that do not use ASCII letters. */
static void setPenalties(const PlausiblePairs *pairs,
                         uint64_t penalty[DETECT_LANGUAGES]) {
  static const DetectCharset latin = {UTF8_CHARSET_WINDOWS1252, DETECT_SCRIPT_LATIN, 0,
                                      0};
  PlausibleReading reading;
  uint64_t min = COST_MAX;
  const uint64_t max = pairs->high * ASCII_BITS * DETECT_UNIT;
  readCharset(&reading, pairs, &latin);
  for (size_t i = 0; i < DETECT_LANGUAGES; i++) {
    penalty[i] = 0;
    if (detect_languages[i].script != DETECT_SCRIPT_LATIN) continue;
    readLanguage(&reading, pairs, &detect_languages[i]);
    penalty[i] = asciiCost(pairs, &reading) / ASCII_SHARE;
    if (penalty[i] < min) min = penalty[i];
  }
  for (size_t i = 0; i < DETECT_LANGUAGES; i++) {
    if (detect_languages[i].script != DETECT_SCRIPT_LATIN) continue;
    penalty[i] -= min;
    if (penalty[i] > max) penalty[i] = max;
  }
}

/* Returns the cost of the cheapest reading in the charset, or a number above bound. */
static uint64_t charsetCost(const PlausiblePairs *pairs, const DetectCharset *charset,
                            const uint64_t penalty[DETECT_LANGUAGES], uint64_t bound) {
  PlausibleReading reading;
  uint64_t min = COST_MAX;
  const uint64_t prior = charset->prior * DETECT_UNIT;
  if (!readCharset(&reading, pairs, charset)) return COST_MAX;
  for (size_t i = 0; i < DETECT_LANGUAGES; i++) {
    const uint64_t base = prior + penalty[i];
    if (!(charset->languages >> i & 1) || base > bound) continue;
    readLanguage(&reading, pairs, &detect_languages[i]);
    const uint64_t cost = base + highCost(pairs, &reading, bound - base);
    if (cost < min) min = cost;
    if (cost < bound) bound = cost;
  }
  return min;
}

/* ---- multi-byte charsets --------------------------------------------------------------- */

typedef struct PlausibleAsian {
  Utf8Charset charset;
  unsigned prior;
  const uint8_t (*costs)[DETECT_CLASSES];
  const uint8_t *han;    /* two bits for each of U+4E00..9FFF; or NULL */
  const uint8_t *hangul; /* two bits for each of U+AC00..D7A3; or NULL */
} PlausibleAsian;

static const PlausibleAsian plausibleAsian[UTF8_ASIAN_CHARSETS] = {
    {UTF8_CHARSET_GBK, 3, detect_zh_cn_costs, detect_zh_cn_han, NULL},
    {UTF8_CHARSET_BIG5, 4, detect_zh_tw_costs, detect_zh_tw_han, NULL},
    {UTF8_CHARSET_EUC_JP, 4, detect_ja_costs, detect_ja_han, NULL},
    {UTF8_CHARSET_SHIFT_JIS, 3, detect_ja_costs, detect_ja_han, NULL},
    {UTF8_CHARSET_EUC_KR, 3, detect_ko_costs, NULL, detect_ko_hangul},
};

static unsigned groupOf(const uint8_t *groups, uint32_t i) {
  return groups ? groups[i / 4] >> i % 4 * 2 & 3 : 3;
}

static unsigned classOfSign(uint32_t code) {
  if ((code >= 0x3041 && code <= 0x3096) || code == 0x30FC)
    return DETECT_ASIAN_HIRAGANA;
  if (code >= 0x30A1 && code <= 0x30FA) return DETECT_ASIAN_KATAKANA;
  if (code >= 0xFF61 && code <= 0xFF9F) return DETECT_ASIAN_HALF;
  if ((code >= 0x3000 && code <= 0x3011) || (code >= 0xFF01 && code <= 0xFF0F) ||
      (code >= 0x2010 && code <= 0x2026) || code == 0xB7)
    return DETECT_ASIAN_PUNCTUATION;
  if (code >= 0xFF10 && code <= 0xFF5E) return DETECT_ASIAN_OTHER;
  return code < 0x3400 ? DETECT_ASIAN_OTHER : DETECT_ASIAN_RARE;
}

static unsigned classOfAsian(const PlausibleAsian *asian, uint32_t code) {
  if (code >= 0x4E00 && code <= 0x9FFF)
    return DETECT_ASIAN_HAN0 + groupOf(asian->han, code - 0x4E00);
  if (code >= 0xAC00 && code <= 0xD7A3)
    return DETECT_ASIAN_HANGUL0 + groupOf(asian->hangul, code - 0xAC00);
  return classOfSign(code);
}

static unsigned classOfAscii(uint8_t byte) {
  const unsigned class = detect_class[byte] - 128u;
  return class < 52 || class == 53 ? DETECT_ASIAN_LETTER : DETECT_ASIAN_SIGN;
}

/* Reads bytes[sum->at..until). Returns the number of four-byte codes. */
static uint64_t readAsian(Utf8AsianSum *sum, const PlausibleAsian *asian,
                          const uint8_t *bytes, size_t size, size_t until) {
  uint64_t fours = 0;
  while (sum->at < until && !sum->is_broken) {
    unsigned class;
    if (bytes[sum->at] < 0x80) {
      class = classOfAscii(bytes[sum->at++]);
    } else {
      const size_t before = sum->at;
      const uint32_t code = utf8legacy_read(asian->charset, bytes, size, &sum->at);
      if (code == LEGACY_FFFD) sum->is_broken = 1;
      class = classOfAsian(asian, code);
      fours += sum->at - before == 4;
    }
    sum->value_cost += asian->costs[sum->previous][class];
    sum->previous = (uint8_t) class;
  }
  return fours;
}

static void beginAsian(Utf8AsianSum *sum) {
  sum->at = 0;
  sum->value_cost = 0;
  sum->previous = DETECT_ASIAN_SIGN;
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
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++) {
    Utf8AsianSum *sum = &evidence->sum[i];
    if (at == 0) beginAsian(sum);
    const uint64_t fours = readAsian(sum, &plausibleAsian[i], bytes, size, until);
    if (i == 0) evidence->four_bytes += fours;
    if (until == size) endAsian(sum, &plausibleAsian[i]);
  }
  evidence->values += until == size;
}

/* One value in this many may have an error in a multi-byte charset: a column that was cut by a
** limit in bytes has such values. */
#define BROKEN_SHARE 16

static uint64_t asianCost(const Utf8AsianEvidence *evidence, size_t i) {
  const Utf8AsianSum *sum = &evidence->sum[i];
  if (sum->broken > evidence->values / BROKEN_SHARE) return COST_MAX;
  const uint64_t whole = evidence->values - sum->broken;
  return sum->cost + sum->cost / whole * sum->broken +
         plausibleAsian[i].prior * DETECT_UNIT;
}

/* ---- the evidence ----------------------------------------------------------------------- */

void utf8plausible_begin(Utf8Evidence *evidence) {
  memset(evidence, 0, sizeof *evidence);
}

static inline void countPair(uint32_t *count) {
  *count += *count != UINT32_MAX;
}

static void addPairs(Utf8Evidence *evidence, const uint8_t *bytes, size_t at,
                     size_t until) {
  unsigned previous = at == 0 ? CLASS_SPACE : evidence->previous;
  for (; at < until; at++) {
    const unsigned class = detect_class[bytes[at]];
    countPair(&evidence->pairs[previous][class]);
    previous = class;
  }
  evidence->previous = (uint8_t)previous;
}

void utf8plausible_add(Utf8Evidence *evidence, const uint8_t *bytes, size_t size,
                       size_t at, size_t until) {
  addPairs(evidence, bytes, at, until);
  addAsian(&evidence->asian, bytes, size, at, until);
  if (until == size) countPair(&evidence->pairs[evidence->previous][CLASS_SPACE]);
}

/* ---- answers ------------------------------------------------------------------------------ */

/* The cheapest charset so far. */
typedef struct PlausibleBest {
  Utf8Charset charset;
  uint64_t cost;
} PlausibleBest;

static void offerCharset(PlausibleBest *best, Utf8Charset charset, uint64_t cost) {
  if (cost >= best->cost) return;
  best->charset = charset;
  best->cost = cost;
}

static Utf8Charset cheapest(const Utf8AsianEvidence *asian,
                            const PlausiblePairs *pairs) {
  PlausibleBest best = {UTF8_CHARSET_LATIN1, COST_MAX};
  uint64_t penalty[DETECT_LANGUAGES];
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++)
    offerCharset(&best, plausibleAsian[i].charset, asianCost(asian, i));
  if (best.charset == UTF8_CHARSET_GBK && asian->four_bytes > 0)
    best.charset = UTF8_CHARSET_GB18030;
  setPenalties(pairs, penalty);
  for (size_t i = 0; i < PLAUSIBLE_COUNT(detect_charsets); i++) {
    const DetectCharset *charset = &detect_charsets[i];
    if (charset->prior == DETECT_NEVER) continue;
    offerCharset(&best, charset->charset,
                 charsetCost(pairs, charset, penalty, best.cost));
  }
  return best.charset;
}

Utf8Charset utf8plausible_charset(const Utf8Evidence *evidence) {
  PlausiblePairs pairs = {.table = NULL};
  tablePairs(&pairs, evidence->pairs);
  return cheapest(&evidence->asian, &pairs);
}

static NOINLINE Utf8Charset charsetOfLong(const uint8_t *bytes, size_t size) {
  Utf8Evidence evidence;
  utf8plausible_begin(&evidence);
  utf8plausible_add(&evidence, bytes, size, 0, size);
  return utf8plausible_charset(&evidence);
}

Utf8Charset utf8plausible_of_value(const uint8_t *bytes, size_t size) {
  Utf8AsianEvidence asian = {.values = 0};
  uint8_t list[UTF8_PLAUSIBLE_SHORT + 1][2];
  PlausiblePairs pairs = {.list = list};
  if (size > UTF8_PLAUSIBLE_SHORT) return charsetOfLong(bytes, size);
  addAsian(&asian, bytes, size, 0, size);
  listPairs(&pairs, bytes, size);
  return cheapest(&asian, &pairs);
}

static uint64_t costIn(const Utf8Evidence *evidence, const PlausiblePairs *pairs,
                       Utf8Charset charset) {
  uint64_t penalty[DETECT_LANGUAGES];
  const Utf8Charset same = charset == UTF8_CHARSET_GB18030 ? UTF8_CHARSET_GBK : charset;
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++) {
    if (plausibleAsian[i].charset == same) return asianCost(&evidence->asian, i);
  }
  setPenalties(pairs, penalty);
  for (size_t i = 0; i < PLAUSIBLE_COUNT(detect_charsets); i++) {
    if (detect_charsets[i].charset == charset)
      return charsetCost(pairs, &detect_charsets[i], penalty, COST_MAX);
  }
  return COST_MAX;
}

/* The bits per pair at which a reading has the score 0.5. */
#define HALF_BITS 8.0

double utf8plausible_score(const Utf8Evidence *evidence, Utf8Charset charset) {
  PlausiblePairs pairs = {.table = NULL};
  tablePairs(&pairs, evidence->pairs);
  const uint64_t cost = costIn(evidence, &pairs, charset);
  if (cost == COST_MAX) return 0.0;
  const double bits = (double)cost / DETECT_UNIT / (double)(pairs.high + 1) / HALF_BITS;
  return 1.0 / (1.0 + bits * bits * bits * bits);
}
