#!/usr/bin/env python3
"""closest.py: writes form/tables/closest.h, the ASCII that stands for characters without one.

    python3 tool/closest.py --record     # writes tool/closest.tsv from the iconv of this machine
    python3 tool/closest.py --cldr       # writes tool/cldr.tsv from Debian's package unicode-cldr-core
    python3 tool/closest.py --write      # writes form/tables/closest.h from both
    python3 tool/closest.py --check      # is it what --write would write?

tool/closest.tsv has what glibc's iconv (recorded: 2.36, locale C.UTF-8, //TRANSLIT) writes for a code
point of the BMP in ASCII, unless the compatibility decomposition without marks is the same kind of
answer: then form/closest.c computes it.

tool/cldr.tsv has what the transforms of CLDR 41 make of a code point of the BMP on its own: LATIN_ASCII,
and SCRIPTS to Latin with LATIN_ASCII after them. Rules with a context are left out. The table has those for
which glibc has no answer.
"""

import locale
import html
import os
import re
import subprocess
import tempfile
import unicodedata

import generated
from iconv import Iconv

RECORDED = "tool/closest.tsv"
TRANSFORMED = "tool/cldr.tsv"
TABLE = "form/tables/closest.h"

CLDR = (
    "unicode-cldr-core_41-0.1_all.deb",
    "35d30d5d3bee4d8244e95236259c4c2a0db06e21bad696515751fcfeee4d0260",
    ["apt-get", "download", "-q", "unicode-cldr-core=41-0.1"])
LATIN_ASCII = "Latin-ASCII"
# A transform, and which side of its rules is the script.
SCRIPTS = [("Cyrillic-Latin", 0), ("Greek-Latin", 0), ("Latin-Armenian", 1), ("Georgian-Latin", 0),
           ("Hebrew-Latin", 0), ("Arabic-Latin", 0)]


def is_computed(code):
    """Does form/closest.c find the answer? It drops marks, but not the stroke that negates a sign."""
    if unicodedata.combining(chr(code)):
        return True
    parts = unicodedata.normalize("NFKD", chr(code))
    letters = "".join(c for c in parts if not unicodedata.combining(c))
    return letters.isascii() and letters.strip() != "" and "\u0338" not in parts


def record():
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    iconv = Iconv("UTF-8", "ASCII//TRANSLIT")
    lines = []
    for code in [*range(0x80, 0xD800), *range(0xE000, 0xFFFD)]:
        text = iconv.convert(chr(code).encode())
        if text is not None and b"?" not in text and not is_computed(code):
            lines.append(f"{code:04X}\t{text.decode()}")
    return generated.write({RECORDED: "\n".join(lines) + "\n"})


# ---- CLDR ------------------------------------------------------------------------------

ARROWS = re.compile("\\s*(?<!\\\\)([→↔←])\\s*")


def transforms():
    """{name: the lines of its rules} of CLDR."""
    with tempfile.TemporaryDirectory() as folder:
        archive = os.path.join(folder, "cldr.deb")
        with open(archive, "wb") as file:
            file.write(generated.fetch(CLDR))
        subprocess.run(["dpkg-deb", "-x", archive, folder], check=True)
        lines = {}
        for name in [LATIN_ASCII, *(name for name, _ in SCRIPTS)]:
            path = os.path.join(folder, "usr/share/unicode/cldr/common/transforms", name + ".xml")
            with open(path, encoding="utf-8") as file:
                rules = re.search(r"<tRule>(<!\[CDATA\[)?(.*?)(\]\]>)?</tRule>", file.read(), re.S)
            lines[name] = (rules[2] if rules[1] else html.unescape(rules[2])).splitlines()
        return lines


def literal(text, variables):
    """The text that one side of a rule stands for, or None if it is a pattern."""
    parts = re.findall(r"'[^']*'|\\u[0-9A-F]{4}|\\.|\$\w+|\s+|.", text)
    if any(len(part) == 1 and part in "[](){}*+?|^&" for part in parts):
        return None
    decoded = ""
    for part in parts:
        if part.startswith("$"):
            if variables.get(part) is None:
                return None
            decoded += variables[part]
        elif part.startswith("\\u"):
            decoded += chr(int(part[2:], 16))
        elif not part.isspace():
            decoded += part[1:-1] if part[0] == "'" and len(part) > 1 else part.removeprefix("\\")
    return decoded


def context_free(lines, side):
    """{code point, decomposed: text} by the rules without a context."""
    found, variables = {}, {}
    for line in lines:
        rule = re.sub(r"(?<![\\'])#.*", "", line).strip().rstrip(";").replace("\u200e", "")
        if match := re.fullmatch(r"(\$\w+)\s*=\s*(.*)", rule):
            variables[match[1]] = literal(match[2], variables)
        elif len(sides := ARROWS.split(rule)) == 3 and sides[1] in ("→↔" if side == 0 else "←↔"):
            source = literal(sides[2 * side].strip(), variables)
            target = re.split(r"(?<!['\\])}", sides[2 - 2 * side])[0]  # a context is for the other direction
            again = target.startswith("|")  # it is transformed again
            text = literal(target.strip().removeprefix("|"), variables)
            source = source and unicodedata.normalize("NFC", source)
            if text is not None and source and len(source) == 1:
                found.setdefault(source, "".join(found.get(c, c) for c in text) if again else text)
    return found


