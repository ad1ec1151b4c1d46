/* generic.h: a kernel's functions, written once over the vectors of any processor.
**
** An instruction set's header defines, under a prefix of its own, a vector type and some
** twenty operations (avx2.h says what each means), and includes this file, which makes a
** kernel of them:
**
**     #define K(name) avx2_##name                          the prefix
**     #define K_TARGET __attribute__((target("avx2")))     for each function
**     #define K_SIZE 32                                    bytes in a vector
**     #include "generic.h"             gives avx2_valid(), avx2_count(), avx2_repair() ...
**
** Up to 64 bytes, the commonest length in a database, text is judged as one block padded
** with zeros: of one vector, half a block or a whole one, and nothing branches on what is
** in it. Longer text that is all ASCII, or as far as it starts with ASCII, is only tested
** for that. Other text is read in three parts:
**   - its first vector, before which zeros are thought
**   - if there is more than a group, groups of 256 bytes. ASCII is skipped; else each
**     vector is judged together with the same bytes shifted by one, two and three, which
**     come from memory, unaligned: loads are what these loops have to spare. Errors are
**     looked for every 1024 bytes, and then the group is found that has them
**   - single vectors, and a last one that ends where the text ends and so overlaps the one
**     before it. In this one the last three bytes may not be leads that want more
*/
#include "block.h"
#include "kernel.h"
#include "repair.h"
#include "scalar.h"

#define K_INLINE   static inline __attribute__((always_inline)) K_TARGET
#define K_FUNCTION static K_TARGET
#define K_VECTORS  (BLOCK / K_SIZE) /* in a block of 64 bytes */
#define K_GROUP    256
#define K_LEAST    (K_SIZE + 3) /* from here on, text is read in three parts */
#define K_LONG     (K_GROUP + 2 * K_SIZE) /* and from here on, in groups too */

/* ---- judging ------------------------------------------------------------------------ */

/* Judges v, which follows `before` in the text. */
K_INLINE K(errors) K(check_after)(const K(tables) *t, K(errors) errors,
                                  K(vector) before, K(vector) v) {
  return K(check)(t, errors, v, K(shifted_1)(before, v), K(shifted_2)(before, v),
                  K(shifted_3)(before, v));
}

/* Judges the vector at text, before which there are three bytes more. */
K_INLINE K(errors)
    K(check_at)(const K(tables) *t, K(errors) errors, const uint8_t *text) {
  return K(check)(t, errors, K(load)(text), K(load_once)(text - 1),
                  K(load_once)(text - 2), K(load_once)(text - 3));
}

/* Notes leads that want more than there is of the text, which ends with last. */
K_INLINE K(errors) K(check_end)(K(errors) errors, K(vector) last) {
  return K(note)(errors, K(subs)(last, K(load)(block_last + BLOCK - K_SIZE)));
}

/* ---- up to 64 bytes ----------------------------------------------------------------- */

/* Judges text[0..size), which is at most n vectors long, though readable for as many.
** Beyond the text come zeros. */
K_INLINE size_t K(scan_block)(const uint8_t *text, size_t size, size_t n,
                              size_t *codepoints) {
  const uint8_t *window = block_window + BLOCK - size;
  K(vector) v = K(fill)(0);
  K(tables) t = K(tables_for)();
  K(errors) errors = K(no_errors)();
  K(counter) counter = K(no_starts)();
  UNROLL for (size_t i = 0; i < n; i++) {
    K(vector) before = v, inside = K(load)(window + i * K_SIZE);
    v = K(and)(K(load)(text + i * K_SIZE), inside);
    errors = K(check_after)(&t, errors, before, v);
    if (codepoints) counter = K(count_starts)(counter, v);
  }
  int good = !K(any)(K(check_end)(errors, v));
  if (codepoints) {
    size_t padding = n * K_SIZE - size;
    *codepoints = good ? K(total)(K(add_up)(K(no_sum)(), counter)) - padding : 0;
  }
  return good ? size : 0;
}

/* The same with as few vectors as it takes. */
K_INLINE size_t K(scan_short)(const uint8_t *text, size_t size, size_t *codepoints) {
  if (size <= K_SIZE) return K(scan_block)(text, size, 1, codepoints);
  if (size <= BLOCK / 2) return K(scan_block)(text, size, K_VECTORS / 2, codepoints);
  return K(scan_block)(text, size, K_VECTORS, codepoints);
}

