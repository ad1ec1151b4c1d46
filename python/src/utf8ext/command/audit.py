"""`utf8ext audit`: which table, column and value has ill-formed text."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TextIO

import click

from utf8ext.command.failure import FOUND, Failure
from utf8ext.command.progress import scan_bar
from utf8ext.command.sqlite.database import FILE, Database
from utf8ext.command.sqlite.excerpt import Excerpts
from utf8ext.command.sqlite.findings import Finding, find
from utf8ext.command.sqlite.summary import Summary

Record = dict[str, object]
Writer = Callable[[Iterable[Record], TextIO], int]


@click.command("audit")
@click.argument("database", type=FILE)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as a JSON array.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the findings as CSV (RFC 4180).")
@click.option("--suspects", is_flag=True, help="Find suspicious, well-formed text, too.")
@click.pass_context
def command(
    context: click.Context, database: Path, as_json: bool, as_csv: bool, suspects: bool
) -> None:
    """Find the ill-formed text of DATABASE.

    Prints a summary by table, column, kind and likely charset, then the first values of each.
    With --json or --csv, prints each finding instead, as soon as it is found: one per line.

    Reads all tables of the schema main, and never writes to the file. Exit status: 0 if nothing
    was found, 1 if something was found, 2 after an error.
    """
    if as_json and as_csv:
        raise Failure("--json and --csv exclude each other")
    with Database(database) as opened:
        if as_json or as_csv:
            found = _print_list(opened, suspects, _write_json if as_json else _write_csv)
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


def _print_list(database: Database, suspects: bool, write: Writer) -> bool:
    """Print each finding on a line of its own, in UTF-8 whatever the locale is."""
    excerpts = Excerpts(database)
    findings = find(database, suspects=suspects, repair_sql=True)
    records = (_record(excerpts.shorten(finding), excerpts) for finding in findings)
    sys.stdout.reconfigure(encoding="utf-8", newline="")  # type: ignore[union-attr]
    with scan_bar(database, "Reading", printing=True):
        return write(records, sys.stdout) > 0


def _record(finding: Finding, excerpts: Excerpts) -> Record:
    return {
        "table": finding.table,
        "column": finding.column,
        "key": finding.key,
        "offset": finding.offset,
        "error": finding.error,
        "errors": finding.errors,
        "excerpt": finding.window and excerpts.plain(finding.window),
        "repair_sql": finding.repair_sql,
    }


def _write_json(records: Iterable[Record], out: TextIO) -> int:
    """Write an array with one record per line, so that nothing is kept. Return the count."""
    count = 0
    for record in records:
        out.write(",\n" if count else "[\n")
        out.write(json.dumps(record, ensure_ascii=False))
        count += 1
    out.write("\n]\n" if count else "[]\n")
    return count


def _write_csv(records: Iterable[Record], out: TextIO) -> int:
    """Write a header and one line per record; NULL is an empty field. Return the count."""
    writer = csv.DictWriter(out, _FIELDS)
    writer.writeheader()
    count = 0
    for count, record in enumerate(records, 1):
        writer.writerow(record)
    return count


_FIELDS = ["table", "column", "key", "offset", "error", "errors", "excerpt", "repair_sql"]
