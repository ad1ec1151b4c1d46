/* mojibake/readings.c: decides what a segment was before it was misread (mojibake/readings.h). */
#include "mojibake/readings.h"
#include "charset/legacy/legacy.h"
#include "core/step.h"
#include "detect/likelihood.h"
#include "detect/weight.h"
#include "mojibake/cost.h"
#include "mojibake/multibyte.h"
#include "mojibake/runs.h"
#include "core/bytes.h"
#include <string.h>

/* ---- what must have happened ------------------------------------------------------------------- */

/* What these facts cost, in quarters of a bit. tool/detect/undone.py and tool/mojibake/bounds.py measure what follows
** from them. */
enum {
  READING_MISREAD = 32, /* a value alone was misread */
  READING_AGAIN = 8,    /* it was misread twice */
  READING_OTHER = 72,   /* the second time was in another charset */
  /* Only a part was misread, twice if the charset reads all of the text; and for each clean high code point, or once if
  ** it is punctuation. */
  READING_PARTIAL = 14,
  READING_CLEAN = 6,
  READING_PUNCTUATION = 20,
  READING_DEARER = 30, /* a word that becomes this much dearer was not misread */
  /* Only common signs were misread, which may be meant; and for each run of them. */
  READING_SIGNS = 24,
  READING_SIGN = 12,
  READING_MAC = 56,     /* Mac Roman was read as Latin-1, apart from how rare it is */
  READING_CHANGED = 28, /* a no-break space became a space, or a byte was lost */
  READING_CUT = 140,    /* the end of the text cut a character */
  /* The text is in a charset that is not compared; and for each byte of it. */
  READING_GARBLE = 100,
  READING_BYTE = 72,
  READING_MARGIN =
      48, /* a reading is not listed if it costs this much more than another */
  READING_SURE = 38 /* a text is restored only if that saves this much */
};

void utf8mojibake_alone(Utf8MojibakePrior *prior) {
  prior->itself = 0;
  prior->known = 0;
  prior->languages = NULL;
  for (unsigned i = 0; i < MOJIBAKE_WITH_RIVALS; i++)
    prior->misread[i] = READING_MISREAD + utf8mojibake_rarity[i];
}

/* Letters farther from what may have been misread than this say little about it. */
#define READING_BESIDE 16

/* ---- what letters cost --------------------------------------------------------------------------- */

/* Returns what the letters of code points cost, less what known words speak for them, or a number above bound. The model counts
** in half of our unit. */
static int32_t costOfReadingLetters(const uint32_t *codes, size_t count,
                                    const Utf8MojibakePrior *prior, int32_t bound) {
  const int32_t known =
      4 * UTF8_KNOWN_BITS * (int32_t)utf8detect_lexicon_known_codes(codes, count);
  const uint64_t cost = utf8detect_letters_cost(codes, count, prior->languages,
                                                (uint64_t)(bound + known) * 2 + 1);
  return (int32_t)utf8detect_lesser(cost / 2, INT32_MAX / 2) - known;
}

/* Returns what the segment costs as text in a charset that is not compared, punctuation apart. That is out of the question
** if a charset that is compared explains all of it. */
static int32_t costAsGarble(const Utf8MojibakeReadings *r, const Segment *s,
                            const Utf8MojibakePrior *prior) {
  uint32_t codes[CODES_MAX];
  size_t count = 0;
  int32_t cost = prior->itself + READING_GARBLE;
  if (utf8mojibake_whole_charsets(s)) return INT32_MAX / 2;
  for (size_t at = r->before; at < s->count - r->after; at++) {
    if (s->kind[at] < 0x80)
      codes[count++] = s->kind[at];
    else if (!isPunctuation(classAt(s, at)))
      cost += READING_BYTE;
  }
  return cost + utf8mojibake_frame_cost(s) +
         costOfReadingLetters(codes, count, prior, INT32_MAX / 4);
}

/* ---- what segments cost -------------------------------------------------------------------------- */

