"""Virtual tables, and the shadow tables that hold what they make of their content."""

from __future__ import annotations

from functools import cached_property

from utf8ext._database import Database
from utf8ext._error import Error


class VirtualTables:
    """The virtual tables of a database, as audit/table.c knows them."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._names: dict[bytes, bytes] = {name.lower(): name for (name,) in database.rows(_VIRTUAL)}

    def owner(self, table: bytes) -> bytes | None:
        """Return the virtual table T of a shadow table T_..., or None. If several fit, return the longest name."""
        folded = table.lower()
        start, line, _ = folded.rpartition(b"_")
        while line:
            if start in self._names and self._has(start, folded):
                return self._names[start]
            start, line, _ = start.rpartition(b"_")
        return None

    def _has(self, owner: bytes, table: bytes) -> bool:
        """Without a list, every table T_... is one."""
        listed = {shadow.rpartition(b"_")[0] for shadow in self._shadows}
        return table in self._shadows or owner not in listed

    @cached_property
    def _shadows(self) -> set[bytes]:
        """To list them, SQLite compiles all views. None are listed before SQLite 3.37."""
        try:
            return {name.lower() for (name,) in self._database.rows(_SHADOWS)}
        except Error:
            return set()


_VIRTUAL = """
    SELECT CAST(name AS BLOB) FROM main.sqlite_master
     WHERE lower(CAST(type AS TEXT)) = 'table' AND ifnull(rootpage, 0) = 0 AND name IS NOT NULL
"""

_SHADOWS = """
    SELECT CAST(name AS BLOB) FROM temp.pragma_table_list WHERE schema = 'main' AND type = 'shadow'
"""
