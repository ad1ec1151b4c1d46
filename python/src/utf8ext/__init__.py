"""utf8ext: the SQLite extension that finds, explains, repairs and prevents ill-formed text.

    import sqlite3, utf8ext

    connection = sqlite3.connect("my.db")
    utf8ext.load(connection)
    connection.execute("SELECT utf8_valid('naïve')")

README.md shows load() with other libraries than sqlite3.
"""

TYPE_CHECKING = False  # without importing typing

if TYPE_CHECKING:
    from utf8ext._audit import Found, audit
    from utf8ext._clean import clean
    from utf8ext._convert import convert
    from utf8ext._detect import detect
    from utf8ext._error import Error
    from utf8ext._export import Exported, export_csv
    from utf8ext._files.result import Converted, Guess
    from utf8ext._import import import_csv
    from utf8ext._import.result import Imported
    from utf8ext._load import __version__, load, load_async, loadable_path
    from utf8ext._repair import repair
    from utf8ext._repair.result import Repaired
    from utf8ext._review import Reading, Unclear, unclear

__all__ = [
    "Converted",
    "Error",
    "Exported",
    "Found",
    "Guess",
    "Imported",
    "Reading",
    "Repaired",
    "Unclear",
    "__version__",
    "audit",
    "clean",
    "convert",
    "detect",
    "export_csv",
    "import_csv",
    "load",
    "load_async",
    "loadable_path",
    "repair",
    "unclear",
]


_MODULES = {
    "Converted": "_files.result",
    "Error": "_error",
    "Exported": "_export",
    "Found": "_audit",
    "Guess": "_files.result",
    "Imported": "_import.result",
    "Reading": "_review",
    "Repaired": "_repair.result",
    "Unclear": "_review",
    "audit": "_audit",
    "clean": "_clean",
    "convert": "_convert",
    "detect": "_detect",
    "export_csv": "_export",
    "import_csv": "_import",
    "repair": "_repair",
    "unclear": "_review",
}


def __getattr__(name: str) -> object:
    """Import a name when it is used. So nothing slow happens before the command handles Ctrl-C,
    and load() needs no sqlite3 of Python, which some Pythons lack."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_MODULES.get(name, '_load')}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