/* A segment, and what its first code points cost, if that is known. */
typedef struct CostedSegment {
  Segment segment;
  int has_costs;
  int32_t sum[CODES_MAX + 1];
} CostedSegment;

static void findCosts(CostedSegment *s) {
  if (!s->has_costs) utf8mojibake_costs(&s->segment, s->sum);
  s->has_costs = 1;
}

/* Returns what all of the segment costs, letters apart. */
static int32_t costOfSegment(CostedSegment *s) {
  findCosts(s);
  return s->sum[s->segment.count];
}

/* Returns what the code points from..end cost, letters apart. */
static int32_t costOfPart(const CostedSegment *s, size_t from, size_t end) {
  return s->has_costs ? s->sum[end] - s->sum[from]
                      : utf8mojibake_cost(&s->segment, from, end);
}

static void readSegment(CostedSegment *s, const uint8_t *text, size_t size, int isEnd) {
  s->has_costs = 0;
  utf8mojibake_read_segment(&s->segment, NULL, isEnd, text, size);
}

static void copySegment(CostedSegment *to, const CostedSegment *from) {
  utf8mojibake_copy_segment(&to->segment, &from->segment);
  to->has_costs = 0;
}

/* ---- the list ---------------------------------------------------------------------------------- */

/* Returns the reading with the text, or NULL. */
static Utf8MojibakeReading *readingWithText(Utf8MojibakeReadings *r,
                                            const uint8_t *text, size_t size) {
  for (size_t i = 1; i < r->count; i++) {
    if (r->list[i].of.written == size && memcmp(r->list[i].text, text, size) == 0)
      return &r->list[i];
  }
  return NULL;
}

/* Returns where a new reading goes: after the others, or over the dearest one. NULL if that costs less. */
static Utf8MojibakeReading *placeForReading(Utf8MojibakeReadings *r, int32_t cost) {
  if (r->count < UTF8_MOJIBAKE_READINGS) return &r->list[r->count++];
  Utf8MojibakeReading *dearest = &r->list[1];
  for (size_t i = 2; i < r->count; i++)
    if (r->list[i].cost > dearest->cost) dearest = &r->list[i];
  return dearest->cost > cost ? dearest : NULL;
}

/* Adds a restored segment that costs `before` more than its text; its letters do not count yet. Of two ways to the same
** text the likelier one stays. */
static void addRestored(Utf8MojibakeReadings *r, CostedSegment *s, size_t covered,
                        int32_t before, const Utf8MojibakeSegment *of) {
  uint8_t text[UTF8_MOJIBAKE_TEXT];
  const size_t size = utf8mojibake_write_segment(&s->segment, text);
  Utf8MojibakeReading *to = readingWithText(r, text, size);
  if (to && to->before <= before) return;
  const int32_t cost = before + (to ? to->cost - to->before : costOfSegment(s));
  if (!to) to = placeForReading(r, cost);
  if (!to) return;
  to->of = *of;
  to->of.written = size;
  to->covered = covered;
  to->before = before;
  to->cost = cost;
  memcpy(to->text, text, size);
}

static void sortReadings(Utf8MojibakeReadings *r) {
  for (size_t i = 1; i < r->count; i++) {
    const Utf8MojibakeReading moved = r->list[i];
    size_t at = i;
    for (; at > 0 && moved.cost < r->list[at - 1].cost; at--)
      r->list[at] = r->list[at - 1];
    if (at < i) r->list[at] = moved;
  }
}

/* Adds the segment as it is, after all others, and sorts; letters do not count yet. */
static void addItself(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                      CostedSegment *s) {
  Utf8MojibakeReading *to = &r->list[0];
  const size_t size = utf8mojibake_write_segment(&s->segment, to->text);
  to->of = (Utf8MojibakeSegment){0, -1, 0, size};
  to->covered = 0;
  to->before = prior->itself;
  to->cost = prior->itself + costOfSegment(s);
  sortReadings(r);
}

