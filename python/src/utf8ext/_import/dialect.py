"""How the fields of a CSV file are written: delimiter, quotes, escapes and NULL."""

from __future__ import annotations

import re
from typing import NamedTuple, Optional

Cell = Optional[str]

BACKSLASH = "\\"

# Delimiters that are looked for in a file.
DELIMITERS = ",;\t|"
LONG_DELIMITERS = ("||", "~|~", "\t|\t", "|~|", "|^|", "^|^", ";;", "::", "~~", "^^", "##", "@@")
RARE_DELIMITERS = "\x01^~:"  # of files that have none of the others in their first record


class Dialect(NamedTuple):
    """How the fields of a line are written."""

    delimiter: str
    quote: str = '"'  # '' if quotes are text
    escape: str = ""  # a backslash; '' if a quote is doubled and nothing is escaped
    null: str | None = None  # a field that is NULL unless it is in quotes
    only_quotes: bool = False  # does the backslash escape quotes only?
    skips_spaces: bool = False  # after a delimiter
    long: str = ""  # the delimiter if it has several characters, for which LONG_MARK stands

    @property
    def written_delimiter(self) -> str:
        """The delimiter as it is in the file."""
        return self.long or self.delimiter

    def summary(self) -> str:
        """Return how all is written: `delimiter ;, quote \"`."""
        words = [f"delimiter {_shown(self.written_delimiter)}"]
        words.append(f"quote {self.quote}" if self.quote else "no quotes")
        words += [f"escape {self.escape}"] if self.escape else []
        words += [f"NULL {self.null or 'where a field is empty'}"] if self.null is not None else []
        return ", ".join(words)

    def described(self) -> str:
        """Return what is unusual in it: `quotes escaped by \\, \\N is NULL`."""
        words = [f"fields separated by {_shown(self.long)}"] if self.long else []
        if not self.quote:
            words.append("no quotes")
        elif self.quote != '"':
            words.append(f"quoted by {self.quote}")
        if self.escape:
            words.append(f"{'quotes' if self.quote else 'fields'} escaped by {self.escape}")
        if self.null is not None:
            words.append(f"{self.null or 'an empty field'} is NULL")
        return ", ".join(words)


def dialect_of(delimiter: str) -> Dialect:
    """Return the usual dialect with a delimiter of one or more characters."""
    return Dialect(LONG_MARK, long=delimiter) if len(delimiter) > 1 else Dialect(delimiter)


# Stands for a delimiter of several characters while csv reads a line. No text has it.
LONG_MARK = "\ud801"


def _shown(delimiter: str) -> str:
    return delimiter.replace("\t", "\\t")


# An escape is one surrogate while csv reads a line, so that an escaped delimiter is text for it.
# Surrogates that stand for bytes, U+DC80 to U+DCFF, are others.
_FIRST = 0xD880

# What MySQL and PostgreSQL write for control characters.
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "Z": "\x1a"}

_ESCAPE = re.compile(r"\\(\r\n|[\x00-\x7f])", re.DOTALL)


def _hidden(character: str) -> str:
    return chr(_FIRST + ord(character))


class Escapes:
    """The escapes of a dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._only_quotes = re.compile(rf"(\\+)({re.escape(dialect.quote)})") if dialect.only_quotes else None
        self._null = _hidden("N") if dialect.null == r"\N" else None
        self._table = {_FIRST + code: _meaning(dialect, chr(code)) for code in range(128)}
        self._written = {_FIRST + code: BACKSLASH + chr(code) for code in range(128)}

    def hide(self, line: str) -> str:
        """Return a line with a surrogate for each escape."""
        if self._only_quotes:
            return self._only_quotes.sub(_hide_before_quote, line)
        return _ESCAPE.sub(lambda match: "".join(map(_hidden, match[1])), line)

    def ends_open(self, hidden: str) -> bool:
        """Does a line end with an escaped line break?"""
        return hidden.endswith((_hidden("\n"), _hidden("\r")))

    def shown(self, cell: str) -> Cell:
        """Return what a cell is; None for NULL."""
        return None if cell == self._null else cell.translate(self._table)

    def written(self, text: str) -> str:
        """Return text as it is in the file."""
        return text.translate(self._written)


def _meaning(dialect: Dialect, character: str) -> str:
    """Return what an escaped character stands for. One that no program writes keeps its backslash."""
    if character in _CONTROLS and (not dialect.quote or (character == "0" and dialect.null)):
        return _CONTROLS[character]
    return BACKSLASH + character if character.isalnum() else character


def _hide_before_quote(match: re.Match[str]) -> str:
    """A backslash before a quote, or before such a backslash, is an escape."""
    pairs, is_escaped = divmod(len(match[1]), 2)
    return _hidden(BACKSLASH) * pairs + (_hidden(match[2]) if is_escaped else match[2])


def field_pattern(dialect: Dialect) -> re.Pattern[str]:
    """Match a field; groups: the one in quotes, and what follows its closing quote."""
    other = f"[^{re.escape(dialect.delimiter)}\\r\\n]*"
    if not dialect.quote:
        return re.compile(f"()(){other}")
    quote = re.escape(dialect.quote)
    spaces = " *" if dialect.skips_spaces else ""
    return re.compile(f"{spaces}({quote}(?:[^{quote}]+|{quote}{quote})*(?:{quote}|\\Z))({other})|{other}")
