"""What a file of text is: its lines are values, and the file is their column.

One decision for detect, import, convert and clean. utf8_cause() decides the whole file; where that is
UTF-8 with errors, or has text that was misread, utf8_audit decides each line among the others. The lines of
UTF-16 and UTF-32 are those of their text as UTF-8.
"""

from __future__ import annotations

import codecs
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from utf8ext._cause import find_cause
from utf8ext._engine import Engine
from utf8ext._format import HEAD, is_ebcdic
from utf8ext._rules import CLEAN, IS_EBCDIC, IS_MOJIBAKE, LATIN, NULS, UNITS, VALUE
from utf8ext._text import U_FFFD, number
from utf8ext._units import Decoder, is_units
from utf8ext._verdict import CAUSE, UNCLEAR, kinds_found

# Causes of a file that is UTF-8 except for some lines; each of those has a cause of its own.
_MIXED = ("cesu-8", "mutf-8", "overlong", "surrogateescape", "cut", "damaged", UNCLEAR, "utf-8+")

WELL_FORMED = ("ascii", "utf-8", "utf-8-bom")

_STATES = ("cut", "damaged", "overlong", "surrogateescape", "binary", UNCLEAR)  # causes that name no charset

Chunks = Callable[[], Iterable[bytes]]  # reads a file from its start, in chunks that end with lines


@dataclass
class Decision:
    """What a file is."""

    charset: str  # in which it is read: `ascii`, `utf-8`, `gbk` ..., or `binary`
    lines: Counter[str] = field(default_factory=Counter)  # of a file in UTF-8, -16 or -32, by cause
    first: dict[str, int] = field(default_factory=dict)  # the first line of each cause
    has_nul: bool = False
    may_be_misread: bool = False  # well-formed, with cells that their columns may show to be misread
    sections: str = ""  # what the file was in, if in several encodings: `utf-16le, utf-8 from line 4`

    @property
    def is_mixed(self) -> bool:
        """Has the file lines that utf8_audit has decided, each on its own?"""
        return bool(self.lines)

    @property
    def misread(self) -> int:
        """How many lines are well-formed, and were misread before."""
        return sum(count for cause, count in self.lines.items() if cause.startswith("mojibake"))

    @property
    def label(self) -> str:
        """Return `gbk`, or `utf-8, 48 lines in windows-1252`."""
        parts = [self.sections or self.charset]
        for cause, count in self.lines.most_common():
            lines = number(count, "line")
            if cause.startswith("mojibake "):
                parts.append(f"{lines} misread in {cause[len('mojibake '):]}")
            else:
                parts.append(f"{lines} {cause}" if cause in _STATES else f"{lines} in {cause}")
        return ", ".join(parts)


def decide(engine: Engine, chunks: Chunks, misread: bool = True) -> Decision:
    """Decide what a file is. A mixed one leaves the table `repair` of its lines in engine."""
    cause, has_nul = _whole(engine, chunks)
    is_mixed, has_units = cause.startswith(_MIXED), is_units(cause)
    text = (lambda: Decoder(cause).chunks(chunks())) if has_units else chunks
    looks = misread and (has_units or cause in WELL_FORMED)
    if not is_mixed and not (looks and _is_misread(engine, text)):
        return Decision(cause, has_nul=has_nul)
    decision = _decide_lines(engine, text, is_cut=cause == "cut")
    if not is_mixed and not decision.lines:
        return Decision(cause, has_nul=has_nul, may_be_misread=True)
    decision.has_nul = has_nul
    if has_units:
        decision.charset = cause
    if decision.charset == "utf-8" and next(iter(chunks()), b"").startswith(codecs.BOM_UTF8):
        decision.charset = "utf-8-bom"
    return decision


