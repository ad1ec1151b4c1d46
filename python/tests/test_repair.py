"""`utf8ext repair`: what it changes, what it leaves, and that it changes all or nothing."""

from __future__ import annotations

import json
import random
import re
import sqlite3
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from conftest import COMMAND, PEOPLE, Text, make, many, on_terminal, query, run_in_shell, run_sql
from test_audit import JOSE, break_name, damage, page_of

from utf8ext import Error
from utf8ext._database import Database
from utf8ext._newfile import NewFile
from utf8ext._repair.plan import _CHILDREN as CHILDREN, Plan
from utf8ext._selection import Selection

NAMES = "SELECT name FROM people ORDER BY id"
LOG = Path("undo.sql")


def backup_of(path: Path) -> Path:
    return Path(f"{path}.utf8ext-backup")


def dump(path: Path) -> list[tuple]:
    """Return everything that the tables of a database hold."""
    names = [name for name, in query(path, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    quoted = ['"' + name.decode("utf-8", "replace").replace('"', '""') + '"' for name in names]
    return [row for name in sorted(quoted) for row in query(path, f"SELECT * FROM {name}")]


def undo(path: Path) -> None:
    """Run the undo log with a program that does not know utf8ext."""
    run_sql(LOG.read_text(encoding="utf-8"), path)


@contextmanager
def undone(path: Path, by: Callable[[Path], object] = undo) -> Iterator[None]:
    """Check that the undo log, which the block writes, puts back what the block changes."""
    before = dump(path)
    yield
    assert dump(path) != before
    by(path)
    assert dump(path) == before


# ---- policies and charsets -------------------------------------------------------------------


@pytest.mark.both_drivers
def test_the_default_is_auto(run):
    path = make()
    done = run("repair", path)
    assert done.returncode == 1
    assert done.stdout == "people.name: 1 value repaired: 1 windows-1252\n"
    assert done.stderr == (
        f"people.note: 1 value is unclear: utf8ext repair {path} --review choices.csv\n"
        f"written: {path}.utf8ext-backup\n"
    )
    assert query(path, NAMES) == [("Zoë".encode(),), ("José".encode(),), (b"Ann",)]
    assert query(path, "SELECT note FROM people")[2] == (b"\xc0\xaf \xff",)
    assert run("audit", path).stdout.startswith(f"{path}: 1 value in 1 column: 1 ")


@pytest.mark.parametrize(
    "option, value, expected",
    [
        ("--policy", "escape", "Jos\\xe9"),
        ("--policy", "byte", "Jos�"),
        ("--policy", "trim", "Jos"),
        ("--policy", "windows-1252", "José"),
        ("--charset", "latin1", "José"),
        ("--charset", "cp1251", "Josй"),
        ("--charset", "gbk", "Jos�"),
        ("--policy", "subpart", "Jos�"),
        ("--charset", "auto", "Привет, мой друг"),
    ],
)
def test_policies_and_charsets(run, option, value, expected):
    stored = "cff0e8e2e5f22c20eceee920e4f0f3e3" if value == "auto" else "4a6f73e9"
    path = make(f"CREATE TABLE t(x); INSERT INTO t VALUES (CAST(x'{stored}' AS TEXT))")
    assert run("repair", option, value, path).returncode == 1
    assert query(path, "SELECT x FROM t") == [(expected.encode(),)]


def test_auto_leaves_binary_data(run):
    png = "89504e470d0a1a0a0000000d"
    path = make(f"CREATE TABLE icon(png); INSERT INTO icon VALUES (CAST(x'{png}' AS TEXT))")
    done = run("repair", "--charset", "auto", path)
    assert done.returncode == 1 and done.stdout == "" and not backup_of(path).exists()
    assert done.stderr == (
        "icon.png: 1 value not repaired: the values look like binary data; "
        "if they are text, name a charset or a policy\n"
    )


@pytest.mark.both_drivers
def test_utf16(run):
    path = make("PRAGMA encoding = 'UTF-16be'; CREATE TABLE people(id INTEGER PRIMARY KEY, name)")
    query(path, "INSERT INTO people VALUES (1, CAST(x'0041d83d00420041' AS TEXT))")
    run("repair", "--charset", "auto", path)
    assert query(path, NAMES) == [("A�BA".encode(),)]


# ---- tables and columns ----------------------------------------------------------------------


def test_a_column(run):
    path = make()
    assert run("repair", "--policy", "subpart", "--table", "PEOPLE", "--column", "Note", path).stdout == (
        "people.note: 1 value repaired; 1 value lost characters\n"
    )
    assert query(path, NAMES)[1] == (b"Jos\xe9",)


LOST = "1 value repaired; 1 value lost characters"


@pytest.mark.parametrize(
    "script, options, stdout",
    [
        (
            "".join(f"CREATE TABLE {t}(x); INSERT INTO {t} VALUES ({JOSE});" for t in "abc"),
            "--policy subpart --table a --table c",
            f"a.x: {LOST}\nc.x: {LOST}\n",
        ),
        (  # SQLite cannot check this foreign key
            f"CREATE TABLE a(x); CREATE TABLE b(y REFERENCES a(x)); INSERT INTO b VALUES ({JOSE})",
            "--policy subpart",
            f"b.y: {LOST}\n",
        ),
        (f"CREATE TABLE g(a, b AS (a || 1)); INSERT INTO g VALUES ({JOSE})", "--policy subpart", f"g.a: {LOST}\n"),
        (f"CREATE TABLE t(x); INSERT INTO t VALUES ('cafÃ©'), ('pay' || char(0x200B)), ({JOSE})", "--charset latin1", "t.x: 1 value repaired\n"),
    ],
)
def test_what_is_printed(run, script, options, stdout):
    done = run("repair", "--no-backup", *options.split(), make(script))
    assert (done.stdout, done.stderr) == (stdout, "")


def test_strange_names(run):
    table, column = "a\"b'c\nd, (e)", 'x"y\nz(,)'
    quoted = ['"' + name.replace('"', '""') + '"' for name in (table, column)]
    path = make("CREATE TABLE {0}({1}); INSERT INTO {0} VALUES ({2})".format(*quoted, JOSE))
    dry = run("repair", "--dry-run", "--charset", "latin1", path)
    assert dry.stdout == '@ a"b\'c\\x0ad, (e).x"y\\x0az(,) 1\n- Jos\\xe9\n+ José\n'
    done = run("repair", "--policy", "subpart", "--table", table, "--column", column, path)
    assert done.stdout == 'a"b\'c\\x0ad, (e).x"y\\x0az(,): 1 value repaired; 1 value lost characters\n'


@pytest.mark.parametrize("name", ["undo.sql.unfinished", "my.db.utf8ext-backup.unfinished", ".undo.sql.tmp"])
def test_no_file_of_the_user_is_removed(run, name):
    path = make()
    (path.parent / name).write_text("precious")
    run("repair", "--undo-log", LOG, path)
    assert (path.parent / name).read_text() == "precious"


def test_two_repairs_with_one_undo_log():
    """One of them gets it; the other one changes nothing."""
    paths = [make(name=f"{name}.db") for name in "ab"]
    log = paths[0].parent / "undo.sql"
    files = [NewFile(log, 0o600) for _ in paths]
    for file, path in zip(files, paths):
        with file.open() as out:
            out.write(path.name.encode())
    files[0].publish()
    with pytest.raises(Error, match="File exists|exists and is not overwritten"):
        files[1].publish()
    for file in reversed(files[1:]):
        file.withdraw()
    assert LOG.read_text() == "a.db"
    assert sorted(log.parent.iterdir()) == [*paths, log]


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_summary_that_cannot_be_printed(stream):
    """The repair is done: the status is that of a repair, not of an error."""
    path = make()
    with open("/dev/full", "w") as full:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: full}
        done = subprocess.run([COMMAND, "repair", path], **streams, encoding="utf-8")
    assert done.returncode == 1
    assert query(path, NAMES)[1] == ("José".encode(),)
    if stream == "stdout":
        message = f"{path} is repaired, but the summary cannot be printed: No space left on device\n"
        assert done.stderr == message


# ---- suspects and cleaning -------------------------------------------------------------------

DIRTY = f"""
    CREATE TABLE note(c TEXT);
    INSERT INTO note VALUES ('cafÃ©'), ('pay' || char(0x200B) || 'pal'), ('fine'), ('lost ' || char(65533)),
                            ({JOSE});
"""


@pytest.mark.both_drivers
def test_suspects(run):
    path = make(DIRTY)
    before = dump(path)
    with undone(path):
        done = run("repair", "--suspects", "--charset", "latin1", "--undo-log", LOG, path)
        assert done.returncode == 1
        assert done.stdout == "note.c: 3 values repaired: 1 mojibake, 1 invisible\n"
        assert "note.c: 1 value not repaired: U+FFFD shows where something was lost\n" in done.stderr
        values = [bytes(value).decode() for value, in query(path, "SELECT c FROM note WHERE rowid <> 4")]
        assert values == ["café", "paypal", "fine", "José"]
        assert dump(backup_of(path)) == before


def test_a_dry_run_shows_all_repairs_of_a_value(run):
    path = make("""CREATE TABLE t(c TEXT);
        INSERT INTO t VALUES (char(65279) || 'cafÃ©' || char(0, 27, 8203) || ' x' || char(8238)),
                             ('x' || char(65533) || char(0)),
                             (CAST(x'e2808be9' || 't' || x'e900' AS TEXT));""")
    options = ("--suspects", "--policy", "latin1", path)
    lines = run("repair", "--dry-run", *options).stdout.splitlines()
    assert lines[2::3] == ["+ café x", "+ (not repaired)", "+ été"]
    (first, *_) = json.loads(run("audit", "--json", "--suspects", path).stdout)
    assert first["repaired"].startswith("cafÃ©")  # that of repair_sql
    run("repair", *options)
    assert query(path, "SELECT c FROM t WHERE rowid <> 2") == [("café x".encode(),), ("été".encode(),)]


@pytest.mark.parametrize(
    ("first", "options"),
    [
        ("CAST(x'4a6f73e9' AS TEXT)", ["--column", "b"]),  # not selected
        ("'x' || char(8203)", []),  # suspicious
        ("CAST(x'4be9' AS TEXT)", []),  # unclear
    ],
)
def test_a_key_whose_first_column_is_left(run, first, options):
    """The UPDATE of the second one expects the first one as it is; and so does the undo log."""
    path = make(f"""
        CREATE TABLE t(a, b, PRIMARY KEY(a, b)) WITHOUT ROWID;
        INSERT INTO t VALUES ({first}, CAST(x'cff0e8e2e5f22c20eae0ea20e4e5ebe03f' AS TEXT));""")
    before = dump(path)
    found = json.loads(run("audit", "--json", path).stdout)
    with Database(path) as database:  # read-only
        for sql in [row["repair_sql"] for row in found if row["repair_sql"]]:
            assert database.value(f"SELECT count(*) FROM t{sql[sql.index(' WHERE ') :]}") == 1
            break  # the second one expects the first one to be run
    done = run("repair", *options, "--undo-log", LOG, path)
    assert done.stdout == "t.b: 1 value repaired: 1 windows-1251\n"
    assert query(path, f"SELECT b FROM t WHERE a = {first}") == [("Привет, как дела?".encode(),)]
    undo(path)
    assert dump(path) == before


UNCLEAN = """
    CREATE TABLE a(x TEXT, g AS (x || '!'), n NUMERIC);
    INSERT INTO a(x, n) VALUES ('e' || char(769), 1), (' b ', ' 7 x'), ('fine', char(160) || '12'), (x'206120', NULL),
                               (CAST(x'20636166e920' AS TEXT), 5);
    CREATE TABLE w(k TEXT, r REAL, l TEXT, x TEXT, PRIMARY KEY(k, l, r)) WITHOUT ROWID;
    INSERT INTO w VALUES (' a ', 0.1, ' it''s ', ' x'), (' b' || char(0), 9e999, 'fine', 'fine'),
                         (x'20', -9e999, ' z', ' y ');
    CREATE TABLE hid(rowid INTEGER PRIMARY KEY, oid, _rowid_ TEXT);
    INSERT INTO hid VALUES (7, 8, ' nine ');
    CREATE TABLE lost(rowid, oid, _rowid_ TEXT);
    INSERT INTO lost VALUES (7, 8, 'nine ');
    CREATE TABLE icon(png);
    INSERT INTO icon VALUES (CAST(x'89504e470d0a1a0a0000000d20' AS TEXT));
"""


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le"])
@pytest.mark.both_drivers
def test_cleaning(run, encoding):
    """Cleans all text but what stays ill-formed, says so by column, and undoes it."""
    script = UNCLEAN if encoding == "UTF-8" else re.sub(r"CAST\(x'\w+' AS TEXT\)", "'z'", UNCLEAN)
    path = make(f"PRAGMA encoding = '{encoding}';{script}")
    before = dump(path)
    dry = run("repair", "--clean", "trim,nfc", "--dry-run", path).stdout
    done = run("repair", "--clean", "trim,nfc", "--undo-log", LOG, path)
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert "a.n: 2 values repaired: 2 cleaned" in lines
    assert "w.k: 2 values repaired: 2 cleaned" in lines
    assert "hid._rowid_: 1 value repaired: 1 cleaned" in lines
    assert "lost._rowid_: 1 value not repaired: no key identifies their rows\n" in done.stderr
    assert "+ é\n" in dry and "+ b\n" in dry
    assert query(path, "SELECT typeof(n), n FROM a WHERE x = 'fine'") == [(b"integer", 12)]
    assert query(path, "SELECT hex(CAST(x AS BLOB)) FROM a WHERE typeof(x) = 'blob'") == [(b"206120",)]
    if encoding == "UTF-8":
        assert "a.x: 3 values repaired: 3 cleaned, 1 windows-1252" in lines
        assert query(path, "SELECT hex(png) FROM icon")[0][0].endswith(b"20")
        assert query(path, "SELECT hex(k) FROM w WHERE r > 1") == [(b"6200",)]
    left = run("repair", "--clean", "trim,nfc", "--no-backup", path)
    assert left.stdout == ""  # only what cannot be cleaned
    assert dump(backup_of(path)) == before
    undo(path)
    assert dump(path) == before


def test_cleaning_of_a_column(run):
    path = make("CREATE TABLE t(x, y); INSERT INTO t VALUES (' a ', ' b ')")
    done = run("repair", "--clean", "trim", "--column", "y", path)
    assert done.stdout == "t.y: 1 value repaired: 1 cleaned\n"
    assert query(path, "SELECT x, y FROM t") == [(b" a ", b"b")]


@pytest.mark.both_drivers
@pytest.mark.parametrize(
    "trigger",
    [
        "AFTER UPDATE ON t BEGIN UPDATE t SET x = OLD.x WHERE rowid = OLD.rowid; END",
        "BEFORE UPDATE ON t WHEN OLD.x LIKE '%b%' BEGIN SELECT RAISE(IGNORE); END",
    ],
)
def test_cleaning_that_a_trigger_takes_back(run, trigger):
    """What a trigger did not let be cleaned is left, at every run; the rest is cleaned."""
    path = make(
        "CREATE TABLE t(x); CREATE TABLE u(y); INSERT INTO t VALUES ('b '); "
        f"INSERT INTO u VALUES ('a '); CREATE TRIGGER back {trigger};"
    )
    reason = "t.x: 1 value not repaired: a trigger puts back what was cleaned, or ignores the UPDATE\n"
    done = run("repair", "--clean", "trim", "--no-backup", "--undo-log", LOG, path)
    assert (done.returncode, done.stdout) == (1, "u.y: 1 value repaired: 1 cleaned\n")
    assert reason in done.stderr
    assert query(path, "SELECT x, y FROM t, u") == [(b"b ", b"a")]
    assert LOG.read_text().count("UPDATE") == 1
    again = run("repair", "--clean", "trim", "--no-backup", path)
    assert (again.returncode, again.stdout, again.stderr) == (1, "", reason)


ILL_FORMED_KEY = """
    CREATE TABLE w(ka TEXT PRIMARY KEY, v) WITHOUT ROWID;
    INSERT INTO w VALUES ('a ', ' b '), ('d', CAST(x'e4' AS TEXT));
    CREATE TABLE t(x); INSERT INTO t VALUES ('c ');
    PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = CAST(replace(CAST(sql AS BLOB), x'6b61', x'6be4') AS TEXT);
"""


@pytest.mark.both_drivers
def test_cleaning_beside_an_ill_formed_key(run):
    """The rows of that table cannot be named; the rest is cleaned."""
    path = make(ILL_FORMED_KEY)
    dry = run("repair", "--clean", "trim", "--dry-run", path)
    assert dry.returncode == 1 and "+ c\n" in dry.stdout
    done = run("repair", "--clean", "trim", "--no-backup", path)
    assert (done.returncode, done.stdout) == (1, "t.x: 1 value repaired: 1 cleaned\n")
    reason = "w.v: 1 value not repaired: the name of a column of the key is ill-formed; --names repairs it"
    assert reason in done.stderr
    done = run("repair", "--clean", "trim", "--names", "--charset", "latin1", "--no-backup", path)
    assert "w.v: 2 values repaired" in done.stdout and "w.kä: 1 value repaired" in done.stdout
    assert "--names" not in done.stderr


def test_unknown_steps(fails):
    path = make()
    assert "'trim,wash'; accepted: a list" in unchanged(fails, path, "--clean", "trim,wash")


def test_cleaning_finds_nothing(run):
    path = make("CREATE TABLE t(x); INSERT INTO t VALUES ('a')")
    done = run("repair", "--clean", "trim", path)
    assert (done.returncode, done.stdout) == (0, f"{path}: nothing found\n")
    assert not backup_of(path).exists()


# ---- dry run ---------------------------------------------------------------------------------


@pytest.mark.both_drivers
def test_a_dry_run_changes_nothing(run):
    path = make()
    before = path.read_bytes()
    done = run("repair", "--dry-run", "--charset", "latin1", path)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        "@ people.name 17\n- Jos\\xe9\n+ José\n@ people.note 18\n- \\xc0\\xaf \\xff\n+ À¯ ÿ\n"
    )
    assert path.read_bytes() == before and not backup_of(path).exists()


