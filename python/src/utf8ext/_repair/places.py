"""Which tokens of the schema are names, as SQLite reads them.

SQLite takes 'abc' for a name where its grammar has one, and "abc" for text where no column has that
name. So a token is replaced in a copy of the schema by what can only be the one or the other.
"""

from __future__ import annotations

from utf8ext._repair.shadow import Object, Shadow
from utf8ext._repair.tokens import Statement


def is_name(shadow: Shadow, row: Object, statement: Statement, place: int) -> bool | None:
    """Is a token the name of a table, column, index, view or trigger, or an alias? None: unknown."""
    token = statement.tokens[place]
    if statement.is_elsewhere(place):
        return False
    if statement.is_qualified(place):
        return True
    if statement.is_raised(place):
        return False if token.quote == b"'" else None
    if token.quote not in (b"'", b'"'):
        return True
    if not shadow.loads(row, row.sql):
        return None
    is_operand = _is_operand(shadow, row, statement, place)
    return _is_column(shadow, row, statement, place) if is_operand else True


def _is_operand(shadow: Shadow, row: Object, statement: Statement, place: int) -> bool:
    """Can it be a blob? Then it is a part of an expression."""
    changed = statement.rewritten({place: b"x''"})
    if not shadow.loads(row, changed):
        return False
    columns = [shadow.columns_of_index(row, sql) for sql in (row.sql, changed)]
    return row.type != "index" or columns[0] == columns[1]


def _is_column(shadow: Shadow, row: Object, statement: Statement, place: int) -> bool | None:
    """Is an operand a column? Only "abc" can be one, if `abc` is one, too."""
    token = statement.tokens[place]
    if token.quote == b"'":
        return False
    name = (token.name or b"").replace(b"`", b"``")
    changed = statement.rewritten({place: b"`" + name + b"`"})
    if row.type in ("table", "index"):
        return shadow.loads(row, changed)
    before = shadow.programs(row, row.sql)
    return None if None in before else shadow.programs(row, changed) == before
