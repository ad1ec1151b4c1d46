"""Words of messages, and text of files and databases on its way to a person."""

from __future__ import annotations

import unicodedata

_KEY = 80  # characters of a key that are shown


def number(count: int, noun: str) -> str:
    """Return `1 value`, `2,000 values`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def short_key(key: int | str | None) -> str:
    """Return the key of a row as utf8_audit has it; of a long one, only the start."""
    text = "-" if key is None else str(key)
    return text if len(text) <= _KEY else text[:_KEY] + "…"


# ---- UTF-8 -----------------------------------------------------------------------------

U_FFFD = "\ufffd".encode()


def is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


_CONTINUATION = bytes(range(0x80, 0xC0))


def count_codepoints(text: bytes) -> int:
    """Return the number of code points of well-formed text."""
    return len(text.translate(None, _CONTINUATION))


def first_character(text: bytes) -> str:
    """Return the character that well-formed text starts with."""
    return text[:4].decode(errors="ignore")[0]


# ---- hostile text ----------------------------------------------------------------------

# Control and format characters, lone surrogates, private use, unassigned, line separators.
_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def visible(text: str) -> str:
    """Return text with every character that a terminal would obey or hide as an escape.

    Names and values of a database may contain control sequences: `\\x1b`, `\\u{202e}`.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def is_hidden(character: str) -> bool:
    """Return whether a terminal or a browser would obey or hide the character."""
    return unicodedata.category(character) in _HIDDEN


def _visible(character: str) -> str:
    if not is_hidden(character):
        return character
    code = ord(character)
    if 0xDC80 <= code <= 0xDCFF:  # a byte of a file name, see os.fsdecode
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{{{code:x}}}"
