/* tool/mojibake/mojibake.c: what tool/mojibake/bounds.py runs: restores each line of the standard input.
**
**     mojibake < lines      # for each line: charset or '-', TAB, the restored line
*/
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mojibake/mojibake.h"

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

static size_t restore(const uint8_t *text, size_t length) {
  size_t at = 0, n = 0;
  while (at < length) {
    n += utf8mojibake_restore(NULL, text, length, &at, output + n,
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
    fwrite(output, 1, restore(input + at, n), stdout);
    putchar('\n');
  }
}

int main(void) {
  read_all();
  print_lines();
  return 0;
}
