"""Guesses the charset of text files, and what happened to them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from utf8ext import _cause
from utf8ext._cause import DECIDED_AT_ONCE, Cut
from utf8ext._detect import Guess
from utf8ext._engine import Engine
from utf8ext._files.textfile import Chunk, TextFile
from utf8ext._stream import whole_size

_CANDIDATES = 5

_SCORES = """
    SELECT name, utf8_detect_score(?1, name) AS score FROM utf8_charsets
    WHERE name = ?2 OR score > 0
    ORDER BY name = ?2 DESC, score DESC, name LIMIT ?3
"""

_SAMPLE_SIZE = 128 << 10  # bytes whose plausibility in each charset is computed


def detect_file(engine: Engine, file: TextFile) -> list[Guess]:
    """Return the charset of a file, and other candidates after it.

    A byte order mark decides; else utf8_detect_column() of the file's chunks. A file of one chunk
    has the result of utf8_detect() for the whole.
    """
    marked = file.marked()
    if marked:
        return [Guess(marked, 1.0)]
    sample = _Sample()
    chunks = sample.watch(file.chunks(Cut(engine.value)))
    charset = _Feed(engine, chunks).detect() or "ascii"
    return _ranked(engine, charset, sample)


def find_cause(engine: Engine, file: TextFile) -> str:
    """Return what happened to a file: utf8_cause(), or utf8_detect() if it is well-formed.

    Of a file of more than 16 MB, each 16 MB are one value, and all those beyond ASCII must agree.
    """
    chunks = file.chunks(Cut(engine.value), at_once=DECIDED_AT_ONCE)
    return _cause.find_cause(engine.value, (chunk.content for chunk in chunks))


class _Feed:
    """Passes chunks to an aggregate function, one by one."""

    _SQL = """
        WITH RECURSIVE chunk(is_there) AS (
          SELECT has_chunk() UNION ALL SELECT has_chunk() FROM chunk WHERE is_there
        )
        SELECT utf8_detect_column(next_chunk()) FROM chunk WHERE is_there
    """

    def __init__(self, engine: Engine, chunks: Iterator[Chunk]) -> None:
        self._engine = engine
        self._chunks = chunks
        self._next: Chunk | None = None
        self._error: BaseException | None = None

    def detect(self) -> str | None:
        self._engine.define("has_chunk", self._has_chunk)
        self._engine.define("next_chunk", lambda: self._next and self._next.content)
        charset: str | None = self._engine.value(self._SQL)
        if self._error:
            raise self._error
        return charset

    def _has_chunk(self) -> bool:
        """Read the next chunk. An exception cannot pass through SQLite, so detect() raises it."""
        try:
            self._next = next(self._chunks, None)
        except BaseException as error:
            self._error, self._next = error, None
        return self._next is not None


class _Sample:
    """A whole file if it is short; else the first bytes that are not ASCII, to their lines' ends."""

    def __init__(self) -> None:
        self._head = b""
        self._lines = bytearray()
        self._is_whole = False

    def watch(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """Pass chunks on, and keep what is needed."""
        for chunk in chunks:
            if not self._head:
                self._head = chunk.content[:_SAMPLE_SIZE]
                self._is_whole = chunk.is_last and chunk.size <= _SAMPLE_SIZE
            self._add_lines(chunk.content)
            yield chunk

    def _add_lines(self, content: bytes) -> None:
        if len(self._lines) >= _SAMPLE_SIZE or content.isascii():
            return
        for match in re.finditer(rb"[\x80-\xff][^\n]*\n?", content):
            self._lines += match[0]
            if len(self._lines) >= _SAMPLE_SIZE:
                return

    def content(self, charset: str) -> bytes:
        """Return what shows how plausible the charset is."""
        if self._is_whole:
            return self._head
        is_units = charset.startswith(("utf-16", "utf-32"))
        data = self._head if is_units or not self._lines else bytes(self._lines[:_SAMPLE_SIZE])
        return data[: whole_size(charset, data)]


def _ranked(engine: Engine, charset: str, sample: _Sample) -> list[Guess]:
    if charset == "binary":
        return [Guess(charset, 0.0)]
    content = sample.content(charset)
    score = engine.value("SELECT utf8_detect_score(?, ?)", content, charset)
    if score == 1:  # a rule decides, or all is ASCII: other charsets are no candidates
        return [Guess(charset, score)]
    return [Guess(*row) for row in engine.rows(_SCORES, content, charset, _CANDIDATES)]
