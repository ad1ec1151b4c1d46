"""The unclear values of a database: written to a file, or asked about on a terminal."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from utf8ext._database import Database
from utf8ext._error import Error
from utf8ext._newfile import new_file
from utf8ext._review import Unclear
from utf8ext._review.choices import LEAVE, NUMBER, READINGS, Choice, Choices
from utf8ext._review.sheet import write_sheet
from utf8ext._review.values import find_unclear
from utf8ext._selection import Selection
from utf8ext.command.progress import scan_bar
from utf8ext.command.terminal import is_terminal, number, shown_key, styled, visible


def write_review(database: Database, selection: Selection, path: Path) -> bool:
    """Write the unclear values to a new file. Return whether there are any."""
    with new_file(path) as new:
        with scan_bar(database), new.open() as file:
            values, columns = write_sheet(file, find_unclear(database, selection))
        if values:
            new.publish()
        else:
            new.withdraw()
    if not values:
        click.echo(visible(f"{database.path}: nothing is unclear"))
        return False
    what = f"{number(values, 'unclear value')} in {number(columns, 'column')}"
    names = f"{shlex.quote(str(database.path))} --choices {shlex.quote(str(path))}"
    click.echo(visible(f"{path}: {what}; fill in the column choice, then: utf8ext repair {names}"))
    return True


# ---- on a terminal ---------------------------------------------------------------------

_HELP = (
    f"1 to {READINGS}: that reading; a charset; `text: ` and a text; Enter leaves it; `a` and a number "
    "or a charset: all of the column; q ends"
)


def ask(database: Database, selection: Selection) -> list[tuple[Unclear, str]] | None:
    """Ask about each unclear value. Return the choices; None if the person wants none applied."""
    if not (is_terminal(sys.stdin) and is_terminal(sys.stdout)):
        raise Error("--ask needs a terminal", "--review FILE writes a file to fill in")
    values = list(find_unclear(database, selection))
    choices: list[tuple[Unclear, str]] = []
    decided: set[tuple[str, str]] = set()
    if values:
        click.echo(_HELP)
    for place, value in enumerate(values, 1):
        if value[:2] in decided:
            continue
        _show(value, f"{place:,} of {len(values):,}")
        answer = _answer(database, value)
        if answer == "q":
            count = sum(choice != LEAVE for _, choice in choices)
            return choices if count and click.confirm(f"Apply {number(count, 'choice')}?") else None
        if answer.startswith("all "):
            decided.add(value[:2])
        choices.append((value, answer or LEAVE))  # also against what then decides the column
    return choices


def _show(value: Unclear, place: str) -> None:
    rows = number(value.rows, "row")
    title = visible(f"{value.table}.{value.column}, key {shown_key(value.key)}, {rows} ({place})")
    click.echo(f"\n{styled(title, bold=True)}\n   {visible(value.value)}")
    for n, reading in enumerate(value.readings[:READINGS], 1):
        how = f"{reading.charset or reading.cause}, {reading.probability:.0%}"
        click.echo(visible(f"{n}  {reading.text}  ({how})"))


def _answer(database: Database, value: Unclear) -> str:
    """Ask until the answer is a choice."""
    while True:
        answer = click.prompt("choice", default="", show_default=False, prompt_suffix=": ").strip()
        if answer.lower() == "q":
            return "q"
        answer = _spelled(value, answer)
        try:
            Choices(database, [Choice(value, answer, "")])
        except Error as error:
            click.echo(visible(str(error).removeprefix(": ")))
            continue
        return answer


def _spelled(value: Unclear, answer: str) -> str:
    """Return an answer as a choice: `a 2` is `all` and the charset of reading 2."""
    head, _, rest = answer.partition(" ")
    if head.lower() == "a" or (head[:1].lower() == "a" and NUMBER.fullmatch(head[1:])):
        rest = (rest or head[1:]).strip()
        if NUMBER.fullmatch(rest) and 1 <= int(rest) <= min(len(value.readings), READINGS):
            rest = value.readings[int(rest) - 1].charset or rest
        return f"all {rest}"
    return answer
