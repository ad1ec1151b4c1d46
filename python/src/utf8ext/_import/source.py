"""A file that is imported: what it is, in which charset, and its lines of text."""

from __future__ import annotations

import io
import os
import stat
import tempfile
from collections.abc import Iterator
from typing import BinaryIO

from utf8ext._cause import DECIDED_AT_ONCE, Cut
from utf8ext._decide import WELL_FORMED, Decision, decide
from utf8ext._engine import Engine
from utf8ext._error import Error, naming
from utf8ext._format import HEAD, is_dbase, refuse_format
from utf8ext._import.dialect import Dialect
from utf8ext._import.result import Problem
from utf8ext._packed import Unpacked, unpacked, unpacked_name
from utf8ext._sections import unified
from utf8ext._pipe import STDIN, read, standard_input
from utf8ext._progress import Progress
from utf8ext._stream import Converter
from utf8ext._units import is_units
from utf8ext._verdict import AUTO, UNCLEAR

_BLOCK = 256 << 10  # bytes that one call reads

class Source:
    """A file, which is read several times. What is piped or compressed is copied first."""

    def __init__(self, name: str, progress: Progress) -> None:
        self.name = name
        self.unpacked_name = unpacked_name(name)
        self.cause = ""  # what happened to the file: find_cause(), or the charset that was named
        self.charset: str | None = None  # from which it is decoded; None: it is read as UTF-8
        self.newlines: bytes | None = None  # a table for translate() before that, or None
        self.is_mixed = False  # has it values that are not UTF-8, each with a cause of its own?
        self.has_misread = False  # has it lines that decide() has restored?
        self.is_guess = True
        self.has_nul = False
        self.marks: set[str] = set()  # of a quote and a backslash, those that it may have
        self._has_line = False
        self.has_errors = False  # are there bytes that are not text in the charset?
        self._progress = progress
        self._file = _open(name)
        self._size = self._file.seek(0, io.SEEK_END)
        self.dialect: Dialect | None = None  # how its fields are written, if that is known
        self.problems: list[Problem] = []  # with the file, not with its text
        self._label: str | None = None  # the charset that the file names
        if is_dbase(self._head()) and _is_itself(self._file, name):
            self._open_table()
        self._state = _state(self._file)

    def _open_table(self) -> None:
        """Read a dBase table as CSV."""
        from utf8ext._import.dbase import DIALECT, read_table  # late: it is rarely used

        self._file.close()
        self._file, self._label, self.problems = read_table(self.name, self._size)
        self._size = self._file.seek(0, io.SEEK_END)
        self.dialect = DIALECT

    def close(self) -> None:
        self._file.close()

    # ---- the charset ----

    def decide(self, engine: Engine, charset: str, policy: str | None, misread: bool) -> None:
        """Decide in which charset the file is, from all of it.

        Under a policy, what is not UTF-16 or UTF-32 is read as UTF-8. misread also looks for text
        that was misread.
        """
        if not self._size:
            raise Error(f"{self.name}: the file is empty")
        self.is_guess = charset.lower() == AUTO
        refuse_format(self.name, self._head(), is_named=not self.is_guess)
        if not self.is_guess:
            self.cause = self.charset = engine.charset(charset).name
        else:
            decision = self._decision(engine, misread and not policy)
            if self._label:
                decision = self._labelled(engine, decision, engine.charset(self._label).name)
            self.cause = decision.label
            self.is_mixed = decision.is_mixed or decision.may_be_misread
            self.has_misread = decision.misread > 0 and not policy
            has_units = is_units(decision.charset)
            if policy and not has_units and decision.charset not in WELL_FORMED:
                self.is_mixed = True
            if decision.charset in WELL_FORMED or (self.is_mixed and not has_units):
                return
            self.charset = decision.charset
        self.newlines = _newlines(engine, self.charset)
        self._count_errors()
        if self.newlines and not self._has_line:
            raise Error(
                f"{self.name}: records of fixed length in {self.charset}, without ends of lines; "
                "cut them into lines first"
            )

    def _head(self) -> bytes:
        self._file.seek(0)
        return self._file.read(HEAD)

    def _decision(self, engine: Engine, misread: bool) -> Decision:
        self._file, sections = unified(self._file)
        if sections:
            self._size = self._file.seek(0, io.SEEK_END)
            self._state = _state(self._file)
        decision = decide(engine, lambda: self._chunks(engine), misread)
        decision.sections = sections
        if decision.charset == "binary":
            raise Error(
                f"{self.name}: looks like binary data, not text; if it is text, name its charset"
            )
        return decision

    def _labelled(self, engine: Engine, decision: Decision, label: str) -> Decision:
        """Return what the file is: its label decides only what its text does not."""
        charset = decision.charset
        if charset in ("ascii", label):
            return decision
        is_unclear = charset == UNCLEAR or bool(decision.lines[UNCLEAR])
        if is_unclear and self._is_in(label):
            return Decision(label, has_nul=decision.has_nul)
        if not decision.is_mixed and self._reads_as(engine, label, charset):
            return decision
        what = f"the language driver says {label}, the text is in {decision.label}"
        self.problems.append(Problem("charset label", self.name, 1, what))
        return decision

    def _is_in(self, charset: str) -> bool:
        """Is all of the file text in a charset?"""
        converter = Converter(charset)
        self._file.seek(0)
        while data := self._read(_BLOCK, "Reading"):
            converter.skip(data, False)
        converter.skip(b"", True)
        return converter.errors == 0

    def _reads_as(self, engine: Engine, charset: str, other: str) -> bool:
        """Is the file the same text in two charsets?"""
        sql = "SELECT utf8_from(?1, ?2) = utf8_from(?1, ?3)"
        return all(engine.value(sql, chunk, charset, other) for chunk in self._chunks(engine))

    def _chunks(self, engine: Engine) -> Iterator[bytes]:
        """Yield the file in chunks that end where a line ends."""
        self._file.seek(0)
        cut, data = Cut(engine.value), b""
        while more := self._read(DECIDED_AT_ONCE, "Reading"):
            self._note(more)
            data += more
            size = cut(data) if len(more) == DECIDED_AT_ONCE else len(data)
            yield data[:size]
            data = data[size:]
        if data:
            yield data

    def _count_errors(self) -> None:
        """Find out whether all of the file is text in its charset, and has NULs."""
        decoded = self._decoded("Decoding")
        block = bytearray(_BLOCK)
        while size := decoded.readinto(block):
            self._note(block[:size])
            self._has_line = self._has_line or b"\n" in block[:size] or b"\r" in block[:size]
        self.has_errors = decoded.errors() > 0

    def _note(self, data: bytes | bytearray) -> None:
        """Note which of the bytes that need care are in the file."""
        self.has_nul = self.has_nul or b"\0" in data
        for mark in ('"', "\\"):
            if mark not in self.marks and mark.encode() in data:
                self.marks.add(mark)

    # ---- the text ----

    def lines(self, title: str) -> Iterator[str]:
        """Yield the file's lines with their ends, without a byte order mark.

        In a mixed file, a byte that is not UTF-8 is a surrogate, as in os.fsdecode().
        """
        if _state(self._file) != self._state:
            raise Error(f"{self.name}: the file has changed while it was read")
        raw = self._decoded(title) if self.charset else _Raw(self, title)
        errors = "surrogateescape" if self.is_mixed else "strict"
        text = io.TextIOWrapper(io.BufferedReader(raw, _BLOCK), "utf-8", errors, newline="")
        text._CHUNK_SIZE = _BLOCK  # type: ignore[attr-defined]
        try:
            yield next(text, "").removeprefix("\ufeff")
            yield from text
        except UnicodeDecodeError:
            raise Error(f"{self.name}: the file has changed while it was read") from None

    def _decoded(self, title: str) -> _Decoded:
        return _Decoded(self, title, str(self.charset))

    def _read(self, size: int, title: str) -> bytes:
        with naming(self.name):
            data = self._file.read(size)
        self._progress(f"{title} {self.name}", self._file.tell() / self._size)
        return data


