"""Files as other programs write them: csvkinds.py has the kinds, DuckDB and Python's csv are judges."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Optional

import pytest
import utf8ext
from conftest import Run, table, write
from csvkinds import Kind, kinds

KINDS = kinds()

Rows = list[list[Optional[str]]]


def imported(file: Path, **options: object) -> Rows:
    database = file.with_suffix(".db")
    utf8ext.import_csv(file, database, "t", header=False, **options)
    return table("t", database)[1:]


@pytest.mark.parametrize("kind", KINDS, ids=[kind.program for kind in KINDS])
def test_every_cell_is_as_the_program_had_it(kind: Kind) -> None:
    assert imported(write(kind.data, kind.name)) == kind.rows


def test_what_duckdb_and_csv_read_is_read_in_the_same_way() -> None:
    """The judges read what they can; 27 kinds at least, or the kinds are not real."""
    duckdb = pytest.importorskip("duckdb")
    judged = 0
    for number, kind in enumerate(KINDS):
        file = write(kind.data, f"{number}_{kind.name}")
        is_right = [_without_null(kind.rows) == rows for rows in (_duckdb(duckdb, file), _csv(file))]
        judged += any(is_right)
        if any(is_right):
            assert _without_null(imported(file)) == _without_null(kind.rows), kind.program
    assert len(KINDS) >= 40 and judged >= 27, judged


def _without_null(rows: Rows) -> Rows:
    """A judge knows no NULL, or another one."""
    return [[cell or "" for cell in row] for row in rows]


def _duckdb(duckdb: object, file: Path) -> Rows:
    sql = "SELECT * FROM read_csv(?, all_varchar = true, header = false)"
    try:
        found = duckdb.execute(sql, [str(file)]).fetchall()  # type: ignore[attr-defined]
    except duckdb.Error:  # type: ignore[attr-defined]
        return []
    return _without_null([list(row) for row in found])


def _csv(file: Path) -> Rows:
    try:
        text = file.read_bytes().decode()
        return list(csv.reader(io.StringIO(text, newline=""), csv.Sniffer().sniff(text[:5000])))
    except (csv.Error, UnicodeDecodeError):
        return []


# ---- options ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options", "rows"),
    [
        ("'a,b',2\n", {"quote": "'"}, [["a,b", "2"]]),
        ('"a",2\n', {"quote": ""}, [['"a"', "2"]]),
        ('"a\\"b",2\n', {"escape": "\\"}, [['a"b', "2"]]),
        ('"C:\\",2\n', {"escape": ""}, [["C:\\", "2"]]),
        ('"a\\\\b",\\N\n', {"escape": "\\"}, [["a\\b", None]]),
        ('NULL,"NULL"\n', {"null": "NULL"}, [[None, "NULL"]]),
        (',""\n', {"null": ""}, [[None, ""]]),
        ('-,"a ""-"" b"\n"-",-\n', {"null": "-"}, [[None, 'a "-" b'], ["-", None]]),
        ("a\\tb\tc\n", {"quote": "", "escape": "\\"}, [["a\tb", "c"]]),
        ("C:\\new\tc\n", {}, [["C:\\new", "c"]]),
    ],
)
def test_options(text: str, options: dict[str, str], rows: Rows) -> None:
    assert imported(write(text, "a.csv"), **options) == rows


def test_options_of_the_command(run: Run) -> None:
    write("a,b\n'x,y',-\n", "a.csv")
    done = run("import", "a.csv", "my.db", "--quote", "'", "--escape", "none", "--null", "-")
    assert done.returncode == 0
    assert done.stdout.splitlines()[0] == "a.csv: ascii, 1 row; quoted by ', - is NULL"


@pytest.mark.parametrize(
    ("option", "value", "what"),
    [
        ("--quote", "ab", "the quote is 'ab'; accepted: one character, or none"),
        ("--escape", "!", "the escape is '!'; accepted: a backslash, or none"),
        ("--delimiter", '"', "the delimiter cannot be a quote, a NUL or the end of a line"),
    ],
)
def test_refused_options(fails, option: str, value: str, what: str) -> None:
    write("a,b\n", "a.csv")
    assert fails("import", "a.csv", "my.db", option, value) == what


def test_lines_after_escaped_line_breaks_have_their_numbers() -> None:
    file = write("a\tb\\\nc\n\\N\td\nlong\trow\there\n")
    found = utf8ext.import_csv(file, "my.db", header=False)
    assert [(problem.kind, problem.line) for problem in found.problems] == [("long row", 4)]


def test_escapes_that_begin_after_the_sample() -> None:
    lines = ["id,name\n", *(f"{i},plain\n" for i in range(5000)), '5000,"say \\"hi\\""\n']
    assert imported(write("".join(lines)))[-1] == ["5000", 'say "hi"']
