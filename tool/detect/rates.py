#!/usr/bin/env python3
"""rates.py: measures utf8_detect on a test set that it generates.

    python3 tool/detect/rates.py --write     # writes the tables of tool/detect/rates.md
    python3 tool/detect/rates.py --check     # fails, with a diff, if they changed

The test set: texts of many languages, from small models (frequent words, or frequent
characters and a few rare ones, with the language's punctuation, digits and lines), cut to
lengths from 2 bytes to 10 KB, in every charset that has their characters; and values that are
not text. A seed determines it, so it is the same on every machine.

An answer is correct if the value, decoded by it, is the text: pure ASCII may be called UTF-8.
For values that are not text, and for rfc2044, whose code points are beyond Unicode, the answer
itself must be correct.
"""

import collections
import os
import re
import sqlite3
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import generated  # noqa: E402

PAGE = "tool/detect/rates.md"
SEED = 3629
LENGTHS = [2, 4, 8, 16, 32, 64, 128, 256, 1024, 10240]
GROUPS = [("2-4 bytes", 2, 4), ("8-16 bytes", 8, 16), ("32-128 bytes", 32, 128),
          ("256 bytes to 10 KB", 256, 10240)]
SAMPLES = 8  # of each language, charset and length


class Random:
    """Generates the same numbers in every version of Python (splitmix64)."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state + 0x9E3779B97F4A7C15) & (2**64 - 1)
        z = self.state
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & (2**64 - 1)
        z = (z ^ z >> 27) * 0x94D049BB133111EB & (2**64 - 1)
        return ((z ^ z >> 31) >> 11) % limit

    def often(self, items):
        """One of items, the first ones most often, like words by Zipf's law."""
        return items[min(self.below(len(items)), self.below(len(items)))]

    def bytes(self, size):
        return bytes(self.below(256) for _ in range(size))


# ---- models of languages -----------------------------------------------------------------

WORDS = {
    "English": "the of and to in a is that it was for on are with as his they at be this "
               "from have or by one had not but what all were when we there can an your",
    "German": "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine "
              "als auch es an werden aus er hat daß sie nach wird bei über können größer "
              "müssen während Straße schön Übung Äpfel ändern früh Größe",
    "French": "de la le et les des en un du une que est pour qui dans a par plus pas au sur "
              "ne se été même où être français très après année élève déjà garçon à "
              "ça tête forêt hôtel Noël",
    "Spanish": "de la que el en y a los del se las por un para con no una su al es más como "
               "está año niño también según después qué días país señor corazón",
    "Polish": "i w się na nie z do to że jest o jak ale po co tak za od czy już przez być "
              "może który był także więc święto źródło żółty łódź ćma",
    "Turkish": "ve bir bu da de için ile çok daha olarak gibi olan ne kadar sonra değil "
               "şey güzel dün ağaç ışık yağmur öğrenci İstanbul",
    "Vietnamese": "và của là có trong được cho một những không người với các đã này khi "
                  "đến nhiều năm việt tiếng nước rất cũng",
    "Russian": "и в не на я быть он с что а по это она этот к но они мы весь который из у "
               "то за свой год сказать время человек день ещё рука дело жизнь",
    "Ukrainian": "і в не на що я з у він це до як та за але її від який було їх про ще бути "
                 "рік життя людина під день може ґанок",
    "Greek": "και το να του η της με που την από για είναι στο ο οι τα σε δεν τον θα τους "
             "μια ένα ως κατά άνθρωπος ημέρα ζωή ελληνικά χώρα",
    "Hebrew": "של את על לא הוא זה עם כל גם היא אני אם או כי מה יש אבל היה אחד יותר רק "
              "שנה יום ישראל אנשים שלום",
    "Arabic": "في من على أن إلى هذا التي عن مع كان هذه لا ما بعد كل بين قد ذلك عند يوم "
              "سنة الناس اللغة العربية كتاب مدينة",
    "Hindi": "के में की है और से को का एक यह पर नहीं हैं कि भी इस ने कर तो ही था लिए "
             "साल दिन भारत हिन्दी लोग समय",
    "Thai": "ที่ การ และ ใน เป็น ของ ได้ มี ให้ ว่า ไม่ จะ คน วัน ไทย ภาษา เมือง ปี",
    "Korean": "이 그 수 것 있다 하다 나는 우리 사람 한국 말을 그리고 하지만 시간 오늘 "
              "학교 나라 세계 좋은 많은 에서 으로 까지 했다",
    "Japanese": "の に は を た が で て と し れ さ ある いる も する から な こと として "
                "日本 東京 今日 時間 人間 世界 言葉 です ます コーヒー テレビ 学校",
    "Chinese": "的 一 是 不 了 在 人 有 我 他 这 中 大 来 上 国 和 到 说 们 为 子 你 地 出 道 也 "
               "时 年 得 就 那 要 下 以 生 会 自 着 去 之 过 家 学 对 可 里 后 小 么 心 多 天 而 能 "
               "好 都 然 没 日 于 起 还 发 成 事 只 作 当 想 看 文 无 开 手 用 主 行 方 如 前 所 本 "
               "见 经 头 面 公 同 三 已 老 从 动 两 长",
    "emoji": "so nice 😀 see you 🎉 thanks 👍 lol 😂 😂 love 💕 it 🚀 today 🌍 🏳 ok 🤔 yes",
}
WORDS = {language: words.split() for language, words in WORDS.items()}
WESTERN = ["German", "French", "Spanish"]
UNSPACED = {"Thai": (" ", "", "\n"), "Japanese": ("、", "。", "。\n"),
            "Chinese": ("，", "。", "。\n")}
