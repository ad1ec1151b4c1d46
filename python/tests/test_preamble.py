"""Lines before the header of a CSV file, and delimiters of several characters."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Fails, Run, table

import utf8ext

BANK = """Kontoauszug
Konto;123

Datum;Betrag;Text
01.02.2024;3,5;Äpfel
02.02.2024;4;"a;b"
03.02.2024;4,25;x
"""

ERP = 'Report;"Sales; 2024"\nCreated: 2024-01-01\n\n\nid,name,city,note\n1,Zoë,Köln,\n2,Ann,"a, b",x\n3,,,\n'


@pytest.mark.parametrize(
    ("text", "number", "charset"),
    [(BANK, 3, "utf-8"), (BANK, 3, "utf-16"), (ERP, 4, "utf-8"),
     (BANK.replace("\n", "\r"), 3, "utf-8"), (BANK.replace("Datum", '"Datum\u00a0"'), 3, "utf-8")],
)  # fmt: skip
def test_a_preamble_is_named(run: Run, fails: Fails, text: str, number: int, charset: str) -> None:
    """Nothing is imported until you say which line is the header."""
    Path("a.csv").write_bytes(text.encode(charset))
    assert fails("import", "a.csv", "my.db") == (
        f"a.csv: line {number + 1} looks like the header, after {number} lines of something else; "
        f"say --skip-lines {number}, or --skip-lines 0 to import all lines"
    )
    assert not Path("my.db").exists()
    done = run("import", "a.csv", "my.db", "--skip-lines", str(number))
    assert (done.returncode, ", 3 rows" in done.stdout) == (0, True)
    header = text.replace("\r", "\n").split("\n")[number].replace('"', "")
    imported = utf8ext.import_csv("a.csv", "other.db", skip_lines=number)
    assert imported.columns == header.split(";" if ";" in header else ",")


def test_all_lines(run: Run) -> None:
    Path("a.csv").write_text(BANK, encoding="utf-8")
    assert run("import", "a.csv", "my.db", "--skip-lines", "0").returncode == 1


@pytest.mark.parametrize(
    "text",
    [
        "a\n1;2;3\n4;5;6\n7;8;9\n",  # rows that are longer than the header, of numbers
        "a b\n\"1\" 2 3\n\"2\" 3 4\n\"3\" 4 5\n",  # R: the header lacks the names of rows
        "a,b\n1,2,3\n2,3,4\n3,4,5\n",
        "name,b,c\nx,y,z\nx,y,z,extra\nx,y,z\n",
        "x\ny\nz\n",
        '"Name\nof the person";City;Note\na;b;c\nd;e;f\ng;h;i\n',  # a name with a line break
        '"Total\n2024","Total\n2025",Note\na,b,c\nd,e,f\ng,h,i\n',
        "title\na,b\nc,d\n",  # too few rows to tell
    ],
)
def test_what_is_no_preamble(run: Run, text: str) -> None:
    Path("a.csv").write_text(text)
    assert run("import", "a.csv", "my.db").returncode in (0, 1)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
def test_problems_have_the_line_of_the_file(run: Run, name: str) -> None:
    body = "a,b\n1\n" if name == "a.csv" else '{"a": 1}\n{"a": 1, "a": 2}\n'
    Path(name).write_text("x\ny\\\n" + body)
    done = run("import", name, "my.db", "--skip-lines", "2")
    assert done.returncode == 1 and f"{name}:4: " in done.stdout


def test_too_many_lines(fails: Fails) -> None:
    Path("a.csv").write_text("a,b\n1,2\n")
    assert fails("import", "a.csv", "my.db", "--skip-lines", "2") == "a.csv: the file has no lines with text"
    assert "-1 is not in the range" in fails("import", "a.csv", "my.db", "--skip-lines", "-1")


# ---- delimiters of several characters --------------------------------------------------


@pytest.mark.parametrize("delimiter", ["||", "~|~", "\t|\t", "|~|", "^|^", "::", ";;", "~~", "##"])
def test_found_in_the_file(run: Run, delimiter: str) -> None:
    """Parts of it are text, and so is all of it in quotes."""
    lines = [["id", "name", "note"], ["1", "", "x"], ["2", "", ""], ["3", f"a{delimiter[:1]}b"[:1], "Zoë"]]
    text = "".join(delimiter.join(line) + "\n" for line in lines)
    text += f'4{delimiter}"a{delimiter}""b"{delimiter}\n'
    Path("a.csv").write_text(text, encoding="utf-8")
    done = run("import", "a.csv", "my.db")
    shown = delimiter.replace("\t", "\\t")
    assert done.stdout.splitlines()[0] == f"a.csv: utf-8, 4 rows; fields separated by {shown}"
    assert table()[1:] == [*lines[1:], ["4", f'a{delimiter}"b', ""]]
    assert done.returncode == 0


def test_single_delimiters_stay(run: Run) -> None:
    """Empty fields are no delimiter of two characters, where the header has one alone."""
    Path("a.csv").write_text("id|name|note\n1||x\n2||y\n")
    assert run("import", "a.csv", "my.db").returncode == 0
    assert [row[2] for row in table()] == ["note", "x", "y"]


@pytest.mark.parametrize("delimiter", ["<>", r"\t|\t", "->", "ab"])
def test_named(run: Run, delimiter: str) -> None:
    mark = delimiter.replace(r"\t", "\t")
    Path("a.csv").write_text(f'x{mark}y\n1{mark}"2{mark}3"\n"4"x{mark}5\n')
    done = run("import", "a.csv", "my.db", "--delimiter", delimiter)
    assert table()[1:] == [["1", f"2{mark}3"], ["4x", "5"]]
    assert "misplaced quote" in done.stdout and "\ud801".encode("utf-8", "replace").decode() not in done.stdout


def test_with_escapes(run: Run) -> None:
    r"""MySQL escapes the first character of a delimiter."""
    Path("a.csv").write_text("a||b\nx\\|||y\n\\N||z\n")
    assert run("import", "a.csv", "my.db", "--quote", "none", "--escape", "\\", "--delimiter", "||").returncode == 0
    assert table()[1:] == [["x|", "y"], [None, "z"]]
