/* mojibake/readings.c: what a short value may have been (mojibake/readings.h). */
#include "mojibake/readings.h"
#include "charset/legacy/legacy.h"
#include "core/step.h"
#include "detect/likelihood.h"
#include "detect/weight.h"
#include "mojibake/decide.h"
#include "mojibake/run.h"
#include "mojibake/rival.h"
#include "core/bytes.h"
#include <string.h>

/* ---- what must have happened ------------------------------------------------------------------- */

/* What these facts cost, in quarters of a bit. tool/detect/undone.py measures what follows from them. */
enum {
  READING_MISREAD = 24, /* a value alone was misread */
  READING_AGAIN = 8,    /* it was misread a second time, */
  READING_OTHER = 24,   /* and in another charset than the first time */
  READING_PARTIAL = 60, /* only a part of it was misread */
  READING_MAC =
      24, /* Mac Roman was read as Latin-1, in addition to what the charset costs */
  READING_DAMAGE = 80, /* a byte became a space or was lost */
  READING_LONE = 80,   /* a letter is the only one of its script near */
  READING_RARE = 24,   /* a letter is one that is seldom written */
  READING_MARGIN = 48 /* a reading that costs so much more than another is not listed */
};

void utf8mojibake_alone(Utf8MojibakePrior *prior) {
  prior->itself = 0;
  prior->known = 0;
  prior->languages = NULL;
  for (unsigned i = 0; i < MOJIBAKE_WITH_RIVALS; i++)
    prior->misread[i] = READING_MISREAD + utf8mojibake_rarity[i];
}

/* ---- what the text costs ----------------------------------------------------------------------- */

/* Does the letter at `at` stand among letters of other scripts only, within a word or not? */
static int isLoneOfScript(const Segment *s, size_t at) {
  const unsigned own = traitsAt(s, at).script;
  if (own <= MOJIBAKE_SCRIPT_LATIN) return 0;
  return utf8mojibake_script_before(s, at) != own &&
         utf8mojibake_script_after(s, at + 1) != own;
}

/* Is it a letter that is seldom written, of Latin not beside a small one? */
static int isSeldomWritten(const Segment *s, size_t at) {
  const unsigned class = classAt(s, at);
  if (class == MOJIBAKE_LATIN_RARE)
    return classBefore(s, at) != MOJIBAKE_LOWER && classAt(s, at + 1) != MOJIBAKE_LOWER;
  return class == MOJIBAKE_GREEK_RARE || class == MOJIBAKE_CYRILLIC_RARE ||
         class == MOJIBAKE_ARABIC_RARE;
}

static int32_t costOfOddLetters(const Segment *s) {
  int32_t cost = 0;
  for (size_t h = 0; h < s->highs; h++) {
    const size_t at = s->high[h];
    if (isLoneOfScript(s, at)) cost += READING_LONE;
    if (isSeldomWritten(s, at)) cost += READING_RARE;
  }
  return cost;
}

/* Returns what it costs that bytes of the decoded runs were damaged, and how many high code points are in
** these. */
static int32_t costOfDamagedBytes(const Segment *s, const Runs *runs, size_t *covered) {
  int32_t cost = 0;
  *covered = 0;
  for (size_t i = 0; i < runs->count; i++) {
    if (!runs->is_decoded[i]) continue;
    for (size_t at = runs->start[i]; at < runs->end[i]; at++) {
      const int isHigh = s->kind[at] >= 0x80;
      *covered += (size_t)isHigh;
      if (!isHigh || s->code[at] == 0xFFFD) cost += READING_DAMAGE;
    }
  }
  return cost;
}

/* Is each decoded letter part of a Latin word that has small ASCII letters beside it? */
static int isAllInWords(const Segment *s) {
  for (size_t h = 0; h < s->highs; h++) {
    const size_t at = s->high[h];
    if (!s->is_decoded[at]) continue;
    if (traitsAt(s, at).script != MOJIBAKE_SCRIPT_LATIN) return 0;
    if (classBefore(s, at) != MOJIBAKE_LOWER && classAt(s, at + 1) != MOJIBAKE_LOWER)
      return 0;
  }
  return 1;
}

/* ---- the list ---------------------------------------------------------------------------------- */

/* Returns the reading with the text, or NULL. */
static Utf8MojibakeReading *readingWithText(Utf8MojibakeReadings *r,
                                            const uint8_t *text, size_t size) {
  for (size_t i = 0; i < r->count; i++) {
    if (r->list[i].of.written == size && memcmp(r->list[i].text, text, size) == 0)
      return &r->list[i];
  }
  return NULL;
}

