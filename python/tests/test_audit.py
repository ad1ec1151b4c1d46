"""`utf8ext audit`: the summary, the lists, and what a hostile database does to them."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import sqlite3
import subprocess
import time
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from conftest import COMMAND, PEOPLE, make, many, on_terminal, query
from utf8ext._engine import Engine
from utf8ext.command import audits

JOSE = "CAST(x'4a6f73e9' AS TEXT)"
UNCLEAR = "CAST(x'4a6f73e8' AS TEXT)"  # Josè in Latin-1, which may be a č


# ---- the summary -----------------------------------------------------------------------------


@pytest.mark.both_drivers
def test_summary(run):
    path = make()
    done = run("audit", path)
    assert done.returncode == 1 and done.stderr == ""
    assert done.stdout.splitlines()[1:] == [
        "",
        "table   column  cause         values  lose  kinds",
        "people  name    windows-1252       1     0  truncated",
        "people  note    unclear            1     0  overlong",
        "",
        "people.name: windows-1252",
        "  17  Jos\\xe9 → José",
        "",
        "people.note: unclear",
        "  18  \\xc0\\xaf \\xff",
    ]
    assert done.stdout.startswith(f"{path}: 2 values in 2 columns: 1 can be restored, 1 stays as it is\n")


def test_causes(run):
    """Each value has a cause of its own, and what the command shows is what it writes."""
    path = make(f"CREATE TABLE t(x); INSERT INTO t VALUES {', '.join(MIXED)}")
    done = run("audit", path)
    after = ["Привет, мир и любовь", "Größe �ber alles", "Приве�", "déjà payé / déjà payé"]
    assert re.findall("→ (.*)", done.stdout) == after
    causes = [line.split()[2] for line in done.stdout.splitlines()[3:7]]
    mixed = Engine().value(f"SELECT utf8_cause(CAST({MIXED[3]} AS BLOB))")
    assert causes == ["windows-1251", "damaged", "cut", mixed]
    dry = run("repair", "--dry-run", path)
    assert re.findall(r"\+ (.*)", dry.stdout) == after
    done = run("repair", path)
    assert done.stdout.startswith("t.x: 4 values repaired: 1 windows-1251, 1 damaged, 1 cut, 1 utf-8+")
    assert [value.decode() for value, in query(path, "SELECT x FROM t")] == after


MIXED = [
    f"(CAST(x'{value.hex()}' AS TEXT))"
    for value in (
        "Привет, мир и любовь".encode("cp1251"),
        "Größe über alles".encode().replace(b"\xbc", b""),
        "Привет".encode()[:-1],
        "déjà payé / ".encode() + "déjà payé".encode("latin-1"),
    )
]


def test_the_repair_of_a_long_value(run):
    """The text that replaces the bytes shown, even if the repair moves it."""
    russian = "Привет, мир! ".encode("cp1251").hex()
    path = make(
        "CREATE TABLE t(x); INSERT INTO t VALUES (CAST(CAST(printf('%.*c', 9000, ' ') AS BLOB)"
        f" || x'{russian * 400}' AS TEXT))"
    )
    before, after = run("audit", path).stdout.splitlines()[-1].split(" → ")
    assert "\\xcf\\xf0\\xe8\\xe2\\xe5\\xf2" in before and "Привет, мир!" in after
    assert after.startswith("…") and after.endswith("…") and len(after) < 80


def test_nothing_found(run):
    path = make("CREATE TABLE t(x); INSERT INTO t VALUES ('ok'), (NULL), (1), (x'ff')")
    done = run("audit", path)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{path}: nothing found\n", "")


def test_only_the_first_values(run):
    path = make("CREATE TABLE t(x);" + many(5, UNCLEAR))
    lines = run("audit", path).stdout.splitlines()
    assert lines[-4:] == [f"  {i}  Jos\\xe8" for i in (1, 2, 3)] + ["  … and 2 more"]


def test_a_long_value_is_cut_around_its_error(run):
    path = make(
        "CREATE TABLE t(x); INSERT INTO t VALUES (replace(hex(zeroblob(9000)), '00', 'é')"
        f"|| {JOSE} || replace(hex(zeroblob(9000)), '00', 'ö'))"
    )
    line = run("audit", path).stdout.splitlines()[-1]
    before, after = line.split(" → ")
    assert before.startswith("  1  …é") and before.endswith("ö…") and "Jos\\xe9" in before
    assert len(before) < 80 and before.count("\\x") == 1
    assert after.startswith("…é") and after.endswith("ö…") and "\\x" not in after


def test_suspects(run):
    path = make("CREATE TABLE t(x); INSERT INTO t VALUES ('caf'), ('a' || char(0x202e)), ('�')")
    assert run("audit", path).returncode == 0
    done = run("audit", "--suspects", path)
    assert done.returncode == 1
    assert "  2  a\\u{202e} → a\n" in done.stdout
    assert done.stdout.endswith("t.x: replacement character\n  3  �\n")


def test_misread_text_is_found(run):
    """Without --suspects, as a cause beside what is ill-formed; a summary has a row for each."""
    path = make("CREATE TABLE t(x); INSERT INTO t VALUES ('ZoÃ«'), ('GenÃ¨ve'), ('naïve'), ('a' || char(8203))")
    done = run("audit", path)
    assert (done.returncode, done.stdout.splitlines()) == (
        1,
        [
            f"{path}: 2 values in 1 column: 2 can be restored",
            "",
            "table  column  cause                  values  lose  kinds",
            "t      x       mojibake windows-1252       2     0  mojibake",
            "",
            "t.x: mojibake windows-1252",
            "  1  ZoÃ« → Zoë",
            "  2  GenÃ¨ve → Genève",
        ],
    )


@pytest.mark.parametrize("encoding", ["UTF-16le", "UTF-16be"])
@pytest.mark.both_drivers
def test_utf16(run, encoding):
    path = make(f"PRAGMA encoding = '{encoding}'; CREATE TABLE t(x)")
    value = "é😀\ud83dx".encode(encoding.replace("UTF-16", "utf-16-"), "surrogatepass")
    query(path, f"INSERT INTO t VALUES (CAST(x'{value.hex()}' AS TEXT))")
    done = run("audit", path)
    assert done.stdout.splitlines()[-1] == "  1  é😀\\ud83dx → é😀�x"
    assert "damaged       1     1  surrogate\n" in done.stdout


def test_colours_on_a_terminal():
    path = make()
    plain = subprocess.run([COMMAND, "audit", path], capture_output=True).stdout
    assert b"\x1b" not in plain
    assert b"Jos\x1b[31m\x1b[1m\\xe9\x1b[0m" in on_terminal("audit", path)
    assert b"\x1b[31m" not in on_terminal("audit", path, NO_COLOR="1")


def test_a_progress_bar_with_a_percentage():
    text = "'a text of some length, so that it takes a while'"
    path = make("CREATE TABLE t(x);" + many(3_000_000, text))
    output = on_terminal("audit", path, TERM="xterm").decode()
    shares = [int(share) for share in re.findall(r"(\d+)%", output)]
    assert "Reading" in output and any(0 < share < 100 for share in shares)
    assert shares == sorted(shares)


@pytest.mark.parametrize("command", [["audit", "--json"], ["repair", "--dry-run"]])
def test_no_progress_bar_among_lines_of_output(command):
    assert b"Reading" not in on_terminal(*command, make(), TERM="xterm")


# ---- lists -----------------------------------------------------------------------------------


@pytest.mark.both_drivers
def test_json(run):
    done = run("audit", "--json", make())
    first, second = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "")
    assert first == {
        "table": "people",
        "column": "name",
        "key": 17,
        "offset": 3,
        "error": "truncated",
        "errors": 1,
        "cause": "windows-1252",
        "excerpt": "Jos\\xe9",
        "repaired": "José",
        "repair_sql": (
            'UPDATE "main"."people" SET "name" = utf8_from("name", \'windows-1252\') '
            'WHERE rowid = 17 AND NOT utf8_valid("name");'
        ),
    }
    assert second["errors"] == 3
    assert len(done.stdout.splitlines()) == 4


def test_json_of_nothing(run):
    done = run("audit", "--json", make("CREATE TABLE t(x)"))
    assert (done.returncode, done.stdout) == (0, "[]\n")


def test_csv(run):
    done = run("audit", "--csv", make(), encoding=None)
    assert done.returncode == 1 and done.stdout.count(b"\r\n") == 3
    rows = list(csv.DictReader(io.StringIO(done.stdout.decode(), newline="")))
    assert [row["key"] for row in rows] == ["17", "18"]
    assert rows[0]["repair_sql"].startswith('UPDATE "main"."people"')


def test_lists_are_utf8_in_every_locale(environment):
    path = make("CREATE TABLE t(x); INSERT INTO t VALUES ('é' || CAST(x'ff' AS TEXT))")
    environment = {**environment, "LC_ALL": "C", "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([COMMAND, "audit", "--json", path], capture_output=True, env=environment)
    assert json.loads(done.stdout.decode("utf-8"))[0]["excerpt"] == "é\\xff"


def test_a_closed_pipe_is_no_error():
    path = make("CREATE TABLE t(x);" + many(20_000, JOSE))
    process = subprocess.Popen(
        [COMMAND, "audit", "--csv", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    process.wait()


# ---- hostile databases -----------------------------------------------------------------------


def test_names_cannot_control_the_terminal(run):
    path = make(
        'CREATE TABLE "\x1b[31mred\n"("col\x07" TEXT);'
        f'INSERT INTO "\x1b[31mred\n" VALUES ({JOSE} || char(27) || char(0x9b) || char(0x202e))'
    )
    done = run("audit", path)
    assert not set("\x1b\x07\x9b\u202e") & set(done.stdout + done.stderr)
    assert "\\x1b[31mred\\x0a" in done.stdout and "Jos\\xe9\\x1b\\x9b\\u{202e}" in done.stdout


def test_a_view_named_utf8_audit_hides_nothing(run):
    sql = "CREATE VIEW utf8_audit AS SELECT 1 AS table_name; CREATE TABLE utf8_each(x);"
    sql += "CREATE TABLE utf8_charsets(x); CREATE TABLE utf8ext_sample(x);"
    assert "Jos\\xe9" in run("audit", make(PEOPLE + sql)).stdout


@pytest.mark.both_drivers
def test_an_ill_formed_name(run):
    path = make("CREATE TABLE cafX(nX TEXT); INSERT INTO cafX VALUES ('ok')")
    break_name(path, f"INSERT INTO cafX VALUES ({UNCLEAR})")
    done = run("audit", path)
    assert done.returncode == 1 and done.stderr == ""
    assert "caf\\xe9.n\\xe9: unclear\n  2  Jos\\xe8\n" in done.stdout


def break_name(path: Path, sql: str) -> None:
    """Run sql, then give the table cafX(nX) names that are ill-formed."""
    query(path, sql)
    path.write_bytes(path.read_bytes().replace(b"cafX", b"caf\xe9").replace(b"nX", b"n\xe9"))


def page_of(path: Path, table: str) -> int:
    return query(path, f"SELECT rootpage FROM sqlite_master WHERE name = '{table}'")[0][0]


def damage(path: Path, page: int, pages: int = 1) -> None:
    """Overwrite pages of 4096 bytes."""
    with open(path, "r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096 * pages)


@pytest.mark.both_drivers
def test_a_damaged_page(run):
    path = make("CREATE TABLE t(x); CREATE TABLE u(x)")
    query(path, f"INSERT INTO u VALUES ({JOSE})")
    damage(path, page_of(path, "t"))
    done = run("audit", path)
    assert done.returncode == 1
    assert "Jos\\xe9" in done.stdout
    assert done.stdout.endswith("\n\nt: unreadable: database disk image is malformed\n")


def test_the_file_is_not_changed(run):
    path = make()
    before = path.read_bytes(), path.stat().st_mtime_ns
    run("audit", path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


# ---- several databases -----------------------------------------------------------------------


@pytest.fixture
def eight():
    """Eight files: six with one ill-formed value, one with damaged pages, one not a database."""
    for i in range(1, 7):
        make(f"CREATE TABLE t{i}(x); INSERT INTO t{i} VALUES ({UNCLEAR})", f"{i}.db")
    rows = many(10_000, "'row ' || i")
    damage(make(f"PRAGMA page_size = 4096; CREATE TABLE t(x); {rows}", "7.db"), 6, 4)
    Path("8.db").write_text("hello\n")
    return ["8.db", *[f"{i}.db" for i in range(1, 8)]]


@pytest.mark.both_drivers
@pytest.mark.parametrize("jobs", [1, 3])
def test_several_databases(run, eight, jobs):
    done = run("audit", "--jobs", jobs, *eight)
    assert done.returncode == 2
    assert done.stderr == "Error: 8.db: not an SQLite database, or an encrypted one\n"
    headlines = [line for line in done.stdout.splitlines() if re.match(r"\d\.db: ", line)]
    values = [f"{i}.db: 1 value in 1 column: 1 stays as it is" for i in range(1, 7)]
    assert headlines == [*values, "7.db: 1 unreadable part"]
    assert "t: unreadable: rowids " in done.stdout
    last = "8 databases: 6 values in 6 columns, 1 unreadable part, 1 database not read"
    assert done.stdout.splitlines()[-1] == last


@pytest.mark.parametrize("jobs", [1, 3])
def test_several_databases_as_records(run, eight, jobs):
    done = run("audit", "--json", "--jobs", jobs, *eight)
    assert done.returncode == 2 and "8 databases: 6 values" in done.stderr
    found = json.loads(done.stdout)
    assert [row["database"] for row in found] == [f"{i}.db" for i in range(1, 8)]
    assert found[0]["excerpt"] == "Jos\\xe8" and found[6]["error"].startswith("unreadable")
    rows = list(csv.DictReader(io.StringIO(run("audit", "--csv", *eight[1:]).stdout)))
    assert [row["table"] for row in rows] == ["t1", "t2", "t3", "t4", "t5", "t6", "t"]


def test_the_worst_status_of_several(run, eight):
    make("CREATE TABLE t(x)", "clean.db")
    assert run("audit", "clean.db", "clean.db").returncode == 0
    assert run("audit", "clean.db", "1.db", "clean.db").returncode == 1
    assert run("audit", "clean.db", "none.db", "1.db").returncode == 2
    assert run("audit", "--json", "clean.db", "clean.db").stdout == "[]\n"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds processes in /proc")
def test_a_process_that_is_killed_does_not_end_the_others(eight):
    process = subprocess.Popen(
        [COMMAND, "audit", "--jobs", "3", *eight], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    killed = None
    while killed is None and process.poll() is None:
        killed = kill_a_worker(process.pid)
    output, errors = process.communicate()
    assert killed and process.returncode == 2
    assert errors.decode() == "Error: 8.db: not an SQLite database, or an encrypted one\n"
    assert output.decode().endswith("6 values in 6 columns, 1 unreadable part, 1 database not read\n")


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds processes in /proc")
def test_processes_end_with_their_parent(eight, tmp_path):
    """Those that wait for a lock or a task hold no output of a parent that is killed, nor its files."""
    locks = [sqlite3.connect(f"{i}.db", isolation_level=None) for i in (1, 2)]
    for lock in locks:
        lock.execute("BEGIN EXCLUSIVE")
    for form in ([], ["--csv"]):
        command = [COMMAND, "audit", "--jobs", "3", *form, *eight]
        temporary = tmp_path / "temporary"
        temporary.mkdir(exist_ok=True)
        environment = {**os.environ, "TMPDIR": str(temporary)}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, env=environment)
        wait_for_workers(process.pid, 3)
        process.kill()
        assert not process.communicate(timeout=3)[0].strip() or form
        time.sleep(0.5)
        assert list(temporary.iterdir()) == []
    for lock in locks:
        lock.close()


def wait_for_workers(process, count):
    children = Path(f"/proc/{process}/task/{process}/children")
    while len(children.read_text().split()) <= count:  # one more tracks resources
        time.sleep(0.01)
    time.sleep(1)  # they have read what they can


def test_a_process_that_is_killed_before_it_gets_a_task(eight):
    with audits._pool(1) as pool:
        os.kill(pool.submit(os.getpid).result(), signal.SIGKILL)
        with pytest.raises(BrokenProcessPool):
            pool.submit(time.sleep, 60).result()
        task = audits._Task(Path(eight[1]), False, None)
        outcome = audits._outcome(task, audits._submit(pool, task))
    assert outcome.error is None and outcome.lines


def kill_a_worker(process):
    for child in Path(f"/proc/{process}/task/{process}/children").read_text().split():
        try:
            if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(int(child), signal.SIGKILL)
                return child
        except OSError:
            pass
    return None
