#!/usr/bin/env python3
"""stateful.py: compares the charsets with states with Python, glibc and a second definition.

    sh test/judges/legacy.sh stateful     builds the program under test and runs this

The second definition decodes as the first lines of charset/legacy/*.c say, errors included. Python and iconv
are compared where they find no error: with every pair, every character, random bytes and text. Their
differences are listed here, next to the charset.
"""

import os
import random
import re
import sys
import unicodedata

import legacy
import marc8
from extension import finish
from legacy import ALL, Iconv, check, records

try:
    from pymarc.marc8 import marc8_to_unicode
except ImportError:
    marc8_to_unicode = None

BAD = "\uFFFD"


def text_or_none(decode):
    """The decoded text, or None where a decoder reports an error."""
    try:
        return decode()
    except (UnicodeError, IndexError):
        return None


def in_pairs(codec, changes):
    """A function: the character of two bytes 21..7E, or None."""
    def of(pair):
        text = text_or_none(lambda: bytes(byte | 0x80 for byte in pair).decode(codec))
        return changes.get(text, text)
    return of


def is_pair(data, at):
    return len(data) - at >= 2 and all(0x21 <= byte <= 0x7E for byte in data[at:at + 2])


# ---- the second definitions: iterators of characters, BAD for each error ------------------


def hz(data, pairs=in_pairs("gb2312", {"\u30FB": "\u00B7", "\u2015": "\u2014"})):
    at, shifted = 0, False
    while at < len(data):
        byte, two = data[at:at + 1], data[at:at + 2]
        if two in ((b"~}",) if shifted else (b"~{", b"~~", b"~\n")):
            yield "~" if two == b"~~" else ""
            shifted = two == b"~{"
            at += 2
        elif shifted and byte == b"\n":
            yield BAD
            shifted = False
        elif shifted and byte != b"~" and is_pair(data, at):
            yield pairs(two) or BAD
            at += 2
        else:
            yield BAD if shifted or byte == b"~" or byte >= b"\x80" else byte.decode()
            at += 1


def iso_2022_kr(data, pairs=in_pairs("cp949", {})):
    at, shifted = 0, False
    while at < len(data):
        byte = data[at]
        if data[at:at + 4] == b"\x1b$)C":
            at += 4
        elif shifted and is_pair(data, at):
            yield pairs(data[at:at + 2]) or BAD
            at += 2
        else:
            if byte in b"\x0e\x0f\n":
                shifted = byte == 0x0E
            is_error = byte >= 0x80 or byte == 0x1B or (shifted and 0x21 <= byte <= 0x7E)
            yield BAD if is_error else "" if byte in b"\x0e\x0f" else chr(byte)
            at += 1


def cns(plane):
    """A function: the character of two bytes 21..7E in a plane of CNS 11643, or None."""
    euc_tw = Iconv("EUC-TW")
    def of(pair):
        answer = euc_tw.decode(bytes([0x8E, 0xA0 + plane, pair[0] | 0x80, pair[1] | 0x80]))
        return answer and answer.decode()
    return of


CN_SETS = {b"\x1b$)A": in_pairs("gb2312", {"\u30FB": "\u00B7", "\u2015": "\u2014"}),
           b"\x1b$)G": cns(1), b"\x1b$*H": cns(2)}


def iso_2022_cn(data):
    at, shifted, pairs, single = 0, False, None, None
    while at < len(data):
        byte, four = data[at], data[at:at + 4]
        if four == b"\x1b$*H":
            single, at = CN_SETS[four], at + 4
        elif four in CN_SETS:
            pairs, at = CN_SETS[four], at + 4
        elif single and four[:2] == b"\x1bN":
            whole = is_pair(data, at + 2)
            yield (single(four[2:]) if whole else None) or BAD
            at += 4 if whole else 2
        elif shifted and is_pair(data, at):
            yield pairs(four[:2]) or BAD
            at += 2
        else:
            at += 1
            if byte in b"\x0e\x0f":
                shifted = byte == 0x0E and pairs is not None
                yield BAD if byte == 0x0E and not shifted else ""
                continue
            yield BAD if byte >= 0x80 or byte == 0x1B or (shifted and 0x21 <= byte <= 0x7E) else chr(byte)
            if byte == 0x0A:
                shifted, pairs, single = False, None, None


BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def utf_7_units(run):
    """The code units of some base64, None for what is lost."""
    bits = "".join(f"{BASE64.index(c):06b}" for c in run)
    units = [int(bits[at:at + 16], 2) for at in range(0, len(bits) - 15, 16)]
    left = bits[16 * len(units):]
    if len(left) >= 6:
        units.append(None)
    elif "1" in left:
        units[-1] = None
    return units


def utf_7_text(run):
    units = utf_7_units(run) + [None]
    at = 0
    while at < len(units) - 1:
        unit, following = units[at], units[at + 1] or 0
        if unit is not None and unit >> 10 == 0x36 and following >> 10 == 0x37:
            yield chr(0x10000 + ((unit & 0x3FF) << 10) + (following & 0x3FF))
            at += 1
        else:
            yield BAD if unit is None or unit >> 11 == 0x1B else chr(unit)
        at += 1


def utf_7(data):
    for found in re.finditer(r"\+-|\+([A-Za-z0-9+/]+)-?|.", data.decode("latin-1"), re.S):
        if found[0] == "+-":
            yield "+"
        elif found[1]:
            yield from utf_7_text(found[1])
        else:
            yield found[0] if re.match(r"[\t\n\r -}]", found[0]) and found[0] not in "+\\" else BAD


SETS, MARKS = marc8.mapping() if os.path.isdir("build") else ({}, set())
CONTROLS = {0x88: "\x98", 0x89: "\x9C", 0x8D: "\u200D", 0x8E: "\u200C"}
ESCAPE = re.compile(rb"\x1b(?:([sgbp])|([(,)-])(!E|[BsgbpNQS234])|(\$,?|\$[)-])1)")


def marc_8_elements(data):
    """The characters as they come, with where each ends, and where in it the sets change: None."""
    at, g0, g1 = 0, "B", "E"
    while at < len(data):
        byte, low = data[at], data[at] & 0x7F
        chosen = g0 if byte < 0x80 else g1
        escape = ESCAPE.match(data, at)
        character, length = BAD, 1
        if escape:
            last = "EACC" if escape[4] else (escape[1] or escape[3]).decode()[-1].replace("s", "B")
            g0, g1 = (g0, last) if (escape[2] or escape[4] or b"(")[-1:] in b")-" else (last, g1)
            character, length = None, len(escape[0])
        elif 0x21 <= low <= 0x7E:
            if chosen == "EACC":
                length = len(re.match(rb"[!-~]{1,3}" if byte < 0x80 else rb"[\xa1-\xfe]{1,3}", data[at:])[0])
            else:
                character = chr(low if chosen == "B" else SETS[chosen].get(low, 0xFFFD))
        elif byte < 0x80 and byte != 0x1B:
            character = chr(byte)
        else:
            character = CONTROLS.get(byte, BAD)
        at += length
        yield character, length


def marc_8(data):
    waiting, before = "", 0
    for character, length in marc_8_elements(data):
        if waiting and (before >= 12 or (character and (
                character < " " or "\x7F" <= character <= "\x9F" or character == BAD))):
            yield BAD
            waiting = ""
        if character and ord(character) in MARKS:
            before = before + length if waiting else 0
            waiting += character
        elif character:
            yield character + waiting
            waiting = ""
        elif waiting:
            before += length
    if waiting:
        yield BAD


# One escape right after a short one, controls, ANSEL's own name, and sets in the other half.
NOT_IN_PYMARC = re.compile(rb"\x1b[gbps]\x1b|[\x00-\x1a\x1c-\x1f\x7f-\x9f]|\x1b(?:[^gbps(,)-]|[(,][!4QEs]|[)-][!3NS2gbpsB])")


