"""What is wrong with a data set, counted by column, kind of error and cause."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from utf8ext._text import number
from utf8ext.arrow import _library
from utf8ext.arrow._library import Array, Function, Schema

_FIRST = 3  # values shown of each column and kind
_SHOWN = 60  # bytes of a value that are shown
_FORMATS = {b"u", b"U", b"vu", b"z", b"Z", b"vz"}


@dataclass
class Finding:
    """Values of one column whose first error is of one kind, and that have the same cause."""

    column: str
    error: str
    cause: str
    values: int = 0
    first: list[str] = field(default_factory=list)  # some values; ill-formed bytes are escapes

    def _add(self, other: Finding) -> None:
        self.values += other.values
        self.first = [*self.first, *other.first][:_FIRST]


class Summary:
    """What an audit has found. `a + b` is the summary of both parts."""

    def __init__(self, name: str | None = None) -> None:
        """Make a summary in which nothing was found."""
        self.name = name
        self.rows = 0
        self._findings: dict[tuple[str, str, str], Finding] = {}

    @property
    def findings(self) -> list[Finding]:
        """The findings, sorted by column, kind and cause."""
        return [self._findings[key] for key in sorted(self._findings)]

    @property
    def values(self) -> int:
        """How many values were found."""
        return sum(finding.values for finding in self._findings.values())

    def add(self, finding: Finding) -> None:
        """Add values."""
        key = finding.column, finding.error, finding.cause
        if key not in self._findings:
            self._findings[key] = Finding(*key)
        self._findings[key]._add(finding)

    def __add__(self, other: Summary) -> Summary:
        if not isinstance(other, Summary):
            return NotImplemented
        both = Summary(self.name if self.name is not None else other.name)
        both.rows = self.rows + other.rows
        for finding in [*self._findings.values(), *other._findings.values()]:
            both.add(finding)
        return both

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Summary) and self._counts() == other._counts()

    __hash__ = None  # type: ignore[assignment]

    def _counts(self) -> object:
        return self.rows, {key: finding.values for key, finding in self._findings.items()}

    # ---- JSON ----

    def to_json(self) -> str:
        """Return the summary as a JSON object."""
        found = [vars(finding) for finding in self.findings]
        return json.dumps({"name": self.name, "rows": self.rows, "findings": found})

    @classmethod
    def from_json(cls, text: str) -> Summary:
        """Return the summary that to_json() wrote. Raises ValueError."""
        stored = json.loads(text)
        try:
            summary = cls(stored["name"])
            summary.rows = stored["rows"]
            for finding in stored["findings"]:
                summary.add(Finding(**finding))
        except (KeyError, TypeError) as error:
            raise ValueError("the JSON is not a summary; accepted: what to_json() wrote") from error
        return summary

    # ---- text ----

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        """Yield the lines that `utf8ext audit` prints for a database."""
        columns = {finding.column for finding in self._findings.values()}
        found = f"{number(self.values, 'value')} in {number(len(columns), 'column')}"
        yield (f"{self.name}: " if self.name else "") + (found if columns else "nothing found")
        if columns:
            yield ""
            yield from self._table()
        for finding in self.findings:
            yield ""
            yield f"{finding.column}: {finding.error}, {finding.cause}"
            yield from (f"  {value}" for value in finding.first)
            if finding.values > len(finding.first):
                yield f"  … and {finding.values - len(finding.first):,} more"

    def _table(self) -> Iterator[str]:
        rows = [("column", "values", "kind", "cause")]
        for finding in self.findings:
            rows.append((finding.column, f"{finding.values:,}", finding.error, finding.cause))
        column, values, kind = (max(len(row[i]) for row in rows) for i in range(3))
        for row in rows:
            line = f"{row[0]:{column}}  {row[1]:>{values}}  {row[2]:{kind}}  {row[3]}"
            yield line.rstrip()


# ---- batches --------------------------------------------------------------------------------------


def audit(stream: Any, *, name: str | None = None) -> Summary:
    """Return what is wrong with the columns of text of a data set.

    stream is a table or a column: a pyarrow.Table, RecordBatch or RecordBatchReader, a DataFrame, a
    relation of DuckDB, or anything else with __arrow_c_stream__ or __arrow_c_array__; or an iterable of
    such objects. Columns of other types are not read, nor what is in nested ones. One batch is read at
    a time, and the values of a batch are the neighbourhood of each other. name is for the text of the
    summary.
    """
    summary = Summary(name)
    for schema, array in _batches(stream):
        summary.rows += array.length
        try:
            for column, kind, chunk in _columns(schema, array, name or "value"):
                _audit_chunk(summary, column, kind, chunk)
        finally:
            _library.release(array)
    return summary


def _batches(stream: Any) -> Iterator[tuple[Schema, Array]]:
    """Yield the arrays of a data set with their schema; each is to be released."""
    if hasattr(stream, "__arrow_c_stream__"):
        capsule = stream.__arrow_c_stream__()
        schema, arrays = _library.open_stream(capsule)
        try:
            for array in arrays:
                yield schema, array
        finally:
            _library.release(schema)
            del capsule
    elif hasattr(stream, "__arrow_c_array__"):
        chunks = _library.import_chunks(stream)
        with chunks:
            yield chunks.schema, chunks.arrays[0]
    elif isinstance(stream, Iterable):
        for part in stream:
            yield from _batches(part)
    else:
        raise TypeError(
            f"utf8ext.arrow.audit: argument 1 (stream) is {type(stream).__name__}; accepted: an object with "
            "__arrow_c_stream__ or __arrow_c_array__, or an iterable of such objects"
        )


def _columns(schema: Schema, array: Array, name: str) -> Iterator[tuple[str, Schema, Array]]:
    """Yield the columns of text: the name, the type and the values, which belong to the batch."""
    if schema.format != b"+s":
        yield (schema.name or b"").decode("utf-8", "replace") or name, schema, array
        return
    for i in range(schema.n_children):
        kind, child = schema.children[i].contents, array.children[i].contents
        stored = kind.dictionary.contents.format if kind.dictionary else kind.format
        if stored in _FORMATS:
            part = Array.from_buffer_copy(child)
            part.offset, part.length = child.offset + array.offset, array.length
            if array.offset or array.length != child.length:
                part.null_count = -1
            yield (kind.name or b"").decode("utf-8", "replace"), kind, part


def _audit_chunk(summary: Summary, column: str, kind: Schema, chunk: Array) -> None:
    with Function("audit", ()) as function:
        _library.release(function.begin(kind))
        chunks = (Array * 1)(chunk)
        function.learn(chunks)
        function.audit(chunks[0])
        for found in function.found():
            examples = [_shown(kind, chunk, found.examples[i]) for i in range(found.example_count)]
            error, cause = found.error.decode("ascii"), found.cause.decode("ascii")
            summary.add(Finding(column, error, cause, found.values, examples))


# ---- values ---------------------------------------------------------------------------------------

_INDEX = {
    b"c": ctypes.c_int8,
    b"C": ctypes.c_uint8,
    b"s": ctypes.c_int16,
    b"S": ctypes.c_uint16,
    b"i": ctypes.c_int32,
    b"I": ctypes.c_uint32,
    b"l": ctypes.c_int64,
    b"L": ctypes.c_uint64,
}


def _item(array: Array, buffer: int, kind: Any, index: int) -> int:
    address = array.buffers[buffer] + (array.offset + index) * ctypes.sizeof(kind)
    return int(kind.from_buffer_copy(ctypes.string_at(address, ctypes.sizeof(kind))).value)


def _shown(kind: Schema, array: Array, row: int) -> str:
    """Return the start of a value of an array that was checked; ill-formed bytes are escapes."""
    if kind.dictionary:
        row = _item(array, 1, _INDEX[kind.format], row)
        kind, array = kind.dictionary.contents, array.dictionary.contents
    address, size = _place(kind.format, array, row)
    stored = ctypes.string_at(address, min(size, _SHOWN)) if size else b""
    text = stored.decode("utf-8", "backslashreplace")
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
    return shown + ("…" if size > _SHOWN else "")


def _place(layout: bytes, array: Array, row: int) -> tuple[int, int]:
    """Return the address and the size of a value."""
    if layout in (b"vu", b"vz"):
        view = array.buffers[1] + (array.offset + row) * 16
        size, _, buffer, offset = (ctypes.c_int32 * 4).from_buffer_copy(ctypes.string_at(view, 16))
        return (view + 4 if size <= 12 else array.buffers[2 + buffer] + offset), size
    width = ctypes.c_int32 if layout in (b"u", b"z") else ctypes.c_int64
    start, end = _item(array, 1, width, row), _item(array, 1, width, row + 1)
    return (array.buffers[2] or 0) + start, end - start
