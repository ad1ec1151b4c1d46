#!/usr/bin/env python3
"""legacy.py: compares the legacy charsets with independent decoders and encoders.

    sh test/judges/legacy.sh     builds the programs and runs this

What each decoder is compared on:
  encoding_rs  the WHATWG Encoding Standard's reference implementation: every label, byte,
               two-byte string and code, every code point encoded, random strings with errors
  Python       its codecs, for the code pages that the standard lacks
  glibc        iconv, for those that both lack: every byte and every code point
  Node, iconv  every byte, and every pair that both decode to one character; where their
               tables differ is listed below

A decoder is a program that answers requests on its standard input. A request is an operation
('d' decode, 'e' encode, 'l' names of labels), the label's length, the record size in two
bytes, the size of what follows in four, the label, the bytes. An answer is a size and bytes.
With a record size, decoding converts each such piece of the bytes on its own, and encoding
each code point; the answer is a length and bytes for each, FF for what cannot be encoded.
Numbers are little-endian.
"""

import random
import re
import struct
import subprocess
import sys

from extension import finish, results  # also adds the folder of the tools to the path
import charsets  # the names of Python's code pages
import iconv

BUILD = "build/judges"
LACKS = 0xFF
ASTRAL = [c for plane in (1, 2, 3, 14, 16) for c in range(plane << 16, (plane + 1) << 16)]
SCALARS = [*range(0xD800), *range(0xE000, 0x10000), *ASTRAL]


