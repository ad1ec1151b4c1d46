"""`utf8ext repair`: repair the ill-formed text of a database, all of it or nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from utf8ext._error import Error
from utf8ext._database import Database
from utf8ext._repair import check_choosing, check_options, policy_name, repair
from utf8ext._repair.names import Names
from utf8ext._repair.result import Renamed, Repaired
from utf8ext._selection import select
from utf8ext._signals import ignore_signals
from utf8ext._sqltext import quoted
from utf8ext._text import number
from utf8ext._verdict import UNCLEAR
from utf8ext.command.failure import FOUND, Interrupted
from utf8ext.command.options import FILE, subcommand
from utf8ext.command.progress import titled_bar
from utf8ext.command.review import ask as ask_about
from utf8ext.command.review import write_review
from utf8ext.command.sqlite.diff import print_diff
from utf8ext.command.terminal import are_unclear, printing_after, visible


@subcommand("repair", "my.db --dry-run")
@click.argument("database", type=FILE)
@click.option("--policy", metavar="NAME", help="What to write for all ill-formed bytes.")
@click.option("--charset", metavar="NAME", help="The charset of all ill-formed text.")
@click.option("--table", "tables", metavar="NAME", multiple=True, help="Only this table.")
@click.option("--column", "columns", metavar="NAME", multiple=True, help="Only this column.")
@click.option("--suspects", is_flag=True, help="Repair suspicious, well-formed text, too.")
@click.option("--keep-mojibake", is_flag=True, help="Leave text that was misread as it is.")
@click.option("--clean", metavar="STEPS", help="Clean all text, as utf8_clean does.")
@click.option("--names", is_flag=True, help="Repair ill-formed names of tables and columns.")
@click.option("--review", type=FILE, help="Write what is unclear to a CSV file; change nothing.")
@click.option("--choices", type=FILE, help="Apply what a person has filled in there.")
@click.option("--ask", is_flag=True, help="Ask about each unclear value.")
@click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")
@click.option("--undo-log", type=FILE, help="Write SQL that undoes it.")
@click.option("--no-backup", is_flag=True, help="Make no DATABASE.utf8ext-backup.")
@click.pass_context
def command(
    context: click.Context,
    database: Path,
    policy: str | None,
    charset: str | None,
    tables: tuple[str, ...],
    columns: tuple[str, ...],
    suspects: bool,
    keep_mojibake: bool,
    clean: str | None,
    names: bool,
    review: Path | None,
    choices: Path | None,
    ask: bool,
    dry_run: bool,
    undo_log: Path | None,
    no_backup: bool,
) -> None:
    """Repair the ill-formed and misread text of DATABASE.

    Each value is repaired by its cause: text in another charset is decoded, text that was misread
    is restored, and what was cut or damaged becomes U+FFFD. What is unclear stays: decide it with
    --review and --choices, or with --ask. Look at
    `utf8ext audit` first. --policy and --charset repair all ill-formed values alike. Policies are subpart (U+FFFD), byte, run, cesu-8, trim,
    escape and the charsets of one byte per character.

    \b
    - First copies the database to DATABASE.utf8ext-backup, which must not exist.
    - Changes all values in one transaction. If one of them cannot be changed, or if you press
      Ctrl-C, nothing is changed.
    - Triggers run, as after any UPDATE.

    --table and --column can be given several times. Exit status: 0 if nothing was found, 1 if
    something was found, 2 after an error, 130 after Ctrl-C.
    """
    if sum(map(bool, (review, choices, ask, dry_run))) > 1:
        raise Error("--review, --choices, --ask and --dry-run exclude each other")
    if undo_log and review:
        raise Error("--review changes nothing, so --undo-log has nothing to undo")
    chosen: Any = choices
    if review or ask:
        check_choosing(policy, charset)
        with Database(database) as opened:
            selection = select(opened, tables, columns)
            if review:
                context.exit(FOUND if write_review(opened, selection, review) else 0)
            chosen = ask_about(opened, selection)
        if chosen is None:
            click.echo("nothing was changed")
            context.exit(FOUND)
    if dry_run:
        name = policy_name(policy, charset)
        with Database(database) as opened:
            check_options(policy, charset, clean)
            renaming = Names(opened, name)
            found = names and _print_names(renaming)
            selection = select(opened, tables, columns)
            renamed = {old for _, _, old, _ in renaming.renamed}
            found |= print_diff(
                opened, name, selection, suspects, clean, renamed, misread=not keep_mojibake
            )
        context.exit(FOUND if found else 0)
    try:
        with titled_bar() as show:
            repaired = repair(
                database,
                policy=policy,
                charset=charset,
                tables=tables,
                columns=columns,
                suspects=suspects,
                keep_mojibake=keep_mojibake,
                clean=clean,
                names=names,
                choices=chosen,
                undo_log=undo_log,
                backup=not no_backup,
                progress=show,
            )
    except KeyboardInterrupt as interrupt:
        raise Interrupted("; ".join(["interrupted", *map(str, interrupt.args)])) from None
    ignore_signals()
    _print(repaired)
    context.exit(FOUND if repaired.found else 0)


def _print(repaired: Repaired) -> None:
    done = "is repaired" if repaired.columns or repaired.renamed else "was read"
    with printing_after(f"{repaired.database} {done}"):
        for line in _lines(repaired):
            click.echo(visible(line))
        for line in _notes(repaired):
            click.echo(visible(line), err=True)


def _print_names(names: Names) -> bool:
    """Print how a repair would rename."""
    names.find()
    for line in _renames(names.renamed):
        click.echo(visible(line))
    return bool(names.renamed or names.kept)


def _renames(renamed: list[Renamed]) -> Iterator[str]:
    for kind, table, old, new in renamed:
        place = f"{kind} {old}" if table is None else f"{kind} {table}.{old}"
        yield f"{place}: renamed to {new}"


def _lines(repaired: Repaired) -> Iterator[str]:
    if not repaired.found:
        yield f"{repaired.database}: nothing found"
    yield from _renames(repaired.renamed)
    for table, column, values, causes, lost in repaired.columns:
        named = ", ".join(f"{count:,} {cause}" for cause, count in causes.items())
        by_cause = f": {named}" if named else ""
        lossy = f"; {number(lost, 'value')} lost characters" if lost else ""
        yield f"{table}.{column}: {number(values, 'value')} repaired{by_cause}{lossy}"


def _notes(repaired: Repaired) -> Iterator[str]:
    """Yield a line for each column that was not repaired, what cannot be read, and the files."""
    for table, column, values, reason in repaired.left:
        if reason == UNCLEAR:
            yield f"{table}.{column}: {are_unclear(values, str(repaired.database))}"
            continue
        yield f"{table}.{column}: {number(values, 'value')} not repaired: {reason}"
    yield from repaired.stale
    for table, index in repaired.stale_indexes:
        name = quoted(index)
        update = f"INSERT INTO {name}({name}) VALUES('rebuild');"
        yield f"{table}: the index {index} has the old text; rebuild it: {update}"
    for name, reason in repaired.kept:
        yield f"{name}: not renamed: {reason}"
    for table, message in repaired.unreadable:
        yield f"{table}: not repaired: {message}"
    if repaired.unreadable_count > len(repaired.unreadable):
        more = repaired.unreadable_count - len(repaired.unreadable)
        yield f"… and {number(more, 'more unreadable part')}"
    if repaired.without_undo:
        what = f"{number(repaired.without_undo, 'value')} cannot be in the undo log"
        yield f"{what} (too long, or odd UTF-16); the backup has the original"
    for path in (repaired.backup, repaired.undo_log):
        if path:
            yield f"written: {path}"
