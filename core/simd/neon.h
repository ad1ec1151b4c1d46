/* core/simd/neon.h: the kernel for every arm64, 16 bytes at a time.
**
** generic.h explains the operations. NEON shifts and looks up bytes directly, but cannot gather
** the top bits of a vector: masks are sums of weighted bits, and tests take a maximum.
*/
#ifndef UTF8_CORE_SIMD_NEON_H
#define UTF8_CORE_SIMD_NEON_H

#include "core/simd/block.h"
#include "core/bytes.h"
#include "core/simd/edge.h"
#include "core/simd/kernel.h"
#include "core/simd/lookup.h"
#include "core/simd/portable_set.h"
#include "core/simd/tables/repair_rows.h"
#include "core/simd/scalar.h"
#include <arm_neon.h>

#define K(name) neon_##name
#define K_SIZE  16

typedef uint8x16_t neon_vector;
typedef uint8x16_t neon_errors;
typedef uint8x16_t neon_counter;
typedef uint64x2_t neon_sum;

ALWAYS_INLINE uint8x16_t neon_load(const uint8_t *from) {
  return vld1q_u8(from);
}

ALWAYS_INLINE uint8x16_t neon_load_once(const uint8_t *from) {
  return vld1q_u8(from);
}

ALWAYS_INLINE uint8x16_t neon_load_short(const uint8_t *text, size_t size) {
  BytesShort both = bytes_load_short16(text, size);
  return vreinterpretq_u8_u64(
      vcombine_u64(vcreate_u64(both.low), vcreate_u64(both.high)));
}

ALWAYS_INLINE uint8x16_t neon_load_end(const uint8_t *text, size_t size) {
  return vqtbl1q_u8(neon_load(text + size - 16), neon_load(edge_places + 16 - size));
}

ALWAYS_INLINE void neon_store(uint8_t *to, uint8x16_t v) {
  vst1q_u8(to, v);
}

ALWAYS_INLINE uint8x16_t neon_fill(int byte) {
  return vdupq_n_u8((uint8_t)byte);
}

ALWAYS_INLINE uint8x16_t neon_and(uint8x16_t a, uint8x16_t b) {
  return vandq_u8(a, b);
}

ALWAYS_INLINE uint8x16_t neon_or(uint8x16_t a, uint8x16_t b) {
  return vorrq_u8(a, b);
}

ALWAYS_INLINE uint8x16_t neon_add(uint8x16_t a, uint8x16_t b) {
  return vaddq_u8(a, b);
}

ALWAYS_INLINE uint8x16_t neon_subs(uint8x16_t a, uint8x16_t b) {
  return vqsubq_u8(a, b);
}

ALWAYS_INLINE uint8x16_t neon_continuations(uint8x16_t v) {
  return vcltq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(-64));
}

ALWAYS_INLINE int neon_ascii(uint8x16_t v) {
  return vmaxvq_u8(v) < 0x80;
}

/* Each top bit becomes the bit of its place among eight. Neighbours are then added in three
** rounds, which gather eight bytes in one. */
ALWAYS_INLINE uint64_t neon_mask(const uint8x16_t block[4]) {
  static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128,
                                     1, 2, 4, 8, 16, 32, 64, 128};
  uint8x16_t weight = vld1q_u8(places), bits[4];
  UNROLL for (int i = 0; i < 4; i++) {
    int8x16_t all_or_none = vshrq_n_s8(vreinterpretq_s8_u8(block[i]), 7);
    bits[i] = vandq_u8(vreinterpretq_u8_s8(all_or_none), weight);
  }
  uint8x16_t low = vpaddq_u8(bits[0], bits[1]), high = vpaddq_u8(bits[2], bits[3]);
  uint8x16_t both = vpaddq_u8(low, high);
  return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(both, both)), 0);
}

ALWAYS_INLINE uint8x16_t neon_shifted_1(uint8x16_t before, uint8x16_t v) {
  return vextq_u8(before, v, 15);
}

ALWAYS_INLINE uint8x16_t neon_shifted_2(uint8x16_t before, uint8x16_t v) {
  return vextq_u8(before, v, 14);
}

ALWAYS_INLINE uint8x16_t neon_shifted_3(uint8x16_t before, uint8x16_t v) {
  return vextq_u8(before, v, 13);
}

/* ---- checking ------------------------------------------------------------------------ */

typedef struct neon_tables {
  uint8x16_t after_high, after_low, at_high, low_half, lead3, lead4, two_continuations;
} neon_tables;

