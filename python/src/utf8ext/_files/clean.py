"""Cleans a text file: its lines are repaired by their causes, then the whole is cleaned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from utf8ext._clean import Cleaned, clean_whole
from utf8ext._decide import WELL_FORMED, Lines, decide
from utf8ext._engine import Engine, thread_engine
from utf8ext._text import U_FFFD
from utf8ext._units import is_units


def clean_file(data: bytes, steps: str, sections: str = "") -> Cleaned:
    """Clean the bytes of a file, and say what it is.

    What is unclear becomes U+FFFD, since the result must be well-formed.
    """
    engine = thread_engine()
    named = [step.strip().lower() for step in steps.split(",")]
    if not {"repair", "ftfy"}.intersection(named):
        return clean_whole(data, steps)
    decision = decide(engine, lambda: [data], misread="mojibake" in named)
    decision.sections = sections
    if decision.charset == "binary":
        return Cleaned(data, "binary", 0)
    cause = None if decision.label in ("ascii", "utf-8", "utf-8-bom") else decision.label
    if not decision.is_mixed and decision.charset in WELL_FORMED:
        return clean_whole(data, steps)._replace(cause=cause)
    if not decision.is_mixed or is_units(decision.charset):
        sql = "SELECT CAST(utf8_from(?, ?) AS BLOB)"
        text = engine.value(sql, data, decision.charset)
        lost = text.count(U_FFFD)
        if decision.is_mixed:
            text = _mended(engine, text, named)
        return Cleaned(clean_whole(text, steps).text, cause, lost)
    text = clean_whole(_mended(engine, data, named), steps).text
    return Cleaned(text, cause, max(text.count(U_FFFD) - data.count(U_FFFD), 0))


def _mended(engine: Engine, text: bytes, steps: list[str]) -> bytes:
    """Return the text of a mixed file with the lines that decide() has repaired."""
    return Lines(engine, misread="mojibake" in steps).repaired(text)


# ---- damage in escapes -----------------------------------------------------------------


class Escapes(NamedTuple):
    """Escapes of a document that spell misread text."""

    kind: str
    steps: str  # that mend it
    number: int
    example: str


_KINDS = (
    ("JSON", "json", re.compile(rb"(?:\\u[0-9a-fA-F]{4}){2,}")),
    ("HTML", "html", re.compile(rb"(?:&(?:[A-Za-z]{2,12}|#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6});){2,}")),
)


def escaped_damage(text: bytes) -> Escapes | None:
    """Return the escapes whose characters are misread text, such as `\\u00c3\\u00a9`, or None."""
    engine = thread_engine()
    for kind, step, pattern in _KINDS:
        found = list(_misread(engine, step, pattern, text))
        if found:
            return Escapes(kind, f"{step},mojibake", len(found), found[0].decode())
    return None


def _misread(engine: Engine, step: str, pattern: re.Pattern[bytes], text: bytes) -> Iterator[bytes]:
    sql = "SELECT utf8_mojibake(utf8_unescape(CAST(? AS TEXT), ?)) IS NOT NULL"
    for match in pattern.finditer(text):
        if engine.value(sql, match[0], step):
            yield match[0]
