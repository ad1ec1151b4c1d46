/* pairs.h: where pairs of misread text end in a block, for core/simd/generic_pairs.h, which includes it for each
** instruction set. Written by tool/mojibake/pairs.py, which has the rules.
**
** in_c2_db has a bit for each byte C2..DB, from_a0 for each byte from A0. mask << n is what the byte n before is.
*/

/* clang-format off */
/* Where does a pair end? */
ALWAYS_INLINE uint64_t K(pairs_in)(const K(vector) block[64 / K_SIZE]) {
  const uint64_t from_80 = K(pairs_from)(block, 0x80);
  if (!from_80) return 0;
  const uint64_t in_c2_db = K(pairs_within)(block, 0xC2, 0xDC);
  const uint64_t symbol = K(pairs_either)(block, 0xE2, 0xEF);
  uint64_t ends = symbol << 3 & symbol;
  if (!in_c2_db) return ends;
  ends |= symbol << 3 & in_c2_db;
  const uint64_t in_c2_cb = K(pairs_within)(block, 0xC2, 0xCC);
  ends |= in_c2_db << 2 & (in_c2_cb | symbol);
  ends |= in_c2_cb << 2 & in_c2_db;
  const uint64_t in_c2_c2 = K(pairs_within)(block, 0xC2, 0xC3);
  const uint64_t from_a0 = K(pairs_from)(block, 0xA0);
  ends |= in_c2_c2 << 1 & ~from_a0;
  const uint64_t in_c3_c3 = K(pairs_within)(block, 0xC3, 0xC4);
  const uint64_t in_82_83 = K(pairs_within)(block, 0x82, 0x84);
  ends |= in_c3_c3 << 2 & (in_82_83 << 1 & ~from_80);
  const uint64_t in_d0_d0 = K(pairs_within)(block, 0xD0, 0xD1);
  const uint64_t in_d1_d1 = K(pairs_within)(block, 0xD1, 0xD2);
  if (!(in_d0_d0 | in_d1_d1)) return ends;
  const uint64_t from_b0 = K(pairs_from)(block, 0xB0);
  const uint64_t in_81_81 = K(pairs_within)(block, 0x81, 0x82);
  const uint64_t in_d2_d2 = K(pairs_within)(block, 0xD2, 0xD3);
  const uint64_t in_91_91 = K(pairs_within)(block, 0x91, 0x92);
  ends |= ((in_d0_d0 << 3 & (from_b0 | in_81_81) << 2) | (in_d1_d1 << 3 & ~from_a0 << 2) |
      (in_d2_d2 << 3 & in_91_91 << 2)) & (in_d0_d0 << 1 & ~from_b0);
  const uint64_t in_92_95 = K(pairs_within)(block, 0x92, 0x96);
  const uint64_t from_90 = K(pairs_from)(block, 0x90);
  ends |= (in_d0_d0 << 3 & in_92_95 << 2) & ((in_d0_d0 << 1 & ~from_90) | (in_d1_d1 << 1 &
      from_90) | in_d2_d2 << 1);
  const uint64_t in_b1_b1 = K(pairs_within)(block, 0xB1, 0xB2);
  const uint64_t in_86_86 = K(pairs_within)(block, 0x86, 0x87);
  ends |= ((in_d0_d0 << 3 & in_b1_b1 << 2) | (in_d1_d1 << 3 & in_86_86 << 2)) & (in_d1_d1 << 1 &
      in_91_91);
  return ends;
}
/* clang-format on */
