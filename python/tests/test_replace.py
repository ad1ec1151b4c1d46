"""utf8ext import --replace: what else goes with a table is named, and dropped only on demand."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import utf8ext
from conftest import Fails, Run, make, query, run_sql

ORDERS = """
    CREATE TABLE orders(id INTEGER PRIMARY KEY, city TEXT NOT NULL REFERENCES city(name));
    CREATE INDEX orders_city ON orders(city);
    CREATE TABLE log(x);
    CREATE TRIGGER orders_log AFTER INSERT ON Orders BEGIN INSERT INTO log VALUES (1); END;
    CREATE TABLE line(id, "order" REFERENCES Orders(id));
    CREATE TABLE other(id PRIMARY KEY, self REFERENCES other(id));
    CREATE INDEX other_id ON other(id);
    INSERT INTO orders VALUES (1, 'x');
"""

LOST = (
    "index orders_city",
    "trigger orders_log",
    "PRIMARY KEY",
    "NOT NULL",
    "FOREIGN KEY",
    "foreign key of line",
)

BACKUP = "my.db.utf8ext-backup"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a database and the file that is to replace its table `orders`."""
    make(ORDERS)
    Path("orders.csv").write_text("id,city\n7,y\n", encoding="utf-8")
    return tmp_path


def test_dependents_are_named_and_kept(fails: Fails, folder: Path) -> None:
    before = Path("my.db").read_bytes()
    assert fails("import", "--replace", "orders.csv", "my.db") == (
        f"a new table 'orders' would lack: {', '.join(LOST)}; to drop them, after a backup of the "
        "database, say --drop-dependents; to keep them, delete the rows and say --append"
    )
    with pytest.raises(utf8ext.Error, match="would lack: index orders_city"):
        utf8ext.import_csv("orders.csv", "my.db", "ORDERS", replace=True)
    assert Path("my.db").read_bytes() == before
    assert sorted(os.listdir()) == ["my.db", "orders.csv"]


@pytest.mark.both_drivers
def test_dependents_are_dropped_after_a_backup(run: Run, folder: Path) -> None:
    os.chmod("my.db", 0o640)
    done = run("import", "--replace", "--drop-dependents", "orders.csv", "my.db")
    assert (done.returncode, done.stderr) == (0, f"written: {BACKUP}\n")
    assert done.stdout.splitlines()[-1] == f"dropped: {', '.join(LOST)}"
    assert query(Path("my.db"), "SELECT * FROM orders") == [(b"7", b"y")]
    assert query(Path(BACKUP), "SELECT * FROM orders") == [(1, b"x")]
    assert len(query(Path(BACKUP), "SELECT * FROM sqlite_master WHERE sql > ''")) == 7
    assert os.stat(BACKUP).st_mode & 0o777 == 0o640
    again = run("import", "--replace", "orders.csv", "my.db")
    assert (again.returncode, again.stderr) == (0, "")  # the foreign key of line matched nothing


def test_a_backup_is_not_overwritten(fails: Fails, run: Run, folder: Path) -> None:
    Path(BACKUP).write_text("old", encoding="utf-8")
    before = Path("my.db").read_bytes()
    arguments = ("import", "--replace", "--drop-dependents", "orders.csv", "my.db")
    message = f"{BACKUP} exists and is not overwritten; move it away first; or say --no-backup"
    assert fails(*arguments) == message
    assert Path("my.db").read_bytes() == before
    done = run(*arguments, "--no-backup")
    assert (done.returncode, done.stderr) == (0, "")
    assert Path(BACKUP).read_text(encoding="utf-8") == "old"


def test_a_failed_import_leaves_no_backup(folder: Path) -> None:
    before = Path("my.db").read_bytes()
    Path("b.jsonl").write_text("1\n", encoding="utf-8")
    with pytest.raises(utf8ext.Error, match="not a JSON object"):
        utf8ext.import_csv(
            ["orders.csv", "b.jsonl"], "my.db", replace=True, drop_dependents=True
        )
    assert Path("my.db").read_bytes() == before
    assert sorted(os.listdir()) == ["b.jsonl", "my.db", "orders.csv"]


