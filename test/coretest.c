/* coretest.c: compares core/ with a second definition of the grammar (abnf.h), in every
** dialect. conformancetest.c tests the statements of the standards.
**
**     make check-core
*/
#include "test/ctest.h"

#define STRICT (&abnf_dialects[0])
static const AbnfDialect *dialect; /* under test */

static int same_step(Utf8Step a, Utf8Step b) {
  return a.codepoint == b.codepoint && a.length == b.length && a.error == b.error;
}

/* ---- the step, in each dialect ------------------------------------------------------- */

static void visit_step(const uint8_t *text, size_t size) {
  Utf8Step expected = abnf_step(dialect, text, size, 0);
  Utf8Step step = utf8core_step(text, size, 0, dialect->flags);
  expect(same_step(step, expected), dialect->name, text, size);
}

static void visit_all_steps(const uint8_t *text, size_t size) {
  for (size_t at = 0; at < size;) {
    Utf8Step expected = abnf_step(dialect, text, size, at);
    Utf8Step step = utf8core_step(text, size, at, dialect->flags);
    expect(same_step(step, expected), dialect->name, text, size);
    at += expected.length;
  }
}

/* in_dialects(visit) returns a function that calls visit once in each dialect that applies to
** the text. */
static Visit *visit_each;
static void visit_dialects(const uint8_t *text, size_t size) {
  int utf16 = abnf_is_from_utf16(text, size);
  for (size_t i = 0; i < ABNF_DIALECTS; i++) {
    dialect = &abnf_dialects[i];
    if (utf16 || !(dialect->flags & UTF8_FROM_UTF16)) visit_each(text, size);
  }
}
static Visit *in_dialects(Visit *visit) {
  visit_each = visit;
  return visit_dialects;
}

static void step_short(void) {
  for (size_t size = 1; size <= 3; size++) {
    with_each_byte_string(size, in_dialects(visit_step));
  }
}
TEST_OF(step_edges_of_four, with_each(edges, sizeof(edges), 4, in_dialects(visit_step)))
static void step_long_sequences(void) {
  static const uint8_t bytes[] = {0x41, 0x80, 0x83, 0x84, 0x87, 0x88,
                                  0xBF, 0xC2, 0xF8, 0xFB, 0xFC, 0xFD};
  for (size_t size = 5; size <= 6; size++) {
    with_each(bytes, sizeof(bytes), size, in_dialects(visit_step));
  }
}
static void step_surrogates(void) {
  static const uint8_t bytes[] = {0x41, 0x80, 0x9F, 0xA0, 0xB0, 0xBF, 0xED};
  for (size_t size = 5; size <= 7; size++) {
    with_each(bytes, sizeof(bytes), size, in_dialects(visit_all_steps));
  }
}
/* UTF8_FROM_UTF16 has no sequence that starts with ED A0. */
static void step_cut_surrogate(void) {
  dialect = &abnf_dialects[6];
  with_copy((const uint8_t *)"\xED\xA0", 2, visit_step);
  with_copy((const uint8_t *)"\xED\xA0z", 3, visit_step);
}
static void step_runs_of_surrogates(void) {
  static const Piece unit[] = {{"\xED\xA0\x80", 3}, {"\xED\xB0\x80", 3}, {"a", 1}};
  for (unsigned i = 0; i < 243; i++) { /* all 3^5 strings of five */
    uint8_t text[15];
    size_t size = 0;
    for (unsigned k = i, n = 0; n < 5; k /= 3, n++) {
      size = append(text, size, sizeof(text), &unit[k % 3]);
    }
    with_copy(text, size, in_dialects(visit_all_steps));
  }
}

/* Compares each sequence of each rule of three bytes or more. */
static void step_every_sequence(void) {
  for (size_t d = 0; d < ABNF_DIALECTS; d++) {
    dialect = &abnf_dialects[d];
    for (size_t i = 0; i < ABNF_RULES; i++) {
      const AbnfRule *rule = &abnf_rules[i];
      if (!(rule->dialects & dialect->bit) || rule->length < 3) continue;
      uint8_t *text = exact(rule->length), made[6];
      /* 2^31 would take too long. */
      uint32_t step = rule->length > 4 ? 0xFFF1 : (uint32_t)test_stride();
      for (uint32_t c = rule->first; abnf_sequence(rule, c, made); c += step) {
        memcpy(text, made, rule->length);
        visit_step(text, rule->length);
        if (c > 0x7FFFFFFF - step) break;
      }
      exact_free(text, rule->length);
    }
  }
}

/* ---- functions built on the step ----------------------------------------------------- */

/* The steps of a text, by the second definition. start[count] is the end of the text. */
#define STEPS_MAX 20000
static struct Steps {
  size_t start[STEPS_MAX + 1], count;
  Utf8Error error[STEPS_MAX];
} steps;

