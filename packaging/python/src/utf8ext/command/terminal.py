"""Text on its way to a terminal."""

from __future__ import annotations

import unicodedata

# Control and format characters, lone surrogates, private use, unassigned, line separators.
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def visible(text: str) -> str:
    """Return text with every character that a terminal would obey or hide as an escape.

    Names and values of a database may contain control sequences: `\\x1b`, `\\u{202e}`.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if unicodedata.category(character) not in _HIDDEN:
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name, see os.fsdecode
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"
