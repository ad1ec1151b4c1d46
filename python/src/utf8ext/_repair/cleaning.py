"""Cleans the well-formed text of all tables with utf8_clean, as UPDATEs of a plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from utf8ext._database import Database
from utf8ext._repair.reasons import virtual_table
from utf8ext._verdict import KEPT
from utf8ext._selection import Selection
from utf8ext._sqltext import folded, literal, quoted

CLEANED = "cleaned"  # the cause of such a row of the plan


class Cell(NamedTuple):
    """A value that cleaning changes; bytes in the database's encoding."""

    table: str
    column: str
    key: int | str | None
    before: bytes
    after: bytes


class _Table(NamedTuple):
    """A table whose columns can be cleaned."""

    name: str
    columns: list[str]  # those that can be written, the primary key WITHOUT ROWID last
    key: list[str]  # the primary key WITHOUT ROWID
    rowid: str | None  # what names the rowid, if it has one that can be named
    keeps_rowids: bool  # VACUUM does


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

    def _columns(self) -> Iterator[tuple[_Table, str]]:
        chosen = self._selection
        for (name,) in list(self._database.rows(_TABLES)):
            if chosen.tables and name not in chosen.tables:
                continue
            if virtual_table(self._database, name) is not None:
                continue
            table = self._table(name)
            for column in table.columns:
                if not chosen.columns or column in chosen.columns:
                    yield table, column

    def _table(self, name: str) -> _Table:
        rows = list(self._database.rows(_COLUMNS, name))
        names = [column for column, *_ in rows]
        if self._database.value(_HAS_ILL_FORMED_KEY, name):  # then no UPDATE finds a row
            return _Table(name, [name for name, is_hidden, *_ in rows if not is_hidden], [], None, False)
        key = [column for (column,) in self._database.rows(_KEY, name)]
        alias = self._alias(name, rows)
        rowid = None if key else _rowid(names) or alias
        others = [column for column, is_hidden, *_ in rows if not is_hidden and column not in key]
        return _Table(name, others + key, key, rowid, alias is not None)

    def _alias(self, name: str, rows: list[tuple[str, bool, str, int]]) -> str | None:
        """Return the INTEGER PRIMARY KEY, which is the rowid unless it has an index."""
        key = [(column, kind) for column, _, kind, place in rows if place]
        if len(key) != 1 or key[0][1].upper() != "INTEGER":
            return None
        return None if self._database.value(_KEY_INDEX, name) else key[0][0]

    # ---- SQL ----

    def _clean(self, expression: str) -> str:
        return f"utf8_clean({expression}, {literal(self._steps)})"

    def _select(self, table: _Table, column: str) -> str:
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

    def _conditions(self, table: _Table, column: str) -> tuple[str, str, str]:
        if table.key:
            return self._key_conditions(table, column)
        if table.rowid is None:
            return "NULL", "NULL", "NULL"
        rowid = quoted(table.rowid) if table.keeps_rowids else table.rowid
        where = f"{literal(rowid + ' = ')} || {rowid}"
        return rowid, where, where

    def _key_conditions(self, table: _Table, column: str) -> tuple[str, str, str]:
        """The columns of the key are cleaned in their order, after all others."""
        place = table.key.index(column) if column in table.key else -1
        names = ", ".join(f'{quoted(name)} COLLATE "BINARY"' for name in table.key)
        start = literal(f"({names}) = ")
        before, after = self._key(table, max(place, 0)), self._key(table, place + 1)
        return self._key(table, 0), f"{start} || {before}", f"{start} || {after}"

    def _key(self, table: _Table, cleaned: int) -> str:
        """Return an expression of the key, of which the first columns are cleaned."""
        chosen = self._selection.columns
        parts = []
        for place, name in enumerate(table.key):
            value = quoted(name)
            if place < cleaned and (not chosen or name in chosen):
                value = _CLEAN_TEXT.format(value, self._clean(value))
            parts.append(_LITERAL.format(value))
        return "'(' || " + " || ', ' || ".join(parts) + " || ')'"


def _rowid(columns: list[str]) -> str | None:
    """Return a name of the rowid that no column has."""
    taken = set(map(folded, columns))
    return next((name for name in ("rowid", "oid", "_rowid_") if name not in taken), None)


# The value {0}, or {1} if it is text that is cleaned.
_CLEAN_TEXT = "CASE WHEN typeof({0}) = 'text' AND utf8_valid({0}) THEN {1} ELSE {0} END"

# An expression of type TEXT: the value {0} as SQL. Infinity has no literal of its own.
_LITERAL = """CASE typeof({0})
    WHEN 'text' THEN CASE WHEN utf8_valid({0}) AND instr({0}, char(0)) = 0
                           AND instr({0}, char(13)) = 0 THEN quote({0})
                          ELSE 'CAST(x''' || hex({0}) || ''' AS TEXT)' END
    WHEN 'real' THEN replace(quote({0}), 'Inf', '9e999') ELSE quote({0}) END"""

_TABLES = """
    SELECT name FROM main.sqlite_master
     WHERE type = 'table' AND rootpage > 0 AND utf8_valid(name) AND substr(name, 1, 7) <> 'sqlite_'
"""

_COLUMNS = """
    SELECT name, hidden, type, pk FROM temp.pragma_table_xinfo(?, 'main') WHERE utf8_valid(name)
"""

_KEY = "SELECT name FROM temp.pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno"

_HAS_ILL_FORMED_KEY = """
    SELECT TRUE FROM temp.pragma_index_xinfo(?, 'main') WHERE key AND NOT utf8_valid(name)
"""

_KEY_INDEX = "SELECT count(*) FROM temp.pragma_index_list(?, 'main') WHERE origin = 'pk'"

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
