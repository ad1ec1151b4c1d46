/* core/simd/generic_block.h: K(block_masks) and K(move_block), part of generic.h: avx2_block_masks() and so
** on, for kernels whose vectors are smaller than a block and that check bytes by the tables of
** lookup.h. avx512.h has its own.
**
** Bytes move four at a time: a shuffle takes each byte, or EF BF BD, or nothing, as a row of
** repair_rows.h says for each combination of bytes to keep and bytes to replace.
*/

#define K_VECTORS (BLOCK / K_SIZE)

/* Returns the masks of the 64 bytes at text, a boundary. */
ALWAYS_INLINE BlockMasks K(block_masks)(const uint8_t *text) {
  K(vector) block[K_VECTORS], continuations[K_VECTORS], lead3[K_VECTORS];
  K(vector) lead4[K_VECTORS], errors[K_VECTORS];
  K(vector) before = K(fill)(0), second_errors = K(fill)(SECOND_ERRORS);
  K(tables) t = K(load_tables)();
  UNROLL for (size_t i = 0; i < K_VECTORS; i++) {
    K(vector) v = block[i] = K(load)(text + i * K_SIZE);
    K(vector) found = K(pairs)(&t, v, K(shifted_1)(before, v));
    continuations[i] = K(continuations)(v);
    lead3[i] = K(subs)(v, t.lead3);
    lead4[i] = K(subs)(v, t.lead4);
    /* The lowest error is 4, and 4 + SECOND_ERRORS is 80: any of them sets the top bit. */
    errors[i] = K(add)(K(and)(found, second_errors), second_errors);
    before = v;
  }
  BlockMasks masks = {~K(mask)(block), K(mask)(continuations), K(mask)(lead3),
                      K(mask)(lead4), K(mask)(errors)};
  return masks;
}

/* Writes to `to` what the plan makes of the block at text, and returns where that ends. May
** overwrite 16 bytes after that. */
ALWAYS_INLINE uint8_t *K(move_block)(uint8_t *to, const uint8_t *text, BlockPlan plan) {
  RepairRows rows = repair_rows_for(plan.keep, plan.replace);
  UNROLL for (size_t i = 0; i < BLOCK; i += 8) {
    const uint8_t *row = repair_rows[rows.even >> i & 255];
    K(move)(to, text + i, row);
    to += row[REPAIR_ROW_SIZE];
    row = repair_rows[rows.odd >> i & 255];
    K(move)(to, text + i + 4, row);
    to += row[REPAIR_ROW_SIZE];
  }
  return to;
}

#undef K_VECTORS