QUOTED = [("“", "”"), ("‘", "’"), ("„", "“")]


def rare(random, language):
    """A number or, in Chinese, also any of the first 20,902 ideographs of Unicode."""
    if language == "Chinese" and random.below(3):
        return chr(0x4E00 + random.below(0x9FA6 - 0x4E00))
    return str(random.below(10 ** (1 + random.below(4))))


def sentence(random, language, smart):
    words = [rare(random, language) if random.below(12) == 0
             else random.often(WORDS[language]) for _ in range(3 + random.below(10))]
    if language in UNSPACED:
        pause, stop, line = UNSPACED[language]
        text = "".join(w + (pause if random.below(6) == 0 else "") for w in words)
        return text + (line if random.below(4) == 0 else stop)
    words[0] = words[0][:1].upper() + words[0][1:]
    text = "".join(w + (", " if random.below(8) == 0 else " ") for w in words).rstrip(", ")
    if smart and random.below(2):
        before, after = QUOTED[random.below(3)]
        text = before + text + after + " – " + str(random.below(100)) + " €"
    return text + (".\n" if random.below(4) == 0 else ". ")


PAGE_SIZE = 30000  # code points generated for each language; texts are parts of them
pages = {}


def long_text(language, size):
    """Sentences of at least size bytes of UTF-8, for the benchmarks."""
    random, parts = Random(SEED), []
    while size > 0:
        parts.append(sentence(random, language, False))
        size -= len(parts[-1].encode())
    return "".join(parts)


def text_of(random, language, smart, length):
    """A text of at most `length` code points from a random place in the language's page."""
    if (language, smart) not in pages:
        source, page = Random(SEED + len(pages)), ""
        while len(page) < PAGE_SIZE:
            page += sentence(source, language, smart)
        pages[language, smart] = page
    start = random.below(PAGE_SIZE - length)
    return pages[language, smart][start:start + length].lstrip()


# ---- charsets, and values that are not text ------------------------------------------------

def cesu8(text):
    return "".join(c if c < "\U00010000" else
                   chr(0xD800 + (ord(c) - 0x10000 >> 10)) + chr(0xDC00 + (ord(c) & 0x3FF))
                   for c in text).encode("utf-8", "surrogatepass")


ENCODE = {
    "ascii": lambda t: t.encode("ascii"),
    "utf-8": lambda t: t.encode("utf-8"),
    "utf-8-bom": lambda t: t.encode("utf-8-sig"),
    "utf-16": lambda t: b"\xfe\xff" + t.encode("utf-16-be"),
    "utf-16le": lambda t: t.encode("utf-16-le"),
    "utf-16be": lambda t: t.encode("utf-16-be"),
    "utf-32": lambda t: b"\xff\xfe\0\0" + t.encode("utf-32-le"),
    "utf-32le": lambda t: t.encode("utf-32-le"),
    "utf-32be": lambda t: t.encode("utf-32-be"),
    "iso-8859-1": lambda t: t.encode("latin-1"),
    "windows-1252": lambda t: t.encode("cp1252"),
    "cesu-8": cesu8,
    "mutf-8": lambda t: cesu8(t).replace(b"\0", b"\xc0\x80"),
    "rfc2044": lambda t: t.encode("utf-8").replace(b" ", b"\xf8\x88\x80\x80\x80", 1),
}


