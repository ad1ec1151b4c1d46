"""Guesses the charset of bytes."""

from __future__ import annotations

import io

from utf8ext._files.result import Guess


def detect(data: bytes) -> list[Guess]:
    """Return the likely charset of bytes, as utf8_detect() names it, and other candidates after it.

    What looks like binary data is `binary`. There is one candidate if a rule decides. Raises
    utf8ext.Error if this Python cannot load SQLite extensions and apsw is not installed.
    """
    from utf8ext._engine import thread_engine
    from utf8ext._files.detect import detect_file
    from utf8ext._files.textfile import TextFile, show_nothing

    return detect_file(thread_engine(), TextFile(io.BytesIO(data), "bytes", show_nothing))
