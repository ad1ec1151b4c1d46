"""Refuses arguments in the wrong order, before anything is read or written."""

from __future__ import annotations

import os
from collections.abc import Sequence

from utf8ext._error import Error
from utf8ext._format import HEAD, is_database

_HINT = "the order is: utf8ext import FILE... DATABASE"

_TEXT_FILES = (".csv", ".tsv", ".tab", ".txt", ".json", ".jsonl", ".ndjson")


def check_order(files: Sequence[str], database: str) -> None:
    """Raise an Error if one of the files is a database, or the database is another file."""
    for name in files:
        if is_database(_head(name)):
            raise Error(f"{name}: the file is an SQLite database", _HINT)
    head = _head(database)
    if head and not is_database(head):
        raise Error(f"{database}: not an SQLite database, and the last argument must be one", _HINT)
    if not os.path.exists(database) and database.lower().endswith(_TEXT_FILES):
        what = "the last argument is the database, and this is not the name of one"
        raise Error(f"{database}: {what}", _HINT)


def _head(name: str) -> bytes:
    """Return the start of a file; nothing of a pipe, or of what cannot be read."""
    if not os.path.isfile(name):
        return b""
    try:
        with open(name, "rb") as file:
            return file.read(HEAD)
    except OSError:
        return b""
