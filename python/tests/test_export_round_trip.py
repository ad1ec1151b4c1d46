"""What `utf8ext export` writes, `utf8ext import` reads: the same cells, in every charset."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from conftest import table

import utf8ext
from utf8ext._engine import Engine

ENGINE = Engine()
CHARSETS = [name for (name,) in ENGINE.rows("SELECT name FROM utf8_charsets ORDER BY name")]

# What CSV, databases and spreadsheets give a meaning to.
ODD = ["", " ", "\n", "\r\n", "\r", ",", ";", "|", "\t", '"', '""', "'", "\\", r"\N", "NULL", "0", "=1", "a"]

_READ = "SELECT utf8_from(CAST(?1 AS BLOB), ?2)"
_KEEPS = "SELECT utf8_from(utf8_to(?1, ?2), ?2) IS ?1"


def keeps(charset: str, text: str) -> bool:
    """Has the charset the text, and gives it back? WHATWG folds some characters."""
    return bool(ENGINE.value(_KEEPS, text, charset))


def letters(charset: str, chance: random.Random) -> list[str]:
    """Return characters that the charset has."""
    data = bytes(chance.choices(range(0xA0, 0x100), k=400)) + bytes(range(32, 127))
    found = set(ENGINE.value(_READ, data, charset)) | set("aZ9é€яΩ中ｱ😀\u00a0\u0301")
    is_ebcdic = ENGINE.value(_READ, b"\x15", charset) == "\x85"
    kept = [c for c in sorted(found) if c != "\ufffd" and keeps(charset, c)]
    return [c for c in kept if not (is_ebcdic and c == "\x85")]  # it ends lines there


def cell(charset: str, alphabet: list[str], chance: random.Random) -> Any:
    kind = chance.random()
    if kind < 0.15:
        return None
    parts = [
        chance.choice(ODD) if chance.random() < 0.4 else "".join(chance.choices(alphabet, k=5))
        for _ in range(chance.randrange(4))
    ]
    text = "".join(part for part in parts if keeps(charset, part))
    return text if keeps(charset, text) else ""


@pytest.mark.parametrize("charset", CHARSETS)
def test_every_charset(tmp_path: Path, charset: str) -> None:
    chance = random.Random(charset)
    alphabet = letters(charset, chance)
    width = chance.randrange(2, 6)
    rows = [
        [f"ROW {number}", *(cell(charset, alphabet, chance) for _ in range(width))]
        for number in range(60)
    ]
    is_ebcdic = ENGINE.value(_READ, b"\x15\x25", charset) == "\x85\n"
    newline = chance.choice(["crlf", "lf", "cr"] + ["nel"] * is_ebcdic)
    delimiter = chance.choice([d for d in (",", ";", "\t", "|", "||", "~|~") if keeps(charset, d)])
    quote = chance.choice([q for q in ('"', "'") if keeps(charset, q)])
    null = chance.choice([n for n in ("", r"\N", "NULL", "0", "a b") if keeps(charset, n)])
    header = chance.random() < 0.7
    names = ["KEY", *(f"NA,M;E {chance.choice(ODD)}{place}" for place in range(width))]
    names = [name if keeps(charset, name) else f"N{place}" for place, name in enumerate(names)]
    write(tmp_path / "old.db", names, rows)

    done = utf8ext.export_csv(
        tmp_path / "old.db", tmp_path / "t.csv", "t", charset=charset, newline=newline,
        delimiter=delimiter, quote=quote, null=null, header=header,
    )  # fmt: skip
    assert (done.rows, done.replaced, done.repaired) == (len(rows), 0, 0)
    assert (tmp_path / "t.csv").read_bytes() == expected(charset, tmp_path / "t.csv")

    imported = utf8ext.import_csv(
        tmp_path / "t.csv", tmp_path / "new.db", charset=charset, delimiter=delimiter, quote=quote,
        escape="", null=null, header=header, skip_lines=0,
    )  # fmt: skip
    assert table("t", tmp_path / "new.db")[1:] == rows
    assert not imported.repaired
    if header:
        assert imported.columns == names


def expected(charset: str, path: Path) -> bytes:
    """Return what utf8_to() makes of the whole text: the file is not that of its parts."""
    data = path.read_bytes()
    sql = "SELECT utf8_to(utf8_from(?1, ?2), ?2)"
    whole: bytes = ENGINE.value(sql, data, charset)
    return whole


def write(path: Path, names: list[str], rows: list[list[Any]]) -> None:
    columns = ", ".join('"' + name.replace('"', '""') + '" TEXT' for name in names)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE t({columns})")
        marks = ", ".join("?" * len(names))
        connection.executemany(f"INSERT INTO t VALUES ({marks})", rows)
        connection.commit()


@pytest.mark.parametrize("null, read", [("", ""), (r"\N", None)])
def test_null_alone_in_its_line(tmp_path: Path, null: str, read: str | None) -> None:
    """docs/command.md: a limit without a mark for NULL, since import skips blank lines."""
    write(tmp_path / "old.db", ["a"], [[None], [""], ["b"]])
    utf8ext.export_csv(tmp_path / "old.db", tmp_path / "t.csv", "t", null=null)
    utf8ext.import_csv(tmp_path / "t.csv", tmp_path / "new.db")
    assert table("t", tmp_path / "new.db")[1:] == [[read], [""], ["b"]]


@pytest.mark.parametrize("seed", range(20))
def test_what_import_finds_on_its_own(tmp_path: Path, seed: int) -> None:
    """Without any option import reads the same, except that NULL is an empty text."""
    chance = random.Random(seed)
    alphabet = list("abcdefgh éß€")
    rows = [[str(n), *(cell("utf-8", alphabet, chance) for _ in range(3))] for n in range(200)]
    write(tmp_path / "old.db", ["id", "name", "note", "city"], rows)
    utf8ext.export_csv(tmp_path / "old.db", tmp_path / "t.csv", "t")
    utf8ext.import_csv(tmp_path / "t.csv", tmp_path / "new.db")
    assert table("t", tmp_path / "new.db")[1:] == [[value or "" for value in row] for row in rows]
