"""The undo log: SQL that puts back what a repair has changed, and that runs without utf8ext."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from utf8ext._database import Database

_HEAD = """\
-- Written by utf8ext repair. Puts back the bytes that it changed, where the column still holds
-- the repaired value. Does not take back what triggers did. Run it with
--
--     sqlite3 -bail my.db < undo.sql
--
-- and load utf8ext first if a CHECK, an index or a trigger of the database calls its functions:
-- sqlite3 -bail -cmd '.load utf8ext' my.db < undo.sql
BEGIN;
PRAGMA defer_foreign_keys = ON;
"""

_VERSION = "(SELECT schema_version FROM temp.pragma_schema_version) = {version};\n"

_CHECK = """\
-- Fails after VACUUM, which renumbers rows, and after any change of the schema.
CREATE TEMP TABLE utf8ext_undo(same CONSTRAINT
  "the schema has changed since the repair, by VACUUM or another statement; nothing was undone"
  CHECK (same));
INSERT INTO temp.utf8ext_undo SELECT
"""

_END = "COMMIT;\n"


def undo_log(
    database: Database, statements: Iterable[bytes], is_versioned: bool
) -> Iterator[bytes]:
    """Yield the log. is_versioned: it depends on what VACUUM or another statement may change."""
    yield _HEAD.encode()
    if is_versioned:
        version = database.value("PRAGMA main.schema_version")
        yield (_CHECK + _VERSION.format(version=version)).encode()
    for statement in statements:
        yield statement + b"\n"
    yield (("DROP TABLE temp.utf8ext_undo;\n" if is_versioned else "") + _END).encode()
