-- people.sql: the database of every client: one name whose last byte is a Latin-1 é.
CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT);
INSERT INTO people VALUES (1, CAST(x'4a6f73e9' AS TEXT));
