"""`utf8ext report`: one HTML page about all findings in a database."""

from __future__ import annotations

from pathlib import Path

import click

from utf8ext._database import Database
from utf8ext._error import Error, naming
from utf8ext._output import STDOUT, open_output
from utf8ext.command.failure import FOUND
from utf8ext.command.options import FILE, subcommand, suspects_option
from utf8ext.command.page.data import Collector
from utf8ext.command.progress import scan_bar
from utf8ext.command.terminal import visible

_HTML = b"<!DOCTYPE html>"  # how a report starts


@subcommand("report", "my.db -o report.html")
@click.argument("database", type=FILE)
@click.option(
    "-o",
    "--output",
    type=FILE,
    default="report.html",
    show_default=True,
    help="The page to write; - for standard output. Replaces an HTML page, and no other file.",
)
@suspects_option
@click.pass_context
def command(context: click.Context, database: Path, output: Path, suspects: bool) -> None:
    """Write a page about the ill-formed text in DATABASE.

    The page has charts by table and kind, the first values of each column with the error marked,
    what each policy would make of them, and the SQL that repairs. It needs no other file and no
    network.
    """
    _check_output(output)
    from utf8ext.command.page.page import Page  # late: jinja2 is slow to import

    with Database(database) as opened:
        collector = _collect(opened, suspects)
        html = Page(opened, collector, suspects).render()
    with open_output(str(output)) as file:
        file.write(html.encode("utf-8"))
    if str(output) != STDOUT:
        click.echo(f"{visible(str(output))}: {collector.count()}", err=True)
    context.exit(FOUND if any(collector.count()) else 0)


def _collect(database: Database, suspects: bool) -> Collector:
    database.run("BEGIN")  # the scan and the page see the same snapshot
    collector = Collector(database)
    with scan_bar(database):
        collector.read(suspects)
    return collector


def _check_output(output: Path) -> None:
    """Refuse early what cannot or must not be written."""
    if str(output) == STDOUT:
        return
    if output.is_dir():
        raise Error(f"{output}: is a directory; give a file name")
    if not output.parent.is_dir():
        raise Error(f"{output}: there is no folder {output.parent}")
    if output.is_file() and not _replaceable(output):
        raise Error(f"{output}: exists and is not an HTML page; choose another name")


def _replaceable(file: Path) -> bool:
    with naming(file), file.open("rb") as opened:
        start = opened.read(len(_HTML))
    return start.upper() in (_HTML.upper(), b"")
