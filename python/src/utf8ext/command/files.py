"""Arguments of the command that are paths."""

from __future__ import annotations

from pathlib import Path

import click

# A path that is checked only when the file is opened.
FILE = click.Path(readable=False, path_type=Path)
