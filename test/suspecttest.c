/* suspecttest.c: suspect/suspect.c, compared with a second definition: the table of
** docs/functions.md, code point by code point.
**
**     make check-suspect
*/
#include "test/ctest.h"
#include "mojibake/mojibake.h"
#include "suspect/suspect.h"

#define TEXT_MAX  4096
#define CODES_MAX (TEXT_MAX + 1)

/* ---- the second definition: an array of code points ------------------------------------------ */

/* A text as code points. Before the first and after the last one there is a 'x'. */
typedef struct Codes {
  uint32_t code[CODES_MAX + 2];
  size_t offset[CODES_MAX + 2];
  size_t count;
} Codes;

static int in(uint32_t code, uint32_t first, uint32_t last) {
  return code >= first && code <= last;
}

/* Letters and marks of the scripts that write U+200B between words, from the code charts: Thai, Lao, Tibetan, Myanmar, and
** Khmer without U+17B4 and U+17B5. */
static int is_letter(uint32_t c) {
  static const uint32_t ranges[][2] = {
      {0xE01, 0xE3A},   {0xE40, 0xE4E},   {0xE81, 0xE82},   {0xE84, 0xE84},
      {0xE86, 0xE8A},   {0xE8C, 0xEA3},   {0xEA5, 0xEA5},   {0xEA7, 0xEBD},
      {0xEC0, 0xEC4},   {0xEC6, 0xEC6},   {0xEC8, 0xECE},   {0xEDC, 0xEDF},
      {0xF00, 0xF00},   {0xF18, 0xF19},   {0xF35, 0xF35},   {0xF37, 0xF37},
      {0xF39, 0xF39},   {0xF3E, 0xF47},   {0xF49, 0xF6C},   {0xF71, 0xF84},
      {0xF86, 0xF97},   {0xF99, 0xFBC},   {0xFC6, 0xFC6},   {0x1000, 0x103F},
      {0x1050, 0x108F}, {0x109A, 0x109D}, {0xA9E0, 0xA9EF}, {0xA9FA, 0xA9FE},
      {0xAA60, 0xAA76}, {0xAA7A, 0xAA7F}, {0x1780, 0x17B3}, {0x17B6, 0x17D3},
      {0x17D7, 0x17D7}, {0x17DC, 0x17DD}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (in(c, ranges[i][0], ranges[i][1])) return 1;
  return 0;
}

/* L, V and T of Hangul_Syllable_Type, for jamos and their fillers; or 0. */
static char jamo(uint32_t c) {
  if (in(c, 0x1100, 0x115F) || in(c, 0xA960, 0xA97C)) return 'L';
  if (in(c, 0x1160, 0x11A7) || in(c, 0xD7B0, 0xD7C6)) return 'V';
  return in(c, 0x11A8, 0x11FF) || in(c, 0xD7CB, 0xD7FB) ? 'T' : 0;
}

/* Is the filler at i in L V or L V T of which at least one is not a filler? */
static int is_in_syllable(const Codes *t, size_t i) {
  const size_t l = t->code[i] == 0x115F ? i : i - 1;
  if (jamo(t->code[l]) != 'L' || jamo(t->code[l + 1]) != 'V') return 0;
  return t->code[l] != 0x115F || t->code[l + 1] != 0x1160 ||
         jamo(t->code[l + 2]) == 'T';
}

/* Is the tag at i in U+1F3F4, 3 to 7 small letters or digits as tags, U+E007F? Tries each
** U+1F3F4 before it. */
static int is_in_flag(const Codes *t, size_t i) {
  for (size_t start = i > 9 ? i - 9 : 0; start < i; start++) {
    if (t->code[start] != 0x1F3F4) continue;
    size_t end = start + 1;
    while (end <= t->count &&
           (in(t->code[end], 0xE0030, 0xE0039) || in(t->code[end], 0xE0061, 0xE007A)))
      end++;
    const size_t tags = end - start - 1;
    if (in((uint32_t)tags, 3, 7) && t->code[end] == 0xE007F && i <= end) return 1;
  }
  return 0;
}

static int is_invisible(const Codes *t, size_t i) {
  const uint32_t c = t->code[i];
  if (c == 0x200B) return !is_letter(t->code[i - 1]) || !is_letter(t->code[i + 1]);
  if (c == 0xFEFF) return i > 1;
  if (c == 0x115F || c == 0x1160) return !is_in_syllable(t, i);
  if (in(c, 0xE0000, 0xE0FFF)) return !in(c, 0xE0100, 0xE01EF) && !is_in_flag(t, i);
  return c == 0xAD || c == 0x2060 || c == 0x2065 || in(c, 0x206A, 0x206F) ||
         in(c, 0x17B4, 0x17B5) || c == 0x3164 || c == 0xFFA0 || in(c, 0xFFF0, 0xFFF8) ||
         in(c, 0x1BCA0, 0x1BCA3);
}

/* The kind of the code point at i, which counts from 1. */
static Utf8SuspectKind kind_due(const Codes *t, size_t i) {
  const uint32_t c = t->code[i];
  if (c == 0) return UTF8_SUSPECT_NUL;
  if (c == 9 || c == 10 || c == 13) return UTF8_SUSPECT_NONE;
  if (c < 0x20 || in(c, 0x7F, 0x9F)) return UTF8_SUSPECT_CONTROL;
  if (c == 0xFEFF && i == 1) return UTF8_SUSPECT_BOM;
  if (c == 0xFFFD) return UTF8_SUSPECT_REPLACEMENT;
  if ((c & 0xFFFE) == 0xFFFE || in(c, 0xFDD0, 0xFDEF)) return UTF8_SUSPECT_NONCHARACTER;
  if (in(c, 0x202A, 0x202E) || in(c, 0x2066, 0x2069)) return UTF8_SUSPECT_BIDI;
  return is_invisible(t, i) ? UTF8_SUSPECT_INVISIBLE : UTF8_SUSPECT_NONE;
}

static Codes codes; /* of the text under test */

static void decode(const uint8_t *text, size_t size) {
  codes.code[0] = 'x';
  codes.count = 0;
  for (size_t at = 0; at < size;) {
    const Utf8Step s = utf8core_step(text, size, at, UTF8_STRICT);
    codes.count++;
    codes.code[codes.count] = s.codepoint;
    codes.offset[codes.count] = at;
    at += s.length;
  }
  codes.code[codes.count + 1] = 'x';
}

/* ---- any text ------------------------------------------------------------------------------ */

/* The first suspicious place, searched in chunks of up to `chunk` bytes. */
static Utf8SuspectFound find_in_chunks(const uint8_t *text, size_t size, size_t chunk) {
  Utf8SuspectFound found = {.kind = UTF8_SUSPECT_NONE, .offset = size};
  for (size_t at = 0; at < size;) {
    const size_t step = 1 + random_below((uint32_t)chunk);
    const size_t until = size - at > step ? at + step : size;
    if (utf8suspect_find(text, size, &at, until, &found)) break;
    expect(at >= until && at <= size, "a search moves to until", text, size);
  }
  return found;
}

static Utf8SuspectFound find_due(const uint8_t *text, size_t size) {
  Utf8SuspectFound due = {.kind = UTF8_SUSPECT_NONE, .offset = size};
  Utf8MojibakeFound misread;
  size_t at = 0;
  if (utf8mojibake_find(NULL, text, size, &at, size, &misread))
    due = (Utf8SuspectFound){.kind = UTF8_SUSPECT_MOJIBAKE, .offset = misread.offset};
  for (size_t i = 1; i <= codes.count && codes.offset[i] <= due.offset; i++) {
    const Utf8SuspectKind kind = kind_due(&codes, i);
    if (kind) return (Utf8SuspectFound){.kind = kind, .offset = codes.offset[i]};
  }
  return due;
}

static void expect_found(const uint8_t *text, size_t size) {
  const Utf8SuspectFound due = find_due(text, size);
  static const size_t chunks[] = {1, 7, 64, 1000, TEXT_MAX};
  for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++) {
    const Utf8SuspectFound found = find_in_chunks(text, size, chunks[i]);
    expect(found.kind == due.kind && found.offset == due.offset, "the first suspect",
           text, size);
  }
}

