"""utf8ext: the SQLite extension that finds, explains, repairs and prevents ill-formed text.

    import sqlite3, utf8ext

    connection = sqlite3.connect("my.db")
    utf8ext.load(connection)
    connection.execute("SELECT utf8_valid('naïve')")
"""

from pathlib import Path

__all__ = ["__version__", "load", "loadable_path"]

_FOLDER = Path(__file__).parent

__version__ = (_FOLDER / "VERSION").read_text().strip()


def loadable_path() -> str:
    """Return the path of the loadable extension, as load_extension() takes it: without suffix."""
    return str(_FOLDER / "utf8ext")


def load(connection: object) -> None:
    """Load utf8ext into an open connection."""
    connection.enable_load_extension(True)
    try:
        connection.load_extension(loadable_path())
    finally:
        connection.enable_load_extension(False)
