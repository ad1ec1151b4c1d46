#!/usr/bin/env python3
"""answers.py: do the exact functions answer as version 2.0.0 did?

    python3 tool/answers.py --check ./utf8ext.so    # compares with test/answers.txt
    python3 tool/answers.py --write                 # builds 2.0.0 under build/, and writes that file

docs/upgrade.md says which functions are exact: users build indexes on their answers. The file has, for
each call of CALLS, a hash of its answers to each block of the 100,000 values, and for each value one
byte, a hash of the answers of all calls, which tells the value that is answered otherwise. Where an
answer was changed on purpose, in a major version, take the call out of CALLS and say why.
"""

import base64
import hashlib
import os
import random
import re
import sqlite3
import subprocess
import sys

ANSWERS = "test/answers.txt"
REFERENCE = "72e961f"  # version 2.0.0
WORKTREE = "build/answers-2.0.0"
VALUES, BLOCK = 100_000, 1000

POLICIES = ("subpart", "byte", "run", "cesu-8", "trim", "escape", "windows-1252", "ibm866")
DIALECTS = ("rfc2044", "cesu-8", "mutf-8", "wtf-8", "utf-8b")
KINDS = ("nul", "control", "replacement character", "noncharacter", "bidi control", "invisible")
STEPS = ("html", "escapes", "lines", "ligatures", "width", "quotes", "controls", "invisible", "nfc", "nfkc", "trim")

# In SQL: x is the value as TEXT, b as a BLOB, charset the name of a charset, n a number. Guesses are left
# out, and so is the loss 'closest', which transliterates more since 3.0.0. utf8_suspect() may return a
# guess, mojibake, for x, but not for s.
CALLS = (
    "utf8_valid(x)", "utf8_valid(b)", "utf8_error(x)", "utf8_error_offset(x)", "utf8_codepoints(x)",
    "CASE WHEN utf8_valid(x) THEN utf8_validate(x) END",
    *(f"{function}(x, '{dialect}')" for dialect in DIALECTS
      for function in ("utf8_valid", "utf8_error", "utf8_error_offset")),
    *(f"utf8_repair(x, '{policy}')" for policy in POLICIES), "utf8_repair(b)", "utf8_repair(x, 'run', '')",
    "utf8_strip_bom(x)", "utf8_truncate(x, n)", "utf8_truncate(b, n)",
    "(SELECT group_concat(offset || ' ' || bytes || ' ' || ifnull(codepoint, '') || ifnull(error, ''))"
    " FROM utf8_each(substr(b, 1, 60)))",
    "utf8_charset_name(charset)", "utf8_from(b, charset)", "utf8_to(x, charset)", "utf8_to(x, charset, 'xml')",
    "utf8_to(x, charset, 'replace')", "utf8_to(x, charset, 'ignore')", "utf8_to(x, charset, 'replace', '*')",
    "utf8_from(b, 'utf-16le')", "utf8_to(x, 'utf-16be')", "utf8_from(b, 'gbk')", "utf8_from(b, 'windows-1252')",
    "utf8_demojibake(x, 'windows-1252')", "utf8_demojibake(x, 'windows-1251')", "utf8_demojibake(x, 'ibm437')",
    "utf8_suspect(s)", "utf8_suspect_offset(s)", *(f"utf8_strip(x, '{kind}')" for kind in KINDS),
    *(f"{function}(x, '{form}')" for function in ("utf8_normalize", "utf8_normalized")
      for form in ("nfc", "nfd", "nfkc", "nfkd")),
    "utf8_casefold(x)", *(f"utf8_unescape(x, '{kind}')" for kind in ("html", "mime", "quoted-printable")),
    *(f"utf8_clean(x, '{step}')" for step in STEPS),
    "utf8_clean(x, 'html,escapes,lines,ligatures,width,quotes,controls,invisible,nfkc,trim')",
)


# ---- values ------------------------------------------------------------------------------------

