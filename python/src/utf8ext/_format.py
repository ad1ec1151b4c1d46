"""Formats of files that people take for text files. formats.json names them, also for the page."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from utf8ext._error import Error

HEAD = 512  # bytes at the start of a file that show its format

_DATABASE = b"SQLite format 3\0"

_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a]")

_DBASE = (0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x83, 0x8B, 0x8C, 0xF5, 0xFB)


@cache
def _formats() -> Any:
    return json.loads(Path(__file__).with_name("formats.json").read_text(encoding="utf-8"))


def file_format(head: bytes) -> str | None:
    """Return what a file that starts with head is, and what reads it; None for text."""
    if head.startswith(b"PK\x03\x04"):
        return _zip(head)
    if is_dbase(head):
        return str(_formats()["dbase"])
    starts = _formats()["starts"]
    what: str | None = next((what for start, what in starts if head.startswith(bytes.fromhex(start))), None)
    is_text = head[:3].isalpha() and not _CONTROL.search(head)  # such as ORC, BZh and MZ
    return None if is_text else what


def unnamed_format(head: bytes) -> str | None:
    """Return what a file is if nobody has named its charset: like file_format(), or EBCDIC."""
    return file_format(head) or (str(_formats()["ebcdic"]) if is_ebcdic(head) else None)


def refuse_format(name: str, head: bytes, is_named: bool) -> None:
    """Raise an Error that names the format of a file that starts with head, if it is known and not text.

    is_named: a user has named the charset, which may be EBCDIC.
    """
    what = file_format(head) if is_named else unnamed_format(head)
    if what:
        raise Error(f"{name}: the file is {what}")


_EBCDIC = re.compile(
    rb"[@K\\`akmz}~\r\x15\x25\x81-\x89\x91-\x99\xa2-\xa9\xc1-\xc9\xd1-\xd9\xe2-\xe9\xf0-\xf9]"
)


def is_ebcdic(data: bytes) -> bool:
    """Is data text in EBCDIC? Its space is `@`; ASCII's space and digits are control characters."""
    if len(data) < _EBCDIC_SIZE or re.search(b"[ 0-9]", data):
        return False
    return data.count(b"@") * 20 > len(data) and len(_EBCDIC.findall(data)) * 10 > len(data) * 9


_EBCDIC_SIZE = 32  # bytes that can show it


def _zip(head: bytes) -> str:
    """An office document is a ZIP archive whose first file shows what it is."""
    return str(next(what for name, what in _formats()["zip"] if name.encode() in head))


def is_dbase(head: bytes) -> bool:
    """Does a dBase table start with head?

    The header has a date, and its size is 32 bytes for each field, and 1 or 264 more.
    """
    if len(head) < 33 or head[0] not in _DBASE:
        return False
    size = int.from_bytes(head[8:10], "little")
    is_date = 1 <= head[2] <= 12 and 1 <= head[3] <= 31
    return is_date and size > 64 and size % 32 in (1, 8)


def is_database(head: bytes) -> bool:
    """Does an SQLite database start with head?"""
    return head.startswith(_DATABASE)
