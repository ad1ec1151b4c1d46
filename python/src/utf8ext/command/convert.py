"""utf8ext convert: decodes, repairs or encodes a text file."""

from __future__ import annotations

import click

import utf8ext
from utf8ext.command.failure import FOUND
from utf8ext.command.options import FILE_NAME, loss_option, output_options, subcommand
from utf8ext.command.progress import titled_bar
from utf8ext.command.terminal import number, visible


@subcommand("convert", "notes.txt --from auto -o utf8.txt")
@click.argument("file", type=FILE_NAME, metavar="FILE")
@click.option("--from", "source", required=True, metavar="CHARSET", help="Its charset, or auto.")
@click.option(
    "--to", "target", default="utf-8", show_default=True, metavar="CHARSET", help="The new one."
)
@click.option("--policy", metavar="POLICY", help="Of UTF-8: how to repair it, as in utf8_repair.")
@loss_option
@output_options
@click.pass_context
def command(
    context: click.Context,
    file: str,
    source: str,
    target: str,
    policy: str | None,
    loss: str,
    output: str | None,
    backup: bool,
) -> None:
    """Write a text file in another charset.

    Bytes that are not text in the old charset become U+FFFD; --in-place then changes nothing,
    unless you name a --policy. --from auto decides what FILE is, and each of its lines that is not
    UTF-8: text in a charset is converted, damaged UTF-8 stays UTF-8. What is unclear or binary is
    refused, and misread text (`cafÃ©`) is named. A
    character that the new charset lacks is an error, unless --loss says what to write. The new file appears when it is complete. `-`
    is standard input or output. Files can have any size. Exit status: 0 if all was converted, 1 if
    something became U+FFFD, was repaired or replaced, 2 after an error.
    """
    with titled_bar() as progress:
        done = utf8ext.convert(
            file,
            output,
            source=source,
            target=target,
            policy=policy,
            loss=loss,
            backup=backup,
            progress=progress,
        )
    if done.cause:
        click.echo(f"{visible(file)}: {done.cause}", err=True)
    if done.cause or done.errors:
        click.echo(f"{visible(file)}: {_count(done)}", err=True)
    if done.misread:
        what = f"{number(done.misread, 'line')} misread before"
        click.echo(f"{visible(file)}: {what}; to restore: utf8ext clean FILE", err=True)
    if done.first_replaced:
        line, column, what = done.first_replaced
        characters = number(done.replaced, "character")
        place = f"{file}:{line}:{column}: {what}"
        click.echo(visible(f"{file}: {characters} not in the new charset, the first at {place}"), err=True)
    context.exit(FOUND if done.errors or done.misread or done.replaced else 0)


def _count(done: utf8ext.Converted) -> str:
    """Return `2 errors in utf-8, repaired, 1 as U+FFFD`."""
    if not done.errors:
        return "nothing lost"
    errors = f"{number(done.errors, 'error')} in {done.charset}"
    if done.lost >= done.errors:
        return f"{errors}, written as U+FFFD"
    return f"{errors}, repaired" + (f", {done.lost:,} as U+FFFD" if done.lost else "")
