/* mojibake/multibyte.c: undoes UTF-8 that was read in a multi-byte charset (mojibake/multibyte.h). */
#include "mojibake/multibyte.h"
#include "charset/legacy/legacy.h"
#include "core/bytes.h"
#include "core/step.h"
#include "detect/model.h"
#include "detect/weight.h"
#include "mojibake/cost.h"
#include "mojibake/readings.h"
#include <stdatomic.h>
#include <string.h>

#define MULTIBYTE_BITS(n) ((uint64_t)(n)*UTF8_MODEL_UNIT)

/* Bits that speak against a misreading, and against each letter that was lost in it. At 10, a tenth more of the French words
** with one accent is restored, but a word of two rare letters becomes another one: 锌锌 is пп. */
#define MULTIBYTE_MISREAD 12
#define MULTIBYTE_LOSS    4

/* The bits that a text must save to be restored: at 10, its probability is 0.999. */
#define MULTIBYTE_SURE 10

/* The whole letters that a text must have for each lost one. With fewer, it is left as it is: misread characters show more
** of a letter than U+FFFD does. */
#define MULTIBYTE_WHOLE 3

/* ---- charsets ----------------------------------------------------------------------------------- */

/* A charset, and a character that its decoders write instead of U+FFFD or '?' for a byte that they cannot decode. big5 and
** euc-jp are not among them: nearly all values lose too many letters there. */
typedef struct MultibyteCharset {
  Utf8Charset charset;
  uint32_t loss;
} MultibyteCharset;

static const MultibyteCharset multibyteCharsets[] = {
    {UTF8_CHARSET_GBK, BYTES_FFFD},
    {UTF8_CHARSET_SHIFT_JIS, 0x30FB}, /* of Windows */
    {UTF8_CHARSET_EUC_KR, BYTES_FFFD},
};

#define MULTIBYTE_CHARSETS (sizeof multibyteCharsets / sizeof *multibyteCharsets)

Utf8Charset utf8mojibake_multibyte_charset(int charset) {
  const size_t i = (size_t)charset - MOJIBAKE_WITH_RIVALS;
  return i < MULTIBYTE_CHARSETS ? multibyteCharsets[i].charset : UTF8_CHARSET_UNKNOWN;
}

/* ---- bytes -------------------------------------------------------------------------------------- */

/* Stands for a byte that was lost. It is none of UTF-8, and none of these charsets. */
#define MULTIBYTE_LOST 0xFF

typedef struct MultibyteBytes {
  uint8_t bytes[UTF8_MULTIBYTE_MAX + UTF8_LEGACY_ROOM];
  size_t size;
} MultibyteBytes;

/* Stores the bytes of the character at `at`, and returns how many; 0 if the charset lacks it. */
static size_t encodeOne(uint8_t out[UTF8_LEGACY_ROOM], const MultibyteCharset *of,
                        const uint8_t *text, size_t at) {
  const Utf8Step one = stepWellFormed(text + at);
  unsigned state = 0;
  if (one.codepoint == BYTES_FFFD || one.codepoint == of->loss) {
    out[0] = MULTIBYTE_LOST;
    return 1;
  }
  return utf8charset_encode_legacy(of->charset, &state, text, at + one.length, &at, out,
                                   UTF8_LEGACY_ROOM);
}

/* ---- where it may start ------------------------------------------------------------------------- */

/* For eight code points, a bit for each charset in which each may stand for the first byte of a sequence; and one that says
** that they are known. Built at first use. */
static _Atomic(uint32_t) multibyteLeads[0x10000 / 8];
#define MULTIBYTE_KNOWN 0x80000000u
_Static_assert(8 * MULTIBYTE_CHARSETS < 32, "the bits of eight code points");

/* May the character stand for the first byte of a sequence, and the second one if it stands for two? */
static int isLeadIn(const MultibyteCharset *of, uint32_t code) {
  uint8_t text[UTF8_OCTETS_MAX], bytes[UTF8_LEGACY_ROOM];
  stepPut(text, code);
  const size_t n = encodeOne(bytes, of, text, 0);
  if (n == 0 || bytes[0] < 0xC2) return 0;
  return n == 1 || bytes_is_continuation(bytes[1]) || bytes[1] == '?';
}

static uint32_t findLeads(uint32_t first) {
  uint32_t leads = MULTIBYTE_KNOWN;
  for (uint32_t i = 0; i < 8 * MULTIBYTE_CHARSETS; i++)
    leads |= (uint32_t)isLeadIn(&multibyteCharsets[i % MULTIBYTE_CHARSETS],
                                first + i / MULTIBYTE_CHARSETS)
             << i;
  atomic_store_explicit(&multibyteLeads[first / 8], leads, memory_order_relaxed);
  return leads;
}

