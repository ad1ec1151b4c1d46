"""A file in two encodings: another shell has appended to it, or files were joined.

Each section is decoded as what it is, and the file is then UTF-8 for everything else.
"""

from __future__ import annotations

import io
import os
import re
import stat
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from utf8ext._packed import Unpacked
from utf8ext._rules import LONGEST, MARKS, NEXT, SHORT, STRETCH, UNITS
from utf8ext._text import is_utf8

_STRETCH = {charset: re.compile(pattern.encode()) for charset, pattern in STRETCH.items()}

_NEXT = re.compile(NEXT.encode())


class Section(NamedTuple):
    """A section of a file."""

    charset: str  # 'utf-16le', 'utf-16be', or 'utf-8' for all text of 8 bits
    start: int
    end: int


def unified(file: BinaryIO) -> tuple[BinaryIO, str]:
    """Return a file as UTF-8 and what its sections are if it has several; else as it is, and ''.

    The text: `utf-16le, utf-8 from line 4`.
    """
    if not _is_short(file):
        return file, ""
    data = file.read(LONGEST + 1)
    file.seek(0)
    sections = list(_sections(data)) if len(data) <= LONGEST and _may_have_sections(data) else []
    if len(sections) < 2:
        return file, ""
    return _joined(data, sections)


def _is_short(file: BinaryIO) -> bool:
    """Go to the start of a file that can be read twice; return whether it may be short."""
    try:
        status = None if isinstance(file, Unpacked) else os.fstat(file.fileno())
        if status and (not stat.S_ISREG(status.st_mode) or status.st_size > LONGEST):
            return False
        file.seek(0)
    except (OSError, io.UnsupportedOperation):
        return False
    return True


def _may_have_sections(data: bytes) -> bool:
    return b"\0" in data or any(data.find(mark, 1) > 0 for mark, _ in MARKS)


def _joined(data: bytes, sections: list[Section]) -> tuple[BinaryIO, str]:
    text = b""
    names: list[str] = []
    for charset, start, end in sections:
        line = text.count(b"\n") + 1
        section = data[start:end]
        name = "utf-8-bom" if section.startswith(b"\xef\xbb\xbf") else charset
        names.append(f"{name} from line {line:,}" if names else name)
        if charset != "utf-8":
            section = section.decode(charset, "replace").encode()
        text += section.removeprefix(b"\xef\xbb\xbf")
    return io.BytesIO(text), ", ".join(names)


def _sections(data: bytes) -> Iterator[Section]:
    """Yield the sections of a file, at least one, in order."""
    at = 0
    while at < len(data):
        charset = _charset_at(data, at)
        end = _end_of_bytes(data, at) if charset == "utf-8" else _end_of_units(data, at, charset)
        yield Section(charset, at, end)
        at = end


def _charset_at(data: bytes, at: int) -> str:
    """Return what a section is in, by its byte order mark or where its NULs are."""
    for mark, charset in MARKS:
        if data.startswith(mark, at):
            return charset
    return _units_at(data, at) or "utf-8"


def _units_at(data: bytes, at: int) -> str | None:
    """Return the UTF-16 that starts here, or None: of half of its units a byte is NUL."""
    piece = data[at : at + 4 * SHORT]
    if b"\0" not in piece[:UNITS]:  # a short section, and UTF-16 after it
        return None
    even, odd = piece[::2].count(0), piece[1::2].count(0)
    enough = max(len(piece) // 4, 4)
    if odd >= enough and not even:
        return "utf-16le"
    return "utf-16be" if even >= enough and not odd else None


def _end_of_units(data: bytes, start: int, charset: str) -> int:
    """Return where a section in UTF-16 ends: text of 8 bits starts after a line of it."""
    for match in _STRETCH[charset].finditer(data, start):
        at = match.start(1)
        if (at - start) % 2 == 0 and _is_bytes(_until_units(match[1])):
            return at
    marks = (data.find(mark, start + 2) for mark, _ in MARKS[:2])
    found = [at for at in marks if at > 0 and (at - start) % 2 == 0 and data[at - 2 : at] in (b"\n\0", b"\0\n")]
    return min(found, default=len(data))


def _until_units(stretch: bytes) -> bytes:
    """Return a stretch without the start of a line of UTF-16 that follows it."""
    return stretch[: stretch.rfind(b"\n") + 1] or stretch


def _is_bytes(stretch: bytes) -> bool:
    """Is a stretch text of 8 bits? As letters of UTF-16, spaces and line ends would be rare."""
    is_text = len(stretch) >= SHORT and is_utf8(stretch)
    return is_text and any(byte in b" \n,;\t." for byte in stretch[1::2])


def _end_of_bytes(data: bytes, start: int) -> int:
    """Return where text of 8 bits ends: UTF-16 starts at the start of a line, or a new mark."""
    for match in _NEXT.finditer(data, start):
        at = match.end()
        if data.startswith(b"\xef\xbb\xbf", at):
            return at
        section = data[start:at]  # UTF-16 has NULs at the ends of lines
        if b"\0" not in section and is_utf8(section) and _starts_units(data, at):
            return at
    return len(data)


def _starts_units(data: bytes, at: int) -> bool:
    """Does UTF-16 start here? After a byte order mark, its line ends are enough."""
    if not data.startswith((b"\xff\xfe", b"\xfe\xff"), at):
        return _units_at(data, at) is not None
    return b"\n\0" in data[at:] or b"\0\n" in data[at:]
