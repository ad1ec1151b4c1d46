/* kerneltest.c: compares every kernel that this processor runs with the decoder step.
**
**     build/kerneltest            about a minute
**     build/kerneltest list       prints the names of the kernels, best first
**     build/kerneltest quick      runs less, for emulators; quick avx2: that kernel only
**
** build/exhaustivetest runs all strings of four bytes. The step (utf8core_step) is the definition: from it follow the offset of the first error,
** the count and the repaired text. Texts lie between two pages that cannot be read, next to
** either of them, so an over-read crashes.
*/
#define _DEFAULT_SOURCE
#include "core/simd/kernel.h"
#include "core/simd/dfa.h"
#include "test/abnf.h"
#include "test/ctest.h"
#include "test/pages.h"
#include "test/pairs.h"
#include "test/codeset.h"
#ifdef _WIN32
#include <windows.h>
#else
#include <sys/mman.h>
#endif

static int quick;
static const Utf8Kernel *kernel; /* under test */

/* ---- memory ------------------------------------------------------------------------- */

enum { PAGE = 4096, ROOM = 4 * PAGE };
static uint8_t *fenced; /* ROOM bytes between two pages that cannot be read */

/* Returns size bytes of zeroed pages, or NULL. An access to the first or the last page crashes. */
#ifdef _WIN32
static uint8_t *fenced_pages(size_t size) {
  DWORD before;
  uint8_t *pages = VirtualAlloc(NULL, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (pages == NULL) return NULL;
  VirtualProtect(pages, PAGE, PAGE_NOACCESS, &before);
  VirtualProtect(pages + size - PAGE, PAGE, PAGE_NOACCESS, &before);
  return pages;
}
#else
static uint8_t *fenced_pages(size_t size) {
  uint8_t *pages =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return NULL;
  mprotect(pages, PAGE, PROT_NONE);
  mprotect(pages + size - PAGE, PAGE, PROT_NONE);
  return pages;
}
#endif

static void fence(void) {
  uint8_t *pages = fenced_pages(ROOM + 2 * PAGE);
  if (pages == NULL) exit((puts("no memory\n0 passed, 1 failed"), 1));
  fenced = pages + PAGE;
}

/* ---- results by the step ------------------------------------------------------------ */

enum { LONGEST = 3 * PAGE };

typedef struct Expected {
  size_t first;              /* offset of the first error, or size */
  size_t count[LONGEST + 1]; /* at each boundary: number of steps before it */
  size_t repaired[LONGEST +
                  1]; /* at each boundary: bytes of the repaired text before it */
  uint8_t boundary[LONGEST + 1]; /* is this offset a boundary? */
  uint8_t kept[LONGEST];         /* is this byte part of a well-formed sequence? */
  size_t truncated;              /* offset of an unfinished last sequence, or size */
  uint8_t text[3 * LONGEST];     /* repaired */
} Expected;

static Expected expected;

static void find_expected(const uint8_t *text, size_t size) {
  Expected *t = &expected;
  size_t at = 0, steps = 0, written = 0;
  test_expectations++;
  t->first = t->truncated = size;
  memset(t->boundary, 0, size + 1);
  while (at < size) {
    Utf8Step s = utf8core_step(text, size, at, UTF8_STRICT);
    t->boundary[at] = 1, t->count[at] = steps, t->repaired[at] = written;
    if (s.error && t->first == size) t->first = at;
    if (s.error == UTF8_TRUNCATED) t->truncated = at;
    memset(t->kept + at, !s.error, s.length);
    memcpy(t->text + written, s.error ? (const uint8_t *)"\xEF\xBF\xBD" : text + at,
           s.error ? 3 : s.length);
    written += s.error ? 3 : s.length;
    at += s.length, steps++;
  }
  t->boundary[size] = 1, t->count[size] = steps, t->repaired[size] = written;
}

/* ---- comparisons -------------------------------------------------------------------- */

/* Checks that a function may stop at offset got. */
static void compare_stop(const char *what, const uint8_t *text, size_t size,
                         size_t got) {
  const size_t first = expected.first;
  int is_allowed = got <= first && expected.boundary[got] &&
                   (first == size ? got == size : first - got <= UTF8_KERNEL_LAG);
  if (!is_allowed) fail(what, text, size, got, first);
}

static void compare_repair(const uint8_t *text, size_t size) {
  static uint8_t out[3 * LONGEST + 64 + 64];
  size_t room = 3 * size + 64, written = 0;
  memset(out, 0x55, room + 64);
  size_t got = kernel->repair(text, size, out, &written);
  if (got != expected.truncated)
    fail("repair", text, size, got, expected.truncated);
  else if (written != expected.repaired[got])
    fail("repair's size", text, size, written, expected.repaired[got]);
  else if (memcmp(out, expected.text, written) != 0)
    fail("repair's text", text, size, got, expected.truncated);
  for (size_t i = room; i < room + 64; i++)
    if (out[i] != 0x55) {
      fail("repair writes out of bounds", text, size, i, room);
      break;
    }
}

/* Compares the classes of the 64 bytes at the boundary `at`. */
static void compare_classify(const uint8_t *text, size_t size, size_t at) {
  uint64_t kept = 0, expected_kept = 0, starts = 0, expected_starts = 0;
  unsigned classified = kernel->classify_block(text + at, &kept, &starts);
  if (classified < 61 || classified > 64 || !expected.boundary[at + classified])
    fail("classify_block", text, size, at + classified, at + 64);
  for (unsigned i = 0; i < classified && i < 64; i++) {
    expected_kept |= (uint64_t)expected.kept[at + i] << i;
    expected_starts |= (uint64_t)expected.boundary[at + i] << i;
  }
  if (starts != expected_starts)
    fail("classify_block's starts", text, size, (size_t)starts,
         (size_t)expected_starts);
  if (kept != expected_kept)
    fail("classify_block's kept", text, size, (size_t)kept, (size_t)expected_kept);
}

/* Compares every function of the kernel with the step, on text[0..size) in fenced memory. */
static void compare(const uint8_t *text, size_t size) {
  size_t count = 0;
  find_expected(text, size);
  compare_stop("valid", text, size, kernel->valid(text, size));
  size_t counted = kernel->count(text, size, &count);
  compare_stop("count", text, size, counted);
  if (counted <= size && expected.boundary[counted] && count != expected.count[counted])
    fail("count's code points", text, size, count, expected.count[counted]);
  compare_repair(text, size);
  compare_outside(kernel, text, expected.first, size);
  compare_pairs(kernel, text, expected.first);
  if (size < 64) return;
  compare_classify(text, size, 0);
  if (expected.boundary[size - 64]) compare_classify(text, size, size - 64);
}

static void compare_fenced(const uint8_t *text, size_t size) {
  uint8_t *last = fenced + ROOM - size;
  if (size > 0) memcpy(fenced, text, size);
  compare(fenced, size);
  if (size > 0) memmove(last, text, size);
  compare(last, size);
}

/* ---- texts -------------------------------------------------------------------------- */

/* The bytes on both sides of each limit of a range in the grammar. */
static const uint8_t limits[] = {0x00, 0x01, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0,
                                 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED,
                                 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xF8, 0xFF};
enum { LIMITS = sizeof limits };

static const char patterns[] =
    "\xC3\xA9|\xE2\x82\xAC|\xF0\x9F\x98\x80|\xEE\x80\x80|\xED\x9F\xBF|\xE0\xA0\x80|"
    "\xF4\x8F\xBF\xBF|\xF0\x90\x80\x80|\x80|\xBF\xBF|\xC3|\xC3\xC3\xA9|\xE2\x82|\xE2|"
    "\xE2\x82\xE2\x82|\xF0\x9F\x98|\xF0\x9F|\xF0|\xC0\x80|\xC1\xBF|\xE0\x80\x80|"
    "\xE0\x9F\xBF|\xED\xA0\x80|\xED\xA0\xBD\xED\xB8\x80|\xED\xBF\xBF|\xF0\x80\x80\x80|"
    "\xF0\x8F\xBF\xBF|\xF4\x90\x80\x80|\xF5\x80\x80\x80|\xF8\x88\x80\x80|\xFC|\xFE|"
    "\xFF\xFF|\xC3\xA9\xA9|\xE2\x82\xAC\x80|\xF0\x9F\x98\x80\x80";

static const char *const fillers[] = {"a", "\xC3\xA9", "\xE2\x82\xAC",
                                      "\xF0\x9F\x98\x80"};
enum { FILLERS = sizeof fillers / sizeof fillers[0] };

/* Fills text[0..size) with whole fillers, and its end with ASCII. */
static void fill(uint8_t *text, size_t size, const char *filler) {
  size_t width = strlen(filler), at = 0;
  for (; size - at >= width; at += width) memcpy(text + at, filler, width);
  memset(text + at, 'x', size - at);
}

static void fill_mixed(uint8_t *text, size_t size) {
  size_t at = 0;
  while (at < size) {
    uint8_t octets[UTF8_OCTETS_MAX];
    static const uint32_t starts[] = {0x20, 0x80, 0x800, 0xE000, 0x10000};
    static const uint32_t ends[] = {0x7F, 0x800, 0xD800, 0x10000, 0x110000};
    uint32_t kind = random_below(5);
    size_t width =
        utf8core_put(octets, starts[kind] + random_below(ends[kind] - starts[kind]));
    if (width > size - at) octets[0] = 'x', width = 1;
    memcpy(text + at, octets, width);
    at += width;
  }
}

/* ---- the tests ---------------------------------------------------------------------- */

static void test_lengths(void) {
  static uint8_t text[512];
  for (size_t size = 0; size <= 300; size++) {
    fill_mixed(text, sizeof text);
    compare_fenced(text, size); /* usually ends in an unfinished sequence */
    for (size_t align = quick ? 60 : 0; align < 64; align++) {
      memcpy(fenced + align, text, size);
      compare(fenced + align, size);
    }
  }
}

static void test_patterns(void) {
  uint8_t text[640];
  char word[WORD_MAX];
  for (uint32_t p = 0; word_of(patterns, p, word); p++)
    for (size_t f = 0; f < FILLERS; f++) {
      size_t width = strlen(word), step = quick ? 7 : 1;
      for (size_t at = 0; at < 600; at += step) {
        size_t size = at + width + at * 7 % 31;
        fill(text, at, fillers[f]);
        memcpy(text + at, word, width);
        fill(text + at + width, size - at - width, fillers[f]);
        memcpy(fenced + ROOM - size, text, size);
        compare(fenced + ROOM - size, size);
      }
    }
}

static void test_mutations(void) {
  static uint8_t text[LONGEST];
  for (int i = 0; i < (quick ? 300 : 30000); i++) {
    size_t size = i % 16 ? random_below(700) : random_below(LONGEST);
    fill_mixed(text, size);
    for (uint32_t n = random_below(6); n-- > 0 && size > 0;)
      text[random_below((uint32_t)size)] = limits[random_below(LIMITS)];
    compare_fenced(text, size);
  }
}

static void test_random(void) {
  static uint8_t text[400];
  for (int i = 0; i < (quick ? 300 : 30000); i++) {
    size_t size = random_below(400);
    for (size_t j = 0; j < size; j++) text[j] = limits[random_below(LIMITS)];
    compare_fenced(text, size);
  }
}

TEST_OF(test_pairs, compare_random_pairs(kernel, quick ? 20 : 1000))
TEST_OF(test_pages, compare_random_pages(kernel, quick ? 2000 : 100000))

static void test_one_error(void) {
  for (size_t f = 0; f < FILLERS; f++) {
    uint8_t *text = fenced + ROOM - LONGEST;
    fill(text, LONGEST, fillers[f]);
    for (size_t at = PAGE; at < 2 * PAGE; at += quick ? 97 : 1) {
      uint8_t kept = text[at];
      text[at] = 0xFF;
      size_t first = at - at % strlen(fillers[f]), got = kernel->valid(text, LONGEST);
      if (got > first || first - got > UTF8_KERNEL_LAG)
        fail("valid", text, LONGEST, got, first);
      if (f == 0 || at % 16 == 0) compare(text, LONGEST);
      text[at] = kept;
    }
  }
}

static void test_late(void) {
  size_t size = quick ? (size_t)1 << 20 : (size_t)64 << 20;
  uint8_t *text = exact(size), *out = exact(3 * size + 64);
  for (size_t f = 0; f < FILLERS; f++) {
    size_t at = size - 1000 - f, count = 0, written = 0;
    test_expectations++;
    fill(text, size, fillers[f]);
    size_t got = kernel->valid(text, size);
    if (got != size) fail("valid", text, size, got, size);
    size_t first = at - at % strlen(fillers[f]);
    text[at] = 0xFF;
    got = kernel->count(text, size, &count);
    if (got > first || first - got > UTF8_KERNEL_LAG)
      fail("count", text, size, got, first);
    if (count != got / strlen(fillers[f]))
      fail("count's code points", text, size, count, got / strlen(fillers[f]));
    got = kernel->repair(text, size, out, &written);
    if (got != size || memcmp(text, out, first) != 0 ||
        memcmp(text + size - 900, out + written - 900, 900) != 0)
      fail("repair", text, size, got, size);
  }
  exact_free(text, size);
  exact_free(out, 3 * size + 64);
}

/* Encodes ASCII as Latin-1 into each room, and with a lead byte alone at each place. */
static void test_latin1(void) {
  enum { SIZE = 200 };
  const Utf8Converters *c = kernel->converters;
  Utf8Convert *const encode = c->encode[UTF8_CONVERTER_LATIN1];
  Utf8Convert *const checked = c->checked[UTF8_CONVERTER_LATIN1];
  uint8_t *text = exact(SIZE);
  for (size_t place = 0; place <= SIZE; place++) {
    uint8_t *out = exact(place);
    size_t at = 0;
    test_expectations++;
    memset(text, 'a', SIZE);
    size_t n = encode(text, SIZE, &at, out, place);
    if (n > place || n != at || memcmp(out, text, n) != 0)
      fail("encode", text, SIZE, n, at);
    exact_free(out, place);
    if (!checked || place == SIZE) continue;
    uint8_t converted[SIZE];
    at = 0, text[place] = 0xC3;
    n = checked(text, SIZE, &at, converted, SIZE);
    if (at > place || n != at || memcmp(converted, text, n) != 0)
      fail("checked", text, SIZE, at, place);
  }
  exact_free(text, SIZE);
}

/* ---- all strings -------------------------------------------------------------------- */

/* The places of the strings in a text of ASCII: at its start, at its end, and across the edges
** of vectors, blocks and groups of blocks. */
static const struct {
  size_t at, size;
} places[] = {{0, 4},   {14, 18},  {30, 40},  {29, 33},   {60, 64},
              {61, 70}, {63, 128}, {95, 100}, {287, 400}, {318, 700}};
enum { PLACES = sizeof places / sizeof places[0] };

/* Compares valid() on the n bytes of string, padded with A to four, at one place. */
static void try_string(const uint8_t *string, size_t n, size_t place) {
  size_t at = places[place].at, size = places[place].size;
  uint8_t *text = fenced + ROOM - size;
  uint8_t padded[4] = {'A', 'A', 'A', 'A'};
  test_expectations++;
  memcpy(padded, string, n);
  size_t first = 0;
  int truncates = at + 4 == size;
  while (first < 4) {
    Utf8Step s = utf8core_step(padded, 4, first, UTF8_STRICT);
    if (s.error == UTF8_TRUNCATED && !truncates) s.error = UTF8_INCOMPLETE;
    if (s.error) break;
    first += s.length;
  }
  memcpy(text + at, padded, 4);
  first = first == 4 ? size : at + first;
  size_t got = kernel->valid(text, size);
  if (got > first || (first == size && got < size))
    fail("valid", text, size, got, first);
  memset(text + at, 'A', 4);
}

static void try_strings(size_t n, uint32_t from, uint32_t to, size_t place) {
  memset(fenced, 'A', ROOM);
  for (uint32_t i = from; i < to; i++) {
    uint8_t string[4] = {(uint8_t)(i >> 24), (uint8_t)(i >> 16), (uint8_t)(i >> 8),
                         (uint8_t)i};
    try_string(string + 4 - n, n, place);
  }
}

static void test_strings(void) {
  for (size_t place = 0; place < PLACES; place++) {
    try_strings(1, 0, 0x100, place);
    try_strings(2, 0, 0x10000, place);
    if (!quick && place % 3 == 2) try_strings(3, 0, 0x1000000, place);
  }
}

static void test_strings_of_four(void) {
  for (uint32_t i = 0; i < 256 * LIMITS * LIMITS * LIMITS; i += quick ? 101 : 1) {
    uint8_t string[4] = {(uint8_t)i, limits[(i >> 8) % LIMITS],
                         limits[(i >> 8) / LIMITS % LIMITS],
                         limits[(i >> 8) / LIMITS / LIMITS]};
    try_string(string, 4, i % PLACES);
  }
}

static void test_repair_of_all(void) {
  enum { STRIDE = 5, AT_ONCE = LONGEST / STRIDE };
  uint8_t *text = fenced + ROOM - AT_ONCE * STRIDE;
  uint32_t all = quick ? 0x10000 : 0x1000000;
  for (uint32_t i = 0; i < all;) {
    for (size_t j = 0; j < AT_ONCE; j++, i++) {
      uint8_t string[STRIDE] = {(uint8_t)(i >> 16), (uint8_t)(i >> 8), (uint8_t)i,
                                limits[i * 7 % LIMITS], 'A'};
      memcpy(text + j * STRIDE, string, STRIDE);
    }
    find_expected(text, AT_ONCE * STRIDE);
    compare_repair(text, AT_ONCE * STRIDE);
  }
}

/* ---- surrogates, in every dialect ---------------------------------------------------- */

enum { SURROGATES_MAX = 5, OFFSET_LAST = 260 };

/* Compares the core under this kernel with the step, on the steps that start in
** text[0..until): the offset of the first error, the count, and the boundaries near `at`. */
static void compare_core(const uint8_t *text, size_t size, size_t until, size_t at,
                         unsigned dialect) {
  size_t p = 0, prefix = size + 1, steps = 0, before = 0, end = 0;
  test_expectations++;
  for (; p < until; steps++) {
    Utf8Step s = utf8core_step(text, size, p, dialect);
    if (s.error && prefix > size) prefix = p;
    for (size_t limit = p; limit < p + s.length; limit++) {
      if (limit + 1 < at || limit >= at + 6 * SURROGATES_MAX) continue;
      before = utf8core_boundary(text, size, limit, dialect);
      if (before != p) fail("boundary", text, size, before, p);
    }
    p += s.length;
  }
  if (prefix > size) prefix = p;
  size_t got = utf8core_find_error(text, size, 0, until, dialect).offset;
  if (got != prefix) fail("find_error", text, size, got, prefix);
  got = (size_t)utf8core_count(text, size, &end, until, dialect);
  if (got != steps || end != p) fail("count in a dialect", text, size, got, steps);
}

/* Writes string number i of `count` items: high surrogate, low surrogate, letter. */
static size_t put_surrogates(uint8_t *text, uint32_t i, size_t count) {
  static const char *const items[] = {"\xED\xA0\x80", "\xED\xB0\x80", "b"};
  size_t size = 0;
  for (; count > 0; count--, i /= 3) {
    size_t length = strlen(items[i % 3]);
    memcpy(text + size, items[i % 3], length);
    size += length;
  }
  return size;
}

/* Compares on all strings of up to five items at one offset, followed by `after` bytes of
** filler. */
static void try_surrogates(const char *filler, size_t at, size_t after) {
  static uint8_t text[OFFSET_LAST + 3 * SURROGATES_MAX + 128];
  fill(text, at, filler);
  for (uint32_t count = 1, all = 3; count <= SURROGATES_MAX; count++, all *= 3) {
    for (uint32_t i = 0; i < all; i++) {
      size_t size = at + put_surrogates(text + at, i, count), end = size + after;
      fill(text + size, after, filler);
      uint8_t *last = fenced + ROOM - end;
      memcpy(last, text, end);
      size_t dialects = abnf_is_from_utf16(last, end) ? ABNF_DIALECTS : 6;
      for (size_t d = 0; d < dialects; d++) {
        compare_core(last, end, end, at, abnf_dialects[d].flags);
        compare_core(last, end, size - 1, at, abnf_dialects[d].flags);
      }
    }
  }
}

/* Quick mode tries the first edge of a block; normal mode tries two edges, and that of 256
** bytes. */
static int is_tried(size_t at) {
  if (quick) return at >= 44 && at <= 66;
  return at <= 140 || (at >= 238 && at <= 260);
}

static void test_surrogates(void) {
  const Utf8Kernel *chosen = atomic_load(&utf8simd_chosen);
  atomic_store(&utf8simd_chosen, kernel);
  for (size_t f = 0; f < 3; f += 2) {
    for (size_t at = 0; at <= OFFSET_LAST; at++) {
      if (!is_tried(at)) continue;
      try_surrogates(fillers[f], at, 1);
      try_surrogates(fillers[f], at, 100);
    }
  }
  atomic_store(&utf8simd_chosen, chosen);
}

/* ---- the table of the scalar kernel ------------------------------------------------- */

/* Compares the state machine with the step on every string of up to three bytes, and of three
** bytes and 80. */
static void test_table(void) {
  size_t wrong = 0;
  test_expectations++;
  for (uint32_t i = 0; i < 0x1000000; i++) {
    uint8_t s[4] = {(uint8_t)(i >> 16), (uint8_t)(i >> 8), (uint8_t)i, 0x80};
    for (size_t n = 1; n <= 4; n++) {
      Utf8Step step = utf8core_step(s, n, 0, UTF8_STRICT);
      uint64_t state = dfa_run(DFA_START, s, n);
      if (!step.error && step.length == n)
        wrong += state != DFA_START;
      else if (step.error == UTF8_TRUNCATED)
        wrong += state == DFA_START || state == DFA_BROKEN;
      else if (step.error)
        wrong += state != DFA_BROKEN;
    }
  }
  if (wrong > 0) fail("wrong states", NULL, 0, wrong, 0);
}

/* ---- the tests of a kernel ----------------------------------------------------------- */

static const Test parts[] = {
    {"every length to 300, at every alignment to 63", test_lengths},
    {"each pattern at every offset, among sequences of each length", test_patterns},
    {"mutations of mixed text", test_mutations},
    {"random strings of the limits of ranges", test_random},
    {"random texts of pairs", test_pairs},
    {"random texts in charsets of a byte", test_pages},
    {"one error at every position of 4 KB", test_one_error},
    {"a late error in 64 MB", test_late},
    {"Latin-1 of ASCII into each room, and up to a lead byte at each place",
     test_latin1},
    {"all strings of one and two bytes, and of three at every third place",
     test_strings},
    {"strings of four bytes, three of them limits of ranges", test_strings_of_four},
    {"repair of all strings of three bytes", test_repair_of_all},
    {"up to five surrogates at offsets to 140 and 238 to 260, in every dialect",
     test_surrogates},
};
enum { PARTS = sizeof parts / sizeof parts[0] };

static void run_part(const Test *part) {
  char name[160];
  const char *sample = quick ? " (a sample)" : "";
  snprintf(name, sizeof name, "%s: %s%s", kernel->name, part->name, sample);
  run_each(&(Test){name, part->run}, 1, NULL);
}

static void print_kernels(const Utf8Kernel *const *all) {
  printf("kernels:");
  for (; *all; all++) printf(" %s", (*all)->name);
  printf("\n");
}

int main(int argc, char **argv) {
  const Utf8Kernel *const *all = utf8simd_kernels();
  const char *mode = argc > 1 ? argv[1] : "";
  quick = strcmp(mode, "quick") == 0;
  print_kernels(all);
  if (strcmp(mode, "list") == 0) return 0;
  fence();
  for (; *all; all++) {
    kernel = *all;
    if (argc > 2 && strcmp(argv[2], kernel->name) != 0) continue;
    for (size_t part = 0; part < PARTS; part++) run_part(&parts[part]);
    if (strcmp(kernel->name, "scalar") == 0)
      run_each(&(Test){"scalar: the state table has the step's grammar", test_table}, 1,
               NULL);
  }
  return end_tests();
}
