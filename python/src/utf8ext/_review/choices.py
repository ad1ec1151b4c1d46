"""What a person has chosen, and the UPDATEs that write it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from utf8ext._database import Database
from utf8ext._error import Error
from utf8ext._review import Reading, Unclear
from utf8ext._review.values import find_unclear, shown
from utf8ext._selection import Selection
from utf8ext._sqltext import literal, quoted
from utf8ext._verdict import AUTO, UNCLEAR

READINGS = 4  # that a person can choose by their number

ACCEPTED = (
    f"empty, leave, 1 to {READINGS}, a charset, `all` and a charset, or `text: ` and a text"
)

CHOSEN = "chosen"  # the cause of such a row of the plan


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
        self._of_column: dict[tuple[str, str], str] = {}
        self.stale: list[str] = []  # what is no longer as it was when the choice was made
        self.left: list[tuple[str, str, str]] = []  # the table, column and key of each of them
        for choice in choices:
            self._add(choice._replace(choice=choice.choice.strip()))

    def _add(self, choice: Choice) -> None:
        text, value = choice.choice, choice.value
        if not text or text.lower() == "leave":
            return
        if text.lower().startswith("all "):
            column = value.table, value.column
            self._of_column[column] = self._charset(text[4:].strip(), choice)
            return
        if not text.startswith("text:") and not text.isdigit():
            self._charset(text, choice)
        elif text.isdigit() and not 1 <= int(text) <= min(len(value.readings), READINGS):
            raise _unreadable(choice, f"there is no reading {text}")
        self._of_value[value.table, value.column, value.value] = choice

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

    def updates(self, selection: Selection) -> Iterator[tuple[str, str, object, str, str | None]]:
        """Yield table, column, key, UPDATE and the SQL that undoes it for each chosen value."""
        known = {value[:2] + (value.value,): value for value in find_unclear(self._database, selection)}
        self._check(known)
        condition, bindings = selection.where()
        for row in list(self._database.rows(_FOUND.format(condition), *bindings)):
            table, column, key, value, repaired, repair_sql, call, undo_sql = row
            text = self._text(known, table, column, value)
            if text is None:
                continue
            update = _update(table, column, repair_sql, call, text)
            yield table, column, key, update, _undo(undo_sql, repaired, text)

    def _check(self, known: dict[tuple[str, str, str], Unclear]) -> None:
        """Forget each choice whose value is not as it was."""
        for name, choice in list(self._of_value.items()):
            now, before = known.get(name), choice.value
            if now is None or str(now.key) != str(before.key):
                why = "the value is no longer there" if now is None else "its first row has another key"
            elif not _same(now.readings, before.readings):
                why = "its readings have changed"
            else:
                continue
            self.stale.append(f"{choice.place}: {before.table}.{before.column}: {why}; it is left")
            self.left.append((before.table, before.column, str(before.key)))
            del self._of_value[name]

    def _text(
        self, known: dict[tuple[str, str, str], Unclear], table: str, column: str, value: bytes
    ) -> str | None:
        """Return what was chosen for a value, or None."""
        name = table, column, shown(self._database, value)
        choice = self._of_value.get(name)
        if choice is None:
            charset = self._of_column.get((table, column))
            return charset and self._decoded(value, charset, f"{table}.{column}")
        if choice.choice.startswith("text:"):
            return choice.choice[len("text:") :].removeprefix(" ")
        if choice.choice.isdigit():
            return known[name].readings[int(choice.choice) - 1].text
        charset = self._charset(choice.choice, choice)
        return self._decoded(value, charset, f"{choice.place}: {table}.{column}")

    def _decoded(self, value: bytes, charset: str, place: str) -> str | None:
        sql = "SELECT utf8_from(substr(?, 1), ?)"
        text: str = self._database.value(sql, value, charset)
        if "\ufffd" not in text:
            return text
        self.stale.append(f"{place}: a value is not text in {charset}; it is left")
        return None


_FOUND = f"""
    SELECT table_name, column_name, key, value, repaired, repair_sql, repair_call, undo_sql
      FROM temp.utf8_audit('main', '{AUTO}')
     WHERE cause = '{UNCLEAR}' AND repair_sql IS NOT NULL AND {{0}}
"""


def _same(now: list[Reading], before: list[Reading]) -> bool:
    """Are the readings that a person saw those of now?"""
    texts = [[reading.text for reading in readings[:READINGS]] for readings in (now, before)]
    return texts[0] == texts[1]


def _unreadable(choice: Choice, why: str) -> Error:
    return Error(f"{choice.place}: the choice is {choice.choice!r}: {why}; accepted: {ACCEPTED}")


def _update(table: str, column: str, repair_sql: str, repair_call: str, text: str) -> str:
    """Return repair_sql with a text in the place of what it calls."""
    start = f'UPDATE "main".{quoted(table)} SET {quoted(column)} = '
    call = repair_call.replace("?1", quoted(column), 1)
    if not repair_sql.startswith(start + call):
        raise Error(f"{table}.{column}: an UPDATE of another form: {repair_sql[:80]}")
    return start + _literal(text) + repair_sql[len(start + call) :]


def _undo(undo_sql: str | None, repaired: str, text: str) -> str | None:
    """Return undo_sql for another text than repaired; None if it does not have that."""
    before = _literal(repaired)
    if undo_sql is None or before not in undo_sql:
        return None
    return undo_sql.replace(before, _literal(text))


def _literal(text: str) -> str:
    """Return text as SQL, as utf8_audit writes it."""
    if re.search("[\0\r]", text):
        return f"CAST(x'{text.encode().hex().upper()}' AS TEXT)"
    return literal(text)
