"""utf8ext: the SQLite extension that finds, explains, repairs and prevents ill-formed text.

    import sqlite3, utf8ext

    connection = sqlite3.connect("my.db")
    utf8ext.load(connection)
    connection.execute("SELECT utf8_valid('naïve')")

README.md shows load() with other libraries than sqlite3.
"""

from utf8ext._clean import clean
from utf8ext._load import __version__, load, load_async, loadable_path

__all__ = ["__version__", "clean", "load", "load_async", "loadable_path"]
