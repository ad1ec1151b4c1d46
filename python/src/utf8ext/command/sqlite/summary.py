"""What an audit found, counted by table, column and cause, with the first values of each.

Memory depends on the number of columns, not on the number of findings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import utf8ext
from utf8ext._audit.excerpt import Excerpts
from utf8ext._audit.findings import Finding, find
from utf8ext._database import Database
from utf8ext._progress import Progress
from utf8ext._repair.reasons import can_be_restored
from utf8ext.command.terminal import (
    aligned,
    error_style,
    number,
    shown_key,
    styled,
    visible,
)

_FIRST = 3  # values shown of each column and kind
_UNREADABLE = 20  # lines about what cannot be read


class Count(NamedTuple):
    """How much an audit has found."""

    values: int = 0
    columns: int = 0  # in which the values are
    unreadable: int = 0  # parts of tables that cannot be read

    def __str__(self) -> str:
        values = f"{number(self.values, 'value')} in {number(self.columns, 'column')}"
        found = [values] if self.values else []
        if self.unreadable:
            found.append(number(self.unreadable, "unreadable part"))
        return ", ".join(found) or "nothing found"


@dataclass
class _Group:
    """The values of one column that have the same cause, or are of one suspicious kind."""

    values: int = 0
    loses: int = 0  # values of which a repair writes U+FFFD
    left: int = 0  # values that no repair changes unless it is asked to
    kinds: Counter[str] = field(default_factory=Counter)  # of the first error
    first: list[Finding] = field(default_factory=list)


class Summary:
    """Counts findings."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._excerpts = Excerpts(database)
        self._groups: dict[tuple[str, str, str], _Group] = {}
        self._can_be_restored = cache(partial(can_be_restored, database))
        self._unreadable: list[Finding] = []
        self._unreadable_count = 0

    def add(self, finding: Finding) -> None:
        if finding.column is None:
            self._add_unreadable(finding)
        else:
            self._add_value(finding, finding.column)

    def count(self) -> Count:
        """Return how much was found."""
        values = sum(group.values for group in self._groups.values())
        return Count(values, len({name[:2] for name in self._groups}), self._unreadable_count)

    def _add_unreadable(self, finding: Finding) -> None:
        self._unreadable_count += 1
        if len(self._unreadable) < _UNREADABLE:
            self._unreadable.append(finding)

    def _add_value(self, finding: Finding, column: str) -> None:
        name = finding.table, column, finding.cause or finding.error
        group = self._groups.setdefault(name, _Group())
        group.values += 1
        if finding.repaired is None or finding.key is None or not self._can_be_restored(*name[:2]):
            group.left += 1
        else:
            group.loses += finding.loses
        group.kinds[finding.error] += 1
        if len(group.first) < _FIRST:
            group.first.append(self._excerpts.shorten(finding))

    # ---- the output ----

    def lines(self) -> Iterator[str]:
        """Yield the summary, line by line."""
        yield f"{visible(str(self._database.path))}: {self.count()}{self._outcome()}"
        if self._groups:
            yield ""
            yield from self._table()
        for (table, column, cause), group in self._groups.items():
            yield ""
            yield styled(visible(f"{table}.{column}: {cause}"), bold=True)
            yield from self._first(group)
        yield from self._about_unreadable()

    def _outcome(self) -> str:
        """Return `: 4 can be restored, 1 loses characters, 2 stay as they are`."""
        groups = self._groups.values()
        values = sum(group.values for group in groups)
        lost, left = sum(group.loses for group in groups), sum(group.left for group in groups)
        parts = {
            "can be restored": values - lost - left,
            "loses characters" if lost == 1 else "lose characters": lost,
            "stays as it is" if left == 1 else "stay as they are": left,
        }
        found = ", ".join(f"{count:,} {what}" for what, count in parts.items() if count)
        return f": {found}" if found else ""

    def _table(self) -> Iterator[str]:
        rows = [("table", "column", "cause", "values", "lose", "kinds")]
        for (table, column, cause), group in self._groups.items():
            kinds = ", ".join(kind for kind, _ in group.kinds.most_common())
            rows.append((table, column, cause, f"{group.values:,}", f"{group.loses:,}", kinds))
        return aligned(rows, right={3, 4})

    def _first(self, group: _Group) -> Iterator[str]:
        """Yield the first values: key, the bytes, and what the repair makes of them."""
        keys = [shown_key(found.key) for found in group.first]
        for key, finding in zip(keys, group.first):
            if finding.window is None:
                continue
            before = self._excerpts.before(finding.window, error_style)
            after = f" → {self._excerpts.after(finding.repaired)}" if finding.repaired else ""
            yield f"  {key.rjust(max(map(len, keys)))}  {before}{after}"
        if group.values > len(group.first):
            yield f"  … and {group.values - len(group.first):,} more"

    def _about_unreadable(self) -> Iterator[str]:
        if self._unreadable:
            yield ""
        for finding in self._unreadable:
            yield visible(f"{finding.table}: {finding.error}")
        if self._unreadable_count > len(self._unreadable):
            yield f"… and {self._unreadable_count - len(self._unreadable):,} more"


# ---- an audit of one database -----------------------------------------------------------

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
