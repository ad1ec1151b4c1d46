"""Small files through every door: no door knows less than another. doors.py has the files.

detect, import, convert, clean and check read the file; audit, repair and report read a database into
which its lines were put byte by byte.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import re
import signal
from pathlib import Path
from typing import Optional

import pytest
from click.testing import CliRunner, Result
from conftest import make, query, table, write
from doors import FILES, File
from utf8ext.command import main


def invoke(*arguments: object) -> Result:
    """Run the command in this process, which ignores Ctrl-C when the command is done."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return CliRunner().invoke(main, list(map(str, arguments)))
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def rows_of(text: str) -> list[list[Optional[str]]]:
    first = text.replace("\r", "\n").split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return [list(row) for row in csv.reader(io.StringIO(text), delimiter=delimiter)]


def is_known(file: File) -> bool:
    return file.text is not None


ids = {"ids": lambda file: file.name}


def test_there_are_60_files() -> None:
    assert len(FILES) >= 60 and len({file.name for file in FILES}) == len(FILES)


@pytest.mark.parametrize("file", FILES, **ids)
def test_files(file: File) -> None:
    """The label, the cells, the text and the statuses of the doors for files."""
    path = write(file.data, "t.csv")
    is_right = file.label in ("ascii", "utf-8", "utf-8-bom")
    has_parts = " from line " in file.label

    detected = invoke("detect", "--json", path)
    label = json.loads(detected.stdout)[0]["label"]
    assert label == file.label or not file.label
    assert detected.exit_code == (0 if is_right else 1)

    converted = invoke("convert", path, "--from", "auto", "-o", "out")
    cleaned = invoke("clean", path, "--steps", "repair,mojibake", "-o", "clean")
    imported = import_file(path)
    checked = invoke("check", path)
    if not is_known(file):
        assert (converted.exit_code, imported.exit_code) == (2, 1 if file.unclear else 2)
        assert cleaned.exit_code == (1 if file.unclear else 2) and checked.exit_code != 0
        return

    loses = "�" in str(file.text) and "�".encode() not in file.data
    assert f"{path}: {label}\n" in converted.stderr
    assert Path("out").read_bytes().decode("utf-8-sig") == (file.kept or file.text)
    has_lines = "," in label and not has_parts
    assert converted.exit_code == (1 if has_lines else 0)
    assert Path("clean").read_bytes().decode("utf-8-sig") == file.text
    assert cleaned.exit_code == (1 if loses else 0)
    if file.data:
        assert imported.stdout.startswith(f"{path}: {label}, ")
        assert table("t") == rows_of(str(file.text))
        assert imported.exit_code == (1 if has_lines else 0)
    in_units = label.startswith(("utf-16", "utf-32", "iso-2022"))
    if has_lines or not (in_units or has_parts):
        assert checked.exit_code == (0 if is_right else 1)
    if file.kept:
        import_file(path, "--replace", "--keep-mojibake")
        assert table("t") == rows_of(file.kept)


@pytest.mark.parametrize("file", FILES[::4], **ids)
def test_packed_files(file: File) -> None:
    """Every door reads a compressed file as what it contains."""
    plain, packed = write(file.data, "t.csv"), write(gzip.compress(file.data), "u.csv")
    for door in (("detect", "--json"), ("check",), ("convert", "--from", "auto"), ("clean",)):
        expected, found = (invoke(*door, path) for path in (plain, packed))
        assert found.exit_code == expected.exit_code
        assert found.output.replace("u.csv", "t.csv") == expected.output
    expected = import_file(plain)
    rows = query(Path("my.db"), "SELECT * FROM t") if expected.exit_code != 2 else None
    assert import_file(packed, "--replace").exit_code == expected.exit_code
    assert rows is None or query(Path("my.db"), "SELECT * FROM t") == rows


def database(values: list[bytes]) -> Path:
    rows = "".join(f"INSERT INTO t VALUES (CAST(x'{value.hex()}' AS TEXT));" for value in values)
    return make(f"BEGIN; CREATE TABLE t(c TEXT); {rows} COMMIT;", "lines.db")


def import_file(*arguments: object) -> Result:
    """Import files into table t of my.db."""
    return invoke("import", *arguments, "my.db", "--table", "t")


def is_for_a_database(file: File) -> bool:
    """Is it more than a file, whose lines can be the values of a column?"""
    starts = ("utf-16", "utf-32", "iso-2022", "binary", "utf-8-bom")
    is_one = b"\0" not in file.data and " from line " not in file.label
    return bool(file.data) and not file.label.startswith(starts) and is_one


@pytest.mark.parametrize("file", list(filter(is_for_a_database, FILES)), **ids)
def test_databases(file: File) -> None:
    """The same lines as the values of a column: audit, report and repair."""
    lines = file.data.splitlines()
    path = database(lines)
    is_right = file.label in ("ascii", "utf-8")
    audited, reported = invoke("audit", path), invoke("report", path, "-o", "r.html")
    assert audited.exit_code == reported.exit_code == (0 if is_right else 1)
    for part in file.label.split(", ")[1:]:
        cause = re.sub("^[0-9]+ lines? (in )?", "", part).replace("misread in", "mojibake")
        assert f"t.c: {cause}\n" in audited.stdout
    repaired = invoke("repair", path)
    assert repaired.exit_code == (0 if is_right else 1)
    if is_known(file):
        after = [bytes(text).decode() for (text,) in query(path, "SELECT c FROM t")]
        assert after == str(file.text).replace("\r\n", "\n").replace("\r", "\n").splitlines()
    else:
        assert [bytes(text) for (text,) in query(path, "SELECT c FROM t")] == lines
        assert f"1 value is unclear: utf8ext repair {path} --review choices.csv" in repaired.stderr
