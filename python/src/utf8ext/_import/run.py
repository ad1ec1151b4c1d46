"""An import: all files, or nothing."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NamedTuple

from utf8ext import _driver
from utf8ext._engine import Engine
from utf8ext._error import Error
from utf8ext._import.cells import RAW, Fix, audit, make_fix
from utf8ext._import.dryrun import copied
from utf8ext._import.log import Log
from utf8ext._import.order import check_order
from utf8ext._import.replace import Replacement
from utf8ext._import.result import File, Imported, Problem
from utf8ext._import.rows import Layout, Rows, open_rows
from utf8ext._import.sniff import Wanted, find_layout
from utf8ext._import.source import Source
from utf8ext._import.table import Table
from utf8ext._pipe import STDIN
from utf8ext._progress import Progress
from utf8ext._signals import deferred, uninterrupted
from utf8ext._text import number
from utf8ext._verdict import AUTO

_MEANINGS = {
    "file is not a database": "not an SQLite database, and the last argument must be one",
    "unable to open database file": "SQLite cannot open or create it",
}


class Options(NamedTuple):
    """How to import."""

    table: str | None = None
    charset: str = AUTO
    wanted: Wanted = Wanted()
    header: bool = True
    clean: str | None = None
    append: bool = False
    replace: bool = False
    report: str | None = None
    drop_dependents: bool = False
    backup: bool = True
    policy: str | None = None
    misread: bool = True  # restores text that was misread
    dry_run: bool = False  # imports into a copy of the database, which is then removed


def run(files: Sequence[str], database: str, options: Options, progress: Progress) -> Imported:
    """Import files, or change nothing if that fails."""
    with ExitStack() as done, ExitStack() as stack, _long_fields():
        engine = Engine("")
        engine.run("PRAGMA journal_mode = OFF")
        engine.run("PRAGMA synchronous = OFF")
        _check_options(engine, options)
        check_order(files, database)
        _check_report([*files, database], options.report)
        log = Log(options.report)
        stack.callback(log.discard)
        path = database
        if options.dry_run:
            path = stack.enter_context(copied(database, progress))
        replacement = Replacement(
            database, options.drop_dependents, options.backup, progress, options.dry_run
        )
        stack.callback(replacement.discard)
        inputs: list[_Input] = []
        for name in files:
            source = Source(name, progress)
            stack.callback(source.close)
            inputs.append(_prepare(engine, source, options, len(inputs)))
        with _transaction(path, database) as connection:
            imported = _insert_all(engine, connection, inputs, options, log, replacement)
            log.finish()
            done.enter_context(uninterrupted())  # what is committed is imported
        replacement.keep()
        try:
            log.publish()
        except Error as error:
            what = f"{number(imported.rows, 'row')} imported into {database}"
            raise Error(f"{what}, but the report is not written: {error}") from error
        return imported


def _check_options(engine: Engine, options: Options) -> None:
    """Refuse what an option does not accept before anything is read."""
    if options.append and options.replace:
        raise Error("append and replace exclude each other")
    if options.dry_run and options.report:
        raise Error("dry_run writes nothing, and report is a file that is written")
    if options.drop_dependents and not options.replace:
        raise Error("drop_dependents is for a table that is replaced", "say --replace, too")
    _check_wanted(options.wanted)
    if options.charset.lower() != AUTO:
        engine.charset(options.charset)
    if options.policy is not None:
        engine.value("SELECT utf8_repair('', ?)", options.policy)
        if options.charset.lower() != AUTO:
            raise Error("policy and charset exclude each other")
    if options.clean is not None:
        engine.value("SELECT utf8_clean('', ?)", options.clean)


def _check_wanted(wanted: Wanted) -> None:
    """Refuse a dialect that the csv module does not read."""
    delimiter, quote, escape, _, skip = wanted
    if delimiter == "":
        raise Error("the delimiter is ''; accepted: one or more characters")
    if delimiter and set(delimiter) & {"\r", "\n", quote or '"', "\0"}:
        raise Error("the delimiter cannot be a quote, a NUL or the end of a line")
    if quote is not None and (len(quote) > 1 or quote in ("\r", "\n", "\0", "\\")):
        raise Error(f"the quote is {quote!r}; accepted: one character, or none")
    if skip is not None and skip < 0:
        raise Error(f"skip_lines is {skip}; accepted: 0 or more")
    if escape not in (None, "", "\\"):
        raise Error(f"the escape is {escape!r}; accepted: a backslash, or none")


def _check_report(names: list[str], report: str | None) -> None:
    """Refuse a report that would replace what is read or written."""
    if report and os.path.realpath(report) in map(os.path.realpath, names):
        raise Error(f"{report}: the report would replace this file")


class _Input(NamedTuple):
    source: Source
    layout: Layout


def _prepare(engine: Engine, source: Source, options: Options, number: int) -> _Input:
    """Decide how to read a file, and what its ill-formed cells are."""
    source.decide(engine, options.charset, options.policy, options.misread)
    layout = find_layout(source, options.wanted, options.header)
    if source.is_mixed:
        rows = open_rows(source, layout, Log(), "Deciding")
        audit(engine, source, rows, number, options.policy or AUTO, options.misread)
    return _Input(source, layout)


@contextmanager
def _long_fields() -> Iterator[None]:
    """Let the csv module read cells of any size."""
    import csv

    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


# ---- the database ----------------------------------------------------------------------

_Identity = tuple[int, int]  # of a file: device and number

_POLL = 0.02  # seconds between two tries to get a lock


@contextmanager
def _transaction(path: str, database: str) -> Iterator[Any]:
    """Open a database, which is made if it does not exist, and commit what the block does.

    database is its name in messages.
    """
    path = os.path.realpath(path)  # beside which SQLite has its journal
    try:
        connection, made = _begin(path)
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            with suppress(*_driver.Errors):  # then SQLite rolls back when the file is next opened
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
            if made:
                _remove(path, made, connection)
            raise
        finally:
            connection.close()
    except _driver.Errors as error:
        raise Error(f"{database}: {_meaning(error)}; nothing was imported") from error


def _begin(path: str) -> tuple[Any, _Identity | None]:
    """Return a connection in a transaction, and its database if that is new.

    If another import removed its new database while this one opened it, or waited for its lock,
    opens a new one.
    """
    end = time.monotonic() + _driver.LOCK_TIMEOUT
    while True:
        opened = _Opened()
        try:
            opened.open(path)
            connection, found = opened.connection, opened.found
            if _begins(connection, path, found, end):
                # Another import may have filled it meanwhile.
                return connection, found if opened.is_new and not _has_tables(connection) else None
        except BaseException as error:
            is_busy = isinstance(error, _driver.Errors) and _driver.is_busy(error)
            if opened.is_new and not is_busy:
                opened.remove(path)
            opened.close()
            raise
        opened.close()


def _begins(connection: Any, path: str, found: _Identity | None, end: float) -> bool:
    """Begin a transaction; return False if the file that was found has gone.

    SQLite would wait without a look at the name, and take the journal of the next file for its own.
    """
    for setting in (*_driver.SETTINGS, "PRAGMA busy_timeout = 0"):
        connection.execute(setting)
    while found == _identity(path):
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(_driver.SETTINGS[0])
            return found == _identity(path)
        except _driver.Errors as error:
            if not _driver.is_busy(error) or time.monotonic() > end:
                raise
        time.sleep(_POLL)
    return False


class _Opened:
    """A database that is opened, and made if it does not exist."""

    connection: Any = None
    found: _Identity | None = None
    is_new = False  # was it made now?

    def open(self, path: str) -> None:
        """Open it. After an error, which a signal can be, the attributes say what has been done."""
        with deferred():
            self.is_new = _create(path)
            self.found = _identity(path)  # before SQLite opens it: then it is this one, if it stays
            self.connection = _driver.connect(path)

    def remove(self, path: str) -> None:
        if self.connection is None:
            os.unlink(path)
        elif self.found:
            _remove(path, self.found, self.connection)

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()


def _create(path: str) -> bool:
    """Make an empty file. Return False if there is one; if it cannot be made, SQLite says so."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o644))
    except OSError:
        return False
    return True


