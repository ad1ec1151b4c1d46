"""What utf8_audit finds in the main schema, row by row, with the bytes around each error."""

from __future__ import annotations

from collections.abc import Generator
from os.path import commonprefix
from typing import NamedTuple

from utf8ext._database import Database
from utf8ext._keys import Keys
from utf8ext._selection import Selection
from utf8ext._sqltext import literal
from utf8ext._verdict import (
    CAUSE,
    KEPT,
    ROUNDS,
    kinds_found,
    looks_for_suspects,
    loses,
    unless_unclear,
)

WINDOW = 4096  # bytes of a long value that are read, half of them before the error


class Window(NamedTuple):
    """Bytes of a value in the database's encoding, or of the part of a long one with the error."""

    stored: bytes
    error_at: int  # where in stored the error starts; in a repaired value, what changed
    cut_before: bool = False  # does the value start earlier?
    cut_after: bool = False  # does the value end later?

    def part(self, start: int, end: int) -> Window:
        """Return the window stored[start:end]."""
        cut_before = self.cut_before or start > 0
        cut_after = self.cut_after or end < len(self.stored)
        return Window(self.stored[start:end], self.error_at - start, cut_before, cut_after)


class Finding(NamedTuple):
    """A row of utf8_audit. Without column: a table, or a part of it, that cannot be read."""

    table: str
    column: str | None
    key: int | str | None
    offset: int | None
    error: str
    errors: int | None
    cause: str | None
    repair_sql: str | None
    repair_call: str | None
    loses: bool  # does the repair write U+FFFD?
    window: Window | None
    repaired: Window | None  # of the value after the repair; None if the policy leaves it


def find(
    database: Database,
    policy: str = "auto",
    suspects: bool = False,
    selection: Selection = Selection(),
    repair_sql: bool = False,
    steps: str | None = None,
    settled: bool = False,
    misread: bool = True,
) -> Generator[Finding, None, None]:
    """Yield what is found, as soon as it is found. Reads repair_sql and repair_call only on request.

    The policy auto also finds text that was misread, unless misread is False, and leaves what is
    unclear. If settled, `repaired` is what all rounds of a repair make of the value, not the first one. With
    steps of utf8_clean(), it is what they make of that.
    """
    condition, bindings = selection.where()
    repaired = _SETTLED if suspects and settled else "repaired"
    sql = _SELECT.format(
        at=_AT_UTF16 if database.is_utf16() else '"offset"',
        window=WINDOW,
        half=WINDOW // 2,
        repair_sql=unless_unclear("repair_sql", policy) if repair_sql else "NULL",
        repair_call=unless_unclear("repair_call", policy) if repair_sql else "NULL",
        cause=CAUSE,
        lost=loses(database.is_utf16()),
        repaired=unless_unclear(
            repaired if steps is None else f"utf8_clean({repaired}, {literal(steps)})", policy
        ),
        condition=f"{condition} AND {kinds_found(suspects)}",
    )
    looks, keys = looks_for_suspects(suspects, misread, policy), Keys(database)
    for *row, stored, start, at, size, after, after_size in database.rows(
        sql, policy, looks, *bindings
    ):
        if row[_REPAIR_SQL]:
            row[_REPAIR_SQL] = keys.repair_sql(*row[:3], *row[_REPAIR_SQL : _REPAIR_SQL + 2])
        windows = _windows((stored, start, at, size), (after, after_size))
        yield Finding._make([*row, *windows])


_REPAIR_SQL = 7  # the place of repair_sql in a row, before repair_call

# An offset counts bytes of UTF-8, even if the database stores UTF-16. The text before it is
# well-formed, so utf8_truncate returns it.
_AT_UTF16 = """length(CAST(utf8_truncate(CAST(value AS TEXT), "offset") AS BLOB))"""

# utf8_audit repairs one kind of suspicious text in a value, and the next round of a repair another.
_SETTLED = f"""
    (WITH RECURSIVE step(text, n) AS (
       SELECT repaired, 1
       UNION ALL
       SELECT CASE utf8_suspect(text)
                WHEN 'mojibake' THEN utf8_demojibake(text)
                WHEN 'bom' THEN utf8_strip_bom(text)
                ELSE utf8_strip(text, utf8_suspect(text)) END, n + 1
         FROM step WHERE utf8_suspect(text) NOT IN {KEPT} AND n < {ROUNDS})
     SELECT text FROM step ORDER BY n DESC LIMIT 1)
"""

# Of a long value, the part around the error; its start if the repair changes what is before that
# part. LIMIT and WHERE keep SQLite from merging the innermost SELECT with the others, since it would
# then compute `repaired` again for each use.
_SELECT = """
    SELECT table_name, column_name, key, "offset", error, errors, cause, repair_sql, repair_call,
           lost AND after IS NOT NULL, substr(value, start + 1, {window}), start, at, length(value),
           substr(after, start + 1, {window}), length(after)
      FROM (SELECT *, CASE WHEN after IS NULL OR substr(value, 1, half) = substr(after, 1, half)
                           THEN half ELSE 0 END AS start
              FROM (SELECT *, max(at - {half}, 0) & ~1 AS half
                      FROM (SELECT table_name, column_name, key, "offset", error, errors,
                                   {cause} AS cause, {lost} AS lost,
                                   {repair_sql} AS repair_sql, {repair_call} AS repair_call, value, {at} AS at,
                                   CAST({repaired} AS BLOB) AS after
                              FROM temp.utf8_audit('main', ?, ?) WHERE {condition} LIMIT -1)
                     WHERE error > ''))
"""


def _windows(
    value: tuple[bytes | None, int, int, int], after: tuple[bytes | None, int | None]
) -> tuple[Window | None, Window | None]:
    """Return the windows of a value before and after the repair. They start at the same offset."""
    stored, start, at, size = value
    repaired, repaired_size = after
    if stored is None:
        return None, None
    before = Window(stored, at - start, start > 0, start + len(stored) < size)
    if repaired_size is None:
        return before, None
    repaired = repaired or b""  # substr() of an empty value is NULL
    at = min(before.error_at, len(commonprefix([stored, repaired])))
    return before, Window(repaired, at, start > 0, start + len(repaired) < repaired_size)
