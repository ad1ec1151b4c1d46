/* core/simd/simd128.h: the kernel for WebAssembly, 16 bytes at a time (SIMD128).
**
** generic.h explains the operations. SIMD128 has x86's mask of top bits and NEON's shift of single
** bytes; a look-up with an index above 15 gives 0.
*/
#ifndef UTF8_CORE_SIMD_SIMD128_H
#define UTF8_CORE_SIMD_SIMD128_H

#include "core/simd/block.h"
#include "core/bytes.h"
#include "core/simd/edge.h"
#include "core/simd/kernel.h"
#include "core/simd/lookup.h"
#include "core/simd/portable_set.h"
#include "core/simd/tables/repair_rows.h"
#include "core/simd/scalar.h"
#include <wasm_simd128.h>

#define K(name) simd128_##name
#define K_SIZE  16

typedef v128_t simd128_vector;
typedef v128_t simd128_errors;
typedef v128_t simd128_counter;
typedef v128_t simd128_sum; /* four 32-bit numbers */

ALWAYS_INLINE v128_t simd128_load(const uint8_t *from) {
  return wasm_v128_load(from);
}

ALWAYS_INLINE v128_t simd128_load_once(const uint8_t *from) {
  return wasm_v128_load(from);
}

ALWAYS_INLINE v128_t simd128_load_short(const uint8_t *text, size_t size) {
  BytesShort both = bytes_load_short16(text, size);
  return wasm_i64x2_make((int64_t)both.low, (int64_t)both.high);
}

ALWAYS_INLINE v128_t simd128_load_end(const uint8_t *text, size_t size) {
  return wasm_i8x16_swizzle(simd128_load(text + size - 16),
                            simd128_load(edge_places + 16 - size));
}

ALWAYS_INLINE void simd128_store(uint8_t *to, v128_t v) {
  wasm_v128_store(to, v);
}

ALWAYS_INLINE v128_t simd128_fill(int byte) {
  return wasm_i8x16_splat((int8_t)byte);
}

ALWAYS_INLINE v128_t simd128_and(v128_t a, v128_t b) {
  return wasm_v128_and(a, b);
}

ALWAYS_INLINE v128_t simd128_or(v128_t a, v128_t b) {
  return wasm_v128_or(a, b);
}

ALWAYS_INLINE v128_t simd128_add(v128_t a, v128_t b) {
  return wasm_i8x16_add(a, b);
}

ALWAYS_INLINE v128_t simd128_subs(v128_t a, v128_t b) {
  return wasm_u8x16_sub_sat(a, b);
}

ALWAYS_INLINE v128_t simd128_continuations(v128_t v) {
  return wasm_i8x16_lt(v, simd128_fill(-64));
}

ALWAYS_INLINE int simd128_ascii(v128_t v) {
  return wasm_i8x16_bitmask(v) == 0;
}

ALWAYS_INLINE uint64_t simd128_mask(const v128_t block[4]) {
  uint64_t mask = 0;
  UNROLL for (int i = 0; i < 4; i++) {
    mask |= (uint64_t)(uint32_t)wasm_i8x16_bitmask(block[i]) << 16 * i;
  }
  return mask;
}

/* Bytes 16 - n to 31 - n of before and v together. */
#define SIMD128_SHIFTED(before, v, n)                                                  \
  wasm_i8x16_shuffle(before, v, 16 - (n), 17 - (n), 18 - (n), 19 - (n), 20 - (n),      \
                     21 - (n), 22 - (n), 23 - (n), 24 - (n), 25 - (n), 26 - (n),       \
                     27 - (n), 28 - (n), 29 - (n), 30 - (n), 31 - (n))

ALWAYS_INLINE v128_t simd128_shifted_1(v128_t before, v128_t v) {
  return SIMD128_SHIFTED(before, v, 1);
}

ALWAYS_INLINE v128_t simd128_shifted_2(v128_t before, v128_t v) {
  return SIMD128_SHIFTED(before, v, 2);
}

ALWAYS_INLINE v128_t simd128_shifted_3(v128_t before, v128_t v) {
  return SIMD128_SHIFTED(before, v, 3);
}

/* ---- checking ------------------------------------------------------------------------ */

typedef struct simd128_tables {
  v128_t after_high, after_low, at_high, low_half, lead3, lead4, two_continuations;
} simd128_tables;

