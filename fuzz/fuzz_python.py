#!/usr/bin/env python3
"""fuzz_python.py: random files for import, and random choices about unclear values.

    sh fuzz/python.sh 60                          # both targets, each for a minute
    python3 fuzz/fuzz_python.py import --seed 7 --seconds 20

import: files as programs write them (python/tests/csvkinds.py), changed at random. Only utf8ext.Error is raised, and
nothing is left then; the table has the rows that are counted; a word of ASCII is in it as often as in the file, or more
often, since nothing is dropped without a word; a dry run finds the same; and what export writes of the table is
imported as the same values.

choices: sheets that --review wrote, filled in and changed at random. Only Error is raised, and the database is as
before then; else no well-formed value has changed, a chosen text is where it was chosen, and the undo log puts
everything back.

A failure names its seed, and the folder with its files, which stays: `--seed N --seconds 0` runs that one alone.
"""

import argparse
import csv
import io
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter

import utf8ext
from utf8ext._review.sheet import write_sheet

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "python", "tests"))
from csvkinds import kinds  # noqa: E402

MESSAGE_MAX = 1000
KINDS = kinds()


def holds(is_true, what):
    if not is_true:
        raise AssertionError(what)


def rows_of(database, sql):
    connection = sqlite3.connect(database)
    connection.text_factory = lambda text: text.decode("utf-8", "surrogateescape")
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def check_error(error):
    text = str(error)
    holds(text and "\n" not in text and len(text) < MESSAGE_MAX, f"the message is {text[:2000]!r}")


# ---- files ---------------------------------------------------------------------------------------------------------

PIECES = [
    b'"', b'""', b"'", b"\\", b'\\"', b"\\\\", b"\\N", b"\\\n", b",", b";", b"\t", b"|", b"||", b"~|~", b"::", b"^",
    b"\x01", b"\r", b"\n", b"\r\n", b"\0", b" ", b"NULL", b"sep=;\n", b"\xef\xbb\xbf", b"\xff\xfe", b"\xe9",
    b"\xc3\xa9", b"\xc3\x83\xc2\xa9", b"{", b"}", b"[1]", b'{"k":"q"}\n', b"=1+1", b"-- ", b"\x89PNG\r\n\x1a\n\0\0",
]

# A word that no escape and no charset of one byte changes, with nothing before it that could be its first half.
WORD = re.compile(rb"(?:(?<=[\t\n\r ,;|\"'])|\A)[kq][1-9]{3}(?![0-9a-z])")

# Where ASCII is not always ASCII.
STATEFUL = re.compile(r"utf-16|utf-32|iso-2022|hz|utf-7|cp037|binary")


def changed(chance, data):
    """Cuts, repeats, mixes and inserts parts of the data."""
    data = bytearray(data)
    for _ in range(chance.choice([0, 1, 1, 2, 3, 5, 9, 20])):
        at = chance.randint(0, len(data))
        until = min(len(data), at + chance.choice([0, 1, 1, 2, 5, 40]))
        word = b"%c%d" % (chance.choice(b"kq"), chance.randint(111, 999))
        pieces = [chance.choice(PIECES), chance.choice(PIECES) * 2, word, bytes([chance.randrange(256)])]
        data[at:until] = chance.choice([b"", data[at:until] * 2, *pieces])
    if chance.random() < 0.1:
        del data[chance.randint(0, len(data)):]
    return bytes(data)


def make_file(chance):
    kind = chance.choice(KINDS)
    lines = kind.data.splitlines(keepends=True)
    start = chance.randrange(len(lines))
    part = b"".join(lines[start:start + chance.choice([1, 2, 5, 30, 1000])])
    data = changed(chance, chance.choice([kind.data, lines[0] + part, part]))
    ending = chance.choice([os.path.splitext(kind.name)[1], ".csv", ".txt", ".tsv", ".jsonl"])
    with open("in" + ending, "wb") as file:
        file.write(data)
    return "in" + ending, data


