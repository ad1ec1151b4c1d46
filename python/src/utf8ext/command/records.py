"""Prints records one by one: as lines of text, as a JSON array or as CSV."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

Record = Mapping[str, Any]


class Records:
    """What a subcommand finds, on standard output. Nothing is kept."""

    def __init__(self, form: str | None, fields: tuple[str, ...], text: Callable[[Record], str]):
        """form is 'json', 'csv' or None, which prints text(record)."""
        self._form = form
        self._fields = fields
        self._text = text
        self._count = 0
        if form:
            sys.stdout.reconfigure(encoding="utf-8", newline="")  # type: ignore[union-attr]
        if form == "csv":
            csv.writer(sys.stdout).writerow(fields)

    def write(self, record: Record) -> None:
        """Print a record."""
        if self._form == "csv":
            csv.writer(sys.stdout).writerow([record[field] for field in self._fields])
        elif self._form == "json":
            sys.stdout.write(",\n" if self._count else "[\n")
            sys.stdout.write(json.dumps(record))
        else:
            sys.stdout.write(self._text(record) + "\n")
        self._count += 1

    def close(self) -> None:
        """Print what follows the last record, before any message on standard error."""
        if self._form == "json":
            sys.stdout.write("\n]\n" if self._count else "[]\n")
        sys.stdout.flush()
