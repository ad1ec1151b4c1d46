/* formtest.c: normalization and case folding agree with Unicode's own tests and with a second
** definition (uax15.h), however a text is cut into calls.
**
**     make check-form
**
** Without Unicode's files in build/form/, prints SKIPPED; test/form.test does without them.
*/
#include "test/ctest.h"
#include "form/stretch.h"
#include "test/uax15.h"
#include <time.h>

enum { FORMS = UTF8_NORMAL_FORMS, TEXT_MAX = 8 * UAX15_CODES };

typedef struct Text {
  size_t size;
  uint8_t bytes[TEXT_MAX];
} Text;

static void encode(const Codes *codes, Text *text) {
  text->size = 0;
  for (size_t i = 0; i < codes->count; i++)
    text->size += utf8core_put(text->bytes + text->size, codes->at[i]);
}

/* Encodes the code points between dots, with which nothing composes. Before these comes text without
** places, of one of several kinds. */
static void encode_between(const Codes *codes, size_t before, size_t after,
                           unsigned kind, Text *text) {
  static const char *const plain[] = {".", "\u0434", "\u3001", "\u0E01\u0E48",
                                      "\U0001F600"};
  const char *filler = plain[kind % 5];
  const size_t length = strlen(filler);
  encode(codes, text);
  memmove(text->bytes + before, text->bytes, text->size);
  memset(text->bytes, '.', before);
  for (size_t at = 0; before - at > length; at += length)
    memcpy(text->bytes + at, filler, length);
  memset(text->bytes + before + text->size, '.', after);
  text->size += before + after;
}

static int is_same(const Text *a, const uint8_t *bytes, size_t size) {
  return a->size == size && memcmp(a->bytes, bytes, size) == 0;
}

/* ---- the functions, in calls of at most `room` bytes ------------------------------------------ */

/* Normalizes into a buffer of just the room of each call. */
static void normalize(int form, const Text *text, size_t room, Text *out) {
  size_t at = 0, given = room;
  out->size = 0;
  while (at < text->size) {
    const size_t before = at;
    uint8_t *part = exact(given);
    const size_t used = utf8core_normalize((Utf8NormalForm)form, text->bytes,
                                           text->size, &at, part, given);
    memcpy(out->bytes + out->size, part, used);
    exact_free(part, given);
    out->size += used;
    given = at > before ? room : 2 * given;
    expect(given < 1 << 20 && (at > before || used == 0), "progress", text->bytes,
           text->size);
    if (given >= 1 << 20) return;
  }
}

static int is_normalized(int form, const Text *text, size_t chunk) {
  for (size_t at = 0; at < text->size;) {
    const size_t before = at, left = text->size - at;
    const size_t until = left < chunk ? text->size : at + chunk;
    if (!utf8core_is_normalized((Utf8NormalForm)form, text->bytes, text->size, &at,
                                until))
      return 0;
    expect(at > before, "progress of the test", text->bytes, text->size);
    if (at <= before) return 0;
  }
  return 1;
}

static void fold(const Text *text, size_t room, Text *out) {
  size_t at = 0;
  out->size = 0;
  while (at < text->size) {
    uint8_t *part = exact(room);
    const size_t before = at;
    const size_t used = utf8core_casefold(text->bytes, text->size, &at, part, room);
    memcpy(out->bytes + out->size, part, used);
    exact_free(part, room);
    out->size += used;
    expect(at > before, "progress of folding", text->bytes, text->size);
    if (at == before) return;
  }
}

/* Expects this result of a form, however the text is cut. */
static void expect_form(int form, const Text *text, const Text *wanted) {
  static Text out;
  static const size_t rooms[] = {TEXT_MAX, UTF8_NORMALIZE_ROOM,
                                 UTF8_NORMALIZE_ROOM + 7};
  static const size_t chunks[] = {TEXT_MAX, 1, 5, 64};
  const int same = is_same(text, wanted->bytes, wanted->size);
  for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
    normalize(form, text, rooms[i], &out);
    expect(is_same(wanted, out.bytes, out.size), "the form", text->bytes, text->size);
  }
  for (size_t i = 0; i < sizeof chunks / sizeof *chunks; i++)
    expect(is_normalized(form, text, chunks[i]) == same, "is it in the form?",
           text->bytes, text->size);
}

