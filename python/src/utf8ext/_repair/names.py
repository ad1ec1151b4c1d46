"""Renames what has an ill-formed name: tables, columns, indexes, views and triggers.

SQLite's ALTER TABLE takes names as text, which no driver of Python passes on if it is ill-formed.
So the SQL of the schema is rewritten: each identifier with such a name, wherever it occurs, gets the
same new one. That keeps every reference, as long as no statement has the new name already. SQLite
then reads the schema again, and what it reads is compared with what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing

from utf8ext._database import Database
from utf8ext._error import Error
from utf8ext._repair.places import is_name
from utf8ext._verdict import AUTO
from utf8ext._repair.result import Renamed
from utf8ext._repair.shadow import Object, Shadow
from utf8ext._repair.tokens import Statement, Token, quoted_like
from utf8ext._repair.virtual import owner_of
from utf8ext._sqltext import literal
from utf8ext._text import U_FFFD, is_utf8

_ESCAPED = "surrogateescape"
_NO_CHARSET = re.compile(f"unclear|damaged|cut|overlong|binary|{_ESCAPED}")  # causes that name no charset

_VIRTUAL = re.compile(rb"\s*CREATE\s+VIRTUAL\s", re.IGNORECASE)


class Names:
    """The ill-formed names of a database, and what they are to be."""

    def __init__(self, database: Database, policy: str) -> None:
        self._database = database
        self._policy = policy
        self._objects: list[Object] = []
        self._new: list[Object] = []  # in the same order
        self._statements: list[Statement] = []  # of the objects, in the same order
        self._is_name: dict[tuple[int, int], bool | None] = {}  # of tokens, by statement and place
        self._calls: dict[bytes, str] = {}  # of each folded name: what makes the new one
        self._causes: dict[int, str] = {}  # of each ill-formed statement of the schema
        self._charsets: dict[str, list[str]] | None = None  # of the values of each table, when known
        self.renamed: list[Renamed] = []
        self.kept: list[tuple[str, str]] = []  # names that stay, and why

    def find(self) -> None:
        """Decide what is renamed. A collision of two names is an Error."""
        if self._database.is_utf16():
            return  # SQL makes no ill-formed name there
        self._objects = list(map(Object._make, self._database.rows(_OBJECTS)))
        self._statements = [Statement(row.type, row.sql) for row in self._objects]
        blocked = self._blocked()
        for name, holders in self._ill_formed().items():
            owner = blocked.get(name)
            if owner is not None:
                why = f"the virtual table {owner} has or mentions it; make that anew"
                self.kept.append((_shown(name), why))
            else:
                self._calls[name] = self._call(name, holders)
        if self._calls:
            self._decide()

    def _decide(self) -> None:
        """Decide what the schema is to be."""
        with closing(Shadow(self._objects_for_shadow(self._objects))) as before:
            self._find_places(before)
            self._keep_unknown()
            self._new = list(map(self._rewritten, range(len(self._objects))))
            self._check_collisions()
            with closing(Shadow(self._objects_for_shadow(self._new))) as after:
                self._check_meaning(before, after)
        self.renamed = list(self._renamed())
        self.kept += self._texts()

    # ---- which names ----

    def _ill_formed(self) -> dict[bytes, list[Object]]:
        """Return each folded ill-formed name, and the tables, or else the objects, that have it."""
        names: dict[bytes, list[Object]] = {}
        for row in self._objects:
            own = [] if row.sql is None else [row.name]
            for name in own + (self._columns(row) if row.type in ("table", "view") else []):
                if not is_utf8(name):
                    names.setdefault(_folded(name), []).append(row)
        return names

    def _columns(self, row: Object) -> list[bytes]:
        """Return the columns of a table or view, none if SQLite cannot read it."""
        try:
            return [name for (name,) in self._database.rows(_COLUMNS, row.name)]
        except Error:
            return []

    def _blocked(self) -> dict[bytes, str]:
        """Return the names that a virtual table or one of its tables has, each with its owner."""
        blocked: dict[bytes, str] = {}
        for row in self._objects:
            if _is_virtual(row):
                owner: str | None = _shown(row.name)
            else:
                owner = owner_of(self._database, _shown(row.table))
            if owner is not None:
                spelled = _spelled(Statement(row.type, row.sql))
                for name in (row.name, row.table, *self._columns(row), *spelled):
                    blocked.setdefault(_folded(name), owner)
        return blocked

    # ---- which tokens are names ----

    def _find_places(self, shadow: Shadow) -> None:
        """Look at each token that equals an old or a new name."""
        names = set(self._calls) | {_folded(self._rename(name)) for name in self._all_names()}
        for number, row in enumerate(self._objects):
            statement = self._statements[number]
            for place, token in enumerate(statement.tokens if not _is_virtual(row) else []):
                if token.name is not None and _folded(token.name) in names:
                    self._is_name[number, place] = is_name(shadow, row, statement, place)

    def _all_names(self) -> Iterator[bytes]:
        """Yield what is renamed, in each spelling."""
        for row in self._objects:
            for name in (row.name, row.table, *self._columns(row)):
                if _folded(name) in self._calls:
                    yield name

    def _keep_unknown(self) -> None:
        """Keep each name of which a token may or may not be one."""
        for row, token, is_one in self._tokens_found():
            if is_one is None and self._calls.pop(_folded(token.name or b""), None) is not None:
                owner, text = _shown(row.name), _shown(token.text)
                what = f"SQLite cannot compile {owner}, so {text} in it may be a column or text"
                why = f"{what}; drop {owner}, and create it anew after the repair"
                self.kept.append((_shown(token.name or b""), why))

    def _texts(self) -> list[tuple[str, str]]:
        """Return what equals a name that is renamed, and stays."""
        why = "there it is a text, a type, a function or a collation, and not a name"
        found = {
            (f"{_shown(token.text)} in {_shown(row.name)}", why): None
            for row, token, is_one in self._tokens_found()
            if is_one is False and _folded(token.name or b"") in self._calls
        }
        return list(found)

    def _tokens_found(self) -> Iterator[tuple[Object, Token, bool | None]]:
        for (number, place), is_one in self._is_name.items():
            yield self._objects[number], self._statements[number].tokens[place], is_one

    def _objects_for_shadow(self, objects: list[Object]) -> list[Object]:
        """Return the objects, with an ordinary table instead of each virtual one."""
        return [row._replace(sql=self._plain(row)) if _is_virtual(row) else row for row in objects]

    def _plain(self, row: Object) -> bytes:
        names = (quoted_like(name, b'"') for name in (row.name, *self._columns(row)))
        return b"CREATE TABLE %s(%s)" % (next(names), b", ".join(names))

    # ---- what they are to be ----

    def _call(self, name: bytes, holders: list[Object]) -> str:
        """Return the SQL that makes the new name of ?1."""
        if self._policy.lower() != AUTO:
            return _call_of_policy(self._database, self._policy)
        calls = {self._new_name(call, name): call for call in map(self._call_of_table, holders)}
        sure = {new: call for new, call in calls.items() if U_FFFD not in new} or calls
        if len(sure) > 1:
            readings = " and ".join(_shown(new) for new in sure)
            what = f"the name {_shown(name)} can be read as {readings}; nothing was changed"
            raise Error(what, "name its charset with --charset")
        return next(iter(sure.values()))

    def _call_of_table(self, row: Object) -> str:
        """Decide by the cause of the statement, or of the values if that does not name a charset."""
        if not self._causes:
            self._causes = dict(self._database.rows(_CAUSES_OF_SQL))
        cause = self._causes.get(row.rowid)
        if cause is None or (cause != _ESCAPED and _NO_CHARSET.fullmatch(cause)):
            charsets = self._charsets_of(_shown(row.name))
            cause = charsets[0] if len(charsets) == 1 else cause
        return _call_of_cause(cause)

    def _charsets_of(self, table: str) -> list[str]:
        """Return the charsets of a table's values. One audit reads those of all tables."""
        if self._charsets is None:
            self._charsets = {}
            for name, cause in self._database.rows(_CAUSES):
                if not _NO_CHARSET.fullmatch(cause):
                    self._charsets.setdefault(name, []).append(cause)
        return self._charsets.get(table, [])

    def _new_name(self, call: str, name: bytes) -> bytes:
        return bytes(self._database.value(f"SELECT CAST({call} AS BLOB)", name))

    def _rename(self, name: bytes) -> bytes:
        """Return the new name, or the same one if it stays."""
        call = self._calls.get(_folded(name))
        return name if call is None else self._new_name(call, name)

    def _rewritten(self, number: int) -> Object:
        row = self._objects[number]
        table = self._rename(row.table)
        start = b"sqlite_autoindex_" + row.table
        if row.sql is None and row.name.startswith(start):
            name = b"sqlite_autoindex_" + table + row.name[len(start) :]
        else:
            name = self._rename(row.name)
        sql = None if row.sql is None else self._new_sql(number)
        return row._replace(name=name, table=table, sql=sql)

    def _new_sql(self, number: int) -> bytes:
        statement, changes = self._statements[number], {}
        for place, token in enumerate(statement.tokens):
            name = token.name
            if name is not None and self._is_name.get((number, place)):
                new = self._rename(name)
                if new != name:
                    changes[place] = quoted_like(new, token.quote)
        return statement.rewritten(changes)

    # ---- collisions ----

    def _check_collisions(self) -> None:
        for number, row in enumerate(self._objects):
            self._check_distinct(self._names_in(number), f"in {_shown(row.name)}")
        objects = [row.name for row in self._objects if row.type != "trigger"]
        triggers = [row.name for row in self._objects if row.type == "trigger"]
        self._check_distinct(objects, "as a table, view or index")
        self._check_distinct(triggers, "as a trigger")

    def _names_in(self, number: int) -> Iterator[bytes]:
        """Yield what a statement can have as a name, and the columns of its table."""
        row, statement = self._objects[number], self._statements[number]
        if row.type in ("table", "index"):
            yield from self._columns(row._replace(name=row.table))
        for place, token in enumerate(statement.tokens):
            is_text = self._is_name.get((number, place), True) is False
            if token.name is not None and not (is_text and self._stays_text(token, row)):
                yield token.name

    def _stays_text(self, token: Token, row: Object) -> bool:
        """Is what is no name now none after the repair either? "abc" depends on the columns."""
        is_old = _folded(token.name or b"") in self._calls
        return is_old or token.quote != b'"' or row.type not in ("table", "index")

    def _check_distinct(self, names: Iterable[bytes], where: str) -> None:
        taken: dict[bytes, bytes] = {}
        for name in names:
            new = self._rename(name)
            other = taken.setdefault(_folded(new), name)
            if _folded(other) != _folded(name):
                raise Error(
                    f"{_shown(other)} and {_shown(name)} would both be named {_shown(new)} {where}; "
                    "nothing was changed",
                    "rename one of them, or choose another --policy or --charset",
                )
            if new != name and (not new or b"\0" in new):
                raise Error(f"{_shown(name)} would be no name {where}; nothing was changed")

    def _check_meaning(self, before: Shadow, after: Shadow) -> None:
        """Refuse names with which a statement means something else: NATURAL JOIN finds more, say."""
        for row, new in zip(self._objects, self._new):
            was, now = before.programs(row, row.sql), after.programs(new, new.sql)
            if any(old is not None and old != other for old, other in zip(was, now)):
                raise Error(
                    f"with the new names, {_shown(row.name)} would mean something else; "
                    "nothing was changed",
                    "drop it, and create it anew after the repair",
                )

    def _renamed(self) -> Iterator[Renamed]:
        for row, new in zip(self._objects, self._new):
            if row.sql is None:
                continue
            if row.name != new.name:
                yield Renamed(row.type, None, _shown(row.name), _shown(new.name))
            for name in self._columns(row) if row.type == "table" else []:
                if self._rename(name) != name:
                    column = _shown(self._rename(name))
                    yield Renamed("column", _shown(new.name), _shown(name), column)

    # ---- the change ----

    def apply(self) -> None:
        """Rename, in the transaction that is open."""
        expected = [(new, self._renamed_columns(row)) for row, new in zip(self._objects, self._new)]
        self._database.run("PRAGMA writable_schema = ON")
        try:
            for row, new in self._changed():
                self._database.run(_UPDATE, new.name, new.table, new.sql, row.rowid)
            self._rename_in_statistics()
            version = self._database.value("PRAGMA main.schema_version")
            self._database.run(f"PRAGMA main.schema_version = {version + 1}")
        finally:
            self._database.run("PRAGMA writable_schema = RESET")
        if not self._is_as_expected(expected):
            raise Error("the names cannot be changed without changing more; nothing was changed")

    def _changed(self) -> Iterator[tuple[Object, Object]]:
        return ((row, new) for row, new in zip(self._objects, self._new) if row != new)

    def _renamed_columns(self, row: Object) -> list[bytes]:
        return [self._rename(name) for name in self._columns(row)] if row.type == "table" else []

    def _is_as_expected(self, expected: list[tuple[Object, list[bytes]]]) -> bool:
        rows = list(map(Object._make, self._database.rows(_OBJECTS)))
        return [(row, self._renamed_columns(row)) for row in rows] == expected

    def _rename_in_statistics(self) -> None:
        """Rename in the tables that hold names of tables and indexes as values."""
        pairs = {row.name: new.name for row, new in self._changed() if row.name != new.name}
        for table, column in self._database.rows(_STATISTICS):
            for old, new in pairs.items():
                change = f"SET {column} = CAST(? AS TEXT) WHERE {column} = CAST(? AS TEXT)"
                self._database.run(f"UPDATE main.{table} {change}", new, old)

    def undo(self) -> Iterator[bytes]:
        """Yield the SQL that gives the old names back, in the transaction of an undo log."""
        changed = list(self._changed())
        if not changed:
            return
        version = self._database.value("PRAGMA main.schema_version")
        yield b"PRAGMA writable_schema = ON;"
        for row, _ in changed:
            sql = "NULL" if row.sql is None else _cast(row.sql)
            yield (
                f"UPDATE main.sqlite_master SET name = {_cast(row.name)}, "
                f"tbl_name = {_cast(row.table)}, sql = {sql} WHERE rowid = {row.rowid};"
            ).encode()
        for table, column in list(self._database.rows(_STATISTICS)):
            for row, new in changed:
                if row.name != new.name:
                    yield (
                        f"UPDATE main.{table} SET {column} = {_cast(row.name)} "
                        f"WHERE {column} = {_cast(new.name)};"
                    ).encode()
        yield f"PRAGMA main.schema_version = {version + 1};".encode()
        yield b"PRAGMA writable_schema = RESET;"


