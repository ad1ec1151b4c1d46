/* mojibake/whole.h: reads a segment that is misread as a whole, in one charset. A part of
** mojibake/mojibake.c, inlined for speed.
**
** The segment is encoded in the most common charset of its first pair. If that makes it
** well-formed UTF-8 of common code points, with nothing left that a scan stops at, no charsets
** need to be compared.
*/
#ifndef UTF8_MOJIBAKE_WHOLE_H
#define UTF8_MOJIBAKE_WHOLE_H

#include "mojibake/scan.h"
#include "mojibake/segment.h"

/* A segment is read as a whole only if it then has at least this many sequences: fewer could be
** there by accident. */
#define SEQUENCES_MIN 2

/* A charset with a higher threshold is easily taken for another, such as cp437 for cp850. */
#define DISTINCT 40

/* A run is a stretch of bytes above 7F. */
#define WHOLE_RUNS (UTF8_MOJIBAKE_LINE / 2)

/* A segment in the charset that it was misread in. */
typedef struct Whole {
  uint8_t bytes[UTF8_MOJIBAKE_LINE];
  size_t size;
  uint16_t run[WHOLE_RUNS]; /* where the runs start */
  size_t runs;
} Whole;

/* Returns the most common charset in which a pair starts at `at`. Returns -1 if there is none,
** or if it is one of those that must be compared with others. */
static int charsetAt(const uint8_t *text, size_t size, size_t at) {
  const Utf8Step first = stepWellFormed(text + at);
  if (size - at <= first.length) return -1;
  const Utf8Step second = stepWellFormed(text + at + first.length);
  const uint32_t charsets =
      utf8mojibake_lead[utf8mojibake_kind_of(first.codepoint)] &
      utf8mojibake_continuation[utf8mojibake_kind_of(second.codepoint)];
  if (!charsets) return -1;
  const int charset = (int)mask_lowest(charsets);
  return utf8mojibake_prior[charset] == 0 ? charset : -1;
}

/* ---- encoding ----------------------------------------------------------------------------- */

/* Returns the kind of the code point of 2 + more bytes at p, at most U+FFFF. Without a branch on
** the length, which is hard to predict. */
ALWAYS_INLINE unsigned kindOfShort(const uint8_t *p, unsigned more) {
  const unsigned block = (p[0] & 0x1Fu) << 6 * more | (p[1] & 0x3Fu & (0 - more));
  return utf8mojibake_kind[utf8mojibake_block[block]][p[1 + more] & 0x3F];
}

/* Encodes the run of code points above 7F at text[*from..size), and sets *from to its end. Returns
** the number of bytes; or 0 if it has a code point that the charset lacks. */
ALWAYS_INLINE size_t encodeRun(const uint8_t *text, size_t size, size_t *from,
                               const uint8_t *row, uint8_t *to) {
  size_t at = *from, n = 0;
  while (at < size && text[at] >= 0x80) {
    const unsigned more = text[at] >= 0xE0;
    if (text[at] >= 0xF0) return 0;
    to[n] = row[kindOfShort(text + at, more)];
    if (to[n++] < 0x80) return 0;
    at += 2 + more;
  }
  *from = at;
  return n;
}

/* Encodes text in a charset. Returns 0 if it has a code point that the charset lacks. */
static int encodeWhole(const uint8_t *text, size_t size, int charset, Whole *whole) {
  const uint8_t *row = utf8mojibake_byte[charset];
  size_t n = 0;
  whole->runs = 0;
  for (size_t at = 0; at < size;) {
    const size_t ascii = bytes_copy_ascii(whole->bytes + n, text + at, size - at);
    at += ascii;
    n += ascii;
    if (at == size) break;
    whole->run[whole->runs++] = (uint16_t)n;
    const size_t run = encodeRun(text, size, &at, row, whole->bytes + n);
    if (run == 0) return 0;
    n += run;
  }
  whole->size = n;
  return 1;
}

/* ---- what was encoded --------------------------------------------------------------------- */

/* What is counted in the sequences of a segment. */
typedef struct Sequences {
  size_t count;
  unsigned cost;     /* of all */
  unsigned uncommon; /* how many cost more than common text */
  int is_suspicious; /* a scan might stop */
} Sequences;

/* The cost of a code point of a far script that is an accident, and of one that is not. */
#define ACCIDENT    (4 * UTF8_MOJIBAKE_COMMON)
#define NO_ACCIDENT (UTF8_MOJIBAKE_COMMON / 2)

/* Returns the byte at `at`, or a space outside the text. */
static uint8_t byteOrSpace(const Whole *whole, size_t at) {
  return at < whole->size ? whole->bytes[at] : ' ';
}

/* Is what stands between two bytes a word of its own? */
static int isWord(uint8_t before, uint8_t after) {
  return before <= ' ' && after <= ' ';
}

