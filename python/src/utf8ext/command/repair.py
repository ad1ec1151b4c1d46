"""`utf8ext repair`: repair the ill-formed text of a database, all of it or nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import click

from utf8ext.command.failure import FOUND, Failure
from utf8ext.command.sqlite.database import FILE, Database
from utf8ext.command.sqlite.diff import print_diff
from utf8ext.command.sqlite.plan import AUTO, Plan
from utf8ext.command.sqlite.reasons import reason
from utf8ext.command.sqlite.selection import Selection, select
from utf8ext.command.sqlite.transaction import Repair, uninterrupted
from utf8ext.command.terminal import number, visible

_UNREADABLE = 20  # lines about what cannot be read


@click.command("repair")
@click.argument("database", type=FILE)
@click.option("--policy", metavar="NAME", help="What to write for all ill-formed bytes.")
@click.option("--charset", metavar="NAME", help="The charset of all ill-formed text.")
@click.option("--table", "tables", metavar="NAME", multiple=True, help="Only this table.")
@click.option("--column", "columns", metavar="NAME", multiple=True, help="Only this column.")
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
    dry_run: bool,
    undo_log: Path | None,
    no_backup: bool,
) -> None:
    """Repair the ill-formed text of DATABASE.

    Each value is repaired by its likeliest cause: text in another charset is decoded, what was cut
    or damaged becomes U+FFFD, and so does what is unclear. Look at `utf8ext audit` first. --policy
    and --charset repair all values alike. Policies are subpart (U+FFFD), byte, run, cesu-8, trim,
    escape and the charsets of one byte per character.

    \b
    - First copies the database to DATABASE.utf8ext-backup, which must not exist.
    - Changes all values in one transaction. If one of them cannot be changed, or if you press
      Ctrl-C, nothing is changed.
    - Triggers run, as after any UPDATE.

    --table and --column can be given several times. Exit status: 0 if nothing was found, 1 if
    something was found, 2 after an error, 130 after Ctrl-C.
    """
    name = _policy(policy, charset)
    with Database(database, writable=not dry_run) as opened:
        _check_name(opened, policy, charset)
        selection = select(opened, tables, columns)
        if dry_run:
            found = print_diff(opened, name, selection)
        else:
            found = _repair(opened, name, selection, undo_log, not no_backup)
    context.exit(FOUND if found else 0)


# ---- the options -----------------------------------------------------------------------------


def _policy(policy: str | None, charset: str | None) -> str:
    """Return the argument policy of utf8_audit."""
    if policy is not None and charset is not None:
        raise Failure("--policy and --charset exclude each other")
    return charset or policy or AUTO


def _check_name(database: Database, policy: str | None, charset: str | None) -> None:
    """Refuse an unknown name with utf8ext's own message, which lists what is accepted."""
    try:
        if policy is not None:
            database.value("SELECT utf8_repair('', ?)", policy)
        elif charset is not None and charset.lower() != AUTO:
            database.value("SELECT utf8_from(x'', ?)", charset)
    except Failure as failure:
        message = database.without_path(failure)
        hint = f" (--charset {policy})" if "utf8_from(X" in message else ""
        raise Failure(message + hint) from failure


# ---- the repair ------------------------------------------------------------------------------


def _repair(
    database: Database, policy: str, selection: Selection, undo_log: Path | None, backup: bool
) -> bool:
    plan = Plan(database, policy, selection, undo_log is not None)
    repair = Repair(database, plan, undo_log, backup)
    repair.run()
    with uninterrupted():
        _report(database, plan)
        for path in repair.written():
            click.echo(f"written: {visible(str(path))}", err=True)
    return plan.found()


def _report(database: Database, plan: Plan) -> None:
    if not plan.found():
        click.echo(f"{visible(str(database.path))}: nothing found")
    columns: defaultdict[tuple[str, str], Counter[str | None]] = defaultdict(Counter)
    for table, column, cause, count in plan.repaired():
        columns[table, column][cause] = count
    for (table, column), causes in columns.items():
        line = f"{table}.{column}: {number(sum(causes.values()), 'value')} repaired"
        click.echo(visible(line + _by_cause(causes)))
    _report_rest(database, plan)


def _by_cause(causes: Counter[str | None]) -> str:
    """Return `: 2 windows-1251, 1 damaged`; nothing if the policy does not depend on causes."""
    named = [f"{count:,} {cause}" for cause, count in causes.most_common() if cause]
    return f": {', '.join(named)}" if named else ""


def _report_rest(database: Database, plan: Plan) -> None:
    """Print one line on stderr for each column that was not repaired, and what is unreadable."""
    reasons = Counter[tuple[str, str, str]]()
    for table, column, cause, has_key, count in plan.not_repaired():
        reasons[table, column, reason(database, table, column, cause, has_key)] += count
    for (table, column, why), count in reasons.items():
        line = f"{table}.{column}: {number(count, 'value')} not repaired: {why}"
        click.echo(visible(line), err=True)
    for i, (table, message) in enumerate(plan.unreadable()):
        if i == _UNREADABLE:
            click.echo("…", err=True)
            break
        click.echo(visible(f"{table}: not repaired: {message}"), err=True)
