"""Converts a text file: decodes, repairs or encodes it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from utf8ext._cause import AUTO
from utf8ext._convert import Converted
from utf8ext._engine import Charset, Engine
from utf8ext._error import Error
from utf8ext._files.detect import detect_file, find_cause
from utf8ext._files.encoder import Encoder
from utf8ext._files.repairer import Repairer
from utf8ext._files.textfile import Show, TextFile, open_text
from utf8ext._output import is_output, open_in_place, open_output
from utf8ext._pipe import STDIN
from utf8ext._progress import Progress
from utf8ext._stream import Bytes, Converter, whole_size
from utf8ext._text import number


class Options(NamedTuple):
    """How to convert."""

    source: str = AUTO
    target: str = "utf-8"
    policy: str | None = None
    backup: bool = True  # of a file that is converted in place


class _Source(NamedTuple):
    """How to read the input."""

    charset: Charset
    policy: str | None = None  # repairs UTF-8; None: as the charset has it
    cause: str | None = None  # what happened to the file, if that was decided


def convert_file(name: str, output: str | None, options: Options, progress: Progress) -> Converted:
    """Convert a file to another, or in place if output is None."""
    engine = Engine()
    old = _source(engine, name, options, progress)
    new = engine.charset(options.target)
    with open_text(name, lambda fraction: progress(f"Converting {name}", fraction)) as file:
        file.refuse_database()
        if output is not None and is_output(output, file.status()):
            raise Error(f"{name}: is input and output", "to replace it, say --in-place")
        text = _Repaired(engine, old) if old.policy else _Decoded(old)
        with open_in_place(name, options.backup) if output is None else open_output(output) as target:
            for part in _encoded(text.read(file), new, name):
                target.write(part)
            result = Converted(old.charset.name, old.cause, text.errors(), text.lost())
            if output is None and result.lost and not options.policy:
                errors = f"{number(result.lost, 'error')} in {result.charset}"
                raise Error(f"{name}: {errors}; the file stays as it was")
    return result


# ---- how to read the input -------------------------------------------------------------


def _source(engine: Engine, name: str, options: Options, progress: Progress) -> _Source:
    """Return how to read the input; `auto` reads the whole file to decide it."""
    if options.source.lower() != AUTO:
        old = _Source(engine.charset(options.source))
    elif name == STDIN:
        raise Error("-: auto reads a file twice, which standard input does not allow")
    else:
        old = _decided(engine, name, lambda fraction: progress(f"Reading {name}", fraction))
    if not options.policy:
        return old
    if not old.policy and old.charset.name not in ("utf-8", "utf-8-bom"):
        raise Error(f"a policy repairs UTF-8, and {name} is in {old.charset.name}")
    return old._replace(policy=options.policy)


def _decided(engine: Engine, name: str, show: Show) -> _Source:
    with open_text(name, show) as text:
        marked, what = text.marked(), text.format()
        cause = find_cause(engine, text)
    if cause == "binary":
        if what:
            raise Error(f"{name}: the file is {what}")
        hint = "if it is text, name its charset: --from CHARSET"
        raise Error(f"{name}: looks like binary data, not text", hint)
    if cause == "unclear":
        candidates = _candidates(engine, name, show)
        raise Error(f"{name}: unclear; it may be in {candidates}", _UNCLEAR)
    charset, policy = _of_cause(cause)
    if marked == "utf-8-bom" and charset == "utf-8":
        charset = marked
    return _Source(engine.charset(charset), policy, cause)


_UNCLEAR = (
    "look at it in each of them, and name one: --from CHARSET; or write U+FFFD for what is "
    "ill-formed: --from utf-8 --policy subpart"
)


def _of_cause(cause: str) -> tuple[str, str | None]:
    """Return the charset and the policy for a cause, as the table in docs/functions.md has them."""
    if cause.startswith("utf-8+"):
        return "utf-8", cause.removeprefix("utf-8+")
    if cause in ("cesu-8", "mutf-8"):
        return "utf-8", "cesu-8"
    if cause in ("cut", "damaged", "overlong"):
        return "utf-8", "subpart"
    return ("utf-8", None) if cause in ("ascii", "utf-8-bom") else (cause, None)


def _candidates(engine: Engine, name: str, show: Show) -> str:
    with open_text(name, show) as text:
        return ", ".join(guess.charset for guess in detect_file(engine, text))


# ---- the text --------------------------------------------------------------------------


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


def _encoded(text: Iterator[Bytes], new: Charset, name: str) -> Iterator[Bytes]:
    if new.name == "utf-8":
        yield from text
        return
    encoder = Encoder(new, name)
    for part in text:
        yield from encoder.encode(part, False)
    yield from encoder.encode(b"", True)
