/* longtest.c: the core on texts of 2^31 - 1 bytes and of more than 2^32, which SQLite does not hold.
**
**     build/longtest
**
** The texts take 64 MB of memory: their pages are those of one file, again and again. What a function
** must return follows from the number of patterns of 16 bytes.
*/
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "suspect/suspect.h"
#include "test/ctest.h"
#include "core/utf8core.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* 13 code points; 5 bytes above 7F */
static const char pattern[] = "abcdefgh \xC3\xA9 \xE2\x82\xAC\n";
enum { PATTERN = sizeof pattern - 1, CODE_POINTS = 13, ABOVE_7F = 5 };

#define BLOCK  ((size_t)1 << 26)
#define BLOCKS ((size_t)65) /* more than 2^32 bytes */
#define SHORT  (((size_t)1 << 31) - 1)
#define LONG   (((size_t)1 << 32) + PATTERN + 1)

/* bytes[0..LONG): patterns, with FF as the last byte of LONG */
static uint8_t *bytes;
static uint8_t out[1 << 20];

/* Returns 0 if the memory cannot be had. */
static int map_text(void) {
  FILE *file = tmpfile();
  const int fd = file ? fileno(file) : -1;
  bytes = mmap(NULL, BLOCKS * BLOCK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fd < 0 || bytes == MAP_FAILED || ftruncate(fd, (off_t)BLOCK)) return 0;
  for (size_t i = 0; i < BLOCKS; i++) {
    const int flags = (i + 1 < BLOCKS ? MAP_SHARED : MAP_PRIVATE) | MAP_FIXED;
    void *at = bytes + i * BLOCK;
    if (mmap(at, BLOCK, PROT_READ | PROT_WRITE, flags, fd, 0) == MAP_FAILED) return 0;
  }
  for (size_t i = 0; i < BLOCK; i += PATTERN) memcpy(bytes + i, pattern, PATTERN);
  bytes[LONG - 1] = 0xFF;
  return 1;
}

static void expect_number(uint64_t got, uint64_t wanted, const char *what) {
  if (got != wanted)
    printf("%s: %llu, not %llu\n", what, (unsigned long long)got,
           (unsigned long long)wanted);
  expect(got == wanted, what, (const uint8_t *)"", 0);
}

static void error_is_found(void) {
  expect_number(utf8core_find_error(bytes, LONG, 0, LONG, UTF8_STRICT).offset, LONG - 1,
                "the last byte");
  expect_number(utf8core_find_error(bytes, SHORT, 0, SHORT, UTF8_STRICT).offset, SHORT,
                "no error");
  expect_number(utf8core_find_error(bytes, LONG, 0, LONG, UTF8_PAIRS).offset, LONG - 1,
                "the last byte in CESU-8");
  expect_number((uint64_t)utf8core_valid(bytes, SHORT), 1, "valid");
  expect_number((uint64_t)utf8core_valid(bytes, LONG), 0, "not valid");
}

static void code_points_are_counted(void) {
  size_t at = 0;
  expect_number(utf8core_count(bytes, SHORT, &at, SHORT, UTF8_STRICT),
                (SHORT + 1) / PATTERN * CODE_POINTS - 1, "2^31 - 1 bytes");
  at = 0;
  expect_number(utf8core_count(bytes, LONG, &at, LONG, UTF8_STRICT),
                LONG / PATTERN * CODE_POINTS + 1, "over 2^32 bytes");
  expect_number(at, LONG, "the end");
  expect_number(utf8core_boundary(bytes, LONG, LONG - 4, UTF8_STRICT), LONG - 5,
                "a boundary");
}

static void errors_are_repaired(void) {
  const Utf8Repair how = {.policy = UTF8_POLICY_SUBPART};
  uint64_t size = 0;
  for (size_t at = 0; at < LONG;)
    size += utf8core_repair(&how, bytes, LONG, &at, out, sizeof out);
  expect_number(size, LONG + 2, "U+FFFD for FF");
}

static uint64_t converted(Utf8Charset charset, int decodes, size_t size) {
  Utf8Conversion c = {.charset = charset};
  uint64_t used = 0;
  do {
    used += decodes ? utf8core_decode(&c, bytes, size, out, sizeof out)
                    : utf8core_encode(&c, bytes, size, out, sizeof out);
  } while (c.at < size);
  return used;
}

static void text_is_converted(void) {
  const uint64_t patterns = LONG / PATTERN;
  expect_number(converted(utf8core_find_charset("latin1", 6), 1, LONG),
                LONG + patterns * ABOVE_7F + 1, "from latin1");
  expect_number(converted(UTF8_CHARSET_UTF16LE, 0, LONG),
                2 * (patterns * CODE_POINTS + 1), "to UTF-16");
  expect_number(converted(UTF8_CHARSET_UTF32BE, 0, SHORT),
                4 * ((SHORT + 1) / PATTERN * CODE_POINTS - 1), "to UTF-32");
}

static void text_is_normalized(void) {
  size_t at = 0;
  while (at < LONG && utf8core_is_normalized(UTF8_NFC, bytes, LONG, &at, LONG)) {
  }
  expect_number(at, LONG, "the end");
  expect_number(utf8core_find_unfolded(bytes, LONG, 0, LONG), LONG, "nothing to fold");
  uint64_t size = 0;
  for (at = 0; at < SHORT;)
    size += utf8core_normalize(UTF8_NFD, bytes, SHORT, &at, out, sizeof out);
  expect_number(size, SHORT + (SHORT + 1) / PATTERN, "a mark for each letter");
}

static void nothing_is_suspicious(void) {
  Utf8SuspectFound found;
  size_t at = 0;
  expect_number((uint64_t)utf8suspect_find(bytes, LONG - 1, &at, LONG - 1, &found), 0,
                "nothing is found");
  expect_number((uint64_t)utf8core_detect(bytes, SHORT), UTF8_CHARSET_UTF8,
                "the charset");
}

static const Test tests[] = {
    {"the error at the end of a long text is found", error_is_found},
    {"the code points of a long text are counted", code_points_are_counted},
    {"the error at the end of a long text is repaired", errors_are_repaired},
    {"long text is converted", text_is_converted},
    {"long text is normalized", text_is_normalized},
    {"nothing is suspicious in long text", nothing_is_suspicious},
};

int main(void) {
  if (sizeof(size_t) == 4 || !map_text()) {
    printf("SKIPPED: text of 2^32 bytes: it does not fit into the address space\n");
    printf("0 passed, 0 failed\n");
    return 0;
  }
  return run_tests(tests, sizeof tests / sizeof tests[0]);
}
