"""The C library for columns (arrow/utf8arrow.h), as it is in the extension.

ctypes calls it without Python's lock, and needs of Python only functions of the stable ABI. So one wheel
serves every Python, also the free-threaded ones.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, Optional, Union

from utf8ext import _load

Argument = Optional[Union[str, bytes, bool, int, float]]

_MESSAGE = 1024
_EXAMPLES = 3

OK, ARGUMENT, TYPE, ARRAY, INVALID, TOO_BIG, NO_MEMORY = range(7)

_NULL, _TEXT, _BLOB, _NUMBER = range(4)


class Schema(ctypes.Structure):
    """struct ArrowSchema of the Arrow C data interface."""


class Array(ctypes.Structure):
    """struct ArrowArray of the Arrow C data interface."""


class Stream(ctypes.Structure):
    """struct ArrowArrayStream of the Arrow C stream interface."""


_function, _pointer = ctypes.CFUNCTYPE, ctypes.POINTER
_int, _int64, _size = ctypes.c_int, ctypes.c_int64, ctypes.c_size_t
_address, _string = ctypes.c_void_p, ctypes.c_char_p
_schemas, _arrays = _pointer(Schema), _pointer(Array)

Schema._fields_ = [
    ("format", _string),
    ("name", _string),
    ("metadata", _address),
    ("flags", _int64),
    ("n_children", _int64),
    ("children", _pointer(_schemas)),
    ("dictionary", _schemas),
    ("release", _address),
    ("private_data", _address),
]
Array._fields_ = [
    ("length", _int64),
    ("null_count", _int64),
    ("offset", _int64),
    ("n_buffers", _int64),
    ("n_children", _int64),
    ("buffers", _pointer(_address)),
    ("children", _pointer(_arrays)),
    ("dictionary", _arrays),
    ("release", _address),
    ("private_data", _address),
]
Stream._fields_ = [
    ("get_schema", _function(_int, _address, _schemas)),
    ("get_next", _function(_int, _address, _arrays)),
    ("get_last_error", _function(_string, _address)),
    ("release", _address),
    ("private_data", _address),
]

_Release = _function(None, _address)


class _Error(ctypes.Structure):
    _fields_ = [("code", _int), ("message", ctypes.c_char * _MESSAGE)]


class _Argument(ctypes.Structure):
    _fields_ = [("type", _int), ("text", _string), ("size", _size)]


class _Found(ctypes.Structure):
    _fields_ = [
        ("error", _string),
        ("cause", ctypes.c_char * 64),
        ("values", _int64),
        ("example_count", _size),
        ("examples", _int64 * _EXAMPLES),
    ]


_Opened = _address
_errors = _pointer(_Error)


class _Calls(ctypes.Structure):
    """Utf8ArrowCalls of utf8ext.c."""

    _fields_ = [
        ("error_size", _size),
        ("open", _function(_int, _pointer(_Opened), _string, _pointer(_Argument), _size, _errors)),
        ("close", _function(None, _Opened)),
        ("begin", _function(_int, _Opened, _schemas, _int, _schemas, _errors)),
        ("learn", _function(_int, _Opened, _arrays, _size, _errors)),
        ("apply", _function(_int, _Opened, _arrays, _arrays, _errors)),
        ("detected", _function(_string, _Opened)),
        ("audit", _function(_int, _Opened, _arrays, _errors)),
        ("found", _function(_pointer(_Found), _Opened, _size)),
        ("column", _function(_int, _pointer(_address), _schemas, _arrays, _size, _errors)),
        ("release_column", _function(None, _address)),
        ("use_capsules", _function(None, _address)),
        ("new_schema", _function(_address, _address)),
        ("new_chunk", _function(_address, _address, _size)),
        ("new_stream", _function(_address, _address)),
        ("free_schema", _address),
        ("free_chunk", _address),
        ("free_stream", _address),
    ]


def _load_calls() -> _Calls:
    library = ctypes.CDLL(str(_load._library()))
    library.utf8ext_arrow.restype = ctypes.POINTER(_Calls)
    calls: _Calls = library.utf8ext_arrow().contents
    assert calls.error_size == ctypes.sizeof(_Error)
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    calls.use_capsules(ctypes.cast(get_pointer, ctypes.c_void_p))
    return calls


calls = _load_calls()

# ---- capsules ---------------------------------------------------------------------------------

_new_capsule = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", ctypes.pythonapi))
_get_pointer = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)(
    ("PyCapsule_GetPointer", ctypes.pythonapi)
)
_set_pointer = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(
    ("PyCapsule_SetPointer", ctypes.pythonapi)
)
_set_destructor = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_void_p)(
    ("PyCapsule_SetDestructor", ctypes.pythonapi)
)

# A capsule keeps a pointer to its name.
_SCHEMA, _ARRAY, _STREAM = b"arrow_schema", b"arrow_array", b"arrow_array_stream"


_UNSET = 1  # a pointer that a capsule may have


def _capsule(name: bytes, destructor: int, make: Callable[..., int | None], *arguments: int) -> object:
    """Return a capsule of what make(arguments) allocates, which the destructor frees.

    The capsule comes first: without one, nothing would free the allocated memory.
    """
    capsule = _new_capsule(_UNSET, name, None)
    pointer = make(*arguments)
    if not pointer:
        raise MemoryError("out of memory")
    _set_pointer(capsule, pointer)
    _set_destructor(capsule, destructor)
    return capsule


def schema_capsule(column: int) -> object:
    """Return the schema of a column in a capsule."""
    return _capsule(_SCHEMA, calls.free_schema, calls.new_schema, column)


def chunk_capsule(column: int, number: int) -> object:
    """Return a chunk of a column in a capsule."""
    return _capsule(_ARRAY, calls.free_chunk, calls.new_chunk, column, number)


def stream_capsule(column: int) -> object:
    """Return a stream of a column's chunks in a capsule."""
    return _capsule(_STREAM, calls.free_stream, calls.new_stream, column)


