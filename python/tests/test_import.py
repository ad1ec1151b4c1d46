"""utf8ext import and utf8ext.import_csv(): rows, headers, options, refusals, and all or nothing."""

from __future__ import annotations

import csv
import os
import re
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import utf8ext
from utf8ext import _driver
from conftest import COMMAND, PEOPLE, Fails, Run, make, query, table, write


def kinds(imported: utf8ext.Imported) -> list[tuple[str, str, int]]:
    return [(problem.kind, problem.file, problem.line) for problem in imported.problems]


# ---- values, rows and headers --------------------------------------------------------------------

DIGITS = "1" * 5000  # int() refuses more than 4,300
LONG = "é" * 5_000_000
X_Y = [["x", "y"], ["1", "2,5"]]


class Case(NamedTuple):
    """A file, the table that it becomes, and its problems: kind and line."""

    data: bytes | str
    rows: list[list[str | None]]
    problems: list[tuple[str, int]] = []
    name: str = "a.csv"
    options: dict[str, Any] = {}


CASES = {
    "NULs and byte order marks": Case(
        b'\xef\xbb\xbfid,n\0me\r\n1,"a\0b"\r\n\0,\xef\xbb\xbf\r\n',
        [["id", "nme"], ["1", "a\0b"], ["\0", "\ufeff"]],
        [("header with NUL", 1), ("NUL", 2), ("NUL", 3)],
    ),
    "a large cell": Case(f'a,b\n1,"{LONG}"\n2,x\n', [["a", "b"], ["1", LONG], ["2", "x"]]),
    "long and short rows": Case(
        'a,b\n1,2\n3\n"4\n",5,6,"7\n"\n8,9\n\n\n10\n',
        [
            ["a", "b", "extra"],
            ["1", "2", None],
            ["3", None, None],
            ["4\n", "5", '["6", "7\\n"]'],
            ["8", "9", None],
            ["10", None, None],
        ],
        [("short row", 3), ("long row", 4), ("blank line", 8), ("blank line", 9), ("short row", 10)],
    ),
    "a blank line, which is harmless": Case("a,b\n1,2\n\n", [["a", "b"], ["1", "2"]], [("blank line", 3)]),
    "empty and equal headers": Case(
        "a,,A,a\n1,2,3,4\n",
        [["a", "column_2", "A_2", "a_3"], ["1", "2", "3", "4"]],
        [("empty header", 1), ("duplicate header", 1), ("duplicate header", 1)],
    ),
    "no header": Case(
        "1,2\n3,4,5\n",
        [["column_1", "column_2", "extra"], ["1", "2", None], ["3", "4", '["5"]']],
        [("long row", 2)],
        options={"header": False},
    ),
    "a header alone": Case("a,b", [["a", "b"]]),
    "semicolons": Case("x;y\n1;2,5\n", X_Y),
    "bars": Case("x|y\n1|2,5\n", X_Y),
    "tabs in a text": Case("x\ty\n1\t2,5\n", X_Y, name="a.txt"),
    "tabs": Case("x\ty\n1\t2,5\n", X_Y, name="a.tsv"),
    "semicolons and quotes": Case('"x";"y"\r\n"1";"2,5"\r\n', X_Y),
    "a line that names the separator": Case("sep=;\nx;y\n1;2,5\n", X_Y),
    "a name that is not UTF-8": Case("x\n1\n", [["x"], ["1"]], name=os.fsdecode(b"a\xff.csv")),
    "hostile names": Case(
        'a"b,"c\nd",select,rowid\n1,2,3,4\n',
        [['a"b', "c\nd", "select", "rowid"], ["1", "2", "3", "4"]],
        name='it\'s "odd"; DROP TABLE x --.csv',
    ),
    "lines of JSON": Case(
        '{"id": 1, "x": {"y": [1.50, "é"]}, "n": null}\n'
        '{"x": "a\\u0000\\ud83d\\ude00", "b": true, "id": 1e400}\r\n'
        '\n{}\n{"id": 12345678901234567890, "id": 2}\n',
        [
            ["id", "x", "n", "b"],
            ["1", '{"y": [1.50, "é"]}', None, None],
            ["1e400", "a\0😀", None, "true"],
            [None, None, None, None],
            ["2", None, None, None],
        ],
        [("NUL", 2), ("blank line", 3), ("duplicate key", 5)],
        name="a.jsonl",
    ),
    "long numbers of JSON": Case(
        f'{{"a": [{DIGITS}], "b": {DIGITS}, "c": -{DIGITS}.5}}\n',
        [["a", "b", "c"], [f"[{DIGITS}]", DIGITS, f"-{DIGITS}.5"]],
        name="a.jsonl",
    ),
}
HARMLESS = {"NUL", "blank line"}


