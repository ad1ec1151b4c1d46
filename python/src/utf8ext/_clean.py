"""Cleans text outside of a database."""

from __future__ import annotations

from typing import TYPE_CHECKING, AnyStr, NamedTuple, overload

from utf8ext._error import Error
from utf8ext._text import U_FFFD

if TYPE_CHECKING:
    from utf8ext._engine import Engine

STEPS = "repair,mojibake,nfc"


@overload
def clean(text: None, steps: str = STEPS) -> None: ...


@overload
def clean(text: AnyStr, steps: str = STEPS) -> AnyStr: ...


def clean(text: str | bytes | None, steps: str = STEPS) -> str | bytes | None:
    """Return text, or the bytes of a text, as utf8_clean() makes it; docs/form.md has the steps.

    The result is always well-formed: of bytes the cause is repaired, and a lone surrogate in a str
    becomes U+FFFD. None is returned as None. Raises utf8ext.Error for bytes that look like binary
    data, for unknown steps, or if this Python cannot load SQLite extensions and apsw is not
    installed.
    """
    if text is None:
        _engine().value("SELECT utf8_clean(NULL, ?)", steps)
        return None
    if isinstance(text, bytes):
        cleaned = clean_whole(text, steps)
        if cleaned.cause == "binary":
            raise Error("utf8ext.clean: text looks like binary data, not text")
        return cleaned.text
    if not isinstance(text, str):
        raise TypeError(f"text is {type(text).__name__}; accepted: str, bytes, None")
    data = _joined(text).encode()
    return bytes(_engine().value("SELECT utf8_clean(?, ?)", data, steps)).decode()


class Cleaned(NamedTuple):
    """A text that was cleaned."""

    text: bytes
    cause: str | None  # what happened to the text: utf8_cause(); None if it was well-formed
    lost: int  # characters that became U+FFFD


def clean_whole(data: bytes, steps: str) -> Cleaned:
    """Clean the bytes of a text, and say what happened to them."""
    cause, text = _engine().row("SELECT utf8_cause(?1), utf8_clean(?1, ?2)", data, steps)
    lost = 0 if cause is None else text.count(U_FFFD) - data.count(U_FFFD)
    return Cleaned(text, cause, lost)


def _joined(text: str) -> str:
    """Return text with its surrogate pairs joined, and U+FFFD for lone surrogates."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _engine() -> Engine:
    from utf8ext._engine import thread_engine  # late: sqlite3 takes longer than the rest

    return thread_engine()
