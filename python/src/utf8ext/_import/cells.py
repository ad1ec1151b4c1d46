"""The ill-formed cells of a file: utf8_audit decides what each is, by its column and table too."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from typing import Any

from utf8ext._decide import is_misread
from utf8ext._engine import Engine
from utf8ext._import.dialect import Cell
from utf8ext._import.log import Log
from utf8ext._import.restored import RestoredLines
from utf8ext._import.result import Problem
from utf8ext._import.rows import Rows
from utf8ext._import.source import Source
from utf8ext._import.table import check_width
from utf8ext._rules import CLEAN
from utf8ext._verdict import CAUSE, UNCLEAR, kinds_found, looks_for_suspects, unless_unclear

_LOST = "\ufffd"

# Of a cell that is unclear, the bytes stay; of a binary one, too, as a BLOB.
_REPAIRED = f"""
    INSERT INTO "repaired {{number}}"
    SELECT key, CAST(substr(column_name, 2) AS INTEGER), {CAUSE},
           {{repaired}}, CAST(value AS BLOB)
    FROM utf8_audit('main', ?, ?) WHERE table_name = 'cells' AND {kinds_found(False)}
"""

# A value that looks like binary data stays as it is, as a BLOB.
_ALONE = """
    SELECT cause, CASE WHEN cause = 'binary' THEN x ELSE utf8_repair(CAST(x AS TEXT), ?2) END
    FROM (SELECT ?1 AS x, utf8_cause(?1) AS cause)
"""

# A cell of a file in a charset: was it UTF-8 before it was decoded?
_MISREAD = """
    SELECT CAST(x AS TEXT) FROM (SELECT utf8_to(?1, ?2) AS x)
    WHERE utf8_valid(x) AND utf8_mojibake(?1) IS NOT NULL
"""


def _bytes_of_surrogates(error: UnicodeError) -> tuple[bytes, int]:
    """Handle errors of encoding: U+DC80 to U+DCFF stand for bytes, others are encoded."""
    assert isinstance(error, UnicodeEncodeError)
    text = error.object[error.start : error.end]
    return b"".join(map(_bytes_of_surrogate, text)), error.end


def _bytes_of_surrogate(character: str) -> bytes:
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:
        return bytes([code - 0xDC00])
    return character.encode("utf-8", "surrogatepass")


codecs.register_error("utf8ext", _bytes_of_surrogates)


def is_well_formed(text: str) -> bool:
    """Return whether text has no surrogates."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _joined(row: list[Cell]) -> str:
    return "".join([cell for cell in row if cell])


class Fix:
    """Makes the cells of rows right, and logs what it changes. This one handles JSON's escapes."""

    def __init__(self, engine: Engine, source: Source, log: Log) -> None:
        self._engine = engine
        self._name = source.name
        self._log = log
        self._has_errors = source.has_errors

    def names(self, names: list[str]) -> list[str]:
        """Return the names of columns, repaired."""
        return [self._name_alone(name) for name in names]

    def _name_alone(self, name: str) -> str:
        if is_well_formed(name):
            return name
        cause, repaired = self._alone(name)
        text = repaired if isinstance(repaired, str) else repaired.decode(errors="replace")
        self._log.cell(self._name, 1, text, cause, name, text)
        return text

    def rows(self, rows: Rows, columns: list[str]) -> Iterator[list[Any]]:
        """Yield the rows, as long as the columns are these."""
        rows.names = columns
        for row in rows.rows():
            text = _joined(row)
            if not self._is_right(text):
                row = self._repair(row, rows.line, columns)
            if "\0" in text:
                self._tell_nuls(row, rows.line, columns)
            yield row

    def _tell_nuls(self, row: list[Any], line: int, columns: list[str]) -> None:
        """Log each TEXT with a NUL, which is kept."""
        for cell, column in zip(row, columns):
            if isinstance(cell, str) and "\0" in cell:
                what = f"at character {cell.index(chr(0)) + 1:,}"
                self._log.problem(Problem("NUL", self._name, line, what, column))

    def _is_right(self, text: str) -> bool:
        """Is the text of a whole row well-formed, and as it was meant?"""
        return is_well_formed(text) and not self._is_lost(text)

    def _repair(self, row: list[Cell], line: int, columns: list[str]) -> list[Any]:
        repaired: list[Any] = list(row)
        for place, cell in enumerate(row):
            if cell and not is_well_formed(cell):
                cause, repaired[place] = self._alone(cell)
                self._log.cell(self._name, line, columns[place], cause, cell, repaired[place])
        return repaired

    def _is_lost(self, text: str) -> bool:
        """Has text U+FFFD for bytes that could not be decoded?"""
        return self._has_errors and _LOST in text

    def _tell_lost(self, cell: str, line: int, column: str) -> None:
        self._log.cell(self._name, line, column, "damaged", cell.replace(_LOST, "?"), cell)

    def _alone(self, cell: str) -> tuple[str, Any]:
        """Return the cause of an ill-formed cell without its neighbours, and the repaired cell."""
        return "damaged", cell.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