static void find_steps(const uint8_t *text, size_t size) {
  steps.count = 0;
  for (size_t at = 0; at < size;) {
    Utf8Step step = abnf_step(dialect, text, size, at);
    steps.start[steps.count] = at;
    steps.error[steps.count++] = step.error;
    at += step.length;
  }
  steps.start[steps.count] = size;
}

/* Checks utf8core_find_error() and utf8core_count() from step number i up to until. */
static void expect_from(size_t i, size_t until, const uint8_t *text, size_t size) {
  size_t n = i, error = i;
  while (steps.start[n] < until) n++;
  while (error < n && !steps.error[error]) error++;
  size_t at = steps.start[i];
  Utf8FirstError first = utf8core_find_error(text, size, at, until, dialect->flags);
  expect(first.offset == steps.start[error], "find_error: offset", text, size);
  size_t length = error < n ? steps.start[error + 1] - steps.start[error] : 0;
  expect(first.length == length, "find_error: length", text, size);
  Utf8Error kind = error < n ? steps.error[error] : UTF8_WELL_FORMED;
  expect(first.error == kind, "find_error: kind", text, size);
  if (dialect == STRICT && at == 0 && until == size)
    expect(utf8core_valid(text, size) == (error == n), "valid", text, size);
  uint64_t count = utf8core_count(text, size, &at, until, dialect->flags);
  expect(count == n - i, "count", text, size);
  expect(at == steps.start[n], "where count stops", text, size);
}

static void expect_boundaries(const uint8_t *text, size_t size) {
  size_t n = 0;
  for (size_t limit = 0; limit <= size + 1; limit++) {
    while (n < steps.count && steps.start[n + 1] <= limit) n++;
    size_t at = utf8core_boundary(text, size, limit, dialect->flags);
    expect(at == steps.start[n], "boundary", text, size);
  }
}

static void visit_all_ranges(const uint8_t *text, size_t size) {
  find_steps(text, size);
  for (size_t i = 0; i <= steps.count; i++) {
    for (size_t until = steps.start[i]; until <= size; until++) {
      expect_from(i, until, text, size);
    }
  }
  expect_boundaries(text, size);
}
static void ranges_short(void) {
  for (size_t size = 0; size <= 2; size++) {
    with_each_byte_string(size, in_dialects(visit_all_ranges));
  }
  with_each(edges, sizeof(edges), 3, in_dialects(visit_all_ranges));
}
static void ranges_random(void) {
  uint8_t text[24];
  for (int i = 0; i < 10000; i += (int)test_stride()) {
    size_t size = random_text(text, 1 + random_below(sizeof(text)), random_below(10));
    with_copy(text, size, in_dialects(visit_all_ranges));
  }
}

/* Checks all of a long text, and four random ranges that start at a boundary. */
static void visit_long(const uint8_t *text, size_t size) {
  find_steps(text, size);
  expect_from(0, size, text, size);
  for (int n = 0; n < 4; n++) {
    size_t i = random_below((uint32_t)steps.count + 1);
    size_t left = size - steps.start[i];
    expect_from(i, steps.start[i] + random_below((uint32_t)left + 1), text, size);
  }
}
/* Puts each piece at every offset, so that it crosses every edge of a kernel's blocks. */
static void kernels_see_every_piece(void) {
  uint8_t text[800];
  for (size_t f = 0; f < PIECE_FILLERS; f++) {
    for (size_t p = 0; p < PIECES; p++) {
      for (size_t offset = 0; offset < 660;
           offset += offset < 140 || offset > 500 ? test_stride() : 13) {
        const size_t end = offset + pieces[p].size + random_below(80);
        const size_t size = piece_at(text, sizeof(text), f, offset, &pieces[p], end);
        with_copy(text, size, in_dialects(visit_long));
      }
    }
  }
}
static void kernels_on_random_text(void) {
  uint8_t text[4000];
  for (int i = 0; i < 1000; i += (int)test_stride()) {
    size_t size = random_text(text, 1 + random_below(sizeof(text)), random_below(11));
    with_copy(text, size, in_dialects(visit_long));
    if (i % 20 == 0) {
      dialect = STRICT;
      find_steps(text, size);
      expect_boundaries(text, size);
    }
  }
}

/* Repeats what only one dialect accepts, so often that the kernel is called less and less. */
static void kernels_pause_longer(void) {
  static const Piece unit[] = {{"\xED\xA0\x80\xED\xB0\x80", 6},
                               {"\xED\xB0\x80", 3},
                               {"\xF8\x88\x80\x80\x80", 5},
                               {"\xC0\x80", 2},
                               {"\xFF", 1}};
  static uint8_t text[STEPS_MAX];
  for (size_t i = 0; i < sizeof(unit) / sizeof(unit[0]); i++) {
    const size_t size = repeat_piece(text, sizeof(text), &unit[i]);
    with_copy(text, size, in_dialects(visit_long));
  }
}

