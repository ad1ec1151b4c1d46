/* utf8mojibake.c: finds and undoes mojibake (utf8mojibake.h).
**
** A scan looks for two neighbours that can be, in one of the charsets, a lead byte and a
** continuation byte. Plain text has few of them. Around such a pair, a segment is examined:
** the rest of the line, at most UTF8_MOJIBAKE_LINE bytes.
**
** In a segment, each charset that could explain the pairs is tried. Runs of characters that
** are UTF-8 in it are decoded, and the text before is compared with the text after. The
** cost of a text is the number of bits that it takes in a model of text: for each
** character, its class after the class of the character before, and the character within
** its class (tool/mojibake_model.py). A run is decoded if that saves enough bits. The
** charset that saves the most is undone first; then the segment is examined again, until
** nothing is left.
**
** The charsets, the questions that ftfy asks of text and several of its cases are the
** source for what is undone: a no-break space that became a space, a byte lost as U+FFFD,
** CESU-8, and C1 controls (ftfy 6.3.1, Apache 2.0, by Robyn Speer).
*/
#include "utf8mojibake.h"
#include "utf8private.h"
#include "utf8step.h"
#include "charset/mojibake.h"
#include <string.h>

/* ---- thresholds, in quarters of a bit ------------------------------------------------ */

#define LOST      -28 /* the same for runs in which a byte was lost or became a space */
#define LONE      80  /* for a single letter of a far script */
#define NATURAL   40 /* for a run that may be part of a word */
#define WEAK      4  /* in such a segment, each run that saves this is decoded */
#define SPACE_FEE 40 /* for reading a space as the byte A0 */
#define A_GRAVE   48 /* saved by "Ã" as a word of its own before a small letter */

#define NO_EVIDENCE 4000
#define RATIO 6
#define FAMILIAR 12 /* leadFee() */
#define LINE      UTF8_MOJIBAKE_LINE
#define CODES_MAX LINE
#define NEL       0x85
#define LATIN1    1 /* the number of iso-8859-1 among the charsets */

/* ---- charsets ---------------------------------------------------------------------------- */

const char *utf8mojibake_charset_name(int charset) {
  return charset < 0 || charset >= MOJIBAKE_CHARSETS ? NULL : mojibake_names[charset];
}

static unsigned kindOf(uint32_t code) {
  if (code < 0x10000) return mojibake_kind[mojibake_block[code >> 6]][code & 63];
  unsigned class = MOJIBAKE_RARE;
  if (code >= 0x1F000 && code < 0x1FB00) class = MOJIBAKE_EMOJI;
  if (code >= 0x40000) class = MOJIBAKE_NONE;
  return MOJIBAKE_KIND_OF_CLASS + class;
}

void utf8mojibake_get_codes(int charset, uint16_t high[128]) {
  memset(high, 0, 128 * sizeof *high);
  for (uint32_t code = 0x80; code < 0x10000; code++) {
    uint8_t byte = mojibake_byte[charset][kindOf(code)];
    if (byte) high[byte - 128] = (uint16_t)code;
  }
}

/* Sorts by insertion: 128 entries. */
void utf8mojibake_set_charset(Utf8MojibakeCharset *charset, const uint16_t high[128]) {
  unsigned controls = 0;
  for (unsigned i = 0; i < 128; i++) {
    unsigned to = i;
    controls += i < 32 && high[i] == 0x80 + i;
    for (; to > 0 && charset->code[to - 1] > high[i]; to--) {
      charset->code[to] = charset->code[to - 1];
      charset->byte[to] = charset->byte[to - 1];
    }
    charset->code[to] = high[i];
    charset->byte[to] = (uint8_t)(0x80 + i);
  }
  charset->is_lossy = (controls > 0 && controls < 32) || charset->code[0] == 0 ||
                      charset->code[127] == 0xFFFD;
}

/* Returns the byte of a code point above 7F, or 0. */
static uint8_t byteIn(const Utf8MojibakeCharset *charset, uint32_t code) {
  unsigned low = 0, high = 128;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (charset->code[middle] < code) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < 128 && charset->code[low] == code && code != 0xFFFD ? charset->byte[low]
                                                                   : 0;
}

/* ---- a segment ---------------------------------------------------------------------------- */

