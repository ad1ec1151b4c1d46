/* mojibake/run.c: reads the sequences of a run, and weighs the text before and after
** (mojibake/run.h).
**
** What may have happened to the bytes since is a fact from ftfy 6.3.1 (Apache License 2.0, by
** Robyn Speer): a no-break space that became a space, a byte lost as U+FFFD, and CESU-8.
*/
#include "mojibake/run.h"

/* ---- the cost of code points ---------------------------------------------------------------- */

unsigned utf8mojibake_script_before(const Segment *s, size_t at) {
  for (size_t i = at; i > 0 && at - i < UTF8_MOJIBAKE_NEAR; i--) {
    const unsigned script = traitsAt(s, i - 1).script;
    if (script) return script;
  }
  return 0;
}

unsigned utf8mojibake_script_after(const Segment *s, size_t at) {
  for (size_t i = at; i < s->count && i - at < UTF8_MOJIBAKE_NEAR; i++) {
    const unsigned script = traitsAt(s, i).script;
    if (script) return script;
  }
  return 0;
}

Context utf8mojibake_context_before(const Segment *s, size_t at) {
  if (at == 0) return (Context){MOJIBAKE_SPACE, 0, 0};
  const Utf8MojibakeTraits last = traitsAt(s, at - 1);
  return (Context){last.class, last.script, utf8mojibake_script_before(s, at)};
}

/* Returns the part of the cost of what follows a run that depends on the run. `script` is that
** of the next letter. */
static int32_t costAfter(Context last, Utf8MojibakeTraits next, unsigned script) {
  const int32_t cost = utf8mojibake_pair[last.class][next.class];
  if (next.script && last.own) return cost;
  return cost + utf8mojibake_switch[last.script][script];
}

/* ---- a sequence ----------------------------------------------------------------------------- */

typedef struct Sequence {
  uint32_t code;
  unsigned length; /* in code points of the segment; 0: no sequence */
  int32_t fee;     /* what it must save to be evidence */
  int is_lost;     /* U+FFFD stands for one of its bytes */
} Sequence;

static const Sequence noSequence = {0, 0, 0, 0};

static int isWordAt(const Segment *s, size_t at, const char *word) {
  for (; *word; word++, at++) {
    if (at >= s->count || s->kind[at] != (uint8_t)*word) return 0;
  }
  return 1;
}

/* Reads "Ã " at `at` as "à" or "à ". The space stays, except in the Portuguese "às" and
** "àquele" (a rule of ftfy's). */
static Sequence readAGrave(const Segment *s, size_t at) {
  static const char *const joined[] = {" ", "s ", "quele", "quela", "quilo"};
  const size_t next = at + 2;
  Sequence a = {0xE0, 1, MISREAD_A, 0};
  for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
    if (isWordAt(s, next, joined[i])) a.length = 2;
  }
  const int isAlone = at == 0 || s->kind[at - 1] == ' ' || s->kind[at - 1] == '\'';
  if (isAlone && classAt(s, next) == MOJIBAKE_LOWER && s->code[at] == 0xC3)
    a.fee = -MISREAD_A;
  return a;
}

/* May a space after the lead byte have been A0? After others, a sign or letter before a space is likelier to be meant,
** such as × (D7) and ß (DF). These leads are ftfy's. */
static int isSpacedLead(uint8_t lead) {
  return memchr("\xC2\xC3\xC5\xCE\xD0\xD9\xE2\xE3\xF0", lead, 9) != NULL;
}

/* Reads the continuation bytes of a sequence into bytes[1..length). Returns 0 if one is
** missing, 1 if one was lost, else 2. */
static int readContinuations(const RunReader *r, size_t at, uint8_t *bytes,
                             unsigned length, int32_t *fee) {
  int result = 2;
  for (unsigned i = 1; i < length; i++) {
    bytes[i] = byteAt(r, at + i);
    if (bytes[i] == 0x1A) {
      result = 1;
    } else if (bytes[i] == 0x20 && (i > 1 || isSpacedLead(bytes[0]))) {
      bytes[i] = 0xA0;
      *fee += MISREAD_SPACE;
    } else if (!bytes_is_continuation(bytes[i])) {
      return 0;
    }
  }
  return result;
}

/* Reads the second surrogate of CESU-8 into bytes[3..6). */
static Utf8Step readSurrogates(const RunReader *r, size_t at, uint8_t *bytes,
                               int32_t *fee) {
  const Utf8Step none = {0, 0, UTF8_SURROGATE};
  if (at + 6 > r->segment->count) return none;
  bytes[3] = byteAt(r, at + 3);
  if (readContinuations(r, at + 3, bytes + 3, 3, fee) != 2) return none;
  return step(bytes, 6, 0, UTF8_PAIRS);
}

/* Returns the length that a byte of at least C2 announces, 2 to 4, or 0. */
static unsigned lengthOf(uint8_t lead) {
  return lead > 0xF4 ? 0 : bytes_sequence_length(lead);
}

/* Reads any sequence, damaged ones included. */
static NOINLINE Sequence readDamaged(const RunReader *r, size_t at) {
  uint8_t bytes[6] = {byteAt(r, at)};
  Sequence found = {0, lengthOf(bytes[0]), 0, 0};
  if (!found.length || at + found.length > r->segment->count) found.length = 0;
  if (bytes[0] == 0xC3 && byteAt(r, at + 1) == 0x20)
    return r->segment->is_decoded[at] ? noSequence : readAGrave(r->segment, at);
  if (!found.length) return noSequence;
  const int read = readContinuations(r, at, bytes, found.length, &found.fee);
  if (read == 0) return noSequence;
  if (read == 1) {
    found.code = 0xFFFD;
    found.is_lost = 1;
    return found;
  }
  Utf8Step one = step(bytes, found.length, 0, UTF8_STRICT);
  if (bytes[0] == 0xED && bytes[1] >= 0xA0)
    one = readSurrogates(r, at, bytes, &found.fee);
  if (one.error) return noSequence;
  return (Sequence){one.codepoint, one.length, found.fee, 0};
}

