/* fuzz_suspect.c: utf8suspect_find(), utf8suspect_count() and utf8suspect_strip(), by what holds
** for any text (fuzz.h): a search in chunks finds what a search of the whole finds, a count is
** the number of code points of a kind, one by one, and a strip removes exactly these.
**
** a selects the kind, b the size of the chunks, c the room of the output buffer. The text is
** made well-formed: an ill-formed subpart becomes one of the code points that the kinds are
** about.
*/
#include "fuzz/fuzz.h"
#include "mojibake/mojibake.h"
#include "suspect/suspect.h"

#define OUT_MAX ((size_t)4 * FUZZ_TEXT_MAX)

static uint8_t made[OUT_MAX];
static size_t made_size;
static Utf8SuspectKind kind;
static size_t chunk, room;

/* Returns the end of the chunk that starts at `at`. */
static size_t chunk_end(size_t size, size_t at, size_t length) {
  return size - at > length ? at + length : size;
}

static Utf8SuspectFound find(const uint8_t *text, size_t size, size_t length) {
  Utf8SuspectFound found = {.kind = UTF8_SUSPECT_NONE, .offset = size};
  for (size_t at = 0; at < size;) {
    const size_t until = chunk_end(size, at, length);
    if (utf8suspect_find(text, size, &at, until, &found)) break;
    HOLDS(at >= until && at <= size);
  }
  return found;
}

static uint64_t count(const uint8_t *text, size_t size, size_t length) {
  uint64_t total = 0;
  for (size_t at = 0; at < size;)
    total += utf8suspect_count(kind, text, size, &at, chunk_end(size, at, length));
  return total;
}

static size_t strip(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                    size_t out_room) {
  return utf8suspect_strip(kind, text, size, at, out, out_room);
}

/* Code point by code point: the first suspicious one, and what is left without `kind`. */
typedef struct Expected {
  Utf8SuspectFound first;
  uint64_t count;
  size_t left;
  uint8_t text[OUT_MAX];
} Expected;

static Expected expected;

static void find_expected(const uint8_t *text, size_t size) {
  Utf8MojibakeFound misread;
  size_t from = 0;
  expected.first = (Utf8SuspectFound){.kind = UTF8_SUSPECT_NONE, .offset = size};
  expected.count = expected.left = 0;
  if (utf8mojibake_find(NULL, text, size, &from, size, &misread))
    expected.first =
        (Utf8SuspectFound){.kind = UTF8_SUSPECT_MOJIBAKE, .offset = misread.offset};
  for (size_t at = 0; at < size;) {
    const size_t length = utf8core_step(text, size, at, UTF8_STRICT).length;
    const Utf8SuspectKind one = utf8suspect_kind_at(text, size, at);
    const int is_earlier =
        at < expected.first.offset ||
        (expected.first.kind == UTF8_SUSPECT_MOJIBAKE && at == expected.first.offset);
    if (one && is_earlier)
      expected.first = (Utf8SuspectFound){.kind = one, .offset = at};
    if (one == kind) {
      expected.count += kind != UTF8_SUSPECT_NONE;
    }
    if (one != kind || kind == UTF8_SUSPECT_NONE) {
      memcpy(expected.text + expected.left, text + at, length);
      expected.left += length;
    }
    at += length;
  }
}

static void check_find(const uint8_t *text, size_t size, size_t length) {
  const Utf8SuspectFound found = find(text, size, length);
  HOLDS(found.kind == expected.first.kind && found.offset == expected.first.offset);
}

static void check(const FuzzInput *in) {
  static uint8_t stripped[OUT_MAX];
  const size_t size = made_size;
  uint8_t *text = fuzz_alloc(size);
  (void)in;
  memcpy(text, made, size);
  find_expected(text, size);
  check_find(text, size, size);
  check_find(text, size, chunk);
  if (kind == UTF8_SUSPECT_MOJIBAKE) expected.count = count(text, size, size);
  HOLDS(count(text, size, size) == expected.count);
  HOLDS(count(text, size, chunk) == expected.count);
  const size_t left = fuzz_calls(strip, text, size, room, stripped, OUT_MAX);
  HOLDS(left == expected.left && memcmp(stripped, expected.text, left) == 0);
  HOLDS(utf8core_valid(stripped, left));
  free(text);
  const int is_stripped = kind != UTF8_SUSPECT_BOM && kind != UTF8_SUSPECT_MOJIBAKE;
  HOLDS(!is_stripped || count(stripped, left, left ? left : 1) == 0);
}

/* A code point of the table of kinds, or one that decides about those beside it. */
static uint32_t code_for(uint8_t byte) {
  static const uint32_t codes[] = {
      0x00,    0x85,    0xAD,    0x200B,  0xE01,   0x1780,  0x17B4,  0x115F,
      0x1160,  0x1100,  0x1161,  0x11A8,  0x202E,  0x2060,  0x2066,  0x3164,
      0xFEFF,  0xFFA0,  0xFFF0,  0xFFFD,  0xFDD0,  0x1FFFE, 0x1BCA0, 0x1F3F4,
      0x1F3F4, 0xE0061, 0xE0062, 0xE0063, 0xE007F, 0xE0100, 0xC3,    0xA9};
  return codes[byte % (sizeof codes / sizeof *codes)];
}

static void make_text(const FuzzInput *in) {
  made_size = 0;
  for (size_t at = 0; at < in->size;) {
    const Utf8Step one = utf8core_step(in->text, in->size, at, UTF8_STRICT);
    const uint32_t code = one.error ? code_for(in->text[at]) : one.codepoint;
    made_size += utf8core_put(made + made_size, code);
    at += one.length;
  }
}

static void fuzz_input(const FuzzInput *in) {
  kind = (Utf8SuspectKind)(in->a % UTF8_SUSPECT_KINDS);
  chunk = 1 + in->b * in->b / 8;
  room = fuzz_room(in, UTF8_SUSPECT_ROOM);
  make_text(in);
  fuzz_each_kernel(check, in);
}
