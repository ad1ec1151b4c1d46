"""The command `utf8ext`, for people who do not write SQL: `pip install utf8ext[cli]`.

Exit status: 0 if nothing was found, 1 if something was found, 2 after an error.
"""

import click

import utf8ext
from utf8ext.command import audit, check, convert, detect, repair, report


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(utf8ext.__version__)
def main() -> None:
    """Find, explain and repair ill-formed text in SQLite databases and text files."""


for module in (audit, report, repair, check, convert, detect):
    main.add_command(module.command)
