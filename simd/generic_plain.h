/* generic_plain.h: K(skip_stable) and K(is_stable), part of generic.h: avx2_skip_stable() and so on, for
** kernels whose vectors are smaller than a block. kernel.h has the contract, plain.h explains the tables.
**
** A code point is looked up at its first byte b; n1 and n2 have the two bytes after each. The lead
** bytes of most text are plain by leads[]. Where one is not, the code points of two bytes, and those
** of three bytes in the groups of plain.h, are looked up among the 512 of their group. The others are
** looked up one at a time.
*/

/* 64 bytes, in registers. */
typedef struct K(plain_rows) {
  K(vector) row[4];
} K(plain_rows);

ALWAYS_INLINE K(plain_rows) K(load_plain_rows)(const uint8_t bytes[64]) {
  K(plain_rows) rows;
  UNROLL for (int i = 0; i < 4; i++) rows.row[i] = K(row)(bytes + 16 * i);
  return rows;
}

/* Returns the byte at each index, or 0 where the index is above 63. */
ALWAYS_INLINE K(vector) K(look_up)(const K(plain_rows) *rows, K(vector) index) {
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
  return K(pick)(K(row)(plain_bits), K(and)(v, K(fill)(7)));
}

/* Returns FF where a bit of v is set, else 0. */
ALWAYS_INLINE K(vector) K(any_bit)(K(vector) v) {
  return K(equal)(K(equal)(v, K(fill)(0)), K(fill)(0));
}

/* Returns FF where one of a group's code points is not plain, by its last two bytes. */
ALWAYS_INLINE K(vector)
    K(in_group)(const uint8_t group[64], K(vector) first, K(vector) last) {
  const K(plain_rows) rows = K(load_plain_rows)(group);
  const K(vector) high = K(up_3)(K(and)(first, K(fill)(7)));
  const K(vector) place = K(or)(high, K(middle_bits)(last));
  return K(any_bit)(K(and)(K(look_up)(&rows, place), K(bit)(last)));
}

/* The code points that start in a block: bit i for byte i. */
typedef struct K(plain_search) {
  const Utf8Plain *plain;
  const uint8_t *text; /* the block, and two bytes more */
  uint64_t unknown;    /* not plain by leads[], and not looked up yet */
  uint64_t places;     /* not plain */
} K(plain_search);

/* Looks up the code points of a group: those that start with byte `lead`, and `second` in some of the
** bits of either b (two bytes) or n1 (three bytes). */
ALWAYS_INLINE void K(search_group)(K(plain_search) *s, const uint8_t group[64],
                                   int lead, int second, int is_two) {
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
  s->unknown &= ~lanes;
  s->places |= K(mask)(found) & lanes;
}

/* Looks up the first unknown code point, and others of its group. */
ALWAYS_INLINE void K(search_next)(K(plain_search) *s) {
  const size_t at = mask_lowest(s->unknown);
  const uint8_t *p = s->text + at;
  const unsigned group =
      p[0] >= 0xE0 && p[0] < 0xF0 ? plain_group_of[plain_number(p)] : 0;
  if (p[0] < 0xE0) {
    K(search_group)(s, s->plain->two + 64 * (p[0] >> 3 & 3), p[0] & 0x18, 0, 1);
  } else if (group) {
    K(search_group)(s, s->plain->groups[group - 1], p[0], p[1] >> 3 & 7, 0);
  } else {
    unsigned length;
    s->unknown &= s->unknown - 1;
    if (!portable_plain_at(s->plain, p, &length)) s->places |= (uint64_t)1 << at;
  }
}

/* Returns those of the unknown code points that are not plain. A few are looked up one at a time. */
static NOINLINE uint64_t K(plain_exact)(const Utf8Plain *plain, const uint8_t *text,
                                        uint64_t unknown) {
  enum { FEW = 4 };
  K(plain_search) s = {plain, text, unknown, 0};
  if (mask_count(unknown) > FEW) {
    while (s.unknown) K(search_next)(&s);
    return s.places;
  }
  for (; s.unknown; s.unknown &= s.unknown - 1) {
    const size_t at = mask_lowest(s.unknown);
    unsigned length;
    if (!portable_plain_at(plain, text + at, &length)) s.places |= (uint64_t)1 << at;
  }
  return s.places;
}

/* Returns where letters A..Z are in a block. */
ALWAYS_INLINE uint64_t K(plain_letters)(const uint8_t *text) {
  K(vector) found[64 / K_SIZE];
  UNROLL for (size_t i = 0; i < 64 / K_SIZE; i++) {
    const K(vector) letter = K(add)(K(load)(text + i * K_SIZE), K(fill)(-'A'));
    found[i] = K(equal)(K(subs)(letter, K(fill)(25)), K(fill)(0));
  }
  return K(mask)(found);
}

/* Returns where code points that leads[] does not show to be plain start in a block. */
ALWAYS_INLINE uint64_t K(plain_leads)(const K(plain_rows) *leads, const uint8_t *text) {
  K(vector) found[64 / K_SIZE];
  UNROLL for (size_t i = 0; i < 64 / K_SIZE; i++) {
    const K(vector) b = K(load)(text + i * K_SIZE);
    const K(vector) row = K(look_up)(leads, K(add)(b, K(fill)(0x40)));
    const K(vector) n1 = K(load)(text + i * K_SIZE + 1);
    found[i] = K(any_bit)(K(and)(row, K(bit)(K(middle_bits)(n1))));
  }
  return K(mask)(found);
}

/* Returns where code points that are not plain start in a block. text has two bytes more. */
ALWAYS_INLINE uint64_t K(plain_block)(const Utf8Plain *plain,
                                      const K(plain_rows) *leads, const uint8_t *text) {
  const uint64_t letters = plain->letters ? K(plain_letters)(text) : 0;
  K(vector) all = K(load)(text);
  UNROLL for (size_t i = 1; i < 64 / K_SIZE; i++) {
    all = K(or)(all, K(load)(text + i * K_SIZE));
  }
  if (K(ascii)(all)) return letters;
  const uint64_t unknown = K(plain_leads)(leads, text);
  return unknown ? letters | K(plain_exact)(plain, text, unknown) : letters;
}

static size_t K(skip_stable)(const Utf8Plain *plain, const uint8_t *text, size_t size,
                             uint64_t *places) {
  const K(plain_rows) leads = K(load_plain_rows)(plain->leads);
  size_t at = 0;
  for (; size - at >= 64 + 2; at += 64) {
    *places = K(plain_block)(plain, &leads, text + at);
    if (*places) return at;
  }
  for (; at < size; at += size - at < 64 ? size - at : 64) {
    uint8_t end[64 + 2] = {0};
    memcpy(end, text + at, size - at);
    *places = K(plain_block)(plain, &leads, end);
    if (*places) return at;
  }
  *places = 0;
  return size;
}

static int K(is_stable)(const Utf8Plain *plain, const uint8_t *text, size_t size) {
  uint64_t places;
  if (K(valid)(text, size) < size) return 0;
  K(skip_stable)(plain, text, size, &places);
  return !places;
}
