"""Finds what is ill-formed or suspicious in the chunks of a text file."""

from __future__ import annotations

from collections.abc import Iterator
from os.path import commonprefix
from typing import NamedTuple, Union

from utf8ext._decide import has_mojibake
from utf8ext._engine import Engine
from utf8ext._files.textfile import Chunk, TextFile
from utf8ext._text import U_FFFD, count_codepoints, first_character
from utf8ext._verdict import MISREAD
from utf8ext._whole import whole_size

DIALECTS = ("utf-8", "rfc2044", "cesu-8", "mutf-8", "wtf-8", "utf-8b")
_UNITS = ("utf-16", "utf-16le", "utf-16be", "utf-32", "utf-32le", "utf-32be")
ENCODINGS = DIALECTS + _UNITS


class Finding(NamedTuple):
    """Something ill-formed or suspicious in a file."""

    line: int  # from 1
    column: int  # in code points, from 1; an ill-formed subpart counts as one
    offset: int  # in bytes of the file, from 0
    kind: str
    content: bytes  # the ill-formed subpart, or the suspicious code point


class _Found(NamedTuple):
    """Something found in a chunk, as UTF-8: text[at : at + length]."""

    at: int
    length: int
    kind: str
    content: bytes
    is_error: bool = True


# ---- the file --------------------------------------------------------------------------


def scan(engine: Engine, file: TextFile, charset: str | None, suspects: bool) -> Iterator[Finding]:
    """Yield what is found in a file, in its order."""
    name, skip = file.mark(charset)
    encoding: _Encoding = _Utf8(engine, name) if name in DIALECTS else _Units(engine, name)
    position = _Position(encoding, skip, not skip and file.marked() is not None)
    for chunk in file.chunks(encoding.cut, skip):
        yield from _scan_chunk(engine, encoding, position, chunk, suspects)


def _scan_chunk(
    engine: Engine, encoding: _Encoding, position: _Position, chunk: Chunk, suspects: bool
) -> Iterator[Finding]:
    text = encoding.text(chunk)
    errors = encoding.errors(chunk, text)
    is_read = isinstance(encoding, _Units) or encoding.is_utf8
    looks = suspects or (is_read and not text.isascii() and has_mojibake(engine, text))
    found_all = _with_suspects(engine, text, errors, chunk.start == 0, suspects) if looks else errors
    at = 0
    for found in found_all:
        position.advance(text[at : found.at])
        yield position.finding(found)
        at = found.at
        if found.is_error:
            position.skip(found)
            at += found.length
    position.finish(text[at:], chunk.start + chunk.size)


class _Position:
    """Where in the file the scan is."""

    def __init__(self, encoding: _Encoding, start: int, has_mark: bool) -> None:
        """A byte order mark that is not skipped takes no column."""
        self._encoding = encoding
        self._line, self._column, self._offset = 1, 0 if has_mark else 1, start

    def advance(self, text: bytes) -> None:
        """Go over well-formed text."""
        self._offset += self._encoding.size(text)
        self._move(text)

    def finish(self, text: bytes, offset: int) -> None:
        """Go over the rest of a chunk, which ends at this offset."""
        self._offset = offset
        self._move(text)

    def _move(self, text: bytes) -> None:
        lines = text.count(b"\n")
        if lines:
            self._line += lines
            self._column = 1
            text = text[text.rindex(b"\n") + 1 :]
        self._column += self._encoding.codepoints(text)

    def skip(self, found: _Found) -> None:
        """Go over an error."""
        self._offset += len(found.content)
        self._column += 1

    def finding(self, found: _Found) -> Finding:
        return Finding(self._line, max(self._column, 1), self._offset, found.kind, found.content)


# ---- texts by encoding -----------------------------------------------------------------


class _Utf8:
    """UTF-8 and its dialects, which utf8_each reads."""

    def __init__(self, engine: Engine, dialect: str) -> None:
        self._engine = engine
        self._dialect = dialect
        self.is_utf8 = dialect == "utf-8"  # in others, suspicious text is not known

    def cut(self, data: bytes) -> int:
        """Cut after a line, so that a line is seen as a whole unless it is longer than a chunk."""
        return data.rfind(b"\n") + 1 or self._cut_step(data)

    def _cut_step(self, data: bytes) -> int:
        """Cut where any text can follow, in wtf-8 not after a high surrogate: a low one may."""
        size = whole_size("utf-8" if self._dialect == "utf-8b" else self._dialect, data)
        is_high = data[size - 3 : size - 2] == b"\xed" and data[size - 2] in range(0xA0, 0xB0)
        return size - 3 if self._dialect == "wtf-8" and is_high else size

    def text(self, chunk: Chunk) -> bytes:
        """Return a chunk as UTF-8, with anything where it is ill-formed."""
        return chunk.content

    def errors(self, chunk: Chunk, text: bytes) -> Iterator[_Found]:
        """Yield a chunk's errors. What follows it decides if a sequence is truncated or incomplete."""
        if self._engine.value("SELECT utf8_valid(?, ?)", text, self._dialect):
            return
        rows = self._engine.rows(
            "SELECT offset, length, error, bytes FROM utf8_each(?, ?) WHERE error > '' AND offset < ?",
            chunk.data,
            self._dialect,
            chunk.size,
        )
        for row in rows:
            yield _Found(*row)

    def size(self, text: bytes) -> int:
        """Return how many bytes of the file well-formed text takes."""
        return len(text)

    def codepoints(self, text: bytes) -> int:
        """Surrogate pairs of cesu-8 and mutf-8 have the lead byte ED twice, but are one."""
        count = count_codepoints(text)
        if self._dialect in ("cesu-8", "mutf-8"):
            count -= sum(text.count(bytes((0xED, low))) for low in range(0xB0, 0xC0))
        return count


