/* mojibake/rival.c: charsets that read the same misread text as other characters
** (mojibake/rival.h).
**
** "ĂĄ" is "å" if it was misread in windows-1250, and "á" in iso-8859-2. A rival explains all
** decoded runs, and one of them otherwise, or it explains more. If the characters that differ
** and the letters beside them do not tell, the whole segment is compared as each charset reads
** it: what its characters cost, and what its letters cost in the language that they fit best
** (detect/model.h).
*/
#include "mojibake/rival.h"
#include "core/step.h"
#include "detect/model.h"
#include "mojibake/run.h"

/* ---- a character and its neighbours ---------------------------------------------------------- */

/* Is it a sign or a mark that no charset has? */
static int isUnusual(unsigned kind) {
  const Utf8MojibakeTraits traits = utf8mojibake_traits[kind];
  return kind >= MOJIBAKE_KIND_OF_CLASS &&
         (!traits.script || traits.class == MOJIBAKE_RARE);
}

/* Returns 1 to 26 for an ASCII letter, 0 for anything else. */
static unsigned neighborOf(unsigned kind) {
  const unsigned letter = (kind | 0x20u) - 'a';
  return letter < 26 ? letter + 1 : 0;
}

/* Returns what a code point costs in the place of kind[start..end). */
static int32_t costBetween(const uint16_t *kind, size_t count, size_t start, size_t end,
                           uint32_t code) {
  const unsigned own = utf8mojibake_kind_of(code);
  const unsigned before = start > 0 && kind[start - 1] < 0x80
                              ? utf8mojibake_traits[kind[start - 1]].class
                              : MOJIBAKE_SPACE;
  int32_t cost = utf8mojibake_traits[own].cost + (isUnusual(own) ? MISREAD_NATURAL : 0);
  cost += utf8mojibake_pair[before][utf8mojibake_traits[own].class];
  if (code - MOJIBAKE_NEAR_FIRST >= MOJIBAKE_NEAR_LETTERS) return cost;
  const int8_t *near = utf8mojibake_near[code - MOJIBAKE_NEAR_FIRST];
  cost += near[start > 1 ? neighborOf(kind[start - 2]) : 0];
  cost += near[MOJIBAKE_NEIGHBORS + (start > 0 ? neighborOf(kind[start - 1]) : 0)];
  cost += near[2 * MOJIBAKE_NEIGHBORS + (end < count ? neighborOf(kind[end]) : 0)];
  return cost + near[3 * MOJIBAKE_NEIGHBORS +
                     (end + 1 < count ? neighborOf(kind[end + 1]) : 0)];
}

/* Decodes the sequence kind[0..length). */
static Utf8Step sequenceOf(const uint16_t *kind, size_t length, const uint8_t *row) {
  uint8_t bytes[4];
  for (size_t i = 0; i < length; i++) bytes[i] = row[kind[i]];
  return step(bytes, length, 0, UTF8_STRICT);
}

/* Have the charsets the same bytes for the kinds? */
static int areBytesSame(const uint16_t *kind, size_t count, const uint8_t *own,
                        const uint8_t *other) {
  unsigned difference = 0;
  for (size_t i = 0; i < count; i++)
    difference |= (unsigned)(own[kind[i]] ^ other[kind[i]]);
  return !difference;
}

/* Adds how the sequence of `length` kinds at `at` differs. */
static void compareSequence(const uint16_t *kind, size_t count, size_t at,
                            size_t length, const uint8_t *own, const uint8_t *other,
                            RivalRuns *all) {
  const Utf8Step one = sequenceOf(kind + at, length, own);
  const Utf8Step two = sequenceOf(kind + at, length, other);
  all->differs = 1;
  if (one.error || two.error) {
    all->saved += MISREAD_NEVER;
    return;
  }
  all->saved += costBetween(kind, count, at, at + length, two.codepoint) -
                costBetween(kind, count, at, at + length, one.codepoint);
}

void utf8mojibake_compare_run(const uint16_t *kind, size_t count, size_t start,
                              size_t end, unsigned charset, unsigned rival,
                              RivalRuns *all) {
  const uint8_t *own = utf8mojibake_byte[charset], *other = utf8mojibake_byte[rival];
  for (size_t at = start, length; at < end; at += length) {
    length = bytes_sequence_length(own[kind[at]]);
    if (length > end - at) length = end - at;
    if (!areBytesSame(kind + at, length, own, other))
      compareSequence(kind, count, at, length, own, other, all);
  }
}

