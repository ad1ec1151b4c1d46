"""How fast the command starts, and how fast it decides many small files."""

from __future__ import annotations

import random
import resource
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import COMMAND

# What is slow to import: each takes 3 to 80 ms.
_SLOW = ("asyncio", "ctypes", "jinja2", "multiprocessing", "rich", "secrets", "unittest", "utf8ext.arrow")

_IMPORTED = """
import sys
sys.argv = ["utf8ext", *sys.argv[1:]]
from utf8ext.__main__ import main
try:
    main()
finally:
    print(*(name for name in sys.modules if not name.startswith("_")), file=sys.stderr)
"""


def _imported(*arguments: str) -> set[str]:
    """Return the modules that a run of the command has imported."""
    done = subprocess.run([sys.executable, "-c", _IMPORTED, *arguments], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("command", ["check", "clean", "detect", "convert --from auto"])
def test_a_file_needs_no_slow_module(tmp_path: Path, command: str) -> None:
    file = tmp_path / "a.txt"
    file.write_bytes(b"caf\xe9\n")
    name, *options = command.split()
    if name == "convert":  # calls the C functions of the library itself
        assert _imported(name, str(file), *options) & set(_SLOW) == {"ctypes"}
    else:
        assert _imported(name, str(file), *options).isdisjoint(_SLOW)


@pytest.mark.parametrize("command", ["audit", "report", "repair", "import", "charsets"])
def test_the_help_needs_no_slow_module(command: str) -> None:
    imported = _imported(command, "--help")
    assert "utf8ext.command" in imported
    assert imported & set(_SLOW) <= ({"ctypes"} if command == "import" else set())


def test_the_list_of_commands_imports_none() -> None:
    assert _imported("--help").isdisjoint({f"utf8ext.command.{name}" for name in ("audit", "detect", "import_")})


# ---- many small files ------------------------------------------------------------------------

_WORDS = {
    "windows-1252": "garçon élève fenêtre où déjà être naïf cœur même français réponse été",
    "windows-1250": "žluťoučký kůň úpěl ďábelské ódy příliš město člověk řeka věc dítě že",
    "koi8-r": "привет город человек время жизнь день рука работа слово место дело",
    "iso-8859-7": "καλημέρα κόσμε άνθρωπος ημέρα χρόνος ζωή σπίτι δρόμος πόλη λόγος",
    "windows-1255": "שלום עולם אדם יום זמן חיים בית דרך עיר מילה עבודה מקום יד",
    "shift_jis": "日本語 の テスト 東京 会社 時間 人間 仕事 言葉 場所 手 生活 こんにちは",
    "gbk": "中文 测试 北京 公司 时间 人民 工作 语言 地方 生活 世界 国家 你好",
    "utf-8": "naïve Привет 日本語 καλημέρα žluťoučký",
}
_FILES, _FILE_SIZE = 425, 16 << 10


def _write_files(folder: Path) -> list[str]:
    chosen = random.Random(38)
    paths = []
    for number in range(_FILES):
        charset = list(_WORDS)[number % len(_WORDS)]
        words = _WORDS[charset].split()
        text = "".join(f"{chosen.choice(words)}{chosen.choice('  ,.')}{chr(10) * (i % 9 == 0)}" for i in range(2500))
        paths.append(folder / f"{number}.txt")
        paths[-1].write_bytes(text.encode(charset)[:_FILE_SIZE])
    return [str(path) for path in paths]


def test_many_small_files(tmp_path: Path) -> None:
    """Decides 425 files in about a second of a processor; one that scores all charsets needs 16."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([COMMAND, "detect", *_write_files(tmp_path)], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 1 and done.stdout.count("\n") == _FILES, done.stderr
    assert after.ru_utime - before.ru_utime < 5
