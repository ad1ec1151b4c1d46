"""Converts text that comes in pieces, which may end anywhere, as the whole text would be converted.

The extension's own converters do it, without SQL: a function of SQL has no state between two calls.
The converters allocate nothing, so there is nothing to free after an error.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any, Union

from utf8ext import _load
from utf8ext._error import Error

_ROOM = 1 << 20  # bytes that one call may write; far more than the UTF8_CHARSET_ROOM of utf8core.h

Bytes = Union[bytes, memoryview]


class _Conversion(ctypes.Structure):
    """Utf8Conversion of utf8core.h."""

    _fields_ = [
        ("charset", ctypes.c_int),
        ("dialect", ctypes.c_uint),
        ("at", ctypes.c_size_t),
        ("continues", ctypes.c_int),
        ("counts_errors", ctypes.c_int),
        ("errors", ctypes.c_uint64),
        ("held", ctypes.c_uint),
        ("state", ctypes.c_uint),
        ("bytes", ctypes.c_uint8 * 16),
    ]


_size, _address = ctypes.c_size_t, ctypes.c_void_p

_Convert = ctypes.CFUNCTYPE(_size, ctypes.POINTER(_Conversion), _address, _size, _address, _size)


class _Calls(ctypes.Structure):
    """Utf8Calls of utf8ext.c."""

    _fields_ = [
        ("conversion_size", _size),
        ("find_charset", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, _size)),
        ("decode", _Convert),
        ("encode", _Convert),
    ]


def _calls() -> _Calls:
    library = ctypes.CDLL(str(_load._library()))
    library.utf8ext_calls.restype = ctypes.POINTER(_Calls)
    calls: _Calls = library.utf8ext_calls().contents
    if calls.conversion_size != ctypes.sizeof(_Conversion):
        raise Error("the extension is of another version than this command")
    return calls


class Converter:
    """Decodes a charset to UTF-8, or encodes UTF-8 in it."""

    def __init__(self, charset: str, encodes: bool = False) -> None:
        calls = _calls()
        self._convert: Any = calls.encode if encodes else calls.decode
        self._state = _Conversion(
            charset=calls.find_charset(charset.encode(), len(charset.encode())),
            counts_errors=not encodes,
        )
        self._buffer = ctypes.create_string_buffer(_ROOM)
        self._written = memoryview(self._buffer).cast("B")

    @property
    def errors(self) -> int:
        """How many U+FFFD a decoder has written for errors."""
        return int(self._state.errors)

    @property
    def held(self) -> int:
        """How many bytes at the end of the last piece are unfinished, and wait for the next one."""
        return int(self._state.held)

    @property
    def stopped_at(self) -> int:
        """Where in its piece an encoder has stopped; its end unless the charset lacks a character."""
        return int(self._state.at)

    def convert(self, data: Bytes, is_last: bool) -> Iterator[memoryview]:
        """Yield what a piece is converted to. A part is overwritten when the next one is made."""
        state, size = self._state, len(data)
        place = data if isinstance(data, bytes) else (ctypes.c_char * size).from_buffer(data)
        state.at, state.continues = 0, not is_last
        while True:
            before = state.at
            written = self._convert(ctypes.byref(state), place, size, self._buffer, _ROOM)
            if written:
                yield self._written[:written]
            if state.at == size or (not written and state.at == before):
                return

    def skip(self, data: Bytes, is_last: bool) -> None:
        """Convert a piece of which only errors, held and stopped_at are needed."""
        for _ in self.convert(data, is_last):
            pass