/* A segment as code points, and what is known of each. */
typedef struct Segment {
  const Utf8MojibakeCharset *only; /* NULL: any charset */
  int has_c1; /* other C1 controls than NEL in the original */
  size_t count;
  size_t pairs;
  uint32_t candidates;          /* charsets to be tried, as bits */
  uint32_t code[CODES_MAX];     /* the code points */
  uint32_t cost[CODES_MAX + 1]; /* of all code points before */
  uint32_t charsets[CODES_MAX]; /* of a pair */
  uint16_t kind[CODES_MAX];
  uint16_t pair[CODES_MAX];      /* where pairs start */
  uint8_t is_decoded[CODES_MAX]; /* not in the original */
  uint8_t script_before[CODES_MAX + 1]; /* of the last letter before, 0 if there is none */
  uint8_t script_after[CODES_MAX + 1];  /* of the first letter from here on */
} Segment;

/* Reads well-formed text of at most LINE bytes. */
static void readSegment(Segment *s, const uint8_t *text, size_t size) {
  s->count = 0;
  s->has_c1 = 0;
  for (size_t at = 0; at < size;) {
    Utf8Step one = step(text, size, at, UTF8_STRICT);
    s->code[s->count] = one.codepoint;
    s->kind[s->count] = (uint16_t)kindOf(one.codepoint);
    s->is_decoded[s->count++] = 0;
    s->has_c1 |= one.codepoint >= 0x80 && one.codepoint <= 0x9F && one.codepoint != NEL;
    at += one.length;
  }
}

static unsigned classAt(const Segment *s, size_t at) {
  return at < s->count ? mojibake_class[s->kind[at]] : MOJIBAKE_SPACE;
}

/* What decides the cost of the next character. */
typedef struct Context {
  unsigned class;
  unsigned script; /* of the last letter, 0 if there is none */
} Context;

static const Context atStart = {MOJIBAKE_SPACE, 0};

/* What a script adds to the cost of a letter, or of the next letter after what is no letter. */
static int32_t switchCost(Context before, unsigned script) {
  return mojibake_script[before.class] ? 0 : mojibake_switch[before.script][script];
}

/* Returns the cost of a character, and moves the context past it. */
static int32_t addKind(Context *before, unsigned kind) {
  const unsigned class = mojibake_class[kind], script = mojibake_script[class];
  int32_t cost = mojibake_pair[before->class][class] + mojibake_member[kind];
  cost += switchCost(*before, script);
  before->class = class;
  if (script) before->script = script;
  return cost;
}

static void addCosts(Segment *s) {
  Context before = atStart;
  int32_t cost = 0;
  unsigned script = 0;
  for (size_t i = 0; i < s->count; i++) {
    s->cost[i] = cost;
    s->script_before[i] = (uint8_t)before.script;
    cost += addKind(&before, s->kind[i]);
  }
  s->cost[s->count] = cost;
  s->script_before[s->count] = (uint8_t)before.script;
  s->script_after[s->count] = 0;
  for (size_t i = s->count; i-- > 0;) {
    unsigned own = mojibake_script[classAt(s, i)];
    if (own) script = own;
    s->script_after[i] = (uint8_t)script;
  }
}

static Context contextBefore(const Segment *s, size_t at) {
  return at ? (Context){classAt(s, at - 1), s->script_before[at]} : atStart;
}

/* The cost of what follows a run, as far as it depends on the run. */
static int32_t costAfter(const Segment *s, Context before, size_t at) {
  const unsigned class = classAt(s, at);
  int32_t cost = mojibake_pair[before.class][class];
  if (!mojibake_script[class]) return cost + mojibake_switch[before.script][s->script_after[at]];
  return cost + switchCost(before, mojibake_script[class]);
}

/* Finds the pairs, and the charsets that explain all of them, or else any. */
static void findPairs(Segment *s) {
  uint32_t all = ~(uint32_t)0, any = 0;
  s->pairs = 0;
  for (size_t i = 0; i + 1 < s->count; i++) {
    const unsigned next = s->kind[i + 1];
    uint32_t charsets = mojibake_lead[s->kind[i]] & mojibake_continuation[next];
    if (next == ' ') charsets = mojibake_before_space[s->kind[i]];
    if (!charsets) continue;
    s->pair[s->pairs] = (uint16_t)i;
    s->charsets[s->pairs++] = charsets;
    any |= charsets;
    if (next != ' ') all &= charsets;
  }
  s->candidates = any & all ? any & all : any;
}