def _identity(path: str) -> _Identity | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def _has_tables(connection: Any) -> bool:
    return bool(list(connection.execute("SELECT 1 FROM sqlite_master LIMIT 1")))


def _remove(path: str, made: _Identity, connection: Any) -> None:
    """Remove a database that this import has made, unless another one uses it by now.

    The lock keeps others out until they can see that the file is gone, so it is removed last: from
    then on, a journal may be that of another import. It is emptied first. With a journal, an empty
    file is a database without tables; a journal alone would roll back what is later put at its name.
    """
    try:
        connection.execute("PRAGMA journal_mode = MEMORY")  # no file, which close() would remove
        connection.execute("BEGIN EXCLUSIVE")
        if _has_tables(connection):
            return
    except _driver.Errors as error:
        if _driver.is_busy(error):
            return
    if _identity(path) != made:
        return
    if os.name == "nt":
        connection.close()  # Windows removes no open file
    os.truncate(path, 0)
    for suffix in ("-wal", "-shm", "-journal", ""):
        with suppress(FileNotFoundError):
            os.unlink(path + suffix)
    time.sleep(5 * _POLL)  # before the lock ends, those that wait for it see that the file is gone


def _meaning(error: Exception) -> str:
    return _MEANINGS.get(str(error)) or _driver.meaning(error)


