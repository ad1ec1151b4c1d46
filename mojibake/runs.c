/* mojibake/runs.c: reads the runs of a segment in a charset (mojibake/runs.h).
**
** What may have happened to the bytes since is a fact from ftfy 6.3.1 (Apache License 2.0, by
** Robyn Speer): a no-break space that became a space, a byte lost as U+FFFD, and CESU-8.
*/
#include "mojibake/runs.h"

/* ---- bytes -------------------------------------------------------------------------------------- */

/* A segment as bytes of a charset. */
typedef struct RunReader {
  const Segment *segment;
  const uint8_t *row; /* the byte of each kind; NULL: kinds are bytes */
} RunReader;

/* Returns the byte; 0 if the charset lacks the code point, 20 for a space and 1A for U+FFFD
** where these may stand for a byte. */
ALWAYS_INLINE uint8_t byteAt(const RunReader *r, size_t at) {
  const unsigned kind = r->segment->kind[at];
  return r->row ? r->row[kind] : kind < NO_BYTE ? (uint8_t)kind : 0;
}

/* ---- a sequence ----------------------------------------------------------------------------- */

typedef struct Sequence {
  uint32_t code;
  unsigned length; /* in code points of the segment; 0: no sequence */
} Sequence;

static const Sequence noSequence = {0, 0};

static int isWordAt(const Segment *s, size_t at, const char *word) {
  for (; *word; word++, at++) {
    if (at >= s->count || s->kind[at] != (uint8_t)*word) return 0;
  }
  return 1;
}

/* Reads "Ã " at `at` as "à" or "à ", unless it ends a word in capitals. The space stays, except in the Portuguese "às" and
** "àquele" (a rule of ftfy's). */
static Sequence readAGrave(const Segment *s, size_t at) {
  static const char *const joined[] = {" ", "s ", "quele", "quela", "quilo"};
  if (isUpper(classBefore(s, at))) return noSequence;
  for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
    if (isWordAt(s, at + 2, joined[i])) return (Sequence){0xE0, 2};
  }
  return (Sequence){0xE0, 1};
}

/* May a space after the lead byte have been A0? After others, a sign or letter before a space is likelier to be meant,
** such as × (D7) and ß (DF). These leads are ftfy's. */
static int isSpacedLead(uint8_t lead) {
  return memchr("\xC2\xC3\xC5\xCE\xD0\xD9\xE2\xE3\xF0", lead, 9) != NULL;
}

/* Reads the continuation bytes of a sequence into bytes[1..length). Returns 0 if one is
** missing, 1 if one was lost, else 2. */
static int readContinuations(const RunReader *r, size_t at, uint8_t *bytes,
                             unsigned length) {
  int result = 2;
  for (unsigned i = 1; i < length; i++) {
    bytes[i] = byteAt(r, at + i);
    if (bytes[i] == 0x1A) {
      result = 1;
    } else if (bytes[i] == 0x20 && (i > 1 || isSpacedLead(bytes[0]))) {
      bytes[i] = 0xA0;
    } else if (!bytes_is_continuation(bytes[i])) {
      return 0;
    }
  }
  return result;
}

/* Reads the second surrogate of CESU-8 into bytes[3..6). */
static Utf8Step readSurrogates(const RunReader *r, size_t at, uint8_t *bytes) {
  const Utf8Step none = {0, 0, UTF8_SURROGATE};
  if (at + 6 > r->segment->count) return none;
  bytes[3] = byteAt(r, at + 3);
  if (readContinuations(r, at + 3, bytes + 3, 3) != 2) return none;
  return step(bytes, 6, 0, UTF8_PAIRS);
}

/* Returns the length that a byte of at least C2 announces, 2 to 4, or 0. */
static unsigned lengthOf(uint8_t lead) {
  return lead > 0xF4 ? 0 : bytes_sequence_length(lead);
}

/* Reads the start of a sequence that the end of the text cuts off. */
static Sequence readCut(const RunReader *r, size_t at) {
  uint8_t bytes[4];
  const size_t left = r->segment->count - at;
  if (!r->segment->is_end || left >= sizeof bytes) return noSequence;
  for (size_t i = 0; i < left; i++) bytes[i] = byteAt(r, at + i);
  return step(bytes, left, 0, UTF8_STRICT).error == UTF8_TRUNCATED
             ? (Sequence){0xFFFD, (unsigned)left}
             : noSequence;
}

