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

from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from utf8ext._database import Database
from utf8ext._error import Error, naming
from utf8ext._newfile import NewFile, remove_leftovers, why_not_new
from utf8ext._progress import Progress
from utf8ext._repair.names import Names
from utf8ext._verdict import ROUNDS
from utf8ext._repair.plan import Plan, Step
from utf8ext._repair.result import Repaired
from utf8ext._signals import deferred, uninterrupted
from utf8ext._text import number, short_key


class Repair:
    """Repairs a database by a plan."""

    def __init__(
        self,
        database: Database,
        plan: Plan,
        undo_log: Path | None,
        backup: bool,
        progress: Progress,
        names: Names | None = None,
    ) -> None:
        """names are also repaired, unless it is None."""
        self._database = database
        self._plan = plan
        self._progress = progress
        self._names = names
        self._mode = database.path.stat().st_mode & 0o777  # nobody else can read the copies
        self._undo_path = undo_log
        self._backup_path = Path(f"{database.path}.utf8ext-backup") if backup else None
        self._files: list[NewFile] = []
        self._committed: Repaired | None = None

    def run(self, done: ExitStack) -> Repaired:
        """Repair, or change nothing if that fails. From the commit on, done ignores signals."""
        try:
            return self._run(done)
        except BaseException as error:
            if self._committed is not None:
                return self._committed  # an interrupt came too late
            self._roll_back()
            if isinstance(error, KeyboardInterrupt):
                raise type(error)("nothing was changed") from None
            raise

    def _run(self, done: ExitStack) -> Repaired:
        self._database.run("PRAGMA foreign_keys = OFF")
        self._database.run("BEGIN IMMEDIATE")
        if self._names:
            self._names.find()
        self._check_new_files()
        count = self._add_round("Reading")
        renames = bool(self._names and self._names.renamed)
        if count == 0 and not renames and not self._plan.finds_unclean():
            self._plan.add_cleaning()  # which no UPDATE can do, for the result
            return self._commit(None, done)  # nothing; but ROLLBACK would empty the plan
        self._check_damage()
        self._check_undo()
        backup = self._new_file(self._backup_path, is_database=True)
        undo = self._new_file(self._undo_path)
        self._write_backup(backup)
        messages = self._damage_before() if renames else []
        if self._names and renames:
            count = self._rename(self._names)
        self._plan.note_foreign_keys(is_after=False)
        self._repair_in_rounds(count)
        self._clean()
        self._check_foreign_keys()
        if renames:
            self._check_integrity(messages)
        self._plan.forget_without_row()
        self._write_undo_log(undo)
        return self._commit(undo, done)

    def _rename(self, names: Names) -> int:
        """Rename, and plan the repair anew: now more values can be repaired."""
        names.apply()
        self._plan.clear()
        count = self._add_round("Reading")
        self._check_undo()
        return count

    def _add_round(self, title: str) -> int:
        with self._database.reading(lambda fraction: self._progress(title, fraction)):
            return self._plan.add_round()

    def _check_new_files(self) -> None:
        """Fail now rather than after a long scan. A second run, which finds nothing, succeeds."""
        reasons = [why_not_new(path) for path in (self._undo_path, self._backup_path) if path]
        reason = next(filter(None, reasons), None)
        if reason is None:
            return
        with self._database.reading(lambda fraction: self._progress("Reading", fraction)):
            if (self._names and self._names.renamed) or self._plan.finds_any():
                raise Error(reason)

    def _new_file(self, path: Path | None, is_database: bool = False) -> NewFile | None:
        if path is None:
            return None
        with deferred():
            file = NewFile(path, self._mode, is_database=is_database)
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

    def _commit(self, undo: NewFile | None, done: ExitStack) -> Repaired:
        """Commit, with the undo log before and nothing after it that can fail."""
        done.enter_context(uninterrupted())  # also while the database is closed
        result = self._plan.result(self._made(self._backup_path), self._made(self._undo_path))
        if self._names:
            renamed, kept = self._names.renamed, self._names.kept
            result = replace(result, renamed=renamed, kept=kept)
        if undo:
            undo.publish()
        self._database.run("COMMIT")
        self._committed = result
        return result

    def _made(self, path: Path | None) -> Path | None:
        return path if any(file.path == path for file in self._files) else None

    def _check_damage(self) -> None:
        """SQLite lets no transaction commit that has met a damaged page."""
        for table, message in self._plan.damaged():
            raise Error(
                f"{table}: {message}; nothing was changed; choose other tables with --table, "
                "or recover the file first"
            )

    def _damage(self) -> list[str]:
        """Return what SQLite finds wrong in the indexes and rows, nothing if it cannot say."""
        try:
            return [message for (message,) in self._database.rows(_DAMAGE)]
        except Error:  # an index on a function that this connection lacks, say
            return []

    def _damage_before(self) -> list[str]:
        """Refuse new names if SQLite would list no more than it does now."""
        found = self._damage()
        if len(found) >= _DAMAGES:
            raise Error(
                f"SQLite finds at least {_DAMAGES} errors, such as: {found[0]}; nothing was changed",
                "run REINDEX or recover the file, or repair without --names",
            )
        return found

    def _check_integrity(self, before: list[str]) -> None:
        """Refuse new names with which an index or a column no longer is what its SQL says."""
        after = self._damage()
        if len(after) > len(before):
            new = next((message for message in after if message not in before), after[0])
            raise Error(
                f"with the new names, SQLite finds: {new}; nothing was changed",
                "repair without --names, and rename with ALTER TABLE",
            )

    # ---- backup and undo log ----

    def _write_backup(self, file: NewFile | None) -> None:
        """Copy the database. While it is locked, no other repair writes a backup of it."""
        if file is None:
            return
        self._database.backup(file.unfinished, lambda part: self._progress("Backing up", part))
        file.publish()
        remove_leftovers(file.path)

    def _check_undo(self) -> None:
        """Refuse an undo log that lacks values which no backup has, or that the shell cannot run."""
        count = self._plan.without_undo()
        if count and self._backup_path is None:
            what = f"{number(count, 'value')} cannot be in the undo log (too long, or odd UTF-16)"
            raise Error(f"{what}; repair with a backup")
        if self._plan.undo_has_crlf():
            what = "a name has CR LF, which the sqlite3 shell would read from the undo log as LF"
            raise Error(f"{what}; nothing was changed", "repair without --undo-log")

    def _write_undo_log(self, file: NewFile | None) -> None:
        if file is None:
            return
        with naming(file.path), file.open() as out:
            names = list(self._names.undo()) if self._names else []
            out.writelines(self._plan.undo_log(names))

    # ---- the UPDATEs ----

    def _repair_in_rounds(self, count: int) -> None:
        for _ in range(ROUNDS):
            self._run_steps(count)
            count = self._add_round("Verifying")
            if count == 0:
                return
        raise Error(
            f"{_place(next(self._plan.steps()))}: still ill-formed after {ROUNDS} repairs; "
            "a trigger may put it back; nothing was changed"
        )

    def _clean(self) -> None:
        """Clean until nothing changes, which a trigger may delay, or prevent."""
        for _ in range(ROUNDS):
            count = self._plan.add_cleaning()
            if count == 0:
                return
            self._check_undo()
            self._run_steps(count)
        if self._plan.add_cleaning():
            self._plan.leave_put_back()

    def _run_steps(self, count: int) -> None:
        for done, step in enumerate(self._plan.steps()):
            self._run_step(step)
            self._progress("Repairing", done / count)

    def _run_step(self, step: Step) -> None:
        try:
            self._database.run(step.repair_sql)
            if not self._database.changes():
                self._plan.note_without_row(step)
        except Error as error:
            message = self._database.without_path(error)
            hint = _COLLISION if message.startswith("UNIQUE ") else ""
            raise Error(f"{_place(step)}: {message}; nothing was changed", hint) from error

    def _check_foreign_keys(self) -> None:
        """Refuse a repair after which rows violate foreign keys that they did not before."""
        self._plan.note_foreign_keys(is_after=True)
        for table, count in self._plan.new_violations():
            raise Error(
                f"{table}: {number(count, 'row')} would no longer match a foreign key; repair "
                "both tables, in the same charset; nothing was changed"
            )


_DAMAGE = """
    SELECT utf8_repair(integrity_check) FROM temp.pragma_integrity_check
     WHERE integrity_check <> 'ok'
"""

_DAMAGES = 100  # messages that SQLite lists at most

_COLLISION = "two rows would be equal: change one of them, or choose another --policy or --charset"


def _place(step: Step) -> str:
    return f"{step.table}.{step.column}, key {short_key(step.key)}"
