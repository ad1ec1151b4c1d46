"""Converts text files."""

from __future__ import annotations

import os

from utf8ext._files.result import Converted
from utf8ext._progress import Path, Progress, ignore


def convert(
    file: Path,
    output: Path | None = None,
    *,
    source: str = "auto",
    target: str = "utf-8",
    policy: str | None = None,
    loss: str = "error",
    backup: bool = True,
    progress: Progress | None = None,
) -> Converted:
    """Write a text file of any size in another charset; without an output, in its place.

    The original is then kept as FILE.utf8ext-backup, which must not exist, unless backup is False.

    source `auto` decides what the file is, and each of its lines that is not UTF-8. policy is one of utf8_repair(), for UTF-8.
    loss says what is written for characters that target lacks, as in utf8_to(): closest, xml, ignore
    or replace.
    `-` is standard input or output. progress is called with what is done and how much of it, from 0
    to 1. The new file appears when it is complete.

    Raises utf8ext.Error, and changes nothing then: if a line is unclear or binary, if target lacks
    a character and loss is `error`, or if a file would lose something in its own place and you named no policy.
    """
    from utf8ext._files.convert import Options, convert_file

    options = Options(source, target, policy, backup, loss)
    to = None if output is None else os.fspath(output)
    return convert_file(os.fspath(file), to, options, progress or ignore)
