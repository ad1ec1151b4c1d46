/* plain.h: what skip_stable() of simd/kernel.h is to find, for kerneltest.c: by one number of a code
** point after the other, from a random table.
*/
#ifndef UTF8_TEST_PLAIN_H
#define UTF8_TEST_PLAIN_H

#include "simd/kernel.h"
#include "test/ctest.h"

/* Fills size bytes with bits of which about one in `rarity` is set. */
static void random_bits(uint8_t *bytes, size_t size, uint32_t rarity) {
  for (size_t i = 0; i < size; i++) {
    bytes[i] = 0;
    for (int bit = 0; bit < 8; bit++)
      bytes[i] |= (uint8_t)((random_below(rarity) == 0) << bit);
  }
}

static int is_plain_code(const Utf8Plain *plain, uint32_t n);

/* Sets the bits of leads[] that the other tables need. */
static void find_leads(Utf8Plain *plain) {
  memset(plain->leads, 0, sizeof plain->leads);
  for (uint32_t n = 0x80; n < 0x110000; n++) {
    uint8_t octets[UTF8_OCTETS_MAX];
    if (is_plain_code(plain, n)) continue;
    utf8core_put(octets, n);
    plain->leads[octets[0] & 63] |= (uint8_t)(1 << (octets[1] >> 3 & 7));
  }
}

/* Sets the bits of three[] that groups[] needs. */
static void find_three(Utf8Plain *plain) {
  for (uint32_t i = 0; i < 128; i++)
    for (uint32_t n = 0; plain_group_of[i] && n < 512; n++)
      if (plain_bit(plain->groups[plain_group_of[i] - 1], n))
        plain->three[i] |= (uint8_t)(1 << (n >> 6));
}

/* Returns random tables. Every second code point that is not plain is a single mark. */
static Utf8Plain random_plain(uint32_t rarity, Utf8SingleMarks *marks) {
  Utf8Plain plain;
  random_bits(marks->two, sizeof marks->two, 2);
  random_bits(marks->groups[0], sizeof marks->groups, 2);
  plain.marks = marks;
  random_bits(plain.two, sizeof plain.two, rarity);
  random_bits(plain.three, sizeof plain.three, rarity);
  random_bits(plain.groups[0], sizeof plain.groups, rarity);
  random_bits(plain.four, sizeof plain.four, rarity);
  random_bits(plain.emoji, sizeof plain.emoji, rarity);
  plain.letters = (uint8_t)random_below(2);
  find_three(&plain);
  find_leads(&plain);
  return plain;
}

/* Is code point n plain? */
static int is_plain_code(const Utf8Plain *plain, uint32_t n) {
  if (n < 0x80) return !(plain->letters && n >= 'A' && n <= 'Z');
  if (n < 0x800) return !plain_bit(plain->two, n);
  if (n >= 0x1F000 && n < 0x20000 && plain_bit(plain->four, n >> 12))
    return !plain_bit(plain->emoji, n >> 6 & 63);
  if (n >= 0x10000) return !plain_bit(plain->four, n >> 12);
  const unsigned group = plain_group_of[n >> 9];
  if (!group || !plain_bit(plain->three, n >> 6))
    return !plain_bit(plain->three, n >> 6);
  return !plain_bit(plain->groups[group - 1], n & 511);
}

static int is_single_mark(const Utf8Plain *plain, uint32_t n) {
  if (n < 0x800) return plain_bit(plain->marks->two, n);
  const unsigned group = n < 0x10000 ? plain_group_of[n >> 9] : 0;
  return group && plain_bit(plain->marks->groups[group - 1], n & 511);
}

/* Is code point n a place? *after is 1 if the one before it is not plain; stores that of n. */
static int is_place(const Utf8Plain *plain, uint32_t n, int *after) {
  const int is_changing = !is_plain_code(plain, n), follows = *after;
  *after = is_changing && n >= 0x80;
  return is_changing && (n < 0x80 || follows || !is_single_mark(plain, n));
}

/* Compares one search of the kernel in well-formed text[from..size). Returns where to resume. */
static size_t compare_search(const Utf8Kernel *kernel, const Utf8Plain *plain,
                             const uint8_t *text, size_t size, size_t from) {
  uint64_t places = ~(uint64_t)0, wanted = 0;
  const size_t block =
      from + kernel->scans.skip_stable(plain, text + from, size - from, &places);
  int after = 1;
  for (size_t at = from; at < size && at < block + 64;) {
    const Utf8Step s = utf8core_step(text, size, at, UTF8_STRICT);
    const int is_start = !s.error; /* else `from` is inside a sequence */
    if (is_start && is_place(plain, s.codepoint, &after)) {
      if (at < block) fail("skip_stable misses", text, size, block, at);
      wanted |= at < block ? 0 : (uint64_t)1 << (at - block);
    }
    at += s.length;
  }
  if (block > size || places != wanted || (block < size && !wanted))
    fail("skip_stable's places", text, size, (size_t)places, (size_t)wanted);
  return block + 64;
}

/* Compares stable_prefix() on text[0..size), of which text[0..well_formed) is well-formed. */
static void compare_prefix(const Utf8Kernel *kernel, const Utf8Plain *plain,
                           const uint8_t *text, size_t size, size_t well_formed) {
  size_t max = 0;
  for (int after = 0; max < well_formed;) {
    const Utf8Step s = utf8core_step(text, size, max, UTF8_STRICT);
    if (is_place(plain, s.codepoint, &after)) break;
    max += s.length;
  }
  const size_t prefix = kernel->scans.stable_prefix(plain, text, size);
  const int is_short = size <= KERNEL_SHORT;
  if (prefix > max || (is_short && prefix != (max == size ? size : 0)) ||
      utf8core_boundary(text, size, prefix, UTF8_STRICT) != prefix)
    fail("stable_prefix", text, size, prefix, max);
}

/* Compares skip_stable() on text[0..size), which is well-formed, and stable_prefix() on all of the text. */
static void compare_stable(const Utf8Kernel *kernel, const uint8_t *text, size_t size,
                           size_t whole) {
  static Utf8Plain plains[3];
  static Utf8SingleMarks marks;
  static unsigned number;
  if (number == 0)
    for (uint32_t i = 0; i < 3; i++)
      plains[i] = random_plain(i * i * i * 500 + 2, &marks);
  const Utf8Plain *plain = &plains[number++ % 3];
  for (size_t at = 0; at < size;) at = compare_search(kernel, plain, text, size, at);
  if (size == 0) compare_search(kernel, plain, text, size, 0);
  compare_prefix(kernel, plain, text, whole, size);
}

#endif
