/* charset/legacy/marc8.c: marc-8 of libraries' catalogues (ISO 2709), also known as ANSEL.
**
** Bytes 21..7E are read in the set G0, ASCII at first, bytes A1..FE in G1, ANSEL at first. Escape
** sequences choose other sets. A mark comes before the character that it belongs to: the decoder
** writes it after that, in the order of the marks, and does not compose.
**
** Errors are undefined bytes, unknown escape sequences, marks that no character follows, and the
** characters of EACC, of which each is one: the set would take more than 30,000 bytes.
**
** The encoder writes ASCII only. Source: MARC 21 Specifications, Library of Congress.
*/
#include "charset/legacy/states.h"
#include "charset/legacy/tables/marc8.h"

/* Numbers of sets; from MARC8_ANSEL on they are in the order of marc8_finals. */
enum { MARC8_ASCII, MARC8_ANSEL, MARC8_EACC = 15 };

/* The state: G0, and G1 from MARC8_G1 on, as the difference from ANSEL. */
#define MARC8_G1  4
#define MARC8_SET 15u

/* The most bytes of marks and escape sequences before a character, and room for what they become
** together. */
#define MARC8_BEFORE 12
#define MARC8_ROOM   48

static unsigned setOfG0(unsigned state) {
  return state & MARC8_SET;
}

static unsigned setOfG1(unsigned state) {
  return state >> MARC8_G1 ^ MARC8_ANSEL;
}

static int isMarc8Ascii(unsigned state) {
  return setOfG0(state) == MARC8_ASCII;
}

/* ---- escape sequences -------------------------------------------------------------------- */

/* Returns the set of a last byte; -1 if there is none. */
static int setOfFinal(uint8_t final) {
  if (final == 'B' || final == 's') return MARC8_ASCII;
  const char *found = final ? strchr(marc8_finals, final) : NULL;
  return found ? (int)(found - marc8_finals) + MARC8_ANSEL : -1;
}

/* What an escape sequence does. */
typedef struct Marc8Escape {
  size_t length; /* 0 if it is unknown */
  unsigned set;
  int is_g1;
} Marc8Escape;

static Marc8Escape escapeTo(int set, size_t length, int isG1) {
  const Marc8Escape escape = {set < 0 ? 0 : length, (unsigned)set, isG1};
  return escape;
}

/* Reads what follows ESC, p[0..left). Bytes that are missing at the end count as zeros. */
static Marc8Escape readMarc8Escape(const uint8_t *p, size_t left) {
  uint8_t b[3] = {0};
  memcpy(b, p, bytes_min(left, sizeof b));
  const int isG1 = b[0] == ')' || b[0] == '-';
  if (b[0] == 's' || b[0] == 'g' || b[0] == 'b' || b[0] == 'p')
    return escapeTo(setOfFinal(b[0]), 2, 0);
  if (b[0] == '$') {
    const int isLong = b[1] == ',' || b[1] == ')' || b[1] == '-';
    return escapeTo(b[1 + isLong] == '1' ? MARC8_EACC : -1, isLong ? 4 : 3,
                    isLong && b[1] != ',');
  }
  if (b[0] != '(' && b[0] != ',' && !isG1) return escapeTo(-1, 0, 0);
  if (b[1] == '!') return escapeTo(b[2] == 'E' ? MARC8_ANSEL : -1, 4, isG1);
  return escapeTo(b[1] == 'E' ? -1 : setOfFinal(b[1]), 3, isG1);
}

static uint32_t readMarc8Set(const uint8_t *in, size_t size, size_t *at,
                             unsigned *state) {
  const Marc8Escape e = readMarc8Escape(in + *at + 1, size - *at - 1);
  if (e.length == 0) return legacyError(at);
  *at += e.length;
  const unsigned g0 = e.is_g1 ? setOfG0(*state) : e.set;
  const unsigned g1 = e.is_g1 ? e.set : setOfG1(*state);
  *state = g0 | (g1 ^ MARC8_ANSEL) << MARC8_G1;
  return LEGACY_NOTHING;
}

/* ---- decoding -------------------------------------------------------------------------- */

/* Reads a character of EACC, three bytes in the same half, or what is left of one. */
static uint32_t readEacc(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at, half = p[0] & 0x80;
  size_t n = 1;
  while (n < 3 && n < size - *at && (p[n] & 0x80) == half &&
         legacyIsDoubleByte(p[n] & 0x7F))
    n++;
  *at += n;
  return BYTES_FFFD;
}