def _open_table(
    connection: Any, name: str, options: Options, replacement: Replacement
) -> Table:
    table = Table(connection, name)
    if table.is_new or options.append:
        return table
    if not options.replace:
        hint = "to add rows to it, say --append; to replace it, --replace"
        raise Error(f"table '{name}' exists", hint)
    replacement.drop(connection, table)
    return table


def _table_name(files: list[_Input], options: Options) -> str:
    if options.table is not None:
        return options.table
    name = files[0].source.unpacked_name
    if name == STDIN:
        return "imported"
    stem = os.path.splitext(os.path.basename(name))[0]
    return os.fsencode(stem).decode(errors="replace") or "imported"


# ---- the rows --------------------------------------------------------------------------


class _Insertion:
    """Inserts files into a table."""

    def __init__(
        self, engine: Engine, connection: Any, table: Table, options: Options, log: Log
    ) -> None:
        self._engine = engine
        self._cursor = connection.cursor()
        self._table = table
        self._steps = options.clean
        self._policy = options.policy or AUTO
        self._log = log
        (self._encoding,) = next(connection.execute("PRAGMA main.encoding"))

    def add(self, file: _Input, number: int) -> File:
        """Insert the rows of a file."""
        source = file.source
        for problem in source.problems:
            self._log.problem(problem)
        keeps_text = self._encoding == "UTF-8"
        fix = make_fix(self._engine, source, self._log, number, self._policy, keeps_text)
        rows = open_rows(source, file.layout, self._log, "Importing")
        names: list[str] = []
        while not rows.is_done:
            log = None if names else self._log  # tells of the header once
            names += self._names(rows, rows.columns[len(names) :], fix)
            columns = self._table.places(rows, names, source.name, log)
            self._insert(rows, columns, fix, source)
        return File(source.name, source.cause, rows.count, *_described(file))

    def _names(self, rows: Rows, names: list[str], fix: Fix) -> list[str]:
        if not rows.has_names:
            return names
        names = fix.names(names)
        if self._steps is None:
            return names
        return [self._engine.value("SELECT utf8_clean(?, ?)", name, self._steps) for name in names]

    def _insert(self, rows: Rows, columns: list[str], fix: Fix, source: Source) -> None:
        name = source.name
        if not columns:  # before the first object of JSON lines; sqlite3 would prepare the INSERT
            deque(fix.rows(rows, columns), maxlen=0)
            return
        sql = self._table.insert_sql(columns, self._steps, RAW if source.is_mixed else None)
        try:
            self._cursor.executemany(sql, fix.rows(rows, columns))
        except _driver.Errors as error:
            message = f"{_meaning(error)}; nothing was imported"
            raise Error(f"{name}:{rows.line}: {message}") from error


def _tell_dropped(rows: int, kept: int, file: str, log: Log) -> None:
    """Log how many rows are not in the table, for none of which SQLite has raised an error."""
    if kept < rows:
        what = f"{rows - kept:,} of {rows:,}, by a trigger of the table or its ON CONFLICT"
        log.problem(Problem("dropped row", file, 1, what))


def _tell_violations(table: Table, file: str, log: Log) -> None:
    """Log how many rows no longer match a foreign key, which SQLite enforces only where a program asks."""
    table.note_violations(is_after=True)
    for parent, count in table.new_violations():
        rows = number(count, "row")
        log.problem(Problem("foreign key", file, 1, f"{rows} without a match in table {parent!r}"))


def _described(file: _Input) -> tuple[str, str]:
    """Return what is unusual in how a file is written, and all of how it is written."""
    if file.source.dialect:
        return "dBase table", "dBase table"
    dialect = file.layout.dialect
    return (dialect.described(), dialect.summary()) if dialect else ("", "JSON lines")


def _insert_all(
    engine: Engine,
    connection: Any,
    files: list[_Input],
    options: Options,
    log: Log,
    replacement: Replacement,
) -> Imported:
    table = _open_table(connection, _table_name(files, options), options, replacement)
    before = table.count()
    table.note_violations(is_after=False)
    insertion = _Insertion(engine, connection, table, options, log)
    done = [insertion.add(file, number) for number, file in enumerate(files)]
    replacement.check_others(connection, log, files[0].source.name)
    rows = sum(file.rows for file in done)
    if before is not None:
        _tell_dropped(rows, (table.count() or 0) - before, files[0].source.name, log)
    _tell_violations(table, files[0].source.name, log)
    found = log.repaired(), log.problems, dict(log.counts)
    lost = replacement.dropped, replacement.backup
    unclear = {} if options.policy else log.unclear()
    return Imported(table.name, rows, done, *found, *lost, unclear, table.columns, options.dry_run)