# ---- SQL -------------------------------------------------------------------------------------

_OBJECTS = """
    SELECT rowid, lower(CAST(type AS TEXT)), CAST(coalesce(name, '') AS BLOB),
           CAST(coalesce(tbl_name, '') AS BLOB), CAST(sql AS BLOB)
      FROM main.sqlite_master ORDER BY rowid
"""

_COLUMNS = """
    SELECT CAST(name AS BLOB) FROM temp.pragma_table_xinfo(CAST(? AS TEXT), 'main')
"""

_CAUSES_OF_SQL = """
    SELECT key, cause FROM temp.utf8_audit('main', 'auto')
     WHERE table_name = 'sqlite_master' AND column_name = 'sql'
"""

_CAUSES = """
    SELECT DISTINCT table_name, cause FROM temp.utf8_audit('main', 'auto') WHERE cause IS NOT NULL
"""

_UPDATE = """
    UPDATE main.sqlite_master SET name = CAST(? AS TEXT), tbl_name = CAST(? AS TEXT),
           sql = CAST(? AS TEXT) WHERE rowid = ?
"""

_STATISTICS = """
    SELECT m.name, c.name FROM main.sqlite_master AS m, temp.pragma_table_info(m.name, 'main') AS c
     WHERE m.name = 'sqlite_sequence' AND c.name = 'name'
        OR m.name IN ('sqlite_stat1', 'sqlite_stat3', 'sqlite_stat4') AND c.name IN ('tbl', 'idx')
"""

