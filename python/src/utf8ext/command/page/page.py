"""Makes the HTML page of a report, which stays below 2 MB whatever the database holds."""

from __future__ import annotations

import base64
import hashlib
import os
import shlex
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

import utf8ext
from utf8ext._database import Database
from utf8ext._error import Error
from utf8ext._sqltext import quoted
from utf8ext._verdict import MISREAD
from utf8ext.command import terminal
from utf8ext.command.page.chart import Charts
from utf8ext.command.page.data import Collector, Column, Group
from utf8ext.command.page.kinds import ILL_FORMED, MEANINGS, POLICIES, SECTIONS, Section
from utf8ext.command.page.value import Viewer, copyable, short, visible, visible_sql
from utf8ext._audit.findings import Finding

_MAX_SECTIONS = 1_200_000  # bytes of HTML for columns and their values; the rest has fixed limits
_MAX_OVERVIEW = 100  # columns in the overview
_MAX_CARDS = 9  # values shown of one column in one section
_DEMOJIBAKE = "utf8_demojibake(?1)"  # what repairs a value that shows alone that it was misread
_FOLDER = Path(__file__).parent

_BINARY = (
    "They seem to be binary data, such as pictures, so every repair would lose bytes. Stored as "
    "BLOB they keep them all: CAST(column AS BLOB)."
)


@dataclass
class SectionView:
    """A <section> of the page: its columns as HTML, and how many did not fit."""

    about: Section
    columns: list[Markup] = field(default_factory=list)
    omitted: int = 0


class Page:
    """Renders the findings of a collector."""

    def __init__(self, database: Database, collector: Collector, suspects: bool) -> None:
        self.database = database
        self.collector = collector
        self.suspects = suspects
        self.viewer = Viewer(database)
        self.environment = _environment()
        self.room = _MAX_SECTIONS
        self.number = 0

    def render(self) -> str:
        """Return the page."""
        columns = self.collector.columns
        css = (_FOLDER / "page.css").read_text("utf-8")
        digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
        return self.environment.get_template("page.html.jinja").render(
            css=Markup(css),
            css_hash=digest,
            facts=self._facts(),
            suspects=self.suspects,
            file_argument=_argument(terminal.visible(self.database.path.name)),
            columns=columns,
            overview_columns=columns[:_MAX_OVERVIEW],
            values=sum(column.values for column in columns),
            ill_formed=sum(g.values for c in columns for g in c.of_kinds(ILL_FORMED)),
            outcome=self.collector.outcome(),
            charts=Charts(columns),
            sections=list(self._sections(columns)),
            gaps=self.collector.gaps,
            gap_count=self.collector.gap_count,
            meanings=MEANINGS,
            policies=POLICIES,
        )

    def _facts(self) -> dict[str, Any]:
        value = self.database.value
        return {
            "name": self.database.path.name,
            "size": self.database.path.stat().st_size,
            "pages": self.database.page_count(),
            "page_size": value("PRAGMA main.page_size"),
            "tables": 1
            + value("SELECT count(*) FROM sqlite_master WHERE rootpage > 0 AND type = 'table'"),
            "encoding": self.viewer.encoding,
            "sqlite": value("SELECT sqlite_version()"),
            "utf8ext": utf8ext.__version__,
            "date": _date(),
        }

    def _sections(self, columns: list[Column]) -> Iterator[SectionView]:
        for section in SECTIONS:
            found = [column for column in columns if column.of_kinds(section.kinds)]
            if found:
                yield self._section(section, found)

    def _section(self, section: Section, columns: list[Column]) -> SectionView:
        view = SectionView(section)
        for column in columns:
            html = self._column(column, section) if not view.omitted else Markup()
            if view.omitted or len(html.encode()) > self.room:
                view.omitted += 1
                continue
            self.room -= len(html.encode())
            view.columns.append(html)
        return view

    def _column(self, column: Column, section: Section) -> Markup:
        groups = column.of_kinds(section.kinds)
        self.number += 1
        statements = list(_statements(column, groups, section))
        html = self.environment.get_template("column.jinja").render(
            id=f"column-{self.number}",
            column=column,
            groups=groups,
            values=sum(group.values for group in groups),
            cause_note=_cause_note(column, section),
            statements=statements,
            by_value=any(group.updates for group in groups),
            cards=[self._card(finding, column) for finding in _first(groups)],
        )
        return Markup(html)

    def _card(self, finding: Finding, column: Column) -> dict[str, Any]:
        known = finding.key is not None
        return {
            "value": finding,
            "place": f"Row {short(finding.key)}" if known else "A row without a key",
            "pieces": self.viewer.pieces(finding),
            "outcomes": self.viewer.outcomes(finding),
        }


def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        visible=visible,
        visible_sql=visible_sql,
        visible_text=terminal.visible,
        short=short,
        number="{:,}".format,
        plural=terminal.number,
    )
    environment.tests["copyable"] = copyable
    environment.globals["ill_formed_kinds"] = ILL_FORMED
    return environment


def _argument(name: str) -> str:
    """Return the name of a file as an argument of a command, which no shell or option changes."""
    return shlex.quote(f"./{name}" if name.startswith("-") else name)


def _date() -> str:
    seconds = os.environ.get("SOURCE_DATE_EPOCH")
    try:
        moment = time.gmtime(int(seconds) if seconds else None)
    except (ValueError, OverflowError, OSError):
        raise Error(f"SOURCE_DATE_EPOCH is {seconds!r}; accepted: a number of seconds") from None
    return time.strftime("%Y-%m-%d %H:%M UTC", moment)


def _first(groups: list[Group]) -> list[Finding]:
    """Return values of each kind: if not all fit, the first of each kind goes first."""
    ranked = [(i, finding) for group in groups for i, finding in enumerate(group.first)]
    ranked.sort(key=lambda pair: pair[0])
    chosen = {id(finding) for _, finding in ranked[:_MAX_CARDS]}
    return [finding for group in groups for finding in group.first if id(finding) in chosen]


def _cause_note(column: Column, section: Section) -> str:
    if section.kinds is not ILL_FORMED or not column.causes:
        return ""
    if list(column.causes) == ["binary"]:
        return _BINARY
    causes = [f"{cause} {count:,}" for cause, count in column.causes.most_common()]
    return f"What happened, most likely: {', '.join(causes)}."


def _statements(column: Column, groups: list[Group], section: Section) -> Iterator[tuple[str, str]]:
    """Yield the UPDATEs of the whole column: one for ill-formed text, else one for each kind."""
    if section.kinds is ILL_FORMED:
        yield from _statement("Repair the whole column", column, groups, "NOT utf8_valid({})")
        return
    for group in groups:
        if group.kind == MISREAD and group.calls != {_DEMOJIBAKE}:
            continue  # utf8_suspect does not find what only the column shows
        condition = f"utf8_suspect({{}}) = '{group.kind}'"
        yield from _statement(f"Repair {group.kind}", column, [group], condition)


def _statement(
    label: str, column: Column, groups: list[Group], condition: str
) -> Iterator[tuple[str, str]]:
    """Yield an UPDATE of the whole column, if one call repairs all values."""
    calls = set().union(*(group.calls for group in groups))
    is_all = all(group.updates == group.values for group in groups)
    if is_all and len(calls) == 1:
        table, name = quoted(column.table), quoted(column.name)
        call = calls.pop().replace("?1", name, 1)
        where = f"typeof({name}) = 'text' AND {condition.format(name)}"
        yield label, f'UPDATE "main".{table} SET {name} = {call} WHERE {where};'
