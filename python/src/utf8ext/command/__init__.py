"""The command `utf8ext`, for people who do not write SQL: `pip install utf8ext[cli]`.

Exit status: 0 if nothing was found, 1 if something was found, 2 after an error, 130 after Ctrl-C, 143 after
SIGTERM, 129 after SIGHUP.
"""

from __future__ import annotations

import errno
from importlib import import_module
from keyword import iskeyword
from types import FrameType
from typing import Any

import click

import utf8ext
from utf8ext._signals import handle_signals
from utf8ext.command.failure import Failure, Interrupted, failure

# The first sentence of each one's help.
_SUBCOMMANDS = {
    "audit": "Find the ill-formed and misread text of databases.",
    "report": "Write a page about the ill-formed text in DATABASE.",
    "repair": "Repair the ill-formed and misread text of DATABASE.",
    "import": "Import text files into a table.",
    "export": "Export a table, a view or a query as CSV in any charset.",
    "check": "Report every error in text files: FILE:LINE:COLUMN: kind (bytes) at byte OFFSET.",
    "clean": "Clean a text file: repair it, undo mojibake, normalize.",
    "convert": "Write a text file in another charset.",
    "detect": "Guess the charset of text files: FILE: charset score (other candidates).",
    "charsets": "List the charsets that text can be in, or look one up.",
}


class _Subcommands(click.Group):
    """Imports the module of a subcommand only when that is called, to start fast."""

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_SUBCOMMANDS.items()))

    def list_commands(self, context: click.Context) -> list[str]:
        return list(_SUBCOMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in _SUBCOMMANDS:
            return None
        module = f"{name}_" if iskeyword(name) else name
        command: click.Command = import_module(f"utf8ext.command.{module}").command
        return command

    def format_help(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write("Example: utf8ext audit my.db\n\n")
        super().format_help(context, formatter)

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        try:
            return super().make_context(*arguments, **options)
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None
        except OSError as error:  # of --help and --version
            raise _output_failure(error) from error

    def invoke(self, context: click.Context) -> object:
        handle_signals(_end)
        try:
            return super().invoke(context)
        except KeyboardInterrupt:
            raise Interrupted("interrupted") from None
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else "utf8ext"
            message = error.format_message().rstrip(".")
            raise Failure(f"{message}; {path} --help explains") from None
        except utf8ext.Error as error:
            raise failure(error) from error
        except UnicodeEncodeError as error:  # of an argument that a shell passed on as it is
            raise Failure(f"'{error.object}' is not UTF-8") from error
        except OSError as error:
            raise _output_failure(error) from error


def _output_failure(error: OSError) -> Exception:
    """Return an error of stdout as one of the command. A closed pipe is left to click."""
    return error if error.errno == errno.EPIPE else Failure(error.strerror or str(error))


def _end(number: int, frame: FrameType | None) -> None:
    """End the command after a signal as after Ctrl-C, which removes unfinished files."""
    Interrupted.exit_code = 128 + number
    raise KeyboardInterrupt


@click.group(cls=_Subcommands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(utf8ext.__version__, prog_name="utf8ext")
def main() -> None:
    """Find, explain and repair ill-formed text in SQLite databases and text files."""