# Ranges of code points, assigned since before Unicode 10: their properties do not change.
SCRIPTS = ((0x20, 0x7E), (0xA1, 0x17F), (0x370, 0x3FF), (0x400, 0x4FF), (0x5D0, 0x5EA), (0x621, 0x64A), (0x905, 0x939),
           (0xE01, 0xE3A), (0x1EA0, 0x1EF9), (0x3041, 0x3096), (0x4E00, 0x9FA5), (0xAC00, 0xD7A3), (0xFF01, 0xFF9F),
           (0x300, 0x36F), (0x1100, 0x11FF), (0x2000, 0x206F), (0xFB00, 0xFB06), (0x1F600, 0x1F64F), (0xE000, 0xE010),
           (0x1, 0x1F), (0x80, 0x9F), (0xFDD0, 0xFDEF), (0xE0020, 0xE007F), (0xFEFF, 0xFEFF), (0xFFFE, 0xFFFF))
# Of text that nobody takes for misread: no letter of these is in a charset.
SUSPECTS = ((0x20, 0x7E), (0x61, 0x7A), (0x1, 0x1F), (0x200B, 0x200D), (0x202A, 0x202E), (0x2060, 0x2069),
            (0xE000, 0xE010), (0xFDD0, 0xFDEF), (0xE0020, 0xE007F), (0xFEFF, 0xFEFF), (0xFFFE, 0xFFFF),
            (0x4E00, 0x9FA5), (0x3041, 0x3096))
PARTS = (b"&eacute;", b"&#8364;", b"&amp;lt;", b"=?utf-8?Q?caf=C3=A9?=", b"=E9=\r\n", b"=?latin1?B?6Q==?=", b"\xc0\xaf",
         b"\xed\xa0\x80", b"\xed\xb3\x83", b"\xed\xa0\xbd\xed\xb8\x80", b"\xf4\x90\x80\x80", b"\xc3", b"\xe2\x82",
         b"\xf0\x9f\x98", b"\x80", b"\xff\xfe", b"\xef\xbb\xbf", b"\x00", b"\\u00e9", "Ã©".encode(),
         "â€™".encode(), "Ð¸".encode(), b"\x1b[31m", b"\r\n", b"\x1b$B$\"\x1b(B", b"~{<:Ky~}", b"  ", b"\xc0\x80",
         "\u201cquoted\u201d".encode(), b"\xfc\x80\x80\x80\x80\x80", b"a" * 70, "\u00e9".encode() * 40)


class Source:
    """Values from a seed. Of Python's random numbers, only random() is the same in all versions."""

    def __init__(self, seed):
        self.random = random.Random(seed).random

    def below(self, n):
        return int(self.random() * n)

    def text(self, ranges, length):
        """Code points of a few of the ranges."""
        few = [ranges[self.below(len(ranges))] for _ in range(1 + self.below(3))]
        chars = []
        for _ in range(length):
            low, high = few[self.below(len(few))]
            chars.append(chr(low + self.below(high - low + 1)))
        return "".join(chars).encode("utf-8")

    def length(self):
        kind = self.below(40)
        return self.below(400) if kind == 0 else self.below(70) if kind < 6 else self.below(16)

    def value(self):
        kind = self.below(8)
        if kind == 0:
            return bytes(self.below(256) for _ in range(self.length()))
        if kind == 1:
            return b"".join(PARTS[self.below(len(PARTS))] for _ in range(1 + self.below(4)))
        data = self.text(SCRIPTS, self.length())
        if kind < 4 and data:  # an accident
            at, size = self.below(len(data)), self.below(3)
            data = data[:at] + bytes(self.below(256) for _ in range(self.below(3))) + data[at + size:]
        if kind == 4:
            at = self.below(len(data) + 1)
            data = data[:at] + PARTS[self.below(len(PARTS))] + data[at:]
        return data


def charsets(folder):
    with open(os.path.join(folder, "utf8charsets.h"), encoding="utf-8") as file:
        return re.findall(r'^ *X\(\w+, "([^"]*)"', file.read(), re.MULTILINE)


