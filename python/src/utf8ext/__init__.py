"""utf8ext: the SQLite extension that finds, explains, repairs and prevents ill-formed text.

    import sqlite3, utf8ext

    connection = sqlite3.connect("my.db")
    utf8ext.load(connection)
    connection.execute("SELECT utf8_valid('naïve')")

README.md shows load() with other libraries than sqlite3.
"""

from typing import TYPE_CHECKING

from utf8ext._audit import Found, audit
from utf8ext._clean import clean
from utf8ext._convert import Converted, convert
from utf8ext._detect import Guess, detect
from utf8ext._error import Error
from utf8ext._import import import_csv
from utf8ext._import.result import Imported
from utf8ext._load import __version__, load, load_async, loadable_path

if TYPE_CHECKING:
    from utf8ext._repair import repair
    from utf8ext._repair.result import Repaired

__all__ = [
    "Converted",
    "Error",
    "Found",
    "Guess",
    "Imported",
    "Repaired",
    "__version__",
    "audit",
    "clean",
    "convert",
    "detect",
    "import_csv",
    "load",
    "load_async",
    "loadable_path",
    "repair",
]


def __getattr__(name: str) -> object:
    """Import what needs Python's sqlite3 only when it is used: some Pythons lack it."""
    if name == "repair":
        from utf8ext._repair import repair

        return repair
    if name == "Repaired":
        from utf8ext._repair.result import Repaired

        return Repaired
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