def _whole(engine: Engine, chunks: Chunks) -> tuple[str, bool]:
    """Return the cause of a file as one value, and whether that needed a look without its NULs."""
    if is_ebcdic(next(iter(chunks()), b"")[:HEAD]):
        return "binary", False
    cause = find_cause(engine.value, chunks())
    if cause not in ("binary", UNCLEAR):
        return cause, False
    cut = _cut_units(engine, chunks)
    if cut or cause == UNCLEAR or not any(0 in chunk for chunk in chunks()):
        return cut or cause, False
    cause = find_cause(engine.value, map(_without_nuls, chunks()))
    is_text = not is_units(cause) and not _is_ebcdic(engine, cause)
    return (cause if is_text else "binary"), True


def _cut_units(engine: Engine, chunks: Chunks) -> str | None:
    """Return the charset of UTF-16 that lost its last byte, or None."""
    size, first = 0, b""
    for chunk in chunks():
        size, first = size + len(chunk), first or chunk
    if size % 2 == 0 or size < UNITS:
        return None
    charset: str = engine.value("SELECT utf8_detect(?)", first[: len(first) // 2 * 2])
    return charset if charset.startswith("utf-16") else None


def _is_ebcdic(engine: Engine, charset: str) -> bool:
    """Such a file with NULs has records of fixed length, with numbers that are not text."""
    return next(engine.rows(IS_EBCDIC, charset), (0,)) == (1,)


def _without_nuls(chunk: bytes) -> bytes:
    """Return a chunk without its NULs if they are so few that it may be text."""
    return chunk if chunk.count(0) * NULS > len(chunk) else chunk.replace(b"\0", b"")


def _is_misread(engine: Engine, chunks: Chunks) -> bool:
    return any(not chunk.isascii() and is_misread(engine, chunk) for chunk in chunks())


def is_misread(engine: Engine, text: bytes | str) -> bool:
    """Has well-formed text a part that was misread, or may it have one as its column shows?"""
    found = _LATIN.search(text) if isinstance(text, str) else _LATIN_BYTES.search(text)
    if found:
        return True
    return has_mojibake(engine, text)


def has_mojibake(engine: Engine, text: bytes | str) -> bool:
    """Has well-formed text a part that was misread?"""
    return any(engine.value(IS_MOJIBAKE, part) for part in _parts(text))


def _parts(text: bytes | str) -> Iterator[bytes | str]:
    """Yield text, and if it is too long to be read in multi-byte charsets, its lines with letters of East Asia, many at once."""
    yield text
    if isinstance(text, str) or len(text) <= VALUE:
        return
    at = 0
    while east := _EAST.search(text, at):
        start, last = east.start(), east.start() + VALUE
        at = text.rfind(b"\n", start, last) + 1 if last < len(text) else len(text)
        if at:
            yield text[start:at]
        else:  # a line that is too long
            at = text.find(b"\n", start) + 1 or len(text)


_EAST = re.compile(rb"[\xe3-\xef]")  # starts U+3000 or what follows it


def is_well_formed(engine: Engine, text: bytes) -> bool:
    return text.isascii() or bool(engine.value("SELECT utf8_valid(?)", text))


_LATIN = re.compile(LATIN)
_LATIN_BYTES = re.compile(LATIN.replace(r"[\x80-\xff]", r"(?:[\xc2\xc3][\x80-\xbf])").encode())  # in UTF-8


# ---- the lines -------------------------------------------------------------------------


def count_lines(chunk: bytes) -> int:
    """Return how many lines of any kind a chunk has."""
    ends = chunk.count(b"\n") + chunk.count(b"\r") - chunk.count(b"\r\n")
    return ends + (not chunk.endswith((b"\n", b"\r")))


def _decide_lines(engine: Engine, chunks: Chunks, is_cut: bool) -> Decision:
    """Decide each line. is_cut: the end of the file is, which its last line alone may not show."""
    engine.run("DROP TABLE IF EXISTS line")
    engine.run("DROP TABLE IF EXISTS repair")
    engine.run("CREATE TABLE line(n INTEGER PRIMARY KEY, line TEXT)")
    engine.run("CREATE TABLE repair(n INTEGER PRIMARY KEY, cause, errors, lost, repaired)")
    has_letters = False

    def looked_at() -> Iterator[tuple[int, bytes]]:
        nonlocal has_letters
        for n, line, is_right in _lines(engine, chunks):
            if not is_right or n <= CLEAN:
                yield n, line[_mark_size(n, line) :]
            has_letters = has_letters or (is_right and not line.isascii())

    engine.run_each("INSERT INTO line VALUES (?, CAST(? AS TEXT))", looked_at())
    engine.run(_DECIDE)
    if is_cut:
        engine.run(_CUT)
    _decide_fields(engine)
    engine.run("DROP TABLE line")
    rows = list(engine.rows("SELECT cause, count(*), min(n) FROM repair GROUP BY cause"))
    lines = Counter({cause: count for cause, count, _ in rows})
    first = {cause: n for cause, _, n in rows}
    if not has_letters and len(lines) == 1 and not _is_of_utf8(rows[0][0]):
        return Decision(rows[0][0])
    is_utf8 = has_letters or any(map(_is_of_utf8, lines))
    return Decision("utf-8" if is_utf8 else "ascii", lines, first)


def _mark_size(n: int, line: bytes) -> int:
    """Return how many bytes of line n are the file's byte order mark, which would hide what is after it."""
    return len(codecs.BOM_UTF8) if n == 1 and line.startswith(codecs.BOM_UTF8) else 0


# ---- the fields of what is unclear -----------------------------------------------------

_WIDTH = 200  # fields of a line that are looked at


def _decide_fields(engine: Engine) -> None:
    """Decide lines that are unclear by their fields, each beside those of its column."""
    unclear = [n for (n,) in engine.rows(f"SELECT n FROM repair WHERE cause = '{UNCLEAR}'")]
    if not unclear:
        return
    lines = dict(engine.rows("SELECT n, CAST(line AS BLOB) FROM line"))
    mark = max((b",", b";", b"\t", b"|"), key=lambda mark: sum(l.count(mark) for l in lines.values()))
    fields = {n: line.split(mark) for n, line in lines.items()}
    width = min(max(map(len, fields.values())), _WIDTH)
    if width < 2:
        return
    columns = ", ".join(f"c{place} TEXT" for place in range(width))
    engine.run(f"CREATE TABLE field(n INTEGER PRIMARY KEY, {columns})")
    for n, cells in fields.items():
        if len(cells) <= width:
            marks = ", CAST(? AS TEXT)" * len(cells)
            names = "".join(f", c{place}" for place in range(len(cells)))
            engine.run(f"INSERT INTO field(n{names}) VALUES (?{marks})", n, *cells)
    found: dict[int, list[tuple[int, str, int, bytes | None]]] = {}
    for n, *rest in engine.rows(_FIELDS):
        found.setdefault(n, []).append(tuple(rest))
    engine.run("DROP TABLE field")
    for n in unclear:
        _join_fields(engine, n, fields[n], mark, found.get(n, []))


def _join_fields(
    engine: Engine, n: int, cells: list[bytes], mark: bytes, found: list[tuple[int, str, int, bytes | None]]
) -> None:
    """Decide a line if all of its fields are decided."""
    if not found or any(repaired is None for *_, repaired in found):
        return
    for place, _, _, repaired in found:
        cells[place] = repaired or b""
    text = mark.join(cells)
    lost = text.count(U_FFFD)
    sql = "UPDATE repair SET cause = ?, errors = ?, lost = ?, repaired = ? WHERE n = ?"
    engine.run(sql, found[0][1], sum(errors for _, _, errors, _ in found), lost, text, n)


_FIELDS = f"""
    SELECT key, CAST(substr(column_name, 2) AS INTEGER), {CAUSE}, errors,
           CASE WHEN cause NOT IN ('{UNCLEAR}', 'binary') THEN CAST(repaired AS BLOB) END
      FROM utf8_audit('main', 'auto', 1)
     WHERE table_name = 'field' AND {kinds_found(False)} ORDER BY key, 2
"""


def _is_of_utf8(cause: str) -> bool:
    return cause.startswith(("utf-8", "mojibake", "cesu-8", "mutf-8")) or cause in _STATES


def _lines(engine: Engine, chunks: Chunks) -> Iterator[tuple[int, bytes, bool]]:
    """Yield the number and the text of each line, and whether it is well-formed and not misread.

    Of a block in which all are, those after the first ones are left out.
    """
    n = 0
    for block in _blocks(engine, chunks):
        if _is_right(engine, block):
            if n < CLEAN or not block.isascii():
                yield from ((n + i, line, True) for i, line in enumerate(_first(block), 1))
            n += count_lines(block)
            continue
        for line in block.splitlines():
            n += 1
            yield n, line, _is_right(engine, line)


_BLOCK = 256  # lines that are looked at as one


def _blocks(engine: Engine, chunks: Chunks) -> Iterator[bytes]:
    """Yield a file in large blocks of lines where all are right, else in small ones."""
    for chunk in chunks():
        if _is_right(engine, chunk):
            yield chunk
            continue
        lines = chunk.splitlines(keepends=True)
        for at in range(0, len(lines), _BLOCK):
            yield b"".join(lines[at : at + _BLOCK])


def _is_right(engine: Engine, text: bytes) -> bool:
    return text.isascii() or (is_well_formed(engine, text) and not is_misread(engine, text))


def _first(block: bytes) -> list[bytes]:
    lines = block.splitlines()
    return lines[:CLEAN] + [line for line in lines[CLEAN:] if not line.isascii()][:1]


_DECIDE = f"""
    INSERT INTO repair
    SELECT key, {CAUSE}, errors,
           max(coalesce(length(CAST(repaired AS BLOB))
             - length(CAST(replace(repaired, char(0xFFFD), '') AS BLOB)), 0) / 3, 0),
           CASE WHEN cause NOT IN ('{UNCLEAR}', 'binary')
                THEN CAST(repaired AS BLOB) END
      FROM utf8_audit('main', 'auto', 1)
     WHERE table_name = 'line' AND {kinds_found(False)}
"""


_CUT = f"""
    UPDATE repair SET cause = 'cut', lost = 1,
           repaired = (SELECT CAST(utf8_repair(line) AS BLOB) FROM line WHERE line.n = repair.n)
     WHERE cause = '{UNCLEAR}' AND errors = 1 AND n = (SELECT max(n) FROM line)
"""


class Lines:
    """The lines of a mixed file, repaired as decide() has decided; misread ones only if wanted."""

    def __init__(self, engine: Engine, misread: bool) -> None:
        kept = "" if misread else "AND cause NOT LIKE 'mojibake%'"
        sql = f"SELECT n, errors, lost, repaired FROM repair WHERE repaired IS NOT NULL {kept} ORDER BY n"
        self._rows = iter(engine.rows(sql))
        self._next = next(self._rows, None)
        self._n = 0  # lines before the chunk
        self.errors = self.lost = 0

    def repaired(self, chunk: bytes) -> bytes:
        """Return the next chunk of the file with its lines repaired."""
        last = self._n + count_lines(chunk)
        if not self._next or self._next[0] > last:
            self._n = last
            return chunk
        lines = chunk.splitlines(keepends=True)
        while self._next and self._next[0] <= last:
            n, errors, lost, text = self._next
            line = lines[n - self._n - 1]
            lines[n - self._n - 1] = line[: _mark_size(n, line)] + text + line[len(line.rstrip(b"\r\n")) :]
            self.errors += errors
            self.lost += lost
            self._next = next(self._rows, None)
        self._n = last
        return b"".join(lines)
