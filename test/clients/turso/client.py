"""Turso, the SQLite rewritten in Rust: reading the value raises an exception."""

import turso

db = turso.connect("people.db")
print("SQLite", db.execute("SELECT sqlite_version()").fetchone()[0])
try:
    print("plain:", db.execute("SELECT name FROM people").fetchone()[0])
except Exception as error:
    print(f"plain: {type(error).__name__}:", error)
try:
    print("loaded:", db.execute("SELECT load_extension('./utf8ext')").fetchone())
except Exception as error:
    print(f"not loaded: {type(error).__name__}:", error)
