"""fixtures.py: files for the tests of the page, and what the native extension makes of them.

    LD_LIBRARY_PATH=build/sqlite/3.53.2 python3 test/site/fixtures.py ./utf8ext.so build/site-test

Each FILE.POLICY.expected is FILE repaired by the loadable extension. Python must use the SQLite
that the page has, since SQLite writes its version into databases.
"""

import csv
import io
import os
import shutil
import sqlite3
import sys

EXTENSION, DIRECTORY = sys.argv[1:]


def path(name):
    return os.path.join(DIRECTORY, name)


def connect(file):
    db = sqlite3.connect(file, isolation_level=None)
    db.enable_load_extension(True)
    db.load_extension(EXTENSION)
    db.execute("PRAGMA secure_delete = ON")
    return db


def create(name, script, encoding="UTF-8", journal="DELETE"):
    if os.path.exists(path(name)):
        os.remove(path(name))
    db = connect(path(name))
    db.execute(f"PRAGMA encoding = '{encoding}'")
    db.execute(f"PRAGMA journal_mode = {journal}")
    db.executescript(script)
    db.close()


def repair(name, policy):
    """Writes the database as the extension repairs it, in one transaction."""
    copy = f"{name}.{policy}.expected"
    shutil.copy(path(name), path(copy))
    db = connect(path(copy))
    db.execute("PRAGMA journal_mode = MEMORY")
    # Under auto, misread text is found and what is unclear stays. Other suspicious text has no cause.
    found = "cause <> 'unclear'" if policy == "auto" else "TRUE"
    sql = f"SELECT repair_sql FROM temp.utf8_audit('main', ?, ?) WHERE repair_sql IS NOT NULL AND {found}"
    statements = [row[0] for row in db.execute(sql, [policy, policy == "auto"])]
    db.execute("BEGIN")
    for statement in statements:
        db.execute(statement)
    db.execute("COMMIT")
    db.close()


def repair_text(name, call, policy):
    db = connect(":memory:")
    with open(path(name), "rb") as file:
        text = file.read()
    with open(path(f"{name}.{policy}.expected"), "wb") as file:
        file.write(db.execute(f"SELECT CAST({call} AS BLOB)", [text, policy]).fetchone()[0])


SHOP = """
CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, note TEXT);
INSERT INTO people VALUES (1, 'Zoë', NULL), (17, CAST(x'4a6f73e9' AS TEXT), 'x'), (18, 'Ann', CAST(x'c0af20ff' AS TEXT));
CREATE TABLE parts(maker TEXT, number, title TEXT, PRIMARY KEY(maker, number)) WITHOUT ROWID;
INSERT INTO parts VALUES ('O''Neil', 0.1, CAST(x'ff' AS TEXT)), (CAST(x'ff41' AS TEXT), x'00ff', CAST(x'fe' AS TEXT));
CREATE TABLE words(id INTEGER PRIMARY KEY, w TEXT);
INSERT INTO words VALUES (1, CAST(x'cff0e8e2e5f22c20eae0ea20e4e5ebe03f' AS TEXT)), (2, CAST(x'cceef1eae2e0' AS TEXT));
CREATE INDEX words_w ON words(w);
CREATE TABLE "<img src=x onerror=alert(1)>"("<b>c</b>" TEXT);
INSERT INTO "<img src=x onerror=alert(1)>" VALUES (CAST('<script>alert(2)</script>' || x'ff' AS TEXT));
CREATE TABLE strict_one(name TEXT UNIQUE);
INSERT INTO strict_one VALUES (CAST(x'41fe' AS TEXT)), (CAST(x'41ff' AS TEXT));
CREATE TABLE long(x TEXT);
WITH n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
  INSERT INTO long SELECT CAST('row ' || i || x'e9' AS TEXT) FROM n;
CREATE TABLE misread(x TEXT);
INSERT INTO misread VALUES ('cafÃ©');
"""

os.makedirs(DIRECTORY, exist_ok=True)
create("clean.db", "CREATE TABLE t(x); INSERT INTO t VALUES ('naïve')")
create("shop.db", SHOP.replace("CREATE TABLE strict_one(name TEXT UNIQUE)", "CREATE TABLE strict_one(name TEXT)"))
create("unique.db", SHOP)
create("keys.db", """
CREATE TABLE town(name TEXT PRIMARY KEY);
CREATE TABLE person(town TEXT REFERENCES town(name));
INSERT INTO town VALUES (CAST(x'4bf66c6e' AS BLOB));
INSERT INTO person VALUES (CAST(x'41ff' AS TEXT));
INSERT INTO town VALUES (CAST(x'41ff' AS TEXT));
CREATE TRIGGER back AFTER UPDATE ON town BEGIN UPDATE person SET town = 'nowhere'; END;
""")
# SQLite reads a table whose type is in capitals, or whose name is a BLOB.
create("schema.db", """
CREATE TABLE capitals(x);
CREATE TABLE named(x);
INSERT INTO capitals VALUES (CAST(x'ff' AS TEXT));
INSERT INTO named VALUES (CAST(x'ff' AS TEXT));
PRAGMA writable_schema = ON;
UPDATE sqlite_master SET type = 'TABLE' WHERE name = 'capitals';
UPDATE sqlite_master SET name = CAST(name AS BLOB) WHERE name = 'named';
""")
create("utf16.db", "CREATE TABLE t(x); INSERT INTO t VALUES (CAST(x'610000d86200' AS TEXT))", encoding="UTF-16le")
create("wal.db", "CREATE TABLE t(x); INSERT INTO t VALUES (CAST(x'5a6fc3ab20c3' AS TEXT))", journal="WAL")
create("suspects.db", "CREATE TABLE t(x); INSERT INTO t VALUES ('cafÃ©'), ('a' || char(8203) || 'b')")
for policy in ("subpart", "auto", "windows-1252"):
    repair("shop.db", policy)