@pytest.mark.parametrize("case", CASES)
def test_a_file_becomes_a_table(case: str) -> None:
    data, rows, problems, name, options = CASES[case]
    write(data, name)
    imported = utf8ext.import_csv(name, "my.db", **options)
    assert table(imported.table.replace('"', '""')) == rows
    assert imported.rows == len(rows) - 1
    assert kinds(imported) == [(kind, name, line) for kind, line in problems]
    assert imported.is_clean == (dict(problems).keys() <= HARMLESS)


def test_files_with_other_headers() -> None:
    write("id,name\n1,x\n", "a.csv")
    write("NAME,id\ny,2\n", "b.csv")
    write("id,city\n3,z\n", "c.csv")
    imported = utf8ext.import_csv(["a.csv", "b.csv", "c.csv"], "my.db", "t")
    assert table("t") == [["id", "name", "city"], ["1", "x", None], ["2", "y", None], ["3", None, "z"]]
    assert kinds(imported) == [("missing column", "c.csv", 1), ("new column", "c.csv", 1)]


def test_values_are_text_as_written() -> None:
    write('id,zip,x\n1,007,1.50\n2,,"a,""b""\nc"\n', "a.csv")
    imported = utf8ext.import_csv("a.csv", "my.db")
    assert table() == [["id", "zip", "x"], ["1", "007", "1.50"], ["2", "", 'a,"b"\nc']]
    assert (imported.table, imported.rows, imported.is_clean) == ("a", 2, True)
    assert query(Path("my.db"), "SELECT DISTINCT typeof(zip), typeof(x) FROM a") == [
        (b"text", b"text")
    ]


def test_nuls_are_named_but_harmless(run: Run) -> None:
    write(b'id,b\n1,"x\0\0"\n2,ab\n"\0","ab\0"\n', "a.csv")
    write('{"id": "\\u0000", "b": ["\\u0000"]}\n', "b.jsonl")
    done = run("import", "a.csv", "b.jsonl", "my.db", "--report", "r.csv")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[4:] == [
        "a.csv:2: NUL: b: at character 2",
        "a.csv:4: NUL: id: at character 1",
        "a.csv:4: NUL: b: at character 3",
        "b.jsonl:1: NUL: id: at character 1",
        "NUL: U+0000 is kept, but most functions of SQLite, and its shell, stop at it",
    ]
    assert "a.csv,4,id,NUL,at character 1," in Path("r.csv").read_text("utf-8").splitlines()
    assert table()[1:] == [["1", "x\0\0"], ["2", "ab"], ["\0", "ab\0"], ["\0", '["\\u0000"]']]


def test_nuls_of_utf16_and_of_binary_cells() -> None:
    write("id,name\n1,Zo\0ë Müller\n2,José Núñez\n".encode("utf-16"), "a.csv")
    assert utf8ext.import_csv("a.csv", "my.db").problem_counts == {"NUL": 1}
    text = "id,name\n" + "1,Zoë Müller\n2,José Núñez\n" * 50
    write(text.encode() + b'3,"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"\n', "b.csv")
    imported = utf8ext.import_csv("b.csv", "my.db")
    assert [group.cause for group in imported.repaired] == ["binary"]
    assert imported.problem_counts == {}


