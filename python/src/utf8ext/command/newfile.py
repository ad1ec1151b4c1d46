"""Files that exist only when they are complete, and never replace another file."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import BinaryIO

from utf8ext.command.failure import Failure


class NewFile:
    """A file that is written as PATH.unfinished and gets its name when it is complete.

    A program that was killed may leave PATH.unfinished; the next one removes it.
    """

    def __init__(self, path: Path, mode: int) -> None:
        """Create PATH.unfinished with a mode such as 0o600. Fails if PATH exists."""
        self.path = path
        self.unfinished = Path(f"{path}.unfinished")
        self._published = False
        reason = why_not_new(path)
        if reason:
            raise Failure(reason)
        try:
            self.unfinished.unlink(missing_ok=True)
            os.close(os.open(self.unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
        except OSError as error:
            raise Failure(f"{path}: {error.strerror}") from error

    def open(self) -> BinaryIO:
        return open(self.unfinished, "wb")

    def publish(self) -> None:
        """Give the file its name, for good: it is still there after a loss of power."""
        try:
            _sync(self.unfinished)
            _rename(self.unfinished, self.path)
            self._published = True
            _sync(self.path.parent)
        except OSError as error:
            raise Failure(f"{self.path}: {error.strerror}") from error

    def withdraw(self) -> None:
        """Remove the file, under whichever name it has."""
        (self.path if self._published else self.unfinished).unlink(missing_ok=True)


def why_not_new(path: Path) -> str | None:
    """Return why a new file cannot have this path, or None."""
    if os.path.lexists(path):
        return f"{path} exists and is not overwritten; move it away first"
    if not path.parent.is_dir():
        return f"{path}: there is no folder {path.parent}"
    if not os.access(path.parent, os.W_OK):
        return f"{path}: {os.strerror(errno.EACCES)}"
    return None


def _rename(old: Path, new: Path) -> None:
    """Rename, but never replace a file. A file system without hard links has a small gap here."""
    try:
        os.link(old, new)
    except FileExistsError:
        raise
    except OSError:
        _rename_without_links(old, new)
    else:
        old.unlink()


def _rename_without_links(old: Path, new: Path) -> None:
    if os.path.lexists(new):
        raise FileExistsError(None, "exists and is not overwritten")
    os.rename(old, new)


def _sync(path: Path) -> None:
    """Flush a file or a folder to the disk. Windows cannot open folders."""
    if os.name == "nt" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