/* Reads any sequence, damaged ones included. */
static NOINLINE Sequence readDamaged(const RunReader *r, size_t at) {
  uint8_t bytes[6] = {byteAt(r, at)};
  const unsigned length = lengthOf(bytes[0]);
  if (bytes[0] == 0xC3 && byteAt(r, at + 1) == 0x20)
    return r->segment->is_decoded[at] ? noSequence : readAGrave(r->segment, at);
  if (!length) return noSequence;
  if (at + length > r->segment->count) return readCut(r, at);
  const int read = readContinuations(r, at, bytes, length);
  if (read == 0) return noSequence;
  if (read == 1) return (Sequence){0xFFFD, length};
  const int isSurrogate = bytes[0] == 0xED && bytes[1] >= 0xA0;
  const Utf8Step one =
      isSurrogate ? readSurrogates(r, at, bytes) : step(bytes, length, 0, UTF8_STRICT);
  return one.error ? noSequence : (Sequence){one.codepoint, one.length};
}

/* Reads the sequence at `at`. Optimised for two and three bytes. */
ALWAYS_INLINE Sequence readSequence(const RunReader *r, size_t at) {
  const uint8_t lead = byteAt(r, at);
  if (lead < 0xC2) return noSequence;
  const uint8_t second = byteAt(r, at + 1);
  if (!bytes_is_continuation(second)) return readDamaged(r, at);
  if (lead < 0xE0) return (Sequence){(lead & 0x1Fu) << 6 | (second & 0x3F), 2};
  const uint8_t third = byteAt(r, at + 2);
  if (lead >= 0xF0 || !bytes_is_continuation(third)) return readDamaged(r, at);
  uint32_t code = (lead & 0xFu) << 12 | (second & 0x3Fu) << 6 | (third & 0x3F);
  if (code < 0x800 || code >> 11 == 0xD800 >> 11) return readDamaged(r, at);
  return (Sequence){code, 3};
}

/* ---- runs ----------------------------------------------------------------------------------- */

/* Is there, at `at`, a high code point other than punctuation and C1 controls? Most of these controls were punctuation in
** Windows-1252. */
static int isOther(const Segment *s, size_t at) {
  const unsigned class = classAt(s, at);
  return at < s->count && s->kind[at] >= 0x80 && !isPunctuation(class) &&
         class != MOJIBAKE_C1;
}

/* Is it more than a common sign of two bytes, which may be meant? */
static int isMoreThanSign(uint32_t code) {
  return code >= 0x800 || utf8mojibake_traits[utf8mojibake_kind_of(code)].script != 0;
}

/* Does the end of the text cut run r? `last` is its last code point, decoded. */
static int isCut(const Segment *s, const Runs *runs, size_t r, uint32_t last) {
  return last == 0xFFFD && s->is_end && runs->end[r] == s->count;
}

/* Returns how many bytes of run r were lost. */
static size_t lostOf(const Segment *s, const Runs *runs, size_t r) {
  size_t lost = 0;
  for (size_t at = runs->start[r]; at < runs->end[r]; at++)
    lost += codeAt(s, at) == 0xFFFD;
  return lost;
}

/* Are half as many bytes lost as the run has letters: "ç" U+FFFD? Then its letters may be intact, and what was lost was
** beside them. Of a sign of three bytes, "â€" is left if the third one was lost. */
static int isLost(const Segment *s, size_t start, size_t lost, size_t letters) {
  return 2 * lost >= letters && lost > 0 && codeAt(s, start + 1) != 0x20AC;
}

/* Counts what run r, whose code points start at code[from], has now. */
static void countRun(const Segment *s, Runs *runs, size_t r, size_t from) {
  const size_t start = runs->start[r], end = runs->end[r], letters = runs->letters[r];
  const size_t lost = lostOf(s, runs, r);
  const int cut = isCut(s, runs, r, runs->code[from + letters - 1]);
  for (size_t at = start; at < end; at++) {
    const int isHigh = s->kind[at] >= 0x80;
    runs->covered += (size_t)isHigh;
    runs->changed += (size_t)!isHigh;
  }
  runs->changed += lost;
  runs->is_cut |= cut;
  runs->credible += !isLost(s, start, lost + (size_t)cut, letters);
  for (size_t i = from; i < from + letters; i++)
    runs->is_more_than_signs |= isMoreThanSign(runs->code[i]);
}