/* Returns the cost of the code point at `at`, of the given traits, after one of a class. */
ALWAYS_INLINE unsigned costAt(const Whole *whole, size_t at, unsigned length,
                              unsigned before, Utf8MojibakeTraits traits) {
  if (traits.class == MOJIBAKE_CJK_SIGN) return UTF8_MOJIBAKE_COMMON;
  if (!traits.far) return utf8mojibake_pair[before][traits.class] + traits.cost;
  const uint8_t last = byteOrSpace(whole, at - 1),
                next = byteOrSpace(whole, at + length);
  if (last >= 0x80 || next >= 0x80) return NO_ACCIDENT;
  return traits.far == 1 && isWord(last, next) ? NO_ACCIDENT : ACCIDENT;
}

/* Counts the sequences of the run at `at`. */
ALWAYS_INLINE void countRun(const Whole *whole, size_t at, Sequences *found) {
  unsigned before = utf8mojibake_traits[byteOrSpace(whole, at - 1)].class;
  uint32_t two = 0, more = 0, next = 0, any = 0;
  do {
    const Utf8Step one = stepWellFormed(whole->bytes + at);
    const unsigned kind = utf8mojibake_kind_of(one.codepoint);
    const Utf8MojibakeScan *scan = &utf8mojibake_scan[kind];
    const Utf8MojibakeTraits traits = utf8mojibake_traits[kind];
    found->count++;
    const unsigned cost = costAt(whole, at, one.length, before, traits);
    found->cost += cost;
    found->uncommon += cost > UTF8_MOJIBAKE_COMMON;
    any |= (two & scan->next) | (next & scan->last);
    any |= traits.class == MOJIBAKE_C1;
    before = traits.class;
    next = more & scan->next;
    two = scan->two;
    more = scan->more;
    at += one.length;
  } while (at < whole->size && whole->bytes[at] >= 0x80);
  if (any || (at < whole->size && isSpaceAfter(whole->bytes, at)))
    found->is_suspicious = 1;
}

static Sequences countSequences(const Whole *whole) {
  Sequences found = {0, 0, 0, 0};
  for (size_t i = 0; i < whole->runs; i++) countRun(whole, whole->run[i], &found);
  return found;
}

/* A letter of Greek, Cyrillic or another far script has at least this code point. */
#define FAR_LETTER 0x370

/* One in this many sequences may be uncommon if the misread text is in a far script. */
#define UNCOMMON_RATIO 4

/* Are the sequences common, as they are if the charset is right? `lead` is the first misread code
** point. Each one must be common if the charset is easily taken for another; most of them if
** the lead is a far letter, since such letters may be meant, as in "ВІКІ". */
static int areCommon(const Sequences *sequences, uint32_t lead, int charset) {
  if (utf8mojibake_threshold[charset] > DISTINCT) return sequences->uncommon == 0;
  if (lead >= FAR_LETTER && UNCOMMON_RATIO * sequences->uncommon > sequences->count)
    return 0;
  return sequences->cost <= UTF8_MOJIBAKE_COMMON * sequences->count;
}

/* Do the sequences show that the text is misread? A single one in each run does not, if it starts
** with a far letter: "380 В±5%, 220 В±5%". */
static int areEnough(const Whole *whole, const Sequences *sequences, uint32_t lead) {
  return sequences->count >= SEQUENCES_MIN &&
         (lead < FAR_LETTER || sequences->count > whole->runs);
}

/* Was the run that starts at `at`, the only one of text[0..size), misread in the charset? Like
** utf8mojibake_repair_segment(), looks only at the text near the run. */
static int isMisreadAlone(const uint8_t *text, size_t size, size_t at, int charset) {
  const size_t start = at > UTF8_MOJIBAKE_NEAR ? at - UTF8_MOJIBAKE_NEAR : 0;
  size_t end = at;
  while (end < size && text[end] >= 0x80) end++;
  if (size - end > UTF8_MOJIBAKE_NEAR) size = end + UTF8_MOJIBAKE_NEAR;
  return utf8mojibake_is_misread(text + start, size - start, (unsigned)charset);
}

/* ---- reading ------------------------------------------------------------------------------ */

/* Do the sequences show that the segment is misread in the charset? */
static int isEvidence(const uint8_t *text, size_t size, const Whole *whole,
                      const Sequences *sequences, uint32_t lead, int charset) {
  if (whole->runs == 1 && sequences->count == 1)
    return isMisreadAlone(text, size, whole->run[0], charset);
  return areCommon(sequences, lead, charset) && areEnough(whole, sequences, lead);
}

/* Reads text[0..size) in the most common charset of the pair at `pair`. Returns that charset; or
** -1 unless this makes all of it well-formed UTF-8, with sequences that are evidence, and no
** second layer. */
static int readWhole(const uint8_t *text, size_t size, size_t pair, Whole *whole) {
  const int charset = charsetAt(text, size, pair);
  if (charset < 0 || !encodeWhole(text, size, charset, whole)) return -1;
  if (!utf8core_valid(whole->bytes, whole->size)) return -1;
  const Sequences sequences = countSequences(whole);
  const uint32_t lead = stepWellFormed(text + pair).codepoint;
  if (!isEvidence(text, size, whole, &sequences, lead, charset)) return -1;
  if (!sequences.is_suspicious) return charset;
  return scan(NULL, whole->bytes, whole->size, 0, whole->size) < whole->size ? -1
                                                                             : charset;
}

#endif
