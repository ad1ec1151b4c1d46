/* detect/asian.c: reads text in multi-byte charsets. Code points cost what their classes do, each after the one before. Han
** characters, in Korean Hangul syllables, have eight classes, by how frequent they are.
*/
#include "detect/model.h"
#include "charset/legacy/legacy.h"
#include "core/bytes.h"
#include "detect/tables/model.h"

/* What the code points of a charset cost. */
typedef struct AsianCosts {
  Utf8Charset charset;
  const uint8_t (*costs)[DETECT_CLASSES];
  const DetectBlock *blocks;
  int has_half; /* half-width kana have costs of their own in addition */
} AsianCosts;

static const AsianCosts asianCosts[UTF8_ASIAN_CHARSETS] = {
    {UTF8_CHARSET_GBK, detect_zh_cn_costs, detect_zh_cn_blocks, 0},
    {UTF8_CHARSET_BIG5, detect_zh_tw_costs, detect_zh_tw_blocks, 0},
    {UTF8_CHARSET_EUC_JP, detect_ja_costs, detect_ja_blocks, 1},
    {UTF8_CHARSET_SHIFT_JIS, detect_ja_costs, detect_ja_blocks, 1},
    {UTF8_CHARSET_EUC_KR, detect_ko_costs, detect_ko_blocks, 0},
    {UTF8_CHARSET_JOHAB, detect_ko_costs, detect_ko_blocks, 0},
    {UTF8_CHARSET_EUC_TW, detect_zh_tw_costs, detect_zh_tw_blocks, 0},
};

/* Returns the class of a code point. Without branches: in a wrong charset the classes are random. */
static inline unsigned classOfAsian(const AsianCosts *asian, uint32_t code) {
  if (UNLIKELY(code > 0xFFFF)) return DETECT_ASIAN_RARE;
  const DetectBlock *block = &asian->blocks[detect_asian_type[code >> 8]];
  const uint32_t at = code - block->first;
  return block->table[at / 2 & block->mask] >> at % 2 * 4 & 15;
}

/* Returns the number of a half-width kana, from 1; 0 of anything else. */
static unsigned halfOf(uint32_t code) {
  return code - 0xFF61 < DETECT_HALF - 1 ? code - 0xFF60 : 0;
}

/* Adds the cost of code points. Returns the number of four-byte codes. */
static uint64_t addCodes(Utf8AsianSum *sum, const AsianCosts *asian,
                         const uint32_t *codes, size_t count) {
  unsigned previous = sum->previous;
  uint64_t cost = 0, fours = 0, ascii = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned class = classOfAsian(asian, codes[i] & ~UTF8_LEGACY_FOUR);
    fours += codes[i] >= UTF8_LEGACY_FOUR;
    ascii += codes[i] < 0x80;
    cost += asian->costs[previous][class];
    if (class == DETECT_ASIAN_HALF && asian->has_half)
      cost +=
          detect_half_costs[i > 0 ? halfOf(codes[i - 1]) : sum->half][halfOf(codes[i])];
    previous = class;
  }
  if (count > 0) sum->half = (uint8_t)halfOf(codes[count - 1]);
  sum->value_cost += cost;
  sum->codes += count - ascii;
  sum->previous = (uint8_t)previous;
  return fours;
}

/* Moves past ASCII: only its first byte costs, after the code point before. */
static void skipAscii(Utf8AsianSum *sum, const AsianCosts *asian, const uint8_t *bytes,
                      size_t until) {
  const unsigned class = classOfAsian(asian, bytes[sum->at]);
  sum->value_cost += asian->costs[sum->previous][class];
  sum->at = bytes_skip_ascii(bytes, sum->at, until);
  sum->previous = (uint8_t)classOfAsian(asian, bytes[sum->at - 1]);
  sum->half = 0;
}

/* What a byte may be in each charset, a bit for each: at a boundary, lead, trail, of a longer code. */
enum { ASIAN_BOUNDARY, ASIAN_LEAD, ASIAN_TRAIL, ASIAN_LONGER };

static inline const uint8_t *asianByte(uint8_t byte) {
  return detect_asian_bytes[byte < 0x80 ? byte / 16u : 0x80 / 16 + (byte - 0x80u) / 2];
}

/* Bytes that are read at once, if ASCII does not follow soon. */
#define ASIAN_BYTES 256

/* Returns where to stop reading to skip ASCII, at a byte above 7F. */
static size_t asianUntil(const uint8_t *bytes, size_t size, size_t at, size_t until) {
  if (size - at > 8 && !(bytes_load64(bytes + at + 1) & BYTES_HIGH_BITS)) return at + 1;
  return until - at < ASIAN_BYTES ? until : at + ASIAN_BYTES;
}

