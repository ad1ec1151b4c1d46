"""Cleans the well-formed text of all tables with utf8_clean, as UPDATEs of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from utf8ext._database import Database
from utf8ext._repair.virtual import owner_of
from utf8ext._selection import Selection
from utf8ext._sqltext import literal, quoted
from utf8ext._table import LITERAL, Table, read_table
from utf8ext._verdict import KEPT

CLEANED = "cleaned"  # the cause of such a row of the plan


class Cell(NamedTuple):
    """A value that cleaning changes; bytes in the database's encoding."""

    table: str
    column: str
    key: int | str | None
    before: bytes
    after: bytes


class Cleaning:
    """The cells of a database that utf8_clean() changes."""

    def __init__(self, database: Database, selection: Selection, steps: str) -> None:
        self._database = database
        self._selection = selection
        self._steps = steps

    def add_to_plan(self) -> None:
        """Add an UPDATE for each value to temp.utf8ext_plan."""
        for table, column in self._columns():
            name = quoted(column)
            start = f'UPDATE "main".{quoted(table.name)} SET {name} = '
            self._database.run(
                _INSERT.format(self._select(table, column)),
                *(table.name, column, start, f"{self._clean(name)} WHERE "),
                f' AND {name} COLLATE "BINARY" = ',
            )

    def cells(self, suspects: bool) -> Iterator[Cell]:
        """Yield what cleaning changes, unless it is a suspect that another repair changes."""
        kept = ", ".join(map(literal, KEPT))
        for table, column in self._columns():
            sql = _CELLS.format(self._select(table, column), int(suspects), kept)
            for key, before, after in self._database.rows(sql):
                yield Cell(table.name, column, key, before, after or b"")

    def finds_any(self) -> bool:
        """Is there a value that an UPDATE can clean?"""
        return any(cell.key is not None for cell in self.cells(suspects=False))

    # ---- the tables ----

    def _columns(self) -> Iterator[tuple[Table, str]]:
        chosen = self._selection
        for (name,) in list(self._database.rows(_TABLES)):
            if chosen.tables and name not in chosen.tables:
                continue
            if owner_of(self._database, name) is not None:
                continue
            table = read_table(self._database, name)
            for column in table.columns:
                if not chosen.columns or column in chosen.columns:
                    yield table, column

    # ---- SQL ----

    def _clean(self, expression: str) -> str:
        return f"utf8_clean({expression}, {literal(self._steps)})"

    def _select(self, table: Table, column: str) -> str:
        """Return a SELECT of key, before, after, and of the conditions that find a row before and
        after its UPDATE, as SQL."""
        key, where_before, where_after = self._conditions(table, column)
        name = quoted(column)
        return (
            f"SELECT {key} AS key, {name} AS before, {self._clean(name)} AS after, "
            f"{where_before} AS where_before, {where_after} AS where_after "
            f"FROM main.{quoted(table.name)} "
            f"WHERE typeof({name}) = 'text' AND utf8_valid({name}) LIMIT -1"
        )

    def _conditions(self, table: Table, column: str) -> tuple[str, str, str]:
        if table.key:
            return self._key_conditions(table, column)
        if table.rowid is None:
            return "NULL", "NULL", "NULL"
        where = f"{literal(table.rowid + ' = ')} || {table.rowid}"
        return table.rowid, where, where

    def _key_conditions(self, table: Table, column: str) -> tuple[str, str, str]:
        """The columns of the key are cleaned in their order, after all others."""
        place = table.key.index(column) if column in table.key else -1
        start = literal(f"{table.key_columns()} = ")
        before, after = self._key(table, max(place, 0)), self._key(table, place + 1)
        return self._key(table, 0), f"{start} || {before}", f"{start} || {after}"

    def _key(self, table: Table, cleaned: int) -> str:
        """Return an expression of the key, of which the first columns are cleaned."""
        chosen = self._selection.columns
        parts = []
        for place, name in enumerate(table.key):
            value = quoted(name)
            if place < cleaned and (not chosen or name in chosen):
                value = _CLEAN_TEXT.format(value, self._clean(value))
            parts.append(LITERAL.format(value))
        return "'(' || " + " || ', ' || ".join(parts) + " || ')'"


# The value {0}, or {1} if it is text that is cleaned.
_CLEAN_TEXT = "CASE WHEN typeof({0}) = 'text' AND utf8_valid({0}) THEN {1} ELSE {0} END"

_TABLES = """
    SELECT name FROM main.sqlite_master
     WHERE type = 'table' AND rootpage > 0 AND utf8_valid(name) AND substr(name, 1, 7) <> 'sqlite_'
"""

_LONG = 400_000_000  # bytes of a value, before and after, that still fit into a statement

_INSERT = f"""
    INSERT INTO temp.utf8ext_plan(table_name, column_name, key, cause, repair_sql, undo_sql)
    SELECT ?1, ?2, key, '{CLEANED}', ?3 || ?4 || where_before || ';',
           CASE WHEN length(CAST(before AS BLOB)) + length(CAST(after AS BLOB)) < {_LONG} THEN
             ?3 || 'CAST(x''' || hex(before) || ''' AS TEXT) WHERE ' || where_after
             || ?5 || 'CAST(x''' || hex(after) || ''' AS TEXT);' END
      FROM ({{}})
     WHERE before IS NOT after COLLATE BINARY
"""

_CELLS = """
    SELECT key, CAST(before AS BLOB), CAST(after AS BLOB) FROM ({0})
     WHERE before IS NOT after COLLATE BINARY
       AND NOT ({1} AND coalesce(utf8_suspect(before), '') NOT IN ('', {2}))
"""
