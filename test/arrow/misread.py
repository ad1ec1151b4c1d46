#!/usr/bin/env python3
"""misread.py: what a column shows to be misread is found and restored as utf8_audit finds and restores it.

    sh test/arrow.sh     # in an environment with pyarrow

Prints a line for each column that differs, and 'N passed, N failed' as the last line.
"""

import collections
import json
import random
import sys

import pyarrow as pa
import rows
from rows import check, finish

import utf8ext.arrow as ua

LIBRARY = sys.argv[1]
RUSSIAN = "Иванов Петров Сидоров Кузнецов Попова Васильев Смирнов Новиков".split()

# Charsets, in which their text was read, and values.
READ = [
    ("cp1251", "latin-1", RUSSIAN),
    ("koi8-r", "latin-1", ["Москва", "Петербург", "Новосибирск", "Екатеринбург"]),
    ("cp866", "cp1252", ["Москва", "Петербург", "Новосибирск", "Екатеринбург"]),
    ("cp1253", "cp1252", ["Αθήνα", "Θεσσαλονίκη", "Πάτρα", "Ηράκλειο", "Λάρισα"]),
    ("cp1255", "cp1252", ["ירושלים", "תל אביב", "חיפה", "באר שבע", "אשדוד", "נתניה"]),
    ("cp874", "latin-1", ["กรุงเทพมหานคร", "เชียงใหม่", "ขอนแก่น", "นครราชสีมา"]),
    ("gbk", "latin-1", ["北京市", "上海市", "广州市", "深圳市", "天津市", "重庆市", "南京市", "武汉市"]),
    ("euc-kr", "latin-1", ["서울특별시", "부산광역시", "대구광역시", "인천광역시"]),
]

# Charsets in which UTF-8 was read, and values; alone, some of each are unclear.
READ_AS = [
    ("cp1252", "Žilina Žďár Západní Olomouc Třebíč Říčany Kroměříž Šumperk POTÉ Álava ÎLE Łódź".split()),
    ("cp850", "Požeka mrežina Düsseldorf Köln Würzburg O’Higgins Müller Zürich Göttingen Ñuñoa".split()),
    ("cp1250", "Żywiec Łódź Gdańsk Świdnica Kraków Poznań Częstochowa Bełchatów Ząbki Źródła".split()),
    ("iso8859_2", "Przemyśl Łódź też Gdańsk już Kraków Poznań można Częstochowa Ząbki".split()),
    ("mac_roman", "Évora Île Orléans Besançon Nîmes Béziers Créteil Champigny Saint-Étienne".split()),
    ("cp437", "Århus Ærø Køge Sønderborg Næstved Helsingør Rødovre Hjørring Ølstykke".split()),
]

# Columns that stay as they are.
CLEAN = [
    ["Èâàíîâ"],
    ["Èâàíîâ", "Ïåòðîâ"],
    ["Ïåò", "Àëå", "Ëåâ", "Ãëå", "Ñàì"],
    "ÉTÉ À Où Ça ÇÀ ÎLE ÈRE ÔÔÔÔ ÉÉÉÀÈ".split(),
    "àáâãäå çèéêë ÀÁÂÃÄÅ ÈÉÊË ñòóôõö ùúûü ÌÍÎÏ ÒÓÔÕÖ".split(),
    "½¼¾ ¡¢£¤¥¦§ ¯¯¯¯ €€€€ •••• ––––– ÚÄÄÄÄ¿ ³ÄÄ³ ÀÄÄÄÙ °±²Û".split(),
    "Ægir Þór Æðar Ðóra Öxará Ísafjörður Úlfá".split(),
    ["Straße nach Köln", "«É»", "café … “ÀÉ”"] * 20,
]
OTHERS = [
    b"", b"plain", "Köln".encode(), "Hélène".encode(), "À".encode(), "Привет, мир".encode(), "日本語".encode(), b"caf\xe9",
    "Привет".encode("cp1251"), "cafÃ© crÃ¨me".encode(), b"a\xed\xa0\xbd\xed\xb8\x80", "“ÀÉÈÙ”".encode(), None, b"42",
]


def read(charset, through, texts):
    """Return the values as they are stored after they were misread. A byte that Windows-1252 lacks is a control character."""
    letters = {bytes([byte]): bytes([byte]).decode(through, "ignore") or chr(byte) for byte in range(256)}
    return ["".join(letters[bytes([byte])] for byte in text.encode(charset)).encode() for text in texts]


def found(values):
    """Return what utf8_audit finds: for each value the list of error, cause, repaired and probability, or None."""
    listed = rows.Truth(LIBRARY, values).audit("json_array(error, cause, hex(repaired), probability)", "suspects = 1")
    found = [None if row is None else json.loads(row) for row in listed]
    for row in found:
        if row:
            row[2] = bytes.fromhex(row[2])
    return found


def types(values):
    """Yield the values as columns of several types."""
    column = pa.array(values, pa.binary())
    yield "binary", column
    yield "large_binary", column.cast(pa.large_binary())
    yield "binary_view", column.cast(pa.binary_view())
    yield "dictionary", column.dictionary_encode()
    yield "slice", pa.concat_arrays([column[:3], column])[min(3, len(column)) :]
    yield "chunks", pa.chunked_array([column[:2], column[2:2], column[2:]])