def test_nuls_in_each_python() -> None:
    """The csv module of Python 3.9 and 3.10 refuses them."""
    write(b'a,b\n"x\0","y\0\nz"\n\0\n', "a.csv")
    code = (
        "import sys, utf8ext._import.rows as rows; rows._READS_NULS = False; import utf8ext;"
        "utf8ext.import_csv('a.csv', 'my.db')"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    assert table() == [["a", "b"], ["x\0", "y\0\nz"], ["\0", None]]


def test_a_utf16_database() -> None:
    make("PRAGMA encoding = 'UTF-16le'; CREATE TABLE x(y)")
    write("id,näme\n1,a\0😀\n".encode("utf-16"), "a.csv")
    assert utf8ext.import_csv("a.csv", "my.db").files[0].charset == "utf-16"
    write("näme,id\nGröße ".encode() + b"\xc3cber,2\n", "b.csv")
    utf8ext.import_csv("b.csv", "my.db", "a", append=True)
    assert table() == [["id", "näme"], ["1", "a\0😀"], ["2", "Größe \ufffdcber"]]
    assert query(Path("my.db"), "PRAGMA encoding") == [(b"UTF-16le",)]


@pytest.mark.parametrize("data", ['a,b\n1,"open\n2,3\n', 'a,b\n1,"open', 'a,"b\n1,2\n'])
def test_a_quote_without_an_end(data: str) -> None:
    write(data, "a.csv")
    imported = utf8ext.import_csv("a.csv", "my.db")
    assert "unfinished quote" in imported.problem_counts
    assert '"'.join(map(str, sum(table(), []))).count("\n") == data.count("\n") - data[0:4].count(
        "\n"
    )


# ---- delimiters and formats --------------------------------------------------------------------


def test_delimiters_are_named(run: Run) -> None:
    write("x,1;y\n1\t2;3\n", "a.csv")
    assert run("import", "--delimiter", ";", "a.csv", "my.db").returncode == 0
    assert table() == [["x,1", "y"], ["1\t2", "3"]]
    assert run("import", "--delimiter", "tab", "--replace", "a.csv", "my.db").returncode == 1
    assert table() == [["x,1;y", "extra"], ["1", '["2;3"]']]


def test_characters_are_parsed_not_bytes() -> None:
    """ソ is 83 5C and ポ 83 7C in Shift JIS; GB18030 and Big5 have such bytes too."""
    write("番号|名前\n1|ポスト\\ソース\n2|表示|x\n".encode("shift_jis"), "a.csv")
    imported = utf8ext.import_csv("a.csv", "my.db", delimiter="|")
    assert table()[1:] == [["1", "ポスト\\ソース", None], ["2", "表示", '["x"]']]
    assert imported.problems[0].line == 3


def test_json_lines_in_any_charset() -> None:
    text = '{"имя": "Иван Петров", "город": "Москва"}\n{"имя": "Анна", "город": "Казань"}\n'
    write(text.encode("cp1251"), "a.csv")
    write(text.encode("utf-16"), "b.jsonl")
    write(
        text.encode() + b'{"\xe8\xec\xff": "\xcf\xf0\xe8\xe2\xe5\xf2, \xec\xe8\xf0"}\n', "c.jsonl"
    )
    imported = utf8ext.import_csv(["b.jsonl", "c.jsonl"], "my.db", "t")
    assert (
        table("t")[1:5]
        == [
            ["Иван Петров", "Москва"] + [None] * (len(table("t")[0]) - 2),
            ["Анна", "Казань"] + [None] * (len(table("t")[0]) - 2),
        ]
        * 2
    )
    assert "Привет, мир" in table("t")[5]
    assert not imported.is_clean


@pytest.mark.parametrize("separator", ['"', "\n", "\0"])
def test_a_separator_that_cannot_be_one(separator: str) -> None:
    write(f"sep={separator}\nx,y\n", "a.csv")
    utf8ext.import_csv("a.csv", "my.db")
    assert str(table()[0][0]).startswith("sep=")


def test_json_lone_surrogates() -> None:
    write('{"a": "x\\ud800y"}\n', "a.jsonl")
    imported = utf8ext.import_csv("a.jsonl", "my.db")
    assert table() == [["a"], ["x\ufffdy"]]
    assert imported.repaired == [("a.jsonl", "a", "damaged", 1, 1)]


@pytest.mark.parametrize("line", ["[1]", "{'a': 1}", '{"a": 1', "1", "[" * 100_000])
def test_json_that_is_not(line: str) -> None:
    write('{"a": 1}\n' + line, "a.jsonl")
    with pytest.raises(utf8ext.Error, match="a.jsonl:2: not"):
        utf8ext.import_csv("a.jsonl", "my.db")
    assert not Path("my.db").exists()


# ---- tables ------------------------------------------------------------------------------------


def test_append_and_replace(run: Run, fails: Fails) -> None:
    write("id,name\n1,x\n", "a.csv")
    assert run("import", "a.csv", "my.db", "--table", "p").returncode == 0
    before = Path("my.db").read_bytes()
    assert "table 'p' exists; to add rows to it, say --append" in fails(
        "import", "a.csv", "my.db", "--table", "P".lower()
    )
    assert "exclude each other" in fails("import", "--append", "--replace", "a.csv", "my.db")
    write("id,nom\n1,x\n", "b.csv")
    assert "table 'p' has no column 'nom'" in fails(
        "import", "b.csv", "my.db", "--table", "p", "--append"
    )
    assert Path("my.db").read_bytes() == before
    assert run("import", "a.csv", "my.db", "--table", "p", "--append").returncode == 0
    assert table("p") == [["id", "name"], ["1", "x"], ["1", "x"]]
    assert run("import", "b.csv", "my.db", "--table", "p", "--replace").returncode == 0
    assert table("p") == [["id", "nom"], ["1", "x"]]


def test_append_heeds_the_table() -> None:
    make(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT, twice AS (id * 2));"
        "INSERT INTO t VALUES (1, 'x')"
    )
    write("name,id\ny,2\nz,1\n", "a.csv")
    with pytest.raises(utf8ext.Error, match="a.csv:3: UNIQUE constraint failed: t.id; nothing"):
        utf8ext.import_csv("a.csv", "my.db", "t", append=True)
    assert table("t")[1:] == [[1, "x", 2]]
    write("2,y\n3,z\n", "a.csv")
    utf8ext.import_csv("a.csv", "my.db", "t", append=True, header=False)
    assert table("t")[1:] == [[1, "x", 2], [2, "y", 4], [3, "z", 6]]