def by_pymarc(piece):
    """pymarc's text, which it composes. It prints what it cannot read, and leaves out controls."""
    if marc8_to_unicode is None or NOT_IN_PYMARC.search(piece):
        return None
    return marc8_to_unicode(piece, hide_utf8_warnings=True)


# ---- the charsets -------------------------------------------------------------------------


class Stateful:
    """A charset, its second definition, and how to compare it.

    starts    what chooses a state, for every two bytes after it
    pieces    what random bytes are made of
    python    Python's codec, a function that decodes to composed text, or None
    iconv     glibc's name, or None
    folds     Python's characters, and those that are here at their codes
    differs   is this input read differently by Python or glibc, although it is without errors?
    """

    def __init__(self, name, define, starts, pieces, python=None, iconv=None, folds=None,
                 differs=lambda piece: False):
        self.name, self.define, self.starts, self.pieces = name, define, starts, pieces
        self.python, self.iconv = python, iconv and Iconv(iconv)
        self.folds, self.differs = folds or {}, differs

    def read_by_python(self, piece):
        """The text, or None if Python finds an error, or differs."""
        if callable(self.python):
            return text_or_none(lambda: self.python(piece))
        text = text_or_none(lambda: piece.decode(self.python)) if self.python else None
        return text and text.translate(str.maketrans(self.folds))

    def read_by_glibc(self, piece):
        answer = self.iconv.decode(piece) if self.iconv and self.iconv.exists else None
        return None if answer is None else answer.decode()


CHARSETS = [
    Stateful("hz", hz, [b"", b"~{", b"~{VP", b"~"], [b"~{", b"~}", b"~~", b"~\n", b"~", b"\n"],
             python="hz", folds={"\u30FB": "\u00B7", "\u2015": "\u2014"}),
    Stateful("iso-2022-kr", iso_2022_kr, [b"\x1b$)C", b"\x1b$)C\x0e", b"\x0e0!", b"\x1b", b"\x1b$)"],
             [b"\x1b$)C", b"\x0e", b"\x0f", b"\n", b"\x1b", b"\x1b$", b"\x1b$)"],
             python="iso2022_kr", iconv="ISO-2022-KR",
             # Without a header, Python reads pairs as ASCII. glibc does not end pairs at a line's end.
             differs=lambda piece: not piece.startswith(b"\x1b$)C") or b"\n" in piece),
    Stateful("iso-2022-cn", iso_2022_cn,
             [b"\x1b$)A", b"\x1b$)A\x0e", b"\x1b$)G\x0e", b"\x1b$*H\x1bN", b"\x1b$*H\x1bN0", b"\x1bN", b"\x0e", b"\x1b$)", b"\x1b$*"],
             [b"\x1b$)A", b"\x1b$)G", b"\x1b$*H", b"\x1bN", b"\x1bN0!", b"\x0e", b"\x0f", b"\n", b"\x1b", b"\x1b$", b"\x1b$)", b"\x1b$*"],
             iconv="ISO-2022-CN", differs=lambda piece: b"!$" in piece or b"!*" in piece),
    Stateful("utf-7", utf_7, [b"", b"+", b"+AG", b"+2D", b"+2AAA", b"+2D3eA", b"+AGF"],
             [b"+", b"-", b"+-", b"AAA", b"AG", b"2D3cAA", b"2D", b"cA", b"3AA", b"//0", b"\\", b"~", b"!"],
             python="utf-7", iconv="UTF-7"),
    Stateful("marc-8", marc_8, [b"", b"\xe2", b"\x1b(N", b"\x1b)Q", b"\x1b(S\x22", b"\x1b(2", b"\x1b)4", b"\x1b(3", b"\x1bg",
                                b"\x1bb", b"\x1bp", b"\x1b$1", b"\x1b(", b"\x1b$", b"\x1b)!", b"\xe2\x1b(N"],
             [b"\xe2", b"\xe8\xe1", b"\xf0", b"\x1b(N", b"\x1b,S", b"\x1b)Q", b"\x1b-4", b"\x1b)!E", b"\x1bs", b"\x1b(B",
              b"\x1b(2", b"\x1b(3", b"\x1bp1", b"\x1b$1", b"\x1b$,1", b"\x1b$)1", b"\x1b", b"\xe2" * 13],
             python=by_pymarc),
]


