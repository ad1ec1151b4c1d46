"""Formats of files that people take for text files."""

from __future__ import annotations

HEAD = 16  # bytes at the start of a file that show its format

_DATABASE = b"SQLite format 3\0"

_FORMATS = (
    (_DATABASE, "an SQLite database; `utf8ext audit` says what is wrong in one"),
    (b"PK\x03\x04", "a ZIP archive or an office document; save it as CSV first"),
    (b"\xd0\xcf\x11\xe0", "an old office document; save it as CSV first"),
    (b"\x1f\x8b", "compressed by gzip; unpack it first"),
    (b"%PDF-", "a PDF document"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
)


def file_format(head: bytes) -> str | None:
    """Return what a file that starts with head is, and what to do with it; None for text."""
    return next((what for start, what in _FORMATS if head.startswith(start)), None)


def is_database(head: bytes) -> bool:
    """Does an SQLite database start with head?"""
    return head.startswith(_DATABASE)
