"""The rows of a table, a view or a query, with the ill-formed texts among them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from utf8ext._database import Database
from utf8ext._error import Error
from utf8ext._repair.tokens import Statement
from utf8ext._selection import look_up
from utf8ext._sqltext import quoted, rowid_name

_VIEW = "utf8ext_export"  # a temporary view, which has the names of the columns and allows one SELECT

_TABLES = """
    SELECT utf8_repair(name, 'escape'), type, utf8_valid(name), sql LIKE 'CREATE VIRTUAL%'
      FROM main.sqlite_master WHERE type IN ('table', 'view')
"""

_COLUMNS = f"""
    SELECT utf8_valid(name), utf8_repair(name, ?) FROM temp.pragma_table_xinfo('{_VIEW}', 'temp')
"""

# Nothing ill-formed passes to Python: a token stands for it, which no other text starts with.
_IS_ILL_FORMED = "typeof({0}) = 'text' AND NOT utf8_valid({0})"
_REFUSED = f"CASE WHEN {_IS_ILL_FORMED} THEN ?1 ELSE {{0}} END"
_REPAIRED = (
    f"CASE WHEN {_IS_ILL_FORMED} THEN ?1 || hex(utf8_to(utf8_repair({{0}}, ?2), 'utf-8')) ELSE {{0}} END"
)

_SEMICOLON = b";"

_REPAIR_HINT = "repair it first: utf8ext repair; or say --policy subpart"


def _one_statement(query: str) -> str:
    """Return a query without the semicolon at its end. Some drivers would run what follows one."""
    sql = query.encode("utf-8", "surrogateescape")
    tokens = Statement("view", sql).tokens
    while tokens and tokens[-1].text == _SEMICOLON:
        tokens.pop()
    if any(token.text == _SEMICOLON for token in tokens):
        raise Error("the query has several statements; accepted: one SELECT")
    end = tokens[-1].start + len(tokens[-1].text) if tokens else 0
    return sql[:end].decode("utf-8", "surrogateescape")


class Selected:
    """What is exported. Rows are those of one snapshot of the database."""

    def __init__(
        self, database: Database, table: str | None, query: str | None, policy: str | None
    ) -> None:
        self._database = database
        self._policy = policy
        self._token = f"utf8ext {os.urandom(16).hex()} "
        self._key: str | None = None  # SQL that selects the key of each row, in their order
        self.repaired = 0
        database.run("BEGIN")
        if query is not None:
            self.name = "query"
            self._make_view(_one_statement(query))
        else:
            self.name, source, has_rowid = _source(database, str(table))
            self._make_view(f"SELECT * FROM {source}")
            self._key = _key_sql(database, source) if has_rowid else None
        self.columns = self._names()

    def _make_view(self, select: str) -> None:
        self._database.run(f"CREATE TEMP VIEW {_VIEW} AS {select}\n")

    def _names(self) -> list[str]:
        names = []
        columns = list(self._database.rows(_COLUMNS, self._policy or "escape"))
        for number, (is_valid, name) in enumerate(columns, 1):
            if not is_valid and not self._policy:
                what = f"{self.name}: the name of column {number} is ill-formed: {name}"
                raise Error(f"{self._database.path}: {what}", "say --policy, or repair --names")
            self.repaired += not is_valid
            names.append(name)
        return names

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Yield the rows. An Error names the first ill-formed text, unless a policy repairs it."""
        columns = [f"c{place}" for place in range(len(self.columns))]
        expression = _REPAIRED if self._policy else _REFUSED
        values = ", ".join(map(expression.format, columns))
        sql = f"WITH x({', '.join(columns)}) AS (SELECT * FROM temp.{_VIEW}) SELECT {values} FROM x"
        bindings = (self._token, self._policy) if self._policy else (self._token,)
        is_ill_formed = self._is_repaired if self._policy else self._is_refused
        for number, row in enumerate(self._database.rows(sql, *bindings)):
            yield self._mended(row, number) if is_ill_formed(row) else row

    def _is_refused(self, row: tuple[Any, ...]) -> bool:
        return self._token in row

    def _is_repaired(self, row: tuple[Any, ...]) -> bool:
        return any(isinstance(value, str) and value.startswith(self._token) for value in row)

    def _mended(self, row: tuple[Any, ...], number: int) -> tuple[Any, ...]:
        """Return a row that has ill-formed text, repaired."""
        return tuple(self._mended_value(value, number, place) for place, value in enumerate(row))

    def _mended_value(self, value: Any, number: int, place: int) -> Any:
        if not isinstance(value, str) or not value.startswith(self._token):
            return value
        if not self._policy:
            what = f"{self.place(number, place)}: ill-formed text"
            raise Error(f"{self._database.path}: {what}", _REPAIR_HINT)
        self.repaired += 1
        return bytes.fromhex(value[len(self._token) :]).decode()

    def place(self, number: int, place: int) -> str:
        """Return where a value is: `people.name, key 2`, or `row 1` if rows have no numbers."""
        column = f"{self.name}.{self.columns[place]}"
        if number < 0:
            return f"{column}, its name"
        if self._key is None:
            return f"{column}, row {number + 1:,}"
        return f"{column}, key {self._database.value(self._key, number)}"


def _source(database: Database, name: str) -> tuple[str, str, bool]:
    """Return the name of a table or view, the FROM clause, and whether it may have rowids."""
    found = {row[0]: row[1:] for row in database.rows(_TABLES)}
    exact = look_up(database, "table or view", (name,), list(found))
    name = name if name in exact else exact[0]
    kind, is_valid, is_virtual = found[name]
    if not is_valid:
        hint = "repair it first: utf8ext repair --names"
        raise Error(f"{database.path}: the name of {kind} {name} is ill-formed", hint)
    is_plain = kind == "table" and not is_virtual
    return name, f"main.{quoted(name)}{' NOT INDEXED' if is_plain else ''}", is_plain


def _key_sql(database: Database, source: str) -> str | None:
    """Return SQL that selects the rowid of row ?1; None if the table has none, or hides it."""
    rowid = rowid_name(name for _, name in database.rows(_COLUMNS, "escape"))
    if rowid is None:
        return None
    sql = f"SELECT {rowid} FROM {source} LIMIT 1 OFFSET ?1"
    try:
        database.value(sql, 0)
    except Error:  # WITHOUT ROWID
        return None
    return sql
