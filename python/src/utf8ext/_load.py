"""Loads the extension into the connections of Python's SQLite libraries."""

from __future__ import annotations

import atexit
import inspect
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

_FOLDER = Path(__file__).parent

__version__ = (_FOLDER / "VERSION").read_text(encoding="ascii").strip()

ACCEPTED = (
    "a connection of sqlite3, pysqlite3 or apsw, a Connection, Engine or AsyncEngine of SQLAlchemy, "
    "or a database connection of Django"
)

# SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION: whether the C function may load. https://sqlite.org/c3ref
_ENABLE_LOAD_EXTENSION = 1005


def loadable_path() -> str:
    """Return the path of the extension, without suffix, as SQLite's load_extension() takes it.

    That is a copy of its own if load() or another function has loaded the extension before.
    """
    _original()
    return _path_for_library(_BY_HAND)


def load(connection: Any) -> None:
    """Load utf8ext into an open connection.

    Takes a connection of sqlite3, pysqlite3 or apsw, or one of SQLAlchemy or Django on top of
    these. Given an Engine or AsyncEngine of SQLAlchemy, loads utf8ext into each connection that
    the engine opens from now on. Whether the connection may load other extensions stays as it was.

    Raises TypeError for anything else, RuntimeError if the connection cannot load extensions, and
    the driver's own error if SQLite refuses. Loading twice is harmless.
    """
    if _is_engine(connection):
        _load_on_connect(connection)
        return
    driver = _driver_connection(connection)
    if hasattr(driver, "run_async"):  # SQLAlchemy's synchronous face of an aiosqlite connection
        driver.run_async(load_async)
        return
    with _loading_enabled(driver):
        # apsw before 3.42 wrote names without '_'.
        load_extension = getattr(driver, "load_extension", None) or driver.loadextension
        load_extension(_path_for(driver))


async def load_async(connection: Any) -> None:
    """Load utf8ext into a connection of aiosqlite."""
    if not inspect.iscoroutinefunction(getattr(connection, "load_extension", None)):
        raise TypeError(f"{_kind(connection)} is not a connection of aiosqlite; use utf8ext.load()")
    try:
        await connection.execute_fetchall("SELECT load_extension(NULL)")
        was_enabled = True
    except Exception:
        was_enabled = False
    await connection.enable_load_extension(True)
    try:
        await connection.load_extension(_path_for_library("sqlite3"))
    finally:
        await connection.enable_load_extension(was_enabled)


# ---- which connection ------------------------------------------------------------------


def _driver_connection(connection: Any) -> Any:
    """Return the connection of sqlite3, pysqlite3 or apsw below a connection."""
    if inspect.iscoroutinefunction(getattr(connection, "load_extension", None)):
        raise TypeError("a connection of aiosqlite: use `await utf8ext.load_async(connection)`")
    if _loader(connection) is not None or hasattr(connection, "run_async"):
        return connection
    if _is_from(connection, "sqlite3", "pysqlite3") and hasattr(connection, "cursor"):
        raise RuntimeError(_cannot_load(connection))
    if _is_from(connection, "sqlalchemy"):
        return _below_sqlalchemy(connection)
    if getattr(connection, "vendor", None) == "sqlite":  # Django
        connection.ensure_connection()
        return _driver_connection(connection.connection)
    raise TypeError(
        f"utf8ext.load: argument 1 (connection) is {_kind(connection)}; accepted: {ACCEPTED}"
    )


def _below_sqlalchemy(connection: Any) -> Any:
    if hasattr(connection, "run_sync"):
        raise TypeError("an AsyncConnection: use `await connection.run_sync(utf8ext.load)`")
    for attribute in ("dbapi_connection", "connection"):
        below = getattr(connection, attribute, None)
        if below is not None and not inspect.ismethod(below):
            return _driver_connection(below)
    raise TypeError(
        f"utf8ext.load: argument 1 (connection) is {_kind(connection)}; accepted: {ACCEPTED}"
    )