/* Returns what a reading costs with its letters, or a number above bound. */
static int32_t costWithLetters(const Utf8MojibakeReadings *r,
                               const Utf8MojibakeReading *of,
                               const Utf8MojibakePrior *prior, int32_t bound) {
  uint32_t codes[UTF8_MODEL_CODES];
  if (of->cost > bound) return of->cost;
  const size_t count = utf8detect_read_codes(codes, of->text + r->before,
                                             of->of.written - r->before - r->after);
  return of->cost + costOfReadingLetters(codes, count, prior, bound - of->cost);
}

/* Adds what letters cost, and removes the readings that cost too much more than the cheapest one. The text as it is costs
** at most `garble`. */
static void addLetters(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                       int32_t garble) {
  int32_t most = garble + READING_MARGIN;
  size_t kept = 0;
  for (size_t i = 0; i < r->count; i++) {
    Utf8MojibakeReading *reading = &r->list[i];
    reading->cost = costWithLetters(r, reading, prior, most);
    if (reading->of.runs == 0 && garble < reading->cost) reading->cost = garble;
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

/* A letter hardly ever costs more in the language that a text fits best. */
#define READING_LETTER 80

/* A text that may have been misread, and how it came from the value. */
typedef struct ReadingLayer {
  const Utf8MojibakePrior *prior;
  CostedSegment *costed;
  const Utf8MojibakeSegment *of;
  size_t covered; /* how many high code points of the value are restored in it */
  int32_t cost;   /* without that of its text */
  int is_first;
} ReadingLayer;

static int addLayers(Utf8MojibakeReadings *r, const ReadingLayer *layer);

/* Adds the segment, which costs `before` more than its text, if C1 controls are bytes of Windows-1252. */
static void addWindows(Utf8MojibakeReadings *r, const CostedSegment *s, int32_t before,
                       const Utf8MojibakeSegment *of) {
  CostedSegment next;
  Utf8MojibakeSegment all = *of;
  size_t start = 0;
  copySegment(&next, s);
  const size_t restored = utf8mojibake_restore_c1(&next.segment, &start);
  if (all.runs == 0) all.start = start;
  all.runs += restored;
  if (restored) addRestored(r, &next, s->segment.highs, before, &all);
}

/* Returns what it costs that text was misread in a charset, and so became the layer. */
static int32_t costOfMisreading(const ReadingLayer *layer, unsigned charset) {
  if (layer->is_first) return layer->prior->misread[charset];
  const int isOther = (int)charset != layer->of->charset;
  return READING_AGAIN + (isOther ? READING_OTHER + utf8mojibake_rarity[charset] : 0);
}

/* Returns what it costs that code points beside the runs were not misread. */
static int32_t costOfClean(const Segment *s, const Runs *runs) {
  int32_t cost = READING_PARTIAL;
  int hasSigns = 0;
  if (runs->covered == s->highs) return 0;
  if (utf8mojibake_whole_charsets(s) >> runs->charset & 1) cost += READING_PARTIAL;
  for (size_t h = 0, r = 0; h < s->highs; h++) {
    const size_t at = s->high[h];
    const unsigned class = classAt(s, at);
    while (r < runs->count && runs->end[r] <= at) r++;
    if (r < runs->count && runs->start[r] <= at) continue;
    if (isPunctuation(class) && class != MOJIBAKE_APOSTROPHE)
      hasSigns = 1;
    else
      cost += READING_CLEAN;
  }
  return cost + READING_PUNCTUATION * hasSigns;
}

/* Returns what it costs that the runs of the layer were misread. */
static int32_t costOfLayer(const ReadingLayer *layer, const Runs *runs) {
  const int isKnown = layer->prior->known >> runs->charset & 1;
  int32_t cost = layer->cost + costOfMisreading(layer, runs->charset);
  cost += costOfClean(&layer->costed->segment, runs);
  if (layer->is_first && !isKnown && !runs->is_more_than_signs)
    cost += READING_SIGNS + READING_SIGN * (int32_t)runs->count;
  return cost + READING_CHANGED * (int32_t)runs->changed +
         (runs->is_cut ? READING_CUT : 0);
}

/* A place in the decoded segment, and the place in the original that it came from. */
typedef struct RunDecoded {
  size_t at;
  size_t from;
} RunDecoded;

/* Returns by how much decoding run r makes the segment cheaper, letters apart. `next` is the decoded segment; *in is where
** the run before ended, and moves past this one. */
static int32_t savedByRun(const CostedSegment *s, const Runs *runs, size_t r,
                          const CostedSegment *next, RunDecoded *in) {
  const size_t start = runs->start[r], end = runs->end[r];
  const size_t after =
      end < s->segment.count; /* what follows has a cost of its own there */
  in->at += start - in->from;
  const size_t next_end = in->at + runs->letters[r];
  const int32_t saved =
      costOfPart(s, start, end + after) - costOfPart(next, in->at, next_end + after);
  in->at = next_end;
  in->from = end;
  return saved;
}

/* Can decoding the runs of a part save at least a cost? A quick test that excludes most clean text. */
static int isWorth(const CostedSegment *s, const Runs *runs, const CostedSegment *next,
                   int32_t cost) {
  int32_t saved = READING_MARGIN + READING_LETTER * (int32_t)runs->covered;
  RunDecoded in = {0, 0};
  for (size_t r = 0; r < runs->count; r++) saved += savedByRun(s, runs, r, next, &in);
  return saved >= cost;
}

/* Are there only letters, digits and what joins them between two runs? */
static int isOneWord(const Segment *s, size_t from, size_t to) {
  for (size_t at = from; at < to; at++) {
    const Utf8MojibakeTraits traits = traitsAt(s, at);
    if (s->kind[at] < 0x80 && !traits.script && traits.class != MOJIBAKE_DIGIT &&
        traits.class != MOJIBAKE_JOIN)
      return 0;
  }
  return 1;
}

/* Keeps the runs of the words that do not cost much more in `next`, where all are decoded: the others are clean. Returns 1
** if these are some, but not all. */
static int keepCheaper(CostedSegment *costed, Runs *runs, CostedSegment *next) {
  const Segment *s = &costed->segment;
  uint8_t keep[RUNS_MAX];
  RunDecoded in = {0, 0};
  size_t kept = 0;
  const size_t count = runs->count;
  findCosts(costed);
  findCosts(next);
  for (size_t r = 0, first = 0; r < count; first = r) {
    int isKept = !utf8mojibake_is_torn(s, runs, r);
    int32_t saved = savedByRun(costed, runs, r++, next, &in);
    for (; r < count && isOneWord(s, runs->end[r - 1], runs->start[r]); r++) {
      isKept &= !utf8mojibake_is_torn(s, runs, r);
      saved += savedByRun(costed, runs, r, next, &in);
    }
    isKept &= saved > -READING_DEARER;
    memset(keep + first, isKept, r - first);
    kept += isKept ? r - first : 0;
  }
  if (kept == 0 || kept == count) return 0;
  utf8mojibake_keep_runs(s, runs, keep);
  return 1;
}

/* Decodes the runs of the layer to *next. Adds that, and what it may have been before, if the runs can have been misread.
** Returns 1 if it is code about mojibake, which is not to be restored. */
static int addDecoded(Utf8MojibakeReadings *r, const ReadingLayer *layer,
                      const Runs *runs, CostedSegment *next) {
  const Segment *s = &layer->costed->segment;
  Utf8MojibakeSegment of = *layer->of;
  of.runs += utf8mojibake_decode_runs(&next->segment, s, runs);
  next->has_costs = 0;
  if (!utf8mojibake_are_credible(s, runs)) return 0;
  if (layer->is_first) {
    of.charset = (int)runs->charset;
    of.start = runs->start[0];
  }
  const int32_t cost = costOfLayer(layer, runs);
  if (runs->covered < s->highs && !isWorth(layer->costed, runs, next, cost)) return 0;
  if (utf8mojibake_is_table(&next->segment)) return 1;
  const ReadingLayer before = {layer->prior, next, &of, runs->covered, cost, 0};
  if (layer->is_first && addLayers(r, &before)) return 1;
  addRestored(r, next, layer->covered + runs->covered, cost, &of);
  if (layer->is_first && next->segment.c1) {
    const int hasC1 = utf8mojibake_byte[runs->charset][utf8mojibake_kind_of(0x81)] != 0;
    addWindows(r, next, cost + READING_AGAIN + (hasC1 ? 0 : READING_OTHER), &of);
  }
  return 0;
}

/* Adds what the layer may have been in a charset; and likewise without its clean words, if it has some. Returns 1 if one is
** code about mojibake. */
static int addCharset(Utf8MojibakeReadings *r, const ReadingLayer *layer,
                      unsigned charset) {
  const Segment *s = &layer->costed->segment;
  CostedSegment next;
  Runs runs;
  utf8mojibake_read_runs(s, charset, &runs);
  if (runs.count < 2 && !utf8mojibake_are_credible(s, &runs)) return 0;
  int isTable = addDecoded(r, layer, &runs, &next);
  if (layer->is_first && runs.count > 1 && keepCheaper(layer->costed, &runs, &next))
    isTable |= addDecoded(r, layer, &runs, &next);
  return isTable;
}

/* Adds what the layer may have been in each charset that reads all of it, or else in each that reads a part. Returns 1 if
** one makes it code about mojibake. */
static int addLayers(Utf8MojibakeReadings *r, const ReadingLayer *layer) {
  const Segment *s = &layer->costed->segment;
  uint32_t charsets = utf8mojibake_whole_charsets(s);
  int isTable = 0;
  if (!charsets && layer->is_first) charsets = utf8mojibake_partial_charsets(s);
  for (; charsets; charsets &= charsets - 1)
    isTable |= addCharset(r, layer, (unsigned)mask_lowest(charsets));
  return isTable;
}

/* ---- C1 controls ------------------------------------------------------------------------------- */

/* Adds the text if bytes of Mac Roman were read as Latin-1, as in "Coatl" U+0087 "n". */
static void addMacRoman(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                        const Segment *s) {
  const uint16_t *high = utf8charset_high(UTF8_CHARSET_MACINTOSH);
  uint8_t text[UTF8_MOJIBAKE_LINE * 3];
  size_t size = 0;
  CostedSegment next;
  if (utf8mojibake_partial_charsets(s) >> MOJIBAKE_LATIN1 & 1) return;
  for (size_t at = 0; at < s->count; at++) {
    const uint32_t code = codeAt(s, at);
    if (code > 0xFF) return;
    size += stepPut(text + size, code < 0x80 ? code : high[code - 0x80]);
  }
  if (size > UTF8_MOJIBAKE_LINE) return;
  const Utf8MojibakeSegment of = {s->highs, MOJIBAKE_MACINTOSH, s->high[0], 0};
  readSegment(&next, text, size, 0);
  addRestored(r, &next, s->highs, READING_MAC + prior->misread[MOJIBAKE_MACINTOSH],
              &of);
}

/* ---- all ----------------------------------------------------------------------------------------- */

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

/* Stores what a segment may have been before it was misread, after a place for itself; letters do not count yet. Returns
** 1 if it may be code about mojibake. */
static int gatherReadings(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                          CostedSegment *costed) {
  const Segment *s = &costed->segment;
  const Utf8MojibakeSegment itself = {0, -1, 0, 0};
  r->before = r->after = 0;
  if (s->highs > 0) {
    const size_t after = s->count - 1 - s->high[s->highs - 1];
    r->before = s->high[0] - bytes_min(s->high[0], READING_BESIDE);
    r->after = after - bytes_min(after, READING_BESIDE);
  }
  r->count = 1;
  const int isTable = addLayers(r, &(ReadingLayer){prior, costed, &itself, 0, 0, 1});
  if (s->c1) {
    const Utf8MojibakeSegment latin1 = {0, MOJIBAKE_LATIN1, 0, 0};
    addMacRoman(r, prior, s);
    addWindows(r, costed, prior->misread[MOJIBAKE_LATIN1], &latin1);
  }
  return isTable;
}

/* Lists the text that was misread in a multi-byte charset, and the text as it is. Returns 0 if it was not. */
static int listMultibyte(Utf8MojibakeReadings *r, const uint8_t *text, size_t size) {
  Utf8Multibyte found;
  if (utf8mojibake_read_multibyte(&found, text, size, r->list[0].text) <= 0) return 0;
  r->list[0].of = (Utf8MojibakeSegment){1, found.charset, found.start, found.written};
  r->list[0].probability = found.probability;
  r->list[1].of = (Utf8MojibakeSegment){0, -1, 0, size};
  r->list[1].probability = UTF8_MOJIBAKE_ONE - found.probability;
  memcpy(r->list[1].text, text, size);
  r->count = 2;
  return 1;
}

void utf8mojibake_readings(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                           const uint8_t *text, size_t size) {
  CostedSegment s;
  Utf8MojibakePrior alone;
  if (listMultibyte(r, text, size)) return;
  utf8mojibake_alone(&alone);
  if (!prior) prior = &alone;
  readSegment(&s, text, size, 1);
  gatherReadings(r, prior, &s);
  addItself(r, prior, &s);
  addLetters(r, prior, costAsGarble(r, &s.segment, prior));
  setProbabilities(r);
}

/* ---- restoring ------------------------------------------------------------------------------------ */

/* Can the letters of a restored text save enough? Quick for most clean text. */
static int canLettersSave(const Utf8MojibakeReadings *r) {
  const int32_t most = r->list[0].cost - READING_SURE;
  for (size_t i = 1; i < r->count; i++)
    if (r->list[i].cost - READING_LETTER * (int32_t)r->list[i].covered <= most)
      return 1;
  return 0;
}

/* Can a reading be sure? Clean text costs the least as it is. */
static int canBeSure(const Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior) {
  if (r->list[0].of.runs > 0) return 1;
  if (!canLettersSave(r)) return 0;
  const int32_t most =
      costWithLetters(r, &r->list[0], prior, INT32_MAX / 4) - READING_SURE;
  for (size_t i = 1; i < r->count; i++)
    if (costWithLetters(r, &r->list[i], prior, most) <= most) return 1;
  return 0;
}

/* May some of the segment have been misread? */
static int mayBeMisread(const Segment *s) {
  return s->c1 || utf8mojibake_whole_charsets(s) || utf8mojibake_partial_charsets(s);
}

/* Stores the likeliest reading of a segment in *to. Returns 0 if none is sure but the text as it is; -1 if this is code
** about mojibake. */
static int readSurely(Utf8MojibakeReading *to, const uint8_t *text, size_t size,
                      int isEnd) {
  CostedSegment s;
  Utf8MojibakeReadings r;
  Utf8MojibakePrior prior;
  readSegment(&s, text, size, isEnd);
  if (!mayBeMisread(&s.segment)) return 0;
  utf8mojibake_alone(&prior);
  if (gatherReadings(&r, &prior, &s)) return -1;
  if (r.count == 1) return 0;
  addItself(&r, &prior, &s);
  if (!canBeSure(&r, &prior)) return 0;
  addLetters(&r, &prior, costAsGarble(&r, &s.segment, &prior));
  setProbabilities(&r);
  if (r.list[0].of.runs == 0 || r.list[0].probability < UTF8_MOJIBAKE_SURE) return 0;
  *to = r.list[0];
  return 1;
}

Utf8MojibakeSegment utf8mojibake_restore_segment(const uint8_t *text, size_t size,
                                                 int isEnd, uint8_t *out) {
  const Utf8MojibakeSegment none = {0, -1, 0, 0};
  Utf8MojibakeReading reading, next;
  int is = readSurely(&reading, text, size, isEnd);
  if (is != 1) return none;
  while (reading.of.written <= UTF8_MOJIBAKE_LINE) {
    is = readSurely(&next, reading.text, reading.of.written, isEnd);
    if (is != 1) break;
    memcpy(reading.text, next.text, next.of.written);
    reading.of.written = next.of.written;
  }
  if (is < 0) return none;
  if (out) memcpy(out, reading.text, reading.of.written);
  return reading.of;
}
