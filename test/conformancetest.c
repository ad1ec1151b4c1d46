/* conformancetest.c: compares core/ with the statements of the RFCs, of Unicode and of the
** articles on UTF-8.
**
**     make check-core
**
** Tests named checklist-N prove statement N of test/conformance.md for every scalar value or
** every string of a kind; grammar.test and checklist.test prove the others.
*/
#include "test/ctest.h"

static Utf8Step strict_step(const uint8_t *text, size_t size, size_t at) {
  return utf8core_step(text, size, at, UTF8_STRICT);
}

static uint64_t core_count(const uint8_t *text, size_t size) {
  size_t at = 0;
  return utf8core_count(text, size, &at, size, UTF8_STRICT);
}

static void expect_valid(const uint8_t *text, size_t size) {
  expect(utf8core_valid(text, size), "should be valid", text, size);
}

static void expect_invalid(const uint8_t *text, size_t size) {
  expect(!utf8core_valid(text, size), "should be invalid", text, size);
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
TEST_OF(no_ascii_inside, with_each_scalar(visit_no_ascii))

static void visit_lead_length(uint32_t c, const uint8_t *text, size_t size) {
  size_t ones = 0;
  while (text[0] << ones & 0x80) ones++;
  expect(size == (ones ? ones : 1), "high ones of the first octet", text, size);
  expect(strict_step(text, size, 0).length == size, "length", text, size);
  for (size_t i = 1; i < size; i++)
    expect((text[i] & 0xC0) == 0x80, "10xxxxxx", text, size);
  (void)c;
}
TEST_OF(lead_gives_length, with_each_scalar(visit_lead_length))

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
TEST_OF(rows_exclude_each_other, with_each_scalar(visit_longer_rows))

static void visit_round_trip(uint32_t c, const uint8_t *text, size_t size) {
  Utf8Step step = strict_step(text, size, 0);
  expect(step.codepoint == c && step.length == size && !step.error, "code point", text,
         size);
  uint8_t second[6];
  size_t n = abnf_encode(ABNF_UTF8, c, second);
  expect(n == size && memcmp(second, text, n) == 0, "bytes", text, size);
}
TEST_OF(every_scalar_round_trips, with_each_scalar(visit_round_trip))

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
TEST_OF(byte_order_is_codepoint_order, with_each_scalar(visit_in_order))

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
        expect(utf8core_valid(text, size) == valid, "continuation", text, size);
      }
      exact_free(text, size);
    }
  }
}

static void visit_valid(const uint8_t *text, size_t size) {
  expect(utf8core_valid(text, size) == abnf_valid(text, size), "valid", text, size);
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
TEST_OF(grammar_is_the_abnf, with_each_short(visit_valid))

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
TEST_OF(no_overlong_of_three, expect_forbidden(0xE0, 0x80, 0x9F, 3))
TEST_OF(no_overlong_of_four, expect_forbidden(0xF0, 0x80, 0x8F, 4))
TEST_OF(no_surrogates, expect_forbidden(0xED, 0xA0, 0xBF, 3))
TEST_OF(nothing_above_10ffff, expect_forbidden(0xF4, 0x90, 0xBF, 4))
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
  expect(utf8core_valid(text, size) == german_is_valid(text, size), "valid", text,
         size);
}
TEST_OF(german_pseudocode, with_each_short(visit_german))

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
TEST_OF(three_octets_are_ucs2, with_each_scalar(visit_ucs2))

static void visit_no_codepoint(const uint8_t *text, size_t size) {
  if (size == 0) return;
  Utf8Step step = strict_step(text, size, 0);
  if (step.error) expect(step.codepoint == 0, "no code point", text, size);
}
TEST_OF(errors_have_no_codepoint, with_each_short(visit_no_codepoint))

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
TEST_OF(cut_scalars_are_one_error, with_each_scalar(visit_prefixes))

static void visit_back(uint32_t c, const uint8_t *text, size_t size) {
  for (size_t at = 0; at < size; at++) {
    size_t back = utf8core_boundary(text, size, at, UTF8_STRICT);
    expect(back == 0 && at - back <= 3, "the lead byte", text, size);
    expect((at > 0) == abnf_is_continuation(text[at]),
           "lead bytes differ from continuation bytes", text, size);
  }
  (void)c;
}
TEST_OF(three_steps_back, with_each_scalar(visit_back))

static void visit_inside(uint32_t c, const uint8_t *text, size_t size) {
  for (size_t at = 1; at < size; at++) {
    Utf8Step step = strict_step(text, size, at);
    expect(step.error == UTF8_STRAY_CONTINUATION, "no wrong code point", text, size);
  }
  (void)c;
}
TEST_OF(no_character_from_the_middle, with_each_scalar(visit_inside))

static void visit_substrings(uint32_t c, const uint8_t *text, size_t size) {
  for (size_t from = 0; from < size; from++) {
    for (size_t n = 1; n <= size - from; n++) {
      if (n < size) expect_invalid(text + from, n);
    }
  }
  (void)c;
}
TEST_OF(nothing_shorter_inside, with_each_scalar(visit_substrings))

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
    {"checklist-114 article pink cells take some continuations only", pink_cells}};

int main(void) {
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]));
}
