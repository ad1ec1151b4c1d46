/* simd/portable_scan.h: skip_plain() of kernel.h for any processor: with vectors of 16 bytes, which GNU
** C compiles for each; with other compilers byte by byte. */
#ifndef UTF8_SIMD_PORTABLE_SCAN_H
#define UTF8_SIMD_PORTABLE_SCAN_H

#include "simd/bytes.h"
#include "simd/kernel.h"

#if UTF8_GNU
#define S(name) portable_scan_##name
#define S_SIZE  16
#include "simd/scan.h"
#undef S
#undef S_SIZE
#else
/* May a suspicious code point start with this byte? */
static unsigned portable_scan_may_start(uint8_t b) {
  if (b < 0x20) return b != 9 && b != 10 && b != 13;
  return b == 0x7F || b == 0xC2 || (b >= 0xE1 && b <= 0xE3) || b >= 0xEF;
}

static size_t portable_scan_skip_plain(const uint8_t *text, size_t size,
                                       uint64_t *starts) {
  size_t at = 0;
  for (; size - at >= 64 + UTF8_KERNEL_MORE; at += 64) {
    uint64_t found = 0;
    for (size_t i = 0; i < 64; i++)
      found |= (uint64_t)portable_scan_may_start(text[at + i]) << i;
    *starts = found;
    if (found) break;
  }
  return at;
}
#endif

#endif