/* Where the text's end is too near to memory that is not there. */
K_INLINE size_t K(scan_copy)(const uint8_t *text, size_t size, size_t *codepoints) {
  uint8_t copy[BLOCK] = {0};
  if (size > 0) memcpy(copy, text, size);
  return K(scan_block)(copy, size, K_VECTORS, codepoints);
}

/* Text of one or two bytes more than a block: its last vector would have to be judged with
** bytes from before its start. */
K_INLINE size_t K(scan_more)(const uint8_t *text, size_t size, size_t *codepoints) {
  size_t block = bytes_boundary(text, BLOCK), more = 0;
  size_t rest = K(scan_block)(text, block, K_VECTORS, codepoints);
  if (rest < block) return rest;
  rest = dfa_scan(text + block, size - block, codepoints ? &more : NULL);
  if (codepoints) *codepoints += more;
  return block + rest;
}

/* ---- more than 64 bytes ------------------------------------------------------------- */

/* Has the group at text nothing but one-byte characters? If not, its last vector mostly
** shows it. What is loaded here is not to be kept for judging, where registers are few. */
K_INLINE int K(skips)(const uint8_t *text) {
  __asm__("" : "+r"(text));
  K(vector) all = K(load)(text + K_GROUP - K_SIZE);
  if (!K(ascii)(all)) return 0;
  UNROLL for (size_t i = 0; i < K_GROUP - K_SIZE; i += K_SIZE) {
    K(vector) v = K(load)(text + i);
    all = K(or)(all, v);
  }
  return K(ascii)(all);
}

/* A vector of a group is used up to three times. gcc would load it as often, which a vector
** as wide as a line of the cache cannot spare; smaller ones lack the registers to keep it. */
K_INLINE K(vector) K(load_of_group)(const uint8_t *from) {
  return K_SIZE == BLOCK ? K(load_once)(from) : K(load)(from);
}

/* Judges the group at text, before which there is a vector more. Far text comes from
** main memory. */
K_INLINE K(errors)
    K(check_group)(const K(tables) *t, K(errors) errors, const uint8_t *text, int far,
                   int counting, K(counter) *counter) {
  K(vector) before = K(load_of_group)(text - K_SIZE);
  UNROLL for (size_t i = 0; i < K_GROUP; i += K_SIZE) {
    K(vector) v = K(load_of_group)(text + i);
    errors = K(check_next)(t, errors, before, v, text + i, far);
    if (counting) *counter = K(count_starts)(*counter, v);
    before = v;
  }
  return errors;
}

K_INLINE void K(prefetch)(const uint8_t *text) {
  enum { AHEAD = 8192, LINE = 64 };
  UNROLL for (size_t i = 0; i < K_GROUP; i += LINE)
      __builtin_prefetch(text + AHEAD + i);
}

/* Is the group at text, which starts at a boundary, well-formed but perhaps for its end? */
K_INLINE int K(group_is_good)(const K(tables) *t, const uint8_t *text) {
  if (K(skips)(text)) return 1;
  K(errors) errors = K(check_after)(t, K(no_errors)(), K(fill)(0), K(load)(text));
  UNROLL for (size_t i = K_SIZE; i < K_GROUP; i += K_SIZE) {
    errors = K(check_at)(t, errors, text + i);
  }
  return !K(any)(errors);
}

/* Where to rest if text[0..good) is well-formed, perhaps but for its end, and there is an
** error behind: less than a group before it. Counts from start to there. */
K_FUNCTION __attribute__((noinline))
size_t K(rest)(const uint8_t *text, size_t size, size_t good, size_t *codepoints) {
  K(tables) t = K(tables_for)();
  size_t rest = bytes_boundary(text, good);
  if (codepoints) *codepoints -= rest < good;
  while (size - rest >= K_GROUP && K(group_is_good)(&t, text + rest)) {
    size_t whole = bytes_boundary(text + rest, K_GROUP);
    if (codepoints) *codepoints += bytes_count_starts(text + rest, whole);
    rest += whole;
  }
  return rest;
}

/* How far a scan has come. */
typedef struct K(progress) {
  size_t at;        /* text[0..at) has been judged */
  K(errors) errors; /* with this result */
  size_t good;   /* and text[0..good) was found well-formed, perhaps but for its end */
  size_t starts; /* characters in there */
  K(counter) counter; /* and behind */
} K(progress);

/* The last part: less than a group. Its last vector may overlap what was judged before; in
** this, what was counted is taken for zeros, and off the count. */
K_INLINE size_t K(scan_end)(const K(tables) *t, K(progress) p, const uint8_t *text,
                            size_t size, size_t *codepoints) {
  for (; size - p.at > K_SIZE; p.at += K_SIZE) {
    p.errors = K(check_at)(t, p.errors, text + p.at);
    if (codepoints) p.counter = K(count_starts)(p.counter, K(load)(text + p.at));
  }
  const uint8_t *last = text + size - K_SIZE;
  p.errors = K(check_end)(K(check_at)(t, p.errors, last), K(load)(last));
  if (K(any)(p.errors)) {
    if (codepoints) *codepoints = p.good > 0 ? p.starts : 0;
    return K(rest)(text, size, p.good, codepoints);
  }
  if (codepoints) {
    size_t counted = p.at + K_SIZE - size;
    K(vector) v = K(and)(K(load)(last), K(load)(block_window + 2 * BLOCK - counted));
    p.counter = K(count_starts)(p.counter, v);
    *codepoints = p.starts + K(total)(K(add_up)(K(no_sum)(), p.counter)) - counted;
  }
  return size;
}

/* Has text of at least a vector nothing but ASCII? If not, its ends mostly show it. */
K_INLINE int K(is_ascii)(const uint8_t *text, size_t size) {
  K(vector) all = K(or)(K(load)(text), K(load)(text + size - K_SIZE));
  if (!K(ascii)(all)) return 0;
  const size_t last = size - K_SIZE;
  size_t at = K_SIZE;
  for (; size - at > 2 * K_SIZE; at += 2 * K_SIZE)
    all = K(or)(all, K(or)(K(load)(text + at), K(load)(text + at + K_SIZE)));
  all = K(or)(all, K(load)(text + (at < last ? at : last)));
  return K(ascii)(all);
}

/* Has the group? */
K_INLINE int K(group_is_ascii)(const uint8_t *text) {
  K(vector) all = K(load)(text);
  UNROLL for (size_t i = K_SIZE; i < K_GROUP; i += K_SIZE) {
    all = K(or)(all, K(load)(text + i));
  }
  return K(ascii)(all);
}

K_INLINE size_t K(scan_middling)(const uint8_t *text, size_t size, size_t *codepoints) {
  if (K(is_ascii)(text, size)) {
    if (codepoints) *codepoints = size;
    return size;
  }
  K(tables) t = K(tables_for)();
  K(vector) v = K(load)(text);
  K(progress) p = {K_SIZE, K(no_errors)(), 0, 0, K(no_starts)()};
  p.errors = K(check_after)(&t, p.errors, K(fill)(0), v);
  if (codepoints) p.counter = K(count_starts)(p.counter, v);
  return K(scan_end)(&t, p, text, size, codepoints);
}

enum { K(FAR) = 1 << 20, K(LOOK) = 4 * K_GROUP };

/* Where the first group of longer text starts: behind two vectors, of which the second may
** overlap it, that it be aligned. */
K_INLINE size_t K(first_group)(const uint8_t *text) {
  return 2 * K_SIZE - (uintptr_t)text % K_SIZE;
}

/* The length of the ASCII with which longer text starts: nothing, the bytes before a group,
** or all. */
K_INLINE size_t K(ascii_start)(const uint8_t *text, size_t size) {
  if (!K(ascii)(K(or)(K(load)(text), K(load)(text + K_SIZE)))) return 0;
  size_t at = K(first_group)(text);
  for (; size - at >= K_GROUP + K_SIZE; at += K_GROUP) {
    if (!K(group_is_ascii)(text + at)) return at;
  }
  return K(is_ascii)(text + at, size - at) ? size : at;
}

/* Longer text: from its first group on that is not ASCII, if it starts with ASCII, else from
** its start. Errors are looked for after LOOK bytes, or before ASCII. */
K_INLINE size_t K(scan_long)(const uint8_t *text, size_t size, size_t *codepoints) {
  size_t ascii = K(ascii_start)(text, size);
  if (ascii == size) {
    if (codepoints) *codepoints = size;
    return size;
  }
  K(tables) t = K(tables_for)();
  K(progress) p = {ascii, K(no_errors)(), ascii, ascii, K(no_starts)()};
  K(sum) sum = K(no_sum)();
  int far = size >= K(FAR), counting = codepoints != NULL;
  if (ascii == 0) {
    p.at = K(first_group)(text);
    p.errors = K(check_after)(&t, p.errors, K(fill)(0), K(load)(text));
    p.errors = K(check_at)(&t, p.errors, text + K_SIZE);
    if (counting) p.starts = bytes_count_starts(text, p.at);
  }

  for (size_t next; size - p.at >= K_GROUP; p.at = next) {
    const uint8_t *group = text + p.at;
    int skip = group[-1] < 0x80 && K(skips)(group);
    next = p.at + K_GROUP;
    if (far) K(prefetch)(group);
    if (!skip && far)
      p.errors = K(check_group)(&t, p.errors, group, 1, counting, &p.counter);
    else if (!skip)
      p.errors = K(check_group)(&t, p.errors, group, 0, counting, &p.counter);
    if (!skip && next - p.good < K(LOOK)) continue;
    if (!skip || p.good < p.at) {
      if (K(any)(p.errors)) break;
      if (counting) sum = K(add_up)(sum, p.counter);
      p.counter = K(no_starts)();
    }
    p.good = next;
    if (skip) p.starts += K_GROUP;
  }
  p.starts += K(total)(sum);
  if (size - p.at < K_GROUP) return K(scan_end)(&t, p, text, size, codepoints);
  if (codepoints) *codepoints = p.good > 0 ? p.starts : 0;
  return K(rest)(text, size, p.good, codepoints);
}

/* ---- valid, count ----------------------------------------------------- */

/* Spares the loops asking whether they are to count. */
K_INLINE size_t *K(never_null)(size_t *codepoints) {
  if (!codepoints) __builtin_unreachable();
  return codepoints;
}

