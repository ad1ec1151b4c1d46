"""`utf8ext audit`: which table, column and value has ill-formed text."""

from __future__ import annotations

from pathlib import Path

import click

from utf8ext._database import Database
from utf8ext.command.failure import FOUND
from utf8ext.command.files import FILE
from utf8ext.command.options import form_options
from utf8ext.command.progress import scan_bar
from utf8ext.command.records import Record, Records
from utf8ext.command.sqlite.excerpt import Excerpts
from utf8ext.command.sqlite.findings import Finding, find
from utf8ext.command.sqlite.summary import Summary


@click.command("audit")
@click.argument("database", type=FILE)
@form_options("the findings")
@click.option("--suspects", is_flag=True, help="Find suspicious, well-formed text, too.")
@click.pass_context
def command(context: click.Context, database: Path, form: str | None, suspects: bool) -> None:
    """Find the ill-formed text of DATABASE.

    Prints a summary by table, column, kind and cause, then the first values of each with what a
    repair makes of them.
    With --json or --csv, prints each finding instead, as soon as it is found: one per line.

    Reads all tables of the schema main, and never writes to the file. Exit status: 0 if nothing
    was found, 1 if something was found, 2 after an error.
    """
    with Database(database) as opened:
        if form:
            found = _print_list(opened, suspects, form)
        else:
            found = _print_summary(opened, suspects)
    context.exit(FOUND if found else 0)


# ---- a summary -------------------------------------------------------------------------------


def _print_summary(database: Database, suspects: bool) -> bool:
    summary = Summary(database)
    with scan_bar(database, "Reading"):
        for finding in find(database, suspects=suspects):
            summary.add(finding)
    for line in summary.lines():
        click.echo(line)
    return summary.count() > 0


# ---- a list ----------------------------------------------------------------------------------


def _print_list(database: Database, suspects: bool, form: str) -> bool:
    excerpts = Excerpts(database)
    records = Records(form, _FIELDS)
    with scan_bar(database, "Reading", printing=True):
        for finding in find(database, suspects=suspects, repair_sql=True):
            records.write(_record(excerpts.shorten(finding), excerpts))
        records.close()
    return records.count > 0


_FIELDS = (
    *("table", "column", "key", "offset", "error", "errors"),
    *("cause", "excerpt", "repaired", "repair_sql"),
)


def _record(finding: Finding, excerpts: Excerpts) -> Record:
    return {
        "table": finding.table,
        "column": finding.column,
        "key": finding.key,
        "offset": finding.offset,
        "error": finding.error,
        "errors": finding.errors,
        "cause": finding.cause,
        "excerpt": finding.window and excerpts.plain(finding.window),
        "repaired": finding.repaired and excerpts.after(finding.repaired),
        "repair_sql": finding.repair_sql,
    }
