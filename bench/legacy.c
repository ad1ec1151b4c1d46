/* legacy.c: measures the legacy charsets on 1 MB of real-looking text, beside encoding_rs and
** glibc's iconv in the same races. Prints a line for each figure, as bench_print() says; rates
** are of the input's bytes.
**
**     make -f bench/Makefile legacy          build/bench/legacy.tsv
**
** The programs' output is compared first: an entrant that lacks the charset, or writes other
** bytes, does not race, and its name is printed on standard error.
*/
#include "bench.h"
#include "../utf8legacy.h"
#include <iconv.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM ((size_t)4 << 20)

/* encoding_rs: test/judges/legacy/src/racer.rs */
extern size_t racer_convert(const char *label, size_t label_size, bool encode,
                            const uint8_t *in, size_t size, uint8_t *out, size_t room);

static uint8_t *out;

typedef struct Work {
  const char *name;
  int charset;
  int encode;
  iconv_t iconv;
} Work;

/* ---- entrants ------------------------------------------------------------------------ */

static uint64_t ours(const void *arg, const uint8_t *text, size_t size) {
  const Work *work = arg;
  unsigned state = 0;
  size_t at = 0, n = 0;
  while (at < size) {
    size_t before = at;
    n += work->encode ? utf8legacy_encode(work->charset, &state, text, size, &at,
                                          out + n, ROOM - n)
                      : utf8legacy_decode(work->charset, &state, text, size, &at,
                                          out + n, ROOM - n);
    if (at == before) return 0;
  }
  return work->encode ? n + utf8legacy_finish(work->charset, &state, out + n) : n;
}

static uint64_t byEncodingRs(const void *arg, const uint8_t *text, size_t size) {
  const Work *work = arg;
  return racer_convert(work->name, strlen(work->name), work->encode, text, size, out,
                       ROOM);
}

static uint64_t byIconv(const void *arg, const uint8_t *text, size_t size) {
  const Work *work = arg;
  char *from = (char *)(uintptr_t)text, *to = (char *)out;
  size_t left = size, room = ROOM;
  if (work->iconv == (iconv_t)-1) return 0;
  iconv(work->iconv, NULL, NULL, NULL, NULL);
  if (iconv(work->iconv, &from, &left, &to, &room) == (size_t)-1) return 0;
  iconv(work->iconv, NULL, NULL, &to, &room);
  return ROOM - room;
}

/* ---- races --------------------------------------------------------------------------- */

/* Does the entrant write the same bytes as the first one? */
static int agrees(const BenchEntrant *entrant, const uint8_t *text, size_t size,
                  const uint8_t *due, size_t due_size) {
  memset(out, 0, due_size);
  uint64_t n = entrant->run(entrant->arg, text, size);
  int same = n == due_size && memcmp(out, due, due_size) == 0;
  const Work *work = entrant->arg;
  if (!same) fprintf(stderr, "%s: not %s\n", work->name, entrant->name);
  return same;
}

/* Races all entrants that agree. Returns what they write; free it. */
static uint8_t *race(const Work *work, const char *corpus, const uint8_t *text,
                     size_t size, size_t *due_size) {
  BenchEntrant entrant[] = {{"utf8ext", ours, work, 0},
                            {"encoding_rs", byEncodingRs, work, 0},
                            {"iconv", byIconv, work, 0}};
  *due_size = ours(work, text, size);
  uint8_t *due = malloc(*due_size + 1);
  if (!due || *due_size == 0) bench_fail("no memory, or text that the charset lacks");
  memcpy(due, out, *due_size);
  size_t count = 1;
  for (size_t i = 1; i < 3; i++) {
    int races = agrees(&entrant[i], text, size, due, *due_size);
    if (races) entrant[count++] = entrant[i];
  }
  bench_race(entrant, count, bench_whole(text, size));
  char name[64];
  snprintf(name, sizeof name, "%s %s", work->encode ? "encode" : "decode", work->name);
  bench_print_rates(name, corpus, entrant, count, size);
  return due;
}

static iconv_t openIconv(const char *name, int encode) {
  const char *theirs = strcmp(name, "windows-874") == 0 ? "cp874" : name;
  return encode ? iconv_open(theirs, "UTF-8") : iconv_open("UTF-8", theirs);
}

static void raceBoth(const char *corpus, Work *work, const uint8_t *text, size_t size) {
  size_t encoded_size, decoded_size;
  work->encode = 1;
  work->iconv = openIconv(work->name, 1);
  uint8_t *encoded = race(work, corpus, text, size, &encoded_size);
  work->encode = 0;
  work->iconv = openIconv(work->name, 0);
  uint8_t *decoded = race(work, corpus, encoded, encoded_size, &decoded_size);
  free(encoded);
  free(decoded);
}

/* ---- texts --------------------------------------------------------------------------- */

static int charsetOf(const char *name) {
#define NAME(id, name, aliases, kind, source) name,
  static const char *const names[] = {UTF8_CHARSET_LIST(NAME)};
  int i = 0;
  while (i < UTF8_LEGACY_CHARSETS && strcmp(names[i], name) != 0) i++;
  return i < UTF8_LEGACY_CHARSETS ? i : (bench_fail(name), 0);
}

static uint8_t *readFile(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  uint8_t *text = malloc(ROOM);
  if (!file || !text) bench_fail(path);
  *size = fread(text, 1, ROOM, file);
  fclose(file);
  return text;
}

/* Races on the file DIRECTORY/CORPUS-CHARSET.txt. */
static void raceFile(const char *path) {
  const char *slash = strrchr(path, '/');
  char corpus[64], charset[64];
  if (sscanf(slash ? slash + 1 : path, "%63[^-]-%63s", corpus, charset) != 2) {
    bench_fail(path);
  }
  charset[strlen(charset) - 4] = 0;
  size_t size;
  uint8_t *text = readFile(path, &size);
  Work work = {.name = charset, .charset = charsetOf(charset)};
  raceBoth(corpus, &work, text, size);
  free(text);
}

int main(int argc, char **argv) {
  bench_start();
  out = malloc(ROOM);
  if (!out) bench_fail("no memory");
  for (int i = 1; i < argc; i++) raceFile(argv[i]);
  return 0;
}