# U+02CC marks a descender.
DROPPED = "\u02cc"


def in_ascii(text, latin):
    """The text, in Latin letters, by LATIN_ASCII."""
    letters = (c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c) and c not in DROPPED)
    return "".join(latin.get(c, c) for c in letters)


def record_cldr():
    lines = transforms()
    latin = context_free(lines[LATIN_ASCII], 0)
    rows = {code: (latin[code], LATIN_ASCII) for code in latin}
    for name, side in SCRIPTS:
        for code, text in context_free(lines[name], side).items():
            text = in_ascii(text, latin)
            if text and text.isascii() and not code.isascii() and not unicodedata.combining(code):
                rows.setdefault(code, (text, name))
    table = [f"{ord(code):04X}\t{text}\t{name}" for code, (text, name) in sorted(rows.items()) if ord(code) < 0x10000]
    return generated.write({TRANSFORMED: "\n".join(table) + "\n"})


# ---- the table ---------------------------------------------------------------------------

def is_answered(code, rows):
    """Does form/closest.c find an answer with these rows?"""
    parts = unicodedata.normalize("NFKD", chr(code))
    if code in rows or parts[0] == chr(code) or parts[-1] == "\u0338":
        return code in rows
    return all(c.isascii() or unicodedata.combining(c) or ord(c) in rows for c in parts)


def is_latin(code):
    """Is it a letter that utf8_unaccent replaces? form/closest.h has the ranges."""
    return unicodedata.category(chr(code))[0] == "L" and "LATIN" in unicodedata.name(chr(code)).split()[:2]


# Capital letters that CLDR 41 lacks, while it has the small ones.
CAPITALS = "ƦǶȠꞬꞭꞮꞲꟅꟆ"
LATIN_RANGES = [(0xC0, 0x2AF), (0x1D00, 0x1DBF), (0x1E00, 0x1EFF), (0x2C60, 0x2C7F), (0xA722, 0xA7FF),
                (0xFB00, 0xFB06), (0xFF21, 0xFF5A)]


def all_rows():
    """{code point: its text}: those of glibc, and of CLDR all Latin letters and what has no other answer."""
    lines = [line.split("\t") for line in generated.read(RECORDED).splitlines()]
    rows = {int(code, 16): text for code, text in lines}
    lines = [line.split("\t") for line in generated.read(TRANSFORMED).splitlines()]
    cldr = {int(code, 16): text for code, text, _ in lines}
    for capital in CAPITALS:
        cldr.setdefault(ord(capital), cldr[ord(capital.lower())].upper())
    for code, text in cldr.items():
        assert not is_latin(code) or rows.get(code, text) == text, chr(code)
    more = {code: cldr[code] for code in cldr if is_latin(code) or not is_answered(code, rows)}
    both = dict(sorted({**more, **rows}.items()))
    for code in both:
        in_range = any(first <= code <= last for first, last in LATIN_RANGES)
        signs = (0xD7, 0xF7, *range(0xFF3B, 0xFF41))  # of the ranges, no letters
        assert (in_range and code not in signs) == is_latin(code), hex(code)
    return both


def escaped(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def files():
    rows = all_rows()
    texts = sorted(set(rows.values()), key=lambda text: (len(text), text))
    start, pool = {}, ""
    for text in reversed(texts):
        if text not in pool:
            pool += text
        start[text] = pool.index(text)
    longest = max(map(len, texts))
    lines = generated.in_lines([f"{{0x{code:04X}, {start[text] * 8 + len(text)}}}" for code, text in rows.items()], 5)
    strings = "\n".join(f'    "{escaped(pool[at:at + 80])}"' for at in range(0, len(pool), 80))
    assert longest < 8 and len(pool) * 8 < 0x10000
    return {TABLE: f"""/* closest.h: ASCII for code points that have no decomposition. Written by tool/closest.py from
** what glibc 2.36's iconv writes with //TRANSLIT in the locale C.UTF-8, and from the transforms of
** CLDR 41.
*/
#ifndef UTF8_FORM_TABLES_CLOSEST_H
#define UTF8_FORM_TABLES_CLOSEST_H

#include <stdint.h>

/* clang-format off */

/* The texts, one after the other. */
static const char closest_texts[] =
{strings};

/* Sorted by code point: 8 times where the text starts in closest_texts, plus its size. */
static const struct {{
  uint16_t code, text;
}} closest_rows[{len(rows)}] = {{
{lines}
}};
/* clang-format on */

#endif
"""}


if __name__ == "__main__":
    generated.main(__doc__, files, record=record, cldr=record_cldr)
