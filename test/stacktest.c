/* stacktest.c: how much of the stack functions take. Prints a line for each: its name and the number of bytes.
** test/stack.sh compares them with what the headers say.
**
** Each function runs in a thread whose stack is filled with a pattern before. What is still the pattern
** afterwards was not used.
*/
#define _POSIX_C_SOURCE 200809L
#include "core/utf8core.h"
#include "core/utf8form.h"
#include "detect/cause.h"
#include "detect/model.h"
#include "mojibake/readings.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK = 4 << 20, PATTERN = 0xA5, TEXT = 4096 };

static uint8_t text[TEXT], out[16 * TEXT];

/* ---- the functions ----------------------------------------------------------------------- */

static void *nothing(void *unused) {
  return unused;
}

static void *detect(void *unused) {
  utf8core_detect(text, sizeof text);
  return unused;
}

static void *repair(void *unused) {
  const Utf8Repair how = {.policy = UTF8_POLICY_SUBPART};
  size_t at = 0;
  while (at < sizeof text)
    utf8core_repair(&how, text, sizeof text, &at, out, sizeof out);
  return unused;
}

static void *decode(void *unused) {
  Utf8Conversion c = {.charset = UTF8_CHARSET_GB18030};
  while (c.at < sizeof text) utf8core_decode(&c, text, sizeof text, out, sizeof out);
  return unused;
}

static void *normalize(void *unused) {
  size_t at = 0;
  while (at < sizeof text)
    utf8core_normalize(UTF8_NFKC, text, sizeof text, &at, out, sizeof out);
  return unused;
}

static void *findCause(void *unused) {
  utf8detect_cause(text, sizeof text);
  return unused;
}

static void *detectValue(void *unused) {
  utf8detect_of_value(text, sizeof text);
  return unused;
}

/* Lists the readings of Russian that was misread in windows-1252 twice, whatever `text` is. */
static void *readMisread(void *unused) {
  static const uint8_t russian[] = "Москва и Псков, Тверь и Омск";
  static Utf8MojibakeReadings readings;
  static uint8_t once[sizeof russian * 4];
  Utf8Conversion first = {.charset = UTF8_CHARSET_WINDOWS1252}, second = first;
  size_t size = utf8core_decode(&first, russian, sizeof russian - 1, once, sizeof once);
  size = utf8core_decode(&second, once, size, out, sizeof out);
  utf8mojibake_readings(&readings, NULL, out, size);
  return unused;
}

static const struct {
  const char *name;
  void *(*run)(void *);
} functions[] = {
    {"utf8core_detect", detect},           {"utf8core_repair", repair},
    {"utf8core_decode", decode},           {"utf8core_normalize", normalize},
    {"utf8detect_cause", findCause},       {"utf8detect_of_value", detectValue},
    {"utf8mojibake_readings", readMisread}};

/* ---- measuring --------------------------------------------------------------------------- */

static void fail(const char *what) {
  fprintf(stderr, "stacktest: %s\n", what);
  exit(1);
}

/* Returns how many bytes of a new thread's stack a call uses. Stacks grow downwards. */
static size_t stackOf(void *(*run)(void *)) {
  static _Alignas(1 << 16) uint8_t stack[STACK];
  pthread_attr_t attributes;
  pthread_t thread;
  size_t unused = 0;
  memset(stack, PATTERN, STACK);
  if (pthread_attr_init(&attributes) != 0 ||
      pthread_attr_setstack(&attributes, stack, STACK) != 0 ||
      pthread_create(&thread, &attributes, run, NULL) != 0 ||
      pthread_join(thread, NULL) != 0)
    fail("no thread");
  pthread_attr_destroy(&attributes);
  while (unused < STACK && stack[unused] == PATTERN) unused++;
  return STACK - unused;
}

/* Fills text with words of the letters first..last, any bytes. */
static void fillText(uint8_t first, uint8_t last) {
  for (size_t i = 0; i < TEXT; i++)
    text[i] = i % 7 == 6 ? ' ' : (uint8_t)(first + i * 31 % (last - first + 1u));
}

/* Returns the most that a call uses: Cyrillic, Western, Chinese and UTF-8 by its bytes. */
static size_t mostOf(void *(*run)(void *)) {
  static const uint8_t letters[][2] = {
      {0xE0, 0xFF}, {'a', 0xFC}, {0xB0, 0xF7}, {'a', 'z'}};
  size_t most = 0;
  for (size_t i = 0; i < sizeof letters / sizeof *letters; i++) {
    fillText(letters[i][0], letters[i][1]);
    const size_t used = stackOf(run);
    if (used > most) most = used;
  }
  return most;
}

int main(void) {
  const size_t thread = mostOf(nothing); /* what every thread takes */
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
    printf("%s %zu\n", functions[i].name, mostOf(functions[i].run) - thread);
  return 0;
}
