/* repairtest.c: compares core/repair.c with the second definition in abnf.h, under every
** policy. Also checks what every policy promises: the result is well-formed, a second repair
** changes nothing, valid text and all ASCII survive, and the result does not depend on the
** room of the output buffer.
**
**     make check-core
*/
#include "test/ctest.h"

#define INPUT_MAX  4096
#define OUTPUT_MAX (INPUT_MAX * 16)

static Utf8Repair how; /* under test */
static uint8_t expected[OUTPUT_MAX], got[OUTPUT_MAX], again[OUTPUT_MAX];

/* Repairs in as many calls as the room requires. Stores the result in `to`, and returns its
** size. */
static size_t repair_in(size_t room, const uint8_t *text, size_t size, uint8_t *to) {
  size_t at = 0, n = 0;
  uint8_t *out = exact_again(room);
  while (at < size) {
    size_t before = at;
    size_t written = utf8core_repair(&how, text, size, &at, out, room);
    expect(written <= room, "stays within its room", text, size);
    expect(at > before && at <= size, "makes progress", text, size);
    if (at <= before || written > room || n + written > OUTPUT_MAX) break;
    memcpy(to + n, out, written);
    n += written;
  }
  return n;
}

static int same(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size) {
  return a_size == b_size && (a_size == 0 || memcmp(a, b, a_size) == 0);
}

/* Has `repaired` the ASCII bytes of `text`, in the same order? If `adds` is 0, it must have no
** other ASCII. */
static int keeps_ascii(const uint8_t *text, size_t size, const uint8_t *repaired,
                       size_t n, int adds) {
  size_t k = 0;
  for (size_t i = 0; i < size; i++) {
    if (text[i] >= 0x80) continue;
    while (k < n && (adds ? repaired[k] != text[i] : repaired[k] >= 0x80)) k++;
    if (k == n || repaired[k] != text[i]) return 0;
    k++;
  }
  while (!adds && k < n && repaired[k] >= 0x80) k++;
  return adds || k == n;
}
/* Can the repair add ASCII? escape adds \xhh, cesu-8 adds NUL, and a replacement can have
** any. */
static int adds_ascii(void) {
  if (how.policy == UTF8_POLICY_ESCAPE || how.policy == UTF8_POLICY_CESU8) return 1;
  for (size_t i = 0; i < how.replacement_size; i++) {
    if (how.replacement[i] < 0x80) return 1;
  }
  return 0;
}

static void visit_repair(const uint8_t *text, size_t size) {
  size_t room = UTF8_REPAIR_ROOM(&how) + 8 * size;
  size_t n_expected = abnf_repair(&how, text, size, expected);
  size_t n = repair_in(room, text, size, got);
  expect(same(expected, n_expected, got, n), "as the second definition", text, size);
  expect(abnf_valid(got, n), "well-formed", text, size);
  expect(keeps_ascii(text, size, got, n, adds_ascii()), "ASCII survives", text, size);
  if (abnf_valid(text, size)) expect(same(text, size, got, n), "unchanged", text, size);
  size_t n_again = repair_in(room, got, n, again);
  expect(same(got, n, again, n_again), "idempotent", text, size);
}

static void visit_rooms(const uint8_t *text, size_t size) {
  size_t min = UTF8_REPAIR_ROOM(&how);
  size_t n_expected = abnf_repair(&how, text, size, expected);
  static const size_t more[] = {0, 1, 2, 3, 7, 64, 1000, 3071, 4000};
  for (size_t i = 0; i < sizeof(more) / sizeof(more[0]); i++) {
    size_t n = repair_in(min + more[i], text, size, got);
    expect(same(expected, n_expected, got, n), "with little room", text, size);
  }
}

/* ---- every policy and replacement ------------------------------------------------ */

static const char long_replacement[] =
    "[ill-formed text stood here, \xE2\x82\xAC and \xF0\x9F\x98\x80 are well-formed, "
    "and this replacement is longer than any stretch that is written at once]";
static const Piece replacements[] = {{NULL, 0},
                                     {"", 0},
                                     {"?", 1},
                                     {"\xE2\x82\xAC", 3},
                                     {long_replacement, sizeof(long_replacement) - 1}};

