"""The transaction of a repair: the database is as it was, or repaired, and never in between.

The order makes that true even if the program is killed:

1. BEGIN IMMEDIATE: no other program can write from here on.
2. The plan: all UPDATEs, in a temporary table.
3. The backup, complete under its own name before the first change.
4. The UPDATEs, until an audit finds nothing more to repair: triggers may copy ill-formed text.
5. The undo log, complete under its own name before the commit. Before that it does no harm:
   each statement in it changes only what is repaired.
6. COMMIT. If anything fails, ROLLBACK, and the files of 3 and 5 are removed.

After a kill, SQLite rolls the transaction back when the database is opened the next time.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from utf8ext.command.failure import Failure, Interrupted
from utf8ext.command.newfile import NewFile, why_not_new
from utf8ext.command.progress import progress_bar, scan_bar
from utf8ext.command.sqlite.database import Database
from utf8ext.command.sqlite.plan import Plan, Step
from utf8ext.command.terminal import number, shown_key

_ROUNDS = 10  # a trigger may copy what the round before has repaired


class Repair:
    """Repairs a database by a plan."""

    def __init__(self, database: Database, plan: Plan, undo_log: Path | None, backup: bool) -> None:
        self._database = database
        self._plan = plan
        self._mode = database.path.stat().st_mode & 0o777  # nobody else can read the copies
        self._undo_path = undo_log
        self._backup_path = Path(f"{database.path}.utf8ext-backup") if backup else None
        self._files: list[NewFile] = []
        self._committed = False

    def run(self) -> None:
        """Repair, or change nothing if that fails."""
        try:
            self._run()
        except KeyboardInterrupt:
            if not self._committed:
                self._roll_back()
                raise Interrupted("interrupted; nothing was changed") from None
        except BaseException:
            self._roll_back()
            raise

    def written(self) -> list[Path]:
        """Return the paths of the files that were made."""
        return [file.path for file in self._files]

    def _run(self) -> None:
        self._database.run("PRAGMA foreign_keys = OFF")
        self._database.run("BEGIN IMMEDIATE")
        self._check_new_files()
        with scan_bar(self._database, "Reading"):
            count = self._plan.add_round()
        if count == 0:
            self._database.run("COMMIT")  # nothing; but ROLLBACK would empty the plan
            return
        self._check_damage()
        self._check_undo()
        backup = self._new_file(self._backup_path)
        undo = self._new_file(self._undo_path)
        self._write_backup(backup)
        violations = self._plan.foreign_key_violations()
        self._repair_in_rounds(count)
        self._check_foreign_keys(violations)
        self._write_undo_log(undo)
        self._commit(undo)

    def _check_new_files(self) -> None:
        """Fail now rather than after a long scan. A second run, which finds nothing, succeeds."""
        reasons = [why_not_new(path) for path in (self._undo_path, self._backup_path) if path]
        reason = next(filter(None, reasons), None)
        if reason is None:
            return
        with scan_bar(self._database, "Reading"):
            if self._plan.finds_any():
                raise Failure(reason)

    def _new_file(self, path: Path | None) -> NewFile | None:
        if path is None:
            return None
        file = NewFile(path, self._mode)
        self._files.append(file)
        return file

    def _roll_back(self) -> None:
        """Undo everything. If even ROLLBACK fails, the backup remains."""
        with uninterrupted():
            if self._database.in_transaction():
                self._database.run("ROLLBACK")
            for file in self._files:
                file.withdraw()
            self._files.clear()

    def _commit(self, undo: NewFile | None) -> None:
        with uninterrupted():
            if undo:
                undo.publish()
            self._database.run("COMMIT")
            self._committed = True

    def _check_damage(self) -> None:
        """SQLite lets no transaction commit that has met a damaged page."""
        for table, message in self._plan.damaged():
            raise Failure(
                f"{table}: {message}; nothing was changed; choose other tables with --table, "
                "or recover the file first"
            )

    # ---- backup and undo log ----

    def _write_backup(self, file: NewFile | None) -> None:
        if file is None:
            return
        with progress_bar("Backing up") as show:
            self._database.backup(file.unfinished, show)
        file.publish()

    def _check_undo(self) -> None:
        """A value can be too long for an undo_sql. Then only a backup has it."""
        count = self._plan.without_undo() if self._undo_path else 0
        if count == 0:
            return
        what = f"{number(count, 'value')} cannot be in the undo log (too long, or odd UTF-16)"
        if self._backup_path is None:
            raise Failure(f"{what}; repair with a backup")
        click.echo(f"{what}; the backup has the original", err=True)

    def _write_undo_log(self, file: NewFile | None) -> None:
        if file is None:
            return
        try:
            with file.open() as out:
                out.write(_UNDO_HEAD.encode())
                for statement in self._plan.undo():
                    out.write(statement)
                    out.write(b"\n")
                out.write(b"COMMIT;\n")
        except OSError as error:
            raise Failure(f"{file.path}: {error.strerror}") from error

    # ---- the UPDATEs ----

    def _repair_in_rounds(self, count: int) -> None:
        for _ in range(_ROUNDS):
            self._run_steps(count)
            with scan_bar(self._database, "Verifying"):
                count = self._plan.add_round()
            if count == 0:
                return
        raise Failure(
            f"{_place(next(self._plan.steps()))}: still ill-formed after {_ROUNDS} repairs; "
            "a trigger may put it back; nothing was changed"
        )

    def _run_steps(self, count: int) -> None:
        with progress_bar("Repairing") as show:
            for done, step in enumerate(self._plan.steps()):
                self._run_step(step)
                show(done / count)

    def _run_step(self, step: Step) -> None:
        try:
            self._database.run(step.repair_sql)
        except Failure as failure:
            message = self._database.without_path(failure)
            raise Failure(f"{_place(step)}: {message}; nothing was changed") from failure

    def _check_foreign_keys(self, before: dict[str, int]) -> None:
        """Refuse a repair after which more rows violate foreign keys than before it."""
        for table, count in self._plan.foreign_key_violations().items():
            more = count - before.get(table, 0)
            if more > 0:
                raise Failure(
                    f"{table}: {number(more, 'row')} would no longer match a foreign key; repair "
                    "both tables, in the same charset; nothing was changed"
                )


def _place(step: Step) -> str:
    return f"{step.table}.{step.column}, key {shown_key(step.key)}"


_UNDO_HEAD = """\
-- Written by utf8ext repair. Puts back the bytes that it changed, where the column still holds
-- the repaired value. Does not take back what triggers did. Run it with
--
--     sqlite3 -bail my.db < undo.sql
--
-- and load utf8ext first if a CHECK, an index or a trigger of the database calls its functions:
-- sqlite3 -bail -cmd '.load utf8ext' my.db < undo.sql
BEGIN;
PRAGMA defer_foreign_keys = ON;
"""


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignore Ctrl-C during the block, which is short."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