static uint64_t count_in_chunks(Utf8SuspectKind kind, const uint8_t *text, size_t size,
                                size_t chunk) {
  uint64_t count = 0;
  for (size_t at = 0; at < size;) {
    const size_t step = 1 + random_below((uint32_t)chunk);
    const size_t until = size - at > step ? at + step : size;
    count += utf8suspect_count(kind, text, size, &at, until);
  }
  return count;
}

static void expect_counted(const uint8_t *text, size_t size) {
  for (unsigned kind = UTF8_SUSPECT_NUL; kind < UTF8_SUSPECT_MOJIBAKE; kind++) {
    size_t due = 0, first = size;
    for (size_t i = codes.count; i > 0; i--) {
      if (kind_due(&codes, i) != kind) continue;
      due++;
      first = codes.offset[i];
    }
    expect(count_in_chunks(kind, text, size, 70) == due, "the number in chunks", text,
           size);
    expect(count_in_chunks(kind, text, size, TEXT_MAX) == due, "the number", text,
           size);
    expect(utf8suspect_find_kind(kind, text, size, 0, size) == first,
           "the first of a kind", text, size);
  }
}

static uint8_t due_text[TEXT_MAX];

/* Writes the text without the code points of the kind to due_text, and returns its size. */
static size_t strip_due(Utf8SuspectKind kind) {
  size_t n = 0;
  for (size_t i = 1; i <= codes.count; i++) {
    if (kind_due(&codes, i) == kind) continue;
    n += utf8core_put(due_text + n, codes.code[i]);
  }
  return n;
}

