/* core/simd/generic_valid.h: K(valid) and K(count), part of generic.h: avx512_valid(), avx2_valid(),
** ssse3_valid(), neon_valid(), simd128_valid(), and likewise avx2_count() and so on.
**
** Text is checked in one of four ways, by its size. Nothing outside of it is read.
**   - Up to two vectors, the most common sizes in a database: as one or two vectors padded
**     with zeros. Vectors of 32 and 64 bytes are first tested for ASCII. With smaller ones, no
**     branch depends on the content of up to 32 bytes: the test would save too little.
**   - Longer text is first tested for ASCII. Only from the first group that is not all ASCII
**     on is it checked further.
**   - From K_LONG bytes on, in groups of 256 bytes. ASCII groups are skipped. In others each
**     vector is checked together with the same bytes shifted by one, two and three, which
**     are loaded from memory, unaligned: these loops have capacity for loads to spare. The
**     loops check only every K_LOOK bytes whether there were errors.
**   - The remainder, and text between these sizes, in single vectors. The last one ends
**     where the text ends, and so overlaps the one before it.
*/

#define K_GROUP ((size_t)256)
#define K_LOOK  (4 * K_GROUP)
#define K_LONG  (K_GROUP + 2 * K_SIZE)

/* Is text of up to two vectors first tested for ASCII? */
#define K_TESTS_SHORT (K_SIZE >= 32)

/* A text this long does not fit in the caches: it is prefetched. */
#define K_FAR ((size_t)1 << 20)

/* ---- checking vectors --------------------------------------------------------------- */

/* Checks v, which follows `before` in the text. */
ALWAYS_INLINE K(errors) K(check_after)(const K(tables) *t, K(errors) errors,
                                       K(vector) before, K(vector) v) {
  return K(check)(t, errors, v, K(shifted_1)(before, v), K(shifted_2)(before, v),
                  K(shifted_3)(before, v));
}

/* Checks the vector at text, where at least three bytes come before it. */
ALWAYS_INLINE K(errors)
    K(check_at)(const K(tables) *t, K(errors) errors, const uint8_t *text) {
  return K(check)(t, errors, K(load)(text), K(load_once)(text - 1),
                  K(load_once)(text - 2), K(load_once)(text - 3));
}

/* Adds an error if the text, which ends with the vector last, cuts a sequence short. */
ALWAYS_INLINE K(errors) K(check_end)(K(errors) errors, K(vector) last) {
  const uint8_t *may_be_last = edge_may_be_last + VECTOR_MAX - K_SIZE;
  return K(note)(errors, K(subs)(last, K(load)(may_be_last)));
}

/* ---- up to two vectors --------------------------------------------------------------- */

/* The result for a text of `size` bytes, padded with zeros to `padded`. */
ALWAYS_INLINE size_t K(scanned)(K(errors) errors, K(counter) counter, size_t size,
                                size_t padded, size_t *codepoints) {
  int well_formed = !K(any)(errors);
  if (codepoints) {
    size_t starts = K(total)(K(add_up)(K(no_sum)(), counter));
    *codepoints = well_formed ? starts - (padded - size) : 0;
  }
  return well_formed ? size : 0;
}

ALWAYS_INLINE size_t K(scan_one)(const uint8_t *text, size_t size, size_t *codepoints) {
  K(vector) v = K(load_short)(text, size);
  if (K_TESTS_SHORT && K(ascii)(v)) {
    if (codepoints) *codepoints = size;
    return size;
  }
  K(tables) t = K(load_tables)();
  K(errors) errors = K(check_after)(&t, K(no_errors)(), K(fill)(0), v);
  K(counter) counter = K(count_starts)(K(no_starts)(), v);
  return K(scanned)(K(check_end)(errors, v), counter, size, K_SIZE, codepoints);
}

ALWAYS_INLINE size_t K(scan_two)(const uint8_t *text, size_t size, size_t *codepoints) {
  K(vector) v = K(load)(text), last = K(load_end)(text + K_SIZE, size - K_SIZE);
  if (K_TESTS_SHORT && K(ascii)(K(or)(v, last))) {
    if (codepoints) *codepoints = size;
    return size;
  }
  K(tables) t = K(load_tables)();
  K(errors) errors = K(check_after)(&t, K(no_errors)(), K(fill)(0), v);
  errors = K(check_end)(K(check_after)(&t, errors, v, last), last);
  K(counter) counter = K(count_starts)(K(count_starts)(K(no_starts)(), v), last);
  return K(scanned)(errors, counter, size, 2 * K_SIZE, codepoints);
}

