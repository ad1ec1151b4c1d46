"""Cells that were misread as their line shows: decide() is sure of the line, utf8_audit not of the cell."""

from __future__ import annotations

from utf8ext._engine import Engine
from utf8ext._import.dialect import Cell
from utf8ext._import.rows import Rows
from utf8ext._rules import WAS

_MISREAD = "mojibake "

# Rows in which what utf8_audit has found is what the line shows.
_ADD = """
    INSERT INTO "repaired {number}"
    SELECT row, place, cause, repaired, value FROM restored
     WHERE row NOT IN (SELECT row FROM "repaired {number}" AS r LEFT JOIN restored AS l USING (row, place)
                        WHERE l.repaired IS NOT r.repaired)
       AND (row, place) NOT IN (SELECT row, place FROM "repaired {number}")
"""


class RestoredLines:
    """The cells of lines that decide() has restored, each of them as a whole."""

    def __init__(self, engine: Engine, rows: Rows) -> None:
        self._engine = engine
        self._rows = rows
        engine.run("DROP TABLE IF EXISTS restored")
        columns = "row INTEGER, place INTEGER, cause, repaired, value, PRIMARY KEY (row, place)"
        engine.run(f"CREATE TABLE restored({columns}) WITHOUT ROWID")
        is_misread = f"cause LIKE '{_MISREAD}%' AND repaired IS NOT NULL"
        found = engine.rows(f"SELECT n FROM repair WHERE {is_misread}")
        self._lines = {n for (n,) in found}

    def note(self, number: int, row: list[Cell]) -> None:
        """Note the cells of the well-formed row that was read last, if its line is a restored one.

        Each cell must be the same in that line, or have been misread as a whole and be there what it was
        before.
        """
        if self._rows.line not in self._lines:
            return
        sql = "SELECT cause, CAST(repaired AS TEXT) FROM repair WHERE n = ?"
        cause, line = self._engine.row(sql, self._rows.line)
        fields = self._rows.fields(line) or []
        fields += [None] * (len(row) - len(fields))
        charset = cause[len(_MISREAD) :]
        pairs = list(zip(row, fields))
        if len(fields) != len(row) or not all(self._was(*pair, charset) for pair in pairs):
            return
        for place, (cell, field) in enumerate(pairs):
            if cell and cell != field:
                sql = "INSERT INTO restored VALUES (?, ?, ?, ?, ?)"
                self._engine.run(sql, number, place, cause, field, cell.encode())

    def _was(self, cell: Cell, before: Cell, charset: str) -> bool:
        """Is a cell what it was before, or was it misread once or several times?"""
        return cell == before or bool(self._engine.value(WAS, cell, before, charset))

    def add_to(self, number: int) -> None:
        """Add the cells that utf8_audit was not sure of to those of file `number`."""
        self._engine.run(_ADD.format(number=number))
        self._engine.run("DROP TABLE restored")
