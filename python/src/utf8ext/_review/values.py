"""Reads the unclear values of a database, with their readings."""

from __future__ import annotations

import json
from collections.abc import Generator

from utf8ext._database import Database
from utf8ext._review import Reading, Unclear
from utf8ext._selection import Selection
from utf8ext._verdict import AUTO, UNCLEAR

# Only values that an UPDATE can change.
_FOUND = f"cause = '{UNCLEAR}' AND repair_sql IS NOT NULL"

_VALUES = f"""
    SELECT table_name, column_name, min(key), count(*), value, readings
      FROM temp.utf8_audit('main', '{AUTO}') WHERE {_FOUND} AND {{condition}}
     GROUP BY table_name, column_name, value ORDER BY table_name, column_name, min(key)
"""


def find_unclear(
    database: Database, selection: Selection = Selection()
) -> Generator[Unclear, None, None]:
    """Yield the unclear values, each once for a column."""
    condition, bindings = selection.where()
    sql = _VALUES.format(condition=condition)
    for table, column, key, rows, value, found in list(database.rows(sql, *bindings)):
        yield Unclear(table, column, key, rows, shown(database, value), _readings(found))


def _readings(found: str | None) -> list[Reading]:
    return [
        Reading(*(row.get(field) for field in Reading._fields)) for row in json.loads(found or "[]")
    ]


def shown(database: Database, value: bytes) -> str:
    """Return a value as text: ill-formed bytes as `\\xe9`, a backslash as two."""
    if not database.is_utf16():
        return value.replace(b"\\", rb"\\").decode("utf-8", "backslashreplace")
    sql = "SELECT char, bytes FROM temp.utf8_each(CAST(substr(?, 1) AS TEXT))"
    return "".join(_shown(char, stored) for char, stored in database.rows(sql, value))


def _shown(char: str | None, stored: bytes) -> str:
    if char is not None:
        return "\\\\" if char == "\\" else char
    return "".join(f"\\x{byte:02x}" for byte in stored)
