"""Text in a legacy charset that was read as Latin-1, and bytes that Python escaped, through every door but check."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from conftest import table
from doors import FRENCH, RUSSIAN
from test_doors import database, invoke, rows_of

NAMES = ["Иванов", "Петров", "Сидоров", "Кузнецов", "Попова", "Васильев", "Смирнов", "Да"]
READ = [name.encode("cp1251").decode("latin-1") for name in NAMES]


def escaped(text: str, charset: str, read_as: str = "utf-8") -> bytes:
    return text.encode(charset).decode(read_as, "surrogateescape").encode("utf-8", "surrogatepass")


def test_database(tmp_path: Path) -> None:
    path = database(tmp_path / "my.db", [text.encode() for text in [*READ, "Smith", "Иванова"]])
    audited = invoke("audit", path)
    assert audited.exit_code == 1
    assert "t.c: mojibake iso-8859-1\n" in audited.stdout and "Èâàíîâ → Иванов" in audited.stdout
    assert invoke("report", path, "-o", tmp_path / "r.html").exit_code == 1
    assert "Иванов" in (tmp_path / "r.html").read_text()
    repaired = invoke("repair", path)
    assert repaired.stdout.startswith("t.c: 8 values repaired: 8 mojibake iso-8859-1\n")
    assert [row[0] for row in table("t", path)[1:]] == [*NAMES, "Smith", "Иванова"]
    assert invoke("audit", path).exit_code == 0


def test_lines(tmp_path: Path) -> None:
    """A file whose lines are misread as a whole."""
    path = tmp_path / "t.csv"
    path.write_bytes(RUSSIAN.encode("cp1251").decode("latin-1").encode())
    label = json.loads(invoke("detect", "--json", path).stdout)[0]["label"]
    assert label == "utf-8, 4 lines misread in iso-8859-1"
    converted = invoke("convert", path, "--from", "auto", "-o", tmp_path / "out")
    assert converted.exit_code == 1 and (tmp_path / "out").read_bytes() == path.read_bytes()
    invoke("clean", path, "--steps", "repair,mojibake", "-o", tmp_path / "clean")
    assert (tmp_path / "clean").read_text() == RUSSIAN
    imported = invoke("import", path, tmp_path / "my.db", "--table", "t")
    assert imported.exit_code == 1 and table("t", tmp_path / "my.db") == rows_of(RUSSIAN)


@pytest.mark.parametrize("keeps", [False, True])
def test_cells(tmp_path: Path, keeps: bool) -> None:
    """A column of a file whose lines have Latin text, too."""
    path = tmp_path / "t.csv"
    text = "id,name,city\n" + "".join(f"{n},{name},Köln\n" for n, name in enumerate(NAMES))
    for name, read in zip(NAMES, READ):
        text = text.replace(f",{name},", f",{read},")
    path.write_text(text)
    invoke("import", path, tmp_path / "my.db", "--table", "t", *(["--keep-mojibake"] if keeps else []))
    assert [row[1] for row in table("t", tmp_path / "my.db")[1:]] == (READ if keeps else NAMES)


def test_what_is_left(tmp_path: Path) -> None:
    """Two values, and Latin text."""
    for values in READ[:2], ["Éric", "À", "É", "Ünü", "çÀÉÈ", "Ôôôô"]:
        path = tmp_path / "t.csv"
        path.write_text("name\n" + "".join(f"{value}\n" for value in values))
        assert json.loads(invoke("detect", "--json", path).stdout)[0]["label"] == "utf-8"
        imported = invoke("import", path, tmp_path / "my.db", "--table", "t", "--replace")
        assert imported.exit_code == 0 and [row[0] for row in table("t", tmp_path / "my.db")[1:]] == values


@pytest.mark.parametrize(("charset", "read_as"), [("utf-8", "ascii"), ("cp1252", "utf-8")])
def test_escaped(tmp_path: Path, charset: str, read_as: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(escaped(FRENCH, charset, read_as))
    label = json.loads(invoke("detect", "--json", path).stdout)[0]["label"]
    assert label == "utf-8, 3 lines surrogateescape"
    invoke("convert", path, "--from", "auto", "-o", tmp_path / "out")
    assert (tmp_path / "out").read_text() == FRENCH
    invoke("clean", path, "-o", tmp_path / "clean", "--steps", "repair")
    assert (tmp_path / "clean").read_text() == FRENCH
    invoke("import", path, tmp_path / "my.db", "--table", "t")
    assert table("t", tmp_path / "my.db") == rows_of(FRENCH)
    path = database(tmp_path / "other.db", [escaped(line, charset, read_as) for line in FRENCH.splitlines()])
    assert "t.c: surrogateescape\n" in invoke("audit", path).stdout
    assert invoke("repair", path).stdout.startswith("t.c: 3 values repaired: 3 surrogateescape\n")
    assert [row[0] for row in table("t", path)[1:]] == FRENCH.splitlines()


def test_escaped_names(tmp_path: Path) -> None:
    path = tmp_path / "my.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute('CREATE TABLE "ElXXve"(c)')
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "UPDATE sqlite_master SET sql = CAST(replace(CAST(sql AS BLOB), 'XX', CAST(? AS BLOB)) AS TEXT),"
            " name = CAST(replace(CAST(name AS BLOB), 'XX', ?1) AS TEXT),"
            " tbl_name = CAST(replace(CAST(tbl_name AS BLOB), 'XX', ?1) AS TEXT)",
            (escaped("è", "utf-8", "ascii"),),
        )
        connection.commit()
    assert invoke("repair", path, "--names").exit_code == 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("Elève",)]
