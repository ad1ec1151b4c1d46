"""The tokens of a CREATE statement, and which of them can be names by their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple


class Token(NamedTuple):
    """A token, and its name without quotes if it is spelled as one. SQLite takes 'name' too."""

    start: int
    text: bytes
    name: bytes | None

    @property
    def quote(self) -> bytes:
        """Return the opening quote, or the first letter of a bare name."""
        return self.text[:1]


class Statement:
    """A CREATE statement of the schema, in the bytes of a UTF-8 database."""

    def __init__(self, kind: str, sql: bytes | None) -> None:
        """kind is the type in sqlite_master."""
        self.kind = kind
        self.sql = sql or b""
        self.tokens = list(_tokens(self.sql))
        self._opening = list(self._find_opening())

    def rewritten(self, changes: Mapping[int, bytes]) -> bytes:
        """Return the SQL with other texts for some tokens."""
        parts, end = [], 0
        for place, text in sorted(changes.items()):
            token = self.tokens[place]
            parts += [self.sql[end : token.start], text]
            end = token.start + len(token.text)
        return b"".join(parts) + self.sql[end:]

    def event(self) -> str:
        """Return INSERT, UPDATE or DELETE: that of a trigger."""
        words = map(self._word, range(len(self.tokens)))
        return next((word for word in words if word in ("INSERT", "UPDATE", "DELETE")), "DELETE")

    # ---- the place of a token ----

    def is_elsewhere(self, place: int) -> bool:
        """Is it a default, or the name of a collating sequence, a type or a function?"""
        if self._word(place - 1) in ("DEFAULT", "COLLATE"):
            return True
        calls = set(map(self._word_before, self._enclosing(place)))
        return "DEFAULT" in calls or self._is_type(place) or self._is_function(place)

    def is_qualified(self, place: int) -> bool:
        """Does it have a dot before or after, which only names do?"""
        return b"." in (self._text(place - 1), self._text(place + 1))

    def is_raised(self, place: int) -> bool:
        """Is it in RAISE(), which takes a name for text until SQLite 3.46, and later does not?"""
        return "RAISE" in map(self._word_before, self._enclosing(place))

    def _is_type(self, place: int) -> bool:
        opening = self._opening[place]
        if self.kind == "table" and opening is not None and self._opening[opening] is None:
            is_first = self._text(place - 1) in (b"(", b",")
            return not is_first and self._word(place - 1) not in ("CONSTRAINT", "REFERENCES")
        return self._word_before(opening) == "CAST" and self._has_as(opening, place)

    def _has_as(self, opening: int | None, end: int) -> bool:
        places = range(opening or 0, end)
        return any(self._word(i) == "AS" and self._opening[i] == opening for i in places)

    def _is_function(self, place: int) -> bool:
        """Is there a parenthesis after it that begins no list of columns?"""
        if self._text(place + 1) != b"(" or self._word(place - 1) in _BEFORE_LIST:
            return False
        if self.kind == "index" and self._opening[place] is None:
            return False
        return not self._is_common_table(place + 1)

    def _is_common_table(self, opening: int) -> bool:
        """Does AS follow the closing parenthesis, with another one after it?"""
        places = range(opening + 1, len(self.tokens))
        inside = [place for place in places if opening in self._enclosing(place)]
        after = opening + len(inside) + 2
        while self._word(after + 1) in ("NOT", "MATERIALIZED"):
            after += 1
        return self._word(opening + len(inside) + 2) == "AS" and self._text(after + 1) == b"("

    def _enclosing(self, place: int) -> Iterator[int]:
        """Yield the opening parentheses around a token, the innermost first."""
        opening = self._opening[place]
        while opening is not None:
            yield opening
            opening = self._opening[opening]

    def _find_opening(self) -> Iterator[int | None]:
        """Yield the opening parenthesis around each token; no parenthesis is inside itself."""
        stack: list[int] = []
        for place, token in enumerate(self.tokens):
            if token.text == b")" and stack:
                stack.pop()
            yield stack[-1] if stack else None
            if token.text == b"(":
                stack.append(place)

    def _text(self, place: int) -> bytes:
        return self.tokens[place].text if 0 <= place < len(self.tokens) else b""

    def _word(self, place: int) -> str:
        return self._text(place).decode("latin-1").upper()

    def _word_before(self, opening: int | None) -> str:
        return "" if opening is None else self._word(opening - 1)


# What stands before a name that has a list of columns.
_BEFORE_LIST = ("TABLE", "VIEW", "INTO", "WITH", "RECURSIVE", "REFERENCES", "AS")

_TOKEN = re.compile(
    rb"(?:[\s\0]|\xef\xbb\xbf|--[^\n]*|/\*.*?(?:\*/|$))+"  # spaces, a BOM and comments
    rb"|(?P<blob>[xX]'[^']*')"
    rb"|(?P<quoted>\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|'(?:[^']|'')*'|\[[^\]]*\])"
    rb"|(?P<bare>[A-Za-z_\x80-\xff][A-Za-z0-9_$\x80-\xff]*)"
    rb"|(?P<other>[0-9][A-Za-z0-9_.$\x80-\xff]*|.)",
    re.DOTALL,
)

_BARE = re.compile(rb"(?=.*[\x80-\xff])[A-Za-z_\x80-\xff][A-Za-z0-9_$\x80-\xff]*", re.DOTALL)


def _tokens(sql: bytes) -> Iterator[Token]:
    for match in _TOKEN.finditer(sql):
        if match.lastgroup is not None:
            yield Token(match.start(), match[0], _name(match))


def _name(match: re.Match[bytes]) -> bytes | None:
    quoted = match["quoted"]
    if quoted is None:
        return match["bare"]
    if quoted[:1] == b"[":
        return quoted[1:-1]
    return quoted[1:-1].replace(quoted[:1] * 2, quoted[:1])


def quoted_like(name: bytes, quote: bytes) -> bytes:
    """Return a name in these quotes, or bare if that was bare and can be."""
    if quote in (b'"', b"`", b"'"):
        return quote + name.replace(quote, quote * 2) + quote
    if quote == b"[" and b"]" not in name:
        return b"[" + name + b"]"
    if quote != b"[" and _BARE.fullmatch(name):
        return name
    return b'"' + name.replace(b'"', b'""') + b'"'
