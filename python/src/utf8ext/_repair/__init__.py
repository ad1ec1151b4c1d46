"""Repairs a database, all of it or nothing."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path

from utf8ext._database import Database
from utf8ext._engine import Engine, thread_engine
from utf8ext._error import Error
from utf8ext._progress import Progress, ignore
from utf8ext._repair.names import Names
from utf8ext._verdict import AUTO
from utf8ext._repair.plan import Plan
from utf8ext._repair.result import Repaired
from utf8ext._selection import select
from utf8ext._repair.transaction import Repair
from utf8ext._review import Unclear
from utf8ext._review.choices import Choice, Choices
from utf8ext._review.sheet import read_sheet


def repair(
    database: str | os.PathLike[str],
    *,
    policy: str | None = None,
    charset: str | None = None,
    tables: Iterable[str] = (),
    columns: Iterable[str] = (),
    suspects: bool = False,
    keep_mojibake: bool = False,
    clean: str | None = None,
    names: bool = False,
    choices: Path | str | Iterable[tuple[Unclear, str]] | None = None,
    undo_log: str | os.PathLike[str] | None = None,
    backup: bool = True,
    progress: Progress | None = None,
) -> Repaired:
    """Repair the ill-formed text of a database: what `utf8ext repair` does.

    Each value is repaired by its cause, or under a policy or in a charset for all. By its cause,
    text that was misread is restored, unless you keep_mojibake, and what is unclear stays: the
    result counts it in `left`. suspects also repairs well-formed but suspicious text. clean is a list of steps of utf8_clean() for all text.
    choices decides unclear values: the path of a file that
    `utf8ext repair --review` wrote, or pairs of a value of unclear() and a choice.
    names also renames tables, columns, indexes, views and triggers whose names are ill-formed. The
    original is kept as DATABASE.utf8ext-backup, which must not exist, unless backup is False.
    progress(title, fraction) is called as it goes.
    Raises Error, or KeyboardInterrupt after Ctrl-C; then nothing was changed.
    """
    name = policy_name(policy, charset)
    if choices is not None:
        check_choosing(policy, charset)
    if names and (tables or columns):
        raise Error("names are repaired in the whole database, not in some tables or columns")
    with ExitStack() as done, Database(Path(database), writable=True) as opened:
        check_options(policy, charset, clean)
        selection = select(opened, tables, columns)
        with_undo = undo_log is not None
        plan = Plan(
            opened,
            name,
            selection,
            suspects=suspects,
            misread=not keep_mojibake,
            steps=clean,
            with_undo=with_undo,
            names=names,
        )
        if choices is not None:
            plan.choices = Choices(opened, _choices(choices))
        log = None if undo_log is None else Path(undo_log)
        renaming = Names(opened, name) if names else None
        return Repair(opened, plan, log, backup, progress or ignore, renaming).run(done)


def _choices(choices: Path | str | Iterable[tuple[Unclear, str]]) -> Iterable[Choice]:
    if isinstance(choices, (str, os.PathLike)):
        return read_sheet(Path(choices))
    return [Choice(value, text, f"choice {n}") for n, (value, text) in enumerate(choices, 1)]


def policy_name(policy: str | None, charset: str | None) -> str:
    """Return the argument policy of utf8_audit."""
    if policy is not None and charset is not None:
        raise Error("policy and charset exclude each other")
    return charset or policy or AUTO


def check_choosing(policy: str | None, charset: str | None) -> None:
    """Refuse what decides all values, so that none is left for a person to choose."""
    if policy_name(policy, charset).lower() != AUTO:
        raise Error("a policy or a charset decides all values, so none is left to choose")


def check_options(policy: str | None, charset: str | None, steps: str | None) -> None:
    """Refuse an unknown name, with a message that lists what is accepted."""
    engine = thread_engine()
    if steps is not None:
        engine.value("SELECT utf8_clean('', ?)", steps)
    if policy is not None:
        _check_policy(engine, policy)
    elif charset is not None and charset.lower() != AUTO:
        engine.value("SELECT utf8_from(x'', ?)", charset)


def _check_policy(engine: Engine, policy: str) -> None:
    try:
        engine.value("SELECT utf8_repair('', ?)", policy)
    except Error as error:
        if engine.value("SELECT utf8_charset_name(?)", policy) in (None, "binary"):
            raise
        message = f"{policy} is a charset that decodes whole texts, and not a policy"
        raise Error(message, f"say --charset {policy}") from error