static void expect_fold(const Text *text, const Text *wanted) {
  static Text out;
  fold(text, TEXT_MAX, &out);
  expect(is_same(wanted, out.bytes, out.size), "folded", text->bytes, text->size);
  fold(text, UTF8_CASEFOLD_ROOM, &out);
  expect(is_same(wanted, out.bytes, out.size), "folded in parts", text->bytes,
         text->size);
  const size_t at = utf8core_find_unfolded(text->bytes, text->size, 0, text->size);
  size_t same = 0; /* what both have in common, to a boundary */
  while (same < text->size && same < wanted->size &&
         text->bytes[same] == wanted->bytes[same])
    same++;
  while (same < text->size && (text->bytes[same] & 0xC0) == 0x80) same--;
  expect(at <= same && (at == text->size) == is_same(wanted, text->bytes, text->size),
         "the first that folds", text->bytes, text->size);
}

/* Expects of code points what the second definition makes of them. */
static void expect_codes(const Codes *codes) {
  static Text text, wanted;
  static Codes out;
  encode(codes, &text);
  for (int form = 0; form < FORMS; form++) {
    uax15_normalize(form, codes, &out);
    encode(&out, &wanted);
    expect_form(form, &text, &wanted);
  }
  uax15_fold(codes, &out);
  encode(&out, &wanted);
  expect_fold(&text, &wanted);
}

/* ---- Unicode's tests -------------------------------------------------------------------------- */

/* The column that each form makes of column i of NormalizationTest.txt. */
static const int wanted_column[4][5] = {
    {1, 1, 1, 3, 3}, {2, 2, 2, 4, 4}, {3, 3, 3, 3, 3}, {4, 4, 4, 4, 4}};
static unsigned normalization_lines;

static void test_columns(char *line) {
  static Text column[5];
  Codes codes;
  for (int i = 0; i < 5; i++) {
    char *end = line + strcspn(line, ";");
    const int is_last = *end == 0;
    *end = 0;
    read_codes(line, &codes);
    encode(&codes, &column[i]);
    line = end + !is_last;
  }
  for (int form = 0; form < 4; form++)
    for (int i = 0; i < 5; i++)
      expect_form(form, &column[i], &column[wanted_column[form][i]]);
}

static void unicode_normalization_test(void) {
  char path[] = "build/form/NormalizationTest.txt", line[4000];
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (normalization_lines++ % test_stride() == 0) test_columns(line);
  }
  if (file) fclose(file);
  expect_that(normalization_lines > 19000, "all lines are there");
}

static void every_code_point(void) {
  for (uint32_t code = 0; code < UAX15_END; code++) {
    if (code >= 0xD800 && code < 0xE000) continue;
    if (code >= 0x40000 && code % 101 && code >> 12 != 0xE0)
      continue; /* nothing is there */
    if (code % test_stride() == 0) expect_codes(&(Codes){1, {code}});
  }
}

static int is_special(uint32_t code) {
  return uax15_class[code] || uax15_decomposition[code].is_mapped ||
         uax15_folding[code].is_mapped || uax15_casefold[code].is_mapped;
}

/* Every code point between letters, so that it is not the first or last of a text, and before
** marks of several classes. */
static void every_special_code_point_in_a_text(void) {
  for (uint32_t code = 0; code < 0x30000; code++) {
    if (!is_special(code) || code % test_stride()) continue;
    expect_codes(&(Codes){5, {'a', code, 'b', code, 0x301}});
    expect_codes(&(Codes){6, {'a', 0x323, code, 0x323, 0x302, 'b'}});
  }
}

/* ---- random texts ------------------------------------------------------------------------------- */