# Charsets that are compared by what their text says, and their languages. Python's codec of
# the same name encodes it.
LEGACY = {
    "cp437": WESTERN, "cp850": WESTERN, "macintosh": WESTERN,
    "windows-1250": ["Polish"], "iso-8859-2": ["Polish"], "cp852": ["Polish"],
    "windows-1251": ["Russian", "Ukrainian"], "iso-8859-5": ["Russian", "Ukrainian"],
    "koi8-r": ["Russian"], "koi8-u": ["Ukrainian"], "ibm866": ["Russian"], "cp855": ["Russian"],
    "x-mac-cyrillic": ["Russian", "Ukrainian"],
    "windows-1253": ["Greek"], "iso-8859-7": ["Greek"], "windows-1254": ["Turkish"],
    "windows-1255": ["Hebrew"], "iso-8859-8": ["Hebrew"],
    "windows-1256": ["Arabic"], "iso-8859-6": ["Arabic"], "windows-874": ["Thai"],
    "shift_jis": ["Japanese"], "euc-jp": ["Japanese"], "iso-2022-jp": ["Japanese"],
    "gbk": ["Chinese"], "euc-kr": ["Korean"],
}
CODECS = {"windows-874": "cp874", "x-mac-cyrillic": "mac_cyrillic"}
CODEC = {name: CODECS.get(name, name) for name in LEGACY}
ENCODE.update({name: lambda t, codec=codec: t.encode(codec) for name, codec in CODEC.items()})


def languages_of(charset):
    if charset == "ascii":
        return ["English"]
    if charset in LEGACY:
        return LEGACY[charset]
    if charset in ("iso-8859-1", "windows-1252"):
        return WESTERN
    if charset in ("cesu-8", "mutf-8"):
        return ["emoji"]
    return list(WORDS)


