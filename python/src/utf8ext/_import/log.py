"""What an import has found: cells that were repaired, and lines that are not as they should be."""

from __future__ import annotations

import csv
import io
from collections import Counter
from pathlib import Path
from typing import Any

from utf8ext._error import naming
from utf8ext._import.result import Problem, Repaired
from utf8ext._newfile import NewFile
from utf8ext._verdict import UNCLEAR

_FIRST = 5  # problems of each kind that are kept

_LONG = 1000  # characters of a value that the report shows

_FIELDS = ("file", "line", "column", "kind", "before", "after")


class Log:
    """Counts what is found, and writes the report: a CSV file with a line for each."""

    def __init__(self, report: str | None = None) -> None:
        self._path = report
        self._cells: Counter[tuple[str, str, str]] = Counter()
        self._lost: Counter[tuple[str, str, str]] = Counter()
        self._unclear: Counter[str] = Counter()
        self.problems: list[Problem] = []
        self.counts: Counter[str] = Counter()
        self._file: Any = None
        if report is None:
            return
        self._new = NewFile(Path(report), replaces=True)
        with naming(report):
            self._file = io.TextIOWrapper(self._new.open(), encoding="utf-8", newline="")
        self._writer = csv.writer(self._file)
        self._writer.writerow(_FIELDS)

    def cell(self, file: str, line: int, column: str, cause: str, before: str, after: Any) -> None:
        """Add a cell that was repaired. Bytes that are not UTF-8 are surrogates in before."""
        name = file, column, cause
        self._cells[name] += 1
        if isinstance(after, str):
            self._lost[name] += after.count("\ufffd") - before.count("\ufffd")
        else:
            self._unclear[column] += cause == UNCLEAR
            after = ""
        if self._file:
            self._write(file, line, column, cause, before[:_LONG], after[:_LONG])

    def problem(self, problem: Problem) -> None:
        """Add a line that is not as it should be."""
        self.counts[problem.kind] += 1
        if self.counts[problem.kind] <= _FIRST:
            self.problems.append(problem)
        if self._file:
            kind, file, line, what, column = problem
            self._write(file, line, column, kind, what, "")

    def _write(self, file: str, line: int, *texts: str) -> None:
        with naming(self._path):
            self._writer.writerow([shown(file), line, *map(shown, texts)])

    def repaired(self) -> list[Repaired]:
        return [
            Repaired(*name, count, max(self._lost[name], 0)) for name, count in self._cells.items()
        ]

    def unclear(self) -> dict[str, int]:
        """Return how many cells stay unclear, by column."""
        return dict(+self._unclear)

    # ---- the file ----

    def finish(self) -> None:
        """Write the rest of the report, under a temporary name."""
        if self._file:
            with naming(self._path):
                self._file.close()

    def publish(self) -> None:
        """Give the report its name."""
        if self._file:
            self._new.publish()
            self._file = None

    def discard(self) -> None:
        """Remove a report that was not published."""
        if self._file:
            self._file.close()
            self._new.withdraw()
            self._file = None


def shown(text: str) -> str:
    """Return text in which a surrogate that stands for a byte is an escape, `\\xe9`."""
    if text.isascii():
        return text
    return text.encode("utf-8", "utf8ext").decode("utf-8", "backslashreplace")