static void findPairsOf(Segment *s) {
  s->pairs = 0;
  for (size_t i = 0; i + 1 < s->count; i++) {
    uint8_t lead = byteIn(s->only, s->code[i]);
    if (lead < 0xC2 || lead > 0xF4) continue;
    uint8_t next = byteIn(s->only, s->code[i + 1]);
    if ((next & 0xC0) != 0x80 && s->code[i + 1] != 0xFFFD) continue;
    s->pair[s->pairs] = (uint16_t)i;
    s->charsets[s->pairs++] = 1;
  }
  s->candidates = 1;
}

/* ---- a sequence ---------------------------------------------------------------------------- */

/* Returns the byte that code point `at` is in the charset; 0 if none, 20 for a space and
** 1A for U+FFFD, where these can stand for a byte. */
static uint8_t byteAt(const Segment *s, unsigned charset, size_t at) {
  if (at >= s->count) return 0;
  if (s->only) {
    return s->code[at] == 0xFFFD && s->only->is_lossy ? 0x1A
                                                      : byteIn(s->only, s->code[at]);
  }
  if (s->code[at] == ' ') return MOJIBAKE_SPACED >> charset & 1 ? 0x20 : 0;
  if (s->code[at] == 0xFFFD) return MOJIBAKE_LOSSY >> charset & 1 ? 0x1A : 0;
  return mojibake_byte[charset][s->kind[at]];
}

typedef struct Sequence {
  uint32_t code;
  unsigned length; /* in code points of the segment; 0: no sequence */
  int fee;         /* quarters of a bit that it must save besides */
} Sequence;

static int isWordHere(const Segment *s, size_t at, const char *word) {
  for (; *word; word++, at++) {
    if (at >= s->count || s->code[at] != (uint8_t)*word) return 0;
  }
  return 1;
}

/* "Ã " at `at` is "à" or "à ". The space belongs to what follows, except in the Portuguese
** "às" and "àquele" (a rule of ftfy's). */
static Sequence readAGrave(const Segment *s, size_t at) {
  const size_t next = at + 2;
  static const char *const joined[] = {" ", "s ", "quele", "quela", "quilo"};
  Sequence a = {0xE0, 1, 12};
  for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
    if (isWordHere(s, next, joined[i])) a.length = 2;
  }
  const int isAlone = at == 0 || s->code[at - 1] == ' ' || s->code[at - 1] == '\'';
  if (isAlone && classAt(s, next) == MOJIBAKE_LOWER && s->code[at] == 0xC3)
    a.fee -= A_GRAVE;
  return a;
}

/* Reads the continuation bytes of a sequence into bytes[1..length). Returns 0 if one is
** missing, 1 if a byte was lost, else 2. */
static int readContinuations(const Segment *s, unsigned charset, size_t at,
                             uint8_t *bytes, unsigned length, int *fee) {
  int result = 2;
  for (unsigned i = 1; i < length; i++) {
    bytes[i] = byteAt(s, charset, at + i);
    if (bytes[i] == 0x1A) {
      result = 1;
    } else if (bytes[i] == 0x20) {
      bytes[i] = 0xA0;
      *fee += SPACE_FEE;
    } else if ((bytes[i] & 0xC0) != 0x80) {
      return 0;
    }
  }
  return result;
}

