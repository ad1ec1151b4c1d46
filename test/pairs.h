/* pairs.h: what skip_unpaired() is to find (mojibake/pairs.h), for kerneltest.c: by two code points
** after the other, where the kernels look at bytes.
*/
#ifndef UTF8_TEST_PAIRS_H
#define UTF8_TEST_PAIRS_H

#include "mojibake/pairs.h"
#include "core/simd/kernel.h"
#include "test/ctest.h"

enum { PAIRS_TEXT = 400 }; /* bytes */

static int is_between(uint32_t code, uint32_t first, uint32_t last) {
  return code >= first && code <= last;
}

static int is_symbol(uint32_t code) {
  return is_between(code, 0x2000, 0x2FFF) || is_between(code, 0xF000, 0xFFFF);
}

/* Are they two Cyrillic letters that end a pair? */
static int is_cyrillic_pair(uint32_t one, uint32_t two) {
  const int is_small = is_between(one, 0x430, 0x45F) || one == 0x401 || one == 0x491;
  if (is_small && is_between(two, 0x400, 0x42F)) return 1;
  if ((one == 0x431 || one == 0x446) && two == 0x451) return 1;
  return is_between(one, 0x412, 0x415) &&
         (is_between(two, 0x400, 0x40F) || is_between(two, 0x450, 0x4BF));
}

/* Are they two others, of which each may be in a charset? */
static int is_other_pair(uint32_t one, uint32_t two) {
  if (!is_between(two, 0x80, 0x6FF) && !is_symbol(two)) return 0;
  if (is_symbol(one)) return 1;
  return is_between(one, 0x80, 0x6FF) && (one < 0x300 || two < 0x300 || is_symbol(two));
}

/* Stores in ends[i] whether a pair ends with byte i of well-formed text[0..size). */
static void find_pairs(const uint8_t *text, size_t size, uint8_t *ends) {
  uint32_t before = 0;
  memset(ends, 0, size);
  for (size_t at = 0; at < size;) {
    const Utf8Step s = utf8core_step(text, size, at, UTF8_STRICT);
    const uint32_t code = s.codepoint;
    if (is_between(code, 0x80, 0x9F)) ends[at + 1] = 1;
    if (code < 0x80 && (before == 0xC2 || before == 0xC3)) ends[at] = 1;
    if (before >= 0x80 && is_other_pair(before, code)) ends[at] = 1;
    if (is_cyrillic_pair(before, code)) ends[at + 1] = 1;
    before = code;
    at += s.length;
  }
}

/* Compares the places of text[at..end) with ends, by the kernel or, if it has no scan, by mojibake/. */
static void compare_ends(const Utf8Kernel *kernel, const uint8_t *text, size_t at,
                         size_t end, const uint8_t *ends) {
  Utf8SkipUnpaired *skip = kernel->scans.skip_unpaired ? kernel->scans.skip_unpaired
                                                       : utf8mojibake_skip_unpaired;
  test_expectations++;
  while (at < end) {
    uint64_t places = ~(uint64_t)0, wanted = 0;
    const size_t block = skip(text, at, end, &places);
    for (size_t i = at; i < end && i < block + 64; i++) {
      if (ends[i] && i < block) fail("skip_unpaired misses", text, end, block, i);
      if (ends[i] && i >= block) wanted |= (uint64_t)1 << (i - block);
    }
    if (block > end || places != wanted || (block < end && !wanted))
      fail("skip_unpaired's places", text, end, (size_t)places, (size_t)wanted);
    at = block + 64;
  }
}

/* Compares skip_unpaired() on well-formed text[0..size). */
static void compare_pairs(const Utf8Kernel *kernel, const uint8_t *text, size_t size) {
  static uint8_t ends[PAIRS_TEXT];
  if (size > PAIRS_TEXT) return;
  find_pairs(text, size, ends);
  compare_ends(kernel, text, 0, size, ends);
}

/* Code points at the edges of what a pair is. */
static const uint32_t pair_edges[] = {
    0x20,   0x41,   0x80,   0x9F,   0xA0,   0xC1,  0xC2,   0xC3,   0xC4,   0xE9,
    0x2FF,  0x300,  0x400,  0x401,  0x402,  0x40F, 0x410,  0x411,  0x412,  0x415,
    0x416,  0x42F,  0x430,  0x431,  0x432,  0x43F, 0x440,  0x445,  0x446,  0x447,
    0x44F,  0x450,  0x451,  0x452,  0x45F,  0x460, 0x47F,  0x480,  0x490,  0x491,
    0x492,  0x4BF,  0x4C0,  0x6FF,  0x700,  0x905, 0x1FFF, 0x2000, 0x2019, 0x2FFF,
    0x3000, 0xEFFF, 0xF000, 0xFFFD, 0x1F600};
enum { PAIR_EDGES = sizeof pair_edges / sizeof *pair_edges };

/* Compares all pairs of edges. */
static void compare_edges(const Utf8Kernel *kernel) {
  uint8_t text[2 * UTF8_OCTETS_MAX + 1];
  for (size_t i = 0; i < PAIR_EDGES * PAIR_EDGES; i++) {
    size_t size = utf8core_put(text, pair_edges[i / PAIR_EDGES]);
    size += utf8core_put(text + size, pair_edges[i % PAIR_EDGES]);
    text[size++] = i % 2 ? 'a' : ' ';
    compare_pairs(kernel, text, size);
  }
}

static size_t random_pairs(uint8_t *text, size_t room) {
  size_t size = 0;
  while (room - size >= UTF8_OCTETS_MAX)
    size += utf8core_put(text + size,
                         random_below(2) ? 'a' : pair_edges[random_below(PAIR_EDGES)]);
  return size;
}

/* Compares from each byte of random texts to each, in memory that ends after the last one. */
static void compare_random_pairs(const Utf8Kernel *kernel, int rounds) {
  static uint8_t random[PAIRS_TEXT], ends[PAIRS_TEXT];
  compare_edges(kernel);
  for (int i = 0; i < rounds; i++) {
    const size_t size =
        random_pairs(random, 4 + random_below(i % 8 ? 200 : PAIRS_TEXT - 4));
    find_pairs(random, size, ends);
    for (size_t end = 0; end <= size; end++) {
      uint8_t *text = exact(end);
      memcpy(text, random, end);
      for (size_t at = 0; at < end; at += 1 + random_below(9))
        compare_ends(kernel, text, at, end, ends);
      exact_free(text, end);
    }
  }
}

#endif
