"""What a person has chosen, and the UPDATEs that write it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, partial
from typing import Any, NamedTuple, TypeVar

from utf8ext._database import Database
from utf8ext._error import Error
from utf8ext._review import Reading, Unclear
from utf8ext._review.values import find_unclear, shown
from utf8ext._selection import Selection
from utf8ext._sqltext import literal
from utf8ext._table import Table, read_table
from utf8ext._verdict import AUTO, UNCLEAR

READINGS = 4  # that a person can choose by their number

ACCEPTED = (
    f"empty, leave, 1 to {READINGS}, a charset, `all` and a charset, or `text: ` and a text"
)

NUMBER = re.compile("[0-9]{1,9}")  # str.isdigit() also accepts ²
LEAVE = "leave"


class Choice(NamedTuple):
    """A choice about an unclear value."""

    value: Unclear
    choice: str
    place: str  # for messages: `choices.csv:2`


class Choices:
    """All choices, checked: what cannot be read is an Error before anything is changed."""

    def __init__(self, database: Database, choices: Iterable[Choice]) -> None:
        self._database = database
        self._of_value: dict[tuple[str, str, str], Choice] = {}
        self._of_column: dict[tuple[str, str], Choice] = {}  # whose choice is a charset
        self._not_text: Counter[tuple[str, str]] = Counter()  # values by place and charset
        self.stale: list[str] = []  # what is no longer as it was when the choice was made
        self._left: set[tuple[str, str, str]] = set()  # the table, column and value of what stays
        for choice in choices:
            self._add(choice._replace(choice=_stripped(choice.choice)))

    def _add(self, choice: Choice) -> None:
        text, value = choice.choice, choice.value
        if _SURROGATE.search(text):  # from Python, or typed on a terminal
            raise _unreadable(choice, "it is not Unicode")
        if text.lower().startswith("all "):
            charset = self._charset(text[4:].strip(), choice)
            _put(self._of_column, value[:2], choice._replace(choice=charset))
        elif text:
            self._check_choice(choice)
            _put(self._of_value, (value.table, value.column, value.value), choice)

    def _check_choice(self, choice: Choice) -> None:
        text = choice.choice
        if NUMBER.fullmatch(text):
            if not 1 <= int(text) <= min(len(choice.value.readings), READINGS):
                raise _unreadable(choice, f"there is no reading {text}")
        elif not _is_left(choice) and _own_text(text) is None:
            self._charset(text, choice)

    def _charset(self, name: str, choice: Choice) -> str:
        """Return a charset's usual name."""
        sql = """SELECT name FROM utf8_charsets
                  WHERE name = utf8_charset_name(?) AND kind <> 'utf-8 dialect'"""
        try:
            found = self._database.value(sql, name)
        except Error:
            found = None
        if found is None:
            raise _unreadable(choice, f"{name!r} is not a charset")
        return str(found)

    # ---- what they change ----

    def updates(self, selection: Selection) -> Iterator[Update]:
        """Yield the UPDATE of each chosen value, and note what is left."""
        known = {value[:2] + (value.value,): value for value in find_unclear(self._database, selection)}
        self._forget_others(selection)
        self._check(known)
        table_of = cache(partial(read_table, self._database))
        for table, column, key, value, has_undo in self._found(_UNCLEAR, selection):
            text = self._text(known, table, column, value)
            if text is not None:
                update = _update(table_of(table), column, key, value, text)
                yield update if has_undo else update._replace(undo_sql=None)
        for (place, charset), count in self._not_text.items():
            self.stale.append(f"{place}: {_not_text(count)} in {charset}")

    def left(self, selection: Selection) -> Iterator[tuple[str, str, object]]:
        """Yield table, column and key of what stays, although by now its neighbours may show what it is."""
        columns = {name[:2] for name in self._left}
        for table, column, key, value, _ in self._found(_DECIDED, selection) if columns else ():
            if (table, column) in columns and (table, column, shown(self._database, value)) in self._left:
                yield table, column, key

    def _found(self, condition: str, selection: Selection) -> list[tuple[Any, ...]]:
        selected, bindings = selection.where()
        return list(self._database.rows(f"{_FOUND} AND {condition} AND {selected}", *bindings))

    def _forget_others(self, selection: Selection) -> None:
        """Forget the choices about what is not selected."""
        of_value, of_column = self._of_value.items(), self._of_column.items()
        self._of_value = {name: choice for name, choice in of_value if selection.has(*name[:2])}
        self._of_column = {name: choice for name, choice in of_column if selection.has(*name)}

    def _check(self, known: dict[tuple[str, str, str], Unclear]) -> None:
        """Leave each value that is not as it was when the choice was made."""
        columns = {value[:2] for value in known.values()}
        for column, choice in self._of_column.items():
            if column not in columns:
                self._note(choice, "no value is unclear")
        for name, choice in list(self._of_value.items()):
            now, before = known.get(name), choice.value
            if _is_left(choice):
                self._left.add(name)
                continue
            if now is None or str(now.key) != str(before.key):
                why = (
                    "the value is no longer there, or no longer unclear"
                    if now is None
                    else "its first row has another key"
                )
            elif not _same(now.readings, before.readings):
                why = "its readings have changed"
            else:
                continue
            self._note(choice, f"{why}; it is left")
            self._left.add(name)
            self._of_value[name] = choice._replace(choice=LEAVE)

    def _note(self, choice: Choice, why: str) -> None:
        self.stale.append(f"{choice.place}: {choice.value.table}.{choice.value.column}: {why}")

    def _text(
        self, known: dict[tuple[str, str, str], Unclear], table: str, column: str, value: bytes
    ) -> str | None:
        """Return what was chosen for a value, or None."""
        name = table, column, shown(self._database, value)
        choice = self._of_value.get(name) or self._of_column.get((table, column))
        if choice is None or _is_left(choice):
            return None
        if NUMBER.fullmatch(choice.choice):
            return known[name].readings[int(choice.choice) - 1].text
        text = _own_text(choice.choice)
        return self._decoded(value, choice) if text is None else text

    def _decoded(self, value: bytes, choice: Choice) -> str | None:
        charset = self._charset(choice.choice, choice)
        sql = "SELECT utf8_from(substr(?, 1), ?)"
        text: str = self._database.value(sql, value, charset)
        if "\ufffd" not in text:
            return text
        self._not_text[f"{choice.place}: {choice.value.table}.{choice.value.column}", charset] += 1
        return None