def test_the_result_has_what_was_dropped(folder: Path) -> None:
    imported = utf8ext.import_csv("orders.csv", "my.db", replace=True, drop_dependents=True)
    assert (tuple(imported.dropped), imported.backup) == (LOST, Path(BACKUP))
    imported = utf8ext.import_csv("orders.csv", "my.db", append=True)
    assert (imported.dropped, imported.backup) == ([], None)
    with pytest.raises(utf8ext.Error, match="drop_dependents is for a table that is replaced"):
        utf8ext.import_csv("orders.csv", "my.db", append=True, drop_dependents=True)


@pytest.mark.parametrize(
    "definition, lost",
    [
        ("id, city", []),
        ("id INTEGER, [unique] TEXT, \"check\" REAL /* DEFAULT 1 */ -- PRIMARY KEY\n, city", []),
        ("id, city UNIQUE", ["UNIQUE"]),
        ("id CHECK (id > ''), city", ["CHECK"]),
        ("id, city DEFAULT 'PRIMARY KEY'", ["DEFAULT"]),
        ("id, city COLLATE nocase", ["COLLATE"]),
        ("id, city, both AS (id || city)", ["generated column"]),
        ("id, city, primary  key (id, city)", ["PRIMARY KEY"]),
        ("id, city, FOREIGN KEY (city) REFERENCES city(name)", ["FOREIGN KEY"]),
        ("id TEXT, city TEXT) STRICT --", ["STRICT"]),
        ("strict, city CHECK (strict > '')", ["CHECK"]),
    ],
)
def test_what_a_table_has(folder: Path, definition: str, lost: list[str]) -> None:
    run_sql(f"DROP TABLE line; DROP TABLE orders; CREATE TABLE orders({definition})")
    options = {"replace": True, "drop_dependents": True, "backup": False}
    assert utf8ext.import_csv("orders.csv", "my.db", **options).dropped == lost


def test_a_table_that_was_imported_is_replaced(folder: Path) -> None:
    """Again and again, with a view on it."""
    utf8ext.import_csv("orders.csv", "my.db", "t")
    run_sql("CREATE VIEW v AS SELECT id FROM t")
    for _ in range(2):
        assert utf8ext.import_csv("orders.csv", "my.db", "t", replace=True).dropped == []
    assert query(Path("my.db"), "SELECT * FROM v") == [(b"7",)]


def test_views_that_would_break(fails: Fails, run: Run, folder: Path) -> None:
    run_sql("""CREATE TABLE t(id, old); CREATE VIEW v AS SELECT old FROM t;
               CREATE VIEW broken AS SELECT x FROM missing;""")
    arguments = ("import", "--replace", "--table", "t", "orders.csv", "my.db")
    before = Path("my.db").read_bytes()
    assert fails(*arguments) == (
        "the new table breaks view v (no such column: old); nothing was imported; "
        "to replace the table all the same, say --drop-dependents"
    )
    assert Path("my.db").read_bytes() == before
    done = run(*arguments, "--drop-dependents")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[-1] == "orders.csv:1: broken view: v: no such column: old"


TRIGGERS = """
    CREATE TABLE t(id, old); CREATE TABLE note(x); CREATE VIEW v AS SELECT 1 AS x;
    CREATE TRIGGER a AFTER INSERT ON note BEGIN INSERT INTO t(id, old) VALUES (1, new.x); END;
    CREATE TRIGGER b INSTEAD OF UPDATE OF x ON v BEGIN UPDATE t SET old = new.x; END;
    CREATE TRIGGER c BEFORE DELETE ON note BEGIN DELETE FROM t WHERE old = 1; END;
    CREATE TRIGGER fine AFTER UPDATE ON note BEGIN INSERT INTO t(id) VALUES (1); END;
    CREATE TRIGGER broken AFTER UPDATE ON other BEGIN INSERT INTO missing VALUES (1); END;
"""


def test_triggers_that_would_break(fails: Fails, run: Run, folder: Path) -> None:
    """Those of other tables, and of views, which stay."""
    run_sql(TRIGGERS)
    arguments = ("import", "--replace", "--table", "t", "orders.csv", "my.db")
    before = Path("my.db").read_bytes()
    assert fails(*arguments).startswith(
        "the new table breaks trigger a (table t has no column named old), trigger b (no such "
        "column: old), trigger c (no such column: old); nothing was imported"
    )
    assert Path("my.db").read_bytes() == before
    done = run(*arguments, "--drop-dependents")
    assert "orders.csv:1: broken trigger: b: no such column: old\n" in done.stdout
    Path("orders.csv").write_text("id,old\n", encoding="utf-8")
    assert run(*arguments).returncode == 0
