#!/usr/bin/env python3
"""convert.py: measures `utf8ext convert` of a large file beside iconv and ICU's uconv, and utf8_from of
a column as large beside PostgreSQL's convert_from, where PGHOST or PGDATABASE names a server.

    python3 bench/convert.py DIRECTORY     # with BENCH_MB=1024 megabytes

Runs python/src with ./utf8ext.so in an environment that packaging/venv.sh has made. The files are
words of tool/detect/rates.py in the charset, in DIRECTORY, whose speed is part of the figures unless
the output is discarded. With BENCH_BUSY=1, the time of a command is its processor time. Prints a
line for each figure, as bench_print() does: the task, the text, its size, the candidate, the rate
and its unit. Rates are of the input, start of the program included.
"""

import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tool"))
from detect import rates  # noqa: E402

SIZE = int(os.environ.get("BENCH_MB", "4" if "BENCH_QUICK" in os.environ else "1024")) << 20
ROUNDS = 1 if "BENCH_QUICK" in os.environ else 3
TEXTS = [
    ("French", "windows-1252"),
    ("Russian", "windows-1251"),
    ("Russian", "koi8-r"),
    ("Chinese", "gbk"),
    ("Japanese", "shift_jis"),
    ("Korean", "euc-kr"),
    ("Russian", "utf-16le"),
]
SQL_NAMES = {"windows-1252": "WIN1252", "windows-1251": "WIN1251", "koi8-r": "KOI8R", "gbk": "GBK",
             "shift_jis": "SJIS", "euc-kr": "EUC_KR"}  # of PostgreSQL
VALUE = 100  # characters of a value in a column


def write_text(path, language, charset):
    """Write a file of SIZE bytes, or a little more, and return its size."""
    part = rates.long_text(language, 1 << 20).encode(charset, "ignore")
    count = -(-SIZE // len(part))
    with open(path, "wb") as file:
        for _ in range(count):
            file.write(part)
    return count * len(part)


def now(who=resource.RUSAGE_CHILDREN):
    """Return the time; on a busy machine, the processor time of the commands that have ended."""
    if "BENCH_BUSY" not in os.environ:
        return time.perf_counter()
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def run(command, output, environment):
    """Return the seconds that a command takes, where no ./utf8ext.so is taken for a module."""
    start = now()
    with open(output, "wb") as file:
        subprocess.run(command, stdout=file, env=environment, cwd=os.path.dirname(command[-1]),
                       check=True)
    return now() - start


def show(task, text, size, name, seconds):
    print(task, text, size, name, f"{size / seconds * 1e-9:.4g}", "GB/s", sep="\t", flush=True)


def fastest(candidates, take):
    """Return each candidate's shortest time; they take turns."""
    times = {name: [] for name in candidates}
    for _ in range(ROUNDS):
        for name in candidates:
            times[name].append(take(name))
    return {name: min(seconds) for name, seconds in times.items()}


def package(directory):
    """Copy the Python package and the extension to where the command finds them."""
    folder = os.path.join(directory, "package")
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree("python/src", folder)
    shutil.copy("VERSION", os.path.join(folder, "utf8ext"))
    shutil.copy("utf8ext.so", os.path.join(folder, "utf8ext"))
    return dict(os.environ, PYTHONPATH=folder)


def measure_files(directory, python, language, charset):
    environment = package(directory)
    source = os.path.join(directory, charset)
    size = write_text(source, language, charset)
    commands = {
        "utf8ext": [python, "-m", "utf8ext", "convert", "--from", charset, source],
        "iconv": ["iconv", "-f", charset, "-t", "utf-8", source],
        "uconv": ["uconv", "-f", charset, "-t", "utf-8", source],
    }
    present = [name for name in commands if name == "utf8ext" or shutil.which(name)]
    for task, output in (("convert to nothing", os.devnull), ("convert to a file", source + ".out")):
        times = fastest(present, lambda name: run(commands[name], output, environment))
        for name, seconds in times.items():
            show(f"{task} {charset}", language, size, name, seconds)
    os.remove(source)
    os.remove(source + ".out")


def column(language, charset):
    """Return values, and how often a column has each to be SIZE bytes or a little more."""
    text = rates.long_text(language, 1 << 20).encode(charset, "ignore").decode(charset)
    values = [text[i : i + VALUE].encode(charset) for i in range(0, len(text), VALUE)]
    count = -(-SIZE // sum(map(len, values)))
    return values, count


def utf8_from(directory, charset, values, count):
    """Return the seconds of a query that converts the column."""
    path = os.path.join(directory, "column.db")
    if os.path.exists(path):
        os.remove(path)
    connection = sqlite3.connect(path)
    connection.enable_load_extension(True)
    connection.load_extension("./utf8ext")
    connection.execute("CREATE TABLE t(x BLOB)")
    for _ in range(count):
        connection.executemany("INSERT INTO t VALUES (?)", ((value,) for value in values))
    connection.commit()
    query = "SELECT sum(length(CAST(utf8_from(x, ?) AS BLOB))) FROM t"
    times = []
    for _ in range(ROUNDS):
        start = now(resource.RUSAGE_SELF)
        connection.execute(query, (charset,)).fetchone()
        times.append(now(resource.RUSAGE_SELF) - start)
    connection.close()
    os.remove(path)
    return min(times)


def psql(script):
    """Run a script, and return what the server reports about it."""
    command = ["psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1"]
    return subprocess.run(command, input=script, text=True, capture_output=True, check=True).stderr


def server_seconds(report):
    """Return the seconds of the last statement; on a busy machine, of processor time."""
    stats = re.findall(r"(\S+) s user, (\S+) s system, (\S+) s elapsed", report)
    user, system, elapsed = stats[-1]
    return float(user) + float(system) if "BENCH_BUSY" in os.environ else float(elapsed)


def convert_from(charset, values, count):
    """Return the seconds of the same query in PostgreSQL."""
    rows = "\n".join("\\\\x" + value.hex() for value in values)
    psql(f"DROP TABLE IF EXISTS utf8ext_bench; CREATE UNLOGGED TABLE utf8ext_bench(x bytea);\n"
         f"COPY utf8ext_bench FROM STDIN;\n{rows}\n\\.\n"
         f"INSERT INTO utf8ext_bench SELECT x FROM utf8ext_bench, generate_series(2, {count});\n")
    query = ("SET max_parallel_workers_per_gather = 0; SET client_min_messages = log;\n"
             "SET log_statement_stats = on;\n"
             f"SELECT sum(octet_length(convert_from(x, '{SQL_NAMES[charset]}'))) FROM utf8ext_bench;")
    times = [server_seconds(psql(query)) for _ in range(ROUNDS)]
    psql("DROP TABLE utf8ext_bench")
    return min(times)


def measure_column(directory, language, charset):
    values, count = column(language, charset)
    size = count * sum(map(len, values))
    task = f"column {charset}"
    show(task, language, size, "utf8ext", utf8_from(directory, charset, values, count))
    if "PGHOST" in os.environ or "PGDATABASE" in os.environ:
        show(task, language, size, "postgresql", convert_from(charset, values, count))


def main(directory, python):
    directory, python = os.path.abspath(directory), os.path.abspath(python)
    os.makedirs(directory, exist_ok=True)
    for language, charset in TEXTS:
        measure_files(directory, python, language, charset)
        if charset in SQL_NAMES:
            measure_column(directory, language, charset)


if __name__ == "__main__":
    main(*sys.argv[1:])
