"""Bad input gets one clear line on stderr and exit status 2."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import COMMAND, PEOPLE, make, many, query, run_command

import utf8ext

BOTH = pytest.mark.parametrize("command", ["audit", "repair"])


# ---- what is not a database ------------------------------------------------------------------

NO_DATABASE = "not an SQLite database, or an encrypted one"


@BOTH
def test_no_such_file(fails, tmp_path, command):
    assert fails(command, tmp_path / "no.db") == f"{tmp_path}/no.db: No such file or directory"
    assert list(tmp_path.iterdir()) == []


@BOTH
@pytest.mark.parametrize(
    "make_file, message",
    [
        (lambda path: path.mkdir(), "Is a directory"),
        (lambda path: path.touch(), "the file is empty"),
        (lambda path: os.mkfifo(path), "not a file"),
        (lambda path: path.symlink_to("nowhere"), "No such file or directory"),
        (lambda path: path.write_text("id,name\n1,Zoë\n" * 1000), NO_DATABASE),
        (lambda path: path.write_bytes(os.urandom(8192)), NO_DATABASE),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(10)), NO_DATABASE),
    ],
    ids=["directory", "empty", "fifo", "dangling link", "text", "encrypted", "header only"],
)
@pytest.mark.both_drivers
def test_not_a_database(fails, tmp_path, command, make_file, message):
    path = tmp_path / "my.db"
    make_file(path)
    assert fails(command, path) == f"{path}: {message}"


@BOTH
def test_a_broken_schema(fails, command):
    path = make(PEOPLE)
    path.write_bytes(path.read_bytes().replace(b"CREATE TABLE people", b"CREATE HTABL people"))
    assert "malformed database schema (people)" in fails(command, path)


@BOTH
@pytest.mark.parametrize(
    "size, message",
    [
        (5000, "the file is cut off: its last page is not complete"),
        (4096, "the file is damaged (database disk image is malformed)"),
    ],
)
@pytest.mark.both_drivers
def test_a_truncated_file(fails, command, size, message):
    path = make(PEOPLE)
    os.truncate(path, size)
    assert fails(command, path) == f"{path}: {message}"


def test_a_path_cannot_control_the_terminal(fails, tmp_path):
    name = os.fsdecode(b"\x1b[31m\xff\n.db")
    assert fails("audit", tmp_path / name).startswith(f"{tmp_path}/\\x1b[31m\\xff\\x0a.db: ")


@pytest.mark.parametrize("name", ["a b#?%41.db", "Zoë's.db", os.fsdecode(b"\xff.db"), "-x.db"])
@pytest.mark.both_drivers
def test_strange_file_names(run, name):
    path = make(PEOPLE)
    path = path.rename(path.parent / name)
    assert run("repair", "--policy", "subpart", "--", name, cwd=path.parent).returncode == 1
    assert Path(f"{path}.utf8ext-backup").exists()
    assert run("audit", "--", name, cwd=path.parent).returncode == 0


# ---- names -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options, message",
    [
        (["--table", "peple"], "{path}: no table 'peple'; did you mean 'people'?"),
        (["--table", "xyzzy"], "{path}: no table 'xyzzy'"),
        (["--column", "nmae"], "{path}: no column 'nmae'; did you mean 'name' or 'note'?"),
        (["--table", "city", "--column", "note"], "{path}: no column 'note'; did you mean 'name'?"),
        (["--policy", "x", "--charset", "y"], "policy and charset exclude each other"),
        (
            ["--policy", "subpar"],
            "utf8_repair: argument 2 (policy) is 'subpar'; accepted: subpart, byte, run, cesu-8, "
            "trim, escape, auto, or a single-byte charset",
        ),
        (
            ["--policy", "gbk"],
            "gbk is a charset that decodes whole texts, and not a policy; say --charset gbk",
        ),
        (
            ["--charset", "windows-125"],
            "utf8_from: argument 2 (charset) is 'windows-125'; accepted: windows-1252, "
            "windows-1250, windows-1251, ...; all names: SELECT name FROM utf8_charsets",
        ),
    ],
)
def test_unknown_names(fails, options, message):
    path = make(PEOPLE + "CREATE TABLE city(name)")
    for dry_run in ([], ["--dry-run"]):
        assert fails("repair", *options, *dry_run, path) == message.format(path=path)


@pytest.mark.parametrize("option", ["--policy", "--charset", "--clean", "--table"])
def test_an_argument_that_is_not_utf8(fails, option):
    message = fails("repair", option, os.fsdecode(b"\xff"), make())
    assert message.endswith("'\\xff' is not UTF-8") or message.endswith("no table '\\xff'")


def test_binary_is_not_a_charset_to_repair_with(fails):
    message = fails("repair", "--charset", "binary", make())
    assert "argument 2 (policy) is 'binary'; accepted: subpart, byte" in message


def test_two_forms_of_output(fails):
    path = make()
    for command in ("audit", "check", "detect"):
        assert fails(command, "--json", "--csv", path) == "--json and --csv exclude each other"


# ---- locks -----------------------------------------------------------------------------------


@pytest.mark.both_drivers
def test_a_locked_database(environment):
    path = make()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    processes = [
        subprocess.Popen([COMMAND, command, path], stderr=subprocess.PIPE, env=environment)
        for command in ("audit", "repair", "report")
    ]
    message = f"Error: {path}: another program has locked it for more than 5 seconds\n"
    started = time.monotonic()
    for process in processes:
        assert (process.communicate()[1].decode(), process.returncode) == (message, 2)
    assert 4 < time.monotonic() - started < 9  # load() on its own would wait 10 seconds more
    other.close()


def test_a_reader_keeps_a_repair_from_committing(fails):
    path = make()
    before = path.read_bytes()  # now: closing the file would release the lock of the reader
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM people").fetchall()
    message = f"{path}: another program has locked it for more than 5 seconds"
    assert fails("repair", "--undo-log", path.parent / "undo.sql", path) == message
    other.close()
    assert path.read_bytes() == before and list(path.parent.iterdir()) == [path]


# ---- permissions -----------------------------------------------------------------------------


@pytest.fixture
def shared() -> Iterator[Path]:
    """A database in a folder that every user can read."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    path = folder / "my.db"
    shutil.copy(make(), path)
    path.chmod(0o666)
    yield path
    shutil.rmtree(folder)


