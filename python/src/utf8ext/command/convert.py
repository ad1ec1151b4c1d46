"""utf8ext convert: decodes, repairs or encodes a text file."""

from __future__ import annotations

from typing import BinaryIO

import click

from utf8ext.command.detect import detect
from utf8ext.command.failure import FOUND, Failure
from utf8ext.command.output import STDOUT, is_output, open_output
from utf8ext.command.terminal import visible
from utf8ext.command.text.codec import Decoder, Encoder, Repairer
from utf8ext.command.text.engine import Charset, Engine
from utf8ext.command.text.textfile import STDIN, TextFile, open_text

AUTO = "auto"


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--from", "source", required=True, metavar="CHARSET", help="Its charset, or auto.")
@click.option(
    "--to", "target", default="utf-8", show_default=True, metavar="CHARSET", help="The new one."
)
@click.option(
    "--policy", metavar="POLICY", help="With --from utf-8: how to repair, as in utf8_repair."
)
@click.option("-o", "--output", metavar="FILE", help="The new file. Default: standard output.")
@click.option("--in-place", is_flag=True, help="Replace FILE.")
@click.pass_context
def command(
    context: click.Context,
    file: str,
    source: str,
    target: str,
    policy: str | None,
    output: str | None,
    in_place: bool,
) -> None:
    """Write a text file in another charset.

    Bytes that are not text in the old charset become U+FFFD; --in-place then changes nothing,
    unless you name a --policy. A character that the new charset lacks is an error. The new file
    appears when it is complete. `-` is standard input or output. Files can have any size. Exit status:
    0 if all was converted, 1 if something became U+FFFD or was repaired, 2 after an error.
    """
    engine = Engine()
    if in_place and (output or file == STDIN):
        raise click.UsageError("--in-place replaces FILE; it takes neither -o nor -")
    old, new = _source(engine, file, source), engine.charset(target)
    if policy and old.name not in ("utf-8", "utf-8-bom"):
        raise click.UsageError(f"--policy repairs UTF-8, and --from is {old.name}")
    errors = _convert(engine, file, (old, new, policy), output or STDOUT, in_place)
    if errors:
        what = "repaired" if policy else "written as U+FFFD"
        click.echo(f"{visible(file)}: {_count(errors, old)}, {what}", err=True)
    context.exit(FOUND if errors else 0)


def _source(engine: Engine, file: str, name: str) -> Charset:
    """Return the charset of the input; `auto` reads the whole file to guess it."""
    if name.lower() != AUTO:
        return engine.charset(name)
    if file == STDIN:
        raise Failure("--from auto reads a file twice, which standard input does not allow")
    with open_text(file, "Reading") as text:
        guess = detect(engine, text)[0]
    if guess.charset == "binary":
        raise Failure(f"{file}: looks like binary data, not text")
    click.echo(f"{visible(file)}: {guess.charset}, score {guess.score:.2f}", err=True)
    return engine.charset(guess.charset)


def _count(errors: int, charset: Charset) -> str:
    return f"{errors:,} {'error' if errors == 1 else 'errors'} in {charset.name}"


def _convert(
    engine: Engine,
    name: str,
    how: tuple[Charset, Charset, str | None],
    output: str,
    in_place: bool,
) -> int:
    """Convert a file and return the number of errors in it."""
    old, new, policy = how
    with open_text(name, "Converting") as file:
        if not in_place and is_output(output, file.status()):
            raise Failure(f"{name}: is input and output; to replace it, say --in-place")
        charset, skip = file.mark(old.name)
        decoder = (
            Repairer(engine, policy) if policy else Decoder(engine, Charset(charset, old.kind))
        )
        with open_output(name if in_place else output) as target:
            _write(engine, file, skip, decoder, new, target)
            if in_place and decoder.errors and not policy:
                raise Failure(f"{name}: {_count(decoder.errors, old)}; the file stays as it was")
    return decoder.errors


def _write(
    engine: Engine,
    file: TextFile,
    skip: int,
    decoder: Decoder | Repairer,
    new: Charset,
    target: BinaryIO,
) -> None:
    encoder = None if new.name == "utf-8" else Encoder(engine, new, file.name)
    for chunk in file.chunks(decoder.cut, skip):
        text = decoder.decode(chunk)
        target.write(encoder.encode(text, chunk.is_last) if encoder else text)
