#!/usr/bin/env python3
"""picture.py: writes docs/command.svg, a picture of the command's real output for README.md.

    python3 tool/picture.py          # prints what the picture would show
    python3 tool/picture.py --write

Needs the installed command (pip install './python[cli]'), whose package rich draws the picture.
"""

import io
import os
import re
import subprocess
import sys
import tempfile

from rich.console import Console
from rich.text import Text

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PICTURE = os.path.join(ROOT, "docs", "command.svg")
WIDTH = 92  # columns of the terminal

FILE = (
    "id;name;city\n1;Zo\u00c3\u00ab;Gen\u00c3\u00a8ve\n".encode()
    + "2;Jos\u00e9 Mu\u00f1oz;M\u00e1laga\n3;Mar\u00eda N\u00fa\u00f1ez;C\u00f3rdoba\n".encode("latin-1")
)

COMMANDS = (
    "sqlite3 old.db '.mode csv' '.separator ;' '.import people.csv people'",
    "utf8ext audit old.db",
    "utf8ext repair old.db",
)


def lines():
    """Runs the commands in an empty folder, and yields them with what they print."""
    environment = {**os.environ, "PATH": os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]}
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "people.csv"), "wb") as file:
            file.write(FILE)
        for command in COMMANDS:
            yield f"\033[1m$ {command}\033[0m"
            done = subprocess.run(command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, encoding="utf-8", check=False)
            if done.returncode > 1:
                sys.exit(f"picture.py: {command}: {done.stdout}")
            if done.stdout:
                yield done.stdout.rstrip("\n")


def svg(text):
    """Returns the picture. It fetches no font, so that it is the same without a network."""
    console = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi(text))
    picture = console.export_svg(title="utf8ext", unique_id="utf8ext")
    picture = re.sub(r"@font-face \{.*?\}\s*", "", picture, flags=re.S)
    return picture.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas")


def main():
    text = "\n".join(lines())
    if sys.argv[1:] == ["--write"]:
        with open(PICTURE, "w", encoding="utf-8") as file:
            file.write(svg(text))
    else:
        print(text)


main()
