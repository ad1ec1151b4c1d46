"""Cleans text outside of a database."""

from __future__ import annotations

import threading
from typing import Any, AnyStr

from utf8ext._load import load

_SQL = "SELECT CAST(utf8_clean(?, ?) AS BLOB)"
_threads = threading.local()  # .connection: one for each thread that cleans


def clean(text: AnyStr, steps: str = "repair,mojibake,nfc") -> AnyStr:
    """Return text, or the bytes of a text, as utf8_clean() makes it; docs/form.md has the steps.

    The result is always well-formed: of bytes the cause is repaired, and a lone surrogate in a str
    becomes U+FFFD. Raises ValueError for unknown steps, and RuntimeError if this Python cannot
    load SQLite extensions and apsw is not installed.
    """
    if isinstance(text, bytes):
        return _cleaned(text, steps)
    if not isinstance(text, str):
        raise TypeError(f"text is {type(text).__name__}; accepted: str, bytes")
    return _cleaned(_joined(text).encode(), steps).decode()


def _joined(text: str) -> str:
    """Return text with its surrogate pairs joined, and U+FFFD for lone surrogates."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _cleaned(data: bytes, steps: str) -> bytes:
    connection = getattr(_threads, "connection", None)
    if connection is None:
        connection = _threads.connection = _connect()
    try:
        ((cleaned,),) = connection.execute(_SQL, (data, steps))
    except Exception as error:
        if "utf8_clean: argument" in str(error):
            raise ValueError(str(error)) from None
        raise
    return bytes(cleaned)


def _connect() -> Any:
    """Return a connection to no file that has utf8ext."""
    import sqlite3  # not before it is needed: it takes longer than the rest of this package

    if hasattr(sqlite3.Connection, "enable_load_extension"):
        connection: Any = sqlite3.connect(":memory:", isolation_level=None)
    else:
        try:
            import apsw
        except ImportError:
            raise RuntimeError(
                "this Python cannot load SQLite extensions; run: pip install apsw"
            ) from None
        connection = apsw.Connection(":memory:")
    load(connection)
    return connection