/* Bits that speak against a charset in which the end of a value has cut a character, as limits in bytes do. Fewer bits, and
** short values in single-byte charsets become unclear: at 10, four in 1,000; at 16, less than one. More bits, and text that
** was cut after three characters is missed: at 22, a third of it. */
#define ASIAN_CUT 16

/* A text of more than FIELD bytes may be a table whose values were cut, each before a comma, a quote or a line end. Up to
** such a place it may cost CUT_MOST bits for each character, and for CUT_START more. Text in its own charset costs 8 to 11
** bits for one, with short fields in digits and signs up to 15, and other text 15 to 30. */
#define ASIAN_FIELD     64
#define ASIAN_CUT_MOST  15
#define ASIAN_CUT_START 4
/* The fewest characters before the first such place: in a single-byte charset, too, a few bytes look like characters that
** were cut. */
#define ASIAN_CUT_CODES 4

/* Bits of any other error, of which a value may have one for ERROR_SHARE characters. */
#define ASIAN_ERROR       24
#define ASIAN_ERROR_SHARE 128

/* May the byte follow a value that was cut in a table of this size? */
static inline int endsField(uint8_t byte, size_t size) {
  return byte < 0x40 && size > ASIAN_FIELD;
}

/* The byte before `end` is an error. Is it the first byte of a character that was cut? The characters before it, from `at`
** on, were read without an error. */
static int isCutCode(size_t place, const uint8_t *bytes, size_t at, size_t end) {
  uint32_t codes[ASIAN_BYTES];
  if (!(asianByte(bytes[end - 1])[ASIAN_LEAD] >> place & 1)) return 0;
  if (at == end - 1) return 1;
  const size_t n = utf8charset_read_codes(asianCosts[place].charset, bytes, end - 1,
                                          &at, end - 1, codes, ASIAN_BYTES);
  return at == end - 1 && codes[n - 1] != BYTES_FFFD;
}

/* Is it unlikely so far that the value is a table whose values were cut? */
static int isUnlikely(const Utf8AsianSum *sum) {
  return sum->codes < ASIAN_CUT_CODES ||
         sum->value_cost > (sum->codes + ASIAN_CUT_START) *
                               (uint64_t)(ASIAN_CUT_MOST * UTF8_MODEL_UNIT);
}

/* Adds an error after the characters from `start` on. */
static void addAsianError(Utf8AsianSum *sum, size_t place, const uint8_t *bytes,
                          size_t size, size_t start) {
  const int is_last = sum->at == size;
  const int is_cut = (is_last || endsField(bytes[sum->at], size)) &&
                     isCutCode(place, bytes, start, sum->at);
  sum->value_cost += (is_cut ? ASIAN_CUT : ASIAN_ERROR) * (uint64_t)UTF8_MODEL_UNIT;
  sum->errors += !is_cut;
  sum->is_broken = sum->codes == 0 || sum->errors > sum->codes / ASIAN_ERROR_SHARE ||
                   (is_cut && !is_last && isUnlikely(sum));
}

/* Reads bytes[sum->at..until). Returns the number of four-byte codes. */
static uint64_t readAsian(Utf8AsianSum *sum, size_t place, const uint8_t *bytes,
                          size_t size, size_t until) {
  const AsianCosts *asian = &asianCosts[place];
  uint32_t codes[ASIAN_BYTES];
  uint64_t fours = 0;
  while (sum->at < until && !sum->is_broken) {
    const size_t start = sum->at;
    if (bytes[start] < 0x80) {
      skipAscii(sum, asian, bytes, until);
      continue;
    }
    const size_t n = utf8charset_read_codes(asian->charset, bytes, size, &sum->at,
                                            asianUntil(bytes, size, start, until),
                                            codes, ASIAN_BYTES);
    const size_t is_error = codes[n - 1] == BYTES_FFFD;
    fours += addCodes(sum, asian, codes, n - is_error);
    if (is_error) addAsianError(sum, place, bytes, size, start);
  }
  return fours;
}

/* ---- errors that lead and trail bytes show ------------------------------------------------- */

/* Bytes of a value in which errors are looked for, until ASIAN_ERROR_SHARE of them are not of ASCII: most single-byte text
** has one in every multi-byte charset soon. */
#define ASIAN_PREFIX 1024

/* The state of all charsets, a bit for each. */
typedef struct AsianBits {
  unsigned inside; /* a code of two bytes has started */
  unsigned open;   /* no longer code has occurred: from there on nothing is known */
  unsigned broken; /* a byte cannot stand where it does */
} AsianBits;

/* isEnd: the character before the byte may have been cut. */
static void addAsianByte(AsianBits *bits, uint8_t byte, int isEnd) {
  const uint8_t *is = asianByte(byte);
  const unsigned inside = bits->inside;
  const unsigned headless = ~(inside | is[ASIAN_BOUNDARY]) & bits->open;
  const unsigned cut = inside & ~(is[ASIAN_TRAIL] | is[ASIAN_LONGER]) & bits->open;
  bits->broken |= isEnd ? headless : headless | cut;
  bits->open &= ~(is[ASIAN_LONGER] & (byte < 0x80 ? inside : ~inside));
  bits->inside = ~inside & is[ASIAN_LEAD];
}