def compare(what, values, kinds=("binary",)):
    """Compare each function that reads its column with utf8_audit. Returns how many values were misread as Latin-1."""
    wanted = found(values)
    misread = [row if row and row[0] == "mojibake" else None for row in wanted]
    restored = [row[2] if row else value for row, value in zip(misread, values)]
    cleaned = [row[2] if row and (row[0] == "mojibake" or row[1]) else value for row, value in zip(wanted, values)]
    for kind, column in types(values):
        if kind in kinds:
            check(f"{what}: demojibake of {kind}", ua.demojibake(column).to_pylist() == restored)
            check(f"{what}: clean of {kind}", ua.clean(column, "repair,mojibake").to_pylist() == cleaned)
            check(f"{what}: audit of {kind}", kind == "chunks" or audited(column) == counted(wanted))
            check(f"{what}: readings of {kind}", readings_agree(column, misread, values))
    alone = rows.Truth(LIBRARY, values).answers(("demojibake",))
    check(f"{what}: alone", ua.demojibake(pa.array(values, pa.binary()), neighbours=False).to_pylist() == alone)
    return sum(row is not None and row[2] != one for row, one in zip(misread, alone))


def counted(wanted):
    """Return the groups of an audit in SQL: suspects other than misread text are none."""
    groups = []
    for error, cause, *_ in (row for row in wanted if row):
        if cause:
            groups.append((error, f"mojibake {cause}" if error == "mojibake" else cause))
    return collections.Counter(groups)


def audited(column):
    """Return the groups of an audit of the column."""
    return {(finding.error, finding.cause): finding.values for finding in ua.audit(column).findings}


def readings_agree(column, misread, values):
    """Is the likeliest reading of what the column shows to be misread what it is repaired to?"""
    alone = ua.demojibake(pa.array(values, pa.binary()), neighbours=False).to_pylist()
    for listed, row, value in zip(ua.readings(column).to_pylist(), misread, alone):
        if row is None or row[2] == value:
            continue
        first = listed[0]
        if (first["text"].encode(), first["cause"], len(listed)) != (row[2], f"mojibake {row[1]}", 1):
            return False
        if abs(first["probability"] - row[3]) > 1e-9 or first["charset"] != row[1]:
            return False
    return True


def charsets():
    """Every charset, alone and beside other values, in each type."""
    kinds = ("binary", "large_binary", "binary_view", "dictionary", "slice", "chunks")
    among = 0
    for charset, through, texts in READ:
        values = read(charset, through, texts)
        check(f"{charset}: all are restored", compare(charset, values, kinds) == len(values))
        among += compare(f"{charset} among others", values + OTHERS + values)
    check(f"among others {among} are restored", among > 40)


def misread_utf8():
    """UTF-8 that was read in a charset: values that are unclear alone are decided by those that are sure."""
    kinds = ("binary", "large_binary", "binary_view", "dictionary", "slice", "chunks")
    among = 0
    for charset, texts in READ_AS:
        values = read("utf-8", charset, texts)
        among += compare(f"misread in {charset}", values, kinds)
        compare(f"misread in {charset}, among others", values + OTHERS + values, ("binary", "dictionary"))
        compare(f"misread in {charset}, few", values[:3])
    check(f"their column decides {among}", among >= 5)


def accidents():
    """Text in the charset of its column that is well-formed: 圣詹姆斯 in gbk."""
    cities = """圣詹姆斯 北京市 上海市 广州市 深圳市 天津市 重庆市 南京市 武汉市 阿尔克马尔 艾利斯斯普林斯 成都市 西安市 杭州市
        苏州市 青岛市 大连市 宁波市 厦门市 长沙市 哈尔滨市 阿姆斯特丹 斯德哥尔摩 哥本哈根 赫尔辛基 布鲁塞尔 布达佩斯""".split()
    values = [city.encode("gbk") for city in cities]
    for column in values, values[:6], values + OTHERS, [city.encode() for city in cities] + values:
        compare(f"{len(column)} accidents", column, ("binary", "dictionary", "chunks"))
    check("it is found", found(values)[0][:3] == ["accident", "gbk", cities[0].encode()])


def clean():
    """Columns that stay as they are are returned as they are."""
    for values in CLEAN:
        column = pa.array(values)
        check(f"{values[:3]}: unchanged", ua.demojibake(column) is column and ua.clean(column, "mojibake") is column)
        check(f"{values[:3]}: in utf8_audit", compare(f"{values[:3]}", [value.encode() for value in values]) == 0)


def mixed(columns):
    """Random columns."""
    rng = random.Random(41)
    misread = 0
    for i in range(columns):
        charset, through, texts = rng.choice(READ)
        pool = read(charset, through, texts) + rng.sample(OTHERS, rng.randrange(6))
        values = [rng.choice(pool) for _ in range(rng.randrange(1, 60))]
        misread += compare(f"column {i}", values, (rng.choice(["binary", "dictionary", "chunks"]),))
    check(f"{misread} values were misread", misread > columns)


def long():
    """Of a long column, the first rows and 250 at each of 64 places are read."""
    values = [b"plain", "Köln".encode(), None] * 20_000
    for start, name in (25_000, "late"), (59_990, "at the end"), (19_997, "where samples start"):
        many = list(values)
        many[start : start + 8] = read("cp1251", "latin-1", RUSSIAN)
        compare(f"long, {name}", many, ("binary", "chunks"))
    misread = read("cp1251", "latin-1", RUSSIAN)
    values[20_000 + 700 :: 701] = [misread[i % 8] for i in range(len(values[20_000 + 700 :: 701]))]
    check("samples show it", compare("long, scattered", values, ("binary", "dictionary")) > 50)


def main():
    """Run the tests."""
    charsets()
    misread_utf8()
    accidents()
    clean()
    mixed(40)
    long()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
