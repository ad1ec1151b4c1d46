/* core/simd/generic_set.h: K(skip_outside) and K(prefix_outside), part of generic.h: avx2_skip_outside() and so on, for
** kernels whose vectors are smaller than a block. kernel.h has the contract, codeset.h explains the tables.
**
** A code point is looked up at its first byte b; n1 and n2 have the two bytes after each. The lead
** bytes of most text are outside of the set by leads[]. Where one is not, the code points of two bytes, and those
** of three bytes in the groups of codeset.h, are looked up among the 512 of their group. The others are
** looked up one at a time.
*/

/* 64 bytes, in registers. */
typedef struct K(set_rows) {
  K(vector) row[4];
} K(set_rows);

ALWAYS_INLINE K(set_rows) K(load_set_rows)(const uint8_t bytes[64]) {
  K(set_rows) rows;
  UNROLL for (int i = 0; i < 4; i++) rows.row[i] = K(row)(bytes + 16 * i);
  return rows;
}

/* Returns the byte at each index, or 0 where the index is above 63. */
ALWAYS_INLINE K(vector) K(look_up)(const K(set_rows) *rows, K(vector) index) {
  K(vector) found = K(pick)(rows->row[0], index);
  UNROLL for (int i = 1; i < 4; i++) {
    index = K(add)(index, K(fill)(-16));
    found = K(or)(found, K(pick)(rows->row[i], index));
  }
  return found;
}

/* Returns byte >> 3 & 7 for each byte. */
ALWAYS_INLINE K(vector) K(middle_bits)(K(vector) v) {
  return K(and)(K(down_3)(v), K(fill)(7));
}

/* Returns 1 << (byte & 7) for each byte. */
ALWAYS_INLINE K(vector) K(bit)(K(vector) v) {
  return K(pick)(K(row)(bit_of_8), K(and)(v, K(fill)(7)));
}

/* Returns FF where a bit of v is set, else 0. */
ALWAYS_INLINE K(vector) K(any_bit)(K(vector) v) {
  return K(equal)(K(equal)(v, K(fill)(0)), K(fill)(0));
}

/* Returns FF where the bit of one of a group's code points is set, by its last two bytes. */
ALWAYS_INLINE K(vector)
    K(in_group)(const uint8_t group[64], K(vector) first, K(vector) last) {
  const K(set_rows) rows = K(load_set_rows)(group);
  const K(vector) high = K(up_3)(K(and)(first, K(fill)(7)));
  const K(vector) place = K(or)(high, K(middle_bits)(last));
  return K(any_bit)(K(and)(K(look_up)(&rows, place), K(bit)(last)));
}

/* The code points that start in a block: bit i for byte i. */
typedef struct K(set_search) {
  const Utf8CodeSet *set;
  const uint8_t *text; /* the block, and two bytes more */
  uint64_t unknown;    /* may be in the set by leads[], and not looked up yet */
  uint64_t members;    /* in the set */
  uint64_t single;     /* the singles among these */
} K(set_search);

/* Returns where bits of a group are set, by the two last bytes of two or three at each byte of a block. */
ALWAYS_INLINE uint64_t K(group_mask)(const uint8_t *text, const uint8_t group[64],
                                     int is_two) {
  K(vector) found[64 / K_SIZE];
  UNROLL for (size_t i = 0; i < 64 / K_SIZE; i++) {
    const uint8_t *first = text + i * K_SIZE + !is_two;
    found[i] = K(in_group)(group, K(load)(first), K(load)(first + 1));
  }
  return K(mask)(found);
}

/* Looks up the code points of a group, which starts at `group` in Utf8CodeSet and at `singles` in
** its singles: those that start with byte `lead`, and `second` in some of the bits of either b (two
** bytes) or n1 (three bytes). */
ALWAYS_INLINE void K(search_group)(K(set_search) *s, const uint8_t group[64],
                                   const uint8_t singles[64], int lead, int second,
                                   int is_two) {
  K(vector) mine[64 / K_SIZE], found[64 / K_SIZE];
  const K(vector) wanted = K(fill)(is_two ? 0xC0 | lead : lead);
  UNROLL for (size_t i = 0; i < 64 / K_SIZE; i++) {
    const uint8_t *p = s->text + i * K_SIZE;
    const K(vector) b = K(load)(p), n1 = K(load)(p + 1);
    if (is_two) {
      mine[i] = K(equal)(K(and)(b, K(fill)(0xF8)), wanted);
      found[i] = K(in_group)(group, b, n1);
    } else {
      const K(vector) key = K(equal)(K(middle_bits)(n1), K(fill)(second));
      mine[i] = K(and)(K(equal)(b, wanted), key);
      found[i] = K(in_group)(group, n1, K(load)(p + 2));
    }
  }
  const uint64_t lanes = K(mask)(mine) & s->unknown;
  const uint64_t members = K(mask)(found) & lanes;
  s->unknown &= ~lanes;
  s->members |= members;
  if (members) s->single |= members & K(group_mask)(s->text, singles, is_two);
}

/* Looks up the first unknown code point alone. */
ALWAYS_INLINE void K(search_one)(K(set_search) *s) {
  const size_t at = mask_lowest(s->unknown);
  const uint64_t bit = (uint64_t)1 << at;
  unsigned length;
  s->unknown &= ~bit;
  if (portable_is_outside(s->set, s->text + at, &length)) return;
  s->members |= bit;
  if (portable_is_single(s->set, s->text + at)) s->single |= bit;
}

