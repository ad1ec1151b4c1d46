"""The UPDATEs of a repair, in a temporary table, which SQLite moves to the disk as it grows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from utf8ext._database import Database
from utf8ext._driver import MALFORMED
from utf8ext._error import Error
from utf8ext._keys import Keys
from utf8ext._repair.cleaning import CLEANED, Cleaning
from utf8ext._repair.fulltext import stale_indexes
from utf8ext._repair.reasons import PUT_BACK, reason
from utf8ext._repair.result import Column, Left, Repaired
from utf8ext._repair.undo import undo_log
from utf8ext._review.choices import Choices
from utf8ext._selection import Selection
from utf8ext._verdict import (
    AUTO,
    CAUSE,
    CHOSEN,
    MISREAD,
    OTHER_SUSPECTS,
    UNCLEAR,
    kinds_found,
    looks_for_suspects,
    loses,
    unless_unclear,
)


class Step(NamedTuple):
    """An UPDATE that repairs one value."""

    table: str
    column: str
    key: int | str
    repair_sql: str
    number: int  # in the plan


class Plan:
    """What is found, numbered in the order of utf8_audit.

    Keeps the UPDATEs of all rounds, and of what cannot be repaired that of the last round: after
    a repair, a generated column is well-formed, too.
    """

    def __init__(
        self,
        database: Database,
        policy: str,
        selection: Selection,
        *,
        suspects: bool = False,
        misread: bool = True,
        steps: str | None = None,
        with_undo: bool = False,
        names: bool = False,
    ) -> None:
        """steps are those of utf8_clean(), or None to clean nothing. names: they are repaired, too."""
        self._database = database
        self._policy = policy
        self._looks = looks_for_suspects(suspects, misread, policy)
        self._repair_sql = unless_unclear("repair_sql", policy)
        self._found = kinds_found(suspects)
        self._selection = selection
        self.cleaning = None if steps is None else Cleaning(database, selection, steps)
        self._with_undo = with_undo
        self._names = names
        self._undo_sql = "undo_sql" if with_undo else "NULL"
        self._cause = CAUSE if policy.lower() == AUTO else "NULL"
        self.choices: Choices | None = None  # what a person has decided
        self._before = 0  # the last number before this round
        self._without_row: list[int] = []  # the numbers of UPDATEs that changed nothing
        self._keys = Keys(database)
        database.run(_PLAN_TABLE)
        database.run(_COLUMN_TABLE)
        database.run(_VIOLATION_TABLE)
        database.run(_UNCLEAR_TABLE)
        database.run(_UNCLEAR_INDEX)

    def finds_any(self) -> bool:
        """Look for a value that can be changed. Adds nothing to the plan."""
        condition, bindings = self._selection.where()
        sql = f"""SELECT TRUE FROM temp.utf8_audit('main', ?, ?)
                   WHERE {self._repair_sql} IS NOT NULL AND {self._found} AND {condition} LIMIT 1"""
        found = bool(self._database.value(sql, self._policy, self._looks, *bindings))
        return found or self.choices is not None or self.finds_unclean()

    def add_round(self) -> int:
        """Audit, and add what is found. Return the number of values that can be repaired."""
        condition, bindings = self._selection.where()
        sql = _INSERT.format(
            repair_sql=self._repair_sql,
            undo_sql=self._undo_sql,
            lost=loses(self._database.is_utf16()),
            cause=self._cause,
            condition=f"{self._found} AND {condition}",
        )
        self._database.run(_FORGET_LEFT)
        self._before = self._last()
        self._database.run(sql, self._policy, self._looks, *bindings)
        if self.choices and not self._before:
            self._add_choices(self.choices)
        if not any(self.damaged()):  # after which SQLite writes no more, and nothing is repaired
            self._database.run(_STILL_UNCLEAR, self._before)
            self._database.run(_NOTE_UNCLEAR, self._before)
            self._keys.fit(self._before)
        return self._count("repair_sql IS NOT NULL AND n > ?", self._before)

    def _add_choices(self, choices: Choices) -> None:
        """Give the values of the first round that a person has decided their UPDATEs."""
        self._database.run(_PLAN_INDEX)
        for update in choices.updates(self._selection):
            undo = update.undo_sql if self._with_undo else None
            self._database.run(_CHOOSE, update.repair_sql, undo, update.call, *update[:3])
        for place in choices.left(self._selection):
            self._database.run(_LEAVE, *place)

    def add_cleaning(self) -> int:
        """Add what cleaning changes. Return the number of values."""
        if self.cleaning is None:
            return 0
        self._database.run(f"{_FORGET_LEFT} AND cause = '{CLEANED}'")
        self._before = self._last()
        self.cleaning.add_to_plan()
        return self._count("repair_sql IS NOT NULL AND n > ?", self._before)

    def leave_put_back(self) -> None:
        """Note the values of the last round of cleaning as left, in all rounds."""
        self._database.run(_FORGET_PUT_BACK, self._before)
        self._database.run(_LEAVE_PUT_BACK, PUT_BACK, self._before)

    def finds_unclean(self) -> bool:
        return self.cleaning is not None and self.cleaning.finds_any()

    def clear(self) -> None:
        """Forget what was found."""
        self._database.run("DELETE FROM temp.utf8ext_plan")

    def _last(self) -> int:
        return int(self._database.value("SELECT coalesce(max(n), 0) FROM temp.utf8ext_plan"))

    def _count(self, condition: str, *bindings: object) -> int:
        sql = f"SELECT count(*) FROM temp.utf8ext_plan WHERE {condition}"
        return int(self._database.value(sql, *bindings))

    # ---- what to do ----

    def steps(self) -> Iterator[Step]:
        """Yield the UPDATEs of the last round, in order."""
        sql = """SELECT table_name, column_name, key, repair_sql, n FROM temp.utf8ext_plan
                  WHERE n > ? AND repair_sql IS NOT NULL ORDER BY n"""
        return map(Step._make, self._database.rows(sql, self._before))

    def note_without_row(self, step: Step) -> None:
        """Note that an UPDATE changed nothing: a trigger has deleted its row, say."""
        self._without_row.append(step.number)

    def forget_without_row(self) -> None:
        """Forget such UPDATEs, which neither the result counts nor the undo log undoes."""
        for number in self._without_row:
            self._database.run("DELETE FROM temp.utf8ext_plan WHERE n = ?", number)

    def undo_log(self, names: Collection[bytes]) -> Iterator[bytes]:
        """Yield the SQL that undoes all rounds, in UTF-8, the last one first, then the names."""
        sql = """SELECT utf8_to(undo_sql, 'utf-8') FROM temp.utf8ext_plan
                  WHERE undo_sql IS NOT NULL AND repair_sql IS NOT NULL ORDER BY n DESC"""
        return undo_log(self._database, (undo_sql for undo_sql, in self._database.rows(sql)), names)

    def without_undo(self) -> int:
        """Return the number of values that have no undo_sql although one is wanted."""
        if not self._with_undo:
            return 0
        return self._count("repair_sql IS NOT NULL AND undo_sql IS NULL")

    def undo_has_crlf(self) -> bool:
        """Has a table or column CR LF in its name? Values with CR are written in hexadecimal."""
        return self._count("instr(undo_sql, char(13, 10)) > 0") > 0

    # ---- what to report ----

    def result(self, backup: Path | None, undo_log: Path | None) -> Repaired:
        """Return what was repaired, and what was not in the last round."""
        columns = self._repaired()
        return Repaired(
            self._database.path,
            columns,
            self._left(),
            list(islice(self._unreadable(), _UNREADABLE)),
            self._count("column_name IS NULL"),
            self.without_undo(),
            backup,
            undo_log,
            stale=self.choices.stale if self.choices else [],
            stale_indexes=list(stale_indexes(self._database, {column.table for column in columns})),
        )

    def _repaired(self) -> list[Column]:
        columns: dict[tuple[str, str], Counter[str]] = {}
        for table, column, cause, count in self._database.rows(_REPAIRED):
            causes = columns.setdefault((table, column), Counter())
            if cause is not None:
                causes[cause] += count
        values = {row[:2]: row[2:] for row in self._database.rows(_VALUES)}
        return [
            Column(*name, values[name][0], dict(causes.most_common()), values[name][1])
            for name, causes in columns.items()
        ]

    def _left(self) -> list[Left]:
        counts: Counter[tuple[str, str, str]] = Counter()
        for table, column, error, cause, has_key, count in self._database.rows(_LEFT):
            why = reason(self._database, table, column, error, cause, has_key, self._names, self._policy)
            counts[table, column, why] += count
        return [Left(table, column, count, why) for (table, column, why), count in counts.items()]

    def _unreadable(self) -> Iterator[tuple[str, str]]:
        """Yield table and message."""
        sql = """SELECT table_name, error FROM temp.utf8ext_plan
                  WHERE column_name IS NULL ORDER BY n"""
        return self._database.rows(sql)

    def damaged(self) -> Iterator[tuple[str, str]]:
        """Yield table and message of damaged pages.

        utf8_audit resumes after damage and returns a row about it, so no driver raises an error with
        a code, and the message is all that tells damage from a missing function or a lock.
        """
        return ((table, why) for table, why in self._unreadable() if why.endswith(MALFORMED))

    # ---- foreign keys ----

    def note_foreign_keys(self, is_after: bool) -> None:
        """Note which rows violate a foreign key from or to a planned column, or any if there are triggers."""
        self._database.run("DELETE FROM temp.utf8ext_column")
        self._database.run(_PLANNED_COLUMNS)
        for (table,) in list(self._database.rows(_CHILDREN)):
            self._note_violations(table, is_after)

    def _note_violations(self, table: str, is_after: bool) -> None:
        """Note none if SQLite cannot check: then it does not enforce the foreign key either."""
        try:
            self._database.run(_NOTE_VIOLATIONS, int(is_after), table)
        except Error:
            pass

    def new_violations(self) -> Iterator[tuple[str, int]]:
        """Yield each table with rows that only now violate a foreign key, and their number."""
        return self._database.rows(_NEW_VIOLATIONS)


_UNREADABLE = 20  # messages of a result

_PLAN_TABLE = """
    CREATE TEMP TABLE utf8ext_plan(n INTEGER PRIMARY KEY, table_name, column_name, key, error, cause,
                                   repair_sql, undo_sql, lost, call)
"""

# Without it, each choice would scan the plan.
_PLAN_INDEX = """
    CREATE INDEX IF NOT EXISTS temp.utf8ext_plan_key ON utf8ext_plan(table_name, column_name, key)
"""

_COLUMN_TABLE = """
    CREATE TEMP TABLE utf8ext_column(table_name COLLATE NOCASE, column_name COLLATE NOCASE,
                                     PRIMARY KEY (table_name, column_name)) WITHOUT ROWID
"""

# A row WITHOUT ROWID has no rowid here: of those, only the number is compared.
_VIOLATION_TABLE = """
    CREATE TEMP TABLE utf8ext_violation(is_after, table_name, row_id, number)
"""

# What the first round left: the repair of its neighbours must not decide it unseen.
_UNCLEAR_TABLE = "CREATE TEMP TABLE utf8ext_unclear(table_name, column_name, key)"

_UNCLEAR_INDEX = "CREATE INDEX temp.utf8ext_unclear_key ON utf8ext_unclear(table_name, key)"

_NOTE_UNCLEAR = f"""
    INSERT INTO temp.utf8ext_unclear SELECT table_name, column_name, key FROM temp.utf8ext_plan
     WHERE n > ? AND cause = '{UNCLEAR}'
"""

_CHOOSE = f"""
    UPDATE temp.utf8ext_plan SET cause = '{CHOSEN}', repair_sql = ?1, undo_sql = ?2, lost = 0, call = ?3
     WHERE table_name = ?4 AND column_name = ?5 AND key IS ?6 AND cause = '{UNCLEAR}'
