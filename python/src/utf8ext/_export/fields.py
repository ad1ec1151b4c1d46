"""The fields of a CSV file, written so that `utf8ext import` reads the same values."""

from __future__ import annotations

import math
import re
from typing import Any, NamedTuple

from utf8ext._error import Error
from utf8ext._import.dialect import DELIMITERS, LONG_DELIMITERS, RARE_DELIMITERS

NEWLINES = {"crlf": "\r\n", "lf": "\n", "cr": "\r", "nel": "\x85"}

# What a text begins or ends with that is in quotes although RFC 4180 needs none: spaces and a byte order
# mark would be dropped, and an apostrophe can be a quote.
_DOUBTFUL_STARTS = "\ufeff' \t"
_DOUBTFUL_ENDS = " \t"
_USUAL_NULL = r"\N"  # of databases
# What import takes for a delimiter in a file of one column.
_DELIMITERS = DELIMITERS + RARE_DELIMITERS + "".join(LONG_DELIMITERS)


class Layout(NamedTuple):
    """How fields are written."""

    delimiter: str
    quote: str  # '' if none are written
    newline: str
    null: str


def check_layout(layout: Layout) -> None:
    """Raise an Error if a field could not be read again."""
    delimiter, quote, _, null = layout
    if not delimiter or set(delimiter) & {"\r", "\n", "\0", "\x85"}:
        raise Error(f"the delimiter is {delimiter!r}; accepted: characters that end no line")
    if len(quote) > 1 or quote in ("\r", "\n", "\0", "\x85", "\\", " "):
        raise Error(f"the quote is {quote!r}; accepted: one character, or none")
    if quote and quote in delimiter:
        raise Error(f"the delimiter {delimiter!r} has the quote {quote!r} in it")
    if delimiter in null or set(null) & {"\r", "\n", "\0", "\x85", quote or "\0"}:
        raise Error(f"null is {null!r}; it cannot have a delimiter, a quote or the end of a line")


class Fields:
    """Writes rows of values as text."""

    def __init__(self, layout: Layout, is_ebcdic: bool, width: int) -> None:
        self._layout = layout
        marks = "\r\n" + ("\x85" if is_ebcdic else "")
        if layout.quote:
            marks += _DELIMITERS if width == 1 else ""
            special = f"[{re.escape(marks + layout.delimiter + layout.quote)}]"
        else:
            special = f"[{re.escape(marks)}]|{re.escape(layout.delimiter)}"
        self._special = re.compile(special).search
        # An empty line is no row: a row of one empty field has quotes.
        self._quotes_empty = width == 1 or layout.null == ""
        self._is_alone = width == 1

    def row(self, values: tuple[Any, ...]) -> list[str]:
        """Return the fields of a row. Raises Unwritable if one cannot be written."""
        fields = [self._field(value, place) for place, value in enumerate(values)]
        if self._is_alone and not fields[0]:
            fields[0] = self._quoted("", 0)
        return fields

    def _field(self, value: Any, place: int) -> str:
        if isinstance(value, str):
            return self._quoted(value, place) if self._needs_quotes(value) else value
        if value is None:
            return self._layout.null
        text = _text(value)
        return self._quoted(text, place) if self._needs_quotes(text) else text

    def _needs_quotes(self, text: str) -> bool:
        if not text:
            return self._quotes_empty
        if text == self._layout.null or self._special(text):
            return True
        if not self._layout.quote:
            return False
        is_doubtful = text[0] in _DOUBTFUL_STARTS or text[-1] in _DOUBTFUL_ENDS
        return is_doubtful or text == _USUAL_NULL

    def _quoted(self, text: str, place: int) -> str:
        quote = self._layout.quote
        if not quote:
            raise Unwritable(place)
        return f"{quote}{text.replace(quote, quote + quote)}{quote}"


class Unwritable(Exception):
    """A text that needs quotes where none are written."""

    def __init__(self, place: int) -> None:
        self.place = place


def _text(value: Any) -> str:
    """Return a number or a blob as text: all digits that a number needs, and x'e9'."""
    if isinstance(value, float):
        return repr(value) if math.isfinite(value) else f"{'-' if value < 0 else ''}Inf"
    return f"x'{value.hex()}'" if isinstance(value, bytes) else str(value)
