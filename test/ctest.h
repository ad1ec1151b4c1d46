/* ctest.h: the harness of the C tests: expectations, buffers, test texts, and main loop.
**
**     static void nul_is_valid(void) {
**       expect(abnf_valid((const uint8_t *)"", 1), "valid", (const uint8_t *)"", 1);
**     }
**     static const Test tests[] = {{"NUL is valid", nul_is_valid}};
**     int main(void) { return run_tests(tests, sizeof(tests) / sizeof(tests[0])); }
**
** Prints 'ok NAME' for each test that passes, 'not ok NAME: what: bytes' for the first
** failure of each other test, and 'N passed, N failed' as the last line. If a directory
** build/ exists, writes the names of the tests that passed to build/FILE.c.passed.
*/
#ifndef UTF8_CTEST_H
#define UTF8_CTEST_H

#include <stdio.h>
#include <stdlib.h>
#include "test/abnf.h"
#include "test/words.h"

typedef struct Test {
  const char *name;
  void (*run)(void);
} Test;

/* Defines a test that is one call. */
#define TEST_OF(name, call)                                                            \
  static void name(void) {                                                             \
    call;                                                                              \
  }

static const char *test_name; /* of the running test */
static unsigned long test_failures, test_expectations;

/* Counts one expectation, and one failure if holds is 0. Prints the first failure of a test,
** with the text. The test continues after a failure. */
static inline void expect(int holds, const char *what, const uint8_t *text,
                          size_t size) {
  test_expectations++;
  if (holds || test_failures++ > 0) return;
  printf("not ok %s: %s:", test_name, what);
  for (size_t i = 0; i < size; i++) printf(" %02X", text[i]);
  printf("\n");
}

/* Like expect(), for what has no text. */
static inline void expect_that(int holds, const char *what) {
  expect(holds, what, NULL, 0);
}

/* Counts a failure. Prints the first failure of a test, with both numbers and at most 24
** bytes of the text, from up to 8 bytes before offset `wanted`. */
static inline void fail(const char *what, const uint8_t *text, size_t size, size_t got,
                        size_t wanted) {
  if (test_failures++ > 0) return;
  size_t from = wanted > 8 && wanted <= size ? wanted - 8 : 0;
  printf("not ok %s: %s: got %zu, wanted %zu, size %zu, from %zu:", test_name, what,
         got, wanted, size, from);
  for (size_t i = from; i < size && i < from + 24; i++) printf(" %02X", text[i]);
  printf("\n");
}

/* Returns a buffer of exactly size bytes, so that a sanitizer detects every access outside
** of it. Free it with exact_free(). */
static inline uint8_t *exact(size_t size) {
  uint8_t *bytes = malloc(size ? size : 1);
  if (bytes == NULL) exit((puts("out of memory"), 2));
  return size ? bytes : bytes + 1;
}

static inline void exact_free(uint8_t *bytes, size_t size) {
  free(size ? bytes : bytes - 1);
}

/* Like exact(), but keeps the buffer until it is called again, since the next size is often the same. */
static inline uint8_t *exact_again(size_t size) {
  static uint8_t *last;
  static size_t last_size;
  if (last && size == last_size) return last;
  if (last) exact_free(last, last_size);
  return last = exact(last_size = size);
}

/* Calls visit with a copy of the text in a buffer of exactly its size. */
typedef void Visit(const uint8_t *text, size_t size);
static inline void with_copy(const uint8_t *text, size_t size, Visit *visit) {
  uint8_t *copy = exact(size);
  if (size) memcpy(copy, text, size);
  visit(copy, size);
  exact_free(copy, size);
}

/* Exhaustive tests run every test_stride()th case: every case, or every 17th if the
** environment variable CTEST_QUICK is set, for emulators. No size of an alphabet is a
** multiple of 17. */
static inline size_t test_stride(void) {
  static size_t stride;
  if (!stride) stride = getenv("CTEST_QUICK") ? 17 : 1;
  return stride;
}

