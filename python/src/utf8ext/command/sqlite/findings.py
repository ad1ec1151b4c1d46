"""What utf8_audit finds in the main schema, row by row, with the bytes around each error."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from utf8ext.command.sqlite.database import Database
from utf8ext.command.sqlite.selection import Selection

WINDOW = 4096  # bytes of a long value that are read, half of them before the error


@dataclass(frozen=True)
class Window:
    """The stored bytes of a value, or of the part of a long one in which the error is."""

    stored: bytes
    error_at: int  # where in stored the error starts
    cut_before: bool = False  # does the value start earlier?
    cut_after: bool = False  # does the value end later?

    def part(self, start: int, end: int) -> Window:
        """Return the window stored[start:end]."""
        cut_before = self.cut_before or start > 0
        cut_after = self.cut_after or end < len(self.stored)
        return Window(self.stored[start:end], self.error_at - start, cut_before, cut_after)

    def from_ascii(self) -> bytes:
        """Return the bytes; if the start is cut off, from an ASCII byte on, so that the first
        character is whole in any charset."""
        if not self.cut_before:
            return self.stored
        starts = (i for i in range(self.error_at) if self.stored[i] < 0x40)
        return self.stored[next(starts, 0) :]


@dataclass(frozen=True)
class Finding:
    """A row of utf8_audit. Without column: a table, or a part of it, that cannot be read."""

    table: str
    column: str | None
    key: int | str | None
    offset: int | None
    error: str
    errors: int | None
    repair_sql: str | None
    window: Window | None


def find(
    database: Database,
    policy: str = "subpart",
    suspects: bool = False,
    selection: Selection = Selection(),
    repair_sql: bool = False,
) -> Iterator[Finding]:
    """Yield what is found, as soon as it is found. Reads repair_sql only on request."""
    condition, bindings = selection.where()
    sql = _SELECT.format(
        at=_AT_UTF16 if database.is_utf16() else '"offset"',
        window=WINDOW,
        half=WINDOW // 2,
        repair_sql="repair_sql" if repair_sql else "NULL",
        condition=condition,
    )
    for *row, stored, start, at, size in database.rows(sql, policy, int(suspects), *bindings):
        window = _window(stored, start, at, size)
        yield Finding(*row, window=window)


# An offset counts bytes of UTF-8, even if the database stores UTF-16. The text before it is
# well-formed, so utf8_truncate returns it.
_AT_UTF16 = """length(CAST(utf8_truncate(CAST(value AS TEXT), "offset") AS BLOB))"""

_SELECT = """
    SELECT table_name, column_name, key, "offset", error, errors, {repair_sql},
           substr(value, start + 1, {window}), start, at, length(value)
      FROM (SELECT *, max(at - {half}, 0) & ~1 AS start
              FROM (SELECT *, {at} AS at FROM temp.utf8_audit('main', ?, ?)
                     WHERE {condition}))
"""


def _window(
    stored: bytes | None, start: int | None, at: int | None, size: int | None
) -> Window | None:
    if stored is None or start is None or at is None or size is None:
        return None
    return Window(stored, at - start, start > 0, start + len(stored) < size)
