/* clean/clean.c: the steps of utf8_clean (utf8form.h).
**
** Most steps are edits: a function looks at a place that starts with one of the step's bytes, and
** returns what replaces it. Everything else is copied.
**
** Sources: ftfy 6.3.1 for lines, ligatures, width and quotes; ECMA-48 §5.4 and §8.3.89 for escapes;
** PropList.txt of Unicode 17.0.0 (White_Space) for trim.
*/
#include "core/utf8form.h"
#include "clean/edit.h"
#include "clean/tables/clean.h"
#include "core/step.h"
#include "core/rows.h"
#include "mojibake/mojibake.h"
#include "suspect/suspect.h"
#include <string.h>

/* ---- names ------------------------------------------------------------------------------- */

#define CLEAN_NAME(id, name)   name,
#define CLEAN_LISTED(id, name) name ", "

static const char *const cleanNames[] = {UTF8_CLEAN_LIST(CLEAN_NAME) "ftfy"};
const char *const utf8form_clean_names = UTF8_CLEAN_LIST(CLEAN_LISTED) "ftfy";

#define BIT(id) UTF8_CLEAN_BIT(UTF8_CLEAN_##id)

/* The steps of ftfy.fix_text() with its default configuration. */
#define FTFY_STEPS                                                                     \
  (BIT(HTML) | BIT(MOJIBAKE) | BIT(ESCAPES) | BIT(LINES) | BIT(LIGATURES) |            \
   BIT(WIDTH) | BIT(QUOTES) | BIT(CONTROLS) | BIT(NFC) | BIT(FTFY))

static int isStepName(const char *text, size_t size, const char *name) {
  size_t i = 0;
  for (; i < size && name[i]; i++) {
    const int isUpper = text[i] >= 'A' && text[i] <= 'Z';
    if ((isUpper ? text[i] + ('a' - 'A') : text[i]) != name[i]) return 0;
  }
  return i == size && !name[i];
}

/* Returns the steps that text[0..size) names, spaces around it ignored; 0 if it names none. */
static unsigned stepsNamed(const char *text, size_t size) {
  while (size > 0 && text[0] == ' ') text++, size--;
  while (size > 0 && text[size - 1] == ' ') size--;
  for (unsigned i = 0; i < sizeof cleanNames / sizeof *cleanNames; i++) {
    if (isStepName(text, size, cleanNames[i]))
      return i == UTF8_CLEAN_FTFY ? FTFY_STEPS : UTF8_CLEAN_BIT(i);
  }
  return 0;
}

unsigned utf8form_clean_steps(const char *list, size_t size) {
  const unsigned forms = BIT(NFC) | BIT(NFKC);
  unsigned steps = 0;
  for (size_t at = 0; at <= size;) {
    const char *comma = at < size ? memchr(list + at, ',', size - at) : NULL;
    const size_t end = comma ? (size_t)(comma - list) : size;
    const unsigned more = stepsNamed(list + at, end - at);
    if (more == 0 || (steps & more)) return 0;
    steps |= more;
    at = end + 1;
  }
  return (steps & forms) == forms ? 0 : steps;
}

/* ---- the bytes with which a place of each step can start ----------------------------------- */

#define C BIT(CONTROLS)
static const uint32_t cleanStarts[256] = {[0x00] = C,
                                          [0x01] = C,
                                          [0x02] = C,
                                          [0x03] = C,
                                          [0x04] = C,
                                          [0x05] = C,
                                          [0x06] = C,
                                          [0x07] = C,
                                          [0x08] = C,
                                          [0x0B] = C,
                                          [0x0E] = C,
                                          [0x0F] = C,
                                          [0x10] = C,
                                          [0x11] = C,
                                          [0x12] = C,
                                          [0x13] = C,
                                          [0x14] = C,
                                          [0x15] = C,
                                          [0x16] = C,
                                          [0x17] = C,
                                          [0x18] = C,
                                          [0x19] = C,
                                          [0x1A] = C,
                                          [0x7F] = C,
                                          [0x1B] = C | BIT(ESCAPES),
                                          ['\r'] = BIT(LINES),
                                          [0x1C] = BIT(FTFY),
                                          [0x1D] = BIT(FTFY),
                                          [0x1E] = BIT(FTFY),
                                          [0x1F] = BIT(FTFY),
                                          ['%'] = BIT(URL),
                                          ['&'] = BIT(HTML),
                                          ['<'] = UTF8_CLEAN_HAS_TAG,
                                          ['\\'] = BIT(JSON),
                                          [0xC2] = BIT(LINES),
                                          [0xC4] = BIT(LIGATURES),
                                          [0xC5] = BIT(LIGATURES),
                                          [0xC7] = BIT(LIGATURES),
                                          [0xCA] = BIT(QUOTES),
                                          [0xE2] = BIT(LINES) | BIT(QUOTES) | BIT(FTFY),
                                          [0xE3] = BIT(WIDTH),
                                          [0xEF] =
                                              BIT(LIGATURES) | BIT(WIDTH) | BIT(FTFY)};
