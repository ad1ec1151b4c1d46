#!/usr/bin/env python3
"""multibyte.py: compares the multi-byte charsets that the WHATWG standard lacks with the codecs of
Python and with iconv.

    sh test/judges/legacy.sh     builds the program under test and runs this
    python3 test/judges/multibyte.py NAME     only this charset

Each judge decodes every code. Random bytes are compared with the codes of the first judge and with
the rule for errors in charset/legacy/legacy.h: a lead byte, and the byte after it unless that is ASCII, are
one error.
"""

import random
import sys

import legacy
from extension import finish

HIGH = range(0x81, 0x100)


class Codec:
    """One of Python's codecs, with the methods of legacy.Iconv."""

    def __init__(self, name, to=None):
        self.codec, self.encodes, self.exists = to or name, to is not None, True

    def decode(self, record):
        try:
            if self.encodes:
                return record.decode().encode(self.codec)
            return record.decode(self.codec).encode()
        except UnicodeError:
            return None


# Name; Python's codec; iconv's; which of the two comes first: this one agrees in every code.
CHARSETS = {
    "johab": [(Codec, "johab"), (legacy.Iconv, "JOHAB")],
    "euc-tw": [(legacy.Iconv, "EUC-TW")],
    "euc-jis-2004": [(Codec, "euc_jis_2004"), (legacy.Iconv, "EUC-JISX0213")],
    "shift_jis-2004": [(Codec, "shift_jis_2004"), (legacy.Iconv, "SHIFT_JISX0213")],
    "iso-2022-jp-2004": [(Codec, "iso2022_jp_2004")],
}

# Codes in which the second judge differs, and code points that it encodes differently.
DIFFERENT = {
    # The won sign; letters of Hangul alone, which glibc writes but does not read; a postal code mark
    # of 1998.
    # A dash, and double parentheses that are not full-width ones; JIS X 0212, as Python reads it.
    "euc-jis-2004": ({"a1bd", "a2d6", "a2d7"}, {0x2014, 0x2015, 0x2985, 0x2986, 0xFF5F, 0xFF60}),
    # Here backslash and tilde can be written.
    "shift_jis-2004": ({"815c", "815f", "81b0", "81d4", "81d5"},
                       {0x5C, 0x7E, 0xFF3C, 0xFF5E, 0x2014, 0x2015, 0x2985, 0x2986, 0xFF5F, 0xFF60}),
    "johab": ({"5c", "d9e8", "8441", *(f"84{final:02x}" for final in range(0x42, 0x5E))},
              {0x5C, 0x20A9, 0x3000, 0x327E, *range(0x3131, 0x3164)}),
}


# What is taken from no judge: of iso-2022-jp-2004, U+FF5E, which Python reads as a tilde, and SO, SI
# and ESC, which iso-2022-jp does not write either.
OWN = {"1b24285122321b2842", *(("iso-2022-jp-2004", code) for code in (0xE, 0xF, 0x1B, 0xFF5E))}


def pieces_of(name):
    """Every code that the charset may have, by length."""
    found = {1: bytes(legacy.ALL), 2: legacy.strings(HIGH, legacy.ALL)}
    if name == "euc-jis-2004":
        found[3] = legacy.strings([0x8F], legacy.ALL, legacy.ALL)
    if name == "iso-2022-jp-2004":
        pairs = split(legacy.strings(range(0x21, 0x7F), range(0x21, 0x7F)), 2)
        found = {3 + len(escapes[0]) + 2: b"".join(
            escape + pair + b"\x1b(B" for escape in escapes for pair in pairs)
            for escapes in ([b"\x1b$B"], [b"\x1b$(Q", b"\x1b$(P"])}
    if name == "euc-tw":
        found[4] = legacy.strings([0x8E], range(0xA0, 0xB2), range(0xA0, 0x100), range(0xA0, 0x100))
    return found


def split(payload, size):
    return [payload[at:at + size] for at in range(0, len(payload), size)]


def is_0212(name, piece):
    """Is the code one of JIS X 0212, which only Python has in euc-jis-2004?"""
    row = piece[1] - 0xA0 if name == "euc-jis-2004" and len(piece) == 3 and piece[0] == 0x8F else 1
    return row not in (1, 3, 4, 5, 8, *range(12, 16), *range(78, 95))


