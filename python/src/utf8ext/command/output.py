"""A file that is written whole or not at all."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from utf8ext.command.failure import Failure

STDOUT = "-"


@contextmanager
def open_output(name: str) -> Iterator[BinaryIO]:
    """Open a new file, or standard output if name is '-'.

    The block writes to a temporary file in the same folder, which takes the place of `name` when
    the block ends without an exception. Devices and pipes are written directly.
    """
    try:
        with _open(name) as file:
            yield file
    except BrokenPipeError:
        raise  # the reader of a pipe has enough: click ends the command quietly
    except OSError as error:
        raise Failure(f"{name}: {error.strerror}") from error


def is_output(name: str, status: os.stat_result) -> bool:
    """Is the output the regular file with this status?"""
    try:
        output = os.fstat(sys.stdout.fileno()) if name == STDOUT else os.stat(name)
    except (OSError, ValueError):
        return False
    return stat.S_ISREG(status.st_mode) and os.path.samestat(output, status)


@contextmanager
def _open(name: str) -> Iterator[BinaryIO]:
    if name == STDOUT:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = os.path.realpath(name)
    if os.path.exists(path) and not os.path.isfile(path):
        with open(path, "wb") as file:
            yield file
        return
    with _replacement(path) as file:
        yield file


@contextmanager
def _replacement(path: str) -> Iterator[BinaryIO]:
    """Open a temporary file that takes the place of the file at path when the block ends."""
    folder, name = os.path.split(path)
    number, temporary = tempfile.mkstemp(prefix=f".{name[:100]}.", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(number, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(path))
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def _mode(path: str) -> int:
    """Return the permissions of the file that is replaced, or those of a new file."""
    if os.path.exists(path):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