/* Returns where a new reading goes: after the others, or over the dearest one. NULL if that costs less. */
static Utf8MojibakeReading *placeForReading(Utf8MojibakeReadings *r, int32_t cost) {
  if (r->count == UTF8_MOJIBAKE_READINGS) { /* unreachable: 5 at most are known */
    Utf8MojibakeReading *dearest = r->list;
    for (size_t i = 1; i < r->count; i++)
      if (r->list[i].cost > dearest->cost) dearest = &r->list[i];
    return dearest->cost > cost ? dearest : NULL;
  }
  return &r->list[r->count++];
}

/* Adds a segment that costs `before` more than its text; its letters do not count yet. Of two ways to the same text
** the likelier one stays. */
static void addReadingOfSegment(Utf8MojibakeReadings *r, const Segment *s,
                                int32_t before, const Utf8MojibakeSegment *of) {
  uint8_t text[UTF8_MOJIBAKE_TEXT];
  const int32_t cost = before + costOfOddLetters(s) + utf8mojibake_segment_cost(s);
  const size_t size = utf8mojibake_write_segment(s, text);
  Utf8MojibakeReading *to = readingWithText(r, text, size);
  if (to && to->cost <= cost) return;
  if (!to) to = placeForReading(r, cost);
  if (!to) return; /* unreachable: see placeForReading() */
  to->of = *of;
  to->of.written = size;
  to->is_in_words = isAllInWords(s);
  to->cost = cost;
  memcpy(to->text, text, size);
}

static int isLikelierReading(const Utf8MojibakeReading *a,
                             const Utf8MojibakeReading *b) {
  return a->cost < b->cost;
}

static void sortReadings(Utf8MojibakeReadings *r) {
  for (size_t i = 1; i < r->count; i++) {
    const Utf8MojibakeReading moved = r->list[i];
    size_t at = i;
    for (; at > 0 && isLikelierReading(&moved, &r->list[at - 1]); at--)
      r->list[at] = r->list[at - 1];
    if (at < i) r->list[at] = moved;
  }
}

/* Returns what the letters of a reading cost, or a number above bound. */
static int32_t costOfReadingLetters(const Utf8MojibakeReading *of,
                                    const Utf8MojibakePrior *prior, int32_t bound) {
  uint32_t codes[UTF8_MODEL_CODES];
  const size_t count = utf8detect_read_codes(codes, of->text, of->of.written);
  const uint64_t cost =
      utf8detect_letters_cost(codes, count, prior->languages, (uint64_t)bound * 2);
  return (int32_t)utf8detect_lesser(cost / 2, INT32_MAX / 2);
}

/* Adds what the letters cost, and removes the readings that cost too much more than the cheapest one. */
static void addLetters(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior) {
  int32_t most = INT32_MAX / 2;
  size_t kept = 0;
  sortReadings(r);
  for (size_t i = 0; i < r->count && r->list[i].cost <= most; i++) {
    Utf8MojibakeReading *reading = &r->list[i];
    reading->cost += costOfReadingLetters(reading, prior, most - reading->cost);
    if (reading->cost > most) continue;
    if (reading->cost + READING_MARGIN < most) most = reading->cost + READING_MARGIN;
    if (kept < i) r->list[kept] = *reading;
    kept++;
  }
  r->count = kept;
  sortReadings(r);
  while (r->list[r->count - 1].cost > most) r->count--;
}

/* ---- layers ------------------------------------------------------------------------------------ */

/* A text that may have been misread, and how it came from the value. */
typedef struct ReadingLayer {
  const Utf8MojibakePrior *prior;
  const Segment *segment;
  const Utf8MojibakeSegment *of;
  int32_t cost; /* without that of its text */
  int is_first;
} ReadingLayer;

static void addLayers(Utf8MojibakeReadings *r, const ReadingLayer *layer);

static int32_t costOfLayer(const ReadingLayer *layer, unsigned charset) {
  if (layer->is_first) return layer->prior->misread[charset];
  const int isOther = (int)charset != layer->of->charset;
  return READING_AGAIN + (isOther ? READING_OTHER + utf8mojibake_rarity[charset] : 0);
}

/* Has one of the runs a letter? */
static int hasLetterInRuns(const Runs *runs) {
  const uint32_t *code = runs->code;
  for (size_t i = 0; i < runs->count; code += runs->letters[i++]) {
    for (size_t k = 0; k < runs->letters[i] && runs->is_decoded[i]; k++)
      if (utf8mojibake_traits[utf8mojibake_kind_of(code[k])].script) return 1;
  }
  return 0;
}