/* ---- names, byte order marks and NULL --------------------------------------------------- */

static size_t bom_due;
static void visit_bom(const uint8_t *text, size_t size) {
  expect(utf8core_bom_length(text, size) == bom_due, "length", text, size);
}
static void bom_is_ef_bb_bf(void) {
  static const char texts[] =
      "\xEF\xBB\xBF|\xEF\xBB\xBF\xEF\xBB\xBF|\xEF\xBB\xBF\x41||\xEF|\xEF\xBB|"
      "\xEF\xBB\xBE|"
      "\xEF\xBC\xBF|\x41\xEF\xBB\xBF|\xFE\xFF|\xFF\xFE|\xE2\x81\xA0";
  char word[WORD_MAX];
  for (uint32_t n = 0; word_of(texts, n, word); n++) {
    bom_due = n < 3 ? 3 : 0;
    with_copy((const uint8_t *)word, strlen(word), visit_bom);
  }
}

static void put_up_to_7fffffff(void) {
  static const uint32_t at[] = {0,         0x80,       0x800,     0xD800,
                                0xE000,    0x10000,    0x110000,  0x200000,
                                0x4000000, 0x40000000, 0x7FFFFFFF};
  unsigned wide = ABNF_RFC2044 | ABNF_WTF8;
  for (uint32_t i = 0; i < 11 * 33; i++) {
    uint64_t c = (uint64_t)at[i / 33] + i % 33 - 16;
    if (c > 0x7FFFFFFF) continue;
    uint8_t expected[6], made[UTF8_OCTETS_MAX];
    size_t n = abnf_encode(wide, (uint32_t)c, expected);
    expect(utf8core_put(made, (uint32_t)c) == n, "length", expected, n);
    expect(memcmp(made, expected, n) == 0, "octets", expected, n);
  }
}

static void errors_have_names(void) {
  static const char *const name[UTF8_ERROR_COUNT] = {
      NULL,        "stray continuation", "truncated",    "incomplete", "overlong",
      "surrogate", "out of range",       "invalid byte", "bare nul"};
  expect_that(utf8core_error_name(UTF8_WELL_FORMED) == NULL, "well-formed");
  for (int i = 1; i < UTF8_ERROR_COUNT; i++) {
    const char *returned = utf8core_error_name((Utf8Error)i);
    expect_that(returned && strcmp(returned, name[i]) == 0, name[i]);
  }
}

static void null_may_be_empty(void) {
  for (size_t i = 0; i < ABNF_DIALECTS; i++) {
    unsigned flags = abnf_dialects[i].flags;
    size_t at = 0;
    Utf8FirstError first = utf8core_find_error(NULL, 0, 0, 0, flags);
    expect_that(first.offset == 0 && first.length == 0 && !first.error, "find_error");
    expect_that(utf8core_count(NULL, 0, &at, 0, flags) == 0 && at == 0, "count");
    expect_that(utf8core_boundary(NULL, 0, 9, flags) == 0, "boundary");
  }
  expect_that(utf8core_valid(NULL, 0), "valid");
  expect_that(utf8core_bom_length(NULL, 0) == 0, "bom_length");
}

static const Test tests[] = {
    {"step: every string of 1 to 3 bytes, every dialect", step_short},
    {"step: edges in 4 bytes, every dialect", step_edges_of_four},
    {"step: sequences of 5 and 6 octets, every dialect", step_long_sequences},
    {"step: surrogates, complete and truncated, every dialect", step_surrogates},
    {"step: a truncated surrogate, utf-8 from UTF-16", step_cut_surrogate},
    {"step: runs of surrogates, every dialect", step_runs_of_surrogates},
    {"step: every sequence of every rule, every dialect", step_every_sequence},
    {"find_error, count, boundary: every range of short strings", ranges_short},
    {"find_error, count, boundary: every range of random strings", ranges_random},
    {"find_error, count: a piece at every offset of a long text",
     kernels_see_every_piece},
    {"find_error, count, boundary: long random texts", kernels_on_random_text},
    {"find_error, count: a text that only one dialect accepts", kernels_pause_longer},
    {"bom_length: EF BB BF and nothing else", bom_is_ef_bb_bf},
    {"put: up to 7FFFFFFF, surrogates included", put_up_to_7fffffff},
    {"error_name: the name of every error", errors_have_names},
    {"NULL is an empty text", null_may_be_empty}};

int main(void) {
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]));
}