static Visit *visit_each;
static void visit_policies(const uint8_t *text, size_t size) {
  for (int policy = 0; policy <= UTF8_POLICY_CHARSET + 1; policy++) {
    size_t kinds = policy <= UTF8_POLICY_TRIM ? 5 : 1;
    how.policy =
        policy <= UTF8_POLICY_CHARSET ? (Utf8PolicyId)policy : UTF8_POLICY_CHARSET;
    how.charset =
        policy <= UTF8_POLICY_CHARSET ? UTF8_CHARSET_LATIN1 : UTF8_CHARSET_WINDOWS1252;
    for (size_t i = 0; i < kinds; i++) {
      how.replacement = (const uint8_t *)replacements[i].bytes;
      how.replacement_size = replacements[i].size;
      if (16 * size < OUTPUT_MAX / (how.replacement_size + 1)) visit_each(text, size);
    }
  }
}
static Visit *in_policies(Visit *visit) {
  visit_each = visit;
  how.dialect = UTF8_STRICT;
  return visit_policies;
}

static void short_strings(void) {
  for (size_t size = 0; size <= 2; size++) {
    with_each_byte_string(size, in_policies(visit_repair));
  }
}
TEST_OF(edges_of_three, with_each(edges, sizeof(edges), 3, in_policies(visit_repair)))
static void few_of_four_to_six(void) {
  static const uint8_t few[] = {0x41, 0x80, 0xA0, 0xB0, 0xC0, 0xE2, 0xED, 0xF0, 0xF4};
  with_each(few, sizeof(few), 4, in_policies(visit_repair));
  with_each(few, 7, 5, in_policies(visit_repair));
  static const uint8_t pair[] = {0xA0, 0xB0, 0xC0, 0xED, 0x80};
  with_each(pair, 5, 6, in_policies(visit_repair));
}

static void visit_default(const uint8_t *text, size_t size) {
  size_t n_expected = abnf_repair(&how, text, size, expected);
  size_t n = repair_in(UTF8_REPAIR_ROOM(&how), text, size, got);
  expect(same(expected, n_expected, got, n), "as the second definition", text, size);
  expect(abnf_valid(got, n), "well-formed", text, size);
  expect(n <= 3 * size, "at most three times the input", text, size);
}
static void every_three_bytes(void) {
  how = (Utf8Repair){.policy = UTF8_POLICY_SUBPART};
  with_each_byte_string(3, visit_default);
}

static void random_texts(void) {
  uint8_t text[300];
  for (int i = 0; i < 3000; i += (int)test_stride()) {
    size_t size = random_text(text, 1 + random_below(sizeof(text)), random_below(11));
    with_copy(text, size, in_policies(visit_repair));
  }
}
static void little_room(void) {
  uint8_t text[1500];
  for (int i = 0; i < 200; i += (int)test_stride()) {
    size_t size = random_text(text, 1 + random_below(sizeof(text)), random_below(11));
    with_copy(text, size, in_policies(visit_rooms));
  }
}

/* Puts pieces at every offset around the end of the room. */
static void pieces_at_the_end_of_the_room(void) {
  uint8_t text[400];
  for (size_t p = 0; p < PIECES; p++) {
    for (size_t ascii = 0; ascii < 100; ascii += test_stride()) {
      size_t size = ascii;
      memset(text, 'a', ascii);
      for (int n = 0; n < 3; n++) size = append(text, size, sizeof(text), &pieces[p]);
      with_copy(text, size, in_policies(visit_rooms));
    }
  }
}

static void calls_end_within_a_run(void) {
  for (size_t p = 0; p < PIECES; p++) {
    uint8_t text[701];
    const size_t size = repeat_piece(text, sizeof(text), &pieces[p]);
    with_copy(text, size, in_policies(visit_rooms));
  }
}

/* Puts each piece at every offset of a block, in long text. */
static void kernels_repair_every_piece(void) {
  uint8_t text[INPUT_MAX];
  how = (Utf8Repair){.policy = UTF8_POLICY_SUBPART};
  for (size_t f = 0; f < PIECE_FILLERS; f++) {
    for (size_t p = 0; p < PIECES; p++) {
      for (size_t offset = 900; offset < 1030; offset += test_stride()) {
        const size_t end = 1300 + random_below(200);
        const size_t size = piece_at(text, sizeof(text), f, offset, &pieces[p], end);
        with_copy(text, size, visit_repair);
      }
    }
  }
}
static void kernels_repair_random_text(void) {
  uint8_t text[INPUT_MAX];
  how = (Utf8Repair){.policy = UTF8_POLICY_SUBPART};
  for (int i = 0; i < 2000; i += (int)test_stride()) {
    size_t size = random_text(text, 1 + random_below(sizeof(text)), random_below(11));
    with_copy(text, size, visit_repair);
  }
}

/* ---- text that was UTF-16 -------------------------------------------------------- */

