"""The records of the CSV files in test/csv.json, which the page for browsers reads too.

The page keeps a file's quotes; where import reads escapes, `import` has its records.

`misplaced` has the line and the column of each cell in which text follows the closing quote.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import utf8ext
from conftest import Run, table, write

ROOT = Path(__file__).resolve().parents[2]

CASES = json.loads((ROOT / "test/csv.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_records(case: dict[str, Any]) -> None:
    file = write(case["text"], case.get("file", "a.csv"))
    imported = utf8ext.import_csv(file, "my.db", "t", header=False)
    assert table("t")[1:] == case.get("import", case["records"])
    problems = (problem for problem in imported.problems if problem.kind == "misplaced quote")
    misplaced = [[problem.line, problem.column] for problem in problems]
    assert misplaced == case.get("misplaced", [])


def test_misplaced_quotes_are_printed(run: Run) -> None:
    """With the names of the table, and all of them in the report."""
    write('name;n\n"Rex" the dog;1\n"he said "hi"";"2" \n', "a.csv")
    done = run("import", "a.csv", "my.db", "--report", "r.csv")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[3:] == [
        'a.csv:2: misplaced quote: name: "Rex" the dog was read as Rex the dog',
        'a.csv:3: misplaced quote: n: "2"  was read as 2 ',
        'a.csv:3: misplaced quote: name: "he said "hi"" was read as he said hi""',
        "misplaced quote: in CSV, quotes inside of quotes are doubled, and only a delimiter follows; "
        "--quote none takes quotes for text",
    ]
    report = Path("r.csv").read_text("utf-8").splitlines()
    assert report[1] == 'a.csv,2,name,misplaced quote,"""Rex"" the dog was read as Rex the dog",'
    assert len(report) == 4
