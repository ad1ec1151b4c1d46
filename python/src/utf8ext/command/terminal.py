"""Text on its way to a terminal."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TextIO

import click

from utf8ext._text import is_hidden as is_hidden
from utf8ext._text import number as number
from utf8ext._text import short_key
from utf8ext._text import visible as visible

_WIDE = 40  # characters of the longest cell to which others are aligned


@contextmanager
def printing_after(done: str) -> Iterator[None]:
    """Print what has been done. If that fails, say on stderr that it is done, without an error.

    The reader of a pipe that is closed has enough, and is told nothing.
    """
    try:
        yield
    except BrokenPipeError:
        with open(os.devnull, "wb") as null:
            os.dup2(null.fileno(), sys.stdout.fileno())  # for what Python flushes at its end
    except OSError as error:
        message = f"{done}, but the summary cannot be printed: {error.strerror}"
        with suppress(OSError):
            click.echo(visible(message), err=True)


def error_style(text: str) -> str:
    """Return ill-formed bytes, shown as escapes, so that they stand out."""
    return styled(text, "red", bold=True)


def styled(text: str, colour: str | None = None, bold: bool = False) -> str:
    """Return text in a colour if stdout is a terminal that has colours."""
    has_colours = is_terminal(sys.stdout) and not os.environ.get("NO_COLOR")
    return click.style(text, fg=colour, bold=bold) if has_colours else text


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal. It is None if the shell has closed it."""
    return stream is not None and stream.isatty()


def shown_key(key: int | str | None) -> str:
    """Return the key of a row as utf8_audit has it; of a long one, only the start."""
    return visible(short_key(key))


def are_unclear(values: int, database: str) -> str:
    """Return how many values are unclear, and the line that goes on."""
    what = "value is" if values == 1 else "values are"
    return f"{values:,} {what} unclear: utf8ext repair {shlex.quote(database)} --review choices.csv"


def aligned(rows: Sequence[Sequence[object]], right: Container[int] = ()) -> Iterator[str]:
    """Yield lines of text in which the cells of rows are aligned; right-aligns some columns.

    A long cell pads no other line: it only moves the cells after it.
    """
    cells = [[visible(str(cell)) for cell in row] for row in rows]
    widths = [max((len(c) for c in column if len(c) <= _WIDE), default=0) for column in zip(*cells)]
    for row in cells:
        yield "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(row, widths))
        ).rstrip()
