/* utf8mojibakesegment.c: repairs one segment of text (utf8mojibakesegment.h).
**
** Each charset that could explain the segment's pairs is tried. Runs of code points that are
** UTF-8 in it are decoded, and the text before is compared with the text after. The cost of
** a text is the number of bits that it takes in a model of text: for each code point, its
** class after the class of the code point before, and the code point within its class
** (tool/mojibake_model.py). A run is decoded if that saves enough bits. The charset that
** saves the most is undone first; then the segment is examined again, until nothing is
** left.
**
** Several of the questions asked here, and the cases that are undone, are facts from ftfy
** 6.3.1 (Apache License 2.0, by Robyn Speer): a no-break space that became a space, a byte
** lost as U+FFFD, CESU-8, and C1 controls.
*/
#include "utf8mojibakesegment.h"
#include "utf8mojibakeread.h"
#include "utf8legacy.h"

/* ---- costs, in quarters of a bit ----------------------------------------------------- */

#define WEAK        4   /* in misread text, each run that saves this is decoded */
#define LOST        -28 /* the same for runs in which a byte was lost or became a space */
#define LONE        80   /* for a single code point of a far script */
#define NATURAL     40   /* for a run that may be part of a word */
#define FAMILIAR    12   /* leadFee() */
#define NO_EVIDENCE 4000 /* more than any run saves */
#define RATIO       6    /* evidence saves a sixth of what the decoded run costs */

/* How far to look for a letter beside a run. */
#define NEAR 32

#define LATIN1 1 /* the number of iso-8859-1 among the charsets */

/* ---- the cost of code points ------------------------------------------------------------ */

/* What decides the cost of the next code point. */
typedef struct Context {
  unsigned class;
  unsigned script; /* of the last letter, 0 if there is none near */
} Context;

static unsigned scriptBefore(const Segment *s, size_t at) {
  for (size_t i = at; i > 0 && at - i < NEAR; i--) {
    unsigned script = utf8mojibake_script[classAt(s, i - 1)];
    if (script) return script;
  }
  return 0;
}

static unsigned scriptAfter(const Segment *s, size_t at) {
  for (size_t i = at; i < s->count && i - at < NEAR; i++) {
    unsigned script = utf8mojibake_script[classAt(s, i)];
    if (script) return script;
  }
  return 0;
}

static Context contextBefore(const Segment *s, size_t at) {
  return (Context){classBefore(s, at), scriptBefore(s, at)};
}

/* Returns the cost of a code point, and moves the context past it. */
ALWAYS_INLINE int32_t addKind(Context *before, unsigned kind) {
  const unsigned class = utf8mojibake_class[kind], script = utf8mojibake_script[class];
  int32_t cost = utf8mojibake_pair[before->class][class] + utf8mojibake_member[kind];
  if (!utf8mojibake_script[before->class])
    cost += utf8mojibake_switch[before->script][script];
  before->class = class;
  if (script) before->script = script;
  return cost;
}

/* Returns the part of the cost of what follows a run that depends on the run. `script` is that
** of the next letter. */
static int32_t costAfter(Context last, unsigned class, unsigned script) {
  int32_t cost = utf8mojibake_pair[last.class][class];
  if (utf8mojibake_script[class] && utf8mojibake_script[last.class]) return cost;
  return cost + utf8mojibake_switch[last.script][script];
}

/* ---- a run ------------------------------------------------------------------------------ */

typedef struct Run {
  size_t start, end; /* equal: there is none */
  size_t letters;    /* how many sequences it has */
  int32_t gain;      /* how much decoding it saves */
  int32_t fee;       /* what it must save besides to be evidence */
  int is_damaged;    /* a byte was lost or became a space */
} Run;

/* Is the run a natural part of a word: letters of the script around it, in a usual case? */
static int isNatural(const Segment *s, const Run *run) {
  const unsigned first = classAt(s, run->start), script = utf8mojibake_script[first];
  const unsigned last = classBefore(s, run->start);
  const unsigned before = scriptBefore(s, run->start), after = scriptAfter(s, run->end);
  if (!script || ((before || after) && before != script && after != script)) return 0;
  if (utf8mojibake_script[last] && isUpper(first) && !isUpper(last)) return 0;
  for (size_t i = run->start + 1; i < run->end; i++) {
    const unsigned class = classAt(s, i);
    if (utf8mojibake_script[class] != script) return 0;
    if (i > run->start + 1 && isUpper(class) != isUpper(classAt(s, i - 1))) return 0;
  }
  return isUpper(first) || !isUpper(classAt(s, run->end - 1));
}

/* Is it one letter of Greek, Cyrillic or another far script and a sign, where no other script
** is written: "220 В±10%", "кВ·А", "ГОСТ Р®"? */
static int isUnit(const Segment *s, const Run *run) {
  const unsigned script = utf8mojibake_script[classAt(s, run->start)];
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
  if (utf8mojibake_far[class] != 1) return utf8mojibake_far[class];
  return classBefore(s, run->start) != MOJIBAKE_SPACE ||
         classAt(s, run->end) != MOJIBAKE_SPACE;
}

