"""`utf8ext report`: what the page shows, what it never lets through, and where it is written."""

from __future__ import annotations

import html
import itertools
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import COMMAND, PEOPLE, make, many, query, run_command
from example import make_shop

from utf8ext.command.page.data import Collector
from utf8ext.command.page.value import Viewer
from utf8ext._database import Database

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "build" / "venv" / "report-tools"
PACKAGES = ("playwright-core@1.65.1", "axe-core@4.14.1", "html-validate@10.17.0")

EVIL = "</script></style></title></svg><script>alert(1)</script>\"'&<img src=x onerror=alert(2)>"
EVIL += "{{7*7}}{% raw %}\u202e\u2066\r\n\t\x1b[31m\U0001f600\ufffe\u200b"


class Text(HTMLParser):
    """The text of a page, and its tags."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.tags = "", []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))


@pytest.fixture
def report(run, tmp_path: Path) -> Callable[..., str]:
    """report(DATABASE, OPTIONS...) returns the page."""

    def report(database: Path, *options: str, status: int = 1) -> str:
        page = tmp_path / "page.html"
        done = run("report", database, "-o", page, *options)
        assert (done.returncode, done.stdout) == (status, ""), done
        return page.read_text("utf-8")

    return report


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    make_shop(tmp_path / "shop.db", ROOT / "examples" / "orders.csv")
    return tmp_path / "shop.db"


def make_hostile(path: Path, tables: int = 1) -> Path:
    """A database whose names and values try to break out of the page."""
    database = sqlite3.connect(path)
    for name in [EVIL * (i + 1) for i in range(tables)] + ["utf8ext", " "]:
        name = '"' + name.replace('"', '""') + '"'
        database.execute(f"CREATE TABLE {name}({name} TEXT)")
        for value in (b"\xff", b"\xff" * 500, b"\xc3" + EVIL.encode() * 50, b"\0", b""):
            value = EVIL.encode() * 3 + value
            database.execute(f"INSERT INTO {name} VALUES (CAST(? AS TEXT))", [value])
    for name in ("utf8_audit", "utf8_each", "utf8_charsets"):
        database.execute(f"CREATE VIEW {name} AS SELECT 'nothing' AS table_name")
    database.commit()
    database.close()
    return path


def execute(path: Path, statements: list[str]) -> None:
    """Run statements with utf8ext loaded."""
    with Database(path, writable=True) as database:
        for statement in statements:
            database.run(statement)


# ---- what it shows ---------------------------------------------------------------------------


def test_values_before_and_after(report):
    text = Text(report(make(PEOPLE))).text
    assert "2 values in 2 columns need a look: 2 ill-formed." in text
    assert "Row 17: truncated at byte 3" in text
    assert "4A 6F 73 E9" in text
    assert "subpart, byte, run, cesu-8Jos\ufffd" in re.sub(r"\n", "", text)
    assert "escapeJos\\xe9" in re.sub(r"\n", "", text)
    assert re.search(r"latin1\s*José", text)


def test_the_error_is_marked_in_bytes_and_text(report):
    page = report(make(PEOPLE))
    assert "4A 6F 73 <mark>E9</mark>" in page
    assert "Jos<mark>E9</mark>" in page
    assert "<mark>C0</mark> <mark>AF</mark> 20 <mark>FF</mark>" in page


def test_the_statements_repair_the_database(report, shop):
    """Run the statements of all columns, as somebody would who copies them from the page."""
    page = report(shop, "--suspects")
    statements = [html.unescape(s) for s in re.findall(r"<pre class=\"sql\"><code>(.*?)<", page)]
    updates = [s for s in statements if " WHERE typeof(" in s]
    assert len(updates) == 8
    execute(shop, updates)
    text = Text(report(shop)).text
    assert "thumbnails · data" in text and "No single statement repairs this column" in text
    assert "orders · customer" in text and "orders · note" in text  # several causes
    assert "orders · city" not in text and "tags · tag" not in text


def test_statements_of_what_only_the_column_shows(report):
    """utf8_suspect does not find these values, so each has its own statement."""
    places = ["Požeka", "Čapljina", "Šibenik", "Međimurje", "Karađorđe", "Široki Brijeg", "Tešanj", "Foča"]
    values = ", ".join("('{}')".format(name.encode().decode("cp850")) for name in places)
    path = make(f"CREATE TABLE place(name TEXT); INSERT INTO place VALUES {values}")
    statements = re.findall(r"<code>(UPDATE .*?;)</code>", report(path, "--suspects"))
    statements = [html.unescape(s) for s in statements]
    assert not [s for s in statements if " WHERE typeof(" in s]
    execute(path, statements)
    stored = query(path, "SELECT name FROM place")
    restored = [place for (name,), place in zip(stored, places) if name.decode() == place]
    assert len(restored) == len(statements) > 0 and restored[0] == "Požeka"


def test_the_statement_of_a_value(report):
    database = make(PEOPLE)
    statements = re.findall(r"<code>(UPDATE .*?;)</code>", report(database))
    values = [html.unescape(s) for s in statements if "WHERE rowid" in s]
    assert len(values) == 1  # what is unclear has none
    execute(database, values)
    assert "1 ill-formed" in Text(report(database)).text


def test_causes(report, shop):
    page = report(shop)
    causes = re.findall(r'<td class="number">\d+</td><td>([^<]*)</td><td>', page)
    assert {"windows-1251", "shift_jis", "binary", "cut"} <= set(causes)
    assert "Спасибо за покупку" in page and "東京都渋谷区" in page
    assert "every repair would lose bytes" in page


def test_suspects_only_on_request(report, shop):
    page = report(shop)
    assert "Mojibake" in page and "Suspicious" not in page
    text = Text(report(shop, "--suspects")).text
    assert "Mojibake" in text and "Suspicious text" in text
    assert "Café crème" in text  # after
    assert "CafÃ© crÃ¨me" in text  # before


def test_nothing_found(report):
    text = Text(report(make("CREATE TABLE t(c); INSERT INTO t VALUES ('x')"), status=0)).text
    assert "All text is well-formed" in text and "add --suspects" in text
    assert "2 tables were read" in text


def test_empty_schema(report):
    report(make("CREATE TABLE t(c); DROP TABLE t"), status=0)


@pytest.mark.parametrize("encoding", ["UTF-16le", "UTF-16be"])
def test_utf16(report, encoding):
    order = encoding[-2:]
    lone = "".join(c.encode(f"utf-16-{order}").hex() for c in "日本😀")
    lone += "d83d" if order == "be" else "3dd8"
    table = f"CREATE TABLE t(c); INSERT INTO t VALUES (CAST(x'{lone}' AS TEXT))"
    page = report(make(f"PRAGMA encoding = '{encoding}'; {table}"))
    marked = "D8 3D" if order == "be" else "3D D8"
    assert f"<mark>{marked}</mark></dd>" in page
    assert f"日本😀<mark>{marked}</mark>" in page
    assert "日本😀\\ud83d" in page and "windows-1252" not in page
    assert f"valid {encoding}" not in page and f"<dd>{encoding}</dd>" in page


def test_long_values_show_the_error(report):
    before, after = (f"printf('%.*c', 100000, '{letter}')" for letter in "ab")
    value = f"CAST(CAST({before} || ' needle ' AS BLOB) || x'ff' || {after} AS TEXT)"
    page = report(make(f"CREATE TABLE t(c); INSERT INTO t VALUES ({value})"))
    assert re.search(r"needle <mark>FF</mark>b+…", page)
    assert "at byte 100,008" in page and len(page) < 40_000


def test_unreadable_pages(report):
    mails = many(500, "i, printf('mail %d, which has a body', i)", "mail")
    table = "CREATE TABLE mail(id INTEGER PRIMARY KEY, body TEXT)"
    path = make(f"PRAGMA page_size = 1024; {table}; {mails}")
    with path.open("r+b") as file:
        file.seek(5 * 1024)
        file.write(bytes(1024))
    text = Text(report(path)).text
    assert "1 part of the file cannot be read" in text
    assert "rowids 95 to 124: database disk image is malformed" in text
    assert "All text is well-formed" not in text


def test_without_rowid_has_both_statements(report):
    value = "CAST(x'e697a5e69cace8' AS TEXT)"
    path = make(f"CREATE TABLE t(k TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO t VALUES ({value})")
    page = report(path)
    statements = html.unescape(page)
    whole = """SET "k" = utf8_repair("k") WHERE typeof("k") = 'text' AND NOT utf8_valid("k");"""
    assert "Repair the whole column" in page and statements.count(whole) == 1
    assert statements.count(f"""WHERE ("k") = ({value});""") == 1


PIECES = b"caf\xc3\xa9 |\xe9|\xff|\xc3|\x00|\xe2\x80\xae|\xed\xa0\x80|\xf0\x9f|\xef\xbb\xbf|\xd8\x3d|\x3d\xd8".split(b"|")
PIECES += [b"a" * 70, b"\x80" * 90, "é".encode() * 40, "😀".encode() * 30, "cafÃ© ".encode()]
PIECES += ["Привет".encode("cp1251"), "日本".encode("shift_jis")]


@pytest.mark.parametrize("encoding", ["UTF-8", "UTF-16le", "UTF-16be"])
def test_marks_start_at_the_error(tmp_path, encoding):
    """In random values: the parts are the whole window, and the first mark is at the error."""
    chance = random.Random(encoding)
    path = tmp_path / "random.db"
    database = sqlite3.connect(path)
    database.execute(f"PRAGMA encoding = '{encoding}'")
    for i in range(40):
        database.execute(f"CREATE TABLE t{i}(c)")
        for _ in range(8):
            value = b"".join(chance.choices(PIECES, k=chance.randrange(9)))
            database.execute(f"INSERT INTO t{i} VALUES (CAST(substr(?, 1) AS TEXT))", [value])
    database.commit()
    with Database(path) as opened:
        collector = Collector(opened)
        collector.read(suspects=True)
        viewer = Viewer(opened)
        first = [f for c in collector.columns for g in c.of_kinds() for f in g.first]
        assert len(first) > 50
        for finding in first:
            pieces = viewer.pieces(finding)
            assert b"".join(part.stored for part in pieces) == finding.window.stored
            before = itertools.takewhile(lambda part: not part.marked, pieces)
            assert sum(len(part.stored) for part in before) == finding.window.error_at
            assert any(part.marked for part in pieces)


# ---- hostile text ----------------------------------------------------------------------------


def test_hostile_text(report, tmp_path):
    page = report(make_hostile(tmp_path / "hostile.db"), "--suspects")
    hidden = [c for c in page if c not in "\n\t" and (ord(c) < 32 or 127 <= ord(c) < 160)]
    assert not hidden and not re.search("[\u202a-\u202e\u2066-\u2069\u200b\ufffe]", page)
    tags = {tag for tag, _ in Text(page).tags}
    assert not tags & {"script", "img", "iframe", "object", "link", "form"}
    assert '<span class="box">U+202E</span>' in page and "49" not in re.findall(r"\{\{.*", page)
    assert "has invisible characters" in page  # the statement cannot be copied


def test_no_references(report, shop):
    for tag, attributes in Text(report(shop, "--suspects")).tags:
        assert not {"src", "srcset", "style", "onclick"} & set(attributes), tag
        assert attributes.get("href", "#").startswith("#")


def test_size_is_bounded(tmp_path):
    database = sqlite3.connect(tmp_path / "wide.db")
    value = ("\u202e" * 30).encode() + b"\xff\xc3\xed\xa0\x80" * 30
    for i in range(150):
        name = "".join(chr(0x202A + (i >> 2 * k) % 4) for k in range(60))
        database.execute(f'CREATE TABLE "{name}"("{name}" TEXT, "{name}b" TEXT)')
        rows = "(CAST(? AS TEXT), CAST(? AS TEXT))"
        database.execute(f'INSERT INTO "{name}" VALUES {rows}', [value, b"\xc3" + value])
    database.commit()
    run = run_command("report", tmp_path / "wide.db", "-o", tmp_path / "wide.html", "--suspects")
    page = (tmp_path / "wide.html").read_text("utf-8")
    assert run.returncode == 1 and 500_000 < len(page.encode()) < 2_000_000
    assert "more columns are not shown" in page and "140 other tables" in page


# ---- where it is written ---------------------------------------------------------------------


def test_standard_output(run):
    done = run("report", make(), "-o", "-")
    assert done.returncode == 1 and done.stdout.startswith("<!DOCTYPE html>")


def test_default_name(run, tmp_path):
    database = make()
    assert run("report", database, cwd=tmp_path).returncode == 1
    assert (tmp_path / "report.html").is_file()


def test_replaces_a_page_and_keeps_its_mode(report, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<!doctype html>old")
    page.chmod(0o640)
    assert "old" not in report(make())
    assert page.stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["my.db", "page.html"]


def test_never_overwrites_anything_else(fails, tmp_path):
    database = make()
    before = database.read_bytes()
    assert fails("report", database, "-o", database).endswith(
        "exists and is not an HTML page; choose another name"
    )
    assert database.read_bytes() == before
    (tmp_path / "link.html").symlink_to(database)
    assert "not an HTML page" in fails("report", database, "-o", tmp_path / "link.html")
    assert database.read_bytes() == before


def test_places_where_no_file_can_be(fails, tmp_path):
    database = make()
    assert fails("report", database, "-o", tmp_path).endswith("is a directory; give a file name")
    assert fails("report", database, "-o", tmp_path / "no" / "x.html").endswith(
        f"there is no folder {tmp_path / 'no'}"
    )


def test_bad_database_leaves_no_page(fails, tmp_path):
    (tmp_path / "x.db").write_text("no database at all" * 100)
    assert "not an SQLite database" in fails("report", tmp_path / "x.db", "-o", tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()


def test_the_reader_of_the_page_stops(shop):
    """A closed pipe ends the command quietly, as it ends cat."""
    command = f"'{COMMAND}' report '{shop}' -o - | head -c 1"
    done = subprocess.run(["sh", "-c", command], capture_output=True, encoding="utf-8")
    assert (done.stdout, done.stderr) == ("<", "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full: only Linux has it")
def test_full_disk(fails):
    assert fails("report", make(), "-o", "/dev/full") == "/dev/full: No space left on device"


@pytest.mark.skipif(os.name == "nt", reason="file names: Windows has no ill-formed ones")
def test_ill_formed_file_name(run, tmp_path):
    name = os.fsencode(tmp_path) + b"/caf\xe9 <b>.db"
    os.rename(make(), name)
    done = run("report", name.decode("utf-8", "surrogateescape"), "-o", "-")
    assert done.returncode == 1
    assert "utf8ext repair &#39;caf\\xe9 &lt;b&gt;.db&#39; --dry-run" in done.stdout
    assert "<title>Text report: caf\\xe9 &lt;b&gt;.db</title>" in done.stdout


def test_date_can_be_fixed(run, environment, tmp_path):
    environment = {**environment, "SOURCE_DATE_EPOCH": "0"}
    pages = [
        run("report", make(name=f"{i}/my.db"), "-o", "-", env=environment).stdout
        for i in "ab"
        if (tmp_path / i).mkdir() is None
    ]
    assert "1970-01-01 00:00 UTC" in pages[0] and pages[0] == pages[1]


@pytest.mark.parametrize("name", ["-dash.db", "a b'c$(x).db", "~.db"])
def test_the_commands_work_as_they_are_shown(run, name):
    make(name=name)
    assert run("report", "-o", "page.html", "--", name).returncode == 1
    commands = re.findall("<code>(utf8ext .*?)</code>", Path("page.html").read_text("utf-8"))
    assert len(commands) == 2
    path = {**os.environ, "PATH": f"{COMMAND.parent}:{os.environ['PATH']}"}
    for command in map(html.unescape, commands):
        done = subprocess.run(command, shell=True, env=path, capture_output=True)
        assert done.returncode == 1, (command, done.stderr)
    assert list(query(Path(name), "SELECT name FROM people WHERE id = 17")) != [(b"Jos\xe9",)]


# ---- in a browser ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def node_modules() -> Path:
    """The packages of the tests below, installed with npm."""
    if not shutil.which("npm"):
        pytest.skip("npm is not installed")
    if not (TOOLS / "node_modules" / "html-validate").is_dir():
        TOOLS.mkdir(parents=True, exist_ok=True)
        install = ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--silent"]
        done = subprocess.run([*install, *PACKAGES], cwd=TOOLS, check=False)
        if done.returncode:
            pytest.skip("npm cannot install the packages")
    return TOOLS / "node_modules"


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> list[Path]:
    """The report of a shop, of a clean database, and of a hostile one."""
    folder = tmp_path_factory.mktemp("pages")
    make_shop(folder / "shop.db", ROOT / "examples" / "orders.csv")
    make_hostile(folder / "hostile.db")
    sqlite3.connect(folder / "clean.db").executescript("CREATE TABLE t(c)")
    pages = [folder / f"{name}.html" for name in ("shop", "clean", "hostile")]
    for page in pages:
        run_command("report", page.with_suffix(".db"), "-o", page, "--suspects")
    return pages


def test_in_chromium(node_modules, pages):
    """No violation of axe-core's rules, no script, no request, no sideways scrolling at 360 px."""
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if not chromium:
        pytest.skip("chromium is not installed")
    script = Path(__file__).with_name("browser.mjs")
    variables = {**os.environ, "NODE_PATH": str(node_modules), "CHROMIUM": chromium}
    output = subprocess.check_output(["node", script, *pages], env=variables)
    for page in json.loads(output):
        for colours in ("light", "dark"):
            background = {"light": "rgb(251, 250, 247)", "dark": "rgb(20, 25, 28)"}[colours]
            expected = {"width": 360, "scripts": 0, "requests": 1, "messages": [], "violations": []}
            assert page[colours] == {"background": background, **expected}
        assert page["refused"] == [] and page["styled"]


def test_html_is_valid(node_modules, pages):
    validate = node_modules / ".bin" / "html-validate"
    done = subprocess.run([validate, *pages], cwd=TOOLS, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout
