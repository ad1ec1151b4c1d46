/* mojibake/read.h: a segment as code points, and its runs as bytes of a charset. A part of
** mojibake/segment.c, inlined for speed.
*/
#ifndef UTF8_MOJIBAKE_READ_H
#define UTF8_MOJIBAKE_READ_H

#include "mojibake/kind.h"
#include "core/step.h"
#include <string.h>

/* What reading a space as the byte A0 must save besides, in quarters of a bit. */
#define SPACE_FEE 40 /* for reading a space as the byte A0 */
#define A_FEE     12 /* the same in "Ã " for "à" */
#define A_GRAVE   48 /* saved by "Ã" as a word of its own before a small letter */

#define CODES_MAX UTF8_MOJIBAKE_LINE
#define NEL       0x85

/* ---- a segment ---------------------------------------------------------------------------- */

/* After the segment, this many code points that are no bytes can be read. */
#define PADDING 4

/* A segment as code points, and what is known of each. A code point above 7F is called high. */
typedef struct Segment {
  const Utf8MojibakeCharset *only; /* NULL: any charset */
  uint32_t original_c1;            /* C1 controls of the original, as bits */
  uint32_t c1;                     /* those that were there at any time */
  size_t count;
  size_t highs;
  size_t pairs;
  uint32_t candidates; /* charsets to be tried, as bits */
  int is_uniform;      /* each of them explains all pairs */
  uint16_t
      kind[CODES_MAX + PADDING]; /* kinds or ASCII; if there is one charset, units */
  uint32_t code[CODES_MAX];      /* of high code points */
  uint8_t is_decoded[CODES_MAX]; /* of high ones: not in the original */
  uint16_t high[CODES_MAX];      /* where they are */
  uint16_t pair[CODES_MAX];      /* where pairs start */
  uint32_t charsets[CODES_MAX];  /* of each pair */
} Segment;

/* Units of the only charset: 80..FF are bytes, 1A is a lost byte, and NO_BYTE is added to what
** has none, such as ASCII. */
#define NO_BYTE 0x100

/* Returns the unit of a high code point. */
static uint16_t unitOf(const Utf8MojibakeCharset *only, uint32_t code) {
  if (code == 0xFFFD && only->is_lossy) return 0x1A;
  const uint8_t byte = utf8mojibake_byte_in(only, code);
  return byte ? byte : NO_BYTE;
}

static inline int isC1(uint32_t code) {
  return code >= 0x80 && code < 0xA0;
}

/* Stores a high code point, at or before the place of those that it replaces. */
ALWAYS_INLINE void addHigh(Segment *s, size_t at, uint32_t code, uint16_t kind,
                           int isDecoded) {
  s->code[at] = code;
  s->kind[at] = kind;
  s->is_decoded[at] = (uint8_t)isDecoded;
  s->high[s->highs++] = (uint16_t)at;
  if (UNLIKELY(code < 0xA0)) s->c1 |= (uint32_t)1 << (code & 31);
}

/* Returns the kind or the unit of a high code point. */
ALWAYS_INLINE uint16_t kindOf(const Segment *s, uint32_t code) {
  return (uint16_t)(UNLIKELY(s->only != NULL) ? unitOf(s->only, code)
                                              : utf8mojibake_kind_of(code));
}

static void endSegment(Segment *s, size_t count) {
  s->count = count;
  for (size_t i = 0; i < PADDING; i++) s->kind[count + i] = 0;
}

/* Stores ASCII as kinds, up to a high byte or the end. Returns how many bytes there were. */
ALWAYS_INLINE size_t readAsciiKinds(const Segment *s, const uint8_t *text, size_t size,
                                    uint16_t *kind) {
  const uint16_t add = s->only ? NO_BYTE : 0;
  size_t n = 0;
  for (; size - n >= 8 && !(bytes_load64(text + n) & BYTES_HIGH_BITS); n += 8)
    bytes_widen(kind + n, text + n, add);
  for (; n < size && text[n] < 0x80; n++) kind[n] = (uint16_t)(text[n] + add);
  return n;
}

