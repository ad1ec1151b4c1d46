"""A temporary database with utf8ext, which decides about text and holds what was decided."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from utf8ext import _driver
from utf8ext._error import Error


class Engine:
    """A connection to a private database in UTF-8, which may spill to a temporary file."""

    def __init__(self) -> None:
        self.connection = _driver.connect("")
        self.run("PRAGMA journal_mode = OFF")
        self.run("PRAGMA synchronous = OFF")

    def rows(self, sql: str, *bindings: object) -> Iterable[tuple[Any, ...]]:
        """Run a statement and return its rows."""
        try:
            rows: Iterable[tuple[Any, ...]] = self.connection.execute(sql, bindings)
        except _driver.Errors as error:
            raise Error(_driver.message(error)) from error
        return rows

    def run(self, sql: str, *bindings: object) -> None:
        """Run a statement without rows."""
        for _ in self.rows(sql, *bindings):
            pass

    def value(self, sql: str, *bindings: object) -> Any:
        """Run a statement and return its only value."""
        ((value,),) = self.rows(sql, *bindings)
        return value

    def charset(self, name: str) -> str:
        """Return the canonical name of a charset; an Error lists what is accepted."""
        self.value("SELECT utf8_from('', ?)", name)
        charset: str | None = self.value("SELECT utf8_charset_name(?)", name)
        if charset is None:
            raise Error(f"{name} is not a charset that text can be in")
        return charset
