#!/usr/bin/env python3
"""import.py: `utf8ext import` beside other importers, each with the command that one tries first.

    sh packaging/venv.sh build/venv/import-peers sqlite-utils==4.2.1 csvs-to-sqlite==1.3.1 \\
      duckdb==2.0.0 pandas==3.1.1
    python3 bench/import.py cells UTF8EXT       # UTF8EXT is the installed command
    python3 bench/import.py speed UTF8EXT 1000  # megabytes

cells: imports test/demo/*.csv in 40 files of 30 charsets, and files that are mixed or have NULs.
Counts the cells that are right, marked (U+FFFD or NULL instead of a letter), wrong in silence, and
those of files that were refused. speed: one file of UTF-8; seconds, processor time and memory.
"""

from __future__ import annotations

import csv
import io
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PEERS = ROOT / "build" / "venv" / "import-peers" / "bin"

PANDAS = """
import pandas, sqlite3, sys
pandas.read_csv(sys.argv[1]).to_sql("a", sqlite3.connect(sys.argv[2]), index=False)
"""
DUCKDB = """
import duckdb, sys
duckdb.connect(sys.argv[2]).execute("CREATE TABLE a AS FROM read_csv(?)", [sys.argv[1]])
"""

CHARSETS = {
    "arabic": ["windows-1256", "iso-8859-6"],
    "bulgarian": ["windows-1251"],
    "chinese": ["gbk", "gb18030", "utf-16"],
    "czech": ["windows-1250", "iso-8859-2"],
    "french": ["windows-1252", "mac-roman", "cp850"],
    "german": ["cp850", "windows-1252", "cp437", "utf-8", "utf-8-sig", "utf-16", "utf-32"],
    "greek": ["iso-8859-7", "windows-1253"],
    "hebrew": ["windows-1255"],
    "hungarian": ["windows-1250"],
    "japanese": ["shift_jis", "euc-jp", "iso-2022-jp", "utf-8-sig"],
    "korean": ["euc-kr"],
    "lithuanian": ["windows-1257"],
    "polish": ["windows-1250", "iso-8859-2", "cp852"],
    "russian": ["koi8-r", "windows-1251", "cp866", "iso-8859-5", "utf-8"],
    "taiwanese": ["big5"],
    "thai": ["cp874"],
    "turkish": ["windows-1254"],
    "ukrainian": ["windows-1251"],
}

Rows = list[list[str]]


def commands(utf8ext: str) -> dict[str, list[str]]:
    """Return the command of each importer; FILE and DB stand for the files."""
    python = str(PEERS / "python")
    return {
        "utf8ext import": [utf8ext, "import", "FILE", "DB"],
        "sqlite3 .import": ["sqlite3", "DB", ".mode csv", ".import FILE a"],
        "sqlite-utils insert": [str(PEERS / "sqlite-utils"), "insert", "DB", "a", "FILE", "--csv"],
        "csvs-to-sqlite": [str(PEERS / "csvs-to-sqlite"), "FILE", "DB"],
        "DuckDB read_csv": [python, "-c", DUCKDB, "FILE", "DB"],
        "pandas to_sql": [python, "-c", PANDAS, "FILE", "DB"],
    }


# ---- cells -----------------------------------------------------------------------------


def demo(language: str) -> Rows:
    path = ROOT / "test" / "demo" / f"{language}.csv"
    with open(path, encoding="utf-8", newline="") as file:
        return [
            ["code", *row] if i == 0 else [f"{i:03}", *row]
            for i, row in enumerate(csv.reader(file))
        ]


def encoded(rows: Rows, codec: str) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode(codec)


def cases() -> list[tuple[bytes, Rows]]:
    """Return files, and the cells that are right."""
    files = []
    for language, codecs in CHARSETS.items():
        rows = demo(language)
        files += [(encoded(rows, codec), rows) for codec in codecs]
    for language, codec in (("german", "cp1252"), ("russian", "cp1251"), ("polish", "cp1250")):
        rows = demo(language)
        lines = [encoded([row], codec if i % 3 == 2 else "utf-8") for i, row in enumerate(rows)]
        files.append((b"".join(lines), rows))
    rows = demo("french")
    nuls = [rows[0], *([*row[:-1], row[-1] + "\0."] for row in rows[1:])]
    return [*files, (encoded(nuls, "utf-8"), nuls)]


