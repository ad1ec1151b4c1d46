"""Ctrl-C, SIGTERM and SIGHUP, which must wait, or come too late, at some moments."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from types import FrameType
from typing import Union

# Windows has no SIGHUP, which a terminal sends when it is closed.
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP")
_SIGNALS = [getattr(signal, name) for name in _NAMES if hasattr(signal, name)]

_Handler = Union[Callable[[int, Union[FrameType, None]], object], int, None]


def uninterrupted() -> AbstractContextManager[None]:
    """Ignore all of them during the block, which is short."""
    return _each(lambda number: _handled(number, signal.SIG_IGN))


def deferred() -> AbstractContextManager[None]:
    """Let all of them wait for the end of the block, in which a file is made and noted.

    A mask would not do: the system gives a signal to any thread that does not block it, and
    Python then handles it in the main thread, within the block.
    """
    return _each(_postponed)


@contextmanager
def _each(treated: Callable[[int], AbstractContextManager[None]]) -> Iterator[None]:
    """Treat each of them during the block. Python handles signals in the main thread only."""
    is_main = threading.current_thread() is threading.main_thread()
    with ExitStack() as stack:
        for number in _SIGNALS if is_main else ():
            stack.enter_context(treated(number))
        yield


def handle_signals(handler: _Handler) -> None:
    """Handle SIGTERM and SIGHUP like Ctrl-C, unless they are ignored, as under nohup."""
    for number in _SIGNALS:
        if number != signal.SIGINT and signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handler)


def ignore_signals() -> None:
    """Ignore all of them until the process ends: for a command that has only to print."""
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


@contextmanager
def _handled(number: int, handler: _Handler) -> Iterator[None]:
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, signal.SIG_DFL if before is None else before)


@contextmanager
def _postponed(number: int) -> Iterator[None]:
    came: list[int] = []
    try:
        with _handled(number, lambda number, _: came.append(number)):
            yield
    finally:
        if came:
            signal.raise_signal(number)
