"""Cells of a file that its lines show to be misread, and text in UTF-16 that was misread."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import table, write
from doors import misread
from test_doors import import_file, invoke

NAME, PLACE = misread("André Lefèvre"), misread("Îlo")  # the name is sure, the place alone is not
LINE = f"n,v\n{NAME},{PLACE}\n"

SHOWN_BY_THE_LINE = {
    "two.csv": (f"n,v\n{NAME},{PLACE}\n", [("André Lefèvre", "Îlo")]),
    "semicolons.csv": (f"n;v\n{NAME};{PLACE}\n", [("André Lefèvre", "Îlo")]),
    "clean.csv": (f"n,v,b\n{NAME},{PLACE},Besançon\n", [("André Lefèvre", "Îlo", "Besançon")]),
    "twice.csv": (misread(f"n,v\n{NAME},{PLACE}\n"), [("André Lefèvre", "Îlo")]),
    "quoted.csv": (f'n,v\n"{NAME}, ""D""","{PLACE}"\n', [('André Lefèvre, "D"', "Îlo")]),
    "escaped.csv": (f'n,v\n"{NAME} \\"D\\"",{PLACE}\n', [('André Lefèvre "D"', "Îlo")]),
    "null.tsv": (f"n\tv\tw\n{NAME}\t{PLACE}\t\\N\na\tb\t\\N\n", [("André Lefèvre", "Îlo", None), ("a", "b", None)]),
    "short.csv": (f"n,v,w\n{NAME},{PLACE}\n", [("André Lefèvre", "Îlo", None)]),
    "objects.jsonl": (json.dumps({"n": NAME, "v": PLACE}, ensure_ascii=False), [("André Lefèvre", "Îlo")]),
}

# Cells that are not misread as a whole, or are not those of one line, stay.
NOT_SHOWN = {
    "part.csv": (f"n,v\n{NAME},{PLACE} à Lyon\n", [("André Lefèvre", f"{PLACE} à Lyon")]),
    "lines.csv": (f'n,v\n"{NAME}\n{NAME}",{PLACE}\n', [("André Lefèvre\nAndré Lefèvre", PLACE)]),
    "alone.csv": (f"n,v\nAnna,{PLACE}\n{NAME},Berlin\n", [("Anna", PLACE), ("André Lefèvre", "Berlin")]),
}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", [*SHOWN_BY_THE_LINE, *NOT_SHOWN])
def test_cells(name: str, encoding: str) -> None:
    text, rows = {**SHOWN_BY_THE_LINE, **NOT_SHOWN}[name]
    assert import_file(write(text.encode(encoding), name)).exit_code == 1
    assert table("t")[1:] == list(map(list, rows))


def test_header() -> None:
    import_file(write(f"{NAME},{PLACE}\na,b\n", "h.csv"))
    assert table("t") == [["André Lefèvre", "Îlo"], ["a", "b"]]


def test_each_file_has_lines_of_its_own() -> None:
    first, second = write(LINE, "a.csv"), write(f"n,v\nAnna,{PLACE}\n", "b.csv")
    result = import_file(first, second)
    assert table("t")[1:] == [["André Lefèvre", "Îlo"], ["Anna", PLACE]]
    assert "2 cells repaired" in result.stdout


@pytest.mark.parametrize("option", ["--keep-mojibake", "--policy=subpart"])
def test_kept(option: str) -> None:
    import_file(write(LINE, "k.csv"), option)
    assert table("t")[1:] == [[NAME, PLACE]]


def test_damage_beside_misread_text_in_utf16() -> None:
    """A lone surrogate is lost, and every command says so."""
    text, output = f"{LINE}A\ud800nna,Lyon\n", Path("out")
    path = write(b"\xff\xfe" + text.encode("utf-16-le", "surrogatepass"), "d.csv")
    result = import_file(path)
    assert table("t")[1:] == [["André Lefèvre", "Îlo"], ["A\ufffdnna", "Lyon"]]
    assert "3 cells repaired" in result.stdout and " damaged " in result.stdout
    converted = invoke("convert", path, "--from", "auto", "-o", output)
    assert "1 error in utf-16, written as U+FFFD" in converted.stderr
    assert output.read_bytes().decode() == text.replace("\ud800", "\ufffd")
    cleaned = invoke("clean", path, "-o", output)
    assert "1 character written as U+FFFD" in cleaned.stderr and cleaned.exit_code == 1
    assert output.read_bytes().decode() == "n,v\nAndré Lefèvre,Îlo\nA\ufffdnna,Lyon\n"


def test_utf16_of_several_chunks() -> None:
    """The lines of a file are counted across the chunks in which it is decoded."""
    lines = [f"{i},Jürgen Groß aus Köln am Rhein,{'x' * 800}" for i in range(20_000)]
    lines[-5] = f"5,{NAME},{PLACE}"
    path = write("\n".join(["i,n,v", *lines, ""]).encode("utf-16"), "long.csv")
    assert invoke("detect", path).stdout == f"{path}: utf-16, 1 line misread in windows-1252\n"
    expected = [line.split(",") for line in lines]
    expected[-5] = ["5", "André Lefèvre", "Îlo"]
    import_file(path)
    assert table("t")[1:] == expected
