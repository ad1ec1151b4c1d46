"""What a repair would change: a line with the bytes before, and one with the text after."""

from __future__ import annotations

from collections.abc import Collection
from os.path import commonprefix

import click

from utf8ext._audit.excerpt import Excerpts
from utf8ext._audit.findings import Finding, Window, find
from utf8ext._database import Database
from utf8ext._repair.cleaning import CLEANED, Cell, Cleaning
from utf8ext._selection import Selection
from utf8ext._verdict import UNCLEAR
from utf8ext.command.progress import scan_bar
from utf8ext.command.terminal import error_style, shown_key, styled, visible


def print_diff(
    database: Database,
    policy: str,
    selection: Selection,
    suspects: bool,
    steps: str | None,
    renamed: Collection[str],
    misread: bool = True,
) -> bool:
    """Print the diff as it is found. Return whether anything was found.

    renamed: ill-formed names that are repaired before, and so prevent no repair.
    """
    excerpts = Excerpts(database)
    found = False
    with scan_bar(database, printing=True):
        findings = find(
            database, policy, suspects, selection, True, steps, settled=True, misread=misread
        )
        for finding in findings:
            found = True
            if not (renamed and finding.table == "sqlite_master"):
                _print_finding(excerpts.shorten(finding), excerpts, renamed)
        if steps is not None:
            for cell in Cleaning(database, selection, steps).cells(suspects):
                found = True
                _print_finding(excerpts.shorten(_finding(cell)), excerpts)
    if not found:
        click.echo(f"{visible(str(database.path))}: nothing found")
    return found


def _finding(cell: Cell) -> Finding:
    at = len(commonprefix([cell.before, cell.after]))
    return Finding(
        *(cell.table, cell.column, cell.key, at, CLEANED, None, None, "", None, False),
        Window(cell.before, at),
        Window(cell.after, at),
    )


def _print_finding(
    finding: Finding, excerpts: Excerpts, renamed: Collection[str] = ()
) -> None:
    if finding.column is None or finding.window is None:
        click.echo(visible(f"{finding.table}: {finding.error}"))
        return
    place = visible(f"@ {finding.table}.{finding.column}")
    click.echo(styled(f"{place} {shown_key(finding.key)}", "cyan"))
    click.echo(f"{styled('-', 'red')} {excerpts.before(finding.window, error_style)}")
    after = "(unclear)" if finding.cause == UNCLEAR else "(not repaired)"
    has_update = finding.repair_sql is not None
    if finding.table in renamed or finding.column in renamed:
        has_update = True
    if has_update and finding.repaired is not None:
        after = excerpts.after(finding.repaired)
    click.echo(f"{styled('+', 'green')} {after}")
