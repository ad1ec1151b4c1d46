"""The UPDATEs of a repair, in a temporary table, which SQLite moves to the disk as it grows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from utf8ext.command.failure import Failure
from utf8ext.command.sqlite.database import Database
from utf8ext.command.sqlite.selection import Selection


AUTO = "auto"  # the policy that repairs each value by its cause


class Step(NamedTuple):
    """An UPDATE that repairs one value."""

    table: str
    column: str
    key: int | str
    repair_sql: str


class Plan:
    """What is found, numbered in the order of utf8_audit.

    Keeps the UPDATEs of all rounds, and of what cannot be repaired that of the last round: after
    a repair, a generated column is well-formed, too.
    """

    def __init__(
        self, database: Database, policy: str, selection: Selection, with_undo: bool
    ) -> None:
        self._database = database
        self._policy = policy
        self._selection = selection
        self._undo_sql = "undo_sql" if with_undo else "NULL"
        self._cause = "cause" if policy.lower() == AUTO else "NULL"
        self._before = 0  # the last number before this round
        database.run(_PLAN_TABLE)
        database.run(_COLUMN_TABLE)

    def finds_any(self) -> bool:
        """Audit until there is a value that can be repaired. Adds nothing to the plan."""
        condition, bindings = self._selection.where()
        sql = f"""SELECT TRUE FROM temp.utf8_audit('main', ?)
                   WHERE repair_sql IS NOT NULL AND {condition} LIMIT 1"""
        return bool(self._database.value(sql, self._policy, *bindings))

    def add_round(self) -> int:
        """Audit, and add what is found. Return the number of values that can be repaired."""
        condition, bindings = self._selection.where()
        sql = _INSERT.format(undo_sql=self._undo_sql, cause=self._cause, condition=condition)
        self._database.run("DELETE FROM temp.utf8ext_plan WHERE repair_sql IS NULL")
        self._before = self._last()
        self._database.run(sql, self._policy, *bindings)
        return self._count("repair_sql IS NOT NULL AND n > ?", self._before)

    def _last(self) -> int:
        return self._database.value("SELECT coalesce(max(n), 0) FROM temp.utf8ext_plan")

    def _count(self, condition: str, *bindings: object) -> int:
        sql = f"SELECT count(*) FROM temp.utf8ext_plan WHERE {condition}"
        return self._database.value(sql, *bindings)

    # ---- what to do ----

    def steps(self) -> Iterator[Step]:
        """Yield the UPDATEs of the last round, in order."""
        sql = """SELECT table_name, column_name, key, repair_sql FROM temp.utf8ext_plan
                  WHERE n > ? AND repair_sql IS NOT NULL ORDER BY n"""
        return map(Step._make, self._database.rows(sql, self._before))

    def undo(self) -> Iterator[bytes]:
        """Yield the UPDATEs that undo all rounds, in UTF-8, the last one first."""
        sql = """SELECT utf8_to(undo_sql, 'utf-8') FROM temp.utf8ext_plan
                  WHERE undo_sql IS NOT NULL ORDER BY n DESC"""
        return (undo_sql for undo_sql, in self._database.rows(sql))

    def without_undo(self) -> int:
        """Return the number of values with repair_sql but without undo_sql."""
        return self._count("repair_sql IS NOT NULL AND undo_sql IS NULL")

    # ---- what to report ----

    def found(self) -> bool:
        return self._last() > 0

    def repaired(self) -> Iterator[tuple[str, str, str | None, int]]:
        """Yield table, column, cause and number of values. There are causes under auto only."""
        return self._database.rows(_REPAIRED)

    def not_repaired(self) -> Iterator[tuple[str, str, str | None, bool, int]]:
        """Yield table, column, cause, whether there is a key, and number of values."""
        return self._database.rows(_NOT_REPAIRED)

    def unreadable(self) -> Iterator[tuple[str, str]]:
        """Yield table and message."""
        sql = """SELECT table_name, error FROM temp.utf8ext_plan
                  WHERE column_name IS NULL ORDER BY n"""
        return self._database.rows(sql)

    def damaged(self) -> Iterator[tuple[str, str]]:
        """Yield table and message of damaged pages."""
        return ((table, why) for table, why in self.unreadable() if "malformed" in why)

    # ---- foreign keys ----

    def foreign_key_violations(self) -> dict[str, int]:
        """Count the violations of each table with a foreign key from or to a planned column."""
        self._database.run("DELETE FROM temp.utf8ext_column")
        self._database.run(_PLANNED_COLUMNS)
        names = [name for name, in self._database.rows(_CHILDREN)]
        return {name: self._violations(name) for name in names}

    def _violations(self, table: str) -> int:
        """Return 0 if SQLite cannot check: then it does not enforce the foreign key either."""
        try:
            return self._database.value(
                "SELECT count(*) FROM temp.pragma_foreign_key_check(?, 'main')", table
            )
        except Failure:
            return 0


_PLAN_TABLE = """
    CREATE TEMP TABLE utf8ext_plan(n INTEGER PRIMARY KEY, table_name, column_name, key, error, cause,
                                   repair_sql, undo_sql)
"""

_COLUMN_TABLE = """
    CREATE TEMP TABLE utf8ext_column(table_name COLLATE NOCASE, column_name COLLATE NOCASE)
"""

_INSERT = """
    INSERT INTO temp.utf8ext_plan(table_name, column_name, key, error, cause, repair_sql, undo_sql)
    SELECT table_name, column_name, key, error, {cause}, repair_sql, {undo_sql}
      FROM temp.utf8_audit('main', ?) WHERE {condition}
"""

_REPAIRED = """
    SELECT table_name, column_name, cause, count(*) FROM temp.utf8ext_plan
     WHERE repair_sql IS NOT NULL GROUP BY 1, 2, 3 ORDER BY min(n)
"""

_NOT_REPAIRED = """
    SELECT table_name, column_name, cause, key IS NOT NULL, count(*) FROM temp.utf8ext_plan
     WHERE repair_sql IS NULL AND column_name IS NOT NULL GROUP BY 1, 2, 3, 4 ORDER BY min(n)
"""

_PLANNED_COLUMNS = """
    INSERT INTO temp.utf8ext_column
    SELECT DISTINCT table_name, column_name FROM temp.utf8ext_plan WHERE repair_sql IS NOT NULL
"""

_CHILDREN = """
    SELECT DISTINCT m.name
      FROM main.sqlite_master AS m, temp.pragma_foreign_key_list(m.name, 'main') AS f,
           temp.utf8ext_column AS c
     WHERE m.type = 'table' AND utf8_valid(m.name)
       AND (c.table_name = m.name AND c.column_name = f."from"
            OR c.table_name = f."table" AND c.column_name = coalesce(f."to", c.column_name))
"""
