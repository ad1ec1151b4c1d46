"""A repair that is killed at any moment leaves the database as it was, or repaired.

UTF8EXT_KILLS=100 UTF8EXT_ROWS=100000 tries 100 random moments in each mode, on more rows.
"""

from __future__ import annotations

import hashlib
import os
import random
import re
import shutil
import signal
import sqlite3
import subprocess
import threading
import time
from pathlib import Path

import pytest
import utf8ext
from conftest import COMMAND, has_unfinished, make, many, query, run_sql
from utf8ext import _driver
from utf8ext._newfile import NewFile
from utf8ext._signals import deferred, uninterrupted

ROWS = int(os.environ.get("UTF8EXT_ROWS", "20000"))
KILLS = int(os.environ.get("UTF8EXT_KILLS", "4"))

MAKE = f"""
    PRAGMA journal_mode = {{journal}};
    CREATE TABLE t(id INTEGER PRIMARY KEY, x TEXT, y);
    CREATE INDEX tx ON t(x);
    {many(ROWS, "i, 'row ' || i || iif(i % 4 = 0, CAST(x'e9' AS TEXT), 'é'), i")}
    CREATE TABLE w(k TEXT PRIMARY KEY, y) WITHOUT ROWID;
    INSERT INTO w SELECT x, y FROM t WHERE id % 10 = 0;
"""


def content(path: Path) -> str:
    """Return a hash of all rows. Opens the database for writing, as the next program would."""
    digest = hashlib.sha256()
    connection = sqlite3.connect(path)
    connection.text_factory = bytes
    assert connection.execute("PRAGMA integrity_check").fetchall() == [(b"ok",)]
    for sql in ("SELECT id, x, y FROM t ORDER BY id", "SELECT k, y FROM w ORDER BY y"):
        for row in connection.execute(sql):
            digest.update(repr(row).encode())
    connection.close()
    return digest.hexdigest()


def end_at_hangup() -> None:
    """Let a process end at SIGHUP, also where the tests run under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Trial:
    """A database, its content before and after, and how long a repair takes."""

    def __init__(self, folder: Path, journal: str) -> None:
        self.original = make(MAKE.format(journal=journal), folder / "original.db")
        self.folder = folder / "trial"
        self.path, self.log = self.folder / "my.db", self.folder / "undo.sql"
        self.backup = self.folder / "my.db.utf8ext-backup"
        self.before = content(self.original)
        started = time.monotonic()
        assert self.start().wait() == 1
        self.duration = time.monotonic() - started
        self.after = content(self.path)

    def start(self) -> subprocess.Popen:
        """Start a repair of a fresh copy."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        shutil.copy(self.original, self.path)
        return subprocess.Popen(
            [COMMAND, "repair", "--charset", "latin1", "--undo-log", self.log, self.path],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=end_at_hangup,
        )

    def check_files(self, now: str) -> None:
        """The backup is complete or absent, and the undo log, too."""
        if self.backup.exists():
            assert content(self.backup) == self.before
        if self.log.exists():
            run_sql(self.log.read_text(encoding="utf-8"), self.path)
            assert content(self.path) == self.before
        else:
            assert now == self.before


@pytest.fixture(scope="module", params=["DELETE", "WAL"])
def trial(request, tmp_path_factory) -> Trial:
    return Trial(tmp_path_factory.mktemp("interrupt"), request.param)


def moments(trial: Trial, seed: int) -> list[float]:
    """Return delays over the whole duration, one at random in each of KILLS parts of it."""
    rng = random.Random(seed)
    return [trial.duration * (i + rng.random()) / KILLS for i in range(KILLS)]


def test_killed(trial):
    """SIGKILL: as it was or repaired; a second repair finishes the work."""
    for delay in moments(trial, 1):
        process = trial.start()
        time.sleep(delay)
        process.kill()
        process.communicate()
        now = content(trial.path)
        assert now in (trial.before, trial.after)
        trial.check_files(now)
        again = [COMMAND, "repair", "--charset", "latin1", "--no-backup", trial.path]
        assert subprocess.run(again, capture_output=True).returncode in (0, 1)
        assert content(trial.path) == trial.after


@pytest.mark.parametrize(
    "number, status, others",
    [(signal.SIGINT, 130, (1,)), (signal.SIGTERM, 143, ()), (signal.SIGHUP, 129, ())],
)
def test_interrupted(trial, number, status, others):
    """Nothing changed and no file left; or it came too late."""
    for delay in moments(trial, status):
        process = trial.start()
        time.sleep(delay)
        process.send_signal(number)
        _, message = process.communicate()
        now = content(trial.path)
        if process.returncode == status:
            # Without the second part before the repair has begun.
            assert re.fullmatch(b"Error: interrupted(; nothing was changed)?\n", message)
            assert now == trial.before and list(trial.folder.iterdir()) == [trial.path]
        elif process.returncode == 1 and b"written" in message:
            assert now == trial.after
        else:  # Python had not yet started the command, or had ended it
            assert process.returncode in (-number, *others) and now in (trial.before, trial.after)
            assert not list(trial.folder.glob(".my.db*"))
        trial.check_files(now)


def conversion(folder: Path, hangup: signal.Handlers) -> subprocess.Popen:
    """Start a conversion, and return it when its file is unfinished."""
    big = folder / "big.txt"
    big.write_bytes(b"caf\xe9 " * (20 << 20))
    process = subprocess.Popen(
        [COMMAND, "convert", big, "--from", "latin1", "-o", folder / "new.txt"],
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, hangup),
    )
    while process.poll() is None and not has_unfinished(process, folder):
        time.sleep(0.001)
    return process


