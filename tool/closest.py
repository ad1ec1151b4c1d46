#!/usr/bin/env python3
"""closest.py: writes form/tables/closest.h, the ASCII that stands for characters without one.

    python3 tool/closest.py --record     # writes tool/closest.tsv from the iconv of this machine
    python3 tool/closest.py --write      # writes form/tables/closest.h from that
    python3 tool/closest.py --check      # is it what --write would write?

tool/closest.tsv has what glibc's iconv (recorded: 2.36, locale C.UTF-8, //TRANSLIT) writes for a code
point of the BMP in ASCII, unless the compatibility decomposition without marks is the same kind of
answer: then form/closest.c computes it.
"""

import ctypes
import locale
import os
import unicodedata

import generated

RECORDED = "tool/closest.tsv"
TABLE = "form/tables/closest.h"


def transliterated(libc, handle, code):
    """What iconv writes, or None."""
    source, target = ctypes.create_string_buffer(chr(code).encode()), (ctypes.c_char * 64)()
    at, to = (ctypes.c_void_p(ctypes.addressof(buffer)) for buffer in (source, target))
    left, room = ctypes.c_size_t(len(source) - 1), ctypes.c_size_t(64)
    status = libc.iconv(handle, *map(ctypes.byref, (at, left, to, room)))
    text = target.raw[:64 - room.value].decode()
    return None if status == ctypes.c_size_t(-1).value or "?" in text else text


def is_computed(code):
    """Does form/closest.c find the answer? It drops marks, but not the stroke that negates a sign."""
    if unicodedata.combining(chr(code)):
        return True
    parts = unicodedata.normalize("NFKD", chr(code))
    letters = "".join(c for c in parts if not unicodedata.combining(c))
    return letters.isascii() and letters.strip() != "" and "\u0338" not in parts


def record():
    locale.setlocale(locale.LC_ALL, "C.UTF-8")
    libc = ctypes.CDLL(None)
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.restype = ctypes.c_size_t
    libc.iconv.argtypes = [ctypes.c_void_p] * 5
    handle = libc.iconv_open(b"ASCII//TRANSLIT", b"UTF-8")
    lines = []
    for code in [*range(0x80, 0xD800), *range(0xE000, 0xFFFD)]:
        text = transliterated(libc, handle, code)
        if text is not None and not is_computed(code):
            lines.append(f"{code:04X}\t{text}")
    with open(os.path.join(generated.ROOT, RECORDED), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return 0


def escaped(text):
    return text.replace("\\", "\\\\").replace('"', '\\"')


def files():
    rows = [line.split("\t") for line in generated.read(RECORDED).splitlines()]
    texts = sorted({text for _, text in rows}, key=lambda text: (len(text), text))
    start, pool = {}, ""
    for text in reversed(texts):
        if text not in pool:
            pool += text
        start[text] = pool.index(text)
    longest = max(map(len, texts))
    entries = [f"{{0x{code}, {start[text] * 8 + len(text)}}}," for code, text in rows]
    lines = "\n".join("    " + " ".join(entries[at:at + 5]) for at in range(0, len(entries), 5))
    strings = "\n".join(f'    "{escaped(pool[at:at + 80])}"' for at in range(0, len(pool), 80))
    assert longest < 8 and len(pool) * 8 < 0x10000
    return {TABLE: f"""/* closest.h: ASCII for code points that have no decomposition. Written by tool/closest.py from
** what glibc 2.36's iconv writes with //TRANSLIT in the locale C.UTF-8.
*/
#ifndef UTF8_FORM_TABLES_CLOSEST_H
#define UTF8_FORM_TABLES_CLOSEST_H

#include <stdint.h>

/* clang-format off */

/* The texts, one after the other. */
static const char closest_texts[] =
{strings};

/* Sorted by code point: 8 times where the text starts in closest_texts, plus its size. */
static const struct {{
  uint16_t code, text;
}} closest_rows[{len(rows)}] = {{
{lines}
}};
/* clang-format on */

#endif
"""}


if __name__ == "__main__":
    generated.main(__doc__, files, record=record)
