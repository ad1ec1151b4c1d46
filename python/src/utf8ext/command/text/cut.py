"""Where text can be cut into chunks, so that decoding the chunks in turn decodes the whole.

Each function takes the bytes read so far, more of which may follow, and returns the size of
their start that can be decoded on its own. It is 0 only for fewer than 32 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from utf8ext.command.text.engine import Charset

Cut = Callable[[bytes], int]

_LOOK_BACK = 32  # bytes that always have a place to cut


def cut_for(charset: Charset) -> Cut:
    """Return the function that cuts text of a charset."""
    if charset.kind == "single-byte":
        return len
    if charset.kind == "multi-byte":
        return _MULTI_BYTE[charset.name]
    return _UNITS.get(charset.name, cut_utf8)


# ---- UTF-8 and its dialects ------------------------------------------------------------


def cut_utf8(data: bytes) -> int:
    """Cut before the last byte that surely starts a code point or an ill-formed subpart."""
    for at in range(len(data) - 2, max(len(data) - _LOOK_BACK, 0), -1):
        if _starts_step(data, at):
            return at
    return 0


def _starts_step(data: bytes, at: int) -> bool:
    """Does something new start at `at`, in every dialect?

    After seven continuation bytes, each further one is an error of its own: the longest sequence
    has six bytes (rfc2044, and surrogate pairs of cesu-8).
    """
    if _is_continuation(data[at]):
        return at >= 7 and all(map(_is_continuation, data[at - 7 : at]))
    return not _may_complete_pair(data, at)


def _is_continuation(byte: int) -> bool:
    return byte & 0xC0 == 0x80


def _may_complete_pair(data: bytes, at: int) -> bool:
    """Is it ED B0..BF after ED A0..AF xx: the second half of a surrogate pair?"""
    before = data[max(at - 3, 0) : at]
    is_low = data[at] == 0xED and data[at + 1] >= 0xB0
    return is_low and len(before) == 3 and before[0] == 0xED and before[1] in range(0xA0, 0xB0)


# ---- UTF-16 and UTF-32 -----------------------------------------------------------------


def _cut_utf16(high_byte: int) -> Cut:
    """high_byte is the place of the high byte in a code unit: 0 in UTF-16BE, 1 in UTF-16LE."""

    def cut(data: bytes) -> int:
        size = len(data) // 2 * 2
        ends_high = size > 0 and data[size - 2 + high_byte] & 0xFC == 0xD8
        return size - 2 if ends_high else size

    return cut


def _cut_utf32(data: bytes) -> int:
    return len(data) // 4 * 4


_UNITS: dict[str, Cut] = {
    "utf-16le": _cut_utf16(1),
    "utf-16be": _cut_utf16(0),
    "utf-32le": _cut_utf32,
    "utf-32be": _cut_utf32,
}


# ---- multi-byte charsets ---------------------------------------------------------------
# By the decoders of the WHATWG Encoding Standard, sections 10 to 13. An ASCII byte that does not
# complete a sequence is decoded on its own, so there is a cut after every ASCII byte, in gb18030
# except after a digit. Without one, what follows is taken apart in tokens, each of which leaves
# the decoder where it began.


def _cut_after(anchor: bytes, token: bytes) -> Cut:
    """anchor matches a byte after which the text can be cut; token, what can follow it."""
    anchors = re.compile(anchor)
    tokens = re.compile(b"(?s:%b){1,1000}" % token)

    def cut(data: bytes) -> int:
        middle = len(data) // 2
        at = _end_of_last(anchors, data, middle)
        return at or _end_of_tokens(tokens, data, _end_of_last(anchors, data, 0))

    return cut


def _end_of_last(pattern: re.Pattern[bytes], data: bytes, start: int) -> int:
    """Return where the last match after start ends, or 0. Most text has one close to its end."""
    for begin in (max(start, len(data) - 4096), start):
        end = 0
        for match in pattern.finditer(data, begin):
            end = match.end()
        if end:
            return end
    return 0


def _end_of_tokens(tokens: re.Pattern[bytes], data: bytes, at: int) -> int:
    while match := tokens.match(data, at):
        at = match.end()
    return at


_ASCII = rb"[\x00-\x7f]"

_GB18030 = _cut_after(
    rb"[\x00-/:-\x7f]",
    rb"[\x81-\xfe][0-9][\x81-\xfe][0-9]"
    rb"|[\x81-\xfe][0-9](?=[\x81-\xfe][^0-9]|[^\x81-\xfe])"
    rb"|[\x81-\xfe][^0-9]|[^\x81-\xfe]",
)


# ---- ISO-2022-JP -----------------------------------------------------------------------
# Escape sequences switch between sets of characters. A control character is decoded on its own in
# each of them (WHATWG Encoding, section 12.2.1).

ESCAPE = re.compile(rb"\x1b(?:\([BJI]|\$[@B])")
_CONTROL = re.compile(rb"[\x00-\x1a\x1c-\x20]")
_IN_SET = re.compile(
    rb"(?s:[!-~][^\x1b]|[!-~](?=\x1b)|[^!-~\x1b]|\x1b(?!\([BJI]|\$[@B])(?=..)){1,1000}"
)


def cut_iso2022jp(data: bytes) -> int:
    """Cut after a control character or a space; else between the characters after an escape."""
    at = _end_of_last(_CONTROL, data, len(data) // 2)
    return at or _cut_in_set(data)


def _cut_in_set(data: bytes) -> int:
    """Cut between the characters that follow the last control character or escape sequence.

    Two bytes make a character after ESC $ @ and ESC $ B; elsewhere each byte is one. An ESC that
    starts no escape sequence is an error of its own, in each set.
    """
    start = max(_end_of_last(ESCAPE, data, 0), _end_of_last(_CONTROL, data, 0))
    return _end_of_tokens(_IN_SET, data, start)


_MULTI_BYTE: dict[str, Cut] = {
    "gbk": _GB18030,
    "gb18030": _GB18030,
    "big5": _cut_after(_ASCII, rb"[\x81-\xfe].|[^\x81-\xfe]"),
    "euc-jp": _cut_after(
        _ASCII,
        rb"\x8f[\xa1-\xfe].|\x8f[^\xa1-\xfe]|[\x8e\xa1-\xfe].|[^\x8e\x8f\xa1-\xfe]",
    ),
    "iso-2022-jp": cut_iso2022jp,
    "shift_jis": _cut_after(_ASCII, rb"[\x81-\x9f\xe0-\xfc].|[^\x81-\x9f\xe0-\xfc]"),
    "euc-kr": _cut_after(_ASCII, rb"[\x81-\xfe].|[^\x81-\xfe]"),
}
