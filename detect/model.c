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
*/
#include "detect/model.h"
#include <string.h>
#include "charset/legacy.h"
#include "simd/bytes.h"
#include "detect/usage.h"
#include "detect/tables/model.h"

#define PLAUSIBLE_COUNT(array) (sizeof(array) / sizeof *(array))
_Static_assert(UTF8_BYTE_CLASSES == 128 + DETECT_ASCII, "the classes of bytes");
_Static_assert(UTF8_SCRIPT_LATIN == DETECT_SCRIPT_LATIN, "the script of Latin");
_Static_assert(UTF8_MODEL_UNIT == DETECT_UNIT, "the unit of costs");

const uint8_t *const utf8detect_pairs_class = detect_class;

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

/* Bits that speak against a charset that hardly anyone uses. */
#define RARE_BITS 8

#define COST_MAX UINT64_MAX

/* ---- readings of single-byte charsets -------------------------------------------------- */

/* What each class of bytes is in a charset. */
typedef struct PlausibleReading {
  uint8_t kind[UTF8_BYTE_CLASSES];
  uint8_t
      letter[UTF8_BYTE_CLASSES]; /* its number in the charset's script, from 1; or 0 */
  const uint8_t *last;           /* letter, or `toned` */
  uint8_t toned[UTF8_BYTE_CLASSES]; /* in viscii: a letter's tone, if the model has it
                                       as a mark of its own; or the letter */
} PlausibleReading;

const uint16_t *utf8detect_high(Utf8Charset charset) {
  return charset == UTF8_CHARSET_VISCII ? detect_viscii : utf8charset_high(charset);
}

static unsigned entryOfCode(uint32_t code) {
  if (code >= DETECT_CODES) return DETECT_SYMBOL;
  return detect_entry[detect_page[code / 64]][code % 64];
}

int utf8detect_is_alike(Utf8Charset a, Utf8Charset b, const uint8_t *bytes,
                        size_t count) {
  const uint16_t *one = utf8detect_high(a), *other = utf8detect_high(b);
  for (size_t i = 0; i < count; i++) {
    if (entryOfCode(one[bytes[i]]) != entryOfCode(other[bytes[i]])) return 0;
  }
  return 1;
}

