"""Lines before the header of a CSV file, as reports of banks and accounting programs have them."""

from __future__ import annotations

import csv
import re

from utf8ext._error import Error

_LINES = 60  # at the start of a file that are looked at

_BODY = 3  # lines from the header on, at least, that must have one width

_NUMBER = re.compile(r"[-+(]?[\d.,:/ %€$-]+\)?")


def refuse_preamble(name: str, text: str, delimiter: str | None) -> None:
    """Raise an Error that names the line that looks like the header, if it is not the first."""
    lines = text.splitlines()[:_LINES]
    marks = [delimiter] if delimiter else [";", "\t", ",", "|"]
    found = [(start, mark) for mark in marks if (start := _header(lines, mark))]
    if not found:
        return
    start = min(found)[0]
    before = f"{start} {'line' if start == 1 else 'lines'}"
    raise Error(
        f"{name}: line {start + 1} looks like the header, after {before} of something else",
        f"say --skip-lines {start}, or --skip-lines 0 to import all lines",
    )


def _header(lines: list[str], delimiter: str) -> int:
    """Return the number of lines before the header; 0 if there are none."""
    rows = [_fields(line, delimiter) for line in lines]
    width = max((len(row) for row in rows), default=0)
    start = next((place for place, row in enumerate(rows) if len(row) == width), 0)
    if width < 2 or not start or not _names(rows[start]):
        return 0
    if any(line.count('"') % 2 for line in lines[:start]):  # a name with a line break
        return 0
    before = [row for row in rows[:start] if any(row)]
    body = rows[start:]
    is_even = len(body) >= _BODY and sum(len(row) == width for row in body) * 10 >= len(body) * 8
    return start if before and is_even and _are_notes(before, width) else 0


def _fields(line: str, delimiter: str) -> list[str]:
    if len(delimiter) > 1:
        return line.split(delimiter)
    return next(iter(csv.reader([line.replace("\0", "")], delimiter=delimiter)), [])


def _names(row: list[str]) -> bool:
    """Can a row be the names of columns? Those are different, and no numbers."""
    names = [name.strip() for name in row]
    return len(set(names)) == len(names) and all(name and not _NUMBER.fullmatch(name) for name in names)


def _are_notes(rows: list[list[str]], width: int) -> bool:
    """Are lines a title, or `Account;123`? A header that lacks a name is only a little shorter."""
    filled = [sum(1 for cell in row if cell.strip()) for row in rows]
    return max(filled) <= 2 and (width > 3 or filled[0] == 1)
