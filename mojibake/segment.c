/* mojibake/segment.c: repairs one segment of text (mojibake/segment.h).
**
** Each charset that could explain the segment's pairs is tried. Runs of code points that are
** UTF-8 in it are decoded, and the text before is compared with the text after. The cost of
** a text is the number of bits that it takes in a model of text: for each code point, its
** class after the class of the code point before, and the code point within its class
** (tool/mojibake/model.py). A run is decoded if that saves enough bits. The charset that
** saves the most is undone first; then the segment is examined again, until nothing is
** left.
**
** Several of the questions asked here, and the cases that are undone, are facts from ftfy
** 6.3.1 (Apache License 2.0, by Robyn Speer): a no-break space that became a space, a byte
** lost as U+FFFD, CESU-8, and C1 controls.
*/
#include "mojibake/segment.h"
#include "mojibake/read.h"
#include "charset/legacy.h"

/* ---- costs, in quarters of a bit ----------------------------------------------------- */

#define WEAK        4   /* in misread text, each run that saves this is decoded */
#define LOST        -28 /* like WEAK, if a byte of the run was lost or became a space */
#define LONE        80  /* for a single code point of a far script */
#define NATURAL     40  /* for a run that may be part of a word */
#define FAMILIAR    12  /* leadFee() */
#define CLEAR       80  /* saved by a run that cannot be meant */
#define NO_EVIDENCE 4000 /* more than any run saves */
#define RATIO       6    /* evidence saves a sixth of what the decoded run costs */

#define LATIN1 1 /* the number of iso-8859-1 among the charsets */

/* ---- the cost of code points ------------------------------------------------------------ */

/* What decides the cost of the next code point. */
typedef struct Context {
  unsigned class;  /* of the last code point */
  unsigned own;    /* its script, 0 if it is no letter */
  unsigned script; /* of the last letter, 0 if there is none near */
} Context;

static unsigned scriptBefore(const Segment *s, size_t at) {
  for (size_t i = at; i > 0 && at - i < UTF8_MOJIBAKE_NEAR; i--) {
    const unsigned script = traitsAt(s, i - 1).script;
    if (script) return script;
  }
  return 0;
}

static unsigned scriptAfter(const Segment *s, size_t at) {
  for (size_t i = at; i < s->count && i - at < UTF8_MOJIBAKE_NEAR; i++) {
    const unsigned script = traitsAt(s, i).script;
    if (script) return script;
  }
  return 0;
}

static Context contextBefore(const Segment *s, size_t at) {
  if (at == 0) return (Context){MOJIBAKE_SPACE, 0, 0};
  const Utf8MojibakeTraits last = traitsAt(s, at - 1);
  return (Context){last.class, last.script, scriptBefore(s, at)};
}

/* Returns the cost of a code point, and moves the context past it. */
ALWAYS_INLINE int32_t addKind(Context *before, unsigned kind) {
  const Utf8MojibakeTraits traits = utf8mojibake_traits[kind];
  int32_t cost = utf8mojibake_pair[before->class][traits.class] + traits.cost;
  if (!before->own) cost += utf8mojibake_switch[before->script][traits.script];
  before->class = traits.class;
  before->own = traits.script;
  if (traits.script) before->script = traits.script;
  return cost;
}

/* Returns the part of the cost of what follows a run that depends on the run. `script` is that
** of the next letter. */
static int32_t costAfter(Context last, Utf8MojibakeTraits next, unsigned script) {
  const int32_t cost = utf8mojibake_pair[last.class][next.class];
  if (next.script && last.own) return cost;
  return cost + utf8mojibake_switch[last.script][script];
}

/* ---- a run ------------------------------------------------------------------------------ */

typedef struct Run {
  size_t start, end; /* equal: there is none */
  size_t letters;    /* how many sequences it has */
  int32_t gain;      /* how much decoding it saves */
  int32_t fee;       /* what it must save besides to be evidence */
  int is_damaged;    /* a byte was lost or became a space */
  int is_clear;      /* it saves a lot, and becomes common text */
} Run;