class Judge:
    """A program that answers requests."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def send(self, operation, label, payload, record=0):
        head = struct.pack("<BBHI", ord(operation), len(label), record, len(payload))
        self.process.stdin.write(head + label.encode() + payload)
        self.process.stdin.flush()

    def receive(self):
        size, = struct.unpack("<I", self.process.stdout.read(4))
        return self.process.stdout.read(size)

    def ask(self, *request):
        self.send(*request)
        return self.receive()


def records(answer):
    """The records of an answer; None for what cannot be encoded."""
    at, found = 0, []
    while at < len(answer):
        length = answer[at]
        found.append(None if length == LACKS else answer[at + 1:at + 1 + length])
        at += 1 if length == LACKS else 1 + length
    return found


# ---- results -----------------------------------------------------------------------------

def check(what, differences):
    """Counts a test, which passes if there are no differences, and prints some if there are."""
    results.append(not differences)
    if differences:
        print(f"FAILED: {what}: {len(differences)} differences")
    for difference in differences[:5]:
        print("    ", *difference)


def compare(what, ours, theirs, operation, label, payload, record=0):
    """Compares the answers to one request."""
    for judge in (ours, theirs):
        judge.send(operation, label, payload, record)
    mine, other = ours.receive(), theirs.receive()
    if mine == other:
        return check(what, [])
    if not record:
        return check(what, [(label, payload.hex(), "ours", mine, "judge", other)])
    mine, other = records(mine), records(other)
    pieces = list(payload.decode()) if operation == "e" else [
        payload[at:at + record].hex() for at in range(0, len(payload), record)]
    return check(what, [(label, ascii(piece), "ours", a, "judge", b)
                        for piece, a, b in zip(pieces, mine, other) if a != b])


# ---- encoding_rs -------------------------------------------------------------------------


def strings(*alphabets):
    """All strings with a byte of each alphabet, one after the other."""
    rows = [b""]
    for alphabet in alphabets:
        rows = [row + bytes([byte]) for row in rows for byte in alphabet]
    return b"".join(rows)


ALL, HIGH, DIGITS = range(256), range(0x81, 0xFF), range(0x30, 0x3A)


def text_of(codes):
    return "".join(map(chr, codes)).encode()


def judge_multi_byte(ours, judge, label):
    compare(f"{label}: every byte", ours, judge, "d", label, bytes(ALL), 1)
    compare(f"{label}: every two bytes", ours, judge, "d", label, strings(ALL, ALL), 2)
    compare(f"{label}: every code point", ours, judge, "e", label, text_of(SCALARS), 1)
    if label == "euc-jp":
        payload = strings([0x8F], ALL, ALL)
        compare(f"{label}: every 8F xx xx", ours, judge, "d", label, payload, 3)
    if label == "gb18030":
        payload = strings(HIGH, DIGITS, HIGH, DIGITS)
        compare(f"{label}: every four-byte code", ours, judge, "d", label, payload, 4)
    if label in ("gbk", "gb18030"):
        edges = [0, 0x2F, 0x30, 0x39, 0x3A, 0x40, 0x7F, 0x80, 0x81, 0xFE, 0xFF]
        payload = strings([0x80, 0x81, 0xE3, 0xFE], edges, edges, edges)
        compare(f"{label}: four bytes with errors", ours, judge, "d", label, payload, 4)
    if label == "iso-2022-jp":
        judge_designations(ours, judge)


def judge_designations(ours, judge):
    """Every two bytes and every end of the text in each state, and after two designations."""
    pieces = [b"", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$@", b"\x1b$B", b"\x1b$(", b"\x1b(",
              b"\x1b$", b"\x1b", b"\x1b(C", b"\x1b$A"]
    for i, first in enumerate(pieces):
        payload = b"".join(first + bytes([a, b]) for a in ALL for b in ALL)
        compare(f"iso-2022-jp: every two bytes after {first}", ours, judge, "d",
                "iso-2022-jp", payload, len(first) + 2)
        for middle in (b"", b"a", b"!", b"!!", b"\x0e", b"\xff"):
            for second in pieces:
                for end in (b"", b"\\~", b"0!0", b"0\xff!", b"\x1b(B~"):
                    compare(f"iso-2022-jp: states {i}", ours, judge, "d", "iso-2022-jp",
                            first + middle + second + end)


def random_bytes(rng, label):
    """Bytes of which many are leads, trails and edges, with runs of valid codes and ASCII."""
    common = [0x1B, 0x24, 0x28, 0x30, 0x31, 0x39, 0x40, 0x42, 0x49, 0x4A, 0x7E, 0x7F, 0x80,
              0x81, 0x84, 0x87, 0x8E, 0x8F, 0x9F, 0xA0, 0xA1, 0xA6, 0xB0, 0xC8, 0xDF, 0xE0,
              0xFC, 0xFD, 0xFE, 0xFF]
    out = b""
    for _ in range(rng.randrange(1, 30)):
        kind = rng.randrange(6)
        if kind == 0:
            out += bytes(rng.randrange(0x20, 0x7F) for _ in range(rng.randrange(40)))
        elif kind == 1:
            out += bytes(rng.randrange(256) for _ in range(rng.randrange(12)))
        elif kind == 2:
            out += bytes(rng.choice(common) for _ in range(rng.randrange(12)))
        elif kind == 3:
            text = "".join(chr(rng.choice((0x4E00, 0xAC00, 0x3040, 0x410)) + rng.randrange(96))
                           for _ in range(rng.randrange(30)))
            out += text.encode(label, "ignore")
        elif kind == 4:
            out += bytes(rng.choice((0xB0, 0xB1, 0xC1)) for _ in range(rng.randrange(20)))
        else:
            out += bytes([rng.choice(common)])
    return out


def random_text(rng):
    blocks = (0x20, 0x20, 0xA0, 0x410, 0x3040, 0x4E00, 0xAC00, 0xFF60, 0x2010, 0x20000, 0x0)
    out = ""
    for _ in range(rng.randrange(1, 20)):
        block = rng.choice(blocks)
        out += "".join(chr(block + rng.randrange(0x40)) for _ in range(rng.randrange(20)))
    return out


def judge_random_bytes(ours, judge, label, count):
    """A single-byte charset: dense and sparse text, and code points that it lacks."""
    rng = random.Random(label)
    page = [answer.decode() for answer in records(ours.ask("d", label, bytes(ALL), 1))]
    high = [byte for byte in range(128, 256) if page[byte] != "\uFFFD"]
    for _ in range(count):
        dense, lacks = rng.choice((1, 2, 3, 8, 30, 100)), rng.randrange(2)
        data = bytes(rng.choice(high) if rng.randrange(dense) == 0 else rng.randrange(128)
                     for _ in range(rng.randrange(1000)))
        compare(f"{label}: random bytes", ours, judge, "d", label, data)
        text = "".join(page[byte] for byte in data)
        if lacks and text:
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice("\u0E4F\U0001F600\u2603") + text[at:]
        compare(f"{label}: random text", ours, judge, "e", label, text.encode())


def judge_random(ours, judge, label, count):
    rng = random.Random(label)
    for _ in range(count):
        compare(f"{label}: random bytes", ours, judge, "d", label, random_bytes(rng, label))
    differences = []
    for _ in range(count):
        text = random_text(rng)
        if rng.randrange(4):  # most often what can be encoded
            text = text.encode(label, "ignore").decode(label, "ignore")
        answers = [who.ask("e", label, text.encode()) for who in (ours, judge)]
        # Before what iso-2022-jp lacks, encoding_rs has already returned to ASCII.
        same = answers[0] == answers[1] or (
            label == "iso-2022-jp" and answers[0][0] == answers[1][0] == 0)
        if not same:
            differences.append((ascii(text), *answers))
    check(f"{label}: random text", differences)


def judge_labels(ours, judge, rows):
    """The standard's labels mean what they mean in the standard, with next.md's exceptions."""
    others = "replacement x-user-defined".split()
    names = [label for row in rows for label in (row[1], *row[2])] + others
    payload = "\n".join(names).encode()
    mine, other = (who.ask("l", "", payload).decode().split("\n") for who in (ours, judge))
    precise = {"iso-8859-1", "ascii", "utf-16", "big5-hkscs"}
    differences = [(label, a, b) for label, a, b in zip(names, mine, other)
                   if b and b != "replacement" and b != "x-user-defined" and a != b
                   and a not in precise]
    check("every label", differences)
    check("replacement and x-user-defined are not charsets",
          [(label, a) for label, a, b in zip(names, mine, other)
           if a and b in ("replacement", "x-user-defined") and a not in ("hz", "iso-2022-kr", "iso-2022-cn")])


def judge_by_encoding_rs(ours, judge, rows):
    judge_labels(ours, judge, rows)
    for _, name, _, kind, source in rows:
        if not source.startswith("WHATWG") or kind == "UNICODE":
            continue
        if kind == "SINGLE_BYTE":
            compare(f"{name}: every byte", ours, judge, "d", name, bytes(ALL), 1)
            compare(f"{name}: all bytes", ours, judge, "d", name, bytes(ALL) * 3)
            bmp = text_of(range(0xD800)) + text_of(range(0xE000, 0x10100))
            compare(f"{name}: every code point", ours, judge, "e", name, bmp, 1)
            judge_random_bytes(ours, judge, name, 50)
        else:
            judge_multi_byte(ours, judge, name)
            judge_random(ours, judge, name, 2000)


# ---- Python ------------------------------------------------------------------------------


def judge_by_python(ours, rows):
    """Decodes each byte, and encodes each code point in the lowest byte that has it."""
    for _, name, _, kind, source in rows:
        if not source.startswith("Python"):
            continue
        page = charsets.python_page(name)
        check(f"{name}: every byte",
              [(byte, a, chr(code).encode()) for byte, (a, code) in enumerate(zip(
                  records(ours.ask("d", name, bytes(ALL), 1)), page)) if a != chr(code).encode()])
        lowest = {}
        for byte, code in enumerate(page):
            if code != charsets.UNDEFINED:
                lowest.setdefault(code, bytes([byte]))
        codes = [code for code in SCALARS if code < 0x10100]
        answers = records(ours.ask("e", name, text_of(codes), 1))
        check(f"{name}: every code point",
              [(hex(code), a, lowest.get(code)) for code, a in zip(codes, answers)
               if a != lowest.get(code)])


# ---- Node and iconv: tables of others ----------------------------------------------------

# Where these tables differ from the standard's or Python's, in both or in one of them. Node's
# are ICU's; Node 20 reads windows-1252 as ISO-8859-1.
OTHERS = {
    "windows-1252": range(0x80, 0xA0),
    "ibm866": [0x1A, 0x1C, 0x7F],  # IBM's order of these controls
    "koi8-u": [0xAE, 0xBE],  # the standard has Belarusian letters there
    "macintosh": [0xC6],  # increment or Greek delta
    "x-mac-cyrillic": [0xFF],  # the euro
    "big5": [0xF9FE],
    # marks, which are read as in big5
    "big5-hkscs": [0xA145, 0xA14E, 0xA1C2, 0xA1E3, 0xA1F2, 0xA1F3, 0xA241, 0xA242, 0xA244, 0xA246, 0xA247],
    "euc-jp": [0xA1C1, 0xA1C2, 0xA1DD, 0xA1F1, 0xA1F2, 0xA2CC],  # full-width or not
    "shift_jis": [0x8160, 0x8161, 0x817C, 0x8191, 0x8192, 0x81CA],
    "cp856": [0x1A, 0x1C, 0x7F, 0xEE, 0xFA],
    "cp273": [0xBC], "cp424": [0x78], "cp875": [0x74, 0xDD], "cp1026": [0x9D, 0xBC],
}

ICONV_NAMES = {"windows-874": "cp874", "x-mac-cyrillic": "mac-cyrillic", "kz1048": "rk1048",
               "iso-8859-8-i": "iso-8859-8", "mac-latin2": "mac-centraleurope",
               "ptcp154": "pt154", "cp277": "ibm277"}


class Iconv(iconv.Iconv):
    """iconv of the C library, for one charset."""

    def __init__(self, name, to="UTF-8"):
        super().__init__(ICONV_NAMES.get(name, name), to)

    def decode(self, record):
        """The record's UTF-8, or None where iconv reports an error."""
        return self.convert(record)


