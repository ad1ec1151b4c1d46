"""`utf8ext export`: a table, a view or a query as CSV in any charset."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import COMMAND, Fails, Run, has_unfinished, make

import utf8ext

SQL = """
    CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT, x, b);
    INSERT INTO people VALUES (1, 'Łódź, “x”', 0.1, x'e9'), (5, 'a "b"', 1e300, NULL),
                              (7, '', -9e999, '=1+1');
    CREATE VIEW names AS SELECT name FROM people;
"""

# people in windows-1252, `closest`: the rows of SQL.
CLOSEST = (
    b'id,name,x,b\r\n1,"L\xf3dz, \x93x\x94",0.1,x\'e9\'\r\n'
    b'5,"a ""b""",1e+300,\r\n7,"",-Inf,=1+1\r\n'
)


@pytest.fixture(autouse=True)
def database() -> None:
    make(SQL)


def raw(*arguments: object) -> bytes:
    done = subprocess.run([COMMAND, "export", *map(str, arguments)], capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


# ---- what is written -------------------------------------------------------------------


@pytest.mark.both_drivers
def test_a_table(run: Run) -> None:
    done = run("export", "my.db", "People")
    assert done.stdout == (
        "id,name,x,b\r\n1,\"Łódź, “x”\",0.1,x'e9'\r\n"
        '5,"a ""b""",1e+300,\r\n7,"",-Inf,=1+1\r\n'
    ).replace("\r\n", "\n")
    assert (done.returncode, done.stderr) == (0, "people: 3 rows, 4 columns, utf-8\n")


def test_a_legacy_charset(run: Run) -> None:
    """Each character that is replaced is counted, and the first is named."""
    done = run("export", "my.db", "people", "--charset", "windows-1252", "--loss", "closest", "-o", "p.csv")
    assert Path("p.csv").read_bytes() == CLOSEST
    assert done.returncode == 1
    assert done.stderr == (
        "people: 3 rows, 4 columns, windows-1252\n"
        "people: 2 characters not in windows-1252, the first at people.name, key 1: U+0141 Ł\n"
    )


def test_a_view_and_a_query(run: Run) -> None:
    assert run("export", "my.db", "names", "--no-header").stdout == '"Łódź, “x”"\n"a ""b"""\n""\n'
    query = "SELECT id AS n, NULL FROM people WHERE id < 6 -- some"
    assert run("export", "my.db", "--query", query).stdout == "n,NULL\n1,\n5,\n"


# Excel reads UTF-8 with a byte order mark, and, in many countries, a semicolon.
CELLS, SEMICOLONS = "SELECT 'é' AS a, NULL AS b, ';' AS c", r"--delimiter ; --newline lf --null \N"
MARKED = '\ufeffa;b;c\né;\\N;";"\n'

MARKS = "SELECT 'a|b' AS a, 'c' AS b, '''x' AS c"
# NULL, what readers drop, and a byte order mark.
DOUBTFUL = r"SELECT '' AS a, NULL AS b, '\N' AS c, ' x' AS d, 'x ' AS e, char(0xfeff) AS f"
EMPTY = "SELECT '' AS a UNION ALL SELECT NULL"  # but no row is an empty line
NO_ROWS = "SELECT 1 AS a, 2 AS b WHERE FALSE"


@pytest.mark.parametrize(
    ("query", "options", "data"),
    [
        (CELLS, f"{SEMICOLONS} --bom", MARKED.encode()),
        (CELLS, f"{SEMICOLONS} --charset utf-8-bom", MARKED.encode()),
        (CELLS, f"{SEMICOLONS} --charset utf-16le --bom", MARKED.encode("utf-16le")),
        (CELLS, f"{SEMICOLONS} --charset utf-16", MARKED.encode("utf-16be")),
        (CELLS, f"{SEMICOLONS} --charset utf-16 --bom", MARKED.encode("utf-16be")),
        ("SELECT 'é', 'b'", "--charset cp037 --newline nel --no-header", "é,b\x85".encode("cp037")),
        (MARKS, r"--delimiter \t|\t", b'a\t|\tb\t|\tc\r\n"a|b"\t|\tc\t|\t"\'x"\r\n'),
        (MARKS, "--quote '", b"a,b,c\r\na|b,c,'''x'\r\n"),
        (MARKS, "--quote none", b"a,b,c\r\na|b,c,'x\r\n"),
        (DOUBTFUL, "--no-header", '"",,"\\N"," x","x ","\ufeff"\r\n'.encode()),
        ("SELECT 'NULL', NULL, ''", "--null NULL --no-header", b'"NULL",NULL,\r\n'),
        (EMPTY, "", b'a\r\n""\r\n""\r\n'),
        (EMPTY, "--null -", b'a\r\n""\r\n-\r\n'),
        (NO_ROWS, "", b"a,b\r\n"),
        (NO_ROWS, "--no-header", b""),
    ],
)
def test_what_is_written(query: str, options: str, data: bytes) -> None:
    assert raw("my.db", "--query", query, *options.split()) == data


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
def test_encodings_of_databases(encoding: str) -> None:
    sql = f"PRAGMA encoding = '{encoding}'; CREATE TABLE t(a, n); INSERT INTO t VALUES ('é😀', 'a' || char(0) || 'b')"
    make(sql, "other.db")
    assert raw("other.db", "t") == "a,n\r\né😀,a\0b\r\n".encode()


def test_all_columns_of_a_wide_table() -> None:
    """Two thousand, as many as SQLite allows; generated ones too."""
    columns = [f"c{place}" for place in range(1999)]
    sql = f"CREATE TABLE t({', '.join(columns)}, g AS (c1 + 1)); INSERT INTO t(c1) VALUES (4)"
    make(sql, "wide.db")
    header, row, rest = raw("wide.db", "t").decode().split("\r\n")
    assert header == ",".join([*columns, "g"]) and row == ",4" + "," * 1998 + "5" and rest == ""


def test_odd_names() -> None:
    """Quotes in names, columns that hide the rowid, and an index that has all columns."""
    sql = """
        CREATE TABLE "we""ird 't"("a,b", rowid, "c""d"); CREATE INDEX i ON "we""ird 't"(rowid, "a,b", "c""d");
        INSERT INTO "we""ird 't" VALUES (1, 2, 3), (4, 1, CAST(x'ff' AS TEXT));
    """
    make(sql, "odd.db")
    data = raw("odd.db", "--query", "SELECT * FROM \"we\"\"ird 't\" WHERE rowid = 2")
    assert data == b'"a,b",rowid,"c""d"\r\n1,2,3\r\n'
    with pytest.raises(utf8ext.Error, match=r"we\"ird 't\.c\"d, key 2: ill-formed text"):
        utf8ext.export_csv("odd.db", "out.csv", "we\"ird 't")
    assert not Path("out.csv").exists()


# ---- ill-formed text -------------------------------------------------------------------

ILL_FORMED = """
    CREATE TABLE t(a, b); INSERT INTO t VALUES ('x', 'y'), ('x', CAST(x'41e9' AS TEXT));
    CREATE TABLE w(a PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO w SELECT b, a FROM t;
    CREATE VIEW v AS SELECT b FROM t;
"""


@pytest.mark.both_drivers
@pytest.mark.parametrize(
    ("table", "place"), [("t", "t.b, key 2"), ("w", "w.a, row 1"), ("v", "v.b, row 2")]
)
def test_ill_formed_text_is_refused(fails: Fails, table: str, place: str) -> None:
    make(ILL_FORMED, "ill.db")
    message = fails("export", "ill.db", table, "-o", "out.csv")
    assert message == (
        f"ill.db: {place}: ill-formed text; repair it first: utf8ext repair; or say --policy subpart"
    )
    assert not Path("out.csv").exists()


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le"])
def test_a_policy_repairs(run: Run, encoding: str) -> None:
    ill = "41e9" if encoding == "UTF-8" else "410000d8"
    make(f"PRAGMA encoding = '{encoding}'; CREATE TABLE t(a, b); INSERT INTO t VALUES ('x', CAST(x'{ill}' AS TEXT))", "ill.db")
    done = run("export", "ill.db", "t", "--policy", "subpart")
    assert (done.returncode, done.stdout) == (1, "a,b\nx,A�\n")
    assert done.stderr == "t: 1 row, 2 columns, utf-8, 1 text repaired\n"


def test_ill_formed_names(run: Run, fails: Fails) -> None:
    path = make("CREATE TABLE t(abcd); INSERT INTO t VALUES (1); CREATE TABLE wxyz(a)", "names.db")
    path.write_bytes(path.read_bytes().replace(b"abcd", b"ab\xe9d").replace(b"wxyz", b"wx\xe9z"))
    assert fails("export", "names.db", "t") == (
        r"names.db: t: the name of column 1 is ill-formed: ab\xe9d; say --policy, or repair --names"
    )
    assert run("export", "names.db", "t", "--policy", "latin1").stdout == "abéd\n1\n"
    assert fails("export", "names.db", r"wx\xe9z") == (
        r"names.db: the name of table wx\xe9z is ill-formed; repair it first: utf8ext repair --names"
    )


# ---- what is refused -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("people", "--charset", "latin1"), "people.name, key 1: U+0141 Ł is not in iso-8859-1; to write something else for it, say --loss closest"),
        (("people", "--loss", "best"), "the loss is 'best'; accepted: error, closest, xml, ignore, replace"),
        (("people", "--quote", "none"), "people.name, key 1: the text needs quotes, or could be taken for NULL; name a --quote, another --delimiter or --null"),
        (("people", "--newline", "nel"), "the newline is 'nel', which ends lines in EBCDIC only, not in utf-8"),
        (("people", "--newline", "x"), "the newline is 'x'; accepted: crlf, lf, cr, nel"),
        (("people", "--bom", "--charset", "latin1"), "iso-8859-1 has no byte order mark"),
        (("people", "--delimiter", "¦", "--charset", "ascii"), "ascii lacks a character of the delimiter, the quote or null"),
        # A blank line would be no row.
        (("--query", "SELECT NULL AS a", "--quote", "none"), "query.a, row 1: the text needs quotes, or could be taken for NULL; name a --quote, another --delimiter or --null"),
        (("people", "--delimiter", ""), "the delimiter is ''; accepted: characters that end no line"),
        (("people", "--delimiter", "a\"b"), "the delimiter 'a\"b' has the quote '\"' in it"),
        (("people", "--quote", "xy"), "the quote is 'xy'; accepted: one character, or none"),
        (("people", "--null", "a,b"), "null is 'a,b'; it cannot have a delimiter, a quote or the end of a line"),
        (("peple",), "my.db: no table or view 'peple'; did you mean 'people'?"),
        ((), "name a table or view, or a query"),
        (("people", "--query", "SELECT 1"), "name a table or view, or a query"),
        (("--query", "SELECT 1; SELECT 2"), "the query has several statements; accepted: one SELECT"),
        (("--query", "DELETE FROM people"), 'my.db: near "DELETE": syntax error'),
        (("people", "-o", "my.db"), "my.db: the output would replace this file"),
        (("people", "-o", "link.db"), "link.db: the output would replace this file"),
        (("people", "-o", "my.db-wal"), "my.db-wal: the output would replace this file"),
        (("people", "-o", "none/x.csv"), "none/x.csv: No such file or directory"),
        (("people", "-o", "."), ".: Is a directory"),
    ],
)  # fmt: skip
def test_refusals(fails: Fails, arguments: tuple[str, ...], message: str) -> None:
    os.link("my.db", "link.db")
    before = Path("my.db").read_bytes()
    done = subprocess.run([COMMAND, "export", "my.db", *arguments], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (2, f"Error: {message}\n")
    assert Path("my.db").read_bytes() == before and sorted(os.listdir()) == ["link.db", "my.db"]


def test_an_unknown_policy_and_charset(fails: Fails) -> None:
    assert "argument 2 (policy) is 'x'; accepted: " in fails("export", "my.db", "people", "--policy", "x")
    assert "argument 2 (charset) is 'x'; accepted: " in fails("export", "my.db", "people", "--charset", "x")


def test_a_query_changes_nothing(fails: Fails, run: Run) -> None:
    before = Path("my.db").read_bytes()
    fails("export", "my.db", "--query", "SELECT 1; DELETE FROM people", "-o", "x.csv")
    assert Path("my.db").read_bytes() == before and not Path("x.csv").exists()


# ---- the file --------------------------------------------------------------------------


def test_a_full_disk_is_one_line(fails: Fails) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    assert fails("export", "my.db", "people", "-o", "/dev/full") == "/dev/full: No space left on device"


def test_a_failure_leaves_the_file_that_was_there(fails: Fails) -> None:
    Path("p.csv").write_text("before")
    fails("export", "my.db", "people", "--charset", "latin1", "-o", "p.csv")
    assert Path("p.csv").read_text() == "before" and sorted(os.listdir()) == ["my.db", "p.csv"]


LONG = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT i, hex(zeroblob(500)) FROM n"


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_an_interrupted_export_leaves_nothing(tmp_path: Path) -> None:
    """A query without an end is ended by Ctrl-C; memory holds a part of its rows."""
    command = [str(COMMAND), "export", "my.db", "--query", LONG, "-o", "out.csv"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE)
    while not has_unfinished(process, tmp_path):
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=60)
    assert (process.returncode, message) == (130, b"Error: interrupted; nothing was exported\n")
    assert os.listdir() == ["my.db"]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux counts in KB")