/* Is the run a natural part of a word: letters of the script around it, in a usual case? */
static int isNatural(const Segment *s, const Run *run) {
  const Utf8MojibakeTraits first = traitsAt(s, run->start);
  const Context last = contextBefore(s, run->start);
  const unsigned script = first.script, after = scriptAfter(s, run->end);
  if (!script || ((last.script || after) && last.script != script && after != script))
    return 0;
  if (last.own && isUpper(first.class) && !isUpper(last.class)) return 0;
  for (size_t i = run->start + 1; i < run->end; i++) {
    const Utf8MojibakeTraits next = traitsAt(s, i);
    if (next.script != script) return 0;
    if (i > run->start + 1 && isUpper(next.class) != isUpper(classAt(s, i - 1)))
      return 0;
  }
  return isUpper(first.class) || !isUpper(classAt(s, run->end - 1));
}

/* Is it one letter of Greek, Cyrillic or another far script and a sign, where no other script
** is written: "220 В±10%", "кВ·А", "ГОСТ Р®"? */
static int isUnit(const Segment *s, const Run *run) {
  const unsigned script = traitsAt(s, run->start).script;
  const unsigned before = scriptBefore(s, run->start), after = scriptAfter(s, run->end);
  if (run->letters != 1 || !script || s->code[run->start] < 0x370) return 0;
  return before == script || after == script || (!before && !after);
}

static int isQuote(unsigned class) {
  return class == MOJIBAKE_QUOTE || class == MOJIBAKE_APOSTROPHE ||
         class == MOJIBAKE_LEFT_GUILLEMET || class == MOJIBAKE_RIGHT_GUILLEMET;
}

/* Does the run start or end as quoted text does? */
static int isQuoted(const Segment *s, const Run *run) {
  const unsigned before = classBefore(s, run->start);
  if (before == MOJIBAKE_SPACE && isQuote(classAt(s, run->start))) return 1;
  return isQuote(before) && isQuote(classAt(s, run->end - 1));
}

/* Is the run a word of a capital letter and punctuation, such as an angstrom and a dash? */
static int isSign(const Segment *s, const Run *run) {
  return run->letters == 1 && classAt(s, run->start) == MOJIBAKE_LATIN_UPPER &&
         classBefore(s, run->start) == MOJIBAKE_SPACE &&
         classAt(s, run->end) == MOJIBAKE_SPACE;
}

/* What the first lead byte says: "Ã", "Â" and "√", except in roots, are far more often misread
** than meant; "¬" is part of faces. */
static int32_t leadFee(const Segment *s, size_t at) {
  const uint32_t code = s->code[at];
  if (code == 0xC2 || code == 0xC3) return -FAMILIAR;
  if (code == 0xAC) return 4 * FAMILIAR;
  if (code != 0x221A || s->code[at + 1] == 0x3C0) return 0;
  return -2 * FAMILIAR;
}

/* Returns what makes the run weak evidence. */
static int32_t evidenceFee(const Segment *s, unsigned charset, const Run *run) {
  const uint32_t first = s->code[run->start];
  int32_t fee = leadFee(s, run->start);
  if (run->fee < 0) return fee; /* readAGrave() found a word */
  if (run->letters <= 2 && isNatural(s, run))
    fee += first < 0x250 ? NATURAL / 2 : NATURAL;
  if (isQuoted(s, run)) fee += NATURAL;
  if (s->code[run->end - 1] == 0xA0 && !(MOJIBAKE_SPACED >> charset & 1))
    fee += NATURAL;
  if (isSign(s, run)) fee += NATURAL / 2;
  if (isUnit(s, run)) fee += NO_EVIDENCE;
  return fee;
}

/* Is a single code point of the class an accident where the run is? */
static int isFar(const Segment *s, unsigned class, const Run *run) {
  const unsigned far = utf8mojibake_traits_of(class).far;
  if (far != 1) return far != 0;
  return classBefore(s, run->start) != MOJIBAKE_SPACE ||
         classAt(s, run->end) != MOJIBAKE_SPACE;
}

/* Do the decoded code points cost no more than common text does? */
static int isCommonRun(const Run *run, int32_t cost, Context last) {
  const int32_t extra =
      utf8mojibake_traits_of(last.class).far ? 2 * UTF8_MOJIBAKE_COMMON : 0;
  return cost <= UTF8_MOJIBAKE_COMMON * (int32_t)run->letters + extra;
}

