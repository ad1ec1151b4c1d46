"""Why utf8_audit has no repair for the values of a column (docs/audit.md, repair_sql)."""

from __future__ import annotations

from utf8ext._database import Database
from utf8ext._verdict import NONCHARACTER, REPLACEMENT, UNCLEAR


PUT_BACK = "put back"  # the error of a value that a trigger did not let be cleaned


def reason(
    database: Database,
    table: str,
    column: str,
    error: str | None,
    cause: str | None,
    has_key: bool,
    names: bool,
) -> str:
    """Return the reason, for a line such as `t.c: 3 values not repaired: REASON`.

    names: the names of the schema were repaired where they can be.
    """
    if cause == UNCLEAR and has_key and _can_be_decided(database, table, column):
        return UNCLEAR
    if table == "sqlite_master":
        return f"they are part of the schema; {'' if names else _NAMES}create anew what has such text"
    if not _exists(database, table, column):
        return f"the name of the table or column is ill-formed; {_CREATE if names else _RENAME}"
    if _is_generated(database, table, column):
        return "the column is generated; repair the columns that it is computed from"
    return _reason_of_table(database, table, has_key, names) or _reason_of_value(error, cause)


def _can_be_decided(database: Database, table: str, column: str) -> bool:
    """Can a value of the column be changed once a person has decided it?"""
    return (
        table != "sqlite_master"
        and _exists(database, table, column)
        and not _is_generated(database, table, column)
        and virtual_table(database, table) is None
    )


_NAMES = "--names repairs names; "
_RENAME = "--names repairs it"
_CREATE = "create the table anew"


def _reason_of_table(database: Database, table: str, has_key: bool, names: bool) -> str | None:
    if database.value(_HAS_ILL_FORMED_KEY, table, has_key):
        return f"the name of a column of the key is ill-formed; {_CREATE if names else _RENAME}"
    if not has_key:
        return "no key identifies their rows"
    owner = virtual_table(database, table)
    if owner is not None:
        return f"the table belongs to the virtual table {owner}; repair through that"
    if table in ("sqlite_sequence", "sqlite_stat1"):
        return "they name a table or an index"
    return None


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


def virtual_table(database: Database, table: str) -> str | None:
    """Return the virtual table T of a table T_..., or None."""
    sql = """SELECT name FROM main.sqlite_master
              WHERE type = 'table' AND rootpage = 0 AND utf8_valid(name)
                AND substr(lower(?1), 1, length(name) + 1) = lower(name) || '_'"""
    owner: str | None = database.value(sql, table)
    return owner