/* ---- rivals ----------------------------------------------------------------------------------- */

/* Returns the charsets, as bits, that explain a pair that is not decoded. */
static uint32_t furtherOf(const Segment *s, const Runs *runs) {
  uint32_t further = 0;
  size_t i = 0;
  for (size_t h = 0; h < s->highs; h++) {
    const size_t at = s->high[h];
    while (i < runs->count && (!runs->is_decoded[i] || runs->end[i] <= at)) i++;
    if (i < runs->count && runs->start[i] <= at) continue;
    further |=
        utf8mojibake_lead[s->kind[at]] & utf8mojibake_continuation[s->kind[at + 1]];
  }
  return further;
}

/* Returns the charsets, as bits, that have a byte of the same sort for each code point of the
** decoded runs. */
static uint32_t explaining(const Segment *s, const Runs *runs) {
  const uint8_t *row = utf8mojibake_byte[runs->charset];
  uint32_t charsets = MOJIBAKE_ALL;
  for (size_t i = 0; i < runs->count; i++) {
    if (!runs->is_decoded[i]) continue;
    for (size_t at = runs->start[i]; at < runs->end[i]; at++) {
      const unsigned kind = s->kind[at];
      if (row[kind] >= 0x80)
        charsets &= row[kind] < 0xC0 ? utf8mojibake_continuation[kind]
                                     : utf8mojibake_lead[kind];
    }
  }
  return charsets;
}

/* Do the decoded runs, read in a rival, differ from what they are, without being far less likely? */
static int isRival(const Segment *s, const Runs *runs, unsigned rival) {
  RivalRuns all = {0, 0};
  for (size_t i = 0; i < runs->count; i++) {
    if (runs->is_decoded[i])
      utf8mojibake_compare_run(s->kind, s->count, runs->start[i], runs->end[i],
                               runs->charset, rival, &all);
  }
  return all.differs && all.saved < MISREAD_SURE;
}

/* Returns the rivals, as bits, that must be compared. */
static uint32_t rivalsOf(const Segment *s, const Runs *runs) {
  const uint32_t further = furtherOf(s, runs);
  uint32_t rivals =
      explaining(s, runs) & (utf8mojibake_contest[runs->charset] | further);
  for (uint32_t left = rivals & ~further; left; left &= left - 1) {
    const unsigned rival = (unsigned)mask_lowest(left);
    if (!isRival(s, runs, rival)) rivals &= ~((uint32_t)1 << rival);
  }
  return rivals;
}

/* ---- a whole segment -------------------------------------------------------------------------- */

/* A rival is written only beside this many ASCII letters. */
#define LETTERS_MIN 3

/* What differs is compared together with this many code points on either side. */
#define BESIDE 16

/* A segment as a charset reads it. */
typedef struct Reading {
  size_t count;
  uint32_t code[CODES_MAX];
} Reading;

static void addUndecoded(const Segment *s, size_t from, size_t to, Reading *reading) {
  for (size_t at = from; at < to; at++) reading->code[reading->count++] = codeAt(s, at);
}

/* Reads the segment with the decoded runs in their places. */
static void readWith(const Segment *s, const Runs *runs, Reading *reading) {
  size_t from = 0;
  const uint32_t *code = runs->code;
  reading->count = 0;
  for (size_t i = 0; i < runs->count; code += runs->letters[i++]) {
    if (!runs->is_decoded[i]) continue;
    addUndecoded(s, from, runs->start[i], reading);
    memcpy(reading->code + reading->count, code, runs->letters[i] * sizeof *code);
    reading->count += runs->letters[i];
    from = runs->end[i];
  }
  addUndecoded(s, from, s->count, reading);
}

static int isSameReading(const Reading *a, const Reading *b) {
  return a->count == b->count &&
         memcmp(a->code, b->code, a->count * sizeof *a->code) == 0;
}

/* Is it a vowel sign of an Indic script? These are commoner than letters, so they break a tie. */
static int isVowelSign(uint32_t code) {
  return code >= 0x900 && code < 0xD80 && (code & 0x7F) >= 0x3E &&
         (code & 0x7F) <= 0x4D;
}

/* Returns what a code point costs apart from its neighbours. For a letter, the language says that. */
static int32_t ownCost(uint32_t code, unsigned kind) {
  const Utf8MojibakeTraits traits = utf8mojibake_traits[kind];
  int32_t cost = isUnusual(kind) ? MISREAD_NATURAL : 0;
  if (isVowelSign(code)) cost--;
  return traits.script && traits.script < MOJIBAKE_SCRIPT_LIVING ? cost - traits.cost
                                                                 : cost;
}

