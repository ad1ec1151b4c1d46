"""A table that is replaced, and what else goes with it."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Any

from utf8ext import _driver
from utf8ext._error import Error
from utf8ext._import.log import Log
from utf8ext._import.result import Problem
from utf8ext._import.table import Table
from utf8ext._newfile import NewFile, remove_leftovers, why_not_new
from utf8ext._progress import Progress
from utf8ext._signals import deferred
from utf8ext._sqltext import quoted

_HINT = (
    "to drop them, after a backup of the database, say --drop-dependents; "
    "to keep them, delete the rows and say --append"
)
_VIEW_HINT = "nothing was imported; to replace the table all the same, say --drop-dependents"


class Replacement:
    """Drops the table that is replaced.

    If more than its rows and the types of its columns is lost, drop_dependents must be set, and the
    database is copied first, unless backup is False.
    """

    def __init__(
        self, database: str, drop_dependents: bool, backup: bool, progress: Progress
    ) -> None:
        self._database = Path(database)
        self._drop_dependents = drop_dependents
        self._progress = progress
        self._path = Path(f"{database}.utf8ext-backup") if backup else None
        self._file: NewFile | None = None
        self._views: set[str] = set()  # those that could be read before
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
        self._views = set(_names(connection, _VIEWS)) - set(_broken_views(connection))
        table.drop()

    def check_views(self, connection: Any, log: Log, file: str) -> None:
        """Refuse, or note, that views can no longer be read: the new table lacks their columns."""
        broken = _broken_views(connection)
        broken = {name: broken[name] for name in sorted(self._views & broken.keys())}
        if broken and not self._drop_dependents:
            views = ", ".join(f"{name} ({message})" for name, message in broken.items())
            raise Error(f"the new table breaks views: {views}", _VIEW_HINT)
        for name, message in broken.items():
            log.problem(Problem("broken view", file, 1, f"{name}: {message}"))

    # ---- the backup ----

    def _write_backup(self, path: Path) -> None:
        """Copy what is committed, through a connection of its own, before the first change."""
        reason = why_not_new(path)
        if reason:
            raise Error(reason, "or say --no-backup")
        with deferred():
            self._file = NewFile(path, self._database.stat().st_mode & 0o777, is_database=True)
        try:
            self._copy_to(self._file.unfinished)
        except _driver.Errors as error:
            raise Error(f"{path}: {_driver.meaning(error)}; nothing was imported") from error
        self._file.publish()
        remove_leftovers(path)
        self.backup = path

    def _copy_to(self, target: Path) -> None:
        def show(left: int, total: int) -> None:
            self._progress("Backing up", 1 - left / max(total, 1))

        with closing(_driver.open_driver(self._database, writable=False)) as source:
            source.copy_to(target, show)

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

_VIEWS = "SELECT name FROM main.sqlite_master WHERE type = 'view' AND utf8_valid(name) ORDER BY 1"

# Names, texts and comments, in which words mean nothing.
_UNREAD = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^]]*\]|--[^\n]*|/\*.*?(?:\*/|\Z)""",
    re.DOTALL,
)

# What a table of TEXT columns lacks, and how SQL has it. All these words are reserved.
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


def _broken_views(connection: Any) -> dict[str, str]:
    """Return SQLite's message for each view that cannot be read."""
    broken = {}
    for name in _names(connection, _VIEWS):
        try:
            list(connection.execute(f"SELECT * FROM main.{quoted(name)} LIMIT 0"))
        except _driver.Errors as error:
            broken[name] = str(error)
    return broken
