"""How a report shows text and bytes of a database: hostile until shown otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from os.path import commonprefix

from markupsafe import Markup, escape

from utf8ext._database import Database
from utf8ext.command.page.kinds import ILL_FORMED
from utf8ext._audit.excerpt import TEXT, Excerpts
from utf8ext._audit.findings import Finding, Window
from utf8ext.command.terminal import is_hidden

_JOINERS = "\u200c\u200d"  # invisible, but part of words in Persian and Hindi, and of emoji
_POLICIES = ("subpart", "byte", "run", "cesu-8", "trim", "escape", "windows-1252", "latin1")
_UTF16_POLICIES = ("subpart", "byte", "run", "trim", "escape")


# ---- text --------------------------------------------------------------------------------------


def visible(text: object, keep: str = _JOINERS) -> Markup:
    """Return text as HTML; each hidden character becomes a box such as U+202E, except keep."""
    pieces: list[Markup] = []
    for boxed, characters in groupby(str(text), lambda c: is_hidden(c) and c not in keep):
        pieces += map(_box, characters) if boxed else [escape("".join(characters))]
    return Markup("").join(pieces)


def _box(character: str) -> Markup:
    return Markup('<span class="box">U+{:04X}</span>').format(ord(character))


def visible_sql(sql: str) -> Markup:
    """Return a statement as HTML, with its line breaks."""
    return visible(sql, keep="\n\t" + _JOINERS)


def copyable(sql: str) -> bool:
    """Return whether visible_sql() shows no boxes, so that the statement can be copied."""
    return not any(is_hidden(c) and c not in "\n\t" + _JOINERS for c in sql)


def short(text: object, limit: int = 64) -> str:
    """Return text cut to a number of characters."""
    text = str(text)
    return text if len(text) <= limit else text[: limit - 1] + "…"


# ---- values ------------------------------------------------------------------------------------


@dataclass
class Piece:
    """A stretch of a value: text, or what is wrong. text is empty for ill-formed bytes."""

    stored: bytes
    text: str
    marked: bool

    @property
    def hex(self) -> str:
        return self.stored.hex(" ").upper()


@dataclass
class Outcome:
    """What policies make of a value; several have the same result."""

    policies: list[str]
    text: str


class Viewer:
    """Reads windows with the functions of utf8ext."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._excerpts = Excerpts(database)
        self.encoding: str = database.value("PRAGMA encoding")

    def pieces(self, finding: Finding) -> list[Piece]:
        """Split the window of a value so that what is wrong can be marked."""
        assert finding.window is not None
        if finding.error in ILL_FORMED:
            return list(_joined(self._steps(finding.window)))
        return list(self._suspicious(finding, finding.window))

    def _steps(self, window: Window) -> Iterator[Piece]:
        """Yield each code point and each ill-formed subpart."""
        at = 0
        sql = f"SELECT length, char, error FROM temp.utf8_each({TEXT}) ORDER BY offset"
        for length, character, error in self._database.rows(sql, window.stored):
            size = _utf16_size(length, error) if self._excerpts.utf16 else length
            yield Piece(window.stored[at : at + size], character or "", error is not None)
            at += size

    def _suspicious(self, finding: Finding, window: Window) -> Iterator[Piece]:
        """Mark the first suspicious code point, or misread text from its start to its end."""
        before = window.stored[: window.error_at].decode(self.encoding, "replace")
        after = window.stored[window.error_at :].decode(self.encoding, "replace")
        marked = self._misread(finding, after) if finding.error == "mojibake" else after[:1]
        pieces = (before, False), (marked, True), (after[len(marked) :], False)
        return (Piece(text.encode(self.encoding), text, mark) for text, mark in pieces if text)

    def _misread(self, finding: Finding, text: str) -> str:
        """Return text up to where repair changes nothing more."""
        after = self._repaired(finding)
        return text[: len(text) - len(commonprefix([text[::-1], after[::-1]]))]

    def _repaired(self, finding: Finding) -> str:
        return finding.repaired.stored.decode(self.encoding, "replace") if finding.repaired else ""

    def outcomes(self, finding: Finding) -> list[Outcome]:
        """Return the repair by cause, and what policies make of the window; equal ones together."""
        assert finding.window is not None
        results: dict[str, Outcome] = {}
        for name, text in self._outcomes(finding, finding.window):
            results.setdefault(text, Outcome([], text)).policies.append(name)
        return list(results.values())

    def _outcomes(self, finding: Finding, window: Window) -> Iterator[tuple[str, str]]:
        if finding.repaired:
            yield f"by cause: {finding.cause}" if finding.error in ILL_FORMED else "repaired", (
                self._repaired(finding)
            )
        if finding.error in ILL_FORMED:
            sql = f"SELECT utf8_repair({TEXT}, ?)"
            for policy in _UTF16_POLICIES if self._excerpts.utf16 else _POLICIES:
                yield policy, self._database.value(sql, window.stored, policy)


def _utf16_size(length: int, error: str | None) -> int:
    """Return the bytes in UTF-16 of what has this length in UTF-8."""
    if error == "truncated":
        return 1
    return 4 if length == 4 else 2


def _joined(steps: Iterator[Piece]) -> Iterator[Piece]:
    """Join neighbouring well-formed code points; each error stays alone."""
    for marked, group in groupby(steps, key=lambda piece: piece.marked):
        if marked:
            yield from group
        else:
            run = list(group)
            yield Piece(b"".join(p.stored for p in run), "".join(p.text for p in run), False)
