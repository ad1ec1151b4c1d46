"""The unclear values of a database, and what a person decides about them."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, NamedTuple

from utf8ext._progress import Path

if TYPE_CHECKING:
    from utf8ext._database import Database


class Reading(NamedTuple):
    """A text that a value may have been: a row of utf8_readings."""

    text: str
    cause: str | None
    charset: str | None
    language: str | None
    probability: float


class Unclear(NamedTuple):
    """A value of a column that no cause explains for sure."""

    table: str
    column: str
    key: int | str | None  # of the first row that has it
    rows: int  # that have it
    value: str  # ill-formed bytes are escapes, `\\xe9`, and a backslash is `\\\\`
    readings: list[Reading]  # the likeliest first


def unclear(
    database: Path, *, tables: Iterable[str] = (), columns: Iterable[str] = ()
) -> Generator[Unclear, None, None]:
    """Yield the unclear values of a database, each once for a column.

    repair(database, choices=[(value, choice), ...]) decides them; docs/command.md lists the choices.
    Raises utf8ext.Error.
    """
    from utf8ext._database import Database
    from utf8ext._selection import select

    opened = Database(FilePath(database))
    return _yielded(opened, select(opened, tables, columns))


def _yielded(database: Database, selection: object) -> Generator[Unclear, None, None]:
    from utf8ext._review.values import find_unclear

    with database, closing(find_unclear(database, selection)) as values:  # type: ignore[arg-type]
        yield from values
