"""Text in a legacy charset that was read as Latin-1, and bytes that Python escaped, through every door but check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import make, query, table, write
from doors import FRENCH, RUSSIAN
from test_doors import database, import_file, invoke, rows_of

NAMES = ["Иванов", "Петров", "Сидоров", "Кузнецов", "Попова", "Васильев", "Смирнов", "Да"]
READ = [name.encode("cp1251").decode("latin-1") for name in NAMES]


def escaped(text: str, charset: str, read_as: str = "utf-8") -> bytes:
    return text.encode(charset).decode(read_as, "surrogateescape").encode("utf-8", "surrogatepass")


def label_of(path: Path) -> str:
    return json.loads(invoke("detect", "--json", path).stdout)[0]["label"]


def test_database() -> None:
    path = database([text.encode() for text in [*READ, "Smith", "Иванова"]])
    audited = invoke("audit", path)
    assert audited.exit_code == 1
    assert "t.c: mojibake iso-8859-1\n" in audited.stdout and "Èâàíîâ → Иванов" in audited.stdout
    assert invoke("report", path, "-o", "r.html").exit_code == 1
    assert "Иванов" in Path("r.html").read_text()
    repaired = invoke("repair", path)
    assert repaired.stdout.startswith("t.c: 8 values repaired: 8 mojibake iso-8859-1\n")
    assert [row[0] for row in table("t", path)[1:]] == [*NAMES, "Smith", "Иванова"]
    assert invoke("audit", path).exit_code == 0


def test_lines() -> None:
    """A file whose lines are misread as a whole."""
    path = write(RUSSIAN.encode("cp1251").decode("latin-1"), "t.csv")
    assert label_of(path) == "utf-8, 4 lines misread in iso-8859-1"
    converted = invoke("convert", path, "--from", "auto", "-o", "out")
    assert converted.exit_code == 1 and Path("out").read_bytes() == path.read_bytes()
    invoke("clean", path, "--steps", "repair,mojibake", "-o", "clean")
    assert Path("clean").read_text() == RUSSIAN
    assert import_file(path).exit_code == 1 and table("t") == rows_of(RUSSIAN)


@pytest.mark.parametrize("keeps", [False, True])
def test_cells(keeps: bool) -> None:
    """A column of a file whose lines have Latin text, too."""
    text = "id,name,city\n" + "".join(f"{n},{name},Köln\n" for n, name in enumerate(NAMES))
    for name, read in zip(NAMES, READ):
        text = text.replace(f",{name},", f",{read},")
    import_file(write(text, "t.csv"), *(["--keep-mojibake"] if keeps else []))
    assert [row[1] for row in table("t")[1:]] == (READ if keeps else NAMES)


@pytest.mark.parametrize("values", [READ[:2], ["Éric", "À", "É", "Ünü", "çÀÉÈ", "Ôôôô"]])
def test_what_is_left(values: list[str]) -> None:
    """Values whose column stays as it is."""
    path = write("name\n" + "".join(f"{value}\n" for value in values), "t.csv")
    assert label_of(path) == "utf-8"
    assert import_file(path).exit_code == 0
    assert [row[0] for row in table("t")[1:]] == values


@pytest.mark.parametrize(("charset", "read_as"), [("utf-8", "ascii"), ("cp1252", "utf-8")])
def test_escaped(charset: str, read_as: str) -> None:
    path = write(escaped(FRENCH, charset, read_as), "t.csv")
    assert label_of(path) == "utf-8, 3 lines surrogateescape"
    invoke("convert", path, "--from", "auto", "-o", "out")
    assert Path("out").read_text() == FRENCH
    invoke("clean", path, "-o", "clean", "--steps", "repair")
    assert Path("clean").read_text() == FRENCH
    import_file(path)
    assert table("t") == rows_of(FRENCH)
    path = database([escaped(line, charset, read_as) for line in FRENCH.splitlines()])
    assert "t.c: surrogateescape\n" in invoke("audit", path).stdout
    assert invoke("repair", path).stdout.startswith("t.c: 3 values repaired: 3 surrogateescape\n")
    assert [row[0] for row in table("t", path)[1:]] == FRENCH.splitlines()


def test_escaped_names() -> None:
    path = make('CREATE TABLE "ElXXXXXXve"(c)')
    path.write_bytes(path.read_bytes().replace(b"XXXXXX", escaped("è", "utf-8", "ascii")))
    assert invoke("repair", path, "--names").exit_code == 1
    assert query(path, "SELECT name FROM sqlite_master") == [("Elève".encode(),)]
