"""What goes wrong, in one line."""

from __future__ import annotations


class Error(Exception):
    """Says in one line why something was not done."""

    def __init__(self, message: str, hint: str = "") -> None:
        """hint is what the command adds: the options that help."""
        super().__init__(message)
        self.hint = hint