def test_clean(run: Run, fails: Fails) -> None:
    write("x, y \ncafÃ©,  a  \n", "a.csv")
    assert run("import", "--clean", "mojibake,trim", "a.csv", "my.db").returncode == 1
    assert table() == [["x", "y"], ["café", "a"]]
    assert "accepted: a list" in fails("import", "--clean", "polish", "a.csv", "b.db")


def test_utf8_functions_of_the_database() -> None:
    connection = _driver.connect("my.db")
    connection.execute("CREATE TABLE a(x TEXT CHECK (utf8_valid(x)))")
    connection.close()
    write(b"x\nGr\xc3\xb6\xc3\x9fe \xc3cber\n", "a.csv")
    assert utf8ext.import_csv("a.csv", "my.db", append=True).repaired[0].cause == "damaged"
    assert table()[1:] == [["Größe \ufffdcber"]]


# ---- the command -------------------------------------------------------------------------------


def test_the_summary_and_the_report(run: Run) -> None:
    write("name,x\nZoë Müller,1\n".encode() + b"Gr\xc3\xb6\xc3\x9fe \xc3cber,2\nx,3,4\n\n", "a.csv")
    done = run("import", "a.csv", "my.db", "--report", "r.csv")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        "a.csv: utf-8, 1 line damaged, 3 rows",
        "my.db: 3 rows in table a, 1 cell repaired",
        "",
        "file   column  cause    cells  lost",
        "a.csv  name    damaged      1     1",
        "",
        "a.csv:5: blank line",
        "a.csv:4: long row: 3 fields, 2 expected",
    ]
    with open("r.csv", encoding="utf-8", newline="") as file:
        assert list(csv.reader(file)) == [
            ["file", "line", "column", "kind", "before", "after"],
            ["a.csv", "3", "name", "damaged", "Größe \\xc3cber", "Größe �cber"],
            ["a.csv", "4", "", "long row", "3 fields, 2 expected", ""],
            ["a.csv", "5", "", "blank line", "", ""],
        ]
    assert stat.S_IMODE(os.stat("r.csv").st_mode) == stat.S_IMODE(os.stat("a.csv").st_mode)


def test_many_problems_are_counted(run: Run) -> None:
    write("a,b\n" + "1\n" * 1000, "a.csv")
    lines = run("import", "a.csv", "my.db").stdout.splitlines()
    assert lines[-1] == "… and 995 more short rows; --report FILE lists all"


@pytest.mark.both_drivers
def test_standard_input(run: Run) -> None:
    data = "id;name\n1;José Müller aus Köln\n".encode("utf-16")
    done = run("import", "-", "my.db", input=data, encoding=None)
    assert (done.returncode, table("imported")[1:]) == (0, [["1", "José Müller aus Köln"]])
    done = run("import", "/dev/stdin", "my.db", "--table", "j", input='{"a":1}\n')
    assert (done.returncode, table("j")) == (0, [["a"], ["1"]])


