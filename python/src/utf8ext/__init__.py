"""utf8ext: the SQLite extension that finds, explains, repairs and prevents ill-formed text.

    import sqlite3, utf8ext

    connection = sqlite3.connect("my.db")
    utf8ext.load(connection)
    connection.execute("SELECT utf8_valid('naïve')")

README.md shows load() with other libraries than sqlite3.
"""

from utf8ext._clean import clean
from utf8ext._error import Error
from utf8ext._import import import_csv
from utf8ext._import.result import Imported
from utf8ext._load import __version__, load, load_async, loadable_path

__all__ = [
    "Error",
    "Imported",
    "__version__",
    "clean",
    "import_csv",
    "load",
    "load_async",
    "loadable_path",
]
