"""utf8ext charsets: what text can be in."""

from __future__ import annotations

import click

from utf8ext._engine import Engine
from utf8ext._error import Error
from utf8ext.command.options import subcommand, syntax_options
from utf8ext.command.records import Record, Records

_FIELDS = ("name", "kind", "aliases")

_ALL = "SELECT name, kind, aliases FROM utf8_charsets WHERE ?1 IS NULL OR name = ?1"


@subcommand("charsets", "cp1252")
@click.argument("name", required=False)
@syntax_options("the charsets")
def command(name: str | None, syntax: str | None) -> None:
    """List the charsets that text can be in, or look one up.

    NAME is any name of a charset; an unknown one is answered with the nearest.
    """
    engine = Engine()
    canonical = engine.value("SELECT utf8_charset_name(?)", name)
    if name is not None and canonical is None:
        engine.value("SELECT utf8_from('', ?)", name)
        raise Error(f"{name} is not a charset that text can be in")
    records = Records(syntax, _FIELDS, _text)
    for row in engine.rows(_ALL, canonical):
        records.write(dict(zip(_FIELDS, row)))
    records.close()


def _text(record: Record) -> str:
    return f"{record['name']} ({record['kind']}): {record['aliases'] or '-'}"
