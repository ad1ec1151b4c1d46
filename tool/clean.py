#!/usr/bin/env python3
"""clean.py: writes the tables of clean/clean.c and clean/unescape.c.

    python3 tool/clean.py --write     writes clean/tables/clean.h and clean/tables/html.h
    python3 tool/clean.py --check     compares them with what would be written

Sources: html.entities.html5 of Python, which is the list of WHATWG's HTML §13.5; Unicode's NFKC of
U+FF01..FFEF, which no version changes; and the Latin ligatures that ftfy 6.3.1 names.
"""

import html.entities
import textwrap
import unicodedata

import generated

CLEAN = """\
/* Replacements of the steps ligatures and width. Written by tool/clean.py: do not edit. */
#ifndef UTF8_CLEAN_TABLES_CLEAN_H
#define UTF8_CLEAN_TABLES_CLEAN_H

#include <stdint.h>

/* clang-format off */

/* A code point, and the UTF-8 that replaces it, which ends before the first NUL. */
typedef struct Utf8CleanRow {
  uint16_t code;
  char text[4];
} Utf8CleanRow;

static const Utf8CleanRow clean_ligatures[] = {
%s
};

/* Full- and half-width forms. */
static const Utf8CleanRow clean_widths[] = {
%s
};

#endif
"""

HTML = """\
/* The named character references of HTML. Written by tool/clean.py: do not edit. */
#ifndef UTF8_CLEAN_TABLES_HTML_H
#define UTF8_CLEAN_TABLES_HTML_H

#include <stdint.h>

/* clang-format off */

/* The longest name, and the longest of those that need no semicolon. */
enum { HTML_NAME_MAX = %d, HTML_BARE_MAX = %d };

/* The names that start with each letter from A to z, sorted, without that letter, their semicolon,
** or anything between them. A name that starts with no letter does not exist. */
static const char *const html_names[] = {
%s
};

/* The first row of each letter in the two arrays below; the last is their end. */
static const uint16_t html_first[] = {
%s
};

/* Where the name of a row starts, plus HTML_BARE if it needs no semicolon. Each letter has one more
** row, where its names end. */
#define HTML_BARE 0x8000
static const uint16_t html_starts[] = {
%s
};

/* The code point of a row. D800 + n is U+1D400 + n; FFFF - n is the two of html_doubles[n]. */
static const uint16_t html_codes[] = {
%s
};
#define HTML_ASTRAL 0xD800
#define HTML_DOUBLES %d
static const uint16_t html_doubles[HTML_DOUBLES][2] = {
%s
};

#endif
"""

LIGATURES = {"Ĳ": "IJ", "ĳ": "ij", "ŉ": "ʼn", "Ǆ": "DŽ", "ǅ": "Dž", "ǆ": "dž", "Ǉ": "LJ", "ǈ": "Lj",
             "ǉ": "lj", "Ǌ": "NJ", "ǋ": "Nj", "ǌ": "nj", "Ǳ": "DZ", "ǲ": "Dz", "ǳ": "dz", "ﬀ": "ff",
             "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ſt", "ﬆ": "st"}


def widths():
    """The forms that NFKC changes, and the ideographic space."""
    changed = {"\u3000": " "}
    for code in range(0xFF01, 0xFFF0):
        form = unicodedata.normalize("NFKC", chr(code))
        if form != chr(code):
            changed[chr(code)] = form
    return changed


def literal(text):
    """The UTF-8 of a text as a C string. Octal escapes end after three digits."""
    return '"%s"' % "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:03o}"
                            for b in text.encode())


def rows(replacements):
    cells = ["{0x%04X, %s}" % (ord(old), literal(new)) for old, new in sorted(replacements.items())]
    return wrapped(cells)


def wrapped(cells):
    """The cells of an array, at most 96 columns wide. A cell has no line break."""
    lines, line = [], "   "
    for cell in cells:
        if len(line) + len(cell) + 2 > 96:
            lines.append(line)
            line = "   "
        line += f" {cell},"
    return "\n".join([*lines, line])


def references():
    """The names without semicolon, sorted, with their text and whether the semicolon may lack."""
    html5 = html.entities.html5
    return [(name[:-1], text, name[:-1] in html5)
            for name, text in sorted(html5.items()) if name.endswith(";")]


def code_of(text, pairs):
    """The number that stands for a reference's text; adds a pair of code points to the pairs."""
    codes = list(map(ord, text))
    if len(codes) == 2:
        if codes not in pairs:
            pairs.append(codes)
        return 0xFFFF - pairs.index(codes)
    (code,) = codes
    assert code < 0xD800 or 0x1D400 <= code < 0x1D800 or 0xF900 <= code < 0xFF00
    return code - 0x1D400 + 0xD800 if code > 0xFFFF else code


class Rows:
    """The arrays of the header, for one letter after another."""

    def __init__(self):
        self.names, self.first, self.starts, self.codes, self.pairs = [], [], [], [], []

    def add(self, references):
        end = 0
        self.first.append(str(len(self.starts)))
        for name, text, is_bare in references:
            self.starts.append("0x%04X" % (end | 0x8000 * is_bare))
            self.codes.append("0x%04X" % code_of(text, self.pairs))
            end += len(name) - 1
        self.starts.append("0x%04X" % end)
        self.codes.append("0")
        self.names.append("".join(name[1:] for name, _, _ in references))


def strings(names):
    """Strings in C, each on lines of its own."""
    return "\n".join(
        "\n".join(f'    "{line}"' for line in textwrap.wrap(name, 90) or [""]) + ","
        for name in names)


def html_header():
    found = sorted(references(), key=lambda row: row[0].encode())
    table = Rows()
    for letter in range(ord("A"), ord("z") + 1):
        table.add([row for row in found if row[0][0] == chr(letter)])
    return HTML % (
        max(len(name) for name, _, _ in found),
        max(len(name) for name, _, is_bare in found if is_bare), strings(table.names),
        wrapped([*table.first, str(len(table.starts))]), wrapped(table.starts),
        wrapped(table.codes), len(table.pairs),
        wrapped("{0x%04X, 0x%04X}" % tuple(pair) for pair in table.pairs))


def files():
    return {"clean/tables/clean.h": CLEAN % (rows(LIGATURES), rows(widths())),
            "clean/tables/html.h": html_header()}


if __name__ == "__main__":
    generated.main(__doc__, files)
