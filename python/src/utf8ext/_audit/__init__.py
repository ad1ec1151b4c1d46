"""Audits a database: which values have ill-formed text."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

from utf8ext._progress import Path, Progress, ignore

if TYPE_CHECKING:
    from utf8ext._audit.excerpt import Excerpts
    from utf8ext._audit.findings import Finding
    from utf8ext._database import Database


class Found(NamedTuple):
    """A row of utf8_audit. Without column: a table, or a part of it, that cannot be read."""

    table: str
    column: str | None
    key: int | str | None
    offset: int | None
    error: str
    errors: int | None
    cause: str | None
    excerpt: str | None  # the text around the first error; ill-formed bytes are escapes: `Jos\xe9`
    repaired: str | None  # the same after the repair
    repair_sql: str | None


def audit(
    database: Path,
    *,
    policy: str = "auto",
    suspects: bool = False,
    tables: Iterable[str] = (),
    columns: Iterable[str] = (),
    progress: Progress | None = None,
) -> Generator[Found, None, None]:
    """Yield what is ill-formed or was misread in a database, as soon as it is found.

    The policy auto has no repair for what is unclear. suspects also finds well-formed but suspicious text. tables and columns are names; the default
    is all. progress is called with what is done and how much of it, from 0 to 1. The file is opened
    at once, and never changed. Commit and close your own connections to it before.

    Raises utf8ext.Error, also in the middle if the rest of the file cannot be read.
    """
    import pathlib

    from utf8ext._audit.findings import find
    from utf8ext._database import Database
    from utf8ext._selection import select

    opened = Database(pathlib.Path(database))
    chosen = select(opened, tables, columns)
    findings = find(opened, policy, suspects, chosen, repair_sql=True)
    return _shown(opened, findings, progress or ignore)


def _shown(
    database: Database, findings: Generator[Finding, None, None], progress: Progress
) -> Generator[Found, None, None]:
    from utf8ext._audit.excerpt import Excerpts

    title = f"Reading {database.path.name}"
    # The statement ends before the connection closes, also where the garbage collector ends both.
    with database, closing(findings), database.reading(lambda fraction: progress(title, fraction)):
        excerpts = Excerpts(database)
        for finding in findings:
            yield _found(excerpts.shorten(finding), excerpts)


def _found(finding: Finding, excerpts: Excerpts) -> Found:
    before = excerpts.before(finding.window) if finding.window else None
    after = excerpts.after(finding.repaired) if finding.repaired else None
    return Found(
        table=finding.table,
        column=finding.column,
        key=finding.key,
        offset=finding.offset,
        error=finding.error,
        errors=finding.errors,
        cause=finding.cause,
        excerpt=before,
        repaired=after,
        repair_sql=finding.repair_sql,
    )
