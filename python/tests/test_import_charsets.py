"""utf8ext import: files in many charsets, mixed files, and cells by their cause."""

from __future__ import annotations

import csv
import io
import os
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
import utf8ext
from utf8ext import _driver
from conftest import COMMAND, table

ROOT = Path(__file__).resolve().parents[2]

LANGUAGES = {
    "arabic": ["windows-1256", "iso-8859-6"],
    "bulgarian": ["windows-1251"],
    "chinese": ["gbk", "gb18030", "utf-16-be"],
    "czech": ["windows-1250", "iso-8859-2"],
    "french": ["windows-1252", "mac-roman", "cp850"],
    "german": ["cp850", "windows-1252", "cp437", "utf-8-sig", "utf-16", "utf-32"],
    "greek": ["iso-8859-7", "windows-1253"],
    "hebrew": ["windows-1255"],
    "hungarian": ["windows-1250"],
    "japanese": ["shift_jis", "euc-jp", "iso-2022-jp", "utf-16-le"],
    "korean": ["euc-kr", "utf-8"],
    "lithuanian": ["windows-1257", "iso-8859-13"],
    "polish": ["windows-1250", "iso-8859-2", "cp852"],
    "russian": ["koi8-r", "windows-1251", "cp866", "iso-8859-5", "mac-cyrillic"],
    "taiwanese": ["big5"],
    "spanish": ["iso-8859-15", "mac-roman"],
    "thai": ["cp874"],
    "turkish": ["windows-1254", "iso-8859-9"],
    "ukrainian": ["windows-1251"],
    "vietnamese": ["utf-16"],
}

CASES = [(language, codec) for language, codecs in LANGUAGES.items() for codec in codecs]

Rows = list[list[str]]


