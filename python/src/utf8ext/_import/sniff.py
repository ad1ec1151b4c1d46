"""Finds out how a text file is written: JSON lines, or which dialect of CSV."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import chain, dropwhile, islice
from typing import NamedTuple

from utf8ext._import.dialect import (
    BACKSLASH,
    DELIMITERS,
    LONG_DELIMITERS,
    LONG_MARK,
    RARE_DELIMITERS,
    Dialect,
    dialect_of,
)
from utf8ext._import.log import Log
from utf8ext._import.preamble import refuse_preamble
from utf8ext._import.rows import CsvRows, Layout
from utf8ext._import.source import Source

_ENDINGS = {
    ".json": "json",
    ".tsv": "\t",
    ".tab": "\t",
    ".jsonl": "json",
    ".ndjson": "json",
    ".jsonlines": "json",
}

_SEPARATOR_LINE = re.compile(r"\"?sep=([^\"\r\n\0])\"?\r?\n?", re.ASCII)

_LINES = 2000  # that are read to compare dialects
_CHARACTERS = 1 << 20
_MISTAKES = 5  # odd quotes that do not make quotes text
_MANY = 20  # records that show whether quotes are text
_LATE = 500  # later lines with quotes or backslashes, if those have none


class Wanted(NamedTuple):
    """What the user says of a file; None: not said."""

    delimiter: str | None = None
    quote: str | None = None
    escape: str | None = None
    null: str | None = None
    skip: int | None = None  # lines before the header


def find_layout(source: Source, wanted: Wanted, has_header: bool) -> Layout:
    """Decide how to read a file from its name and its first lines, unless wanted says it."""
    if source.dialect:
        return Layout(source.dialect, True)
    ending = next((end for end in _ENDINGS if source.unpacked_name.lower().endswith(end)), "")
    skip = wanted.skip or 0
    lines = islice(source.lines("Reading"), skip, None)
    first = next(lines, "")
    separator = _SEPARATOR_LINE.fullmatch(first)
    record = dropwhile(_is_blank, chain([first], lines))
    first = next(record, "")
    found = wanted.delimiter or _ENDINGS.get(ending)
    if not found and separator:
        found = separator[1]
    elif not found and not source.unpacked_name.lower().endswith(".csv") and _is_json(first):
        found = "json"
    skip += 1 if separator else 0
    if found == "json":
        return Layout(None, has_header, skip)
    sample = _Sample(source, skip)
    if has_header and wanted.skip is None and not separator:
        refuse_preamble(source.name, sample.text, found)
    return Layout(_dialect(sample, found, wanted), has_header, skip)


def _is_blank(line: str) -> bool:
    return not line.strip("\r\n")


def _is_json(line: str) -> bool:
    """Is a line an object, or an array of objects, which JsonRows refuses?"""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(value[0] if isinstance(value, list) and value else value, dict)


# ---- the sample ------------------------------------------------------------------------


class _Sample:
    """The first lines of a file, as CsvRows reads them from a source."""

    def __init__(self, source: Source, skip: int) -> None:
        self.name, self.has_nul = source.name, source.has_nul
        rest = source.lines("Reading")
        self._lines = list(_first(islice(rest, skip, None)))
        self.text = "".join(self._lines)  # with LONG_MARK once the delimiter is known
        self.is_whole = not next(rest, "")
        if not self.is_whole:
            self._add_late(rest, source)
        self.text = "".join(self._lines)

    def replace(self, long: str) -> None:
        """Let LONG_MARK stand for a long delimiter in text."""
        if long:
            self.text = self.text.replace(long, LONG_MARK)

    def lines(self, title: str) -> Iterator[str]:
        yield from self._lines

    def _add_late(self, lines: Iterator[str], source: Source) -> None:
        """Add later lines with a quote or a backslash if the first ones have none."""
        marks = [mark for mark in ('"', BACKSLASH) if mark not in self.text and mark in source.marks]
        if marks:
            odd = re.compile("[" + "".join(map(re.escape, marks)) + "]")
            self._lines += islice(filter(odd.search, lines), _LATE)


def _first(lines: Iterator[str]) -> Iterator[str]:
    """Yield the first lines, to the limit."""
    size = 0
    for line in islice(lines, _LINES):
        yield line
        size += len(line)
        if size >= _CHARACTERS:
            return


# ---- the delimiter ---------------------------------------------------------------------


def _likeliest(sample: _Sample) -> str:
    """Return the delimiter that the first record has most often outside of quotes.

    If several occur, prefers those by which the sample has records of one width.
    """
    first = _first_unquoted(sample.lines(""))
    long = next((mark for mark in LONG_DELIMITERS if _is_long(sample, first, mark)), None)
    if long:
        return long
    counts = {mark: first.count(mark) for mark in DELIMITERS}
    found = [mark for mark in DELIMITERS if counts[mark]]
    if not found or "\x01" in first:
        rare = [mark for mark in RARE_DELIMITERS if mark in first]
        return next((mark for mark in rare if _is_regular(sample, mark)), (found or ",")[0])
    if len(found) > 1:
        found = [mark for mark in found if _is_regular(sample, mark)] or found
    return max(found, key=counts.__getitem__)


def _is_long(sample: _Sample, first: str, delimiter: str) -> bool:
    """Has the first record no part of a long delimiter alone, and has the sample one width?"""
    if delimiter not in first or set(delimiter) & set(first.replace(delimiter, "")):
        return False
    odd, records = _odd_records(sample, dialect_of(delimiter))
    return records > 0 and not odd


def _is_regular(sample: _Sample, delimiter: str) -> bool:
    """Have nearly all records as many fields as the first one, and are there any?"""
    odd, records = _odd_records(sample, dialect_of(delimiter))
    return records > 0 and odd * 10 <= records


# Text in quotes that start a field, up to their end or that of the line, or in others of one line.
_QUOTED = re.compile(r'(^|[,;\t|])"(?:[^"]+|"")*("|\Z)|"[^"]*"')


def _first_unquoted(lines: Iterator[str]) -> str:
    """Return the first record without what is in quotes, which can have line breaks."""
    unquoted, is_open = "", False
    for line in dropwhile(_is_blank, lines):
        text = f'"{line}' if is_open else line
        unquoted += _QUOTED.sub(r"\1", text)
        is_open = any(match[2] == "" for match in _QUOTED.finditer(text))
        if not is_open:
            break
    return unquoted


# ---- quotes and escapes ----------------------------------------------------------------


def _dialect(sample: _Sample, delimiter: str | None, wanted: Wanted) -> Dialect:
    """Return the dialect in which the fewest records are odd; of several, the usual one."""
    usual = dialect_of(delimiter or _likeliest(sample))
    delimiter = usual.delimiter
    sample.replace(usual.long)
    null = wanted.null
    if null is None and _has_null(sample.text, delimiter):
        null = r"\N"
    candidates = [
        candidate._replace(null=null, long=usual.long)
        for candidate in _candidates(sample, delimiter, null)
        if wanted.quote in (None, candidate.quote)
    ]
    if wanted.quote is not None and not candidates:
        candidates = [usual._replace(quote=wanted.quote, null=null)]
    if wanted.escape is not None:
        named = (c._replace(escape=wanted.escape, only_quotes=False) for c in candidates)
        candidates = list(dict.fromkeys(named))
    if len(candidates) == 1:
        return candidates[0]
    odd = [_odd_records(sample, candidate) for candidate in candidates]
    best = min(range(len(odd)), key=lambda place: odd[place][0])
    return candidates[best] if _is_likely(candidates[best], *odd[best], odd[0][0]) else candidates[0]


def _is_likely(best: Dialect, odd: int, records: int, odd_before: int) -> bool:
    """A few odd quotes are mistakes in a file with quotes, unless many records show otherwise."""
    if best.quote or best.escape or best.delimiter == "\t":
        return True
    return odd == 0 and (odd_before > _MISTAKES or records >= _MANY)


def _candidates(sample: _Sample, delimiter: str, null: str | None) -> Iterator[Dialect]:
    """Yield dialects that the sample may be in, the likeliest first."""
    text = sample.text
    usual = Dialect(delimiter)
    if '"' in text and not _quotes_are_text(text, delimiter):
        if BACKSLASH in text:
            escaped = usual._replace(escape=BACKSLASH, only_quotes=not _escapes_all(text, usual))
            is_escaped = null == r"\N" or BACKSLASH + '"' in text
            if is_escaped and not escaped.only_quotes:
                yield escaped
            yield usual
            yield escaped
        yield usual
        if re.search(rf'{re.escape(delimiter)} +"', text):
            yield usual._replace(skips_spaces=True)
        yield from _single_quoted(text, delimiter)
        if not _is_quoted_by_program(text, delimiter):
            yield _unquoted(text, delimiter)
        return
    yield from _single_quoted(text, delimiter)
    unquoted = _unquoted(text, delimiter)
    if '"' in text or unquoted.escape:
        yield unquoted
    yield usual


def _unquoted(text: str, delimiter: str) -> Dialect:
    """Return the dialect without quotes, with escapes if the text shows some."""
    unquoted = Dialect(delimiter, quote="")
    return unquoted._replace(escape=BACKSLASH) if _shows_escapes(text, unquoted) else unquoted


def _single_quoted(text: str, delimiter: str) -> Iterator[Dialect]:
    """Yield the dialect of the shell's `.mode quote`, if at least two fields are quoted so."""
    mark = re.escape(delimiter)
    if len(re.findall(rf"(?m)(?:^|{mark})'(?:[^']|'')*'(?={mark}|[\r\n]|\Z)", text)) > 1:
        yield Dialect(delimiter, quote="'")