/* ---- ASCII --------------------------------------------------------------------------- */

/* Is the group at text all ASCII? Tests its last vector first, which usually decides. */
ALWAYS_INLINE int K(group_is_ascii)(const uint8_t *text) {
  OPAQUE_POINTER(text); /* or the vectors stay in registers, of which there are few */
  K(vector) all = K(load)(text + K_GROUP - K_SIZE);
  if (!K(ascii)(all)) return 0;
  UNROLL for (size_t i = 0; i < K_GROUP - K_SIZE; i += K_SIZE) {
    all = K(or)(all, K(load)(text + i));
  }
  return K(ascii)(all);
}

/* Is text of at least a vector all ASCII? Tests its ends first, which usually decide. */
ALWAYS_INLINE int K(is_ascii)(const uint8_t *text, size_t size) {
  const size_t last = size - K_SIZE;
  K(vector) all = K(or)(K(load)(text), K(load)(text + last));
  if (!K(ascii)(all)) return 0;
  size_t at = K_SIZE;
  for (; size - at > 2 * K_SIZE; at += 2 * K_SIZE) {
    all = K(or)(all, K(or)(K(load)(text + at), K(load)(text + at + K_SIZE)));
  }
  all = K(or)(all, K(load)(text + (at < last ? at : last)));
  return K(ascii)(all);
}

/* Where the first group of a long text starts: after two vectors, of which the second may
** overlap it, so that it is aligned. */
ALWAYS_INLINE size_t K(first_group)(const uint8_t *text) {
  return 2 * K_SIZE - (uintptr_t)text % K_SIZE;
}

/* Returns how much of a long text is ASCII: 0, the bytes before a group, or all. */
ALWAYS_INLINE size_t K(ascii_prefix)(const uint8_t *text, size_t size) {
  if (!K(ascii)(K(or)(K(load)(text), K(load)(text + K_SIZE)))) return 0;
  size_t at = K(first_group)(text);
  for (; size - at >= K_GROUP + K_SIZE; at += K_GROUP) {
    K(vector) all = K(load)(text + at);
    UNROLL for (size_t i = K_SIZE; i < K_GROUP; i += K_SIZE) {
      all = K(or)(all, K(load)(text + at + i));
    }
    if (!K(ascii)(all)) return at;
  }
  return K(is_ascii)(text + at, size - at) ? size : at;
}

/* ---- after an error ------------------------------------------------------------------ */

/* Is the group at text well-formed? Its end may cut a sequence short. text is a boundary. */
ALWAYS_INLINE int K(group_is_well_formed)(const K(tables) *t, const uint8_t *text) {
  if (K(group_is_ascii)(text)) return 1;
  K(errors) errors = K(check_after)(t, K(no_errors)(), K(fill)(0), K(load)(text));
  UNROLL for (size_t i = K_SIZE; i < K_GROUP; i += K_SIZE) {
    errors = K(check_at)(t, errors, text + i);
  }
  return !K(any)(errors);
}

/* Returns a boundary less than a group before the first error. text[0..well_formed) is
** well-formed, except that its end may cut a sequence short. If codepoints is not NULL,
** *codepoints is the number of starts in it, and becomes the number up to the boundary. */
static NOINLINE size_t K(stop)(const uint8_t *text, size_t size, size_t well_formed,
                               size_t *codepoints) {
  K(tables) t = K(load_tables)();
  size_t stop = bytes_boundary(text, well_formed);
  if (codepoints) *codepoints -= stop < well_formed;
  while (size - stop >= K_GROUP && K(group_is_well_formed)(&t, text + stop)) {
    size_t length = bytes_boundary(text + stop, K_GROUP);
    if (codepoints) *codepoints += bytes_count_starts(text + stop, length);
    stop += length;
  }
  return stop;
}

/* ---- long text ----------------------------------------------------------------------- */

