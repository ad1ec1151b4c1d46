"""Names in SQL."""

from __future__ import annotations


def quoted(name: str) -> str:
    """Return a name as SQL has it: in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return text as SQL has it: in single quotes."""
    return "'" + text.replace("'", "''") + "'"


def folded(name: str) -> str:
    """Fold the case of ASCII letters only, as SQLite compares names."""
    return "".join(c.lower() if c.isascii() else c for c in name)
