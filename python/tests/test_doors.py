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
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Optional

import pytest
from click.testing import CliRunner, Result
from conftest import query, table
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
def test_files(file: File, tmp_path: Path) -> None:
    """The label, the cells, the text and the statuses of the doors for files."""
    path = tmp_path / "t.csv"
    path.write_bytes(file.data)
    is_right = file.label in ("ascii", "utf-8", "utf-8-bom")
    has_parts = " from line " in file.label

    detected = invoke("detect", "--json", path)
    label = json.loads(detected.stdout)[0]["label"]
    assert label == file.label or not file.label
    assert detected.exit_code == (0 if is_right else 1)

    converted = invoke("convert", path, "--from", "auto", "-o", tmp_path / "out")
    cleaned = invoke("clean", path, "--steps", "repair,mojibake", "-o", tmp_path / "clean")
    imported = invoke("import", path, tmp_path / "my.db", "--table", "t")
    checked = invoke("check", path)
    if not is_known(file):
        assert (converted.exit_code, imported.exit_code) == (2, 1 if file.unclear else 2)
        assert cleaned.exit_code == (1 if file.unclear else 2) and checked.exit_code != 0
        return

    loses = "�" in str(file.text) and "�".encode() not in file.data
    assert f"{path}: {label}\n" in converted.stderr
    assert (tmp_path / "out").read_bytes().decode("utf-8-sig") == (file.kept or file.text)
    has_lines = "," in label and not has_parts
    assert converted.exit_code == (1 if has_lines else 0)
    assert (tmp_path / "clean").read_bytes().decode("utf-8-sig") == file.text
    assert cleaned.exit_code == (1 if loses else 0)
    if file.data:
        assert imported.stdout.startswith(f"{path}: {label}, ")
        assert table("t", tmp_path / "my.db") == rows_of(str(file.text))
        assert imported.exit_code == (1 if has_lines else 0)
    in_units = label.startswith(("utf-16", "utf-32", "iso-2022"))
    if has_lines or not (in_units or has_parts):
        assert checked.exit_code == (0 if is_right else 1)
    if file.kept:
        (tmp_path / "my.db").unlink()
        invoke("import", path, tmp_path / "my.db", "--table", "t", "--keep-mojibake")
        assert table("t", tmp_path / "my.db") == rows_of(file.kept)


@pytest.mark.parametrize("file", FILES[::4], **ids)
def test_packed_files(file: File, tmp_path: Path) -> None:
    """Every door reads a compressed file as what it contains."""
    plain, packed = tmp_path / "t.csv", tmp_path / "u.csv"
    plain.write_bytes(file.data)
    packed.write_bytes(gzip.compress(file.data))
    for door in (("detect", "--json"), ("check",), ("convert", "--from", "auto"), ("clean",)):
        expected, found = (invoke(*door, path) for path in (plain, packed))
        assert found.exit_code == expected.exit_code
        assert found.output.replace("u.csv", "t.csv") == expected.output
    names = ("--table", "t")
    expected = invoke("import", plain, tmp_path / "t.db", *names)
    found = invoke("import", packed, tmp_path / "u.db", *names)
    assert found.exit_code == expected.exit_code
    if expected.exit_code != 2:
        assert query(tmp_path / "u.db", "SELECT * FROM t") == query(tmp_path / "t.db", "SELECT * FROM t")


def database(path: Path, values: list[bytes]) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE t(c TEXT)")
        connection.executemany("INSERT INTO t VALUES (CAST(? AS TEXT))", ((value,) for value in values))
        connection.commit()
    return path


def is_for_a_database(file: File) -> bool:
    """Is it more than a file, whose lines can be the values of a column?"""
    starts = ("utf-16", "utf-32", "iso-2022", "binary", "utf-8-bom")
    is_one = b"\0" not in file.data and " from line " not in file.label
    return bool(file.data) and not file.label.startswith(starts) and is_one


@pytest.mark.parametrize("file", list(filter(is_for_a_database, FILES)), **ids)
def test_databases(file: File, tmp_path: Path) -> None:
    """The same lines as the values of a column: audit, report and repair."""
    lines = file.data.splitlines()
    path = database(tmp_path / "my.db", lines)
    is_right = file.label in ("ascii", "utf-8")
    audited, reported = invoke("audit", path), invoke("report", path, "-o", tmp_path / "r.html")
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
