"""An import that writes nothing: into a copy of the database, with its constraints and triggers."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from utf8ext import _driver
from utf8ext._database import is_wal
from utf8ext._error import Error
from utf8ext._newfile import why_not_new
from utf8ext._progress import Progress


@contextmanager
def copied(database: str, progress: Progress) -> Iterator[str]:
    """Yield the path of a copy of a database, which may not exist; remove the copy afterwards."""
    reason = _why_not_written(Path(os.path.realpath(database)))
    if reason:
        raise Error(f"{database}: {reason}; nothing was imported")
    with tempfile.TemporaryDirectory(prefix="utf8ext-") as folder:
        copy = Path(folder, "copy.db")
        if os.path.exists(database) and os.path.getsize(database):
            copy.touch()
            # In WAL mode, a connection that only reads leaves the files that it needs beside
            # the database.
            writable = is_wal(Path(database)) and not os.path.exists(f"{database}-wal")
            try:
                _driver.copy(Path(database), copy, partial(progress, "Copying"), writable)
            except _driver.Errors as error:
                raise Error(f"{database}: {_driver.meaning(error)}; nothing was imported") from error
        yield str(copy)


def _why_not_written(path: Path) -> str | None:
    """Return why an import could not write the database, or None."""
    if not path.exists():
        reason = why_not_new(path)
        return reason and reason.removeprefix(f"{path}: ")
    if not path.is_file():
        return "not a file"
    is_writable = os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)
    return None if is_writable else "the file or its folder is read-only"
