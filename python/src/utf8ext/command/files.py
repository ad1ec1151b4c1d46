"""Arguments of the command that are paths, which shells complete."""

from __future__ import annotations

from pathlib import Path

import click

# A path that is checked only when the file is opened.
FILE = click.Path(readable=False, path_type=Path)

# A path as it was written, for messages; `-` stands for a standard stream.
FILE_NAME = click.Path(readable=False, allow_dash=True)
