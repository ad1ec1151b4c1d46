"""The functions of utf8ext over columns of text: pyarrow, Polars, pandas, DuckDB, Spark, and others.

    import utf8ext.arrow as ua

    names = ua.repair(names, "auto")  # a column of the same kind
    ua.valid(names)

Each function has the name that it has in SQL, without `utf8_`, and its arguments and answers
(docs/functions.md). X is an object with __arrow_c_array__ or __arrow_c_stream__, of Arrow's types
string, large_string, string_view, binary, large_binary, binary_view, or a dictionary of one of these. Its
strings may be ill-formed. Null gives null. The answer is a column of the same library; one that has
changed nothing is X itself. docs/scale.md has recipes for engines.

Where `neighbours` is true, all of X decides what a value was, as a column of a table does in utf8_audit.
Otherwise each value is alone, as in SQL.

Raises ValueError, with the message of SQL, for an argument that is not accepted; TypeError for a
column of another type.
"""

# ruff: noqa: N803  # X and N are the names of docs/functions.md

from __future__ import annotations

from typing import Any

from utf8ext.arrow import _library
from utf8ext.arrow._audit import Finding, Summary, audit
from utf8ext.arrow._column import Column, apply, exported
from utf8ext.arrow._library import Argument, Function

__all__ = [
    "Column",
    "Finding",
    "Summary",
    "audit",
    "casefold",
    "cause",
    "clean",
    "codepoints",
    "demojibake",
    "detect",
    "detect_column",
    "error",
    "error_offset",
    "from_",
    "mojibake",
    "normalize",
    "normalized",
    "readings",
    "repair",
    "strip",
    "strip_bom",
    "suspect",
    "suspect_offset",
    "to",
    "truncate",
    "unaccent",
    "unescape",
    "valid",
    "validate",
]


class _NotGiven:
    """Stands for an argument that is not given, since None is NULL."""

    def __repr__(self) -> str:
        return "not given"


_NOT_GIVEN: Any = _NotGiven()


def _given(*arguments: Any) -> tuple[Argument, ...]:
    return tuple(value for value in arguments if value is not _NOT_GIVEN)


# ---- checking ----------------------------------------------------------------------------------


def valid(X: Any, dialect: Argument = "utf-8") -> Any:
    """Return whether each value is well-formed."""
    return apply("valid", X, (dialect,))


def error(X: Any, dialect: Argument = "utf-8") -> Any:
    """Return the kind of each value's first error."""
    return apply("error", X, (dialect,))


def error_offset(X: Any, dialect: Argument = "utf-8") -> Any:
    """Return the byte where each value's first error starts."""
    return apply("error_offset", X, (dialect,))


def validate(X: Any, label: Argument = "utf8_validate") -> Any:
    """Return X if all values are well-formed; raise ValueError otherwise."""
    return apply("validate", X, (label,))


def codepoints(X: Any) -> Any:
    """Return the number of code points of each value."""
    return apply("codepoints", X, ())


# ---- repairing ---------------------------------------------------------------------------------


def repair(
    X: Any,
    policy: Argument = "subpart",
    replacement: Argument = _NOT_GIVEN,
    *,
    neighbours: bool = True,
) -> Any:
    """Return each value made well-formed. neighbours matter under policy auto."""
    return apply("repair", X, (policy, *_given(replacement)), neighbours)


def strip_bom(X: Any) -> Any:
    """Return each value without one leading byte order mark."""
    return apply("strip_bom", X, ())


def truncate(X: Any, N: Argument) -> Any:
    """Return the longest prefix of each value that has at most N bytes and splits no sequence."""
    return apply("truncate", X, (N,))


# ---- charsets ----------------------------------------------------------------------------------


def from_(X: Any, charset: Argument) -> Any:
    """Return each value decoded from a charset, as strings."""
    return apply("from", X, (charset,))


def to(
    X: Any,
    charset: Argument,
    loss: Argument = _NOT_GIVEN,
    replacement: Argument = _NOT_GIVEN,
) -> Any:
    """Return each value encoded in a charset, as binary; null where the charset lacks a character."""
    return apply("to", X, (charset, *_given(loss, replacement)))


def detect(X: Any) -> Any:
    """Return the charset that each value seems to be in."""
    return apply("detect", X, ())


def detect_column(X: Any) -> str | None:
    """Return the one charset that best explains all values; None if there is none."""
    with Function("detect_column", ()) as function, exported("detect_column", X) as chunks:
        _library.release(function.begin(chunks.schema))
        function.learn(chunks.arrays)
        return function.detected()


def cause(X: Any, *, neighbours: bool = True) -> Any:
    """Return what most likely happened to each ill-formed value."""
    return apply("cause", X, (), neighbours)


def readings(X: Any, *, neighbours: bool = True) -> Any:
    """Return the texts that each value may have been: a list of structs, the likeliest first."""
    return apply("readings", X, (), neighbours)


# ---- misread and suspicious text ------------------------------------------------------------------


def mojibake(X: Any) -> Any:
    """Return the charset that each value was misread in."""
    return apply("mojibake", X, ())


def demojibake(X: Any, charset: Argument = _NOT_GIVEN, *, neighbours: bool = True) -> Any:
    """Return each value with misread text restored. neighbours show text that was read as Latin-1."""
    return apply("demojibake", X, _given(charset), neighbours)


def suspect(X: Any) -> Any:
    """Return the kind of the first suspicious code point or misread run of each value."""
    return apply("suspect", X, ())


def suspect_offset(X: Any) -> Any:
    """Return the byte where it starts."""
    return apply("suspect_offset", X, ())


def strip(X: Any, kind: Argument) -> Any:
    """Return each value without the code points of that kind."""
    return apply("strip", X, (kind,))


# ---- comparing and cleaning -------------------------------------------------------------------------


def normalize(X: Any, form: Argument = "nfc") -> Any:
    """Return each value in a normalization form."""
    return apply("normalize", X, (form,))


def normalized(X: Any, form: Argument = "nfc") -> Any:
    """Return whether each value is in a normalization form."""
    return apply("normalized", X, (form,))


def casefold(X: Any) -> Any:
    """Return each value with full case folding."""
    return apply("casefold", X, ())


def unaccent(X: Any) -> Any:
    """Return each value without accents."""
    return apply("unaccent", X, ())


def unescape(X: Any, kind: Argument) -> Any:
    """Return each value with its escapes decoded; of quoted-printable, as binary."""
    return apply("unescape", X, (kind,))


def clean(X: Any, steps: Argument = _NOT_GIVEN, *, neighbours: bool = True) -> Any:
    """Return each value cleaned by steps. neighbours matter for the steps repair and mojibake."""
    return apply("clean", X, _given(steps), neighbours)