class _Raw(io.RawIOBase):
    """The bytes of a source from its start."""

    def __init__(self, source: Source, title: str) -> None:
        self._source = source
        self._title = title
        source._file.seek(0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._source._read(len(buffer), self._title)
        buffer[: len(data)] = data
        return len(data)


class _Decoded(_Raw):
    """The text of a source in a charset, as UTF-8."""

    def __init__(self, source: Source, title: str, charset: str) -> None:
        super().__init__(source, title)
        self._converter = Converter(charset)
        self._parts = self._convert()
        self._part = memoryview(b"")

    def errors(self) -> int:
        return self._converter.errors

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not len(self._part):
            part = next(self._parts, None)
            if part is None:
                return 0
            self._part = part
        size = min(len(buffer), len(self._part))
        buffer[:size] = self._part[:size]
        self._part = self._part[size:]
        return size

    def _convert(self) -> Iterator[memoryview]:
        newlines = self._source.newlines
        while data := self._source._read(_BLOCK, self._title):
            data = data.translate(newlines) if newlines else data
            yield from self._converter.convert(data, False)
        yield from self._converter.convert(b"", True)


# ---- opening ---------------------------------------------------------------------------


def _open(name: str) -> BinaryIO:
    """Open a file that can be read several times."""
    with naming(name):
        if name == STDIN:
            return _spool(unpacked(standard_input(), name))
        file = unpacked(open(name, "rb"), name)
        if not isinstance(file, Unpacked) and stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            return file
        with file:
            return _spool(file)


def _is_itself(file: BinaryIO, name: str) -> bool:
    """Is the file that of the name, and no copy of what is in it?"""
    return os.path.exists(name) and os.path.samestat(os.fstat(file.fileno()), os.stat(name))


def _spool(pipe: BinaryIO) -> BinaryIO:
    """Copy what a pipe has until its end to a temporary file."""
    file = tempfile.TemporaryFile()
    while data := read(pipe, _BLOCK):
        file.write(data)
    return file


def _newlines(engine: Engine, charset: str) -> bytes | None:
    """Return a table that makes NEL a line feed if charset is EBCDIC: most files end lines with it."""
    is_ebcdic = engine.value("SELECT utf8_from(x'1525', ?)", charset) == "\x85\n"
    return bytes.maketrans(b"\x15", b"\x25") if is_ebcdic else None


def _state(file: BinaryIO) -> tuple[int, int]:
    if isinstance(file, io.BytesIO):  # a copy, which nobody changes
        return 0, 0
    status = os.fstat(file.fileno())
    return status.st_size, status.st_mtime_ns
