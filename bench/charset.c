/* charset.c: measures conversion between UTF-8 and other charsets, and detection; beside
** glibc's iconv, and with -DWITH_PEERS ICU and simdutf, in the same races; and, alone, the
** dialects of UTF-8 and the policies of repair. Prints a line for each figure, as
** bench_print() says; rates are of the input's bytes.
**
**     make -f bench/Makefile charset          build/bench/charset.tsv
**     make -f bench/Makefile charset-peers    build/bench/charset-peers.tsv
**
** The input is 1 MB of well-formed text. The peers convert what is well-formed as they
** do best: iconv and ICU in one call that checks, simdutf with its checking functions.
** Entrants that write different bytes do not race: the program ends with a message.
** ICU goes from UTF-8 to Latin-1 through UTF-16, as its converters do.
*/
#include "bench.h"
#include "../utf8core.h"
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef WITH_PEERS
#include <unicode/ucnv.h>
#include <unicode/ustring.h>
#endif

#define SIZE ((size_t)1 << 20)
#define ROOM (5 * SIZE)

uint8_t *charset_room; /* ROOM bytes, where all write */

/* ---- what is measured ----------------------------------------------------------------- */

typedef struct Work {
  Utf8Charset charset;
  int encode;
  const char *peers; /* iconv's and ICU's name for it; NULL if they do not have it */
  iconv_t iconv;
#ifdef WITH_PEERS
  UConverter *icu;
#endif
} Work;

static uint64_t ours(const void *arg, const uint8_t *text, size_t size) {
  const Work *work = arg;
  size_t at = 0, n = 0;
  while (at < size) {
    size_t room = ROOM - n;
    n += work->encode ? utf8core_encode(work->charset, UTF8_STRICT, text, size, &at,
                                        charset_room + n, room)
                      : utf8core_decode(work->charset, UTF8_STRICT, text, size, &at,
                                        charset_room + n, room);
  }
  return n;
}

static uint64_t byIconv(const void *arg, const uint8_t *text, size_t size) {
  const Work *work = arg;
  char *in = (char *)(uintptr_t)text, *out = (char *)charset_room;
  size_t left = size, room = ROOM;
  if (iconv(work->iconv, &in, &left, &out, &room) == (size_t)-1) return 0;
  return ROOM - room;
}

static uint64_t detect(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  return (uint64_t)(utf8core_detect(text, size) + 1);
}

#ifdef WITH_PEERS
static UChar *units;

static uint64_t byIcu(const void *arg, const uint8_t *text, size_t size) {
  const Work *work = arg;
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = 0, written = 0, room = (int32_t)ROOM;
  char *out = (char *)charset_room;
  const char *in = (const char *)text;
  if (work->charset == UTF8_CHARSET_UTF16LE && work->encode) {
    u_strFromUTF8((UChar *)(void *)charset_room, room / 2, &length, in, (int32_t)size,
                  &error);
    return U_SUCCESS(error) ? 2 * (uint64_t)length : 0;
  }
  if (work->charset == UTF8_CHARSET_UTF16LE) {
    u_strToUTF8(out, room, &written, (const UChar *)(const void *)text,
                (int32_t)size / 2, &error);
  } else if (work->encode) {
    u_strFromUTF8(units, room / 2, &length, in, (int32_t)size, &error);
    written = ucnv_fromUChars(work->icu, out, room, units, length, &error);
  } else {
    length = ucnv_toUChars(work->icu, units, room / 2, in, (int32_t)size, &error);
    u_strToUTF8(out, room, &written, units, length, &error);
  }
  return U_SUCCESS(error) ? (uint64_t)written : 0;
}

uint64_t charset_simdutf_from16(const void *arg, const uint8_t *text, size_t size);
uint64_t charset_simdutf_to16(const void *arg, const uint8_t *text, size_t size);
uint64_t charset_simdutf_from32(const void *arg, const uint8_t *text, size_t size);
uint64_t charset_simdutf_to32(const void *arg, const uint8_t *text, size_t size);
uint64_t charset_simdutf_from1(const void *arg, const uint8_t *text, size_t size);
uint64_t charset_simdutf_to1(const void *arg, const uint8_t *text, size_t size);