_FOUND = f"""
    SELECT table_name, column_name, key, value, undo_sql IS NOT NULL FROM temp.utf8_audit('main', '{AUTO}')
     WHERE repair_sql IS NOT NULL
"""

_UNCLEAR, _DECIDED = f"cause = '{UNCLEAR}'", f"cause <> '{UNCLEAR}'"


class Update(NamedTuple):
    """The UPDATE of a value. Keys finds the row of a column of a key, which other UPDATEs change."""

    table: str
    column: str
    key: object
    call: str  # what it writes, as SQL
    repair_sql: str
    undo_sql: str | None


_SURROGATE = re.compile("[\ud800-\udfff]")

_Name = TypeVar("_Name", bound=tuple[str, ...])


def _put(choices: dict[_Name, Choice], name: _Name, choice: Choice) -> None:
    other = choices.setdefault(name, choice)
    if other.choice != choice.choice:
        both = f"{choice.choice!r} is chosen, but {other.choice!r} at {other.place}"
        raise Error(f"{choice.place}: {'.'.join(name[:2])}: {both}")


def _stripped(text: str) -> str:
    """Return a choice without the blanks around it, of which those at its end may be of a text."""
    return text.lstrip() if _own_text(text) is not None else text.strip()


def _is_left(choice: Choice) -> bool:
    return choice.choice.lower() == LEAVE


def _own_text(choice: str) -> str | None:
    """Return the text after `text: `; None if the choice is another."""
    start, colon, text = choice.partition(":")
    return text.removeprefix(" ") if colon and start.strip().lower() == "text" else None


def _not_text(count: int) -> str:
    return "a value is not text" if count == 1 else f"{count:,} values are not text"


def _same(now: list[Reading], before: list[Reading]) -> bool:
    """Are the readings that a person saw those of now?"""
    texts = [[reading.text for reading in readings[:READINGS]] for readings in (now, before)]
    return texts[0] == texts[1]


def _unreadable(choice: Choice, why: str) -> Error:
    return Error(f"{choice.place}: the choice is {choice.choice!r}: {why}; accepted: {ACCEPTED}")


def _update(table: Table, column: str, key: object, value: bytes, text: str) -> Update:
    new, old = _literal(text), f"CAST(x'{value.hex()}' AS TEXT)"
    update, undo = table.update(column, new, key), table.undo(column, old, key, new)
    return Update(table.name, column, key, new, update, undo)


def _literal(text: str) -> str:
    """Return text as SQL, as utf8_audit writes it."""
    is_quotable = "\0" not in text and "\r" not in text
    return literal(text) if is_quotable else f"CAST(x'{text.encode().hex()}' AS TEXT)"
