"""utf8ext detect: guesses the charset of text files."""

from __future__ import annotations

import click

from utf8ext._engine import Engine
from utf8ext._error import Error
from utf8ext._files.detect import examine
from utf8ext._files.result import Guess
from utf8ext._verdict import UNCLEAR
from utf8ext.command.failure import FOUND, failure
from utf8ext.command.options import FILE_NAME, subcommand, syntax_options
from utf8ext.command.progress import reading
from utf8ext.command.records import Record, Records, file_name
from utf8ext.command.terminal import visible


@subcommand("detect", "notes.txt")
@click.argument("files", type=FILE_NAME, nargs=-1, required=True, metavar="FILE...")
@syntax_options("the guesses")
@click.pass_context
def command(context: click.Context, files: tuple[str, ...], syntax: str | None) -> None:
    """Guess the charset of text files: FILE: charset score (other candidates).

    Of a file whose lines are in several, says how many are in which, as import and convert do.

    Scores go from 0 to 1, as those of utf8_detect_score. What looks like binary data is binary. FILE
    can be - for standard input, and have any size. Exit status: 0 if all files are in UTF-8 or
    ASCII, 1 if one is not, 2 after an error.
    """
    engine, found, failed = Engine(""), False, False
    records = Records(syntax, _FIELDS, _text)
    for name in files:
        try:
            with reading(name, "Reading", unifies=True) as file:
                (decision, guesses), what = examine(engine, file), file.format()
        except Error as error:
            failure(error).show()
            failed = True
            continue
        label = decision.label
        if what:  # its bytes may look like text, as those of a PDF document do
            label, guesses = _NOT_TEXT.charset, [_NOT_TEXT]
        for record in _records(name, label, guesses, syntax):
            records.write(record)
        if what:
            click.echo(visible(f"{name}: the file is {what}"), err=True)
        is_utf8 = guesses[0].charset in ("ascii", "utf-8", "utf-8-bom")
        found |= decision.is_mixed or bool(decision.sections) or not is_utf8
    records.close()
    context.exit(2 if failed else FOUND if found else 0)


_NOT_TEXT = Guess("binary", 0.0)
_FIELDS = ("file", "charset", "score", "rank", "label")


def _records(name: str, label: str, guesses: list[Guess], syntax: str | None) -> list[Record]:
    """Return one record for a file; in CSV, one for each candidate."""
    rows = [{"charset": charset, "score": round(score, 4)} for charset, score in guesses]
    file = {"file": file_name(name)}
    if syntax == "csv":
        return [{**file, **row, "rank": rank, "label": label} for rank, row in enumerate(rows, 1)]
    return [{**file, **rows[0], "label": label, "others": rows[1:]}]


def _text(record: Record) -> str:
    others = ", ".join(f"{other['charset']} {other['score']:.2f}" for other in record["others"])
    what, label = f"{record['charset']} {record['score']:.2f}", record["label"]
    if label != record["charset"]:  # `utf-8, 48 lines in windows-1252`
        what = f"{label}: {what}" if UNCLEAR in label else label
    guess = f"{visible(record['file'])}: {what}"
    return f"{guess} ({others})" if others else guess
