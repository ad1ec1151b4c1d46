"""What a person decides: --review, --choices, --ask, and the same in Python."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
import utf8ext
from conftest import Fails, Run, make, on_terminal, query, run_in_shell

# One letter after a digit does not say which charset it is in.
A1 = "CAST(x'4131e9' AS TEXT)"

NAMES = f"""
    CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO people VALUES (3, {A1}), (5, {A1}), (7, CAST(x'4232e9' AS TEXT)), (9, 'Ann');
"""


SHEET, LOG = Path("choices.csv"), Path("undo.sql")


def fill_in(*choices: str) -> None:
    with open(SHEET, encoding="utf-8-sig", newline="") as old:
        rows = list(csv.reader(old))
    for row, choice in zip(rows[1:], choices):
        row[-1] = choice
    with open(SHEET, "w", encoding="utf-8-sig", newline="") as new:
        csv.writer(new).writerows(rows)


def names(path: Path) -> list[bytes]:
    return [bytes(name) for (name,) in query(path, "SELECT name FROM people ORDER BY id")]


@pytest.fixture
def path(run: Run) -> Path:
    """A database of whose unclear values there is a file."""
    path = make(NAMES)
    assert run("repair", path, "--review", SHEET).returncode == 1
    return path


def test_review_changes_nothing_and_writes_each_value_once(run: Run) -> None:
    path = make(NAMES)
    before = path.read_bytes()
    done = run("repair", "my.db", "--review", "choices.csv", cwd=path.parent)
    assert (done.returncode, done.stdout) == (
        1,
        "choices.csv: 2 unclear values in 1 column; fill in the column choice, then: "
        "utf8ext repair my.db --choices choices.csv\n",
    )
    data = SHEET.read_bytes()
    start = b"\xef\xbb\xbftable,column,key,rows,value,reading_1,charset_1,probability_1,"
    assert data.startswith(start) and data.split(b"\r\n")[0].endswith(b",choice")
    rows = list(csv.DictReader(data.decode("utf-8-sig").splitlines()))
    assert [(row["key"], row["rows"], row["value"], row["choice"]) for row in rows] == [
        ("3", "2", "A1\\xe9", ""),
        ("7", "1", "B2\\xe9", ""),
    ]
    assert path.read_bytes() == before
    done = run("repair", "my.db", "--review", "choices.csv", cwd=path.parent)
    assert done.returncode == 2 and "exists and is not overwritten" in done.stderr


DECIDED = "a policy or a charset decides all values, so none is left to choose"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--review", "new.csv", "--policy", "subpart"], DECIDED),
        (["--review", "new.csv", "--charset", "latin1"], DECIDED),
        (["--ask", "--policy", "subpart"], DECIDED),
        (["--choices", "absent.csv", "--policy", "subpart"], DECIDED),
        (
            ["--review", "new.csv", "--undo-log", "new.sql"],
            "--review changes nothing, so --undo-log has nothing to undo",
        ),
    ],
)
def test_what_does_not_go_with_a_person_who_decides(
    fails: Fails, options: list[str], message: str
) -> None:
    path = make(NAMES)
    assert fails("repair", path, *options) == message
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_review_under_policy_auto(run: Run) -> None:
    """The policy auto is what leaves values unclear."""
    assert run("repair", make(NAMES), "--review", "new.csv", "--policy", "auto").returncode == 1


@pytest.mark.parametrize(
    ("choices", "after"),
    [
        (["windows-1252", "text: Curé"], ["A1é", "A1é", "Curé", "Ann"]),
        (["all latin1", ""], ["A1é", "A1é", "B2é", "Ann"]),
        (["Text: Joe", "all cp1251"], ["Joe", "Joe", "B2й", "Ann"]),
        ([" text:  Joe ", "all cp1251 "], [" Joe ", " Joe ", "B2й", "Ann"]),
    ],
)
def test_choices_are_applied_with_all_else(
    run: Run, path: Path, choices: list[str], after: list[str]
) -> None:
    """In the same transaction, with the same backup and the same undo log."""
    before = names(path)
    fill_in(*choices)
    done = run("repair", path, "--choices", SHEET, "--undo-log", LOG)
    assert (done.returncode, done.stdout) == (1, "people.name: 3 values repaired: 3 chosen\n")
    assert names(path) == [name.encode() for name in after]
    assert Path(f"{path}.utf8ext-backup").exists()
    run_in_shell(path)
    assert names(path) == before


def test_what_is_not_chosen_stays(run: Run, path: Path) -> None:
    fill_in("leave", "windows-1252")
    done = run("repair", path, "--choices", SHEET)
    assert done.stdout == "people.name: 1 value repaired: 1 chosen\n"
    assert f"people.name: 2 values are unclear: utf8ext repair {path} --review" in done.stderr
    assert names(path)[:3] == [b"A1\xe9", b"A1\xe9", "B2é".encode()]


@pytest.mark.parametrize(
    ("choice", "why"),
    [
        ("klingon", "'klingon' is not a charset"),
        ("all klingon", "'klingon' is not a charset"),
        ("cesu-8", "'cesu-8' is not a charset"),
        ("²", "'²' is not a charset"),
        ("1" * 5000, f"'{'1' * 5000}' is not a charset"),
        ("9", "there is no reading 9"),
        ("0", "there is no reading 0"),
    ],
)
def test_a_choice_that_cannot_be_read(fails: Fails, path: Path, choice: str, why: str) -> None:
    before = path.read_bytes()
    fill_in("windows-1252", choice)
    assert fails("repair", path, "--choices", SHEET) == (
        f"{SHEET}:3: the choice is '{choice}': {why}; accepted: empty, leave, 1 to 4, a charset, "
        "`all` and a charset, or `text: ` and a text"
    )
    assert path.read_bytes() == before and not Path(f"{path}.utf8ext-backup").exists()


def test_a_choice_beside_the_column(fails: Fails, path: Path) -> None:
    SHEET.write_bytes(SHEET.read_bytes().rstrip() + b",latin1\r\n")
    assert fails("repair", path, "--choices", SHEET) == f"{SHEET}:3: the line has more cells than the first one"


def test_a_value_that_has_changed_is_named_and_left(run: Run, path: Path) -> None:
    fill_in("windows-1252", "windows-1252")
    query(path, "UPDATE people SET name = CAST(x'4333e9' AS TEXT) WHERE id = 7")
    query(path, "DELETE FROM people WHERE id = 3")
    done = run("repair", path, "--choices", SHEET)
    assert done.returncode == 1
    assert f"{SHEET}:2: people.name: its first row has another key; it is left\n" in done.stderr
    assert f"{SHEET}:3: people.name: the value is no longer there, or no longer unclear; it is left\n" in done.stderr
    assert names(path) == [b"A1\xe9", b"C3\xe9", b"Ann"]


def test_cells_that_spreadsheets_would_run(run: Run) -> None:
    values = ["'='", "'+'", "'-'", "'@'", "char(9)", "char(13)", "''''", "'''='", "'a'"]
    rows = ", ".join(f"({value} || 'x\\' || {A1})" for value in values)
    path = make(f'CREATE TABLE "=t"(name); INSERT INTO "=t" VALUES {rows}')
    run("repair", path, "--review", SHEET)
    with open(SHEET, encoding="utf-8-sig", newline="") as opened:
        cells = [cell for row in list(csv.reader(opened))[1:] for cell in row]
    assert not [cell for cell in cells if cell[:1] in set("=+-@\t\r")] and "'=t" in cells
    assert "ax\\\\A1\\xe9" in cells
    fill_in(*["latin1"] * len(values))
    done = run("repair", path, "--choices", SHEET, "--no-backup")
    assert done.stdout == f"=t.name: {len(values)} values repaired: {len(values)} chosen\n"
    assert done.stderr == "" and run("audit", path).returncode == 0


KE = "CAST(x'4be9' AS TEXT)"  # unclear beside Russian, too
RUSSIAN = "CAST(x'cff0e8e2e5f22c20eae0ea20e4e5ebe03f' AS TEXT)"  # not unclear: windows-1251


MISREAD = "'Zo' || char(195) || char(171)"


@pytest.mark.parametrize(
    ("table", "row", "choices", "repaired"),
    [
        ("k PRIMARY KEY, x", f"{A1}, {A1}", ["latin1", "text: it's \\"], ["A1é", "it's \\"]),
        # The key is what x would become.
        ("k PRIMARY KEY, x", f"'A1' || char(0xFFFD), {A1}", ["latin1"], ["A1\ufffd", "A1é"]),
        ("k COLLATE NOCASE PRIMARY KEY, x", f"{A1}, {A1}", ["latin1"], ["A1é", "A1\\xe9"]),
        ("a, b, PRIMARY KEY(a, b)", f"{A1}, {A1}", ["latin1", "cp1251"], ["A1é", "A1й"]),
        ("a, b, PRIMARY KEY(a, b)", f"{A1}, {A1}", ["leave", "cp1251"], ["A1\\xe9", "A1й"]),
        ("a, b, PRIMARY KEY(b, a)", f"{KE}, {RUSSIAN}", ["cp1251"], ["Kй", "Привет, как дела?"]),
        ("a, b, PRIMARY KEY(a, b)", f"{KE}, {RUSSIAN}", ["leave"], ["K\\xe9", "Привет, как дела?"]),
        ("a, b, PRIMARY KEY(a, b)", f"{MISREAD}, {A1}", ["latin1"], ["Zoë", "A1é"]),
        ("a, b, PRIMARY KEY(a, b)", f"{A1}, {MISREAD}", [], ["A1\\xe9", "Zoë"]),
        ("a, b, x, PRIMARY KEY(a, b)", f"{MISREAD}, {A1}, {A1}", ["", "latin1"], ["Zoë", "A1\\xe9", "A1é"]),
    ],
)
def test_keys_without_rowid(
    run: Run, table: str, row: str, choices: list[str], repaired: list[str]
) -> None:
    path = make(f"CREATE TABLE t({table}) WITHOUT ROWID; INSERT INTO t VALUES ({row})")
    before = query(path, "SELECT * FROM t")
    run("repair", path, "--review", SHEET)
    fill_in(*choices)
    run("repair", path, "--choices", SHEET, "--undo-log", LOG)
    ((*after,),) = query(path, "SELECT * FROM t")
    assert [text.decode("utf-8", "backslashreplace") for text in after] == repaired
    assert run_in_shell(path) == b""  # all of them
    assert query(path, "SELECT * FROM t") == before


NEIGHBOURS = [f"CAST(x'{name.encode('latin1').hex()}' AS TEXT)" for name in ("José", "Murcía", "Génöme")]


@pytest.mark.parametrize("choice", ["leave", "1"])
@pytest.mark.parametrize("key", ["'a'", MISREAD])
def test_what_is_left_stays_if_neighbours_decide_it(choice: str, key: str) -> None:
    """In all of its rows, in every round, and where its key is repaired."""
    start = "INSERT INTO t VALUES (0.1, x'0aff', CAST(x'00ff0102' AS TEXT), "
    inserts = [f"{start}{key} || {n}, {value});" for n, value in enumerate([A1, A1, *NEIGHBOURS])]
    table = "CREATE TABLE t(r, l, b, k, x, PRIMARY KEY(r, l, b, k)) WITHOUT ROWID;"
    path = make(table + "".join(inserts[:2]))
    (value,) = utf8ext.unclear(path)
    for insert in inserts[2:]:
        query(path, insert)
    done = utf8ext.repair(path, choices=[(value, choice)], backup=False)
    assert ("t", "x", 2, "unclear") in done.left and len(done.stale) == (choice == "1")
    assert query(path, "SELECT DISTINCT x FROM t WHERE x < 'B'") == [(b"A1\xe9",)]
    assert {column.column: column.values for column in done.columns}["x"] == len(NEIGHBOURS)


def test_in_python() -> None:
    path = make(NAMES)
    first, second = utf8ext.unclear(path)
    assert isinstance(first, utf8ext.Unclear)
    assert (first.table, first.column, first.key, first.rows) == ("people", "name", 3, 2)
    assert (first.value, second.value) == ("A1\\xe9", "B2\\xe9")
    assert all(isinstance(reading, utf8ext.Reading) for reading in first.readings)
    done = utf8ext.repair(path, choices=[(first, "latin1"), (second, "text: Curé")], backup=False)
    assert done.columns[0].causes == {"chosen": 3}
    assert list(utf8ext.unclear(path)) == []
    with pytest.raises(utf8ext.Error, match="choice 1: .* is not Unicode"):
        utf8ext.repair(path, choices=[(first, "text: \ud800")])
    with pytest.raises(utf8ext.Error, match="none is left to choose"):
        utf8ext.repair(path, choices=[], policy="subpart")


# ---- what else happens to such a file --------------------------------------------------


@pytest.mark.parametrize(
    ("encoding", "delimiter"), [("utf-8-sig", ";"), ("utf-8", "\t"), ("utf-16", "\t")]
)
def test_a_file_saved_by_a_spreadsheet(run: Run, path: Path, encoding: str, delimiter: str) -> None:
    """With other delimiters, and other columns in another order."""
    rows = list(csv.DictReader(SHEET.read_text("utf-8-sig").splitlines()))
    rows[0]["choice"] = "all latin1"
    with open(SHEET, "w", encoding=encoding, newline="") as new:
        writer = csv.DictWriter(new, ["mine", *reversed(rows[0])], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
    assert run("repair", path, "--choices", SHEET).stdout == "people.name: 3 values repaired: 3 chosen\n"


def test_a_file_that_lost_its_letters(fails: Fails, path: Path) -> None:
    SHEET.write_bytes(SHEET.read_text("utf-8-sig").encode("cp1252", "replace"))
    assert fails("repair", path, "--choices", SHEET) == f"{SHEET}: not UTF-8; save it as CSV UTF-8"


MEGABYTE = "CAST(CAST(replace(hex(zeroblob(250000)), '00', '12 3') AS BLOB) || x'e9' AS TEXT)"


@pytest.mark.parametrize("value", ["CAST(x'41310d0ae9' AS TEXT)", MEGABYTE])
def test_line_breaks_and_a_megabyte(run: Run, value: str) -> None:
    path = make(f"CREATE TABLE t(x); INSERT INTO t VALUES ({value})")
    ((before,),) = query(path, "SELECT x FROM t")
    assert run("repair", path, "--review", SHEET).returncode == 1
    SHEET.write_bytes(SHEET.read_bytes()[: -len("\r\n")] + b"latin1\r\n")
    done = run("repair", path, "--choices", SHEET, "--undo-log", LOG)
    assert done.stdout == "t.x: 1 value repaired: 1 chosen\n"
    assert query(path, "SELECT x FROM t") == [(before.decode("latin-1").encode(),)]
    run_in_shell(path)
    assert query(path, "SELECT x FROM t") == [(before,)]


def test_leave_is_stronger_than_all(run: Run, path: Path) -> None:
    fill_in("all latin1", "leave")
    run("repair", path, "--choices", SHEET)
    assert names(path)[:3] == ["A1é".encode(), "A1é".encode(), b"B2\xe9"]


def test_two_choices_for_a_column(fails: Fails, path: Path) -> None:
    fill_in("all latin1", "all cp1251")
    why = f"people.name: 'windows-1251' is chosen, but 'iso-8859-1' at {SHEET}:2"
    assert fails("repair", path, "--choices", SHEET) == f"{SHEET}:3: {why}"


def test_a_renamed_column_is_named(run: Run, path: Path) -> None:
    fill_in("all latin1", "latin1")
    query(path, "ALTER TABLE people RENAME name TO full_name")
    done = run("repair", path, "--choices", SHEET)
    assert done.returncode == 1 and done.stderr.splitlines() == [
        f"people.full_name: 3 values are unclear: utf8ext repair {path} --review choices.csv",
        f"{SHEET}:2: people.name: no value is unclear",
        f"{SHEET}:3: people.name: the value is no longer there, or no longer unclear; it is left",
    ]


def test_choices_for_other_tables_wait(run: Run) -> None:
    path = make(NAMES + f"CREATE TABLE city(name); INSERT INTO city VALUES ({A1})")
    run("repair", path, "--review", SHEET)
    fill_in("latin1", "all latin1", "latin1")
    done = run("repair", path, "--choices", SHEET, "--table", "city", "--no-backup")
    assert (done.stdout, done.stderr) == ("city.name: 1 value repaired: 1 chosen\n", "")
    assert names(path)[0] == b"A1\xe9"


def test_values_that_are_not_text_in_a_charset_are_counted(run: Run, path: Path) -> None:
    fill_in("all shift_jis", "utf-8")
    done = run("repair", path, "--choices", SHEET)
    assert done.stderr.splitlines()[1:] == [
        f"{SHEET}:2: people.name: 2 values are not text in shift_jis",
        f"{SHEET}:3: people.name: a value is not text in utf-8",
    ]


# ---- on a terminal ---------------------------------------------------------------------


def asked(path: Path, answers: bytes) -> str:
    """Run --ask on a terminal, and type the answers."""
    return on_terminal("repair", path, "--ask", "--no-backup", answers=answers).decode(errors="replace")


def test_ask() -> None:
    path = make(NAMES)
    output = asked(path, b"klingon\nlatin1\ntext: Curie\n")
    assert "'klingon' is not a charset" in output and "people.name, key 3, 2 rows (1 of 2)" in output
    assert names(path) == ["A1é".encode(), "A1é".encode(), b"Curie", b"Ann"]


def test_ask_for_a_column_and_to_end() -> None:
    path = make(NAMES)
    assert "(2 of 2)" not in asked(path, b"a latin1\n")
    assert names(path)[2] == "B2é".encode()
    path = make(NAMES, "b.db")
    before = path.read_bytes()
    assert "nothing was changed" in asked(path, b"latin1\nq\nn\n")
    assert path.read_bytes() == before
    asked(path, b"latin1\nq\ny\n")
    assert names(path)[:3] == ["A1é".encode(), "A1é".encode(), b"B2\xe9"]


def test_ask_keeps_what_enter_has_left() -> None:
    path = make(NAMES)
    assert "charset; accepted" in asked(path, "\na ²\na latin1\n".encode())
    assert names(path)[:3] == [b"A1\xe9", b"A1\xe9", "B2é".encode()]


def test_ask_needs_a_terminal(fails: Fails) -> None:
    assert "--ask needs a terminal" in fails("repair", make(NAMES), "--ask", stdin=-3)