/* Each with its rarer or longer ways apart, so that the shorter ones have little to set up.
** Size 0, where text may be NULL, goes the long way too. */
#define K_SCAN(name, parameters, arguments, codepoints)                                \
  K_FUNCTION __attribute__((noinline)) size_t K(name##_long) parameters {              \
    if (size == 0) return K(scan_copy)(text, size, codepoints);                        \
    if (K_LEAST > BLOCK && size < K_LEAST)                                             \
      return K(scan_more)(text, size, codepoints);                                     \
    return K(scan_long)(text, size, codepoints);                                       \
  }                                                                                    \
  K_FUNCTION __attribute__((noinline)) size_t K(name##_middling) parameters {          \
    if (size - K_LEAST >= K_LONG - K_LEAST) return K(name##_long) arguments;           \
    return K(scan_middling)(text, size, codepoints);                                   \
  }                                                                                    \
  K_FUNCTION __attribute__((noinline)) size_t K(name##_copy) parameters {              \
    return K(scan_copy)(text, size, codepoints);                                       \
  }                                                                                    \
  K_FUNCTION size_t K(name) parameters {                                               \
    if (size - 1 >= BLOCK) return K(name##_middling) arguments;                        \
    if (!block_is_readable(text)) return K(name##_copy) arguments;                     \
    return K(scan_short)(text, size, codepoints);                                      \
  }

K_SCAN(valid, (const uint8_t *text, size_t size), (text, size), NULL)
K_SCAN(count, (const uint8_t *text, size_t size, size_t *codepoints),
       (text, size, codepoints), K(never_null)(codepoints))

/* ---- repair ------------------------------------------------------------------------- */

#ifndef K_OWN_REPAIR
K_INLINE BlockMasks K(block_masks)(const K(vector) block[K_VECTORS]) {
  K(vector) tails[K_VECTORS], lead3[K_VECTORS], lead4[K_VECTORS], bad[K_VECTORS];
  K(vector) before = K(fill)(0), wrong = K(fill)(BAD_SECOND);
  K(tables) t = K(tables_for)();
  UNROLL for (size_t i = 0; i < K_VECTORS; i++) {
    K(vector) v = block[i];
    tails[i] = K(is_tail)(v);
    lead3[i] = K(subs)(v, t.lead3);
    lead4[i] = K(subs)(v, t.lead4);
    bad[i] = K(add)(K(and)(K(pairs)(&t, v, K(shifted_1)(before, v)), wrong), wrong);
    before = v;
  }
  BlockMasks masks = {~K(mask)(block), K(mask)(tails), K(mask)(lead3), K(mask)(lead4),
                      K(mask)(bad)};
  return masks;
}

K_INLINE uint8_t *K(move_block)(uint8_t *to, const uint8_t *text, BlockPlan plan) {
  MoveNumbers numbers = move_numbers(plan);
  UNROLL for (size_t i = 0; i < BLOCK; i += 8) {
    const uint8_t *row = move_rows[numbers.even >> i & 255];
    K(move)(to, text + i, row);
    to += row[MOVE_SIZE];
    row = move_rows[numbers.odd >> i & 255];
    K(move)(to, text + i + 4, row);
    to += row[MOVE_SIZE];
  }
  return to;
}
#endif

K_INLINE BlockPlan K(plan)(const uint8_t *text) {
  K(vector) block[K_VECTORS];
  UNROLL for (size_t i = 0; i < K_VECTORS; i++) block[i] = K(load)(text + i * K_SIZE);
  return block_plan(K(block_masks)(block));
}

K_FUNCTION unsigned K(classify_block)(const uint8_t *text, uint64_t *kept,
                                      uint64_t *starts) {
  BlockPlan plan = K(plan)(text);
  *kept = plan.keep;
  *starts = plan.starts;
  return plan.size;
}

/* Writes the block at text; returns whether there was nothing to repair. */
K_INLINE int K(repair_block)(const uint8_t *text, BlockPlan plan, uint8_t **out) {
  if (!block_is_clean(plan)) {
    *out = K(move_block)(*out, text, plan);
    return 0;
  }
  UNROLL for (size_t i = 0; i < BLOCK; i += K_SIZE)
      K(store)(*out + i, K(load)(text + i));
  *out += plan.size;
  return 1;
}

/* Copies groups as long as they are well-formed, and returns how many bytes that is. */
K_FUNCTION __attribute__((noinline))
size_t K(copy_groups)(const uint8_t *text, size_t size, uint8_t *out) {
  K(tables) t = K(tables_for)();
  size_t at = 0;
  while (size - at >= K_GROUP && K(group_is_good)(&t, text + at)) {
    UNROLL for (size_t i = 0; i < K_GROUP; i += K_SIZE) {
      K(store)(out + at + i, K(load)(text + at + i));
    }
    at += bytes_boundary(text + at, K_GROUP);
  }
  return at;
}

/* The end of a text of size bytes, of which `left`, less than a block, are to be done. */
K_FUNCTION size_t K(repair_end)(const uint8_t *text, size_t size, size_t left,
                                uint8_t **out) {
  uint8_t copy[BLOCK] = {0};
  const uint8_t *block = copy;
  if (size >= BLOCK)
    block = text + size - BLOCK;
  else if (size > 0)
    memcpy(copy + BLOCK - size, text, size);
  unsigned done = (unsigned)(BLOCK - left);
  BlockPlan plan = K(plan)(block);
  plan.keep &= ~block_first(done);
  plan.replace &= ~block_first(done);
  *out = K(move_block)(*out, block, plan);
  return plan.size - done;
}

/* Repairs blocks until errors have been met and are over, or less than a block is left.
** Each is judged before the one in front of it is written, so that the processor can do
** both at once. */
K_INLINE const uint8_t *K(repair_blocks)(const uint8_t *text, const uint8_t *end,
                                         uint8_t **out) {
  int met = 0, more = end - text >= BLOCK;
  BlockPlan next = {0};
  if (more) next = K(plan)(text);
  while (more && !(met && block_is_clean(next))) {
    const BlockPlan plan = next;
    const uint8_t *block = text;
    text += plan.size;
    more = end - text >= BLOCK;
    if (more) next = K(plan)(text);
    met |= !K(repair_block)(block, plan, out);
  }
  return text;
}

K_FUNCTION size_t K(repair)(const uint8_t *text, size_t size, uint8_t *out,
                            size_t *written) {
  const uint8_t *from = text, *end = text + size;
  uint8_t *to = out;
  while (end - from >= BLOCK) {
    size_t good = K(copy_groups)(from, (size_t)(end - from), to);
    to += good;
    from = K(repair_blocks)(from + good, end, &to);
  }
  size_t at = (size_t)(from - text);
  at += K(repair_end)(text, size, size - at, &to);
  at = scalar_repair_rest(text, size, at, &to);
  *written = (size_t)(to - out);
  return at;
}

static const Utf8Kernel K(kernel) = {K_NAME, K(valid), K(count), K(repair),
                                     K(classify_block)};

#undef K
#undef K_NAME
#undef K_TARGET
#undef K_SIZE
#undef K_INLINE
#undef K_FUNCTION
#undef K_VECTORS
#undef K_GROUP
#undef K_LEAST
#undef K_LONG
#undef K_SCAN
#undef K_OWN_REPAIR