/* Completes a run of which start, end, letters and is_damaged are known, and in fee the fees
** of its sequences. `cost` and `last` are of the decoded code points, `before` is the context
** before. */
static void weighRun(const Segment *s, Run *run, Context before, int32_t cost,
                     Context last) {
  const Utf8MojibakeTraits next = traitsAt(s, run->end);
  const unsigned script = scriptAfter(s, run->end);
  int32_t was = 0;
  for (size_t i = run->start; i < run->end; i++) was += addKind(&before, s->kind[i]);
  was += costAfter(before, next, script);
  cost += costAfter(last, next, script);
  if (run->letters == 1 && isFar(s, last.class, run)) cost += LONE;
  run->gain = was - cost;
  run->is_clear = run->gain - run->fee >= CLEAR && isCommonRun(run, cost, last);
  if (RATIO * (run->gain - run->fee) < cost) run->fee += NO_EVIDENCE;
}

/* Reads the run at `start`, and stores the decoded code points. */
static Run readRun(const RunReader *r, size_t start, uint32_t *codes) {
  const Segment *s = r->segment;
  Run run = {start, start, 0, 0, 0, 0, 0};
  const Context before = contextBefore(s, start);
  Context last = before;
  int32_t cost = 0;
  for (Sequence one; (one = readSequence(r, run.end)).length; run.end += one.length) {
    codes[run.letters++] = one.code;
    if (!s->only) cost += addKind(&last, utf8mojibake_kind_of(one.code));
    run.fee += one.fee;
    run.is_damaged |= (one.fee != 0 && one.code != 0xA0) || one.code == 0xFFFD;
  }
  if (run.letters && !s->only) weighRun(s, &run, before, cost, last);
  return run;
}

/* ---- the runs in a charset ------------------------------------------------------------------ */

#define RUNS_MAX (CODES_MAX / 2)

/* A charset is given up if its first runs, this many, are no evidence. */
#define HOPELESS 4

typedef struct Runs {
  unsigned charset;
  size_t count;
  int32_t saved; /* by all runs that save something */
  int32_t most;  /* by the best evidence */
  int is_garble; /* many runs follow broken sequences */
  int is_clear;  /* each pair is part of a clear run */
  uint16_t start[RUNS_MAX];
  uint16_t end[RUNS_MAX];
  uint16_t letters[RUNS_MAX];   /* how many code points it is when decoded */
  uint8_t is_decoded[RUNS_MAX]; /* if the segment is misread */
  uint32_t code[CODES_MAX];     /* of all runs, decoded */
} Runs;

/* Is there the beginning of a sequence directly before `start`? */
static int isRagged(const RunReader *r, size_t start) {
  while (start > 0 && bytes_is_continuation(byteAt(r, start - 1))) start--;
  return start > 0 && byteAt(r, start - 1) >= 0xC2;
}

/* Does the best evidence suffice? */
static int isEvident(const Runs *runs) {
  return runs->most >= utf8mojibake_threshold[runs->charset];
}

/* Adds a run. Returns whether it is decoded. */
static int addRun(const Segment *s, Runs *runs, const Run *run) {
  const size_t i = runs->count++;
  const int32_t prior = utf8mojibake_prior[runs->charset];
  runs->start[i] = (uint16_t)run->start;
  runs->end[i] = (uint16_t)run->end;
  runs->letters[i] = (uint16_t)run->letters;
  runs->is_decoded[i] = s->only || run->gain >= (run->is_damaged ? LOST : WEAK);
  if (run->gain > WEAK) runs->saved += run->gain - WEAK - prior;
  runs->is_clear &= run->is_clear;
  if (!s->only && !isEvident(runs)) {
    const int32_t evidence = run->gain - run->fee - evidenceFee(s, runs->charset, run);
    if (evidence > runs->most) runs->most = evidence;
  }
  return runs->is_decoded[i];
}

