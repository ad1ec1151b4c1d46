"""extension.py: a connection with utf8ext, for the judges."""

import os
import sqlite3

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def connect():
    db = sqlite3.connect(":memory:")
    db.enable_load_extension(True)
    db.load_extension(os.path.join(ROOT, os.environ.get("EXTENSION", "utf8ext.so")))
    return db
