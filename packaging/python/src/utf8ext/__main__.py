"""The command `utf8ext`: says what to install if the packages of the command are missing."""

from __future__ import annotations

import sys

_PACKAGES = ("click", "rich", "jinja2")


def main() -> None:
    """Run the command."""
    try:
        from utf8ext.command import main as command

        command(prog_name="utf8ext")
    except ModuleNotFoundError as error:
        if error.name not in _PACKAGES:
            raise
        print(
            "utf8ext: the command needs more packages: pip install 'utf8ext[cli]'", file=sys.stderr
        )
        sys.exit(2)


if __name__ == "__main__":
    main()
