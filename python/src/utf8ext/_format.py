"""Formats of files that people take for text files."""

from __future__ import annotations

import re

from utf8ext._error import Error

HEAD = 512  # bytes at the start of a file that show its format

_DATABASE = b"SQLite format 3\0"

_UNPACK = "unpack it first"

_FORMATS = (
    (_DATABASE, "an SQLite database; `utf8ext audit` says what is wrong in one"),
    (b"\xd0\xcf\x11\xe0", "an old office document (xls, doc); save it as CSV first"),
    (b"\x1f\x8b", f"compressed by gzip; {_UNPACK}: gunzip"),
    (b"BZh", f"compressed by bzip2; {_UNPACK}: bunzip2"),
    (b"\xfd7zXZ\0", f"compressed by xz; {_UNPACK}: unxz"),
    (b"\x28\xb5\x2f\xfd", f"compressed by zstd; {_UNPACK}: unzstd"),
    (b"7z\xbc\xaf\x27\x1c", f"a 7-Zip archive; {_UNPACK}"),
    (b"PAR1", "a Parquet file; DuckDB reads it: COPY (FROM 'FILE') TO 'FILE.csv'"),
    (b"ARROW1", "an Arrow file; pyarrow.feather reads it"),
    (b"ORC", "an ORC file; pyarrow.orc reads it"),
    (b"Obj\x01", "an Avro file; fastavro reads it"),
    (b"%PDF-", "a PDF document; pdftotext reads it"),
    (b"{\\rtf", "an RTF document; save it as text first"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90\0", "a program"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"GIF8", "a picture"),
)

_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1a]")

_DBASE = (0x02, 0x03, 0x04, 0x05, 0x30, 0x31, 0x32, 0x43, 0x83, 0x8B, 0x8C, 0xF5, 0xFB)


def file_format(head: bytes) -> str | None:
    """Return what a file that starts with head is, and what reads it; None for text."""
    if head.startswith(b"PK\x03\x04"):
        return _zip(head)
    if is_dbase(head):
        return "a dBase table; `utf8ext import FILE.dbf` reads it, unpacked"
    what = next((what for start, what in _FORMATS if head.startswith(start)), None)
    is_text = head[:3].isalpha() and not _CONTROL.search(head)  # such as ORC, BZh and MZ
    return None if is_text else what


def unnamed_format(head: bytes) -> str | None:
    """Return what a file is if nobody has named its charset: like file_format(), or EBCDIC."""
    what = "text in EBCDIC; name its charset: utf8ext convert FILE --from cp037 -o NEW"
    return file_format(head) or (what if is_ebcdic(head) else None)


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
    if b"[Content_Types].xml" in head or b"xl/" in head:
        return "an Excel or Word document (xlsx, docx); save it as CSV first"
    if b"mimetypeapplication/vnd.oasis" in head:
        return "an OpenDocument file (ods, odt); save it as CSV first"
    return "a ZIP archive or an office document; save it as CSV first"


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