def compare_decoded(ours, charset, what, payload, record):
    """Compares with the second definition, and with Python and iconv where these decode."""
    pieces = [payload[at:at + record] for at in range(0, len(payload), record)]
    answers = [answer.decode() for answer in records(ours.ask("d", charset.name, payload, record))]
    check(f"{charset.name}: {what}",
          [(piece, ascii(answer)) for piece, answer in zip(pieces, answers)
           if answer != "".join(charset.define(piece))])
    for judge, read in ("Python", charset.read_by_python), ("glibc", charset.read_by_glibc):
        both = [(piece, a, b) for piece, a, b in zip(pieces, answers, map(read, pieces))
                if b is not None and BAD not in a and not charset.differs(piece)]
        check(f"{charset.name}: {what} as in {judge}",
              [(piece, ascii(a), ascii(b)) for piece, a, b in both
               if (unicodedata.normalize("NFC", a) if callable(charset.python) else a) != b])


def random_piece(rng, charset):
    kind = rng.randrange(5)
    if kind == 0:
        return bytes(rng.randrange(0x20, 0x7F) for _ in range(rng.randrange(9)))
    if kind == 1:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(3)))
    if kind == 2:
        return bytes(rng.choice((0x30, 0x31, 0x41, 0x2B)) for _ in range(rng.randrange(6)))
    return rng.choice(charset.pieces)


def judge_bytes(ours, charset):
    for start in charset.starts:
        payload = b"".join(start + pair for pair in
                           (bytes([a, b]) for a in ALL for b in ALL))
        compare_decoded(ours, charset, f"every two bytes after {start}", payload, len(start) + 2)
    rng = random.Random(charset.name)
    for size in (3, 5, 8, 12, 20, 40):
        payload = b""
        for _ in range(4000):
            text = b""
            while len(text) < size:
                text += random_piece(rng, charset)
            payload += text[:size]
        compare_decoded(ours, charset, f"random bytes, {size} at a time", payload, size)


def judge_characters(ours, charset):
    """Every character is encoded as in Python or glibc, and comes back."""
    codes = [chr(code) for code in legacy.SCALARS]
    mine = records(ours.ask("e", charset.name, "".join(codes).encode(), 1))
    check(f"{charset.name}: every character comes back",
          [(ascii(c), answer) for c, answer in zip(codes, mine)
           if answer is not None and "".join(charset.define(answer)) != c])
    back = {folded: c for c, folded in charset.folds.items()}
    if isinstance(charset.python, str):
        check(f"{charset.name}: every character is encoded as in Python",
              [(ascii(c), a) for c, a in zip(codes, mine) if c >= "\x80" and c not in charset.folds
               and a != text_or_none(lambda c=c: back.get(c, c).encode(charset.python))])
    return [c for c, answer in zip(codes, mine) if answer is not None]


def judge_text(ours, charset):
    """Random text comes back, from Python too."""
    has, rng, differences = judge_characters(ours, charset), random.Random(charset.name), []
    for _ in range(2000):
        text = "".join(rng.choice(has if rng.randrange(2) else "ab \n+-~") for _ in range(rng.randrange(60)))
        data = ours.ask("e", charset.name, text.encode())[1:]
        if "".join(charset.define(data)) != text or charset.read_by_python(data) not in (None, text):
            differences.append((ascii(text), data))
    check(f"{charset.name}: random text comes back", differences)


def main():
    ours = legacy.Judge(f"{legacy.BUILD}/ours")
    for charset in [c for c in CHARSETS if c.name in (sys.argv[1:] or [c.name])]:
        judge_bytes(ours, charset)
        judge_text(ours, charset)
    finish()


if __name__ == "__main__":
    main()