def import_options(chance):
    options = {}
    if chance.random() < 0.3:
        options["header"] = False
    if chance.random() < 0.1:
        options["policy"] = chance.choice(["subpart", "escape", "windows-1252"])
    if chance.random() < 0.1:
        options["charset"] = chance.choice(["utf-8", "windows-1252", "gbk", "utf-16le"])
    written = {"delimiter": [",", ";", "\t", "~|~"], "quote": ['"', "'", ""], "escape": ["\\", ""]}
    written["null"] = ["", "NULL"]
    for name, values in written.items():
        if chance.random() < 0.1:
            options[name] = chance.choice(values)
    return options


def check_words(data, done, rows):
    """Is each word of the file in the table?"""
    if STATEFUL.search(done.files[0].charset) or "duplicate key" in done.problem_counts:
        return
    cells = [cell for row in rows for cell in row if cell is not None]
    texts = [cell.decode("latin-1") if isinstance(cell, bytes) else cell for cell in cells]
    text = "\n".join(texts + done.columns)
    lost = [word for word, count in Counter(WORD.findall(data)).items() if text.count(word.decode()) < count]
    holds(not lost, f"words are lost: {lost}")


def check_export(rows):
    """What export writes is imported as the same values, if no dialect has to be found."""
    try:
        utf8ext.export_csv("a.db", "out.csv", "t")
    except utf8ext.Error as error:
        check_error(error)
        return
    written = {"charset": "utf-8", "delimiter": ",", "quote": '"', "escape": "", "null": "", "skip_lines": 0}
    again = utf8ext.import_csv("out.csv", "b.db", "t", keep_mojibake=True, **written)
    holds(again.is_clean, f"the export has {again.problems} {again.repaired}")
    holds(rows_of("b.db", "SELECT * FROM t") == rows, "the export is imported otherwise")


def check_import(chance):
    name, data = make_file(chance)
    options = import_options(chance)
    try:
        done = utf8ext.import_csv(name, "a.db", "t", **options)
    except utf8ext.Error as error:
        check_error(error)
        holds(not os.path.exists("a.db"), "an import that failed left a database")
        return 0
    rows = rows_of("a.db", "SELECT * FROM t")
    holds(len(rows) == done.rows == done.files[0].rows, f"{done.rows} rows are counted, {len(rows)} are there")
    check_words(data, done, rows)
    dry = utf8ext.import_csv(name, "c.db", "t", dry_run=True, **options)
    holds(dry == done._replace(is_dry_run=True) and not os.path.exists("c.db"), "a dry run finds otherwise")
    if all(cell is None or isinstance(cell, str) for row in rows for cell in row):
        check_export(rows)
    return 1


# ---- choices -------------------------------------------------------------------------------------------------------

VALUES = [
    b"A1\xe9", b"B2\xe9", b"\xe9", b"14\xe1", b"\xc0\xc1", b"x\xff\xfe", b"Mu\xf1oz", b"\xcf\xf0\xe8", b"=\xe9",
    b"-1\xe9", b"a\\\xe9", b"'\xe9", b"C\xe9\0", b"\r\xe9\n", b"\xc3\xa9", b"plain", b"caf\xc3", b'"\xe9"', b"\xc4\xe3",
]
ACCEPTED = [
    "", "leave", "LEAVE", "1", "2", "  1  ", "latin1", "windows-1251", "gbk", "all latin1", "all koi8-r", "text: ",
    "text:x", "text: \u00e9\u0301", "text: '; DROP TABLE t; --", "text: a\rb", "text: \0", "TEXT: y",
    "text: \U0001f600",
]
REFUSED = ["0", "5", "\u00b2", "99999999999999999999", "all", "all 1", "nonsense", "auto", "utf-8", "binary"]


def make_database(chance):
    connection = sqlite3.connect("a.db")
    columns = ["id INTEGER PRIMARY KEY, c, d", "id, c, d", "id, c, d UNIQUE"]
    connection.execute(f"CREATE TABLE t({chance.choice(columns)})")
    for n in range(chance.randint(1, 9)):
        values = [chance.choice(VALUES) for _ in range(2)]
        connection.execute("INSERT OR IGNORE INTO t VALUES (?, CAST(? AS TEXT), CAST(? AS TEXT))", [n, *values])
    connection.commit()
    connection.close()


