/* form/closest.c: what stands for a character that a charset lacks (form/closest.h).
**
** Sources: Unicode's decompositions; glibc's transliteration and CLDR's (tool/closest.py).
*/
#include "form/closest.h"
#include "charset/stream.h"
#include "form/codepoint.h"
#include "core/rows.h"
#include "form/tables/closest.h"

/* Each part of a decomposition becomes a code point, or at most 7 bytes of the table. */
_Static_assert(UTF8_CLOSEST_MAX >= DECOMPOSED_MAX * 7, "room for each decomposition");

static int hasCode(Utf8Charset charset, uint32_t code) {
  uint8_t text[UTF8_OCTETS_MAX];
  return utf8charset_encodes(charset, text, stepPut(text, code));
}

/* Appends the code point if the charset has it; else returns 0. */
static NOINLINE int addIfKnown(Utf8Charset charset, uint32_t code, Utf8Closest *to) {
  if (!hasCode(charset, code)) return 0;
  to->size += stepPut(to->bytes + to->size, code);
  return 1;
}

/* ---- canonical decomposition ---------------------------------------------------------- */

/* Composes the first code point with each mark that makes something the charset has. Marks that
** are used become 0. */
static void composeKnown(Utf8Charset charset, FormDecomposition *decomposed) {
  for (unsigned i = 1; i < decomposed->count; i++) {
    const uint32_t code = compose(decomposed->codes[0], decomposed->codes[i]);
    if (code == NO_CODE || !hasCode(charset, code)) continue;
    decomposed->codes[0] = code;
    decomposed->codes[i] = 0;
    i = 0; /* with another base, an earlier mark may compose */
  }
}

/* A stroke through a sign negates it. */
#define STROKE 0x338

/* Appends the base and those of its marks that the charset has. */
static int addComposed(Utf8Charset charset, uint32_t code, Utf8Closest *to) {
  FormDecomposition decomposed = {0, {0}};
  utf8form_add_decomposed(&decomposed, code, 0);
  if (decomposed.codes[0] == code || decomposed.codes[decomposed.count - 1] == STROKE)
    return 0;
  composeKnown(charset, &decomposed);
  if (!addIfKnown(charset, decomposed.codes[0], to)) return 0;
  for (unsigned i = 1; i < decomposed.count; i++) {
    if (decomposed.codes[i]) addIfKnown(charset, decomposed.codes[i], to);
  }
  return 1;
}

/* ---- the table -------------------------------------------------------------------------- */

enum { CLOSEST_ROWS = sizeof closest_rows / sizeof *closest_rows };

/* Returns the table's ASCII for the code point, and stores its size; NULL if there is none. */
static const char *closestText(uint32_t code, size_t *size) {
  const size_t row = utf8rows_from(&closest_rows->code, 2, CLOSEST_ROWS, code);
  if (row == CLOSEST_ROWS || closest_rows[row].code != code) return NULL;
  *size = closest_rows[row].text % 8u;
  return closest_texts + closest_rows[row].text / 8;
}

const char *utf8form_latin_text(uint32_t code, size_t *size) {
  return utf8form_is_latin(code) ? closestText(code, size) : NULL;
}

/* Appends the table's ASCII, if the charset has all of it. */
static int addFromTable(Utf8Charset charset, uint32_t code, Utf8Closest *to) {
  size_t size = 0;
  const size_t before = to->size;
  const char *text = closestText(code, &size);
  if (!text) return 0;
  for (size_t i = 0; i < size; i++) {
    if (addIfKnown(charset, (uint8_t)text[i], to)) continue;
    to->size = before;
    return 0;
  }
  return 1;
}

/* ---- compatibility decomposition ---------------------------------------------------------- */

static int addKnownOrAscii(Utf8Charset charset, uint32_t code, Utf8Closest *to) {
  return addIfKnown(charset, code, to) || classOf(code) != 0 ||
         addFromTable(charset, code, to);
}

