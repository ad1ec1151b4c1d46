"""`utf8ext import` of dBase tables: types, NULLs, deleted records, memos, and the charset."""

from __future__ import annotations

import datetime
import os
import random
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import Fails, Run, query

dbf = pytest.importorskip("dbf")
import utf8ext  # noqa: E402

DATE = datetime.date(2024, 2, 29)

LABELS = {"cp437": 0x01, "cp1252": 0x03, "cp866": 0x65, "cp1251": 0xC9, "none": 0}


def make(
    name: str, fields: str, rows: list[tuple[Any, ...]], charset: str = "cp1251", kind: str = "db3", label: str = ""
) -> None:
    """Write a table; label is what it says of its charset."""
    table = dbf.Table(name, fields, codepage=charset, dbf_type=kind)
    table.open(dbf.READ_WRITE)
    for row in rows:
        table.append(row)
    table.close()
    if label:
        data = bytearray(Path(name).read_bytes())
        data[29] = LABELS[label]
        Path(name).write_bytes(data)


def rows(table: str) -> list[tuple[Any, ...]]:
    found = query(Path("my.db"), f"SELECT * FROM {table}")
    return [tuple(v if v is None else bytes(v).decode() for v in row) for row in found]


@pytest.mark.parametrize("kind", ["db3", "clp", "fp", "vfp"])
def test_types(run: Run, kind: str) -> None:
    """Values are text as the table has it; what is blank is NULL, except text."""
    fields = "name C(20); n N(8,2); d D; l L; memo M"
    values = [("Иван", 1.5, DATE, True, "Привет\r\nмир"), ("Пётр ", -3, None, False, ""), ("", None, DATE, None, "x")]
    make("a.dbf", fields, values, kind=kind)
    done = run("import", "a.dbf", "my.db")
    assert done.stdout == "a.dbf: windows-1251, 3 rows; dBase table\nmy.db: 3 rows in table a\n"
    assert (done.returncode, done.stderr) == (0, "")
    assert rows("a") == [
        ("Иван", "1.50", "2024-02-29", "true", "Привет\r\nмир"),
        ("Пётр", "-3.00", None, "false", ""),
        ("", None, "2024-02-29", None, "x"),
    ]
    assert [name for (_, name, *_) in query(Path("my.db"), "PRAGMA table_info(a)")] == [b"NAME", b"N", b"D", b"L", b"MEMO"]


def test_types_of_visual_foxpro(run: Run) -> None:
    moment = datetime.datetime(2024, 1, 2, 3, 4, 5)
    fields = "t T; i I; y Y; b B; c C(5) NULL; n N(5,0) NULL"
    make("a.dbf", fields, [(moment, -7, 1.25, 0.1, dbf.Null, dbf.Null), (None, 0, 0, 0, "", 1)], kind="vfp")
    assert run("import", "a.dbf", "my.db").returncode == 0
    assert rows("a") == [
        ("2024-01-02 03:04:05", "-7", "1.2500", "0.1", None, None),
        (None, "0", "0.0000", "0.0", "", "1"),
    ]


def test_a_column_alone(run: Run) -> None:
    """A row of NULL is not a blank line."""
    make("a.dbf", "d D", [(DATE,), (None,), (DATE,)])
    done = run("import", "a.dbf", "my.db")
    assert rows("a") == [("2024-02-29",), (None,), ("2024-02-29",)] and done.returncode == 0


def test_deleted_records(run: Run) -> None:
    make("a.dbf", "name C(9)", [("a",), ("b",), ("c",)])
    table = dbf.Table("a.dbf")
    table.open(dbf.READ_WRITE)
    dbf.delete(table[1])
    table.close()
    done = run("import", "a.dbf", "my.db")
    assert rows("a") == [("a",), ("c",)]
    assert done.stdout.endswith("\na.dbf:1: deleted record: 1 left out\n") and done.returncode == 0


# ---- the charset -----------------------------------------------------------------------

NAMES = [("Иван Петров",), ("Анна Сергеевна",), ("Пётр Щукин",)]


