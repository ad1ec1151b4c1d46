"""The help of each subcommand, and what shells complete."""

from __future__ import annotations

import importlib
import os
import pty
import re
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from conftest import COMMAND, Fails, Run, make

from utf8ext.command import _SUBCOMMANDS

COMMANDS = "audit report repair import export check clean convert detect charsets".split()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files of which the examples speak."""
    make()
    Path("orders.csv").write_text("id,name\n1,Zoë\n", encoding="utf-8")
    Path("notes.txt").write_bytes("Привет, как дела?\n".encode("koi8-r"))
    return tmp_path


# ---- help ------------------------------------------------------------------------------


def test_the_help_lists_all_commands(run: Run) -> None:
    text = run("--help").stdout
    assert text.startswith("Example: utf8ext audit my.db\n\nUsage: ")
    listed = re.findall(r"^  ([a-z]+) +\w", text.partition("Commands:")[2], re.MULTILINE)
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_the_list_has_the_first_sentence_of_each_help(command: str) -> None:
    module = importlib.import_module(f"utf8ext.command.{command}{'_' * (command == 'import')}")
    help_text = " ".join(module.command.help.partition("\n\n")[0].split())
    assert _SUBCOMMANDS[command] == help_text


@pytest.mark.parametrize("command", COMMANDS)
def test_help_starts_with_an_example(run: Run, folder: Path, command: str) -> None:
    """The example works as it stands."""
    text = run(command, "--help").stdout
    assert run(command, "-h").stdout == text
    assert ("Exit status:" in " ".join(text.split())) == (command not in ("report", "charsets"))
    example = re.match(rf"Example: utf8ext ({command} .*)\n\nUsage: utf8ext {command} ", text)
    assert example, text
    done = run(*example[1].split())
    assert done.returncode in (0, 1), done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_option_is_one_line(fails: Fails, command: str) -> None:
    message = fails(command, "--no-such-option", "x")
    assert "--no-such-option" in message
    assert message.endswith(f"; utf8ext {command} --help explains")


# ---- completion ------------------------------------------------------------------------


def completed(shell: str, *words: str) -> list[str]:
    """Return what click tells a shell that completes the last word."""
    line = " ".join(("utf8ext", *words))
    variables = {"COMP_WORDS": line, "COMP_CWORD": str(len(words)), "_UTF8EXT_COMPLETE": shell}
    if shell == "fish_complete":
        variables["COMP_CWORD"] = words[-1]
    done = subprocess.run(
        [COMMAND], env={**os.environ, **variables}, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout.split("\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion(shell: str) -> None:
    """Commands, options, and files where a file is expected."""
    done = subprocess.run(
        [COMMAND], env={**os.environ, "_UTF8EXT_COMPLETE": f"{shell}_source"}, capture_output=True
    )
    assert b"_UTF8EXT_COMPLETE" in done.stdout
    found = {
        word: completed(f"{shell}_complete", *word.split(" "))
        for word in ("conv", "audit --js", "check --encoding utf-3")
    }
    assert [len([line for line in lines if "convert" in line]) for lines in found.values()][0] == 1
    assert any("--json" in line for line in found["audit --js"])
    assert any("utf-32le" in line for line in found["check --encoding utf-3"])


@pytest.mark.parametrize(
    "words",
    [
        *("audit m", "report m", "repair m", "import o", "export m", "check o", "clean o", "convert o", "detect o"),
        *("report my.db -o r", "clean x -o y", "convert x -o y", "repair my.db --undo-log u"),
        *("import o.csv my.db --report r", "import o.csv m"),
    ],
)
def test_completion_of_files(words: str) -> None:
    assert completed("bash_complete", *words.split())[0].startswith("file,")


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes(folder: Path) -> None:
    """A person types a part of a name and the tabulator."""
    assert typed("utf8ext chec\t ord\t --js\t\n", "1 file, nothing found")
    assert typed("utf8ext audit m\t --cs\t\n", "people,name,17,3,truncated")


def typed(keys: str, expected: str) -> bool:
    """Type keys in bash, and wait until what is expected appears."""
    leader, follower = pty.openpty()
    path = f"{COMMAND.parent}:{os.environ['PATH']}"
    bash = subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"],
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "PATH": path, "TERM": "dumb", "PS1": "ready> "},
        start_new_session=True,
    )
    os.close(follower)
    try:
        os.write(leader, b'eval "$(_UTF8EXT_COMPLETE=bash_source utf8ext)"; echo so"urced"\n')
        if "\nsourced" not in until(leader, "\nsourced"):
            return False
        for part in re.split(r"(?<=\t)", keys):
            os.write(leader, part.encode())
            shown = until(leader, expected if part.endswith("\n") else " ", part)
        return expected in shown
    finally:
        bash.kill()
        bash.wait()
        os.close(leader)


def until(terminal: int, expected: str, part: str = "") -> str:
    """Return what a terminal shows until something appears, for a minute at most."""
    shown, deadline = "", time.monotonic() + 60
    if part.endswith("\t"):
        time.sleep(0.2)
    while expected not in shown and time.monotonic() < deadline:
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace").replace("\r", "")
    return shown
