"""The command's functions in Python: detect() and convert()."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import utf8ext
from conftest import make

RUSSIAN = "Привет, как дела? Всё хорошо, спасибо!\n"


# ---- detect ----------------------------------------------------------------------------


def test_detect() -> None:
    assert utf8ext.detect(RUSSIAN.encode("koi8-r"))[0].charset == "koi8-r"
    first, *others = utf8ext.detect("Zuñiga".encode("cp1252"))
    assert isinstance(first, utf8ext.Guess)
    assert 0 < others[-1].score <= first.score <= 1
    assert utf8ext.detect(b"x") == [("ascii", 1.0)]
    assert utf8ext.detect(b"") == [("ascii", 1.0)]
    assert utf8ext.detect(b"\xef\xbb\xbfx") == [("utf-8-bom", 1.0)]
    assert utf8ext.detect(bytes(range(256)) * 9)[0].charset == "binary"


# ---- convert ---------------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "a.txt"
    path.write_bytes(RUSSIAN.encode("cp1251"))
    return path


def test_convert(path: Path, tmp_path: Path) -> None:
    shown: list[tuple[str, float]] = []
    done = utf8ext.convert(path, tmp_path / "b.txt", progress=lambda *what: shown.append(what))
    assert done == utf8ext.Converted("windows-1251", "windows-1251", 0, 0)
    assert (tmp_path / "b.txt").read_text("utf-8") == RUSSIAN
    assert shown[-1] == (f"Converting {path}", 1.0)
    utf8ext.convert(str(path), str(path) + ".16", source="cp1251", target="utf-16")
    assert Path(f"{path}.16").read_text("utf-16") == RUSSIAN


def test_convert_in_place(path: Path) -> None:
    assert utf8ext.convert(path).charset == "windows-1251"
    assert path.read_text("utf-8") == RUSSIAN
    assert Path(f"{path}.utf8ext-backup").read_bytes() == RUSSIAN.encode("cp1251")
    path.write_bytes("Größe\n".encode() + b"\xff\n")
    with pytest.raises(utf8ext.Error, match="1 error in utf-8; the file stays as it was"):
        utf8ext.convert(path, source="utf-8")
    assert path.read_bytes().endswith(b"\xff\n")
    done = utf8ext.convert(path, source="utf-8", policy="subpart", backup=False)
    assert done == ("utf-8", None, 1, 1, 0, 0, None)
    assert path.read_text("utf-8") == "Größe\n\ufffd\n"


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        (b"\0\xff\0\xfe\1\2", {}, "looks like binary data"),
        (b"Jos\xe8", {}, "1 line is unclear, the first is line 1; it may be in .*windows-1252"),
        (b"x", {"source": "koi9"}, r"^source is 'koi9'; accepted: koi, koi8-u, koi8-t, \.\.\.$"),
        (b"x", {"target": "koi9"}, r"^target is 'koi9'; accepted: koi, koi8-u, koi8-t, \.\.\.$"),
        (b"x", {"source": "latin1", "policy": "byte"}, "a policy repairs UTF-8"),
        ("я".encode(), {"target": "latin1"}, "U\\+044F я is not in iso-8859-1"),
        (b"x", {"output": "/"}, "/: "),
    ],
)
def test_convert_errors(path: Path, data: bytes, options: dict[str, str], message: str) -> None:
    path.write_bytes(data)
    with pytest.raises(utf8ext.Error, match=message) as caught:
        utf8ext.convert(path, **options)  # type: ignore[arg-type]
    assert "--" not in str(caught.value), "the message speaks of options of the command"
    assert path.read_bytes() == data


def test_convert_refuses_its_input(path: Path) -> None:
    with pytest.raises(utf8ext.Error, match="is input and output"):
        utf8ext.convert(path, path)
    with pytest.raises(utf8ext.Error, match="No such file"):
        utf8ext.convert(path.with_name("none.txt"), "-")


# ---- without the packages of the command -----------------------------------------------


def test_functions_need_no_other_package(path: Path, tmp_path: Path) -> None:
    """Of apsw, click, rich and jinja2, only what sqlite3 cannot do needs one."""
    if not hasattr(__import__("sqlite3").Connection, "enable_load_extension"):
        pytest.skip("sqlite3: this Python's cannot load extensions")
    code = f"""
import sys
for name in ("apsw", "click", "rich", "jinja2"):
    sys.modules[name] = None
