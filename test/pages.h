/* pages.h: what encode_high() of core/simd/kernel.h is to write, for kerneltest.c: the byte of one code point
** after the other.
*/
#ifndef UTF8_TEST_PAGES_H
#define UTF8_TEST_PAGES_H

#include "core/simd/kernel.h"
#include "test/ctest.h"

enum { PAGES_CODES = 127, PAGES_TEXT = 400 };

/* A charset with random code points, of which most are in a few pages. */
typedef struct PagesCharset {
  uint32_t code[PAGES_CODES];
  uint8_t page[0x400];
  uint8_t bytes[64 * (PAGES_CODES + 1)];
} PagesCharset;

static uint32_t random_bmp(void) {
  static const uint32_t first[] = {0x80, 0xC0, 0x400, 0x7C0, 0x800, 0x2000, 0xFFC0};
  if (random_below(8)) return first[random_below(7)] + random_below(64);
  return 0x80 + random_below(0xD800 - 0x80);
}

static void make_pages(PagesCharset *c) {
  unsigned pages = 0;
  memset(c, 0, sizeof *c);
  for (unsigned i = 0; i < PAGES_CODES; i++) {
    const uint32_t code = c->code[i] = random_bmp();
    if (!c->page[code >> 6]) c->page[code >> 6] = (uint8_t)++pages;
    c->bytes[64 * c->page[code >> 6] + (code & 63)] = (uint8_t)(0x80 + i);
  }
}

/* Returns the byte of a code point, or -1. */
static int byte_in_pages(const PagesCharset *c, uint32_t code) {
  if (code < 0x80) return (int)code;
  const uint8_t page = code < 0x10000 ? c->page[code >> 6] : 0;
  const uint8_t byte = c->bytes[64 * page + (code & 63)];
  return byte ? byte : -1;
}

/* Fills text with code points that the charset has, and few that it lacks. Returns the size. */
static size_t random_of_pages(const PagesCharset *c, uint8_t *text, size_t room) {
  const uint32_t ascii = random_below(4), lacks = random_below(2) ? 100 : 10000;
  size_t size = 0;
  while (room - size >= UTF8_OCTETS_MAX) {
    uint32_t code = c->code[random_below(PAGES_CODES)];
    if (random_below(4) < ascii) code = random_below(0x80);
    if (!random_below(lacks)) code = random_below(2) ? random_bmp() : 0x1F600;
    size += utf8core_put(text + size, code);
  }
  return size;
}

/* Compares the first n bytes of out, which were written for text[0..at), with the charset's. The kernel
** stops only for a code point that it lacks, or for room. */
static void compare_pages(const PagesCharset *c, const uint8_t *text, size_t size,
                          size_t at, const uint8_t *out, size_t n, size_t room) {
  size_t p = 0, written = 0;
  test_expectations++;
  while (p < at) {
    const Utf8Step s = utf8core_step(text, size, p, UTF8_STRICT);
    if (written >= n || byte_in_pages(c, s.codepoint) != out[written])
      fail("encode_high's bytes", text, size, written, n);
    written++;
    p += s.length;
  }
  if (p != at || written != n) fail("encode_high stops inside", text, size, at, p);
  if (at == size || room - n < 64) return;
  if (byte_in_pages(c, utf8core_step(text, size, at, UTF8_STRICT).codepoint) >= 0)
    fail("encode_high stops early", text, size, at, size);
}

/* Compares random texts, in memory that ends after the last byte. */
static void compare_random_pages(const Utf8Kernel *kernel, int rounds) {
  static PagesCharset c;
  static uint8_t random[PAGES_TEXT];
  Utf8EncodeHigh *encode = kernel->converters->encode_high;
  if (!encode) test_expectations++; /* the kernel has none */
  for (int i = 0; encode && i < rounds; i++) {
    if (i % 16 == 0) make_pages(&c);
    const size_t size = random_of_pages(&c, random, 4 + random_below(PAGES_TEXT - 4));
    const size_t room = random_below(2) ? PAGES_TEXT : 64 + random_below(100);
    uint8_t *text = exact(size), *out = exact(room);
    memcpy(text, random, size);
    const Utf8Pages pages = {c.page, c.bytes};
    size_t at = 0;
    const size_t n = encode(&pages, text, size, &at, out, room);
    compare_pages(&c, text, size, at, out, n, room);
    exact_free(out, room);
    exact_free(text, size);
  }
}

#endif