/* Appends the decomposition, if the charset has all of it, or something like it. */
static int addCompatible(Utf8Charset charset, uint32_t code, Utf8Closest *to) {
  FormDecomposition decomposed = {0, {0}};
  const size_t before = to->size;
  utf8form_add_decomposed(&decomposed, code, 1);
  if (decomposed.codes[0] == code || decomposed.codes[decomposed.count - 1] == STROKE)
    return 0;
  for (unsigned i = 0; i < decomposed.count; i++) {
    if (addKnownOrAscii(charset, decomposed.codes[i], to)) continue;
    to->size = before;
    return 0;
  }
  return 1;
}

/* ---- Greek: rules of CLDR's Greek-Latin that depend on the neighbours ------------------------- */

static int isOneOf(uint32_t code, const char *letters) {
  for (; *letters; letters++) {
    if ((uint8_t)*letters == code) return 1;
  }
  return 0;
}

/* The small letters alpha to omega. */
static int isSmallGreek(uint32_t code) {
  return code >= 0x3B1 && code <= 0x3C9;
}

/* Returns the small Greek letter of a base letter, less 0x300; 0 for any other code point. */
static uint32_t smallGreek(uint32_t base) {
  if (isSmallGreek(base)) return base - 0x300;
  return base >= 0x391 && base <= 0x3A9 ? base - 0x300 + 0x20 : 0;
}

static uint32_t baseOf(uint32_t code) {
  FormDecomposition decomposed = {0, {0}};
  utf8form_add_decomposed(&decomposed, code, 0);
  return decomposed.codes[0];
}

static int isGreekLetter(uint32_t code) {
  return smallGreek(baseOf(code)) != 0;
}

/* Gamma before gamma, kappa, xi or chi is n. Upsilon after a vowel is u. Mu beside another letter is m: alone,
** it is the sign of a millionth, u. Returns the small letter, or 0 for the letter of the table. */
static char letterByContext(uint32_t base, Utf8InContext place) {
  const uint32_t letter = smallGreek(base), before = smallGreek(place.before);
  if (letter == 0xB3)
    return isOneOf(smallGreek(baseOf(place.after)), "\xB3\xBA\xBE\xC7") ? 'n' : 0;
  if (letter == 0xBC)
    return isGreekLetter(place.before) || isGreekLetter(place.after) ? 'm' : 0;
  if (letter != 0xC5) return 0;
  const int isAfterVowel = isOneOf(before, "\xB1\xB5\xB7\xB9\xBF\xC5\xC9") ||
                           isOneOf(place.before | 0x20, "aeiouy");
  return isAfterVowel ? 'u' : 0;
}

/* Appends the letter that the neighbours decide, if they do and the charset has it. */
static int addByContext(Utf8Charset charset, Utf8InContext place, Utf8Closest *to) {
  const uint32_t base = baseOf(place.code);
  const char letter = letterByContext(base, place);
  if (!letter) return 0;
  return addIfKnown(charset, (uint8_t)letter - (isSmallGreek(base) ? 0u : 0x20u), to);
}

/* Before a small letter, "TH" becomes "Th". */
static void adjustCase(Utf8InContext place, Utf8Closest *to) {
  const uint32_t after = baseOf(place.after);
  const int isSmall = isSmallGreek(after) || (after >= 'a' && after <= 'z');
  if (place.code >= 0x391 && place.code <= 0x3A9 && to->size == 2 && isSmall)
    to->bytes[1] |= 0x20;
}

int utf8form_closest(Utf8Charset charset, Utf8InContext place, Utf8Closest *to) {
  const uint32_t code = place.code;
  to->size = 0;
  if (classOf(code) != 0 || addComposed(charset, code, to)) return 1;
  if (code >> 8 == 0x03 || code >> 8 == 0x1F) {
    if (addByContext(charset, place, to)) return 1;
  }
  if (addFromTable(charset, code, to)) {
    adjustCase(place, to);
    return 1;
  }
  return addCompatible(charset, code, to);
}
