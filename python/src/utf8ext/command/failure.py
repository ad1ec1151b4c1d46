"""Errors that end the command with one line on stderr."""

from __future__ import annotations

from contextlib import suppress
from typing import IO, Any

import click

from utf8ext._error import Error
from utf8ext.command.terminal import visible

FOUND = 1  # exit status: something was found


class Failure(click.ClickException):
    """Ends the command: prints `Error: MESSAGE` on one line and exits with status 2."""

    exit_code = 2

    def format_message(self) -> str:
        return visible(self.message)

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the message. If stderr cannot be written, the status alone reports the failure."""
        with suppress(OSError):
            super().show(file)


class Interrupted(Failure):
    """Ends the command after Ctrl-C, with the status by which shells report it."""

    exit_code = 130


def failure(error: Error) -> Failure:
    """Return an error of the package as one of the command."""
    return Failure(f"{error}; {error.hint}" if error.hint else str(error))
