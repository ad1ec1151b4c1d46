"""The examples of the command's pages, run by test/docs.py with the installed command."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import COMMAND

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("page", ["README.md", "docs/command.md", "docs/import.md"])
def test_examples_of_the_documentation(page: str):
    if not (ROOT / "utf8ext.so").exists():
        pytest.skip("utf8ext.so: run make in the root of the project")
    environment = {**os.environ, "PATH": f"{COMMAND.parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        [sys.executable, "test/docs.py", page],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.stdout.startswith("SKIPPED"):
        pytest.skip(done.stdout.splitlines()[0])
    assert done.returncode == 0 and not done.stdout.startswith("0 passed"), done.stdout
