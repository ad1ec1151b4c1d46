"""utf8ext import refuses a table that is too wide, and arguments in the wrong order."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import utf8ext
from conftest import PEOPLE, Fails, Run, make

CSV = "id,name\n1,x\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    """The working folder, in which a.csv is."""
    Path("a.csv").write_text(CSV, encoding="utf-8")
    return tmp_path


# ---- too many columns ------------------------------------------------------------------


def too_wide(file: str, columns: str) -> str:
    return f"{file}: a table of {columns} columns; SQLite allows 2,000; nothing was imported"


def test_a_header_that_is_too_wide(fails: Fails) -> None:
    """Names are made distinct in linear time, so that 100,000 take no time."""
    Path("wide.csv").write_text(",".join(["a"] * 100_000) + "\n", encoding="utf-8")
    assert fails("import", "wide.csv", "my.db") == too_wide("wide.csv", "100,000")
    assert sorted(os.listdir()) == ["a.csv", "wide.csv"]


def test_a_mixed_file_that_is_too_wide(fails: Fails) -> None:
    """Which is audited before it is imported, in a table with another name."""
    row = "Größe,Zoë,".encode() + b"Jos\xe9" + b",x" * 1998 + b"\n"
    header = ",".join(f"c{i}" for i in range(2001)).encode() + b"\n"
    Path("wide.csv").write_bytes(header + row)
    assert fails("import", "wide.csv", "my.db") == too_wide("wide.csv", "2,001")
    keys = ",".join(f'"k{i}": "\udce9 Größe"' for i in range(2001))
    text = '{"a": "é"}\n{' + keys + "}\n"
    Path("wide.jsonl").write_bytes(text.encode(errors="surrogateescape"))
    assert fails("import", "wide.jsonl", "my.db") == too_wide("wide.jsonl", "2,002")
    assert sorted(os.listdir()) == ["a.csv", "wide.csv", "wide.jsonl"]


def test_files_that_together_are_too_wide() -> None:
    make(PEOPLE)
    before = Path("my.db").read_bytes()
    for name in "bc":
        header = ",".join(f"{name}{i}" for i in range(1500))
        Path(f"{name}.csv").write_text(header + "\n", encoding="utf-8")
    with pytest.raises(utf8ext.Error, match="^c.csv: a table of 3,000 columns; SQLite"):
        utf8ext.import_csv(["b.csv", "c.csv"], "my.db")
    assert Path("my.db").read_bytes() == before


def test_as_many_columns_as_sqlite_allows() -> None:
    header = ",".join(f"c{i}" for i in range(2000)).encode()
    row = b"Jos\xe9 Mart\xednez," + "Größe Zoë".encode() + b",x" * 1998
    Path("wide.csv").write_bytes(header + b"\n" + row + b"\n")
    assert utf8ext.import_csv("wide.csv", "my.db").rows == 1
    Path("long.csv").write_bytes(header + b"\n" + b"1" + b",x" * 2000 + b"\n")
    with pytest.raises(utf8ext.Error, match="a table of 2,001 columns"):  # one is named extra
        utf8ext.import_csv("long.csv", "my.db")


# ---- the order of the arguments --------------------------------------------------------

ORDER = "; the order is: utf8ext import FILE... DATABASE"


def test_a_database_before_the_last_argument(fails: Fails) -> None:
    make(PEOPLE)
    before = Path("my.db").read_bytes()
    message = f"my.db: the file is an SQLite database{ORDER}"
    assert fails("import", "my.db", "a.csv") == message
    assert fails("import", "a.csv", "my.db", "new.db") == message
    assert (Path("my.db").read_bytes(), Path("a.csv").read_text("utf-8")) == (before, CSV)
    assert sorted(os.listdir()) == ["a.csv", "my.db"]


def test_a_last_argument_that_is_not_a_database(fails: Fails) -> None:
    message = f"a.csv: not an SQLite database, and the last argument must be one{ORDER}"
    assert fails("import", "my.db", "a.csv") == message
    Path("empty.db").touch()
    assert fails("import", "empty.db", "a.csv", "--replace", "--drop-dependents") == message
    assert fails("import", "my.db", "new.csv") == (
        "new.csv: the last argument is the database, and this is not the name of one" + ORDER
    )
    assert sorted(os.listdir()) == ["a.csv", "empty.db"]
    assert Path("a.csv").read_text("utf-8") == CSV


def test_an_empty_file_is_a_new_database(run: Run) -> None:
    Path("my.csv").touch()
    assert run("import", "a.csv", "my.csv").returncode == 0
