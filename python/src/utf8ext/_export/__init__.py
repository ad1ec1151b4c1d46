"""Writes a table, a view or a query as CSV in any charset."""

from __future__ import annotations

import os
from typing import NamedTuple

from utf8ext._progress import Path, Progress, ignore


class Exported(NamedTuple):
    """What an export has done."""

    name: str  # the table or view, or `query`
    columns: list[str]
    rows: int
    charset: str
    repaired: int  # values that were ill-formed
    replaced: int  # characters that the charset lacks, for which something else was written
    first_replaced: str | None  # where: `people.name, key 2: U+20AC €`


def export_csv(
    database: Path,
    output: Path,
    table: str | None = None,
    *,
    query: str | None = None,
    charset: str = "utf-8",
    bom: bool = False,
    loss: str = "error",
    delimiter: str = ",",
    quote: str = '"',
    newline: str = "crlf",
    null: str = "",
    header: bool = True,
    policy: str | None = None,
    progress: Progress | None = None,
) -> Exported:
    """Write a table, a view or the rows of a SELECT to a CSV file; `-` is standard output.

    A text is in quotes where it needs them, or could be taken for NULL; a quote of "" means that
    none are written. bom writes a byte order mark in a Unicode charset. loss says what is written
    for characters that charset lacks, as in utf8_to(): closest, xml, ignore or replace. newline is
    crlf, lf, cr, or nel in EBCDIC. Numbers are written in full, and a blob as x'e9'. policy is one of
    utf8_repair(), for ill-formed text. The file appears when it is complete.

    Raises utf8ext.Error, and writes no file then: if a text is ill-formed and you named no policy,
    or if charset lacks a character and loss is `error`.
    """
    from utf8ext._export.run import Options, run

    options = Options(
        table, query, charset, bom, loss, delimiter, quote, newline, null, header, policy
    )
    return run(os.fspath(database), os.fspath(output), options, progress or ignore)
