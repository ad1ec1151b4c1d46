/* block.h: how texts of up to 64 bytes are read as one block of 64.
**
** That reaches beyond the text. The processor's only objection is a page that is not
** there. Address sanitizers and valgrind object always; for them, and near a page's end,
** the text is copied first.
*/
#ifndef UTF8_BLOCK_H
#define UTF8_BLOCK_H

#include "bytes.h"
#include <stdatomic.h>

enum { BLOCK = 64, BLOCK_PAGE = 4096 };

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define BLOCK_SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) ||             \
    __has_feature(thread_sanitizer)
#define BLOCK_SANITIZED 1
#endif
#endif
#ifndef BLOCK_SANITIZED
#define BLOCK_SANITIZED 0
#endif

/* Whether this runs under valgrind. Set before any kernel can be called. */
static atomic_int block_exact;

/* Bytes 64 - n to 128 - n are n of FF, then 00; bytes 128 - n to 192 - n are n of 00, then
** FF. */
#define BYTES_8(x)  x, x, x, x, x, x, x, x
#define BYTES_32(x) BYTES_8(x), BYTES_8(x), BYTES_8(x), BYTES_8(x)
static const uint8_t block_window[3 * BLOCK] = {
    BYTES_32(0xFF), BYTES_32(0xFF), BYTES_32(0),
    BYTES_32(0),    BYTES_32(0xFF), BYTES_32(0xFF),
};

static inline int block_is_readable(const uint8_t *text) {
  size_t in_page = (uintptr_t)text & (BLOCK_PAGE - 1);
  return !BLOCK_SANITIZED && in_page <= BLOCK_PAGE - BLOCK &&
         !atomic_load_explicit(&block_exact, memory_order_relaxed);
}

/* The last byte that may stand in each of a text's last 64 places: a lead that wants more
** may not. Vectors of n bytes compare with the last n of these. */
static const uint8_t block_last[BLOCK] = {
    BYTES_8(0xFF), BYTES_8(0xFF), BYTES_8(0xFF), BYTES_8(0xFF), BYTES_8(0xFF),
    BYTES_8(0xFF), BYTES_8(0xFF), 0xFF,          0xFF,          0xFF,
    0xFF,          0xFF,          0xEF,          0xDF,          0xBF,
};

#endif
