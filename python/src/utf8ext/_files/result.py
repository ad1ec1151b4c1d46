"""What detect() and convert() return."""

from __future__ import annotations

from typing import NamedTuple


class Guess(NamedTuple):
    """A charset, and how plausible the bytes are in it: utf8_detect_score(), from 0 to 1."""

    charset: str
    score: float


class Converted(NamedTuple):
    """What a conversion has done."""

    charset: str  # in which the file was read
    cause: str | None  # what the file is: `gbk`, `utf-8, 48 lines in windows-1252`; None if you named it
    errors: int  # errors in that charset
    lost: int  # how many of them became U+FFFD
    misread: int = 0  # lines that were misread before, which stay as they are
    replaced: int = 0  # characters that the target lacks, for which something else was written
    first_replaced: tuple[int, int, str] | None = None  # line, column, and `U+20AC €`