/* The state of a scan of text of more than two vectors. */
typedef struct K(progress) {
  size_t at;          /* text[0..at) has been checked */
  K(errors) errors;   /* what was found */
  size_t well_formed; /* text[0..well_formed) is, but its end may cut a sequence */
  size_t starts;      /* of code points in text[0..well_formed), without those of sum */
  K(sum) sum;
  K(counter) counter; /* starts in text[well_formed..at) */
} K(progress);

/* Returns where valid() and count() stop if there is an error after p.well_formed. Stores the
** number of code points before that, unless codepoints is NULL. p.starts has no meaning while
** p.well_formed is 0: it may count the first vectors before they are checked. */
ALWAYS_INLINE size_t K(stop_after)(K(progress) p, const uint8_t *text, size_t size,
                                   size_t *codepoints) {
  if (codepoints) *codepoints = p.well_formed > 0 ? p.starts + K(total)(p.sum) : 0;
  return K(stop)(text, size, p.well_formed, codepoints);
}

/* Checks the remainder. Its last vector may overlap what was checked before, whose bytes are
** counted as if they were 00, and then subtracted. */
ALWAYS_INLINE size_t K(scan_remainder)(const K(tables) *t, K(progress) p,
                                       const uint8_t *text, size_t size,
                                       size_t *codepoints) {
  for (; size - p.at > K_SIZE; p.at += K_SIZE) {
    p.errors = K(check_at)(t, p.errors, text + p.at);
    p.counter = K(count_starts)(p.counter, K(load)(text + p.at));
  }
  const uint8_t *last = text + size - K_SIZE;
  p.errors = K(check_end)(K(check_at)(t, p.errors, last), K(load)(last));
  if (K(any)(p.errors)) return K(stop_after)(p, text, size, codepoints);
  if (codepoints) {
    size_t counted = p.at + K_SIZE - size;
    K(vector) window = K(load)(edge_window + VECTOR_MAX - counted);
    p.counter = K(count_starts)(p.counter, K(and)(K(load)(last), window));
    *codepoints = p.starts + K(total)(K(add_up)(p.sum, p.counter)) - counted;
  }
  return size;
}

/* A vector of a group is used up to three times. gcc would load it each time, which is too
** costly when a vector is a full cache line. For smaller ones there are too few registers to
** keep them. */
ALWAYS_INLINE K(vector) K(load_of_group)(const uint8_t *from) {
  return K_SIZE == VECTOR_MAX ? K(load_once)(from) : K(load)(from);
}

/* Checks the group at p->at, before which there is at least a vector. */
ALWAYS_INLINE void K(check_group)(const K(tables) *t, K(progress) *p,
                                  const uint8_t *text, int far, int counting) {
  const uint8_t *group = text + p->at;
  K(vector) before = K(load_of_group)(group - K_SIZE);
  UNROLL for (size_t i = 0; i < K_GROUP; i += K_SIZE) {
    K(vector) v = K(load_of_group)(group + i);
    p->errors = K(check_next)(t, p->errors, before, v, group + i, far);
    if (counting) p->counter = K(count_starts)(p->counter, v);
    before = v;
  }
  p->at += K_GROUP;
}

/* Moves p->well_formed to p->at. Returns 0 if there is an error in between. */
ALWAYS_INLINE int K(look)(K(progress) *p, int counting) {
  if (p->well_formed == p->at) return 1;
  if (K(any)(p->errors)) return 0;
  if (counting) p->sum = K(add_up)(p->sum, p->counter);
  p->counter = K(no_starts)();
  p->well_formed = p->at;
  return 1;
}

ALWAYS_INLINE void K(prefetch)(const uint8_t *text) {
  enum { AHEAD = 8192, CACHE_LINE = 64 };
  UNROLL for (size_t i = 0; i < K_GROUP; i += CACHE_LINE)
      __builtin_prefetch(text + AHEAD + i);
}

/* Checks text[p.at..size) in groups, then the remainder. At least a vector comes before p.at.
** Returns what valid() returns, and stores the number of code points unless codepoints is NULL.
** far: the text is prefetched, since it does not fit in the caches. */
ALWAYS_INLINE size_t K(scan_groups)(const K(tables) *t, K(progress) p,
                                    const uint8_t *text, size_t size, int far,
                                    size_t *codepoints) {
  const int counting = codepoints != NULL;
  while (size - p.at >= K_GROUP) {
    if (far) K(prefetch)(text + p.at);
    if (text[p.at - 1] < 0x80 && K(group_is_ascii)(text + p.at)) {
      if (!K(look)(&p, counting)) return K(stop_after)(p, text, size, codepoints);
      p.well_formed = p.at += K_GROUP;
      p.starts += K_GROUP;
    } else {
      K(check_group)(t, &p, text, far, counting);
      if (p.at - p.well_formed >= K_LOOK && !K(look)(&p, counting))
        return K(stop_after)(p, text, size, codepoints);
    }
  }
  return K(scan_remainder)(t, p, text, size, codepoints);
}