def character(answer):
    """The one character of an answer, or None: an error, two characters, private use."""
    try:
        text = (answer or b"").decode()
    except UnicodeDecodeError:
        return None
    is_private = len(text) == 1 and 0xE000 <= ord(text) < 0xF900
    return text if len(text) == 1 and text != "\uFFFD" and not is_private else None


def check_others(what, name, pieces, mine, theirs):
    """Where both decode a record to one character, it is the same."""
    both = [(piece, character(a), character(b)) for piece, a, b in zip(pieces, mine, theirs)
            if character(a) and character(b)]
    known = {code.to_bytes(len(pieces[0]), "big") for code in OTHERS.get(name, [])}
    if len(both) < len(pieces) / 8:
        return check(f"{what}, {name}", [(name, "only", len(both), "in common")])
    return check(f"{what}, {name}", [(piece.hex(), ascii(a), ascii(b)) for piece, a, b in both
                                     if a != b and piece not in known])


# Two bytes of these mean nothing alone: judge_designations(), stateful.py and multibyte.py compare them.
WITH_STATES = {"iso-2022-jp", "iso-2022-jp-2004", "iso-2022-kr", "iso-2022-cn", "hz", "utf-7", "marc-8"}


def judge_by_others(ours, node, rows):
    lacking = []
    for _, name, _, kind, source in rows:
        if kind in ("UNICODE", "DIALECT") or name in WITH_STATES:
            continue
        size = 2 if kind == "MULTI_BYTE" else 1
        payload = strings(range(0x81, 0xFF), range(0x40, 0xFF)) if size == 2 else bytes(ALL)
        pieces = [payload[at:at + size] for at in range(0, len(payload), size)]
        mine = records(ours.ask("d", name, payload, size))
        if node and source.startswith("WHATWG"):
            answer = node.ask("d", name, payload, size)
            if answer == b"unknown":
                lacking.append(f"Node lacks {name}")
            else:
                check_others("Node", name, pieces, mine, records(answer))
        decoder = Iconv(name)
        if not decoder.exists:
            lacking.append(f"iconv lacks {name}")
        else:
            check_others("iconv", name, pieces, mine, map(decoder.decode, pieces))
    print("\n".join(lacking))


