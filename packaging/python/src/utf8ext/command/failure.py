"""Errors that end the command with one line and exit status 2."""

import click

FOUND = 1  # exit status: something was found


class Failure(click.ClickException):
    """Ends the command: prints `Error: MESSAGE` and exits with status 2."""

    exit_code = 2
