/* form/closest.c: what stands for a character that a charset lacks (form/closest.h).
**
** Sources: Unicode's decompositions; glibc's transliteration (tool/closest.py).
*/
#include "form/closest.h"
#include "charset/stream.h"
#include "form/codepoint.h"
#include "form/rows.h"
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
static void composeKnown(Utf8Charset charset, FormParts *parts) {
  for (unsigned i = 1; i < parts->count; i++) {
    const uint32_t code = compose(parts->codes[0], parts->codes[i]);
    if (code == NO_CODE || !hasCode(charset, code)) continue;
    parts->codes[0] = code;
    parts->codes[i] = 0;
    i = 0; /* with another base, an earlier mark may compose */
  }
}

/* A stroke through a sign negates it. */
#define STROKE 0x338

/* Appends the base and those of its marks that the charset has. */
static int addComposed(Utf8Charset charset, uint32_t code, Utf8Closest *to) {
  FormParts parts = {0, {0}};
  utf8form_add_decomposed(&parts, code, 0);
  if (parts.codes[0] == code || parts.codes[parts.count - 1] == STROKE) return 0;
  composeKnown(charset, &parts);
  if (!addIfKnown(charset, parts.codes[0], to)) return 0;
  for (unsigned i = 1; i < parts.count; i++) {
    if (parts.codes[i]) addIfKnown(charset, parts.codes[i], to);
  }
  return 1;
}

/* ---- the table -------------------------------------------------------------------------- */

enum { CLOSEST_ROWS = sizeof closest_rows / sizeof *closest_rows };

/* Appends the table's ASCII, if the charset has all of it. */
static int addFromTable(Utf8Charset charset, uint32_t code, Utf8Closest *to) {
  const size_t row = utf8form_row_from(&closest_rows->code, 2, CLOSEST_ROWS, code);
  const size_t before = to->size;
  if (row == CLOSEST_ROWS || closest_rows[row].code != code) return 0;
  const char *text = closest_texts + closest_rows[row].text / 8;
  for (unsigned i = 0; i < closest_rows[row].text % 8u; i++) {
    if (addIfKnown(charset, (uint8_t)text[i], to)) continue;
    to->size = before;
    return 0;
  }
  return 1;
}

/* ---- compatibility decomposition ---------------------------------------------------------- */

static int addPart(Utf8Charset charset, uint32_t code, Utf8Closest *to) {
  return addIfKnown(charset, code, to) || classOf(code) != 0 ||
         addFromTable(charset, code, to);
}

/* Appends the decomposition, if the charset has all of it, or something like it. */
static int addCompatible(Utf8Charset charset, uint32_t code, Utf8Closest *to) {
  FormParts parts = {0, {0}};
  const size_t before = to->size;
  utf8form_add_decomposed(&parts, code, 1);
  if (parts.codes[0] == code || parts.codes[parts.count - 1] == STROKE) return 0;
  for (unsigned i = 0; i < parts.count; i++) {
    if (addPart(charset, parts.codes[i], to)) continue;
    to->size = before;
    return 0;
  }
  return 1;
}

int utf8form_closest(Utf8Charset charset, uint32_t code, Utf8Closest *to) {
  to->size = 0;
  return classOf(code) != 0 || addComposed(charset, code, to) ||
         addFromTable(charset, code, to) || addCompatible(charset, code, to);
}
