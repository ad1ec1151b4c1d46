"""Converts a text file: decodes, repairs or encodes it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from utf8ext._cause import DECIDED_AT_ONCE, Cut
from utf8ext._engine import Charset, Engine
from utf8ext._error import Error
from utf8ext._decide import Decision, Lines, decide
from utf8ext._files.detect import detect_file, line_chunks
from utf8ext._files.encoder import REFUSED, Encoder, check_loss
from utf8ext._files.repairer import Repairer
from utf8ext._files.result import Converted
from utf8ext._files.textfile import Again, TextFile, open_text
from utf8ext._output import open_in_place, open_output
from utf8ext._progress import Progress
from utf8ext._stream import Bytes, Converter
from utf8ext._whole import whole_size
from utf8ext._text import number
from utf8ext._units import Decoder, is_units
from utf8ext._verdict import AUTO, UNCLEAR


class Options(NamedTuple):
    """How to convert."""

    source: str = AUTO
    target: str = "utf-8"
    policy: str | None = None
    backup: bool = True  # of a file that is converted in place
    loss: str = REFUSED  # what to write for characters that the target lacks


class _Source(NamedTuple):
    """How to read the input."""

    charset: Charset
    policy: str | None = None  # repairs UTF-8; None: as the charset has it
    decision: Decision | None = None  # what the file is, if that was decided


def convert_file(name: str, output: str | None, options: Options, progress: Progress) -> Converted:
    """Convert a file to another, or in place if output is None."""
    engine = Engine("")
    check_loss(engine, options.loss)
    job = _Job(engine, name, output, options, _charset(engine, "target", "--to", options.target))
    reading = partial(progress, f"Reading {name}")
    converting = partial(progress, f"Converting {name}")
    if options.source.lower() != AUTO:
        old = _with_policy(name, _Source(_charset(engine, "source", "--from", options.source)), options.policy)
        with open_text(name, converting) as file:
            file.refuse_formats(is_named=True)
            return _convert(job, old, file)
    with open_text(name, reading, unifies=True) as file:
        file.refuse_formats()
        with file.kept() as again:
            old = _with_policy(name, _decided(job, again), options.policy)
            return _convert(job, old, again(converting))


class _Job(NamedTuple):
    """What is converted to what."""

    engine: Engine
    name: str
    output: str | None
    options: Options
    new: Charset


def _convert(job: _Job, old: _Source, file: TextFile) -> Converted:
    """Write what a file contains in the new charset."""
    engine, name, output, options, new = job
    file.refuse_output(output)
    text, encoder = _text(engine, old), Encoder(engine, new, name, options.loss)
    with open_in_place(name, options.backup) if output is None else open_output(output) as target:
        for part in _encoded(text.read(file), new, encoder):
            target.write(part)
        cause, misread = (old.decision.label, old.decision.misread) if old.decision else (None, 0)
        found = text.errors(), text.lost(), misread, encoder.replaced, encoder.first
        result = Converted(old.charset.name, cause, *found)
        if output is None and result.lost and not options.policy:
            errors = f"{number(result.lost, 'error')} in {result.charset}"
            raise Error(f"{name}: {errors}; the file stays as it was")
    return result


# ---- how to read the input -------------------------------------------------------------


def _charset(engine: Engine, argument: str, option: str, name: str) -> Charset:
    """Return the charset that an argument names; an Error names the nearest ones."""
    try:
        return engine.charset(name)
    except Error as error:
        message, _, _ = str(error).partition("; all names: ")
        message = message.replace("utf8_from: argument 2 (charset)", argument)
        raise Error(message, f"{option} takes what utf8ext charsets lists") from error


def _with_policy(name: str, old: _Source, policy: str | None) -> _Source:
    if not policy:
        return old
    if not old.policy and old.charset.name not in ("utf-8", "utf-8-bom"):
        raise Error(f"a policy repairs UTF-8, and {name} is in {old.charset.name}")
    return old._replace(policy=policy)


def _decided(job: _Job, again: Again) -> _Source:
    """Read a whole file, and return what it is."""
    engine, name = job.engine, job.name
    file = again()
    marked = file.marked()
    decision = decide(engine, lambda: line_chunks(engine, again()))
    decision.sections = file.sections
    if decision.charset == "binary":
        hint = "if it is text, name its charset: --from CHARSET"
        raise Error(f"{name}: looks like binary data, not text", hint)
    if not job.options.policy:
        _refuse_undecided(job, again, decision)
    charset = decision.charset if decision.charset not in ("ascii", "utf-8-bom") else "utf-8"
    if marked == "utf-8-bom" and charset == "utf-8":
        charset = marked
    return _Source(engine.charset(charset), None, decision)


def _refuse_undecided(job: _Job, again: Again, decision: Decision) -> None:
    """Raise an Error that names the lines that are unclear or binary."""
    for cause in (UNCLEAR, "binary"):
        count = decision.lines[cause]
        if not count:
            continue
        lines = f"{number(count, 'line')} {'is' if count == 1 else 'are'}"
        what = f"{lines} {cause}, the first is line {decision.first[cause]:,}"
        if again().marked() == "utf-8-bom":  # no legacy charset: its other lines are UTF-8
            raise Error(f"{job.name}: {what}", _UNCLEAR_UTF8)
        if cause == UNCLEAR:
            guesses = detect_file(job.engine, again())
            what += f"; it may be in {', '.join(guess.charset for guess in guesses)}"
        raise Error(f"{job.name}: {what}", _UNCLEAR)


_UNCLEAR = (
    "look at it in each of them, and name one: --from CHARSET; or write U+FFFD for what is "
    "ill-formed: --from utf-8 --policy subpart"
)

_UNCLEAR_UTF8 = (
    "the file is UTF-8 by its byte order mark; name the charset of what is not: --from utf-8-bom "
    "--policy CHARSET; or write U+FFFD for it: --from utf-8-bom --policy subpart"
)


# ---- the text --------------------------------------------------------------------------


def _text(engine: Engine, old: _Source) -> _Decoded | _Repaired | _Mended:
    if old.policy:
        return _Repaired(engine, old)
    if old.decision and old.decision.is_mixed:
        return _Mended(engine, old)
    return _Decoded(old)


class _Mended:
    """The text of a mixed file, whose lines were decided one by one."""

    def __init__(self, engine: Engine, old: _Source) -> None:
        self._engine = engine
        self._lines = Lines(engine, misread=False)
        self._charset = old.charset.name
        self._decoder = Decoder(self._charset) if is_units(self._charset) else None

    def read(self, file: TextFile) -> Iterator[Bytes]:
        """Read the chunks that decide() has read."""
        contents = (chunk.content for chunk in file.chunks(Cut(self._engine.value), at_once=DECIDED_AT_ONCE))
        if self._decoder:
            yield from map(self._lines.repaired, self._decoder.chunks(contents))
            return
        _, skip = file.mark(self._charset)
        for content in contents:
            yield self._lines.repaired(content)[skip:]
            skip = 0

    def errors(self) -> int:
        return self._lines.errors + self._undecoded()

    def lost(self) -> int:
        return self._lines.lost + self._undecoded()

    def _undecoded(self) -> int:
        return self._decoder.errors if self._decoder else 0


class _Decoded:
    """The text of a file in a charset. All errors are written as U+FFFD."""

    def __init__(self, old: _Source) -> None:
        self._decoder = Converter(old.charset.name)

    def read(self, file: TextFile) -> Iterator[Bytes]:
        for piece, is_last in file.pieces():
            yield from self._decoder.convert(piece, is_last)

    def errors(self) -> int:
        return self._decoder.errors

    def lost(self) -> int:
        return self._decoder.errors


class _Repaired:
    """The text of a file that should be UTF-8, repaired under a policy."""

    def __init__(self, engine: Engine, old: _Source) -> None:
        self._repairer = Repairer(engine, str(old.policy))
        self._charset = old.charset.name

    def read(self, file: TextFile) -> Iterator[Bytes]:
        charset, skip = file.mark(self._charset)
        for chunk in file.chunks(lambda data: whole_size(charset, data), skip):
            yield self._repairer.decode(chunk)

    def errors(self) -> int:
        return self._repairer.errors

    def lost(self) -> int:
        return self._repairer.lost


def _encoded(text: Iterator[Bytes], new: Charset, encoder: Encoder) -> Iterator[Bytes]:
    if new.name == "utf-8":
        yield from text
        return
    for part in text:
        yield from encoder.encode(part, False)
    yield from encoder.encode(b"", True)
