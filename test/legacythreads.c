/* legacythreads.c: many threads build the tables of the legacy charsets, and those that detect them, at
** once, and all get the same results. ThreadSanitizer reports a data race.
**
**     make check-legacy-threads
*/
#include "charset/legacy.h"
#include "core/step.h"
#include "detect/cause.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 8

/* One character each of one to four bytes, of which every charset has some. */
static const uint8_t text[] =
    "a\xC3\xA9\xD0\xB6\xE6\x97\xA5\xE4\xBD\xA0\xF0\xA0\x83\x8C";

/* Adds what a charset makes of one character, there and back, to a checksum. */
static uint64_t convert(int charset, const uint8_t *character, uint64_t sum) {
  uint8_t bytes[UTF8_LEGACY_ROOM + UTF8_LEGACY_FINISH], back[UTF8_LEGACY_ROOM];
  unsigned state = 0, back_state = 0;
  size_t at = 0, back_at = 0, size = stepWellFormed(character).length;
  size_t n = utf8charset_encode_legacy(charset, &state, character, size, &at, bytes,
                                       UTF8_LEGACY_ROOM);
  n += utf8charset_finish_legacy(charset, &state, bytes + n);
  size_t m = utf8charset_decode_legacy(charset, &back_state, bytes, n, &back_at, back,
                                       UTF8_LEGACY_ROOM);
  for (size_t i = 0; i < n; i++) sum = sum * 31 + bytes[i];
  for (size_t i = 0; i < m; i++) sum = sum * 31 + back[i];
  return sum;
}

static int is_legacy(int charset) {
  return utf8core_charset(charset)->kind >= UTF8_KIND_SINGLE_BYTE;
}

/* Returns the charset and the cause of a value, as a checksum. */
static uint64_t detect(void) {
  static const uint8_t value[] = "\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!";
  const Utf8Charset charset = utf8core_detect(value, sizeof value - 1);
  const Utf8Cause cause = utf8detect_cause(value, sizeof value - 1);
  return (uint64_t)charset * 31 + (uint64_t)cause.charset;
}

static void *convert_all(void *result) {
  uint64_t sum = detect();
  for (int charset = 0; charset < UTF8_CHARSETS; charset++) {
    if (!is_legacy(charset)) continue;
    for (size_t at = 0; at < sizeof text - 1; at += stepWellFormed(text + at).length) {
      sum = convert(charset, text + at, sum);
    }
  }
  *(uint64_t *)result = sum;
  return NULL;
}

int main(void) {
  pthread_t threads[THREADS];
  uint64_t results[THREADS], due;
  for (int i = 0; i < THREADS; i++) {
    if (pthread_create(&threads[i], NULL, convert_all, &results[i])) return 2;
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  convert_all(&due);
  int same = 0;
  for (int i = 0; i < THREADS; i++) same += results[i] == due;
  printf("%d passed, %d failed\n", same, THREADS - same);
  return same < THREADS;
}