@pytest.mark.parametrize("name", ["a.json", "a.jsonl", "a.txt"])
def test_json_that_has_no_object_in_a_line(fails: Fails, name: str) -> None:
    """Is never taken for CSV, and the message says what to do."""
    write('[{"a": "é"}, {"a": 2}]\n', name)
    hint = "; each line must be an object; `jq -c '.[]' FILE` writes an array in this way"
    assert fails("import", name, "my.db") == f"{name}:1: not a JSON object{hint}"
    write('[\n  {"a": 1}\n]\n', name)
    if name != "a.txt":
        what = "not JSON: Expecting value at column 3"
        assert fails("import", name, "my.db") == f"{name}:1: {what}{hint}"


@pytest.mark.both_drivers
def test_json_that_is_nested_deeply(fails: Fails) -> None:
    write('{"a": ' + "[" * 200_000 + "]" * 200_000 + "}\n", "a.json")
    assert "a.json:1: not JSON: nested too deeply" in fails("import", "a.json", "my.db")


REFUSED = [
    (b"SQLite format 3\0" + bytes(84), "the file is an SQLite database"),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "the file is a picture"),
    (b"PK\x03\x04\x14\0", "the file is a ZIP archive or an office document"),
    (bytes(range(256)) * 4, "looks like binary data, not text"),
    (b"", "the file is empty"),
    (b"\n\n", "the file has no lines with text"),
]


@pytest.mark.parametrize("data, message", REFUSED)
def test_files_that_are_refused(fails: Fails, data: bytes, message: str) -> None:
    write(data, "a.csv")
    assert message in fails("import", "a.csv", "my.db", "--report", "r.csv")
    assert os.listdir() == ["a.csv"]


def test_arguments_that_are_refused(fails: Fails, run: Run) -> None:
    write("a\n1\n", "a.csv")
    write("b\n1\n", "b.csv")
    assert "none.csv: No such file" in fails("import", "none.csv", "my.db")
    assert ".: Is a directory" in fails("import", ".", "my.db")
    assert "b.csv: not an SQLite database" in fails("import", "a.csv", "b.csv")
    assert "the last argument is the database" in fails("import", "a.csv", "new.csv")
    assert "accepted: one or more" in fails("import", "--delimiter", "", "a.csv", "my.db")
    assert "cannot be a quote" in fails("import", "--delimiter", '|"|', "a.csv", "my.db")
    assert "utf-9" in fails("import", "--charset", "utf-9", "a.csv", "my.db")
    assert "none/r.csv: No such file" in fails("import", "a.csv", "my.db", "--report", "none/r.csv")
    for name in ("a.csv", "my.db"):
        assert "would replace" in fails("import", "a.csv", "my.db", "--report", f"./{name}")
    for name in ("", "x" * 300, "none/my.db"):
        message = fails("import", "a.csv", name)
        assert message == f"{name}: SQLite cannot open or create it; nothing was imported"
    assert run("import", "a.csv").returncode == 2
    assert sorted(os.listdir()) == ["a.csv", "b.csv"]


def test_the_second_file_fails(fails: Fails) -> None:
    make(PEOPLE)
    before = Path("my.db").read_bytes()
    write("a\n1\n", "a.csv")
    write('{"a": 1}\n[]\n', "b.jsonl")
    assert "b.jsonl:2: not a JSON object" in fails("import", "a.csv", "b.jsonl", "my.db")
    assert Path("my.db").read_bytes() == before


# ---- all or nothing ----------------------------------------------------------------------------

ROWS = 400_000