/* Returns the charsets, as bits, in which misread text may start with the character at `at`, of at least three bytes. */
static uint32_t charsetsFrom(const uint8_t *text, size_t at) {
  const uint32_t code = stepWellFormed(text + at).codepoint;
  if (code < 0x3000 || code > 0xFFFF) return 0;
  const uint32_t leads =
      atomic_load_explicit(&multibyteLeads[code / 8], memory_order_relaxed);
  return (leads ? leads : findLeads(code & ~(uint32_t)7)) >>
             code % 8 * MULTIBYTE_CHARSETS &
         ((1u << MULTIBYTE_CHARSETS) - 1);
}

/* The first byte of U+3000: misread text in these charsets starts there or beyond. */
#define MULTIBYTE_FIRST 0xE3

/* Returns the top bits of the word's bytes from MULTIBYTE_FIRST on: to these, what is added carries. */
static uint64_t fromFirst(uint64_t word) {
  const uint64_t carry =
      (word & ~BYTES_HIGH_BITS) + (0x100 - MULTIBYTE_FIRST) * BYTES_ONES;
  return carry & word & BYTES_HIGH_BITS;
}

/* Returns the first place from `at` on that starts a character from U+3000 on, or size. */
static size_t skipOthers(const uint8_t *text, size_t at, size_t size) {
  while (size - at >= 8 && !fromFirst(bytes_load64(text + at))) at += 8;
  while (at < size && text[at] < MULTIBYTE_FIRST) at++;
  return at;
}

size_t utf8mojibake_scan_multibyte(const uint8_t *text, size_t size) {
  size_t at = 0;
  while ((at = skipOthers(text, at, size)) < size && !charsetsFrom(text, at))
    at += bytes_sequence_length(text[at]);
  return at;
}

/* ---- letters ------------------------------------------------------------------------------------ */

/* What the text was, and how many of its characters beyond ASCII are whole, and lost. */
typedef struct MultibyteText {
  uint8_t bytes[UTF8_MULTIBYTE_MAX + UTF8_OCTETS_MAX];
  size_t size;
  size_t whole, lost;
} MultibyteText;

/* Is there a mark for a byte that was lost? Programs write a question mark, too. */
static int isMark(const MultibyteBytes *b, size_t at) {
  return at < b->size && (b->bytes[at] == MULTIBYTE_LOST || b->bytes[at] == '?');
}

static size_t skipContinuation(const MultibyteBytes *b, size_t at, size_t most) {
  for (; most > 0 && at < b->size && bytes_is_continuation(b->bytes[at]); most--) at++;
  return at;
}

/* Returns the end of a character at `at` that lost bytes, or `at` if none is seen to be lost. Each of them may have left a
** mark, and what was left of the character follows. */
static size_t endOfLost(const MultibyteBytes *b, size_t at) {
  const uint8_t lead = b->bytes[at];
  size_t mark = at, lacks = 1;
  if (lead >= 0xC2 && lead <= 0xF4) {
    const size_t length = bytes_sequence_length(lead);
    mark = skipContinuation(b, at + 1, length - 1);
    lacks = at + length - mark;
  }
  size_t end = mark;
  while (end < mark + lacks && isMark(b, end)) end++;
  return end > mark ? skipContinuation(b, end, 3) : at;
}

/* Reads the characters that start in the bytes from *at to `until`. Returns 0 if one is not UTF-8. */
static int readCharacters(MultibyteText *t, const MultibyteBytes *b, size_t *at,
                          size_t until) {
  while (*at < until) {
    const Utf8Step one = utf8core_step(b->bytes, b->size, *at, UTF8_STRICT);
    const size_t end = one.error ? endOfLost(b, *at) : *at + one.length;
    if (end == *at || t->size >= UTF8_MULTIBYTE_MAX) return 0;
    t->size += stepPut(t->bytes + t->size, one.error ? BYTES_FFFD : one.codepoint);
    t->lost += one.error != 0;
    t->whole += !one.error && one.codepoint > 0x7F;
    *at = end;
  }
  return 1;
}

/* The most bytes of a character, including the marks and the remaining bytes of one that lost some. */
#define MULTIBYTE_AHEAD 8

