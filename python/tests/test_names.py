"""`utf8ext repair --names`: ill-formed names and all that refers to them."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from conftest import ROOT, Fails, Run, query

import utf8ext
from utf8ext._engine import Engine
from utf8ext._repair import names
from utf8ext._repair.names import Names, _call_of_cause
from utf8ext._repair.shadow import Shadow

PATH = Path("my.db")

CSV = "Straße,Größe,Ort,naïveté\nHauptstraße 5,groß,München,1\nBäckerweg 7,klein,Köln,2\n"


def shell(path: Path, *commands: bytes) -> bytes:
    """Run the sqlite3 shell, which takes SQL as bytes."""
    script = b"\n".join(commands)
    done = subprocess.run(["sqlite3", "-bail", path], input=script, capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def schema(path: Path) -> list[tuple]:
    return query(path, "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid")


@pytest.fixture
def imported(tmp_path: Path) -> Path:
    """A windows-1252 CSV file with a header, as the shell's .import makes a table of it."""
    (tmp_path / "kunden.csv").write_bytes(CSV.encode("cp1252"))
    shell(PATH, b".mode csv", f".import {tmp_path}/kunden.csv kunden".encode())
    return PATH


@pytest.mark.both_drivers
def test_an_imported_csv_file(run: Run, imported: Path) -> None:
    before, dump = schema(imported), shell(imported, b".dump")
    log = imported.parent / "undo.sql"
    done = run("repair", "--names", "--undo-log", log, imported)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "column kunden.Stra\\xdfe: renamed to Straße",
        "column kunden.Gr\\xf6\\xdfe: renamed to Größe",
        "column kunden.na\\xefvet\\xe9: renamed to naïveté",
        "kunden.Straße: 2 values repaired: 2 windows-1252",
        "kunden.Größe: 1 value repaired: 1 windows-1252",
        "kunden.Ort: 2 values repaired: 2 windows-1252",
    ]
    expected = [tuple(line.encode() for line in row.split(",")) for row in CSV.splitlines()[1:]]
    assert query(imported, 'SELECT "Straße", "Größe", "Ort", "naïveté" FROM kunden') == expected
    assert run("audit", imported).returncode == 0
    assert run("repair", "--names", imported).returncode == 0
    assert shell(imported, b"PRAGMA integrity_check;") == b"ok\n"
    assert schema(Path(f"{imported}.utf8ext-backup")) == before
    shell(imported, log.read_bytes())
    assert (schema(imported), shell(imported, b".dump")) == (before, dump)


def test_a_dry_run(run: Run, imported: Path) -> None:
    before = imported.read_bytes()
    done = run("repair", "--names", "--dry-run", imported)
    assert done.returncode == 1 and imported.read_bytes() == before
    lines = done.stdout.splitlines()
    assert lines[0] == "column kunden.Stra\\xdfe: renamed to Straße"
    assert lines[3:6] == ["@ kunden.Stra\\xdfe 1", "- Hauptstra\\xdfe 5", "+ Hauptstraße 5"]


def test_from_python(imported: Path) -> None:
    repaired = utf8ext.repair(imported, names=True)
    assert [(name.kind, name.new) for name in repaired.renamed] == [
        ("column", "Straße"),
        ("column", "Größe"),
        ("column", "naïveté"),
    ]


def test_without_the_option_names_stay(run: Run, imported: Path) -> None:
    before = schema(imported)
    assert "the name of the table or column is ill-formed" in run("repair", imported).stderr
    assert schema(imported) == before


# Everything in a schema that can have or mention a name, in each kind of quotes.
SCHEMA = """
    CREATE TABLE "café"(id INTEGER PRIMARY KEY AUTOINCREMENT, naïve TEXT UNIQUE, [prénom] TEXT,
      `été` TEXT GENERATED ALWAYS AS (naïve || "prénom") VIRTUAL, CHECK (naïve <> 'naif'));
    CREATE TABLE other('prénom' TEXT, café_id REFERENCES café(id), n REFERENCES "CAFé"("naïve"),
      PRIMARY KEY(prénom)) WITHOUT ROWID; -- a comment: café "naïve
    CREATE INDEX "café_naïve" ON café(naïve COLLATE NOCASE) WHERE prénom IS NOT NULL;
    CREATE INDEX plain ON café(lower(naïve), id);
    CREATE VIEW "vue é" AS WITH x AS (SELECT c.naïve AS "résumé", * FROM café AS c)
      SELECT résumé, x.prénom, (SELECT count(*) FROM other o WHERE o.[prénom] = x.résumé) FROM x;
    CREATE TABLE journal(old);
    CREATE TRIGGER déclic AFTER UPDATE OF naïve ON café WHEN new.naïve <> 'x''é' BEGIN
      INSERT INTO journal VALUES(old."naïve" || 'caf'); END;
    CREATE TRIGGER "sur la vue" INSTEAD OF INSERT ON "vue é" BEGIN
      INSERT INTO café(naïve) VALUES(new.résumé); END;
    INSERT INTO café(naïve, prénom) VALUES ('Zoé', 'x'), ('plain', 'y');
    INSERT INTO other VALUES ('Zoé', 1, 'Zoé');
    ANALYZE;
"""


