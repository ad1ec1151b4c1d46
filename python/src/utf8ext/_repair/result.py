"""What a repair has done."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple


class Column(NamedTuple):
    """A column with values that were repaired."""

    table: str
    column: str
    values: int
    causes: dict[str, int]  # how many values have each cause, most first; empty if none was asked
    lost: int = 0  # values with characters that became U+FFFD


class Left(NamedTuple):
    """Values of a column that were not repaired."""

    table: str
    column: str
    values: int
    reason: str  # 'unclear': a person can decide, see utf8ext.unclear()


class Renamed(NamedTuple):
    """What has a new name. The old one is shown under the policy escape."""

    kind: str  # 'table', 'column', 'index', 'view' or 'trigger'
    table: str | None  # of a column, by its new name
    old: str
    new: str


@dataclass(frozen=True)
class Repaired:
    """What a repair has done, or found and left. Names are shown under the policy escape."""

    database: Path
    columns: list[Column] = field(default_factory=list)
    left: list[Left] = field(default_factory=list)
    unreadable: list[tuple[str, str]] = field(default_factory=list)  # table and message, the first
    unreadable_count: int = 0
    without_undo: int = 0  # values that only the backup has
    backup: Path | None = None  # the files that were written
    undo_log: Path | None = None
    renamed: list[Renamed] = field(default_factory=list)
    stale: list[str] = field(default_factory=list)  # choices that were left, and why
    kept: list[tuple[str, str]] = field(default_factory=list)  # ill-formed names, and why they stay

    stale_indexes: list[tuple[str, str]] = field(default_factory=list)  # a table, its full-text table

    @property
    def found(self) -> bool:
        """Was anything found?"""
        return bool(
            self.columns or self.left or self.unreadable or self.renamed or self.kept
        )
