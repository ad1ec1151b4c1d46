"""utf8ext.clean() and utf8ext clean."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from conftest import Run, write

import utf8ext


def test_clean_str() -> None:
    assert utf8ext.clean("cafÃ© e\u0301") == "café é"
    assert utf8ext.clean(" “caf&eacute;” ", steps="html,quotes,trim") == '"café"'
    assert utf8ext.clean("a\ud83d\ude00b\udc00c\0") == "a😀b\ufffdc\0"
    assert utf8ext.clean("") == ""


def test_clean_bytes() -> None:
    assert utf8ext.clean("Привет, мир".encode("cp1251")) == "Привет, мир".encode()
    assert utf8ext.clean(b"\xff", "trim") == "\ufffd".encode()
    assert utf8ext.clean(b"") == b""


def test_clean_errors() -> None:
    with pytest.raises(utf8ext.Error, match="accepted: a list, separated by commas, of repair"):
        utf8ext.clean("x", "polish")
    with pytest.raises(TypeError, match="text is int; accepted: str, bytes"):
        utf8ext.clean(5)  # type: ignore[type-var]
    with pytest.raises(utf8ext.Error, match="accepted: a list"):
        utf8ext.clean(None, "polish")


def test_clean_none() -> None:
    assert utf8ext.clean(None) is None
    assert utf8ext.clean(None, "trim") is None


@pytest.mark.parametrize("steps", ["repair,mojibake,nfc", "trim"])
def test_clean_refuses_binary_data(steps: str) -> None:
    with pytest.raises(utf8ext.Error, match="utf8ext.clean: text looks like binary data, not text"):
        utf8ext.clean(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\xff\0\xfe", steps)


def test_clean_in_threads() -> None:
    cleaned: list[str] = []
    threads = [
        threading.Thread(target=lambda: cleaned.append(utf8ext.clean("cafÃ©"))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cleaned == ["café"] * 4


def test_command(run: Run) -> None:
    write("cafÃ© “x”\n".encode())
    done = run("clean", "a.txt")
    assert (done.returncode, done.stdout) == (0, "café “x”\n")
    assert done.stderr == "a.txt: utf-8, 1 line misread in windows-1252, cleaned\n"
    done = run("clean", "--steps", "quotes", "-o", "b.txt", "a.txt")
    assert (done.returncode, done.stdout) == (0, "")
    assert Path("b.txt").read_text(encoding="utf-8") == 'cafÃ© "x"\n'


def test_command_in_place(run: Run) -> None:
    path = write("Привет, мир! Как дела?\n".encode("cp1251"))
    done = run("clean", "--in-place", "a.txt")
    assert (done.returncode, done.stderr) == (0, "a.txt: windows-1251, cleaned\n")
    assert path.read_text(encoding="utf-8") == "Привет, мир! Как дела?\n"
    assert run("clean", "--in-place", "a.txt").stderr == "a.txt: well-formed, unchanged\n"


def test_command_loses_nothing_in_place(run: Run) -> None:
    data = "Größe, Grüße, Größe ".encode() + b"caf\xc3"
    path = write(data)
    done = run("clean", "--in-place", "a.txt")
    assert done.returncode == 2 and path.read_bytes() == data
    assert "1 character written as U+FFFD; the file stays as it was" in done.stderr
    done = run("clean", "a.txt")
    assert (done.returncode, done.stdout) == (1, "Größe, Grüße, Größe caf\ufffd")


def test_command_refuses(run: Run) -> None:
    write(b"\x00\xff\x00\xfe\x01\x02")
    done = run("clean", "a.txt")
    assert done.returncode == 2 and "looks like binary data" in done.stderr
    write(b"x")
    done = run("clean", "--steps", "polish", "a.txt")
    assert done.returncode == 2 and "accepted: a list" in done.stderr
    assert run("clean", "--in-place", "-o", "b.txt", "a.txt").returncode == 2
    assert run("clean", "none.txt").returncode == 2


def test_command_reads_standard_input(run: Run) -> None:
    with open(write("e\u0301".encode()), "rb") as file:
        done = run("clean", "-", stdin=file)
    assert (done.returncode, done.stdout) == (0, "é")
