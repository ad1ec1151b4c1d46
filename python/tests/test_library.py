"""utf8ext.load() and loadable_path(), with each library that can hold an SQLite connection."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import aiosqlite
import apsw
import pytest
import sqlalchemy
from sqlalchemy.ext.asyncio import create_async_engine

import utf8ext

LOADS = hasattr(sqlite3.Connection, "enable_load_extension")
needs_sqlite3 = pytest.mark.skipif(not LOADS, reason="this Python's sqlite3 loads no extensions")

ILL_FORMED = "SELECT utf8_error(x'636166e9')"


def first(connection: Any, sql: str) -> Any:
    return list(connection.execute(sql))[0][0]


DRIVERS = {
    "sqlite3": lambda: sqlite3.connect(":memory:"),
    "apsw": lambda: apsw.Connection(":memory:"),
    "pysqlite3": lambda: pytest.importorskip("pysqlite3").connect(":memory:"),
}


@pytest.fixture(params=[pytest.param("sqlite3", marks=needs_sqlite3), "apsw", "pysqlite3"])
def connection(request: pytest.FixtureRequest) -> Any:
    """A connection of each driver."""
    return DRIVERS[request.param]()


# ---- drivers ---------------------------------------------------------------------------


def test_load(connection: Any) -> None:
    """Loading twice does no harm."""
    utf8ext.load(connection)
    utf8ext.load(connection)
    assert first(connection, ILL_FORMED) == "truncated"
    assert first(connection, "SELECT utf8_version()") == utf8ext.__version__


def test_load_leaves_extensions_disabled(connection: Any) -> None:
    utf8ext.load(connection)
    with pytest.raises(Exception, match="not authorized"):
        connection.load_extension(utf8ext.loadable_path())
    with pytest.raises(Exception, match="not authorized"):
        connection.execute("SELECT load_extension(NULL)")


def test_load_leaves_extensions_enabled(connection: Any) -> None:
    connection.enable_load_extension(True)
    utf8ext.load(connection)
    assert first(connection, "SELECT load_extension(NULL)") is None
    utf8ext.load(connection)


def test_state_is_put_back_after_a_failure(connection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from utf8ext import _load

    monkeypatch.setattr(_load, "_path_for", lambda connection: "/nonexistent/utf8ext")
    with pytest.raises(Exception, match="nonexistent"):
        utf8ext.load(connection)
    with pytest.raises(Exception, match="not authorized"):
        connection.load_extension(utf8ext.loadable_path())


def test_load_in_a_transaction(connection: Any) -> None:
    connection.execute("CREATE TABLE t(x)")
    connection.execute("BEGIN")
    connection.execute("INSERT INTO t VALUES (1)")
    utf8ext.load(connection)
    assert connection.in_transaction
    connection.execute("ROLLBACK")
    assert first(connection, "SELECT count(*) FROM t") == 0


def test_several_sqlite_libraries_in_one_process() -> None:
    connections = [connect() for name, connect in DRIVERS.items() if LOADS or name != "sqlite3"]
    for connection in connections:
        utf8ext.load(connection)
    for _ in range(3):
        for connection in connections:
            text = first(connection, "SELECT utf8_from(zeroblob(100000), 'cp1251')")
            assert text == "\0" * 100_000
            assert first(connection, ILL_FORMED) == "truncated"


def test_copies_are_removed_when_python_ends(tmp_path: Path) -> None:
    pytest.importorskip("pysqlite3")
    program = (
        "import apsw, pysqlite3, utf8ext, os\n"
        "utf8ext.load(apsw.Connection(':memory:')); utf8ext.load(pysqlite3.connect(':memory:'))\n"
        f"assert len(os.listdir({str(tmp_path)!r})) == 1\n"
    )
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    assert os.listdir(tmp_path) == []


@needs_sqlite3
def test_subclass_of_a_connection() -> None:
    class Connection(sqlite3.Connection):
        pass

    connection = sqlite3.connect(":memory:", factory=Connection)
    utf8ext.load(connection)
    assert first(connection, ILL_FORMED) == "truncated"


def test_loadable_path() -> None:
    path = utf8ext.loadable_path()
    assert os.path.isabs(path)
    assert Path(path).suffix == ""
    assert any(Path(path + suffix).is_file() for suffix in (".so", ".dylib", ".dll"))


@needs_sqlite3
def test_loadable_path_with_sql() -> None:
    connection = sqlite3.connect(":memory:")
    connection.enable_load_extension(True)
    connection.execute("SELECT load_extension(?)", (utf8ext.loadable_path(),))
    assert first(connection, ILL_FORMED) == "truncated"


BY_HAND = """
import sqlite3, utf8ext
utf8ext.detect(b"caf\\xe9")
connection = sqlite3.connect(":memory:")
connection.enable_load_extension(True)
connection.load_extension(utf8ext.loadable_path())
print(connection.execute("SELECT utf8_valid('a')").fetchone()[0], utf8ext.detect(b"a")[0].charset)
"""


@needs_sqlite3
def test_loadable_path_after_a_function_of_the_package() -> None:
    done = subprocess.run([sys.executable, "-c", BY_HAND], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "1 ascii\n"), done.stderr


# ---- SQLAlchemy, aiosqlite, Django -----------------------------------------------------


@needs_sqlite3
def test_sqlalchemy_connection() -> None:
    with sqlalchemy.create_engine("sqlite://").connect() as connection:
        utf8ext.load(connection)
        assert connection.execute(sqlalchemy.text(ILL_FORMED)).scalar() == "truncated"


@needs_sqlite3
def test_sqlalchemy_engine(tmp_path: Path) -> None:
    engine = sqlalchemy.create_engine(
        f"sqlite:///{tmp_path}/a.db", poolclass=sqlalchemy.pool.NullPool
    )
    utf8ext.load(engine)
    utf8ext.load(engine)
    for _ in range(2):
        with engine.connect() as connection:
            assert connection.execute(sqlalchemy.text(ILL_FORMED)).scalar() == "truncated"


def test_sqlalchemy_engine_of_another_database() -> None:
    engine = sqlalchemy.create_mock_engine("postgresql://", lambda *_: None)
    with pytest.raises(TypeError, match="accepted: a connection of sqlite3"):
        utf8ext.load(engine)


@needs_sqlite3
def test_sqlalchemy_raw_connection() -> None:
    connection = sqlalchemy.create_engine("sqlite://").raw_connection()
    utf8ext.load(connection)
    assert connection.cursor().execute(ILL_FORMED).fetchone()[0] == "truncated"


@needs_sqlite3
@pytest.mark.parametrize("loads_engine", [True, False])
def test_sqlalchemy_async(loads_engine: bool) -> None:
    async def run() -> None:
        engine = create_async_engine("sqlite+aiosqlite://")
        if loads_engine:
            utf8ext.load(engine)
        async with engine.connect() as connection:
            if not loads_engine:
                with pytest.raises(TypeError, match="run_sync"):
                    utf8ext.load(connection)
                await connection.run_sync(utf8ext.load)
            result = await connection.execute(sqlalchemy.text(ILL_FORMED))
            assert result.scalar() == "truncated"
        await engine.dispose()

    asyncio.run(run())


@needs_sqlite3
def test_aiosqlite() -> None:
    async def run() -> None:
        async with aiosqlite.connect(":memory:") as connection:
            with pytest.raises(TypeError, match="load_async"):
                utf8ext.load(connection)
            await utf8ext.load_async(connection)
            rows = await connection.execute_fetchall(ILL_FORMED)
            assert list(rows)[0][0] == "truncated"
            with pytest.raises(sqlite3.OperationalError, match="not authorized"):
                await connection.load_extension(utf8ext.loadable_path())

    asyncio.run(run())


def test_load_async_of_something_else() -> None:
    with pytest.raises(TypeError, match="aiosqlite"):
        asyncio.run(utf8ext.load_async(sqlite3.connect(":memory:")))


DJANGO = """
import django, utf8ext
from django.conf import settings
from django.db import connection, connections
from django.db.backends.signals import connection_created