static uint32_t random_special(void) {
  for (;;) {
    const uint32_t code = random_below(0x1F000);
    if (is_special(code) && !(code >= 0xD800 && code < 0xE000)) return code;
  }
}

/* Returns a code point of those that interact. */
static uint32_t random_code(void) {
  static const uint32_t common[] = {
      'a',   'e',    'A',     ' ',     0x300,   0x301,  0x302,  0x308, 0x323,
      0x345, 0x34F,  0x1100,  0x1161,  0x11A8,  0xAC00, 0xAC01, 0x93C, 0x915,
      0x9BE, 0x9C7,  0x16D67, 0x16D63, 0x1611E, 0x3099, 0x304B, 0xAD,  0x4E00,
      0xE9,  0x1EA5, 0x1F600, 0x1D15E, 0x1D16E, 0xFDFA, 0x344,  0x130};
  if (random_below(3) == 0) return random_special();
  return common[random_below(sizeof common / sizeof *common)];
}

static void random_texts(void) {
  static Codes codes;
  for (unsigned n = 0; n < 30000 / test_stride(); n++) {
    codes.count = random_below(n % 100 ? 12 : 300);
    const uint32_t mark = random_below(4) ? 0 : random_code();
    for (size_t i = 0; i < codes.count; i++)
      codes.at[i] = mark && random_below(2) ? mark : random_code();
    expect_codes(&codes);
  }
}

/* Runs of marks around the number that form/normalize.c holds in memory. */
static void runs_of_marks(void) {
  static Codes codes;
  for (unsigned n = 0; n < 600 / test_stride(); n++) {
    codes.count = 0;
    codes_add(&codes, random_code());
    for (size_t i = 0, marks = 50 + random_below(100); i < marks; i++) {
      static const uint32_t marks_of[] = {0x300, 0x301, 0x323, 0x302,
                                          0x315, 0x34F, 0x344, 0x338};
      codes_add(&codes, marks_of[random_below(n % 2 ? 5 : 8)]);
    }
    codes_add(&codes, random_code());
    expect_codes(&codes);
  }
}

/* Random code points around the end of a chunk of a text that is plain otherwise. */
static void ends_of_chunks(void) {
  static Codes codes, out;
  static Text text, wanted;
  for (unsigned n = 0; n < 2000 / test_stride(); n++) {
    const size_t until = n % 2 ? FORM_CHUNK : random_below(2000) + 100;
    const size_t before = until - random_below(50), after = 1 + random_below(600);
    const int form = (int)random_below(FORMS);
    codes.count = 1 + random_below(12);
    for (size_t i = 0; i < codes.count; i++) codes.at[i] = random_code();
    codes.at[0] = codes.at[0] % 2 ? 'b' : codes.at[0];
    uax15_normalize(form, &codes, &out);
    encode_between(&codes, before, after, n, &text);
    encode_between(&out, before, after, n, &wanted);
    expect_form(form, &text, &wanted);
  }
}

/* ---- ill-formed text ------------------------------------------------------------------------------ */

static void add_bytes(Text *to, const void *bytes, size_t size) {
  memcpy(to->bytes + to->size, bytes, size);
  to->size += size;
}

/* Does the form keep the last code point because of the ill-formed bytes after it? */
static int is_kept(int form, const Codes *codes, const char *broken) {
  const int is_low = strncmp(broken, "\xED\xB0", 2) == 0;
  if (form != UTF8_NFKC_CASEFOLD || ((*broken & 0xC0) != 0x80 && !is_low)) return 0;
  const Mapping *m = &uax15_casefold[codes->at[codes->count - 1]];
  return m->is_mapped && m->count == 0;
}

