"""utf8ext: the SQLite extension that finds, explains, repairs and prevents ill-formed text.

    import sqlite3, utf8ext

    connection = sqlite3.connect("my.db")
    utf8ext.load(connection)
    connection.execute("SELECT utf8_valid('naïve')")

README.md shows load() with other libraries than sqlite3.
"""

from utf8ext._clean import clean
from utf8ext._convert import Converted, convert
from utf8ext._detect import Guess, detect
from utf8ext._error import Error
from utf8ext._import import import_csv
from utf8ext._import.result import Imported
from utf8ext._load import __version__, load, load_async, loadable_path

__all__ = [
    "Converted",
    "Error",
    "Guess",
    "Imported",
    "__version__",
    "clean",
    "convert",
    "detect",
    "import_csv",
    "load",
    "load_async",
    "loadable_path",
]
