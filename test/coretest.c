/* coretest.c: compares utf8core.c with a second definition of the grammar (abnf.h), and with
** the statements of the RFCs, of Unicode and of the articles on UTF-8.
**
**     make check-core
**
** Every text is in a heap buffer of exactly its size, so AddressSanitizer detects each
** over-read. Tests named checklist-N prove statement N of docs/conformance.md for every
** scalar value or every string of a kind; checklist.test proves the others.
*/
#include "ctest.h"

#define STRICT (&abnf_dialects[0])
static const AbnfDialect *dialect; /* under test */

static int same_step(Utf8Step a, Utf8Step b) {
  return a.codepoint == b.codepoint && a.length == b.length && a.error == b.error;
}

static Utf8Step strict_step(const uint8_t *text, size_t size, size_t at) {
  return utf8core_step(text, size, at, UTF8_STRICT);
}

static int core_valid(const uint8_t *text, size_t size) {
  return utf8core_valid(text, size);
}

static uint64_t core_count(const uint8_t *text, size_t size) {
  size_t at = 0;
  return utf8core_count(text, size, &at, size, UTF8_STRICT);
}

static void expect_valid(const uint8_t *text, size_t size) {
  expect(core_valid(text, size), "should be valid", text, size);
}

static void expect_invalid(const uint8_t *text, size_t size) {
  expect(!core_valid(text, size), "should be invalid", text, size);
}

/* Calls visit with each scalar value and its UTF-8, in a buffer of exactly its size. */
typedef void VisitScalar(uint32_t codepoint, const uint8_t *text, size_t size);
static void with_each_scalar(VisitScalar *visit) {
  for (size_t size = 1; size <= 4; size++) {
    static const uint32_t from[5] = {0, 0x80, 0x800, 0x10000, 0x110000};
    uint8_t *text = exact(size), made[UTF8_OCTETS_MAX];
    const uint32_t stride = size == 1 ? 1 : (uint32_t)test_stride();
    for (uint32_t c = size == 1 ? 0 : from[size - 1]; c < from[size]; c += stride) {
      if (c >= 0xD800 && c <= 0xDFFF) continue;
      expect(utf8core_put(made, c) == size, "length", made, size);
      memcpy(text, made, size);
      visit(c, text, size);
    }
    exact_free(text, size);
  }
}

/* ---- statements of the sources -------------------------------------------------------- */

static void ascii_is_itself(void) {
  uint8_t all[128];
  for (uint8_t c = 0; c < 128; c++) {
    Utf8Step step = strict_step(&c, 1, 0);
    expect(step.codepoint == c && step.length == 1 && !step.error, "itself", &c, 1);
    expect_valid(&c, 1);
    all[c] = c;
  }
  expect_valid(all, 128);
  expect(core_count(all, 128) == 128, "counts 128", all, 128);
}

static void visit_no_ascii(uint32_t c, const uint8_t *text, size_t size) {
  if (c < 0x80) return;
  for (size_t i = 0; i < size; i++) expect(text[i] >= 0x80, "high bit", text, size);
}
static void no_ascii_inside(void) {
  with_each_scalar(visit_no_ascii);
}

static void visit_lead_length(uint32_t c, const uint8_t *text, size_t size) {
  size_t ones = 0;
  while (text[0] << ones & 0x80) ones++;
  expect(size == (ones ? ones : 1), "high ones of the first octet", text, size);
  expect(strict_step(text, size, 0).length == size, "length", text, size);
  for (size_t i = 1; i < size; i++)
    expect((text[i] & 0xC0) == 0x80, "10xxxxxx", text, size);
  (void)c;
}
static void lead_gives_length(void) {
  with_each_scalar(visit_lead_length);
}

