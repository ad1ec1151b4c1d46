"""The CSV file in which a person writes choices: docs/command.md describes its columns."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

from utf8ext._error import Error, naming
from utf8ext._review import Reading, Unclear
from utf8ext._review.choices import READINGS, Choice

FIELDS = (
    *("table", "column", "key", "rows", "value"),
    *(f"{name}_{n}" for n in range(1, READINGS + 1) for name in ("reading", "charset", "probability")),
    "choice",
)

# Spreadsheets run a cell that starts so as a formula, unless an apostrophe is before it.
_FORMULA = re.compile("'*[=+\\-@\\t\\r]")


def _guarded(cell: str) -> str:
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def write_sheet(file: BinaryIO, values: Iterable[Unclear]) -> tuple[int, int]:
    """Write values with an empty choice. Return how many values and columns there are."""
    out = io.TextIOWrapper(file, encoding="utf-8-sig", newline="")
    writer = csv.writer(out)
    writer.writerow(FIELDS)
    count, columns = 0, set()
    for value in values:
        writer.writerow(map(_guarded, [*_cells(value), ""]))
        count += 1
        columns.add(value[:2])
    out.flush()
    out.detach()
    return count, len(columns)


def _cells(value: Unclear) -> list[str]:
    cells = [value.table, value.column, str(value.key), str(value.rows), value.value]
    for reading in value.readings[:READINGS]:
        cells += [reading.text, reading.charset or "", f"{reading.probability:.4f}"]
    return cells + [""] * (len(FIELDS) - 1 - len(cells))


def read_sheet(path: Path) -> list[Choice]:
    """Return the choices of a file that a person, or a spreadsheet, has saved."""
    text = _text(path)
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    limit = csv.field_size_limit(max(len(text), 1))
    try:
        missing = [field for field in FIELDS if field not in (reader.fieldnames or ())]
        if missing:
            raise Error(f"{path}: there is no column {missing[0]}; --review writes such a file")
        return [_choice(row, f"{path}:{reader.line_num}") for row in reader]
    except csv.Error as error:
        raise Error(f"{path}:{reader.line_num}: {error}") from error
    finally:
        csv.field_size_limit(limit)


def _text(path: Path) -> str:
    with naming(path):
        data = path.read_bytes()
    try:
        return data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError:
        raise Error(f"{path}: not UTF-8; save it as CSV UTF-8") from None


def _choice(row: dict[str, str], place: str) -> Choice:
    if any(row.get(None, ())):  # type: ignore[call-overload]  # DictReader's name of other cells
        raise Error(f"{place}: the line has more cells than the first one")
    cells = {name: _unguarded(cell or "") for name, cell in row.items() if name in FIELDS}
    value = Unclear(
        cells["table"], cells["column"], cells["key"], 0, cells["value"], list(_readings(cells))
    )
    return Choice(value, cells["choice"], place)


def _readings(cells: dict[str, str]) -> Iterator[Reading]:
    for n in range(1, READINGS + 1):
        if cells[f"reading_{n}"] or cells[f"probability_{n}"]:
            yield Reading(cells[f"reading_{n}"], None, cells[f"charset_{n}"] or None, None, 0.0)