static void readRuns(const Segment *s, unsigned charset, Runs *runs) {
  const RunReader r = runReaderOf(s, charset);
  size_t end = 0, codes = 0, ragged = 0;
  runs->charset = charset;
  runs->count = 0;
  runs->most = 0;
  runs->is_clear = 1;
  runs->saved = -utf8mojibake_prior[charset];
  for (size_t i = 0; i < s->pairs; i++) {
    if (s->pair[i] < end || !(s->charsets[i] >> charset & 1)) continue;
    if (!s->only && runs->count == HOPELESS && runs->most <= 0) break;
    const Run run = readRun(&r, s->pair[i], runs->code + codes);
    if (!run.letters) runs->is_clear = 0;
    if (!run.letters) continue;
    codes += run.letters;
    end = run.end;
    if (addRun(s, runs, &run) && isRagged(&r, run.start)) ragged++;
  }
  runs->is_garble = ragged >= 2 && 3 * ragged > runs->count;
}

static int isMisread(const Segment *s, const Runs *runs) {
  return s->only ? runs->count > 0 : isEvident(runs);
}

/* Returns the charsets that have the same byte for a kind, as bits. */
static uint32_t agreeingOn(unsigned kind, unsigned charset) {
  const uint32_t *mask = utf8mojibake_agreeing + utf8mojibake_agreeing_from[kind];
  while (!(*mask >> charset & 1)) mask++;
  return *mask;
}

/* Returns the charsets, as bits, that have the same bytes as `charset` for the sequence at a
** pair. */
static uint32_t agreeingAt(const Segment *s, size_t at, unsigned charset) {
  const uint8_t lead = utf8mojibake_byte[charset][s->kind[at]];
  uint32_t agreeing = agreeingOn(s->kind[at], charset);
  for (unsigned k = 1; k < lengthOf(lead); k++) {
    agreeing &= agreeingOn(s->kind[at + k], charset);
  }
  return agreeing;
}

/* Returns the charsets, as bits, that need not be tried after that of the runs: they are no
** likelier, and all runs are clear or explain all of their pairs alike. */
static uint32_t coveredBy(const Segment *s, const Runs *runs) {
  const unsigned charset = runs->charset;
  uint32_t covered = s->candidates & utf8mojibake_rarer[charset];
  if (runs->is_clear) return covered;
  for (size_t i = 0; i < s->pairs && (covered & (covered - 1)); i++) {
    covered &= ~s->charsets[i] |
               (s->charsets[i] >> charset & 1 ? agreeingAt(s, s->pair[i], charset) : 0);
  }
  return covered;
}

#define DIGITS 10 /* of a number of pairs in base 2: there are fewer than 1024 */

/* Counts in how many masks each bit is set: count[d] has digit d of all numbers. */
static unsigned countBits(const uint32_t *masks, size_t size, uint32_t *count) {
  unsigned digits = 0;
  for (size_t i = 0; i < size; i++) {
    uint32_t carry = masks[i];
    for (unsigned d = 0; carry; d++) {
      if (d == digits) count[digits++] = 0;
      const uint32_t both = count[d] & carry;
      count[d] ^= carry;
      carry = both;
    }
  }
  return digits;
}

/* Stores how many pairs each candidate explains, and returns the one that explains the most. */
static unsigned countPairs(const Segment *s, size_t counts[MOJIBAKE_CHARSETS]) {
  uint32_t count[DIGITS];
  const unsigned digits = countBits(s->charsets, s->pairs, count);
  unsigned most = 0;
  for (unsigned c = 0; c < MOJIBAKE_CHARSETS; c++) {
    counts[c] = 0;
    if (!(s->candidates >> c & 1)) continue;
    for (unsigned d = 0; d < digits; d++) counts[c] |= (size_t)(count[d] >> c & 1) << d;
    if (counts[c] > counts[most]) most = c;
  }
  return most;
}

/* Returns the candidate to be tried first. */
static unsigned firstCandidate(const Segment *s, size_t counts[MOJIBAKE_CHARSETS]) {
  unsigned first = 0;
  if (!s->is_uniform) return countPairs(s, counts);
  while (!(s->candidates >> first & 1)) first++;
  return first;
}

