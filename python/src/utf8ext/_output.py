"""A file that is written whole or not at all."""

from __future__ import annotations

import filecmp
import os
import re
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from utf8ext._error import Error, naming
from utf8ext._newfile import NewFile, copy_of, new_file, why_not_new
from utf8ext._signals import deferred

STDOUT = "-"

# The name of a file that is open. To open it anew would replace or cut off what a shell appends to.
_DESCRIPTOR = re.compile(r"(?:/dev|/proc/self)/fd/([0-9]+)|/dev/(stdout|stderr)")
_STREAMS = {"stdout": 1, "stderr": 2}


@contextmanager
def open_output(name: str) -> Iterator[BinaryIO]:
    """Open a new file, or standard output if name is '-'.

    The block writes to a temporary file in the same folder, which takes the place of `name` when
    the block ends without an exception. Devices, pipes and files that are open, such as
    /dev/stdout, are written directly.
    """
    try:
        with _open(name) as file:
            yield file
    except BrokenPipeError:
        raise  # the reader of a pipe has enough: click ends the command quietly
    except OSError as error:
        raise Error(f"{name}: {error.strerror}") from error


@contextmanager
def open_in_place(name: str, backup: bool) -> Iterator[BinaryIO]:
    """Open a new file that takes the place of a file, with its owner and mode, as open_output().

    backup keeps the old file as NAME.utf8ext-backup, which must not exist. If the content is the
    same, nothing changes.
    """
    path = Path(os.path.realpath(name))
    copy = Path(f"{name}.utf8ext-backup") if backup else None
    with naming(name), new_file(path, replaces=True) as new:
        reason = why_not_new(copy) if copy else None
        with new.open() as file:
            yield file
        if filecmp.cmp(path, new.unfinished, shallow=False):
            new.withdraw()
            return
        if reason:
            raise Error(reason, "or say --no-backup")
        new.keep_owner()
        _replace(new, copy)


def _replace(new: NewFile, copy: Path | None) -> None:
    """Publish a file, with a copy of the one that it replaces."""
    if copy is None:
        new.publish()
        return
    with deferred():
        copy_of(new.path, copy)
        try:
            new.publish()
        except BaseException:
            copy.unlink()
            raise


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
    if descriptor := _DESCRIPTOR.fullmatch(name):
        with open(os.dup(int(descriptor[1] or _STREAMS[descriptor[2]])), "wb") as file:
            yield file
        return
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "wb") as file:
            yield file
        return
    with new_file(Path(name), replaces=True) as new:
        with new.open() as file:
            yield file
        new.publish()