def _move(capsule: object, name: bytes, kind: Any) -> Any:
    source = kind.from_address(_get_pointer(capsule, name))
    moved = kind.from_buffer_copy(source)
    source.release = None
    return moved


def release(thing: Schema | Array) -> None:
    """Release a schema or an array, unless it is released."""
    if thing.release:
        _Release(thing.release)(ctypes.addressof(thing))
        thing.release = None


class Chunks:
    """The schema and the arrays of an object of another library, released at the end."""

    def __init__(self, schema: Schema, arrays: list[Array]) -> None:
        self.schema = schema
        self.arrays = (Array * len(arrays))(*arrays)

    def __enter__(self) -> Chunks:
        return self

    def __exit__(self, *_: object) -> None:
        release(self.schema)
        for array in self.arrays:
            release(array)


def import_chunks(value: Any) -> Chunks:
    """Return what an object exports by the Arrow PyCapsule interface."""
    if hasattr(value, "__arrow_c_array__"):
        schema, array = value.__arrow_c_array__()
        _get_pointer(array, _ARRAY)  # an error here leaves both to their capsules
        return Chunks(_move(schema, _SCHEMA, Schema), [_move(array, _ARRAY, Array)])
    return _read_stream(value.__arrow_c_stream__())


def _read_stream(capsule: object) -> Chunks:
    schema, arrays = open_stream(capsule)
    read: list[Array] = []
    try:
        for array in arrays:
            read.append(array)
    except BaseException:
        Chunks(schema, read).__exit__()
        raise
    return Chunks(schema, read)


def read_arrays(stream: Stream, pointer: int) -> Any:
    """Yield the arrays of a stream, and release it at its end."""
    while True:
        array = Array()
        _check_stream(stream, pointer, stream.get_next(pointer, array))
        if not array.release:
            _Release(stream.release)(pointer)
            return
        yield array