/* Looks up the first unknown code point, and others of its group. */
ALWAYS_INLINE void K(search_next)(K(set_search) *s) {
  const size_t at = mask_lowest(s->unknown);
  const uint8_t *p = s->text + at;
  const size_t two = 64 * (size_t)(p[0] >> 3 & 3);
  const unsigned group =
      p[0] >= 0xE0 && p[0] < 0xF0 ? s->set->singles->group_of[codeset_number(p)] : 0;
  const Utf8Singles *singles = s->set->singles;
  if (p[0] < 0xE0) {
    K(search_group)(s, s->set->two + two, singles->two + two, p[0] & 0x18, 0, 1);
  } else if (group) {
    K(search_group)
    (s, s->set->groups[group - 1], singles->groups[group - 1], p[0], p[1] >> 3 & 7, 0);
  } else {
    K(search_one)(s);
  }
}

/* Returns where continuation bytes are in a block. */
ALWAYS_INLINE uint64_t K(continuation_bytes)(const uint8_t *text) {
  K(vector) found[64 / K_SIZE];
  UNROLL for (size_t i = 0; i < 64 / K_SIZE; i++) {
    const K(vector) top = K(and)(K(load)(text + i * K_SIZE), K(fill)(0xC0));
    found[i] = K(equal)(top, K(fill)(0x80));
  }
  return K(mask)(found);
}

/* Returns those of the unknown code points that are places. *after is as in codeset_places(). A few are
** looked up one at a time. */
static NOINLINE uint64_t K(set_exact)(const Utf8CodeSet *set, const uint8_t *text,
                                      uint64_t unknown, uint64_t *after) {
  enum { FEW = 4 };
  K(set_search) s = {set, text, unknown, 0, 0};
  if (mask_count(unknown) > FEW) {
    while (s.unknown) K(search_next)(&s);
  } else {
    while (s.unknown) K(search_one)(&s);
  }
  if (!s.members) return *after = 0;
  return codeset_places(s.members, s.single, K(continuation_bytes)(text), after);
}

/* Returns where letters A..Z are in a block. */
ALWAYS_INLINE uint64_t K(set_letters)(const uint8_t *text) {
  K(vector) found[64 / K_SIZE];
  UNROLL for (size_t i = 0; i < 64 / K_SIZE; i++) {
    const K(vector) letter = K(add)(K(load)(text + i * K_SIZE), K(fill)(-'A'));
    found[i] = K(equal)(K(subs)(letter, K(fill)(25)), K(fill)(0));
  }
  return K(mask)(found);
}

/* Returns where code points that leads[] does not show to be outside of the set start in a block. */
ALWAYS_INLINE uint64_t K(set_leads)(const K(set_rows) *leads, const uint8_t *text) {
  K(vector) found[64 / K_SIZE];
  UNROLL for (size_t i = 0; i < 64 / K_SIZE; i++) {
    const K(vector) b = K(load)(text + i * K_SIZE);
    const K(vector) row = K(look_up)(leads, K(add)(b, K(fill)(0x40)));
    const K(vector) n1 = K(load)(text + i * K_SIZE + 1);
    found[i] = K(any_bit)(K(and)(row, K(bit)(K(middle_bits)(n1))));
  }
  return K(mask)(found);
}

/* Returns where places start in a block. text has two bytes more. */
ALWAYS_INLINE uint64_t K(set_block)(const Utf8CodeSet *set, const K(set_rows) *leads,
                                    const uint8_t *text, uint64_t *after) {
  const uint64_t letters = set->letters ? K(set_letters)(text) : 0;
  K(vector) all = K(load)(text);
  UNROLL for (size_t i = 1; i < 64 / K_SIZE; i++) {
    all = K(or)(all, K(load)(text + i * K_SIZE));
  }
  const uint64_t unknown = K(ascii)(all) ? 0 : K(set_leads)(leads, text);
  if (unknown) return letters | K(set_exact)(set, text, unknown, after);
  *after = 0;
  return letters;
}

/* Like skip_outside(). `after` is as in codeset_places(). */
static NOINLINE size_t K(skip_from)(const Utf8CodeSet *set, const uint8_t *text,
                                    size_t size, uint64_t after, uint64_t *places) {
  const K(set_rows) leads = K(load_set_rows)(set->leads);
  size_t at = 0;
  for (; size - at >= 64 + 2; at += 64) {
    *places = K(set_block)(set, &leads, text + at, &after);
    if (*places) return at;
  }
  for (; at < size; at += size - at < 64 ? size - at : 64) {
    uint8_t end[64 + 2] = {0};
    memcpy(end, text + at, size - at);
    *places = K(set_block)(set, &leads, end, &after);
    if (*places) return at;
  }
  *places = 0;
  return size;
}

static size_t K(skip_outside)(const Utf8CodeSet *set, const uint8_t *text, size_t size,
                              uint64_t *places) {
  return K(skip_from)(set, text, size, 1, places);
}

static size_t K(prefix_outside)(const Utf8CodeSet *set, const uint8_t *text,
                                size_t size) {
  uint64_t places;
  if (size > KERNEL_SHORT || K(valid)(text, size) < size) return 0;
  K(skip_from)(set, text, size, 0, &places);
  return places ? 0 : size;
}