def judge_codes(ours, name, judges):
    """Every code, by both judges. Returns those of the first."""
    table, (known, _) = {}, DIFFERENT.get(name, (set(), set()))
    for size, payload in pieces_of(name).items():
        pieces = split(payload, size)
        mine = legacy.records(ours.ask("d", name, payload, size))
        for number, judge in enumerate(judges):
            theirs = [judge.decode(piece) for piece in pieces]
            if number == 0:
                table.update((p, one) for p, one in zip(pieces, theirs)
                             if one and not (size == 2 and p[:1] in table))
            differences = [(piece.hex(), ascii(a), ascii(b))
                           for piece, a, b in zip(pieces, mine, theirs)
                           if (a if b"\xEF\xBF\xBD" not in a else None) != b
                           and piece.hex() not in OWN
                           and not (number and (piece.hex() in known or is_0212(name, piece)))]
            legacy.check(f"{name}: every {size} bytes, judge {number}", differences)
    return table


def judge_code_points(ours, name, encoders):
    codes = [chr(code) for code in legacy.SCALARS if code]
    mine = legacy.records(ours.ask("e", name, "".join(codes).encode(), 1))
    _, known = DIFFERENT.get(name, (set(), set()))
    for number, encoder in enumerate(encoders):
        theirs = [encoder.decode(code.encode()) for code in codes]
        differences = [(hex(ord(code)), a and a.hex(), b and b.hex())
                       for code, a, b in zip(codes, mine, theirs)
                       if a != (b or None) and not (name, ord(code)) in OWN and not (
                           number and (ord(code) in known or a and is_0212(name, a)))]
        legacy.check(f"{name}: every code point, judge {number}", differences)


LEADS = {
    "johab": {*range(0x84, 0xD4), *range(0xD8, 0xDF), *range(0xE0, 0xFA)},
    "euc-tw": {0x8E, *range(0xA1, 0xFF)},
    "euc-jis-2004": {0x8E, 0x8F, *range(0xA1, 0xFF)},
    "shift_jis-2004": {*range(0x81, 0xA0), *range(0xE0, 0xFD)},
}


def size_of_error(name, data, at):
    """A lead byte, and the byte after it unless that is ASCII; 8E of euc-tw and a plane come first."""
    skipped = 0
    if name == "euc-jis-2004" and data[at] == 0x8F and 0xA1 <= (data[at + 1:at + 2] or b"z")[0] <= 0xFE:
        skipped, at = 1, at + 1
    if name == "euc-tw" and data[at] == 0x8E and 0xA1 <= (data[at + 1:at + 2] or b"z")[0] <= 0xB0:
        skipped, at = 2, at + 2
        if len(data) <= at or data[at] < 0x80:
            return 2
    is_lead = skipped or data[at] in LEADS.get(name, ())
    return skipped + (2 if is_lead and len(data) - at > 1 and data[at + 1] >= 0x80 else 1)


def expected(name, table, data):
    """What random bytes are decoded to."""
    out, at = b"", 0
    while at < len(data):
        size = next((n for n in (4, 3, 2, 1) if data[at:at + n] in table
                     and at + n <= len(data)), 0)
        if size:
            out += table[data[at:at + size]]
        else:
            out += b"\xEF\xBF\xBD"
            size = size_of_error(name, data, at)
        at += size
    return out


def judge_random_text(ours, name, table, count=300):
    """Text in which pairs of code points have one code."""
    if name == "iso-2022-jp-2004" and "\u0259\u0301".encode(name) != b"\x1b$(Q+M\x1b(B":
        print(f"SKIPPED: {name}: random text: this Python writes two codes for a pair, as 3.11.2 does")
        return
    rng, differences = random.Random(name), []
    texts = sorted(text.decode() for text in table.values())
    several = [text for text in texts if len(text) > 1]
    parts = [*several, *(text[0] for text in several), *(text[1] for text in several)]
    for _ in range(count):
        text = "".join(rng.choice(parts if rng.randrange(2) else texts)
                       for _ in range(rng.randrange(30)))
        try:
            due = text.encode(name)
        except UnicodeEncodeError:
            continue
        mine = ours.ask("e", name, text.encode())[1:]  # after whether the charset has it all
        if mine != due and not set(text) & {"~", "\uff5e"}:
            differences.append((ascii(text), mine, due))
    legacy.check(f"{name}: random text", differences)


def judge_random(ours, name, table, count=300):
    rng, differences = random.Random(name), []
    codes = sorted(table)
    for _ in range(count):
        data = b"".join(rng.choice(codes) if rng.randrange(4) else
                        bytes([rng.randrange(256)]) for _ in range(rng.randrange(60)))
        mine = ours.ask("d", name, data)
        if mine != expected(name, table, data):
            differences.append((name, data.hex(), mine, expected(name, table, data)))
    legacy.check(f"{name}: random bytes", differences)


