"""Full-text tables whose content is in an ordinary table (FTS5 and FTS4, option content)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from utf8ext._database import Database
from utf8ext._sqltext import folded

_CONTENT = re.compile(r"""\bcontent\s*=\s*(?:"([^"]+)"|'([^']+)'|`([^`]+)`|\[([^]]+)\]|(\w+))""", re.I)


def stale_indexes(database: Database, tables: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield each of the tables whose text has changed with a full-text table that indexes it.

    A trigger of the table that names the full-text table is taken to keep the index up to date.
    """
    changed = {folded(table): table for table in tables}
    for name, sql in list(database.rows(_FULL_TEXT)):
        found = _CONTENT.search(sql)
        content = next(filter(None, found.groups()), "") if found else ""
        table = changed.get(folded(content))
        if table is not None and not database.value(_HAS_TRIGGER, table, name):
            yield table, name


_FULL_TEXT = """
    SELECT name, sql FROM main.sqlite_master
     WHERE type = 'table' AND rootpage = 0 AND utf8_valid(name) AND utf8_valid(sql) AND sql LIKE '%USING fts%'
"""

_HAS_TRIGGER = """
    SELECT count(*) FROM main.sqlite_master
     WHERE type = 'trigger' AND lower(tbl_name) = lower(?1) AND instr(lower(sql), lower(?2)) > 0
"""
