"""Imports text files in any charset into a table of SQLite."""

from __future__ import annotations

import os
from collections.abc import Iterable

from utf8ext._error import Error
from utf8ext._import.result import Imported
from utf8ext._progress import Path, Progress, ignore


def import_csv(
    files: Path | Iterable[Path],
    database: Path,
    table: str | None = None,
    *,
    charset: str = "auto",
    delimiter: str | None = None,
    quote: str | None = None,
    escape: str | None = None,
    null: str | None = None,
    skip_lines: int | None = None,
    header: bool = True,
    policy: str | None = None,
    keep_mojibake: bool = False,
    clean: str | None = None,
    append: bool = False,
    replace: bool = False,
    drop_dependents: bool = False,
    backup: bool = True,
    report: Path | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Imported:
    """Import CSV, TSV or JSON-lines files into a table, in one transaction.

    The charset is decided from the whole file. Where that is UTF-8 with ill-formed or misread
    cells, each is repaired by its cause, as repair() does: what is unclear stays as it is. A policy
    is for all ill-formed cells; keep_mojibake leaves misread text as it is. docs/import.md says what becomes of rows and
    headers. `-` is standard input. The table is named like the first file, and must not exist
    unless you append or replace. If replace would lose indexes, triggers, constraints or keys, it
    needs drop_dependents. The database is then copied to DATABASE.utf8ext-backup, which must not
    exist, unless backup is False. delimiter, quote, escape and null are found in the file unless
    you name them; a delimiter can have several characters, and a quote or an escape of "" means
    that there is none. skip_lines is the number of lines before the header; without it, a file that
    seems to have some is an Error. clean lists steps of utf8_clean(). report is the path of a CSV
    file with a line for each repaired cell and each odd line. dry_run imports into a temporary copy
    of the database, and writes nothing else: the result is that of the import. progress is called
    with what is done and how much of it, from 0 to 1.

    Raises utf8ext.Error, and changes nothing then.
    """
    from utf8ext._import import run
    from utf8ext._import.sniff import Wanted

    paths = [files] if isinstance(files, (str, os.PathLike)) else files
    to = None if report is None else os.fspath(report)
    wanted = Wanted(delimiter, quote, escape, null, skip_lines)
    options = run.Options(
        table, charset, wanted, header, clean, append, replace, to, drop_dependents, backup,
        policy, not keep_mojibake, dry_run,
    )
    names = [os.fspath(path) for path in paths]
    if not names:
        raise Error("no file to import")
    return run.run(names, os.fspath(database), options, progress or ignore)
