/* charset/legacy/states.h: what the codecs of charsets with states share: the loops over readers and writers,
** and the double-byte codes of 94 by 94 sets.
*/
#ifndef UTF8_CHARSET_LEGACY_STATES_H
#define UTF8_CHARSET_LEGACY_STATES_H

#include "charset/legacy/codec.h"

/* ---- loops ------------------------------------------------------------------------------- */

/* A reader's result if there is nothing to write. */
#define LEGACY_NOTHING 0xFFFFFFFFu

/* Reads the code point, the error or the change of state at *at, moves *at past it, and updates the
** state. Returns the code point, U+FFFD for an error, or LEGACY_NOTHING. May leave *at if it changes
** the state. */
typedef uint32_t LegacyStateReader(const uint8_t *in, size_t size, size_t *at,
                                   unsigned *state);

/* Writes a code point, after what changes the state if it needs another one. Returns the number of
** bytes, at most LEGACY_STEP; 0 if the charset lacks it: then the state stays as it is. */
typedef size_t LegacyStateWriter(unsigned *state, uint8_t *out, uint32_t code);

/* Is ASCII copied in this state, except where one of eight bytes stops it? */
typedef int LegacyIsAscii(unsigned state);
typedef uint64_t LegacyStops(uint64_t eight);

/* In most charsets ASCII is copied in state 0 only. */
static inline int legacyIsInitial(unsigned state) {
  return state == 0;
}

/* Is the byte SO, SI or ESC, which change the state in iso-2022? */
static inline int legacyIsShift(uint32_t byte) {
  return byte == 0x0E || byte == 0x0F || byte == 0x1B;
}

/* Stops at shifts and at what is not ASCII. */
static inline uint64_t legacyStopsAtShifts(uint64_t word) {
  uint64_t shifts = word ^ 0x0E * BYTES_ONES, escapes = word ^ 0x1B * BYTES_ONES;
  uint64_t unless_0f = shifts & ~BYTES_ONES; /* 0E and 0F differ in the last bit */
  return (word & BYTES_HIGH_BITS) | bytes_zeros(unless_0f) | bytes_zeros(escapes);
}

/* Stops at what is not ASCII. */
static inline uint64_t legacyStopsAtHigh(uint64_t word) {
  return word & BYTES_HIGH_BITS;
}

/* The loop of utf8charset_decode_until(). */
ALWAYS_INLINE size_t legacyDecodeStates(LegacyStateReader *read, LegacyIsAscii *isAscii,
                                        LegacyStops *stops, unsigned *state,
                                        const uint8_t *in, size_t size, size_t until,
                                        size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at;
  unsigned now = *state;
  while (p < until && room - n >= LEGACY_STEP) {
    if (isAscii(now)) n += bytes_copy_until(in, until, &p, out + n, room - n, stops);
    if (p == until || room - n < LEGACY_STEP) break;
    uint32_t code = read(in, size, &p, &now);
    if (code != LEGACY_NOTHING) n += legacyPut(out + n, code);
  }
  *state = now;
  *at = p;
  return n;
}

/* May the code point be the first of two for which the charset has one code? And do these two join?
** They are NULL for charsets that have no such codes. In others a state has, from bit LEGACY_PENDING on,
** such a first code point if it is the last one of the text so far; 0 otherwise. */
#define LEGACY_PENDING 16
typedef int LegacyMayJoin(uint32_t first);
typedef int LegacyJoins(uint32_t first, uint32_t second);

/* Writes what is at in[*at..size), one code point or LEGACY_BOTH() of two, or leaves the last one in the
** state. Returns the number of bytes: 0 if the charset lacks it, or if it is in the state. */
ALWAYS_INLINE size_t legacyWriteNext(LegacyStateWriter *write, LegacyMayJoin *mayJoin,
                                     LegacyJoins *joins, unsigned *state,
                                     const uint8_t *in, size_t size, size_t *at,
                                     uint8_t *out) {
  const Utf8Step one = stepWellFormed(in + *at);
  uint32_t code = one.codepoint;
  size_t next = *at + one.length;
  if (mayJoin && UNLIKELY(mayJoin(code))) {
    if (next == size) {
      *state |= code << LEGACY_PENDING;
      *at = next;
      return 0;
    }
    const Utf8Step second = stepWellFormed(in + next);
    const int areJoined = joins(code, second.codepoint);
    if (areJoined) code = LEGACY_BOTH(code, second.codepoint);
    if (areJoined) next += second.length;
  }
  const size_t n = write(state, out, code);
  if (n > 0) *at = next;
  return n;
}

