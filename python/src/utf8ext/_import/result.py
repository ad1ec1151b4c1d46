"""What import_csv() returns."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

# What needs no attention.
_HARMLESS = {"NUL", "blank line", "deleted record"}


class File(NamedTuple):
    """A file that was imported."""

    name: str
    charset: str  # or what happened to the file: utf8_cause()
    rows: int
    form: str = ""  # what is unusual in how its fields are written: 'quotes escaped by \\'
    dialect: str = ""  # all of how they are written: 'delimiter ;, quote "'


class Repaired(NamedTuple):
    """The cells of a column that had one cause."""

    file: str
    column: str
    cause: str
    cells: int
    lost: int  # characters that became U+FFFD


class Problem(NamedTuple):
    """A line that is not as it should be."""

    kind: str  # 'long row', 'short row', 'empty header' ...
    file: str
    line: int
    what: str
    column: str = ""  # if it is about one cell


class Imported(NamedTuple):
    """What an import has done."""

    table: str
    rows: int
    files: list[File]
    repaired: list[Repaired]
    problems: list[Problem]  # the first ones of each kind
    problem_counts: dict[str, int]  # all, by kind
    dropped: list[str]  # with a table that was replaced: 'index orders_id', 'PRIMARY KEY' ...
    backup: Path | None  # the file that was written before
    unclear: dict[str, int] = {}  # cells that stay as they are, by column: see utf8ext.unclear()
    columns: list[str] = []  # of the table
    is_dry_run: bool = False  # was nothing written?

    @property
    def is_clean(self) -> bool:
        """Was every cell well-formed, and every line as it should be?"""
        return not self.repaired and _HARMLESS.issuperset(self.problem_counts)
