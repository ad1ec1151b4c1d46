"""A file in UTF-16 or UTF-32 as UTF-8, which everything else looks at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

_LONGEST = 16 << 20  # bytes of a line; a longer one may be cut


def is_units(charset: str) -> bool:
    """Has a charset units of more than one byte?"""
    return charset.startswith(("utf-16", "utf-32"))


class Decoder:
    """Decodes a file to chunks that end with lines."""

    def __init__(self, charset: str) -> None:
        from utf8ext._stream import Converter  # late: ctypes is slow to import, and seldom needed

        self._converter = Converter(charset)

    @property
    def errors(self) -> int:
        """How many U+FFFD were written for errors."""
        return self._converter.errors

    def chunks(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the text of a file. The pieces may end anywhere."""
        text = b""
        for piece in pieces:
            text += self._decoded(piece, False)
            size = text.rfind(b"\n") + 1
            if not size and len(text) >= _LONGEST:
                size = len(text)
            if size:
                yield text[:size]
                text = text[size:]
        text += self._decoded(b"", True)
        if text:
            yield text

    def _decoded(self, piece: bytes, is_last: bool) -> bytes:
        return b"".join(map(bytes, self._converter.convert(piece, is_last)))
