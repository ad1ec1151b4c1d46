"""Compressed files are read as what they contain: gzip, bzip2, xz and zstd."""

from __future__ import annotations

import bz2
import gzip
import importlib
import lzma
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import COMMAND, Fails, Run, query

import utf8ext


def _zstd() -> Any:
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    return None


def zstd_compress(data: bytes) -> bytes:
    module = _zstd() or pytest.skip("there is no zstd")
    packed: bytes = module.compress(data, options={module.CompressionParameter.checksum_flag: 1})
    return packed


FORMATS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zstd": zstd_compress,
}

DATA = "id;имя\n1;Иван Петров\n2;Анна Иванова\n".encode("cp1251")

each = pytest.mark.parametrize("compression", FORMATS)


@each
def test_every_door(run: Run, compression: str) -> None:
    """By the first bytes, whatever the name is."""
    Path("a.csv").write_bytes(DATA)
    Path("b.csv").write_bytes(FORMATS[compression](DATA))
    for command in (("detect",), ("check",), ("convert", "--from", "auto"), ("clean",)):
        plain, packed = (run(*command, name) for name in ("a.csv", "b.csv"))
        assert packed.returncode == plain.returncode
        assert packed.stdout.replace("b.csv", "a.csv") == plain.stdout
        assert packed.stderr.replace("b.csv", "a.csv") == plain.stderr
        with open("b.csv", "rb") as pipe:
            piped = run(*command[:1], "-", *(("--from", "cp1251") if "auto" in command else ()), stdin=pipe)
        assert piped.stdout.replace("-:", "a.csv:") == plain.stdout
    assert run("import", "b.csv", "my.db").returncode == 0
    assert query(Path("my.db"), "SELECT * FROM b") == [
        (b"1", "Иван Петров".encode()),
        (b"2", "Анна Иванова".encode()),
    ]


@pytest.mark.parametrize("ending", [".gz", ".GZ", ".bz2", ".xz", ".zst", ""])
def test_the_name_of_the_table(run: Run, ending: str) -> None:
    Path(f"people.tsv{ending}").write_bytes(gzip.compress(b"id\tname\n1\tx,y\n"))
    assert run("import", f"people.tsv{ending}", "my.db").returncode == 0
    assert query(Path("my.db"), "SELECT name FROM people") == [(b"x,y",)]


def test_a_file_that_is_only_named_so(run: Run) -> None:
    Path("a.csv.gz").write_bytes(b"id,name\n1,BZh\n")
    assert run("import", "a.csv.gz", "my.db").returncode == 0
    assert run("detect", "a.csv.gz").stdout == "a.csv.gz: ascii 1.00\n"


@each
def test_several_streams(compression: str) -> None:
    """Files that were joined, as `cat a.gz b.gz` does; gzip pads with zeros."""
    pack = FORMATS[compression]
    padding = b"\0" * 8 if compression in ("gzip", "xz") else b""
    Path("a.txt").write_bytes(pack(b"a\n") + pack(b"") + pack(b"b\n" * 100_000) + padding)
    utf8ext.convert("a.txt", "b.txt", source="utf-8")
    assert Path("b.txt").read_bytes() == b"a\n" + b"b\n" * 100_000


@each
def test_empty(run: Run, fails: Fails, compression: str) -> None:
    Path("a.txt").write_bytes(FORMATS[compression](b""))
    assert run("detect", "a.txt").stdout == "a.txt: ascii 1.00\n"
    assert fails("import", "a.txt", "my.db") == "a.txt: the file is empty"


@each
def test_a_cut_file(fails: Fails, compression: str) -> None:
    """At each length an error says so, and nothing is left."""
    whole = FORMATS[compression](os.urandom(3000).hex().encode())
    for size in (*range(12, len(whole), 397), len(whole) - 1):
        Path("a.txt").write_bytes(whole[:size])
        with pytest.raises(utf8ext.Error, match=f"a.txt: the {compression} file is cut off: its end is missing"):
            utf8ext.convert("a.txt", "b.txt", source="utf-8")
    assert fails("import", "a.txt", "my.db") == f"a.txt: the {compression} file is cut off: its end is missing"
    assert fails("convert", "a.txt", "--from", "auto") == f"a.txt: the {compression} file is cut off: its end is missing"
    assert os.listdir() == ["a.txt"]


@each
def test_a_damaged_file(compression: str) -> None:
    whole = bytearray(FORMATS[compression](os.urandom(3000).hex().encode()))
    whole[len(whole) // 2] ^= 0x55
    Path("a.txt").write_bytes(whole)
    with pytest.raises(utf8ext.Error, match=f"a.txt: the {compression} file is (damaged|cut off)"):
        utf8ext.convert("a.txt", "b.txt", source="utf-8")
    Path("a.txt").write_bytes(FORMATS[compression](b"a\n") + b"some text after it")
    with pytest.raises(utf8ext.Error, match="other bytes follow its end"):
        utf8ext.convert("a.txt", "b.txt", source="utf-8")
    assert os.listdir() == ["a.txt"]


def test_in_place_is_refused(fails: Fails) -> None:
    Path("a.txt").write_bytes(gzip.compress(b"caf\xc3\xa9\n"))
    message = "a.txt: the file is compressed; write another file with -o"
    assert fails("convert", "a.txt", "--from", "utf-8", "--in-place") == message
    assert fails("clean", "a.txt", "--in-place") == message
    said = "a.txt: is input and output; to replace it, say --in-place"
    assert fails("convert", "a.txt", "--from", "utf-8", "-o", "a.txt") == said


def test_archives_and_what_is_packed_twice(fails: Fails) -> None:
    Path("a.gz").write_bytes(gzip.compress(gzip.compress(b"x")))
    assert fails("import", "a.gz", "my.db") == "a.gz: the file is compressed by gzip; unpack it first: gunzip"


def test_two_encodings_in_a_packed_file(run: Run) -> None:
    data = "\ufeffid,name\r\n1,Zoë\r\n".encode("utf-16le") + "2,Jörg Müller, Köln\n".encode()
    Path("a.csv.gz").write_bytes(gzip.compress(data))
    assert run("detect", "a.csv.gz").stdout == "a.csv.gz: utf-16le, utf-8 from line 3\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux limits memory")
@each
def test_a_bomb_fills_no_memory(compression: str) -> None:
    """480 MB in a few KB are read with 400 MB of addresses."""
    Path("bomb").write_bytes(FORMATS[compression](b"a" * (20 << 20) + b"\n") * 24)

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (400 << 20, 400 << 20))

    command = [str(COMMAND), "check", "--encoding", "utf-8", "bomb"]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    assert (done.returncode, done.stderr) == (0, "1 file, nothing found\n")


def test_without_the_package(fails: Fails, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("utf8ext._packed._zstd", lambda: importlib.import_module("none.such"))
    Path("a.zst").write_bytes(b"\x28\xb5\x2f\xfd" + b"x" * 20)
    with pytest.raises(utf8ext.Error, match=r"compressed by zstd, which needs more: pip install 'utf8ext\[zst\]'"):
        utf8ext.convert("a.zst", "b.txt", source="utf-8")
