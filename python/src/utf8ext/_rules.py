"""What the command and the page decide alike: rules.json, which both read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

_RULES: Any = json.loads(Path(__file__).with_name("rules.json").read_text(encoding="utf-8"))

CLEAN: int = _RULES["clean"]  # well-formed values beside which the others are decided, as many as utf8_audit reads

LONGEST: int = _RULES["longest"]  # bytes of a file that is looked at as a whole

NULS: int = _RULES["nuls"]  # a text has at most one NUL in this many bytes

UNITS: int = _RULES["units"]  # bytes of a text that can show that it is in UTF-16

# Four characters from U+0080 to U+00FF that follow no ASCII letter. Latin text has hardly any, and text in another
# script that was read as Latin-1 has many.
LATIN: str = _RULES["latin"]

VALUE: int = _RULES["value"]  # bytes of a value that is read in multi-byte charsets, as UTF8_MULTIBYTE_MAX

IS_MOJIBAKE: str = _RULES["isMojibake"]  # has text a part that was misread?

IS_EBCDIC: str = _RULES["isEbcdic"]  # is a charset of single bytes EBCDIC? No row if it is not such a charset

WAS: str = _RULES["was"]  # was text ?1 once ?2, which was misread in charset ?3 once or several times?

# ---- files in two encodings: bytes are the characters of ISO 8859-1 ----

MARKS: tuple[tuple[bytes, str], ...] = tuple((mark.encode("latin-1"), charset) for mark, charset in _RULES["marks"])

SHORT: int = _RULES["short"]  # bytes of a section that show what it is

# Bytes without NUL after a line of UTF-16: text of 8 bits, or letters that need no NUL.
STRETCH: dict[str, str] = _RULES["stretch"]

NEXT: str = _RULES["next"]  # where text of 8 bits may end: at a mark, or at a character of UTF-16