static void clearRuns(Runs *runs) {
  runs->count = runs->codes = runs->covered = runs->credible = 0;
  runs->changed = 0;
  runs->is_more_than_signs = runs->is_cut = 0;
}

/* Adds the run at `start`, unless it touches others. Returns its end, or start if there is none. */
static size_t addRun(const RunReader *r, Runs *runs, size_t start) {
  const Segment *s = r->segment;
  const size_t first = runs->codes;
  size_t end = start;
  for (Sequence one; (one = readSequence(r, end)).length; end += one.length)
    runs->code[runs->codes++] = one.code;
  if (end == start) return end;
  const int isRagged =
      !s->only && (isOther(s, end) || (start > 0 && isOther(s, start - 1)));
  if (isRagged) {
    runs->codes = first;
    return end;
  }
  runs->start[runs->count] = (uint16_t)start;
  runs->end[runs->count] = (uint16_t)end;
  runs->letters[runs->count++] = (uint16_t)(runs->codes - first);
  if (!s->only) countRun(s, runs, runs->count - 1, first);
  return end;
}

/* Does a word go on at `at`: with a letter, or another high code point but punctuation? */
static int isOfRunWord(const Segment *s, size_t at) {
  return isOther(s, at) || (at < s->count && traitsAt(s, at).script);
}

/* Is there, at `at`, a high code point of the original? Beside a run in the same word, it was not misread. */
static int isClean(const Segment *s, size_t at) {
  return isOther(s, at) && !s->is_decoded[at];
}

/* Is there a clean code point after run r, in the same word? */
static int isTornAfter(const Segment *s, const Runs *runs, size_t r) {
  for (size_t at = runs->end[r]; isOfRunWord(s, at); at++) {
    if (r + 1 < runs->count && at == runs->start[r + 1]) return 0;
    if (isClean(s, at)) return 1;
  }
  return 0;
}

/* Is there one before it? */
static int isTornBefore(const Segment *s, const Runs *runs, size_t r) {
  for (size_t at = runs->start[r]; at > 0 && isOfRunWord(s, at - 1); at--) {
    if (r > 0 && at == runs->end[r - 1]) return 0;
    if (isClean(s, at - 1)) return 1;
  }
  return 0;
}

int utf8mojibake_is_torn(const Segment *s, const Runs *runs, size_t r) {
  return isTornAfter(s, runs, r) || isTornBefore(s, runs, r);
}

/* Is only a part of some word in the runs? */
static int hasTornWord(const Segment *s, const Runs *runs) {
  if (runs->covered == s->highs) return 0;
  for (size_t r = 0; r < runs->count; r++)
    if (utf8mojibake_is_torn(s, runs, r)) return 1;
  return 0;
}

void utf8mojibake_read_runs(const Segment *s, unsigned charset, Runs *runs) {
  const RunReader r = {s, s->only ? NULL : utf8mojibake_byte[charset]};
  runs->charset = charset;
  clearRuns(runs);
  for (size_t h = 0, end = 0; h < s->highs; h++) {
    if (s->high[h] >= end) end = addRun(&r, runs, s->high[h]);
  }
}

int utf8mojibake_are_credible(const Segment *s, const Runs *runs) {
  return runs->count > 0 && runs->credible > 0 && !hasTornWord(s, runs);
}

void utf8mojibake_keep_runs(const Segment *s, Runs *runs, const uint8_t *keep) {
  const size_t count = runs->count;
  size_t from = 0;
  clearRuns(runs);
  for (size_t r = 0; r < count; r++) {
    const size_t to = runs->count, letters = runs->letters[r];
    if (keep[r]) {
      memmove(runs->code + runs->codes, runs->code + from,
              letters * sizeof *runs->code);
      runs->start[to] = runs->start[r];
      runs->end[to] = runs->end[r];
      runs->letters[to] = (uint16_t)letters;
      countRun(s, runs, runs->count++, runs->codes);
      runs->codes += letters;
    }
    from += letters;
  }
}