class DecodedFix(Fix):
    """For a file in a charset: logs what could not be decoded, and finds cells that were UTF-8."""

    def __init__(self, engine: Engine, source: Source, log: Log) -> None:
        super().__init__(engine, source, log)
        self._charset = str(source.charset)
        self._misread = self._may_be_misread() if source.is_guess else None

    def _may_be_misread(self) -> re.Pattern[str] | None:
        """Match how UTF-8 looks in a single-byte charset: a lead byte, and a continuation byte."""
        sql = "SELECT kind FROM utf8_charsets WHERE name = ?"
        if self._engine.value(sql, self._charset) != "single-byte":
            return None
        leads, continuations = self._class(0xC2, 0xF5), self._class(0x80, 0xC0)
        return re.compile(f"{leads}{continuations}")

    def _class(self, first: int, end: int) -> str:
        sql = "SELECT utf8_from(CAST(?1 AS BLOB), ?2)"
        characters = self._engine.value(sql, bytes(range(first, end)), self._charset)
        return f"[{re.escape(characters.replace(_LOST, ''))}]"

    def names(self, names: list[str]) -> list[str]:
        return self._repair(names, 1, names)

    def _is_right(self, text: str) -> bool:
        if text.isascii():
            return True
        if self._misread and self._misread.search(text):
            return False
        return super()._is_right(text)

    def _repair(self, row: list[Any], line: int, columns: list[str]) -> list[Any]:
        row = super()._repair(row, line, columns)
        for place, cell in enumerate(row):
            if isinstance(cell, str) and not cell.isascii():
                row[place] = self._checked(cell, line, columns[place])
        return row

    def _checked(self, cell: str, line: int, column: str) -> str:
        if self._is_lost(cell):
            self._tell_lost(cell, line, column)
        elif self._misread and self._misread.search(cell):
            for (text,) in self._engine.rows(_MISREAD, cell, self._charset):
                self._log.cell(self._name, line, column, "utf-8", cell, text)
                return str(text)
        return cell


class MixedFix(Fix):
    """For a file in which utf8_audit has decided some cells: what it has decided about them."""

    def __init__(
        self, engine: Engine, source: Source, log: Log, number: int, policy: str, keeps_text: bool
    ) -> None:
        """keeps_text: can ill-formed bytes be TEXT in the database?"""
        super().__init__(engine, source, log)
        self._policy = policy
        self._keeps_text = keeps_text
        self._row = -1  # of the header, if there is one
        self._is_header = True
        sql = f'SELECT row, place, cause, repaired, value FROM "repaired {number}" ORDER BY row, place'
        self._repaired = iter(engine.rows(sql))
        self._next = next(self._repaired, None)

    def names(self, names: list[str]) -> list[str]:
        """The names of columns are the row before the first."""
        if not self._is_header:
            return super().names(names)
        self._is_header = False
        return super().names(self._repair(list(names), 1, names))

    def _is_right(self, text: str) -> bool:
        self._row += 1
        return super()._is_right(text) and not (self._next and self._next[0] == self._row)

    def _alone(self, cell: str) -> tuple[str, Any]:
        data = cell.encode("utf-8", "utf8ext")
        ((cause, repaired),) = self._engine.rows(_ALONE, data, self._policy)
        return cause, repaired

    def _repair(self, row: list[Any], line: int, columns: list[str]) -> list[Any]:
        repaired = list(row)
        while self._next and self._next[0] == self._row:
            _, place, cause, text, value = self._next
            repaired[place] = self._kept(cause, value) if text is None else text
            column = columns[place] if self._row >= 0 else str(repaired[place])
            self._log.cell(self._name, line, column, cause, row[place], repaired[place])
            self._next = next(self._repaired, None)
        for place, cell in enumerate(row):
            if cell and cell is repaired[place] and self._is_lost(cell):
                self._tell_lost(cell, line, columns[place])
        return repaired

    def _kept(self, cause: str, value: bytes) -> bytes | str:
        """Return the bytes of a cell that no repair changes; what is text stays TEXT. Names are well-formed."""
        if self._row < 0:
            return value.decode(errors="replace")
        return RAW + value if cause == UNCLEAR and self._keeps_text else value