/* Encodes c in the given number of octets, even if fewer are enough (RFC 2044 §2, steps 1 to
** 3). */
static void put_in_row(uint8_t *out, uint32_t c, size_t octets) {
  for (size_t i = octets; i-- > 1; c >>= 6) out[i] = (uint8_t)(0x80 | (c & 0x3F));
  out[0] = (uint8_t)((0xFF00u >> octets & 0xFF) | c);
}
static void visit_longer_rows(uint32_t c, const uint8_t *text, size_t size) {
  for (size_t octets = size + 1; octets <= 6; octets++) {
    uint8_t *longer = exact(octets);
    put_in_row(longer, c, octets);
    expect_invalid(longer, octets);
    expect(core_count(longer, octets) == octets, "an error for each octet", longer,
           octets);
    exact_free(longer, octets);
  }
  (void)text;
}
static void rows_exclude_each_other(void) {
  with_each_scalar(visit_longer_rows);
}

static void visit_round_trip(uint32_t c, const uint8_t *text, size_t size) {
  Utf8Step step = strict_step(text, size, 0);
  expect(step.codepoint == c && step.length == size && !step.error, "code point", text,
         size);
  uint8_t second[6];
  size_t n = abnf_encode(ABNF_UTF8, c, second);
  expect(n == size && memcmp(second, text, n) == 0, "bytes", text, size);
}
static void every_scalar_round_trips(void) {
  with_each_scalar(visit_round_trip);
}

static int is_never_used(uint8_t byte) {
  return byte == 0xC0 || byte == 0xC1 || byte >= 0xF5;
}
static void visit_never_used(uint32_t c, const uint8_t *text, size_t size) {
  for (size_t i = 0; i < size; i++) expect(!is_never_used(text[i]), "used", text, size);
  (void)c;
}
static void some_octets_never_appear(void) {
  with_each_scalar(visit_never_used);
  for (unsigned b = 0; b < 256; b++) {
    uint8_t never = (uint8_t)b;
    if (!is_never_used(never)) continue;
    uint8_t before_ascii[] = {never, 'A'}, before_80[] = {never, 0x80, 0x80, 0x80};
    uint8_t after[] = {0xE2, 0x82, 0xAC, never};
    expect_invalid(&never, 1);
    expect_invalid(before_ascii, 2);
    for (size_t n = 2; n <= 4; n++) expect_invalid(before_80, n);
    expect_invalid(after, 4);
  }
}

static uint8_t last_scalar[4];
static size_t last_size;
static void visit_in_order(uint32_t c, const uint8_t *text, size_t size) {
  size_t common = size < last_size ? size : last_size;
  if (c > 0) expect(memcmp(last_scalar, text, common) < 0, "order", text, size);
  memcpy(last_scalar, text, last_size = size);
}
static void byte_order_is_codepoint_order(void) {
  with_each_scalar(visit_in_order);
}

static void every_continuation(void) {
  static const uint8_t valid_text[3][4] = {
      {0xC3, 0x80}, {0xE4, 0x80, 0x80}, {0xF2, 0x80, 0x80, 0x80}};
  for (size_t size = 2; size <= 4; size++) {
    for (size_t i = 1; i < size; i++) {
      uint8_t *text = exact(size);
      memcpy(text, valid_text[size - 2], size);
      for (unsigned b = 0; b < 256; b++) {
        text[i] = (uint8_t)b;
        int valid = b >= 0x80 && b <= 0xBF;
        expect(core_valid(text, size) == valid, "continuation", text, size);
      }
      exact_free(text, size);
    }
  }
}

