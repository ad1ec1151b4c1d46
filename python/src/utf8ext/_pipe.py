"""Standard input and other pipes, also those that do not block."""

from __future__ import annotations

import os
import select
import sys
from typing import BinaryIO

from utf8ext._error import Error

STDIN = "-"


def standard_input() -> BinaryIO:
    """Return the bytes of standard input; an Error if the shell has closed it."""
    if sys.stdin is None:
        raise Error("-: standard input is closed")
    return sys.stdin.buffer


def read(file: BinaryIO, size: int) -> bytes:
    """Return the next bytes of a file: `size`, or fewer at its end; all of them if size is -1."""
    data: bytes | None = file.read(size)
    if data is not None and (len(data) == size or _blocks(file)):
        return data
    parts = [data or b""]
    left = size - len(parts[0])
    while left and (more := file.read(left if size > 0 else -1)) != b"":
        if more is None:
            wait(file)
        else:
            parts.append(more)
            left -= len(more)
    return b"".join(parts)


def wait(file: BinaryIO) -> None:
    """Wait until a pipe that does not block has data, or has ended."""
    if not _blocks(file):
        select.select([file], [], [])


def _blocks(file: BinaryIO) -> bool:
    """Return whether reading waits for data, so that few bytes mean the end."""
    try:
        return os.get_blocking(file.fileno())
    except (AttributeError, OSError):  # Windows, or no file of the operating system
        return True