class _Units:
    """Like _Utf8, for UTF-16 and UTF-32, which utf8_from reads: it writes U+FFFD for each error."""

    def __init__(self, engine: Engine, charset: str) -> None:
        self._engine = engine
        self._charset = charset
        self._unit = 2 if "16" in charset else 4
        self._replacement = self._encode(U_FFFD)
        self._newline = self._encode(b"\n")

    def cut(self, data: bytes) -> int:
        """Cut after a line. A newline that spans two units is none."""
        end = len(data)
        for _ in range(100):
            at = data.rfind(self._newline, 0, end)
            if at % self._unit == 0:
                return at + self._unit
            end = at + self._unit - 1
        return whole_size(self._charset, data)

    def text(self, chunk: Chunk) -> bytes:
        sql = "SELECT CAST(utf8_from(?, ?) AS BLOB)"
        return bytes(self._engine.value(sql, chunk.content, self._charset))

    def errors(self, chunk: Chunk, text: bytes) -> Iterator[_Found]:
        """A U+FFFD of the text is an error unless it stands in the file."""
        place = at = 0
        while (next_at := text.find(U_FFFD, at)) >= 0:
            place += self.size(text[at:next_at])
            unit = chunk.data[place : place + self._unit]
            at = next_at + len(U_FFFD)
            if unit != self._replacement:
                unit = self._whole_error(chunk.data[place : chunk.size])
                yield _Found(next_at, len(U_FFFD), self._kind(unit), unit)
            place += len(unit)

    def _whole_error(self, data: bytes) -> bytes:
        """Return the bytes that one U+FFFD stands for: a unit, or all of an incomplete end."""
        is_end = len(data) < self._unit or (len(data) == 3 and self._is_high(data))
        return data if is_end else data[: self._unit]

    def _is_high(self, data: bytes) -> bool:
        """Does UTF-16 text start with a high surrogate?"""
        return self._unit == 2 and self._number(data[:2]) in range(0xD800, 0xDC00)

    def _kind(self, unit: bytes) -> str:
        if len(unit) != self._unit:
            return "truncated"
        return "surrogate" if self._number(unit) in range(0xD800, 0xE000) else "out of range"

    def _number(self, unit: bytes) -> int:
        return int.from_bytes(unit, "little" if self._charset.endswith("le") else "big")

    def size(self, text: bytes) -> int:
        return len(self._encode(text)) if text else 0

    def codepoints(self, text: bytes) -> int:
        return count_codepoints(text)

    def _encode(self, text: bytes) -> bytes:
        return bytes(self._engine.value("SELECT utf8_to(?, ?)", text, self._charset))


_Encoding = Union[_Utf8, _Units]

# ---- suspicious text -------------------------------------------------------------------

_WINDOW_MIN = 512
_WINDOW_MAX = 1 << 20


def _with_suspects(
    engine: Engine, text: bytes, errors: Iterator[_Found], is_start: bool, suspects: bool
) -> Iterator[_Found]:
    """Yield the errors, and between them the first suspicious code point of each other line.

    Without suspects, only that of a line with misread text.
    """
    find = _suspects if suspects else _misread
    at = 0
    for error in errors:
        if error.at >= at:
            line = text.rfind(b"\n", 0, error.at) + 1
            yield from find(engine, text, at, line, is_start)
            at = _line_end(text, error.at, len(text))
        yield error
    yield from find(engine, text, at, len(text), is_start)


def _suspects(engine: Engine, text: bytes, at: int, end: int, is_start: bool) -> Iterator[_Found]:
    """Yield the first suspicious code point of each line of text[at:end].

    Looks at growing windows of lines, since most lines have none.
    """
    window = _WINDOW_MIN
    while at < end:
        window_end = _line_end(text, min(at + window, end) - 1, end)
        offset = engine.value("SELECT utf8_suspect_offset(?)", text[at:window_end])
        if offset is None:
            at, window = window_end, min(window * 2, _WINDOW_MAX)
            continue
        place = at + offset
        line = text[at:window_end]
        yield _suspect(engine, line, offset, place, is_start and place == 0)
        at, window = _line_end(text, place, end), _WINDOW_MIN


def _misread(engine: Engine, text: bytes, at: int, end: int, is_start: bool) -> Iterator[_Found]:
    """Yield where misread text starts in each line of text[at:end] that has some."""
    while at < end:
        line_end = _line_end(text, at, end)
        line = text[at:line_end]
        if not line.isascii() and has_mojibake(engine, line):
            mended = engine.value("SELECT CAST(utf8_demojibake(?) AS BLOB)", line)
            offset = len(commonprefix([line, mended]))
            while offset and 0x80 <= line[offset] <= 0xBF:
                offset -= 1
            content = first_character(line[offset:]).encode()
            yield _Found(at + offset, len(content), MISREAD, content, is_error=False)
        at = line_end


def _suspect(engine: Engine, text: bytes, offset: int, place: int, is_start: bool) -> _Found:
    kind = engine.value("SELECT utf8_suspect(?)", text)
    if kind == "bom" and not is_start:
        kind = "invisible"  # U+FEFF anywhere else
    content = first_character(text[offset:]).encode()
    return _Found(place, len(content), kind, content, is_error=False)


def _line_end(text: bytes, at: int, end: int) -> int:
    """Return the end of the line that contains text[at], at most end."""
    return text.find(b"\n", at, end) + 1 or end
