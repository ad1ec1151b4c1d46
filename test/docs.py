#!/usr/bin/env python3
"""docs.py: runs the examples in Markdown files and compares their output.

    python3 test/docs.py README.md docs/*.md

Runs two kinds of fenced block, and no other (```sh, ```python, ```text, ...).

```sql      Each statement is followed by its rows, one `-- ` line per row, with `|` between
            the columns:

                SELECT utf8_valid(x'c080'), utf8_valid(NULL);
                -- 0|NULL
                SELECT utf8_error(x'c080');  -- overlong
                INSERT INTO people VALUES (CAST(x'ff' AS TEXT));
                -- Error: CHECK constraint failed: utf8_valid(name)

            NULL stands for NULL, x'c3a9' for a BLOB, a line `--` for an empty row, and a
            line `-- ...` for any number of rows. A document cannot contain ill-formed text:
            use hex(). A statement without such lines must return no row. A `--` line after
            an empty line, or at the start of a block, is a comment. A line
            `.load ./utf8ext` is ignored, since the extension is always loaded. All blocks
            of a file run in order in one new in-memory database.

```console  sh runs each line `$ command` (continued by lines `> more`). The lines after it
            are its output, including errors; `...` stands for any number of lines. All
            blocks of a file run in order in one new directory with ./utf8ext.so and
            examples/. python3 is the Python that runs this file:

                $ sqlite3 -box shop.db '.load ./utf8ext' 'SELECT utf8_valid(x'"'ff'"') AS ok'
                ┌────┐
                │ ok │
                ├────┤
                │ 0  │
                └────┘

Each statement, each command, and each link to a file or a section is one test; and so are the
tables of a document, which must fit into WIDTH_MAX characters.

Each UPDATE that calls a function of utf8ext, in a block of any kind or in a sentence, also runs on a
table with well-formed text, NULL and ill-formed text in each column. It may not make NULL or empty
text of a value that was neither, nor a value of NULL, nor change a row of plain ASCII.
"""

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
EXTENSION = os.environ.get("EXTENSION", "utf8ext.so")
ANY = "..."
WIDTH_MAX = 120
RECORDS = ("test/", "tool/")  # complete lists that a tool writes, of any width


def blocks(path):
    """Yields (language, number of the first line, lines) for each fenced block."""
    language = None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file.read().split("\n"), 1):
            fence = re.match(r"\s*```(.*)$", line)
            if fence and language is None:
                language, first, inside = fence.group(1).strip(), number + 1, []
            elif fence:
                yield language, first, inside
                language = None
            elif language is not None:
                inside.append(line)


def matches(expected, actual):
    """Returns whether the lines are equal; ANY stands for any number of lines."""
    if ANY not in expected:
        return expected == actual
    at = expected.index(ANY)
    remainder = expected[at + 1 :]
    if expected[:at] != actual[:at]:
        return False
    return any(matches(remainder, actual[i:]) for i in range(at, len(actual) + 1))


def examples_of_sql(lines):
    """Yields (index of the line, statement, expected lines or None)."""
    statement, start, i = "", 0, 0
    while i < len(lines):
        line, i = lines[i], i + 1
        if not statement and re.match(r"\s*$|\.load |--", line):
            continue
        start = start if statement else i - 1
        statement, expected = split_statement(statement + line + "\n")
        if expected is None:
            continue
        while i < len(lines) and re.match(r"--( |$)", lines[i]):
            expected.append(lines[i][3:])
            i += 1
        yield start, statement, expected
        statement = ""
    if statement:
        yield start, statement, ["(a statement that ends)"]


def split_statement(text):
    """Returns (statement, expected lines so far), or (text, None) if it is incomplete."""
    tail = re.search(r";[ \t]*--[ \t](.*)\n$", text)
    if tail and sqlite3.complete_statement(text[: tail.start() + 1]):
        return text[: tail.start() + 1], [tail.group(1)]
    return text, ([] if sqlite3.complete_statement(text) else None)