def connect(extension, names):
    """A database with the values, of which each has one of the charsets' names."""
    connection = sqlite3.connect(":memory:")
    connection.enable_load_extension(True)
    connection.load_extension(os.path.abspath(extension))
    connection.execute("CREATE TABLE v(i INTEGER PRIMARY KEY, x TEXT, b BLOB, s TEXT, charset, n)")
    source, rows = Source(2), []
    for i in range(VALUES):
        value, sure = source.value(), source.text(SUSPECTS, source.length())
        rows.append((i, value, value, sure, names[i % len(names)], source.below(40)))
    connection.executemany("INSERT INTO v VALUES (?, CAST(? AS TEXT), ?, CAST(? AS TEXT), ?, ?)", rows)
    return connection


# ---- answers -----------------------------------------------------------------------------------

def answers(connection, call, block):
    """The answers to the values of a block, each as its type and bytes."""
    sql = (f"SELECT typeof(r) || hex(r) FROM (SELECT {call} AS r FROM v WHERE i >= ? AND i < ? ORDER BY i "
           "LIMIT -1 OFFSET 0)")
    return [row for row, in connection.execute(sql, (block * BLOCK, (block + 1) * BLOCK))]


def digest(texts, size):
    return hashlib.blake2b("|".join(texts).encode(), digest_size=size)


def hashes(connection, call):
    """Four hexadecimal digits for each block."""
    return "".join(digest(answers(connection, call, block), 2).hexdigest() for block in range(VALUES // BLOCK))


def bytes_of(connection, block):
    """A byte for each value of the block."""
    columns = zip(*(answers(connection, call, block) for call in CALLS))
    return b"".join(digest(texts, 1).digest() for texts in columns)


def build_reference():
    if not os.path.exists(WORKTREE):
        subprocess.run(["git", "worktree", "add", "--quiet", WORKTREE, REFERENCE], check=True)
    subprocess.run(["make", "-s", "-C", WORKTREE], check=True)


def write():
    build_reference()
    names = charsets(WORKTREE)
    connection = connect(os.path.join(WORKTREE, "utf8ext.so"), names)
    each = b"".join(bytes_of(connection, block) for block in range(VALUES // BLOCK))
    with open(ANSWERS, "w", encoding="ascii") as file:
        for call in CALLS:
            print(call, hashes(connection, call), sep="\t", file=file)
        print("charsets", ",".join(names), sep="\t", file=file)
        print("each", base64.b64encode(each).decode(), sep="\t", file=file)


def show(connection, call, block, expected):
    """Prints up to three values of the block that a call answers otherwise."""
    new = answers(connection, call, block)
    wrong = [i for i, pair in enumerate(zip(bytes_of(connection, block), expected)) if pair[0] != pair[1]]
    for i in wrong[:3]:
        sql = "SELECT hex(x), hex(s), charset, n FROM v WHERE i = ?"
        row = connection.execute(sql, (block * BLOCK + i,)).fetchone()
        print("  x = x'{}', s = x'{}', charset = '{}', n = {}".format(*row), f"now {new[i]}", sep=": ")


def check(extension):
    with open(ANSWERS, encoding="ascii") as file:
        lines = dict(line.rstrip("\n").split("\t") for line in file)
    each = base64.b64decode(lines.pop("each"))
    connection = connect(extension, lines.pop("charsets").split(","))
    failed = 0
    if list(lines) != list(CALLS):
        print(f"FAILED: {ANSWERS} has other calls than CALLS: python3 tool/answers.py --write")
        failed += 1
    for call in CALLS:
        found, expected = hashes(connection, call), lines.get(call, "")
        wrong = [i for i in range(VALUES // BLOCK) if found[4 * i:4 * i + 4] != expected[4 * i:4 * i + 4]]
        if wrong:
            print(f"FAILED: {call} answers other than 2.0.0 in {len(wrong)} blocks of {BLOCK} values, such as:")
            show(connection, call, wrong[0], each[wrong[0] * BLOCK:(wrong[0] + 1) * BLOCK])
        failed += bool(wrong)
    print(f"{len(CALLS) + 1 - failed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        write()
    elif len(sys.argv) == 3 and sys.argv[1] == "--check":
        sys.exit(check(sys.argv[2]))
    else:
        sys.exit(__doc__)
