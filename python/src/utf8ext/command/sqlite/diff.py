"""What a repair would change: a line with the bytes before, and one with the text after."""

from __future__ import annotations

import click

from utf8ext.command.progress import scan_bar
from utf8ext.command.sqlite.database import Database
from utf8ext.command.sqlite.excerpt import Excerpts
from utf8ext.command.sqlite.findings import Finding, find
from utf8ext.command.sqlite.selection import Selection
from utf8ext.command.terminal import shown_key, styled, visible


def print_diff(database: Database, policy: str, selection: Selection) -> bool:
    """Print the diff as it is found. Return whether anything was found."""
    excerpts = Excerpts(database)
    found = False
    with scan_bar(database, "Reading", printing=True):
        for finding in find(database, policy, selection=selection, repair_sql=True):
            found = True
            _print_finding(excerpts.shorten(finding), excerpts)
    if not found:
        click.echo(f"{visible(str(database.path))}: nothing found")
    return found


def _print_finding(finding: Finding, excerpts: Excerpts) -> None:
    if finding.column is None or finding.window is None:
        click.echo(visible(f"{finding.table}: {finding.error}"))
        return
    place = visible(f"@ {finding.table}.{finding.column}")
    click.echo(styled(f"{place} {shown_key(finding.key)}", "cyan"))
    click.echo(f"{styled('-', 'red')} {excerpts.before(finding.window)}")
    after = "(not repaired)"
    if finding.repair_sql is not None:
        call = _call(finding.table, finding.column, finding.repair_sql)
        after = excerpts.after(finding.window, call)
    click.echo(f"{styled('+', 'green')} {after}")


def _call(table: str, column: str, repair_sql: str) -> str:
    """Return the function call of a repair_sql, with x in place of the column.

    repair_sql is `UPDATE "main"."t" SET "c" = utf8_repair("c", 'latin1') WHERE ...`
    """
    prefix = f'UPDATE "main".{_quoted(table)} SET {_quoted(column)} = '
    name, rest = repair_sql[len(prefix) :].split("(", 1)
    end = rest.index(")", len(_quoted(column)))
    return f"{name}(x{rest[len(_quoted(column)) : end]})"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
