/* tool/mojibake/mojibake.c: what tool/mojibake/tables.py --measure runs: repairs each line of the standard
** input, or measures how fast that is.
**
**     mojibake < lines      # for each line: charset or '-', TAB, the repaired line
**     mojibake -s < lines   # the same without the shortcut of mojibake/whole.c
**     mojibake -b < file    # megabytes per second of processor time, for the whole
**     mojibake -l < file    # the same for each line on its own
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "mojibake/mojibake.h"
#include "mojibake/segment.h"

#define ROUNDS 5

static uint8_t *input, *output;
static size_t size;

static uint8_t *grow(uint8_t *bytes, size_t to) {
  bytes = realloc(bytes, to);
  if (!bytes) exit(2);
  return bytes;
}

static void read_all(void) {
  size_t room = (size_t)1 << 20, n;
  input = grow(NULL, room);
  while ((n = fread(input + size, 1, room - size, stdin)) > 0) {
    size += n;
    if (size == room) input = grow(input, room *= 2);
  }
  output = grow(NULL, 2 * size + UTF8_MOJIBAKE_ROOM);
}

static size_t repair(const uint8_t *text, size_t length) {
  size_t at = 0, n = 0;
  while (at < length) {
    n += utf8mojibake_repair(NULL, text, length, &at, output + n,
                             2 * size + UTF8_MOJIBAKE_ROOM - n);
  }
  return n;
}

/* Returns the length of the line at `at`, without its newline. */
static size_t line_at(size_t at) {
  const uint8_t *end = memchr(input + at, '\n', size - at);
  return end ? (size_t)(end - input) - at : size - at;
}

static void print_lines(void) {
  for (size_t at = 0, n; at < size; at += n + 1) {
    Utf8MojibakeFound found;
    size_t from = 0;
    n = line_at(at);
    int has = utf8mojibake_find(NULL, input + at, n, &from, n, &found);
    printf("%s\t", has ? utf8mojibake_charset_name(found.charset) : "-");
    fwrite(output, 1, repair(input + at, n), stdout);
    putchar('\n');
  }
}

/* Lines of more than one segment are left out. */
static void print_without_shortcut(void) {
  for (size_t at = 0, n; at < size; at += n + 1) {
    Utf8MojibakeSegment found = {0, 0, 0, 0};
    n = line_at(at);
    if (n <= UTF8_MOJIBAKE_WHOLE)
      found = utf8mojibake_repair_segment(NULL, input + at, n, output);
    printf("%s\t", found.runs ? utf8mojibake_charset_name(found.charset) : "-");
    fwrite(found.runs ? output : input + at, 1, found.runs ? found.written : n, stdout);
    putchar('\n');
  }
}

static double measure(int by_line) {
  double best = 0;
  for (int i = 0; i < ROUNDS; i++) {
    const clock_t start = clock();
    for (size_t at = 0, n; at < size; at += n + 1) {
      n = by_line ? line_at(at) : size;
      repair(input + at, n);
    }
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    const double rate = (double)size / 1e6 / (seconds > 0 ? seconds : 1e-6);
    if (rate > best) best = rate;
  }
  return best;
}

int main(int argc, char **argv) {
  read_all();
  if (argc > 1 && argv[1][1] == 's') {
    print_without_shortcut();
  } else if (argc > 1) {
    printf("%.0f\n", measure(argv[1][1] == 'l'));
  } else {
    print_lines();
  }
  return 0;
}