static void visit_valid(const uint8_t *text, size_t size) {
  expect(core_valid(text, size) == abnf_valid(text, size), "valid", text, size);
}
/* Calls visit with strings of four bytes: F0..FF, any byte, and two of edges[]. */
static void with_each_of_four(Visit *visit) {
  uint8_t *text = exact(4);
  for (unsigned lead = 0xF0; lead <= 0xFF; lead++) {
    for (unsigned second = 0; second < 256; second++) {
      for (size_t i = 0; i < sizeof(edges) * sizeof(edges); i++) {
        text[0] = (uint8_t)lead;
        text[1] = (uint8_t)second;
        text[2] = edges[i / sizeof(edges)];
        text[3] = edges[i % sizeof(edges)];
        visit(text, 4);
      }
    }
  }
  exact_free(text, 4);
}
static void with_each_short(Visit *visit) {
  for (size_t size = 0; size <= 3; size++) with_each_byte_string(size, visit);
  with_each_of_four(visit);
}
static void grammar_is_the_abnf(void) {
  with_each_short(visit_valid);
}

/* Expects each text of `size` octets that starts with lead and lo..hi to be invalid, with one
** error per octet. */
static void expect_forbidden(uint8_t lead, unsigned lo, unsigned hi, size_t size) {
  uint8_t *text = exact(size);
  memset(text, 0x80, size);
  text[0] = lead;
  for (unsigned second = lo; second <= hi; second++) {
    for (unsigned last = 0x80; last <= 0xBF; last++) {
      text[size - 1] = (uint8_t)last;
      text[1] = (uint8_t)second;
      expect_invalid(text, size);
      expect(core_count(text, size) == size, "an error for each octet", text, size);
    }
  }
  exact_free(text, size);
}
static void no_overlong_of_three(void) {
  expect_forbidden(0xE0, 0x80, 0x9F, 3);
}
static void no_overlong_of_four(void) {
  expect_forbidden(0xF0, 0x80, 0x8F, 4);
}
static void no_surrogates(void) {
  expect_forbidden(0xED, 0xA0, 0xBF, 3);
}
static void nothing_above_10ffff(void) {
  expect_forbidden(0xF4, 0x90, 0xBF, 4);
}
static void visit_after_high_lead(const uint8_t *text, size_t size) {
  if (text[0] >= 0xF5) expect_invalid(text, size);
}
static void nothing_after_f5(void) {
  for (size_t size = 1; size <= 2; size++) {
    with_each_byte_string(size, visit_after_high_lead);
  }
  with_each_of_four(visit_after_high_lead);
}

static int between(unsigned lo, unsigned byte, unsigned hi) {
  return lo <= byte && byte <= hi;
}
/* The German article's pseudocode for is_valid_utf8(), line by line. */
static int german_is_valid(const uint8_t *b, size_t n) {
  size_t i = 0;
  while (i < n) {
    size_t length = b[i] <= 0x7F                ? 1
                    : between(0xC2, b[i], 0xDF) ? 2
                    : between(0xE0, b[i], 0xEF) ? 3
                    : between(0xF0, b[i], 0xF4) ? 4
                                                : 0;
    unsigned lo = b[i] == 0xE0 ? 0xA0 : b[i] == 0xF0 ? 0x90 : 0x80;
    unsigned hi = b[i] == 0xED ? 0x9F : b[i] == 0xF4 ? 0x8F : 0xBF;
    if (length == 0 || length > n - i) return 0;
    if (length > 1 && !between(lo, b[i + 1], hi)) return 0;
    for (size_t k = 2; k < length; k++) {
      if (!between(0x80, b[i + k], 0xBF)) return 0;
    }
    i += length;
  }
  return 1;
}
static void visit_german(const uint8_t *text, size_t size) {
  expect(core_valid(text, size) == german_is_valid(text, size), "valid", text, size);
}
static void german_pseudocode(void) {
  with_each_short(visit_german);
}

static void three_replacements_each(void) {
  for (uint32_t c = 0xD800; c <= 0xDFFF; c++) {
    uint8_t text[UTF8_OCTETS_MAX];
    size_t size = utf8core_put(text, c);
    expect(size == 3, "three octets", text, size);
    expect_invalid(text, size);
    expect(core_count(text, size) == 3, "three subparts", text, size);
  }
}