def open_stream(capsule: object) -> tuple[Schema, Any]:
    """Return the schema and an iterator over the arrays of a stream; keep the capsule meanwhile."""
    pointer = _get_pointer(capsule, _STREAM)
    stream = Stream.from_address(pointer)
    if not stream.release:
        raise ValueError("the Arrow stream was released")
    schema = Schema()
    _check_stream(stream, pointer, stream.get_schema(pointer, schema))
    return schema, read_arrays(stream, pointer)


def _check_stream(stream: Stream, pointer: int, code: int) -> None:
    if code:
        message = stream.get_last_error(pointer) or b"the Arrow stream failed"
        raise OSError(code, message.decode("utf-8", "replace"))


# ---- functions ----------------------------------------------------------------------------------


class TooBig(OverflowError):
    """The result does not fit in the type of the column."""


_EXCEPTIONS = {
    ARGUMENT: ValueError,
    TYPE: TypeError,
    ARRAY: ValueError,
    INVALID: ValueError,
    TOO_BIG: TooBig,
    NO_MEMORY: MemoryError,
}


def _argument(value: Argument) -> _Argument:
    if value is None:
        return _Argument(_NULL, None, 0)
    if isinstance(value, (bytes, bytearray, memoryview)):
        stored = bytes(value)
        return _Argument(_BLOB, stored, len(stored))
    if isinstance(value, str):
        stored = value.encode("utf-8", "surrogatepass")
        return _Argument(_TEXT, stored, len(stored))
    if isinstance(value, (int, float)):
        stored = repr(int(value) if isinstance(value, bool) else value).encode("ascii")
        return _Argument(_NUMBER, stored, len(stored))
    raise TypeError(f"an argument is {type(value).__name__}; accepted: str, bytes, int, float, None")


class Function:
    """A function with its arguments, opened for one column."""

    def __init__(self, name: str, arguments: tuple[Argument, ...]) -> None:
        self._error = _Error()
        self._opened = _Opened()
        given = (_Argument * len(arguments))(*map(_argument, arguments))
        self._check(calls.open(self._opened, name.encode("ascii"), given, len(given), self._error))

    def __enter__(self) -> Function:
        return self

    def __exit__(self, *_: object) -> None:
        calls.close(self._opened)

    def _check(self, code: int) -> None:
        if code:
            raise _EXCEPTIONS[code](self._error.message.decode("utf-8", "replace"))

    def begin(self, schema: Schema, is_large: bool = False) -> Schema:
        """Begin a column of this type, and return the type of the results."""
        result = Schema()
        self._check(calls.begin(self._opened, schema, is_large, result, self._error))
        return result

    def learn(self, arrays: Any) -> None:
        """Make the column the neighbourhood of its values."""
        self._check(calls.learn(self._opened, arrays, len(arrays), self._error))

    def apply(self, array: Array, result: Array) -> None:
        """Store the answers for a chunk, which may be moved to them."""
        self._check(calls.apply(self._opened, array, result, self._error))

    def detected(self) -> str | None:
        """Return the charset of the column, of detect_column."""
        name: bytes | None = calls.detected(self._opened)
        return name.decode("ascii") if name else None

    def audit(self, array: Array) -> None:
        """Count what is wrong with a chunk."""
        self._check(calls.audit(self._opened, array, self._error))

    def found(self) -> Any:
        """Yield the groups of what is wrong."""
        number = 0
        while group := calls.found(self._opened, number):
            yield group.contents
            number += 1


def make_column(schema: Schema, arrays: Any) -> int:
    """Move a schema and arrays to a column that several consumers can share; return its address."""
    column, error = ctypes.c_void_p(), _Error()
    code = calls.column(column, schema, arrays, len(arrays), error)
    if code:
        raise _EXCEPTIONS[code](error.message.decode("utf-8", "replace"))
    assert column.value is not None
    return column.value
