"""An SQLite database with utf8ext loaded, through apsw, or sqlite3 where that loads extensions."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import utf8ext
from utf8ext.command.failure import Failure

try:
    import apsw
except ImportError:
    apsw = None

DriverErrors = (sqlite3.Error,) if apsw is None else (sqlite3.Error, apsw.Error)


class Database:
    """An open database file."""

    def __init__(self, path: Path, writable: bool = False) -> None:
        self.path = path
        if not path.is_file():
            raise Failure(f"{path}: no such file")
        try:
            self.connection = _connect(path, writable)
            utf8ext.load(self.connection)
            self.connection.execute("SELECT count(*) FROM sqlite_schema")
        except DriverErrors as error:
            raise Failure(f"{path}: {error}") from error

    def rows(self, sql: str, *bindings: object) -> Iterator[tuple]:
        """Run a statement and return its rows, one by one."""
        try:
            yield from self.connection.execute(sql, bindings)
        except DriverErrors as error:
            raise Failure(f"{self.path}: {error}") from error

    def run(self, sql: str, *bindings: object) -> None:
        """Run a statement without rows."""
        for _ in self.rows(sql, *bindings):
            pass


def _connect(path: Path, writable: bool) -> sqlite3.Connection | apsw.Connection:
    uri = f"file:{quote(str(path))}?mode={'rw' if writable else 'ro'}"
    if apsw is not None:
        flags = apsw.SQLITE_OPEN_READWRITE if writable else apsw.SQLITE_OPEN_READONLY
        return apsw.Connection(uri, flags=flags | apsw.SQLITE_OPEN_URI)
    return sqlite3.connect(uri, uri=True, isolation_level=None)
