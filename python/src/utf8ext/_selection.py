"""The tables and columns that a user chose by --table and --column."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from utf8ext._database import Database
from utf8ext._error import Error
from utf8ext._sqltext import folded


@dataclass(frozen=True)
class Selection:
    """Names of tables and columns as utf8_audit shows them. An empty tuple selects all."""

    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    def where(self) -> tuple[str, tuple[str, ...]]:
        """Return a condition on the rows of utf8_audit, and its bindings.

        Keeps rows without column_name, which say what cannot be read.
        """
        conditions = ["TRUE"]
        if self.tables:
            conditions.append(f"table_name IN ({_placeholders(self.tables)})")
        if self.columns:
            marks = _placeholders(self.columns)
            conditions.append(f"(column_name IN ({marks}) OR column_name IS NULL)")
        return " AND ".join(conditions), self.tables + self.columns

    def has(self, table: str, column: str) -> bool:
        is_table = not self.tables or table in self.tables
        return is_table and (not self.columns or column in self.columns)


def select(database: Database, tables: Iterable[str], columns: Iterable[str]) -> Selection:
    """Look the names up, ignoring case as SQLite does. An unknown name is an Error.

    A str is one name.
    """
    rows = database.rows(_TABLES)
    chosen = look_up(database, "table", tables, [name for name, in rows])
    known = [name for table, name in database.rows(_COLUMNS) if not chosen or table in chosen]
    return Selection(chosen, look_up(database, "column", columns, known))


_TABLES = "SELECT utf8_repair(name, 'escape') FROM main.sqlite_master WHERE rootpage > 0"

_COLUMNS = """
    SELECT utf8_repair(m.name, 'escape'), utf8_repair(c.name, 'escape')
      FROM main.sqlite_master AS m, temp.pragma_table_xinfo(m.name, 'main') AS c
     WHERE m.type = 'table' AND m.rootpage > 0
"""


def look_up(
    database: Database, what: str, names: Iterable[str], known: list[str]
) -> tuple[str, ...]:
    """Return the known names that names are, ignoring case. An unknown one is an Error."""
    found: dict[str, None] = {}
    for name in (names,) if isinstance(names, str) else names:
        matches = [other for other in known if folded(other) == folded(name)]
        if not matches:
            raise Error(f"{database.path}: no {what} '{name}'{_nearest(name, known)}")
        found.update(dict.fromkeys(matches))
    return tuple(found)


def _nearest(name: str, known: list[str]) -> str:
    near = difflib.get_close_matches(name, dict.fromkeys(known), n=3, cutoff=0.5)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""


def _placeholders(values: tuple[str, ...]) -> str:
    return ", ".join("?" * len(values))