def _call_of_policy(database: Database, policy: str) -> str:
    name = literal(policy)
    try:
        database.value(f"SELECT utf8_repair('', {name})")
        return f"utf8_repair(CAST(?1 AS TEXT), {name})"
    except Error:
        return f"utf8_from(CAST(?1 AS TEXT), {name})"


def _call_of_cause(cause: str | None) -> str:
    """Return what the table of utf8_cause in docs/functions.md says."""
    if cause == _ESCAPED:
        return f"utf8_repair(utf8_unescape(CAST(?1 AS TEXT), '{_ESCAPED}'), 'auto')"
    if cause is None or _NO_CHARSET.fullmatch(cause):
        return "utf8_repair(CAST(?1 AS TEXT))"
    if cause in ("cesu-8", "mutf-8"):
        return "utf8_repair(CAST(?1 AS TEXT), 'cesu-8')"
    if cause.startswith("utf-8+"):
        return f"utf8_repair(CAST(?1 AS TEXT), '{cause[6:]}')"
    return f"utf8_from(CAST(?1 AS TEXT), '{cause}')"


def _cast(stored: bytes) -> str:
    return f"CAST(x'{stored.hex()}' AS TEXT)"


# ---- names -----------------------------------------------------------------------------------


def _is_virtual(row: Object) -> bool:
    return row.sql is not None and _VIRTUAL.match(row.sql) is not None


def _spelled(statement: Statement) -> Iterator[bytes]:
    """Yield what is spelled as a name."""
    return (token.name for token in statement.tokens if token.name is not None)


def _folded(name: bytes) -> bytes:
    """Fold the case of ASCII letters only, as SQLite compares names."""
    return name.lower()


def _shown(name: bytes) -> str:
    return name.decode("utf-8", "backslashreplace")
