"""Fixtures: the installed command, run as users run it, and databases to run it on."""

from __future__ import annotations

import os
import pty
import signal
import sqlite3
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = Path(sysconfig.get_path("scripts")) / "utf8ext"

Run = Callable[..., subprocess.CompletedProcess]
Fails = Callable[..., str]


# ---- the drivers -----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def without_apsw(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which `import apsw` fails."""
    folder = tmp_path_factory.mktemp("without_apsw")
    (folder / "apsw.py").write_text("raise ImportError('hidden by the test')\n")
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.fixture(params=["the system's", "3.31.1", "newest"])
def of_version(request: pytest.FixtureRequest, without_apsw: dict[str, str]) -> dict[str, str]:
    """The environment of a Python whose sqlite3 has this version of SQLite."""
    if request.param == "the system's":
        return without_apsw
    script = ["sh", "test/sqlite.sh", request.param]
    library = subprocess.run(script, cwd=ROOT, capture_output=True, encoding="utf-8")
    if library.returncode:
        pytest.skip(f"SQLite {request.param}: {library.stdout}")
    return {**without_apsw, "LD_LIBRARY_PATH": str(ROOT / library.stdout.strip())}


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "both_drivers: runs with apsw and with sqlite3")
    # A shell starts background jobs with SIGINT ignored, and the commands would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Run tests with apsw only, unless they are marked; with UTF8EXT_DRIVERS=all run all twice."""
    if os.environ.get("UTF8EXT_DRIVERS") != "all":
        items[:] = [item for item in items if not _is_second_run(item)]


def _is_second_run(item: pytest.Item) -> bool:
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    return parameters.get("environment") == "sqlite3" and not item.get_closest_marker(
        "both_drivers"
    )


@pytest.fixture(params=["apsw", "sqlite3"])
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    """The environment of the command, with one driver."""
    if request.param == "apsw":
        pytest.importorskip("apsw")
        return dict(os.environ)
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        pytest.skip("sqlite3: this Python's cannot load extensions")
    return request.getfixturevalue("without_apsw")


# ---- the working folder ----------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _in_tmp_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(data: bytes | str, name: str = "a.txt") -> Path:
    """Return the path of a new file in the working folder."""
    path = Path(name).absolute()
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


# ---- the command -----------------------------------------------------------------------------


def run_command(*arguments: object, **options: object) -> subprocess.CompletedProcess:
    """Run `utf8ext ARGUMENTS` and return its output as text."""
    options = {"capture_output": True, "encoding": "utf-8", "timeout": 300, **options}
    return subprocess.run([str(COMMAND), *map(str, arguments)], **options)


@pytest.fixture
def run(environment: dict[str, str]) -> Run:
    """run(ARGUMENTS...) runs the command."""

    def run(*arguments: object, **options: object) -> subprocess.CompletedProcess:
        return run_command(*arguments, **{"env": environment, **options})

    return run


@pytest.fixture
def fails(run: Run) -> Fails:
    """fails(ARGUMENTS...) returns the one line that a failing command prints."""

    def fails(*arguments: object, **options: object) -> str:
        done = run(*arguments, **options)
        assert (done.returncode, done.stdout) == (2, ""), done
        assert done.stderr.startswith("Error: ") and done.stderr.count("\n") == 1, done
        return done.stderr[len("Error: ") : -1]

    return fails


def on_terminal(*arguments: object, answers: bytes = b"", **variables: str) -> bytes:
    """Run `utf8ext ARGUMENTS` on a terminal, type the answers, and return what it shows.

    Reads while the command runs: a terminal that nobody reads holds a few KB, then blocks.
    """
    ours, theirs = pty.openpty()
    streams = {"stdin": theirs, "stdout": theirs, "stderr": theirs}
    command = [str(COMMAND), *map(str, arguments)]
    process = subprocess.Popen(command, env={**os.environ, **variables}, **streams)
    os.close(theirs)
    os.write(ours, answers)
    output = b""
    try:
        while chunk := os.read(ours, 65536):
            output += chunk
    except OSError:  # Linux: the terminal has been closed
        pass
    os.close(ours)
    assert process.wait(60) in (0, 1)
    return output


def has_unfinished(process: subprocess.Popen[bytes], folder: Path) -> bool:
    """Has the process an open file in the folder that has no name, or a temporary one?"""
    try:
        links = [os.readlink(link) for link in Path(f"/proc/{process.pid}/fd").iterdir()]
    except OSError:  # it has ended, or has closed one
        return False
    return any(link.startswith(str(folder)) and "deleted" in link for link in links) or any(
        path.suffix == ".tmp" for path in folder.iterdir()
    )


# ---- databases -------------------------------------------------------------------------------

PEOPLE = """
    CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, note TEXT);
    INSERT INTO people VALUES (1, 'Zoë', NULL), (17, CAST(x'4a6f73e9' AS TEXT), 'x'),
                              (18, 'Ann', CAST(x'c0af20ff' AS TEXT));
"""


def make(sql: str = PEOPLE, name: Path | str = "my.db") -> Path:
    """Run SQL in a database of the working folder, which is made if it is not there; return its path."""
    path = Path(name).absolute()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.executescript(sql)
    return path


def run_sql(sql: str, path: Path | str = "my.db") -> None:
    """Run SQL in an existing database: an undo log, say."""
    assert Path(path).is_file()
    make(sql, path)


def many(count: int, values: str, table: str = "t") -> str:
    """Return SQL that inserts rows; values can have i, which is 1 in the first one."""
    numbers = f"WITH n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < {count})"
    return f"{numbers} INSERT INTO {table} SELECT {values} FROM n;"


class Text(bytes):
    """The bytes of a TEXT; those of a BLOB are bytes."""


def query(path: Path, sql: str) -> list[tuple]:
    """Run SQL with Python's sqlite3 and return the rows; TEXT comes as Text."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.text_factory = Text
        return connection.execute(sql).fetchall()


def table(name: str = "a", path: Path | str = "my.db") -> list[list]:
    """Return the names of the columns and the rows of a table."""
    with closing(sqlite3.connect(path)) as connection:
        cursor = connection.execute(f'SELECT * FROM "{name}"')
        return [[column[0] for column in cursor.description], *map(list, cursor)]


def run_in_shell(path: Path, log: Path = Path("undo.sql")) -> bytes:
    """Run an undo log with the sqlite3 shell, which does not know utf8ext. Return what it prints."""
    with open(log, "rb") as script:
        return subprocess.run(
            ["sqlite3", "-bail", path], stdin=script, stdout=subprocess.PIPE, check=True
        ).stdout


# ---- the result ------------------------------------------------------------------------------

_counts = {"passed": 0, "failed": 0}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.skipped:
        print(f"\nSKIPPED: {report.nodeid}: {report.longrepr[2].removeprefix('Skipped: ')}")
    elif report.failed or report.when == "call":
        _counts[report.outcome] += 1


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Print the last line that `make test` reads."""
    print(f"{_counts['passed']} passed, {_counts['failed']} failed", file=sys.stdout)
