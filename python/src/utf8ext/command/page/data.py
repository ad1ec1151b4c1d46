"""What a report shows: counts of all findings, and the first values of each kind in each column.

Memory does not grow with the number of findings, only with the number of columns that have some.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, field

from utf8ext._database import Database
from utf8ext.command.sqlite.summary import Count
from utf8ext._audit.excerpt import Excerpts
from utf8ext._audit.findings import Finding, find
from utf8ext._repair.reasons import can_be_changed, can_be_restored

_BEFORE, _AFTER = 64, 112  # bytes shown before and after the start of an error
_EXAMPLES = 3  # values shown of each kind in each column
_GAPS = 50  # lines about what cannot be read
_MAX_SQL = 1500  # characters of the longest statement that is shown


@dataclass
class Group:
    """The findings of one kind in one column, and the first of them."""

    kind: str
    values: int = 0
    repairable: int = 0
    updates: int = 0  # values that an UPDATE of the column may repair
    loses: int = 0  # values of which the repair writes U+FFFD
    first: list[Finding] = field(default_factory=list)
    calls: set[str] = field(default_factory=set)  # their repair_call


@dataclass
class Column:
    """The findings in one column, and the causes of its ill-formed values."""

    table: str
    name: str
    can_be_restored: bool = True
    can_be_changed: bool = True
    groups: dict[str, Group] = field(default_factory=dict)
    causes: Counter[str] = field(default_factory=Counter)

    def of_kinds(self, kinds: Collection[str] | None = None) -> list[Group]:
        """Return the groups of these kinds, or of all; the largest first."""
        groups = [g for g in self.groups.values() if kinds is None or g.kind in kinds]
        return sorted(groups, key=lambda group: -group.values)

    @property
    def values(self) -> int:
        return sum(group.values for group in self.groups.values())


class Collector:
    """Reads the whole database once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._excerpts = Excerpts(database, _BEFORE, _AFTER)
        self._columns: dict[tuple[str, str], Column] = {}
        self.gaps: list[Finding] = []
        self.gap_count = 0

    def read(self, suspects: bool) -> None:
        """Count all findings, and keep the first of each kind in each column."""
        for finding in find(self._database, suspects=suspects, repair_sql=True):
            if finding.column is None:
                self._add_gap(finding)
            else:
                self._add_value(finding, finding.column)

    def _add_gap(self, finding: Finding) -> None:
        self.gap_count += 1
        if len(self.gaps) < _GAPS:
            self.gaps.append(finding)

    def _add_value(self, finding: Finding, name: str) -> None:
        column = self._column(finding.table, name)
        if finding.cause:
            column.causes[finding.cause] += 1
        self._add(column, column.groups.setdefault(finding.error, Group(finding.error)), finding)

    def _column(self, table: str, name: str) -> Column:
        if (table, name) not in self._columns:
            place = self._database, table, name
            self._columns[table, name] = Column(table, name, can_be_restored(*place), can_be_changed(*place))
        return self._columns[table, name]

    def _add(self, column: Column, group: Group, finding: Finding) -> None:
        group.values += 1
        if finding.repair_call is not None and column.can_be_restored and finding.key is not None:
            group.repairable += 1
            group.loses += finding.loses
        if finding.repair_call is not None and column.can_be_changed and not _is_kept(finding):
            group.updates += 1
            group.calls.add(finding.repair_call)
        if len(group.first) < _EXAMPLES:
            group.first.append(_without_long_sql(self._excerpts.shorten(finding)))

    def count(self) -> Count:
        """Return how much was found."""
        values = sum(column.values for column in self._columns.values())
        return Count(values, len(self._columns), self.gap_count)

    def outcome(self) -> tuple[int, int, int]:
        """Return how many values can be restored, lose characters, and stay."""
        groups = [group for column in self._columns.values() for group in column.groups.values()]
        repairable, lost = sum(g.repairable for g in groups), sum(g.loses for g in groups)
        return repairable - lost, lost, sum(g.values for g in groups) - repairable

    @property
    def columns(self) -> list[Column]:
        """Return the columns with findings, the one with most first."""
        return sorted(self._columns.values(), key=lambda column: -column.values)


def _is_kept(finding: Finding) -> bool:
    """Does utf8_audit keep a value although its row has a key? It may name a table."""
    return finding.repair_sql is None and finding.key is not None


def _without_long_sql(finding: Finding) -> Finding:
    too_long = finding.repair_sql is not None and len(finding.repair_sql) > _MAX_SQL
    return finding._replace(repair_sql=None) if too_long else finding