def test_a_large_table_needs_little_memory(tmp_path: Path) -> None:
    """100 MB of rows take less than 40 MB more than three rows."""
    rows = f"{LONG} LIMIT 100000"
    peak = "import resource, sys, utf8ext; utf8ext.export_csv('my.db', 'o.csv', query=sys.argv[1]); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    small, large = (
        int(subprocess.run([sys.executable, "-c", peak, sql], capture_output=True, check=True).stdout)
        for sql in ("SELECT 1", rows)
    )
    assert Path("o.csv").stat().st_size > 100_000_000
    assert large < small + 40_000


def test_a_snapshot() -> None:
    """Rows that another program adds meanwhile are not among those of the export."""
    connection = sqlite3.connect(make("PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1)", "wal.db"))
    connection.execute("INSERT INTO t VALUES (2)")
    assert raw("wal.db", "t") == b"a\r\n1\r\n"
    connection.close()


def test_one_column_with_delimiters_is_one_column() -> None:
    """import would split it where it looks for another delimiter."""
    values = ["1|Zoë|fine", "a;b", "12:30", "x\ty", "~~", "plain", "##", "^"]
    with sqlite3.connect("my.db") as connection:
        connection.execute('CREATE TABLE lines("id|name|note")')
        connection.executemany("INSERT INTO lines VALUES (?)", [(value,) for value in values])
    for header in (True, False):
        utf8ext.export_csv("my.db", "lines.csv", "lines", header=header)
        utf8ext.import_csv("lines.csv", f"{header}.db", "t", header=header)
        with sqlite3.connect(f"{header}.db") as connection:
            assert connection.execute("SELECT * FROM t").fetchall() == [(value,) for value in values]
