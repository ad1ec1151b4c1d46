"""Two ways to reach SQLite: apsw, or Python's sqlite3 where that can load extensions.

Both drivers have the same methods, so that database.py need not know which one it has.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from utf8ext._error import Error
from utf8ext._load import load

try:
    import apsw
except ImportError:
    apsw = None  # type: ignore[assignment]

Errors = (sqlite3.Error,) if apsw is None else (sqlite3.Error, apsw.Error)

BACKUP_PAGES = 1000  # pages copied between two calls of a progress function

LOCK_TIMEOUT = 5  # seconds to wait for another program's lock

# How each connection to a user's file begins.
SETTINGS = (f"PRAGMA busy_timeout = {LOCK_TIMEOUT * 1000}", "PRAGMA trusted_schema = OFF")

MALFORMED = "database disk image is malformed"  # SQLite's message about a damaged page

TICK = 50_000  # virtual machine instructions between two calls of a progress handler


class _Driver:
    """What both have."""

    connection: Any

    def execute(self, sql: str, bindings: tuple[object, ...]) -> Iterator[tuple[Any, ...]]:
        rows: Iterator[tuple[Any, ...]] = self.connection.execute(sql, bindings)
        return rows

    def on_tick(self, tick: Callable[[], bool]) -> None:
        self.connection.set_progress_handler(tick, TICK)

    def in_transaction(self) -> bool:
        return bool(self.connection.in_transaction)

    def close(self) -> None:
        self.connection.close()


class ApswDriver(_Driver):
    """A connection through apsw, which brings an SQLite of its own."""

    def __init__(self, path: Path, writable: bool) -> None:
        flags = apsw.SQLITE_OPEN_READWRITE if writable else apsw.SQLITE_OPEN_READONLY
        self.connection = apsw.Connection(_uri(path), flags=flags | apsw.SQLITE_OPEN_URI)

    def changes(self) -> int:
        return int(self.connection.changes())

    def pages_read(self) -> int | None:
        """Return how many pages were not in the cache, overflow pages excepted."""
        return int(self.connection.status(apsw.SQLITE_DBSTATUS_CACHE_MISS)[0])

    def copy_to(self, target: Path, show: Callable[[int, int], None]) -> None:
        """Copy the database to an empty file; call show(pages left, pages) as it goes."""
        with closing(ApswDriver(target, writable=True)) as copy:
            with copy.connection.backup("main", self.connection, "main") as backup:
                while not backup.done:
                    backup.step(BACKUP_PAGES)
                    show(backup.remaining, backup.page_count)


class Sqlite3Driver(_Driver):
    """A connection through the sqlite3 of this Python."""

    def __init__(self, path: Path, writable: bool) -> None:
        uri = f"{_uri(path)}?mode={'rw' if writable else 'ro'}"
        self.connection = sqlite3.connect(uri, uri=True, isolation_level=None)

    def changes(self) -> int:
        return int(self.connection.execute("SELECT changes()").fetchone()[0])

    def pages_read(self) -> int | None:
        """Return None: sqlite3 has no function for it."""
        return None

    def copy_to(self, target: Path, show: Callable[[int, int], None]) -> None:
        """Copy the database to an empty file; call show(pages left, pages) as it goes."""
        with closing(Sqlite3Driver(target, writable=True)) as copy:
            self.connection.backup(
                copy.connection,
                pages=BACKUP_PAGES,
                progress=lambda _, left, total: show(left, total),
            )


def message(error: Exception) -> str:
    """Return SQLite's message. An error of apsw's backup only has the code."""
    text = str(error)
    if text == "not an error":
        return _MESSAGES.get(getattr(error, "result", 0), type(error).__name__)
    return text


def is_busy(error: Exception) -> bool:
    """Has another connection locked the database?"""
    return message(error) == "database is locked"


def meaning(error: Exception) -> str:
    """Return what SQLite's message means to somebody who does not write SQL."""
    text = message(error)
    return _MEANINGS.get(text, text)


_MEANINGS = {
    "file is not a database": "not an SQLite database, or an encrypted one",
    "file is encrypted or is not a database": "not an SQLite database, or an encrypted one",
    "database is locked": f"another program has locked it for more than {LOCK_TIMEOUT} seconds",
    "database or disk is full": "the disk is full",
    MALFORMED: f"the file is damaged ({MALFORMED})",
}

_MESSAGES = {5: "database is locked", 10: "disk I/O error", 13: "database or disk is full"}


def check_python() -> None:
    """Raise an Error if no driver of this Python can load extensions."""
    if apsw is None and not hasattr(sqlite3.Connection, "enable_load_extension"):
        raise Error("this Python cannot load SQLite extensions; run: pip install apsw")


def open_driver(path: Path, writable: bool) -> Any:
    """Open a file through apsw, or through sqlite3 if apsw is not installed."""
    return ApswDriver(path, writable) if apsw is not None else Sqlite3Driver(path, writable)


def copy(path: Path, target: Path, show: Callable[[float], None], writable: bool = False) -> None:
    """Copy a database to an empty file by SQLite's backup API; show(fraction) as it goes."""
    with closing(open_driver(path, writable)) as source:
        source.copy_to(target, lambda left, total: show(1 - left / max(total, 1)))


def bytes_read() -> int | None:
    """Return how many bytes this process has read so far; None if not on Linux."""
    try:
        return int(Path("/proc/self/io").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return None


def _uri(path: Path) -> str:
    return path.absolute().as_uri()


def connect(path: str) -> Any:
    """Open a database for reading and writing, or '' for a temporary one, with utf8ext loaded."""
    check_python()
    connection: Any = (
        sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        if apsw is None
        else apsw.Connection(path)
    )
    load(connection)
    return connection
