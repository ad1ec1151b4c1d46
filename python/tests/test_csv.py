"""The records of the CSV files in test/csv.json, which the page for browsers reads too."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import utf8ext

ROOT = Path(__file__).resolve().parents[2]

CASES = json.loads((ROOT / "test/csv.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_records(tmp_path: Path, case: dict[str, Any]) -> None:
    file, database = tmp_path / case.get("file", "a.csv"), tmp_path / "my.db"
    file.write_bytes(case["text"].encode())
    utf8ext.import_csv(file, database, "t", header=False)
    with closing(sqlite3.connect(database)) as connection:
        assert [list(row) for row in connection.execute("SELECT * FROM t")] == case["records"]