class Text(bytes):
    """The bytes of a TEXT value; those of a BLOB are plain bytes."""


def format_value(value):
    if value is None:
        return "NULL"
    if isinstance(value, Text):
        return str(value, "utf-8")
    if isinstance(value, bytes):
        return "x'" + value.hex() + "'"
    return str(value)


def run_sql(database, statement):
    """Returns the rows of the statement as lines; if it fails, with the message."""
    lines = []
    try:
        for row in database.execute(statement):
            lines += "|".join(map(format_value, row)).split("\n")
    except UnicodeDecodeError:
        lines.append("Error: ill-formed text, which a document cannot contain: use hex()")
    except (sqlite3.Error, sqlite3.Warning) as error:
        lines.append("Error: " + str(error))
    return lines


def open_database():
    database = sqlite3.connect(":memory:", isolation_level=None)
    database.text_factory = Text
    database.enable_load_extension(True)
    database.load_extension(os.path.join(ROOT, EXTENSION))
    return database


def examples_of_console(lines):
    """Yields (index of the line, command, expected lines)."""
    command = None
    for i, line in enumerate(lines):
        if line.startswith("$ "):
            if command is not None:
                yield start, command, expected
            start, command, expected = i, line[2:], []
        elif command is not None and re.match(r">( |$)", line) and not expected:
            command += "\n" + line[2:]
        elif command is not None:
            expected.append(line)
    if command is not None:
        yield start, command, expected


def run_console(directory, commands):
    """Runs the commands in one shell. Returns a list of lines for each command."""
    mark = "\x01end of output\x01"
    script = "exec 2>&1\n" + "".join(
        f"{command}\nstatus=$?; printf '%s\\n' '{mark}'; (exit $status)\n"
        for command in commands
    )
    done = subprocess.run(
        ["sh", "-c", script], cwd=directory, stdin=subprocess.DEVNULL,
        env={**os.environ, "PATH": f"{directory}/bin:{os.environ['PATH']}"},
        stdout=subprocess.PIPE, timeout=300, check=False,
    )
    parts = done.stdout.decode("utf-8", "backslashreplace").split(mark + "\n")
    parts += ["(did not run)"] * len(commands)
    return [part.split("\n")[:-1] if part.endswith("\n") else part.split("\n")
            if part else [] for part in parts]


def make_directory():
    directory = tempfile.mkdtemp()
    for name in (EXTENSION, "examples"):
        os.symlink(os.path.join(ROOT, name), os.path.join(directory, name))
    os.mkdir(os.path.join(directory, "bin"))
    os.symlink(sys.executable, os.path.join(directory, "bin", "python3"))
    return directory


def outside_fences(path):
    """Yields (number, line) for each line outside of fenced blocks."""
    inside = False
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            fence = re.match(r"\s*```", line)
            if not fence and not inside:
                yield number, line
            inside ^= bool(fence)


def anchors(path):
    """Returns the #anchors that GitHub makes from the headings."""
    titles = (re.match(r"#+ (.*)", line) for _, line in outside_fences(path))
    return {
        re.sub(r"[^\w\- ]", "", title[1].strip().lower()).replace(" ", "-")
        for title in titles if title
    }


def run_links(path, tally):
    """Checks that the targets of links exist, except on the web and for images."""
    for number, line in outside_fences(path):
        for link in re.findall(r"(?<!!)\[[^]]*\]\((?!https?:)([^)\s]+)\)", line):
            name, _, anchor = link.partition("#")
            target = os.path.join(os.path.dirname(path), name) if name else path
            exists = os.path.exists(target) and (not anchor or anchor in anchors(target))
            tally.check(f"{path}:{number}", link, ["the target exists"],
                        ["the target exists" if exists else "there is no such target"])


def run_widths(path, tally):
    """Checks that no table is wider than WIDTH_MAX characters."""
    with open(path, encoding="utf-8") as file:
        wide = [f"{len(line)} characters: {line}" for line in file.read().split("\n")
                if line[:1] in ("|", "│") and len(line) > WIDTH_MAX]
    tally.check(path, "the tables", [], wide)


