"""utf8ext import: text files in any charset into a table."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import click

import utf8ext
from utf8ext._import.result import Imported, Problem
from utf8ext._signals import ignore_signals
from utf8ext.command.failure import FOUND, Interrupted
from utf8ext.command.options import FILE_NAME, mark_of, subcommand
from utf8ext.command.progress import titled_bar
from utf8ext.command.terminal import aligned, are_unclear, number, printing_after, visible


@subcommand("import", "orders.csv my.db")
@click.argument("files", type=FILE_NAME, nargs=-1, required=True, metavar="FILE...")
@click.argument("database", type=FILE_NAME, metavar="my.db")
@click.option("--table", metavar="NAME", help="The table. Default: the name of the first file.")
@click.option("--charset", default="auto", show_default=True, metavar="NAME", help="Of all files.")
@click.option(
    "--delimiter", metavar="TEXT", help="Between fields: ';', tab, '||'. Default: the likeliest."
)
@click.option("--quote", metavar="C", help="Around fields; none is one. Default: as in the file.")
@click.option("--escape", metavar="C", help="Before a quote in a field: \\, or none.")
@click.option("--null", metavar="TEXT", help="The field that is NULL, such as \\N.")
@click.option(
    "--skip-lines",
    type=click.IntRange(0),
    metavar="N",
    help="Lines before the header. Without it, a file that has some is an error.",
)
@click.option("--header/--no-header", default=True, help="Whether the first line names columns.")
@click.option("--policy", metavar="NAME", help="What to write for all ill-formed bytes.")
@click.option("--keep-mojibake", is_flag=True, help="Leave text that was misread as it is.")
@click.option("--clean", metavar="STEPS", help="Clean all cells, as utf8_clean does.")
@click.option("--append", is_flag=True, help="Add rows to a table that exists.")
@click.option("--replace", is_flag=True, help="Replace a table that exists.")
@click.option(
    "--drop-dependents",
    is_flag=True,
    help="With --replace: also drop indexes, triggers and keys, after a backup.",
)
@click.option("--no-backup", is_flag=True, help="Make no DATABASE.utf8ext-backup.")
@click.option("--report", type=FILE_NAME, metavar="FILE", help="Write all that was found to a CSV file.")
@click.option("--dry-run", is_flag=True, help="Show what would be imported, and write nothing.")
@click.pass_context
def command(
    context: click.Context,
    /,
    files: tuple[str, ...],
    database: str,
    delimiter: str | None,
    quote: str | None,
    escape: str | None,
    no_backup: bool,
    **options: Any,
) -> None:
    """Import text files into a table.

    FILE is CSV, TSV or JSON lines, in any charset; - is standard input. The charset is decided from
    the whole file, then each ill-formed or misread cell by its cause. What is unclear stays as it
    is. All files are imported, or nothing.
    Exit status: 0 if all cells were well-formed, 1 if some were repaired or a line is not as it
    should be, 2 if nothing was imported.
    """
    try:
        with titled_bar() as progress:
            imported = utf8ext.import_csv(
                files,
                database,
                delimiter=mark_of(delimiter),
                quote=mark_of(quote),
                escape=mark_of(escape),
                backup=not no_backup,
                progress=progress,
                **options,
            )
    except KeyboardInterrupt:
        raise Interrupted("interrupted; nothing was imported") from None
    ignore_signals()
    done = "read" if imported.is_dry_run else f"imported into {database}"
    with printing_after(f"{number(imported.rows, 'row')} {done}"):
        for line in _lines(imported, database):
            click.echo(line)
        if imported.backup:
            click.echo(visible(f"written: {imported.backup}"), err=True)
    context.exit(0 if imported.is_clean else FOUND)


def _lines(imported: Imported, database: str) -> Iterator[str]:
    """Yield the summary, line by line."""
    for file in imported.files:
        form = file.dialect if imported.is_dry_run else file.form
        form = f"; {form}" if form else ""
        yield visible(f"{file.name}: {file.charset}, {number(file.rows, 'row')}{form}")
    cells = sum(group.cells for group in imported.repaired if group.cause != "binary")
    cells -= sum(imported.unclear.values())
    repaired = f", {number(cells, 'cell')} repaired" if cells else ""
    rows = number(imported.rows, "row")
    yield visible(f"{database}: {rows} in table {imported.table}{repaired}")
    if imported.is_dry_run:
        yield visible(f"columns: {', '.join(imported.columns)}")
        yield "dry run: nothing was written"
    if imported.dropped:
        yield visible(f"dropped: {', '.join(imported.dropped)}")
    if imported.repaired:
        yield ""
        yield from _cells(imported, database)
    if imported.problems:
        yield ""
        yield from _problems(imported)


def _cells(imported: Imported, database: str) -> Iterator[str]:
    """Yield a table of the repaired cells, and what to do about them."""
    rows = [("file", "column", "cause", "cells", "lost")]
    for group in sorted(imported.repaired):
        cells, lost = f"{group.cells:,}", f"{group.lost:,}"
        rows.append((group.file, group.column, group.cause, cells, lost))
    yield from aligned(rows, right={3, 4})
    for column, count in imported.unclear.items():
        what = are_unclear(count, database)
        what = what.partition(":")[0] if imported.is_dry_run else what
        yield visible(f"{imported.table}.{column}: {what}")
    if any(group.cause == "binary" for group in imported.repaired):
        yield "binary: these cells look like binary data, and are stored as BLOB"


def _problems(imported: Imported) -> Iterator[str]:
    """Yield the first lines of each kind that are not as they should be."""
    problems = sorted(imported.problems)
    for kind, group in groupby(problems, key=lambda problem: problem.kind):
        count = 0
        for count, problem in enumerate(group, 1):
            yield visible(_problem(problem))
        more = imported.problem_counts[kind] - count
        if more:
            yield f"… and {number(more, 'more ' + kind)}; --report FILE lists all"
        if kind in _PROBLEM_HINTS:
            yield f"{kind}: {_PROBLEM_HINTS[kind]}"


_PROBLEM_HINTS = {
    "NUL": "U+0000 is kept, but most functions of SQLite, and its shell, stop at it",
    "misplaced quote": "in CSV, quotes inside of quotes are doubled, and only a delimiter follows; "
    "--quote none takes quotes for text",
}


def _problem(problem: Problem) -> str:
    details = (": " + text for text in (problem.column, problem.what) if text)
    return f"{problem.file}:{problem.line}: {problem.kind}{''.join(details)}"