/* Finds the charset whose runs save the most, in one of two buffers. Returns NULL if the
** segment is not misread. The charset that explains the most pairs is tried first; then, in
** order of preference, those that explain nearly as many as the best one so far. */
static const Runs *findRuns(const Segment *s, Runs buffer[2]) {
  size_t counts[MOJIBAKE_CHARSETS];
  Runs *best = NULL, *other = &buffer[0];
  uint32_t untried = s->candidates;
  unsigned charset = firstCandidate(s, counts);
  for (unsigned next = 0; untried; charset = next++) {
    if (!(untried >> charset & 1)) continue;
    untried &= ~((uint32_t)1 << charset);
    if (best && !s->is_uniform && 4 * counts[charset] < 3 * counts[best->charset])
      continue;
    readRuns(s, charset, other);
    if (!isMisread(s, other) || (best && other->saved <= best->saved)) continue;
    best = other;
    other = best == &buffer[0] ? &buffer[1] : &buffer[0];
    untried &= ~coveredBy(s, best);
  }
  return best && (s->only || !best->is_garble) ? best : NULL;
}

/* ---- decoding ---------------------------------------------------------------------------- */

/* Where decoded code points go: the segment is rewritten in place, from its start. */
typedef struct Rewriter {
  size_t from, to; /* the next code point to be moved, and where it goes */
  size_t high;     /* the next of the old high ones */
  size_t highs;    /* how many there were */
} Rewriter;

/* Like memmove() for to < from, without a call: most moves are short. */
static void moveKinds(uint16_t *to, const uint16_t *from, size_t count) {
  size_t i = 0;
  for (; count - i >= 4; i += 4) {
    uint64_t four;
    memcpy(&four, from + i, sizeof four);
    memcpy(to + i, &four, sizeof four);
  }
  for (; i < count; i++) to[i] = from[i];
}

/* Moves the code points up to `end`. */
static void moveCodes(Segment *s, Rewriter *w, size_t end) {
  const size_t back = w->from - w->to;
  for (; w->high < w->highs && s->high[w->high] < end; w->high++) {
    const size_t at = s->high[w->high];
    s->code[at - back] = s->code[at];
    s->is_decoded[at - back] = s->is_decoded[at];
    s->high[s->highs++] = (uint16_t)(at - back);
  }
  if (back > 0) moveKinds(s->kind + w->to, s->kind + w->from, end - w->from);
  w->to = end - back;
  w->from = end;
}

/* Puts the decoded code points of a run in its place. */
static void replaceRun(Segment *s, Rewriter *w, const uint32_t *code, size_t letters,
                       size_t end) {
  while (w->high < w->highs && s->high[w->high] < end) w->high++;
  for (size_t i = 0; i < letters; i++)
    addHigh(s, w->to++, code[i], kindOf(s, code[i]), 1);
  w->from = end;
}

/* Decodes the runs. Returns how many of them consist of code points of the original. */
static size_t decodeRuns(Segment *s, const Runs *runs) {
  Rewriter w = {0, 0, 0, s->highs};
  size_t originals = 0;
  const uint32_t *code = runs->code;
  s->highs = 0;
  for (size_t r = 0; r < runs->count; code += runs->letters[r++]) {
    if (!runs->is_decoded[r]) continue;
    moveCodes(s, &w, runs->start[r]);
    originals += !s->is_decoded[runs->start[r]];
    replaceRun(s, &w, code, runs->letters[r], runs->end[r]);
  }
  moveCodes(s, &w, s->count);
  endSegment(s, w.to);
  return originals;
}

/* ---- C1 controls ----------------------------------------------------------------------- */

static uint32_t fromC1(uint32_t code) {
  return isC1(code) ? utf8charset_high(UTF8_CHARSET_WINDOWS1252)[code - 0x80] : code;
}

/* Are the C1 controls code points of Windows-1252? Not if one of them has none, nor if all
** are NEL where a line may end: before anything but a space. */
static int isWindowsC1(const Segment *s) {
  int has = 0, isNelOnly = !(s->original_c1 & ~((uint32_t)1 << (NEL & 31)));
  if (!s->c1) return 0;
  for (size_t h = 0; h < s->highs; h++) {
    const size_t i = s->high[h];
    if (!isC1(s->code[i])) continue;
    if (fromC1(s->code[i]) == s->code[i]) return 0;
    if (s->code[i] != NEL || s->kind[i + 1] == ' ') isNelOnly = 0;
    has = 1;
  }
  return has && !isNelOnly;
}