def _has_null(text: str, delimiter: str) -> bool:
    """Does text have a field \\N?"""
    mark = re.escape(delimiter)
    return re.search(rf"(?m)(?:^|{mark})\\N(?={mark}|[\r\n]|\Z)", text) is not None


# A backslash, and what an escape has after it.
_BACKSLASHES = re.compile(r"\\(\r\n|.|\Z)", re.DOTALL)


def _escapes_all(text: str, dialect: Dialect) -> bool:
    """Does every backslash start an escape that MySQL, Redshift or Python's csv writes?"""
    accepted = {BACKSLASH, dialect.quote, dialect.delimiter, "\n", "\r", "\r\n", "0", "N"}
    return all(after in accepted for after in _BACKSLASHES.findall(text))


def _shows_escapes(text: str, dialect: Dialect) -> bool:
    """Are backslashes escapes in a text without quotes, as MySQL and PostgreSQL write it?

    `C:\\new\\table` only looks like that: so one escape must be of a backslash, a delimiter or a
    line break, or NULL. Text with tabs may also have line breaks and tabs only.
    """
    found = set(_BACKSLASHES.findall(text))
    if not found or not found <= {*"\\ntrbfv0ZN.\"'", dialect.delimiter, "\n", "\r", "\r\n"}:
        return False
    if found & {BACKSLASH, dialect.delimiter, "\n", "\r\n"} or _has_null(text, dialect.delimiter):
        return True
    is_path = re.search(r"[A-Za-z]:\\", text)
    return dialect.delimiter == "\t" and found <= set("nrt") and not is_path