static size_t strip(Utf8SuspectKind kind, const uint8_t *text, size_t size, uint8_t *to,
                    size_t room) {
  uint8_t *out = exact(room);
  size_t n = 0;
  for (size_t at = 0; at < size;) {
    const size_t before = at;
    const size_t written = utf8suspect_strip(kind, text, size, &at, out, room);
    expect(written <= room && at <= size && at > before, "a call makes progress", text,
           size);
    if (written > room || at <= before) break;
    memcpy(to + n, out, written);
    n += written;
  }
  exact_free(out, room);
  return n;
}

static void expect_stripped(const uint8_t *text, size_t size) {
  static uint8_t stripped[TEXT_MAX];
  for (unsigned kind = UTF8_SUSPECT_NUL; kind < UTF8_SUSPECT_MOJIBAKE; kind++) {
    const size_t due = strip_due(kind);
    const size_t n =
        strip(kind, text, size, stripped, UTF8_SUSPECT_ROOM + random_below(200));
    const int same = n == due && memcmp(stripped, due_text, n) == 0;
    expect(same, "what is left", text, size);
    expect(utf8core_valid(stripped, n), "what is left is well-formed", text, size);
    size_t at = 0;
    expect(kind == UTF8_SUSPECT_BOM ||
               utf8suspect_count(kind, stripped, n, &at, n) == 0,
           "a second strip changes nothing", text, size);
  }
}

static void expect_right(const uint8_t *text, size_t size) {
  decode(text, size);
  for (size_t i = 1; i <= codes.count; i++)
    expect(utf8suspect_kind_at(text, size, codes.offset[i]) == kind_due(&codes, i),
           "the kind of a code point", text, size);
  expect_found(text, size);
  expect_counted(text, size);
  expect_stripped(text, size);
}

/* ---- every code point --------------------------------------------------------------------- */

static void expect_kind_at(const uint8_t *text, size_t size, size_t at) {
  decode(text, size);
  const Utf8SuspectFound due = find_due(text, size);
  Utf8SuspectFound found = {.kind = UTF8_SUSPECT_NONE, .offset = size};
  size_t resume = 0;
  utf8suspect_find(text, size, &resume, size, &found);
  expect(found.kind == due.kind && found.offset == due.offset, "its kind", text + at,
         4);
}

/* Alone; and among 150 letters, each time at another place of a block. */
static void knows_every_code_point(void) {
  uint8_t alone[UTF8_OCTETS_MAX], inside[160];
  for (uint32_t code = 0; code < 0x110000; code += (uint32_t)test_stride()) {
    if (in(code, 0xD800, 0xDFFF)) continue;
    const size_t n = utf8core_put(alone, code), at = 3 + code % 67;
    expect_kind_at(alone, n, 0);
    memset(inside, 'a', sizeof inside);
    memcpy(inside + at, alone, n);
    expect_kind_at(inside, sizeof inside, at);
  }
}

/* ---- context, at every place of a block ------------------------------------------------------ */

typedef struct Case {
  uint32_t code[12]; /* ends in 0 */
  Utf8SuspectKind kind;
  size_t index; /* of the first suspicious one */
} Case;

#define NONE      UTF8_SUSPECT_NONE, 0
#define INVISIBLE UTF8_SUSPECT_INVISIBLE

