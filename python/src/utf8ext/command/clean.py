"""utf8ext clean: makes the text of a file right."""

from __future__ import annotations

import click

from utf8ext.command.failure import FOUND, Failure
from utf8ext.command.output import STDOUT, is_output, open_output
from utf8ext.command.terminal import number, visible
from utf8ext.command.text.engine import Engine
from utf8ext.command.text.textfile import STDIN, open_text

_REPLACEMENT = "\ufffd".encode()


@click.command()
@click.argument("file", metavar="FILE")
@click.option(
    "--steps", default="repair,mojibake,nfc", show_default=True, metavar="LIST", help="What to clean."
)
@click.option("-o", "--output", metavar="FILE", help="The new file. Default: standard output.")
@click.option("--in-place", is_flag=True, help="Replace FILE.")
@click.pass_context
def command(
    context: click.Context, file: str, steps: str, output: str | None, in_place: bool
) -> None:
    """Clean a text file: repair it, undo mojibake, normalize.

    Writes what utf8_clean() makes of the whole file, at most 1 GB. Steps: repair, html, mojibake,
    escapes, lines, ligatures, width, quotes, controls, invisible, nfc or nfkc, trim; or ftfy. What
    cannot be repaired becomes U+FFFD; --in-place then changes nothing. Binary data is refused. The
    new file appears when it is complete. `-` is standard input or output. Exit status: 0 if nothing
    was lost, 1 if something became U+FFFD, 2 after an error.
    """
    if in_place and (output or file == STDIN):
        raise click.UsageError("--in-place replaces FILE; it takes neither -o nor -")
    target = file if in_place else output or STDOUT
    lost = _clean(Engine(), file, steps, target, in_place)
    context.exit(FOUND if lost else 0)


def _clean(engine: Engine, name: str, steps: str, target: str, in_place: bool) -> int:
    """Clean a file, and return how many characters were lost."""
    with open_text(name, "Cleaning") as file:
        if not in_place and is_output(target, file.status()):
            raise Failure(f"{name}: is input and output; to replace it, say --in-place")
        data = file.whole()
    cause, text = engine.row("SELECT utf8_cause(?1), utf8_clean(?1, ?2)", data, steps)
    if cause == "binary":
        raise Failure(f"{name}: looks like binary data, not text")
    lost = 0 if cause is None else text.count(_REPLACEMENT) - data.count(_REPLACEMENT)
    if lost and in_place:
        raise Failure(f"{name}: {_said(cause, lost)}; the file stays as it was")
    with open_output(target) as output:
        output.write(text)
    click.echo(f"{visible(name)}: {_said(cause, lost)}{_changed(data, text)}", err=True)
    return lost


def _said(cause: str | None, lost: int) -> str:
    """Return `damaged, 2 characters written as U+FFFD`."""
    what = cause or "well-formed"
    return f"{what}, {number(lost, 'character')} written as U+FFFD" if lost else what


def _changed(data: bytes, text: bytes) -> str:
    return ", unchanged" if data == text else ", cleaned"
