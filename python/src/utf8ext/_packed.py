"""Compressed files, which are read as the text that they contain: gzip, bzip2, xz and zstd."""

from __future__ import annotations

import io
import os
import zlib
from typing import Any, BinaryIO

from utf8ext._error import Error
from utf8ext._pipe import read, wait

_PIECE = 64 << 10  # bytes of a compressed file that one call reads

_MEMORY = 256 << 20  # bytes that xz may take; its files can ask for 4 GB

# How each format begins. The last byte of bzip2's is the size of its blocks.
_MAGIC = (
    (b"\x1f\x8b\x08", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
)
_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # the first block, or the end of an empty file

_ENDINGS = (".gz", ".bz2", ".xz", ".zst")

_HEAD = 10  # bytes that show the format


def packed_format(head: bytes) -> str | None:
    """Return how a file that starts with head is compressed, or None."""
    name = next((name for magic, name in _MAGIC if head.startswith(magic)), None)
    return None if name == "bzip2" and not head[4:10].startswith(_BZIP2_BLOCKS) else name


def unpacked_name(name: str) -> str:
    """Return the name that a compressed file had before: `orders.csv` of `orders.csv.gz`."""
    stem, ending = os.path.splitext(name)
    return stem if ending.lower() in _ENDINGS else name


def unpacked(file: Any, name: str) -> BinaryIO:
    """Return a file, or the Unpacked that reads what is in it."""
    compression = packed_format(_peeked(file)) if hasattr(file, "peek") else None
    return file if compression is None else Unpacked(file, name, compression)


def _peeked(file: Any) -> bytes:
    """Return the first bytes of a file, which stay to be read. A pipe may have fewer at first."""
    wait(file)
    head: bytes = file.peek(_HEAD)
    return head[:_HEAD]


class Unpacked(io.BufferedReader):
    """What a compressed file contains. It can be read again from its start, if the file can."""

    def __init__(self, file: BinaryIO, name: str, compression: str) -> None:
        super().__init__(_Stream(file, name, compression), _PIECE)
        self.packed = file


class _Stream(io.RawIOBase):
    """Unpacks a file as it is read, so that memory holds a piece of it, whatever its ratio."""

    def __init__(self, file: BinaryIO, name: str, compression: str) -> None:
        self._file = file
        self._name = name
        self._compression = compression
        self._start()

    def _start(self) -> None:
        self._decoder = _decoder(self._compression, self._name)
        self._data = b""  # read, but not yet unpacked

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self._file.seekable()

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        """Go to the start; no other place is needed."""
        if offset or whence != io.SEEK_SET:
            raise io.UnsupportedOperation("seek")
        self._file.seek(0)
        self._start()
        return 0

    def tell(self) -> int:
        raise io.UnsupportedOperation("tell")

    def close(self) -> None:
        if not self.closed:
            self._file.close()
        super().close()

    def readinto(self, buffer: Any) -> int:
        size = len(buffer)
        while True:
            if self._decoder.eof and not self._next_stream():
                return 0
            data = self._unpack(size)
            if data:
                buffer[: len(data)] = data
                return len(data)

    def _unpack(self, size: int) -> bytes:
        """Unpack at most size bytes; none if that needs more of the file."""
        if self._decoder.needs_input and not self._data:
            self._data = read(self._file, _PIECE)
            if not self._data:
                raise Error(f"{self._name}: the {self._compression} file is cut off: its end is missing")
        data, self._data = self._data, b""
        try:
            unpacked: bytes = self._decoder.decompress(data, size)
        except MemoryError:
            raise
        except Exception as error:
            what = str(error) or type(error).__name__
            raise Error(f"{self._name}: the {self._compression} file is damaged ({what})") from error
        return unpacked

    def _next_stream(self) -> bool:
        """Go to the next stream, as in files that were joined; zeros may pad the last one."""
        rest: bytes = self._decoder.unused_data
        while not rest.strip(b"\0"):
            rest = read(self._file, _PIECE)
            if not rest:
                return False
        rest = rest.lstrip(b"\0") if self._compression in ("gzip", "xz") else rest
        rest += read(self._file, _HEAD) if len(rest) < _HEAD else b""
        if packed_format(rest) != self._compression:
            raise Error(f"{self._name}: the {self._compression} file is damaged: other bytes follow its end")
        self._decoder, self._data = _decoder(self._compression, self._name), rest
        return True


class _Gzip:
    """Unpacks gzip, with the methods of the other decoders."""

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(31)

    def decompress(self, data: bytes, size: int) -> bytes:
        return self._decoder.decompress(self._decoder.unconsumed_tail + data, size)

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    @property
    def needs_input(self) -> bool:
        return not self._decoder.unconsumed_tail


def _decoder(compression: str, name: str) -> Any:
    """Return what unpacks a stream: decompress(data, size), needs_input, eof and unused_data."""
    if compression == "gzip":
        return _Gzip()
    try:
        if compression == "bzip2":
            import bz2

            return bz2.BZ2Decompressor()
        if compression == "xz":
            import lzma

            return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY)
        return _zstd().ZstdDecompressor()
    except ImportError:
        needs = "pip install 'utf8ext[zst]'" if compression == "zstd" else f"a Python with {compression}"
        raise Error(f"{name}: compressed by {compression}, which needs more: {needs}") from None


def _zstd() -> Any:
    """Return the module of Python 3.14, or its copy for older ones."""
    from importlib import import_module

    try:
        return import_module("compression.zstd")
    except ImportError:
        return import_module("backports.zstd")
