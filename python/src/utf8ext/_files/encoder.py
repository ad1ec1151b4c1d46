"""Encodes text in a charset, and says where the charset lacks a character."""

from __future__ import annotations

from collections.abc import Iterator

from utf8ext._engine import Charset
from utf8ext._error import Error
from utf8ext._stream import Bytes, Converter
from utf8ext._text import visible

_CONTINUATION = bytes(range(0x80, 0xC0))


class Encoder:
    """Makes bytes in a charset of well-formed UTF-8. The file's name is for messages."""

    def __init__(self, charset: Charset, name: str) -> None:
        self._converter = Converter(charset.name, encodes=True)
        self._charset = charset.name
        self._name = name
        self._has_all = charset.kind not in ("single-byte", "multi-byte")
        self._line, self._column = 1, 1

    def encode(self, text: Bytes, is_last: bool) -> Iterator[memoryview]:
        """Yield the bytes of the next text. An Error names what the charset lacks."""
        yield from self._converter.convert(text, is_last)
        if self._has_all:
            return
        stop = self._converter.stopped_at
        self._move(bytes(text[:stop]))
        if stop < len(text):
            character = bytes(text[stop : stop + 4]).decode(errors="ignore")[0]
            what = f"U+{ord(character):04X} {visible(character)}"
            place = f"{self._name}:{self._line}:{self._column}"
            raise Error(f"{place}: {what} is not in {self._charset}")

    def _move(self, text: bytes) -> None:
        """Go over text that is encoded."""
        end = text.rfind(b"\n")
        if end >= 0:
            self._line += text.count(b"\n")
            self._column = 1
        self._column += len(text[end + 1 :].translate(None, _CONTINUATION))
