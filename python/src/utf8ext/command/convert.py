"""utf8ext convert: decodes, repairs or encodes a text file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import click

from utf8ext._stream import Bytes, Converter, whole_size
from utf8ext.command.detect import detect, find_cause
from utf8ext.command.failure import FOUND, Failure
from utf8ext.command.output import STDOUT, is_output, open_output
from utf8ext.command.terminal import number, visible
from utf8ext.command.text.encoder import Encoder
from utf8ext.command.text.engine import Charset, Engine
from utf8ext.command.text.repairer import Repairer
from utf8ext.command.text.textfile import STDIN, TextFile, open_text

AUTO = "auto"


@click.command()
@click.argument("file", metavar="FILE")
@click.option("--from", "source", required=True, metavar="CHARSET", help="Its charset, or auto.")
@click.option(
    "--to", "target", default="utf-8", show_default=True, metavar="CHARSET", help="The new one."
)
@click.option(
    "--policy", metavar="POLICY", help="Of UTF-8: how to repair it, as in utf8_repair."
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
    unless you name a --policy. --from auto decides what happened to FILE, and says it: text in a
    charset is converted, damaged UTF-8 stays UTF-8. A file that is unclear or binary is refused. A
    character that the new charset lacks is an error. The new file appears when it is complete. `-`
    is standard input or output. Files can have any size. Exit status: 0 if all was converted, 1 if
    something became U+FFFD or was repaired, 2 after an error.
    """
    engine = Engine()
    if in_place and (output or file == STDIN):
        raise click.UsageError("--in-place replaces FILE; it takes neither -o nor -")
    old = _source(engine, file, source)
    new = engine.charset(target)
    if policy and old.policy is None and old.charset.name not in ("utf-8", "utf-8-bom"):
        raise click.UsageError(f"--policy repairs UTF-8, and --from is {old.charset.name}")
    old = Source(old.charset, policy or old.policy, bool(policy))
    result = _convert(engine, file, old, new, output or STDOUT, in_place)
    if result.errors or source.lower() == AUTO:
        click.echo(f"{visible(file)}: {_count(result, old)}", err=True)
    context.exit(FOUND if result.errors else 0)


class Source(NamedTuple):
    """How to read the input."""

    charset: Charset
    policy: str | None  # repairs UTF-8; None: as the charset has it
    may_lose: bool = False  # did the user name the policy?


def _source(engine: Engine, file: str, name: str) -> Source:
    """Return how to read the input; `auto` reads the whole file to decide it."""
    if name.lower() != AUTO:
        return Source(engine.charset(name), None)
    if file == STDIN:
        raise Failure("--from auto reads a file twice, which standard input does not allow")
    with open_text(file, "Reading") as text:
        marked = text.marked()
        cause = find_cause(engine, text)
    if cause in _REFUSED:
        raise Failure(f"{file}: {_REFUSED[cause].format(_candidates(engine, file))}")
    click.echo(f"{visible(file)}: {cause}{_MEANINGS.get(cause, '')}", err=True)
    charset, policy = _decided(cause)
    if marked == "utf-8-bom" and charset == "utf-8":
        charset = marked
    return Source(engine.charset(charset), policy)


# What `auto` says about a cause.
_REFUSED = {
    "unclear": "unclear; it may be in {}. Look at it in each of them, and name one: --from CHARSET. "
    "Or write U+FFFD for what is ill-formed: --from utf-8 --policy subpart",
    "binary": "looks like binary data, not text; if it is text, name its charset: --from CHARSET",
}
_MEANINGS = {
    "cut": ": UTF-8 that was cut off",
    "damaged": ": UTF-8 that lost or changed bytes",
    "overlong": ": UTF-8 with overlong forms, as in attacks",
}


def _decided(cause: str) -> tuple[str, str | None]:
    """Return the charset and the policy for a cause, as the table in docs/functions.md has them."""
    if cause.startswith("utf-8+"):
        return "utf-8", cause.removeprefix("utf-8+")
    if cause in ("cesu-8", "mutf-8"):
        return "utf-8", "cesu-8"
    if cause in _MEANINGS:
        return "utf-8", "subpart"
    return ("utf-8", None) if cause in ("ascii", "utf-8-bom") else (cause, None)


def _candidates(engine: Engine, file: str) -> str:
    with open_text(file, "Reading") as text:
        return ", ".join(guess.charset for guess in detect(engine, text))


class Result(NamedTuple):
    """What a conversion did: errors in the old charset, and how many U+FFFD it wrote for them."""

    errors: int
    lost: int


def _count(result: Result, source: Source) -> str:
    """Return `2 errors in utf-8, repaired, 1 as U+FFFD`."""
    if not result.errors:
        return "nothing lost"
    errors = f"{number(result.errors, 'error')} in {source.charset.name}"
    if result.lost >= result.errors:
        return f"{errors}, written as U+FFFD"
    return f"{errors}, repaired" + (f", {result.lost:,} as U+FFFD" if result.lost else "")


def _convert(
    engine: Engine, name: str, old: Source, new: Charset, output: str, in_place: bool
) -> Result:
    """Convert a file."""
    with open_text(name, "Converting") as file:
        if not in_place and is_output(output, file.status()):
            raise Failure(f"{name}: is input and output; to replace it, say --in-place")
        text = _Repaired(engine, old) if old.policy else _Decoded(old)
        with open_output(name if in_place else output) as target:
            for part in _encoded(text.read(file), new, name):
                target.write(part)
            result = text.result()
            if in_place and result.lost and not old.may_lose:
                errors = f"{number(result.lost, 'error')} in {old.charset.name}"
                raise Failure(f"{name}: {errors}; the file stays as it was")
    return result


class _Decoded:
    """The text of a file in a charset. All errors are written as U+FFFD."""

    def __init__(self, old: Source) -> None:
        self._decoder = Converter(old.charset.name)

    def read(self, file: TextFile) -> Iterator[Bytes]:
        for piece, is_last in file.pieces():
            yield from self._decoder.convert(piece, is_last)

    def result(self) -> Result:
        return Result(self._decoder.errors, self._decoder.errors)


class _Repaired:
    """The text of a file that should be UTF-8, repaired under a policy."""

    def __init__(self, engine: Engine, old: Source) -> None:
        self._repairer = Repairer(engine, str(old.policy))
        self._charset = old.charset.name

    def read(self, file: TextFile) -> Iterator[Bytes]:
        charset, skip = file.mark(self._charset)
        for chunk in file.chunks(lambda data: whole_size(charset, data), skip):
            yield self._repairer.decode(chunk)

    def result(self) -> Result:
        return Result(self._repairer.errors, self._repairer.lost)


def _encoded(text: Iterator[Bytes], new: Charset, name: str) -> Iterator[Bytes]:
    if new.name == "utf-8":
        yield from text
        return
    encoder = Encoder(new, name)
    for part in text:
        yield from encoder.encode(part, False)
    yield from encoder.encode(b"", True)