def _is_engine(connection: Any) -> bool:
    return (
        _is_from(connection, "sqlalchemy")
        and hasattr(connection, "dialect")
        and (hasattr(connection, "pool") and not hasattr(connection, "connection"))
    )


def _load_on_connect(engine: Any) -> None:
    from sqlalchemy import event

    engine = getattr(engine, "sync_engine", engine)
    if engine.dialect.name != "sqlite":
        raise TypeError(f"utf8ext.load: an engine of {engine.dialect.name}; accepted: {ACCEPTED}")
    if not event.contains(engine, "connect", _on_connect):
        event.listen(engine, "connect", _on_connect)


def _on_connect(connection: Any, _record: object) -> None:
    load(connection)


def _is_from(connection: object, *packages: str) -> bool:
    modules = {kind.__module__.partition(".")[0] for kind in type(connection).__mro__}
    return not modules.isdisjoint(packages)


def _kind(value: object) -> str:
    kind = type(value)
    return kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"


def _cannot_load(connection: object) -> str:
    name = type(connection).__mro__[-2].__module__.partition(".")[0]
    return (
        f"the module {name} of this Python was built without loadable extensions "
        "(no enable_load_extension). Install one that has them: `pip install apsw`, or "
        "`pip install pysqlite3-binary` (Linux) and `import pysqlite3 as sqlite3`"
    )


# ---- whether it may load ---------------------------------------------------------------


@contextmanager
def _loading_enabled(connection: Any) -> Iterator[None]:
    """Allow the connection to load extensions; afterwards put back what was allowed before."""
    before = _may_load(connection)
    _let_load(connection, True)
    try:
        yield
    finally:
        _let_load(connection, before)


def _may_load(connection: Any) -> bool:
    if hasattr(connection, "getconfig"):  # sqlite3 since Python 3.12
        return bool(connection.getconfig(_ENABLE_LOAD_EXTENSION))
    if hasattr(connection, "config"):  # apsw
        return bool(connection.config(_ENABLE_LOAD_EXTENSION, -1))
    try:
        connection.execute("SELECT load_extension(NULL)")  # loads nothing; fails if not allowed
    except Exception:
        return False
    return True


def _let_load(connection: Any, allowed: bool) -> None:
    if hasattr(connection, "setconfig"):
        connection.setconfig(_ENABLE_LOAD_EXTENSION, allowed)
    elif hasattr(connection, "config"):
        connection.config(_ENABLE_LOAD_EXTENSION, int(allowed))
    else:
        connection.enable_load_extension(allowed)


def _loader(connection: object) -> type | None:
    """Return the driver's class that has load_extension(), or None. User classes may inherit it."""
    names = ("load_extension", "loadextension")
    kinds = type(connection).__mro__
    return next((kind for kind in reversed(kinds) if any(map(kind.__dict__.get, names))), None)


# ---- which file ------------------------------------------------------------------------
# As every SQLite extension, utf8ext keeps one pointer to the SQLite that loaded it. sqlite3, apsw
# and pysqlite3 each have an SQLite of their own. If a process uses several of them, each gets its
# own copy of the extension: one copy would call the wrong SQLite, and crash.

_BY_HAND = ""  # stands for the library of those who call loadable_path()

_lock = threading.Lock()
_paths: dict[str, str] = {}  # package of the driver: the path that it loads


def _path_for(connection: object) -> str:
    loader = _loader(connection) or type(connection)
    return _path_for_library(loader.__module__.partition(".")[0])


def _path_for_library(package: str) -> str:
    with _lock:
        if package not in _paths:
            _paths[package] = _copy() if _paths else _original()
        return _paths[package]


def _original() -> str:
    library = _library()
    if not library.exists():
        raise FileNotFoundError(f"{library}: this installation of utf8ext has no extension in it")
    return str(library.with_suffix(""))


def _copy() -> str:
    """Copy the extension to a temporary folder, which is removed when Python ends."""
    _original()
    folder = tempfile.mkdtemp(prefix="utf8ext-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return str(Path(shutil.copy(_library(), folder)).with_suffix(""))


def _library() -> Path:
    suffix = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
    return _FOLDER / f"utf8ext{suffix}"