# ---- glibc --------------------------------------------------------------------------------

# What glibc encodes in a byte that it decodes as something else, though another byte has it.
NOT_INVERTED = {"cp1046": "\uFEB1\uFEB5\uFEB9\uFEBD"}


def is_explained(character, ours, theirs, decoder):
    """glibc also encodes characters that it never decodes, and may choose the higher of two bytes."""
    back = decoder.decode(theirs) if theirs and len(theirs) == 1 else None
    return back != character.encode() if ours is None else back == character.encode()


def judge_by_glibc(ours, rows):
    """Every byte, also undefined ones, and every code point."""
    for _, name, _, _, source in rows:
        if not source.startswith("glibc's "):
            continue
        theirs = source.removeprefix("glibc's ")
        decoder, encoder = Iconv(theirs), Iconv("UTF-8", theirs)
        if not decoder.exists:
            print(f"SKIPPED: judge iconv of {name}: it lacks {theirs}")
            continue
        every = [bytes([byte]) for byte in ALL]
        mine = records(ours.ask("d", name, bytes(ALL), 1))
        check(f"{name}: every byte as in glibc",
              [(byte.hex(), a, b) for byte, a, b in zip(every, mine, map(decoder.decode, every))
               if a != (b or b"\xEF\xBF\xBD")])
        codes = [chr(code) for code in SCALARS if 0 < code < 0x10100]
        mine = records(ours.ask("e", name, "".join(codes).encode(), 1))
        check(f"{name}: every code point as in glibc",
              [(ascii(c), a, b) for c, a, b in
               zip(codes, mine, (encoder.decode(c.encode()) for c in codes))
               if a != b and not is_explained(c, a, b, decoder) and c not in NOT_INVERTED.get(name, "")])


# ---- main --------------------------------------------------------------------------------


def all_rows():
    """The rows of utf8charsets.h: enumerator, name, aliases, kind, source."""
    with open("core/utf8charsets.h", encoding="utf-8") as file:
        found = re.findall(r'^  X\((\w+), "(.*?)", "(.*?)", (\w+), "(.*?)"\)', file.read(), re.M)
    return [(i, name, aliases.split(",") if aliases else [], kind, source)
            for i, name, aliases, kind, source in found]


def main():
    rows = all_rows()
    ours = Judge(f"{BUILD}/ours")
    if "encoding_rs" in sys.argv:
        judge_by_encoding_rs(ours, Judge(f"{BUILD}/legacy/release/legacy-judge"), rows)
    judge_by_python(ours, rows)
    judge_by_glibc(ours, rows)
    node = Judge("node", "test/judges/legacy/judge.js") if "node" in sys.argv else None
    judge_by_others(ours, node, rows)
    finish()


if __name__ == "__main__":
    main()