/* Appends a random text, before broken bytes, to `text`, and what the form makes of it to
** `wanted`. */
static void add_random(int form, const char *broken, Text *text, Text *wanted) {
  static Codes codes, out;
  static Text part;
  codes.count = 1 + random_below(6); /* so that no two broken ones become a whole one */
  for (size_t i = 0; i < codes.count; i++)
    codes.at[i] =
        random_below(8) ? random_code() : 0x200D; /* which nfkc_casefold drops */
  encode(&codes, &part);
  add_bytes(text, part.bytes, part.size);
  const uint32_t last = codes.at[codes.count - 1];
  const int keeps = is_kept(form, &codes, broken);
  codes.count -= (size_t)keeps;
  if (form < FORMS) {
    uax15_normalize(form, &codes, &out);
  } else {
    uax15_fold(&codes, &out);
  }
  if (keeps) out.at[out.count++] = last;
  encode(&out, &part);
  add_bytes(wanted, part.bytes, part.size);
}

static void ill_formed_subparts_separate(void) {
  static const char *const broken[] = {"\xFF",         "\x80",     "\xE2\x82",
                                       "\xED\xA0\x80", "\xC0\xAF", "\xF0\x9F",
                                       "\xED\xB0\x80"};
  static Text text, wanted;
  for (unsigned n = 0; n < 4000 / test_stride(); n++) {
    const int form = (int)random_below(FORMS + 1);
    text.size = wanted.size = 0;
    for (size_t i = 0, parts = 1 + random_below(6); i < parts; i++) {
      const char *bytes = broken[random_below(sizeof broken / sizeof *broken)];
      add_random(form, bytes, &text, &wanted);
      add_bytes(&text, bytes, strlen(bytes));
      add_bytes(&wanted, bytes, strlen(bytes));
    }
    if (form < FORMS) {
      expect_form(form, &text, &wanted);
    } else {
      expect_fold(&text, &wanted);
    }
  }
}

/* ---- full output ------------------------------------------------------------------------------------ */

/* Stores text that the form, or case folding, makes longer: its result has `size` bytes, of which the
** last ones are ASCII, which needs no room for more. */
static void grow(int form, size_t size, Codes *codes, Codes *out) {
  const uint32_t longer = form < FORMS ? 0x958 : 0x390; /* becomes 6 bytes */
  codes->count = 0;
  for (size_t n = 0; n < size / 6 - 2; n++) codes_add(codes, longer);
  for (size_t n = 0; n < size % 6 + 12; n++) codes_add(codes, 'a');
  if (form < FORMS) {
    uax15_normalize(form, codes, out);
  } else {
    uax15_fold(codes, out);
  }
}

/* Expects the form of text after which `left` bytes of a call's room are left for the tail. */
static void expect_tail(int form, size_t left, const Text *tail, const Text *wanted) {
  static Codes codes, out;
  static Text text, all;
  grow(form, (form < FORMS ? UTF8_NORMALIZE_ROOM : UTF8_CASEFOLD_ROOM) - left, &codes,
       &out);
  encode(&codes, &text);
  encode(&out, &all);
  add_bytes(&text, tail->bytes, tail->size);
  add_bytes(&all, wanted->bytes, wanted->size);
  if (form < FORMS) {
    expect_form(form, &text, &all);
  } else {
    expect_fold(&text, &all);
  }
}

/* Ill-formed bytes, jamo, or many marks come where the room of a call ends. */
static void ends_of_rooms(void) {
  static Codes jamo, marks, out;
  static Text tail, wanted;
  static const Text broken = {1, "\xFF"};
  jamo.count = marks.count = 0;
  for (size_t n = 0; n < 40; n++) codes_add(&jamo, n % 2 ? 0x1161 : 0x1100);
  for (size_t n = 0; n < 90; n++) codes_add(&marks, n ? 0x301 + n % 2 : 'b');
  codes_add(&marks, 'c');
  for (int form = 0; form <= FORMS; form++)
    for (size_t left = 0; left < 80; left++) {
      expect_tail(form, left, &broken, &broken);
      for (int kind = 0; kind < 2 && form < FORMS; kind++) {
        uax15_normalize(form, kind ? &marks : &jamo, &out);
        encode(kind ? &marks : &jamo, &tail);
        encode(&out, &wanted);
        expect_tail(form, left, &tail, &wanted);
      }
    }
}

