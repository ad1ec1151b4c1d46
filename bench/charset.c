/* charset.c: measures conversion between UTF-8 and other charsets, next to glibc's iconv and,
** with -DWITH_PEERS, ICU and simdutf. Also measures, alone, detection, validation of the
** dialects of UTF-8 and the policies of repair. Prints a line for each figure (see
** bench_print()); rates are in bytes of input.
**
**     make -f bench/Makefile charset          build/bench/charset.tsv
**     make -f bench/Makefile charset-peers    build/bench/charset-peers.tsv
**
** The input is 1 MB of well-formed text. Every candidate checks its input: iconv and ICU in
** the call that converts, simdutf by its functions that check. ICU converts between UTF-8 and
** Latin-1 through UTF-16, as its converters do. If candidates write different bytes, the
** program ends with a message.
*/
#include "bench/bench.h"
#include "core/utf8core.h"
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_PEERS
#include <unicode/ucnv.h>
#include <unicode/ustring.h>
#endif

#define SIZE     ((size_t)1 << 20)
#define OUT_SIZE (5 * SIZE)

uint8_t *charset_out; /* OUT_SIZE bytes, to which every candidate writes */

/* ---- candidates ------------------------------------------------------------------------ */

typedef struct Conversion {
  Utf8Charset charset;
  int encode;             /* to the charset; otherwise from it */
  const char *peers_name; /* of the charset in iconv and ICU; NULL if they lack it */
  iconv_t iconv;
#ifdef WITH_PEERS
  UConverter *icu;
#endif
} Conversion;

static uint64_t coreConvert(const void *arg, const uint8_t *text, size_t size) {
  const Conversion *conversion = arg;
  Utf8Conversion c = {.charset = conversion->charset};
  size_t n = 0;
  while (c.at < size) {
    size_t room = OUT_SIZE - n;
    n += conversion->encode ? utf8core_encode(&c, text, size, charset_out + n, room)
                            : utf8core_decode(&c, text, size, charset_out + n, room);
  }
  return n;
}

static uint64_t iconvConvert(const void *arg, const uint8_t *text, size_t size) {
  const Conversion *conversion = arg;
  char *in = (char *)(uintptr_t)text, *out = (char *)charset_out;
  size_t left = size, room = OUT_SIZE;
  if (iconv(conversion->iconv, &in, &left, &out, &room) == (size_t)-1) return 0;
  return OUT_SIZE - room;
}

static uint64_t coreDetect(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  return (uint64_t)(utf8core_detect(text, size) + 1);
}

#ifdef WITH_PEERS
static UChar *utf16;

static uint64_t icuConvert(const void *arg, const uint8_t *text, size_t size) {
  const Conversion *conversion = arg;
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = 0, written = 0, room = (int32_t)OUT_SIZE;
  char *out = (char *)charset_out;
  const char *in = (const char *)text;
  if (conversion->charset == UTF8_CHARSET_UTF16LE && conversion->encode) {
    u_strFromUTF8((UChar *)(void *)charset_out, room / 2, &length, in, (int32_t)size,
                  &error);
    return U_SUCCESS(error) ? 2 * (uint64_t)length : 0;
  }
  if (conversion->charset == UTF8_CHARSET_UTF16LE) {
    u_strToUTF8(out, room, &written, (const UChar *)(const void *)text,
                (int32_t)size / 2, &error);
  } else if (conversion->encode) {
    u_strFromUTF8(utf16, room / 2, &length, in, (int32_t)size, &error);
    written = ucnv_fromUChars(conversion->icu, out, room, utf16, length, &error);
  } else {
    length = ucnv_toUChars(conversion->icu, utf16, room / 2, in, (int32_t)size, &error);
    u_strToUTF8(out, room, &written, utf16, length, &error);
  }
  return U_SUCCESS(error) ? (uint64_t)written : 0;
}

uint64_t charset_simdutf_from16(const void *arg, const uint8_t *text, size_t size);
uint64_t charset_simdutf_to16(const void *arg, const uint8_t *text, size_t size);
uint64_t charset_simdutf_from32(const void *arg, const uint8_t *text, size_t size);
uint64_t charset_simdutf_to32(const void *arg, const uint8_t *text, size_t size);
uint64_t charset_simdutf_from1(const void *arg, const uint8_t *text, size_t size);
uint64_t charset_simdutf_to1(const void *arg, const uint8_t *text, size_t size);

