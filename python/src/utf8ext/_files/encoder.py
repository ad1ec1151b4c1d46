"""Encodes text in a charset, and writes or names the characters that the charset lacks."""

from __future__ import annotations

from collections.abc import Iterator

from utf8ext._engine import Charset, Engine
from utf8ext._error import Error
from utf8ext._stream import Bytes, Converter
from utf8ext._text import count_codepoints, first_character, visible
from utf8ext._whole import whole_size

REFUSED = "error"  # the loss that ends a conversion; the others are those of utf8_to()

_LONG = 4 << 20  # bytes of a line that are encoded before its end


def check_loss(engine: Engine, loss: str) -> None:
    """Raise an Error that lists what is accepted unless loss is REFUSED or known to utf8_to()."""
    if loss == REFUSED:
        return
    known = [name for (name,) in engine.rows("SELECT name FROM utf8_names('loss')")]
    if loss.lower() not in known:
        raise Error(f"the loss is {loss!r}; accepted: {', '.join([REFUSED, *known])}")


class Encoder:
    """Makes bytes in a charset of well-formed UTF-8. The file's name is for messages."""

    def __init__(self, engine: Engine, charset: Charset, name: str, loss: str = REFUSED) -> None:
        self._engine = engine
        self._converter = Converter(charset.name, encodes=True)
        self._charset = charset.name
        self._name = name
        self._has_all = charset.kind not in ("single-byte", "multi-byte")
        self._loss = "" if loss == REFUSED or self._has_all else loss
        self._held = b""  # the start of a line
        self._line, self._column = 1, 1
        self.replaced = 0  # characters that the charset lacks
        self.first: tuple[int, int, str] | None = None  # line, column and name of the first one

    def encode(self, text: Bytes, is_last: bool, is_whole: bool = False) -> Iterator[memoryview]:
        """Yield the bytes of the next text. An Error names what the charset lacks.

        is_whole: the text ends with a line.
        """
        if self._loss:
            text = self._replaced(bytes(text) if is_whole else self._lines(text, is_last))
        yield from self._converter.convert(text, is_last)
        if not self._has_all and not self._loss:
            self._check(text)

    def _check(self, text: Bytes) -> None:
        stop = self._converter.stopped_at
        self._move(bytes(text[:stop]))
        if stop < len(text):
            place = f"{self._name}:{self._line}:{self._column}"
            raise Error(f"{place}: {named(bytes(text[stop : stop + 4]))} is not in {self._charset}")

    def _move(self, text: bytes) -> None:
        """Go over text that is encoded."""
        end = text.rfind(b"\n")
        if end >= 0:
            self._line += text.count(b"\n")
            self._column = 1
        self._column += count_codepoints(text[end + 1 :])

    # ---- what the charset lacks ----

    def _lines(self, text: Bytes, is_last: bool) -> bytes:
        """Return the next whole lines: a character's neighbours decide what is written for it."""
        data = self._held + bytes(text)
        size = len(data) if is_last else data.rfind(b"\n") + 1
        if not size and len(data) > _LONG:
            size = data.rfind(b" ") + 1 or whole_size("utf-8", data)
        self._held = data[size:]
        return data[:size]

    def _replaced(self, text: bytes) -> bytes:
        """Return text in which the charset has all characters, and note those that it lacks."""
        if text.isascii() or self._engine.value(_HAS_ALL, text, self._charset):
            self._move(text)
            return text
        kept, replaced = self._engine.row(_REPLACED, text, self._charset, self._loss)
        self.replaced += max(count_codepoints(text) - count_codepoints(kept), 1)
        if not self.first:
            stop = stop_of(self._charset, text)
            self._move(text[:stop])
            self.first = self._line, self._column, named(text[stop:])
            text = text[stop:]
        self._move(text)
        return bytes(replaced)


_HAS_ALL = "SELECT utf8_to(CAST(? AS TEXT), ?) IS NOT NULL"

# What the charset has of a text, and the text with what it lacks replaced, in UTF-8.
_REPLACED = """
    SELECT CAST(utf8_from(utf8_to(x, ?2, 'ignore'), ?2) AS BLOB),
           CAST(utf8_from(utf8_to(x, ?2, ?3), ?2) AS BLOB)
      FROM (SELECT CAST(?1 AS TEXT) AS x)
"""


def stop_of(charset: str, text: bytes) -> int:
    """Return the offset of the first character that charset lacks, or the size of text."""
    converter = Converter(charset, encodes=True)
    converter.skip(text, True)
    return converter.stopped_at


def named(text: bytes) -> str:
    """Return the name of the character that text starts with: `U+20AC €`."""
    character = first_character(text)
    return f"U+{ord(character):04X} {visible(character)}"
