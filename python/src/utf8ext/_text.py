"""Words of messages."""

from __future__ import annotations

_KEY = 80  # characters of a key that are shown


def number(count: int, noun: str) -> str:
    """Return `1 value`, `2,000 values`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def short_key(key: int | str | None) -> str:
    """Return the key of a row as utf8_audit has it; of a long one, only the start."""
    text = "-" if key is None else str(key)
    return text if len(text) <= _KEY else text[:_KEY] + "…"