def test_interrupted() -> None:
    """Ctrl-C at any moment: the files are as before, or all is imported and nothing says otherwise."""
    make(PEOPLE)
    before = Path("my.db").read_bytes()
    write("a,b\n" + "some text,more text\n" * ROWS, "a.csv")
    codes = set()
    for delay in (0.4, 0.6, 0.9, 1.2, 1.5, 1.8):
        process = subprocess.Popen(
            [COMMAND, "import", "a.csv", "my.db", "--report", "r.csv"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, message = process.communicate()
        if process.returncode == 0:  # it came too late
            break
        codes.add(process.returncode)
        if process.returncode == 130:
            # Without the second part before the import has begun.
            assert re.fullmatch(b"Error: interrupted(; nothing was imported)?\n", message)
        assert Path("my.db").read_bytes() == before
        assert sorted(os.listdir()) == ["a.csv", "my.db"]
    assert codes <= {130, -signal.SIGINT, 1}


@pytest.mark.parametrize("is_link", [False, True])
def test_the_disk_is_full(is_link: bool) -> None:
    """Nothing is left, also where a link leads, and the link stays."""
    write("a,b\n" + "some text,more text\n" * 100_000, "a.csv")
    files = ["a.csv"]
    if is_link:
        os.symlink("real.db", "my.db")
        files = ["a.csv", "my.db"]
    done = subprocess.run(
        [COMMAND, "import", "a.csv", "my.db"],
        capture_output=True,
        encoding="utf-8",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)),
    )
    assert (done.returncode, sorted(os.listdir())) == (2, files)
    assert "nothing was imported" in done.stderr and os.path.islink("my.db") == is_link


def test_a_failure_leaves_waiting_imports_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """An import that fails removes its new database; those that wait for the lock make a new one."""
    from utf8ext._import import run as importing

    write("x\n1\n", "a.csv")
    names = [f"t{number}" for number in range(6)]
    waiting: list[subprocess.Popen[bytes]] = []

    def fail(*_: object) -> None:
        for name in names:
            command = [COMMAND, "import", "a.csv", "--table", name, "my.db"]
            waiting.append(subprocess.Popen(command, stderr=subprocess.PIPE))
        time.sleep(2)
        raise utf8ext.Error("failed")

    with monkeypatch.context() as patch:
        patch.setattr(importing, "_insert_all", fail)
        with pytest.raises(utf8ext.Error, match="failed"):
            utf8ext.import_csv("a.csv", "my.db")
    assert [process.communicate()[1] for process in waiting] == [b""] * len(names)
    assert [table(name) for name in names] == [[["x"], ["1"]]] * len(names)
    assert sorted(os.listdir()) == ["a.csv", "my.db"]


def test_a_summary_that_cannot_be_printed() -> None:
    """The import is done: the status is not that of an error."""
    write("x\n1\n", "a.csv")
    with open("/dev/full", "w") as full:
        command = [COMMAND, "import", "a.csv", "my.db"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, encoding="utf-8")
        command += ["--append", "--table", "a"]
        assert subprocess.run(command, stdout=full, stderr=full).returncode == 0
    message = "1 row imported into my.db, but the summary cannot be printed: No space left on device\n"
    assert (done.returncode, done.stderr) == (0, message)
    assert table() == [["x"], ["1"], ["1"]]


def test_a_summary_that_nobody_reads() -> None:
    """The status is that of the import, not the 1 of a closed pipe."""
    write("x\n1\n", "a.csv")
    reader, writer = os.pipe()
    os.close(reader)
    command = [COMMAND, "import", "a.csv", "my.db"]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")
    assert table() == [["x"], ["1"]]


def test_a_report_that_cannot_be_named() -> None:
    """Its name was free when the import began. The rows are imported, and the message says so."""
    from utf8ext._import import run as importing

    write("x\n1\n", "a.csv")
    insert_all = importing._insert_all

    def insert_then_hinder(*arguments: Any) -> Any:
        os.mkdir("r.csv")
        return insert_all(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importing, "_insert_all", insert_then_hinder)
        message = "^1 row imported into my.db, but the report is not written: .*r.csv: Is a directory$"
        with pytest.raises(utf8ext.Error, match=message):
            utf8ext.import_csv("a.csv", "my.db", report="r.csv")
    assert table() == [["x"], ["1"]]
    assert sorted(os.listdir()) == ["a.csv", "my.db", "r.csv"]


def test_nothing_is_left_of_a_process_that_is_killed() -> None:
    """The report has no name until it is complete. SQLite rolls its own file back."""
    write("a,b\n" + "some text,more text\n" * ROWS, "a.csv")
    process = subprocess.Popen([COMMAND, "import", "a.csv", "my.db", "--report", "r.csv"])
    while not Path("my.db").exists():
        time.sleep(0.01)
    process.kill()
    process.wait()
    assert not [name for name in os.listdir() if "r.csv" in name]


