"""An export: the whole file, or nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from utf8ext._database import Database
from utf8ext._engine import Charset, Engine
from utf8ext._error import Error
from utf8ext._export import Exported
from utf8ext._export.fields import NEWLINES, Fields, Layout, Unwritable, check_layout
from utf8ext._export.rows import Selected
from utf8ext._files.encoder import Encoder, check_loss, named, stop_of
from utf8ext._output import open_output
from utf8ext._progress import Progress
from utf8ext._stream import Bytes

_BATCH = 1 << 16  # characters that are encoded at once

# With these, `bom` writes U+FEFF first; the others of the second kind do that on their own.
_UNMARKED = ("utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "gb18030")
_MARKED = ("utf-8-bom", "utf-16", "utf-32")


class Options(NamedTuple):
    """How to export."""

    table: str | None
    query: str | None
    charset: str
    bom: bool
    loss: str
    delimiter: str
    quote: str
    newline: str
    null: str
    header: bool
    policy: str | None


def run(database: str, output: str, options: Options, progress: Progress) -> Exported:
    """Export, or leave the output as it is if that fails."""
    engine = Engine()
    charset, layout = _checked(engine, options)
    _check_output(database, output)
    with Database(Path(database)) as opened:
        selected = Selected(opened, options.table, options.query, options.policy)
        fields = Fields(layout, _is_ebcdic(engine, charset), len(selected.columns))
        export = _Export(engine, selected, fields, layout, charset, options)
        title = f"Exporting {selected.name}"
        with open_output(output) as file, opened.reading(lambda part: progress(title, part)):
            for part in export.parts():
                file.write(part)
        return export.result()


def _checked(engine: Engine, options: Options) -> tuple[Charset, Layout]:
    """Refuse what an option does not accept before anything is read."""
    if (options.table is None) == (options.query is None):
        raise Error("name a table or view, or a query")
    check_loss(engine, options.loss)
    charset = engine.charset(options.charset)
    if options.newline not in NEWLINES:
        raise Error(f"the newline is {options.newline!r}; accepted: {', '.join(NEWLINES)}")
    if options.newline == "nel" and not _is_ebcdic(engine, charset):
        raise Error(f"the newline is 'nel', which ends lines in EBCDIC only, not in {charset.name}")
    if options.bom and charset.name not in _UNMARKED + _MARKED:
        raise Error(f"{charset.name} has no byte order mark")
    if options.policy is not None:
        engine.value("SELECT utf8_repair('', ?)", options.policy)
    layout = Layout(options.delimiter, options.quote, NEWLINES[options.newline], options.null)
    check_layout(layout)
    marks = "".join(layout)
    if engine.value("SELECT utf8_to(?, ?) IS NULL", marks, charset.name):
        raise Error(f"{charset.name} lacks a character of the delimiter, the quote or null")
    return charset, layout


def _is_ebcdic(engine: Engine, charset: Charset) -> bool:
    return bool(engine.value("SELECT utf8_from(x'1525', ?)", charset.name) == "\x85\n")


def _check_output(database: str, output: str) -> None:
    """Refuse an output that would replace the database, or a file that SQLite keeps beside it."""
    path = os.path.realpath(database)
    for suffix in ("", "-wal", "-shm", "-journal"):
        if os.path.realpath(output) == path + suffix:
            raise Error(f"{output}: the output would replace this file")
    if os.path.exists(output) and os.path.exists(database) and os.path.samefile(output, database):
        raise Error(f"{output}: the output would replace this file")


_Rows = list[tuple[int, list[str]]]  # the number and the fields of each


class _Export:
    """The bytes of a CSV file."""

    def __init__(
        self,
        engine: Engine,
        selected: Selected,
        fields: Fields,
        layout: Layout,
        charset: Charset,
        options: Options,
    ) -> None:
        self._selected = selected
        self._fields = fields
        self._layout = layout
        self._charset = charset
        self._header = options.header
        self._mark = "\ufeff" if options.bom and charset.name in _UNMARKED else ""
        self._encoder = Encoder(engine, charset, selected.name, options.loss)
        self._rows = 0
        self._first: str | None = None

    def result(self) -> Exported:
        selected, encoder = self._selected, self._encoder
        found = selected.repaired, encoder.replaced, self._first
        return Exported(selected.name, selected.columns, self._rows, self._charset.name, *found)

    def parts(self) -> Iterator[Bytes]:
        """Yield the file in parts, each of which is overwritten when the next one is made."""
        if self._mark:
            yield from self._encoder.encode(self._mark.encode(), False, True)
        for rows, text in self._batches():
            yield from self._encoded(rows, text)
        yield from self._encoder.encode(b"", True, True)

    def _batches(self) -> Iterator[tuple[_Rows, str]]:
        """Yield rows that are encoded at once, and their text."""
        rows: _Rows = []
        lines: list[str] = []
        size = 0
        for number, fields in self._records():
            line = self._layout.delimiter.join(fields) + self._layout.newline
            rows.append((number, fields))
            lines.append(line)
            size += len(line)
            if size >= _BATCH:
                yield rows, "".join(lines)
                rows, lines, size = [], [], 0
        yield rows, "".join(lines)

    def _records(self) -> Iterator[tuple[int, list[str]]]:
        """Yield the number of each row, -1 for the header, and its fields."""
        number = -1
        try:
            if self._header:
                yield number, self._fields.row(tuple(self._selected.columns))
            for number, row in enumerate(self._selected.rows()):
                yield number, self._fields.row(row)
                self._rows += 1
        except Unwritable as error:
            where = self._selected.place(number, error.place)
            what = "the text needs quotes, or could be taken for NULL"
            raise Error(f"{where}: {what}", "name a --quote, another --delimiter or --null") from None

    def _encoded(self, rows: _Rows, text: str) -> Iterator[Bytes]:
        replaced = self._encoder.replaced
        try:
            yield from self._encoder.encode(text.encode(), False, True)
        except Error as error:
            raise self._lacking(rows) or error from None
        if self._encoder.replaced > replaced and not self._first:
            self._first = self._found(rows)

    def _lacking(self, rows: _Rows) -> Error | None:
        found = self._found(rows)
        hint = "to write something else for it, say --loss closest"
        return Error(f"{found} is not in {self._charset.name}", hint) if found else None

    def _found(self, rows: _Rows) -> str | None:
        """Return where the first character is that the charset lacks: `people.name, key 2: U+20AC €`."""
        for number, fields in rows:
            if "".join(fields).isascii():
                continue
            for place, field in enumerate(fields):
                text = field.encode()
                stop = stop_of(self._charset.name, text)
                if stop < len(text):
                    return f"{self._selected.place(number, place)}: {named(text[stop:])}"
        return None
