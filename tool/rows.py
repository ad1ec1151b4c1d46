#!/usr/bin/env python3
"""rows.py: writes the tables of shuffles that the vector kernels use.

    python3 tool/rows.py --write     writes core/simd/tables/repair_rows.h and avx2_rows.h
    python3 tool/rows.py --check     compares them with what would be written
"""

import generated


def c_rows(rows):
    """The rows of a table in C, one on each line."""
    lines = ["    {" + ", ".join(f"{byte:3}" for byte in row) + "}," for row in rows]
    return "\n".join(lines)


# ---- repair_rows.h -----------------------------------------------------------------

NONE, FFFD = 128, 4  # writes 0; the index of EF BF BD in the shuffled vector


def repair_row(number):
    """The row with this number. Bits 0..3: bytes to keep; bits 4..7: bytes to replace by EF BF BD."""
    row = []
    for byte in range(4):
        if number >> (byte + 4) & 1:
            row += [FFFD, FFFD + 1, FFFD + 2]
        elif number >> byte & 1:
            row.append(byte)
    return row + [NONE] * (15 - len(row)) + [len(row)]


REPAIR = """\
/* repair_rows.h: shuffles that repair four bytes. Written by tool/rows.py.
**
** Row keep | replace << 4 has, for each of up to 12 bytes of output, its index in the input:
** 0..3 are the four bytes, 4..6 are EF BF BD. The last byte of a row is the output's size.
*/
#ifndef UTF8_CORE_SIMD_TABLES_REPAIR_ROWS_H
#define UTF8_CORE_SIMD_TABLES_REPAIR_ROWS_H

#include <stdint.h>

#define REPAIR_ROW_SIZE 15

/* clang-format off */
static const uint8_t repair_rows[256][16] = {
%s
};
/* clang-format on */

/* The rows for the bytes of a block: byte i of `even` is the row for bytes 8i..8i+3, byte i of
** `odd` the row for bytes 8i+4..8i+7. */
typedef struct RepairRows {
  uint64_t even, odd;
} RepairRows;

/* Bit i of keep and of replace is for byte i of the block. */
static inline RepairRows repair_rows_for(uint64_t keep, uint64_t replace) {
  const uint64_t low = 0x0F0F0F0F0F0F0F0F;
  RepairRows rows = {(keep & low) | (replace & low) << 4,
                     (keep >> 4 & low) | (replace & ~low)};
  return rows;
}

#endif
"""


def repair_file():
    return REPAIR % c_rows(repair_row(number) for number in range(256))


# ---- avx2_rows.h -------------------------------------------------------------------


def padded(row, size):
    return row + [0] * (size - len(row))


def kept_row(mask):
    """Moves together, of eight bytes, those whose bits are set."""
    return padded([i for i in range(8) if mask >> i & 1], 8)


def lane_row(mask):
    """Moves together, of four lanes of four bytes, the first one to three of each."""
    lengths = [1 + (mask >> 2 * i & 1) + (mask >> (2 * i + 1) & 1) for i in range(4)]
    return padded([4 * i + k for i in range(4) for k in range(lengths[i])], 16)


def pair_row(mask):
    """Moves together, of eight pairs, each first byte, and the second if the bit is set."""
    return padded([2 * i + k for i in range(8) for k in range(1 + (mask >> i & 1))], 16)


def windows1252():
    """The code points of 80..9F by WHATWG: C1 controls for bytes that Python's codec lacks."""
    for byte in range(0x80, 0xA0):
        try:
            yield ord(bytes([byte]).decode("windows-1252"))
        except UnicodeDecodeError:
            yield byte


AVX2 = """\
/* avx2_rows.h: shuffles that keep some bytes of a vector, and Windows-1252. Written by
** tool/rows.py.
*/
#ifndef UTF8_CORE_SIMD_TABLES_AVX2_ROWS_H
#define UTF8_CORE_SIMD_TABLES_AVX2_ROWS_H

#include <stdint.h>

/* clang-format off */

/* Row m moves together, of eight bytes, those whose bits are set in m. */
static const uint8_t avx2_kept[256][8] = {
%s
};

/* Row m moves together the bytes of four lanes of four: the first of each lane i, the second
** where bit 2i is set in m, the third where bit 2i + 1 is. */
static const uint8_t avx2_lane_rows[256][16] = {
%s
};

/* Row m moves together the bytes of eight pairs: the first of each pair i, and the second
** where bit i is set in m. */
static const uint8_t avx2_pair_rows[256][16] = {
%s
};

/* The code points of 80..9F in Windows-1252: their low bytes, and their high bytes. */
static const uint8_t avx2_1252_low[32] =
%s
static const uint8_t avx2_1252_high[32] =
%s

/* clang-format on */

#endif
"""


def c_row(row):
    return c_rows([row]).replace("},", "};")


def avx2_file():
    codes = list(windows1252())
    tables = [c_rows(row(m) for m in range(256)) for row in (kept_row, lane_row, pair_row)]
    low, high = [c & 255 for c in codes], [c >> 8 for c in codes]
    return AVX2 % (*tables, c_row(low), c_row(high))


def files():
    return {"core/simd/tables/repair_rows.h": repair_file(), "core/simd/tables/avx2_rows.h": avx2_file()}


if __name__ == "__main__":
    generated.main(__doc__, files)