@pytest.fixture
def as_user() -> dict:
    """Options with which a command runs as a user who is not root."""
    if os.geteuid() != 0:
        return {}
    options = {"user": 65534, "group": 65534, "extra_groups": [], "cwd": "/"}
    try:
        run_command("--version", check=True, **options)
    except (OSError, subprocess.SubprocessError):
        pytest.skip("permissions: another user than root cannot run the command")
    return options


@BOTH
def test_no_permission(fails, shared, as_user, command):
    shared.chmod(0)
    assert fails(command, shared, **as_user) == f"{shared}: Permission denied"


def test_a_read_only_file(run, fails, shared, as_user):
    shared.chmod(0o444)
    assert fails("repair", shared, **as_user) == f"{shared}: the file is read-only"
    assert run("audit", shared, **as_user).returncode == 1
    assert run("repair", "--dry-run", shared, **as_user).returncode == 1


@pytest.mark.both_drivers
def test_a_read_only_folder(run, fails, shared, as_user):
    shared.parent.chmod(0o555)
    assert run("audit", shared, **as_user).returncode == 1
    message = f"{shared}: the folder of the file is read-only"
    assert fails("repair", shared, **as_user) == message
    assert run("repair", "--dry-run", shared, **as_user).returncode == 1


@pytest.mark.both_drivers
def test_wal_in_a_read_only_folder(fails, shared, as_user):
    query(shared, "PRAGMA journal_mode = WAL")
    shared.parent.chmod(0o555)
    message = f"{shared}: in WAL mode, SQLite needs to write to the folder of the file; use a copy"
    assert fails("audit", shared, **as_user) == message


# ---- a journal that another program left -----------------------------------------------------

