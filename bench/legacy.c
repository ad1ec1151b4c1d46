/* legacy.c: measures the legacy charsets on 1 MB of realistic text, next to encoding_rs and
** glibc's iconv. Prints a line for each figure (see bench_print()); rates are in bytes of input.
**
**     make -f bench/Makefile legacy          build/bench/legacy.tsv
**
** A candidate that lacks the charset, or writes other bytes than utf8ext, is not measured; its
** name is printed on standard error.
*/
#include "bench/bench.h"
#include "charset/legacy/legacy.h"
#include <iconv.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OUT_SIZE ((size_t)4 << 20)

/* encoding_rs: test/judges/legacy/src/convert.rs */
extern size_t encoding_rs_convert(const char *label, size_t label_size, bool encode,
                                  const uint8_t *in, size_t size, uint8_t *out,
                                  size_t room);

static uint8_t *out; /* OUT_SIZE bytes, to which every candidate writes */

typedef struct Conversion {
  const char *name;
  Utf8Charset charset;
  int encode;
  iconv_t iconv;
} Conversion;

/* ---- candidates ---------------------------------------------------------------------- */

static uint64_t coreConvert(const void *arg, const uint8_t *text, size_t size) {
  const Conversion *conversion = arg;
  unsigned state = 0;
  size_t at = 0, n = 0;
  while (at < size) {
    size_t before = at;
    n += conversion->encode
             ? utf8charset_encode_legacy(conversion->charset, &state, text, size, &at,
                                         out + n, OUT_SIZE - n)
             : utf8charset_decode_legacy(conversion->charset, &state, text, size, &at,
                                         out + n, OUT_SIZE - n);
    if (at == before) return 0;
  }
  return conversion->encode
             ? n + utf8charset_finish_legacy(conversion->charset, &state, out + n)
             : n;
}

static uint64_t encodingRsConvert(const void *arg, const uint8_t *text, size_t size) {
  const Conversion *conversion = arg;
  return encoding_rs_convert(conversion->name, strlen(conversion->name),
                             conversion->encode, text, size, out, OUT_SIZE);
}

static uint64_t iconvConvert(const void *arg, const uint8_t *text, size_t size) {
  const Conversion *conversion = arg;
  char *from = (char *)(uintptr_t)text, *to = (char *)out;
  size_t left = size, room = OUT_SIZE;
  if (conversion->iconv == (iconv_t)-1) return 0;
  iconv(conversion->iconv, NULL, NULL, NULL, NULL);
  if (iconv(conversion->iconv, &from, &left, &to, &room) == (size_t)-1) return 0;
  iconv(conversion->iconv, NULL, NULL, &to, &room);
  return OUT_SIZE - room;
}

/* ---- comparisons --------------------------------------------------------------------- */

/* Does the candidate write the expected bytes? If not, prints its name. */
static int agrees(const BenchCandidate *candidate, const uint8_t *text, size_t size,
                  const uint8_t *expected, size_t expected_size) {
  memset(out, 0, expected_size);
  uint64_t n = candidate->run(candidate->arg, text, size);
  int same = n == expected_size && memcmp(out, expected, expected_size) == 0;
  const Conversion *conversion = candidate->arg;
  if (!same) fprintf(stderr, "%s: not %s\n", conversion->name, candidate->name);
  return same;
}

/* Compares the candidates that agree. Returns their output, which the caller frees. */
static uint8_t *compareConversion(const Conversion *conversion, const char *corpus,
                                  const uint8_t *text, size_t size,
                                  size_t *expected_size) {
  BenchCandidate candidate[] = {{"utf8ext", coreConvert, conversion, 0},
                                {"encoding_rs", encodingRsConvert, conversion, 0},
                                {"iconv", iconvConvert, conversion, 0}};
  *expected_size = coreConvert(conversion, text, size);
  uint8_t *expected = malloc(*expected_size + 1);
  if (!expected || *expected_size == 0)
    bench_fail("no memory, or text that the charset lacks");
  memcpy(expected, out, *expected_size);
  size_t count = 1;
  for (size_t i = 1; i < 3; i++) {
    if (agrees(&candidate[i], text, size, expected, *expected_size))
      candidate[count++] = candidate[i];
  }
  bench_compare(candidate, count, bench_whole(text, size));
  char name[64];
  snprintf(name, sizeof name, "%s %s", conversion->encode ? "encode" : "decode",
           conversion->name);
  bench_print_rates(name, corpus, candidate, count, size);
  return expected;
}

static iconv_t openIconv(const char *name, int encode) {
  const char *theirs = strcmp(name, "windows-874") == 0 ? "cp874" : name;
  return encode ? iconv_open(theirs, "UTF-8") : iconv_open("UTF-8", theirs);
}

static void compareBothWays(const char *corpus, Conversion *conversion,
                            const uint8_t *text, size_t size) {
  size_t encoded_size, decoded_size;
  conversion->encode = 1;
  conversion->iconv = openIconv(conversion->name, 1);
  uint8_t *encoded = compareConversion(conversion, corpus, text, size, &encoded_size);
  conversion->encode = 0;
  conversion->iconv = openIconv(conversion->name, 0);
  uint8_t *decoded =
      compareConversion(conversion, corpus, encoded, encoded_size, &decoded_size);
  free(encoded);
  free(decoded);
}

/* ---- texts --------------------------------------------------------------------------- */

/* Compares on the file DIRECTORY/CORPUS-CHARSET.txt. */
static void compareFile(const char *path) {
  char name[64], corpus[64], charset[64];
  bench_name(path, name);
  if (sscanf(name, "%63[^-]-%63s", corpus, charset) != 2) bench_fail(path);
  size_t size = OUT_SIZE;
  uint8_t *text = bench_read(path, &size);
  Conversion conversion = {.name = charset,
                           .charset = utf8core_find_charset(charset, strlen(charset))};
  if (conversion.charset < 0) bench_fail(charset);
  compareBothWays(corpus, &conversion, text, size);
  free(text);
}

int main(int argc, char **argv) {
  bench_start();
  out = malloc(OUT_SIZE);
  if (!out) bench_fail("no memory");
  for (int i = 1; i < argc; i++) compareFile(argv[i]);
  return 0;
}