def stored(database: Path, importer: str) -> list[list[object]]:
    """Return the rows of the only table; ill-formed text as bytes."""
    if importer.startswith("DuckDB"):
        code = "import duckdb,sys,json; c=duckdb.connect(sys.argv[1]).execute('FROM a');\
            print(json.dumps([[d[0] for d in c.description], *c.fetchall()], default=str))"
        import json

        done = subprocess.run([PEERS / "python", "-c", code, database], capture_output=True)
        return json.loads(done.stdout)
    connection = sqlite3.connect(database)
    connection.text_factory = lambda data: _text(data)
    (table,) = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchone()
    info = connection.execute("SELECT CAST(name AS BLOB) FROM pragma_table_info(?)", [table])
    names = [_text(name) for (name,) in info]
    columns = ", ".join(f"NULL AS c{place}" for place in range(len(names)))  # any name is readable
    rows = connection.execute(f'SELECT {columns} UNION ALL SELECT * FROM "{table}"')
    return [names, *[list(row) for row in rows][1:]]


def _text(data: bytes) -> object:
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data


def compare(importer: str, command: list[str], files: list[tuple[bytes, Rows]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for data, rows in files:
        with tempfile.TemporaryDirectory() as folder:
            path, database = Path(folder, "a.csv"), Path(folder, "a.db")
            path.write_bytes(data)
            filled = fill(command, path, database)
            done = subprocess.run(filled, capture_output=True, cwd=folder)
            cells = sum(map(len, rows))
            if done.returncode not in (0, 1) or not database.exists() or not has_table(done):
                counts["refused"] += cells
                continue
            try:
                found = stored(database, importer)
            except (TypeError, ValueError, sqlite3.Error):
                counts["refused"] += cells
                continue
            for number, row in enumerate(rows):
                there = found[number] if number < len(found) else []
                for place, cell in enumerate(row):
                    counts[kind(cell, there[place] if place < len(there) else "")] += 1
    return counts


def has_table(done: subprocess.CompletedProcess[bytes]) -> bool:
    """Status 1 is a refusal, except of utf8ext, which has then repaired something."""
    return done.returncode == 0 or b"rows in table" in done.stdout


def kind(right: str, found: object) -> str:
    if right == found:
        return "right"
    if found is None or (isinstance(found, str) and "\ufffd" in found):
        return "marked"
    return "wrong"


def fill(command: list[str], path: Path, database: Path) -> list[str]:
    return [part.replace("FILE", str(path)).replace("DB", str(database)) for part in command]


def show_cells(utf8ext: str) -> None:
    files = cases()
    print(f"{len(files)} files, {sum(len(row) for _, rows in files for row in rows)} cells")
    for importer, command in commands(utf8ext).items():
        print(importer, dict(compare(importer, command, files)), flush=True)


# ---- speed -----------------------------------------------------------------------------


def write_large(path: Path, size: int) -> None:
    rng = random.Random(1)
    names = "Anna José Zoë Иван 李小龍 Ελένη Françoise Игорь فاطمة Jürgen".split()
    cities = "Kraków Málaga 香港 Dublin Θεσσαλονίκη Besançon Leeds Köln 서울 Oslo".split()
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow("id customer city street amount date note".split())
        number = 0
        while number % 1000 or file.tell() < size:
            name, city = f"{rng.choice(names)} Kowalska", rng.choice(cities)
            note = "ring twice, please" if number % 3 else "size 5” – “urgent”"
            amount, date = f"{number * 1.37 % 1000:.2f}", f"2026-11-{number % 28 + 1:02}"
            writer.writerow([number, name, city, f"{number % 977} Main Street", amount, date, note])
            number += 1


def show_speed(utf8ext: str, megabytes: int) -> None:
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as folder:
        path = Path(folder, "a.csv")
        write_large(path, megabytes * 1_000_000)
        subprocess.run(["cat", path], stdout=subprocess.DEVNULL, check=True)  # into the page cache
        for importer, command in commands(utf8ext).items():
            database = Path(folder, "a.db")
            began = time.monotonic()
            process = subprocess.Popen(fill(command, path, database), stdout=subprocess.DEVNULL)
            _, status, used = os.wait4(process.pid, 0)
            elapsed = time.monotonic() - began
            processor = used.ru_utime + used.ru_stime
            print(
                f"{importer}: {elapsed:.1f} s, processor {processor:.1f} s, "
                f"{used.ru_maxrss // 1024} MB, status {status}",
                flush=True,
            )
            database.unlink(missing_ok=True)


if __name__ == "__main__":
    if sys.argv[1] == "cells":
        show_cells(sys.argv[2])
    else:
        show_speed(sys.argv[2], int(sys.argv[3]))
