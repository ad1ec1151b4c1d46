"""SQLAlchemy: reading the value raises OperationalError."""

import sqlite3

from sqlalchemy import create_engine, event, text
from sqlalchemy.exc import OperationalError

engine = create_engine("sqlite:///people.db")
print(f"SQLite {sqlite3.sqlite_version}")
try:
    with engine.connect() as db:
        print("plain:", db.scalar(text("SELECT name FROM people")))
except OperationalError as error:
    print("plain:", str(error).splitlines()[0])
engine.dispose()


# Load utf8ext into each connection that the pool opens.
@event.listens_for(engine, "connect")
def load_utf8ext(connection, _record):
    connection.enable_load_extension(True)
    connection.load_extension("./utf8ext")


REPAIR = "UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)"
with engine.begin() as db:
    for found in db.execute(text("SELECT * FROM utf8_audit")):
        print(f"found: {found.table_name}.{found.column_name}, row {found.key}: {found.error}")
    db.execute(text(REPAIR))
    print("repaired:", db.scalar(text("SELECT name FROM people")))
