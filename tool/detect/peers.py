"""peers.py: utf8ext and other detectors, for tool/detect/measure.py.

Each returns the name of a charset for a value, or "" for none, without a hint about language
or source:

utf8ext             utf8_detect and utf8_detect_column of the extension in UTF8EXT_SO
chardet             from PyPI: chardet.detect
charset-normalizer  from PyPI: charset_normalizer.from_bytes
uchardet            Debian's libuchardet

A detector that cannot be installed is skipped with a message.
"""

import ctypes
import importlib
import os
import resource
import sqlite3
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
sys.path.append(os.path.join(ROOT, "tool"))
import generated  # noqa: E402

WORK = os.path.join(ROOT, "build", "detection")
PYTHON = os.path.join(WORK, "python")
PACKAGES = ["chardet==7.7.0", "charset-normalizer==3.5.2"]

# Names of uchardet that Python spells differently.
PYTHON_NAMES = {"mac-centraleurope": "mac-latin2"}


def connect():
    db = sqlite3.connect(":memory:")
    db.enable_load_extension(True)
    db.load_extension(os.path.abspath(os.environ.get("UTF8EXT_SO", os.path.join(ROOT, "utf8ext"))))
    db.execute("CREATE TABLE timed(value BLOB)")
    return db


DB = connect()


def skip(what, why):
    print(f"SKIPPED: {what}: {why}", file=sys.stderr)


def audited(columns, result, suspects=0):
    """What utf8_audit finds under policy auto in a table with these columns of bytes.

    Yields the row and the column of each value, both from 0, and the columns of `result`.
    """
    names = [f"c{i}" for i in range(len(columns))]
    DB.execute("DROP TABLE IF EXISTS cells")
    DB.execute("CREATE TABLE cells(%s)" % ", ".join(name + " TEXT" for name in names))
    DB.executemany("INSERT INTO cells VALUES (%s)" % ", ".join(["CAST(? AS TEXT)"] * len(names)), zip(*columns))
    return DB.execute(f"SELECT key - 1, CAST(substr(column_name, 2) AS INTEGER), {result} "
                      f"FROM temp.utf8_audit('main', 'auto', {suspects}) WHERE table_name = 'cells'")


# ---- reading -------------------------------------------------------------------------------

def read(value, charset):
    """The text of the value, or None if utf8_from does not have the charset."""
    try:
        text = DB.execute("SELECT utf8_from(?, ?)", (value, charset)).fetchone()[0]
    except sqlite3.Error:
        return None
    return None if text is None else text.removeprefix("\ufeff")


def read_by_python(value, charset):
    try:
        return value.decode(PYTHON_NAMES.get(charset.lower(), charset)).removeprefix("\ufeff")
    except (LookupError, UnicodeError):
        return None


def encode(text, charset):
    """The bytes of the text, or None if the charset lacks one of its characters."""
    value = DB.execute("SELECT utf8_to(?, ?)", (text, charset)).fetchone()[0]
    return value if value is not None and read(value, charset) == text else None


def is_right(text, value, answer):
    """Is the value, decoded by the answer, the text? Either utf8_from or Python decodes it."""
    return bool(answer) and text in (read(value, answer), read_by_python(value, answer))


# ---- detectors -----------------------------------------------------------------------------

class Detector:
    """A function of one value. A column is its cells, joined by line feeds."""

    def __init__(self, name, detect):
        self.name, self.detect = name, detect

    def answers(self, values):
        return [self.detect(value) or "" for value in values]

    def column_answers(self, columns):
        """The answers for a list of (charset, cells)."""
        return self.answers([encode("\n", charset).join(cells) for charset, cells in columns])

    def seconds(self, values):
        """Seconds of user time that the answers take."""
        start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        self.answers(values)
        return resource.getrusage(resource.RUSAGE_SELF).ru_utime - start


class Utf8ext(Detector):
    """The extension. It is timed inside one statement, without Python."""

    def __init__(self):
        version = DB.execute("SELECT utf8_version()").fetchone()[0]
        super().__init__(f"utf8ext {version}", self.of_value)

    def of_value(self, value):
        return DB.execute("SELECT utf8_detect(?)", (value,)).fetchone()[0]

    def of_column(self, cells):
        rows = ", ".join(["(?)"] * len(cells))
        return DB.execute(f"SELECT utf8_detect_column(column1) FROM (VALUES {rows})",
                          cells).fetchone()[0] or ""

    def column_answers(self, columns):
        return [self.of_column(cells) for _, cells in columns]

    def seconds(self, values, result="count(utf8_detect(value))"):
        DB.execute("DELETE FROM timed")
        DB.executemany("INSERT INTO timed VALUES(?)", [(value,) for value in values])
        start = resource.getrusage(resource.RUSAGE_SELF).ru_utime
        DB.execute(f"SELECT {result} FROM timed").fetchone()
        return resource.getrusage(resource.RUSAGE_SELF).ru_utime - start

    def column_seconds(self, values):
        return self.seconds(values, "utf8_detect_column(value)")


def chardet():
    generated.install(PYTHON, *PACKAGES)
    package = importlib.import_module("chardet")
    return Detector("chardet " + package.__version__,
                 lambda value: package.detect(value)["encoding"])


def charset_normalizer():
    generated.install(PYTHON, *PACKAGES)
    package = importlib.import_module("charset_normalizer")

    def detect(value):
        best = package.from_bytes(value).best()
        return best.encoding if best else ""
    return Detector("charset-normalizer " + package.__version__, detect)


def uchardet():
    lib = ctypes.CDLL("libuchardet.so.0")
    lib.uchardet_new.restype = ctypes.c_void_p
    lib.uchardet_get_charset.restype = ctypes.c_char_p
    lib.uchardet_get_charset.argtypes = [ctypes.c_void_p]
    lib.uchardet_handle_data.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_size_t]
    for function in (lib.uchardet_data_end, lib.uchardet_reset):
        function.argtypes = [ctypes.c_void_p]
    handle = lib.uchardet_new()

    def detect(value):
        lib.uchardet_reset(handle)
        lib.uchardet_handle_data(handle, value, len(value))
        lib.uchardet_data_end(handle)
        return lib.uchardet_get_charset(handle).decode()
    return Detector("uchardet " + uchardet_version(), detect)


def uchardet_version():
    try:
        return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libuchardet0"],
                              stdout=subprocess.PIPE, check=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return "(version unknown)"


def detectors():
    """utf8ext, then the others that can be installed."""
    found = [Utf8ext()]
    for make in (chardet, uchardet, charset_normalizer):
        try:
            found.append(make())
        except (OSError, ImportError, subprocess.CalledProcessError) as error:
            skip("detector " + make.__name__, error)
    return found
