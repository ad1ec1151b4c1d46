"""An SQLite database file with utf8ext loaded."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from utf8ext import _driver as driver
from utf8ext._error import Error
from utf8ext._load import load

_SETTINGS = (*driver.SETTINGS, "PRAGMA temp_store = FILE")


class Database:
    """An open database file. Reads only, unless it was opened as writable.

    A process can open a file only once: a second Database would release the locks of the first.
    Ill-formed text cannot pass to Python: select names and values through utf8_repair, or as BLOB.
    A file may hold a table named utf8_audit, so write `temp.utf8_audit`.
    """

    def __init__(self, path: Path, writable: bool = False) -> None:
        self.path = path
        self._writable = writable
        self._callback: Callable[[], None] | None = None
        if reason := _reason_to_refuse(path, writable):
            raise Error(f"{path}: {reason}")
        driver.check_python()
        self._is_wal = is_wal(path)
        try:
            self._open()
        except driver.Errors as error:
            raise Error(f"{path}: {self._meaning(error)}") from error

    def _open(self) -> None:
        self._driver = driver.open_driver(self.path, self._writable)
        self.connection: Any = self._driver.connection
        for setting in _SETTINGS:
            self._driver.execute(setting, ())
        # Reads the schema, so that a lock is waited for once: load() would wait twice, and go on.
        next(iter(self._driver.execute("SELECT count(*) FROM sqlite_master", ())))
        load(self.connection)
        self._page_size = self.value("PRAGMA main.page_size")
        if self.path.stat().st_size % self._page_size:  # SQLite would read zeros
            raise Error(f"{self.path}: the file is cut off: its last page is not complete")
        self._driver.on_tick(self._tick)

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self._driver.close()

    # ---- statements ----

    def rows(self, sql: str, *bindings: object) -> Iterator[tuple[Any, ...]]:
        """Run a statement and return its rows, one by one."""
        try:
            yield from self._driver.execute(sql, bindings)
        except driver.Errors as error:
            if str(error) == "interrupted":
                raise KeyboardInterrupt from error
            raise Error(f"{self.path}: {self._meaning(error)}") from error
        except UnicodeDecodeError as error:  # sqlite3: a message with an ill-formed name
            message = error.object.decode("utf-8", "backslashreplace")
            raise Error(f"{self.path}: {message}") from error

    def value(self, sql: str, *bindings: object) -> Any:
        """Run a statement and return the first column of its first row, or None."""
        return next(self.rows(sql, *bindings), (None,))[0]

    def run(self, sql: str, *bindings: object) -> None:
        """Run a statement without rows."""
        for _ in self.rows(sql, *bindings):
            pass

    def changes(self) -> int:
        """Return how many rows the last statement changed, without those that triggers did."""
        return int(self._driver.changes())

    def in_transaction(self) -> bool:
        return bool(self._driver.in_transaction())

    def is_utf16(self) -> bool:
        return bool(self.value("PRAGMA encoding") != "UTF-8")

    # ---- progress ----

    def watch(self, callback: Callable[[], None] | None) -> None:
        """Call callback from time to time while a statement runs. It must not use the database."""
        self._callback = callback

    @contextmanager
    def reading(self, show: Callable[[float], None]) -> Iterator[None]:
        """Call show(fraction) while the block scans the whole database: pages read of all pages.

        Pages of indexes are not read, so it may end early. The fraction is 0 where the number of
        pages read is not known.
        """
        pages, before = self.page_count(), self.pages_read()
        self.watch(lambda: show(_fraction(self.pages_read(), before, pages)))
        try:
            yield
        finally:
            self.watch(None)

    def _tick(self) -> bool:
        """Return whether the statement shall end. Python handles Ctrl-C in here."""
        try:
            if self._callback:
                self._callback()
        except KeyboardInterrupt:
            return True
        return False

    def page_count(self) -> int:
        return int(self.value("PRAGMA main.page_count"))

    def pages_read(self) -> int | None:
        """Return how many pages were read so far, or None if that is not known."""
        counted = driver.bytes_read()
        if counted is not None:
            return counted // int(self._page_size)
        pages: int | None = self._driver.pages_read()
        return pages

    # ---- copies ----

    def backup(self, target: Path, show: Callable[[float], None]) -> None:
        """Copy the database to an empty file; show(fraction) as it goes.

        Copies what is committed, through a connection of its own: SQLite refuses to copy from a
        connection that has begun to write.
        """
        try:
            driver.copy(self.path, target, show)
        except driver.Errors as error:
            raise Error(f"{target}: {self._meaning(error)}") from error

    # ---- messages ----

    def without_path(self, error: Error) -> str:
        """Return the message of an Error of this database without the path."""
        message, path = str(error), f"{self.path}: "
        return message[len(path) :] if message.startswith(path) else message

    def _meaning(self, error: Exception) -> str:
        message = driver.message(error)
        if message in ("attempt to write a readonly database", "unable to open database file"):
            return self._meaning_of_readonly()
        return driver.meaning(error)

    def _meaning_of_readonly(self) -> str:
        """SQLite cannot write, or cannot make the files that it needs."""
        journal = Path(f"{self.path}-journal")
        if journal.exists() and not self._writable:
            return (
                f"a program was interrupted while it wrote ({journal.name} exists); to roll its "
                "changes back, open the database for writing once, as `utf8ext repair` does"
            )
        if self._is_wal and not self._writable:
            return "in WAL mode, SQLite needs to write to the folder of the file; use a copy"
        return "SQLite cannot write to the file, its folder or the folder of temporary files"


def _reason_to_refuse(path: Path, writable: bool) -> str | None:
    """Return why a file is not a database at first sight, or cannot be opened as one; or None."""
    try:
        status = path.stat()
    except OSError as error:
        return error.strerror
    if not stat.S_ISREG(status.st_mode):
        return os.strerror(errno.EISDIR) if stat.S_ISDIR(status.st_mode) else "not a file"
    if not os.access(path, os.R_OK):
        return os.strerror(errno.EACCES)
    if writable and not os.access(path, os.W_OK):
        return "the file is read-only"
    if writable and not os.access(path.resolve().parent, os.W_OK):
        return "the folder of the file is read-only"
    if status.st_size == 0 and not _has_companion(path):
        return "the file is empty"
    return None


def _has_companion(path: Path) -> bool:
    return any(os.path.exists(f"{path}{suffix}") for suffix in ("-journal", "-wal"))


def _fraction(now: int | None, before: int | None, pages: int) -> float:
    if now is None or before is None:
        return 0.0
    return min((now - before) / max(pages, 1), 0.99)


def is_wal(path: Path) -> bool:
    """Bytes 18 and 19 of the file are 2 in WAL mode (https://sqlite.org/fileformat.html).

    Call it before SQLite opens the file: closing a file releases all locks of the process on it
    (https://sqlite.org/howtocorrupt.html, section 2.2).
    """
    with open(path, "rb") as file:
        return file.read(20)[18:] == b"\2\2"
