"""dBase tables, read by the package dbf and handed on as CSV with the bytes of the table.

So import decides the charset from the text of the cells, as it does for other files. The table's own
label of its charset, the language driver byte, is often wrong, and only helps where the text does not
decide.
"""

from __future__ import annotations

import datetime
import io
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from utf8ext._error import Error
from utf8ext._import.dialect import Dialect
from utf8ext._import.result import Problem

_NULL = r"\N"  # without quotes; a line of one empty field would be blank
DIALECT = Dialect(",", null=_NULL)

# Decodes each byte to a character of its own, so that encoding gives the bytes back.
_BYTES = "cp437"

_MEMO_TYPES = b"MGPBW"
_MEMO_ENDINGS = (".dbt", ".fpt")

_CUT_MEMO = "the memo file is cut off: its end is missing"

_HEADER, _FIELD = 32, 32  # bytes of the header, and of each field after it


class Table(NamedTuple):
    """A dBase table as CSV."""

    file: BinaryIO
    label: str | None  # the charset that the table names
    problems: list[Problem]


def read_table(name: str, size: int) -> Table:
    """Read a table whose file has this size. Deleted records are left out, and counted."""
    dbf = _library(name)
    with tempfile.TemporaryDirectory(prefix="utf8ext-") as folder:
        path = _linked(Path(name), Path(folder))
        try:
            table = dbf.Table(str(path), codepage=_BYTES, default_data_types=_types())
            table.open(dbf.READ_ONLY)
            try:
                header = _read(path, _HEADER)
                label = dbf.tables.code_pages.get(header[29], (None, ""))[0]
                file: BinaryIO = tempfile.TemporaryFile()
                reader = _Reader(dbf, table, name, header, size)
                reader.write(file)
            finally:
                table.close()
        except (Error, OSError, MemoryError):
            raise
        except Exception as error:  # of dbf, for what no table has
            what = " ".join(str(error).split()) or type(error).__name__
            raise Error(f"{name}: the dBase table cannot be read: {what}") from error
    return Table(file, None if label == "ascii" else label, reader.problems)


def _library(name: str) -> Any:
    try:
        return import_module("dbf")
    except ImportError:
        raise Error(f"{name}: a dBase table needs more: pip install 'utf8ext[dbase]'") from None


def _types() -> dict[str, Any]:
    """Return what dbf makes of values: numbers stay as they are written, and blanks are NULL."""
    none = type(None)
    number = (lambda digits: digits.decode("ascii"), none)
    date = (lambda year, month, day: f"{year:04}-{month:02}-{day:02}", none)
    return {"N": number, "F": number, "D": date, "L": (bool, none)}


def _linked(path: Path, folder: Path) -> Path:
    """Give a table, and its memo file if it has one, names that dbf finds: it reads [ and * as patterns."""
    copy = folder / "table.dbf"
    _link(path, copy)
    if _has_memos(path):
        for other in path.absolute().parent.iterdir():
            if other.stem == path.stem and other.suffix.lower() in _MEMO_ENDINGS:
                _link(other, copy.with_suffix(other.suffix.lower()))
    return copy


def _link(path: Path, copy: Path) -> None:
    try:
        os.symlink(path.absolute(), copy)
    except OSError:  # Windows allows that to few users
        shutil.copyfile(path, copy)


def _has_memos(path: Path) -> bool:
    start = int.from_bytes(_read(path, _HEADER)[8:10], "little")
    fields = _read(path, start)[_HEADER:]
    return any(fields[at + 11] in _MEMO_TYPES for at in range(0, len(fields) - _FIELD + 1, _FIELD))


def _read(path: Path, size: int) -> bytes:
    with open(path, "rb") as file:
        return file.read(size)


class _Reader:
    """Writes the records of a table as CSV."""

    def __init__(self, dbf: Any, table: Any, name: str, header: bytes, size: int) -> None:
        self._dbf = dbf
        self._table = table
        self._name = name
        self._names = list(table.field_names)
        self._declared = int.from_bytes(header[4:8], "little")
        start, length = (int.from_bytes(header[at : at + 2], "little") for at in (8, 10))
        self._count = min(self._declared, max(size - start, 0) // max(length, 1))
        self.problems: list[Problem] = []
        self._is_cut = False  # is the last memo?
        memo = table._meta.memo
        if memo is not None:
            memo.get_memo = self._whole_memo(memo, memo.get_memo)

    def _whole_memo(self, memo: Any, get_memo: Callable[[int], bytes]) -> Callable[[int], bytes]:
        """Return what reads a memo, and notes if the file ends before the memo does. 0 is none."""

        has_sizes = isinstance(memo, self._dbf.tables._VfpMemo)  # others end with a mark

        def read(block: int) -> bytes:
            if block == 0:
                return b""
            if block < 0:
                raise ValueError(f"there is no block {block} of memos")
            file, start = memo.meta.mfd, block * memo.meta.memo_size
            file.seek(start + 4)
            size = file.read(4)
            if has_sizes and len(size) < 4:
                raise ValueError(_CUT_MEMO)
            data = get_memo(block)
            file.seek(start + len(data))
            self._is_cut = int.from_bytes(size, "big") > len(data) if has_sizes else not file.read(1)
            if self._is_cut and not data:
                raise ValueError(_CUT_MEMO)
            return data

        return read

    def write(self, file: BinaryIO) -> None:
        text = io.TextIOWrapper(file, encoding=_BYTES, newline="")
        text.write(_line(self._names))
        for cells in self._records():
            text.write(_line(cells))
        text.detach()

    def _records(self) -> Iterator[list[str | None]]:
        deleted = 0
        for number in range(self._count):
            record = self._table[number]
            if self._dbf.is_deleted(record):
                deleted += 1
            else:
                yield [self._cell(record, place, number) for place in range(len(self._names))]
        if deleted:
            self._tell("deleted record", 1, f"{deleted:,} left out")
        if self._count < self._declared:
            what = f"{self._count:,} of {self._declared:,} records are whole"
            self._tell("cut table", self._count + 1, what)

    def _cell(self, record: Any, place: int, number: int) -> str | None:
        self._is_cut = False
        try:
            text = self._text(record[place])
            if self._is_cut:
                self._tell("unreadable value", number + 2, _CUT_MEMO, self._names[place])
            return text
        except (MemoryError, OSError):
            raise
        except Exception as error:  # such as the date 20240231 or the number 1.2.3
            what = " ".join(str(error).split())
            self._tell("unreadable value", number + 2, what, self._names[place])
            return None

    def _text(self, value: Any) -> str | None:
        if value is None or value is self._dbf.Null:
            return None
        if isinstance(value, str):
            return value.rstrip(" \0")
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, bytes):
            return f"x'{value.hex()}'"
        if isinstance(value, datetime.datetime):
            return value.isoformat(" ")
        return str(value)

    def _tell(self, kind: str, line: int, what: str, column: str = "") -> None:
        self.problems.append(Problem(kind, self._name, line, what, column))


def _line(cells: list[str | None]) -> str:
    fields = (_NULL if cell is None else '"' + cell.replace('"', '""') + '"' for cell in cells)
    return ",".join(fields) + "\r\n"
