"""The table into which files are imported."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from utf8ext import _driver
from utf8ext._error import Error
from utf8ext._import.log import Log
from utf8ext._import.result import Problem
from utf8ext._import.rows import EXTRA, Rows
from utf8ext._sqltext import folded, literal, quoted


_MAX_COLUMNS = """
    SELECT CAST(substr(compile_options, 12) AS INTEGER) FROM pragma_compile_options
    WHERE compile_options LIKE 'MAX_COLUMN=%'
"""


_MAY_DROP_ROWS = """
    SELECT EXISTS (SELECT 1 FROM main.sqlite_master AS t JOIN main.sqlite_master AS m USING (tbl_name)
                    WHERE t.type = 'table' AND t.name = ?1 COLLATE NOCASE
                      AND (m.type = 'trigger' OR m.type = 'table' AND m.sql LIKE '%CONFLICT%'))
"""


_VIOLATION_TABLE = """
    CREATE TEMP TABLE IF NOT EXISTS utf8ext_violation(is_after, parent, row_id, number)
"""

_NOTE_VIOLATIONS = """
    INSERT INTO temp.utf8ext_violation
    SELECT ?, utf8_repair(parent), rowid, fkid FROM temp.pragma_foreign_key_check(?, 'main')
"""

# A row WITHOUT ROWID has no rowid here: of those, only the number is compared.
_NEW_VIOLATIONS = """
    SELECT parent, sum(more)
      FROM (SELECT parent, number, sum(is_after) - sum(1 - is_after) AS more
              FROM temp.utf8ext_violation GROUP BY parent, row_id, number)
     WHERE more > 0 GROUP BY parent, number ORDER BY number
"""


def check_width(run: Callable[[str], Any], width: int, file: str) -> None:
    """Refuse a table that is wider than SQLite allows; run(SQL) returns rows."""
    limit = next((limit for (limit,) in run(_MAX_COLUMNS)), 2000)
    if width > limit:
        message = f"{file}: a table of {width:,} columns; SQLite allows {limit:,}"
        raise Error(f"{message}; nothing was imported")


class Table:
    """A new table, or one that exists. Its columns are TEXT where files make them."""

    def __init__(self, connection: Any, name: str) -> None:
        self._connection = connection
        self.name = name
        self.columns: list[str] = self._existing()
        self.is_new = not self.columns

    def _existing(self) -> list[str]:
        """Return the columns that can be written of a table or view that exists."""
        sql = "SELECT utf8_repair(name) FROM temp.pragma_table_xinfo(?, 'main') WHERE hidden = 0"
        return [name for (name,) in self._connection.execute(sql, (self.name,))]

    def count(self) -> int | None:
        """Return the number of rows of a table that may drop some that are inserted; else None."""
        (drops,) = next(self._connection.execute(_MAY_DROP_ROWS, (self.name,)))
        if not drops:
            return None
        (count,) = next(self._connection.execute(f"SELECT count(*) FROM main.{quoted(self.name)}"))
        return int(count)

    def note_violations(self, is_after: bool) -> None:
        """Note which rows violate a foreign key of a table that existed.

        Notes none if SQLite cannot check it: then it does not enforce the foreign key either.
        """
        if self.is_new:
            return
        self._connection.execute(_VIOLATION_TABLE)
        with suppress(*_driver.Errors):
            self._connection.execute(_NOTE_VIOLATIONS, (int(is_after), self.name))

    def new_violations(self) -> list[tuple[str, int]]:
        """Return what foreign keys refer to, and how many rows violate each that did not before."""
        return [] if self.is_new else list(self._connection.execute(_NEW_VIOLATIONS))

    def drop(self) -> None:
        """Remove the table, to make it anew."""
        self._connection.execute(f"DROP TABLE main.{quoted(self.name)}")
        self.columns, self.is_new = [], True

    def places(self, rows: Rows, names: list[str], file: str, log: Log | None) -> list[str]:
        """Return the table's column for each column of a file. Adds columns to a new table."""
        by_place = self.columns[: len(names)] + names[len(self.columns) :]
        wanted = _distinct(names, file, log) if rows.has_names else by_place
        known = {folded(column): column for column in self.columns}
        new = [name for name in wanted if folded(name) not in known]
        if rows.adds_columns or new == [EXTRA]:
            log = None
        if log and self.columns:
            self._tell_unused(wanted, file, log)
        if new:
            self._add(new, file, log)
        known.update((folded(name), name) for name in new)
        return [known[folded(name)] for name in wanted]

    def _add(self, names: list[str], file: str, log: Log | None) -> None:
        if not self.is_new:
            quoted_names = ", ".join(map(repr, names))
            raise Error(f"{file}: table '{self.name}' has no column {quoted_names}")
        check_width(self._connection.execute, len(self.columns) + len(names), file)
        if not self.columns:
            definition = ", ".join(f"{quoted(name)} TEXT" for name in names)
            self._connection.execute(f"CREATE TABLE main.{quoted(self.name)}({definition})")
        else:
            self._add_later(names, file, log)
        self.columns += names

    def _add_later(self, names: list[str], file: str, log: Log | None) -> None:
        for name in names:
            alter = f"ALTER TABLE main.{quoted(self.name)} ADD COLUMN {quoted(name)} TEXT"
            self._connection.execute(alter)
            if log:
                log.problem(Problem("new column", file, 1, f"{name!r} is not in the files before"))

    def _tell_unused(self, names: list[str], file: str, log: Log) -> None:
        used = set(map(folded, names))
        for column in self.columns:
            if folded(column) not in used and column != EXTRA:
                log.problem(Problem("missing column", file, 1, f"{column!r} is not in the header"))

    def insert_sql(self, columns: list[str], steps: str | None, raw: bytes | None) -> str:
        """Return the INSERT of a row; steps are those of utf8_clean().

        A blob that starts with raw is ill-formed TEXT, which no driver can pass.
        """
        names = ", ".join(map(quoted, columns))
        marks = ", ".join(_mark(place, steps, raw) for place in range(1, len(columns) + 1))
        return f"INSERT INTO main.{quoted(self.name)}({names}) VALUES ({marks})"


def _mark(place: int, steps: str | None, raw: bytes | None) -> str:
    value = f"?{place}" if steps is None else f"utf8_clean(?{place}, {literal(steps)})"
    if raw is None:
        return value
    text = f"CAST(substr(?{place}, {len(raw) + 1}) AS TEXT)"
    return f"CASE substr(?{place}, 1, {len(raw)}) WHEN x'{raw.hex()}' THEN {text} ELSE {value} END"


def _distinct(names: list[str], file: str, log: Log | None) -> list[str]:
    """Return names that a table can have: none is empty, has a NUL or occurs twice."""
    distinct: dict[str, str] = {}
    numbers: dict[str, int] = {}  # the last number after a name
    for place, name in enumerate(names):
        clean = name.replace("\0", "") or f"column_{place + 1}"
        new, number = clean, numbers.get(clean, 1)
        while folded(new) in distinct:
            number += 1
            new = f"{clean}_{number}"
        distinct[folded(new)], numbers[clean] = new, number
        if new != name and log:
            kind = (
                "duplicate header" if number > 1 else "header with NUL" if name else "empty header"
            )
            log.problem(Problem(kind, file, 1, f"column {place + 1} is named {new!r}"))
    return list(distinct.values())