/* Reads text as it was before it was misread in a charset, all of it from start on. Returns 0 if it was not. Misread text is
** longer: three bytes for two. */
static int readAs(MultibyteText *t, const MultibyteCharset *of, const uint8_t *text,
                  size_t size, size_t start) {
  MultibyteBytes b;
  size_t done = 0;
  b.size = t->whole = t->lost = 0;
  t->size = start;
  memcpy(t->bytes, text, start);
  for (size_t at = start; at < size; at += bytes_sequence_length(text[at])) {
    const size_t n = encodeOne(b.bytes + b.size, of, text, at);
    b.size += n;
    if (n == 0) return 0;
    if (b.size > MULTIBYTE_AHEAD &&
        !readCharacters(t, &b, &done, b.size - MULTIBYTE_AHEAD))
      return 0;
  }
  return readCharacters(t, &b, &done, b.size) && t->whole > 0 && t->size < size;
}

/* ---- what text costs ------------------------------------------------------------------------------ */

/* Returns what letters of East Asia cost in the language that they fit best. */
static uint64_t costOfEast(const uint32_t *codes, size_t count) {
  uint64_t costs[UTF8_ASIAN_CHARSETS] = {0}, least = UINT64_MAX;
  for (size_t i = 0; i < count; i++) utf8detect_asian_costs(costs, codes[i]);
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++)
    least = utf8detect_lesser(least, costs[i]);
  return least;
}

/* Returns what the classes of characters cost after one another, and what each character costs within its class; but not
** letters of East Asia, whose cost a language tells. */
static uint64_t costOfClasses(const uint8_t *text, size_t size) {
  int32_t sum[CODES_MAX + 1], east = 0;
  Segment s;
  utf8mojibake_read_segment(&s, NULL, 0, text, size);
  utf8mojibake_costs(&s, sum);
  for (size_t h = 0; h < s.highs; h++)
    if (utf8detect_letter_of(s.code[s.high[h]]) >> 16 == 1)
      east += traitsAt(&s, s.high[h]).cost;
  return (uint64_t)(sum[s.count] - east) * 2;
}

/* Returns what the start of a text costs, at most UTF8_MOJIBAKE_LINE bytes: also what its letters do in the languages that
** they fit best. */
static uint64_t costOfStart(const uint8_t *text, size_t size) {
  uint32_t codes[UTF8_MODEL_CODES];
  if (size > UTF8_MOJIBAKE_LINE) size = bytes_boundary(text, UTF8_MOJIBAKE_LINE);
  const size_t count = utf8detect_read_codes(codes, text, size);
  return costOfClasses(text, size) + costOfEast(codes, count) +
         utf8detect_letters_cost(codes, count, NULL, UINT64_MAX / 2);
}

/* ---- the decision ------------------------------------------------------------------------------ */

/* What the cheapest reading costs, and the second one; the text as it is is one of them. */
typedef struct MultibyteBest {
  const MultibyteCharset *of; /* NULL: the text as it is */
  uint64_t cost, second;
} MultibyteBest;

/* Finds the charset in which the text was misread. */
static void findMultibyte(MultibyteBest *best, const uint8_t *text, size_t size,
                          size_t start) {
  MultibyteText t;
  *best = (MultibyteBest){NULL, 0, UINT64_MAX};
  for (uint32_t left = charsetsFrom(text, start); left; left &= left - 1) {
    const MultibyteCharset *of = &multibyteCharsets[mask_lowest(left)];
    if (!readAs(&t, of, text, size, start)) continue;
    if (best->cost == 0) best->cost = costOfStart(text, size);
    const uint64_t cost = costOfStart(t.bytes, t.size) +
                          MULTIBYTE_BITS(MULTIBYTE_MISREAD + MULTIBYTE_LOSS * t.lost);
    if (cost < best->cost)
      *best = (MultibyteBest){of, cost, best->cost};
    else
      best->second = utf8detect_lesser(best->second, cost);
  }
}

/* Reads one value: utf8mojibake_read_multibyte() without fields. */
static int readValue(Utf8Multibyte *found, const uint8_t *text, size_t size,
                     uint8_t *out) {
  MultibyteText t;
  MultibyteBest best;
  const size_t start = bytes_skip_ascii(text, 0, size);
  if (start == size || text[start] < MULTIBYTE_FIRST) return 0;
  findMultibyte(&best, text, size, start);
  if (!best.of || best.second - best.cost < MULTIBYTE_BITS(MULTIBYTE_SURE)) return 0;
  const uint64_t saved = utf8detect_lesser(best.second - best.cost, UINT32_MAX);
  readAs(&t, best.of, text, size, start);
  if (t.lost * MULTIBYTE_WHOLE > t.whole) return -1;
  if (out) memcpy(out, t.bytes, t.size);
  found->charset = MOJIBAKE_WITH_RIVALS + (int)(best.of - multibyteCharsets);
  found->start = start;
  found->written = t.size;
  found->probability = UTF8_MOJIBAKE_ONE - utf8detect_weight((uint32_t)saved) /
                                               (UTF8_WEIGHT / UTF8_MOJIBAKE_ONE);
  return 1;
}

