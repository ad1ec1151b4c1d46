"""Ctrl-C and SIGTERM, which must wait, or come too late, at some moments."""

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


@contextmanager
def deferred() -> Iterator[None]:
    """Let Ctrl-C and SIGTERM wait for the end of the block, in which a file is made and noted."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_signals() -> None:
    """Ignore both until the process ends: for a command that has nothing left to do but print."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)
