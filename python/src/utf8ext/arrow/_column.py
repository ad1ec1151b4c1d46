"""Columns of other libraries, and results of the same kind."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from utf8ext.arrow import _library
from utf8ext.arrow._library import Argument, Array, Chunks, Function, Schema, TooBig


class Column:
    """A column that any library of Arrow can take: `pyarrow.chunked_array(column)`."""

    def __init__(self, schema: Schema, arrays: Any) -> None:
        """Take a schema and its arrays, which are moved."""
        self._rows: int = sum(array.length for array in arrays)
        self._format = schema.format.decode("ascii")
        self._column = _library.make_column(schema, arrays)

    def __del__(self) -> None:
        if column := getattr(self, "_column", None):
            _library.calls.release_column(column)

    def __len__(self) -> int:
        return self._rows

    def __repr__(self) -> str:
        return f"<utf8ext.arrow.Column of {self._rows} rows, format {self._format!r}>"

    def __arrow_c_schema__(self) -> object:
        return _library.schema_capsule(self._column)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return _library.stream_capsule(self._column)


class ArrayColumn(Column):
    """A column of one chunk."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self.__arrow_c_schema__(), _library.chunk_capsule(self._column, 0)


def exported(function: str, value: Any) -> Chunks:
    """Return the chunks of X, an argument of a function."""
    try:
        if not hasattr(value, "__arrow_c_array__") and not hasattr(value, "__arrow_c_stream__"):
            value = _convertible(function, value)
        return _library.import_chunks(value)
    except UnicodeEncodeError:
        if _package(value) != "pandas":
            raise
        return _library.import_chunks(_with_escapes(value))


def _with_escapes(value: Any) -> Any:
    """Return a column of pandas as the bytes that Python has escaped in its strings (PEP 383)."""
    cells = [_bytes_of(cell) if isinstance(cell, str) else cell for cell in value.array]
    pyarrow = _module("pyarrow")
    return pyarrow.array(cells, pyarrow.binary(), from_pandas=True)


def _bytes_of(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # a surrogate that does not stand for a byte
        return text.encode("utf-8", "surrogatepass")


def _convertible(function: str, value: Any) -> Any:
    """Return the Arrow array of a column of pandas before version 3."""
    if _package(value) == "pandas" and hasattr(value, "array"):
        return _module("pyarrow").array(value, from_pandas=True)
    kind = type(value)
    raise TypeError(
        f"utf8_{function}: argument 1 (X) is {kind.__module__}.{kind.__qualname__}; accepted: a column of "
        "Arrow, with __arrow_c_array__ or __arrow_c_stream__, such as a pyarrow.Array or a polars.Series"
    )


def apply(name: str, value: Any, arguments: tuple[Argument, ...], neighbours: bool = False) -> Any:
    """Return the answers of a function for a column, as a column of the same kind."""
    try:
        return _apply(name, value, arguments, neighbours, is_large=False)
    except TooBig:
        return _apply(name, value, arguments, neighbours, is_large=True)


def _apply(
    name: str, value: Any, arguments: tuple[Argument, ...], neighbours: bool, is_large: bool
) -> Any:
    with Function(name, arguments) as function, exported(name, value) as chunks:
        schema = function.begin(chunks.schema, is_large)
        results = (Array * len(chunks.arrays))()
        try:
            if neighbours:
                function.learn(chunks.arrays)
            is_same = schema.format == chunks.schema.format
            for array, result in zip(chunks.arrays, results):
                owner = array.release, array.private_data
                function.apply(array, result)
                is_same = is_same and owner == (result.release, result.private_data)
            if is_same:
                return value
            kind = ArrayColumn if hasattr(value, "__arrow_c_array__") else Column
            return like(value, kind(schema, results))
        finally:
            _library.release(schema)
            for result in results:
                _library.release(result)


def _module(name: str) -> Any:
    """Import a library, which the caller has, since X is of it."""
    return importlib.import_module(name)


def _package(value: object) -> str:
    return type(value).__module__.partition(".")[0]


def like(value: Any, column: Column) -> Any:
    """Return the column as an object of the library that X is of."""
    convert = _CONVERTERS.get(_package(value))
    return convert(value, column) if convert else column


def _to_pyarrow(value: Any, column: Column) -> Any:
    pyarrow = _module("pyarrow")
    make = pyarrow.array if isinstance(value, pyarrow.Array) else pyarrow.chunked_array
    return make(column)


def _to_pandas(value: Any, column: Column) -> Any:
    pandas = _module("pandas")
    array = pandas.arrays.ArrowExtensionArray(_module("pyarrow").chunked_array(column))
    if not isinstance(value, pandas.Series):
        return array
    return pandas.Series(array, index=value.index, name=value.name)


_CONVERTERS: dict[str, Callable[[Any, Column], Any]] = {
    "pyarrow": _to_pyarrow,
    "polars": lambda value, column: _module("polars").Series(value.name, column),
    "pandas": _to_pandas,
    "nanoarrow": lambda _, column: _module("nanoarrow").Array(column),
    "arro3": lambda value, column: type(value).from_arrow(column),
}
