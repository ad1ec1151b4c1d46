"""What the command does with odd standard streams, byte order marks and the wrong kind of file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import COMMAND, Fails, Run, make, on_terminal, write


@pytest.mark.parametrize(
    ("command", "parts", "shown"),
    [
        ("convert - --from latin1", [b"caf", b"\xe9\n"], "café\n"),
        ("import - my.db", [b"a,b\n1,", b"2\n3,4\n"], "-: ascii, 2 rows\nmy.db: 2 rows in table imported\n"),
    ],
)
def test_standard_input_that_does_not_block(command: str, parts: list[bytes], shown: str) -> None:
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    process = subprocess.Popen([COMMAND, *command.split()], stdin=reader, stdout=subprocess.PIPE)
    for part in parts:
        time.sleep(0.5)
        os.write(writer, part)
    os.close(writer)
    assert process.communicate()[0].decode() == shown


@pytest.mark.parametrize("pipe", ["<(cat a.txt)", "- < <(cat a.txt)", "/dev/stdin < <(cat a.txt)", "- <a.txt"])
def test_convert_auto_reads_a_pipe_once(pipe: str) -> None:
    """Also where the output is there already: the pipe must not look empty when it is written."""
    Path("a.txt").write_bytes("Жили-были дед и баба\n".encode("koi8-r"))
    Path("b.txt").write_bytes(b"old")
    script = f"{COMMAND} convert --from auto -o b.txt {pipe}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert (done.returncode, Path("b.txt").read_text("utf-8")) == (0, "Жили-были дед и баба\n"), done
    assert done.stderr.endswith(": koi8-r\n" + done.stderr.split("\n")[0].split(":")[0] + ": nothing lost\n")


def test_convert_auto_reads_a_named_pipe(pipe: Path) -> None:
    process = subprocess.Popen(["sh", "-c", f"printf 'd\\351j\\340 vu, tr\\350s bient\\364t' >'{pipe}'"])
    done = subprocess.run([COMMAND, "convert", pipe, "--from", "auto"], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout.decode()) == (0, "déjà vu, très bientôt")
    assert process.wait() == 0


@pytest.mark.parametrize("output", ["/dev/stdout", "/dev/fd/1", "/dev/fd/3 3>&1", "/proc/self/fd/1", ">(cat)"])
@pytest.mark.parametrize("to", [">>log", "| cat >>log"])
def test_an_output_that_is_open_is_not_replaced(output: str, to: str) -> None:
    if output == "/dev/fd/3 3>&1" and to == ">>log":
        output = "/dev/fd/3 3>>log"
    Path("a.txt").write_bytes(b"caf\xe9\n")
    Path("log").write_bytes(b"before\n")
    script = f"({COMMAND} convert a.txt --from latin1 -o {output}; echo after $?) {to}; wait $!; wait"
    subprocess.run(["bash", "-c", script], check=True)
    assert sorted(Path("log").read_text("utf-8").split()) == ["0", "after", "before", "café"]
    assert sorted(os.listdir()) == ["a.txt", "log"]


def test_an_output_that_is_not_open(fails: Fails) -> None:
    Path("a.txt").write_bytes(b"a")
    message = fails("convert", "a.txt", "--from", "latin1", "-o", "/dev/fd/77")
    assert message == "/dev/fd/77: Bad file descriptor"


@pytest.mark.parametrize("command", ["check -", "detect -", "convert - --from latin1", "clean -", "import - my.db"])
def test_closed_standard_input(command: str) -> None:
    done = subprocess.run(f"{COMMAND} {command} <&-", shell=True, capture_output=True)
    assert done.returncode == 2
    assert b"Error: -: standard input is closed\n" in done.stderr


@pytest.mark.parametrize("command", ["check a.txt", "detect --json a.txt", "charsets"])
def test_closed_standard_output(command: str) -> None:
    Path("a.txt").write_bytes(b"x")
    done = subprocess.run(f"{COMMAND} {command} >&-", shell=True, capture_output=True)
    assert (done.returncode, done.stderr) == (2, b"Error: standard output is closed\n")


def test_no_bars_in_logs(run: Run) -> None:
    """FORCE_COLOR makes no terminal of a file."""
    Path("a.txt").write_bytes(b"x\n" * 20_000_000)
    done = run("check", "a.txt", env={**os.environ, "FORCE_COLOR": "1"})
    assert done.stderr == "1 file, nothing found\n"


def test_a_bar_on_a_terminal() -> None:
    Path("a.csv").write_bytes(b"x,y\n" * 1_000_000)
    assert b"Importing a.csv" in on_terminal("import", "a.csv", "my.db")


def test_a_byte_order_mark_is_utf8_and_takes_no_column(run: Run) -> None:
    Path("a.txt").write_bytes(b"\xef\xbb\xbf\xff\n\xff")
    done = run("check", "a.txt")
    assert done.stdout.splitlines() == [
        "a.txt:1:1: invalid byte (FF) at byte 3",
        "a.txt:2:1: invalid byte (FF) at byte 5",
    ]
    assert run("check", "--suspects", "a.txt").stdout.startswith("a.txt:1:1: ")
    Path("a.txt").write_bytes(b"\xef\xbb\xbfx")
    assert run("detect", "a.txt").returncode == 0
    assert run("check", "--suspects", "a.txt").stdout == "a.txt:1:1: bom (EF BB BF) at byte 0\n"


def test_a_database_is_not_a_text_file(fails: Fails) -> None:
    make()
    for command in (["check"], ["clean"], ["convert", "--from", "auto"], ["convert", "--from", "latin1"]):
        assert fails(*command, "my.db") == IS_DATABASE


IS_DATABASE = "my.db: the file is an SQLite database; `utf8ext audit` says what is wrong in one"


def test_detect_names_what_is_binary(run: Run) -> None:
    make()
    Path("a.xlsx").write_bytes(b"PK\x03\x04\x14\0\0\0\x08\0\xff")
    done = run("detect", "my.db", "a.xlsx")
    assert (done.returncode, done.stdout) == (1, "my.db: binary 0.00\na.xlsx: binary 0.00\n")
    office = "a.xlsx: the file is a ZIP archive or an office document; save it as CSV first"
    assert done.stderr == f"{IS_DATABASE}\n{office}\n"


def test_devices_and_pipes_are_not_replaced(fails: Fails, pipe: Path) -> None:
    """Not by root either, who can rename a file to /dev/null."""
    for command in (["convert", "--from", "latin1"], ["clean"]):
        process = subprocess.Popen(["sh", "-c", f"printf 'd\\351j\\340 vu, tr\\350s bient\\364t' >'{pipe}'"])
        assert fails(*command, "--in-place", pipe) == f"{pipe}: not a file"
        process.wait()
    Path("a.csv").write_text("a\n1\n")
    message = f"{pipe}: not a file"
    assert fails("import", "a.csv", "my.db", "--report", pipe) == message
    assert sorted(os.listdir()) == ["a.csv", "pipe"] and pipe.is_fifo()


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_file_that_is_not_there(run: Run) -> None:
    done = run("check", "none.txt")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    Path("a.txt").write_bytes(b"x")
    done = run("check", "none.txt", "a.txt")
    assert (done.returncode, done.stderr.splitlines()[1]) == (2, "1 file, nothing found")


def test_a_date_that_is_not(run: Run) -> None:
    make()
    done = run("report", "my.db", env={**os.environ, "SOURCE_DATE_EPOCH": "today"})
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "SOURCE_DATE_EPOCH is 'today'" in done.stderr
    assert not Path("report.html").exists()


def test_charsets(run: Run, fails: Fails) -> None:
    lines = run("charsets").stdout.splitlines()
    assert len(lines) > 200 and lines[0].startswith("utf-8 (unicode): ")
    assert run("charsets", "win1252").stdout.startswith("windows-1252 (single-byte): ")
    (found,) = json.loads(run("charsets", "--json", "CP-1251").stdout)
    assert found["name"] == "windows-1251" and "cp1251" in found["aliases"]
    assert "koi8-r" in fails("charsets", "koi8-x")


STOP = "import click\ndef stop(*_): raise KeyboardInterrupt\nclick.Group.parse_args = stop\n"


@pytest.mark.parametrize(
    ("module", "code", "argument"),
    [
        ("click.py", "raise KeyboardInterrupt\n", "--help"),  # while packages are imported
        ("sitecustomize.py", STOP, "charsets"),  # click would print `Aborted!`, with status 1
    ],
)
def test_interrupted_while_it_starts(module: str, code: str, argument: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(write(code, module).parent)}
    done = subprocess.run([COMMAND, argument], env=environment, capture_output=True)
    assert (done.returncode, done.stdout, done.stderr) == (130, b"", b"Error: interrupted\n")


def test_nothing_slow_happens_before_ctrl_c_is_handled() -> None:
    code = (
        "import sys; before = set(sys.modules); import utf8ext.__main__;"
        "print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert set(done.stdout.split()) <= {"__future__", "utf8ext", "utf8ext.__main__"}


def test_a_long_name_pads_no_other_line(run: Run) -> None:
    value = "CAST(x'4a6f73e8' AS TEXT)"
    long = "a_table_with_a_name_of_many_characters_" * 5
    sql = f"CREATE TABLE {long}(x); INSERT INTO {long} VALUES ({value});"
    make(sql + f"CREATE TABLE t(x); INSERT INTO t VALUES ({value});")
    lines = run("audit", "my.db").stdout.splitlines()
    assert lines[2] == "table  column  cause    values  lose  kinds"
    assert lines[3].startswith(f"{long}  x ")
    assert lines[4] == "t      x       unclear       1     0  truncated"