/* Adds what the layer is if its runs are decoded, and what that may have been before. */
static void addDecoded(Utf8MojibakeReadings *r, const ReadingLayer *layer,
                       const Runs *runs) {
  Segment next;
  size_t covered;
  const int isKnown = layer->prior->known >> runs->charset & 1;
  if (layer->is_first && !isKnown && !hasLetterInRuns(runs))
    return; /* signs may be meant */
  if (!memchr(runs->is_decoded, 1, runs->count)) return;
  Utf8MojibakeSegment of = *layer->of;
  if (layer->is_first) {
    of.charset = (int)runs->charset;
    of.start = utf8mojibake_first_decoded(runs);
  }
  int32_t cost = layer->cost + costOfLayer(layer, runs->charset) +
                 costOfDamagedBytes(layer->segment, runs, &covered);
  if (covered < layer->segment->highs) cost += READING_PARTIAL;
  utf8mojibake_copy_segment(&next, layer->segment);
  of.runs += utf8mojibake_decode_runs(&next, runs);
  if (utf8mojibake_is_table(&next)) return;
  if (layer->is_first) addLayers(r, &(ReadingLayer){layer->prior, &next, &of, cost, 0});
  addReadingOfSegment(r, &next, cost, &of);
}

/* Adds what the layer may have been in each charset that reads all of it, or else in each that reads a part: with the
** runs decoded that this makes likelier, and with all. */
static void addLayers(Utf8MojibakeReadings *r, const ReadingLayer *layer) {
  const Segment *s = layer->segment;
  uint32_t charsets = utf8mojibake_whole_charsets(s);
  Runs runs;
  if (!charsets && layer->is_first) charsets = utf8mojibake_partial_charsets(s);
  for (; charsets; charsets &= charsets - 1) {
    utf8mojibake_read_all_runs(s, (unsigned)mask_lowest(charsets), &runs);
    addDecoded(r, layer, &runs);
    if (!memchr(runs.is_decoded, 0, runs.count)) continue;
    memset(runs.is_decoded, 1, runs.count);
    addDecoded(r, layer, &runs);
  }
}

/* ---- C1 controls ------------------------------------------------------------------------------- */

/* Adds the text if bytes of Mac Roman were read as Latin-1, as in "Coatl" U+0087 "n": as Windows-1252 the rules read
** it. */
static void addMacRoman(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                        const Segment *s) {
  const uint16_t *high = utf8charset_high(UTF8_CHARSET_MACINTOSH);
  uint8_t text[UTF8_MOJIBAKE_WHOLE * 3];
  size_t size = 0, runs = 0;
  Segment next;
  if (!s->c1) return;
  for (size_t at = 0; at < s->count; at++) {
    const uint32_t code = codeAt(s, at);
    if (code > 0xFF) return;
    runs += code >= 0x80;
    size += stepPut(text + size, code < 0x80 ? code : high[code - 0x80]);
  }
  if (size > UTF8_MOJIBAKE_WHOLE) return;
  const Utf8MojibakeSegment of = {runs, MOJIBAKE_MACINTOSH, s->high[0], 0};
  next.only = NULL;
  utf8mojibake_read_segment(&next, text, size);
  addReadingOfSegment(r, &next, READING_MAC + prior->misread[MOJIBAKE_MACINTOSH], &of);
}

/* ---- probabilities ----------------------------------------------------------------------------- */

static void setProbabilities(Utf8MojibakeReadings *r) {
  uint64_t sum = 0, weight[UTF8_MOJIBAKE_READINGS];
  for (size_t i = 0; i < r->count; i++) {
    weight[i] =
        utf8detect_weight(2 * (uint32_t)(r->list[i].cost - r->list[0].cost)) >> 9;
    sum += weight[i];
  }
  for (size_t i = 0; i < r->count; i++)
    r->list[i].probability = weight[i] * UTF8_MOJIBAKE_ONE / sum;
}

/* ---- what the rules decide ------------------------------------------------------------------------- */

/* The rules of mojibake/decide.h prove that a value was misread. What they make of it is sure if it is this likely
** beside other such readings. */
#define READING_RULED (UTF8_MOJIBAKE_ONE / 100 * 94)

/* Adds the text that the rules restore, for what only they know: C1 controls of Windows-1252. */
static void addRuled(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                     const uint8_t *text, const Utf8MojibakeSegment *ruled) {
  Segment s;
  if (readingWithText(r, text, ruled->written)) return;
  s.only = NULL;
  utf8mojibake_read_segment(&s, text, ruled->written);
  addReadingOfSegment(r, &s, prior->misread[ruled->charset], ruled);
}

/* Removes the value as it is from the list. */
static void removeItself(Utf8MojibakeReadings *r) {
  size_t kept = 0;
  for (size_t i = 0; i < r->count; i++)
    if (r->list[i].of.runs) r->list[kept++] = r->list[i];
  r->count = kept;
}