#undef C

/* The steps whose place can have a byte as its second one, if its first one is not ASCII. */
#define L BIT(LIGATURES)
static const uint32_t cleanSeconds[256] = {[0x80] =
                                               BIT(LINES) | BIT(QUOTES) | BIT(WIDTH),
                                           [0x81] = BIT(FTFY),
                                           [0x84] = L,
                                           [0x85] = L | BIT(LINES),
                                           [0x86] = L,
                                           [0x87] = L,
                                           [0x88] = L,
                                           [0x89] = L,
                                           [0x8A] = L,
                                           [0x8B] = L,
                                           [0x8C] = L,
                                           [0xAC] = L,
                                           [0xB1] = L,
                                           [0xB2] = L,
                                           [0xB3] = L,
                                           [0xBB] = BIT(FTFY),
                                           [0xBC] = BIT(QUOTES) | BIT(WIDTH),
                                           [0xBD] = BIT(WIDTH),
                                           [0xBE] = BIT(WIDTH),
                                           [0xBF] = BIT(WIDTH) | BIT(FTFY)};
#undef L

/* ---- edits ------------------------------------------------------------------------------- */

/* Each returns what replaces p[0..size), which starts with one of the step's bytes. */

static Utf8Edit editHtml(const uint8_t *p, size_t size) {
  return utf8clean_html_reference(p, size, 1);
}

static Utf8Edit removal(size_t length) {
  return (Utf8Edit){.length = length};
}

static Utf8Edit replacement(size_t length, char byte) {
  return (Utf8Edit){length, 1, {(uint8_t)byte}};
}

static size_t skipBytes(const uint8_t *p, size_t size, size_t at, uint8_t low,
                        uint8_t high) {
  while (at < size && p[at] >= low && p[at] <= high) at++;
  return at;
}

/* A control sequence: ESC [, parameters, intermediate bytes, a final byte. */
static Utf8Edit editControlSequence(const uint8_t *p, size_t size) {
  size_t at = skipBytes(p, size, 2, 0x30, 0x3F);
  at = skipBytes(p, size, at, 0x20, 0x2F);
  const int isWhole = at < size && p[at] >= 0x40 && p[at] <= 0x7E;
  return removal(isWhole ? at + 1 : 0);
}

/* A command of the operating system, such as a window's title: ESC ], text without controls, and
** BEL or ESC \. */
static Utf8Edit editCommand(const uint8_t *p, size_t size) {
  size_t at = 2;
  while (at < size && p[at] >= 0x20 && p[at] != 0x7F) at++;
  if (at < size && p[at] == 0x07) return removal(at + 1);
  const int isTerminated = size - at >= 2 && p[at] == 0x1B && p[at + 1] == '\\';
  return removal(isTerminated ? at + 2 : 0);
}

static Utf8Edit editEscape(const uint8_t *p, size_t size) {
  if (size > 2 && p[1] == '[') return editControlSequence(p, size);
  if (size > 2 && p[1] == ']') return editCommand(p, size);
  return removal(0);
}

static Utf8Edit editLine(const uint8_t *p, size_t size) {
  if (p[0] == '\r') return replacement(size > 1 && p[1] == '\n' ? 2 : 1, '\n');
  const Utf8Step one = stepWellFormed(p);
  const uint32_t code = one.codepoint;
  const int isBreak = code == 0x85 || code == 0x2028 || code == 0x2029;
  return replacement(isBreak ? one.length : 0, '\n');
}

