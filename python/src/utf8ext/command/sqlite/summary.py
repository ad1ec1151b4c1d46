"""What an audit found, counted by table, column and kind, with the first values of each.

Memory depends on the number of columns, not on the number of findings.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from utf8ext.command.sqlite.database import Database
from utf8ext.command.sqlite.excerpt import Excerpts
from utf8ext.command.sqlite.findings import Finding
from utf8ext.command.terminal import aligned, number, shown_key, styled, visible

_FIRST = 3  # values shown of each column and kind
_UNREADABLE = 20  # lines about what cannot be read
_SAMPLE = 1000  # values of a column from which its charset is guessed

_SAMPLE_TABLE = """
    CREATE TEMP TABLE utf8ext_sample(table_name, column_name, n, stored BLOB,
                                     PRIMARY KEY(table_name, column_name, n)) WITHOUT ROWID
"""


@dataclass
class _Kind:
    """The values of one column whose first error is of one kind."""

    values: int = 0
    first: list[Finding] = field(default_factory=list)


class Summary:
    """Counts findings."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._excerpts = Excerpts(database)
        self._kinds: dict[tuple[str, str, str], _Kind] = {}
        self._sampled: dict[tuple[str, str], int] = {}
        self._unreadable: list[Finding] = []
        self._unreadable_count = 0
        database.run(_SAMPLE_TABLE)

    def add(self, finding: Finding) -> None:
        if finding.column is None:
            self._add_unreadable(finding)
        else:
            self._add_value(finding, finding.column)

    def count(self) -> int:
        """Return how many values were found, and what cannot be read."""
        return self._unreadable_count + sum(kind.values for kind in self._kinds.values())

    def _add_unreadable(self, finding: Finding) -> None:
        self._unreadable_count += 1
        if len(self._unreadable) < _UNREADABLE:
            self._unreadable.append(finding)

    def _add_value(self, finding: Finding, column: str) -> None:
        kind = self._kinds.setdefault((finding.table, column, finding.error), _Kind())
        kind.values += 1
        if len(kind.first) < _FIRST:
            kind.first.append(self._excerpts.shorten(finding))
        self._add_sample(finding, column)

    # ---- the likely charset ----

    def _add_sample(self, finding: Finding, column: str) -> None:
        name = finding.table, column
        count = self._sampled.get(name, 0)
        if count < _SAMPLE and finding.window and not self._excerpts.utf16:
            stored = finding.window.from_ascii()
            sql = "INSERT INTO temp.utf8ext_sample VALUES (?, ?, ?, ?)"
            self._database.run(sql, *name, count, stored)
            self._sampled[name] = count + 1

    def _charset(self, table: str, column: str) -> str | None:
        """Return the charset that explains the column's values best; None for UTF-16."""
        sql = """SELECT utf8_detect_column(stored) FROM temp.utf8ext_sample
                  WHERE table_name = ? AND column_name = ?"""
        return self._database.value(sql, table, column)

    # ---- the output ----

    def lines(self) -> Iterator[str]:
        """Yield the summary, line by line."""
        charsets = {name: self._charset(*name) for name in self._sampled}
        yield self._headline()
        if self._kinds:
            yield ""
            yield from self._table(charsets)
        for (table, column, error), kind in self._kinds.items():
            yield ""
            yield styled(visible(f"{table}.{column}: {error}"), bold=True)
            yield from self._first(kind, error, charsets.get((table, column)))
        yield from self._about_unreadable()

    def _headline(self) -> str:
        if not self.count():
            return f"{visible(str(self._database.path))}: nothing found"
        values = self.count() - self._unreadable_count
        columns = {name[:2] for name in self._kinds}
        path = visible(str(self._database.path))
        return f"{path}: {number(values, 'value')} in {number(len(columns), 'column')}"

    def _table(self, charsets: dict[tuple[str, str], str | None]) -> Iterator[str]:
        rows = [("table", "column", "values", "kind", "likely charset")]
        for (table, column, error), kind in self._kinds.items():
            charset = charsets.get((table, column)) or "-"
            rows.append((table, column, f"{kind.values:,}", error, charset))
        return aligned(rows, right={2})

    def _first(self, kind: _Kind, error: str, charset: str | None) -> Iterator[str]:
        """Yield the first values: key, the bytes, and what they would become."""
        call = self._excerpts.call_for(error, charset)
        keys = [shown_key(found.key) for found in kind.first]
        for key, finding in zip(keys, kind.first):
            if finding.window is None:
                continue
            before = self._excerpts.before(finding.window)
            after = f" → {self._excerpts.after(finding.window, call)}" if call else ""
            yield f"  {key.rjust(max(map(len, keys)))}  {before}{after}"
        if kind.values > len(kind.first):
            yield f"  … and {kind.values - len(kind.first):,} more"

    def _about_unreadable(self) -> Iterator[str]:
        if self._unreadable:
            yield ""
        for finding in self._unreadable:
            yield visible(f"{finding.table}: {finding.error}")
        if self._unreadable_count > len(self._unreadable):
            yield f"… and {self._unreadable_count - len(self._unreadable):,} more"