/* Gives the first reading a probability, and the others what is left, in the same proportion. */
static void setFirstReading(Utf8MojibakeReadings *r, uint64_t p) {
  const uint64_t rest = UTF8_MOJIBAKE_ONE - r->list[0].probability;
  for (size_t i = 1; i < r->count && rest > 0; i++)
    r->list[i].probability = r->list[i].probability * (UTF8_MOJIBAKE_ONE - p) / rest;
  r->list[0].probability = p;
}

static int isSureByRule(const Utf8MojibakeReading *first, const uint8_t *text,
                        const Utf8MojibakeSegment *ruled) {
  return first->probability >= READING_RULED &&
         first->probability < UTF8_MOJIBAKE_SURE &&
         first->of.written == ruled->written &&
         memcmp(first->text, text, ruled->written) == 0;
}

/* Without a rule, a reading is sure only if its letters are parts of words, since beside signs, in capitals and in
** text of other charsets clean text looks misread, and only in a common charset. Else it is at most this likely. */
#define READING_DOUBTFUL (UTF8_MOJIBAKE_ONE / 100 * 99)
#define READING_COMMON   8 /* the rarity of a common charset, at most */

static int isDoubtfulReading(const Utf8MojibakeReading *first,
                             const Utf8MojibakePrior *prior) {
  return first->of.runs && first->probability > READING_DOUBTFUL &&
         !(prior->known >> first->of.charset & 1) &&
         (!first->is_in_words ||
          utf8mojibake_rarity[first->of.charset] > READING_COMMON);
}

/* ---- all ----------------------------------------------------------------------------------------- */

/* Lists the readings of a segment, of which the rules make a text, if they make one. */
static void listOfSegment(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                          const Segment *s, const uint8_t *restored,
                          const Utf8MojibakeSegment *ruled) {
  const Utf8MojibakeSegment itself = {0, -1, 0, 0};
  r->count = 0;
  addReadingOfSegment(r, s, prior->itself, &itself);
  addLayers(r, &(ReadingLayer){prior, s, &itself, 0, 1});
  addMacRoman(r, prior, s);
  if (ruled->runs) {
    addRuled(r, prior, restored, ruled);
    removeItself(r);
  }
  addLetters(r, prior);
  setProbabilities(r);
  if (ruled->runs && isSureByRule(r->list, restored, ruled))
    setFirstReading(r, UTF8_MOJIBAKE_SURE);
  if (!ruled->runs && isDoubtfulReading(r->list, prior))
    setFirstReading(r, READING_DOUBTFUL);
}

void utf8mojibake_readings(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                           const uint8_t *text, size_t size) {
  Segment s;
  Utf8MojibakePrior alone;
  uint8_t restored[UTF8_MOJIBAKE_TEXT];
  const Utf8MojibakeSegment ruled =
      utf8mojibake_restore_segment(NULL, text, size, restored);
  utf8mojibake_alone(&alone);
  s.only = NULL;
  utf8mojibake_read_segment(&s, text, size);
  listOfSegment(r, prior ? prior : &alone, &s, restored, &ruled);
}

/* Stores the likeliest reading of a line in *to. Returns 0 if none is sure but the line as it is. */
static int readSurely(Utf8MojibakeReading *to, const uint8_t *text, size_t size) {
  Segment s;
  Utf8MojibakeReadings r;
  Utf8MojibakePrior prior;
  uint8_t restored[UTF8_MOJIBAKE_TEXT];
  s.only = NULL;
  utf8mojibake_read_segment(&s, text, size);
  const int mayBeWhole = utf8mojibake_whole_charsets(&s) != 0;
  const Utf8MojibakeSegment ruled = utf8mojibake_restore_read(&s, restored);
  if (!ruled.runs && !mayBeWhole) return 0;
  utf8mojibake_read_segment(&s, text, size);
  utf8mojibake_alone(&prior);
  listOfSegment(&r, &prior, &s, restored, &ruled);
  if (r.list[0].of.runs == 0 || r.list[0].probability < UTF8_MOJIBAKE_SURE) return 0;
  *to = r.list[0];
  return 1;
}

Utf8MojibakeSegment utf8mojibake_restore_line(const uint8_t *text, size_t size,
                                              uint8_t *out) {
  Utf8MojibakeReading reading, next;
  if (!readSurely(&reading, text, size)) return (Utf8MojibakeSegment){0, -1, 0, 0};
  while (reading.of.written <= UTF8_MOJIBAKE_WHOLE &&
         readSurely(&next, reading.text, reading.of.written)) {
    memcpy(reading.text, next.text, next.of.written);
    reading.of.written = next.of.written;
  }
  if (out) memcpy(out, reading.text, reading.of.written);
  return reading.of;
}