def test_a_dry_run_writes_no_undo_log(run):
    path = make()
    with_log = run("repair", "--dry-run", "--undo-log", LOG, path)
    assert with_log.stdout == run("repair", "--dry-run", path).stdout
    assert not LOG.exists()


def test_a_dry_run_says_what_the_repair_does(run):
    """The line + of each value is what the repair makes of it."""
    values = [
        b"caf\xe9",
        b"\xcf\xf0\xe8\xe2\xe5\xf2",
        b"a\xc3",
        b"\xff\xfe",
        b"\xb1\xb1\xbe\xa9\xff",
    ]
    rows = ", ".join(f"(CAST(x'{value.hex()}' AS TEXT))" for value in values)
    for options in (["--policy", "run"], ["--charset", "gbk"], ["--charset", "koi8-r"]):
        path = make(
            f"CREATE TABLE t(x); INSERT INTO t VALUES {rows}", f"{len(options)}{options}.db"
        )
        lines = run("repair", "--dry-run", *options, path).stdout.splitlines()
        run("repair", *options, path)
        after = [f"+ {value.decode()}" for value, in query(path, "SELECT x FROM t")]
        assert [line for line in lines if line.startswith("+ ")] == after


# ---- backup and undo log ---------------------------------------------------------------------


@pytest.mark.parametrize("journal", ["DELETE", "WAL"])
@pytest.mark.both_drivers
def test_the_backup_is_the_database_before(run, journal):
    path = make(PEOPLE + f"PRAGMA journal_mode = {journal};")
    before = dump(path)
    run("repair", path)
    assert dump(backup_of(path)) == before != dump(path)
    assert query(backup_of(path), "PRAGMA integrity_check") == [(b"ok",)]
    assert {file.suffix for file in path.parent.iterdir()} == {".db", ".utf8ext-backup"}