/* Reads the sequence at `at`. Optimised for two and three bytes. */
ALWAYS_INLINE Sequence readSequence(const RunReader *r, size_t at) {
  const uint8_t lead = byteAt(r, at);
  if (lead < 0xC2) return noSequence;
  const uint8_t second = byteAt(r, at + 1);
  if (!bytes_is_continuation(second)) return readDamaged(r, at);
  if (lead < 0xE0) return (Sequence){(lead & 0x1Fu) << 6 | (second & 0x3F), 2, 0, 0};
  const uint8_t third = byteAt(r, at + 2);
  if (lead >= 0xF0 || !bytes_is_continuation(third)) return readDamaged(r, at);
  uint32_t code = (lead & 0xFu) << 12 | (second & 0x3Fu) << 6 | (third & 0x3F);
  if (code < 0x800 || code >> 11 == 0xD800 >> 11) return readDamaged(r, at);
  return (Sequence){code, 3, 0, 0};
}

/* ---- a run ---------------------------------------------------------------------------------- */

/* Is a single code point of the class an accident where the run is? */
static int isFar(const Segment *s, unsigned class, const Run *run) {
  const unsigned far = utf8mojibake_traits_of(class).far;
  if (far != 1) return far != 0;
  return classBefore(s, run->start) != MOJIBAKE_SPACE ||
         classAt(s, run->end) != MOJIBAKE_SPACE;
}

/* Do the decoded code points cost no more than common text does? */
static int isCommonRun(const Run *run, int32_t cost, Context last) {
  const int32_t extra = utf8mojibake_traits_of(last.class).far ? 2 * MISREAD_COMMON : 0;
  return cost <= MISREAD_COMMON * (int32_t)run->letters + extra;
}

/* Completes a run of which start, end, letters and is_damaged are known, and in fee the fees
** of its sequences. `cost` and `last` are of the decoded code points, `before` is the context
** before. */
static void weighRun(const Segment *s, Run *run, Context before, int32_t cost,
                     Context last) {
  const Utf8MojibakeTraits next = traitsAt(s, run->end);
  const unsigned script = utf8mojibake_script_after(s, run->end);
  int32_t was = 0;
  for (size_t i = run->start; i < run->end; i++) was += addKind(&before, s->kind[i]);
  was += costAfter(before, next, script);
  cost += costAfter(last, next, script);
  if (run->letters == 1 && isFar(s, last.class, run)) cost += MISREAD_LONE;
  run->gain = was - cost;
  run->is_clear = run->gain - run->fee >= MISREAD_CLEAR && isCommonRun(run, cost, last);
  if (MISREAD_RATIO * (run->gain - run->fee) < cost) run->fee += MISREAD_NEVER;
}

Run utf8mojibake_read_run(const RunReader *r, size_t start, uint32_t *codes) {
  const Segment *s = r->segment;
  Run run = {start, start, 0, 0, 0, 0, 0, 0, 0};
  const Context before = utf8mojibake_context_before(s, start);
  Context last = before;
  int32_t cost = 0;
  for (Sequence one; (one = readSequence(r, run.end)).length; run.end += one.length) {
    codes[run.letters++] = one.code;
    if (!s->only) cost += addKind(&last, utf8mojibake_kind_of(one.code));
    run.fee += one.fee;
    run.lost += (size_t)one.is_lost;
    run.is_damaged |= (one.fee != 0 && one.code != 0xA0) || one.code == 0xFFFD;
  }
  run.last = last.class;
  if (run.letters && !s->only) weighRun(s, &run, before, cost, last);
  return run;
}

/* ---- charsets that agree -------------------------------------------------------------------- */

uint32_t utf8mojibake_agreeing_on(unsigned kind, unsigned charset) {
  const uint32_t *mask = utf8mojibake_agreeing + utf8mojibake_agreeing_from[kind];
  while (!(*mask >> charset & 1)) mask++;
  return *mask;
}

uint32_t utf8mojibake_agreeing_at(const Segment *s, size_t at, unsigned charset) {
  const uint8_t lead = utf8mojibake_byte[charset][s->kind[at]];
  uint32_t agreeing = utf8mojibake_agreeing_on(s->kind[at], charset);
  for (unsigned k = 1; k < lengthOf(lead); k++) {
    agreeing &= utf8mojibake_agreeing_on(s->kind[at + k], charset);
  }
  return agreeing;
}

int utf8mojibake_is_ambiguous(const Segment *s, const Run *run, unsigned charset,
                              uint32_t charsets) {
  charsets &= ~utf8mojibake_agreeing_at(s, run->start, charset);
  for (; charsets; charsets &= charsets - 1) {
    const unsigned other = (unsigned)mask_lowest(charsets);
    if (other >= MISREAD_LIKELY) continue;
    const RunReader r = runReaderOf(s, other);
    const Sequence one = readSequence(&r, run->start);
    if (!one.length || one.fee) continue;
    const unsigned class = utf8mojibake_traits[utf8mojibake_kind_of(one.code)].class;
    if (class == MOJIBAKE_LATIN_LOWER || class == MOJIBAKE_LATIN_UPPER) return 1;
  }
  return 0;
}