/* Returns the edit by a table of n rows, sorted by code point: that of ligatures or of widths. */
static Utf8Edit editByTable(const uint8_t *p, const Utf8CleanRow *rows, size_t n) {
  const Utf8Step one = stepWellFormed(p);
  Utf8Edit edit = {0};
  /* its row if no code point is missing before */
  size_t row = one.codepoint - rows[1].code + 1;
  if (row >= n || rows[row].code != one.codepoint)
    row = utf8rows_from(&rows->code, sizeof *rows / 2, n, one.codepoint);
  if (row == n || rows[row].code != one.codepoint) return edit;
  edit.length = one.length;
  while (rows[row].text[edit.used]) edit.used++;
  memcpy(edit.bytes, rows[row].text, sizeof rows->text);
  return edit;
}

#define EDIT_BY(p, table) editByTable(p, table, sizeof table / sizeof *table)

static Utf8Edit editLigature(const uint8_t *p, size_t size) {
  (void)size;
  if (!(cleanSeconds[p[1]] & BIT(LIGATURES))) return removal(0);
  return EDIT_BY(p, clean_ligatures);
}

static Utf8Edit editWidth(const uint8_t *p, size_t size) {
  (void)size;
  if (!(cleanSeconds[p[1]] & BIT(WIDTH))) return removal(0);
  return EDIT_BY(p, clean_widths);
}

static Utf8Edit editQuote(const uint8_t *p, size_t size) {
  (void)size;
  const Utf8Step one = stepWellFormed(p);
  const uint32_t code = one.codepoint;
  const int isDouble = code >= 0x201C && code <= 0x201F;
  const int isSingle = code == 0x02BC || (code >= 0x2018 && code <= 0x201B);
  return replacement(isDouble || isSingle ? one.length : 0, isDouble ? '"' : '\'');
}

static Utf8Edit editControl(const uint8_t *p, size_t size) {
  (void)p, (void)size;
  return removal(1);
}

/* U+001C..001F, the deprecated U+206A..206F, U+FEFF, interlinear annotations, and the object
** replacement character. */
static Utf8Edit editFtfy(const uint8_t *p, size_t size) {
  (void)size;
  const Utf8Step one = stepWellFormed(p);
  const uint32_t code = one.codepoint;
  const int isRemoved = code <= 0x1F || (code >= 0x206A && code <= 0x206F) ||
                        code == 0xFEFF || (code >= 0xFFF9 && code <= 0xFFFC);
  return removal(isRemoved ? one.length : 0);
}

/* ---- what a text needs ---------------------------------------------------------------------- */

/* The steps whose places start with ASCII bytes only. */
#define ASCII_STEPS                                                                    \
  (BIT(CONTROLS) | BIT(ESCAPES) | BIT(HTML) | BIT(JSON) | BIT(URL) | UTF8_CLEAN_HAS_TAG)

/* The steps that can change any text that is not ASCII. */
#define NOT_ASCII_STEPS (BIT(MOJIBAKE) | BIT(INVISIBLE) | BIT(NFC) | BIT(NFKC))

static int isAscii(const uint8_t *text, size_t size) {
  uint64_t bits = 0;
  size_t at = 0;
  for (; size - at >= 8; at += 8) bits |= bytes_load64(text + at);
  for (; at < size; at++) bits |= text[at];
  return !(bits & BYTES_HIGH_BITS);
}

/* Returns the steps that have one of the bytes as their first. */
static unsigned stepsByStart(const uint8_t *text, size_t size) {
  unsigned steps = 0;
  for (size_t i = 0; i < size; i++) steps |= cleanStarts[text[i]];
  return steps;
}

/* Returns the steps that have two adjacent bytes as their first ones, or one that is ASCII or the
** last of the text. */
static unsigned stepsByPair(const uint8_t *text, size_t size) {
  unsigned steps = cleanStarts[text[size - 1]];
  for (size_t i = 0; i + 1 < size; i++) {
    const unsigned any = (text[i] >> 7) - 1u; /* all bits for ASCII, else 0 */
    steps |= cleanStarts[text[i]] & (cleanSeconds[text[i + 1]] | any);
  }
  return steps;
}

unsigned utf8form_clean_needed(unsigned steps, const uint8_t *text, size_t size) {
  unsigned needed = steps & BIT(TRIM);
  if (steps & BIT(HTML)) steps |= UTF8_CLEAN_HAS_TAG;
  if ((steps & NOT_ASCII_STEPS) && !isAscii(text, size))
    needed |= steps & NOT_ASCII_STEPS;
  steps &= ~(NOT_ASCII_STEPS | BIT(TRIM) | BIT(REPAIR));
  if (steps) steps &= stepsByStart(text, size);
  if (steps & ~ASCII_STEPS) steps &= stepsByPair(text, size);
  return needed | steps;
}

