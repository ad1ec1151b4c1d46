"""The command `utf8ext`, for people who do not write SQL: `pip install utf8ext[cli]`.

Exit status: 0 if nothing was found, 1 if something was found, 2 after an error.
"""

from __future__ import annotations

from importlib import import_module

import click

import utf8ext

_SUBCOMMANDS = ("audit", "report", "repair", "check", "convert", "detect")


class _Subcommands(click.Group):
    """Imports the module of a subcommand only when that is called, to start fast."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_SUBCOMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _SUBCOMMANDS:
            return None
        return import_module(f"utf8ext.command.{name}").command


@click.group(cls=_Subcommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(utf8ext.__version__, prog_name="utf8ext")
def main() -> None:
    """Find, explain and repair ill-formed text in SQLite databases and text files."""
