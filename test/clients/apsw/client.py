"""APSW: reading the value raises UnicodeDecodeError."""

import apsw

db = apsw.Connection("people.db")
print(f"SQLite {apsw.sqlite_lib_version()}")
try:
    print("plain:", db.execute("SELECT name FROM people").get)
except UnicodeDecodeError as error:
    print("plain: UnicodeDecodeError:", error)

# Load utf8ext into this connection.
db.enable_load_extension(True)
db.load_extension("./utf8ext")

for table, column, key, error in db.execute(
    "SELECT table_name, column_name, key, error FROM utf8_audit"
):
    print(f"found: {table}.{column}, row {key}: {error}")
db.execute("UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)")
print("repaired:", db.execute("SELECT name FROM people").get)
