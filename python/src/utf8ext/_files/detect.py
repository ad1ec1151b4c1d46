"""Guesses the charset of text files, and what happened to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from utf8ext._cause import DECIDED_AT_ONCE, Cut
from utf8ext._decide import Decision, decide
from utf8ext._engine import Engine
from utf8ext._files.result import Guess
from utf8ext._files.textfile import TextFile
from utf8ext._units import is_units
from utf8ext._verdict import UNCLEAR
from utf8ext._whole import whole_size

_CANDIDATES = 5

# utf8_readings() has the candidates in one pass, so that only these are scored.
_SCORES = """
    SELECT name, utf8_detect_score(?1, name) AS score
      FROM (SELECT charset AS name FROM utf8_readings(?1) WHERE charset IS NOT NULL UNION SELECT ?2)
     WHERE name = ?2 OR score > 0
     ORDER BY name = ?2 DESC, score DESC, name LIMIT ?3
"""

_SAMPLE_SIZE = 128 << 10  # bytes whose plausibility in each charset is computed


def detect_file(engine: Engine, file: TextFile) -> list[Guess]:
    """Return the charset of a file, and other candidates after it."""
    return examine(engine, file)[1]


def examine(engine: Engine, file: TextFile) -> tuple[Decision, list[Guess]]:
    """Return what a file is, and the likely charsets of its bytes, the likeliest first."""
    marked = file.marked()
    with file.kept() as chunks:
        decision = decide(engine, lambda: line_chunks(engine, chunks()))
        sample = b"" if marked else _sample(engine, chunks(), decision.charset)
    if marked and is_units(marked) and decision.charset != marked:
        decision = Decision(marked)
    decision.sections = file.sections
    charset = decision.charset
    if marked:
        return decision, [Guess(marked, 1.0)]
    if decision.lines[UNCLEAR]:
        return decision, _candidates(engine, sample)
    score = engine.value("SELECT utf8_detect_score(?, ?)", sample, charset) if charset != "binary" else 0.0
    return decision, [Guess(charset, score)]


def line_chunks(engine: Engine, file: TextFile) -> Iterator[bytes]:
    """Yield a file in the chunks that decide() reads."""
    for chunk in file.chunks(Cut(engine.value), at_once=DECIDED_AT_ONCE):
        yield chunk.content


def _sample(engine: Engine, file: TextFile, charset: str) -> bytes:
    """Return a whole file if it is short; else the first lines that are not ASCII."""
    head, lines = b"", bytearray()
    for chunk in file.chunks(Cut(engine.value)):
        if not head:
            head = chunk.content[:_SAMPLE_SIZE]
            if chunk.is_last and chunk.size <= _SAMPLE_SIZE:
                return head
        for match in re.finditer(rb"[\x80-\xff][^\n]*\n?", chunk.content):
            lines += match[0]
            if len(lines) >= _SAMPLE_SIZE:
                break
        if len(lines) >= _SAMPLE_SIZE:
            break
    data = head if is_units(charset) or not lines else bytes(lines[:_SAMPLE_SIZE])
    return data[: whole_size(charset, data)] if charset != "binary" else data


def _candidates(engine: Engine, sample: bytes) -> list[Guess]:
    """Return what utf8_detect() says of a file that is unclear, and after it the other readings."""
    charset = engine.value("SELECT utf8_detect(?)", sample)
    return [Guess(*row) for row in engine.rows(_SCORES, sample, charset, _CANDIDATES)]
