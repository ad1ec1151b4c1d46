/* charset/states.h: what the codecs of charsets with states share: the loops over readers and writers,
** and the pairs of 94 by 94 sets.
*/
#ifndef UTF8_CHARSET_STATES_H
#define UTF8_CHARSET_STATES_H

#include "charset/codec.h"

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

/* The loop of utf8charset_encode_legacy(). */
ALWAYS_INLINE size_t legacyEncodeStates(LegacyStateWriter *write,
                                        LegacyIsAscii *isAscii, LegacyStops *stops,
                                        unsigned *state, const uint8_t *in, size_t size,
                                        size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at, length = 1;
  while (length && p < size && room - n >= LEGACY_STEP) {
    if (isAscii(*state)) n += bytes_copy_until(in, size, &p, out + n, room - n, stops);
    if (p == size || room - n < LEGACY_STEP) break;
    const Utf8Step one = stepWellFormed(in + p);
    length = write(state, out + n, one.codepoint);
    n += length;
    if (length) p += one.length;
  }
  *at = p;
  return n;
}

/* A decoder and an encoder with these loops, which are inlined. */
#define LEGACY_STATE_DECODER(name, read, isAscii, stops)                               \
  static size_t name(unsigned *state, const uint8_t *in, size_t size, size_t until,    \
                     size_t *at, uint8_t *out, size_t room) {                          \
    return legacyDecodeStates(read, isAscii, stops, state, in, size, until, at, out,   \
                              room);                                                   \
  }

#define LEGACY_STATE_ENCODER(name, write, isAscii, stops)                              \
  static size_t name(unsigned *state, const uint8_t *in, size_t size, size_t *at,      \
                     uint8_t *out, size_t room) {                                      \
    return legacyEncodeStates(write, isAscii, stops, state, in, size, at, out, room);  \
  }

/* ---- pairs ------------------------------------------------------------------------------- */

/* Returns the code point of two bytes 21..7E in a 94 by 94 set, which a charset has at A1..FE; 0 if
** there is none. */
static inline uint32_t legacyCodeOfPair(Utf8Charset charset, uint8_t lead,
                                        uint8_t trail) {
  const uint8_t pair[2] = {lead | 0x80, trail | 0x80};
  size_t at = 0;
  uint32_t code = 0;
  utf8charset_read_codes(charset, pair, sizeof pair, &at, sizeof pair, &code, 1);
  return code == BYTES_FFFD ? 0 : code;
}

/* Returns the two bytes 21..7E of a code point in such a set as a number, or 0. */
static inline uint32_t legacyPairOfCode(Utf8Charset charset, uint32_t code) {
  uint8_t utf8[LEGACY_STEP], bytes[UTF8_LEGACY_ROOM];
  unsigned none = 0;
  size_t at = 0, size = stepPut(utf8, code);
  size_t n =
      utf8charset_encode_legacy(charset, &none, utf8, size, &at, bytes, sizeof bytes);
  return n == 2 && bytes[0] > 0xA0 && bytes[1] > 0xA0
             ? (uint32_t)(bytes[0] & 0x7F) << 8 | (bytes[1] & 0x7F)
             : 0;
}

/* Can the byte be part of a pair? */
static inline int legacyIsPairByte(uint8_t byte) {
  return byte >= 0x21 && byte <= 0x7E;
}

#endif
