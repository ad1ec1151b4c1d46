"""What goes wrong, in one line."""

from __future__ import annotations


class Error(Exception):
    """Says in one line why something was not done."""
