"""A copy of a schema, without rows, that shows how SQLite reads each statement.

Each byte of the schema is one character of the copy, as in ISO 8859-1. So names that are ill-formed
in the database can be passed to SQLite, and two names are equal only if they are in the database.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from utf8ext import _driver as driver
from utf8ext._repair.tokens import Statement
from utf8ext._sqltext import firing, quoted


class Object(NamedTuple):
    """A row of sqlite_master, in the bytes of a UTF-8 database."""

    rowid: int
    type: str
    name: bytes
    table: bytes
    sql: bytes | None


# What SQLite would do for each statement that reads or writes a table or view, or fires a trigger.
# None: it cannot compile that.
Programs = list["list[tuple[Any, ...]] | None"]


class Shadow:
    """The copy. A trigger is in it only while it is examined: else it would affect its table."""

    def __init__(self, objects: list[Object]) -> None:
        """A virtual table needs a CREATE TABLE, as if it were an ordinary one."""
        self._places = {row.rowid: place for place, row in enumerate(objects, 1)}
        self._sql = {row.rowid: row.sql for row in objects if row.type != "trigger"}
        self._connection = driver.connect(":memory:")
        for setting in (*driver.SETTINGS, "PRAGMA page_size = 512", "PRAGMA foreign_keys = OFF"):
            self._rows(setting)
        for place in self._places.values():  # each gets a page
            self._rows(f"CREATE TABLE utf8ext_{place}(x)")
        self._write([(row, row.sql) for row in objects if row.type != "trigger"])

    def close(self) -> None:
        self._connection.close()

    # ---- questions ----

    def loads(self, row: Object, sql: bytes | None) -> bool:
        """Can SQLite read the schema if this object has this SQL?"""
        with self._changed(row, sql):
            return self._try("SELECT count(*) FROM sqlite_master") is not None

    def columns_of_index(self, row: Object, sql: bytes | None) -> Any:
        """Return the number of the column of each term of an index: -2 is an expression."""
        with self._changed(row, sql):
            return self._try("SELECT cid FROM pragma_index_xinfo(?)", _text(row.name))

    def programs(self, row: Object, sql: bytes | None) -> Programs:
        """Return what SQLite compiles for the statements that use the object."""
        with self._changed(row, sql):
            return [self._program(statement) for statement in self._uses(row, sql)]

    # ---- statements that use an object ----

    def _uses(self, row: Object, sql: bytes | None) -> Iterator[str]:
        if row.type in ("table", "view"):
            yield f"SELECT * FROM {quoted(_text(row.name))}"
        if row.type == "table":
            yield from (self._use(row.name, event) for event in ("INSERT", "UPDATE", "DELETE"))
        if row.type == "trigger":
            yield self._use(row.table, Statement("trigger", sql).event())

    def _use(self, table: bytes, event: str) -> str:
        columns = self._try(_WRITABLE, _text(table)) if event == "UPDATE" else None
        return firing(quoted(_text(table)), event, (name for (name,) in columns or ()))

    def _program(self, statement: str) -> list[tuple[Any, ...]] | None:
        rows = self._try(f"EXPLAIN {statement}")
        return None if rows is None else list(_without_names(rows))

    # ---- the schema ----

    @contextmanager
    def _changed(self, row: Object, sql: bytes | None) -> Iterator[None]:
        """Give an object other SQL. Reading the schema again takes long if it has many objects."""
        if row.rowid in self._sql and self._sql[row.rowid] == sql:
            yield
            return
        self._rows("BEGIN")
        try:
            self._write([(row, sql)])
            yield
        finally:
            self._rows("ROLLBACK")
            self._rows("PRAGMA writable_schema = RESET")

    def _write(self, rows: list[tuple[Object, bytes | None]]) -> None:
        self._rows("PRAGMA writable_schema = ON")
        for row, sql in rows:
            text = None if sql is None else _text(_with_ascii_blobs(row.type, sql))
            names = (_text(row.name), _text(row.table))
            self._rows(_UPDATE, row.type, *names, text, self._places[row.rowid])
        self._rows("PRAGMA writable_schema = RESET")

    def _rows(self, sql: str, *bindings: object) -> list[tuple[Any, ...]]:
        return list(self._connection.execute(sql, bindings))

    def _try(self, sql: str, *bindings: object) -> list[tuple[Any, ...]] | None:
        try:
            return self._rows(sql, *bindings)
        except driver.Errors:
            return None


_WRITABLE = "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0"

_UPDATE = """
    UPDATE sqlite_master SET type = ?1, name = ?2, tbl_name = ?3, sql = ?4,
           rootpage = CASE WHEN ?1 IN ('table', 'index') THEN rootpage ELSE 0 END WHERE rowid = ?5
"""

# The instructions whose fourth operand is a value or a function; that of others may have a name.
_WITH_VALUE = ("String", "String8", "Blob", "Int64", "Real", "Column", "Function", "PureFunc")


def _without_names(rows: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield the instructions of EXPLAIN without comments, and without the names of tables."""
    for place, (_, code, p1, p2, p3, p4, p5, *_) in enumerate(rows):
        has_value = code in _WITH_VALUE and not _is_sequence(rows, place)
        yield (code, p1, p2, p3, p4 if has_value else None, p5)


def _is_sequence(rows: list[tuple[Any, ...]], place: int) -> bool:
    """Is it the name of a table, which AUTOINCREMENT looks up in sqlite_sequence?"""
    return [row[1] for row in rows[place : place + 3]] == ["String8", "Null", "Rewind"]


def _text(stored: bytes) -> str:
    return stored.decode("latin-1")


def _with_ascii_blobs(kind: str, sql: bytes) -> bytes:
    """Return the SQL with the digits of each blob instead of it: EXPLAIN has blobs in its texts."""
    statement = Statement(kind, sql)
    tokens = enumerate(statement.tokens)
    blobs = {place: token.text[2:-1] for place, token in tokens if token.text[:2].lower() == b"x'"}
    changes = {place: b"x'" + digits.hex().encode() + b"'" for place, digits in blobs.items()}
    return statement.rewritten(changes)