def test_another_program_writes(fails: Fails) -> None:
    make(PEOPLE)
    write("a\n1\n", "a.csv")
    other = sqlite3.connect("my.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    message = fails("import", "a.csv", "my.db")
    assert "another program has locked it for more than 5 seconds; nothing was imported" in message
    other.close()


@pytest.mark.parametrize("name", ["_create", "_identity", "connect"])
def test_a_failure_leaves_a_database_that_another_import_made(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """It had no database when both started, or lost its own when that failed."""
    from utf8ext._import import run as importing

    module = _driver if name == "connect" else importing
    original, calls = getattr(module, name), []

    def then_another(path: str) -> object:
        result = original(path)
        if path and not calls:
            calls.append(path)
            Path(path).unlink(missing_ok=True)
            make("CREATE TABLE a(x)", path)
        return result

    monkeypatch.setattr(module, name, then_another)
    with pytest.raises(utf8ext.Error, match="table 'a' exists"):
        utf8ext.import_csv(write("x\n1\n", "a.csv"), "my.db")
    assert table() == [["x"]]


def make_to_append(tables: str) -> None:
    """Make a database, and three rows for its table a."""
    make(tables)
    write("x\n1\n2\n3\n", "a.csv")


@pytest.mark.parametrize(
    "table",
    [
        "CREATE TABLE a(x); CREATE TRIGGER r BEFORE INSERT ON a WHEN NEW.x = '1' BEGIN SELECT RAISE(IGNORE); END",
        "CREATE TABLE a(x UNIQUE ON CONFLICT IGNORE); INSERT INTO a VALUES ('1')",
        "CREATE TABLE a(x PRIMARY KEY ON CONFLICT REPLACE) WITHOUT ROWID; INSERT INTO a VALUES ('1')",
    ],
)
def test_rows_that_the_table_drops(table: str) -> None:
    """SQLite raises no error for them."""
    make_to_append(table)
    result = utf8ext.import_csv("a.csv", "my.db", append=True)
    assert not result.is_clean
    message = "1 of 3, by a trigger of the table or its ON CONFLICT"
    assert result.problems == [("dropped row", "a.csv", 1, message, "")]


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        (
            "CREATE TABLE p(k PRIMARY KEY); INSERT INTO p VALUES ('1'); CREATE TABLE a(x REFERENCES p)",
            "2 rows without a match in table 'p'",
        ),
        (
            "CREATE TABLE a(x REFERENCES p); INSERT INTO a VALUES ('7'), ('8')",
            "3 rows without a match in table 'p'",
        ),
        (
            "CREATE TABLE p(k PRIMARY KEY); INSERT INTO p VALUES ('1'), ('2');"
            "CREATE TABLE a(x PRIMARY KEY REFERENCES p) WITHOUT ROWID; INSERT INTO a VALUES ('7')",
            "1 row without a match in table 'p'",
        ),
        (  # 3 is the match of a row that had none
            "CREATE TABLE a(x PRIMARY KEY, y DEFAULT '9' REFERENCES a(x)); INSERT INTO a VALUES ('0', '3')",
            "3 rows without a match in table 'a'",
        ),
    ],
)
def test_rows_that_violate_a_foreign_key(tables: str, message: str) -> None:
    """SQLite raises no error for them unless a program asks for it. Rows that were there do not count."""
    make_to_append(tables)
    for options in ({"dry_run": True}, {}):
        result = utf8ext.import_csv("a.csv", "my.db", append=True, **options)
        assert ("foreign key", "a.csv", 1, message, "") in result.problems
        assert result.problem_counts["foreign key"] == 1
        assert not result.is_clean


@pytest.mark.parametrize(
    "tables",
    [
        "CREATE TABLE p(k PRIMARY KEY); INSERT INTO p VALUES ('1'), ('2'), ('3'); CREATE TABLE a(x REFERENCES p)",
        # SQLite cannot check this one: p has no key.
        "CREATE TABLE p(k); CREATE TABLE a(x REFERENCES p)",
        "CREATE TABLE a(x PRIMARY KEY REFERENCES a)",
    ],
)
def test_rows_that_violate_no_foreign_key(tables: str) -> None:
    make_to_append(tables)
    assert utf8ext.import_csv("a.csv", "my.db", append=True).is_clean