def test_a_backup_is_never_overwritten(fails):
    path = make()
    backup_of(path).write_text("precious")
    before = path.read_bytes()
    message = f"{path}.utf8ext-backup exists and is not overwritten; move it away first"
    assert fails("repair", path) == message
    assert path.read_bytes() == before and backup_of(path).read_text() == "precious"


def test_a_second_run_finds_nothing(run):
    path = make()
    run("repair", "--policy", "subpart", path)
    done = run("repair", path)
    assert (done.returncode, done.stdout) == (0, f"{path}: nothing found\n")


def test_no_backup(run):
    path = make()
    done = run("repair", "--no-backup", "--policy", "subpart", path)
    assert done.returncode == 1 and done.stderr == "" and not backup_of(path).exists()


VACUUMED = f"CREATE TABLE t(x); INSERT INTO t VALUES ('a'), ('b'), ({JOSE}); DELETE FROM t WHERE x = 'a'"

# A database, and what happens to it after the repair.
UNDONE = {
    "at once": (
        f"{PEOPLE} CREATE TABLE w(a, b, PRIMARY KEY(a, b)) WITHOUT ROWID;"
        f"INSERT INTO w VALUES ({JOSE}, {JOSE}), ('x', {JOSE} || char(10) || '''')",
        "",
    ),
    "before VACUUM": (VACUUMED, ""),
    "after VACUUM, which renumbers no key": (
        f"{PEOPLE} CREATE TABLE w(k PRIMARY KEY) WITHOUT ROWID; INSERT INTO w VALUES ({JOSE})",
        "VACUUM; CREATE INDEX note ON people(note)",
    ),
    "after another change of the schema": (VACUUMED, "CREATE INDEX tx ON t(x)"),
}


