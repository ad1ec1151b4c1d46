"""rows.py: 100,000 values with all kinds of damage, and what SQL answers for them."""

import itertools
import random
import sqlite3
import unicodedata

ROWS = 100_000

TEXTS = [
    "plain text", "Straße nach Köln", "naïve café", "Привет, как дела?", "Москва", "Ελληνικά γράμματα",
    "日本語のテキスト", "中文文本和标点。", "한국어 텍스트", "Łódź, Gdańsk", "İstanbul'da çay", "Việt Nam",
    "עברית", "العربية", "ไทย", "Ørsted & Ærø", "“quoted” – €5", "ﬁ ligature ①", "😀 emoji 👩‍🔬", "Crème brûlée",
    "a rather longer value in English, with café and naïve somewhere in the middle of it", "", "x",
]
CHARSETS = {
    "Привет, как дела?": ["cp1251", "koi8-r", "cp866"], "Москва": ["cp1251", "koi8-r"],
    "日本語のテキスト": ["shift_jis", "euc_jp"], "中文文本和标点。": ["gbk"], "한국어 텍스트": ["euc_kr"],
    "Ελληνικά γράμματα": ["iso8859_7", "cp1253"], "Łódź, Gdańsk": ["cp1250", "iso8859_2"],
    "İstanbul'da çay": ["cp1254"], "עברית": ["cp1255"], "العربية": ["cp1256"], "ไทย": ["cp874"],
}


def legacy(rng: random.Random, text: str) -> bytes:
    """The text in a legacy charset."""
    return text.encode(rng.choice(CHARSETS.get(text, ["cp1252", "cp437"])), "replace")


def pasted(rng: random.Random, text: str) -> bytes:
    """UTF-8 with a part in windows-1252."""
    return text.encode() + b" caf\xe9 " + rng.choice(TEXTS).encode()


def cut(rng: random.Random, text: str) -> bytes:
    """UTF-8 cut at a byte."""
    stored = text.encode()
    return stored[: rng.randrange(len(stored) + 1)]


def changed(rng: random.Random, text: str) -> bytes:
    """UTF-8 with a byte changed."""
    stored = bytearray(text.encode() or b"-")
    stored[rng.randrange(len(stored))] = rng.randrange(256)
    return bytes(stored)


def misread(rng: random.Random, text: str) -> bytes:
    """UTF-8 that was read in another charset, once or twice."""
    for _ in range(rng.choice([1, 1, 2])):
        text = text.encode().decode(rng.choice(["cp1252", "latin1", "cp1251"]), "replace")
    return text.encode()


DAMAGES = [
    *[lambda rng, text: text.encode()] * 6,
    legacy,
    pasted,
    cut,
    changed,
    misread,
    lambda rng, text: unicodedata.normalize("NFD", text).encode(),
    lambda rng, text: b"\xef\xbb\xbf" + text.encode(),
    lambda rng, text: text.encode("utf-16-le"),
    lambda rng, text: text.encode("utf-16", "surrogatepass")[2:] + b"\xed\xa0\xbd\xed\xb8\x80\xc0\x80",
    lambda rng, text: rng.randbytes(rng.randrange(20)),
    lambda rng, text: text.encode() + rng.choice([b"\0", b"\x1b[1m", "\u200b\u202e".encode(), b"\xc2\xad"]),
    lambda rng, text: text.encode() + b" &eacute;&amp; =?utf-8?Q?caf=C3=A9?= %C3%A9 \\u00e9 =C3=A9",
]