/* Writes the code point in the state, alone or together with the one at in[*at..size). */
ALWAYS_INLINE size_t legacyWritePending(LegacyStateWriter *write, LegacyJoins *joins,
                                        unsigned *state, const uint8_t *in, size_t *at,
                                        uint8_t *out) {
  const Utf8Step second = stepWellFormed(in + *at);
  uint32_t code = *state >> LEGACY_PENDING;
  if (joins(code, second.codepoint)) {
    code = LEGACY_BOTH(code, second.codepoint);
    *at += second.length;
  }
  *state &= (1u << LEGACY_PENDING) - 1;
  return write(state, out, code);
}

/* The loop of utf8charset_encode_legacy(). */
ALWAYS_INLINE size_t legacyEncodeStates(LegacyStateWriter *write,
                                        LegacyMayJoin *mayJoin, LegacyJoins *joins,
                                        LegacyIsAscii *isAscii, LegacyStops *stops,
                                        unsigned *state, const uint8_t *in, size_t size,
                                        size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at, length = 1;
  if (mayJoin && *state >> LEGACY_PENDING && p < size)
    n = legacyWritePending(write, joins, state, in, &p, out);
  while (length && p < size && room - n >= LEGACY_STEP) {
    if (isAscii(*state)) n += bytes_copy_until(in, size, &p, out + n, room - n, stops);
    if (p == size || room - n < LEGACY_STEP) break;
    length = legacyWriteNext(write, mayJoin, joins, state, in, size, &p, out + n);
    n += length;
  }
  *at = p;
  return n;
}

/* Writes the code point in the state, which the end of the text follows. */
ALWAYS_INLINE size_t legacyFinishPending(LegacyStateWriter *write, unsigned *state,
                                         uint8_t *out) {
  const uint32_t code = *state >> LEGACY_PENDING;
  *state &= (1u << LEGACY_PENDING) - 1;
  return code ? write(state, out, code) : 0;
}

/* A decoder and an encoder with these loops, which are inlined. */
#define LEGACY_STATE_DECODER(name, read, isAscii, stops)                               \
  static size_t name(unsigned *state, const uint8_t *in, size_t size, size_t until,    \
                     size_t *at, uint8_t *out, size_t room) {                          \
    return legacyDecodeStates(read, isAscii, stops, state, in, size, until, at, out,   \
                              room);                                                   \
  }

#define LEGACY_JOINING_ENCODER(name, write, mayJoin, joins, isAscii, stops)            \
  static size_t name(unsigned *state, const uint8_t *in, size_t size, size_t *at,      \
                     uint8_t *out, size_t room) {                                      \
    return legacyEncodeStates(write, mayJoin, joins, isAscii, stops, state, in, size,  \
                              at, out, room);                                          \
  }

#define LEGACY_STATE_ENCODER(name, write, isAscii, stops)                              \
  LEGACY_JOINING_ENCODER(name, write, NULL, NULL, isAscii, stops)

/* ---- double-byte codes ------------------------------------------------------------------- */

/* Returns the code point of two bytes 21..7E in a 94 by 94 set, which a charset has at A1..FE; 0 if
** there is none. */
static inline uint32_t legacyCodeOfDouble(Utf8Charset charset, uint8_t lead,
                                          uint8_t trail) {
  const uint8_t bytes[2] = {lead | 0x80, trail | 0x80};
  size_t at = 0;
  uint32_t code = 0;
  utf8charset_read_codes(charset, bytes, sizeof bytes, &at, sizeof bytes, &code, 1);
  return code == BYTES_FFFD ? 0 : code;
}

/* Returns the two bytes 21..7E of a code point in such a set as a number, or 0. */
static inline uint32_t legacyDoubleOfCode(Utf8Charset charset, uint32_t code) {
  uint8_t utf8[LEGACY_STEP], bytes[UTF8_LEGACY_ROOM];
  unsigned none = 0;
  size_t at = 0, size = stepPut(utf8, code);
  size_t n =
      utf8charset_encode_legacy(charset, &none, utf8, size, &at, bytes, sizeof bytes);
  return n == 2 && bytes[0] > 0xA0 && bytes[1] > 0xA0
             ? (uint32_t)(bytes[0] & 0x7F) << 8 | (bytes[1] & 0x7F)
             : 0;
}

/* Can the byte be part of a double-byte code? */
static inline int legacyIsDoubleByte(uint8_t byte) {
  return byte >= 0x21 && byte <= 0x7E;
}

#endif
