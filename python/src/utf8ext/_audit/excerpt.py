"""A short piece of a value around its error, before and after the repair."""

from __future__ import annotations

from collections.abc import Callable

from utf8ext._audit.findings import Finding, Window
from utf8ext._database import Database
from utf8ext._text import visible

_BEFORE, _AFTER = 24, 48  # bytes before and after the start of the error
_SEARCH = 16  # bytes in which an excerpt looks for an ASCII character to start after

# A parameter, the stored bytes, as text. Before SQLite 3.41, a CAST of the parameter itself would
# take the bytes for UTF-8, even in a UTF-16 database.
TEXT = "CAST(substr(?, 1) AS TEXT)"


class Excerpts:
    """Shows excerpts of the values of one database."""

    def __init__(self, database: Database, before: int = _BEFORE, after: int = _AFTER) -> None:
        self._database = database
        self._size = before, after
        self._encoding: str = database.value("PRAGMA encoding")
        self.utf16 = self._encoding != "UTF-8"

    def shorten(self, finding: Finding) -> Finding:
        """Return a finding whose windows are short enough to show."""
        return finding._replace(
            window=finding.window and self._cut(finding.window),
            repaired=finding.repaired and self._cut(finding.repaired),
        )

    def before(self, window: Window, style: Callable[[str], str] = str) -> str:
        """Return the text of a window, its ill-formed bytes as escapes in a style: `Jos\\xe9`."""
        sql = f"SELECT char, bytes, error FROM temp.utf8_each({TEXT})"
        text = ""
        for character, stored, error in self._database.rows(sql, window.stored):
            text += visible(character) if error is None else style(self._escape(stored))
        return _with_dots(text, window)

    def after(self, window: Window) -> str:
        """Return the text of a repaired window."""
        return _with_dots(visible(window.stored.decode(self._encoding, "replace")), window)

    # ---- where to cut: between characters, if the bytes show where one starts ----

    def _cut(self, window: Window) -> Window:
        before, after = self._size
        start = self._whole_start(window, max(window.error_at - before, 0))
        end = min(window.error_at + after, len(window.stored))
        if end < len(window.stored):
            end = self._whole_end(window.stored, end)
        return window.part(start, end)

    def _whole_start(self, window: Window, start: int) -> int:
        """Return a place from start on after an ASCII character that is not part of another one in
        any charset; if there is none nearby, the first place that splits no character."""
        stored, error_at = window.stored, window.error_at
        for place in range(start, min(start + _SEARCH, error_at)):
            if start > 0 and not self.utf16 and stored[place - 1] < 0x30:
                return place
        while 0 < start < error_at and self._splits(stored, start):
            start += 1
        return start

    def _whole_end(self, stored: bytes, end: int) -> int:
        """Return the last place up to end that splits nothing, best after an ASCII character:
        that splits nothing in any charset."""
        places = [at for at in range(end, end - 8, -1) if not self._splits(stored, at)]
        after_ascii = [at for at in places if stored[at - 1] < 0x80 and not self.utf16]
        return (after_ascii + places + [end])[0]

    def _splits(self, stored: bytes, at: int) -> bool:
        """Is at inside of a character of the database's encoding?"""
        if self.utf16:
            return at % 2 == 1 or _is_low_surrogate(stored[at : at + 2])
        return 0x80 <= stored[at] <= 0xBF

    # ---- how a code point or an ill-formed subpart is shown ----

    def _escape(self, stored: bytes) -> str:
        if self.utf16 and len(stored) == 3 and stored[0] == 0xED:
            return f"\\u{ord(stored.decode('utf-8', 'surrogatepass')):04x}"
        return "".join(f"\\x{byte:02x}" for byte in stored)


def _is_low_surrogate(unit: bytes) -> bool:
    """In either byte order. The other order of a character may match by accident: then one
    character more or less is shown."""
    return any(0xDC <= byte <= 0xDF for byte in unit)


def _with_dots(text: str, window: Window) -> str:
    return f"{'…' if window.cut_before else ''}{text}{'…' if window.cut_after else ''}"
