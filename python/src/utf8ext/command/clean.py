"""utf8ext clean: makes the text of a file right."""

from __future__ import annotations

import shlex

import click

from utf8ext._clean import STEPS, Cleaned
from utf8ext._files.clean import clean_file, escaped_damage
from utf8ext._error import Error
from utf8ext._output import open_in_place, open_output
from utf8ext.command.failure import FOUND
from utf8ext.command.options import FILE_NAME, output_options, subcommand
from utf8ext.command.progress import reading
from utf8ext.command.terminal import number, visible


@subcommand("clean", "notes.txt -o clean.txt")
@click.argument("file", type=FILE_NAME, metavar="FILE")
@click.option("--steps", default=STEPS, show_default=True, metavar="LIST", help="What to clean.")
@output_options
@click.pass_context
def command(
    context: click.Context, file: str, steps: str, output: str | None, backup: bool
) -> None:
    """Clean a text file: repair it, undo mojibake, normalize.

    Repairs each line by its cause, as import does, then writes what utf8_clean() makes of the whole
    file, at most 1 GB. Steps: repair, json, html, url,
    mojibake, escapes, lines, ligatures, width, quotes, controls, invisible, nfc or nfkc, trim; or
    ftfy. What cannot be repaired becomes U+FFFD; --in-place then changes nothing. Binary data is refused. The
    new file appears when it is complete. `-` is standard input or output. Exit status: 0 if nothing
    was lost, 1 if something became U+FFFD or escapes have misread text, 2 after an error.
    """
    with reading(file, "Cleaning", unifies=True) as text:
        text.refuse_formats()
        text.refuse_output(output)
        data, sections = text.whole(), text.sections
    cleaned = clean_file(data, steps, sections)
    if cleaned.cause == "binary":
        raise Error(f"{file}: looks like binary data, not text")
    if cleaned.lost and output is None:
        raise Error(f"{file}: {_said(cleaned)}; the file stays as it was")
    with open_in_place(file, backup) if output is None else open_output(output) as target:
        target.write(cleaned.text)
    escapes = escaped_damage(cleaned.text)
    what = f"misread in its escapes of {escapes.kind}" if escapes else "well-formed"
    changed = ", unchanged" if data == cleaned.text and not sections else ", cleaned"
    click.echo(f"{visible(file)}: {_said(cleaned, what)}{changed}", err=True)
    if escapes:
        line = f"utf8ext clean {shlex.quote(file)} --steps {escapes.steps}"
        what = f"{number(escapes.number, 'escape')} of {escapes.kind} with misread text"
        click.echo(visible(f"{file}: {what}, such as {escapes.example}; to mend: {line}"), err=True)
    context.exit(FOUND if cleaned.lost or escapes else 0)


def _said(cleaned: Cleaned, well_formed: str = "well-formed") -> str:
    """Return `utf-8, 1 line damaged, 2 characters written as U+FFFD`."""
    what = cleaned.cause or well_formed
    if not cleaned.lost:
        return what
    return f"{what}, {number(cleaned.lost, 'character')} written as U+FFFD"
