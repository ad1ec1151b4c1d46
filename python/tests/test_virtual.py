"""Virtual tables: their shadow tables are left, and the tables beside them are repaired."""

from __future__ import annotations

import html
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import utf8ext
from conftest import ROOT, make, query, run_sql
from test_repair import backup_of
from utf8ext._repair import virtual
from utf8ext._sqltext import literal

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
    run_sql(update)
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


# ---- one rule --------------------------------------------------------------------------------

BESIDE = (
    *("MAIL_OWN", "mailbox", "old_own", "box_own", "gone_own", "gone_", "gone_sub_x", "gone_mail_x"),
    *("GONE_x", "gone`x", "gone^_x", "gonex_x", "_x", "é_x", "É_x", "éx_x", "q'uote_x", "tm_content", "am_content"),
)
ABSENT = ("gone", "gone_sub", "", "é", "q'uote")

COMPARE = """
import json, sys
from pathlib import Path
from utf8ext._database import Database
from utf8ext._repair.virtual import owner_of

with Database(Path("my.db"), writable=True) as database:
    database.run("CREATE VIRTUAL TABLE temp.tm USING fts5(x)")
    database.run("ATTACH ':memory:' AS aux")
    database.run("CREATE VIRTUAL TABLE aux.am USING fts5(x)")
    found = database.rows("SELECT table_name, repair_sql IS NULL FROM utf8_audit('main', 'subpart', 1)")
    print(json.dumps([(name, bool(left), owner_of(database, name)) for name, left in found]))
"""


def test_the_statement_is_that_of_utf8_audit():
    source = (ROOT / "audit/table.c").read_text("utf-8")
    lines = re.search(r"shadowsOf\[\] =\n(.*?);\n", source, re.DOTALL)[1]
    statement = "".join(re.findall('"(.*)"', lines)).replace("\\", "").replace("%w", "main")
    assert re.sub(r"\s", "", virtual._SHADOWS.format(listed="%s")) == re.sub(r"\s", "", statement)


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le"])
def test_a_repair_leaves_the_tables_that_utf8_audit_leaves(of_version, encoding):
    """Ordinary tables, virtual tables with and without a module, and names that contain others."""
    tables = "".join(f'CREATE TABLE "{name}"(x); INSERT INTO "{name}" VALUES (char(0x202e));' for name in BESIDE)
    made = "".join(
        f"CREATE VIRTUAL TABLE {name} USING {module}(x); INSERT INTO {name} VALUES (char(0x202e));"
        for name, module in (("Mail", "fts5"), ("gone_mail", "fts5"), ("old", "fts4"))
    )
    absent = "".join(
        f"INSERT INTO sqlite_master VALUES ('TABLE', {literal(name)}, {literal(name)}, 0, {literal(sql)});"
        for name, sql in ((name, f'CREATE VIRTUAL TABLE "{name}" USING absent(x)') for name in ABSENT)
    )
    make(
        f"PRAGMA encoding = '{encoding}'; {tables} {made} CREATE VIEW mail_view AS SELECT * FROM nowhere;"
        "CREATE VIRTUAL TABLE box USING rtree(id, a, b, +x); INSERT INTO box VALUES (1, 0, 1, char(0x202e));"
        f"PRAGMA writable_schema = ON; {absent}"
    )
    done = subprocess.run([sys.executable, "-c", COMPARE], env=of_version, capture_output=True, encoding="utf-8")
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert [name for name, left, _ in found if left] == [name for name, _, owner in found if owner is not None]
    owners = {name: owner for name, _, owner in found}
    assert set(BESIDE) < set(owners)
    assert owners["Mail_content"] == "Mail"
    assert (owners["gone_mail_content"], owners["gone_sub_x"]) == ("gone_mail", "gone_sub")
    assert owners["mailbox"] is owners["gone`x"] is owners["tm_content"] is owners["am_content"] is None


def test_cleaning_leaves_full_text_in_utf16(run):
    path = make("PRAGMA encoding = 'UTF-16le'; CREATE VIRTUAL TABLE n USING fts5(x); INSERT INTO n VALUES (' x ');")
    run("repair", "--clean", "trim", path)
    assert query(path, "SELECT c0 FROM n_content") == [(b" x ",)]