static BenchRun simdutf(const Work *work) {
  switch (work->charset) {
  case UTF8_CHARSET_UTF16LE:
    return work->encode ? charset_simdutf_to16 : charset_simdutf_from16;
  case UTF8_CHARSET_UTF32LE:
    return work->encode ? charset_simdutf_to32 : charset_simdutf_from32;
  case UTF8_CHARSET_LATIN1:
    return work->encode ? charset_simdutf_to1 : charset_simdutf_from1;
  default:
    return NULL;
  }
}
#endif

/* ---- the races ------------------------------------------------------------------------- */

/* The corpus in the charset, in memory of its own; NULL if it does not have it. */
static uint8_t *encoded(Utf8Charset charset, const uint8_t *text, size_t *size) {
  uint8_t *bytes = aligned_alloc(4096, 4 * SIZE + 4096);
  if (!bytes) bench_fail("no memory");
  size_t at = 0, n = utf8core_encode(charset, UTF8_STRICT, text, SIZE, &at, bytes,
                                     4 * SIZE + 4096);
  *size = n;
  if (at == SIZE) return bytes;
  free(bytes);
  return NULL;
}

static void openPeers(Work *work) {
  work->iconv = (iconv_t)-1;
  if (work->peers) {
    work->iconv = work->encode ? iconv_open(work->peers, "UTF-8")
                               : iconv_open("UTF-8", work->peers);
  }
#ifdef WITH_PEERS
  UErrorCode error = U_ZERO_ERROR;
  work->icu = work->peers ? ucnv_open(work->peers, &error) : NULL;
#endif
}

static void closePeers(Work *work) {
  if (work->iconv != (iconv_t)-1) iconv_close(work->iconv);
#ifdef WITH_PEERS
  if (work->icu) ucnv_close(work->icu);
#endif
}

/* Ends the program unless all entrants write the same bytes as the first. */
static void requireAgreement(const char *name, const char *corpus,
                             const BenchEntrant *entrant, size_t count,
                             const uint8_t *in, size_t size) {
  size_t length = entrant[0].run(entrant[0].arg, in, size);
  uint8_t *expected = malloc(length + 1);
  char message[200];
  if (!expected) bench_fail("no memory");
  memcpy(expected, charset_room, length);
  for (size_t i = 1; i < count; i++) {
    memset(charset_room, 0, ROOM);
    size_t written = entrant[i].run(entrant[i].arg, in, size), at = 0;
    while (at < length && at < written && charset_room[at] == expected[at]) at++;
    if (at == length && at == written) continue;
    snprintf(message, sizeof message,
             "no race '%s' on %s: %s wrote %zu bytes, %s %zu; they differ at byte %zu",
             name, corpus, entrant[0].name, length, entrant[i].name, written, at);
    bench_fail(message);
  }
  free(expected);
}

static void race(Work *work, const char *corpus, const uint8_t *in, size_t size) {
  BenchEntrant entrant[4] = {{"utf8ext", ours, work, 0}};
  size_t count = 1;
  char name[64];
  openPeers(work);
  if (work->iconv != (iconv_t)-1) {
    entrant[count++] = (BenchEntrant){"iconv", byIconv, work, 0};
  }
#ifdef WITH_PEERS
  if (work->icu) entrant[count++] = (BenchEntrant){"icu", byIcu, work, 0};
  if (simdutf(work))
    entrant[count++] = (BenchEntrant){"simdutf", simdutf(work), work, 0};
#endif
  snprintf(name, sizeof name, "%s %s", work->encode ? "to" : "from",
           utf8core_charset_name(work->charset));
  requireAgreement(name, corpus, entrant, count, in, size);
  bench_race(entrant, count, bench_whole(in, size));
  bench_print_rates(name, corpus, entrant, count, size);
  closePeers(work);
}

