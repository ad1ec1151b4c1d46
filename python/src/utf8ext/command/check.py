"""utf8ext check: reports what is ill-formed in text files."""

from __future__ import annotations

from collections import Counter
from typing import Any

import click

from utf8ext._engine import Engine
from utf8ext._error import Error
from utf8ext._files.scan import DIALECTS, ENCODINGS, scan
from utf8ext.command.failure import FOUND, failure
from utf8ext.command.options import FILE_NAME, subcommand, suspects_option, syntax_options
from utf8ext.command.progress import reading
from utf8ext.command.records import Record, Records, file_name
from utf8ext.command.terminal import visible


@subcommand("check", "orders.csv")
@click.argument("files", type=FILE_NAME, nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--encoding",
    "--dialect",
    type=click.Choice(ENCODINGS, case_sensitive=False),
    metavar="NAME",
    help=f"How the files are written: {', '.join(ENCODINGS)}. "
    "Default: UTF-16 or UTF-32 if a byte order mark says so, else utf-8.",
)
@suspects_option
@syntax_options("the findings")
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    encoding: str | None,
    suspects: bool,
    syntax: str | None,
) -> None:
    """Report every error in text files: FILE:LINE:COLUMN: kind (bytes) at byte OFFSET.

    Also reports where text was misread, once for each line.

    Lines and columns count from 1, columns in code points; offsets count from 0. FILE can be - for
    standard input, and have any size. Exit status: 0 if nothing was found, 1 if something was, 2
    after an error.
    """
    if suspects and encoding in DIALECTS[1:]:
        raise Error(f"--suspects cannot read {encoding}, only utf-8, utf-16 and utf-32")
    engine, kinds, failed = Engine(), Counter[str](), 0
    records = Records(syntax, _FIELDS, _text)
    for name in files:
        try:
            _check(engine, name, (encoding, suspects), records, kinds)
        except Error as error:
            failure(error).show()
            failed += 1
    records.close()
    if failed < len(files):
        _summarize(len(files) - failed, kinds)
    context.exit(2 if failed else FOUND if kinds else 0)


def _check(
    engine: Engine, name: str, how: tuple[Any, Any], records: Records, kinds: Counter[str]
) -> None:
    """Print what is found in a file, and count it by kind."""
    with reading(name, "Checking") as file:
        file.refuse_formats()
        for finding in scan(engine, file, *how):
            row = file_name(name), *finding[:-1], finding.content.hex()
            records.write(dict(zip(_FIELDS, row)))
            kinds[finding.kind] += 1


_FIELDS = ("file", "line", "column", "offset", "kind", "bytes")


def _text(record: Record) -> str:
    content = bytes.fromhex(record["bytes"]).hex(" ").upper()
    place = f"{visible(record['file'])}:{record['line']}:{record['column']}"
    return f"{place}: {record['kind']} ({content}) at byte {record['offset']}"


def _summarize(files: int, kinds: Counter[str]) -> None:
    total = sum(kinds.values())
    details = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
    found = f"{total:,} found: {details}" if total else "nothing found"
    click.echo(f"{files:,} {'file' if files == 1 else 'files'}, {found}", err=True)
