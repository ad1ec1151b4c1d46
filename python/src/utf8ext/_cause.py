"""What happened to a whole file: one decision for `utf8ext convert` and `utf8ext import`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from utf8ext._units import is_units
from utf8ext._whole import whole_size

DECIDED_AT_ONCE = 16 << 20  # bytes that are one value for utf8_cause()

Value = Callable[..., Any]  # runs a statement with bindings, and returns its only value


def find_cause(value: Value, chunks: Iterable[bytes]) -> str:
    """Return what happened to a file: utf8_cause(), or utf8_detect() if it is well-formed.

    All chunks that are not ASCII must agree.
    """
    causes: set[str] = set()
    for chunk in chunks:
        causes.add(value("SELECT coalesce(utf8_cause(?1), utf8_detect(?1))", chunk))
        if any(map(is_units, causes)):
            break
    causes.discard("ascii")
    return _common(causes)


def _common(causes: set[str]) -> str:
    if len(causes) == 1:
        return causes.pop()
    if not causes:
        return "ascii"
    if causes <= {"utf-8", "utf-8-bom", "cut", "damaged"}:
        return "damaged" if causes & {"cut", "damaged"} else "utf-8"
    return "unclear"


class Cut:
    """Cuts after a line, or between the units of UTF-16 and UTF-32 if a file starts with them."""

    def __init__(self, value: Value) -> None:
        self._value = value
        self._cut: Callable[[bytes], int] | None = None

    def __call__(self, data: bytes) -> int:
        """Return the size of the next chunk of data."""
        if self._cut is None:
            charset = self._value("SELECT utf8_detect(?)", data[: 64 << 10])
            self._cut = (lambda data: whole_size(charset, data)) if is_units(charset) else _cut_line
        return self._cut(data)


def _cut_line(data: bytes) -> int:
    return data.rfind(b"\n") + 1 or len(data)
