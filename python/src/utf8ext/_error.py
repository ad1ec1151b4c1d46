"""What goes wrong, in one line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Error(Exception):
    """Says in one line why something was not done."""

    def __init__(self, message: str, hint: str = "") -> None:
        """hint is what the command adds: the options that help."""
        super().__init__(message)
        self.hint = hint


@contextmanager
def naming(name: object) -> Iterator[None]:
    """Raise an OSError of the block as an Error about a file: `a.csv: No space left on device`."""
    try:
        yield
    except OSError as error:
        raise Error(f"{name}: {error.strerror}") from error
