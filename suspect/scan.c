/* suspect/scan.c: finds where suspicious code points may start (suspect/scan.h): with vectors of 32 bytes where
** the kernel in use has them, else of 16, which GNU C compiles for each processor; with other compilers byte
** by byte. The table in suspect/table.h decides what is suspicious.
*/
#include "suspect/scan.h"
#include "core/bytes.h"
#include "core/simd/kernel.h"

#if UTF8_GNU
#define S(name) narrow_##name
#define S_SIZE  16
#include "suspect/vectors.h"
#else
/* May a suspicious code point start with this byte? */
static unsigned suspectMayStart(uint8_t b) {
  if (b < 0x20) return b != 9 && b != 10 && b != 13;
  return b == 0x7F || b == 0xC2 || (b >= 0xE1 && b <= 0xE3) || b >= 0xEF;
}

static size_t narrow_skip(const uint8_t *text, size_t size, uint64_t *starts) {
  size_t at = 0;
  for (; size - at >= SUSPECT_READ; at += SUSPECT_BLOCK) {
    uint64_t found = 0;
    for (size_t i = 0; i < SUSPECT_BLOCK; i++)
      found |= (uint64_t)suspectMayStart(text[at + i]) << i;
    *starts = found;
    if (found) break;
  }
  return at;
}
#endif

#ifdef WIDE_BEGIN
WIDE_BEGIN
#define S(name) wide_##name
#define S_SIZE  32
#include "suspect/vectors.h"
TARGET_END
#endif

size_t utf8suspect_skip(const uint8_t *text, size_t size, uint64_t *starts) {
#ifdef WIDE_BEGIN
  if (utf8simd_kernel()->is_wide) return wide_skip(text, size, starts);
#endif
  return narrow_skip(text, size, starts);
}