/* Reads well-formed text of at most UTF8_MOJIBAKE_LINE bytes. */
static void readSegment(Segment *s, const uint8_t *text, size_t size) {
  size_t n = 0;
  s->highs = 0;
  s->c1 = 0;
  for (size_t at = 0; at < size;) {
    const size_t ascii = readAsciiKinds(s, text + at, size - at, s->kind + n);
    at += ascii;
    n += ascii;
    for (; at < size && text[at] >= 0x80; n++) {
      const Utf8Step one = stepWellFormed(text + at);
      addHigh(s, n, one.codepoint, kindOf(s, one.codepoint), 0);
      at += one.length;
    }
  }
  s->original_c1 = s->c1;
  endSegment(s, n);
}

/* Returns the traits of a code point; before the first and after the last one, of a space. */
ALWAYS_INLINE Utf8MojibakeTraits traitsAt(const Segment *s, size_t at) {
  return utf8mojibake_traits[at < s->count ? s->kind[at] : ' '];
}

ALWAYS_INLINE unsigned classAt(const Segment *s, size_t at) {
  return traitsAt(s, at).class;
}

ALWAYS_INLINE unsigned classBefore(const Segment *s, size_t at) {
  return at > 0 ? classAt(s, at - 1) : MOJIBAKE_SPACE;
}

static int isUpper(unsigned class) {
  return utf8mojibake_is_upper[class];
}

ALWAYS_INLINE void addPair(Segment *s, size_t at, uint32_t charsets) {
  s->pair[s->pairs] = (uint16_t)at;
  s->charsets[s->pairs++] = charsets;
}

/* Is there, at a high code point, what a scan stops at? */
ALWAYS_INLINE int isSuspicious(const Segment *s, size_t at) {
  const unsigned next = s->kind[at + 1], third = s->kind[at + 2];
  if (next == ' ') return s->code[at] == 0xC2 || s->code[at] == 0xC3;
  const Utf8MojibakeScan *lead = &utf8mojibake_scan[s->kind[at]];
  if (lead->two & utf8mojibake_scan[next].next) return 1;
  return (lead->more & utf8mojibake_scan[next].next & utf8mojibake_scan[third].last) !=
         0;
}

static int isAnySuspicious(const Segment *s) {
  for (size_t h = 0; h < s->highs; h++) {
    if (isSuspicious(s, s->high[h])) return 1;
  }
  return 0;
}

/* Finds the pairs, and the charsets that explain all of them, or else any. */
static void findPairs(Segment *s) {
  uint32_t all = ~(uint32_t)0, spaced = all, any = 0;
  s->pairs = 0;
  for (size_t h = 0; h < s->highs; h++) {
    const size_t i = s->high[h];
    const unsigned next = s->kind[i + 1];
    uint32_t charsets = utf8mojibake_lead[s->kind[i]] & utf8mojibake_continuation[next];
    if (next == ' ') charsets = utf8mojibake_before_space[s->kind[i]];
    if (!charsets) continue;
    addPair(s, i, charsets);
    any |= charsets;
    *(next == ' ' ? &spaced : &all) &= charsets;
  }
  s->candidates = any & all ? any & all : any;
  s->is_uniform = !(s->candidates & ~(all & spaced));
}

/* Finds the pairs of the only charset. */
static void findPairsOfOne(Segment *s) {
  s->pairs = 0;
  s->candidates = 1;
  s->is_uniform = 1;
  for (size_t h = 0; h < s->highs; h++) {
    const size_t i = s->high[h];
    const unsigned lead = s->kind[i], next = s->kind[i + 1];
    if (i + 1 < s->count && lead >= 0xC2 && lead <= 0xF4 &&
        (next == 0x1A || (next & ~0x3Fu) == 0x80)) {
      addPair(s, i, 1);
    }
  }
}