CAUSES = {
    "cesu-8": b"\xed\xa0\xbd\xed\xb8\x80",
    "mutf-8": b"a\xc0\x80b",
    "overlong": b"..\xc0\xaf..\xc0\xaf",
    "surrogateescape": b"\xed\xb3\x83\xed\xb2\xa9t\xed\xb3\x83\xed\xb2\xa9",
    "windows-1251": "Привет, мир".encode("cp1251"),
    "utf-8+iso-8859-1": "déjà payé / ".encode() + "déjà".encode("latin1"),
    "cut": "При".encode() + b"\xd0",
    "damaged": "При".encode()[:5] + "ривет, мир".encode(),
    "unclear": b"\xe9",
}


@pytest.mark.parametrize("cause", CAUSES)
def test_a_name_is_repaired_as_a_value(cause: str) -> None:
    """By a value's cause, names.py calls what policy auto does. Binary data cannot be SQL."""
    engine = Engine("")
    assert engine.value("SELECT utf8_cause(?)", CAUSES[cause]) == cause
    call = _call_of_cause(cause).replace("AS TEXT", "AS BLOB")
    assert engine.value(f"SELECT hex({call}) = hex(utf8_repair(?1, 'auto'))", CAUSES[cause])


def test_all_causes_are_tested() -> None:
    text = (ROOT / "docs/functions.md").read_text("utf-8")
    table = text[text.index("| cause | what it is |") :].split("\n\n")[0]
    documented = set(re.findall(r"`([^`]+)`", "".join(re.findall(r"^\|[^|]*\|", table, re.M))))
    names = {cause.split("+")[0] + "+" * ("+" in cause) for cause in CAUSES} - {"windows-1251"}
    assert names == documented - {"binary"}


@pytest.mark.parametrize("charset", ["cp1252", "cp1251", "gbk"])
@pytest.mark.parametrize("legacy", [b"OFF", b"ON"])
def test_all_that_refers_to_a_name(run: Run, tmp_path: Path, charset: str, legacy: bytes) -> None:
    """The schema is that of a database that never had ill-formed names."""
    script = SCHEMA
    if charset != "cp1252":
        for old, new in zip("éïÉ", {"cp1251": "йяЙ", "gbk": "北京国"}[charset]):
            script = script.replace(old, new)
    right, path, log = tmp_path / "right.db", tmp_path / "my.db", tmp_path / "undo.sql"
    shell(right, script.encode())
    shell(path, b"PRAGMA legacy_alter_table = " + legacy + b";", script.encode(charset))
    before, dump = schema(path), shell(path, b".dump")
    assert run("repair", "--names", "--charset", charset, "--undo-log", log, path).returncode == 1
    assert shell(path, b"PRAGMA integrity_check; PRAGMA foreign_key_check;") == b"ok\n"
    names = "SELECT type, name, tbl_name FROM sqlite_master ORDER BY rowid"
    assert query(path, names) == query(right, names)
    for sql in (
        "SELECT m.name, c.name, c.type, c.pk, c.hidden FROM sqlite_master m, pragma_table_xinfo(m.name) c",
        "SELECT m.name, f.* FROM sqlite_master m, pragma_foreign_key_list(m.name) f",
        "SELECT * FROM sqlite_sequence",
        "SELECT * FROM sqlite_stat1 ORDER BY tbl, idx",
    ):
        assert query(path, sql) == query(right, sql), sql
    with closing(sqlite3.connect(path)) as connection:
        e = "é" if charset == "cp1252" else "й" if charset == "cp1251" else "北"
        connection.execute(f"UPDATE caf{e} SET pr{e}nom = pr{e}nom")
        connection.execute(f'SELECT * FROM "vue {e}"').fetchall()
        connection.execute(f'INSERT INTO "vue {e}"(r{e}sum{e}) VALUES (1)')
        connection.rollback()
    shell(path, log.read_bytes(), b"DELETE FROM journal;")  # a trigger fills it
    assert schema(path) == before and shell(path, b".dump") == dump