import utf8ext
assert utf8ext.detect(b"x")[0].charset == "ascii"
assert utf8ext.convert({str(path)!r}).charset == "windows-1251"
assert utf8ext.clean("x") == "x"
assert utf8ext.import_csv({str(path)!r}, {str(tmp_path / "my.db")!r}).rows == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=tmp_path)


# ---- audit and repair ------------------------------------------------------------------


def test_audit() -> None:
    shown: list[str] = []
    path = make()
    first, second = utf8ext.audit(path, progress=lambda what, _: shown.append(what))
    assert isinstance(first, utf8ext.Found)
    assert (first.table, first.column, first.key) == ("people", "name", 17)
    assert (first.offset, first.error, first.excerpt) == (3, "truncated", "Jos\\xe9")
    assert str(first.repair_sql).startswith('UPDATE "main"."people"')
    assert (second.column, second.cause, second.repair_sql) == ("note", "unclear", None)
    assert [found.column for found in utf8ext.audit(path, columns=["NOTE"])] == ["note"]
    assert [found.repaired for found in utf8ext.audit(path, policy="latin1")][0] == "José"
    assert list(utf8ext.audit(str(make("CREATE TABLE t(x)", "clean.db")))) == []


def test_audit_of_suspects() -> None:
    path = make("CREATE TABLE t(x); INSERT INTO t VALUES ('cafÃ©'), (char(8203))")
    (found,) = utf8ext.audit(path)
    assert (found.error, found.cause, found.repaired) == (
        "mojibake",
        "mojibake windows-1252",
        "café",
    )
    assert [found.error for found in utf8ext.audit(path, suspects=True)] == ["mojibake", "invisible"]


def test_audit_errors(path: Path) -> None:
    """What cannot be read is an error at once, not when the first finding is taken."""
    for what, options, message in (
        (path, {}, "not an SQLite database"),
        (path.with_name("none.db"), {}, "No such file"),
        (make(), {"tables": ["peple"]}, "did you mean 'people'"),
    ):
        with pytest.raises(utf8ext.Error, match=message):
            utf8ext.audit(what, **options)  # type: ignore[arg-type]
    with pytest.raises(utf8ext.Error, match=r"utf8_audit: argument 2 \(policy\) is 'x'; accepted: "):
        list(utf8ext.audit(make(name="b.db"), policy="x"))


def test_audit_can_end_early() -> None:
    path = make()
    findings = utf8ext.audit(path)
    next(findings)
    findings.close()
    assert utf8ext.repair(path, backup=False).found


def test_repair(tmp_path: Path) -> None:
    path = make()
    done = utf8ext.repair(path, charset="latin1", columns=["name"], undo_log=tmp_path / "undo.sql")
    assert isinstance(done, utf8ext.Repaired) and done.found
    assert [(column.table, column.column, column.values) for column in done.columns] == [
        ("people", "name", 1)
    ]
    assert done.backup == Path(f"{path}.utf8ext-backup") and done.undo_log == tmp_path / "undo.sql"
    assert [found.column for found in utf8ext.audit(path)] == ["note"]
    (found,) = utf8ext.audit(path, tables="People", columns="NOTE")  # one name each
    assert found.column == "note"
    with pytest.raises(utf8ext.Error, match="exists and is not overwritten"):
        utf8ext.repair(path, policy="subpart")


def test_all_names_are_there() -> None:
    assert all(hasattr(utf8ext, name) for name in utf8ext.__all__)
    assert not hasattr(utf8ext, "repairs")


# ---- README.md -------------------------------------------------------------------------


def test_the_example_of_the_readme() -> None:
    make()
    for name in ("old.csv", "new.csv"):
        Path(name).write_bytes("id,город\n1,Москва и Минск\n".encode("cp1251"))
    text = Path(__file__).parents[1].joinpath("README.md").read_text("utf-8")
    code = text.partition("## Functions")[2].partition("```python\n")[2].partition("```")[0]
    assert code.count("utf8ext.") == 8
    exec(code, {})
    assert Path("utf8.csv").read_text("utf-8").endswith("Москва и Минск\n")
    assert Path("undo.sql").exists()
    functions = set(re.findall(r"^\| `(\w+)\(", text, re.MULTILINE))
    assert functions == {name for name in utf8ext.__all__ if name.islower()} - LOADERS


LOADERS = {"load", "load_async", "loadable_path", "__version__"}
