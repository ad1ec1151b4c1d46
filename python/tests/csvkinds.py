"""Kinds of text file that real programs write, each with the cells that it was written from.

A kind is written here by the rules of its program's documentation. TEXTS has what is hard for such
files: quotes, delimiters, line breaks, backslashes and NULL.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import NamedTuple, Optional

Row = list[Optional[str]]
Field = Callable[[Optional[str]], str]

HEADER: Row = ["id", "name", "note"]

PLAIN: list[Row] = [
    [str(i), name, note]
    for i, (name, note) in enumerate(
        [
            ("Zoë", "fine"),
            ("Anna", "two words"),
            ("José", "naïve"),
            ("Søren", "1,50"),
            ("Łukasz", "a long note without marks"),
        ]
        * 4,
        1,
    )
]

QUOTES = ['he said "hi" then left', '"hi"', 'a "b', '5" pipe', '"', '"Rex" the dog']
MARKS = ["a,b", "a;b", "a|b", "x, y, z", "one; two, three"]
BREAKS = ["two\nlines", "three\nmore\nlines"]
BACKSLASHES = ["C:\\new\\table", "\\\\server\\share", "ends with \\"]


def rows(*texts: list[str], null: bool = False) -> list[Row]:
    """Return rows with the plain notes, then these texts, some with NULL."""
    notes = [text for group in texts for text in group]
    more: list[Row] = [[str(100 + i), f"Person {i}", note] for i, note in enumerate(notes)]
    for i in range(3 if null else 0):
        more.append([str(200 + i), None, f"no name {i}"])
    return PLAIN + more


class Kind(NamedTuple):
    """A kind of file."""

    program: str
    data: bytes
    rows: list[Row]  # all of it, with the header if it has one
    name: str = "t.csv"
    has_header: bool = True


def _csv(rows: list[Row], **options: object) -> str:
    out = io.StringIO(newline="")
    options = {"lineterminator": "\n", **options}
    csv.writer(out, **options).writerows(rows)  # type: ignore[arg-type]
    return out.getvalue()


def _kind(program: str, all_rows: list[Row], text: str, encoding: str = "utf-8", **more: object) -> Kind:
    return Kind(program, text.encode(encoding), all_rows, **more)  # type: ignore[arg-type]


def _joined(rows: list[Row], field: Field, delimiter: str, end: str = "\n") -> str:
    return "".join(delimiter.join(map(field, row)) + end for row in rows)


# ---- how programs write a field --------------------------------------------------------


def _field(null: str, escapes: dict[str, str], quote: str = "") -> Field:
    """Return what writes a field: NULL, or its text with escapes, in quotes."""
    table = str.maketrans(escapes)
    return lambda text: null if text is None else quote + text.translate(table) + quote


def _escaped(marks: str) -> dict[str, str]:
    return {mark: f"\\{mark}" for mark in marks}


def _mysql(delimiter: str) -> Field:
    """SELECT ... INTO OUTFILE: the delimiter, the line break, NUL and the backslash are escaped."""
    return _field(r"\N", {**_escaped("\\\n" + delimiter), "\0": r"\0"})


_plain = _field("", {})

# FIELDS ENCLOSED BY '"': the quote is escaped, too.
_mysql_quoted = _field(r"\N", _escaped('\\"'), '"')

# COPY ... TO of PostgreSQL, text format.
_copy = _field(r"\N", {"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})

# UNLOAD ... DELIMITER '|' ESCAPE, and DELIMITER ',' ADDQUOTES ESCAPE.
_redshift = _field("", _escaped("\\|\n\"'"))
_redshift_quoted = _field('""', _escaped('\\"'), '"')


def _copy_csv(text: Optional[str]) -> str:
    """COPY ... TO (FORMAT csv, NULL '\\N')."""
    if text is None:
        return "\\N"
    needs = any(mark in text for mark in '",\r\n') or text == "\\N"
    return '"' + text.replace('"', '""') + '"' if needs else text


def _spark(text: Optional[str]) -> str:
    """DataFrame.write.csv: a field with a quote or a delimiter is quoted, quotes are escaped."""
    text = text or ""
    if not any(mark in text for mark in '",\n'):
        return text
    return '"' + text.replace('"', '\\"') + '"'


def _single(text: Optional[str]) -> str:
    """The shell's `.mode quote`."""
    if text is None:
        return "NULL"
    return text if text.isdigit() else "'" + text.replace("'", "''") + "'"


def _r(text: Optional[str]) -> str:
    """write.csv of R: strings are quoted, numbers are not."""
    if text is None:
        return "NA"
    return text if text.isdigit() else '"' + text.replace('"', '""') + '"'


