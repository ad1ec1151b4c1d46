"""Decodes, repairs and encodes files in chunks, with the results that the whole file would have."""

from __future__ import annotations

import re

from utf8ext.command.failure import Failure
from utf8ext.command.terminal import visible
from utf8ext.command.text.cut import ESCAPE, Cut, cut_for, cut_utf8
from utf8ext.command.text.engine import Charset, Engine
from utf8ext.command.text.textfile import UNMARKED, Chunk

_REPLACEMENT = "\ufffd".encode()


class Decoder:
    """Makes UTF-8 of bytes in a charset: utf8_from()."""

    def __init__(self, engine: Engine, charset: Charset) -> None:
        self._engine = engine
        self._charset = charset
        own_charset = "gb18030" if charset.name == "gbk" else charset.name  # they decode alike
        self._own = engine.value("SELECT utf8_to(?, ?)", _REPLACEMENT, own_charset)
        self._escape, self._ends_in_escape = b"", False  # of iso-2022-jp
        self.cut: Cut = cut_for(charset)
        self.errors = 0  # how many U+FFFD were written for what cannot be decoded

    @property
    def lost(self) -> int:
        """All errors are written as U+FFFD."""
        return self.errors

    def decode(self, chunk: Chunk) -> bytes:
        """Return the text of the next chunk."""
        sql = "SELECT CAST(utf8_from(?, ?) AS BLOB)"
        data = self._resumed(chunk.content)
        text: bytes = self._engine.value(sql, data, self._charset.name)
        if _REPLACEMENT in text:
            self.errors += text.count(_REPLACEMENT) - self._count_own(chunk.content)
        return text

    def _count_own(self, data: bytes) -> int:
        """Return how many U+FFFD the file itself has; single-byte charsets have none."""
        if self._own is None:
            return 0
        unit = 1 if self._charset.name[:5] not in ("utf-1", "utf-3") else len(self._own)
        places = (match.start() for match in re.finditer(re.escape(self._own), data))
        return sum(place % unit == 0 for place in places)

    def _resumed(self, data: bytes) -> bytes:
        """Let the decoder of iso-2022-jp begin where it stopped: after the last escape sequence.

        An escape sequence directly after another one is an error, which must not be added here.
        """
        if self._charset.name != "iso-2022-jp":
            return data
        switches_anyway = ESCAPE.match(data) and not self._ends_in_escape
        resumed = data if switches_anyway else self._escape + data
        self._escape = (ESCAPE.findall(data) or [self._escape])[-1]
        self._ends_in_escape = bool(self._escape) and data.endswith(self._escape)
        return resumed


class Repairer:
    """Makes well-formed UTF-8 of bytes that should be UTF-8: utf8_repair()."""

    cut = staticmethod(cut_utf8)

    def __init__(self, engine: Engine, policy: str) -> None:
        self._engine = engine
        self._policy = policy
        self._repair(b"", policy)  # an unknown policy is an error
        self._is_run = self._repair(b"\xff\xff", policy) == self._repair(b"\xff", policy)
        self._is_trim = self._repair(b"\xe2", policy) == b""
        self._in_run = False
        self.errors = 0  # how many errors were repaired
        self.lost = 0  # how many U+FFFD were written for them

    def decode(self, chunk: Chunk) -> bytes:
        """Return the repaired text of the next chunk."""
        data = chunk.content
        if self._engine.value("SELECT utf8_valid(?)", data):
            self._in_run = self._in_run and not data
            return data
        self.errors += self._engine.value(
            "SELECT count(*) FROM utf8_each(?) WHERE error > ''", data
        )
        # trim drops a sequence that the end of the file cuts off, not one at the end of a chunk
        policy = "subpart" if self._is_trim and not chunk.is_last else self._policy
        text = self._repair_run(data) if self._is_run else self._repair(data, policy)
        self.lost += text.count(_REPLACEMENT) - data.count(_REPLACEMENT)
        return text

    def _repair_run(self, data: bytes) -> bytes:
        """Continue a run of errors that started in the chunk before: FF begins it again."""
        text = self._repair(b"\xff" + data, "run") if self._in_run else self._repair(data, "run")
        begun = len(_REPLACEMENT) if self._in_run else 0
        tail = data[-16:]
        self._in_run = self._repair(tail, "run") == self._repair(tail + b"\xff", "run")
        return text[begun:]

    def _repair(self, data: bytes, policy: str) -> bytes:
        text: bytes = self._engine.value("SELECT utf8_repair(?, ?)", data, policy)
        return text


class Encoder:
    """Makes bytes in a charset of well-formed UTF-8: utf8_to(). The file's name is for messages."""

    def __init__(self, engine: Engine, charset: Charset, name: str) -> None:
        self._engine = engine
        self._charset = charset.name
        self._name = name
        self._line, self._column = 1, 1
        self._resume = _Resume()

    def encode(self, text: bytes, is_last: bool) -> bytes:
        """Return the bytes of the next text. A Failure names what the charset lacks."""
        data = self._encoded(self._resume.character.encode() + text)
        if data is None:
            raise self._failure(text.decode())
        self._line, self._column = self._moved(text.decode())
        self._charset = UNMARKED.get(self._charset, self._charset)  # one byte order mark
        return self._resume.joined(data, is_last) if self._charset == "iso-2022-jp" else data

    def _encoded(self, text: bytes) -> bytes | None:
        data: bytes | None = self._engine.value("SELECT utf8_to(?, ?)", text, self._charset)
        return data

    def _failure(self, text: str) -> Failure:
        """Find the first character that the charset lacks, by bisection."""
        start, end = 0, len(text)  # text[:start] can be encoded, text[:end] cannot
        while end - start > 1:
            middle = (start + end) // 2
            if self._encoded(text[start:middle].encode()) is None:
                end = middle
            else:
                start = middle
        line, column = self._moved(text[:start])
        what = f"U+{ord(text[start]):04X} {visible(text[start])}"
        return Failure(f"{self._name}:{line}:{column}: {what} is not in {self._charset}")

    def _moved(self, text: str) -> tuple[int, int]:
        """Return line and column after the next text."""
        lines = text.count("\n")
        column = len(text) - text.rfind("\n") if lines else self._column + len(text)
        return self._line + lines, column


class _Resume:
    """Lets the encoder of iso-2022-jp begin where it stopped.

    At its end, it switches back to ASCII. A decoder takes that, and the next escape sequence
    right after it, for an error. So what it writes at the end of a chunk is removed; the next
    chunk begins with a character that switches again, whose bytes are removed too.
    """

    _TO_ASCII = b"\x1b(B"
    _SWITCH = {b"\x1b$B": ("\u3000", 5), b"\x1b(J": ("\u00a5", 4)}

    def __init__(self) -> None:
        self.character, self._size = "", 0

    def joined(self, data: bytes, is_last: bool) -> bytes:
        """Return what the encoder would have written for this chunk in the whole file."""
        begin, end = self._size, len(data)
        if not is_last:
            self.character, self._size = "", 0
            if data.endswith(self._TO_ASCII):
                end -= len(self._TO_ASCII)
                last = ESCAPE.findall(data[:end])[-1]
                self.character, self._size = self._SWITCH[last]
        return data[begin:end]
