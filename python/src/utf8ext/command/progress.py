"""Progress bars with a percentage, on stderr, and only if that is a terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from utf8ext._files.textfile import Show, TextFile, open_text
from utf8ext._progress import Progress, ignore
from utf8ext.command.terminal import is_terminal, visible

if TYPE_CHECKING:
    from utf8ext._database import Database

_INTERVAL = 0.1  # seconds between two updates

_TITLE = 40  # characters of a title that are shown


@contextmanager
def progress_bar(title: str, printing: bool = False) -> Iterator[Show]:
    """Show a bar while the block runs; the block calls show(fraction), from 0 to 1.

    The bar disappears afterwards. stdout is never touched. Pass printing if the block prints to
    stdout: on the same terminal, its lines would mix with the bar, so there is none.
    """
    with titled_bar(printing) as show:
        yield lambda fraction: show(title, fraction)


@contextmanager
def titled_bar(printing: bool = False) -> Iterator[Progress]:
    """Like progress_bar(), for a block with several parts: it calls show(title, fraction)."""
    if not is_terminal(sys.stderr) or (printing and is_terminal(sys.stdout)):
        yield ignore
        return
    # Late: without a terminal, nothing waits for it.
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn())
    console = Console(stderr=True)
    with Bar(
        *columns,
        TimeRemainingColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,
    ) as bar:
        yield _shower(bar, bar.add_task("", total=None))


@contextmanager
def reading(name: str, title: str, unifies: bool = False) -> Iterator[TextFile]:
    """Open a text file, or standard input if name is '-', and show a bar while it is read."""
    with progress_bar(f"{title} {name}") as show, open_text(name, show, unifies) as file:
        yield file


@contextmanager
def scan_bar(database: Database, printing: bool = False) -> Iterator[None]:
    """Show a bar while the block scans the whole database."""
    with progress_bar("Reading", printing) as show, database.reading(show):
        yield


def _shower(bar: Any, task: Any) -> Progress:
    """Return show(title, fraction), which updates the bar a few times per second.

    A new title is shown at once, so that a short part is seen, too.
    """
    shown_at, last = 0.0, ""

    def show(title: str, fraction: float) -> None:
        nonlocal shown_at, last
        now = time.monotonic()
        if fraction > 0 and (title != last or now - shown_at >= _INTERVAL):
            from rich.markup import escape

            shown = escape(visible(title[:_TITLE]))
            bar.update(task, description=shown, total=1.0, completed=fraction, refresh=title != last)
            shown_at, last = now, title

    return show