/* Scans text of at least K_LONG bytes. ASCII at its start is not checked again. */
ALWAYS_INLINE size_t K(scan_long)(const uint8_t *text, size_t size,
                                  size_t *codepoints) {
  size_t ascii = K(ascii_prefix)(text, size);
  if (codepoints) *codepoints = ascii;
  if (ascii == size) return size;
  K(tables) t = K(load_tables)();
  K(progress) p = {ascii, K(no_errors)(), ascii, ascii, K(no_sum)(), K(no_starts)()};
  if (ascii == 0) {
    p.at = K(first_group)(text);
    p.errors = K(check_after)(&t, p.errors, K(fill)(0), K(load)(text));
    p.errors = K(check_at)(&t, p.errors, text + K_SIZE);
    if (codepoints) p.starts = bytes_count_starts(text, p.at);
  }
  if (size >= K_FAR) return K(scan_groups)(&t, p, text, size, 1, codepoints);
  return K(scan_groups)(&t, p, text, size, 0, codepoints);
}

/* Scans text of more than two vectors and less than K_LONG bytes. */
ALWAYS_INLINE size_t K(scan_medium)(const uint8_t *text, size_t size,
                                    size_t *codepoints) {
  if (K(is_ascii)(text, size)) {
    if (codepoints) *codepoints = size;
    return size;
  }
  K(tables) t = K(load_tables)();
  K(vector) v = K(load)(text);
  K(progress) p = {K_SIZE, K(no_errors)(), 0, 0, K(no_sum)(), K(no_starts)()};
  p.errors = K(check_after)(&t, p.errors, K(fill)(0), v);
  p.counter = K(count_starts)(p.counter, v);
  return K(scan_remainder)(&t, p, text, size, codepoints);
}

/* ---- valid, count -------------------------------------------------------------------- */

/* kernel.h has the contracts of valid() and count(). For short text a call is a large
** part of the time: each range of sizes has its own function, so that those for short text
** have little to set up. valid_medium() and count_medium() choose for text of more than a
** vector. */
static NOINLINE size_t K(valid_long)(const uint8_t *text, size_t size) {
  return K(scan_long)(text, size, NULL);
}

static NOINLINE size_t K(valid_medium)(const uint8_t *text, size_t size) {
  if (size <= 2 * K_SIZE) return K(scan_two)(text, size, NULL);
  if (size >= K_LONG) return K(valid_long)(text, size);
  return K(scan_medium)(text, size, NULL);
}

static size_t K(valid)(const uint8_t *text, size_t size) {
  if (size > K_SIZE) return K(valid_medium)(text, size);
  return K(scan_one)(text, size, NULL);
}

static NOINLINE size_t K(count_long)(const uint8_t *text, size_t size,
                                     size_t *codepoints) {
  size_t counted, stop = K(scan_long)(text, size, &counted);
  *codepoints = counted;
  return stop;
}

static NOINLINE size_t K(count_two)(const uint8_t *text, size_t size,
                                    size_t *codepoints) {
  size_t counted, stop = K(scan_two)(text, size, &counted);
  *codepoints = counted;
  return stop;
}

static NOINLINE size_t K(count_medium)(const uint8_t *text, size_t size,
                                       size_t *codepoints) {
  if (size <= 2 * K_SIZE) return K(count_two)(text, size, codepoints);
  if (size >= K_LONG) return K(count_long)(text, size, codepoints);
  size_t counted, stop = K(scan_medium)(text, size, &counted);
  *codepoints = counted;
  return stop;
}

static size_t K(count)(const uint8_t *text, size_t size, size_t *codepoints) {
  if (size > K_SIZE) return K(count_medium)(text, size, codepoints);
  size_t counted, stop = K(scan_one)(text, size, &counted);
  *codepoints = counted;
  return stop;
}