/* Calls visit with every string of `size` bytes from an alphabet of `letters` bytes; with
** CTEST_QUICK, with a sample of the strings of two or more bytes. */
static inline void with_each(const uint8_t *alphabet, size_t letters, size_t size,
                             Visit *visit) {
  uint8_t *text = exact(size);
  size_t digit[8] = {0}, i, number = 0;
  for (i = 0; i < size; i++) text[i] = alphabet[0];
  do {
    if (size < 2 || number++ % test_stride() == 0) visit(text, size);
    for (i = 0; i < size; i++) {
      digit[i] = digit[i] + 1 < letters ? digit[i] + 1 : 0;
      text[i] = alphabet[digit[i]];
      if (digit[i]) break;
    }
  } while (i < size);
  exact_free(text, size);
}

/* Calls visit with every string of `size` bytes. */
static inline void with_each_byte_string(size_t size, Visit *visit) {
  uint8_t all[256];
  for (size_t i = 0; i < 256; i++) all[i] = (uint8_t)i;
  with_each(all, 256, size, visit);
}

/* The bytes on both sides of every limit of a byte range in the grammar of any dialect. */
static const uint8_t edges[] = {
    0x00, 0x01, 0x7F, 0x80, 0x81, 0x83, 0x84, 0x87, 0x88, 0x8F, 0x90, 0x9F, 0xA0,
    0xAF, 0xB0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
    0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF7, 0xF8, 0xF9, 0xFB, 0xFC, 0xFD, 0xFE, 0xFF};

/* Returns a number below n. The sequence is the same in every run and on every machine
** (Knuth's MMIX constants). */
static inline uint32_t random_below(uint32_t n) {
  static uint64_t state = 20031103; /* RFC 3629 was published in November 2003 */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)((state >> 33) % n);
}

static inline const char *random_word(const char *list, char word[WORD_MAX]) {
  return word_of(list, random_below(word_count(list)), word);
}

/* Longer texts are made of these pieces. The first PIECES_VALID are well-formed, the others
** are not. */
typedef struct Piece {
  const char *bytes;
  size_t size;
} Piece;
#define PIECE(literal)                                                                 \
  { literal, sizeof(literal) - 1 }
static const Piece pieces[] = {
    PIECE("a"),
    PIECE("The quick brown fox jumps over the lazy dog, 0123456789"),
    PIECE("\0"),
    PIECE("\x7F"),
    PIECE("\xC2\x80"),
    PIECE("\xC3\xA9\xC3\xA8"),
    PIECE("\xDF\xBF"),
    PIECE("\xE0\xA0\x80"),
    PIECE("\xE2\x82\xAC\xE6\x97\xA5"),
    PIECE("\xED\x9F\xBF\xEE\x80\x80"),
    PIECE("\xEF\xBB\xBF"),
    PIECE("\xEF\xBF\xBD\xEF\xBF\xBF"),
    PIECE("\xF0\x90\x80\x80"),
    PIECE("\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF"),
    PIECE("\x80"),
    PIECE("\xBF\xBF\xBF"),
    PIECE("\xC0\x80"),
    PIECE("\xC1\xBF"),
    PIECE("\xC0"),
    PIECE("\xC2"),
    PIECE("\xE2\x82"),
    PIECE("\xE2"),
    PIECE("\xE0\x9F\xBF"),
    PIECE("\xED"),
    PIECE("\xED\xA0"),
    PIECE("\xED\xB0"),
    PIECE("\xED\xA0\x80"),
    PIECE("\xED\xAF\xBF"),
    PIECE("\xED\xB0\x80"),
    PIECE("\xED\xA0\xBD\xED\xB8\x80"),
    PIECE("\xED\xAF\xBF\xED\xBF\xBF"),
    PIECE("\xF0\x9F\x98"),
    PIECE("\xF0\x8F\xBF\xBF"),
    PIECE("\xF4\x90\x80\x80"),
    PIECE("\xF5\x80\x80\x80"),
    PIECE("\xF8\x88\x80\x80\x80"),
    PIECE("\xF8\x87\xBF\xBF\xBF"),
    PIECE("\xFC\x84\x80\x80\x80\x80"),
    PIECE("\xFD\xBF\xBF\xBF\xBF"),
    PIECE("\xFE\xFF"),
    PIECE("\x80\x81\x93\x94\xE9\xA0\xFF")};
