"""`utf8ext convert --loss`: what is written for characters that the new charset lacks."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Fails, Run

import utf8ext
from utf8ext._engine import Engine

TEXT = "a “é” 5 €\nёлка, Łódź\n"


@pytest.fixture(autouse=True)
def file() -> None:
    Path("a.txt").write_bytes(TEXT.encode())


@pytest.mark.parametrize(
    ("loss", "written"),
    [
        ("closest", 'a "é" 5 EUR\nelka, Lódz\n'),
        ("replace", "a ?é? 5 ?\n????, ?ód?\n"),
        ("ignore", "a é 5 \n, ód\n"),
        ("xml", "a &#8220;é&#8221; 5 &#8364;\n&#1105;&#1083;&#1082;&#1072;, &#321;ód&#378;\n"),
    ],
)
def test_each_loss(run: Run, loss: str, written: str) -> None:
    done = run("convert", "a.txt", "--from", "utf-8", "--to", "latin1", "--loss", loss, "-o", "b.txt")
    assert Path("b.txt").read_bytes() == written.encode("latin1")
    assert done.stderr == "a.txt: 9 characters not in the new charset, the first at a.txt:1:3: U+201C “\n"
    assert done.returncode == 1


def test_error_is_the_default(fails: Fails) -> None:
    message = "a.txt:1:3: U+201C “ is not in iso-8859-1"
    for options in ((), ("--loss", "error")):
        arguments = ("a.txt", "--from", "utf-8", "--to", "latin1", "-o", "b.txt", *options)
        assert fails("convert", *arguments) == message and not Path("b.txt").exists()
    assert fails("convert", "a.txt", "--from", "utf-8", "--to", "latin1", "--loss", "best") == (
        "the loss is 'best'; accepted: error, closest, xml, ignore, replace"
    )


def test_nothing_is_lost(run: Run) -> None:
    """No charset of Unicode lacks anything, and text that the charset has is written as it is."""
    for charset in ("utf-16le", "gb18030", "utf-8"):
        done = run("convert", "a.txt", "--from", "utf-8", "--to", charset, "--loss", "ignore", "-o", "b.txt")
        assert (done.returncode, done.stderr) == (0, "")
        assert Path("b.txt").read_bytes().decode(charset) == TEXT


def test_in_place_is_your_decision(run: Run) -> None:
    done = run("convert", "a.txt", "--from", "utf-8", "--to", "ascii", "--loss", "closest", "--in-place")
    assert done.returncode == 1 and Path("a.txt").read_bytes() == b'a "e" 5 EUR\nelka, Lodz\n'
    assert Path("a.txt.utf8ext-backup").read_bytes() == TEXT.encode()


@pytest.mark.parametrize("charset", ["ascii", "windows-1258", "iso-2022-jp", "iso-2022-kr", "hz", "shift_jis"])
def test_long_files_are_converted_as_a_whole(charset: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the ends of chunks nor shifts between character sets change the result."""
    lines = "".join(f"{n} άγγελος Łódź ế ёлка 漢字 é😀\n" * (n % 3) for n in range(4_000))
    text = lines + "Θεός " * 20_000 + "\u0301"
    monkeypatch.setattr("utf8ext._files.encoder._LONG", 16 << 10)
    monkeypatch.setattr("utf8ext._files.textfile.PIECE", 10_007)
    Path("long.txt").write_bytes(text.encode())
    done = utf8ext.convert("long.txt", "long.out", source="utf-8", target=charset, loss="closest")
    engine = Engine()
    encoded = engine.value("SELECT utf8_to(?, ?, 'closest')", text, charset)
    data = Path("long.out").read_bytes()
    assert engine.value("SELECT utf8_from(?1, ?3) = utf8_from(?2, ?3)", data, encoded, charset)
    kept = engine.value("SELECT utf8_from(utf8_to(?1, ?2, 'ignore'), ?2)", text, charset)
    assert done.replaced == len(text) - len(kept)
    assert done.first_replaced is not None
