"""The undo log: SQL that puts back what a repair has changed, and that runs without utf8ext."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from utf8ext._database import Database

_HEAD = """\
-- Written by utf8ext repair. Puts back the bytes that it changed, where the column still holds
-- the repaired value, and prints how many do not. Does not take back what triggers did. Run it with
--
--     sqlite3 -bail my.db < undo.sql
--
-- and load utf8ext first if a CHECK, an index or a trigger of the database calls its functions:
-- sqlite3 -bail -cmd '.load utf8ext' my.db < undo.sql
BEGIN;
PRAGMA defer_foreign_keys = ON;
-- Has a row for each value that is not put back. Fails at one if the schema has changed, as by
-- VACUUM, which renumbers rows. Without -bail, the other values are put back then.
CREATE TEMP TABLE utf8ext_undo(version CONSTRAINT
  "the schema has changed since the repair, by VACUUM or another statement; nothing was undone"
  CHECK (version = {version}));
"""

_NOTE = "INSERT INTO temp.utf8ext_undo SELECT schema_version FROM temp.pragma_schema_version"

# Names are put back by the rows of sqlite_master, which every change of the schema moves.
_CHECK = f"{_NOTE};\nDELETE FROM temp.utf8ext_undo;\n"

_END = """\
SELECT 'values that have changed since the repair, and were not put back: ' || n
  FROM (SELECT count(*) AS n FROM temp.utf8ext_undo) WHERE n > 0;
DROP TABLE temp.utf8ext_undo;
COMMIT;
"""


def undo_log(
    database: Database, values: Iterable[bytes], names: Collection[bytes]
) -> Iterator[bytes]:
    """Yield the log: what puts back values, then names. With names, it fails after any change of the schema."""
    yield _HEAD.format(version=database.value("PRAGMA main.schema_version")).encode()
    if names:
        yield _CHECK.encode()
    for statement in values:
        yield statement + f"\n{_NOTE} WHERE changes() = 0;\n".encode()
    for statement in names:
        yield statement + b"\n"
    yield _END.encode()