#undef PIECE
#define PIECES       (sizeof(pieces) / sizeof(pieces[0]))
#define PIECES_VALID 14

/* Appends a piece if there is room for it. Returns the new size. */
static inline size_t append(uint8_t *text, size_t size, size_t room,
                            const Piece *piece) {
  if (piece->size > room - size) return size;
  memcpy(text + size, piece->bytes, piece->size);
  return size + piece->size;
}

/* Fills text with a piece, as often as it fits. Returns the size. */
static inline size_t repeat_piece(uint8_t *text, size_t room, const Piece *piece) {
  size_t size = 0;
  while (piece->size <= room - size) size = append(text, size, room, piece);
  return size;
}

/* Puts a piece at an offset, after copies of a filler and before others, up to about `end`. The number of the filler is
** below PIECE_FILLERS. Returns the size. */
#define PIECE_FILLERS 3
static inline size_t piece_at(uint8_t *text, size_t room, size_t filler, size_t offset,
                              const Piece *piece, size_t end) {
  static const Piece fillers[] = {{"a", 1}, {"\xC3\xA9", 2}, {"\xE2\x82\xAC", 3}};
  size_t size = repeat_piece(text, offset, &fillers[filler]);
  while (size < offset) text[size++] = 'z';
  size = append(text, size, room, piece);
  while (size < end) size = append(text, size, room, &fillers[filler]);
  return size;
}

/* Fills text with random pieces, up to `room` bytes, and returns the size. On average, at
** least valid_of_ten of ten pieces are well-formed. */
static inline size_t random_text(uint8_t *text, size_t room, uint32_t valid_of_ten) {
  size_t size = 0;
  for (int tries = 0; size < room && tries < 2000; tries++) {
    uint32_t valid = random_below(10) < valid_of_ten;
    const Piece *piece = &pieces[random_below(valid ? PIECES_VALID : (uint32_t)PIECES)];
    size = append(text, size, room, piece);
  }
  return size;
}

/* Opens build/FILE.c.passed, where FILE.c is the main file of the program. Returns NULL with
** CTEST_QUICK: a sample does not prove a statement about every string. */
static inline FILE *open_passed(void) {
  if (test_stride() > 1) return NULL;
  const char *slash = strrchr(__BASE_FILE__, '/');
  char name[200];
  snprintf(name, sizeof(name), "build/%s.passed", slash ? slash + 1 : __BASE_FILE__);
  return fopen(name, "w");
}

static inline int run_test(const Test *test) {
  test_name = test->name;
  test_failures = test_expectations = 0;
  test->run();
  if (test_expectations == 0) expect(0, "nothing was tested", NULL, 0);
  if (test_failures == 0)
    printf("ok %s%s\n", test_name, test_stride() > 1 ? " (a sample)" : "");
  fflush(stdout);
  return test_failures == 0;
}

static unsigned tests_passed, tests_failed;

/* Runs the tests; if the environment variable CTEST_ONLY is set, only those whose names
** contain its value. Writes the names of the tests that passed to `names`, unless NULL. May
** be called several times before end_tests(). */
static inline void run_each(const Test *tests, size_t count, FILE *names) {
  const char *only = getenv("CTEST_ONLY");
  for (size_t i = 0; i < count; i++) {
    if (only && !strstr(tests[i].name, only)) continue;
    if (run_test(&tests[i])) {
      tests_passed++;
      if (names) fprintf(names, "%s\n", tests[i].name);
    } else {
      tests_failed++;
    }
  }
}

/* Prints the last line. Returns the program's exit status. */
static inline int end_tests(void) {
  printf("%u passed, %u failed\n", tests_passed, tests_failed);
  return tests_failed > 0;
}

/* Runs all tests of a program. Returns its exit status. */
static inline int run_tests(const Test *tests, size_t count) {
  FILE *names = open_passed();
  run_each(tests, count, names);
  if (names) fclose(names);
  return end_tests();
}

#endif