@pytest.mark.both_drivers
@pytest.mark.parametrize("case", UNDONE)
def test_the_undo_log(run, case):
    script, later = UNDONE[case]
    path = make(script)
    before = dump(path)
    with undone(path):
        done = run("repair", "--policy", "subpart", "--undo-log", LOG, path)
        assert done.returncode == 1 and str(LOG) in done.stderr
        for statement in filter(None, later.split(";")):
            query(path, statement)
    if not later:
        undo(path)
        assert dump(path) == before


@pytest.mark.both_drivers
def test_an_undo_log_after_vacuum_fails(run):
    """VACUUM renumbers the rows; the log says so, and changes nothing."""
    path = make(VACUUMED)
    run("repair", "--policy", "subpart", "--undo-log", LOG, path)
    query(path, "VACUUM")
    before = path.read_bytes()
    with pytest.raises(sqlite3.IntegrityError, match="the schema has changed since the repair"):
        undo(path)
    with open(LOG, "rb") as script:
        shell = subprocess.run(["sqlite3", "-bail", path], stdin=script, capture_output=True)
    assert shell.returncode == 1 and b"the schema has changed since the repair" in shell.stderr
    with open(LOG, "rb") as script:
        subprocess.run(["sqlite3", path], stdin=script, capture_output=True)  # without -bail
    assert path.read_bytes() == before