/* Controls of ANSEL that are always there: they enclose what is not sorted, and join. */
static uint32_t marc8Control(uint8_t byte) {
  switch (byte) {
  case 0x88:
    return 0x98;
  case 0x89:
    return 0x9C;
  case 0x8D:
    return 0x200D;
  case 0x8E:
    return 0x200C;
  default:
    return byte < 0x80 ? byte : BYTES_FFFD;
  }
}

/* Like a LegacyStateReader, but does not move marks. */
static uint32_t readMarc8(const uint8_t *in, size_t size, size_t *at, unsigned *state) {
  const uint8_t byte = in[*at], low = byte & 0x7F;
  if (byte == 0x1B) return readMarc8Set(in, size, at, state);
  const unsigned set = byte < 0x80 ? setOfG0(*state) : setOfG1(*state);
  if (legacyIsDoubleByte(low) && set == MARC8_EACC) return readEacc(in, size, at);
  *at += 1;
  if (!legacyIsDoubleByte(low)) return marc8Control(byte);
  if (set == MARC8_ASCII) return low;
  const uint32_t code = marc8_sets[set - MARC8_ANSEL][low - 0x21];
  return code ? code : BYTES_FFFD;
}

static int isMarc8Mark(uint32_t code) {
  return (code >= 0x300 && code <= 0x345) || (code >= 0x64B && code <= 0x652) ||
         (code >= 0x5B0 && code <= 0x5C1 && code != 0x5BE) || code == 0xFB1E ||
         (code >= 0xFE20 && code <= 0xFE23);
}

/* Can marks belong to it? Not to a control, nor to an error. */
static int isMarc8Base(uint32_t code) {
  return code >= 0x20 && (code < 0x7F || code > 0x9F) && code != BYTES_FFFD;
}

/* Reads what follows a mark, and writes it before the marks, or U+FFFD for them. */
static size_t decodeMarked(const uint8_t *in, size_t size, size_t *at, unsigned *state,
                           uint32_t mark, uint8_t *out) {
  uint8_t marks[MARC8_ROOM];
  const size_t start = *at;
  size_t n = legacyPut(marks, mark), size_of_base;
  while (*at < size && *at - start < MARC8_BEFORE) {
    size_t next = *at;
    unsigned after = *state;
    const uint32_t code = readMarc8(in, size, &next, &after);
    const int isMark = code != LEGACY_NOTHING && isMarc8Mark(code);
    if (code != LEGACY_NOTHING && !isMark && !isMarc8Base(code)) break;
    *at = next;
    *state = after;
    if (isMark) n += legacyPut(marks + n, code);
    if (isMark || code == LEGACY_NOTHING) continue;
    size_of_base = legacyPut(out, code);
    memcpy(out + size_of_base, marks, n);
    return size_of_base + n;
  }
  return legacyPut(out, BYTES_FFFD);
}

static size_t decodeMarc8(unsigned *state, const uint8_t *in, size_t size, size_t until,
                          size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at;
  unsigned now = *state;
  while (p < until && room - n >= MARC8_ROOM) {
    if (isMarc8Ascii(now))
      n += bytes_copy_until(in, until, &p, out + n, room - n, legacyStopsAtShifts);
    if (p == until || room - n < MARC8_ROOM) break;
    const uint32_t code = readMarc8(in, size, &p, &now);
    if (code == LEGACY_NOTHING) continue;
    n += isMarc8Mark(code) ? decodeMarked(in, size, &p, &now, code, out + n)
                           : legacyPut(out + n, code);
  }
  *state = now;
  *at = p;
  return n;
}

/* ---- encoding -------------------------------------------------------------------------- */

/* Inlined, LLVM 22 for ppc64le makes code whose encoder always returns 0. */
static NOINLINE size_t writeMarc8(unsigned *state, uint8_t *out, uint32_t code) {
  (void)state;
  out[0] = (uint8_t)code;
  return code < 0x80 && code != 0x1B ? 1 : 0;
}

LEGACY_STATE_ENCODER(encodeMarc8, writeMarc8, isMarc8Ascii, legacyStopsAtShifts)

const LegacyCodec utf8charset_marc8 = {decodeMarc8, encodeMarc8, NULL};
