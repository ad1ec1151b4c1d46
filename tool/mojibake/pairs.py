#!/usr/bin/env python3
"""pairs.py: writes where kernels look for pairs of misread text, from the rules below.

    python3 tool/mojibake/pairs.py --write     writes core/simd/tables/pairs.h and pair_rows.h
    python3 tool/mojibake/pairs.py --check     compares them with what would be written

A pair is two code points above 7F, of which UTF-8 becomes two such if it is misread, and which no
language writes side by side; or a C1 control; or "Ã" or "Â" before ASCII. mojibake/pairs.c defines the
same in C, and test/kerneltest.c compares each kernel with it.
"""

import os
import sys
import textwrap

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import generated  # noqa: E402

# ---- the rules -----------------------------------------------------------------------------------

# Bytes, as ranges. A byte after a lead byte is a continuation byte.
TWO = [(0xC2, 0xDB)]            # lead bytes of U+0080..06FF
LATIN = [(0xC2, 0xCB)]          # of U+0080..02FF
SYMBOL = [(0xE2, 0xE2), (0xEF, 0xEF)]  # of U+2000..2FFF and U+F000..FFFF
ASCII = [(0x00, 0x7F)]


def byte(*values):
    return [(value, value) for value in values]


# A pair ends with byte d if one of (a, b) comes before one of (c, d). None is any byte. Each group needs a
# byte of `needs` in the block.
GROUPS = [
    (None, [
        ([(SYMBOL, None)], [(None, SYMBOL)])]),
    (TWO, [
        ([(SYMBOL, None)], [(None, TWO)]),
        ([(None, TWO)], [(None, LATIN + SYMBOL)]),
        ([(None, LATIN)], [(None, TWO)]),
        ([(None, None)], [(byte(0xC2), [(0x80, 0x9F)])]),               # C1
        ([(None, byte(0xC3))], [([(0x82, 0x83)], ASCII)])]),
    (byte(0xD0, 0xD1), [
        # small letters before capitals: U+0430..045F, U+0401 and U+0491, then U+0400..042F
        ([(byte(0xD0), [(0xB0, 0xBF), (0x81, 0x81)]), (byte(0xD1), [(0x80, 0x9F)]), (byte(0xD2), byte(0x91))],
         [(byte(0xD0), [(0x80, 0xAF)])]),
        # windows-1251: U+0412..0415 before U+0400..040F, U+0450..047F, U+0480..04BF
        ([(byte(0xD0), [(0x92, 0x95)])],
         [(byte(0xD0), [(0x80, 0x8F)]), (byte(0xD1), [(0x90, 0xBF)]), (byte(0xD2), [(0x80, 0xBF)])]),
        # koi8: U+0431 or U+0446 before U+0451
        ([(byte(0xD0), byte(0xB1)), (byte(0xD1), byte(0x86))], [(byte(0xD1), byte(0x91))])])]

# ---- masks, for vectors smaller than a block ---------------------------------------------------------


class Masks:
    """The lines of a function that computes a mask of 64 bits for each set of bytes that it needs."""

    def __init__(self):
        self.lines, self.known, self.has_ends = [], set(), False

    def named(self, name, expression):
        if name not in self.known:
            self.known.add(name)
            self.lines.append(f"const uint64_t {name} = {expression};")
        return name

    def of_range(self, first, last, is_next):
        """The mask of the bytes first..last. is_next: in a place where only continuation bytes matter."""
        if is_next and (first, last) == (0x80, 0xBF):
            return None
        if is_next and first == 0x80:
            return "~" + self.of_range(last + 1, 0xFF, False)
        if last == 0xFF or (is_next and last == 0xBF):
            return self.named(f"from_{first:02x}", f"K(pairs_from)(block, 0x{first:02X})")
        if last == 0x7F:
            return "~" + self.of_range(0x80, 0xFF, False)
        return self.named(f"in_{first:02x}_{last:02x}", f"K(pairs_within)(block, 0x{first:02X}, 0x{last + 1:02X})")

    def of(self, ranges, is_next=False):
        """The mask of a set of bytes, or None for any byte."""
        if ranges is None:
            return None
        if ranges == SYMBOL:
            return self.named("symbol", "K(pairs_either)(block, 0xE2, 0xEF)")
        if SYMBOL[0] in ranges and len(ranges) > 2:
            return joined("|", [self.of([one for one in ranges if one not in SYMBOL]), self.of(SYMBOL)])
        return joined("|", [self.of_range(*one, is_next) for one in ranges])