CRASH = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN")
connection.execute("UPDATE big SET x = 'half done'")
os._exit(9)
"""


@pytest.mark.both_drivers
def test_a_hot_journal(run, fails):
    rows = many(9999, "'text ' || i", "big")
    path = make(f"CREATE TABLE big(x); {rows} INSERT INTO big VALUES (CAST(x'ff' AS TEXT))")
    subprocess.run([sys.executable, "-c", CRASH, path])
    assert Path(f"{path}-journal").exists()
    assert fails("audit", path) == (
        f"{path}: a program was interrupted while it wrote (my.db-journal exists); to roll its "
        "changes back, open the database for writing once, as `utf8ext repair` does"
    )
    assert run("repair", "--policy", "subpart", path).stdout == (
        "big.x: 1 value repaired; 1 value lost characters\n"
    )
    assert run("audit", path).returncode == 0
    assert query(path, "SELECT count(*) FROM big WHERE x = 'half done'") == [(0,)]


# ---- a full disk -----------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder]
    if os.geteuid() or subprocess.run(["mount", *options], capture_output=True).returncode:
        pytest.skip("full disk: only root can mount a small one")
    yield folder
    subprocess.run(["umount", folder], check=True)


BIG = "CREATE TABLE t(x);" + many(6000, "CAST(x'ff' AS TEXT) || hex(zeroblob(30))")


@pytest.mark.parametrize("options", [[], ["--no-backup"], ["--no-backup", "--undo-log", "log"]])
@pytest.mark.both_drivers
def test_a_full_disk(fails, small_disk, options):
    path = small_disk / "my.db"
    shutil.copy(make(BIG), path)
    (small_disk / "other").write_bytes(bytes(350_000))
    before, files = path.read_bytes(), sorted(small_disk.iterdir())
    message = fails("repair", "--policy", "subpart", *options, path, cwd=small_disk)
    assert "the disk is full" in message or "No space left on device" in message
    assert path.read_bytes() == before and sorted(small_disk.iterdir()) == files


@pytest.mark.parametrize("mode", ["new", "delete", "wal"])
@pytest.mark.both_drivers
def test_an_import_on_a_full_disk(fails, tmp_path, small_disk, mode):
    """Of a new database nothing is left, also no journal; another one stays as it was."""
    path = small_disk / "my.db"
    if mode != "new":
        make(f"PRAGMA journal_mode = {mode}; CREATE TABLE t(x);", path)
    before = {file: file.read_bytes() for file in small_disk.iterdir()}
    csv = tmp_path / "a.csv"
    csv.write_text("a,b\n" + "some text,more text\n" * 100_000)
    assert fails("import", csv, path) == f"{path}: the disk is full; nothing was imported"
    assert {file: file.read_bytes() for file in small_disk.iterdir()} == before


@pytest.mark.parametrize("arguments", ["--help", "--version", "import --help", "charsets", "audit my.db"])
def test_a_full_disk_below_stdout(arguments):
    make()
    with open("/dev/full", "wb") as full:
        done = run_command(*arguments.split(), capture_output=False, stdout=full, stderr=-1)
    assert (done.returncode, done.stderr) == (2, "Error: No space left on device\n")


@pytest.mark.parametrize("arguments", [["audit", "no.db"], ["audit", "--bogus"], ["bogus"]])
def test_an_error_below_a_full_stderr(arguments):
    """The status is that of an error all the same; 1 would be that something was found."""
    with open("/dev/full", "wb") as full:
        assert run_command(*arguments, capture_output=False, stderr=full).returncode == 2


# ---- a Python without extensions -------------------------------------------------------------


def test_a_python_that_cannot_load_extensions(without_apsw):
    """Runs the command's sources, with the packages of this Python, in such a Python."""
    python = python_without_extensions()
    sources = Path(utf8ext.__file__).parents[1]
    packages = f"{sources}:{sysconfig.get_path('purelib')}"
    code = "from utf8ext.command import main; main()"
    done = subprocess.run(
        [python, "-c", code, "audit", make()],
        env={**without_apsw, "PYTHONPATH": f"{without_apsw['PYTHONPATH']}:{packages}"},
        capture_output=True,
        text=True,
    )
    message = "Error: this Python cannot load SQLite extensions; run: pip install apsw\n"
    assert (done.returncode, done.stderr) == (2, message)


def python_without_extensions() -> Path:
    code = "import sqlite3, sys; sys.exit(hasattr(sqlite3.Connection, 'enable_load_extension'))"
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    found = Path.home().glob(f".pyenv/versions/{version}.*/bin/python3")
    for python in [*found, Path("/usr/bin/python3"), Path("/usr/local/bin/python3")]:
        if python.exists() and subprocess.run([python, "-c", code]).returncode == 0:
            return python
    pytest.skip("no extensions: every Python here can load extensions")