def make_rows(count: int = ROWS) -> list:
    """Return values, some of them None. They are the same in each run."""
    rng = random.Random(41)
    rows = [rng.choice(DAMAGES)(rng, rng.choice(TEXTS)) for _ in range(count // 4)]
    rows = list(itertools.chain.from_iterable(zip(rows, *[rng.sample(rows, len(rows)) for _ in range(3)])))
    rows[::17] = [None] * len(rows[::17])
    return rows


# The functions with their arguments, as in SQL without utf8_.
CALLS = [
    ("valid",), ("valid", "cesu-8"), ("error",), ("error_offset",), ("codepoints",), ("repair",),
    ("repair", "byte", "?"), ("repair", "auto"), ("repair", "latin1"), ("repair", "escape"), ("strip_bom",),
    ("truncate", 7), ("detect",), ("cause",), ("from", "utf-8"), ("from", "windows-1252"), ("from", "gbk"),
    ("from", "utf-16le"), ("from", "binary"), ("to", "latin1"), ("to", "ascii", "closest"),
    ("to", "ascii", "xml"), ("to", "latin1", "replace", "!"), ("to", "utf-16"), ("mojibake",),
    ("demojibake",), ("demojibake", "windows-1252"), ("suspect",), ("suspect_offset",), ("strip", "invisible"),
    ("strip", "nul"), ("normalize",), ("normalize", "nfkd"), ("normalized",), ("normalized", "nfd"),
    ("casefold",), ("unaccent",), ("unescape", "html"), ("unescape", "mime"), ("unescape", "url"),
    ("unescape", "json"), ("unescape", "quoted-printable"), ("clean",), ("clean", "ftfy"),
    ("clean", "repair,html,quotes,trim"),
]

# Those that every engine runs.
FEW = [
    ("valid",), ("error",), ("error_offset",), ("repair",), ("cause",), ("mojibake",), ("demojibake",),
    ("normalize",), ("clean",),
]

TRUTHS = {"valid", "normalized"}

# The columns of utf8_readings.
READING = ["text", "cause", "charset", "language", "probability"]


class Truth:
    """What SQL answers."""

    def __init__(self, library: str, rows: list) -> None:
        self.rows = rows
        self._db = sqlite3.connect(":memory:")
        self._db.text_factory = bytes
        self._db.enable_load_extension(True)
        self._db.load_extension(library)
        self._db.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)")
        self._db.executemany("INSERT INTO t(v) VALUES (CAST(? AS TEXT))", ([row] for row in rows))
        self._known: dict = {}

    def answers(self, call: tuple) -> list:
        """Return the answers of a function for all rows, each as bytes, int, bool or None."""
        if call not in self._known:
            marks = "".join(", ?" for _ in call[1:])
            sql = f"SELECT utf8_{call[0]}(v{marks}) FROM t ORDER BY id"
            answers = [row[0] for row in self._db.execute(sql, call[1:])]
            if call[0] in TRUTHS:
                answers = [None if answer is None else bool(answer) for answer in answers]
            self._known[call] = answers
        return self._known[call]

    def readings(self) -> list:
        """Return the rows of utf8_readings for each value, as dictionaries; None for NULL."""
        if "readings" not in self._known:
            answers: list = [None if row is None else [] for row in self.rows]
            sql = f"SELECT id, {', '.join(READING)} FROM t CROSS JOIN utf8_readings(v)"
            for key, *reading in self._db.execute(sql):
                answers[key - 1].append(dict(zip(READING, reading)))
            self._known["readings"] = answers
        return self._known["readings"]

    def audit(self, column: str, where: str = "suspects = 0") -> list:
        """Return a column of utf8_audit under policy auto; None for values that it does not list."""
        answers = [None] * len(self.rows)
        sql = f"SELECT key, {column} FROM utf8_audit('main', 'auto') WHERE table_name = 't' AND {where}"
        for key, answer in self._db.execute(sql):
            answers[key - 1] = answer
        return answers

    def error(self, call: tuple, x: object = b"x") -> str:
        """Return the message of a call that fails."""
        marks = "".join(", ?" for _ in call[1:])
        try:
            self._db.execute(f"SELECT utf8_{call[0]}(?{marks})", (x, *call[1:])).fetchall()
        except sqlite3.OperationalError as error:
            return str(error)
        raise AssertionError(f"{call} does not fail")

    def value(self, sql: str) -> object:
        """Return the only value of a statement."""
        return self._db.execute(sql).fetchone()[0]


# ---- checks ----------------------------------------------------------------------------

results = {True: 0, False: 0}


def check(what: str, holds: object) -> None:
    """Count a check that must hold."""
    results[bool(holds)] += 1
    if not holds:
        print(f"FAILED: {what}")


def finish() -> bool:
    """Print the last line of a test program. Has a check failed?"""
    print(f"{results[True]} passed, {results[False]} failed")
    return results[False] > 0