static const Case cases[] = {
    /* U+200B */
    {{0xE01, 0x200B, 0xE02}, NONE},
    {{0x1780, 0x200B, 0x17D2}, NONE},
    {{0xE81, 0x200B, 0x1000}, NONE},
    {{0xF40, 0x200B, 0xF71}, NONE},
    {{0xE01, 0x200B, 'a'}, INVISIBLE, 1},
    {{'a', 0x200B, 0xE01}, INVISIBLE, 1},
    {{0xE01, 0x200B, 0x200B, 0xE01}, INVISIBLE, 1},
    {{0xE01, 0x200B, 0x17B4, 0x1780}, INVISIBLE, 1},
    {{0xE50, 0x200B, 0xE01}, INVISIBLE, 1}, /* a digit is not a letter */
    {{0x4E00, 0x200B, 0x4E00}, INVISIBLE, 1},
    /* fillers */
    {{0x115F, 0x1161}, NONE},
    {{0x115F, 0xD7B0, 0x11A8}, NONE},
    {{0x1100, 0x1160}, NONE},
    {{0xA960, 0x1160, 0x11A8}, NONE},
    {{0x115F, 0x1160, 0x11A8}, NONE},
    {{0x115F, 0x1160, 0xD7CB}, NONE},
    {{0x115F, 0x1160}, INVISIBLE, 0},
    {{0x115F, 0x1160, 'a'}, INVISIBLE, 0},
    {{0x115F, 0x1100}, INVISIBLE, 0},
    {{0x115F, 0xAC00}, INVISIBLE, 0},
    {{0x115F, 0x16D63}, INVISIBLE, 0}, /* a vowel, not Hangul */
    {{0xAC00, 0x1160}, INVISIBLE, 1},
    {{0x1161, 0x1160}, INVISIBLE, 1},
    {{0x3164, 'a'}, INVISIBLE, 0},
    /* flags */
    {{0x1F3F4, 0xE0067, 0xE0062, 0xE0065, 0xE006E, 0xE0067, 0xE007F}, NONE},
    {{0x1F3F4, 0xE0067, 0xE0062, 0xE0065, 0xE007F}, NONE},
    {{0x1F3F4, 0xE0030, 0xE0030, 0xE0031, 0xE0061, 0xE0062, 0xE0063, 0xE007A, 0xE007F},
     NONE},
    {{0x1F3F4, 0xE0067, 0xE0062, 0xE0065, 0xE006E, 0xE0067}, INVISIBLE, 1},
    {{0x1F3F5, 0xE0067, 0xE0062, 0xE0065, 0xE006E, 0xE0067, 0xE007F}, INVISIBLE, 1},
    {{0x1F3F4, 0xE0067, 0xE0062, 0xE0041, 0xE006E, 0xE0067, 0xE007F}, INVISIBLE, 1},
    {{0x1F3F4, 0xE0067, 0xE0062, 0xE007F}, INVISIBLE, 1}, /* two are too few */
    {{0x1F3F4, 0xE0061, 0xE0061, 0xE0061, 0xE0061, 0xE0061, 0xE0061, 0xE0061, 0xE0061,
      0xE007F},
     INVISIBLE,
     1}, /* eight are too many */
    {{0x1F3F4, 0xE007F}, INVISIBLE, 1},
    {{0x1F3F4, 0xE0067, 0xE0062, 0xE0065, 0xE007F, 0xE007F}, INVISIBLE, 5},
    /* others */
    {{0x1F468, 0x200D, 0x1F469, 0xFE0F}, NONE},
    {{0x646, 0x200C, 0x647, 0x200E, 0x200F, 0x61C, 0x34F}, NONE},
    {{0x845B, 0xE0100}, NONE},
    {{0x1820, 0x180B, 0x180E, 0x180F}, NONE},
    {{'a', 0xFEFF, 'b'}, INVISIBLE, 1},
    {{0xFFF9, 0xFFFA, 0xFFFB, 0xFFFC, 0x2028, 0x2029, 0x2061, 0x2064}, NONE},
};

/* With every number of letters before: none would make U+FEFF a bom. */
static void knows_its_neighbours(void) {
  static uint8_t text[256];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    for (size_t before = 1; before < 140; before++) {
      size_t size = before, due = 0;
      memset(text, 'a', before);
      for (size_t c = 0; cases[i].code[c]; c++) {
        if (c == cases[i].index) due = size;
        size += utf8core_put(text + size, cases[i].code[c]);
      }
      decode(text, size);
      const Utf8SuspectFound found = find_in_chunks(text, size, 1 + before);
      expect(found.kind == cases[i].kind && (!found.kind || found.offset == due),
             "the first suspect beside its neighbours", text, size);
      if (before % 20 == 1) with_copy(text, size, expect_right);
    }
  }
}

