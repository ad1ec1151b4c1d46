"""Databases with text as it is found in the wild, for the tests and for docs/report.png.

python3 example.py examples/orders.csv shop.db
"""

from __future__ import annotations

import csv
import sqlite3
import sys
from pathlib import Path

_RUSSIAN = ("Привет, как дела?", "Заказ отправлен", "Спасибо за покупку", "Адрес неверный")
_JAPANESE = ("東京都渋谷区", "大阪市北区梅田", "ご注文ありがとうございます", "お届け先の変更")
_MOJIBAKE = ("Café crème", "L’été à Besançon", "Ordered “as is”", "Dvořák, Antonín")


def import_orders(database: sqlite3.Connection, file: Path) -> None:
    """Import examples/orders.csv byte by byte, as the sqlite3 shell's .import does."""
    names, *rows = filter(None, csv.reader(file.read_text("latin-1")[3:].split("\n")))
    database.execute(f"CREATE TABLE orders({' TEXT, '.join(names)} TEXT)")
    marks = ", ".join(["CAST(? AS TEXT)"] * len(names))
    values = ([field.encode("latin-1") for field in row] for row in rows)
    database.executemany(f"INSERT INTO orders VALUES ({marks})", values)


def insert(database: sqlite3.Connection, table: str, column: str, values: list[bytes]) -> None:
    """Make a table with an INTEGER PRIMARY KEY and a column of TEXT of these bytes."""
    database.execute(f'CREATE TABLE "{table}"(id INTEGER PRIMARY KEY, "{column}" TEXT)')
    statement = f'INSERT INTO "{table}"("{column}") VALUES (CAST(? AS TEXT))'
    database.executemany(statement, ([value] for value in values))


def make_shop(path: Path, orders: Path) -> None:
    """A shop: imported orders, columns in other charsets, mojibake, NULs, and clean tables."""
    database = sqlite3.connect(path)
    import_orders(database, orders)
    insert(database, "messages", "body", [text.encode("cp1251") for text in _RUSSIAN] * 9)
    insert(database, "addresses", "line1", [text.encode("shift_jis") for text in _JAPANESE] * 4)
    misread = [text.encode().decode("cp1252", "ignore").encode() for text in _MOJIBAKE]
    insert(database, "reviews", "title", misread + [b"fine", b"na\xc3\xafve"])
    insert(database, "devices", "serial", [b"A-100\0\0\0", b"A-101", b"pay\xe2\x80\x8bpal"])
    insert(database, "thumbnails", "data", [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes(range(256))])
    make_tags(database)
    for number in range(1, 13):
        insert(database, f"archive_{number:02}", "note", [b"nothing wrong here"] * 50)
    database.commit()
    database.close()


def make_tags(database: sqlite3.Connection) -> None:
    """A table WITHOUT ROWID whose key was cut at a number of bytes."""
    database.execute("CREATE TABLE tags(tag TEXT PRIMARY KEY, uses INT) WITHOUT ROWID")
    cut = ([text.encode()[:7], 3] for text in ("crème brûlée", "été indien", "日本語の本"))
    database.executemany("INSERT INTO tags VALUES (CAST(? AS TEXT), ?)", cut)


if __name__ == "__main__":
    make_shop(Path(sys.argv[2]), Path(sys.argv[1]))
