"""Virtual tables, and the shadow tables that hold what they make of their content."""

from __future__ import annotations

from functools import cached_property, lru_cache

from utf8ext._database import Database
from utf8ext._error import Error
from utf8ext._sqltext import folded


class _VirtualTables:
    """The virtual tables of a database. Names are as utf8_audit shows them: bytes that are ill-formed are escaped."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._names: dict[str, str] = {folded(name): name for (name,) in database.rows(_VIRTUAL)}

    def owner(self, table: str) -> str | None:
        name = folded(table)
        start, line, _ = name.rpartition("_")
        while line and start not in self._names:
            start, line, _ = start.rpartition("_")
        return self._names[start] if line and name in self._shadows else None

    @cached_property
    def _shadows(self) -> set[str]:
        """To list them, SQLite compiles all views. Before SQLite 3.37 it cannot."""
        try:
            return self._select_shadows(_LISTED)
        except Error:
            return self._select_shadows("")

    def _select_shadows(self, listed: str) -> set[str]:
        sql = _SHOWN.format(_SHADOWS.format(listed=listed))
        return {folded(name) for (name,) in self._database.rows(sql)}


def owner_of(database: Database, table: str) -> str | None:
    """Return the virtual table T of a shadow table T_..., or None. If several fit, return the longest name.

    The schema is read once, until it changes.
    """
    return _virtual_tables(database, database.value("PRAGMA main.schema_version")).owner(table)


@lru_cache(maxsize=1)
def _virtual_tables(database: Database, version: int) -> _VirtualTables:
    return _VirtualTables(database)


_SHOWN = "SELECT utf8_repair(n, 'escape') FROM ({})"

_VIRTUAL = _SHOWN.format(
    """
    SELECT CAST(name AS TEXT) AS n FROM main.sqlite_master
     WHERE CAST(type AS TEXT) = 'table' COLLATE NOCASE AND ifnull(rootpage, 0) = 0 AND name IS NOT NULL
    """
)

# audit/table.c explains the statement. It is the same there, so utf8_audit and a repair leave the same tables.
_SHADOWS = """
    SELECT n FROM (SELECT n,
    max(e COLLATE NOCASE) OVER (ORDER BY s COLLATE NOCASE) AS m,
    max(u COLLATE NOCASE) OVER (ORDER BY s COLLATE NOCASE) AS unlisted FROM (
    SELECT CAST(name AS TEXT) AS n, CAST(name AS TEXT) AS s, NULL AS e, NULL AS u
    FROM "main".sqlite_master UNION ALL
    SELECT NULL, t || '_', t || '`',
    CASE WHEN (t || '_') COLLATE NOCASE NOT IN
    (SELECT rtrim(column1, replace(column1, '_', '')) FROM (VALUES(''){listed}))
    THEN t || '`' END
    FROM (SELECT CAST(name AS TEXT) AS t FROM "main".sqlite_master
    WHERE CAST(type AS TEXT) = 'table' COLLATE NOCASE AND ifnull(rootpage, 0) = 0)))
    WHERE n < unlisted COLLATE NOCASE OR (n < m COLLATE NOCASE
    AND n COLLATE NOCASE IN (SELECT column1 FROM (VALUES(''){listed})))
"""

_LISTED = " UNION ALL SELECT name FROM temp.pragma_table_list WHERE schema = 'main' AND type = 'shadow'"