static void takes_the_first_of_both(void) {
  static const struct {
    const char *text;
    Utf8SuspectKind kind;
    size_t offset;
  } firsts[] = {
      {"caf\xC3\x83\xC2\xA9 \x01", UTF8_SUSPECT_MOJIBAKE, 3},
      {"\x01 caf\xC3\x83\xC2\xA9", UTF8_SUSPECT_CONTROL, 0},
      {"\xC2\x93so\xC2\x94", UTF8_SUSPECT_CONTROL, 0}, /* also mojibake, at 0 */
      {"\xC3\xA2\xE2\x82\xAC\xC2\x9D", UTF8_SUSPECT_MOJIBAKE, 0},
      {"\xEF\xBB\xBF\xEF\xBB\xBF", UTF8_SUSPECT_BOM, 0},
      {"", UTF8_SUSPECT_NONE, 0},
      {"plain\t\r\n", UTF8_SUSPECT_NONE, 8},
  };
  for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
    const uint8_t *text = (const uint8_t *)firsts[i].text;
    const size_t size = strlen(firsts[i].text);
    const Utf8SuspectFound found = find_in_chunks(text, size, TEXT_MAX);
    expect(found.kind == firsts[i].kind && found.offset == firsts[i].offset,
           "the first of both", text, size);
    with_copy(text, size, expect_right);
  }
}

/* ---- random text ---------------------------------------------------------------------------- */

static const uint32_t some[] = {
    'a',     ' ',     0,       9,       0x1F,    0x7F,    0x80,    0x9F,    0xA0,
    0xAD,    0xE9,    0xC3,    0xA9,    0x20AC,  0xE01,   0xE33,   0x200B,  0x200B,
    0x1780,  0x17B4,  0x17B6,  0x1100,  0x115F,  0x1160,  0x1161,  0x11A8,  0xAC00,
    0x200C,  0x200D,  0x202A,  0x202E,  0x202F,  0x2060,  0x2061,  0x2065,  0x2069,
    0x206A,  0x3164,  0xFDCF,  0xFDD0,  0xFDEF,  0xFEFF,  0xFFA0,  0xFFF0,  0xFFF9,
    0xFFFD,  0xFFFE,  0x1BCA0, 0x1F3F4, 0x1F3F4, 0xE0061, 0xE0062, 0xE0063, 0xE007F,
    0xE007F, 0xE0100, 0xE01F0, 0x1FFFF, 0x10FFFE};

/* Fills text with code points: of the list, of any kind, or stretches of letters. */
static size_t random_codes(uint8_t *text, size_t room) {
  size_t size = 0;
  while (room - size >= 80) {
    const uint32_t choice = random_below(20);
    uint32_t code = some[random_below(sizeof some / sizeof *some)];
    size_t times = choice == 0 ? random_below(70 / 3) : 1;
    if (choice < 2) code = choice ? random_below(0xD800) : 0x3042;
    while (times-- > 0) size += utf8core_put(text + size, code);
  }
  return size;
}

static void is_right_for_any_text(void) {
  static uint8_t text[TEXT_MAX];
  for (uint32_t i = 0; i < 4000; i++) {
    const size_t room = 80 + random_below(i % 40 ? 120 : TEXT_MAX - 80);
    with_copy(text, random_codes(text, room), expect_right);
  }
}

/* Text with few suspects, so that the quick scan is what finds them. */
static void is_right_for_calm_text(void) {
  static uint8_t text[TEXT_MAX];
  for (uint32_t i = 0; i < 2000; i++) {
    size_t size = 0;
    const uint32_t letter = (uint32_t[]){'a', 0x434, 0x4E2D, 0x1F600}[i % 4];
    while (size < 600)
      size += utf8core_put(text + size,
                           random_below(150) ? letter : some[random_below(40)]);
    with_copy(text, size, expect_right);
  }
}

static const Test tests[] = {
    {"knows every code point", knows_every_code_point},
    {"knows its neighbours", knows_its_neighbours},
    {"takes the first of both", takes_the_first_of_both},
    {"is right for any text", is_right_for_any_text},
    {"is right for calm text", is_right_for_calm_text},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
