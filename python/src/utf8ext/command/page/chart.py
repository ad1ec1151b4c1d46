"""Bar charts of a report, as lengths in per cent: the template draws them as SVG."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from utf8ext.command.page.data import Column

MAX_BARS = 12
COLOURS = 8


@dataclass
class Segment:
    """A part of a bar, for one kind."""

    kind: str
    letter: str
    colour: int
    x: float
    width: float
    values: int


@dataclass
class Bar:
    """A bar: its label, its total, its segments from left to right."""

    label: str
    values: int
    segments: list[Segment]


class Charts:
    """The chart by kind, whose letters and colours the chart by table uses too."""

    def __init__(self, columns: Iterable[Column]) -> None:
        self._tables: dict[str, Counter[str]] = {}
        for column in columns:
            counts = self._tables.setdefault(column.table, Counter())
            counts.update({kind: group.values for kind, group in column.groups.items()})
        total = sum(self._tables.values(), Counter())
        self._kinds = [kind for kind, _ in total.most_common()]
        self.by_kind = self._bars([(kind, Counter({kind: total[kind]})) for kind in self._kinds])
        self.by_table = self._bars(self._largest_tables())

    def letter(self, kind: str) -> str:
        """Return the letter that stands for a kind in both charts."""
        return chr(ord("A") + self._kinds.index(kind))

    def colour(self, kind: str) -> int:
        """Return the number of the kind's colour."""
        return min(self._kinds.index(kind), COLOURS - 1)

    def _largest_tables(self) -> list[tuple[str, Counter[str]]]:
        rows = sorted(self._tables.items(), key=lambda row: -_total(row[1]))
        if len(rows) <= MAX_BARS:
            return rows
        others = sum((counts for _, counts in rows[MAX_BARS - 1 :]), Counter())
        return [*rows[: MAX_BARS - 1], (f"{len(rows) - MAX_BARS + 1} other tables", others)]

    def _bars(self, rows: list[tuple[str, Counter[str]]]) -> list[Bar]:
        longest = max((_total(counts) for _, counts in rows), default=1)
        return [
            Bar(label, _total(counts), self._segments(counts, longest)) for label, counts in rows
        ]

    def _segments(self, counts: Counter[str], longest: int) -> list[Segment]:
        segments, x = [], 0.0
        for kind in filter(counts.get, self._kinds):
            width = 100 * counts[kind] / longest
            letter = self.letter(kind)
            segments.append(Segment(kind, letter, self.colour(kind), x, width, counts[kind]))
            x += width
        return segments


def _total(counts: Counter[str]) -> int:
    return sum(counts.values())  # Counter.total() needs Python 3.10