def test_an_undo_log_says_what_it_leaves(run):
    path = make(f"CREATE TABLE t(x); INSERT INTO t VALUES ({JOSE}), ({JOSE}), ({JOSE})")
    run("repair", "--policy", "subpart", "--undo-log", LOG, path)
    query(path, "UPDATE t SET x = 'changed' WHERE rowid = 2")
    with open(LOG, "rb") as script:
        shell = subprocess.run(["sqlite3", "-bail", path], stdin=script, capture_output=True, check=True)
    assert shell.stdout == b"values that have changed since the repair, and were not put back: 1\n"
    assert dump(path) == [(b"Jos\xe9",), (b"changed",), (b"Jos\xe9",)]


@pytest.mark.parametrize("options", [[], ["--clean", "trim"]])
def test_the_shell_runs_the_undo_log(run, options):
    """It drops CR before LF, and finds a table of the file before one of its own."""
    path = make(
        f"{PEOPLE}; CREATE TABLE pragma_schema_version(schema_version);"
        "CREATE TABLE keyed(k PRIMARY KEY, x) WITHOUT ROWID; CREATE TABLE lines(x);"
        "INSERT INTO keyed VALUES('1' || char(13, 10) || '2', CAST(x'0d0aff' AS TEXT)),"
        "  ('3' || char(13, 10) || '4', ' a' || char(13, 10) || 'b');"
        "INSERT INTO lines VALUES(CAST(x'0d0aff' AS TEXT))"
    )
    with undone(path, run_in_shell):
        assert run("repair", *options, "--undo-log", LOG, path).returncode == 1


def test_an_undo_log_is_never_overwritten(fails):
    path = make()
    LOG.write_text("precious")
    assert "undo.sql exists" in fails("repair", "--undo-log", LOG, path)
    assert LOG.read_text() == "precious" and not backup_of(path).exists()


def test_an_undo_log_needs_a_folder(fails):
    path = make()
    message = f"{path.parent}/no/undo.sql: there is no folder {path.parent}/no"
    assert fails("repair", "--undo-log", path.parent / "no" / "undo.sql", path) == message


def test_copies_are_as_private_as_the_database(run):
    path = make()
    path.chmod(0o600)
    run("repair", "--undo-log", LOG, path)
    assert {stat.S_IMODE(file.stat().st_mode) for file in (LOG, backup_of(path))} == {0o600}