def rows_of(language: str) -> Rows:
    path = ROOT / "test" / "demo" / f"{language}.csv"
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def encoded(rows: Rows, codec: str, delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue().encode(codec)


def awkward(rows: Rows) -> Rows:
    """Put delimiters, quotes and line breaks into cells, so that they must be parsed."""
    return [rows[0]] + [[*row[:-1], f'{row[-1]}, "{row[0]}"\r\n{row[-1]};'] for row in rows[1:]]


@pytest.mark.parametrize("language, codec", CASES)
def test_a_file_in_a_charset(language: str, codec: str) -> None:
    rows = awkward(rows_of(language))
    Path("a.csv").write_bytes(encoded(rows, codec))
    result = utf8ext.import_csv("a.csv", "my.db")
    assert table() == rows
    assert not result.problems and not any(group.lost for group in result.repaired)


@pytest.mark.parametrize("language, codec", CASES)
def test_a_named_charset_with_bars(language: str, codec: str) -> None:
    """In Shift JIS, GBK and Big5, a byte of a character can be that of a bar."""
    rows = [[f"{cell}|" if cell != row[0] else cell for cell in row] for row in rows_of(language)]
    names = {"utf-8-sig": "utf-8-bom", "mac-roman": "macintosh", "mac-cyrillic": "x-mac-cyrillic"}
    Path("a.csv").write_bytes(encoded(rows, codec, "|"))
    charset = names.get(codec, codec)
    result = utf8ext.import_csv("a.csv", "my.db", delimiter="|", charset=charset)
    assert table() == rows and result.is_clean


def test_several_files_in_several_charsets() -> None:
    rows = rows_of("russian")
    files = []
    for codec in ("koi8-r", "windows-1251", "cp866", "utf-16", "utf-8", "utf-8-sig"):
        files.append(f"{codec}.csv")
        Path(files[-1]).write_bytes(encoded(rows, codec))
    result = utf8ext.import_csv(files, "my.db", "a")
    assert table() == rows + rows[1:] * 5
    assert result.is_clean and len({file.charset for file in result.files}) == 6


def test_a_mixed_file() -> None:
    """Lines of several programs, one after the other."""
    rows = rows_of("german")
    lines = [encoded([row], codec) for row, codec in zip(rows, ["utf-8", "cp1252"] * len(rows))]
    Path("a.csv").write_bytes(b"".join(lines))
    result = utf8ext.import_csv("a.csv", "my.db")
    wrong = [
        (cell, right)
        for row, right_row in zip(table(), rows)
        for cell, right in zip(row, right_row)
        if cell != right
    ]
    assert len(table()) == len(rows) and not result.is_clean
    assert all("\ufffd" in cell for cell, _ in wrong)  # a wrong letter is worse than a lost one
    assert len(wrong) <= sum(group.cells for group in result.repaired) // 4


def test_utf8_in_a_file_of_another_charset() -> None:
    """A line of UTF-8 in a long file in windows-1251 is not read as mojibake."""
    rows = rows_of("russian")
    data = encoded(rows, "cp1251") + encoded(rows[1:], "cp1251") * 200
    Path("a.csv").write_bytes(data + encoded([rows[1]], "utf-8"))
    result = utf8ext.import_csv("a.csv", "my.db")
    assert table()[-1] == rows[1]
    assert table()[:-1] == rows + rows[1:] * 200
    assert {group.cause for group in result.repaired} <= {"utf-8", "windows-1251"}


def test_what_the_charset_does_not_have() -> None:
    Path("a.csv").write_bytes(b"id,x\n1,a\xffb\n2,\x82\xa0\n3,c\n")
    result = utf8ext.import_csv("a.csv", "my.db", charset="shift_jis")
    assert table() == [["id", "x"], ["1", "a\ufffdb"], ["2", "あ"], ["3", "c"]]
    assert result.repaired == [("a.csv", "x", "damaged", 1, 1)]


def test_a_replacement_character_of_the_file() -> None:
    Path("a.csv").write_bytes("id\nx\ufffd\n".encode("utf-16"))
    assert utf8ext.import_csv("a.csv", "my.db").is_clean


def test_binary_cells_stay_as_they_are() -> None:
    data = "name,x\nGrößenänderung der Tür,".encode() + b"\x01\x02\x03\x00\xff\xfe\x04\n"
    Path("a.csv").write_bytes(data + "Straßenbahn für Köln,é\n".encode() * 50)
    result = utf8ext.import_csv("a.csv", "my.db")
    assert table()[1][1] == b"\x01\x02\x03\x00\xff\xfe\x04"
    assert result.repaired == [("a.csv", "x", "binary", 1, 0)]


def test_names_of_columns_by_their_cause() -> None:
    data = b"caf\xc3,stra\xdfe\nGr\xc3\xb6\xc3\x9fe,M\xfcnchner Stra\xdfe\nx,K\xf6lner Ring\n"
    Path("a.csv").write_bytes(data + "y,Größe über Öl\n".encode() * 20)
    utf8ext.import_csv("a.csv", "my.db")
    assert table()[0][0] == "caf\ufffd"
    assert table()[0][1] in ("straße", "stra\ufffde")


def test_names_of_columns_that_nothing_decides() -> None:
    """They are well-formed, since nothing can be repaired in a column whose name is not."""
    binary = b"\x01\x02\x03\x00\xff\xfe\x04"
    data = b"A1\xe9,A1\xe8," + "Größenänderung der Tür,".encode() + binary
    data += "\n1,2,là,Straßenbahn\n".encode() * 50 + b"3,B1\xe9,4\n"
    Path("a.csv").write_bytes(data)
    result = utf8ext.import_csv("a.csv", "my.db")
    with closing(_driver.connect("my.db").execute("SELECT * FROM a")) as cursor:
        names = [column[0] for column in cursor.description]
    assert names == ["A1\ufffd", "A1\ufffd_2", "Größenänderung der Tür", "\x01\x02\x03\ufffd\ufffd\x04"]
    assert result.unclear == {"A1\ufffd_2": 1}
    assert ("a.csv", "A1\ufffd", "unclear", 2, 2) in result.repaired


def test_as_utf8_audit_decides() -> None:
    """The demo's file: what the demo says of each cell. What is unclear stays as it is."""
    result = utf8ext.import_csv(ROOT / "examples" / "orders.csv", "my.db")
    left = _driver.connect("my.db").execute(
        "SELECT column_name, count(*) FROM utf8_audit WHERE table_name = 'orders' GROUP BY 1"
    )
    assert dict(left.fetchall()) == result.unclear
    os.remove("my.db")
    utf8ext.import_csv(ROOT / "examples" / "orders.csv", "my.db")
    _driver.connect("my.db").execute("UPDATE orders SET customer = utf8_repair(customer), city = utf8_repair(city), note = utf8_repair(note)")
    causes: dict[str, int] = {}
    for group in result.repaired:
        causes[group.cause] = causes.get(group.cause, 0) + group.cells
    assert table("orders") == audited()
    assert sum(causes.values()) == 17


def audited() -> Rows:
    """Return examples/orders.csv, imported byte by byte and repaired as utf8_audit says."""
    text = (ROOT / "examples" / "orders.csv").read_bytes().removeprefix(b"\xef\xbb\xbf")
    names, *rows = csv.reader(io.StringIO(text.decode("latin-1"), newline=""))
    connection = _driver.connect("audit.db")
    connection.execute(f"CREATE TABLE t({', '.join(names)})")
    for row in rows:
        marks = ", ".join(["CAST(? AS TEXT)"] * len(names))
        values = [cell.encode("latin-1") for cell in row]
        connection.execute(f"INSERT INTO t VALUES ({marks})", values)
    updates = connection.execute("SELECT repair_sql FROM utf8_audit('main', 'auto')").fetchall()
    for (sql,) in updates:
        connection.execute(sql)
    return [names, *map(list, connection.execute("SELECT * FROM t"))]


# What people report: simonw/sqlite-utils#182, #438, #582; zblesk/csv-to-sqlite#12,
# nao1215/sqly#873.
THREADS: list[tuple[bytes, list[str]]] = [
    (
        "name,city\nNicolás Rodríguez,Bogotá\nMaría Ángeles,Córdoba\n".encode("cp1252"),
        ["Nicolás Rodríguez", "Bogotá"],
    ),
    ("\ufeffid,título\n1,Canción española\n".encode("utf-16-le"), ["1", "Canción española"]),
    (
        "code,nom\n01,Élève à l’école — été\n02,Où ça ?\n".encode("cp1252"),
        ["01", "Élève à l’école — été"],
    ),
    (
        "id,名称\n1,東京都渋谷区のお店\n2,大阪市北区梅田\n".encode("cp932"),
        ["1", "東京都渋谷区のお店"],
    ),
    (b"id,x\n1,a\0b\n", ["1", "a\0b"]),
]


@pytest.mark.parametrize("data, row", THREADS)
def test_files_that_other_importers_fail_on(data: bytes, row: list[str]) -> None:
    Path("a.csv").write_bytes(data)
    done = subprocess.run([COMMAND, "import", "a.csv", "my.db"], capture_output=True)
    assert done.returncode in (0, 1), done  # 1 if a short file is decided cell by cell
    assert table()[1] == row


@pytest.mark.parametrize("end", ["\x85", "\n"])
@pytest.mark.parametrize("charset", ["cp037", "cp500", "cp1047"])
def test_lines_of_ebcdic(tmp_path: Path, charset: str, end: str) -> None:
    """Mainframes end lines with NEL."""
    lines = end.join(["id,name", '1,"Mü[ll]er"', "2,José", ""])
    data = utf8ext_to(lines, charset)
    (tmp_path / "a.csv").write_bytes(data)
    imported = utf8ext.import_csv(tmp_path / "a.csv", tmp_path / "my.db", charset=charset)
    connection = sqlite3.connect(tmp_path / "my.db")
    assert connection.execute("SELECT * FROM a").fetchall() == [("1", "Mü[ll]er"), ("2", "José")]
    assert imported.is_clean


def utf8ext_to(text: str, charset: str) -> bytes:
    return bytes(_driver.connect(":memory:").execute("SELECT utf8_to(?, ?)", (text, charset)).fetchone()[0])