@pytest.mark.parametrize("number, status", [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_terminated_conversion_leaves_no_file(tmp_path, number, status):
    process = conversion(tmp_path, signal.SIG_DFL)
    process.send_signal(number)
    message = process.communicate()[1]
    assert (process.returncode, message) == (status, b"Error: interrupted\n")
    assert [path.name for path in tmp_path.iterdir()] == ["big.txt"]


def test_nohup(tmp_path):
    """SIGHUP, if it is ignored, ends nothing."""
    process = conversion(tmp_path, signal.SIG_IGN)
    process.send_signal(signal.SIGHUP)
    assert process.communicate()[1] == b"" and process.returncode == 0
    assert (tmp_path / "new.txt").stat().st_size == 6 * (20 << 20)


@pytest.mark.parametrize("number, status", [(signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_terminated_import_leaves_no_database(tmp_path, number, status):
    (tmp_path / "a.csv").write_bytes(b"id,name\n" + b"7,Jos\xc3\xa9\n" * 400_000)
    process = subprocess.Popen(
        [COMMAND, "import", "a.csv", "my.db"], stderr=subprocess.PIPE, preexec_fn=end_at_hangup
    )
    while process.poll() is None and not (tmp_path / "my.db").exists():
        time.sleep(0.001)
    process.send_signal(number)
    message = process.communicate()[1]
    expected = b"Error: interrupted; nothing was imported\n"
    assert (process.returncode, message) == (status, expected)
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def test_the_unfinished_files_of_a_killed_repair_do_no_harm(trial):
    process = trial.start()
    while process.poll() is None and not list(trial.folder.glob(f".{trial.backup.name}.*")):
        time.sleep(0.001)
    process.kill()
    process.communicate()
    assert content(trial.path) == trial.before
    for file in trial.folder.glob("*.utf8ext-backup"):
        file.unlink()
    again = [COMMAND, "repair", "--charset", "latin1", trial.path]
    assert subprocess.run(again, capture_output=True).returncode == 1
    assert content(trial.path) == trial.after and content(trial.backup) == trial.before
    assert not list(trial.folder.glob(".my.db*"))


def test_an_audit_is_interrupted(trial):
    trial.start().communicate()
    process = subprocess.Popen([COMMAND, "audit", trial.original], stderr=subprocess.PIPE)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    message = process.communicate()[1]
    assert process.returncode in (130, 1, -signal.SIGINT)  # the last at the end of Python
    assert message == (b"Error: interrupted\n" if process.returncode == 130 else b"")
    assert query(trial.original, "PRAGMA integrity_check") == [(b"ok",)]


# ---- single moments, which no delay hits ---------------------------------------------------


def test_the_journal_of_a_database_is_withdrawn(tmp_path):
    """SQLite leaves it if the disk is full."""
    new = NewFile(tmp_path / "new", is_database=True)
    Path(f"{new.unfinished}-journal").write_bytes(b"x")
    assert len(os.listdir(tmp_path)) == 2
    new.withdraw()
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("is_database", [False, True])
def test_a_file_that_just_got_its_name_is_withdrawn(tmp_path, monkeypatch, is_database):
    """A signal between the name and the note of it: the file would stay."""
    new = NewFile(tmp_path / "new", is_database=is_database)
    give_name = new._give_name

    def give_name_and_interrupt():
        give_name()
        signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(new, "_give_name", give_name_and_interrupt)
    with pytest.raises(KeyboardInterrupt):
        new.publish()
    new.withdraw()
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_import_has_just_made_is_removed(tmp_path, monkeypatch):
    """A signal while SQLite opens it, which waits until the file is noted."""
    connect = _driver.connect

    def interrupt_and_connect(path):
        if path:
            signal.raise_signal(signal.SIGINT)
        return connect(path)

    monkeypatch.setattr(_driver, "connect", interrupt_and_connect)
    (tmp_path / "a.csv").write_text("x\n1\n")
    with pytest.raises(KeyboardInterrupt):
        utf8ext.import_csv(tmp_path / "a.csv", tmp_path / "my.db")
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def interrupt_through_a_thread():
    """Send a signal that another thread receives, and that Python handles in this one."""

    def send():
        signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    thread = threading.Thread(target=send)
    thread.start()
    thread.join()


def test_a_deferred_signal_waits_for_the_end():
    before, reached = signal.getsignal(signal.SIGINT), []
    with pytest.raises(KeyboardInterrupt):
        with deferred():
            interrupt_through_a_thread()
            reached.append("end")
    assert reached == ["end"] and signal.getsignal(signal.SIGINT) is before


def test_a_deferred_signal_comes_after_an_exception():
    with pytest.raises(KeyboardInterrupt) as raised:
        with deferred():
            interrupt_through_a_thread()
            raise ValueError
    assert isinstance(raised.value.__context__, ValueError)


def test_an_ignored_signal_is_not_deferred():
    with uninterrupted(), deferred():
        interrupt_through_a_thread()


def test_other_threads_handle_no_signals():
    """There is nothing to defer or to ignore."""
    reached = []

    def work():
        with uninterrupted(), deferred():
            reached.append("end")

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert reached == ["end"]
