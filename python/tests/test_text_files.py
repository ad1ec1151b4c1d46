"""utf8ext check, convert and detect: what users see."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import stat
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import utf8ext
from conftest import COMMAND, Fails, Run, has_unfinished, run_command, write
from utf8ext._newfile import NewFile

ILL_FORMED = b"ok\nna\xc3\xafve caf\xe9 x\n\xe2\x82\n\xf0\x9f\x98"
RUSSIAN = "Привет, мир! Как дела?\nДа ещё и вот.\n"


@pytest.fixture
def environment() -> dict[str, str]:
    """One driver is enough for most tests: both get the same statements from the same module."""
    return dict(os.environ)


# ---- one run ---------------------------------------------------------------------------

CAFE = b"caf\xe9\n"

# The arguments, a.txt, the status, and what is printed; of stderr, a part where it is not one line.
RUNS = [
    (
        *("check a.txt", ILL_FORMED, 1),
        "a.txt:2:10: incomplete (E9) at byte 13\n"
        "a.txt:3:1: incomplete (E2 82) at byte 17\n"
        "a.txt:4:1: truncated (F0 9F 98) at byte 20\n",
        "1 file, 3 found: 2 incomplete, 1 truncated\n",
    ),
    ("check a.txt empty", "naïve\n".encode(), 0, "", "2 files, nothing found\n"),
    (
        *("check --dialect mutf-8 a.txt", b"\xed\xa0\xbd\xed\xb8\x80\xc0\x80 \xc0\xaf", 1),
        "a.txt:1:4: overlong (C0) at byte 9\na.txt:1:5: stray continuation (AF) at byte 10\n",
        "1 file, 2 found",
    ),
    ("check --dialect utf-8b a.txt", b"\xed\xa0\xbd\xed\xb8\x80\xc0\x80 \xc0\xaf", 0, "", "nothing found"),
    ("check --dialect utf-9 a.txt", b"a", 2, "", "cesu-8"),
    (
        *("check a.txt", "a😀\nb".encode("utf-16") + b"\x00\xd8c\x00d", 1),
        "a.txt:2:2: surrogate (00 D8) at byte 12\na.txt:2:4: truncated (64) at byte 16\n",
        "1 file, 2 found",
    ),
    (
        *("check --encoding utf-32be a.txt", "a\ufffd".encode("utf-32-be") + b"\x00\x11\x00\x00", 1),
        "a.txt:1:3: out of range (00 11 00 00) at byte 8\n",
        "1 file, 1 found",
    ),
    (
        *("check --suspects a.txt", "\ufeffa\nb\0\u200bc\ncafÃ©\nplain\nd\ufeff\n".encode() + b"\0\xff\n", 1),
        "a.txt:1:1: bom (EF BB BF) at byte 0\n"
        "a.txt:2:2: nul (00) at byte 6\n"
        "a.txt:3:4: mojibake (C3 83) at byte 15\n"
        "a.txt:5:2: invisible (EF BB BF) at byte 27\n"
        "a.txt:6:2: invalid byte (FF) at byte 32\n",
        "1 file, 5 found",
    ),
    ("check --suspects --dialect cesu-8 a.txt", b"a", 2, "", "Error: "),
    (
        *("check none.txt . a.txt", b"a\n\xff\n", 2),
        "a.txt:2:1: invalid byte (FF) at byte 2\n",
        "Error: none.txt: No such file or directory\nError: .: Is a directory\n1 file, 1 found: 1 invalid byte\n",
    ),
    ("convert a.txt --from koi8-r", RUSSIAN.encode("koi8-r"), 0, RUSSIAN, ""),
    ("convert - --from koi8-r -o -", RUSSIAN.encode("koi8-r"), 0, RUSSIAN, ""),
    (
        *("convert a.txt --from shift_jis", b"a\x81\xff\n", 1, "a\ufffd\n"),
        "a.txt: 1 error in shift_jis, written as U+FFFD\n",
    ),
    (
        *("convert a.txt --from utf-8 --policy windows-1252", "é".encode() + b" caf\xe9\n", 1, "é café\n"),
        "a.txt: 1 error in utf-8, repaired\n",
    ),
    (
        *("convert a.txt --from latin1 --policy byte", CAFE, 2, ""),
        "a policy repairs UTF-8, and a.txt is in iso-8859-1",
    ),
    ("convert a.txt --from utf-8 --policy magic", CAFE, 2, "", "accepted: subpart, byte, run"),
    ("convert a.txt --from klingon", b"a", 2, "", "source is 'klingon'; accepted: "),
    ("convert a.txt --from binary", b"a", 2, "", "Error: binary is not a charset that text can be in; --from takes what utf8ext charsets lists\n"),
    ("convert no.txt --from latin1", b"a", 2, "", "Error: no.txt: No such file or directory\n"),
    ("convert . --from latin1", b"a", 2, "", "Error: .: Is a directory\n"),
    ("convert a.txt --from latin1 -o .", b"a", 2, "", "Error: .: Is a directory\n"),
    ("convert a.txt --from latin1 -o no/b", b"a", 2, "", "Error: no/b: No such file or directory\n"),
    ("convert a.txt --from latin1 -o /dev/null", b"a", 0, "", ""),
    ("convert a.txt --from latin1 -o /dev/full", b"a" * 100_000, 2, "", "Error: /dev/full: No space left on device\n"),
    ("convert a.txt", b"a", 2, "", "Error: Missing option '--from'"),
    ("convert a.txt --from latin1 --in-place -o b", b"a", 2, "", "Error: --in-place replaces FILE"),
    (
        *("convert a.txt --from utf-8 --in-place", CAFE, 2, ""),
        "Error: a.txt: 1 error in utf-8; the file stays as it was\n",
    ),
    ("detect no.txt . a.txt", b"a", 2, "a.txt: ascii 1.00\n",
     "Error: no.txt: No such file or directory\nError: .: Is a directory\n"),
    ("detect a.txt", b"", 0, "a.txt: ascii 1.00\n", ""),
    ("detect a.txt", b"abc", 0, "a.txt: ascii 1.00\n", ""),
    ("detect a.txt", "é".encode(), 0, "a.txt: utf-8 1.00\n", ""),
]


@pytest.mark.parametrize(("arguments", "data", "status", "stdout", "stderr"), RUNS)
def test_one_run(
    run: Run, tmp_path: Path, arguments: str, data: bytes, status: int, stdout: str, stderr: str
) -> None:
    path = write(data)
    write(b"", "empty")
    with open(path, "rb") as file:
        done = run(*arguments.split(), stdin=file)
    assert (done.returncode, done.stdout) == (status, stdout)
    assert stderr in done.stderr and (stderr != "" or done.stderr == "")
    assert not stderr.startswith("Error") or done.stderr.count("\n") == max(stderr.count("\n"), 1)
    assert path.read_bytes() == data and sorted(os.listdir()) == ["a.txt", "empty"]
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_policy_writes_in_place(run: Run) -> None:
    path = write(CAFE)
    done = run("convert", "a.txt", "--from", "utf-8", "--policy", "latin1", "--in-place")
    assert (done.returncode, path.read_bytes()) == (1, "café\n".encode())


# ---- check -----------------------------------------------------------------------------


def test_check_json(run: Run) -> None:
    write(ILL_FORMED)
    rows = json.loads(run("check", "--json", "a.txt").stdout)
    assert rows[0] == {
        "file": "a.txt",
        "line": 2,
        "column": 10,
        "offset": 13,
        "kind": "incomplete",
        "bytes": "e9",
    }
    assert len(rows) == 3
    write(b"ok")
    assert json.loads(run("check", "--json", "a.txt").stdout) == []


def test_check_csv(run: Run) -> None:
    write(ILL_FORMED, 'a "b",\n.txt')
    done = run("check", "--csv", 'a "b",\n.txt')
    rows = list(csv.reader(io.StringIO(done.stdout, newline="")))
    assert rows[0] == ["file", "line", "column", "offset", "kind", "bytes"]
    assert rows[1] == ['a "b",\n.txt', "2", "10", "13", "incomplete", "e9"]


def test_check_standard_input(run: Run) -> None:
    with open(write(ILL_FORMED), "rb") as file:
        done = run("check", "-", stdin=file)
    assert done.stdout.startswith("-:2:10: incomplete")


def test_names_are_escaped(run: Run) -> None:
    name = "\x1b[31m\udcff\u202e.txt"
    write(b"\xff", name)
    assert run("check", name).stdout.startswith("\\x1b[31m\\xff\\u{202e}.txt:1:1: invalid byte")
    assert json.loads(run("check", "--json", name).stdout)[0]["file"] == "\x1b[31m\\xff\u202e.txt"


def test_a_closed_pipe_is_no_error() -> None:
    write(b"\xff\n" * 100_000)
    done = subprocess.run(
        f"'{COMMAND}' check a.txt | head -n 1", shell=True, capture_output=True, text=True
    )
    assert done.stdout == "a.txt:1:1: invalid byte (FF) at byte 0\n"
    assert "Traceback" not in done.stderr and "Exception" not in done.stderr


# ---- convert ---------------------------------------------------------------------------


def test_convert(run: Run, tmp_path: Path) -> None:
    write(RUSSIAN.encode("cp1251"))
    done = run("convert", "a.txt", "--from", "cp1251", "-o", "b.txt")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (tmp_path / "b.txt").read_text("utf-8") == RUSSIAN
    assert os.listdir(tmp_path).count("b.txt") == 1 and len(os.listdir(tmp_path)) == 2


@pytest.mark.parametrize(
    ("data", "text", "says"),
    [
        (RUSSIAN.encode("cp1251"), RUSSIAN, ["windows-1251", "nothing lost"]),
        (RUSSIAN.encode(), RUSSIAN, ["utf-8", "nothing lost"]),
        (RUSSIAN.encode("utf-16"), RUSSIAN, ["utf-16", "nothing lost"]),
        ("日本語。".encode("iso-2022-jp"), "日本語。", ["iso-2022-jp", "nothing lost"]),
        (b"abc\n", "abc\n", ["ascii", "nothing lost"]),
        (
            RUSSIAN.encode().replace("ё".encode(), b"\xd1"),
            RUSSIAN.replace("ё", "�"),
            [
                "utf-8, 1 line damaged",
                "1 error in utf-8, written as U+FFFD",
            ],
        ),
        (
            b"\xef\xbb\xbf" + RUSSIAN.encode() + b"\xd0",
            RUSSIAN + "�",
            ["utf-8-bom, 1 line cut", "1 error in utf-8-bom, written as U+FFFD"],
        ),
        (
            "où ? déjà payé, et pas réglé\n".encode() + "déjà réglé\n".encode("latin-1"),
            "où ? déjà payé, et pas réglé\ndéjà réglé\n",
            ["utf-8, 1 line in windows-1252", "4 errors in utf-8, repaired"],
        ),
        (
            "é ".encode() + b"\xed\xa0\xbd\xed\xb8\x80\n",
            "é 😀\n",
            ["utf-8, 1 line in cesu-8", "6 errors in utf-8, repaired"],
        ),
    ],
)
def test_convert_auto(run: Run, data: bytes, text: str, says: list[str]) -> None:
    """It acts on the cause of the file, and says what it decided and what was lost."""
    write(data)
    done = run("convert", "a.txt", "--from", "auto")
    assert done.stdout == text
    assert done.stderr == "".join(f"a.txt: {line}\n" for line in says)
    assert done.returncode == (says[1] != "nothing lost")


def test_convert_auto_refuses(run: Run) -> None:
    """It names the candidates and the option that overrides."""
    write(b"Jos\xe8\n")
    done = run("convert", "a.txt", "--from", "auto", "-o", "b.txt")
    assert done.returncode == 2 and done.stdout == "" and os.listdir() == ["a.txt"]
    assert done.stderr.startswith("Error: a.txt: 1 line is unclear, the first is line 1; it may be")
    assert "windows-1252, " in done.stderr and "--from CHARSET" in done.stderr
    assert run("convert", "a.txt", "--from", "latin1").stdout == "Josè\n"
    assert run("convert", "a.txt", "--from", "utf-8", "--policy", "subpart").stdout == "Jos�\n"
    write(b"\0\xff\0\0\1\2\3")
    done = run("convert", "a.txt", "--from", "auto")
    assert (done.returncode, done.stderr) == (
        2,
        "Error: a.txt: looks like binary data, not text; if it is text, name its charset:"
        " --from CHARSET\n",
    )
    write("\ufeffАнна\nJos".encode() + b"\xe8\n")
    done = run("convert", "a.txt", "--from", "auto")
    assert (done.returncode, done.stderr) == (
        2,
        "Error: a.txt: 1 line is unclear, the first is line 2; the file is UTF-8 by its byte order"
        " mark; name the charset of what is not: --from utf-8-bom --policy CHARSET; or write U+FFFD"
        " for it: --from utf-8-bom --policy subpart\n",
    )
    assert run("convert", "a.txt", "--from", "utf-8-bom", "--policy", "latin1").stdout == "Анна\nJosè\n"


def test_convert_to_a_charset_that_is_not(fails: Fails) -> None:
    write(b"a")
    wrong, listed = "is 'laitn1'; accepted: latin1, latin2, latin3, ...", "takes what utf8ext charsets lists"
    assert fails("convert", "a.txt", "--from", "laitn1") == f"source {wrong}; --from {listed}"
    assert fails("convert", "a.txt", "--from", "utf-8", "--to", "laitn1") == f"target {wrong}; --to {listed}"


def test_convert_auto_in_place(run: Run) -> None:
    """Text in a charset is converted; a file with damage stays as it was without a policy."""
    path = write(RUSSIAN.encode("cp1251"))
    assert run("convert", "a.txt", "--from", "auto", "--in-place").returncode == 0
    assert path.read_text("utf-8") == RUSSIAN
    damaged = RUSSIAN.encode().replace("ё".encode(), b"\xd1")
    write(damaged)
    done = run("convert", "a.txt", "--from", "auto", "--in-place")
    assert done.returncode == 2 and path.read_bytes() == damaged
    assert done.stderr.endswith("Error: a.txt: 1 error in utf-8; the file stays as it was\n")
    done = run("convert", "a.txt", "--from", "auto", "--policy", "escape", "--in-place", "--no-backup")
    assert done.returncode == 1 and "ещ\\xd1 и" in path.read_text("utf-8")
    write(RUSSIAN.encode("cp1251"))
    done = run("convert", "a.txt", "--from", "auto", "--policy", "escape")
    assert done.returncode == 2 and "a policy repairs UTF-8, and a.txt is in windows-1251" in done.stderr


def test_convert_auto_of_a_long_file(run: Run) -> None:
    """If its parts of 16 MB do not agree, each line is decided."""
    part = (RUSSIAN.replace("\n", " ") * 120 + "\n") * 1_900
    assert len(part) * 2 > 16 << 20
    write(part.encode("cp1251") * 2)
    done = run("convert", "a.txt", "--from", "auto", "-o", "/dev/null")
    assert done.stderr == "a.txt: windows-1251\na.txt: nothing lost\n"
    write(part.encode("cp1251") * 2 + part.encode())
    done = run("convert", "a.txt", "--from", "auto", "-o", "/dev/null")
    assert done.returncode == 1
    assert done.stderr.startswith("a.txt: utf-8, 3,800 lines in windows-1251\n")
    write(part.encode() + "ещё".encode()[:-1] + part.encode())
    done = run("convert", "a.txt", "--from", "auto", "-o", "/dev/null")
    assert done.returncode == 1 and done.stderr.startswith("a.txt: utf-8, 1 line ")


def test_convert_to_another_charset(run: Run, tmp_path: Path) -> None:
    path = write("é 日本語\n".encode())
    for charset in ("utf-16", "gb18030", "utf-8-bom"):
        run("convert", "a.txt", "--from", "utf-8", "--to", charset, "-o", "b.txt")
        codec = {"utf-8-bom": "utf-8-sig"}.get(charset, charset)
        assert (tmp_path / "b.txt").read_bytes().decode(codec) == path.read_text("utf-8")
    (tmp_path / "b.txt").unlink()
    done = run("convert", "a.txt", "--from", "utf-8", "--to", "latin1", "-o", "b.txt")
    assert done.returncode == 2
    assert done.stderr == "Error: a.txt:1:3: U+65E5 日 is not in iso-8859-1\n"
    assert os.listdir(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("command", [("convert", "--from", "cp1251"), ("clean",)])
def test_in_place_keeps_a_backup_owner_and_mode(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    old = RUSSIAN.encode("cp1251")
    path, backup = write(old), tmp_path / "a.txt.utf8ext-backup"
    path.chmod(0o640)
    owner = (12345, 12346) if os.geteuid() == 0 else (os.getuid(), os.getgid())
    os.chown(path, *owner)
    assert run(*command, "a.txt", "--in-place").returncode == 0
    assert path.read_text("utf-8") == RUSSIAN and backup.read_bytes() == old
    for file in (path, backup):
        status = file.stat()
        assert (status.st_mode & 0o777, status.st_uid, status.st_gid) == (0o640, *owner)
    write(old)
    done = run(*command, "a.txt", "--in-place")
    assert done.returncode == 2 and path.read_bytes() == old
    assert "a.txt.utf8ext-backup exists and is not overwritten" in done.stderr
    assert run(*command, "a.txt", "--in-place", "--no-backup").returncode == 0
    assert path.read_text("utf-8") == RUSSIAN and backup.read_bytes() == old
    assert sorted(tmp_path.iterdir()) == [path, backup]


def test_a_link_in_place_of_the_unfinished_file(tmp_path: Path) -> None:
    """A link there is not followed: its target keeps its content and its owner."""
    path, victim = tmp_path / "a.txt", tmp_path / "victim"
    path.write_bytes(b"old")
    victim.write_bytes(b"precious")
    owner = victim.stat().st_uid
    if os.geteuid() == 0:
        os.chown(path, 12345, 12346)
    new = NewFile(path, replaces=True, is_database=True)
    new.unfinished.unlink()
    new.unfinished.symlink_to(victim)
    with pytest.raises(OSError):
        new.open()
    if os.geteuid() == 0:
        with pytest.raises(utf8ext.Error, match="owner and group cannot be kept"):
            new.keep_owner()
    assert victim.read_bytes() == b"precious" and victim.stat().st_uid == owner


def test_in_place_without_a_change_leaves_the_file(run: Run, tmp_path: Path) -> None:
    path = write(RUSSIAN.encode())
    before = path.stat()
    assert run("convert", "a.txt", "--from", "utf-8", "--in-place").returncode == 0
    assert run("clean", "a.txt", "--in-place").returncode == 0
    assert path.stat() == before or path.stat().st_ino == before.st_ino
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("link", [None, os.symlink, os.link])
def test_convert_refuses_to_write_its_input(run: Run, link: object) -> None:
    path = write(RUSSIAN.encode("cp1251"))
    name = "a.txt"
    if link:
        link(path, "b.txt")
        name = "b.txt"
    done = run("convert", "a.txt", "--from", "cp1251", "-o", name)
    assert (
        done.returncode == 2 and "is input and output; to replace it, say --in-place" in done.stderr
    )
    assert path.read_bytes() == RUSSIAN.encode("cp1251")


def test_convert_replaces_what_a_link_points_to(run: Run, tmp_path: Path) -> None:
    write(b"caf\xe9")
    write(b"old", "real.txt")
    os.symlink("real.txt", "link.txt")
    run("convert", "a.txt", "--from", "latin1", "-o", "link.txt")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == "café".encode()


def test_new_file_has_usual_permissions(run: Run, tmp_path: Path) -> None:
    write(b"a")
    run("convert", "a.txt", "--from", "latin1", "-o", "b.txt", umask=0o027)
    assert stat.S_IMODE((tmp_path / "b.txt").stat().st_mode) == 0o640


def test_an_interrupted_conversion_leaves_nothing(tmp_path: Path) -> None:
    write(b"old", "b.txt")
    arguments = [str(COMMAND), "convert", "-", "--from", "latin1", "-o", "b.txt"]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        process.stdin.write(b"x" * (5 << 20))
        process.stdin.flush()
        wait_for(lambda: has_unfinished(process, tmp_path))
        process.send_signal(signal.SIGINT)
        process.stdin.close()
        process.stdin = None
        assert process.wait(30) == 130
        assert process.stderr and process.stderr.read() == b"Error: interrupted\n"
    assert os.listdir(tmp_path) == ["b.txt"]
    assert (tmp_path / "b.txt").read_bytes() == b"old"


def wait_for(condition: Callable[[], bool]) -> None:
    for _ in range(600):
        if condition():
            return
        time.sleep(0.05)
    raise AssertionError("nothing happened within 30 seconds")


# ---- detect ----------------------------------------------------------------------------


def test_detect(run: Run) -> None:
    write("Zuñiga".encode("cp1252"))
    write("日本語のテスト。".encode("iso-2022-jp"), "b.txt")
    done = run("detect", "a.txt", "b.txt")
    assert done.returncode == 1
    first, second = done.stdout.splitlines()
    assert first.startswith("a.txt: ") and "windows-1250" in first
    assert second == "b.txt: iso-2022-jp 1.00"


@pytest.mark.parametrize(
    ("data", "charset"),
    [
        (b"\xef\xbb\xbfa", "utf-8-bom"),
        (b"\xff\xfea\0", "utf-16"),
        (b"\xff\xfe\0\0a\0\0\0", "utf-32"),
        ("abc\n".encode("utf-16-le") * 1000, "utf-16le"),
        (b"\0\1\2\3\xff" * 10, "binary"),
    ],
)
def test_detect_other_charsets(run: Run, data: bytes, charset: str) -> None:
    write(data)
    done = run("detect", "--json", "a.txt")
    assert done.returncode == (charset != "utf-8-bom")
    assert json.loads(done.stdout)[0]["charset"] == charset


def test_detect_gives_candidates(run: Run) -> None:
    write("Zuñiga".encode("cp1252"))
    (row,) = json.loads(run("detect", "--json", "a.txt").stdout)
    scores = [row["score"], *(other["score"] for other in row["others"])]
    assert 1 < len(scores) <= 5 and scores == sorted(scores, reverse=True)
    rows = list(csv.DictReader(io.StringIO(run("detect", "--csv", "a.txt").stdout)))
    assert [row["rank"] for row in rows] == ["1", "2", "3", "4", "5"][: len(scores)]
    assert "windows-1250" in [row["charset"] for row in rows]


# ---- without apsw ----------------------------------------------------------------------


def test_without_apsw(without_apsw: dict[str, str]) -> None:
    pytest.importorskip("sqlite3.dbapi2")
    write(ILL_FORMED)
    outputs = [
        [
            run_command(*arguments, env=environment).stdout
            for arguments in (
                ("check", "a.txt"),
                ("check", "--suspects", "--encoding", "utf-16le", "a.txt"),
                ("convert", "a.txt", "--from", "utf-8", "--policy", "run"),
                ("detect", "--json", "a.txt"),
            )
        ]
        for environment in (without_apsw, dict(os.environ))
    ]
    assert outputs[0] == outputs[1] and all(outputs[0])


def test_without_a_driver(tmp_path: Path, without_apsw: dict[str, str]) -> None:
    """A Python whose sqlite3 cannot load extensions, and no apsw."""
    write(ILL_FORMED)
    hide = "import sqlite3\nclass C: pass\nsqlite3.Connection = C\n"
    (tmp_path / "sitecustomize.py").write_text(hide)
    path = f"{tmp_path}{os.pathsep}{without_apsw['PYTHONPATH']}"
    for arguments in (
        ("check", "a.txt"),
        ("detect", "a.txt"),
        ("convert", "a.txt", "--from", "l1"),
    ):
        done = run_command(*arguments, env={**os.environ, "PYTHONPATH": path})
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert done.stderr.endswith("pip install apsw\n")