/* What follows the text in memory is not of it: here a jamo that the last syllable would take. */
static void ends_before_a_jamo(void) {
  static Codes codes;
  static Text text, wanted;
  for (size_t syllables = 1; syllables < 6; syllables++) {
    codes.count = 0;
    for (size_t n = 0; n < syllables; n++) codes_add(&codes, 0xAC00);
    encode(&codes, &wanted);
    codes.count = 0;
    for (size_t n = 0; n < 2 * syllables; n++)
      codes_add(&codes, n % 2 ? 0x1161 : 0x1100);
    codes_add(&codes, 0x11A8);
    encode(&codes, &text);
    text.size -= 3;
    expect_form(UTF8_NFC, &text, &wanted);
  }
}

/* A letter with marks that no window of a small room holds. */
static void marks_beyond_every_window(void) {
  static Codes codes;
  codes.count = 0;
  codes_add(&codes, 'a');
  while (codes.count < 5 * UTF8_NORMALIZE_ROOM / 2) codes_add(&codes, 0x301);
  expect_codes(&codes);
}

/* ---- long runs -------------------------------------------------------------------------------------- */

/* Returns the seconds that the form of `count` marks on one letter takes. */
static double seconds_of_marks(int form, size_t count) {
  static const char *const marks[] = {"\xCC\x81", "\xCC\xA3",
                                      "\xCC\x95"}; /* 230, 220, 232 */
  const size_t size = 1 + 2 * count, room = (size_t)UTF8_NORMALIZE_MAX(form, size);
  uint8_t *text = malloc(size), *out = malloc(room);
  size_t at = 0;
  text[0] = 'a';
  for (size_t i = 0; i < count; i++) memcpy(text + 1 + 2 * i, marks[i % 3], 2);
  const clock_t start = clock();
  const size_t used =
      utf8core_normalize((Utf8NormalForm)form, text, size, &at, out, room);
  const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
  expect_that(at == size, "all marks in one call");
  expect(used == (size), "the size", NULL, used);
  size_t sorted = form == UTF8_NFD ? 1 : 3;
  for (size_t i = 0; i < count / 3 - 1; i++, sorted += 2)
    if (memcmp(out + sorted, marks[1], 2) != 0) break;
  expect_that(sorted >= 2 * (count / 3 - 1), "marks of the lowest class first");
  free(text);
  free(out);
  return seconds;
}

static void marks_take_linear_time(void) {
  for (int form = 0; form < 2; form++) {
    const double one = seconds_of_marks(form, 30000),
                 many = seconds_of_marks(form, 600000);
    expect_that(many < 100 * one + 0.5,
                "20 times the marks in about 20 times the time");
  }
}

/* ---- kernels ---------------------------------------------------------------------------------------- */

static void every_kernel(void) {
  const Utf8Kernel *chosen = utf8simd_kernel();
  for (const Utf8Kernel *const *k = utf8simd_kernels(); *k; k++) {
    atomic_store(&utf8simd_chosen, *k);
    every_special_code_point_in_a_text();
    random_texts();
  }
  atomic_store(&utf8simd_chosen, chosen);
}

static const Test tests[] = {
    {"NormalizationTest.txt: every line, every form", unicode_normalization_test},
    {"every code point in every form and folded", every_code_point},
    {"every special code point among others", every_special_code_point_in_a_text},
    {"random texts", random_texts},
    {"runs of marks", runs_of_marks},
    {"ends of chunks", ends_of_chunks},
    {"ill-formed subparts are kept and separate", ill_formed_subparts_separate},
    {"what comes where the room ends", ends_of_rooms},
    {"a text ends before a jamo", ends_before_a_jamo},
    {"more marks than a window has", marks_beyond_every_window},
    {"a million marks in linear time", marks_take_linear_time},
    {"every kernel gives the same", every_kernel},
};

int main(void) {
  if (!uax15_read()) {
    puts("SKIPPED: Unicode's tests: tool/form.py --tests has not written build/form/");
    puts("0 passed, 0 failed");
    return 0;
  }
  return run_tests(tests, sizeof tests / sizeof *tests);
}
