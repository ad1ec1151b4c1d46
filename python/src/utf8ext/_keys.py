"""The UPDATEs of primary keys WITHOUT ROWID.

repair_sql expects the columns of the key before its own to be repaired. The command leaves some of them: what is
unclear, what was not selected, and suspicious text. So it finds such rows by what it writes itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from utf8ext._database import Database
from utf8ext._sqltext import quoted
from utf8ext._table import LITERAL, Table, read_table
from utf8ext._verdict import CHOSEN


class _Step(NamedTuple):
    column: str
    call: str  # what the UPDATE writes, as SQL
    n: int = 0  # in the plan
    cause: str | None = None
    has_undo: bool = False


class Keys:
    """Tables by name, and the rows of a plan in them that have a primary key."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._table = cache(partial(read_table, database))
        self._row: tuple[str, object] | None = None  # table and key
        self._steps: list[_Step] = []  # of that row

    def repair_sql(self, name: str, column: str, key: object, sql: str, call: str) -> str:
        """Return the UPDATE of a value if only what was asked for before is written, in the order of utf8_audit.

        sql and call are the repair_sql and the repair_call of utf8_audit.
        """
        if not isinstance(key, str) or column not in self._table(name).key:
            return sql
        if self._row != (name, key):
            self._row, self._steps = (name, key), []
        self._steps.append(_Step(column, call.replace("?1", quoted(column))))
        table = self._table(name)
        if not table.key.index(column):
            return sql
        now = _values(table, key)
        for step, literal in zip(self._steps, self._written(table, key, self._steps)):
            sql = table.update(step.column, step.call, _row_value(now))
            now[step.column] = literal
        return sql

    def fit(self, before: int) -> None:
        """Let the UPDATEs of a plan after a number find their rows, and their keys in utf8ext_unclear."""
        rows = self._database.rows(_STEPS, before)
        for (name, key), steps in groupby(rows, itemgetter(0, 1)):
            table = self._table(name)
            own = [step for row in steps if (step := _Step(*row[2:])).column in table.key]
            if own:
                self._fit_row(table, key, own)

    def _fit_row(self, table: Table, key: str, steps: list[_Step]) -> None:
        fitted = [step for step in steps if table.key.index(step.column) or step.cause == CHOSEN]
        is_unclear = self._database.value(_IS_UNCLEAR, table.name, key)
        if not fitted and not is_unclear:
            return
        old = _values(table, key)
        now = dict(old)
        for step, literal in zip(steps, self._written(table, key, steps)):
            before, now[step.column] = _row_value(now), literal
            if step in fitted:
                self._fit_step(table, step, before, old[step.column], literal, _row_value(now))
        if is_unclear:
            self._database.run(_MOVE, _row_value(now), table.name, key)

    def _fit_step(
        self, table: Table, step: _Step, before: str, old: str, new: str, after: str
    ) -> None:
        repair = table.update(step.column, step.call, before)
        undo = table.undo(step.column, old, after, new) if step.has_undo else None
        self._database.run(_SET, repair, undo, step.n)

    def _written(self, table: Table, key: str, steps: list[_Step]) -> Iterable[str]:
        """Return what the steps of a row write, as literals; nothing if SQLite does not find the row of a damaged file."""
        values = ", ".join(LITERAL.format(step.call) for step in steps)
        sql = f'SELECT {values} FROM "main".{quoted(table.name)} WHERE {table.key_columns()} = {key}'
        return next(self._database.rows(sql), ())


# A value of a key as utf8_audit writes it, which quote() may write otherwise. A real can be a fraction.
_LITERAL = re.compile(r"CAST\([^)]*\)|x?'(?:[^']|'')*'|\([^)]*\)|[^, ]+")


def _values(table: Table, key: str) -> dict[str, str]:
    """Return the values of a key by column, as SQL."""
    return dict(zip(table.key, _LITERAL.findall(key[1:-1])))


def _row_value(values: dict[str, str]) -> str:
    return f"({', '.join(values.values())})"


_STEPS = """
    SELECT table_name, key, column_name, call, n, cause, undo_sql IS NOT NULL FROM temp.utf8ext_plan
     WHERE n > ? AND repair_sql IS NOT NULL AND call IS NOT NULL AND typeof(key) = 'text' ORDER BY n
"""

_SET = "UPDATE temp.utf8ext_plan SET repair_sql = ?, undo_sql = ? WHERE n = ?"

_IS_UNCLEAR = "SELECT TRUE FROM temp.utf8ext_unclear WHERE table_name = ? AND key = ?"

_MOVE = "UPDATE temp.utf8ext_unclear SET key = ? WHERE table_name = ? AND key = ?"