"""

# A person has looked at it as it was before, so no cause decides it now.
_LEAVE = f"""
    UPDATE temp.utf8ext_plan SET cause = '{UNCLEAR}', repair_sql = NULL, undo_sql = NULL, lost = 0
     WHERE table_name = ? AND column_name = ? AND key IS ?
"""

_STILL_UNCLEAR = f"""
    UPDATE temp.utf8ext_plan SET cause = '{UNCLEAR}', repair_sql = NULL, undo_sql = NULL, lost = 0
     WHERE n > ? AND (table_name, column_name, key) IN (SELECT * FROM temp.utf8ext_unclear)
"""

_INSERT = """
    INSERT INTO temp.utf8ext_plan(table_name, column_name, key, error, cause, repair_sql, undo_sql,
                                  lost, call)
    SELECT table_name, column_name, key, error, {cause}, {repair_sql}, {undo_sql}, {lost},
           CASE typeof(key) WHEN 'text' THEN
             replace(repair_call, '?1', '"' || replace(column_name, '"', '""') || '"') END
      FROM temp.utf8_audit('main', ?, ?) WHERE {condition}
"""

_FORGET_LEFT = "DELETE FROM temp.utf8ext_plan WHERE repair_sql IS NULL"

_FORGET_PUT_BACK = f"""
    DELETE FROM temp.utf8ext_plan
     WHERE n <= ?1 AND cause = '{CLEANED}' AND (table_name, column_name, key) IN
           (SELECT table_name, column_name, key FROM temp.utf8ext_plan WHERE n > ?1)
