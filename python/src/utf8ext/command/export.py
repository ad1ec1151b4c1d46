"""utf8ext export: a table, a view or a query as CSV in any charset."""

from __future__ import annotations

from typing import Any

import click

import utf8ext
from utf8ext._output import STDOUT
from utf8ext.command.failure import FOUND, Interrupted
from utf8ext.command.options import FILE_NAME, loss_option, mark_of, subcommand
from utf8ext.command.progress import titled_bar
from utf8ext.command.terminal import number, visible


@subcommand("export", "my.db people --policy subpart -o people.csv")
@click.argument("database", type=FILE_NAME, metavar="my.db")
@click.argument("table", required=False)
@click.option("--query", metavar="SQL", help="A SELECT, instead of a table or view.")
@click.option(
    "-o", "--output", type=FILE_NAME, default=STDOUT, metavar="FILE", help="Default: standard output."
)
@click.option("--charset", default="utf-8", show_default=True, metavar="NAME", help="Of the file.")
@click.option("--bom", is_flag=True, help="Start with a byte order mark, as Excel needs it for UTF-8.")
@loss_option
@click.option(
    "--delimiter", default=",", show_default=True, metavar="TEXT", help="Between fields; tab is one."
)
@click.option(
    "--quote", default='"', show_default=True, metavar="C", help="Around fields that need it; none is one."
)
@click.option(
    "--newline", default="crlf", show_default=True, metavar="NAME", help="crlf, lf, cr, or nel in EBCDIC."
)
@click.option("--null", default="", metavar="TEXT", help="What NULL is, such as \\N. Default: empty.")
@click.option("--header/--no-header", default=True, help="Whether the first line names columns.")
@click.option("--policy", metavar="NAME", help="What to write for ill-formed bytes, as in utf8_repair.")
@click.pass_context
def command(
    context: click.Context,
    /,
    database: str,
    output: str,
    delimiter: str,
    quote: str,
    newline: str,
    **options: Any,
) -> None:
    """Export a table, a view or a query as CSV in any charset.

    `-` is standard output. Ill-formed text is an error, unless you name a --policy; so is a
    character that the charset lacks, unless --loss says what to write. A text is in quotes where it
    needs them, or could be taken for NULL. Texts that a spreadsheet takes for formulas are written
    as they are. The new file appears when it is complete.
    Exit status: 0 if all text was written as it is, 1 if some was repaired or replaced, 2 after an
    error.
    """
    try:
        with titled_bar(printing=output == STDOUT) as progress:
            done = utf8ext.export_csv(
                database,
                output,
                delimiter=mark_of(delimiter) or "",
                quote=mark_of(quote) or "",
                newline=newline.lower(),
                progress=progress,
                **options,
            )
    except KeyboardInterrupt:
        raise Interrupted("interrupted; nothing was exported") from None
    rows, columns = number(done.rows, "row"), number(len(done.columns), "column")
    repaired = f", {number(done.repaired, 'text')} repaired" if done.repaired else ""
    click.echo(visible(f"{done.name}: {rows}, {columns}, {done.charset}{repaired}"), err=True)
    if done.first_replaced:
        what = f"{number(done.replaced, 'character')} not in {done.charset}"
        click.echo(visible(f"{done.name}: {what}, the first at {done.first_replaced}"), err=True)
    context.exit(FOUND if done.repaired or done.replaced else 0)