@pytest.mark.parametrize("charset", ["cp1251", "cp866"])
def test_the_text_decides(run: Run, charset: str) -> None:
    """A label that the text contradicts is named."""
    name = "ibm866" if charset == "cp866" else "windows-1251"
    for label in ("none", charset):
        make(f"{label}.dbf", "name C(30)", NAMES, charset, label=label)
        done = run("import", f"{label}.dbf", "my.db", "--table", label)
        assert rows(label) == NAMES and done.returncode == 0
    make("wrong.dbf", "name C(30)", NAMES, charset, label="cp1252")
    done = run("import", "wrong.dbf", "my.db")
    assert rows("wrong") == NAMES and done.returncode == 1
    assert done.stdout.endswith(
        f"\nwrong.dbf:1: charset label: the language driver says windows-1252, the text is in {name}\n"
    )


def test_the_label_decides_what_the_text_does_not(run: Run) -> None:
    make("a.dbf", "name C(5)", [("A1é",), ("B2",)], "cp437", label="cp437")
    done = run("import", "a.dbf", "my.db")
    assert rows("a") == [("A1é",), ("B2",)]
    assert done.stdout.startswith("a.dbf: cp437, 2 rows") and done.returncode == 0


def test_a_label_that_reads_the_same(run: Run) -> None:
    """Text that is the same in both charsets contradicts nothing."""
    make("a.dbf", "name C(30)", [("Zoë Müller",), ("José Martínez",), ("Élodie Lefèvre",)], "cp1252", label="cp1252")
    done = run("import", "a.dbf", "my.db")
    assert "label" not in done.stdout and done.returncode == 0
    assert rows("a")[0] == ("Zoë Müller",)


def test_names_of_fields_and_a_named_charset(run: Run) -> None:
    make("a.dbf", "abc C(30)", NAMES)
    data = Path("a.dbf").read_bytes().replace(b"ABC", "ИМЯ".encode("cp1251"))
    Path("a.dbf").write_bytes(data)
    assert utf8ext.import_csv("a.dbf", "my.db").columns == ["ИМЯ"]
    imported = utf8ext.import_csv("a.dbf", "other.db", charset="cp866")
    assert imported.columns == ["ИМЯ".encode("cp1251").decode("cp866")]


def test_each_cell_of_utf8(run: Run) -> None:
    """Cells in two charsets are decided in their column."""
    make("a.dbf", "name C(30)", [(text,) for text in ("Zoë", "José", "Murcía", "Ana")], "cp1252")
    data = Path("a.dbf").read_bytes().replace("Zoë ".encode("cp1252"), "Zoë".encode())
    Path("a.dbf").write_bytes(data)
    assert run("import", "a.dbf", "my.db").returncode == 1
    assert rows("a") == [("Zoë",), ("José",), ("Murcía",), ("Ana",)]


# ---- what is broken --------------------------------------------------------------------


def test_odd_paths(run: Run) -> None:
    os.mkdir("a[b]")
    make("x.dbf", "name C(9); memo M", [("a", "text")])
    shutil.move("x.dbf", "a[b]/x*.DBF")
    shutil.move("x.dbt", "a[b]/x*.DBT")
    assert run("import", "a[b]/x*.DBF", "my.db", "--table", "x").returncode == 0
    assert rows("x") == [("a", "text")]
    assert not [name for name in os.listdir("/tmp") if name.startswith("utf8ext-") and "table.dbf" in os.listdir(f"/tmp/{name}")]


def test_a_missing_memo_file(fails: Fails) -> None:
    make("a.dbf", "name C(9); memo M", [("a", "text")])
    Path("a.dbt").unlink()
    message = "a.dbf: the dBase table cannot be read: Table structure corrupt: memo fields exist without memo file"
    assert fails("import", "a.dbf", "my.db") == message


