"""The columns of a table that an UPDATE can change, and what identifies its rows."""

from __future__ import annotations

from typing import NamedTuple

from utf8ext._database import Database
from utf8ext._sqltext import quoted, rowid_name


class Table(NamedTuple):
    name: str
    columns: list[str]  # those that can be written, the primary key WITHOUT ROWID last
    key: list[str]  # the primary key WITHOUT ROWID
    collations: list[str]  # of its columns
    rowid: str | None  # what names the rowid in SQL, if the table has one that can be named

    def key_columns(self) -> str:
        """Return the left side of a comparison with the key as utf8_audit writes it."""
        pairs = zip(self.key, self.collations)
        return f"({', '.join(f'{quoted(name)} COLLATE {quoted(by)}' for name, by in pairs)})"

    def update(self, column: str, new: str, key: object) -> str:
        """Return the UPDATE that writes new, an expression in SQL, in the row with this key."""
        identity = self.key_columns() if self.key else self.rowid
        start = f'UPDATE "main".{quoted(self.name)} SET {quoted(column)} = {new}'
        return f"{start} WHERE {identity} = {key};"

    def undo(self, column: str, old: str, key: object, new: str) -> str:
        """Return the UPDATE that puts old back, unless new was changed since."""
        return f'{self.update(column, old, key)[:-1]} AND {quoted(column)} COLLATE "BINARY" = {new};'


def read_table(database: Database, name: str) -> Table:
    rows = list(database.rows(_COLUMNS, name))
    names = [column for column, *_ in rows]
    if database.value(_HAS_ILL_FORMED_KEY, name):  # then no UPDATE finds a row
        return Table(name, [name for name, is_hidden, *_ in rows if not is_hidden], [], [], None)
    found = list(database.rows(_KEY, name))
    key, collations = [column for column, _ in found], [by for _, by in found]
    rowid = None if key else rowid_name(names) or _alias(database, name, rows)
    others = [column for column, is_hidden, *_ in rows if not is_hidden and column not in key]
    return Table(name, others + key, key, collations, rowid)


def _alias(database: Database, name: str, rows: list[tuple[str, bool, str, int]]) -> str | None:
    """Return the INTEGER PRIMARY KEY, which is the rowid unless it has an index."""
    key = [(column, kind) for column, _, kind, place in rows if place]
    if len(key) != 1 or key[0][1].upper() != "INTEGER":
        return None
    return None if database.value(_KEY_INDEX, name) else quoted(key[0][0])


# An expression of type TEXT: the value {0} as SQL. Infinity has no literal of its own.
LITERAL = """CASE typeof({0})
    WHEN 'text' THEN CASE WHEN utf8_valid({0}) AND instr({0}, char(0)) = 0
                           AND instr({0}, char(13)) = 0 THEN quote({0})
                          ELSE 'CAST(x''' || lower(hex({0})) || ''' AS TEXT)' END
    WHEN 'real' THEN replace(quote({0}), 'Inf', '9e999') ELSE quote({0}) END"""

_COLUMNS = """
    SELECT name, hidden, type, pk FROM temp.pragma_table_xinfo(?, 'main') WHERE utf8_valid(name)
"""

_KEY = """
    SELECT name, CASE WHEN utf8_valid(coll) THEN coll ELSE 'BINARY' END
      FROM temp.pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno
"""

_HAS_ILL_FORMED_KEY = """
    SELECT TRUE FROM temp.pragma_index_xinfo(?, 'main') WHERE key AND NOT utf8_valid(name)
"""

_KEY_INDEX = "SELECT count(*) FROM temp.pragma_index_list(?, 'main') WHERE origin = 'pk'"
