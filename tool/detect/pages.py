"""pages.py: web pages by charset and language, for tool/detect/measure.py.

The pages are the test data in chardet's source distribution on PyPI: tests/CHARSET-LANGUAGE/.
chardet is tuned to them; utf8ext is neither trained nor tuned on them. Nothing of them is
committed.
"""

import glob
import os
import subprocess
import sys
import tarfile

import texts
from peers import WORK, read

PACKAGE, FOLDER = "chardet==5.2.0", "chardet-5.2.0"
CELLS, CELL_MAX, LETTERS_MIN = 6, 40, 2  # cells of a page; characters, and letters of a cell

# The charsets of folders that utf8ext calls otherwise.
NAMES = {"macroman": "macintosh", "maccyrillic": "x-mac-cyrillic", "utf-8-sig": "utf-8-bom",
         "ibm855": "cp855"}
LANGUAGES = {"arabic", "bulgarian", "croatian", "czech", "greek", "hebrew", "hungarian", "polish",
             "romanian", "russian", "slovak", "slovene", "turkish"}
IMPLIED = {"big5": "chinese", "gb2312": "chinese", "euc-tw": "chinese", "cp932": "japanese",
           "euc-jp": "japanese", "shift_jis": "japanese", "iso-2022-jp": "japanese",
           "cp949": "korean", "euc-kr": "korean", "johab": "korean", "iso-2022-kr": "korean",
           "ibm855": "russian", "ibm866": "russian", "koi8-r": "russian",
           "maccyrillic": "russian", "tis-620": "thai"}


def fetch():
    """Downloads and unpacks the source distribution, once."""
    folder = os.path.join(WORK, FOLDER)
    if os.path.isdir(folder):
        return
    os.makedirs(WORK, exist_ok=True)
    subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary",
                    ":all:", "-d", WORK, PACKAGE], check=True)
    with tarfile.open(folder + ".tar.gz") as archive:
        archive.extractall(WORK, [m for m in archive.getmembers() if "/tests/" in m.name])


def pair_of(folder):
    """The charset and the language that a folder's name gives."""
    name = folder.lower()
    head, _, tail = name.rpartition("-")
    charset, language = (head, tail) if tail in LANGUAGES else (name, IMPLIED.get(name, ""))
    return NAMES.get(charset, charset), language


def pages():
    """All pages that decode, and the names of those that do not."""
    found, dropped = [], []
    for path in sorted(glob.glob(os.path.join(WORK, FOLDER, "tests", "*", "*"))):
        source = os.path.relpath(path, os.path.join(WORK, FOLDER, "tests"))
        charset, language = pair_of(os.path.dirname(source))
        with open(path, "rb") as file:
            data = file.read()
        text = read(data, charset)
        if text is None or "\ufffd" in text:
            dropped.append(source)
        else:
            found.append(texts.Value(charset, language, source, "file", text, data))
    return found, dropped


def cells_of(page):
    cells = texts.cells_of(texts.elements(page.text), page.charset, page.language, page.source,
                           CELL_MAX, LETTERS_MIN)
    texts.random_of(page.source).shuffle(cells)
    return cells


def collection():
    """Files, cells and columns."""
    fetch()
    files, dropped = pages()
    cut = [cells_of(page) for page in files]
    cells = [cell for page_cells in cut for cell in page_cells[:CELLS]]
    columns = [column for page_cells in cut if (column := texts.column_of(page_cells))]
    return files, cells, columns, dropped
