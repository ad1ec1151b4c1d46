"""10,000 unclear values of 40 columns, and a person who knows what they say.

A column has amounts with one unit, in one legacy charset: `250 шт`. So little text can be in several
charsets, and nothing beside it says more. The person makes one choice for a column. Where the model is
sure nevertheless, it has to be right.
"""

from __future__ import annotations

import csv
import os
import pty
import re
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from conftest import COMMAND, Run, query, run_in_shell

ROWS = 250  # of each column
UNCLEAR_MIN = 40  # columns

UNITS = {
    "ar": {"cp1256": "كغ", "iso8859-6": "رقم"},
    "bg": {"cp1251": "лв", "cp866": "бр"},
    "cs": {"cp1250": "Kč", "iso8859-2": "měs", "cp852": "dní"},
    "da": {"cp1252": "øl", "cp865": "år", "mac-roman": "på"},
    "de": {"cp850": "m²", "mac-roman": "Tür"},
    "el": {"cp1253": "τμχ", "iso8859-7": "κιλ"},
    "es": {"cp850": "año", "mac-roman": "día"},
    "fr": {"cp1252": "dû", "mac-roman": "né"},
    "he": {"cp1255": "יח", "iso8859-8": "קג", "cp862": "שח"},
    "hu": {"cp1250": "fő", "cp852": "hó"},
    "ja": {"cp932": "個", "euc-jp": "日"},
    "ko": {"cp949": "개"},
    "lt": {"cp1257": "mėn", "cp775": "dėž"},
    "pl": {"cp1250": "zł", "iso8859-2": "ząb", "cp852": "dób"},
    "pt": {"cp1252": "mês", "cp860": "não"},
    "ru": {"cp1251": "шт", "koi8-r": "руб", "cp866": "руб", "iso8859-5": "корп", "mac-cyrillic": "мл"},
    "th": {"cp874": "บาท"},
    "tr": {"cp1254": "yıl", "cp857": "şişe"},
    "tw": {"big5": "個"},
    "uk": {"cp1251": "грн", "koi8-u": "шт"},
    "zh": {"gbk": "个"},
}


Sheet = list[dict[str, str]]


class Column(NamedTuple):
    """A column of unclear values."""

    table: str
    name: str
    charset: str
    unit: str

    def right(self, row: int) -> str:
        return f"{row} {self.unit}"

    def of(self, rows: Sheet) -> Sheet:
        return [row for row in rows if (row["table"], row["column"]) == self[:2]]


COLUMNS = [
    Column(f"{language} {charset}", "amount", charset, unit)
    for language, units in UNITS.items()
    for charset, unit in units.items()
]

def make_database(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for column in COLUMNS:
            connection.execute(f'CREATE TABLE "{column.table}"({column.name} TEXT)')
            values = [(column.right(row).encode(column.charset),) for row in range(1, ROWS + 1)]
            connection.executemany(f'INSERT INTO "{column.table}" VALUES (CAST(? AS TEXT))', values)
        connection.commit()


def wrong(path: Path) -> list[str]:
    """Return the tables in which a value is not right."""
    return [
        column.table
        for column in COLUMNS
        if query(path, f'SELECT {column.name} FROM "{column.table}" ORDER BY rowid')
        != [(column.right(row).encode(),) for row in range(1, ROWS + 1)]
    ]


def dump(path: Path) -> list[list[tuple]]:
    return [query(path, f'SELECT * FROM "{column.table}"') for column in COLUMNS]


def charset_of(column: Column, rows: Sheet) -> str:
    """Return the charset beside the readings that are right."""
    seen = Counter(
        row[f"charset_{n}"]
        for row in rows
        for n in range(1, 5)
        if row[f"reading_{n}"] == column.right(int(row["key"]))
    )
    return seen.most_common(1)[0][0]


def decide(rows: Sheet) -> Iterator[dict[str, str]]:
    """Yield the rows, the first of each column with a choice for all of it."""
    left = {(column.table, column.name): column for column in COLUMNS}
    for row in rows:
        column = left.pop((row["table"], row["column"]), None)
        if column is None:
            yield row
            continue
        yield {**row, "choice": f"all {charset_of(column, column.of(rows))}"}


def test_a_choice_for_each_column_is_enough(run: Run, tmp_path: Path) -> None:
    path, file, log = tmp_path / "my.db", tmp_path / "choices.csv", tmp_path / "undo.sql"
    make_database(path)
    before = path.read_bytes()
    began = time.monotonic()
    assert run("repair", path, "--review", file).returncode == 1
    reviewed = time.monotonic() - began

    with open(file, encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    unclear = len({row["table"] for row in rows})
    assert path.read_bytes() == before and len(rows) == unclear * ROWS and unclear >= UNCLEAR_MIN
    decided = list(decide(rows))
    assert sum(bool(row["choice"]) for row in decided) == unclear
    with open(file, "w", encoding="utf-8-sig", newline="") as new:
        writer = csv.DictWriter(new, rows[0].keys())
        writer.writeheader()
        writer.writerows(decided)

    began = time.monotonic()
    done = run("repair", path, "--choices", file, "--undo-log", log)
    print(f"review: {reviewed:.1f} s, choices: {time.monotonic() - began:.1f} s")
    assert done.returncode == 1 and done.stdout.count(f": {ROWS} chosen\n") == unclear
    assert wrong(path) == []
    assert run("audit", path).returncode == 0

    run_in_shell(path, log)
    unchanged = dump(path)
    path.write_bytes(before)
    assert dump(path) == unchanged


def test_an_answer_for_each_column_is_enough(tmp_path: Path) -> None:
    """--ask, on a terminal: a person reads the question, and answers with a reading's number."""
    path = tmp_path / "my.db"
    make_database(path)
    ours, theirs = pty.openpty()
    command = [str(COMMAND), "repair", str(path), "--ask", "--no-backup"]
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    os.close(theirs)
    answers = 0
    while question := read_question(ours):
        os.write(ours, f"a {answer(question)}\n".encode())
        answers += 1
    os.close(ours)
    assert process.wait(60) == 1
    assert answers >= UNCLEAR_MIN and wrong(path) == []


def read_question(terminal: int) -> str:
    """Return what the command prints until it waits; '' at its end."""
    output = b""
    while not output.endswith(b"\nchoice: "):
        try:
            output += os.read(terminal, 65536)
        except OSError:  # the command has ended
            return ""
    return output.decode()


def answer(question: str) -> int:
    """Return the number of the right reading."""
    title = re.findall(r"(\w\w [\w-]+)\.amount, key (\d+), ", question)[-1]
    column = next(column for column in COLUMNS if column.table == title[0])
    readings = re.findall(r"^(\d)  (.*)  \(.*\)\r?$", question, re.MULTILINE)
    return next(int(n) for n, text in readings if text == column.right(int(title[1])))
