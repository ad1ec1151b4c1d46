"""What functions that take long have in common."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Union

Path = Union[str, "os.PathLike[str]"]

Progress = Callable[[str, float], None]  # what is done, and how much of it, from 0 to 1


def ignore(what: str, fraction: float) -> None:
    """Show no progress."""