static void visit_ucs2(uint32_t c, const uint8_t *text, size_t size) {
  expect((size <= 3) == (c <= 0xFFFF), "UCS-2", text, size);
  expect((text[0] <= 0xEF) == (c <= 0xFFFF), "lead", text, size);
}
static void three_octets_are_ucs2(void) {
  with_each_scalar(visit_ucs2);
}

static void visit_no_codepoint(const uint8_t *text, size_t size) {
  if (size == 0) return;
  Utf8Step step = strict_step(text, size, 0);
  if (step.error) expect(step.codepoint == 0, "no code point", text, size);
}
static void errors_have_no_codepoint(void) {
  with_each_short(visit_no_codepoint);
}

static void visit_cut(const uint8_t *text, size_t size) {
  expect_invalid(text, size);
  expect(core_count(text, size) == 1, "one error", text, size);
  Utf8Step step = strict_step(text, size, 0);
  expect(step.error == UTF8_TRUNCATED && step.length == size, "truncated", text, size);
}
static void visit_prefixes(uint32_t c, const uint8_t *text, size_t size) {
  for (size_t n = 1; n < size; n++) with_copy(text, n, visit_cut);
  (void)c;
}
static void cut_scalars_are_one_error(void) {
  with_each_scalar(visit_prefixes);
}

static void visit_back(uint32_t c, const uint8_t *text, size_t size) {
  for (size_t at = 0; at < size; at++) {
    size_t back = utf8core_boundary(text, size, at, UTF8_STRICT);
    expect(back == 0 && at - back <= 3, "the lead byte", text, size);
    expect((at > 0) == abnf_is_continuation(text[at]),
           "lead bytes differ from continuation bytes", text, size);
  }
  (void)c;
}
static void three_steps_back(void) {
  with_each_scalar(visit_back);
}

static void visit_inside(uint32_t c, const uint8_t *text, size_t size) {
  for (size_t at = 1; at < size; at++) {
    Utf8Step step = strict_step(text, size, at);
    expect(step.error == UTF8_STRAY_CONTINUATION, "no wrong code point", text, size);
  }
  (void)c;
}
static void no_character_from_the_middle(void) {
  with_each_scalar(visit_inside);
}

static void visit_substrings(uint32_t c, const uint8_t *text, size_t size) {
  for (size_t from = 0; from < size; from++) {
    for (size_t n = 1; n <= size - from; n++) {
      if (n < size) expect_invalid(text + from, n);
    }
  }
  (void)c;
}
static void nothing_shorter_inside(void) {
  with_each_scalar(visit_substrings);
}

static void lone_continuations(void) {
  for (unsigned b = 0x80; b <= 0xBF; b++) {
    uint8_t byte = (uint8_t)b;
    Utf8Step step = strict_step(&byte, 1, 0);
    expect(step.error == UTF8_STRAY_CONTINUATION && step.length == 1, "stray", &byte,
           1);
    uint8_t text[] = {0xC2, byte};
    expect(strict_step(text, 2, 0).codepoint == 0x80 + (b & 0x3F), "payload", text, 2);
  }
}

/* Expects the lowest sequence of each lead byte in lo..hi to decode to codepoint[]. */
static void lowest(unsigned lo, unsigned hi, const uint32_t *codepoint) {
  for (unsigned lead = lo; lead <= hi; lead++) {
    size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    uint8_t text[4] = {(uint8_t)lead, 0x80, 0x80, 0x80};
    if (lead == 0xE0) text[1] = 0xA0;
    if (lead == 0xF0) text[1] = 0x90;
    Utf8Step step = strict_step(text, size, 0);
    expect(step.codepoint == codepoint[lead - lo] && step.length == size, "lowest",
           text, size);
  }
}
static void lowest_of_two(void) {
  uint32_t first[30];
  for (uint32_t i = 0; i < 30; i++) first[i] = (i + 2) << 6;
  lowest(0xC2, 0xDF, first);
}
static void lowest_of_three(void) {
  uint32_t first[16] = {0x0800};
  for (uint32_t i = 1; i < 16; i++) first[i] = i << 12;
  lowest(0xE0, 0xEF, first);
}
static void lowest_of_four(void) {
  static const uint32_t first[5] = {0x10000, 0x40000, 0x80000, 0xC0000, 0x100000};
  lowest(0xF0, 0xF4, first);
}