int utf8detect_is_sign(uint32_t code) {
  const unsigned entry = entryOfCode(code);
  return entry >> 12 == 0 && entry != DETECT_CONTROL;
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

/* Sets what a letter of viscii is to the letter after it. */
static void readTones(PlausibleReading *reading, const Utf8PairList *pairs) {
  memcpy(reading->toned + 128, reading->letter + 128, DETECT_ASCII);
  for (size_t i = 0; i < pairs->bytes_count; i++) {
    const unsigned byte = pairs->bytes[i], tone = detect_viscii_tones[byte];
    reading->toned[byte] = tone ? (uint8_t)tone : reading->letter[byte];
  }
  reading->last = reading->toned;
}

/* Reads the bytes in the charset. Returns 0 if one of them is undefined there. For a cause, U+2019
** is an apostrophe, of which the counted text has too few. */
static int readCharset(PlausibleReading *reading, const Utf8PairList *pairs,
                       const DetectCharset *charset, int isCause) {
  const uint16_t *high = utf8detect_high(charset->charset);
  const int isLatin = charset->script == DETECT_SCRIPT_LATIN;
  memcpy(reading->kind + 128, detect_ascii_kind[isLatin], DETECT_ASCII);
  memcpy(reading->letter + 128, detect_ascii_letter[isLatin], DETECT_ASCII);
  for (size_t i = 0; i < pairs->bytes_count; i++) {
    const unsigned byte = pairs->bytes[i];
    if (high[byte] == BYTES_FFFD) return 0;
    readByte(reading, charset->script, byte, entryOfCode(high[byte]));
    if (isCause && high[byte] == 0x2019) reading->kind[byte] = DETECT_JOIN;
  }
  reading->last = reading->letter;
  if (charset->charset == UTF8_CHARSET_VISCII) readTones(reading, pairs);
  return 1;
}

/* A text in capitals costs as much as in small letters, and CAPITALS_BITS. It has no small letter beyond
** ASCII, and at least CAPITALS_PAIRS pairs of bytes above 7F. */
#define CAPITALS_BITS  5
#define CAPITALS_PAIRS 4

static int mayBeInCapitals(const Utf8PairList *pairs) {
  unsigned count = 0;
  for (size_t i = 0; i < pairs->high && count < CAPITALS_PAIRS; i++)
    count += pairs->list[i].first < 128 && pairs->list[i].second < 128;
  return count == CAPITALS_PAIRS;
}

/* If the reading has no small letter, reads its capitals as small ones. Returns what that costs. */
static uint64_t lowerCapitals(PlausibleReading *reading, const Utf8PairList *pairs) {
  for (size_t i = 0; i < pairs->bytes_count; i++) {
    if (reading->kind[pairs->bytes[i]] == DETECT_LOWER) return 0;
  }
  for (size_t i = 0; i < pairs->bytes_count; i++) {
    uint8_t *kind = &reading->kind[pairs->bytes[i]];
    if (*kind == DETECT_UPPER) *kind = DETECT_LOWER;
  }
  return CAPITALS_BITS * DETECT_UNIT;
}

/* Returns what a letter costs after another one, both by their numbers in the script. */
static inline unsigned costOfLetters(const DetectLanguage *language, unsigned first,
                                     unsigned second) {
  const uint8_t *symbol = detect_symbols + language->symbol;
  const unsigned at = (unsigned)symbol[first] * language->symbols + symbol[second];
  return detect_level[detect_letter_costs[language->cost + at / 2] >> at % 2 * 4 & 15];
}

/* Returns what the letters of list[from..to) cost in the language; or a number above bound,
** before the end. */
static uint64_t lettersCost(const Utf8PairList *pairs, const PlausibleReading *reading,
                            const DetectLanguage *language, size_t from, size_t to,
                            uint64_t bound) {
  const uint8_t *last = reading->last, *letter = reading->letter;
  uint64_t cost = 0;
  for (size_t i = from; i < to && cost <= bound; i++) {
    const Utf8Pair *pair = &pairs->list[i];
    cost +=
        pair->count * costOfLetters(language, last[pair->first], letter[pair->second]);
  }
  return cost;
}

#define DETECT_LANGUAGES PLAUSIBLE_COUNT(detect_languages)

static uint64_t lesserOf(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* A letter of a script that the model does not have; and the symbol of such a letter. */
#define LETTER_OTHER   255
#define DETECT_UNKNOWN 1

/* The bits that such a letter costs in addition. */
#define LACKING_BITS 3

/* The last script that has letters of its own. */
#define DETECT_SCRIPT_LAST 6

/* Returns the number of a letter in its script, or 0, and stores the script. Marks, and letters that no legacy
** charset has, are other letters. */
static unsigned letterNumber(uint32_t code, unsigned *script) {
  const int isOther = (code >= 0x180 && code < 0x370) || code >> 8 == 0x1E;
  const unsigned entry = entryOfCode(code);
  *script = isOther ? DETECT_SCRIPT_LATIN : entry >> 12;
  return isOther ? LETTER_OTHER : *script ? entry & 0xFF : 0;
}

/* The letters of one script: 0 for anything else. */
typedef struct ScriptLetters {
  uint8_t number[UTF8_MODEL_CODES + 1];
  size_t count;
} ScriptLetters;

/* Returns what the letters cost in a language, or a number above bound. */
static uint64_t costInLanguage(const ScriptLetters *letters,
                               const DetectLanguage *language, uint64_t bound) {
  const uint8_t *symbol = detect_symbols + language->symbol;
  uint64_t cost = 0;
  unsigned first = 0;
  for (size_t i = 0; i < letters->count && cost <= bound; i++) {
    const unsigned number = letters->number[i];
    const unsigned second = number == LETTER_OTHER ? DETECT_UNKNOWN : symbol[number];
    const unsigned at = first * language->symbols + second;
    if (second == DETECT_UNKNOWN) cost += LACKING_BITS * DETECT_UNIT;
    cost +=
        detect_level[detect_letter_costs[language->cost + at / 2] >> at % 2 * 4 & 15];
    first = second;
  }
  return cost;
}

/* Stores the letters of a script, with one mark for all that stands between two words. Returns 0 if
** there are no letters. */
static int scriptLettersOf(ScriptLetters *letters, unsigned script,
                           const uint32_t *codes, size_t count) {
  int any = 0;
  letters->count = 0;
  for (size_t i = 0; i < count; i++) {
    unsigned own;
    const unsigned number = letterNumber(codes[i], &own);
    const unsigned mine = own == script ? number : 0;
    any |= mine != 0;
    if (mine || (letters->count > 0 && letters->number[letters->count - 1]))
      letters->number[letters->count++] = (uint8_t)mine;
  }
  return any;
}

uint64_t utf8detect_letters_cost(const uint32_t *codes, size_t count) {
  ScriptLetters letters;
  uint64_t cost = 0;
  for (unsigned script = DETECT_SCRIPT_LATIN; script <= DETECT_SCRIPT_LAST; script++) {
    if (!scriptLettersOf(&letters, script, codes, count)) continue;
    uint64_t min = COST_MAX;
    for (size_t l = 0; l < DETECT_LANGUAGES; l++) {
      if (detect_languages[l].script == script)
        min = lesserOf(min, costInLanguage(&letters, &detect_languages[l], min));
    }
    cost += min;
  }
  return cost;
}

/* ---- the language by its ASCII letters ------------------------------------------------- */

#define DETECT_ENGLISH 0

/* If English costs so many bits more than another Latin language, the text is not English with a
** foreign name; then this many bits may speak against the other languages. */
#define SURE_BITS     12
#define SURE_MAX_BITS 24

/* At most this many bits speak against another script: its texts have ASCII words in English. */
#define SCRIPT_MAX_BITS 16

/* Bits that speak against a language without a letter that is around; and its symbol for such. */
#define UNKNOWN_BITS 8

/* What speaks against each language: how much more its ASCII pairs cost than in the best one. */
typedef struct PlausiblePenalties {
  int is_set;
  int is_sure;    /* English costs SURE_BITS more than the best one */
  int is_strange; /* the best one costs more than a language of the text would */
  uint64_t of[DETECT_LANGUAGES];
} PlausiblePenalties;

typedef struct PlausibleText {
  Utf8PairList pairs;
  PlausiblePenalties penalties;
  uint64_t ascii;                 /* pairs of ASCII, at most ASCII_MAX */
  uint64_t signs;                 /* signsCost() */
  const Utf8Surroundings *around; /* NULL unless the value is alone */
  int is_cause;
  int has_capitals;     /* some charset may read capitals, unless around is NULL */
  uint64_t apostrophes; /* what they speak for the charsets of Windows */
} PlausibleText;

/* Returns what speaks against a Latin language: letters that it does not have. */
static uint64_t unknownCost(const Utf8CodesSeen *seen, const DetectLanguage *language) {
  uint64_t count = 0;
  for (unsigned i = 0; i < 64 * PLAUSIBLE_COUNT(seen->letters); i++) {
    const int isSeen = seen->letters[i / 64] >> i % 64 & 1;
    count += isSeen && detect_symbols[language->symbol + i] == DETECT_UNKNOWN;
  }
  return count * UNKNOWN_BITS * DETECT_UNIT;
}

/* Stores what each Latin language costs, and returns the least. */
static uint64_t setLatinCosts(uint64_t of[DETECT_LATIN], const PlausibleText *text) {
  const Utf8Surroundings *around = text->around;
  const Utf8PairList *pairs = around ? around->whole : &text->pairs;
  PlausibleReading reading;
  uint64_t min = COST_MAX;
  memcpy(reading.letter + 128, detect_ascii_letter[1], DETECT_ASCII);
  reading.last = reading.letter;
  for (size_t i = 0; i < DETECT_LATIN; i++) {
    const DetectLanguage *language = &detect_languages[i];
    of[i] = lettersCost(pairs, &reading, language, pairs->high, pairs->size, COST_MAX);
    of[i] /= ASCII_SHARE;
    if (around && around->damage)
      of[i] += unknownCost(&around->damage->codes, language);
    if (of[i] < min) min = of[i];
  }
  return min;
}

static NOINLINE void setPenalties(PlausibleText *text) {
  uint64_t max = text->pairs.high_sum * ASCII_BITS * DETECT_UNIT;
  uint64_t *of = text->penalties.of;
  const uint64_t min = setLatinCosts(of, text);
  const uint64_t english = text->around ? of[DETECT_ENGLISH] - min : 0;
  text->penalties.is_strange =
      utf8detect_usage_is_strange(text->around, min * ASCII_SHARE);
  text->penalties.is_sure = english >= SURE_BITS * DETECT_UNIT;
  if (text->penalties.is_sure && max < SURE_MAX_BITS * DETECT_UNIT)
    max = SURE_MAX_BITS * DETECT_UNIT;
  for (size_t i = 0; i < DETECT_LATIN; i++) of[i] = lesserOf(of[i] - min, max);
  for (size_t i = DETECT_LATIN; i < DETECT_LANGUAGES; i++)
    of[i] = lesserOf(english, SCRIPT_MAX_BITS * DETECT_UNIT);
  text->penalties.is_set = 1;
}

/* ---- the cheapest single-byte charset ---------------------------------------------------- */

/* The first letters of Latin, by number, are those of ASCII. */
#define ASCII_LETTERS 26

/* A charset in which no byte is undefined. */
typedef struct PlausibleCandidate {
  const DetectCharset *charset;
  uint64_t fixed; /* what does not depend on the language */
  uint64_t least; /* what a reading costs at least, whatever the language */
} PlausibleCandidate;

/* Returns what speaks against a charset before the text is read in it. */
static uint64_t priorCost(const PlausibleText *text, unsigned prior, int isLatin) {
  const int isLone = text->pairs.high_sum <= 2 && text->ascii <= LONE_ASCII;
  const uint64_t foreign = isLatin ? 0 : text->ascii * DETECT_UNIT / FOREIGN_SHARE;
  return foreign + (prior + (prior > 0 && isLone ? LONE_BITS : 0)) * DETECT_UNIT;
}

/* Adds what pairs with a byte above 7F cost: their kinds, and at least their letters. Stops once
** that is above bound. */
static void addPairCosts(PlausibleCandidate *candidate, const Utf8PairList *pairs,
                         const PlausibleReading *reading, uint64_t bound) {
  const uint8_t(*least)[PLAUSIBLE_COUNT(detect_least[0][0])] =
      detect_least[candidate->charset->script];
  const unsigned ascii =
      candidate->charset->script == DETECT_SCRIPT_LATIN ? ASCII_LETTERS : 0;
  uint64_t kinds = candidate->fixed, letters = 0;
  for (size_t i = 0; i < pairs->high && kinds + letters <= bound; i++) {
    const unsigned first = pairs->list[i].first, second = pairs->list[i].second;
    const unsigned after =
        reading->last[first] ? 1 + (reading->last[first] > ascii) : 0;
    const unsigned count = pairs->list[i].count;
    kinds += count * detect_kind_costs[reading->kind[first]][reading->kind[second]];
    letters += count * least[after][reading->letter[second]];
  }
  candidate->fixed = kinds;
  candidate->least = candidate->fixed + letters;
}

/* Bits that speak against a charset that is never named, as a cause; and more as pasted text. */
#define RIVAL_BITS        8
#define RIVAL_PASTED_BITS 12

/* Returns the bits that speak against the charset. */
static unsigned priorOf(const PlausibleText *text, const DetectCharset *charset) {
  if (charset->prior != DETECT_NEVER || !text->is_cause) return charset->prior;
  return RIVAL_BITS + (text->around && text->around->damage ? RIVAL_PASTED_BITS : 0);
}

/* Returns what speaks against a rare charset. */
static uint64_t rareCost(const Utf8PairList *pairs, Utf8Charset charset) {
  return utf8detect_usage_is_unlikely(pairs, charset) ? RARE_BITS * DETECT_UNIT : 0;
}

/* Returns what ’s speaks for the charset, if that is one of Windows. */
static uint64_t apostropheBits(const PlausibleText *text, Utf8Charset charset) {
  if (text->apostrophes == 0) return 0;
  return utf8detect_high(charset)[0x92 - 0x80] == 0x2019 ? text->apostrophes : 0;
}

/* Returns what the tones of viscii cost after their letters. */
static uint64_t tonesCost(const Utf8PairList *pairs, const PlausibleReading *reading) {
  const DetectLanguage *language = &detect_languages[DETECT_VIETNAMESE];
  uint64_t cost = 0;
  for (size_t i = 0; i < pairs->high; i++) {
    const Utf8Pair *pair = &pairs->list[i];
    const unsigned tone = pair->second < 128 ? detect_viscii_tones[pair->second] : 0;
    if (tone)
      cost +=
          pair->count * costOfLetters(language, reading->letter[pair->second], tone);
  }
  return cost;
}

/* Returns a candidate, whose least cost is not complete if it is above bound. */
static PlausibleCandidate candidateOf(const PlausibleText *text,
                                      const DetectCharset *charset, uint64_t bound) {
  PlausibleCandidate new = {charset, COST_MAX, COST_MAX};
  PlausibleReading reading;
  const uint64_t apostrophes = apostropheBits(text, charset->charset);
  if (!readCharset(&reading, &text->pairs, charset, text->around != NULL)) return new;
  new.fixed =
      priorCost(text, priorOf(text, charset), charset->script == DETECT_SCRIPT_LATIN);
  new.fixed += rareCost(&text->pairs, charset->charset);
  new.fixed += DETECT_UNIT *utf8detect_usage_bits(text->around, charset->charset,
                                                  charset->script);
  if (text->has_capitals) new.fixed += lowerCapitals(&reading, &text->pairs);
  if (reading.last != reading.letter) new.fixed += tonesCost(&text->pairs, &reading);
  addPairCosts(&new, &text->pairs, &reading, bound + apostrophes);
  new.fixed -= apostrophes;
  new.least -= apostrophes;
  return new;
}

/* The languages of Western Europe come first. */
#define WESTERN_LANGUAGES 15

/* Bits that speak against a language of Western Europe in a charset of another region. */
#define AWAY_BITS 4

/* Returns the cost of the cheapest reading in the charset, or a number above bound. */
static uint64_t charsetCost(PlausibleText *text, const PlausibleCandidate *candidate,
                            uint64_t bound) {
  const DetectCharset *charset = candidate->charset;
  const int isAway = text->around && !utf8detect_usage_is_western(charset->charset);
  const uint64_t away = isAway ? AWAY_BITS * DETECT_UNIT : 0;
  PlausibleReading reading;
  uint64_t best = COST_MAX;
  if (candidate->least > bound ||
      !readCharset(&reading, &text->pairs, charset, text->around != NULL))
    return COST_MAX;
  if (!text->penalties.is_set &&
      (text->around || charset->script == DETECT_SCRIPT_LATIN))
    setPenalties(text);
  for (size_t i = 0; i < DETECT_LANGUAGES; i++) {
    if (!(charset->languages >> i & 1)) continue;
    const uint64_t base =
        candidate->fixed + text->penalties.of[i] + (i < WESTERN_LANGUAGES ? away : 0);
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

/* One value in this many may have an error in a multi-byte charset: a column that was cut by a
** limit in bytes has such values. */
#define BROKEN_SHARE 16

/* In the order of Utf8AsianEvidence. */
static const struct {
  Utf8Charset charset;
  unsigned prior; /* bits that speak against it */
} asianPriors[UTF8_ASIAN_CHARSETS] = {
    {UTF8_CHARSET_GBK, 3},       {UTF8_CHARSET_BIG5, 4},   {UTF8_CHARSET_EUC_JP, 4},
    {UTF8_CHARSET_SHIFT_JIS, 3}, {UTF8_CHARSET_EUC_KR, 3}, {UTF8_CHARSET_JOHAB, 16},
    {UTF8_CHARSET_EUC_TW, 16},
};

static uint64_t asianCost(const Utf8AsianEvidence *evidence, size_t i,
                          const PlausibleText *text) {
  const Utf8AsianSum *sum = &evidence->sum[i];
  if (evidence->values == 0 || sum->broken > evidence->values / BROKEN_SHARE)
    return COST_MAX;
  const uint64_t whole = evidence->values - sum->broken;
  const uint64_t cost = sum->cost + sum->cost / whole * sum->broken;
  return utf8detect_pairs_share(&text->pairs, cost) +
         priorCost(text, asianPriors[i].prior, 0);
}

/* ---- UTF-8 with damage ------------------------------------------------------------------- */

/* Scripts after those of the model, and the bits of each of their letters. */
enum {
  CODE_LATIN = UTF8_SCRIPT_LATIN,
  CODE_OTHER = 7,
  CODE_HAN,
  CODE_KANA,
  CODE_HANGUL,
  CODE_RARE
};
static const uint8_t codeBits[] = {0, 5, 5, 5, 5, 5, 5, 6, 9, 6, 8, 14};

#define CODE_SCRIPT_BITS 4  /* for each script of a text */
#define CODE_MIXED_BITS  10 /* a letter after one of another alphabet */
#define CODE_EAST_BITS   4  /* a letter of East Asia after one of another script */
#define CODE_ASCII_BITS  4  /* an ASCII letter after another Latin one */
#define CODE_END_BITS    2  /* the end of a word after a letter beyond ASCII */

static unsigned scriptOfOther(uint32_t code) {
  if (code >= 0x4E00 && code <= 0x9FFF) return CODE_HAN;
  if (code >= 0x3041 && code <= 0x30FF) return CODE_KANA;
  if (code >= 0xAC00 && code <= 0xD7A3) return CODE_HANGUL;
  if (code >= 0x531 && code <= 0x1FFF) return CODE_OTHER;
  if (code >= 0x300 && code <= 0x36F) return CODE_LATIN;
  return code >= 0x3400 && code <= 0xFAFF ? CODE_RARE : 0;
}

/* Stores kind and script of a code point. */
static Utf8CodeState codeState(uint32_t code) {
  const unsigned entry = entryOfCode(code);
  Utf8CodeState state = {(uint8_t)entry, (uint8_t)(entry >> 12),
                         (uint8_t)(entry >> 12 ? entry & 0xFF : 0), code > 0x7F, 0};
  if (code > 0x24F && !state.script) state.script = (uint8_t)scriptOfOther(code);
  if (state.script > 0) state.kind = entry & 0x800 ? DETECT_UPPER : DETECT_LOWER;
  if ((code >= 0x3000 && code <= 0x3011) || (code >= 0xFF01 && code <= 0xFF5E))
    state.kind = DETECT_STOP; /* Chinese and Japanese punctuation */
  return state;
}

static unsigned letterBits(const Utf8CodeState *before, const Utf8CodeState *state) {
  unsigned bits = state->is_high ? codeBits[state->script] : CODE_ASCII_BITS;
  if (!before->script || before->script == state->script) return bits;
  const int isEast = state->script >= CODE_HAN || before->script >= CODE_HAN;
  return bits + (isEast ? CODE_EAST_BITS : CODE_MIXED_BITS);
}

static void addSeen(Utf8CodesSeen *seen, const Utf8CodeState *state) {
  seen->scripts |= (uint64_t)1 << state->script;
  if (state->script == CODE_LATIN)
    seen->letters[state->letter / 64] |= (uint64_t)1 << state->letter % 64;
}

unsigned utf8detect_code_cost(Utf8CodeState *state, uint32_t code,
                              Utf8CodesSeen *seen) {
  const Utf8CodeState before = *state;
  const Utf8CodeState now = *state = codeState(code);
  unsigned bits = 0, kind = 0;
  if (!before.is_high && !before.is_error && !now.is_high) return 0;
  if (!before.is_error && !(before.script >= CODE_HAN || now.script >= CODE_HAN))
    kind = detect_kind_costs[before.kind][now.kind];
  if (now.script > 0) {
    bits = letterBits(&before, &now);
    if (now.is_high && !(seen->scripts >> now.script & 1)) bits += CODE_SCRIPT_BITS;
    if (now.is_high) addSeen(seen, &now);
  } else if (before.is_high && before.script) {
    bits = CODE_END_BITS;
  }
  return kind + bits * DETECT_UNIT;
}

/* ---- letters ---------------------------------------------------------------------------- */

uint32_t utf8detect_letter_of(uint32_t code) {
  const unsigned entry = entryOfCode(code);
  if (entry >> 12) return entry & ~0x800u;
  const unsigned script = code > 0x24F ? scriptOfOther(code) : 0;
  return script > CODE_OTHER ? 0x10000 + script : 0x20000 + code;
}

/* ---- the evidence ----------------------------------------------------------------------- */

void utf8detect_begin(Utf8Evidence *evidence) {
  memset(&evidence->asian, 0, sizeof evidence->asian);
  memset(&evidence->damage, 0, sizeof evidence->damage);
  utf8detect_pairs_begin(&evidence->pairs);
}

void utf8detect_add(Utf8Evidence *evidence, const uint8_t *bytes, size_t size,
                    size_t at, size_t until) {
  utf8detect_pairs_add(&evidence->pairs, bytes, at, until);
  utf8detect_add_asian(&evidence->asian, bytes, size, at, until);
  utf8detect_damage_add(&evidence->damage, NULL, bytes, size, at, until, 0);
  if (until == size) utf8detect_pairs_end(&evidence->pairs);
}

/* ---- the ranking --------------------------------------------------------------------------- */

/* Is the charset iso-8859-1, and has the text control characters in it? windows-1252 then reads it as
** well or better. */
static int isLatin1WithC1(const DetectCharset *charset, const Utf8PairList *pairs) {
  return charset->charset == UTF8_CHARSET_LATIN1 && pairs->bytes_count > 0 &&
         pairs->bytes[0] < 0xA0 - 0x80;
}

/* The bits of each sign, where a text has nothing else beyond ASCII. */
#define SIGN_BITS 6

/* Returns the cost of the text in windows-1252 if it has nothing but signs beyond ASCII, else
** COST_MAX. */
static uint64_t signsCost(const Utf8PairList *pairs) {
  return utf8detect_usage_has_signs_only(pairs)
             ? pairs->bytes_count * SIGN_BITS * DETECT_UNIT
             : COST_MAX;
}

/* Returns the cost of a reading, or a number above bound. */
static uint64_t readingCost(PlausibleText *text, const PlausibleCandidate *candidate,
                            uint64_t bound) {
  const uint64_t cost = charsetCost(text, candidate, bound);
  const Utf8Charset charset = candidate->charset->charset;
  const int isWestern =
      charset == UTF8_CHARSET_WINDOWS1252 || charset == UTF8_CHARSET_LATIN1;
  return isWestern && text->signs < cost ? text->signs : cost;
}

/* The readings so far; the cheapest has the cost `least`. */
typedef struct PlausibleRanking {
  const PlausibleText *text;
  Utf8Ranked *list; /* in ascending order of costs, of equal ones the commoner first */
  size_t count;
  uint64_t margin;
  uint64_t bound; /* costs above are not of interest */
} PlausibleRanking;

static int isBefore(const Utf8Ranked *a, const Utf8Ranked *b) {
  return a->cost < b->cost || (a->cost == b->cost && a->prior < b->prior);
}

static void offerCharset(PlausibleRanking *r, Utf8Charset charset, unsigned prior,
                         uint64_t cost) {
  const Utf8Ranked new = {charset, prior, cost, r->text->penalties.is_sure,
                          r->text->penalties.is_strange};
  size_t at = r->count;
  if (cost == COST_MAX || cost > r->bound) return;
  if (cost + r->margin < r->bound) r->bound = cost + r->margin;
  for (; at > 0 && isBefore(&new, &r->list[at - 1]); at--)
    r->list[at] = r->list[at - 1];
  r->list[at] = new;
  r->count++;
}

/* Offers the single-byte charsets that are named, or all others, first those that are likely to be
** cheap. */
static void offerSingleBytes(PlausibleRanking *r, PlausibleText *text, int isNamed) {
  PlausibleCandidate candidates[PLAUSIBLE_COUNT(detect_charsets)];
  size_t count = 0;
  for (size_t i = 0; i < PLAUSIBLE_COUNT(detect_charsets); i++) {
    const DetectCharset *charset = &detect_charsets[i];
    if ((charset->prior != DETECT_NEVER) == isNamed &&
        !isLatin1WithC1(charset, &text->pairs))
      insertCandidate(candidates, count++, candidateOf(text, charset, r->bound));
  }
  for (size_t i = 0; i < count; i++) {
    const DetectCharset *charset = candidates[i].charset;
    offerCharset(r, charset->charset, priorOf(text, charset),
                 readingCost(text, &candidates[i], r->bound));
  }
}

static void offerAsian(PlausibleRanking *r, const Utf8AsianEvidence *asian,
                       const PlausibleText *text) {
  const size_t count = text->is_cause ? UTF8_ASIAN_CAUSES : UTF8_ASIAN_CHARSETS;
  for (size_t i = 0; i < count; i++) {
    const int isFour = i == 0 && asian->four_bytes > 0;
    offerCharset(r, isFour ? UTF8_CHARSET_GB18030 : asianPriors[i].charset,
                 asianPriors[i].prior, asianCost(asian, i, text));
  }
}

size_t utf8detect_rank(Utf8Ranked list[UTF8_RANKED_MAX], const Utf8PairList *pairs,
                       const Utf8AsianEvidence *asian, const Utf8Surroundings *around,
                       uint64_t bound, uint64_t margin) {
  PlausibleText text = {.pairs = *pairs, .is_cause = around != NULL};
  PlausibleRanking r = {&text, list, 0, margin, bound};
  text.around = around && around->whole ? around : NULL;
  _Static_assert(PLAUSIBLE_COUNT(detect_charsets) + UTF8_ASIAN_CHARSETS <=
                     UTF8_RANKED_MAX,
                 "room");
  text.has_capitals = text.around && mayBeInCapitals(pairs);
  text.apostrophes = utf8detect_usage_apostrophe_bits(text.around) * DETECT_UNIT;
  text.ascii = utf8detect_pairs_ascii(pairs, ASCII_MAX);
  text.signs = text.around ? COST_MAX : signsCost(pairs);
  if (asian) offerAsian(&r, asian, &text);
  offerSingleBytes(&r, &text, 1);
  if (around) offerSingleBytes(&r, &text, 0);
  return r.count;
}

uint64_t utf8detect_cost_in(const Utf8PairList *pairs, const Utf8AsianEvidence *asian,
                            Utf8Charset charset) {
  const int asianAt = utf8detect_asian_of(charset);
  PlausibleText text = {.pairs = *pairs};
  text.ascii = utf8detect_pairs_ascii(pairs, ASCII_MAX);
  text.signs = signsCost(pairs);
  if (asian && asianAt >= 0) return asianCost(asian, (size_t)asianAt, &text);
  for (size_t i = 0; i < PLAUSIBLE_COUNT(detect_charsets); i++) {
    if (detect_charsets[i].charset != charset) continue;
    const PlausibleCandidate candidate =
        candidateOf(&text, &detect_charsets[i], COST_MAX);
    return readingCost(&text, &candidate, COST_MAX);
  }
  return COST_MAX;
}
