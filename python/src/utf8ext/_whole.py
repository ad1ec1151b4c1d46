"""Where a text in any charset can be cut."""

from __future__ import annotations

_LAST = 64  # bytes, much more than a code point takes


def whole_size(charset: str, data: bytes) -> int:
    """Return the size of the start of data that is the same text whatever follows.

    In UTF-8, UTF-16 and UTF-32 the last bytes show it, whatever is before them.
    """
    from utf8ext._stream import Converter  # late: ctypes is slow to import, and seldom needed

    is_local = charset.startswith(("utf-8", "utf-16", "utf-32"))
    start = max(len(data) // 4 * 4 - _LAST, 0) if is_local else 0
    decoder = Converter(charset)
    decoder.skip(data[start:], False)
    return len(data) - decoder.held