static uint64_t validAs(const void *arg, const uint8_t *text, size_t size) {
  const unsigned *dialect = arg;
  return utf8core_find_error(text, size, 0, size, *dialect).offset;
}

/* Validation of text that has been encoded in the charset, if that is a dialect. */
static void raceDialect(Utf8Charset charset, const char *corpus, const uint8_t *text,
                        size_t size) {
  static const unsigned dialects[UTF8_CHARSETS] = {
      [UTF8_CHARSET_RFC2044] = UTF8_LONG,
      [UTF8_CHARSET_CESU8] = UTF8_PAIRS,
      [UTF8_CHARSET_MUTF8] = UTF8_PAIRS | UTF8_C080,
      [UTF8_CHARSET_WTF8] = UTF8_SURROGATES,
  };
  if (!dialects[charset]) return;
  BenchEntrant entrant = {"utf8ext", validAs, &dialects[charset], 0};
  bench_race(&entrant, 1, bench_whole(text, size));
  char name[64];
  snprintf(name, sizeof name, "valid %s", utf8core_charset_name(charset));
  bench_print_rates(name, corpus, &entrant, 1, size);
}

static uint64_t repairBy(const void *arg, const uint8_t *text, size_t size) {
  size_t at = 0, n = 0;
  while (at < size) {
    n += utf8core_repair(arg, text, size, &at, charset_room + n, ROOM - n);
  }
  return n;
}

static void racePolicies(const char *corpus) {
  static const char *const names[] = {"subpart", "byte",         "run",   "cesu-8",
                                      "latin1",  "windows-1252", "escape"};
  uint8_t *text = bench_corpus(corpus, SIZE);
  for (int policy = UTF8_POLICY_SUBPART; policy <= UTF8_POLICY_ESCAPE; policy++) {
    Utf8Repair how = {(Utf8PolicyId)policy, UTF8_STRICT, NULL, 0};
    BenchEntrant entrant = {"utf8ext", repairBy, &how, 0};
    bench_race(&entrant, 1, bench_whole(text, SIZE));
    char name[64];
    snprintf(name, sizeof name, "repair %s", names[policy]);
    bench_print_rates(name, corpus, &entrant, 1, SIZE);
  }
  free(text);
}

static void raceAll(const char *corpus, const uint8_t *text) {
  static const struct {
    Utf8Charset charset;
    const char *peers;
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
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    size_t size;
    uint8_t *bytes = encoded(all[i].charset, text, &size);
    if (!bytes) continue;
    Work work = {.charset = all[i].charset, .encode = 1, .peers = all[i].peers};
    race(&work, corpus, text, SIZE);
    work.encode = 0;
    race(&work, corpus, bytes, size);
    raceDialect(all[i].charset, corpus, bytes, size);
    BenchEntrant entrant = {"utf8ext", detect, NULL, 0};
    bench_race(&entrant, 1, bench_whole(bytes, size));
    char name[64];
    snprintf(name, sizeof name, "detect %s", utf8core_charset_name(all[i].charset));
    bench_print_rates(name, corpus, &entrant, 1, size);
    free(bytes);
  }
}

static void raceAllOf(const char *const *corpus) {
  for (; *corpus; corpus++) {
    uint8_t *text = bench_corpus(*corpus, SIZE);
    raceAll(*corpus, text);
    free(text);
  }
}

int main(void) {
  bench_start();
  charset_room = aligned_alloc(4096, ROOM + 4096 - ROOM % 4096);
  if (!charset_room) bench_fail("no memory");
#ifdef WITH_PEERS
  units = malloc(ROOM);
  if (!units) bench_fail("no memory");
#endif
  raceAllOf(bench_scripts);
  raceAllOf(bench_westerns);
  for (const char *const *corpus = bench_damaged; *corpus; corpus++) {
    racePolicies(*corpus);
  }
  return 0;
}
