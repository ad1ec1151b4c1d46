"""The rows of a CSV, TSV or JSON-lines file. Cells are str, or None where a field is missing."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, dropwhile
from typing import Any, NamedTuple, Optional

from utf8ext._error import Error
from utf8ext._import.log import Log
from utf8ext._import.result import Problem
from utf8ext._import.source import Source

Cell = Optional[str]

_DELIMITERS = ",;\t|"

_ENDINGS = {
    ".json": "json",
    ".tsv": "\t",
    ".tab": "\t",
    ".jsonl": "json",
    ".ndjson": "json",
    ".jsonlines": "json",
}

_SEPARATOR_LINE = re.compile(r"\"?sep=([^\"\r\n\0])\"?\r?\n?", re.ASCII)

# csv reads NULs since Python 3.11. Before, a character stands for them that no text has.
_NUL = "\ud800"
_READS_NULS = sys.version_info >= (3, 11)

EXTRA = "extra"  # the column of fields that a header has no names for


class Form(NamedTuple):
    """How to read the lines of a file."""

    delimiter: str  # or 'json'
    has_header: bool
    skip: int = 0  # lines before the first record


def find_form(source: Source, delimiter: str | None, has_header: bool) -> Form:
    """Decide from a file's name and its first record how to read it, unless delimiter says it."""
    ending = next((end for end in _ENDINGS if source.name.lower().endswith(end)), "")
    lines = source.lines("Reading")
    first = next(lines, "")
    separator = _SEPARATOR_LINE.fullmatch(first)
    record = dropwhile(_is_blank, chain([first], lines))
    first = next(record, "")
    found = delimiter or _ENDINGS.get(ending)
    if not found and separator:
        found = separator[1]
    elif not found and not source.name.lower().endswith(".csv") and _is_json(first):
        found = "json"
    return Form(found or _most_frequent(chain([first], record)), has_header, 1 if separator else 0)


def _is_blank(line: str) -> bool:
    return not line.strip("\r\n")


def _is_json(line: str) -> bool:
    """Is a line an object, or an array of objects, which JsonRows refuses?"""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value[0] if isinstance(value, list) and value else value, dict)


def _most_frequent(lines: Iterator[str]) -> str:
    """Return the delimiter that the first record has most often outside of quotes."""
    unquoted = _first_unquoted(lines)
    return max(_DELIMITERS, key=unquoted.count)


# Text in quotes that start a field, up to their end or that of the line, or in others of one line.
_QUOTED = re.compile(r'(^|[,;\t|])"(?:[^"]+|"")*("|\Z)|"[^"]*"')


def _first_unquoted(lines: Iterator[str]) -> str:
    """Return the first record without what is in quotes, which can have line breaks."""
    unquoted, is_open = "", False
    for line in lines:
        text = f'"{line}' if is_open else line
        unquoted += _QUOTED.sub(r"\1", text)
        is_open = any(match[2] == "" for match in _QUOTED.finditer(text))
        if not is_open:
            break
    return unquoted


class Rows:
    """The rows of a file, each as wide as `columns`.

    rows() ends where a column is added; call it again until is_done.
    """

    columns: list[str]  # the names in the file; some may be empty or equal
    has_names = True  # False: columns are known by their places
    names: Sequence[str] = ()  # of the columns in the table, for messages
    adds_columns = False  # is it usual that later rows have more columns?
    is_done = False
    count = 0

    @property
    def line(self) -> int:
        """The line in which the last row ends."""
        raise NotImplementedError

    def rows(self) -> Iterator[list[Cell]]:
        raise NotImplementedError


def open_rows(source: Source, form: Form, log: Log, title: str) -> Rows:
    """Read a file from its start."""
    if form.delimiter == "json":
        return JsonRows(source, log, title)
    return CsvRows(source, form, log, title)


# ---- CSV -------------------------------------------------------------------------------