ALWAYS_INLINE neon_tables neon_load_tables(void) {
  const Lookup *l = &lookup;
  OPAQUE_POINTER(l);
  neon_tables t = {
      neon_load(l->after_high),       neon_load(l->after_low), neon_load(l->at_high),
      neon_load(l->low_half),         neon_load(l->lead3),     neon_load(l->lead4),
      neon_load(l->two_continuations)};
  return t;
}

ALWAYS_INLINE uint8x16_t neon_pairs(const neon_tables *t, uint8x16_t v,
                                    uint8x16_t first) {
  uint8x16_t after = vandq_u8(vqtbl1q_u8(t->after_high, vshrq_n_u8(first, 4)),
                              vqtbl1q_u8(t->after_low, vandq_u8(first, t->low_half)));
  return vandq_u8(after, vqtbl1q_u8(t->at_high, vshrq_n_u8(v, 4)));
}

ALWAYS_INLINE neon_errors neon_check(const neon_tables *t, neon_errors errors,
                                     uint8x16_t v, uint8x16_t back1, uint8x16_t back2,
                                     uint8x16_t back3) {
  uint8x16_t lead = vorrq_u8(vqsubq_u8(back2, t->lead3), vqsubq_u8(back3, t->lead4));
  uint8x16_t due = vandq_u8(lead, t->two_continuations);
  uint8x16_t wrong = veorq_u8(neon_pairs(t, v, back1), due);
  return vorrq_u8(errors, wrong);
}

ALWAYS_INLINE neon_errors neon_check_next(const neon_tables *t, neon_errors errors,
                                          uint8x16_t before, uint8x16_t v,
                                          const uint8_t *text, int far) {
  (void)before, (void)far;
  return neon_check(t, errors, v, neon_load_once(text - 1), neon_load_once(text - 2),
                    neon_load_once(text - 3));
}

ALWAYS_INLINE neon_errors neon_no_errors(void) {
  return vdupq_n_u8(0);
}

ALWAYS_INLINE neon_errors neon_note(neon_errors errors, uint8x16_t wrong) {
  return vorrq_u8(errors, wrong);
}

ALWAYS_INLINE int neon_any(neon_errors errors) {
  return vmaxvq_u8(errors) != 0;
}

/* ---- counting ----------------------------------------------------------------------- */

ALWAYS_INLINE neon_counter neon_no_starts(void) {
  return vdupq_n_u8(0);
}

ALWAYS_INLINE neon_counter neon_count_starts(neon_counter counter, uint8x16_t v) {
  return vsubq_u8(counter, vcgeq_s8(vreinterpretq_s8_u8(v), vdupq_n_s8(-64)));
}

ALWAYS_INLINE neon_sum neon_no_sum(void) {
  return vdupq_n_u64(0);
}

ALWAYS_INLINE neon_sum neon_add_up(neon_sum sum, neon_counter counter) {
  return vpadalq_u32(sum, vpaddlq_u16(vpaddlq_u8(counter)));
}

ALWAYS_INLINE size_t neon_total(neon_sum sum) {
  return (size_t)vaddvq_u64(sum);
}

/* ---- repair ------------------------------------------------------------------------- */

ALWAYS_INLINE void neon_move(uint8_t *to, const uint8_t *from, const uint8_t row[16]) {
  uint32x4_t fffd = vdupq_n_u32(0xBDBFEF);
  uint8x16_t source = vreinterpretq_u8_u32(vsetq_lane_u32(bytes_load32(from), fffd, 0));
  vst1q_u8(to, vqtbl1q_u8(source, vld1q_u8(row)));
}

/* ---- sets of code points --------------------------------------------------------------- */

ALWAYS_INLINE uint8x16_t neon_row(const uint8_t row[16]) {
  return neon_load(row);
}

ALWAYS_INLINE uint8x16_t neon_pick(uint8x16_t row, uint8x16_t index) {
  return vqtbl1q_u8(row, index);
}

ALWAYS_INLINE uint8x16_t neon_equal(uint8x16_t a, uint8x16_t b) {
  return vceqq_u8(a, b);
}

ALWAYS_INLINE uint8x16_t neon_up_3(uint8x16_t v) {
  return vshlq_n_u8(v, 3);
}

ALWAYS_INLINE uint8x16_t neon_down_3(uint8x16_t v) {
  return vshrq_n_u8(v, 3);
}

#include "core/simd/generic.h"

#endif