static void red_cells(void) {
  for (unsigned b = 0; b < 256; b++) {
    uint8_t byte = (uint8_t)b;
    if (!is_never_used(byte)) continue;
    Utf8Error kind = strict_step(&byte, 1, 0).error;
    Utf8Error expected = b < 0xC2   ? UTF8_OVERLONG
                         : b < 0xFE ? UTF8_OUT_OF_RANGE
                                    : UTF8_INVALID_BYTE;
    expect(kind == expected, "kind", &byte, 1);
  }
}

static void pink_cells(void) {
  static const struct {
    uint8_t lead, lo, hi; /* lo..hi are valid second bytes */
    Utf8Error kind;       /* of the error for any other continuation byte */
  } cell[] = {{0xE0, 0xA0, 0xBF, UTF8_OVERLONG},
              {0xED, 0x80, 0x9F, UTF8_SURROGATE},
              {0xF0, 0x90, 0xBF, UTF8_OVERLONG},
              {0xF4, 0x80, 0x8F, UTF8_OUT_OF_RANGE}};
  for (size_t i = 0; i < 4; i++) {
    for (unsigned second = 0x80; second <= 0xBF; second++) {
      uint8_t text[] = {cell[i].lead, (uint8_t)second, 0x80, 0x80};
      Utf8Step step = strict_step(text, 4, 0);
      int valid = between(cell[i].lo, second, cell[i].hi);
      expect(step.error == (valid ? UTF8_WELL_FORMED : cell[i].kind), "kind", text, 4);
    }
  }
}

/* ---- the step, in each dialect ------------------------------------------------------- */

static void visit_step(const uint8_t *text, size_t size) {
  Utf8Step expected = abnf_step(dialect, text, size, 0);
  Utf8Step step = utf8core_step(text, size, 0, dialect->flags);
  expect(same_step(step, expected), dialect->name, text, size);
}