/* ---- a sequence ---------------------------------------------------------------------------- */

/* A segment as bytes of a charset. */
typedef struct RunReader {
  const Segment *segment;
  const uint8_t *row; /* the byte of each kind; NULL: kinds are bytes */
  const uint16_t *kind;
} RunReader;

static RunReader runReaderOf(const Segment *s, unsigned charset) {
  return (RunReader){s, s->only ? NULL : utf8mojibake_byte[charset], s->kind};
}

/* Returns the byte; 0 if the charset lacks the code point, 20 for a space and 1A for U+FFFD
** where these may stand for a byte. */
ALWAYS_INLINE uint8_t byteAt(const RunReader *r, size_t at) {
  const unsigned kind = r->kind[at];
  return r->row ? r->row[kind] : kind < NO_BYTE ? (uint8_t)kind : 0;
}

typedef struct Sequence {
  uint32_t code;
  unsigned length; /* in code points of the segment; 0: no sequence */
  int32_t fee;     /* what it must save to be evidence */
} Sequence;

static const Sequence noSequence = {0, 0, 0};

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
  Sequence a = {0xE0, 1, A_FEE};
  for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
    if (isWordAt(s, next, joined[i])) a.length = 2;
  }
  const int isAlone = at == 0 || s->kind[at - 1] == ' ' || s->kind[at - 1] == '\'';
  if (isAlone && classAt(s, next) == MOJIBAKE_LOWER && s->code[at] == 0xC3)
    a.fee -= A_GRAVE;
  return a;
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
    } else if (bytes[i] == 0x20) {
      bytes[i] = 0xA0;
      *fee += SPACE_FEE;
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

/* Returns the length that a lead byte announces, 2 to 4, or 0. */
static unsigned lengthOf(uint8_t lead) {
  if (lead < 0xC2 || lead > 0xF4) return 0;
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* Reads any sequence, damaged ones included. */
static NOINLINE Sequence readDamaged(const RunReader *r, size_t at) {
  uint8_t bytes[6] = {byteAt(r, at)};
  Sequence found = {0, lengthOf(bytes[0]), 0};
  if (!found.length || at + found.length > r->segment->count) found.length = 0;
  if (bytes[0] == 0xC3 && byteAt(r, at + 1) == 0x20) return readAGrave(r->segment, at);
  if (!found.length) return noSequence;
  const int read = readContinuations(r, at, bytes, found.length, &found.fee);
  if (read == 0) return noSequence;
  if (read == 1) {
    found.code = 0xFFFD;
    return found;
  }
  Utf8Step one = step(bytes, found.length, 0, UTF8_STRICT);
  if (bytes[0] == 0xED && bytes[1] >= 0xA0)
    one = readSurrogates(r, at, bytes, &found.fee);
  if (one.error) return noSequence;
  return (Sequence){one.codepoint, one.length, found.fee};
}

/* Reads the sequence at `at`. Optimised for two and three bytes. */
ALWAYS_INLINE Sequence readSequence(const RunReader *r, size_t at) {
  const uint8_t lead = byteAt(r, at);
  if (lead < 0xC2) return noSequence;
  const uint8_t second = byteAt(r, at + 1);
  if (!bytes_is_continuation(second)) return readDamaged(r, at);
  if (lead < 0xE0) return (Sequence){(lead & 0x1Fu) << 6 | (second & 0x3F), 2, 0};
  const uint8_t third = byteAt(r, at + 2);
  if (lead >= 0xF0 || !bytes_is_continuation(third)) return readDamaged(r, at);
  uint32_t code = (lead & 0xFu) << 12 | (second & 0x3Fu) << 6 | (third & 0x3F);
  if (code < 0x800 || code >> 11 == 0xD800 >> 11) return readDamaged(r, at);
  return (Sequence){code, 3, 0};
}

#endif
