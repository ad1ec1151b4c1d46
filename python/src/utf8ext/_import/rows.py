"""The rows of a CSV, TSV or JSON-lines file. Cells are str, or None where a field is missing."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, Union

from utf8ext._error import Error
from utf8ext._import.dialect import LONG_MARK, Cell, Dialect, Escapes, field_pattern
from utf8ext._import.log import Log
from utf8ext._import.result import Problem
from utf8ext._import.source import Source

# csv reads NULs since Python 3.11. Before, a character stands for them that no text has.
_NUL = "\ud800"
_READS_NULS = sys.version_info >= (3, 11)

EXTRA = "extra"  # the column of fields that a header has no names for


class Layout(NamedTuple):
    """How to read the lines of a file."""

    dialect: Dialect | None  # None: JSON lines
    has_header: bool
    skip: int = 0  # lines before the first record


class _Rows:
    """What CsvRows and JsonRows share. Each also has line, rows() and fields(), described in CsvRows."""

    columns: list[str]  # the names in the file; some may be empty or equal
    has_names = True  # False: columns are known by their places
    names: Sequence[str] = ()  # of the columns in the table, for messages
    adds_columns = False  # is it usual that later rows have more columns?
    is_done = False
    count = 0


def open_rows(source: Source, layout: Layout, log: Log, title: str) -> Rows:
    """Read a file from its start."""
    if layout.dialect is None:
        return JsonRows(source, log, title, layout.skip)
    return CsvRows(source, layout, log, title)


# ---- CSV -------------------------------------------------------------------------------


class CsvRows(_Rows):
    """The rows of a CSV or TSV file, which Python's csv module reads.

    What has no name in the header is in one more column, as a JSON array.
    """

    def __init__(self, source: Source, layout: Layout, log: Log, title: str) -> None:
        self._name = source.name
        self._log = log
        self._skipped = layout.skip
        self._dialect = dialect = layout.dialect or Dialect(",")
        self._escapes = Escapes(dialect) if dialect.escape else None
        self._long = dialect.long
        self._has_nuls = source.has_nul and not _READS_NULS
        has_null = dialect.null is not None
        self._is_plain = not (self._has_nuls or self._escapes or has_null or self._long)
        self._held: list[str] = []  # the lines of the last record
        self._joined = 0  # escaped line breaks in them
        self.unfinished = 0  # lines of the record whose quote has no end
        self._text = self._lines(source, title)
        self._reader = self._reader_of(self._text, strict=True)
        self._records = self._read()
        self._expected = self._width = -1
        self._pending: list[Cell] | None = None
        self._has_extra = False
        self._has_header = layout.has_header
        self._begin()

    def _begin(self) -> None:
        first = next(filter(None, self._records), None)
        if first is None:
            raise Error(f"{self._name}: the file has no lines with text")
        if self._expected == _ENDED:
            self._tell("unfinished quote")
        self._width = len(first)
        if self._expected != _ENDED:
            self._expected = self._width
        self.has_names = self._has_header
        if self._has_header:
            self.columns = [cell or "" for cell in first]
        else:
            self.columns = [f"column_{i + 1}" for i in range(self._width)]
            self._pending = list(first)

    def _reader_of(self, lines: Iterator[str], strict: bool) -> Any:
        dialect = self._dialect
        return csv.reader(
            lines,
            delimiter=dialect.delimiter,
            quotechar=dialect.quote or None,
            quoting=csv.QUOTE_MINIMAL if dialect.quote else csv.QUOTE_NONE,
            skipinitialspace=dialect.skips_spaces,
            strict=strict,
        )

    @property
    def line(self) -> int:
        """The line in which the last row ends."""
        return int(self._reader.line_num) + self._skipped

    def rows(self) -> Iterator[list[Cell]]:
        """Yield rows as wide as `columns`, until a column is added; call it again until is_done."""
        count = 0
        try:
            for row in self._aligned():
                count += 1
                yield row
        finally:
            self.count += count

    def fields(self, line: str) -> list[Cell] | None:
        """Return the row that rows() would yield if the line of the last one were this; None if it has none.

        What is missing at its end is left out.
        """
        line = line.replace("\0", _NUL) if self._has_nuls else line
        line = self._escapes.hide(line) if self._escapes else line
        line = line.replace(self._long, LONG_MARK) if self._long else line
        try:
            row = next(self._reader_of(iter([line]), strict=True), None)
        except csv.Error:
            return None
        return row and self._shown(row)

    def _aligned(self) -> Iterator[list[Any]]:
        if self._pending is not None:
            pending, self._pending = self._pending, None
            yield pending
        row: list[Any]
        for row in self._records:
            if len(row) != self._expected:
                fitting = self._fit(row)
                if fitting is None:
                    continue
                if len(fitting) > len(self.columns):
                    self.columns.append(EXTRA)
                    self._pending = fitting
                    return
                row = fitting
            elif self._has_extra:
                row.append(None)
            yield row
        self.is_done = True

    def _fit(self, row: list[Any]) -> list[Any] | None:
        """Return a row as wide as the columns, or None for a blank line."""
        if self._expected == _ENDED:
            self._tell("unfinished quote")
        if not row:
            self._tell("blank line")
            return None
        missing = self._width - len(row)
        if missing > 0:
            self._tell("short row", f"{len(row)} of {self._width} fields")
            row = row + [None] * missing
        extra: list[Cell] = [None] if self._has_extra else []
        if missing < 0:
            self._tell("long row", f"{len(row)} fields, {self._width} expected")
            self._has_extra = True
            extra = [json.dumps(row[self._width :], ensure_ascii=False)]
        return row[: self._width] + extra

    def _tell(self, kind: str, what: str = "", column: str = "") -> None:
        line = self.line - len(self._held) - self._joined + 1
        if kind == "unfinished quote":
            self.unfinished = len(self._held)
        self._log.problem(Problem(kind, self._name, line, what, column))

    def _lines(self, source: Source, title: str) -> Iterator[str]:
        lines = islice(source.lines(title), self._skipped, None)
        for line in lines:
            line = line.replace("\0", _NUL) if self._has_nuls else line
            if self._escapes:
                line = self._joined_line(self._escapes, line, lines)
            if self._long:
                line = line.replace(self._long, LONG_MARK)
            self._held.append(line)
            yield line
        self._expected = _ENDED  # a row that comes now has a quote without an end

    def _joined_line(self, escapes: Escapes, line: str, lines: Iterator[str]) -> str:
        """Return a line with its escapes hidden, and those after it that it continues in."""
        if line.rstrip("\r\n") == _END_OF_COPY:
            return line[len(_END_OF_COPY) :]
        hidden = escapes.hide(line)
        while escapes.ends_open(hidden):
            more = next(lines, None)
            if more is None:
                break
            self._joined += 1
            self._skipped += 1
            hidden += escapes.hide(more.replace("\0", _NUL) if self._has_nuls else more)
        return hidden

    def _forget_lines(self) -> None:
        self._held.clear()
        self._joined = 0

    # ---- what csv does not know: escapes, NULL, NULs ----

    def _shown(self, row: list[str]) -> list[Any]:
        """Return what the fields of a record stand for."""
        shown: list[Any] = self._with_nulls(row)
        if self._escapes and any(cell and not cell.isascii() for cell in row):
            shown = [cell and self._escapes.shown(cell) for cell in shown]
        if self._has_nuls:
            shown = [cell and cell.replace(_NUL, "\0") for cell in shown]
        if self._long:
            shown = [cell and cell.replace(LONG_MARK, self._long) for cell in shown]
        return shown

    def _with_nulls(self, row: list[str]) -> list[Any]:
        null = self._dialect.null
        if null is None or null not in row:
            return list(row)
        record, quote = "".join(self._held), self._dialect.quote
        if not quote or quote + null + quote not in record:
            return [None if cell == null else cell for cell in row]
        is_quoted = [bool(match[1]) for match in _fields(record, self._dialect)]
        is_quoted += [False] * (len(row) - len(is_quoted))
        return [None if c == null and not quoted else c for c, quoted in zip(row, is_quoted)]

    def _as_written(self, text: str) -> str:
        text = text.replace(_NUL, "\0") if self._has_nuls else text
        text = text.replace(LONG_MARK, self._long) if self._long else text
        return self._escapes.written(text) if self._escapes else text

    # ---- records that are not as RFC 4180 has them ----

    def _read(self) -> Iterator[list[Any]]:
        """Yield all records. Python's csv refuses those with odd quotes if it is strict."""
        while True:
            try:
                for row in self._reader:
                    yield row if self._is_plain else self._shown(row)
                    self._forget_lines()
                return
            except csv.Error:
                yield self._shown(self._read_odd())
                self._forget_lines()

    def _read_odd(self) -> list[str]:
        """Read a record again that is not strictly CSV: quotes that end no field are text."""
        held = len(self._held)
        reader = self._reader_of(chain(self._held[:], self._text), strict=False)
        row: list[str] = next(reader)
        self._skipped += reader.line_num - held
        for place, match in enumerate(_fields("".join(self._held), self._dialect)):
            if match[2]:
                what = f"{_short(match[0])} was read as {_short(row[place])}"
                column = self._column(row, place)
                self._tell("misplaced quote", self._as_written(what), self._as_written(column))
        return row

    def _column(self, row: list[str], place: int) -> str:
        """Return the name of a column for a message; that of a field in the header is its text."""
        if not self.names:
            return row[place] if self._has_header else f"column_{place + 1}"
        return self.names[place] if place < len(self.names) else EXTRA


