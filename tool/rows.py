#!/usr/bin/env python3
"""Writes the tables of shuffles that the vector kernels use.

    python3 tool/rows.py repair > simd/repair_rows.h
    python3 tool/rows.py --check        compares the files with what would be written
"""
import sys


def c_rows(rows):
    """The rows of a table in C, one on each line."""
    lines = ["    {" + ", ".join(f"{byte:3}" for byte in row) + "}," for row in rows]
    return "\n".join(lines)


# ---- repair_rows.h -----------------------------------------------------------------

NONE, FFFD = 128, 4  # no byte; the place of EF BF BD in the shuffled vector


def repair_row(number):
    """Bits 0 to 3: bytes to keep. Bits 4 to 7: bytes to replace by EF BF BD."""
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
** Row keep | replace << 4 has, for each of up to 12 bytes of output, its place in the input:
** 0..3 are the four bytes, 4..6 are EF BF BD. Its last byte is the size of the output.
*/
#ifndef UTF8_REPAIR_ROWS_H
#define UTF8_REPAIR_ROWS_H

#include <stdint.h>

#define REPAIR_ROW_SIZE 15

/* clang-format off */
static const uint8_t repair_rows[256][16] = {
%s
};
/* clang-format on */

/* The numbers of a block's rows: byte i of even is for its bytes 8i.., of odd for 8i + 4.. */
typedef struct RepairRows {
  uint64_t even, odd;
} RepairRows;

/* keep and replace have bit i for byte i of the block. */
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


FILES = {"repair": ("simd/repair_rows.h", repair_file)}


def check():
    failed = 0
    for path, text in FILES.values():
        with open(path) as file:
            same = file.read() == text()
        failed += not same
        print("ok  " if same else "FAIL", path)
    print(f"{len(FILES) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        sys.exit(check())
    if len(sys.argv) != 2 or sys.argv[1] not in FILES:
        sys.exit(__doc__)
    sys.stdout.write(FILES[sys.argv[1]][1]())