def test_what_cannot_be_in_the_undo_log_needs_a_backup(run, fails):
    """An odd byte in UTF-16 has no undo_sql, like a value of 300 MB, but is easier to make."""
    path = make("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(x); INSERT INTO t VALUES ('AB')")
    cell = b"\6\1\2\x15A\0B\0"  # size, rowid, header, and four bytes, of which three are left
    odd = path.read_bytes().replace(cell, b"\5\1\2\x13A\0B\0")
    path.write_bytes(odd)
    message = fails("repair", "--no-backup", "--undo-log", LOG, path)
    assert message.startswith("1 value cannot be in the undo log")
    assert path.read_bytes() == odd and not LOG.exists()
    done = run("repair", "--undo-log", LOG, path)
    assert done.returncode == 1 and "1 value cannot be in the undo log" in done.stderr
    assert backup_of(path).read_bytes()[100:] == odd[100:]


# ---- all or nothing --------------------------------------------------------------------------


def unchanged(fails, path: Path, *options: object) -> str:
    """Return the message of a repair that fails, changes nothing and leaves no file."""
    before, files = path.read_bytes(), sorted(path.parent.iterdir())
    message = fails("repair", *options, "--undo-log", LOG, path)
    assert path.read_bytes() == before and sorted(path.parent.iterdir()) == files
    return message


TWO_ROWS = (
    "; nothing was changed; two rows would be equal: change one of them, or choose another --policy or --charset"
)


FOREIGN = f"""
    CREATE TABLE parent(k TEXT PRIMARY KEY);
    CREATE TABLE child(id INTEGER PRIMARY KEY, p TEXT REFERENCES parent ON UPDATE SET NULL);
    INSERT INTO parent VALUES ({JOSE});
    INSERT INTO child VALUES (1, {JOSE}), (2, 'orphan');
"""
ONE_SIDE = "child: 1 row would no longer match a foreign key; repair both tables, in the same charset; nothing was changed"

# A database, the options and the message.
REFUSED = {
    "two rows that would be equal": (
        "CREATE TABLE t(x UNIQUE, y);"
        f"INSERT INTO t VALUES (CAST(x'61ff' AS TEXT), {JOSE}), (CAST(x'61fe' AS TEXT), 2)",
        "--policy subpart",
        "t.x, key 2: UNIQUE constraint failed: t.x" + TWO_ROWS,
    ),
    "cleaned rows that would be equal": (
        "CREATE TABLE t(x UNIQUE); INSERT INTO t VALUES ('a'), ('a ')",
        "--clean trim",
        "t.x, key 2: UNIQUE constraint failed: t.x" + TWO_ROWS,
    ),
    "an undo log that the shell would misread": (
        f'CREATE TABLE t("a\r\nb"); INSERT INTO t VALUES ({JOSE})',
        "--policy subpart",
        "a name has CR LF, which the sqlite3 shell would read from the undo log as LF; "
        "nothing was changed; repair without --undo-log",
    ),
    "a CHECK": (
        f"CREATE TABLE t(x CHECK (instr(x, '\\') = 0)); INSERT INTO t VALUES ({JOSE})",
        "--policy escape",
        "t.x, key 1: CHECK constraint failed: instr(x, '\\') = 0; nothing was changed",
    ),
    "a trigger that refuses": (
        f"{PEOPLE} CREATE TRIGGER no BEFORE UPDATE ON people"
        " BEGIN SELECT RAISE(ABORT, 'do not\ntouch\x1b'); END;",
        "",
        "people.name, key 17: do not\\x0atouch\\x1b; nothing was changed",
    ),
    "a trigger of an unknown function": (
        f"{PEOPLE} CREATE TRIGGER app AFTER UPDATE ON people BEGIN SELECT of_my_app(1); END;",
        "",
        "people.name, key 17: no such function: of_my_app; nothing was changed",
    ),
    "a trigger that puts it back": (
        f"CREATE TABLE t(x); INSERT INTO t VALUES ({JOSE}); CREATE TRIGGER back AFTER"
        f" UPDATE ON t BEGIN UPDATE t SET x = {JOSE} WHERE x = 'Jos�'; END;",
        "--policy subpart",
        "t.x, key 1: still ill-formed after 10 repairs; a trigger may put it back; nothing was changed",
    ),
    "the parents of a foreign key": (FOREIGN, "--table parent --policy subpart", ONE_SIDE),
    "its children": (FOREIGN, "--table child --policy subpart", ONE_SIDE),
    "a row that matches only after the repair, and another one only before": (
        "CREATE TABLE parent(k TEXT PRIMARY KEY); INSERT INTO parent VALUES ('José'), (CAST(x'41e9' AS TEXT));"
        "CREATE TABLE child(p TEXT REFERENCES parent);"
        f"INSERT INTO child VALUES ({JOSE}), (CAST(x'41e9' AS TEXT))",
        "--table child --charset latin1",
        ONE_SIDE,
    ),
    "a row that a trigger adds without its parent": (
        "CREATE TABLE parent(k TEXT PRIMARY KEY); CREATE TABLE child(p TEXT REFERENCES parent); CREATE TABLE t(x);"
        f"INSERT INTO t VALUES ({JOSE}); CREATE TRIGGER log AFTER UPDATE ON t BEGIN INSERT INTO child VALUES (NEW.x); END;",
        "--charset latin1",
        ONE_SIDE,
    ),
}


