"""Prints records one by one: as lines of text, as a JSON array or as CSV (RFC 4180)."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

Record = Mapping[str, Any]


def file_name(name: str) -> str:
    """Return the name of a file as Unicode; bytes that are not UTF-8 as \\xhh."""
    return os.fsencode(name).decode(errors="backslashreplace")


class Records:
    """What a subcommand finds, on standard output. Nothing is kept.

    JSON and CSV are UTF-8 in every locale, with one record per line in JSON. None is null in JSON
    and an empty field in CSV.
    """

    def __init__(
        self, syntax: str | None, fields: tuple[str, ...], text: Callable[[Record], str] = str
    ):
        """syntax is 'json', 'csv' or None, which prints text(record)."""
        self._syntax = syntax
        self._fields = fields
        self._text = text
        self.count = 0
        if syntax:
            sys.stdout.reconfigure(encoding="utf-8", newline="")  # type: ignore[union-attr]
        if syntax == "csv":
            csv.writer(sys.stdout).writerow(fields)

    def write(self, record: Record) -> None:
        """Print a record."""
        if self._syntax == "csv":
            csv.writer(sys.stdout).writerow([record[field] for field in self._fields])
        elif self._syntax == "json":
            sys.stdout.write(",\n" if self.count else "[\n")
            sys.stdout.write(json.dumps(record, ensure_ascii=False))
        else:
            sys.stdout.write(self._text(record) + "\n")
        self.count += 1

    def close(self) -> None:
        """Print what follows the last record, before any message on standard error."""
        if self._syntax == "json":
            sys.stdout.write("\n]\n" if self.count else "[]\n")
        sys.stdout.flush()
