"""Files that have their name only when they are complete."""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from utf8ext._error import Error, naming
from utf8ext._signals import deferred

_SUFFIX = ".tmp"


class NewFile:
    """A file that is written without a name, or under a temporary one, and published as `path`.

    `unfinished` is its path until then. Where the system has no files without a name, or if SQLite
    writes the file, a program that was killed may leave the temporary file: see
    remove_leftovers().
    """

    def __init__(
        self,
        path: Path,
        mode: int | None = None,
        replaces: bool = False,
        is_database: bool = False,
    ) -> None:
        """Create the file, with a mode such as 0o600; None: that of the file it replaces.

        Unless it replaces, path must not exist, now or when it is published. A device, a pipe or a
        folder is never replaced. is_database: SQLite opens the file by its path.
        """
        self.path = Path(os.path.realpath(path)) if replaces else path
        self._replaces = replaces
        self._published = False
        reason = _why_not_replaced(self.path) if replaces else why_not_new(path)
        if reason:
            raise Error(reason)
        self._named = self.path.parent / f"{_prefix(self.path)}{os.urandom(8).hex()}{_SUFFIX}"
        self.unfinished = self._named
        self._unnamed: BinaryIO | None = None
        try:
            if not is_database:
                self._unnamed = _open_unnamed(self.path.parent)
            if self._unnamed:
                self.unfinished = _path_of(self._unnamed)
            with self._unnamed_or_new() as file:
                _set_mode(file, _mode(self.path) if mode is None else mode)
        except OSError as error:
            raise Error(f"{path}: {error.strerror}") from error
        except BaseException:  # Ctrl-C, before the caller can withdraw the file
            self.withdraw()
            raise

    @contextmanager
    def _unnamed_or_new(self) -> Iterator[BinaryIO]:
        if self._unnamed:
            yield self._unnamed
            return
        with open(self._named, "xb", opener=_open_itself) as file:
            yield file

    def open(self) -> BinaryIO:
        return open(self.unfinished, "wb", opener=self._opener)

    @property
    def _opener(self) -> Callable[[str, int], int] | None:
        return None if self._unnamed else _open_itself

    def keep_owner(self) -> None:
        """Give the file the owner and the group of the file that it will replace."""
        old, new = self.path.stat(), self.unfinished.stat()
        if (old.st_uid, old.st_gid) == (new.st_uid, new.st_gid):
            return
        try:
            with open(self.unfinished, "rb", opener=self._opener) as file:
                os.fchown(file.fileno(), old.st_uid, old.st_gid)
                _set_mode(file, _mode(self.path))  # fchown() removes some bits
        except OSError as error:
            raise Error(f"{self.path}: its owner and group cannot be kept") from error

    def publish(self) -> None:
        """Give the file its name, for good: it is still there after a loss of power."""
        with naming(self.path):
            _sync(self.unfinished)
            with deferred():  # an interrupt in here would leave a file that withdraw() does not know
                self._give_name()
                self._published = True
            _sync(self.path.parent)

    def _give_name(self) -> None:
        """Name the file. Only between two calls, to replace another file, is it under a temporary name."""
        if self._unnamed:
            _link_unnamed(self._unnamed, self._named if self._replaces else self.path)
        if self._replaces:
            os.replace(self._named, self.path)
        elif not self._unnamed:
            _rename(self._named, self.path)
        if self._unnamed:
            self._unnamed.close()

    def withdraw(self) -> None:
        """Remove the file under whichever name it has, unless it has replaced another one.

        SQLite leaves the journal of a database that it could not write, on a full disk say.
        """
        if self._unnamed:
            self._unnamed.close()
        if not self._published:
            self._named.unlink(missing_ok=True)
            Path(f"{self._named}-journal").unlink(missing_ok=True)
        elif not self._replaces:
            self.path.unlink(missing_ok=True)


@contextmanager
def new_file(path: Path, replaces: bool = False) -> Iterator[NewFile]:
    """Yield a new file, which is withdrawn if the block fails."""
    new = None
    try:
        with deferred():
            new = NewFile(path, replaces=replaces)
        yield new
    except BaseException:
        if new:
            new.withdraw()
        raise


def why_not_new(path: Path) -> str | None:
    """Return why a new file cannot have this path, or None."""
    if os.path.lexists(path):
        return f"{path} exists and is not overwritten; move it away first"
    if not path.parent.is_dir():
        return f"{path}: there is no folder {path.parent}"
    if not os.access(path.parent, os.W_OK):
        return f"{path}: {os.strerror(errno.EACCES)}"
    return None


def _why_not_replaced(path: Path) -> str | None:
    return f"{path}: not a file" if path.exists() and not path.is_file() else None


def remove_leftovers(path: Path) -> None:
    """Remove the temporary files of a file, and their journals if they are databases.

    Call it only if no other program can be writing the file.
    """
    for name in os.listdir(path.parent):
        if name.startswith(_prefix(path)) and _SUFFIX in name:
            (path.parent / name).unlink(missing_ok=True)


def copy_of(path: Path, copy: Path) -> None:
    """Let a file that will be replaced keep its content under another name, which must be new."""
    with naming(copy):
        try:
            os.link(path, copy)
        except FileExistsError:
            raise
        except OSError:  # a file system without hard links
            shutil.copy2(path, copy)


def _prefix(path: Path) -> str:
    return f".{path.name[:100]}."


def _open_unnamed(folder: Path) -> BinaryIO | None:
    """Open a file without a name, which is gone when it is closed; None if the system has none.

    See open(2), O_TMPFILE: it is named through /proc.
    """
    if not hasattr(os, "O_TMPFILE") or not os.path.isdir("/proc/self/fd"):
        return None
    try:
        descriptor = os.open(folder, os.O_TMPFILE | os.O_RDWR, 0o600)
    except OSError:  # a file system without them; if it cannot be written, the next call says so
        return None
    return open(descriptor, "r+b", buffering=0)


def _path_of(file: BinaryIO) -> Path:
    return Path(f"/proc/self/fd/{file.fileno()}")


def _link_unnamed(file: BinaryIO, path: Path) -> None:
    """Name a file. With a folder given, Python calls linkat(), which follows the link in /proc."""
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.link(_path_of(file), path, src_dir_fd=folder)
    except FileExistsError:
        raise FileExistsError(None, "exists and is not overwritten") from None
    finally:
        os.close(folder)


def _open_itself(path: str, flags: int) -> int:
    """Open a file, but not what a symbolic link in its place leads to: others may write the folder."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


def _set_mode(file: BinaryIO, mode: int) -> None:
    """Set the permissions of an open file. Windows has none to set."""
    if hasattr(os, "fchmod"):
        os.fchmod(file.fileno(), mode)


def _mode(path: Path) -> int:
    """Return the permissions of a file, or those of a new one."""
    if path.exists():
        return stat.S_IMODE(path.stat().st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def _rename(old: Path, new: Path) -> None:
    """Rename, but never replace a file. A file system without hard links has a small gap here."""
    try:
        os.link(old, new)
    except FileExistsError:
        raise
    except OSError:
        if os.path.lexists(new):
            raise FileExistsError(None, "exists and is not overwritten") from None
        os.rename(old, new)
    else:
        old.unlink()


def _sync(path: Path) -> None:
    """Flush a file or a folder to the disk. Windows cannot open folders."""
    if os.name == "nt" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDWR if path.is_file() else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