# ---- big5-hkscs: Python has HKSCS-2004, glibc HKSCS-2008 ----------------------------------

# Eleven marks, which the standard's index reads as other code points than both judges do.
HKSCS_MARKS = set(legacy.OTHERS["big5-hkscs"])

# What a judge does not read: euro sign and pictures of controls; the characters of 2008, or marks and
# numerals that have a second pair.
NOT_IN_JUDGES = set(range(0xA3C0, 0xA3E2))
NOT_IN_JUDGE = [set(range(0x877A, 0x87E0)), {0xA15A, 0xA1C3, 0xA1C5, 0xA1FE, 0xA240, 0xA2CC, 0xA2CE}]


def judge_hkscs_pairs(ours, judge, lacks):
    """Every pair is read as in big5, and as by the judge; what it lacks is also another pair's."""
    payload = legacy.strings(HIGH, legacy.ALL)
    pieces = [piece for piece in split(payload, 2) if piece[1] >= 0x40]
    mine = legacy.records(ours.ask("d", "big5-hkscs", b"".join(pieces), 2))
    legacy.check("big5-hkscs: every pair as in big5", [
        (piece.hex(), a, b) for piece, a, b in
        zip(pieces, mine, legacy.records(ours.ask("d", "big5", b"".join(pieces), 2))) if a != b])
    differences, table = [], {}
    for piece, text in zip(pieces, mine):
        text, theirs = None if b"\xEF\xBF\xBD" in text else text, judge.decode(piece)
        number = int.from_bytes(piece, "big")
        if text != theirs and number not in HKSCS_MARKS and not (
                theirs is None and text and (
                    number in NOT_IN_JUDGES | lacks or ours.ask("e", "big5-hkscs", text)[1:] != piece)):
            differences.append((piece.hex(), text, theirs))
        if text and text == theirs:
            table[piece] = text
    legacy.check("big5-hkscs: every pair", differences)
    return table


def judge_hkscs_code_points(ours, encoder, lacks):
    """Every code point comes back, and is written as by the judge. glibc drops tags, and writes U+0080."""
    codes = [chr(code) for code in legacy.SCALARS if 0x80 < code < 0xE0000]
    mine = legacy.records(ours.ask("e", "big5-hkscs", "".join(codes).encode(), 1))
    marks, others = ({number.to_bytes(2, "big") for number in numbers}
                     for numbers in (HKSCS_MARKS, HKSCS_MARKS | NOT_IN_JUDGES | lacks))
    differences = [(hex(ord(code)), a, b) for code, a in zip(codes, mine)
                   if a != (b := encoder.decode(code.encode()))
                   and b not in marks and not (b is None and a in others)]
    legacy.check("big5-hkscs: every code point", differences)
    written = [(code, a) for code, a in zip(codes, mine) if a]
    back = legacy.records(ours.ask("d", "big5-hkscs", b"".join(a for _, a in written), 2))
    legacy.check("big5-hkscs: every code point comes back", [
        (hex(ord(code)), a, text) for (code, a), text in zip(written, back) if code.encode() != text])


def judge_hkscs(ours):
    judges = [(Codec("big5hkscs"), Codec("UTF-8", "big5hkscs")),
              (legacy.Iconv("BIG5-HKSCS"), legacy.Iconv("UTF-8", "BIG5-HKSCS"))]
    for (decoder, encoder), lacks in zip(judges, NOT_IN_JUDGE):
        if not decoder.exists:
            print("SKIPPED: a judge of big5-hkscs: iconv lacks it")
            continue
        table = judge_hkscs_pairs(ours, decoder, lacks)
        judge_hkscs_code_points(ours, encoder, lacks)
    judge_random_text(ours, "big5-hkscs", table)


def main():
    ours = legacy.Judge(f"{legacy.BUILD}/ours")
    for name, judges in CHARSETS.items():
        if sys.argv[1:] and name not in sys.argv[1:]:
            continue
        decoders = [judge for kind, theirs in judges if (judge := kind(theirs)).exists]
        if len(decoders) < len(judges):
            print(f"SKIPPED: a judge of {name}: iconv lacks it")
        table = judge_codes(ours, name, decoders)
        judge_code_points(ours, name, [kind("UTF-8", theirs) for kind, theirs in judges][:len(decoders)])
        if name in LEADS:
            judge_random(ours, name, table)
        if name.endswith("2004"):
            judge_random_text(ours, name, table)
    if sys.argv[1:] in ([], ["big5-hkscs"]):
        judge_hkscs(ours)
    finish()


if __name__ == "__main__":
    main()