settings.configure(DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}})
django.setup()

def error(connection):
    with connection.cursor() as cursor:
        cursor.execute("SELECT utf8_error(x'ff')")
        return cursor.fetchone()[0]

utf8ext.load(connections["default"])
assert error(connections["default"]) == "invalid byte"
utf8ext.load(connection)

def load_utf8ext(connection, **_):
    if connection.vendor == "sqlite":
        utf8ext.load(connection)

connection_created.connect(load_utf8ext)
connections["default"].connection.close()
connections["default"].connection = None
assert error(connections["default"]) == "invalid byte"
"""


@needs_sqlite3
def test_django() -> None:
    subprocess.run([sys.executable, "-c", DJANGO], check=True)


# ---- refused ---------------------------------------------------------------------------


CURSOR = sqlite3.connect(":memory:").cursor()


@pytest.mark.parametrize("value", [None, "my.db", Path("my.db"), 5, object(), sqlite3, CURSOR])
def test_no_connection(value: object) -> None:
    message = r"argument 1 \(connection\) is .*; accepted: a connection of"
    with pytest.raises(TypeError, match=message):
        utf8ext.load(value)


def test_closed_connection() -> None:
    connection = apsw.Connection(":memory:")
    connection.close()
    with pytest.raises(Exception, match="(?i)closed"):
        utf8ext.load(connection)


def test_sqlite3_without_extensions() -> None:
    """A Python whose sqlite3 was built without extensions gets told what to install."""

    class Connection:
        def cursor(self) -> None: ...

    Connection.__module__ = "sqlite3"
    with pytest.raises(RuntimeError, match="pip install apsw.*pysqlite3-binary"):
        utf8ext.load(Connection())


def test_missing_extension(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from utf8ext import _load

    monkeypatch.setattr(_load, "_library", lambda: tmp_path / "utf8ext.so")
    with pytest.raises(FileNotFoundError, match="has no extension in it"):
        utf8ext.loadable_path()
