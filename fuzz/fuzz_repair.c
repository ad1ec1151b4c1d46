/* fuzz_repair.c: compares utf8core_repair() with test/abnf.h, and checks that the result is
** well-formed and does not change when repaired again. See fuzz.h.
**
** a selects UTF8_FROM_UTF16 if the text can be from UTF-16, b the policy and the replacement,
** c the size of the output buffer.
*/
#include "fuzz/fuzz.h"

static const char *const replacements[] = {
    NULL, "", "?", "\xE2\x82\xAC", "a replacement of some length, \xF0\x9F\x98\x80"};
#define REPLACEMENTS    (sizeof replacements / sizeof replacements[0])
#define REPLACEMENT_MAX 40
#define OUT_MAX         ((size_t)FUZZ_TEXT_MAX * REPLACEMENT_MAX)

static Utf8Repair how;
static uint8_t expected[OUT_MAX], got[OUT_MAX], again[OUT_MAX];
static size_t expected_size;

static size_t repair(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                     size_t room) {
  return utf8core_repair(&how, text, size, at, out, room);
}

static void check(const FuzzInput *in) {
  const size_t room = fuzz_room(in, UTF8_REPAIR_ROOM(&how));
  size_t n = fuzz_calls(repair, in->text, in->size, room, got, OUT_MAX);
  HOLDS(n == expected_size && memcmp(got, expected, n) == 0);
  HOLDS(fuzz_calls(repair, got, n, room, again, OUT_MAX) == n);
  HOLDS(memcmp(again, got, n) == 0);
}

static void fuzz_input(const FuzzInput *in) {
  enum { POLICIES = UTF8_POLICY_CHARSET + 1 };
  const Utf8PolicyId policy = (Utf8PolicyId)(in->b % POLICIES);
  const char *replacement =
      policy <= UTF8_POLICY_TRIM ? replacements[in->b / POLICIES % REPLACEMENTS] : NULL;
  int from_utf16 = in->a % 2 && abnf_is_from_utf16(in->text, in->size);
  how.policy = policy;
  how.charset = in->a % 4 < 2 ? UTF8_CHARSET_LATIN1 : UTF8_CHARSET_WINDOWS1252;
  how.dialect = from_utf16 ? UTF8_FROM_UTF16 : UTF8_STRICT;
  how.replacement = (const uint8_t *)replacement;
  how.replacement_size = replacement ? strlen(replacement) : 0;
  expected_size = abnf_repair(&how, in->text, in->size, expected);
  HOLDS(abnf_valid(expected, expected_size));
  HOLDS(!abnf_valid(in->text, in->size) ||
        (expected_size == in->size && memcmp(expected, in->text, expected_size) == 0));
  fuzz_each_kernel(check, in);
}