/* Compares all steps of the text. */
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
static void step_edges_of_four(void) {
  with_each(edges, sizeof(edges), 4, in_dialects(visit_step));
}
static void step_long_forms(void) {
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

/* Compares each sequence of each form of three bytes or more. */
static void step_every_sequence(void) {
  for (size_t d = 0; d < ABNF_DIALECTS; d++) {
    dialect = &abnf_dialects[d];
    for (size_t i = 0; i < ABNF_FORMS; i++) {
      const AbnfForm *form = &abnf_forms[i];
      if (!(form->dialects & dialect->bit) || form->length < 3) continue;
      uint8_t *text = exact(form->length), made[6];
      /* 2^31 would take too long. */
      uint32_t step = form->length > 4 ? 0xFFF1 : (uint32_t)test_stride();
      for (uint32_t c = form->first; abnf_sequence(form, c, made); c += step) {
        memcpy(text, made, form->length);
        visit_step(text, form->length);
        if (c > 0x7FFFFFFF - step) break;
      }
      exact_free(text, form->length);
    }
  }
}

/* Expects an ill-formed subpart to contain no byte, after its first, that can start a
** well-formed sequence. */
static void visit_keeps_starts(const uint8_t *text, size_t size) {
  Utf8Step step = utf8core_step(text, size, 0, dialect->flags);
  if (!step.error) return;
  for (size_t at = 1; at < step.length; at++) {
    expect(abnf_is_continuation(text[at]), dialect->name, text, size);
  }
}
static void step_keeps_starts(void) {
  static const uint8_t bytes[] = {0x41, 0x80, 0x9F, 0xA0, 0xB0, 0xBF, 0xC0, 0xE1, 0xED};
  with_each(bytes, sizeof(bytes), 6, in_dialects(visit_keeps_starts));
}

/* ---- functions built on the step ----------------------------------------------------- */

/* The steps of a text, by the second definition. start[count] is the end of the text. */
static struct Steps {
  size_t start[4096], count;
  Utf8Error error[4096];
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

/* Checks every range that starts at a boundary. */
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
  static const Piece filler[] = {{"a", 1}, {"\xC3\xA9", 2}, {"\xE2\x82\xAC", 3}};
  uint8_t text[800];
  for (size_t f = 0; f < 3; f++) {
    for (size_t p = 0; p < PIECES; p++) {
      for (size_t offset = 0; offset < 660;
           offset += offset < 140 || offset > 500 ? test_stride() : 13) {
        size_t size = 0;
        while (size + filler[f].size <= offset) {
          size = append(text, size, sizeof(text), &filler[f]);
        }
        while (size < offset) text[size++] = 'z';
        size = append(text, size, sizeof(text), &pieces[p]);
        size_t end = size + random_below(80);
        while (size < end) size = append(text, size, sizeof(text), &filler[f]);
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

/* ---- names, byte order marks and NULL --------------------------------------------------- */

static void bom_is_ef_bb_bf(void) {
  static const Piece text[] = {{"\xEF\xBB\xBF", 3},
                               {"\xEF\xBB\xBF\xEF\xBB\xBF", 6},
                               {"\xEF\xBB\xBF"
                                "A",
                                4},
                               {"", 0},
                               {"\xEF", 1},
                               {"\xEF\xBB", 2},
                               {"\xEF\xBB\xBE", 3},
                               {"A\xEF\xBB\xBF", 4},
                               {"\xFE\xFF\0A", 4},
                               {"\xFF\xFE", 2},
                               {"\xE2\x81\xA0", 3}};
  for (size_t i = 0; i < sizeof(text) / sizeof(text[0]); i++) {
    uint8_t *copy = exact(text[i].size);
    if (text[i].size) memcpy(copy, text[i].bytes, text[i].size);
    size_t expected = i < 3 ? 3 : 0;
    expect(utf8core_bom_length(copy, text[i].size) == expected, "length", copy,
           text[i].size);
    exact_free(copy, text[i].size);
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
  expect(utf8core_error_name(UTF8_WELL_FORMED) == NULL, "well-formed", NULL, 0);
  for (int i = 1; i < UTF8_ERROR_COUNT; i++) {
    const char *returned = utf8core_error_name((Utf8Error)i);
    expect(returned && strcmp(returned, name[i]) == 0, name[i], NULL, 0);
  }
}

static void null_may_be_empty(void) {
  for (size_t i = 0; i < ABNF_DIALECTS; i++) {
    unsigned flags = abnf_dialects[i].flags;
    size_t at = 0;
    Utf8FirstError first = utf8core_find_error(NULL, 0, 0, 0, flags);
    expect(first.offset == 0 && first.length == 0 && !first.error, "find_error", NULL,
           0);
    expect(utf8core_count(NULL, 0, &at, 0, flags) == 0 && at == 0, "count", NULL, 0);
    expect(utf8core_boundary(NULL, 0, 9, flags) == 0, "boundary", NULL, 0);
  }
  expect(utf8core_valid(NULL, 0), "valid", NULL, 0);
  expect(utf8core_bom_length(NULL, 0) == 0, "bom_length", NULL, 0);
}

static const Test tests[] = {
    {"checklist-1 rfc3629-1 ASCII octets are themselves, alone and together",
     ascii_is_itself},
    {"checklist-2 rfc3629-1 ASCII octets never inside a sequence, every scalar",
     no_ascii_inside},
    {"checklist-9 rfc3629-3 the first octet gives the number of octets, every scalar",
     lead_gives_length},
    {"checklist-10 rfc3629-3 the rows exclude each other, every scalar in every longer "
     "row",
     rows_exclude_each_other},
    {"checklist-11 rfc3629-3 encoded and decoded again, every scalar",
     every_scalar_round_trips},
    {"checklist-12 rfc3629-1 C0, C1 and F5 to FF never appear, every scalar",
     some_octets_never_appear},
    {"checklist-15 rfc3629-1 byte order is code point order, every scalar",
     byte_order_is_codepoint_order},
    {"checklist-30 rfc3629-4 UTF8-tail is 80-BF, every value in every place",
     every_continuation},
    {"checklist-31 rfc3629-4 the ABNF, every string of up to 3 octets, every lead of 4",
     grammar_is_the_abnf},
    {"checklist-33 german-4 E0 and 80-9F are overlong, every continuation byte",
     no_overlong_of_three},
    {"checklist-34 german-4 F0 and 80-8F are overlong, every continuation byte",
     no_overlong_of_four},
    {"checklist-35 german-4 ED and A0-BF are surrogates, every continuation byte",
     no_surrogates},
    {"checklist-36 german-4 F4 and 90-BF are above 10FFFF, every continuation byte",
     nothing_above_10ffff},
    {"checklist-37 german-4 nothing starts with F5-FF, whatever follows",
     nothing_after_f5},
    {"checklist-42 german-4 the pseudocode, every string of up to 3 octets, every lead "
     "of 4",
     german_pseudocode},
    {"checklist-43 rfc3629-3 every surrogate is three errors", three_replacements_each},
    {"checklist-55 rfc2044-2 three octets and fewer are UCS-2, every scalar",
     three_octets_are_ucs2},
    {"checklist-74 rfc3629-10 what is ill-formed has no code point",
     errors_have_no_codepoint},
    {"checklist-82 article every scalar cut at every byte is one error",
     cut_scalars_are_one_error},
    {"checklist-99 article at most 3 steps back reach a lead, every scalar",
     three_steps_back},
    {"checklist-100 article from the middle no wrong character, every scalar",
     no_character_from_the_middle},
    {"checklist-101 article nothing shorter is valid inside, every scalar",
     nothing_shorter_inside},
    {"checklist-109 article rows 8 to B, every continuation byte", lone_continuations},
    {"checklist-110 article rows C and D, the lowest of every lead", lowest_of_two},
    {"checklist-111 article row E, the lowest of every lead", lowest_of_three},
    {"checklist-112 article row F, the lowest of every lead", lowest_of_four},
    {"checklist-113 article red cells are never valid, and of which kind", red_cells},
    {"checklist-114 article pink cells take some continuations only", pink_cells},
    {"step: every string of 1 to 3 bytes, every dialect", step_short},
    {"step: edges in 4 bytes, every dialect", step_edges_of_four},
    {"step: forms of 5 and 6 octets, every dialect", step_long_forms},
    {"step: surrogates, complete and truncated, every dialect", step_surrogates},
    {"step: runs of surrogates, every dialect", step_runs_of_surrogates},
    {"step: every sequence of every form, every dialect", step_every_sequence},
    {"step: no subpart contains the start of a sequence", step_keeps_starts},
    {"find_error, count, boundary: every range of short strings", ranges_short},
    {"find_error, count, boundary: every range of random strings", ranges_random},
    {"find_error, count: a piece at every offset of a long text",
     kernels_see_every_piece},
    {"find_error, count, boundary: long random texts", kernels_on_random_text},
    {"bom_length: EF BB BF and nothing else", bom_is_ef_bb_bf},
    {"put: up to 7FFFFFFF, surrogates included", put_up_to_7fffffff},
    {"error_name: the name of every error", errors_have_names},
    {"NULL is an empty text", null_may_be_empty}};

int main(void) {
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]));
}