"""

_LEAVE_PUT_BACK = """
    UPDATE temp.utf8ext_plan SET error = ?1, repair_sql = NULL, undo_sql = NULL
     WHERE n > ?2 AND repair_sql IS NOT NULL
"""

_REPAIRED = f"""
    SELECT table_name, column_name, 
           CASE WHEN error IN {OTHER_SUSPECTS} THEN error
                ELSE coalesce(cause, CASE error WHEN '{MISREAD}' THEN error END) END, count(*)
      FROM temp.utf8ext_plan WHERE repair_sql IS NOT NULL GROUP BY 1, 2, 3 ORDER BY min(n)
"""

# A value that was repaired and cleaned is one value.
_VALUES = """
    SELECT table_name, column_name, count(DISTINCT key), coalesce(sum(lost), 0)
      FROM temp.utf8ext_plan
     WHERE repair_sql IS NOT NULL GROUP BY 1, 2
"""

_LEFT = """
    SELECT table_name, column_name, error, cause, key IS NOT NULL, count(*) FROM temp.utf8ext_plan
     WHERE repair_sql IS NULL AND column_name IS NOT NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY min(n)
"""

_NOTE_VIOLATIONS = """
    INSERT INTO temp.utf8ext_violation
    SELECT ?, "table", rowid, fkid FROM temp.pragma_foreign_key_check(?, 'main')
"""

_NEW_VIOLATIONS = """
    SELECT table_name, sum(more)
      FROM (SELECT table_name, sum(is_after) - sum(1 - is_after) AS more
              FROM temp.utf8ext_violation GROUP BY table_name, row_id, number)
     WHERE more > 0 GROUP BY table_name
"""

_PLANNED_COLUMNS = """
    INSERT OR IGNORE INTO temp.utf8ext_column
    SELECT DISTINCT table_name, column_name FROM temp.utf8ext_plan WHERE repair_sql IS NOT NULL
"""

# Reads the foreign keys of each table once: SQLite would do so for each planned column.
_CHILDREN = """
    SELECT DISTINCT m.name
      FROM main.sqlite_master AS m CROSS JOIN temp.pragma_foreign_key_list(m.name, 'main') AS f
     WHERE m.type = 'table' AND utf8_valid(m.name)
       AND (EXISTS (SELECT 1 FROM temp.utf8ext_column AS c
                     WHERE c.table_name = m.name AND c.column_name = f."from")
            OR EXISTS (SELECT 1 FROM temp.utf8ext_column AS c
                        WHERE c.table_name = f."table" AND c.column_name = coalesce(f."to", c.column_name))
            OR EXISTS (SELECT 1 FROM main.sqlite_master WHERE type = 'trigger'))
"""
