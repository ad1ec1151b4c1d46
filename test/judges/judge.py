#!/usr/bin/env python3
"""judge.py: compares utf8ext with Python's decoders.

    python3 test/judges/judge.py [build/answers.tsv]

Calls utf8ext through Python's sqlite3 module (answers.sql). Given a file, reads the answers
from it instead, as the sqlite3 shell wrote them: for a module that cannot load extensions.

  utf8_valid, _error, _error_offset, _codepoints, utf8_each   decode("utf-8") and its errors
  policy subpart, and with an empty replacement               errors="replace", "ignore"
  policy escape                                               errors="backslashreplace"
  policies byte and run                                       the bytes that "surrogateescape"
                                                              marks, one by one
  policies latin1 and windows-1252                            these bytes as latin-1, cp1252
  dialect utf-8b                                              errors="surrogateescape"
  dialect wtf-8                                               errors="surrogatepass", no pairs
  dialects cesu-8 and mutf-8, policy cesu-8                   "surrogatepass", pairs joined by
                                                              the UTF-16 codec
  TEXT of UTF-16 databases                                    decode("utf-16-le"), "utf-16-be"

Where Python's rules differ from utf8ext's:
  - It has three reasons. 'invalid start byte' means stray continuation, invalid byte, C0, C1
    (overlong) and F5..FD (out of range); 'invalid continuation byte' means incomplete, or
    overlong, surrogate and out of range after any other lead byte.
  - cp1252 lacks 81, 8D, 8F, 90, 9D. The WHATWG Encoding Standard, which utf8ext follows, makes
    them C1 controls; judge.js compares these.
  - For cesu-8, mutf-8 and wtf-8, only well-formed text and its code points are compared, not how
    ill-formed text is divided into subparts. judge.pl compares rfc2044.
"""

import codecs
import itertools
import os
import re
import sqlite3
import sys

from extension import connect

HERE = os.path.dirname(os.path.abspath(__file__))

# ---- answers ------------------------------------------------------------------------------


def answers_of_module():
    with open(os.path.join(HERE, "answers.sql"), encoding="ascii") as file:
        cursor = connect().execute(file.read())
    names = [column[0] for column in cursor.description]
    for row in cursor:
        yield dict(zip(names, ("" if v is None else str(v) for v in row)))


def answers_of_file(path):
    with open(path, encoding="ascii") as file:
        names = next(file).rstrip("\n").split("\t")
        for line in file:
            yield dict(zip(names, line.rstrip("\n").split("\t")))


# ---- Python's results ---------------------------------------------------------------------


def hexed(text):
    return text.encode("utf-8").hex().upper()


def numbers(text):
    return " ".join(str(ord(c)) for c in text)


def cp1252(byte):
    try:
        return bytes([byte]).decode("cp1252")
    except UnicodeDecodeError:
        return chr(byte)  # WHATWG


def replaced(pattern, replace, escaped):
    """Replaces the matches of pattern, bytes marked by surrogateescape, by replace(bytes)."""
    def of_match(match):
        return replace(match[0].encode("utf-8", "surrogateescape"))
    return hexed(re.sub(pattern, of_match, escaped))


def join_cesu8(error):
    """Error handler: joins pairs, decodes C0 80; otherwise U+FFFD for the subpart."""
    remainder = error.object[error.start : error.start + 6]
    if remainder.startswith(b"\xc0\x80"):
        return "\0", error.start + 2
    try:
        units = remainder.decode("utf-8", "surrogatepass")
        joined = units.encode("utf-16", "surrogatepass").decode("utf-16")
        if len(units) == 2 and len(joined) == 1:
            return joined, error.start + 6
    except UnicodeDecodeError:
        pass
    return "\ufffd", error.end


codecs.register_error("join_cesu8", join_cesu8)


def wtf8(text):
    """The code points, or None. Lone surrogates are well-formed, pairs are not."""
    try:
        units = text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return None
    return None if re.search("[\ud800-\udbff][\udc00-\udfff]", units) else numbers(units)


def cesu8(text):
    """The code points, or None. Four octets and lone surrogates are ill-formed."""
    try:
        units = text.decode("utf-8", "surrogatepass")
        if any(ord(c) > 0xFFFF for c in units):
            return None
        return numbers(units.encode("utf-16", "surrogatepass").decode("utf-16"))
    except UnicodeDecodeError:
        return None


def mutf8(text):
    """Like cesu8(), but NUL is C0 80 only. (C0 is never in well-formed CESU-8.)"""
    return None if b"\0" in text else cesu8(text.replace(b"\xc0\x80", b"\0"))


REASONS = {
    "stray continuation": "invalid start byte",
    "invalid byte": "invalid start byte",
    "truncated": "unexpected end of data",
    "incomplete": "invalid continuation byte",
    "surrogate": "invalid continuation byte",
}


def reason_of(kind, byte):
    if kind in ("overlong", "out of range"):
        return "invalid start byte" if byte in b"\xc0\xc1" or byte >= 0xF5 else \
            "invalid continuation byte"
    return REASONS.get(kind)


def first_error(text):
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as error:
        return error
    return None


def each_utf8(text):
    """For each character its code point, for each ill-formed subpart '!' and its length."""
    out, at = [], 0
    while at < len(text):
        error = first_error(text[at:])
        valid = text[at : at + error.start] if error else text[at:]
        out += [str(ord(c)) for c in valid.decode("utf-8")]
        at += len(valid)
        if error:
            out.append("!%d" % (error.end - error.start))
            at += error.end - error.start
    return " ".join(out)


