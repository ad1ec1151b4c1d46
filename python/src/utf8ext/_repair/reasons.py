"""Why utf8_audit has no repair for the values of a column (docs/audit.md, repair_sql)."""

from __future__ import annotations

import re

from utf8ext._database import Database
from utf8ext._repair.virtual import owner_of
from utf8ext._sqltext import folded, literal, quoted
from utf8ext._verdict import AUTO, MISREAD, NONCHARACTER, OTHER_SUSPECTS, REPLACEMENT, UNCLEAR

PUT_BACK = "put back"  # the error of a value that a trigger did not let be cleaned


def reason(
    database: Database,
    table: str,
    column: str,
    error: str | None,
    cause: str | None,
    has_key: bool,
    names: bool,
    policy: str,
) -> str:
    """Return the reason, for a line such as `t.c: 3 values not repaired: REASON`.

    names: the names of the schema were repaired where they can be. policy: that of utf8_audit.
    """
    if cause == UNCLEAR and has_key and can_be_changed(database, table, column):
        return UNCLEAR
    if table == "sqlite_master":
        return f"they are part of the schema; {'' if names else _NAMES}create anew what has such text"
    if not _exists(database, table, column):
        return f"the name of the table or column is ill-formed; {_CREATE if names else _RENAME}"
    if _is_generated(database, table, column):
        return "the column is generated; repair the columns that it is computed from"
    why = _reason_of_table(database, table, has_key, names)
    return why or _reason_of_owner(database, table, column, error, policy) or _reason_of_value(error, cause)


def can_be_changed(database: Database, table: str, column: str) -> bool:
    """Can an UPDATE change a value of the column?"""
    return can_be_restored(database, table, column) and not _is_generated(database, table, column)


def can_be_restored(database: Database, table: str, column: str) -> bool:
    """Can a repair change a value of the column? A generated one follows those that it is computed from."""
    return (
        table != "sqlite_master"
        and _exists(database, table, column)
        and owner_of(database, table) is None
    )


_NAMES = "--names repairs names; "
_RENAME = "--names repairs it"
_CREATE = "create the table anew"


def _reason_of_table(database: Database, table: str, has_key: bool, names: bool) -> str | None:
    if database.value(_HAS_ILL_FORMED_KEY, table, has_key):
        return f"the name of a column of the key is ill-formed; {_CREATE if names else _RENAME}"
    if not has_key:
        return "no key identifies their rows"
    if table in ("sqlite_sequence", "sqlite_stat1"):
        return "they name a table or an index"
    return None


def _reason_of_owner(
    database: Database, table: str, column: str, error: str | None, policy: str
) -> str | None:
    owner = owner_of(database, table)
    if owner is None:
        return None
    update = _update_of_owner(database, owner, table, column, error, policy)
    return f"the table belongs to the virtual table {owner}; repair through that{update}"


def _update_of_owner(
    database: Database, owner: str, table: str, column: str, error: str | None, policy: str
) -> str:
    """Return `: UPDATE ...` for the content of FTS3 to FTS5, whose column c1 is the second of the table."""
    number = re.match("c([0-9]+)", column)
    if folded(table) != folded(f"{owner}_content") or not number or error in (*OTHER_SUSPECTS, PUT_BACK):
        return ""
    name = database.value(_COLUMN, owner, int(number[1]))
    if name is None:
        return ""
    condition = f" AND a.error = '{MISREAD}'" if error == MISREAD else ""
    if policy.lower() == AUTO:
        condition += f" AND a.cause IS NOT '{UNCLEAR}'"
    return _UPDATE.format(
        owner=quoted(owner),
        name=quoted(name),
        policy=literal(policy),
        suspects=", 1" if error == MISREAD else "",
        table=literal(table),
        column=literal(column),
        condition=condition,
    )


# It decides each value as a repair does, by its column.
_UPDATE = (
    ": UPDATE {owner} SET {name} = a.repaired FROM utf8_audit('main', {policy}{suspects}) AS a "
    "WHERE a.table_name = {table} AND a.column_name = {column} AND a.key = {owner}.rowid "
    "AND a.repaired IS NOT NULL{condition};"
)

_COLUMN = "SELECT name FROM temp.pragma_table_xinfo(?, 'main') WHERE cid = ? AND utf8_valid(name)"


def _reason_of_value(error: str | None, cause: str | None) -> str:
    if error == REPLACEMENT:
        return "U+FFFD shows where something was lost"
    if error == NONCHARACTER:
        return "what their noncharacters mean is not known"
    if error == PUT_BACK:
        return "a trigger puts back what was cleaned, or ignores the UPDATE"
    if cause == "binary":
        return "the values look like binary data; if they are text, name a charset or a policy"
    return "nothing identifies their rows"


# The key WITHOUT ROWID, or that of a row without a key.
_HAS_ILL_FORMED_KEY = """
    SELECT TRUE FROM temp.pragma_index_xinfo(?1, 'main') WHERE key AND NOT utf8_valid(name)
     UNION ALL SELECT TRUE FROM temp.pragma_table_xinfo(?1, 'main')
     WHERE pk > 0 AND NOT utf8_valid(name) AND NOT ?2 LIMIT 1
"""


def _exists(database: Database, table: str, column: str) -> bool:
    sql = """SELECT count(*) FROM temp.pragma_table_xinfo(?, 'main')
              WHERE name = ? AND utf8_valid(name)"""
    return bool(database.value(sql, table, column))


def _is_generated(database: Database, table: str, column: str) -> bool:
    sql = "SELECT hidden IN (2, 3) FROM temp.pragma_table_xinfo(?, 'main') WHERE name = ?"
    return bool(database.value(sql, table, column))