@pytest.mark.parametrize(("kind", "end"), [("db3", ".dbt"), ("fp", ".fpt"), ("vfp", ".fpt")])
def test_a_cut_memo_file(run: Run, kind: str, end: str) -> None:
    """What is there of a memo is kept, and named."""
    make("a.dbf", "memo M", [("one" * 200,), ("two" * 200,), ("three" * 200,)], kind=kind)
    data = Path(f"a{end}").read_bytes()
    Path(f"a{end}").write_bytes(data[: data.index(b"twotwo") + 9])
    done = run("import", "a.dbf", "my.db")
    assert rows("a") == [("one" * 200,), ("two" * 3,), (None,)] and done.returncode == 1
    message = "unreadable value: MEMO: the memo file is cut off: its end is missing\n"
    assert done.stdout.endswith(f"\na.dbf:3: {message}a.dbf:4: {message}")


@pytest.mark.parametrize(("block", "after"), [(b"         0", ""), (b"        -1", None)])
def test_an_odd_block_of_memos(run: Run, block: bytes, after: str | None) -> None:
    make("a.dbf", "memo M", [("text",)])
    Path("a.dbf").write_bytes(Path("a.dbf").read_bytes().replace(b"         1", block))
    done = run("import", "a.dbf", "my.db")
    assert rows("a") == [(after,)] and done.returncode == (after is None)
    assert ("there is no block -1 of memos" in done.stdout) == (after is None)


def test_a_cut_table(run: Run) -> None:
    make("a.dbf", "name C(9)", [("a",), ("b",), ("c",)])
    Path("a.dbf").write_bytes(Path("a.dbf").read_bytes()[:-8])
    done = run("import", "a.dbf", "my.db")
    assert rows("a") == [("a",), ("b",)] and done.returncode == 1
    assert done.stdout.endswith("\na.dbf:3: cut table: 2 of 3 records are whole\n")


def test_an_impossible_value(run: Run) -> None:
    make("a.dbf", "name C(9); d D; n N(5,0)", [("a", DATE, 1)])
    Path("a.dbf").write_bytes(Path("a.dbf").read_bytes().replace(b"20240229", b"2o240229"))
    done = run("import", "a.dbf", "my.db")
    assert rows("a") == [("a", None, "1")] and done.returncode == 1
    assert "a.dbf:2: unreadable value: D: " in done.stdout


def test_hostile_tables_are_errors() -> None:
    """Whatever the header says: an import, or one Error, and no file beside the database."""
    make("a.dbf", "name C(9); memo M; n N(5,1)", [("a", "text", 1), ("b", "more", 2)], kind="vfp")
    data, chance = Path("a.dbf").read_bytes(), random.Random(1)
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(chance.randrange(1, 6)):
            changed[chance.randrange(4, 300)] = chance.choice([0, 1, 0x7F, 0xFF, chance.randrange(256)])
        Path("a.dbf").write_bytes(changed)
        try:
            utf8ext.import_csv("a.dbf", "my.db", replace=True)
        except utf8ext.Error as error:
            assert "\n" not in str(error)
        assert set(os.listdir()) <= {"a.dbf", "a.fpt", "my.db"}


def test_compressed_or_piped(fails: Fails) -> None:
    """Its memo file has a name, so the table needs one."""
    make("a.dbf", "name C(9)", [("a",)])
    with open("a.dbf", "rb") as pipe:
        message = fails("import", "-", "my.db", stdin=pipe)
    assert message == "-: the file is a dBase table; `utf8ext import FILE.dbf` reads it, unpacked"


def test_other_doors_name_it(fails: Fails) -> None:
    make("a.dbf", "name C(9)", [("a",)])
    message = "a.dbf: the file is a dBase table; `utf8ext import FILE.dbf` reads it, unpacked"
    assert fails("convert", "a.dbf", "--from", "auto") == message
    assert fails("clean", "a.dbf") == message


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    make("a.dbf", "name C(9)", [("a",)])
    monkeypatch.setitem(__import__("sys").modules, "dbf", None)
    with pytest.raises(utf8ext.Error, match=r"pip install 'utf8ext\[dbase\]'"):
        utf8ext.import_csv("a.dbf", "my.db")
