/* suspect.c: measures the search for suspicious code points, with and without mojibake, next to
** validation, on one long value and on values of 60 bytes. Prints a line for each figure (see
** bench_print()).
**
**     make -f bench/Makefile suspect         build/bench/suspect.tsv
**
** The arguments are files of well-formed text in which nothing is suspicious
** (texts.py): the whole text is searched.
*/
#include "bench/bench.h"
#include "core/utf8core.h"
#include "mojibake/mojibake.h"
#include "suspect/suspect.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SIZE   ((size_t)1 << 20)
#define SHORT_VALUE 60

/* ---- candidates: each returns 1 if there is nothing to report --------------------------- */

static uint64_t runValid(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  return (uint64_t)utf8core_valid(text, size);
}

/* Searches for all code points, since NUL is not one of them. */
static uint64_t runCodePoints(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  return utf8suspect_find_kind(UTF8_SUSPECT_NUL, text, size, 0, size) == size;
}

static uint64_t runMojibake(const void *arg, const uint8_t *text, size_t size) {
  Utf8MojibakeFound found;
  size_t at = 0;
  (void)arg;
  return !utf8mojibake_find(NULL, text, size, &at, size, &found);
}

static uint64_t runSuspect(const void *arg, const uint8_t *text, size_t size) {
  Utf8SuspectFound found;
  size_t at = 0;
  (void)arg;
  return !utf8suspect_find(text, size, &at, size, &found);
}

/* utf8_suspect() without SQLite. */
static uint64_t runBoth(const void *arg, const uint8_t *text, size_t size) {
  return runValid(arg, text, size) && runSuspect(arg, text, size);
}

/* ---- texts -------------------------------------------------------------------------------- */

/* Reads the file, and checks that its first TEXT_SIZE bytes have nothing suspicious. */
static uint8_t *readText(const char *path, size_t *size) {
  *size = TEXT_SIZE;
  uint8_t *text = bench_read(path, size);
  *size = utf8core_boundary(text, *size, *size - UTF8_OCTETS_MAX, UTF8_STRICT);
  if (!runBoth(NULL, text, *size)) bench_fail("the text has something suspicious");
  return text;
}

static void measure(const char *corpus, BenchInput input) {
  BenchCandidate candidate[] = {{"valid", runValid, NULL, 0},
                                {"code points", runCodePoints, NULL, 0},
                                {"mojibake", runMojibake, NULL, 0},
                                {"suspect", runSuspect, NULL, 0},
                                {"valid and suspect", runBoth, NULL, 0}};
  const size_t count = sizeof candidate / sizeof *candidate;
  bench_compare(candidate, count, input);
  if (input.count == 1)
    bench_print_rates("suspect", corpus, candidate, count, input.size);
  else
    bench_print_times("suspect", corpus, SHORT_VALUE, candidate, count, input.count);
}

int main(int argc, char **argv) {
  bench_start();
  for (int i = 1; i < argc; i++) {
    size_t size;
    char corpus[64];
    uint8_t *text = readText(argv[i], &size);
    bench_name(argv[i], corpus);
    measure(corpus, bench_whole(text, size));
    BenchInput values = bench_split(text, size, SHORT_VALUE, SHORT_VALUE);
    measure(corpus, values);
    free((void *)(uintptr_t)values.offsets);
    free(text);
  }
  return 0;
}