create("staff.db", """
CREATE TABLE staff(id INTEGER PRIMARY KEY, name TEXT, town TEXT);
INSERT INTO staff VALUES (1, 'Ann', 'Bern'), (2, CAST(x'4131e9' AS TEXT), CAST(x'4231e9' AS TEXT)),
  (3, CAST(x'4132e9' AS TEXT), 'Rom'), (4, CAST(x'4133e9' AS TEXT), 'Ulm');
""")

shutil.copy("examples/orders.csv", path("orders.csv"))
for policy in ("auto", "subpart", "byte", "run", "cesu-8", "trim", "escape", "windows-1252"):
    repair_text("orders.csv", "utf8_repair(?1, ?2)", policy)


def repair_cells(name, delimiter):
    """Writes a CSV file with each ill-formed cell as utf8_audit repairs it. Rows have one width."""
    with open(path(name), "rb") as file:
        content = file.read()
    db = connect(":memory:")
    text = content.decode("utf-8-sig", "surrogateescape")
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    columns = [f"c{i}" for i in range(len(rows[0]))]
    db.execute(f"CREATE TABLE cells({', '.join(columns)})")
    marks = ", ".join(["CAST(? AS TEXT)"] * len(columns))
    for row in rows:
        db.execute(f"INSERT INTO cells VALUES ({marks})", [c.encode("utf-8", "surrogateescape") for c in row])
    sql = """SELECT value, repaired FROM utf8_audit('main', 'auto', 1)
              WHERE repaired IS NOT NULL AND cause <> 'unclear'"""
    db.text_factory = bytes
    for value, repaired in db.execute(sql):
        before, after = (cell.replace(b'"', b'""') for cell in (value, repaired))
        assert before in content
        content = content.replace(before, after, 1)
    with open(path(f"{name}.cells.expected"), "wb") as file:
        file.write(content)


repair_cells("orders.csv", ",")
with open(path("mixed.csv"), "wb") as file:
    file.write(
        b'id;city;note\r\n1;M\xfcnchen;"a ""x\xe9""; b"\r\n2;K\xf6ln;na\xc3\xafve\r\n'
        b"3;D\xfcsseldorf und Umgebung;x\r\n4;Gr\xc3\xbc\xc3;\r\n"
    )
repair_cells("mixed.csv", ";")
with open(path("unclear.csv"), "wb") as file:
    file.write(
        b"id;name;town\n1;A1\xe9;Gen\xc3\x83\xc2\xa8ve\n2;A2\xe9;K\xc3\xb6ln\n3;Ann;M\xfcnchen\n"
    )
with open(path("sjis.txt"), "wb") as file:
    file.write("日本語のテキストです。表示と構造。\r\n".encode("shift_jis") * 2000)
repair_text("sjis.txt", "utf8_from(?1, ?2)", "shift_jis")

# Errors at the end of the first chunk of 4 MB: the chunk ends after the last ASCII byte.
with open(path("edges.txt"), "wb") as file:
    file.write(b"a" * 4194303 + b"\xe2\x82\xc0\xaf" + b"b" * 1000)
repair_text("edges.txt", "utf8_repair(?1, ?2)", "run")

with open(path("secret.db"), "wb") as file:
    file.write(bytes((i * i * 7 + i // 3 + 91) % 251 for i in range(8192)))
with open(path("damaged.db"), "wb") as file, open(path("shop.db"), "rb") as whole:
    content = bytearray(whole.read())
    content[3 * 4096 : 4 * 4096] = b"\xa5" * 4096
    file.write(content)
with open(path("broken.db"), "wb") as file:
    file.write(b"SQLite format 3\0" + b"\xa5" * 4080)
with open(path("empty.txt"), "wb"):
    pass
with open(path("large.txt"), "wb") as file:
    line = "A line of text with naïve words, 日本語 and 😀 in it.\n".encode()
    block = line * (1048576 // len(line))
    for i in range(100):
        file.write(block if i != 70 else block[:-1] + b"\xff\n")