/* ---- fields ------------------------------------------------------------------------------------- */

/* What separates the fields of a line; no character has it as its second byte in any of these charsets. */
static const uint8_t multibyteEnds[] = {',', ';', '\t', '"', '\n'};

static int isFieldEnd(uint8_t byte) {
  uint64_t ends = 0;
  for (size_t i = 0; i < sizeof multibyteEnds; i++)
    ends |= (uint64_t)1 << multibyteEnds[i];
  return byte < 64 && (ends >> byte & 1);
}

/* Has any of the eight bytes? */
static int hasFieldEnd(uint64_t word) {
  uint64_t zeros = 0;
  if (!(~word & BYTES_HIGH_BITS)) return 0;
  for (size_t i = 0; i < sizeof multibyteEnds; i++)
    zeros |= bytes_zeros(word ^ multibyteEnds[i] * BYTES_ONES);
  return zeros != 0;
}

static size_t endOfField(const uint8_t *text, size_t at, size_t size) {
  while (size - at >= 8 && !hasFieldEnd(bytes_load64(text + at))) at += 8;
  while (at < size && !isFieldEnd(text[at])) at++;
  return at;
}

/* Is the field in quotes, and elsewhere in quotes the text that it was before it was misread? Then it is code about mojibake,
** and stays. */
static int isQuotedBeside(const uint8_t *text, size_t size, size_t at, size_t end,
                          const uint8_t *was, size_t length) {
  if (at == 0 || end == size || text[at - 1] != '"' || text[end] != '"') return 0;
  for (size_t i = 1; size - i > length; i++)
    if (text[i - 1] == '"' && text[i + length] == '"' &&
        memcmp(text + i, was, length) == 0)
      return 1;
  return 0;
}

/* Adds the field text[at..end) to what was found in those before it. Returns whether it was misread. */
static int addField(Utf8Multibyte *found, const uint8_t *text, size_t size, size_t at,
                    size_t end, uint8_t *out) {
  Utf8Multibyte one;
  uint8_t was[UTF8_MULTIBYTE_MAX];
  const int is = readValue(&one, text + at, end - at, was) > 0 &&
                 !isQuotedBeside(text, size, at, end, was, one.written);
  const uint8_t *field = is ? was : text + at;
  const size_t length = is ? one.written : end - at;
  if (out) memcpy(out + found->written, field, length);
  found->written += length;
  if (!is) return 0;
  if (found->charset < 0) {
    found->charset = one.charset;
    found->start = at + one.start;
  }
  found->probability = utf8detect_lesser(found->probability, one.probability);
  return 1;
}

/* Reads each field of a line. */
static int readFields(Utf8Multibyte *found, const uint8_t *text, size_t size,
                      uint8_t *out) {
  int is = 0;
  *found = (Utf8Multibyte){.charset = -1, .probability = UTF8_MOJIBAKE_ONE};
  for (size_t at = 0, end; at < size; at = end) {
    end = endOfField(text, at, size);
    is |= addField(found, text, size, at, end, out);
    for (; end < size && isFieldEnd(text[end]); end++, found->written++)
      if (out) out[found->written] = text[end];
  }
  return is;
}

/* Does a field cost no more as what it was before it was misread in a charset? */
static int fitsField(const MultibyteCharset *of, const uint8_t *field, size_t size) {
  MultibyteText t;
  const size_t start = bytes_skip_ascii(field, 0, size);
  return start == size || (readAs(&t, of, field, size, start) &&
                           costOfStart(t.bytes, t.size) <= costOfStart(field, size));
}

/* Does each field, which was read with the others? A clean one among many that were misread does not. */
static int fitFields(int charset, const uint8_t *text, size_t size) {
  const MultibyteCharset *of = &multibyteCharsets[charset - MOJIBAKE_WITH_RIVALS];
  for (size_t at = 0, end; at < size; at = end + 1) {
    end = endOfField(text, at, size);
    if (!fitsField(of, text + at, end - at)) return 0;
  }
  return 1;
}

int utf8mojibake_read_multibyte(Utf8Multibyte *found, const uint8_t *text, size_t size,
                                uint8_t *out) {
  if (size > UTF8_MULTIBYTE_MAX || skipOthers(text, 0, size) == size) return 0;
  const int is = readValue(found, text, size, out);
  if (endOfField(text, 0, size) == size) return is;
  if (is < 0 || (is > 0 && fitFields(found->charset, text, size))) return is;
  return readFields(found, text, size, out);
}