def same_if_well_formed(answer, expected):
    """Is the answer the expected code points or, if these are None, does it have an error?"""
    return "!" in answer if expected is None else answer == expected


def comparisons(row):
    """Yields (name, whether Python agrees)."""
    text = bytes.fromhex(row["input"])
    error = first_error(text)
    escaped = text.decode("utf-8", "surrogateescape")
    one, many = "[\udc80-\udcff]", "[\udc80-\udcff]+"
    yield "utf8_valid", row["valid"] == ("0" if error else "1")
    yield "utf8_error", (row["error"] == "") if not error else \
        reason_of(row["error"], text[error.start]) == error.reason
    yield "utf8_error_offset", row["offset"] == (str(error.start) if error else "")
    yield "utf8_codepoints", row["codepoints"] == str(len(text.decode("utf-8", "replace")))
    yield "utf8_each", row["each_utf8"] == each_utf8(text)
    yield "policy subpart", row["subpart"] == hexed(text.decode("utf-8", "replace"))
    yield "policy subpart, empty replacement", \
        row["empty"] == hexed(text.decode("utf-8", "ignore"))
    yield "policy byte", row["bytewise"] == replaced(one, lambda b: "\ufffd", escaped)
    yield "policy run", row["runs"] == replaced(many, lambda b: "\ufffd", escaped)
    yield "policy cesu-8", row["cesu8"] == hexed(text.decode("utf-8", "join_cesu8"))
    yield "policy latin1", \
        row["latin1"] == replaced(one, lambda b: b.decode("latin-1"), escaped)
    yield "policy windows-1252", \
        row["windows1252"] == replaced(one, lambda b: cp1252(b[0]), escaped)
    yield "policy escape", row["escaped"] == hexed(text.decode("utf-8", "backslashreplace"))
    yield "dialect utf-8b", row["each_utf8b"] == numbers(escaped)
    yield "dialect wtf-8", same_if_well_formed(row["each_wtf8"], wtf8(text))
    yield "dialect cesu-8", same_if_well_formed(row["each_cesu8"], cesu8(text))
    yield "dialect mutf-8", same_if_well_formed(row["each_mutf8"], mutf8(text))


# ---- a value that Python cannot fetch -----------------------------------------------------


def cursor_reads_repaired_text():
    database = connect()
    database.execute("CREATE TABLE t AS SELECT CAST(x'636166e9' AS TEXT) AS name")
    try:
        database.execute("SELECT name FROM t").fetchall()
        return False  # Python must refuse this value
    except sqlite3.OperationalError:
        pass
    database.execute("UPDATE t SET name = utf8_repair(name, 'latin1')")
    return database.execute("SELECT name FROM t").fetchall() == [("caf\xe9",)]


# ---- UTF-16 databases ---------------------------------------------------------------------

UNITS = ("0000", "0041", "00e9", "d83d", "d800", "de00", "dfff", "e000", "fffe", "ffff")


def agrees_on_utf16(encoding):
    """Compares utf8_valid, _error_offset, _codepoints and utf8_repair on all texts of 0 to 4 units.

    Not with an odd last byte, which SQLite's CAST removes."""
    codec = encoding.lower().replace("utf-16", "utf-16-")
    database = connect()
    database.execute(f"PRAGMA encoding = '{encoding}'")
    # A literal: SQLite would read the bytes of a bound BLOB as UTF-8 in this cast.
    query = """SELECT utf8_valid(x), utf8_error_offset(x), utf8_codepoints(x),
        CAST(utf8_repair(x) AS BLOB), utf8_valid(x, 'wtf-8')
        FROM (SELECT CAST(x'%s' AS TEXT) AS x)"""
    rows = (row for n in range(5) for row in itertools.product(UNITS, repeat=n))
    for row in rows:
        big = bytes.fromhex("".join(row))
        text = big if codec.endswith("be") else bytes(big[i ^ 1] for i in range(len(big)))
        try:
            text.decode(codec)
            offset = None
        except UnicodeDecodeError as error:
            offset = len(text[: error.start].decode(codec).encode("utf-8"))
        repaired = text.decode(codec, "replace")
        expected = (int(offset is None), offset, len(repaired), repaired.encode(codec), 1)
        answer = database.execute(query % text.hex()).fetchone()
        if answer != expected:
            print(f"{encoding}: {text.hex()}: {answer}, Python: {expected}")
            return False
    return True


# ---- the tally ----------------------------------------------------------------------------


def main(argv):
    loads = hasattr(sqlite3.Connection, "enable_load_extension")
    if len(argv) < 2 and not loads:
        print("SKIPPED: Python: its sqlite3 module cannot load extensions")
        return 1
    inputs, wrong, first = 0, {}, {}
    for row in answers_of_file(argv[1]) if len(argv) > 1 else answers_of_module():
        inputs += 1
        for name, agrees in comparisons(row):
            wrong.setdefault(name, 0)
            if not agrees:
                wrong[name] += 1
                first.setdefault(name, row)
    if loads:
        wrong["a cursor reads repaired text"] = int(not cursor_reads_repaired_text())
        for encoding in ("UTF-16le", "UTF-16be"):
            wrong[f"database in {encoding}"] = int(not agrees_on_utf16(encoding))
    for name, count in wrong.items():
        print(f"not ok Python: {name}: {count} differ, first {first.get(name)}" if count
              else f"ok Python: {name}")
    failed = sum(count > 0 for count in wrong.values())
    print(f"Python {sys.version.split()[0]} on {inputs} inputs")
    print(f"{len(wrong) - failed} passed, {failed} failed")
    return 1 if failed or inputs == 0 else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
