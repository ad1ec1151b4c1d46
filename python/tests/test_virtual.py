"""Virtual tables: their shadow tables are left, and the tables beside them are repaired."""

from __future__ import annotations

import html
import re
from contextlib import closing

import pytest
import utf8ext
from conftest import make, query
from test_repair import backup_of

MARTINEZ = "CAST(x'4a6f73e9204d617274ed6e657a' AS TEXT)"  # José Martínez in Latin-1


@pytest.mark.parametrize("module", ["fts5", "fts4"])
@pytest.mark.parametrize("options", [[], ["--policy", "windows-1252"], ["--charset", "cp1252"]])
def test_full_text_is_repaired_by_the_update_that_is_named(run, module, options):
    apsw = pytest.importorskip("apsw")
    path = make(
        f"CREATE VIRTUAL TABLE \"no'tes\" USING {module}(title, \"the body\");"
        f"INSERT INTO \"no'tes\" VALUES ('a', {MARTINEZ}), ('b', 'é'), ('c', {MARTINEZ});"
    )
    done = run("repair", path, *options)
    assert done.returncode == 1 and not backup_of(path).exists()
    update = done.stderr.partition("repair through that: ")[2]
    with closing(apsw.Connection(str(path))) as connection:
        utf8ext.load(connection)
        connection.execute(update)
        found = connection.execute("SELECT title FROM \"no'tes\" WHERE \"no'tes\" MATCH 'josé'")
        assert list(found) == [("a",), ("c",)]
    assert run("audit", path).returncode == 0


def test_full_text_that_was_misread(run):
    """The UPDATE for it leaves what only --suspects would repair."""
    apsw = pytest.importorskip("apsw")
    sql = "CREATE VIRTUAL TABLE n USING fts5(x); INSERT INTO n VALUES ('cafÃ© Martínez naÃ¯ve'), (char(0x202e))"
    path = make(sql)
    update = run("repair", path).stderr.partition("repair through that: ")[2]
    with closing(apsw.Connection(str(path))) as connection:
        utf8ext.load(connection)
        connection.execute(update)
    assert query(path, "SELECT x FROM n") == [("café Martínez naïve".encode(),), ("\u202e".encode(),)]


def test_an_ordinary_table_beside_full_text(run):
    """Its name starts like that of the virtual table, but SQLite does not list it as a shadow table."""
    path = make(
        f"CREATE VIRTUAL TABLE notes USING fts5(body); INSERT INTO notes VALUES ({MARTINEZ});"
        f"CREATE TABLE Notes_tags(tag); INSERT INTO Notes_tags VALUES ({MARTINEZ}), (' x ');"
    )
    done = run("audit", path)
    assert f"{path}: 2 values in 2 columns: 1 can be restored, 1 stays as it is\n" in done.stdout
    done = run("repair", "--clean", "trim", path)
    assert done.stdout == "Notes_tags.tag: 2 values repaired: 1 windows-1252, 1 cleaned\n"
    assert "notes_content.c0: 1 value not repaired: the table belongs to" in done.stderr


@pytest.mark.parametrize(
    "options", ["", "--dry-run", "--table t", "--column x", "--names", "--clean nfc", "--undo-log log.sql"]
)
def test_a_virtual_table_whose_module_is_not_loaded(run, options):
    """Nothing is known of its tables, so all that have its name before `_` are left."""
    path = make(
        f"CREATE TABLE t(x); INSERT INTO t VALUES ({MARTINEZ});"
        f"CREATE TABLE places_own(x); INSERT INTO places_own VALUES ({MARTINEZ});"
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES"
        " ('table', 'places', 'places', 0, 'CREATE VIRTUAL TABLE places USING absent(x)');"
    )
    done = run("repair", *options.split(), path)
    assert done.returncode == 1
    if "--dry-run" in options:
        assert "+ José Martínez\n" in done.stdout and "+ (not repaired)\n" in done.stdout
        return
    assert done.stdout == "t.x: 1 value repaired: 1 windows-1252\n"
    reason = "the table belongs to the virtual table places; repair through that"
    left = f"places_own.x: 1 value not repaired: {reason}\n"
    assert (left in done.stderr) == ("--table" not in options)


@pytest.mark.parametrize("content", ["people", "'people'", '"People"', "[people]"])
def test_a_full_text_index_of_a_table_must_be_rebuilt(run, content):
    sql = (
        f"CREATE TABLE people(name); INSERT INTO people VALUES ({MARTINEZ});"
        f"CREATE VIRTUAL TABLE found USING fts5(name, content={content});"
        "INSERT INTO found(found) VALUES ('rebuild');"
    )
    path = make(sql)
    update = "INSERT INTO \"found\"(\"found\") VALUES('rebuild');"
    note = f"people: the index found has the old text; rebuild it: {update}\n"
    assert run("repair", "--no-backup", path).stderr == note
    assert query(path, "SELECT rowid FROM found('josé')") == []
    make(update)
    assert query(path, "SELECT rowid FROM found('josé')") == [(1,)]
    trigger = """CREATE TRIGGER t AFTER UPDATE ON people BEGIN
                   INSERT INTO found(found, rowid, name) VALUES ('delete', old.rowid, old.name);
                   INSERT INTO found(rowid, name) VALUES (new.rowid, new.name);
                 END;"""
    path = make(sql + trigger, "b.db")
    assert run("repair", "--no-backup", path).stderr == ""
    assert query(path, "SELECT rowid FROM found('josé')") == [(1,)]


def test_a_report_has_statements_only_for_what_can_be_repaired(run):
    path = make(
        f"CREATE VIRTUAL TABLE notes USING fts5(body); INSERT INTO notes VALUES ({MARTINEZ});"
        f"CREATE TABLE g(a, b AS (a || '!')); INSERT INTO g(a) VALUES ({MARTINEZ});"
        "CREATE TABLE h(a AS (CAST(x'ff' AS TEXT)), b); INSERT INTO h(b) VALUES (1);"
    )
    assert run("report", path, "-o", "a.html").returncode == 1
    with open("a.html", encoding="utf-8") as file:
        page = html.unescape(re.sub("<[^>]*>", "", file.read()))
    assert set(re.findall('UPDATE ("main"."[^ ]*) SET ("[^ ]*")', page)) == {('"main"."g"', '"a"')}
    assert "These values are not repaired automatically." in page
