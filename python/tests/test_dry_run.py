"""`utf8ext import --dry-run`: what an import would do. Nothing is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from conftest import Fails, Run, make

import utf8ext

OLD = "id;имя;город\n007;Иван Петров;Москва\n8;Анна Иванова;\n".encode("cp1251")
CUT = "id,имя,город\n9,Пётр Сидоров,Каза".encode() + b"\xd0"


@pytest.fixture(autouse=True)
def files() -> None:
    Path("old.csv").write_bytes(OLD)
    Path("cut.csv").write_bytes(CUT)


def state() -> dict[str, tuple[bytes, int]]:
    return {name: (Path(name).read_bytes(), os.stat(name).st_mtime_ns) for name in os.listdir()}


def test_what_is_shown(run: Run) -> None:
    before = state()
    done = run("import", "old.csv", "cut.csv", "my.db", "--dry-run")
    assert done.stdout == (
        'old.csv: windows-1251, 2 rows; delimiter ;, quote "\n'
        'cut.csv: utf-8, 1 line cut, 1 row; delimiter ,, quote "\n'
        "my.db: 3 rows in table old, 1 cell repaired\n"
        "columns: id, имя, город\n"
        "dry run: nothing was written\n"
        "\n"
        "file     column  cause  cells  lost\n"
        "cut.csv  город   cut        1     1\n"
    )
    assert (done.returncode, done.stderr, state()) == (1, "", before)


TABLES = {
    "": "",
    "exists": "CREATE TABLE old(id, имя, город)",
    "other": "CREATE TABLE old(a)",
    "unique": "CREATE TABLE old(id UNIQUE, имя, город); INSERT INTO old VALUES ('8', 1, 2)",
    "trigger": "CREATE TABLE old(id, имя, город); CREATE TRIGGER t INSERT ON old BEGIN SELECT RAISE(ABORT, 'no'); END",
    "index": "CREATE TABLE old(id, имя, город); CREATE INDEX i ON old(id)",
    "view": "CREATE TABLE old(x); CREATE VIEW v AS SELECT x FROM old",
    "utf-16": "PRAGMA encoding = 'UTF-16'; CREATE TABLE old(id, имя, город)",
    "wal": "PRAGMA journal_mode = WAL; CREATE TABLE old(id, имя, город)",
}

OPTIONS = ((), ("--append",), ("--replace",), ("--replace", "--drop-dependents"), ("--charset", "x"))


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("table", TABLES)
def test_it_says_what_the_import_says(run: Run, table: str, options: tuple[str, ...]) -> None:
    """The same status, the same error, and the same counts."""
    if table:
        make(TABLES[table])
    before = state()
    tried = run("import", "old.csv", "my.db", "--dry-run", *options)
    assert state() == before
    done = run("import", "old.csv", "my.db", *options)
    assert tried.returncode == done.returncode
    if done.returncode == 2:
        assert (tried.stdout, tried.stderr) == (done.stdout, done.stderr)
    else:
        assert done.stdout.splitlines()[1] in tried.stdout.splitlines()


def test_a_backup_that_would_fail(run: Run) -> None:
    make(TABLES["index"])
    Path("my.db.utf8ext-backup").touch()
    options = ("import", "old.csv", "my.db", "--replace", "--drop-dependents")
    tried, done = run(*options, "--dry-run"), run(*options)
    assert tried.returncode == done.returncode == 2 and tried.stderr == done.stderr


def test_where_nothing_can_be_written(fails: Fails) -> None:
    message = fails("import", "old.csv", "none/my.db", "--dry-run")
    assert message.startswith("none/my.db: there is no folder ")
    os.mkdir("folder.db")
    assert fails("import", "old.csv", "folder.db", "--dry-run") == "folder.db: not a file; nothing was imported"


def test_no_report(fails: Fails) -> None:
    message = fails("import", "old.csv", "my.db", "--dry-run", "--report", "r.csv")
    assert message == "dry_run writes nothing, and report is a file that is written"


def test_unclear_cells(run: Run) -> None:
    """They are counted; no line goes on with a database that has not got them."""
    Path("a.csv").write_bytes("id,name\n1,Zoë\n".encode() + b"2,A1\xe9\n")
    done = run("import", "a.csv", "my.db", "--dry-run")
    assert "a.name: 1 value is unclear\n" in done.stdout and done.returncode == 1


def test_the_library() -> None:
    done = utf8ext.import_csv("old.csv", "my.db", dry_run=True)
    assert done.is_dry_run and done.columns == ["id", "имя", "город"] and done.rows == 2
    assert done.files[0].dialect == 'delimiter ;, quote "' and not Path("my.db").exists()