def joined(operator, terms):
    """The terms with the operator between them, in parentheses if there are several; None if there are none."""
    terms = [term for term in terms if term]
    return f"({f' {operator} '.join(terms)})" if len(terms) > 1 else terms[0] if terms else None


def shifted(term, count):
    return f"{term} << {count}" if term and count else term


def sequence(masks, one, two, place):
    """Where byte `two` follows byte `one`; both are followed by `place` more."""
    is_next = one is not None and one[0][0] >= 0xC2
    first, second = masks.of(one), masks.of(two, is_next)
    return joined("&", [shifted(first, 1 + place), shifted(second, place)])


def rule(masks, firsts, seconds):
    first = joined("|", [sequence(masks, *pair, 2) for pair in firsts])
    return joined("&", [first, joined("|", [sequence(masks, *pair, 0) for pair in seconds])])


def function():
    masks = Masks()
    masks.lines.append(f"if (!{masks.of([(0x80, 0xFF)])}) return 0;")
    masks.of(TWO)  # before the symbols: gcc's code is faster
    for needs, rules in GROUPS:
        if needs:
            masks.lines.append(f"if (!{masks.of(needs)}) return ends;")
        for firsts, seconds in rules:
            ends = "ends |=" if masks.has_ends else "uint64_t ends ="
            masks.lines.append(f"{ends} {rule(masks, firsts, seconds)[1:-1]};")
            masks.has_ends = True
    masks.lines.append("return ends;")
    return masks.lines


# ---- rows, for vectors of a block ----------------------------------------------------------------------


def allows(ranges, value):
    """Is the byte in the set? FF stands for ASCII."""
    if ranges is None or (value == 0xFF and ranges == ASCII):
        return True
    return value < 0xFF and any(first <= value <= last for first, last in ranges)


def products(rules):
    """The sets of a, b, c and d of each pair of a first and a second of each rule."""
    return [(*first, *second) for firsts, seconds in rules for first in firsts for second in seconds]


def row(sets):
    """The rules, as bits, whose set has each byte 80..FF."""
    return [sum(1 << i for i, ranges in enumerate(sets) if allows(ranges, value)) for value in range(0x80, 0x100)]


def planes():
    """For each eight rules the rows of a, b, c and d."""
    general = products([rule for needs, rules in GROUPS[:2] for rule in rules])
    cyrillic = products(GROUPS[2][1])
    assert max(len(general), len(cyrillic)) <= 8, "a rule is a bit of a byte"
    return [[row(sets) for sets in zip(*rules)] for rules in (general, cyrillic)]


# ---- the headers -----------------------------------------------------------------------------------------

MASKS = """\
/* pairs.h: where pairs of misread text end in a block, for core/simd/generic_pairs.h, which includes it for each
** instruction set. Written by tool/mojibake/pairs.py, which has the rules.
**
** in_c2_db has a bit for each byte C2..DB, from_a0 for each byte from A0. mask << n is what the byte n before is.
*/

/* clang-format off */
/* Where does a pair end? */
ALWAYS_INLINE uint64_t K(pairs_in)(const K(vector) block[64 / K_SIZE]) {
%s
}
/* clang-format on */
"""

ROWS = """\
/* pair_rows.h: the rules of tool/mojibake/pairs.py, which writes this file, for core/simd/avx512_pairs.h.
**
** A pair ends with byte d, after a, b and c, if all four allow a rule: a bit. The rows of a, b, c and d have
** the rules that each byte from 80 on allows. FF, which no text has, stands for ASCII. There are more than
** eight rules, so there are two sets of rows.
*/
#ifndef UTF8_CORE_SIMD_TABLES_PAIR_ROWS_H
#define UTF8_CORE_SIMD_TABLES_PAIR_ROWS_H

#include <stdint.h>

/* clang-format off */
static const uint8_t pair_rows[2][4][128] = {
%s
};
/* clang-format on */

#endif
"""


def wrapped(text, indent, width=96):
    return textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent + "    ", break_long_words=False)


def masks_header():
    return MASKS % "\n".join(wrapped(line, "  ") for line in function())


def rows_header():
    sets = []
    for rows in planes():
        texts = [textwrap.fill(", ".join(map(str, one)), 96, initial_indent="     {", subsequent_indent="      ") + "}"
                 for one in rows]
        sets.append("    {\n" + ",\n".join(texts) + "}")
    return ROWS % ",\n".join(sets)


if __name__ == "__main__":
    generated.main(__doc__, lambda: {"core/simd/tables/pairs.h": masks_header(), "core/simd/tables/pair_rows.h": rows_header()})