/* Returns the first place of text[at..until) that the step edits, or until. */
static size_t findEdit(Utf8EditAt *edit_at, unsigned bit, const uint8_t *text,
                       size_t size, size_t at, size_t until) {
  for (; at < until; at++) {
    if ((cleanStarts[text[at]] & bit) && edit_at(text + at, size - at).length) break;
  }
  return at;
}

/* ---- other steps ---------------------------------------------------------------------------- */

static int isWhiteSpace(uint32_t code) {
  return (code >= 0x09 && code <= 0x0D) || code == 0x20 || code == 0x85 ||
         code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
         code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
         code == 0x3000;
}

/* Returns the end of the text without its white space. */
static size_t trimmedEnd(const uint8_t *text, size_t size) {
  while (size > 0) {
    size_t last = size - 1;
    while (last > 0 && bytes_is_continuation(text[last])) last--;
    if (!isWhiteSpace(stepWellFormed(text + last).codepoint)) break;
    size = last;
  }
  return size;
}

static size_t trimmedStart(const uint8_t *text, size_t size) {
  size_t at = 0;
  while (at < size) {
    const Utf8Step one = stepWellFormed(text + at);
    if (!isWhiteSpace(one.codepoint)) break;
    at += one.length;
  }
  return at;
}

void utf8form_trim(const uint8_t *text, size_t size, size_t *from, size_t *end) {
  *end = trimmedEnd(text, size);
  *from = trimmedStart(text, *end);
}

/* Of several U+FEFF at the start the first is a bom, and the others are invisible. */
static size_t removeInvisible(const uint8_t *text, size_t size, size_t *at,
                              uint8_t *out, size_t room) {
  if (*at == 0) *at = utf8core_bom_length(text, size);
  return utf8suspect_strip(UTF8_SUSPECT_INVISIBLE, text, size, at, out, room);
}

static size_t findInvisible(const uint8_t *text, size_t size, size_t at, size_t until) {
  if (at == 0 && utf8core_bom_length(text, size)) return 0;
  return utf8suspect_find_kind(UTF8_SUSPECT_INVISIBLE, text, size, at, until);
}

_Static_assert(UTF8_CLEAN_MOJIBAKE_ROOM == UTF8_MOJIBAKE_ROOM, "the room of a line");

size_t utf8form_clean_mojibake(const uint8_t *text, size_t size, size_t *at,
                               uint8_t *out, size_t room) {
  return utf8mojibake_restore(NULL, text, size, at, out, room);
}

/* ---- a step ------------------------------------------------------------------------------- */

/* The edits; NULL for other steps. */
static Utf8EditAt *const cleanEdits[UTF8_CLEAN_STEPS] = {
    [UTF8_CLEAN_JSON] = utf8clean_json_escape,
    [UTF8_CLEAN_HTML] = editHtml,
    [UTF8_CLEAN_URL] = utf8clean_url_escape,
    [UTF8_CLEAN_ESCAPES] = editEscape,
    [UTF8_CLEAN_LINES] = editLine,
    [UTF8_CLEAN_LIGATURES] = editLigature,
    [UTF8_CLEAN_WIDTH] = editWidth,
    [UTF8_CLEAN_QUOTES] = editQuote,
    [UTF8_CLEAN_CONTROLS] = editControl,
    [UTF8_CLEAN_FTFY] = editFtfy,
};

size_t utf8form_clean_find(Utf8CleanStep step, const uint8_t *text, size_t size,
                           size_t at, size_t until) {
  if (step == UTF8_CLEAN_INVISIBLE) return findInvisible(text, size, at, until);
  return findEdit(cleanEdits[step], UTF8_CLEAN_BIT(step), text, size, at, until);
}

size_t utf8form_clean(Utf8CleanStep step, const uint8_t *text, size_t size, size_t *at,
                      uint8_t *out, size_t room) {
  if (step == UTF8_CLEAN_INVISIBLE) return removeInvisible(text, size, at, out, room);
  return utf8clean_edit(cleanEdits[step], cleanStarts, UTF8_CLEAN_BIT(step), text, size,
                        at, out, room);
}