/* Returns a bit for each charset in which a value has an error near its start, at `first`; none for
** errors that only reading the codes shows. */
static unsigned brokenAtStart(const uint8_t *bytes, size_t size, size_t first) {
  const size_t end = size - first > ASIAN_PREFIX ? first + ASIAN_PREFIX : size;
  AsianBits bits = {0, (1u << UTF8_ASIAN_CHARSETS) - 1, 0};
  unsigned count = 0;
  for (size_t at = first; at < end && (bits.open & ~bits.broken); at++) {
    if (!bits.inside && bytes[at] < 0x80) {
      at = bytes_skip_ascii(bytes, at, end) - 1;
    } else {
      addAsianByte(&bits, bytes[at], endsField(bytes[at], size));
      if (++count == ASIAN_ERROR_SHARE) break;
    }
  }
  return bits.broken;
}

/* Starts at the first byte above 7F: ASCII costs nothing. */
static void beginAsian(Utf8AsianSum *sum, const AsianCosts *asian, const uint8_t *bytes,
                       size_t first) {
  sum->at = first;
  sum->value_cost = 0;
  sum->previous = (uint8_t)classOfAsian(asian, first ? bytes[first - 1] : ' ');
  sum->is_broken = sum->half = 0;
  sum->codes = sum->errors = 0;
}

static void endAsian(Utf8AsianSum *sum, const AsianCosts *asian) {
  if (sum->is_broken) {
    sum->broken++;
  } else {
    sum->cost += sum->value_cost + asian->costs[sum->previous][DETECT_ASIAN_SIGN];
  }
}

void utf8detect_add_asian(Utf8AsianEvidence *evidence, const uint8_t *bytes,
                          size_t size, size_t at, size_t until) {
  const size_t first = at == 0 ? bytes_skip_ascii(bytes, 0, size) : 0;
  const unsigned broken = at == 0 ? brokenAtStart(bytes, size, first) : 0;
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++) {
    Utf8AsianSum *sum = &evidence->sum[i];
    if (at == 0) beginAsian(sum, &asianCosts[i], bytes, first);
    if (broken >> i & 1) sum->is_broken = 1;
    if (asianCosts[i].charset == UTF8_CHARSET_EUC_TW && evidence->sum[0].is_broken)
      sum->is_broken = 1; /* what is an error in gbk is one in euc-tw */
    const uint64_t fours = readAsian(sum, i, bytes, size, until);
    if (i == 0) evidence->four_bytes += fours;
    if (until == size) endAsian(sum, &asianCosts[i]);
  }
  evidence->values += until == size;
}

/* One value in this many may have an error: a column that was cut by a limit in bytes has such values. */
#define BROKEN_SHARE 16

uint64_t utf8detect_asian_cost(const Utf8AsianEvidence *evidence, size_t place,
                               const Utf8BigramList *bigrams) {
  const Utf8AsianSum *sum = &evidence->sum[place];
  if (evidence->values == 0 || sum->broken > evidence->values / BROKEN_SHARE)
    return UINT64_MAX;
  const uint64_t whole = evidence->values - sum->broken;
  return utf8detect_bigrams_share(bigrams, sum->cost + sum->cost / whole * sum->broken);
}

int utf8detect_asian_of(Utf8Charset charset) {
  const Utf8Charset same = charset == UTF8_CHARSET_GB18030 ? UTF8_CHARSET_GBK : charset;
  for (int i = 0; i < UTF8_ASIAN_CHARSETS; i++) {
    if (asianCosts[i].charset == same) return i;
  }
  return -1;
}

int utf8detect_is_rare_asian(uint32_t code) {
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++) {
    const unsigned class = classOfAsian(&asianCosts[i], code);
    if (class != DETECT_ASIAN_RARE && class != DETECT_ASIAN_REST) return 0;
  }
  return 1;
}

/* Is it a letter of East Asia? */
static int isAsianLetter(uint32_t code) {
  return code >= 0x2700 && utf8detect_letter_of(code) >> 16 == 1;
}

void utf8detect_asian_costs(uint64_t costs[UTF8_ASIAN_CHARSETS], uint32_t code) {
  if (!isAsianLetter(code)) return;
  for (int i = 0; i < UTF8_ASIAN_CHARSETS; i++) {
    const unsigned class = classOfAsian(&asianCosts[i], code);
    costs[i] += asianCosts[i].costs[DETECT_ASIAN_SIGN][class];
    if (class == DETECT_ASIAN_HALF && asianCosts[i].has_half)
      costs[i] += detect_half_costs[0][halfOf(code)];
  }
}