def recipes(path):
    """Yields the UPDATEs of a document that call a function of utf8ext, without their ends."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"^> ", "", file.read(), flags=re.M)
    for match in re.finditer(r"\bUPDATE (?:OR \w+ )?[\w.]+\s+SET [^;`\"]*", text):
        if "utf8_" in match[0] and "NEW." not in match[0]:
            yield match[0]


PROBES = ("'plain'", "'Zoë'", "'Привет'", "'東京'", "'cafÃ©'", "'Ïóëè Õóìðè'", "NULL",
          "CAST(x'4a6f73e9' AS TEXT)", "CAST(x'cff0e8e2e5f2' AS TEXT)", "CAST(x'e2' AS TEXT)")


def probe_table(database, recipe):
    """Makes the table of a recipe, with a row of each probe. Returns a SELECT of its columns."""
    name = re.match(r"UPDATE (?:OR \w+ )?([\w.]+)", recipe)[1]
    if "." in name:
        database.execute(f"ATTACH ':memory:' AS {name.split('.')[0]}")
    database.execute(f"CREATE TABLE {name}(id INTEGER PRIMARY KEY)")
    columns = []
    while True:
        try:
            database.execute("EXPLAIN " + recipe)
            break
        except sqlite3.OperationalError as error:
            columns.append(re.fullmatch(r"no such column: (\w+)", str(error))[1])
            database.execute(f"ALTER TABLE {name} ADD COLUMN {columns[-1]} TEXT")
    for probe in PROBES:
        values = ", ".join([probe] * len(columns))
        database.execute(f"INSERT INTO {name}({', '.join(columns)}) VALUES ({values})")
    return f"SELECT {', '.join(columns)} FROM {name} ORDER BY id"


def losses(recipe):
    """Returns a line for each value that a recipe loses."""
    database = open_database()
    try:
        select = probe_table(database, recipe)
        before = database.execute(select).fetchall()
        database.execute(recipe)
        after = database.execute(select).fetchall()
        pairs = [(old, new) for row in zip(before, after) for old, new in zip(*row)]
        return [f"{old} becomes {new}" for old, new in pairs
                if bool(old) != bool(new) or (old == b"plain" and new != old)]
    finally:
        database.close()


def run_recipes(path, tally):
    """Checks that the UPDATEs of a document lose no value."""
    for recipe in recipes(path):
        tally.check(path, recipe, [], losses(recipe))


class Tally:
    passed = 0
    failed = 0

    def check(self, where, source, expected, actual):
        if matches(expected, actual):
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED: {where}: {source.strip()}")
        print("  expected:", *expected, sep="\n    ")
        print("  actual:", *actual, sep="\n    ")


def run_file(path, tally):
    database, directory = open_database(), make_directory()
    try:
        for language, first, lines in blocks(path):
            if language == "sql":
                for index, statement, expected in examples_of_sql(lines):
                    actual = run_sql(database, statement)
                    tally.check(f"{path}:{first + index}", statement, expected, actual)
            elif language == "console":
                examples = list(examples_of_console(lines))
                outputs = run_console(directory, [command for _, command, _ in examples])
                for (index, command, expected), actual in zip(examples, outputs):
                    tally.check(f"{path}:{first + index}", command, expected, actual)
    finally:
        database.close()
        shutil.rmtree(directory)


def main(paths):
    tally = Tally()
    for path in paths:
        run_file(path, tally)
        run_links(path, tally)
        run_recipes(path, tally)
        if not path.startswith(RECORDS):
            run_widths(path, tally)
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed else 0


if __name__ == "__main__":
    if not hasattr(sqlite3.Connection, "enable_load_extension"):
        print("SKIPPED: docs: this Python's sqlite3 cannot load extensions")
        print("0 passed, 0 failed")
        sys.exit(0)
    sys.exit(main(sys.argv[1:]))
