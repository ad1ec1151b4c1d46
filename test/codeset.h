/* codeset.h: what skip_outside() of core/simd/kernel.h is to find, for kerneltest.c: by one number of a code
** point after the other, from a random table.
*/
#ifndef UTF8_TEST_CODESET_H
#define UTF8_TEST_CODESET_H

#include "core/simd/kernel.h"
#include "test/ctest.h"

/* Fills size bytes with bits of which about one in `rarity` is set. */
static void random_bits(uint8_t *bytes, size_t size, uint32_t rarity) {
  for (size_t i = 0; i < size; i++) {
    bytes[i] = 0;
    for (int bit = 0; bit < 8; bit++)
      bytes[i] |= (uint8_t)((random_below(rarity) == 0) << bit);
  }
}

static int is_outside(const Utf8CodeSet *set, uint32_t n);

/* Sets the bits of leads[] that the other tables need. */
static void find_leads(Utf8CodeSet *set) {
  memset(set->leads, 0, sizeof set->leads);
  for (uint32_t n = 0x80; n < 0x110000; n++) {
    uint8_t octets[UTF8_OCTETS_MAX];
    if (is_outside(set, n)) continue;
    utf8core_put(octets, n);
    set->leads[octets[0] & 63] |= (uint8_t)(1 << (octets[1] >> 3 & 7));
  }
}

/* Sets the bits of three[] that groups[] needs. */
static void find_three(Utf8CodeSet *set) {
  for (uint32_t i = 0; i < 128; i++)
    for (uint32_t n = 0; set->singles->group_of[i] && n < 512; n++)
      if (codeset_bit(set->groups[set->singles->group_of[i] - 1], n))
        set->three[i] |= (uint8_t)(1 << (n >> 6));
}

/* The groups of form/tables/changing.h, in another order. */
static const uint8_t group_numbers[128] = {
    [4] = 8, [5] = 2, [6] = 3, [7] = 4, [8] = 1, [15] = 7, [16] = 5, [24] = 6};

/* Returns random tables. Every second code point of the set is a single. */
static Utf8CodeSet random_set(uint32_t rarity, Utf8Singles *marks) {
  Utf8CodeSet set;
  random_bits(marks->two, sizeof marks->two, 2);
  random_bits(marks->groups[0], sizeof marks->groups, 2);
  memcpy(marks->group_of, group_numbers, sizeof marks->group_of);
  set.singles = marks;
  random_bits(set.two, sizeof set.two, rarity);
  random_bits(set.three, sizeof set.three, rarity);
  set.fine_of = random_below(4) ? 0x1F : 0x10;
  random_bits(set.groups[0], sizeof set.groups, rarity);
  random_bits(set.four, sizeof set.four, rarity);
  random_bits(set.fine, sizeof set.fine, rarity);
  set.letters = 0;
  find_three(&set);
  find_leads(&set);
  return set;
}

/* Is code point n outside of the set? */
static int is_outside(const Utf8CodeSet *set, uint32_t n) {
  if (n < 0x80) return !(set->letters && n >= 'A' && n <= 'Z');
  if (n < 0x800) return !codeset_bit(set->two, n);
  if (n >> 12 == set->fine_of && codeset_bit(set->four, n >> 12))
    return !codeset_bit(set->fine, n >> 6 & 63);
  if (n >= 0x10000) return !codeset_bit(set->four, n >> 12);
  const unsigned group = set->singles->group_of[n >> 9];
  if (!group || !codeset_bit(set->three, n >> 6))
    return !codeset_bit(set->three, n >> 6);
  return !codeset_bit(set->groups[group - 1], n & 511);
}

static int is_single(const Utf8CodeSet *set, uint32_t n) {
  if (n < 0x800) return codeset_bit(set->singles->two, n);
  const unsigned group = n < 0x10000 ? set->singles->group_of[n >> 9] : 0;
  return group && codeset_bit(set->singles->groups[group - 1], n & 511);
}

/* Is code point n a place? *after is 1 if the one before it is in the set; stores that of n. */
static int is_place(const Utf8CodeSet *set, uint32_t n, int *after) {
  const int is_member = !is_outside(set, n), follows = *after;
  *after = is_member && n >= 0x80;
  return is_member && (n < 0x80 || follows || !is_single(set, n));
}

/* Compares one search of the kernel in well-formed text[from..size). Returns where to resume. */
static size_t compare_search(const Utf8Kernel *kernel, const Utf8CodeSet *set,
                             const uint8_t *text, size_t size, size_t from) {
  uint64_t places = ~(uint64_t)0, wanted = 0;
  const size_t block =
      from + kernel->scans.skip_outside(set, text + from, size - from, &places);
  int after = 1;
  for (size_t at = from; at < size && at < block + 64;) {
    const Utf8Step s = utf8core_step(text, size, at, UTF8_STRICT);
    const int is_start = !s.error; /* else `from` is inside a sequence */
    if (is_start && is_place(set, s.codepoint, &after)) {
      if (at < block) fail("skip_outside misses", text, size, block, at);
      wanted |= at < block ? 0 : (uint64_t)1 << (at - block);
    }
    at += s.length;
  }
  if (block > size || places != wanted || (block < size && !wanted))
    fail("skip_outside's places", text, size, (size_t)places, (size_t)wanted);
  return block + 64;
}

/* Compares prefix_outside() on text[0..size), of which text[0..well_formed) is well-formed. */
static void compare_prefix(const Utf8Kernel *kernel, const Utf8CodeSet *set,
                           const uint8_t *text, size_t size, size_t well_formed) {
  size_t max = 0;
  for (int after = 0; max < well_formed;) {
    const Utf8Step s = utf8core_step(text, size, max, UTF8_STRICT);
    if (is_place(set, s.codepoint, &after)) break;
    max += s.length;
  }
  const size_t prefix = kernel->scans.prefix_outside(set, text, size);
  const int is_short = size <= KERNEL_SHORT;
  if (prefix > max || (is_short && prefix != (max == size ? size : 0)) ||
      utf8core_boundary(text, size, prefix, UTF8_STRICT) != prefix)
    fail("prefix_outside", text, size, prefix, max);
}

/* Compares skip_outside() on text[0..size), which is well-formed, and prefix_outside() on all of the text. */
static void compare_outside(const Utf8Kernel *kernel, const uint8_t *text, size_t size,
                            size_t whole) {
  enum { SETS = 6 }; /* of three rarities, each with and without the letters */
  static Utf8CodeSet sets[SETS];
  static Utf8Singles marks;
  static unsigned number;
  for (uint32_t i = 0; number == 0 && i < SETS; i++) {
    const uint32_t rare = i / 2;
    sets[i] = random_set(rare * rare * rare * 500 + 2, &marks);
    sets[i].letters = i & 1;
  }
  const Utf8CodeSet *set = &sets[number++ % SETS];
  for (size_t at = 0; at < size;) at = compare_search(kernel, set, text, size, at);
  if (size == 0) compare_search(kernel, set, text, size, 0);
  compare_prefix(kernel, set, text, whole, size);
}

#endif