class CsvRows(Rows):
    """The rows of a CSV or TSV file, which Python's csv module reads.

    What has no name in the header is in one more column, as a JSON array.
    """

    def __init__(self, source: Source, form: Form, log: Log, title: str) -> None:
        self._name = source.name
        self._log = log
        self._skipped = form.skip
        self._has_nuls = source.has_nul and not _READS_NULS
        self._held: list[str] = []  # the lines of the last record
        self._text = self._lines(source, title)
        for _ in range(form.skip):
            next(self._text, None)
        self._held.clear()
        self._delimiter = form.delimiter
        self._reader = csv.reader(self._text, delimiter=form.delimiter, strict=True)
        self._records = self._read()
        self._expected = self._width = -1
        self._pending: list[Cell] | None = None
        self._has_extra = False
        self._has_header = form.has_header
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
            self.columns = self._with_nuls(first)
        else:
            self.columns = [f"column_{i + 1}" for i in range(self._width)]
            self._pending = list(first)

    @property
    def line(self) -> int:
        return self._reader.line_num + self._skipped

    def rows(self) -> Iterator[list[Cell]]:
        count = 0
        try:
            for row in self._aligned():
                count += 1
                yield row
        finally:
            self.count += count

    def _aligned(self) -> Iterator[list[Any]]:
        if self._pending is not None:
            pending, self._pending = self._pending, None
            yield self._with_nuls(pending)
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
                row.append(None)  # type: ignore[arg-type]
            yield self._with_nuls(row) if self._has_nuls else row
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
        line = self.line - len(self._held) + 1
        self._log.problem(Problem(kind, self._name, line, what, column))

    def _with_nuls(self, row: list[Any]) -> list[Any]:
        if not self._has_nuls:
            return row
        return [cell and cell.replace(_NUL, "\0") for cell in row]

    def _lines(self, source: Source, title: str) -> Iterator[str]:
        for line in source.lines(title):
            line = line.replace("\0", _NUL) if self._has_nuls else line
            self._held.append(line)
            yield line
        self._expected = _ENDED  # a row that comes now has a quote without an end

    # ---- records that are not as RFC 4180 has them ----

    def _read(self) -> Iterator[list[str]]:
        """Yield all records. Python's csv refuses those with odd quotes if it is strict."""
        while True:
            try:
                for row in self._reader:
                    yield row
                    self._held.clear()
                return
            except csv.Error:
                yield self._read_odd()
                self._held.clear()

    def _read_odd(self) -> list[str]:
        """Read a record again that is not strictly CSV: quotes that end no field are text."""
        held = len(self._held)
        reader = csv.reader(chain(self._held[:], self._text), delimiter=self._delimiter)
        row = next(reader)
        self._skipped += reader.line_num - held
        for place, field in _misplaced("".join(self._held), self._delimiter):
            what = f"{_short(field)} was read as {_short(row[place])}"
            what, column = self._with_nuls([what, self._column(row, place)])
            self._tell("misplaced quote", what, column)
        return row

    def _column(self, row: list[str], place: int) -> str:
        """Return the name of a column for a message; that of a field in the header is its text."""
        if not self.names:
            return row[place] if self._has_header else f"column_{place + 1}"
        return self.names[place] if place < len(self.names) else EXTRA


_ENDED = -2  # no row has so many fields

_SHOWN = 60  # characters of a field in a message


def _misplaced(record: str, delimiter: str) -> Iterator[tuple[int, str]]:
    """Yield the place and the text of each field in which text follows the closing quote."""
    other = f"[^{re.escape(delimiter)}\\r\\n]*"
    field = re.compile(f'"(?:[^"]+|"")*(?:"|\\Z)({other})|{other}')
    at = place = 0
    while match := field.match(record, at):
        if match[1]:
            yield place, match[0]
        if not record.startswith(delimiter, match.end()):
            return
        at, place = match.end() + 1, place + 1


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


class JsonRows(Rows):
    """The rows of a file with a JSON object in each line."""

    adds_columns = True

    def __init__(self, source: Source, log: Log, title: str) -> None:
        self._name = source.name
        self._log = log
        self._lines = source.lines(title)
        self._line = 0
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