@pytest.mark.both_drivers
@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(fails, case):
    script, options, message = REFUSED[case]
    assert unchanged(fails, make(script), *options.split()) == message


@pytest.mark.both_drivers
def test_a_conflict_that_names_an_ill_formed_column(fails):
    path = make("CREATE TABLE t(nX, y, UNIQUE(nX, y)); INSERT INTO t VALUES (1, 'Jos�')")
    break_name(path, f"INSERT INTO t VALUES (1, {JOSE})")
    message = unchanged(fails, path, "--policy", "subpart")
    assert message.startswith("t.y, key 2: UNIQUE constraint failed: t.n")
    assert message.endswith(", t.y" + TWO_ROWS)


@pytest.mark.parametrize("name", ["a\rb", "a\nb", "a\n.quit\nb"])
def test_an_undo_log_with_control_characters_in_names(run, name):
    path = make(f'CREATE TABLE t("{name}"); INSERT INTO t VALUES ({JOSE})')
    with undone(path, run_in_shell):
        assert run("repair", "--policy", "subpart", "--undo-log", LOG, path).returncode == 1


@pytest.mark.both_drivers
def test_a_trigger_that_copies_old_values(run):
    path = make(
        PEOPLE + "CREATE TABLE log(old); CREATE TRIGGER keep AFTER UPDATE ON people"
        " BEGIN INSERT INTO log VALUES (OLD.name); END;"
    )
    done = run("repair", "--charset", "latin1", path)
    assert "log.old: 1 value repaired\n" in done.stdout
    assert query(path, "SELECT old FROM log") == [("José".encode(),), (b"Ann",)]


@pytest.mark.both_drivers
def test_a_trigger_that_deletes_rows(run, tmp_path):
    """What it deletes before the repair of it is not repaired, and not in the undo log."""
    path = make(
        f"CREATE TABLE t(id INTEGER PRIMARY KEY, x); INSERT INTO t(x) VALUES ({JOSE}), ({JOSE}), ({JOSE});"
        "CREATE TRIGGER d AFTER UPDATE ON t BEGIN DELETE FROM t WHERE id = OLD.id + 1; END;"
    )
    done = run("repair", "--charset", "latin1", "--undo-log", LOG, path)
    assert done.stdout == "t.x: 2 values repaired\n"
    assert LOG.read_text().count("UPDATE ") == 2
    assert query(path, "SELECT * FROM t") == [(1, "José".encode()), (3, "José".encode())]


# ---- progress ----


def test_progress_bars():
    path = make("CREATE TABLE t(x);" + many(30_000, f"{JOSE} || hex(zeroblob(100))"))
    output = on_terminal("repair", "--policy", "subpart", path, TERM="xterm").decode()
    titles = ["Reading", "Backing up", "Repairing", "Verifying"]
    assert [title for title in titles if title in output] == titles
    assert any(0 < int(share) < 100 for share in re.findall(r"(\d+)%", output))


# ---- foreign keys ----------------------------------------------------------------------------


def test_both_sides_of_a_foreign_key(run):
    path = make(FOREIGN)
    assert run("repair", "--charset", "latin1", path).returncode == 1
    assert query(path, "SELECT p FROM child") == [("José".encode(),), (b"orphan",)]


def test_a_trigger_beside_a_row_without_its_parent(run):
    """What was so before the repair does not stop it, also in a table that only a trigger changes."""
    path = make(
        f"CREATE TABLE parent(k); CREATE TABLE child(p REFERENCES parent(k)); CREATE UNIQUE INDEX ik ON parent(k);"
        f"INSERT INTO child VALUES ('orphan'); CREATE TABLE t(x); INSERT INTO t VALUES ({JOSE}); CREATE TRIGGER log"
        " AFTER UPDATE ON t BEGIN INSERT INTO parent VALUES (OLD.x); INSERT INTO child VALUES (OLD.x); END;"
    )
    assert "child.p: 1 value repaired\n" in run("repair", "--charset", "latin1", path).stdout
    assert query(path, "SELECT p FROM child") == [(b"orphan",), ("José".encode(),)]


def test_foreign_keys_are_read_once():
    """Not for each column that is repaired: a repair of 3,000 tables took five times as long."""
    with Database(make(FOREIGN)) as database:
        Plan(database, "auto", Selection())
        details = [detail for *_, detail in database.rows(f"EXPLAIN QUERY PLAN {CHILDREN}")]
    loops = [detail for detail in details if re.match("SCAN|SEARCH", detail)]
    assert " m" in loops[0] and " f " in loops[1] and all("INDEX" in loop or "KEY" in loop for loop in loops[2:-1])
    assert details[details.index(loops[-1]) - 1].startswith("SCALAR"), "whether there are triggers is read once"


# ---- what cannot be repaired -----------------------------------------------------------------


