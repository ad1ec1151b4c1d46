"""The command `utf8ext`: says what to install if the packages of the command are missing."""

from __future__ import annotations

import io
import sys

TYPE_CHECKING = False  # whatever is slow to import waits for main(), which handles Ctrl-C

if TYPE_CHECKING:
    from typing import NoReturn

_PACKAGES = ("click", "rich", "jinja2")


def main() -> None:
    """Run the command."""
    try:
        from utf8ext._signals import ignore_signals
        from utf8ext.command import main as command

        _escape_what_cannot_be_printed()
        if sys.stdout is None:
            _fail("Error: standard output is closed", 2)
        try:
            command(prog_name="utf8ext")
        finally:
            ignore_signals()  # Python's end takes a moment
    except ModuleNotFoundError as error:
        if error.name not in _PACKAGES:
            raise
        _fail("utf8ext: the command needs more packages: pip install 'utf8ext[cli]'", 2)
    except KeyboardInterrupt:  # while the command is imported
        _fail("Error: interrupted", 130)


def _fail(message: str, status: int) -> NoReturn:
    print(message, file=sys.stderr)
    sys.exit(status)


def _escape_what_cannot_be_printed() -> None:
    """Let a terminal that is not in UTF-8 show an escape, such as \\u20ac, instead of an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


if __name__ == "__main__":
    main()