/* Replaces the C1 controls. Returns their number, and stores where the first one is. */
static size_t repairC1(Segment *s, size_t *first) {
  size_t count = 0;
  const size_t highs = s->highs;
  s->highs = 0;
  for (size_t h = 0; h < highs; h++) {
    const size_t at = s->high[h];
    const uint32_t code = fromC1(s->code[at]);
    if (code != s->code[at] && count++ == 0) *first = at;
    addHigh(s, at, code, kindOf(s, code), s->is_decoded[at]);
  }
  return count;
}

/* ---- repairing a segment ------------------------------------------------------------------ */

static size_t firstDecoded(const Runs *runs) {
  size_t i = 0;
  while (!runs->is_decoded[i]) i++;
  return runs->start[i];
}

static void setFirst(Utf8MojibakeSegment *all, unsigned charset, size_t start) {
  if (all->runs) return;
  all->charset = (int)charset;
  all->start = start;
}

/* Finds the runs of one layer. Returns NULL if there are none. */
static const Runs *findLayer(Segment *s, Runs buffer[2]) {
  if (s->only) {
    findPairsOfOne(s);
  } else if (!isAnySuspicious(s)) {
    return NULL; /* a scan would not stop here */
  } else {
    findPairs(s);
  }
  return s->pairs ? findRuns(s, buffer) : NULL;
}

/* Repairs one layer. Returns 0 if there is none. */
static int repairLayer(Segment *s, Utf8MojibakeSegment *all) {
  Runs buffer[2];
  const Runs *runs = findLayer(s, buffer);
  if (!runs) return 0;
  setFirst(all, runs->charset, firstDecoded(runs));
  all->runs += decodeRuns(s, runs);
  return 1;
}

/* Repairs the C1 controls. Returns 0 if there are none that stand for something else. */
static int repairControls(Segment *s, Utf8MojibakeSegment *all) {
  if (s->only || !isWindowsC1(s)) return 0;
  size_t first = 0;
  const size_t count = repairC1(s, &first);
  setFirst(all, LATIN1, first);
  all->runs += count;
  return 1;
}

/* Writes the ASCII characters of kinds. Returns where to write next. */
ALWAYS_INLINE uint8_t *writeAsciiKinds(const uint16_t *kind, size_t count,
                                       uint8_t *out) {
  size_t i = 0;
  for (; count - i >= 8; i += 8) bytes_narrow(out + i, kind + i);
  for (; i < count; i++) out[i] = (uint8_t)kind[i];
  return out + count;
}

static size_t writeSegment(const Segment *s, uint8_t *out) {
  uint8_t *p = out;
  size_t at = 0;
  for (size_t h = 0; h < s->highs; h++) {
    p = writeAsciiKinds(s->kind + at, s->high[h] - at, p);
    at = s->high[h];
    p += stepPut(p, s->code[at++]);
  }
  return (size_t)(writeAsciiKinds(s->kind + at, s->count - at, p) - out);
}

Utf8MojibakeSegment utf8mojibake_repair_segment(const Utf8MojibakeCharset *only,
                                                const uint8_t *text, size_t size,
                                                uint8_t *out) {
  Segment s;
  Utf8MojibakeSegment all = {0, 0, 0, 0};
  s.only = only;
  readSegment(&s, text, size);
  while (repairLayer(&s, &all) || repairControls(&s, &all)) {
  }
  if (out && all.runs) all.written = writeSegment(&s, out);
  return all;
}

int utf8mojibake_is_misread(const uint8_t *text, size_t size, unsigned charset) {
  Segment s;
  Runs buffer[2];
  s.only = NULL;
  readSegment(&s, text, size);
  const Runs *runs = findLayer(&s, buffer);
  return runs && runs->charset == charset && runs->count == 1 && runs->is_decoded[0];
}