static BenchRun simdutfFor(const Conversion *conversion) {
  switch (conversion->charset) {
  case UTF8_CHARSET_UTF16LE:
    return conversion->encode ? charset_simdutf_to16 : charset_simdutf_from16;
  case UTF8_CHARSET_UTF32LE:
    return conversion->encode ? charset_simdutf_to32 : charset_simdutf_from32;
  case UTF8_CHARSET_LATIN1:
    return conversion->encode ? charset_simdutf_to1 : charset_simdutf_from1;
  default:
    return NULL;
  }
}
#endif

/* ---- comparisons ------------------------------------------------------------------------ */

/* Returns the text in the charset, in a new buffer, or NULL if the charset lacks a code point of
** it. */
static uint8_t *encoded(Utf8Charset charset, const uint8_t *text, size_t *size) {
  uint8_t *bytes = aligned_alloc(4096, 4 * SIZE + 4096);
  if (!bytes) bench_fail("no memory");
  Utf8Conversion c = {.charset = charset};
  *size = utf8core_encode(&c, text, SIZE, bytes, 4 * SIZE + 4096);
  if (c.at == SIZE) return bytes;
  free(bytes);
  return NULL;
}

static void openPeers(Conversion *conversion) {
  conversion->iconv = (iconv_t)-1;
  if (conversion->peers_name) {
    conversion->iconv = conversion->encode
                            ? iconv_open(conversion->peers_name, "UTF-8")
                            : iconv_open("UTF-8", conversion->peers_name);
  }
#ifdef WITH_PEERS
  UErrorCode error = U_ZERO_ERROR;
  conversion->icu =
      conversion->peers_name ? ucnv_open(conversion->peers_name, &error) : NULL;
#endif
}

static void closePeers(Conversion *conversion) {
  if (conversion->iconv != (iconv_t)-1) iconv_close(conversion->iconv);
#ifdef WITH_PEERS
  if (conversion->icu) ucnv_close(conversion->icu);
#endif
}

/* Ends the program unless all candidates write the same bytes as the first. */
static void requireAgreement(const char *name, const char *corpus,
                             const BenchCandidate *candidate, size_t count,
                             const uint8_t *in, size_t size) {
  size_t length = candidate[0].run(candidate[0].arg, in, size);
  uint8_t *expected = malloc(length + 1);
  char message[200];
  if (!expected) bench_fail("no memory");
  memcpy(expected, charset_out, length);
  for (size_t i = 1; i < count; i++) {
    memset(charset_out, 0, OUT_SIZE);
    size_t written = candidate[i].run(candidate[i].arg, in, size), at = 0;
    while (at < length && at < written && charset_out[at] == expected[at]) at++;
    if (at == length && at == written) continue;
    snprintf(message, sizeof message,
             "'%s' on %s: %s wrote %zu bytes, %s %zu; they differ at byte %zu", name,
             corpus, candidate[0].name, length, candidate[i].name, written, at);
    bench_fail(message);
  }
  free(expected);
}

static void compareConversion(Conversion *conversion, const char *corpus,
                              const uint8_t *in, size_t size) {
  BenchCandidate candidate[4] = {{"utf8ext", coreConvert, conversion, 0}};
  size_t count = 1;
  char name[64];
  openPeers(conversion);
  if (conversion->iconv != (iconv_t)-1) {
    candidate[count++] = (BenchCandidate){"iconv", iconvConvert, conversion, 0};
  }
#ifdef WITH_PEERS
  if (conversion->icu)
    candidate[count++] = (BenchCandidate){"icu", icuConvert, conversion, 0};
  if (simdutfFor(conversion))
    candidate[count++] =
        (BenchCandidate){"simdutf", simdutfFor(conversion), conversion, 0};
#endif
  snprintf(name, sizeof name, "%s %s", conversion->encode ? "to" : "from",
           utf8core_charset_name(conversion->charset));
  requireAgreement(name, corpus, candidate, count, in, size);
  bench_compare(candidate, count, bench_whole(in, size));
  bench_print_rates(name, corpus, candidate, count, size);
  closePeers(conversion);
}

static uint64_t coreFindError(const void *arg, const uint8_t *text, size_t size) {
  const unsigned *dialect = arg;
  return utf8core_find_error(text, size, 0, size, *dialect).offset;
}

