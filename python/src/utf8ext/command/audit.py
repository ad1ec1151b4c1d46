"""`utf8ext audit`: which table, column and value has ill-formed text."""

from __future__ import annotations

from pathlib import Path

import click

import utf8ext
from utf8ext._progress import Progress
from utf8ext.command.failure import FOUND
from utf8ext.command.options import FILE, subcommand, suspects_option, syntax_options
from utf8ext.command.progress import titled_bar
from utf8ext.command.records import Records
from utf8ext.command.sqlite.summary import FIELDS, Count, summarize, write


@subcommand("audit", "my.db")
@click.argument("databases", type=FILE, nargs=-1, required=True, metavar="DATABASE...")
@syntax_options("the findings")
@suspects_option
@click.option(
    "--jobs",
    type=click.IntRange(1),
    default=1,
    metavar="N",
    help="Read N databases at the same time, each in a process of its own.",
)
@click.pass_context
def command(
    context: click.Context, databases: tuple[Path, ...], syntax: str | None, suspects: bool, jobs: int
) -> None:
    """Find the ill-formed and misread text of databases.

    Prints a summary by table, column and cause, then the first values of each with what a repair
    makes of them.
    With --json or --csv, prints each finding instead, as soon as it is found: one per line.

    Reads all tables of the schema main, and never writes to a file. Of several databases, one that
    cannot be read does not end the others. Exit status: 0 if nothing was found, 1 if something was
    found, 2 after an error.
    """
    if len(databases) > 1:
        from utf8ext.command.audits import audit_all  # late: it is rarely used

        context.exit(audit_all(databases, suspects, syntax, jobs))
    with titled_bar(printing=bool(syntax)) as progress:
        audit = _print_list if syntax else _print_summary
        count = audit(databases[0], suspects, syntax, progress)
    context.exit(FOUND if any(count) else 0)


def _print_summary(path: Path, suspects: bool, syntax: str | None, progress: Progress) -> Count:
    lines, count = summarize(path, suspects, progress)
    for line in lines:
        click.echo(line)
    return count


def _print_list(path: Path, suspects: bool, syntax: str | None, progress: Progress) -> Count:
    findings = utf8ext.audit(path, suspects=suspects, progress=progress)
    records = Records(syntax, FIELDS)
    count = write(findings, lambda found: records.write(found._asdict()))
    records.close()
    return count
