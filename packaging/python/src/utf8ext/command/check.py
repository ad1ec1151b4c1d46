"""utf8ext check: reports what is ill-formed in text files."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections import Counter
from collections.abc import Callable

import click

from utf8ext.command.engine import Engine
from utf8ext.command.failure import FOUND, Failure
from utf8ext.command.scan import DIALECTS, ENCODINGS, Finding, scan
from utf8ext.command.terminal import visible
from utf8ext.command.textfile import open_text

Report = Callable[[str, Finding], None]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--encoding",
    "--dialect",
    type=click.Choice(ENCODINGS, case_sensitive=False),
    help="How the files are written. Default: UTF-16 or UTF-32 if a byte order mark says so, else utf-8.",
)
@click.option(
    "--suspects",
    is_flag=True,
    help="Also report well-formed but suspicious text: the first of each line, see utf8_suspect.",
)
@click.option("--json", "form", flag_value="json", help="Print a JSON object in each line.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV (RFC 4180) with a header.")
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    encoding: str | None,
    suspects: bool,
    form: str | None,
) -> None:
    """Report every error in text files: FILE:LINE:COLUMN: kind (bytes).

    Lines and columns count from 1, columns in code points. `-` is standard input. Files can have
    any size. Exit status: 0 if nothing was found, 1 if something was, 2 after an error.
    """
    if suspects and encoding in DIALECTS[1:]:
        raise click.UsageError(
            f"--suspects cannot read {encoding}; accepted: utf-8, utf-16, utf-32"
        )
    report, kinds, failed = _reporter(form), Counter[str](), False
    engine = Engine()
    for name in files:
        failed |= not _check(engine, name, encoding, suspects, report, kinds)
    _summarize(len(files), kinds)
    context.exit(2 if failed else FOUND if kinds else 0)


def _check(
    engine: Engine,
    name: str,
    encoding: str | None,
    suspects: bool,
    report: Report,
    kinds: Counter[str],
) -> bool:
    """Report what is found in a file, and count it by kind. Return False if it cannot be read."""
    try:
        with open_text(name, "Checking") as file:
            for finding in scan(engine, file, encoding, suspects):
                report(name, finding)
                kinds[finding.kind] += 1
    except Failure as failure:
        failure.show()
        return False
    return True


# ---- output ----------------------------------------------------------------------------


def _reporter(form: str | None) -> Report:
    if form == "json":
        return _report_json
    if form == "csv":
        return _csv_reporter()
    return _report_text


def _report_text(name: str, finding: Finding) -> None:
    content = finding.content.hex(" ").upper()
    place = f"{visible(name)}:{finding.line}:{finding.column}"
    sys.stdout.write(f"{place}: {finding.kind} ({content}) at byte {finding.offset}\n")


_FIELDS = ("file", "line", "column", "offset", "kind", "bytes")


def _values(finding: Finding) -> tuple[object, ...]:
    return (*finding[:-1], finding.content.hex())


def _report_json(name: str, finding: Finding) -> None:
    values = (os.fsencode(name).decode(errors="backslashreplace"), *_values(finding))
    sys.stdout.write(json.dumps(dict(zip(_FIELDS, values))) + "\n")


def _csv_reporter() -> Report:
    writer = csv.writer(sys.stdout)
    writer.writerow(_FIELDS)

    def report(name: str, finding: Finding) -> None:
        writer.writerow((visible(name), *_values(finding)))

    return report


def _summarize(files: int, kinds: Counter[str]) -> None:
    total = sum(kinds.values())
    details = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common())
    found = f"{total:,} found: {details}" if total else "nothing found"
    click.echo(f"{files:,} {'file' if files == 1 else 'files'}, {found}", err=True)
