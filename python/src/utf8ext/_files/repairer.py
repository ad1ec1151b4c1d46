"""Repairs files in chunks, with the result that the whole file would have."""

from __future__ import annotations

from utf8ext._engine import Engine
from utf8ext._files.textfile import Chunk
from utf8ext._text import U_FFFD


class Repairer:
    """Makes well-formed UTF-8 of bytes that should be UTF-8: utf8_repair()."""

    def __init__(self, engine: Engine, policy: str) -> None:
        self._engine = engine
        self._policy = policy
        self._repair(b"", policy)  # an unknown policy is an error
        self._is_run = self._repair(b"\xff\xff", policy) == self._repair(b"\xff", policy)
        self._is_trim = self._repair(b"\xe2", policy) == b""
        self._in_run = False
        self.errors = 0  # how many errors were repaired
        self.lost = 0  # how many U+FFFD were written for them

    def decode(self, chunk: Chunk) -> bytes:
        """Return the repaired text of the next chunk."""
        data = chunk.content
        if self._engine.value("SELECT utf8_valid(?)", data):
            self._in_run = self._in_run and not data
            return data
        self.errors += self._engine.value(
            "SELECT count(*) FROM utf8_each(?) WHERE error > ''", data
        )
        # trim drops a sequence that the end of the file cuts off, not one at the end of a chunk
        policy = "subpart" if self._is_trim and not chunk.is_last else self._policy
        text = self._repair_run(data) if self._is_run else self._repair(data, policy)
        self.lost += text.count(U_FFFD) - data.count(U_FFFD)
        return text

    def _repair_run(self, data: bytes) -> bytes:
        """Continue a run of errors that started in the chunk before: FF begins it again."""
        text = self._repair(b"\xff" + data, "run") if self._in_run else self._repair(data, "run")
        begun = len(U_FFFD) if self._in_run else 0
        tail = data[-16:]
        self._in_run = self._repair(tail, "run") == self._repair(tail + b"\xff", "run")
        return text[begun:]

    def _repair(self, data: bytes, policy: str) -> bytes:
        return bytes(self._engine.value("SELECT utf8_repair(?, ?)", data, policy))
