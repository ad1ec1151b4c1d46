"""Arguments and options that several subcommands have."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from utf8ext._error import Error
from utf8ext._output import STDOUT
from utf8ext._pipe import STDIN

Command = Callable[..., None]

# A path that is checked only when the file is opened; shells complete it.
FILE = click.Path(readable=False, path_type=Path)

# A path as it was written, for messages; `-` stands for a standard stream.
FILE_NAME = click.Path(readable=False, allow_dash=True)


class Subcommand(click.Command):
    """A subcommand whose help starts with an example that can be typed in as it is."""

    def __init__(self, *args: Any, example: str, **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.example = example

    def format_help(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write(f"Example: {self.example}\n\n")
        super().format_help(context, formatter)


def subcommand(name: str, example: str) -> Callable[[Command], click.Command]:
    return click.command(name, cls=Subcommand, example=f"utf8ext {name} {example}")


def output_options(command: Command) -> Command:
    """Add -o, --in-place and --no-backup to a subcommand of FILE.

    It gets them as output, which is None for in place, and backup.
    """

    @functools.wraps(command)
    def with_output(
        *args: Any, in_place: bool, output: str | None, no_backup: bool, **options: Any
    ) -> None:
        if in_place and (output or options["file"] == STDIN):
            raise Error("--in-place replaces FILE; it takes neither -o nor -")
        target = None if in_place else output or STDOUT
        command(*args, output=target, backup=not no_backup, **options)

    to_file = "The new file. Default: standard output."
    no_copy = "With --in-place: make no FILE.utf8ext-backup."
    with_backup = click.option("--no-backup", is_flag=True, help=no_copy)(with_output)
    with_in_place = click.option("--in-place", is_flag=True, help="Replace FILE.")(with_backup)
    return click.option("-o", "--output", type=FILE_NAME, metavar="FILE", help=to_file)(with_in_place)


def mark_of(text: str | None) -> str | None:
    """Return the delimiter, quote or escape that a user names: `tab`, `\\t|\\t`, `none`."""
    if text is None or text.lower() == "none":
        return text and ""
    return "\t" if text.lower() == "tab" else text.replace("\\t", "\t")


loss_option = click.option(
    "--loss",
    default="error",
    show_default=True,
    metavar="LOSS",
    help="For what the new charset lacks: error, closest, xml, ignore or replace, as in utf8_to.",
)

suspects_option = click.option(
    "--suspects", is_flag=True, help="Also find well-formed but suspicious text."
)


def syntax_options(what: str) -> Callable[[Command], Command]:
    """Add --json and --csv to a subcommand, which gets them as syntax: 'json', 'csv' or None."""

    def decorate(command: Command) -> Command:
        @functools.wraps(command)
        def with_syntax(*args: Any, as_json: bool, as_csv: bool, **options: Any) -> None:
            if as_json and as_csv:
                raise Error("--json and --csv exclude each other")
            command(*args, syntax="json" if as_json else "csv" if as_csv else None, **options)

        csv_help = f"Print {what} as CSV with a header."
        json_help = f"Print {what} as a JSON array."
        with_csv = click.option("--csv", "as_csv", is_flag=True, help=csv_help)(with_syntax)
        return click.option("--json", "as_json", is_flag=True, help=json_help)(with_csv)

    return decorate