def fill_in(chance, text):
    """Returns the sheet with choices, some bytes of it changed, and the texts that are chosen: (column, text)."""
    rows = list(csv.reader(io.StringIO(text, newline="")))
    choices = ACCEPTED + REFUSED if chance.random() < 0.3 else ACCEPTED
    for row in rows[1:]:
        row[-1] = chance.choice(choices)
    out, quoting = io.StringIO(newline=""), chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    csv.writer(out, delimiter=chance.choice(",;\t"), quoting=quoting).writerows(rows)
    data = out.getvalue().encode(chance.choice(["utf-8", "utf-8-sig", "utf-16"]))
    if chance.random() < 0.3:
        return changed(chance, data), []
    texts = [(row[1], row[-1].strip()[5:].removeprefix(" ")) for row in rows[1:] if row[-1].lower().startswith("text:")]
    return data, texts


def valid_values(rows):
    return Counter(value for row in rows for value in row if not re.search("[\ud800-\udfff]", str(value)))


def check_choices(chance):
    make_database(chance)
    before = rows_of("a.db", "SELECT * FROM t ORDER BY id")
    with open("a.csv", "wb") as file:
        write_sheet(file, utf8ext.unclear("a.db"))
    with open("a.csv", encoding="utf-8-sig", newline="") as file:
        data, texts = fill_in(chance, file.read())
    with open("a.csv", "wb") as file:
        file.write(data)
    with open("a.db", "rb") as file:
        database = file.read()
    try:
        done = utf8ext.repair("a.db", choices="a.csv", undo_log="undo.sql", backup=False, keep_mojibake=True)
    except utf8ext.Error as error:
        check_error(error)
        with open("a.db", "rb") as file:
            holds(file.read() == database, "a repair that failed has changed the database")
        return 0
    after = rows_of("a.db", "SELECT * FROM t ORDER BY id")
    holds(len(after) == len(before), "rows are gone")
    holds(rows_of("a.db", "PRAGMA integrity_check") == [("ok",)], "the database is not sound")
    lost = valid_values(before) - valid_values(after)
    holds(not lost, f"well-formed values have changed: {lost}")
    for column, text in texts:
        holds(any(row["icd".index(column[0])] == text for row in after), f"{column} has no {text!r}")
    if os.path.exists("undo.sql"):
        with open("undo.sql", "rb") as file:
            shell = [os.environ.get("SQLITE3", "sqlite3"), "-bail", "a.db"]
            undone = subprocess.run(shell, stdin=file, capture_output=True, check=False)
        holds(undone.returncode == 0, f"the undo log fails: {undone.stderr!r}")
        holds(rows_of("a.db", "SELECT * FROM t ORDER BY id") == before, "the undo log leaves other values")
    return int(bool(done.columns))


# ---- the loop ------------------------------------------------------------------------------------------------------

TARGETS = {"import": check_import, "choices": check_choices}


def run_one(target, seed):
    """Runs one input in a folder of its own, which stays if it fails."""
    start, folder = os.getcwd(), tempfile.mkdtemp(prefix="fuzz_python-")
    os.chdir(folder)
    try:
        accepted = TARGETS[target](random.Random(seed))
    except BaseException:
        print(f"{target}, seed {seed}, {folder}:", file=sys.stderr)
        raise
    finally:
        os.chdir(start)
    shutil.rmtree(folder)
    return accepted


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=sorted(TARGETS))
    parser.add_argument("--seed", type=int, default=int(time.time()) * 1_000_000)
    parser.add_argument("--seconds", type=float, default=20)
    arguments = parser.parse_args()
    until = time.monotonic() + arguments.seconds
    count = accepted = 0
    while not count or time.monotonic() < until:
        accepted += run_one(arguments.target, arguments.seed + count)
        count += 1
    holds(count < 100 or accepted * 20 > count, f"only {accepted} of {count} inputs were accepted")
    print(f"{count} inputs, {accepted} accepted")


if __name__ == "__main__":
    main()
