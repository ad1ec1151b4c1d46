"""Text files of any size, read in chunks."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO, NamedTuple

from utf8ext._error import Error, naming
from utf8ext._format import HEAD, refuse_format, unnamed_format
from utf8ext._output import is_output
from utf8ext._packed import Unpacked, unpacked
from utf8ext._sections import unified
from utf8ext._pipe import STDIN, read, standard_input

# Takes the bytes read so far, more of which may follow, and returns the size of their start that is
# looked at on its own. It is 0 only for fewer than 32 bytes.
Cut = Callable[[bytes], int]

Show = Callable[[float], None]  # how much is done, from 0 to 1

CHUNK = 4 << 20  # bytes that one call reads

PIECE = 256 << 10  # bytes of a piece, which stays in the processor's cache

# The byte order marks, and the charset of what follows. UTF-32LE's starts like UTF-16LE's.
_MARKS = (
    (b"\xef\xbb\xbf", "utf-8-bom", "utf-8"),
    (b"\xff\xfe\0\0", "utf-32", "utf-32le"),
    (b"\0\0\xfe\xff", "utf-32", "utf-32be"),
    (b"\xff\xfe", "utf-16", "utf-16le"),
    (b"\xfe\xff", "utf-16", "utf-16be"),
)

# What these charsets are after their byte order mark, or without one.
_UNMARKED = {"utf-8-bom": "utf-8", "utf-16": "utf-16be", "utf-32": "utf-32be"}


class Chunk(NamedTuple):
    """A part of a file: data[:size]. The bytes after it are read with the next chunk."""

    start: int  # offset in the file
    data: bytes
    size: int
    is_last: bool

    @property
    def content(self) -> bytes:
        return self.data[: self.size]


class TextFile:
    """A file that is read once, from its start to its end."""

    def __init__(self, file: BinaryIO, name: str, show: Show, sections: str = "") -> None:
        """sections: what the file was in before it became UTF-8, if it was in several encodings."""
        self._file = file
        self._show = show
        self.sections = sections
        self.name = name
        self._head = self._read(HEAD)

    def mark(self, charset: str | None) -> tuple[str, int]:
        """Return what charset means for this file, and the size of the mark that it starts with.

        `utf-16` becomes utf-16le or utf-16be, as RFC 2781 says. None means: as a byte order mark
        of UTF-16 or UTF-32 says, else utf-8.
        """
        for mark, marked, unmarked in _MARKS:
            is_guess = charset is None and marked != "utf-8-bom"
            if self._head.startswith(mark) and (marked == charset or is_guess):
                return unmarked, len(mark)
        return _UNMARKED.get(charset or "utf-8", charset or "utf-8"), 0

    def marked(self) -> str | None:
        """Return the charset that a byte order mark shows."""
        marks = (charset for mark, charset, _ in _MARKS if self._head.startswith(mark))
        return next(marks, None)

    def refuse_output(self, output: str | None) -> None:
        """Raise an Error if the output is this file, or is None and would replace a compressed one."""
        if output is None:
            if self.is_packed:
                raise Error(f"{self.name}: the file is compressed", "write another file with -o")
            return
        # A file in several encodings was copied.
        status = os.stat(self.name) if self.sections else self.status()
        if is_output(output, status):
            raise Error(f"{self.name}: is input and output", "to replace it, say --in-place")

    def refuse_formats(self, is_named: bool = False) -> None:
        """Raise an Error that names the file's format if it is known, and not text.

        is_named: a user has named the charset, which may be EBCDIC.
        """
        refuse_format(self.name, self._head, is_named)

    def format(self) -> str | None:
        """Return what the file is if it is in a format that people take for text, or None."""
        return unnamed_format(self._head)

    def chunks(self, cut: Cut, skip: int = 0, at_once: int = CHUNK) -> Iterator[Chunk]:
        """Yield the file's chunks, at least one, without its first `skip` bytes.

        Each is cut where cut(data) says, except the last. Reads `at_once` bytes for each.
        """
        start, data = skip, self._head[skip:]
        file_size = self._size()
        is_last = False
        while not is_last:
            more = self._read(at_once)
            is_last = len(more) < at_once
            data += more
            size = len(data) if is_last else cut(data)
            yield Chunk(start, data, size, is_last)
            start, data = start + size, data[size:]
            self._show(start / file_size if file_size else 0.0)

    @contextmanager
    def kept(self) -> Iterator[Again]:
        """Yield a function that returns this file from its start, as often as it is called.

        It may have another `show`. A pipe is copied to a temporary file.
        """
        with ExitStack() as stack:
            file: Any = self._file
            is_again = self.is_packed or self._size() > 0
            if not is_again or not file.seekable():
                file = stack.enter_context(tempfile.SpooledTemporaryFile(CHUNK))
                file.write(self._head)
                while data := self._read(PIECE):
                    file.write(data)

            def again(show: Show | None = None) -> TextFile:
                file.seek(0)
                return TextFile(file, self.name, show or self._show, self.sections)

            yield again

    def pieces(self) -> Iterator[tuple[bytes, bool]]:
        """Yield the file in pieces that end anywhere, each with whether it is the last one."""
        data, done, file_size = self._head, 0, self._size()
        while data:
            yield data, False
            done += len(data)
            self._show(done / file_size if file_size else 0.0)
            data = self._read(PIECE)
        yield b"", True

    def whole(self) -> bytes:
        """Return the whole file."""
        return self._head + self._read(-1)

    def _read(self, size: int) -> bytes:
        with naming(self.name):
            return read(self._file, size)

    @property
    def is_packed(self) -> bool:
        """Is the file compressed?"""
        return isinstance(self._file, Unpacked)

    def status(self) -> os.stat_result:
        """Return what the operating system knows about the file."""
        file = self._file.packed if isinstance(self._file, Unpacked) else self._file
        return os.fstat(file.fileno())

    def _size(self) -> int:
        """Return the file's size, or 0 if it is a pipe, a device or compressed."""
        if self.is_packed:
            return 0
        try:
            status = self.status()
        except OSError:
            return 0
        return status.st_size if stat.S_ISREG(status.st_mode) else 0


Again = Callable[..., TextFile]


def show_nothing(fraction: float) -> None:
    """Show no progress."""


@contextmanager
def open_text(name: str, show: Show, unifies: bool = False) -> Iterator[TextFile]:
    """Open a file, or standard input if name is '-'. Calls show(fraction) while it is read.

    A compressed file is read as what it contains. A file in several encodings is read as UTF-8 if `unifies`.
    """
    with _open(name) as file:
        text, sections = unified(file) if unifies and name != STDIN else (file, "")
        yield TextFile(text, name, show, sections)


@contextmanager
def _open(name: str) -> Iterator[BinaryIO]:
    if name == STDIN:
        yield unpacked(standard_input(), name)
        return
    with naming(name):
        file = open(name, "rb")
    with file:
        with naming(name):  # a folder opens, but cannot be read
            content = unpacked(file, name)
        yield content