def cut(text, encode, size):
    """The longest prefix whose encoding has at most size bytes."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if len(encode(text[:middle])) <= size:
            low = middle
        else:
            high = middle - 1
    return text[:low]


def texts(random, charset):
    for language in languages_of(charset):
        for length in LENGTHS:
            for _ in range(SAMPLES * (3 if len(languages_of(charset)) < 4 else 1)):
                text = text_of(random, language, charset == "windows-1252", length)
                if charset == "mutf-8":
                    text = text.replace(" ", "\0", 1)
                if charset in LEGACY:
                    text = text.encode(CODEC[charset], "ignore").decode(CODEC[charset])
                text = cut(text, ENCODE[charset], length)
                value = ENCODE[charset](text)
                has = {"windows-1252": re.search(rb"[\x80-\x9f]", value),
                       "iso-8859-1": re.search(rb"[\xa0-\xff]", value),
                       "cesu-8": b"\xed" in value, "mutf-8": b"\xc0\x80" in value,
                       "rfc2044": b"\xf8" in value}
                if text and has.get(charset, charset not in LEGACY or not text.isascii()):
                    yield language, length, text, value


def walk(random, size, step):
    """Readings of a sensor: 16-bit numbers, each close to the one before."""
    level, out = 1000 + random.below(20000), b""
    while len(out) < size:
        level = (level + random.below(2 * step) - step) % 32768
        out += struct.pack("<h", level)
    return out[:size]


def records(random, size):
    """Structs of a C program: a number, flags, and a name padded with NUL."""
    out = b""
    while len(out) < size:
        name = random.often(WORDS["English"]).encode()[:11].ljust(12, b"\0")
        out += struct.pack("<IHH", random.below(100000), random.below(9), 0) + name
    return out[:size]


BINARY = {
    "random bytes": lambda r, n: r.bytes(n),
    "16-bit readings": lambda r, n: walk(r, n, 500),
    "32-bit numbers": lambda r, n: b"".join(
        struct.pack("<I", r.below(10 ** (1 + r.below(6)))) for _ in range(-(-n // 4)))[:n],
    "doubles": lambda r, n: b"".join(
        struct.pack("<d", r.below(10 ** 6) / 100) for _ in range(-(-n // 8)))[:n],
    "records": records,
    "NUL after ASCII": lambda r, n: (" ".join(
        r.often(WORDS["English"]) for _ in range(n)).encode())[:n - 1] + b"\0",
}


def corpus():
    """Yields (truth, language or kind, length, text or None, value)."""
    for number, charset in enumerate(ENCODE):
        for sample in texts(Random(SEED + number), charset):
            yield charset, *sample
    for number, (kind, make) in enumerate(BINARY.items()):
        random = Random(SEED + 100 + number)
        for length in LENGTHS:
            for _ in range(3 * SAMPLES):
                yield "binary", kind, length, None, make(random, length)


# ---- the detector --------------------------------------------------------------------------------

def utf8ext():
    db = sqlite3.connect(":memory:")
    db.enable_load_extension(True)
    db.load_extension(os.path.abspath(os.environ.get("UTF8EXT_SO", "utf8ext")))

    def detect(value):
        return db.execute("SELECT utf8_detect(?)", (value,)).fetchone()[0]

    def decode(value, name):
        if name == "binary":
            return None
        return db.execute("SELECT utf8_from(?, ?)", (value, name)).fetchone()[0]
    return detect, decode


def is_correct(truth, text, value, name, decode):
    if text is None or truth == "rfc2044":
        return name.lower() == truth
    return name != "binary" and decode(value, name) == text


# ---- tables ---------------------------------------------------------------------------------------

def percent(correct, total):
    return f"{100 * correct / total:.0f}" if total else ""


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows])


class Tally:
    """Counts the answers of utf8_detect, and the wrong ones.

    answers and wrong have the keys (truth, length, answer); kinds and wrong_kinds, the language or kind of value.
    """

    def __init__(self):
        self.answers, self.wrong = collections.Counter(), collections.Counter()
        self.kinds, self.wrong_kinds = collections.Counter(), collections.Counter()
        detect, decode = utf8ext()
        for truth, kind, length, text, value in corpus():
            name = detect(value)
            correct = is_correct(truth, text, value, name, decode)
            if truth == name and text is not None and truth != "rfc2044":
                assert correct, (truth, value)  # utf8_from decodes what utf8_detect recognises
            self.answers[truth, length, name] += 1
            self.wrong[truth, length, name] += not correct
            self.kinds[kind] += 1
            self.wrong_kinds[kind] += not correct

    def share(self, truth, low, high):
        total = summed(self.answers, truth, low, high).total()
        return percent(total - summed(self.wrong, truth, low, high).total(), total)

    def confusion(self, low, high):
        names = [name for name in TRUTHS if name not in LEGACY]
        rows = []
        for truth in names:
            counts = summed(self.answers, truth, low, high)
            row = [counts.pop(name, 0) for name in names] + [sum(counts.values())]
            rows.append([truth] + [n or "" for n in row])
        return table(["charset \\ answer"] + names + ["legacy"], rows)

    def mistakes(self, truth, low, high):
        """The wrong answers, the most frequent first."""
        by_count = sorted(summed(+self.wrong, truth, low, high).items(), key=lambda x: (-x[1], x[0]))
        return ", ".join(f"{answer} {count}" for answer, count in by_count)


def summed(counts, truth, low, high):
    """The number of each answer, of counts by (truth, length, answer)."""
    sums = collections.Counter()
    for (name, length, answer), count in counts.items():
        if name == truth and low <= length <= high:
            sums[answer] += count
    return sums


TRUTHS = list(ENCODE) + ["binary"]


def our_tables(tally):
    size = lambda n: f"{n} B" if n < 1024 else f"{n // 1024} KB"
    parts = ["Correct answers in percent, by length:\n",
             table(["", *map(size, LENGTHS)],
                   [[t] + [tally.share(t, n, n) for n in LENGTHS] for t in TRUTHS])]
    parts += ["\nBy language or kind of value, all lengths and charsets:\n",
              by_kind(tally)]
    for name, low, high in GROUPS:
        parts += [f"\nAnswers for each charset, {name}:\n", tally.confusion(low, high)]
    return "\n".join(parts + ["\nWrong answers for legacy charsets:\n", legacy_mistakes(tally)])


def legacy_mistakes(tally):
    rows = [[truth] + [tally.mistakes(truth, low, high) for _, low, high in GROUPS]
            for truth in ["iso-8859-1", "windows-1252", *LEGACY]]
    return table(["charset", *(name for name, _, _ in GROUPS)],
                 [row for row in rows if any(row[1:])])


def by_kind(tally):
    rows = [[kind, total, percent(total - tally.wrong_kinds[kind], total)] for kind, total in tally.kinds.items()]
    return table(["", "values", "correct, %"], rows)


def page():
    return {PAGE: generated.with_part(generated.read(PAGE), "ours", "tool/detect/rates.py", our_tables(Tally()))}


if __name__ == "__main__":
    generated.main(__doc__, page)