/* Completes a run of which start, end, letters and is_damaged are known, and in fee the fees
** of its sequences. `cost` and `last` are of the decoded code points, `before` is the context
** before. */
static void weighRun(const Segment *s, unsigned charset, Run *run, Context before,
                     int32_t cost, Context last) {
  const unsigned next = classAt(s, run->end), script = scriptAfter(s, run->end);
  int32_t was = 0;
  for (size_t i = run->start; i < run->end; i++) was += addKind(&before, s->kind[i]);
  was += costAfter(before, next, script);
  cost += costAfter(last, next, script);
  if (run->letters == 1 && isFar(s, last.class, run)) cost += LONE;
  run->gain = was - cost;
  if (RATIO * (run->gain - run->fee) < cost) run->fee += NO_EVIDENCE;
  run->fee += evidenceFee(s, charset, run);
}

/* Reads the run at `start`, and stores the decoded code points. */
static Run readRun(const RunReader *r, unsigned charset, size_t start,
                   uint32_t *codes) {
  const Segment *s = r->segment;
  Run run = {start, start, 0, 0, 0, 0};
  const Context before = contextBefore(s, start);
  Context last = before;
  int32_t cost = 0;
  for (Sequence one; (one = readSequence(r, run.end)).length; run.end += one.length) {
    codes[run.letters++] = one.code;
    if (!s->only) cost += addKind(&last, utf8mojibake_kind_of(one.code));
    run.fee += one.fee;
    run.is_damaged |= (one.fee != 0 && one.code != 0xA0) || one.code == 0xFFFD;
  }
  if (run.letters && !s->only) weighRun(s, charset, &run, before, cost, last);
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

/* Adds a run. Returns whether it is decoded. */
static int addRun(Runs *runs, const Run *run, int isOnly) {
  const size_t i = runs->count++;
  const int32_t fee = utf8mojibake_prior[runs->charset];
  runs->start[i] = (uint16_t)run->start;
  runs->end[i] = (uint16_t)run->end;
  runs->letters[i] = (uint16_t)run->letters;
  runs->is_decoded[i] = isOnly || run->gain >= (run->is_damaged ? LOST : WEAK);
  if (run->gain > WEAK) runs->saved += run->gain - WEAK - fee;
  if (run->gain - run->fee > runs->most) runs->most = run->gain - run->fee;
  return runs->is_decoded[i];
}

static void readRuns(const Segment *s, unsigned charset, Runs *runs) {
  const RunReader r = runReaderOf(s, charset);
  size_t end = 0, codes = 0, ragged = 0;
  runs->charset = charset;
  runs->count = 0;
  runs->most = 0;
  runs->saved = -utf8mojibake_prior[charset];
  for (size_t i = 0; i < s->pairs; i++) {
    if (s->pair[i] < end || !(s->charsets[i] >> charset & 1)) continue;
    if (!s->only && runs->count == HOPELESS && runs->most <= 0) break;
    const Run run = readRun(&r, charset, s->pair[i], runs->code + codes);
    if (!run.letters) continue;
    codes += run.letters;
    end = run.end;
    if (addRun(runs, &run, s->only != NULL) && isRagged(&r, run.start)) ragged++;
  }
  runs->is_garble = ragged >= 2 && 3 * ragged > runs->count;
}

static int isMisread(const Segment *s, const Runs *runs) {
  return s->only ? runs->count > 0
                 : runs->most >= utf8mojibake_threshold[runs->charset];
}

/* Would the other charset, which is no likelier, give the same runs? */
static int isSame(const Segment *s, unsigned charset, unsigned other) {
  const uint8_t *row = utf8mojibake_byte[charset], *otherRow = utf8mojibake_byte[other];
  if (utf8mojibake_prior[other] < utf8mojibake_prior[charset]) return 0;
  if (utf8mojibake_threshold[other] < utf8mojibake_threshold[charset]) return 0;
  for (size_t i = 0; i < s->pairs; i++) {
    const uint16_t *kind = s->kind + s->pair[i];
    if ((s->charsets[i] >> charset ^ s->charsets[i] >> other) & 1) return 0;
    for (size_t k = 0; k < PADDING; k++) {
      if (row[kind[k]] != otherRow[kind[k]]) return 0;
    }
  }
  return 1;
}

static size_t countPairs(const Segment *s, unsigned charset) {
  size_t count = 0;
  for (size_t i = 0; i < s->pairs; i++) count += s->charsets[i] >> charset & 1;
  return count;
}

/* Is the charset still worth trying? Not if it has far fewer pairs than the best one. */
static int isPromising(const Segment *s, const Runs *best, unsigned charset) {
  if (!(s->candidates >> charset & 1)) return 0;
  if (!best) return 1;
  if (best->charset == charset || isSame(s, best->charset, charset)) return 0;
  return 4 * countPairs(s, charset) >= 3 * countPairs(s, best->charset);
}

/* Returns the charset that explains the most pairs. */
static unsigned firstCandidate(const Segment *s) {
  unsigned first = 0;
  size_t most = 0;
  for (unsigned charset = 0; s->candidates >> charset; charset++) {
    if (!(s->candidates >> charset & 1)) continue;
    const size_t count = countPairs(s, charset);
    if (count <= most) continue;
    most = count;
    first = charset;
  }
  return first;
}

/* Finds the charset whose runs save the most, in one of two buffers. Returns NULL if the
** segment is not misread. */
static const Runs *findRuns(const Segment *s, Runs buffer[2]) {
  Runs *best = NULL, *other = &buffer[0];
  const unsigned first = firstCandidate(s);
  readRuns(s, first, other);
  if (isMisread(s, other)) {
    best = other;
    other = &buffer[1];
  }
  for (unsigned charset = 0; s->candidates >> charset; charset++) {
    if (charset == first || !isPromising(s, best, charset)) continue;
    readRuns(s, charset, other);
    if (!isMisread(s, other) || (best && other->saved <= best->saved)) continue;
    best = other;
    other = best == &buffer[0] ? &buffer[1] : &buffer[0];
  }
  return best && (s->only || !best->is_garble) ? best : NULL;
}

/* ---- decoding ---------------------------------------------------------------------------- */

/* Moves code points from..end to `to`, and returns where the next one goes. */
static size_t moveCodes(Segment *s, size_t to, size_t from, size_t end) {
  const size_t n = end - from;
  if (to != from) {
    memmove(s->code + to, s->code + from, n * sizeof *s->code);
    memmove(s->kind + to, s->kind + from, n * sizeof *s->kind);
    memmove(s->is_decoded + to, s->is_decoded + from, n);
  }
  return to + n;
}

/* Decodes the runs. Returns how many of them consist of code points of the original. */
static size_t decodeRuns(Segment *s, const Runs *runs) {
  size_t from = 0, to = 0, originals = 0;
  const uint32_t *code = runs->code;
  for (size_t r = 0; r < runs->count; code += runs->letters[r++]) {
    if (!runs->is_decoded[r]) continue;
    to = moveCodes(s, to, from, runs->start[r]);
    originals += !s->is_decoded[runs->start[r]];
    from = runs->end[r];
    for (size_t i = 0; i < runs->letters[r]; i++) {
      setCode(s, to, code[i]);
      s->is_decoded[to++] = 1;
    }
  }
  endSegment(s, moveCodes(s, to, from, s->count));
  return originals;
}

/* ---- C1 controls ----------------------------------------------------------------------- */

static uint32_t fromC1(uint32_t code) {
  return isC1(code) ? utf8legacy_high(UTF8_CHARSET_WINDOWS1252)[code - 0x80] : code;
}

/* Are the C1 controls code points of Windows-1252? Not if one of them has none, nor if all
** are NEL where a line may end: before anything but a space. */
static int isWindowsC1(const Segment *s) {
  int has = 0, isNelOnly = !s->has_c1;
  if (!s->had_c1) return 0;
  for (size_t i = 0; i < s->count; i++) {
    if (!isC1(s->code[i])) continue;
    if (fromC1(s->code[i]) == s->code[i]) return 0;
    if (s->code[i] != NEL || (i + 1 < s->count && s->code[i + 1] == ' ')) isNelOnly = 0;
    has = 1;
  }
  return has && !isNelOnly;
}

/* Replaces the C1 controls. Returns their number. */
static size_t repairC1(Segment *s) {
  size_t count = 0;
  for (size_t i = 0; i < s->count; i++) {
    if (!isC1(s->code[i])) continue;
    setCode(s, i, fromC1(s->code[i]));
    count++;
  }
  return count;
}

static size_t firstC1(const Segment *s) {
  size_t i = 0;
  while (!isC1(s->code[i])) i++;
  return i;
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

/* Repairs one layer. Returns 0 if there is none. */
static int repairLayer(Segment *s, Utf8MojibakeSegment *all) {
  Runs buffer[2];
  const Runs *runs;
  if (s->only) {
    findPairsOfOne(s);
  } else {
    findPairs(s);
  }
  if (!s->pairs || !(runs = findRuns(s, buffer))) return 0;
  setFirst(all, runs->charset, firstDecoded(runs));
  all->runs += decodeRuns(s, runs);
  return 1;
}

/* Repairs the C1 controls. Returns 0 if there are none that stand for something else. */
static int repairControls(Segment *s, Utf8MojibakeSegment *all) {
  if (s->only || !isWindowsC1(s)) return 0;
  setFirst(all, LATIN1, firstC1(s));
  all->runs += repairC1(s);
  return 1;
}

static size_t writeSegment(const Segment *s, uint8_t *out) {
  size_t used = 0;
  for (size_t i = 0; i < s->count; i++) {
    if (s->code[i] < 0x80) {
      out[used++] = (uint8_t)s->code[i];
    } else {
      used += stepPut(out + used, s->code[i]);
    }
  }
  return used;
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
