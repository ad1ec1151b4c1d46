"""Virtual tables, and the shadow tables that hold what they make of their content."""

from __future__ import annotations

import re

from utf8ext._database import Database
from utf8ext._error import Error


class VirtualTables:
    """The virtual tables of a database, as audit/table.c knows them."""

    def __init__(self, database: Database) -> None:
        self._names = {name.lower(): name for (name,) in database.rows(_VIRTUAL)}
        self._shadows = _listed_shadows(database) if self._names else set()
        self._listed = {shadow.rpartition(b"_")[0] for shadow in self._shadows}

    def owner(self, table: bytes) -> bytes | None:
        """Return the virtual table T of a shadow table T_..., or None. Of several, the longest name is that."""
        folded = table.lower()
        starts = [folded[: match.start()] for match in re.finditer(b"_", folded)] if self._names else []
        return next((self._names[t] for t in reversed(starts) if t in self._names and self._has(t, folded)), None)

    def _has(self, owner: bytes, table: bytes) -> bool:
        """Without a list, every table T_... is one."""
        return table in self._shadows or owner not in self._listed


def _listed_shadows(database: Database) -> set[bytes]:
    try:
        return {name.lower() for (name,) in database.rows(_SHADOWS)}
    except Error:  # SQLite before 3.37 does not list them
        return set()


_VIRTUAL = """
    SELECT CAST(name AS BLOB) FROM main.sqlite_master
     WHERE lower(CAST(type AS TEXT)) = 'table' AND ifnull(rootpage, 0) = 0 AND name IS NOT NULL
"""

_SHADOWS = """
    SELECT CAST(name AS BLOB) FROM temp.pragma_table_list WHERE schema = 'main' AND type = 'shadow'
"""