def refused(fails: Fails, path: Path, *options: str) -> str:
    before, files = path.read_bytes(), sorted(path.parent.iterdir())
    message = fails("repair", "--names", *options, path)
    assert path.read_bytes() == before and sorted(path.parent.iterdir()) == files
    return message


@pytest.mark.parametrize(
    "sql, message",
    [
        (b'CREATE TABLE t("a\xff", "a\xfe")', "a\\xff and a\\xfe would both be named a� in t; nothing was changed"),
        (
            b'CREATE TABLE t("caf\xe9", "caf\xc3\xa9")',
            "caf\\xe9 and café would both be named café in t; nothing was changed",
        ),
        (
            b'CREATE TABLE "caf\xe9"(x); CREATE INDEX "Caf\xc3\xa9" ON "caf\xe9"(x)',
            "Café and caf\\xe9 would both be named café",
        ),
        (
            b'CREATE TABLE a("caf\xe9"); CREATE TABLE b("caf\xc3\xa9");'
            b'CREATE VIEW v AS SELECT "caf\xe9", "caf\xc3\xa9" FROM a, b',
            "would both be named café in v",
        ),
    ],
)
def test_a_collision_is_refused(fails, sql: bytes, message: str) -> None:
    shell(PATH, sql + b";")
    options = ("--policy", "subpart") if b"\xff" in sql else ("--charset", "latin1")
    assert message in refused(fails, PATH, *options)


def test_an_empty_text_is_no_name(run: Run) -> None:
    shell(PATH, b"CREATE TABLE t(\"caf\xe9\" TEXT DEFAULT '', CHECK (\"caf\xe9\" <> ''));")
    assert run("repair", "--names", "--charset", "latin1", PATH).returncode == 1
    sql = """CREATE TABLE t("café" TEXT DEFAULT '', CHECK ("café" <> ''))"""
    assert schema(PATH)[0][3] == sql.encode()


def test_the_same_name_in_two_tables(run: Run) -> None:
    """One is well-formed: no statement has both, so both can be named alike."""
    shell(PATH, b'CREATE TABLE a("caf\xe9"); CREATE TABLE b("caf\xc3\xa9");')
    assert run("repair", "--names", "--charset", "latin1", PATH).returncode == 1
    assert query(PATH, "SELECT name FROM pragma_table_info('a')") == [("café".encode(),)]


def test_a_virtual_table_keeps_its_names(run: Run) -> None:
    shell(
        PATH,
        b'CREATE VIRTUAL TABLE mail USING fts5("caf\xe9", body);',
        b'CREATE TABLE t("caf\xe9", "\xe9t\xe9 long");',
    )
    done = run("repair", "--names", "--charset", "latin1", PATH)
    assert done.stdout == "column t.\\xe9t\\xe9 long: renamed to été long\n"
    assert (
        "caf\\xe9: not renamed: the virtual table mail has or mentions it; make that anew\n"
        in done.stderr
    )
    assert shell(PATH, b"INSERT INTO mail VALUES ('x', 'y'); SELECT count(*) FROM mail;") == b"1\n"


def test_a_table_beside_a_virtual_one(run: Run) -> None:
    """SQLite lists the shadow tables of mail; mail_caf\\xe9 is none of them."""
    shell(PATH, b"CREATE VIRTUAL TABLE mail USING fts5(x); CREATE TABLE mail_caf\xe9(x);")
    done = run("repair", "--names", PATH)
    if sqlite3.sqlite_version_info < (3, 37):
        assert "the virtual table mail has or mentions it" in done.stderr
    else:
        assert done.stdout == "table mail_caf\\xe9: renamed to mail_café\n"


