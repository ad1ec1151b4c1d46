/* core/simd/edge.h: what vectors at the start and the end of a text are combined with. */
#ifndef UTF8_CORE_SIMD_EDGE_H
#define UTF8_CORE_SIMD_EDGE_H

#include <stdint.h>

enum { VECTOR_MAX = 64 }; /* bytes in the widest vector */

#define EDGE_4(x)  x, x, x, x
#define EDGE_16(x) EDGE_4(x), EDGE_4(x), EDGE_4(x), EDGE_4(x)
#define EDGE_64(x) EDGE_16(x), EDGE_16(x), EDGE_16(x), EDGE_16(x)

/* The vector at edge_window + VECTOR_MAX - n starts with n bytes of 00, then FF. */
static const uint8_t edge_window[2 * VECTOR_MAX] = {EDGE_64(0), EDGE_64(0xFF)};

/* The highest byte that may stand in each of a text's last 64 places: a lead byte too near
** to the end lacks continuation bytes. A smaller vector is compared with the last ones. */
static const uint8_t edge_may_be_last[VECTOR_MAX] = {
    EDGE_16(0xFF), EDGE_16(0xFF), EDGE_16(0xFF), EDGE_4(0xFF), EDGE_4(0xFF),
    EDGE_4(0xFF),  0xFF,          0xEF,          0xDF,         0xBF};

/* A shuffle by the 16 bytes at edge_places + n moves bytes down by n, and zeros in. */
static const uint8_t edge_places[32] = {
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, EDGE_16(0x80)};

#endif
