"""Ctrl-C and SIGTERM, where they would make a result that is complete look like a failure."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ignore both during the block, which is short."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    handlers = {number: signal.signal(number, signal.SIG_IGN) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler or signal.SIG_DFL)


def ignore_signals() -> None:
    """Ignore both until the process ends: for a command that has nothing left to do but print."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