def test_a_name_by_the_values_of_its_table(run: Run) -> None:
    """One letter does not say which charset it is in, but the values of the table do."""
    russian = "".join(f"INSERT INTO t VALUES ('{word}');" for word in ("Минск", "Москва", "Киев"))
    german = "".join(f"INSERT INTO u VALUES ('{word}');" for word in ("Müller", "Bäcker", "Größe"))
    shell(PATH, b'CREATE TABLE t("\xdf");', russian.encode("cp1251"))
    shell(PATH, b'CREATE TABLE u("\xe4");', german.encode("cp1252"))
    done = run("repair", "--names", PATH)
    renamed = "column t.\\xdf: renamed to Я\ncolumn u.\\xe4: renamed to ä\n"
    assert done.stdout.startswith(renamed)


def test_names_are_those_of_the_whole_database(fails, imported: Path) -> None:
    message = "names are repaired in the whole database, not in some tables or columns"
    assert refused(fails, imported, "--table", "kunden") == message


def test_a_broken_trigger_prevents_nothing(run: Run, imported: Path) -> None:
    shell(imported, b"CREATE TRIGGER x AFTER DELETE ON kunden BEGIN SELECT * FROM nowhere; END;")
    assert "renamed to Straße" in run("repair", "--names", imported).stdout


# ---- what equals a name, and is text --------------------------------------------------------

# The statements below have ν and μ in names, τ and σ in texts. In the database ν and τ are E9, μ and
# σ are C6 E9. The repair makes UTF-8 of the names.
OLD = {"ν": b"\xe9", "τ": b"\xe9", "μ": b"\xc6\xe9", "σ": b"\xc6\xe9"}
NEW = {**OLD, "ν": "é".encode(), "μ": "Æé".encode()}

NAMES = ("ν", '"ν"', "[ν]", "`ν`")
TEXTS = ("'τ'", "'σ'", "''", '"σ"', "'aτb'", "'τ''τ'", "x'e9'", "NULL", "'é'")  # t has no column μ
EXPRESSIONS = """
    {} || {}, {} = {}, coalesce({}; {}), {} IN ('x'; {}), CASE {} WHEN 'x' THEN 1 ELSE {} END,
    {} <> {} COLLATE nocase, CAST({} AS TEXT) || {}, lower({}) || upper({}), {} LIKE {}
"""


def random_schema(random: Random) -> list[str]:
    """Return statements that have names and texts wherever both can be."""

    def expression(names: Sequence[str] = NAMES) -> str:
        form = random.choice(EXPRESSIONS.split(",")).strip().replace(";", ",")
        operands = [random.choice(names), random.choice([*names, *TEXTS])]
        return form.format(*random.sample(operands, 2))

    name, qualified = random.choice(NAMES), [f"t.{name}" for name in NAMES]
    kind, ending = random.choice(["STORED", "VIRTUAL"]), random.choice(["", "WITHOUT ROWID"])
    default = random.choice(["'τ'", '"τ"', "('τ' || 'σ')", "τ", "'σ'", '"σ"'])
    return [
        f"""CREATE TABLE t(id INTEGER PRIMARY KEY, {name} TEXT, d TEXT DEFAULT {default},
              g TEXT AS ({expression()}) {kind}, CHECK ({expression()} IS NOT 'no')) {ending}""",
        """CREATE TABLE u("μ" TEXT, x)""",
        f"CREATE INDEX i ON t({expression()}, {name}, g)",
        f"CREATE INDEX p ON t(d, {name}) WHERE {expression()}",
        "CREATE INDEX k ON u(x || 'τ', \"μ\" || 'σ') WHERE x <> 'σ'",
        f"CREATE VIEW v AS SELECT {name}, {expression(qualified)} AS a, 'τ' AS b FROM t",
        f"""CREATE TRIGGER r AFTER UPDATE OF d ON t WHEN old.{name} = 'no τ' BEGIN
              INSERT INTO u(x) SELECT 'τ' || old.{name} || ({expression(qualified)}) FROM t
              WHERE 'τ' <> d; END""",
    ]


ROWS = """
    INSERT INTO t(id, "ν") VALUES (1, 'τ'), (2, 'x'), (3, NULL), (4, 'σ'), (5, 'é');
    INSERT INTO t(id, "ν", d) VALUES (6, 'aτb', 'τ'), (7, 'σ', 'x'), (8, 'σ', 'σ');
    INSERT INTO u VALUES ('σ', 'τ'), ('x', 'σ'), ('τ', 'y');
    ALTER TABLE u ADD COLUMN late DEFAULT 'τ';
"""


