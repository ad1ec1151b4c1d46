"""Names in SQL."""

from __future__ import annotations

from collections.abc import Iterable


def quoted(name: str) -> str:
    """Return a name as SQL has it: in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return text as SQL has it: in single quotes."""
    return "'" + text.replace("'", "''") + "'"


def folded(name: str) -> str:
    """Fold the case of ASCII letters only, as SQLite compares names."""
    return "".join(c.lower() if c.isascii() else c for c in name)


def firing(table: str, event: str, columns: Iterable[str]) -> str:
    """Return an INSERT, UPDATE or DELETE that fires the triggers of a table. table is SQL."""
    if event == "INSERT":
        return f"INSERT INTO {table} DEFAULT VALUES"
    if event == "DELETE":
        return f"DELETE FROM {table}"
    return f"UPDATE {table} SET {', '.join(f'{quoted(name)} = {quoted(name)}' for name in columns)}"


def rowid_name(columns: Iterable[str]) -> str | None:
    """Return a name of the rowid that no column has."""
    taken = set(map(folded, columns))
    return next((name for name in ("rowid", "oid", "_rowid_") if name not in taken), None)
