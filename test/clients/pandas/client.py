"""pandas: reading a table that has the value raises OperationalError."""

import sqlite3

import pandas

REPAIR = "UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)"
db = sqlite3.connect("people.db")
print(f"SQLite {sqlite3.sqlite_version}")
try:
    print("plain:", *pandas.read_sql("SELECT name FROM people", db).name)
except Exception as error:
    print(f"plain: {type(error).__name__}:", error)

# Load utf8ext into the connection before you pass it to pandas.
db.enable_load_extension(True)
db.load_extension("./utf8ext")

audit = pandas.read_sql("SELECT table_name, column_name, key, error FROM utf8_audit", db)
for found in audit.itertuples():
    print(f"found: {found.table_name}.{found.column_name}, row {found.key}: {found.error}")
with db:
    db.execute(REPAIR)
print("repaired:", *pandas.read_sql("SELECT name FROM people", db).name)