def kinds() -> list[Kind]:
    """Return all kinds."""
    hard = [HEADER, *rows(QUOTES, MARKS, BREAKS)]
    paths = [HEADER, *rows(BACKSLASHES)]
    words = [HEADER, *rows(QUOTES, MARKS)]
    bare = [HEADER, *rows(QUOTES, [text for text in MARKS if "|" not in text])]
    all_but_null = [HEADER, *rows(QUOTES, MARKS, BREAKS, BACKSLASHES)]
    nulls = rows(QUOTES, MARKS, BREAKS, BACKSLASHES, null=True)
    one_line = rows(QUOTES, MARKS, BACKSLASHES, null=True)
    crlf = {"lineterminator": "\r\n"}
    every = {"quoting": csv.QUOTE_ALL}
    escaped = {"doublequote": False, "escapechar": "\\"}
    return [
        _kind("Excel, CSV UTF-8", hard, _csv(hard, **crlf), "utf-8-sig"),
        _kind("Excel, CSV UTF-8 in Germany", hard, _csv(hard, delimiter=";", **crlf), "utf-8-sig"),
        _kind("Excel, Unicode text", words, _csv(words, delimiter="\t", **crlf), "utf-16", name="t.txt"),
        _kind("Excel, with sep=", hard, "sep=;\r\n" + _csv(hard, delimiter=";", **crlf)),
        _kind("LibreOffice, all texts quoted", hard, _csv(hard, quoting=csv.QUOTE_NONNUMERIC)),
        _kind("Google Sheets, CSV", hard, _csv(hard, **crlf)),
        _kind("Google Sheets, TSV", bare, _joined(bare, _plain, "\t", "\r\n"), name="t.tsv"),
        _kind("Salesforce, all quoted", hard, _csv(hard, **every)),
        _kind("Python, csv excel", hard, _csv(hard, **crlf)),
        _kind("Python, csv excel-tab", hard, _csv(hard, delimiter="\t", **crlf), name="t.txt"),
        _kind("Python, csv unix", hard, _csv(hard, **every)),
        _kind("Python, csv escapechar", all_but_null, _csv(all_but_null, **escaped)),
        _kind("Python, csv escapechar, all quoted", all_but_null, _csv(all_but_null, **escaped, **every)),
        _kind("Python, csv QUOTE_NONE", words, _csv(words, quoting=csv.QUOTE_NONE, escapechar="\\", quotechar=None)),
        _kind("Python, csv QUOTE_NONE, tab", words,
              _csv(words, quoting=csv.QUOTE_NONE, escapechar="\\", quotechar=None, delimiter="\t"), name="t.txt"),
        _kind("pandas, to_csv", hard, _csv(hard)),
        _kind("pandas, to_csv sep=|", hard, _csv(hard, delimiter="|"), name="t.txt"),
        _kind("R, write.csv", hard, _joined(hard, _r, ",")),
        _kind("R, write.csv2", hard, _joined(hard, _r, ";")),
        _kind("MySQL, OUTFILE", nulls, _joined(nulls, _mysql("\t"), "\t"), name="t.txt", has_header=False),
        _kind("MySQL, OUTFILE by commas", nulls, _joined(nulls, _mysql(","), ","), has_header=False),
        _kind("MySQL, OUTFILE enclosed", nulls, _joined(nulls, _mysql_quoted, ","), has_header=False),
        _kind("MySQL, OUTFILE enclosed by semicolons", nulls, _joined(nulls, _mysql_quoted, ";"), has_header=False),
        _kind("mysql --batch", [HEADER, *rows(QUOTES, MARKS, BREAKS, BACKSLASHES)],
              _joined(all_but_null, _copy, "\t"), name="t.tsv"),
        _kind("PostgreSQL, COPY", nulls, _joined(nulls, _copy, "\t"), name="t.copy", has_header=False),
        _kind("PostgreSQL, COPY with its end", nulls, _joined(nulls, _copy, "\t") + "\\.\n", name="t.copy",
              has_header=False),
        _kind("PostgreSQL, COPY HEADER", [HEADER, *nulls], _joined([HEADER, *nulls], _copy, "\t"), name="t.tsv"),
        _kind("PostgreSQL, COPY CSV", [HEADER, *nulls], _joined([HEADER, *nulls], _copy_csv, ",")),
        _kind("PostgreSQL, COPY CSV FORCE_QUOTE", hard, _csv(hard, **every)),
        _kind("Redshift, UNLOAD ESCAPE", all_but_null[1:], _joined(all_but_null[1:], _redshift, "|"),
              name="t.txt", has_header=False),
        _kind("Redshift, UNLOAD ADDQUOTES ESCAPE", all_but_null[1:],
              _joined(all_but_null[1:], _redshift_quoted, ","), has_header=False),
        _kind("Hive, text with Ctrl-A", one_line, _joined(one_line, _mysql("\x01"), "\x01"), name="000000_0",
              has_header=False),
        _kind("Hive, OpenCSVSerde", words, _joined(words, _redshift_quoted, ",")),
        _kind("Spark, write.csv", words, _joined(words, _spark, ",")),
        _kind("SQLite, .mode csv", hard, _csv(hard, **crlf)),
        _kind("SQLite, .mode tabs", bare, _joined(bare, _plain, "\t"), name="t.tsv"),
        _kind("SQLite, .mode list", bare, _joined(bare, _plain, "|"), name="t.txt"),
        _kind("SQLite, .mode quote", [["1", *row[1:]] for row in hard[1:]],
              _joined([["1", *row[1:]] for row in hard[1:]], _single, ","), has_header=False),
        _kind("SQL Server, bcp -w", bare, _joined(bare, _plain, "\t", "\r\n"), "utf-16", name="t.txt"),
        _kind("GeoNames", bare[1:], _joined(bare[1:], _plain, "\t"), name="t.txt", has_header=False),
        _kind("IMDb datasets", [HEADER, *rows(QUOTES, null=True)],
              _joined([HEADER, *rows(QUOTES, null=True)], lambda text: "\\N" if text is None else text, "\t"),
              name="title.basics.tsv"),
        _kind("an old Macintosh", words, _csv(words, lineterminator="\r")),
        _kind("a list of paths", paths, _csv(paths)),
        _kind("a list of paths, all quoted", paths, _csv(paths, **every)),
        _kind("a form with a space after commas", [HEADER, *rows(["a, b", "c"])],
              "".join(f'{a}, {b}, "{c}"\n' for a, b, c in [HEADER, *rows(["a, b", "c"])])),
        _kind("passwd", [["root", "0", "/root"], ["anna", "1000", "/home/anna"]],
              "root:0:/root\nanna:1000:/home/anna\n", name="passwd", has_header=False),
        _kind("a mainframe, by carets", bare, _joined(bare, _plain, "^"), name="t.txt"),
    ]
