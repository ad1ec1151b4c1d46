/* core/simd/generic_repair.h: K(repair) and K(classify_block), part of generic.h: avx512_repair(),
** avx2_repair(), ssse3_repair(), neon_repair(), simd128_repair(), and likewise
** avx2_classify_block() and so on.
**
** Well-formed groups are copied. Others are repaired a block at a time, as block.h plans it,
** until a block has no error.
*/

/* Returns the plan for the block at text, a boundary. */
ALWAYS_INLINE BlockPlan K(plan)(const uint8_t *text) {
  return block_plan(K(block_masks)(text));
}

static unsigned K(classify_block)(const uint8_t *text, uint64_t *kept,
                                  uint64_t *starts) {
  BlockPlan plan = K(plan)(text);
  *kept = plan.keep;
  *starts = plan.starts;
  return plan.size;
}

/* Writes the block at text as its plan says, and moves *out to the end of that. Returns 1 if the
** block was well-formed, else 0. */
ALWAYS_INLINE int K(repair_block)(const uint8_t *text, BlockPlan plan, uint8_t **out) {
  if (!block_is_clean(plan)) {
    *out = K(move_block)(*out, text, plan);
    return 0;
  }
  UNROLL for (size_t i = 0; i < BLOCK; i += K_SIZE)
      K(store)(*out + i, K(load)(text + i));
  *out += plan.size;
  return 1;
}

/* Copies groups as long as they are well-formed, and returns the number of bytes. */
static NOINLINE size_t K(copy_groups)(const uint8_t *text, size_t size, uint8_t *out) {
  K(tables) t = K(load_tables)();
  size_t at = 0;
  while (size - at >= K_GROUP && K(group_is_well_formed)(&t, text + at)) {
    UNROLL for (size_t i = 0; i < K_GROUP; i += K_SIZE) {
      K(store)(out + at + i, K(load)(text + at + i));
    }
    at += bytes_boundary(text + at, K_GROUP);
  }
  return at;
}

/* Repairs blocks until there were errors and a block has none, or less than a block is left.
** Returns where it stopped. Each block is planned before the previous one is written, so
** that the processor can do both at once. */
ALWAYS_INLINE const uint8_t *K(repair_blocks)(const uint8_t *text, const uint8_t *end,
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

/* Repairs the last `left` bytes, less than a block, of a text of size bytes. Returns how many
** of them were decided. Plans them as the end of a block, whose other bytes are the ones before
** them, or zeros, and are not written again. */
static size_t K(repair_end)(const uint8_t *text, size_t size, size_t left,
                            uint8_t **out) {
  uint8_t copy[BLOCK] = {0};
  const uint8_t *block = copy;
  if (size >= BLOCK)
    block = text + size - BLOCK;
  else if (size > 0)
    memcpy(copy + BLOCK - size, text, size);
  size_t done = BLOCK - left;
  BlockPlan plan = K(plan)(block);
  plan.keep &= ~mask_first(done);
  plan.replace &= ~mask_first(done);
  *out = K(move_block)(*out, block, plan);
  return plan.size - done;
}

static size_t K(repair)(const uint8_t *text, size_t size, uint8_t *out,
                        size_t *written) {
  const uint8_t *from = text, *end = text + size;
  uint8_t *to = out;
  while (end - from >= BLOCK) {
    size_t copied = K(copy_groups)(from, (size_t)(end - from), to);
    to += copied;
    from = K(repair_blocks)(from + copied, end, &to);
  }
  size_t at = (size_t)(from - text);
  at += K(repair_end)(text, size, size - at, &to);
  at = scalar_repair_remainder(text, size, at, &to);
  *written = (size_t)(to - out);
  return at;
}