/* Returns 4 for the lead byte F0, and so on; 0 for other bytes. */
static unsigned lengthOf(uint8_t lead) {
  if (lead < 0xC2 || lead > 0xF4) return 0;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

static Sequence readSequence(const Segment *s, unsigned charset, size_t at) {
  const Sequence none = {0, 0, 0};
  uint8_t bytes[6] = {byteAt(s, charset, at)};
  Sequence found = {0, lengthOf(bytes[0]), 0};
  if (!found.length) return none;
  if (bytes[0] == 0xC3 && byteAt(s, charset, at + 1) == 0x20) return readAGrave(s, at);
  int read = readContinuations(s, charset, at, bytes, found.length, &found.fee);
  if (read == 0) return none;
  if (read == 1) {
    found.code = 0xFFFD;
    return found;
  }
  Utf8Step one = step(bytes, found.length, 0, UTF8_STRICT);
  if (bytes[0] == 0xED && bytes[1] >= 0xA0) {
    bytes[3] = byteAt(s, charset, at + 3);
    if (readContinuations(s, charset, at + 3, bytes + 3, 3, &found.fee) != 2)
      return none;
    one = step(bytes, 6, 0, UTF8_PAIRS);
  }
  if (one.error) return none;
  found.code = one.codepoint;
  found.length = one.length;
  return found;
}

/* ---- runs ------------------------------------------------------------------------------ */

/* The runs of a segment in one charset. */
typedef struct Runs {
  unsigned charset;
  size_t count;
  int32_t saved; /* by all runs that save something */
  int32_t most;  /* by one run */
  int is_garble; /* most runs are beside others that are not UTF-8 */
  uint16_t start[CODES_MAX / 2];
  uint16_t end[CODES_MAX / 2];
  uint8_t is_decoded[CODES_MAX / 2]; /* if the segment is misread */
} Runs;

/* A run: text before and after it was decoded. */
typedef struct Run {
  size_t end;       /* start: there is none */
  int32_t gain;     /* how much it saves */
  int32_t fee;      /* what it must save besides to be the only evidence */
  unsigned letters; /* how many sequences it has */
  int is_damaged;   /* a byte was lost or became a space */
} Run;

/* Is a single character of the class an accident between those before `start` and at `end`? */
static int isFar(const Segment *s, unsigned class, size_t start, size_t end) {
  if (mojibake_far[class] != 1) return mojibake_far[class];
  return contextBefore(s, start).class != MOJIBAKE_SPACE || classAt(s, end) != MOJIBAKE_SPACE;
}

/* Is the run a natural part of a word: letters of the script around it, in the usual case? */
static int isNatural(const Segment *s, size_t start, size_t end) {
  const unsigned script = mojibake_script[classAt(s, start)];
  const unsigned before = s->script_before[start], after = s->script_after[end];
  if (start > 0 && mojibake_is_upper[classAt(s, start)] > mojibake_is_upper[classAt(s, start - 1)] && mojibake_script[classAt(s, start - 1)])
    return 0;
  if (!script || ((before || after) && before != script && after != script)) return 0;
  for (size_t i = start; i < end; i++) {
    if (mojibake_script[classAt(s, i)] != script) return 0;
    if (i > start + 1 && mojibake_is_upper[classAt(s, i)] != mojibake_is_upper[classAt(s, i - 1)])
      return 0;
  }
  return !mojibake_is_upper[classAt(s, end - 1)] || mojibake_is_upper[classAt(s, start)];
}

/* What the first lead byte says: "Ã", "Â" and "√" are far more often misread than meant; "¬"
** is part of faces. */
static int32_t leadFee(uint32_t code) {
  if (code == 0xC2 || code == 0xC3) return -FAMILIAR;
  if (code == 0x221A) return -2 * FAMILIAR;
  return code == 0xAC ? 4 * FAMILIAR : 0;
}

static int isQuote(const Segment *s, size_t at) {
  const unsigned class = classAt(s, at);
  return class == MOJIBAKE_QUOTE || class == MOJIBAKE_LEFT_GUILLEMET || class == MOJIBAKE_RIGHT_GUILLEMET || class == MOJIBAKE_APOSTROPHE;
}

/* Is the run a word of a capital letter and punctuation, such as an angstrom before a dash? */
static int isSign(const Segment *s, size_t start, const Run *run) {
  return run->letters == 1 && contextBefore(s, start).class == MOJIBAKE_SPACE &&
         classAt(s, run->end) == MOJIBAKE_SPACE && classAt(s, start) == MOJIBAKE_LATIN_UPPER;
}

/* What makes a run that starts at `start` weak evidence. */
static int32_t evidenceFee(const Segment *s, unsigned charset, size_t start, const Run *run) {
  int32_t fee = run->fee + leadFee(s->code[start]);
  if (run->letters <= 2 && isNatural(s, start, run->end)) fee += s->code[start] < 0x250 ? NATURAL / 2 : NATURAL;
  if (isQuote(s, start) && contextBefore(s, start).class == MOJIBAKE_SPACE) fee += NATURAL;
  if (start > 0 && isQuote(s, start - 1) && isQuote(s, run->end - 1)) fee += NATURAL;
  if (s->code[run->end - 1] == 0xA0 && !(MOJIBAKE_SPACED >> charset & 1)) fee += NATURAL;
  if (isSign(s, start, run)) fee += NATURAL / 2;
  return fee;
}

static Run readRun(const Segment *s, unsigned charset, size_t at) {
  Context before = contextBefore(s, at);
  Run run = {at, 0, 0, 0, 0};
  int32_t cost = 0;
  for (Sequence one; (one = readSequence(s, charset, run.end)).length;) {
    cost += addKind(&before, kindOf(one.code));
    run.fee += one.fee;
    run.is_damaged |= (one.fee != 0 && one.code != 0xA0) || one.code == 0xFFFD;
    run.end += one.length;
    run.letters++;
  }
  if (run.end == at) return run;
  if (run.letters == 1 && isFar(s, before.class, at, run.end)) cost += LONE;
  run.fee = evidenceFee(s, charset, at, &run);
  const int32_t tail = costAfter(s, before, run.end);
  const Context was = contextBefore(s, run.end);
  run.gain = s->cost[run.end] - s->cost[at] + costAfter(s, was, run.end) - cost - tail;
  if (RATIO * run.gain < cost + tail) run.fee += NO_EVIDENCE;
  return run;
}

/* Is there, directly before `start`, the beginning of a sequence? */
static int isRagged(const Segment *s, unsigned charset, size_t start) {
  while (start > 0 && (byteAt(s, charset, start - 1) & 0xC0) == 0x80) start--;
  return start > 0 && byteAt(s, charset, start - 1) >= 0xC2;
}

static void readRuns(const Segment *s, unsigned charset, Runs *runs) {
  size_t end = 0, ragged = 0;
  runs->charset = charset;
  runs->count = 0;
  runs->saved = runs->most = 0;
  for (size_t i = 0; i < s->pairs; i++) {
    if (s->pair[i] < end || !(s->charsets[i] >> charset & 1)) continue;
    Run run = readRun(s, charset, s->pair[i]);
    if (run.end == s->pair[i]) continue;
    runs->start[runs->count] = s->pair[i];
    runs->end[runs->count] = (uint16_t)run.end;
    runs->is_decoded[runs->count++] = run.gain >= (run.is_damaged ? LOST : WEAK);
    if (runs->is_decoded[runs->count - 1] && isRagged(s, charset, s->pair[i])) ragged++;
    if (run.gain > WEAK) runs->saved += run.gain - WEAK - mojibake_prior[charset];
    if (run.gain - run.fee > runs->most) runs->most = run.gain - run.fee;
    end = run.end;
  }
  runs->saved -= mojibake_prior[charset];
  runs->is_garble = ragged >= 2 && 3 * ragged > runs->count;
}

/* Does the segment have misread runs, and which of them are decoded? */
static int isMisread(const Segment *s, const Runs *runs) {
  return s->only ? runs->count > 0 : runs->most >= mojibake_threshold[runs->charset];
}

static int isDecoded(const Segment *s, const Runs *runs, size_t i) {
  return s->only || runs->is_decoded[i];
}

/* Finds the charset whose runs save the most. Returns 0 if no text is misread. */
static int findRuns(Segment *s, Runs *best) {
  Runs other;
  int found = 0;
  best->charset = 0;
  best->saved = INT32_MIN;
  for (unsigned charset = 0; s->candidates >> charset; charset++) {
    if (!(s->candidates >> charset & 1)) continue;
    readRuns(s, charset, &other);
    if (!isMisread(s, &other) || other.saved <= best->saved) continue;
    *best = other;
    found = 1;
  }
  return found && (s->only || !best->is_garble);
}

/* Decodes the runs. Returns how many of them consist of characters of the original. */
static size_t decodeRuns(Segment *s, const Runs *runs) {
  size_t from = 0, to = 0, originals = 0;
  for (size_t r = 0; r <= runs->count; r++) {
    size_t start = r < runs->count ? runs->start[r] : s->count;
    for (; from < start; from++, to++) {
      s->code[to] = s->code[from];
      s->kind[to] = s->kind[from];
      s->is_decoded[to] = s->is_decoded[from];
    }
    if (r == runs->count || !isDecoded(s, runs, r)) continue;
    originals += !s->is_decoded[from];
    while (from < runs->end[r]) {
      Sequence one = readSequence(s, runs->charset, from);
      s->code[to] = one.code;
      s->kind[to] = (uint16_t)kindOf(one.code);
      s->is_decoded[to++] = 1;
      from += one.length;
    }
  }
  s->count = to;
  return originals;
}

/* ---- C1 controls ----------------------------------------------------------------------- */

static uint32_t fromC1(uint32_t code) {
  return code >= 0x80 && code < 0xA0 ? utf8core_windows1252[code - 0x80] : code;
}

/* Are the C1 controls characters of Windows-1252? Not if one of them has none, nor if all
** are NEL where a line can end: before something else than a space. */
static int isWindowsC1(const Segment *s) {
  int has = 0, isNelOnly = !s->has_c1;
  for (size_t i = 0; i < s->count; i++) {
    if (s->code[i] < 0x80 || s->code[i] > 0x9F) continue;
    if (fromC1(s->code[i]) == s->code[i]) return 0;
    if (s->code[i] != NEL || (i + 1 < s->count && s->code[i + 1] == ' '))
      isNelOnly = 0;
    has = 1;
  }
  return has && !isNelOnly;
}

/* Returns how many C1 controls were replaced. */
static size_t repairC1(Segment *s) {
  size_t originals = 0;
  if (!isWindowsC1(s)) return 0;
  for (size_t i = 0; i < s->count; i++) {
    uint32_t code = fromC1(s->code[i]);
    if (code == s->code[i]) continue;
    s->code[i] = code;
    s->kind[i] = (uint16_t)kindOf(code);
    originals++;
  }
  return originals;
}

/* ---- repairing a segment ------------------------------------------------------------------ */

/* What was repaired in a segment. */
typedef struct Repaired {
  int charset;  /* -1: nothing was */
  size_t start; /* the first code point */
  size_t runs;
} Repaired;

static size_t firstDecoded(const Segment *s, const Runs *runs) {
  size_t i = 0;
  while (!isDecoded(s, runs, i)) i++;
  return runs->start[i];
}

static size_t firstC1(const Segment *s) {
  size_t i = 0;
  while (s->code[i] < 0x80 || s->code[i] > 0x9F) i++;
  return i;
}

/* Repairs one layer. Returns 0 if there is none. */
static int repairLayer(Segment *s, Repaired *all) {
  Runs runs;
  if (s->only) {
    findPairsOf(s);
  } else {
    findPairs(s);
  }
  if (s->pairs) addCosts(s);
  if (!s->pairs || !findRuns(s, &runs)) return 0;
  if (all->charset < 0) {
    all->charset = (int)runs.charset;
    all->start = firstDecoded(s, &runs);
  }
  all->runs += decodeRuns(s, &runs);
  return 1;
}

static Repaired repairSegment(Segment *s) {
  Repaired all = {-1, 0, 0};
  size_t controls = 0;
  do {
    while (repairLayer(s, &all)) {
    }
    if (s->only || !isWindowsC1(s)) break;
    if (all.charset < 0) {
      all.charset = LATIN1;
      all.start = firstC1(s);
    }
    all.runs += controls = repairC1(s);
  } while (controls);
  return all;
}

/* ---- where segments are -------------------------------------------------------------------- */

/* A segment starts at most this many bytes before its first pair. */
#define BEFORE 64

/* Text that was scanned is done up to this many bytes before the end of the scan: a segment
** that starts at a later pair needs it. */
#define MARGIN 80

/* Returns the last place at or before `at`, and after `after`, where a character starts. */
static size_t characterAt(const uint8_t *text, size_t size, size_t at, size_t after) {
  while (at > after && at < size && bytes_is_continuation(text[at])) at--;
  return at;
}

/* The last two characters of a scan, as masks. */
typedef struct Trail {
  uint32_t two;  /* what the last one leads, in sequences of two bytes */
  uint32_t more; /* what the last one leads, in longer ones */
  uint32_t next; /* what the one before leads, and the last one continues */
  size_t last, before; /* where they start */
} Trail;

static const Trail noTrail = {0, 0, 0, 0, 0};

/* Returns the kind of a space that may have been the byte A0. */
static int isSpaceAfter(const uint8_t *text, size_t at) {
  return text[at] == ' ' && at >= 2 && text[at - 2] == 0xC3 && (text[at - 1] | 1) == 0x83;
}

/* Moves past the character at `at`, of kind `kind`. Returns 1 if it ends a pair or a triple
** that is not natural. */
static int addToTrail(Trail *trail, size_t at, unsigned kind) {
  const uint32_t next = mojibake_scan_next[kind];
  if (trail->two & next) {
    trail->before = trail->last;
    return 1;
  }
  if (trail->next & next) return 1;
  trail->next = trail->more & next;
  trail->two = mojibake_scan_two[kind];
  trail->more = mojibake_scan_more[kind];
  trail->before = trail->last;
  trail->last = at;
  return mojibake_class[kind] == MOJIBAKE_C1 ? (trail->before = at, 1) : 0;
}

/* Returns the first place in text[from..end) that may be misread: two or three characters
** that can be the bytes of a sequence, or a C1 control. Returns end if there is none. */
static size_t scanSlowly(const uint8_t *text, size_t size, size_t from, size_t end) {
  Trail trail = noTrail;
  for (size_t at = from; at < end;) {
    if (text[at] < 0x80) {
      if (isSpaceAfter(text, at) && at - from >= 2) return at - 2;
      trail = noTrail;
      at++;
      continue;
    }
    Utf8Step one = step(text, size, at, UTF8_STRICT);
    if (addToTrail(&trail, at, kindOf(one.codepoint))) return trail.before;
    at += one.length;
  }
  return end;
}

/* Like scanSlowly(), for any pair in one charset. */
static size_t scanFor(const Utf8MojibakeCharset *only, const uint8_t *text, size_t size,
                      size_t from, size_t end) {
  for (size_t at = from; at < end;) {
    Utf8Step one = step(text, size, at, UTF8_STRICT);
    if (one.codepoint >= 0x80 && lengthOf(byteIn(only, one.codepoint))) return at;
    at += one.length;
  }
  return end;
}

#if UTF8_GNU
typedef uint8_t Lanes __attribute__((vector_size(16)));

static inline Lanes loadLanes(const uint8_t *from) {
  Lanes lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

/* E2 or EF: a lead byte of symbols. */
static inline Lanes isSymbol(Lanes b) {
  return (Lanes)(b == 0xE2) | (Lanes)(b == 0xEF);
}

/* Returns lanes that are not 0 where scanSlowly() may stop, or near there: two characters
** above 7F of which one is a Latin letter or a symbol (lead byte C2..CB, E2, EF) and the
** other in a charset too (C2..DB); a C1 control; "Ã" before a space; a small and then a
** capital Cyrillic letter. Reads 3 bytes before p and 3 bytes after its 16. */
static inline Lanes suspects(const uint8_t *p) {
  const Lanes b = loadLanes(p), two = loadLanes(p - 2), three = loadLanes(p - 3),
              next = loadLanes(p + 1), third = loadLanes(p + 2), fourth = loadLanes(p + 3);
  const Lanes symbol = isSymbol(b);
  const Lanes latin = (Lanes)((b - 0xC2) < 0x0A) | (Lanes)((two - 0xC2) < 0x0A) | symbol;
  const Lanes short_ = (Lanes)((two - 0xC2) < 0x1A);
  Lanes found = ((Lanes)((b - 0xC2) < 0x1A) | symbol) & ((short_ & latin) | isSymbol(three));
  found |= (Lanes)(b == 0xC2) & (Lanes)(next < 0xA0);
  found |= (Lanes)(b == 0xC3) & (Lanes)((next | 1) == 0x83) & (Lanes)(third == ' ');
  Lanes small = ((Lanes)(b == 0xD0) & ((Lanes)(next >= 0xB0) | (Lanes)(next == 0x81))) |
                ((Lanes)(b == 0xD1) & (Lanes)(next < 0xA0));
  return found | (small & (Lanes)(third == 0xD0) & (Lanes)(fourth < 0xB0));
}

/* Returns how many bytes from `at` on need no slow scan: a multiple of 64. */
static size_t scanQuickly(const uint8_t *text, size_t at, size_t end) {
  const size_t from = at;
  for (; end - at >= 64 + 3 && at >= 3; at += 64) {
    Lanes all = suspects(text + at) | suspects(text + at + 16) | suspects(text + at + 32) |
                suspects(text + at + 48);
    uint64_t halves[2];
    memcpy(halves, &all, sizeof halves);
    if (halves[0] | halves[1]) break;
  }
  return at - from;
}
#else
static size_t scanQuickly(const uint8_t *text, size_t at, size_t end) {
  const size_t from = at;
  while (end - at >= 8 && !(bytes_load64(text + at) & BYTES_HIGH_BITS)) at += 8;
  return at - from;
}
#endif

/* After a quick scan has stopped, so many bytes are scanned slowly. */
#define SLOW 64

static size_t scan(const Utf8MojibakeCharset *only, const uint8_t *text, size_t size,
                   size_t from, size_t end) {
  if (only) return scanFor(only, text, size, from, end);
  for (size_t at = from; at < end;) {
    const size_t start = at;
    at += scanQuickly(text, at, end);
    /* From a few characters before, which may belong to a pair with one here. */
    size_t slow = at - start > SLOW ? characterAt(text, size, at - 16, from) : start;
    const size_t stop = end - at > SLOW ? characterAt(text, size, at + SLOW, at) : end;
    const size_t found = scanSlowly(text, size, slow, stop);
    if (found < stop) return found;
    at = stop == end ? end : characterAt(text, size, stop - 16, start);
    if (at <= start) at = stop;
  }
  return end;
}

/* Where the segment of the pair at `at` starts. */
static size_t segmentStart(const uint8_t *text, size_t size, size_t from, size_t at) {
  size_t start = at - from > BEFORE ? at - BEFORE : from;
  for (size_t i = at; i > start; i--) {
    if (text[i - 1] == '\n') return i;
  }
  return start == from ? from : characterAt(text, size, start, from);
}

/* Where it ends: after the line, or between two ASCII characters. */
static size_t segmentEnd(const uint8_t *text, size_t size, size_t start) {
  const size_t limit = size - start > LINE ? start + LINE : size;
  const uint8_t *newline = memchr(text + start, '\n', limit - start);
  if (newline) return (size_t)(newline - text) + 1;
  if (limit == size) return size;
  for (size_t i = limit; i > limit - LINE / 2; i--) {
    if (text[i - 1] < 0x80 && text[i] < 0x80) return i;
  }
  return characterAt(text, size, limit, start);
}

typedef struct Place {
  size_t start, end; /* of a segment; equal if there is none */
} Place;

/* Finds the first segment of text[from..end) that may be misread; without one, start is
** where to scan next. */
static Place nextSegment(const Utf8MojibakeCharset *only, const uint8_t *text,
                         size_t size, size_t from, size_t end) {
  const size_t pair = scan(only, text, size, from, end);
  if (pair >= end) {
    const size_t next =
        end == size ? size : characterAt(text, size, end - MARGIN, from);
    return (Place){next, next};
  }
  const size_t start = segmentStart(text, size, from, pair);
  return (Place){start, segmentEnd(text, size, start)};
}

/* ---- the API ---------------------------------------------------------------------------------- */

static size_t bytesBefore(const uint8_t *text, size_t at, size_t codes) {
  size_t start = at;
  for (; codes > 0; codes--)
    at = at + 1 + (size_t)(text[at] >= 0xC0) + (size_t)(text[at] >= 0xE0) +
         (size_t)(text[at] >= 0xF0);
  return at - start;
}

int utf8mojibake_find(const Utf8MojibakeCharset *charset, const uint8_t *text,
                      size_t size, size_t *at, size_t until, Utf8MojibakeFound *found) {
  const size_t end = size - until > 2 * MARGIN ? until + 2 * MARGIN : size;
  while (*at < until) {
    Segment s;
    const Place place = nextSegment(charset, text, size, *at, end);
    *at = place.end;
    if (place.start == place.end) return 0;
    s.only = charset;
    readSegment(&s, text + place.start, place.end - place.start);
    Repaired all = repairSegment(&s);
    if (all.charset < 0) continue;
    found->charset = all.charset;
    found->offset = place.start + bytesBefore(text, place.start, all.start);
    found->runs = all.runs;
    return 1;
  }
  return 0;
}

/* Writes a repaired segment, and returns the number of bytes. */
static size_t writeSegment(const Segment *s, uint8_t *out) {
  size_t used = 0;
  for (size_t i = 0; i < s->count; i++) used += stepPut(out + used, s->code[i]);
  return used;
}

static size_t repairPlace(const Utf8MojibakeCharset *charset, const uint8_t *text,
                          size_t size, uint8_t *out) {
  Segment s;
  s.only = charset;
  readSegment(&s, text, size);
  if (repairSegment(&s).charset >= 0) return writeSegment(&s, out);
  memcpy(out, text, size);
  return size;
}

size_t utf8mojibake_repair(const Utf8MojibakeCharset *charset, const uint8_t *text,
                           size_t size, size_t *at, uint8_t *out, size_t room) {
  size_t used = 0;
  while (*at < size && room - used >= 2 * LINE) {
    const size_t left = room - used, rest = size - *at;
    const Place place =
        nextSegment(charset, text, size, *at, left < rest ? *at + left : size);
    memcpy(out + used, text + *at, place.start - *at);
    used += place.start - *at;
    *at = place.start;
    if (place.start == place.end) continue;
    if (room - used < 2 * LINE) break;
    used +=
        repairPlace(charset, text + place.start, place.end - place.start, out + used);
    *at = place.end;
  }
  return used;
}