/* Returns what code points cost apart from what the language says. */
static int32_t costOf(const uint32_t *code, size_t count) {
  Context context = {MOJIBAKE_SPACE, 0, 0};
  int32_t cost = 0;
  for (size_t i = 0; i < count; i++) {
    const unsigned kind = utf8mojibake_kind_of(code[i]);
    cost += addKind(&context, kind) + ownCost(code[i], kind);
  }
  return cost;
}

int32_t utf8mojibake_segment_cost(const Segment *s) {
  uint32_t code[CODES_MAX];
  for (size_t at = 0; at < s->count; at++) code[at] = codeAt(s, at);
  return costOf(code, s->count);
}

/* What a reading costs more than another. */
typedef struct Difference {
  int32_t all;
  int32_t letters; /* the part of it that the language says */
} Difference;

/* Compares what differs and what is near. */
static Difference differenceOf(const Reading *a, const Reading *b) {
  const size_t count = bytes_min(a->count, b->count);
  size_t from = 0, back = 0;
  while (from < count && a->code[from] == b->code[from]) from++;
  while (back < count - from &&
         a->code[a->count - 1 - back] == b->code[b->count - 1 - back])
    back++;
  from -= bytes_min(from, BESIDE);
  back -= bytes_min(back, BESIDE);
  const size_t a_count = a->count - back - from, b_count = b->count - back - from;
  const int32_t letters =
      (int32_t)(utf8detect_letters_cost(a->code + from, a_count, NULL, UINT64_MAX) /
                2) -
      (int32_t)(utf8detect_letters_cost(b->code + from, b_count, NULL, UINT64_MAX) / 2);
  return (Difference){letters + costOf(a->code + from, a_count) -
                          costOf(b->code + from, b_count),
                      letters};
}

/* Does the segment have words, whose language can be told: some ASCII letters, and no run after a
** digit? */
static int hasWords(const Segment *s, const Runs *runs) {
  unsigned letters = 0;
  for (size_t i = 0; i < runs->count; i++) {
    if (runs->is_decoded[i] && classBefore(s, runs->start[i]) == MOJIBAKE_DIGIT)
      return 0;
  }
  for (size_t i = 0; i < s->count; i++) letters += neighborOf(s->kind[i]) != 0;
  return letters >= LETTERS_MIN;
}

/* Returns the charset whose reading costs the least; or -1 if another one costs nearly as little,
** or if it is not that of the runs and the language does not say so. */
static int likeliestReading(const Segment *s, const Runs *runs, uint32_t rivals,
                            Runs *buffer) {
  Reading readings[2], *best = readings, *other = readings + 1;
  int charset = (int)runs->charset;
  int32_t margin = INT32_MAX, letters = 0;
  readWith(s, runs, best);
  for (; rivals; rivals &= rivals - 1) {
    const int rival = (int)mask_lowest(rivals);
    utf8mojibake_read_all_runs(s, (unsigned)rival, buffer);
    readWith(s, buffer, other);
    if (isSameReading(best, other)) continue;
    const Difference more = differenceOf(other, best);
    const int32_t all =
        more.all + utf8mojibake_doubt[rival] - utf8mojibake_doubt[charset];
    if (all >= 0) {
      if (all < margin) margin = all;
      continue;
    }
    margin = -all;
    letters -= more.letters;
    charset = rival;
    Reading *swap = best;
    best = other;
    other = swap;
  }
  if (margin < MISREAD_RIVAL) return -1;
  if (charset == (int)runs->charset) return charset;
  return letters >= MISREAD_ANSWER && hasWords(s, runs) ? charset : -1;
}

const Runs *utf8mojibake_settle(const Segment *s, const Runs *runs, Runs *buffer) {
  const uint32_t rivals = s->only ? 0 : rivalsOf(s, runs);
  if (!rivals) return runs;
  const int charset = likeliestReading(s, runs, rivals, buffer);
  if (charset < 0 || charset == (int)runs->charset) return charset < 0 ? NULL : runs;
  utf8mojibake_read_all_runs(s, (unsigned)charset, buffer);
  const int any = memchr(buffer->is_decoded, 1, buffer->count) != NULL;
  if (!any) return NULL; /* unreachable: to decode nothing costs more than runs */
  return buffer;
}