/* Measures utf8ext alone. */
static void measure(const char *task, const char *kind, BenchRun run, const void *arg,
                    const char *corpus, const uint8_t *text, size_t size) {
  BenchCandidate candidate = {"utf8ext", run, arg, 0};
  char name[64];
  bench_compare(&candidate, 1, bench_whole(text, size));
  snprintf(name, sizeof name, "%s %s", task, kind);
  bench_print_rates(name, corpus, &candidate, 1, size);
}

/* Measures validation of text in the charset if that is a dialect of UTF-8. */
static void measureDialect(Utf8Charset charset, const char *corpus, const uint8_t *text,
                           size_t size) {
  static const unsigned dialects[UTF8_CHARSETS] = {
      [UTF8_CHARSET_RFC2044] = UTF8_LONG,
      [UTF8_CHARSET_CESU8] = UTF8_PAIRS,
      [UTF8_CHARSET_MUTF8] = UTF8_PAIRS | UTF8_C080,
      [UTF8_CHARSET_WTF8] = UTF8_SURROGATES,
  };
  if (!dialects[charset]) return;
  measure("valid", utf8core_charset_name(charset), coreFindError, &dialects[charset],
          corpus, text, size);
}

static uint64_t coreRepair(const void *arg, const uint8_t *text, size_t size) {
  size_t at = 0, n = 0;
  while (at < size) {
    n += utf8core_repair(arg, text, size, &at, charset_out + n, OUT_SIZE - n);
  }
  return n;
}

static void measurePolicies(const char *corpus) {
  static const char *const names[] = {"subpart", "byte",   "run",         "cesu-8",
                                      "trim",    "escape", "windows-1252"};
  uint8_t *text = bench_corpus(corpus, SIZE);
  for (int policy = UTF8_POLICY_SUBPART; policy <= UTF8_POLICY_CHARSET; policy++) {
    Utf8Repair how = {.policy = (Utf8PolicyId)policy,
                      .charset = UTF8_CHARSET_WINDOWS1252};
    measure("repair", names[policy], coreRepair, &how, corpus, text, SIZE);
  }
  free(text);
}

/* Measures everything that converts between UTF-8 and one charset, on one text. */
static void measureCharset(Utf8Charset charset, const char *peers_name,
                           const char *corpus, const uint8_t *text) {
  size_t size;
  uint8_t *bytes = encoded(charset, text, &size);
  if (!bytes) return;
  Conversion conversion = {.charset = charset, .encode = 1, .peers_name = peers_name};
  compareConversion(&conversion, corpus, text, SIZE);
  conversion.encode = 0;
  compareConversion(&conversion, corpus, bytes, size);
  measureDialect(charset, corpus, bytes, size);
  measure("detect", utf8core_charset_name(charset), coreDetect, NULL, corpus, bytes,
          size);
  free(bytes);
}

static void measureText(const char *corpus) {
  static const struct {
    Utf8Charset charset;
    const char *peers_name;
  } all[] = {
      {UTF8_CHARSET_UTF16LE, "UTF-16LE"},
      {UTF8_CHARSET_UTF16BE, "UTF-16BE"},
      {UTF8_CHARSET_UTF32LE, "UTF-32LE"},
      {UTF8_CHARSET_LATIN1, "ISO-8859-1"},
      {UTF8_CHARSET_WINDOWS1252, "windows-1252"},
      {UTF8_CHARSET_ASCII, "US-ASCII"},
      {UTF8_CHARSET_RFC2044, NULL},
      {UTF8_CHARSET_CESU8, NULL},
      {UTF8_CHARSET_MUTF8, NULL},
      {UTF8_CHARSET_WTF8, NULL},
  };
  uint8_t *text = bench_corpus(corpus, SIZE);
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    measureCharset(all[i].charset, all[i].peers_name, corpus, text);
  }
  free(text);
}

static void forEach(const char *const *corpus, void (*measureCorpus)(const char *)) {
  for (; *corpus; corpus++) measureCorpus(*corpus);
}

int main(void) {
  bench_start();
  charset_out = aligned_alloc(4096, OUT_SIZE + 4096 - OUT_SIZE % 4096);
  if (!charset_out) bench_fail("no memory");
#ifdef WITH_PEERS
  utf16 = malloc(OUT_SIZE);
  if (!utf16) bench_fail("no memory");
#endif
  forEach(bench_scripts, measureText);
  forEach(bench_westerns, measureText);
  forEach(bench_damaged, measurePolicies);
  return 0;
}