# ---- are quotes text? ------------------------------------------------------------------


def _quotes_are_text(text: str, delimiter: str) -> bool:
    """Does the text of MySQL or PostgreSQL have quotes? Neither quotes fields between tabs."""
    unquoted = Dialect(delimiter, quote="")
    return (
        delimiter == "\t"
        and _has_null(text, delimiter)
        and _shows_escapes(text, unquoted)
        and not _is_quoted_by_program(text, delimiter)
    )


_NUMBER = re.compile(r"[-+.,\d eE%]*")


def _is_quoted_by_program(text: str, delimiter: str) -> bool:
    """Has a column quotes around all of its texts, or a field quotes that it needs?

    A program that quotes no more than needed writes "Carmen" as \"""Carmen\""".
    """
    mark = re.escape(delimiter)
    plain = rf'[^"{mark}\r\n]*'
    needed = rf'(?m)(?:^|{mark})"(?:{plain}(?:""|{mark}))+{plain}"(?={mark}|[\r\n]|\Z)'
    if re.search(needed, text):
        return True
    quoted: set[int] = set()
    unquoted: set[int] = set()
    for number, line in enumerate(text.splitlines()):
        for place, field in enumerate(line.split(delimiter)):
            if len(field) > 1 and field[0] == field[-1] == '"':
                quoted.add(place)
            elif number and not _NUMBER.fullmatch(field) and field not in ("NULL", r"\N"):
                unquoted.add(place)
    return bool(quoted - unquoted)


# ---- how well a dialect fits -----------------------------------------------------------


def _odd_records(sample: _Sample, dialect: Dialect) -> tuple[int, int]:
    """Return how many records of the sample are odd in a dialect, and how many there are.

    A quote that never ends takes many lines for one record; so each of those is odd.
    """
    log = Log()
    rows = CsvRows(sample, Layout(dialect, True), log, "")  # type: ignore[arg-type]
    while not rows.is_done:
        for _ in rows.rows():
            pass
    counts = log.counts
    odd = counts["misplaced quote"] + counts["short row"] + counts["long row"]
    if counts["unfinished quote"] and (sample.is_whole or rows.unfinished > 50):
        odd += rows.unfinished
    return odd, rows.count