RAW = b"\xffutf8ext\xff"  # before the bytes of ill-formed TEXT on their way to the database


def make_fix(
    engine: Engine, source: Source, log: Log, number: int, policy: str, keeps_text: bool
) -> Fix:
    """Return what makes the cells of a file right; file `number` of those that are imported."""
    if source.is_mixed:
        return MixedFix(engine, source, log, number, policy, keeps_text)
    return DecodedFix(engine, source, log) if source.charset else Fix(engine, source, log)


# ---- the audit -------------------------------------------------------------------------


def audit(
    engine: Engine, source: Source, rows: Rows, number: int, policy: str, misread: bool
) -> None:
    """Decide about the cells of a mixed file that are ill-formed or misread, before MixedFix is
    made for it.

    The table `cells` has them, and what utf8_audit compares them with. The header is row -1.
    """
    restored = RestoredLines(engine, rows) if misread and source.has_misread else None
    engine.run(f'CREATE TABLE "repaired {number}"(row INTEGER, place INTEGER, cause, repaired, value)')
    staged = _Staged(engine, source.name)
    if rows.has_names and not rows.adds_columns:
        staged.add(-1, list(rows.columns))
        _note(restored, -1, list(rows.columns))
    row_number = 0
    while not rows.is_done:
        for row in rows.rows():
            if row_number < CLEAN or _needs_look(engine, _joined(row), misread):
                staged.add(row_number, row)
            _note(restored, row_number, row)
            row_number += 1
    sql = _REPAIRED.format(number=number, repaired=unless_unclear("repaired", policy))
    engine.run(sql, policy, looks_for_suspects(False, misread, policy))
    if restored:
        restored.add_to(number)
    engine.run("DROP TABLE IF EXISTS cells")


def _note(restored: RestoredLines | None, number: int, row: list[Cell]) -> None:
    if restored and not (text := _joined(row)).isascii() and is_well_formed(text):
        restored.note(number, row)


def _needs_look(engine: Engine, text: str, misread: bool) -> bool:
    if text.isascii():
        return False
    return not is_well_formed(text) or (misread and is_misread(engine, text))


class _Staged:
    """The table `cells`, whose rowid is the number of a row. The first row makes its columns."""

    def __init__(self, engine: Engine, file: str) -> None:
        self._engine = engine
        self._file = file
        self._width = 0

    def _widen(self, width: int) -> None:
        check_width(self._engine.rows, width, self._file)
        if self._width == 0:
            columns = ", ".join(f"c{place} TEXT" for place in range(width))
            self._engine.run(f"CREATE TABLE cells({columns})")
        else:
            for place in range(self._width, width):
                self._engine.run(f"ALTER TABLE cells ADD COLUMN c{place} TEXT")
        self._width = width

    def add(self, number: int, row: list[Cell]) -> None:
        width = max(len(row), 1)
        if width > self._width:
            self._widen(width)
        columns = "".join(f", c{place}" for place in range(len(row)))
        marks = ", CAST(? AS TEXT)" * len(row)
        cells = [cell if cell is None else cell.encode("utf-8", "utf8ext") for cell in row]
        sql = f"INSERT INTO cells(rowid{columns}) VALUES (?{marks})"
        self._engine.run(sql, number, *cells)
