"""What an audit of one database finds: its summary, or each finding."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

import utf8ext
from utf8ext._audit.findings import find
from utf8ext._database import Database
from utf8ext._progress import Progress
from utf8ext.command.sqlite.summary import Count, Summary

FIELDS = utf8ext.Found._fields


def summarize(path: Path, suspects: bool, progress: Progress) -> tuple[list[str], Count]:
    """Return the summary of a database, line by line, and how much was found."""
    title = f"Reading {path.name}"
    with Database(path) as database:
        summary = Summary(database)
        with database.reading(lambda fraction: progress(title, fraction)):
            for finding in find(database, suspects=suspects):
                summary.add(finding)
        return list(summary.lines()), summary.count()


def write(
    findings: Generator[utf8ext.Found, None, None], write: Callable[[utf8ext.Found], None]
) -> Count:
    """Write what is found, as soon as it is found, and return how much it is."""
    values, columns, unreadable = 0, set(), 0
    with closing(findings):
        for found in findings:
            write(found)
            if found.column is None:
                unreadable += 1
            else:
                values += 1
                columns.add((found.table, found.column))
    return Count(values, len(columns), unreadable)