def test_reasons(run):
    path = make(
        "CREATE TABLE g(a AS (CAST(x'ff' AS TEXT)), b); INSERT INTO g VALUES (1);"
        f"CREATE TABLE hid(rowid, oid, _rowid_, t); INSERT INTO hid VALUES (1, 2, 3, {JOSE});"
        f"CREATE VIRTUAL TABLE mail USING fts5(body); INSERT INTO mail VALUES ({JOSE});"
        "CREATE TABLE cafX(nX)"
    )
    break_name(path, f"INSERT INTO cafX VALUES ({JOSE})")
    before = path.read_bytes()
    done = run("repair", path)
    assert (done.returncode, done.stdout) == (1, "")
    assert path.read_bytes() == before and not backup_of(path).exists()
    lines = dict(line.split(": ", 1) for line in done.stderr.splitlines())
    schema = "they are part of the schema; --names repairs names; create anew what has such text"
    assert lines.pop("sqlite_master.sql") == f"1 value not repaired: {schema}"
    lines.pop("sqlite_master.name"), lines.pop("sqlite_master.tbl_name")
    assert lines == {
        "g.a": "1 value not repaired: the column is generated; "
        "repair the columns that it is computed from",
        "hid.t": "1 value not repaired: no key identifies their rows",
        "mail_content.c0": "1 value not repaired: the table belongs to the virtual table mail; "
        'repair through that: UPDATE "mail" SET "body" = a.repaired '
        "FROM utf8_audit('main', 'auto') AS a WHERE a.table_name = 'mail_content' AND "
        "a.column_name = 'c0' AND a.key = \"mail\".rowid AND a.repaired IS NOT NULL AND "
        "a.cause IS NOT 'unclear';",
        "caf\\xe9.n\\xe9": "1 value not repaired: "
        "the name of the table or column is ill-formed; --names repairs it",
    }


@pytest.mark.both_drivers
def test_a_damaged_table(run, fails):
    path = make(f"CREATE TABLE t(x); CREATE TABLE u(x); INSERT INTO u VALUES ({JOSE})")
    damage(path, page_of(path, "t"))
    assert unchanged(fails, path, "--policy", "subpart") == (
        "t: unreadable: database disk image is malformed; nothing was changed; "
        "choose other tables with --table, or recover the file first"
    )
    assert run("repair", "--policy", "subpart", "--table", "u", path).stdout == (
        "u.x: 1 value repaired; 1 value lost characters\n"
    )


def test_sources_named_like_our_own(run):
    path = make(
        PEOPLE + "CREATE VIEW utf8_audit AS SELECT 1; CREATE TABLE utf8ext_plan(x);"
        "CREATE TABLE utf8ext_column(x); CREATE TABLE pragma_table_xinfo(x);"
    )
    assert "people.name: 1 value repaired: 1 windows-1252\n" in run("repair", path).stdout
    assert query(path, "SELECT count(*) FROM utf8ext_plan") == [(0,)]


# ---- at random -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_random_databases_by_cause(run, seed):
    """The lines + of a dry run are what the repair writes or leaves; an undo restores the bytes."""
    path = make(random_database(random.Random(seed)))
    dry = run("repair", "--dry-run", path).stdout.count("\n+ ")
    with undone(path):
        done = run("repair", "--undo-log", LOG, path)
        counts = re.findall(r"(\d+) values? (not repaired|repaired|is unclear|are unclear)", done.stdout + done.stderr)
        assert sum(int(count) for count, _ in counts) == dry


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.both_drivers
def test_random_databases(run, seed):
    """Python's decoder says what a repair by subpart makes of each value; an undo restores it."""
    path = make(random_database(random.Random(seed)))
    before = dump(path)
    with undone(path):
        run("repair", "--policy", "subpart", "--undo-log", LOG, path)
        assert dump(path) == [tuple(map(replaced, row)) for row in before]
        assert dump(backup_of(path)) == before


def random_database(rng: random.Random) -> str:
    tables = [
        "CREATE TABLE a(x, y, z);",
        "CREATE TABLE b(id INTEGER PRIMARY KEY, x, y);CREATE INDEX bx ON b(x);",
        "CREATE TABLE c(n, x, PRIMARY KEY(n)) WITHOUT ROWID;",
    ]
    rows = [f"INSERT INTO a VALUES ({', '.join(random_value(rng) for _ in range(3))});" for _ in range(40)]
    rows += [f"INSERT INTO b(x, y) VALUES ({random_value(rng)}, {random_value(rng)});" for _ in range(40)]
    rows += [f"INSERT INTO c VALUES ({n}, {random_value(rng)});" for n in range(40)]
    return "".join(tables + rows)


def random_value(rng: random.Random) -> str:
    alphabet = b"a|\0|'|\xc3|\xa9|\xe2\x82\xac|\xed\xa0\x80|\xff|\n".split(b"|")
    stored = b"".join(rng.choices(alphabet, k=rng.randrange(6)))
    return rng.choice([f"CAST(x'{stored.hex()}' AS TEXT)"] * 6 + [f"x'{stored.hex()}'", "1", "NULL"])


def replaced(value: object) -> object:
    return value.decode("utf-8", "replace").encode() if isinstance(value, Text) else value