/* All strings of four code points or lone surrogates, with and without an odd last byte.
** Leaves out a high surrogate before a low one, which would be a pair. */
static void text_from_utf16(void) {
  static const Piece unit[] = {{"A", 1},
                               {"\0", 1},
                               {"\xC3\xA9", 2},
                               {"\xEF\xBF\xBF", 3},
                               {"\xF0\x9F\x98\x80", 4},
                               {"\xED\xA0\xBD", 3},
                               {"\xED\xB8\x80", 3}};
  for (uint32_t i = 0; i < 7 * 7 * 7 * 7; i++) {
    uint8_t text[40];
    size_t size = 0, last = 0;
    int paired = 0;
    for (uint32_t k = i, n = 0; n < 4; k /= 7, n++) {
      paired |= last == 5 && k % 7 == 6;
      size = append(text, size, sizeof(text), &unit[last = k % 7]);
    }
    if (paired) continue;
    Visit *visit = in_policies(visit_repair);
    how.dialect = UTF8_FROM_UTF16;
    with_copy(text, size, visit);
    const uint8_t odd[] = {UTF8_ODD_BYTES((uint8_t)i)};
    memcpy(text + size, odd, sizeof(odd));
    with_copy(text, size + sizeof(odd), visit);
  }
}

/* ---- sizes that overflow 32 bits ---------------------------------------------------- */

/* The replacements of a block of 64 ill-formed bytes have 4 GB. */
#define LARGE_SIZE ((size_t)64 << 20)

static uint64_t count_of(uint8_t byte, const uint8_t *bytes, size_t size) {
  uint64_t count = 0;
  for (size_t i = 0; i < size; i++) count += bytes[i] == byte;
  return count;
}

static void large_replacement(void) {
  uint8_t text[200];
  const size_t room = LARGE_SIZE + 4000;
  uint8_t *with = exact(LARGE_SIZE), *out = exact(room);
  memset(with, 'r', LARGE_SIZE);
  memset(text, 'a', sizeof(text));
  text[10] = text[40] = text[150] = 0xFF;
  for (int policy = UTF8_POLICY_SUBPART; policy <= UTF8_POLICY_RUN; policy++) {
    how = (Utf8Repair){.policy = (Utf8PolicyId)policy,
                       .replacement = with,
                       .replacement_size = LARGE_SIZE};
    uint64_t size = 0, replaced = 0, kept = 0;
    for (size_t at = 0, before = 1; at < sizeof(text) && at != before;) {
      before = at;
      size_t n = utf8core_repair(&how, text, sizeof(text), &at, out, room);
      expect(n <= room, "stays within its room", text, sizeof(text));
      size += n;
      replaced += count_of('r', out, n);
      kept += count_of('a', out, n);
    }
    expect(replaced == 3 * (uint64_t)LARGE_SIZE, "replaces", text, sizeof(text));
    expect(kept == 197 && size == kept + replaced, "keeps", text, sizeof(text));
  }
  exact_free(out, room);
  exact_free(with, LARGE_SIZE);
}

/* ---- statements of the sources ------------------------------------------------------ */

static void expect_repaired(Utf8PolicyId policy, const uint8_t *text, size_t size,
                            const char *result) {
  how = (Utf8Repair){.policy = policy, .charset = how.charset};
  size_t n = repair_in(UTF8_REPAIR_ROOM(&how), text, size, got);
  expect(same(got, n, (const uint8_t *)result, strlen(result)), result, text, size);
}
#define REPAIR(policy, text, result)                                                   \
  expect_repaired(policy, (const uint8_t *)text, sizeof(text) - 1, result)
#define FFFD "\xEF\xBF\xBD"

