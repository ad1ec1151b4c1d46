"""The functions of utf8ext, for bytes that are in no database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import utf8ext
from utf8ext import _driver as driver
from utf8ext.command.failure import Failure

_FIND = "SELECT name, kind FROM utf8_charsets WHERE name = utf8_charset_name(?)"


class Charset(NamedTuple):
    """A row of utf8_charsets."""

    name: str
    kind: str  # 'unicode', 'single-byte', 'multi-byte' or 'utf-8 dialect'


class Engine:
    """A connection to no file, with utf8ext loaded. Text goes in and comes out as bytes."""

    def __init__(self) -> None:
        if not driver.loads_extensions():
            raise Failure("this Python cannot load SQLite extensions; run: pip install apsw")
        self._connection: Any = _connect()
        utf8ext.load(self._connection)

    def rows(self, sql: str, *bindings: object) -> Iterator[tuple[Any, ...]]:
        """Run a statement and return its rows, one by one."""
        try:
            yield from self._connection.execute(sql, bindings)
        except driver.Errors as error:
            raise Failure(str(error)) from error

    def row(self, sql: str, *bindings: object) -> tuple[Any, ...]:
        """Run a statement and return its only row."""
        (row,) = self.rows(sql, *bindings)
        return row

    def value(self, sql: str, *bindings: object) -> Any:
        """Run a statement and return its only value."""
        return self.row(sql, *bindings)[0]

    def define(self, name: str, function: Callable[[], object]) -> None:
        """Make a Python function without arguments available in SQL."""
        if hasattr(self._connection, "create_scalar_function"):
            self._connection.create_scalar_function(name, function, 0)
        else:
            self._connection.create_function(name, 0, function)

    def charset(self, name: str) -> Charset:
        """Return the charset with this name or alias; a Failure names the nearest ones."""
        self.value("SELECT utf8_from('', ?)", name)
        row = next(self.rows(_FIND, name), None)
        if row is None:
            raise Failure(f"{name} is not a charset that text can be in")
        return Charset(*row)


def _connect() -> Any:
    if driver.apsw is not None:
        return driver.apsw.Connection(":memory:")
    return sqlite3.connect(":memory:", isolation_level=None)