_ENDED = -2  # no row has so many fields

_END_OF_COPY = r"\."  # ends the data of PostgreSQL's COPY

_SHOWN = 60  # characters of a field in a message


def _fields(record: str, dialect: Dialect) -> Iterator[re.Match[str]]:
    """Yield a match of field_pattern() for each field of a record."""
    field, at = field_pattern(dialect), 0
    while match := field.match(record, at):
        yield match
        if not record.startswith(dialect.delimiter, match.end()):
            return
        at = match.end() + 1


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


# ---- JSON lines ------------------------------------------------------------------------


class _Pairs(list):  # type: ignore[type-arg]
    """The members of a JSON object."""


_decode = json.JSONDecoder(
    object_pairs_hook=_Pairs, parse_int=str, parse_float=str, parse_constant=str
).decode

_raw_decode = json.JSONDecoder(parse_int=str).raw_decode  # int() refuses 5,000 digits

_CONSTANTS = {True: "true", False: "false"}


class JsonRows(_Rows):
    """The rows of a file with a JSON object in each line. line, rows() and fields() are those of CsvRows."""

    adds_columns = True

    def __init__(self, source: Source, log: Log, title: str, skip: int = 0) -> None:
        self._name = source.name
        self._log = log
        self._lines = islice(source.lines(title), skip, None)
        self._line = skip
        self._pending: list[Cell] | None = None
        self.columns = []
        self._places: dict[str, int] = {}

    @property
    def line(self) -> int:
        return self._line

    def rows(self) -> Iterator[list[Cell]]:
        if self._pending is not None:
            row, self._pending = self._pending, None
            self.count += 1
            yield row
        for text in self._lines:
            self._line += 1
            if text.isspace():
                self._tell("blank line")
                continue
            width = len(self.columns)
            row = self._row(text)
            if len(self.columns) > width:
                self._pending = row
                return
            if not row:
                self._tell("empty object")
                continue
            self.count += 1
            yield row
        self.is_done = True

    def _row(self, text: str) -> list[Cell]:
        row: list[Cell] = [None] * len(self.columns)
        members = self._members(text)
        for name, value in members:
            place = self._places.get(name)
            if place is None:
                place = self._places[name] = len(self.columns)
                self.columns.append(name)
                row.append(None)
            row[place] = value
        if len(members) > len(dict(members)):
            self._tell("duplicate key", "the last value is kept")
        return row

    def fields(self, line: str) -> list[Cell] | None:
        try:
            members = dict(self._members(line))
        except Error:
            return None
        is_known = all(name in self._places for name in members)
        return [members.get(name) for name in self.columns] if is_known else None

    def _members(self, text: str) -> list[tuple[str, Cell]]:
        try:
            members = _decode(text)
        except json.JSONDecodeError as error:
            what = error.msg.rstrip(": ").removesuffix(" at")
            raise self._error(f"not JSON: {what} at column {error.pos + 1}", text) from None
        except RecursionError:
            raise self._error("not JSON: nested too deeply", text) from None
        if not isinstance(members, _Pairs):
            raise self._error("not a JSON object", text)
        if any(isinstance(value, list) for _, value in members):
            return _raw_members(text)
        return [(name, _CONSTANTS.get(value, value)) for name, value in members]

    def _error(self, what: str, text: str) -> Error:
        hint = _HINTS.get(text.lstrip()[:1], "") if self._line == 1 else ""
        return Error(f"{self._name}:{self._line}: {what}", hint)

    def _tell(self, kind: str, what: str = "") -> None:
        self._log.problem(Problem(kind, self._name, self._line, what))


Rows = Union[CsvRows, JsonRows]

# What makes a file of JSON lines, by how the first line of another begins.
_HINTS = {
    "[": "each line must be an object; `jq -c '.[]' FILE` writes an array in this way",
    "{": "each line must be an object; `jq -c . FILE` writes objects in this way",
}


def _raw_members(text: str) -> list[tuple[str, Cell]]:
    """Return the members of an object; what is not a string, as it is written."""
    members = []
    at = _skip(text, text.index("{") + 1)
    while text[at] != "}":
        name, at = _raw_decode(text, at)
        start = _skip(text, _skip(text, at) + 1)
        value, end = _raw_decode(text, start)
        is_text = value is None or isinstance(value, str)
        members.append((name, value if is_text else text[start:end]))
        at = _skip(text, end)
        at = _skip(text, at + 1) if text[at] == "," else at
    return members


def _skip(text: str, at: int) -> int:
    """Return where the white space of JSON ends."""
    while text[at] in " \t\r\n":
        at += 1
    return at