static void c080_is_not_nul(void) {
  REPAIR(UTF8_POLICY_SUBPART, "\xC0\x80", FFFD FFFD);
  REPAIR(UTF8_POLICY_BYTE, "\xC0\x80", FFFD FFFD);
  REPAIR(UTF8_POLICY_RUN, "\xC0\x80", FFFD);
  REPAIR(UTF8_POLICY_SUBPART, "/\xC0\xAE./", "/" FFFD FFFD "./");
}
static void unicode_tables(void) {
  REPAIR(UTF8_POLICY_SUBPART, "\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41",
         FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A");
  REPAIR(UTF8_POLICY_SUBPART, "\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41",
         FFFD FFFD FFFD FFFD FFFD FFFD FFFD FFFD "A");
  REPAIR(UTF8_POLICY_SUBPART, "\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42",
         FFFD FFFD FFFD FFFD FFFD "A" FFFD FFFD "B");
  REPAIR(UTF8_POLICY_SUBPART, "\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41",
         FFFD FFFD FFFD FFFD "A");
}
static void byte_policy(void) {
  REPAIR(UTF8_POLICY_BYTE, "\xE2\x82\x41", FFFD FFFD "A");
  REPAIR(UTF8_POLICY_BYTE, "\xF0\x9F\x98\x41", FFFD FFFD FFFD "A");
}
static void latin1_every_byte(void) {
  how.charset = UTF8_CHARSET_LATIN1;
  for (unsigned b = 0x80; b <= 0xFF; b++) {
    uint8_t text[] = {'x', (uint8_t)b, 'y'};
    char result[] = {'x', (char)(0xC0 | b >> 6), (char)(0x80 | (b & 0x3F)), 'y', 0};
    expect_repaired(UTF8_POLICY_CHARSET, text, 3, result);
  }
  REPAIR(UTF8_POLICY_CHARSET, "\xC3\xA9\xE9", "\xC3\xA9\xC3\xA9");
}
static void windows1252_examples(void) {
  how.charset = UTF8_CHARSET_WINDOWS1252;
  REPAIR(UTF8_POLICY_CHARSET, "\x80", "\xE2\x82\xAC");
  REPAIR(UTF8_POLICY_CHARSET, "\x93q\x94", "\xE2\x80\x9Cq\xE2\x80\x9D");
  REPAIR(UTF8_POLICY_CHARSET, "caf\xE9", "caf\xC3\xA9");
  REPAIR(UTF8_POLICY_CHARSET, "\x81\x8D\x8F\x90\x9D",
         "\xC2\x81\xC2\x8D\xC2\x8F\xC2\x90\xC2\x9D");
}
static void trim_examples(void) {
  REPAIR(UTF8_POLICY_TRIM, "caf\xC3", "caf");
  REPAIR(UTF8_POLICY_TRIM, "\xF0\x9F\x98", "");
  REPAIR(UTF8_POLICY_TRIM, "a\xC3\xA9", "a\xC3\xA9");
  REPAIR(UTF8_POLICY_TRIM, "\xE2\xF0\x9F", FFFD);
  REPAIR(UTF8_POLICY_TRIM, "\xE2\x82x\xC3", FFFD "x");
  REPAIR(UTF8_POLICY_TRIM, "x\x80", "x" FFFD);
  REPAIR(UTF8_POLICY_TRIM, "x\xFF", "x" FFFD);
}
static void pairs_are_joined(void) {
  for (uint32_t c = 0x10000; c <= 0x10FFFF; c += (uint32_t)test_stride()) {
    uint8_t pair[6], result[UTF8_OCTETS_MAX + 1] = {0};
    expect(abnf_encode(ABNF_CESU8, c, pair) == 6, "a pair", pair, 6);
    utf8core_put(result, c);
    expect_repaired(UTF8_POLICY_CESU8, pair, 6, (const char *)result);
  }
}

static const Test tests[] = {
    {"repair: every string of up to 2 bytes, every policy", short_strings},
    {"repair: edges in 3 bytes, every policy", edges_of_three},
    {"repair: 4 to 6 bytes, every policy", few_of_four_to_six},
    {"repair: random texts, every policy", random_texts},
    {"repair: the smallest room and a little more, every policy", little_room},
    {"repair: a piece where the room ends, every policy",
     pieces_at_the_end_of_the_room},
    {"repair: calls that end within a run, every policy", calls_end_within_a_run},
    {"repair: a piece at every offset of a long text", kernels_repair_every_piece},
    {"repair: long random texts", kernels_repair_random_text},
    {"repair: text from UTF-16, every policy", text_from_utf16},
    {"repair: a replacement of 64 MiB", large_replacement},
    {"checklist-54 checklist-83 rfc3629-10 well-formed and at most 3n, every 3 bytes",
     every_three_bytes},
    {"checklist-75 checklist-76 rfc3629-10 C0 80 is no NUL, C0 AE no full stop",
     c080_is_not_nul},
    {"checklist-86 article policy byte", byte_policy},
    {"checklist-87 unicode tables 3-8 to 3-11", unicode_tables},
    {"checklist-90 checklist-94 article policy latin1, every byte", latin1_every_byte},
    {"checklist-91 article policy windows-1252", windows1252_examples},
    {"policy trim drops a sequence that the end of the text cuts off", trim_examples},
    {"policy cesu-8 joins every pair", pairs_are_joined}};

int main(void) {
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]));
}