ALWAYS_INLINE simd128_tables simd128_load_tables(void) {
  const Lookup *l = &lookup;
  OPAQUE_POINTER(l);
  simd128_tables t = {simd128_load(l->after_high),
                      simd128_load(l->after_low),
                      simd128_load(l->at_high),
                      simd128_load(l->low_half),
                      simd128_load(l->lead3),
                      simd128_load(l->lead4),
                      simd128_load(l->two_continuations)};
  return t;
}

ALWAYS_INLINE v128_t simd128_pairs(const simd128_tables *t, v128_t v, v128_t first) {
  v128_t high = wasm_i8x16_swizzle(t->after_high, wasm_u8x16_shr(first, 4));
  v128_t low = wasm_i8x16_swizzle(t->after_low, wasm_v128_and(first, t->low_half));
  v128_t at = wasm_i8x16_swizzle(t->at_high, wasm_u8x16_shr(v, 4));
  return wasm_v128_and(wasm_v128_and(high, low), at);
}

ALWAYS_INLINE simd128_errors simd128_check(const simd128_tables *t,
                                           simd128_errors errors, v128_t v,
                                           v128_t back1, v128_t back2, v128_t back3) {
  v128_t lead =
      wasm_v128_or(simd128_subs(back2, t->lead3), simd128_subs(back3, t->lead4));
  v128_t due = wasm_v128_and(lead, t->two_continuations);
  v128_t wrong = wasm_v128_xor(simd128_pairs(t, v, back1), due);
  return wasm_v128_or(errors, wrong);
}

ALWAYS_INLINE simd128_errors simd128_check_next(const simd128_tables *t,
                                                simd128_errors errors, v128_t before,
                                                v128_t v, const uint8_t *text,
                                                int far) {
  (void)before, (void)far;
  return simd128_check(t, errors, v, simd128_load_once(text - 1),
                       simd128_load_once(text - 2), simd128_load_once(text - 3));
}

ALWAYS_INLINE simd128_errors simd128_no_errors(void) {
  return simd128_fill(0);
}

ALWAYS_INLINE simd128_errors simd128_note(simd128_errors errors, v128_t wrong) {
  return wasm_v128_or(errors, wrong);
}

ALWAYS_INLINE int simd128_any(simd128_errors errors) {
  return wasm_v128_any_true(errors);
}

/* ---- counting ----------------------------------------------------------------------- */

ALWAYS_INLINE simd128_counter simd128_no_starts(void) {
  return simd128_fill(0);
}

ALWAYS_INLINE simd128_counter simd128_count_starts(simd128_counter counter, v128_t v) {
  return wasm_i8x16_sub(counter, wasm_i8x16_ge(v, simd128_fill(-64)));
}

ALWAYS_INLINE simd128_sum simd128_no_sum(void) {
  return simd128_fill(0);
}

/* A value has less than 2^31 code points, so 32 bits are enough for each of the four. */
ALWAYS_INLINE simd128_sum simd128_add_up(simd128_sum sum, simd128_counter counter) {
  v128_t pairs = wasm_u16x8_extadd_pairwise_u8x16(counter);
  return wasm_i32x4_add(sum, wasm_u32x4_extadd_pairwise_u16x8(pairs));
}

ALWAYS_INLINE size_t simd128_total(simd128_sum sum) {
  return (size_t)wasm_i32x4_extract_lane(sum, 0) +
         (size_t)wasm_i32x4_extract_lane(sum, 1) +
         (size_t)wasm_i32x4_extract_lane(sum, 2) +
         (size_t)wasm_i32x4_extract_lane(sum, 3);
}

/* ---- repair ------------------------------------------------------------------------- */

ALWAYS_INLINE void simd128_move(uint8_t *to, const uint8_t *from,
                                const uint8_t row[16]) {
  v128_t source = wasm_i32x4_make((int32_t)bytes_load32(from), 0xBDBFEF, 0, 0);
  wasm_v128_store(to, wasm_i8x16_swizzle(source, wasm_v128_load(row)));
}

/* ---- sets of code points --------------------------------------------------------------- */

ALWAYS_INLINE v128_t simd128_row(const uint8_t row[16]) {
  return simd128_load(row);
}

ALWAYS_INLINE v128_t simd128_pick(v128_t row, v128_t index) {
  return wasm_i8x16_swizzle(row, index);
}

ALWAYS_INLINE v128_t simd128_equal(v128_t a, v128_t b) {
  return wasm_i8x16_eq(a, b);
}

ALWAYS_INLINE v128_t simd128_up_3(v128_t v) {
  return wasm_i8x16_shl(v, 3);
}

ALWAYS_INLINE v128_t simd128_down_3(v128_t v) {
  return wasm_u8x16_shr(v, 3);
}

#include "core/simd/generic.h"

#endif
