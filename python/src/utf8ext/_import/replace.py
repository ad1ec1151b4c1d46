"""A table that is replaced, and what else goes with it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from utf8ext import _driver
from utf8ext._error import Error
from utf8ext._import.log import Log
from utf8ext._import.result import Problem
from utf8ext._import.table import Table
from utf8ext._newfile import NewFile, remove_leftovers, why_not_new
from utf8ext._progress import Progress
from utf8ext._repair.tokens import Statement
from utf8ext._signals import deferred
from utf8ext._sqltext import firing, quoted

_HINT = (
    "to drop them, after a backup of the database, say --drop-dependents; "
    "to keep them, delete the rows and say --append"
)
_BROKEN_HINT = "nothing was imported; to replace the table all the same, say --drop-dependents"


class Replacement:
    """Drops the table that is replaced.

    If more than its rows and the types of its columns is lost, drop_dependents must be set, and the
    database is copied first, unless backup is False.
    """

    def __init__(
        self,
        database: str,
        drop_dependents: bool,
        backup: bool,
        progress: Progress,
        dry_run: bool = False,
    ) -> None:
        """dry_run: checks that the backup can be made, and makes none."""
        self._database = Path(database)
        self._drop_dependents = drop_dependents
        self._progress = progress
        self._dry_run = dry_run
        self._path = Path(f"{database}.utf8ext-backup") if backup else None
        self._file: NewFile | None = None
        self._whole: set[str] = set()  # views and triggers that SQLite could compile before
        self.dropped: list[str] = []
        self.backup: Path | None = None

    def drop(self, connection: Any, table: Table) -> None:
        """Remove the table, to make it anew."""
        self.dropped = _dependents(connection, table.name)
        if self.dropped and not self._drop_dependents:
            lost = ", ".join(self.dropped)
            raise Error(f"a new table '{table.name}' would lack: {lost}", _HINT)
        if self.dropped and self._path:
            self._write_backup(self._path)
        self._whole = {name for name, error in _compiled(connection, "") if error is None}
        table.drop()

    def check_others(self, connection: Any, log: Log, file: str) -> None:
        """Refuse, or note, that views and triggers are broken: the new table lacks their columns."""
        if not self._whole:
            return
        broken = [(name, error) for name, error in _compiled(connection, " ") if error is not None]
        broken = [(name, error) for name, error in broken if name in self._whole]
        if broken and not self._drop_dependents:
            names = ", ".join(f"{name} ({error})" for name, error in broken)
            raise Error(f"the new table breaks {names}", _BROKEN_HINT)
        for name, error in broken:
            kind, name = name.split(" ", 1)
            log.problem(Problem(f"broken {kind}", file, 1, f"{name}: {error}"))

    # ---- the backup ----

    def _write_backup(self, path: Path) -> None:
        """Copy what is committed, through a connection of its own, before the first change."""
        reason = why_not_new(path)
        if reason:
            raise Error(reason, "or say --no-backup")
        if self._dry_run:
            return
        with deferred():
            self._file = NewFile(path, self._database.stat().st_mode & 0o777, is_database=True)
        try:
            show = partial(self._progress, "Backing up")
            _driver.copy(self._database, self._file.unfinished, show)
        except _driver.Errors as error:
            raise Error(f"{path}: {_driver.meaning(error)}; nothing was imported") from error
        self._file.publish()
        remove_leftovers(path)
        self.backup = path

    def keep(self) -> None:
        """Let the backup stay: the import is committed."""
        self._file = None

    def discard(self) -> None:
        """Remove the backup of a database that was not changed."""
        if self._file:
            self._file.withdraw()
            self._file = None


# ---- the schema ------------------------------------------------------------------------

_OBJECTS = """
    SELECT type || ' ' || utf8_repair(name) FROM main.sqlite_master
    WHERE type IN ('index', 'trigger') AND tbl_name = ? COLLATE NOCASE AND sql IS NOT NULL
    ORDER BY type, name
"""

_REFERRING = """
    SELECT DISTINCT 'foreign key of ' || utf8_repair(m.name)
    FROM main.sqlite_master AS m, temp.pragma_foreign_key_list(m.name, 'main') AS f
    WHERE m.type = 'table' AND f."table" = ?1 COLLATE NOCASE AND m.name <> ?1 COLLATE NOCASE
    ORDER BY 1
"""

_SQL = """
    SELECT utf8_repair(sql) FROM main.sqlite_master
    WHERE type = 'table' AND name = ? COLLATE NOCASE
"""

# Names, texts and comments, in which words mean nothing.
_UNREAD = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^]]*\]|--[^\n]*|/\*.*?(?:\*/|\Z)""",
    re.DOTALL,
)

# What a table of TEXT columns lacks, and how SQL has it. All these words but STRICT are reserved.
_PARTS = {
    "virtual table": r"^\s*CREATE\s+VIRTUAL",
    "PRIMARY KEY": r"\bPRIMARY\s+KEY\b",
    "UNIQUE": r"\bUNIQUE\b",
    "NOT NULL": r"\bNOT\s+NULL\b",
    "CHECK": r"\bCHECK\b",
    "DEFAULT": r"\bDEFAULT\b",
    "COLLATE": r"\bCOLLATE\b",
    "FOREIGN KEY": r"\bREFERENCES\b",
    "generated column": r"\bAS\s*\(",
    "STRICT": r"\)[^()]*\bSTRICT\b[^()]*\Z",
}


def _dependents(connection: Any, table: str) -> list[str]:
    """Return what DROP TABLE drops, and which foreign keys of others then match nothing.

    Those need a key of the table, so they are in vain if nothing is dropped.
    """
    dropped = _names(connection, _OBJECTS, table)
    for definition in _names(connection, _SQL, table):
        text = _UNREAD.sub(" ", definition)
        dropped += [part for part, words in _PARTS.items() if re.search(words, text, re.IGNORECASE)]
    return dropped and dropped + _names(connection, _REFERRING, table)


def _names(connection: Any, sql: str, *bindings: str) -> list[str]:
    return [name for (name,) in connection.execute(sql, bindings)]


# ---- views, and triggers of other tables -----------------------------------------------


def _compiled(connection: Any, end: str) -> Iterator[tuple[str, str | None]]:
    """Yield each view and trigger, and SQLite's message if it cannot compile its use.

    end differs after a change of the schema: drivers keep what a text was compiled to, and EXPLAIN
    does not notice the change.
    """
    for name, use in list(_uses(connection)):
        try:
            list(connection.execute(f"EXPLAIN {use}{end}"))
            yield name, None
        except _driver.Errors as error:
            yield name, str(error)


def _uses(connection: Any) -> Iterator[tuple[str, str]]:
    for name in _names(connection, _VIEWS):
        yield f"view {name}", f"SELECT * FROM main.{quoted(name)}"
    for name, table, sql in list(connection.execute(_TRIGGERS)):
        columns = _names(connection, _WRITABLE, table)
        event = Statement("trigger", sql).event()
        yield f"trigger {name}", firing(f"main.{quoted(table)}", event, columns)


_VIEWS = "SELECT name FROM main.sqlite_master WHERE type = 'view' AND utf8_valid(name) ORDER BY 1"

_TRIGGERS = """
    SELECT name, tbl_name, CAST(sql AS BLOB) FROM main.sqlite_master
    WHERE type = 'trigger' AND utf8_valid(name) AND utf8_valid(tbl_name) ORDER BY name
"""

_WRITABLE = """
    SELECT name FROM temp.pragma_table_xinfo(?, 'main') WHERE hidden = 0 AND utf8_valid(name)
"""
