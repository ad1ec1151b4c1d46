"""Python's sqlite3 module: reading the value raises OperationalError."""

import platform
import sqlite3

db = sqlite3.connect("people.db", isolation_level=None)
print(f"version {platform.python_version()}, SQLite {sqlite3.sqlite_version}")
try:
    print("plain:", db.execute("SELECT name FROM people").fetchone())
except sqlite3.OperationalError as error:
    print("plain: OperationalError:", error)

# Load utf8ext into this connection.
db.enable_load_extension(True)
db.load_extension("./utf8ext")

for table, column, key, error in db.execute(
    "SELECT table_name, column_name, key, error FROM utf8_audit"
):
    print(f"found: {table}.{column}, row {key}: {error}")
db.execute("UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)")
print("repaired:", *db.execute("SELECT name FROM people").fetchone())
