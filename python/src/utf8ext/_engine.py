"""The functions of utf8ext, for text that is in no database of the user's."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from utf8ext import _driver
from utf8ext._error import Error

_FIND = "SELECT name, kind FROM utf8_charsets WHERE name = utf8_charset_name(?)"


class Charset(NamedTuple):
    """A row of utf8_charsets."""

    name: str
    kind: str  # 'unicode', 'single-byte', 'multi-byte' or 'utf-8 dialect'


class Engine:
    """A connection to a private database in UTF-8, with utf8ext loaded."""

    def __init__(self, path: str = ":memory:") -> None:
        """An empty path means a temporary file, for what may not fit into memory."""
        self._connection = _driver.connect(path)

    def rows(self, sql: str, *bindings: object) -> Iterator[tuple[Any, ...]]:
        """Run a statement and return its rows, one by one."""
        try:
            yield from self._connection.execute(sql, bindings)
        except _driver.Errors as error:
            raise Error(_driver.message(error)) from error

    def run(self, sql: str, *bindings: object) -> None:
        """Run a statement without rows."""
        for _ in self.rows(sql, *bindings):
            pass

    def run_each(self, sql: str, bindings: Iterable[tuple[object, ...]]) -> None:
        """Run a statement without rows for each of the bindings, in one transaction."""
        try:
            with self._connection:
                self._connection.executemany(sql, bindings)
        except _driver.Errors as error:
            raise Error(_driver.message(error)) from error

    def row(self, sql: str, *bindings: object) -> tuple[Any, ...]:
        """Run a statement and return its only row."""
        (row,) = self.rows(sql, *bindings)
        return row

    def value(self, sql: str, *bindings: object) -> Any:
        """Run a statement and return its only value."""
        return self.row(sql, *bindings)[0]

    def charset(self, name: str) -> Charset:
        """Return the charset with this name or alias; an Error names the nearest ones."""
        self.value("SELECT utf8_from('', ?)", name)
        row = next(self.rows(_FIND, name), None)
        if row is None:
            raise Error(f"{name} is not a charset that text can be in")
        return Charset(*row)


_threads = threading.local()  # .engine


def thread_engine() -> Engine:
    """Return the engine of this thread, which functions share that keep nothing in it."""
    if not hasattr(_threads, "engine"):
        _threads.engine = Engine()
    engine: Engine = _threads.engine
    return engine