def encoded(sql: str, letters: dict[str, bytes]) -> bytes:
    return b"".join(letters.get(letter, letter.encode()) for letter in sql)


@pytest.mark.parametrize("seed", range(40))
def test_only_names_change(tmp_path: Path, seed: int) -> None:
    """Texts that equal a name stay in expressions, so indexes and columns stay what they are."""
    statements = random_schema(Random(seed))
    path, script = tmp_path / "my.db", ";\n".join([*statements, ROWS])
    dqs = b".dbconfig dqs_ddl on\n.dbconfig dqs_dml on"  # which newer shells have off
    shell(path, dqs, encoded(script, OLD))
    repaired = utf8ext.repair(path, names=True, charset="latin1")
    assert {name.new for name in repaired.renamed} == {"é", "Æé"}
    expected = [encoded(sql, NEW).strip() for sql in statements]
    expected[1] = encoded("""CREATE TABLE u("μ" TEXT, x, late DEFAULT 'τ')""", NEW)
    assert [row[3] for row in schema(path)] == expected
    assert query(path, "PRAGMA integrity_check") == [(b"ok",)]
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE t SET d = d")
        assert len(connection.execute("SELECT CAST(b AS BLOB) FROM v").fetchall()) == 8


def test_integrity_is_checked_before_the_commit(imported: Path, monkeypatch) -> None:
    """As if a text had been taken for a name."""
    monkeypatch.setattr(names, "is_name", lambda *_: True)
    monkeypatch.setattr(Names, "_check_meaning", lambda *_: None)
    shell(imported, b"CREATE INDEX i ON kunden(Ort || 'na\xefvet\xe9');")
    shell(imported, b"INSERT INTO kunden(Ort) VALUES ('Bonn');")
    before = imported.read_bytes()
    with pytest.raises(utf8ext.Error, match="SQLite finds: .*; nothing was changed"):
        utf8ext.repair(imported, names=True, charset="latin1")
    assert imported.read_bytes() == before


def test_a_schema_with_many_objects(imported: Path, monkeypatch) -> None:
    """SQLite reads the copy of the schema anew for what is replaced in it, not for each object."""
    changes, write = [], Shadow._write
    monkeypatch.setattr(Shadow, "_write", lambda *values: write(*values) or changes.append(values))
    tables = (f"CREATE TABLE t{i}(x); CREATE VIEW v{i} AS SELECT x FROM t{i};" for i in range(100))
    shell(imported, "".join(tables).encode())
    utf8ext.repair(imported, names=True, charset="latin1")
    assert len(changes) < 20


# The rows are not where the index has them, before the repair and after it.
DAMAGED = b"""
    CREATE TABLE d(x); CREATE INDEX "d\xe9" ON d(x);
    WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO d SELECT i FROM n;
    PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = 'CREATE INDEX "d\xe9" ON d(x || 1)' WHERE tbl_name = 'd' AND type = 'index';
"""


def test_an_index_that_was_damaged_before(run: Run, fails, imported: Path) -> None:
    """SQLite lists 100 errors at most, so more would hide what is new."""
    before = imported.read_bytes()
    shell(imported, b".dbconfig defensive off", DAMAGED % 150)
    assert "at least 100 errors, such as: row " in refused(fails, imported, "--charset", "latin1")
    imported.write_bytes(before)
    shell(imported, b".dbconfig defensive off", DAMAGED % 5)
    done = run("repair", "--names", "--charset", "latin1", "--no-backup", imported)
    assert "index d\\xe9: renamed to dé\n" in done.stdout


def test_names_and_unclear_cells_in_each_version(of_version: dict[str, str], imported: Path) -> None:
    """SQLite before 3.32 has no iif()."""
    Path("b.csv").write_bytes("n,v\nAnna,Ż\nBo,Zu".encode() + b"\xeb\n")
    for options in (["repair", "--names", "--undo-log", "undo.sql", str(imported)], ["import", "b.csv", str(imported)]):
        command = [sys.executable, "-m", "utf8ext", *options]
        done = subprocess.run(command, env=of_version, capture_output=True, encoding="utf-8")
        assert "Traceback" not in done.stderr and done.returncode == 1
    columns = query(imported, "SELECT name FROM pragma_table_info('kunden')")
    assert columns[0] == ("Straße".encode(),)
    assert query(imported, "SELECT v FROM b") == [("Ż".encode(),), (b"Zu\xeb",)]
