"""Text files are read in chunks. Where the chunks are cut makes no difference to any result."""

from __future__ import annotations

import io
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import utf8ext
from utf8ext._engine import Engine
from utf8ext._files import scan, textfile
from utf8ext._files.detect import detect_file
from utf8ext._files.encoder import Encoder
from utf8ext._files.repairer import Repairer
from utf8ext._stream import Converter
from utf8ext._whole import whole_size

SEED = 20251122
SIZE = 600  # bytes of a text
WHOLE = 1 << 30


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def open_text(data: bytes) -> textfile.TextFile:
    return textfile.TextFile(io.BytesIO(data), "text", lambda fraction: None)


@pytest.fixture
def chunk_size(monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    """chunk_size(N) lets files be read by N bytes. Small chunks are cut in strange places."""

    def set_size(size: int) -> None:
        monkeypatch.setattr(textfile, "CHUNK", size)
        monkeypatch.setattr(textfile, "PIECE", size)

    yield set_size


# ---- texts -----------------------------------------------------------------------------

# Bytes that matter to some charset: leads, trails, digits of gb18030, escapes of iso-2022-jp,
# surrogates, line ends.
HOSTILE = b"\x1b\x1b($BBJI@!0~09AZ\\\x80\x81\x8e\x8f\xa0\xa1\xbf\xc0\xc2\xe0\xed\xed\xf0\xf4\xfe\xff\n\0\xd8\xdc"


def hostile(chance: random.Random) -> bytes:
    """Any of the bytes above, or a few of them only."""
    some = chance.choices(HOSTILE, k=chance.choice((1, 2, 3, 6, len(HOSTILE))))
    return bytes(chance.choices(some, k=SIZE))


def escapes(chance: random.Random) -> bytes:
    """Escape sequences of iso-2022-jp, whole and broken, between other bytes."""
    parts = (b"\x1b$B", b"\x1b$@", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b(", b"\x1b", b"!!0!%F")
    others = (b"$", b"\n", b" ", b"a", b"\\", b"\xa4")
    return b"".join(chance.choices(parts + others, k=SIZE // 3))


def surrogates(chance: random.Random) -> bytes:
    """Surrogates in three bytes, whole and broken."""
    parts = (b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xed\xa0", b"\xed\xb0", b"\xed\x9f\xbf")
    return b"".join(chance.choices(parts + (b"\x80", b"\xc0\x80", b"a", b"\xf0\x9f"), k=SIZE // 3))


def noise(chance: random.Random) -> bytes:
    return chance.randbytes(SIZE)


def text_in(engine: Engine, charset: str, chance: random.Random) -> bytes:
    """Text that the charset has, with few line ends."""
    ranges = ((0x20, 0x7F), (0xA0, 0x180), (0x410, 0x450), (0x3040, 0x30FF), (0x4E00, 0x9FA0))
    ranges += ((0xAC00, 0xD7A0), (0x1F600, 0x1F640), (0xA, 0xB), (0xA5, 0xA6))
    codes = [chance.randrange(*chance.choice(ranges)) for _ in range(SIZE)]
    encoded = (engine.value("SELECT utf8_to(char(?), ?)", code, charset) for code in codes)
    characters = [chr(code) for code, data in zip(codes, encoded) if data is not None]
    data: bytes = engine.value("SELECT utf8_to(?, ?)", "".join(characters), charset)
    return data


KINDS = (hostile, escapes, surrogates, noise)


def texts(engine: Engine, charset: str) -> Iterator[bytes]:
    chance = random.Random(SEED)
    yield b""
    for round_number in range(16):
        yield KINDS[round_number % len(KINDS)](chance)
    yield text_in(engine, charset, chance)
    damaged = bytearray(text_in(engine, charset, chance))
    for _ in range(20):
        damaged[chance.randrange(len(damaged))] = chance.randrange(256)
    yield bytes(damaged)


def sizes(chance: random.Random) -> list[int]:
    return [32, chance.randrange(33, 64), chance.randrange(64, 300), WHOLE]


def all_charsets() -> list[str]:
    return [name for (name,) in Engine().rows("SELECT name FROM utf8_charsets")]


# ---- decoding --------------------------------------------------------------------------


def decode(data: bytes, charset: str) -> tuple[bytes, int]:
    decoder = Converter(charset)
    parts = [
        bytes(part)
        for piece, is_last in open_text(data).pieces()
        for part in decoder.convert(piece, is_last)
    ]
    return b"".join(parts), decoder.errors


@pytest.mark.parametrize("name", all_charsets())
def test_decoding_in_chunks(engine: Engine, name: str, chunk_size) -> None:
    chance = random.Random(SEED)
    for data in texts(engine, name):
        expected = engine.value("SELECT CAST(utf8_from(?, ?) AS BLOB)", data, name)
        errors = set()
        for size in (1, *sizes(chance)):
            chunk_size(size)
            text, count = decode(data, name)
            assert text == expected, (name, size, data)
            errors.add(count)
        assert len(errors) == 1
        assert errors.pop() <= expected.count("\ufffd".encode())


@pytest.mark.parametrize(
    "mark", [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\0\0\xfe\xff"]
)
@pytest.mark.parametrize("name", ["utf-8", "utf-8-bom", "utf-16", "utf-16le", "utf-32", "utf-32be"])
def test_byte_order_marks(engine: Engine, name: str, mark: bytes, chunk_size) -> None:
    for data in (mark, mark[:-1], mark + b"a\0\0\0b\0\0\0" * 20, mark + mark):
        expected = engine.value("SELECT CAST(utf8_from(?, ?) AS BLOB)", data, name)
        for size in (1, 32, WHOLE):
            chunk_size(size)
            assert decode(data, name)[0] == expected


def test_errors_of_decoding_are_counted() -> None:
    own = "\ufffd"
    assert decode(f"{own}a".encode() + b"\xff\xe2\x82", "utf-8")[1] == 2
    assert decode(f"{own}a{own}".encode("utf-16"), "utf-16")[1] == 0
    assert decode(b"\xd8\x00\xff\xfd\x00", "utf-16be")[1] == 2
    assert decode(f"{own}a".encode("gb18030") + b"\xff", "gbk")[1] == 1
    assert decode(b"\x81a\x98", "windows-1251")[1] == 0
    assert decode(b"a\x80\xff", "ascii")[1] == 2


# ---- repair ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "policy",
    ["subpart", "byte", "run", "RUN", "cesu-8", "trim", "escape", "windows-1252", "koi8-r"],
)
def test_repair_in_chunks(engine: Engine, policy: str, chunk_size) -> None:
    chance = random.Random(SEED)
    for data in texts(engine, "utf-8"):
        expected = engine.value("SELECT utf8_repair(?, ?)", data, policy)
        for size in sizes(chance):
            chunk_size(size)
            repairer = Repairer(engine, policy)
            chunks = open_text(data).chunks(lambda data: whole_size("utf-8", data))
            assert b"".join(map(repairer.decode, chunks)) == expected, (policy, size, data)
            assert repairer.errors == engine.value(
                "SELECT count(*) FROM utf8_each(?) WHERE error IS NOT NULL", data
            )


# ---- encoding --------------------------------------------------------------------------


@pytest.mark.parametrize("name", all_charsets())
def test_encoding_in_chunks(engine: Engine, name: str, chunk_size) -> None:
    chance = random.Random(SEED)
    for _ in range(4):
        data = text_in(engine, name, chance)
        text = engine.value("SELECT CAST(utf8_from(?, ?) AS BLOB)", data, name)
        expected = engine.value("SELECT utf8_to(?, ?)", text, name)
        for size in sizes(chance):
            chunk_size(size)
            assert encode(engine, text, name) == expected, (name, size)


def encode(engine: Engine, text: bytes, charset: str) -> bytes:
    encoder = Encoder(engine, engine.charset(charset), "a.txt")
    pieces = open_text(text).pieces()
    return b"".join(bytes(part) for piece in pieces for part in encoder.encode(*piece))


def test_what_cannot_be_encoded_is_found(engine: Engine, chunk_size) -> None:
    text = "ä\n" * 100 + "äöü €\n"
    for size in (32, WHOLE):
        chunk_size(size)
        with pytest.raises(Exception, match="a.txt:101:5: U\\+20AC € is not in iso-8859-1"):
            encode(engine, text.encode(), "latin1")


# ---- files -----------------------------------------------------------------------------

# Charsets of each family, of which larger files are converted.
FAMILIES = ("windows-1251", "gbk", "gb18030", "iso-2022-jp", "utf-16", "utf-32", "utf-7")
LARGE, SMALL = 64 << 20, 4 << 20
MEMORY = 60 << 10  # KB that Python with utf8ext may take

CONVERT = """
import sys, utf8ext
utf8ext.convert(*sys.argv[1:3], source=sys.argv[3], target=sys.argv[4])
print(*[line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")])
"""


def convert(source: Path, output: Path, old: str, new: str) -> None:
    """Convert a file, a large one in a process whose memory does not grow with it."""
    if source.stat().st_size < LARGE or sys.platform != "linux":
        utf8ext.convert(source, output, source=old, target=new)
        return
    command = [sys.executable, "-c", CONVERT, source, output, old, new]
    done = subprocess.run(command, capture_output=True, check=True)
    assert int(done.stdout) < MEMORY


@pytest.mark.parametrize("name", all_charsets())
def test_files_as_in_one_call(engine: Engine, name: str, tmp_path: Path) -> None:
    part = text_in(engine, name, random.Random(SEED))
    data = part * ((LARGE if name in FAMILIES else SMALL) // len(part) + 1)
    old, text, new = (tmp_path / n for n in ("old", "text", "new"))
    old.write_bytes(data)
    convert(old, text, name, "utf-8")
    decoded = engine.value("SELECT CAST(utf8_from(?, ?) AS BLOB)", data, name)
    assert text.read_bytes() == decoded
    convert(text, new, "utf-8", name)
    assert new.read_bytes() == engine.value("SELECT utf8_to(?, ?)", decoded, name)


# ---- check -----------------------------------------------------------------------------


def findings(engine: Engine, data: bytes, encoding: str, suspects: bool) -> list[scan.Finding]:
    return list(scan.scan(engine, open_text(data), encoding, suspects))


@pytest.mark.parametrize("encoding", scan.DIALECTS)
def test_errors_in_chunks(engine: Engine, encoding: str, chunk_size) -> None:
    """Offsets and kinds are those of utf8_each; lines and columns are counted anew."""
    chance = random.Random(SEED)
    for data in texts(engine, "utf-8"):
        rows = list(engine.rows("SELECT offset, error, bytes FROM utf8_each(?, ?)", data, encoding))
        expected, line, column = [], 1, 1
        for offset, error, content in rows:
            if error:
                expected.append(scan.Finding(line, column, offset, error, content))
            line, column = (line + 1, 1) if content == b"\n" else (line, column + 1)
        for size in sizes(chance):
            chunk_size(size)
            assert findings(engine, data, encoding, False) == expected, (encoding, size, data)


@pytest.mark.parametrize("encoding", ["utf-16le", "utf-16be", "utf-32le", "utf-32be"])
def test_errors_of_units_in_chunks(engine: Engine, encoding: str, chunk_size) -> None:
    """Compare with the errors of Python's decoder, which reports one at a time."""
    chance = random.Random(SEED)
    for data in texts(engine, encoding):
        expected = [offset for offset in python_errors(data, encoding)]
        for size in sizes(chance):
            chunk_size(size)
            found = findings(engine, data, encoding, False)
            assert [finding.offset for finding in found] == expected, (encoding, size, data)
            for finding in found:
                assert data[finding.offset :].startswith(finding.content)
                before = data[: finding.offset].decode(encoding, "replace")
                assert finding.line == before.count("\n") + 1
                assert finding.column == len(before) - before.rfind("\n")


def python_errors(data: bytes, encoding: str) -> Iterator[int]:
    at, unit = 0, int(encoding[4:6]) // 8
    while at < len(data):
        try:
            data[at:].decode(encoding)
            return
        except UnicodeDecodeError as error:
            at += error.start
            yield at
            high = unit == 2 and len(data) - at == 3 and is_high(data[at : at + 2], encoding)
            at += 3 if high else unit


def is_high(unit: bytes, encoding: str) -> bool:
    return int.from_bytes(unit, "little" if encoding.endswith("le") else "big") in range(
        0xD800, 0xDC00
    )


SUSPICIOUS = "\0|\ufeff|\u200b|\x07|\u202e|\ufffd|\ufffe|cafÃ©|ab|é|\n|\n".split("|")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16le", "utf-32be"])
def test_suspects_in_chunks(engine: Engine, encoding: str, chunk_size) -> None:
    """One for each line, the first; lines with errors have none."""
    chance = random.Random(SEED)
    for round_number in range(20):
        lines = "".join(chance.choices(SUSPICIOUS, k=400)).split("\n")
        expected = []
        for number, line in enumerate(lines):
            kind = engine.value("SELECT utf8_suspect(?)", line.encode())
            if kind:
                kind = "invisible" if kind == "bom" and number else kind
                expected.append((number + 1, kind))
        for size in (300, 1000, WHOLE):
            chunk_size(size)
            found = findings(engine, "\n".join(lines).encode(encoding), encoding, True)
            assert [(finding.line, finding.kind) for finding in found] == expected


# ---- detection -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "charset", ["windows-1251", "shift_jis", "utf-8", "utf-16le", "utf-32be", "gbk"]
)
def test_detection_in_chunks(engine: Engine, charset: str, chunk_size) -> None:
    line = {
        "windows-1251": "Привет, как дела?",
        "shift_jis": "これは日本語のテストです。",
        "gbk": "这是一个中文的例子。",
    }
    data = "".join(f"{number} {line.get(charset, 'naïve café')}\n" for number in range(500)).encode(
        charset
    )
    for size in (3000, 10_000, WHOLE):
        chunk_size(size)
        guesses = detect_file(engine, open_text(data))
        assert guesses[0].charset == charset
        assert guesses[0].score > 0.5
