#!/usr/bin/env python3
"""engines.py: utf8ext.arrow gives in each engine what SQL gives, for the same 100,000 rows.

    sh test/arrow.sh     # in an environment with the engines

Prints a line for each test that fails, and 'N passed, N failed' as the last line. An engine that is not
installed is skipped.
"""

import collections
import concurrent.futures
import gc
import importlib.util
import json
import os
import sys
import threading
import time

import rows
from rows import check, finish

import utf8ext.arrow as ua

if importlib.util.find_spec("pyarrow"):
    import pyarrow as pa

LIBRARY = sys.argv[1]
NEIGHBOURS = {"cause", "readings", "repair", "clean", "demojibake"}

tests = []


def test(function):
    """Register a test; one of an engine is named after it."""
    tests.append(function)
    return function


def call(column, name, *arguments, neighbours=False):
    """Apply a function with the name of SQL."""
    function = getattr(ua, "from_" if name == "from" else name)
    return function(column, *arguments, **({"neighbours": neighbours} if name in NEIGHBOURS else {}))


def refusal(kind, function, *arguments):
    """Return the message of the error of this kind, or "no error"."""
    try:
        function(*arguments)
    except kind as error:
        return str(error)
    return "no error"


def stored(answers):
    """Return answers as SQL returns them: text as bytes, and missing ones as None."""
    answers = [answer.encode() if isinstance(answer, str) else answer for answer in answers]
    return [None if repr(answer) == "<NA>" else answer for answer in answers]  # pandas.NA


def same(what, answers, wanted):
    """Check that answers are those of SQL."""
    answers = stored(answers)
    differ = [i for i, (a, b) in enumerate(zip(answers, wanted)) if a != b]
    if len(answers) != len(wanted) or differ:
        for i in differ[:3]:
            print(f"  {truth.rows[i]!r}: {answers[i]!r}, in SQL {wanted[i]!r}")
    check(what, len(answers) == len(wanted) and not differ)


# ---- pyarrow ---------------------------------------------------------------------------------


def pyarrow_columns():
    """Yield the rows as each type of pyarrow, sliced and in chunks."""
    column = pa.array(truth.rows, pa.binary())
    string = pa.Array.from_buffers(pa.string(), len(column), column.buffers(), column.null_count)
    yield "binary", column
    yield "string", string
    yield "large_binary", column.cast(pa.large_binary())
    yield "binary_view", column.cast(pa.binary_view())
    yield "dictionary", column.dictionary_encode()
    yield "slice", pa.concat_arrays([column[:7], column])[7:]
    yield "chunks", pa.chunked_array([column[:1], column[1:1], column[1:50_001], column[50_001:]])


@test
def pyarrow():
    """Every function, and some of them for each type."""
    for kind, column in pyarrow_columns():
        for name, *arguments in rows.CALLS if kind in ("binary", "string") else rows.FEW:
            result = call(column, name, *arguments)
            check(f"{name} of {kind} is chunked if X is", isinstance(result, pa.ChunkedArray) == (kind == "chunks"))
            same(f"{name}{tuple(arguments)} of {kind}", as_bytes(result), truth.answers((name, *arguments)))


def as_bytes(result):
    """Return a result's values. Those of a string column may be ill-formed."""
    kind = result.type.value_type if pa.types.is_dictionary(result.type) else result.type
    binaries = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary(), pa.string_view(): pa.binary_view()}
    if kind in binaries and isinstance(result, pa.Array) and not pa.types.is_dictionary(result.type):
        result = result.view(binaries[kind])
    return result.to_pylist()


@test
def pyarrow_neighbours():
    """With neighbours, the column is a table of utf8_audit."""
    column = pa.array(some.rows, pa.binary())
    causes, repaired = some.audit("cause"), some.audit("CAST(repaired AS BLOB)")
    chunks = pa.chunked_array([column[:100], column[100:]])
    for kind, same_column in (("binary", column), ("dictionary", column.dictionary_encode()), ("chunks", chunks)):
        same(f"cause of {kind} among neighbours", ua.cause(same_column).to_pylist(), causes)
    kept = [r if r is not None else row for r, row in zip(repaired, some.rows)]
    same("repair auto among neighbours", ua.repair(column, "auto").to_pylist(), kept)
    names = ["Привет", "Москва", "Нижний Новгород", "Анна Петрова"]
    town = pa.array([name.encode("cp1251") for name in names] + [b"\xce\xec\xf1\xea"], pa.binary())
    check("neighbours decide", ua.repair(town, "auto").to_pylist()[4].decode() == "Омск")
    check("alone it is unclear", ua.cause(town, neighbours=False).to_pylist()[4] == "unclear")


def lists(answers):
    """Return lists of readings as SQL returns them: text as bytes."""
    return [
        None if answer is None else [dict(zip(rows.READING, stored(reading[key] for key in rows.READING))) for reading in answer]
        for answer in answers
    ]


@test
def pyarrow_readings():
    """The readings of each value are the rows of utf8_readings."""
    whole = pa.array(truth.rows, pa.binary())
    same("readings of 100,000 values", lists(ua.readings(whole, neighbours=False).to_pylist()), truth.readings())
    wanted = some.readings()
    for kind, column in pyarrow_columns():
        result = ua.readings(column[: len(wanted)], neighbours=False)
        result.validate(full=True)
        same(f"readings of {kind}", lists(result.to_pylist()), wanted)
    fields = pa.struct([(name, pa.float64() if name == "probability" else pa.string()) for name in rows.READING])
    check("the type", ua.readings(whole[:9]).type == pa.list_(pa.field("item", fields)))
    check("no rows", ua.readings(whole[:0]).to_pylist() == [])
    check("all null", ua.readings(pa.array([None, None], pa.string())).to_pylist() == [None, None])
    entries = pa.array([b"caf\xe9", None, b""], pa.binary())
    indices = pa.array([1, 0, None, 2, 0], pa.int8())
    coded = pa.DictionaryArray.from_arrays(indices, entries)
    check("null entries and null rows", ua.readings(coded) == ua.readings(entries.take(indices)))


@test
def pyarrow_readings_among():
    """With neighbours, readings are those of utf8_audit."""
    import json

    results = ua.readings(pa.array(some.rows, pa.binary())).to_pylist()
    listed = some.audit("readings")
    differ = [i for i, wanted in enumerate(listed) if wanted and rounded(results[i]) != rounded(json.loads(wanted))]
    for i in differ[:3]:
        print(f"  {some.rows[i]!r}: {results[i]}, in utf8_audit {listed[i]}")
    check("readings among neighbours", not differ and sum(map(bool, listed)) > 100)


def rounded(readings):
    """Return readings with the digits that utf8_audit writes."""
    return [{**reading, "probability": f"{reading['probability']:.6f}"} for reading in readings]


@test
def pyarrow_misread_among():
    """What demojibake restores among neighbours is what utf8_audit repairs."""
    repaired = some.audit("CAST(repaired AS BLOB)", "suspects = 1 AND error = 'mojibake'")
    kept = [r if r is not None else row for r, row in zip(repaired, some.rows)]
    same("demojibake among neighbours", ua.demojibake(pa.array(some.rows, pa.binary())).to_pylist(), kept)


@test
def pyarrow_detect_column():
    """The charset of a column is that of the aggregate function."""
    for kind, column in pyarrow_columns():
        check(f"detect_column of {kind}", ua.detect_column(column).encode() == truth.value("SELECT utf8_detect_column(v) FROM t"))
    check("no value", ua.detect_column(pa.array([None, None], pa.string())) is None)
    check("ascii", ua.detect_column(pa.array(["a", None])) == "ascii")


@test
def pyarrow_unchanged():
    """A column that needs no change is returned as it is."""
    for column in (pa.array(["é", None, "x" * 20]), pa.chunked_array([["é"], ["x"]]), pa.array(["é", "é"]).dictionary_encode()):
        for name in ("repair", "normalize", "demojibake", "clean", "strip_bom", "validate"):
            check(f"{name} returns X", getattr(ua, name)(column) is column)
    changed = ua.normalize(pa.chunked_array([["é"], ["e\u0301"]]))
    check("a chunk that needs none has the same buffers", changed.chunk(0).buffers()[2].address != 0)
    whole = pa.chunked_array([["é", "long enough"], ["e\u0301"]])
    part = ua.normalize(whole)
    check("the buffers", part.chunk(0).buffers()[2].address == whole.chunk(0).buffers()[2].address)


@test
def pyarrow_errors():
    """Messages are those of SQL."""
    wrong = [
        ("valid", "utf-9"), ("valid", None), ("valid", 5), ("repair", "utf-16le"), ("repair", "x'y"),
        ("repair", "latin1", "?"), ("repair", "byte", None), ("repair", b"\xff\x00" * 30), ("truncate", "-1"),
        ("truncate", 1.5), ("truncate", None), ("from", "utf9"), ("from", None), ("to", "latin2x", "closest"),
        ("to", "ascii", "near"), ("to", "ascii", "replace", "é"), ("to", "ascii", "replace", None),
        ("strip", "bom"), ("strip", "mojibake"), ("strip", "x"), ("normalize", "nfx"), ("normalized", ""),
        ("unescape", "xml"), ("clean", "x"), ("clean", "nfc,nfkc"), ("demojibake", "gbk"),
        ("validate", None), ("valid", "a" * 100), ("valid", "é\x01" * 30),
    ]
    for name, *arguments in wrong:
        message = refusal(ValueError, call, pa.array(["x"]), name, *arguments)
        wanted = truth.error((name, *arguments))
        if message != wanted:
            print(f"  {message}\n  {wanted}")
        check(f"the message of {name}{tuple(arguments)}", message == wanted)
    for accepted in (5, "5", 5.0, " 5 ", True):
        check(f"truncate to {accepted!r}", call(pa.array(["naïve text"]), "truncate", accepted) is not None)
    message = refusal(ValueError, ua.validate, pa.array([b"ok", b"caf\xe9"], pa.binary()), "t.c")
    check("the message of validate", message == "t.c: truncated at byte 3")


@test
def pyarrow_types():
    """Another type is a TypeError that names it."""
    for column, name in ((pa.array([1]), "int64"), (pa.array([[1]]), "list"), (pa.table({"a": ["x"]}), "struct"),
                         (pa.nulls(1).dictionary_encode(), "dictionary of null"), (pa.array([1, 1]).dictionary_encode(), "dictionary of int64")):
        what = f"utf8_valid: argument 1 (X) has the Arrow type {name}; accepted: string, "
        check(f"{name} is named", what in refusal(TypeError, ua.valid, column))
    ends = pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["a", "b"]))
    for column, name in ((ends, "run_end_encoded"), (pa.array([b"ab"], pa.binary(2)), "fixed_size_binary"),
                         (pa.array([["a"]], pa.list_(pa.string(), 1)), "fixed_size_list")):
        for function in (ua.valid, ua.readings, ua.repair, ua.detect_column):
            what = f"argument 1 (X) has the Arrow type {name}; accepted: "
            check(f"{name} is named", what in refusal(TypeError, function, column))
    for value in ("x", ["x"], None, 5):
        check(f"{value!r} is named", f"argument 1 (X) is builtins.{type(value).__name__}" in refusal(TypeError, ua.valid, value))
    check("empty", ua.repair(pa.array([], pa.string())).to_pylist() == [])
    check("no chunks", ua.valid(pa.chunked_array([], pa.string())).to_pylist() == [])
    check("all null", ua.valid(pa.array([None] * 9, pa.large_string())).to_pylist() == [None] * 9)


@test
def pyarrow_nulls():
    """A column of the type null is one of strings without values."""
    for name, *arguments in rows.CALLS:
        result = call(pa.nulls(9), name, *arguments)
        result.validate(full=True)
        check(f"{name}{tuple(arguments)} of nulls", result.to_pylist() == [None] * 9)
    check("the type", ua.repair(pa.nulls(2)).type == pa.string() and ua.valid(pa.nulls(2)).type == pa.bool_())
    chunks = pa.chunked_array([pa.nulls(3)[1:], pa.nulls(0), pa.nulls(70)])
    check("chunks", ua.repair(chunks, "auto").to_pylist() == ua.readings(chunks).to_pylist() == [None] * 72)
    check("detect_column", ua.detect_column(pa.nulls(2)) is None)


@test
def pyarrow_results_obey():
    """pyarrow's own validation finds nothing wrong with results."""
    for kind, column in pyarrow_columns():
        for name, *arguments in rows.CALLS:
            result = call(column, name, *arguments)
            try:
                result.validate(full=kind != "string")  # which keeps ill-formed strings, as some functions do
                holds = True
            except Exception as error:  # noqa: BLE001  # the test reports it
                print(f"  {error}")
                holds = False
            check(f"{name}{tuple(arguments)} of {kind} is valid", holds)


@test
def pyarrow_threads():
    """Threads share nothing."""
    columns, wanted = [pa.array(truth.rows, pa.binary())] * 4, truth.answers(("repair", "auto"))
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda column: ua.repair(column, "auto", neighbours=False).to_pylist(), columns))
    check("four threads", all(result == wanted for result in results))


@test
def pyarrow_lock():
    """Python's lock is free while a column is worked on."""
    column = pa.concat_arrays([pa.array(some.rows, pa.binary())] * 4)
    ticks, start = [], time.monotonic()
    worker = threading.Thread(target=lambda: ua.cause(column))
    worker.start()
    while worker.is_alive():
        ticks.append(time.monotonic())
        time.sleep(0.001)
    took = time.monotonic() - start
    longest = max(b - a for a, b in zip([start, *ticks], [*ticks, time.monotonic()]))
    check(f"the lock is held for {longest:.2f} s of {took:.2f}", longest < took / 2)


@test
def pyarrow_memory():
    """Nothing leaks: results, columns that are not used, capsules that nobody takes."""
    column = pa.array(["é" * 50_000, None, "e\u0301" * 50_000] * 3)

    def work():
        for _ in range(50):
            ua.normalize(column)
            result = ua._column._apply("normalize", Foreign(column), ("nfc",), False, False)
            result.__arrow_c_array__()
            result.__arrow_c_stream__()
            ua.valid(column)

    work()
    gc.collect()
    before = resident()
    work()
    gc.collect()
    check(f"memory grows by {resident() - before} KB", resident() - before < 20_000)


class Foreign:
    """A column of a library that is unknown."""

    def __init__(self, column):
        self._column = column

    def __arrow_c_array__(self, requested_schema=None):
        return self._column.__arrow_c_array__(requested_schema)


def resident():
    """Return how many KB of memory the process has."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


@test
def pyarrow_foreign():
    """The result for an unknown library is a column that any library takes, as often as it likes."""
    result = ua.repair(Foreign(pa.array([b"a", b"\xff"], pa.binary())))
    check("a Column", isinstance(result, ua.Column) and len(result) == 2 and "2 rows" in repr(result))
    check("twice", pa.array(result) == pa.array(result) and pa.array(result)[1].as_py() == "\ufffd".encode())
    kept = pa.array(result)
    del result
    gc.collect()
    check("it outlives the column", kept[0].as_py() == b"a")


class ForeignStream:
    """A library that gives the same stream again."""

    def __init__(self, stream):
        self._capsule = stream.__arrow_c_stream__()

    def __arrow_c_stream__(self, requested_schema=None):
        return self._capsule


def raised(function, *arguments):
    """Return the type of the error of a call, and its message."""
    try:
        function(*arguments)
    except Exception as error:
        return type(error), str(error)
    return None


@test
def pyarrow_streams():
    """A stream that was released is an error; one that fails leaves nothing."""
    released = ValueError, "the Arrow stream was released"
    for name in ("valid", "audit"):
        taken = ForeignStream(pa.chunked_array([["a"]]))
        pa.ChunkedArray._import_from_c_capsule(taken.__arrow_c_stream__())
        gc.collect()
        check(f"{name}, taken", raised(getattr(ua, name), taken) == released)
        read = ForeignStream(pa.chunked_array([["a"]]))
        getattr(ua, name)(read)
        check(f"{name}, read", raised(getattr(ua, name), read) == released)

    def batches():
        yield pa.record_batch({"a": ["x" * 1000] * 1000})
        raise RuntimeError("no more")

    before = pa.total_allocated_bytes()
    for function in (ua.valid, ua.audit):
        reader = pa.RecordBatchReader.from_batches(pa.schema({"a": pa.string()}), batches())
        check(f"{function.__name__}, fails", "no more" in raised(function, reader)[1])
        del reader
    gc.collect()
    check("memory", pa.total_allocated_bytes() == before)


@test
def pyarrow_json():
    for text in ("{}", "[]", '{"name": null, "rows": 1, "findings": [{}]}', "x"):
        check(f"not a summary: {text}", raised(ua.Summary.from_json, text)[0] in (ValueError, json.JSONDecodeError))


@test
def pyarrow_audit():
    """Summaries of parts add up to that of the whole, and pass through JSON."""
    table = pa.table({"id": range(len(some.rows)), "name": pa.array(some.rows, pa.binary())})
    batches = table.to_batches(max_chunksize=4000)
    whole = ua.audit(batches, name="people")
    check("a reader", ua.audit(pa.RecordBatchReader.from_batches(table.schema, batches)) == whole)
    parts = sum((ua.audit(batch) for batch in batches[1:]), ua.audit(batches[0], name="people"))
    check("parts add up", parts == whole and str(parts) == str(whole))
    check("the other order", ua.audit(batches[1]) + ua.audit(batches[0]) == ua.audit(batches[0]) + ua.audit(batches[1]))
    check("through JSON", ua.Summary.from_json(whole.to_json()) == whole and str(ua.Summary.from_json(whole.to_json())) == str(whole))
    check("rows", whole.rows == len(some.rows))
    by_column = some.audit("error", "suspects = 1 AND error = 'mojibake'")
    errors = collections.Counter(kind or misread for kind, misread in zip(some.answers(("error",)), by_column))
    causes = collections.Counter(some.audit("cause"))
    del errors[None], causes[None]
    one = ua.audit(table, name="one")
    found, found_causes = collections.Counter(), collections.Counter()
    for finding in one.findings:
        found[finding.error.encode()] += finding.values
        if finding.error != "mojibake":
            found_causes[finding.cause.encode()] += finding.values
    check("the kinds of SQL", found == errors)
    check("the causes of utf8_audit", found_causes == causes)
    check("a slice", ua.audit(table.slice(17, 100)).rows == 100)
    check("nothing", str(ua.audit(pa.table({"a": ["x"], "b": [1]}), name="t")) == "t: nothing found")
    check("the text", str(one).startswith(f"one: {one.values:,} values in 1 column\n\ncolumn  values  kind"))
    check("examples", all(0 < len(finding.first) <= 3 for finding in one.findings))


# ---- other engines -------------------------------------------------------------------------------


def few(engine, column, is_its_own, values):
    """Check the functions that every engine runs: whose type the result is, and its values."""
    for name, *arguments in rows.FEW:
        result = call(column, name, *arguments)
        check(f"{engine}: {name} is its own", is_its_own(result))
        same(f"{engine}: {name}", values(result), truth.answers((name, *arguments))[: len(column)])


@test
def pandas():
    """Series of Arrow types keep their index and their name."""
    import pandas as pd
    index = range(10, 10 + len(truth.rows))
    column = pd.Series(pd.arrays.ArrowExtensionArray(pa.array(truth.rows, pa.binary())), index=index, name="name")
    is_like = lambda x: isinstance(x, pd.Series) and x.name == "name" and x.index.equals(column.index)
    few("pandas", column, is_like, pd.Series.tolist)
    readings = call(column[: len(some.rows)], "readings")
    same("pandas: readings", lists(None if one is pd.NA else one for one in readings), some.readings())
    text = pd.Series(["é", None, "e\u0301"], index=[1, 2, 3])
    check("pandas: str", ua.normalize(text).tolist()[2] == "é" and ua.repair(text) is text)
    check("pandas: object", ua.repair(pd.Series([b"\xe9", None]), "latin1").tolist()[0] == "é".encode())
    check("pandas: null", ua.valid(pd.Series([None, None], dtype=object)).isna().all())
    escaped = pd.Series(["Jos\udce9", "é", None, "\ud83d"], dtype=object, index=[3, 4, 5, 6], name="x")
    check("pandas: escaped bytes", ua.from_(escaped, "latin1").tolist()[:2] == ["José", "Ã©"])
    repaired = ua.repair(escaped, "latin1")
    check("pandas: escaped bytes are binary", repaired.tolist()[:2] == ["José".encode(), "é".encode()])
    check("pandas: its index", repaired.index.equals(escaped.index) and repaired.name == "x")
    check("pandas: another surrogate", ua.error(escaped).tolist()[3] == "surrogate" and ua.valid(escaped)[5] is pd.NA)
    check("pandas: category", ua.normalize(text.astype("category")).tolist()[2] == "é")


@test
def polars():
    """Series, and expressions with map_batches, also lazy ones."""
    import polars as pl

    frame = pl.DataFrame({"name": pl.Series(truth.rows, dtype=pl.Binary)})
    few("polars", frame["name"], lambda x: isinstance(x, pl.Series) and x.name == "name", pl.Series.to_list)
    same("polars: readings", lists(call(frame["name"][: len(some.rows)], "readings").to_list()), some.readings())
    lazy = frame.lazy().with_columns(
        pl.col("name").map_batches(lambda s: ua.from_(ua.repair(s, "auto", neighbours=False), "utf-8"), return_dtype=pl.String)
    )
    wanted = truth.answers(("repair", "auto"))
    text = [row if row is None else row.decode("utf-8", "replace").encode() for row in wanted]
    same("polars: a lazy expression", lazy.collect()["name"].to_list(), text)
    category = pl.Series(["a", "e\u0301", "é"], dtype=pl.Categorical)
    check("polars: Categorical", ua.normalize(category).to_list() == ["a", "é", "é"])
    check("polars: audit", ua.audit(frame[:5000]).values == ua.audit(frame[:5000].to_arrow()).values)


@test
def duckdb():
    """Functions of SQL, over a file of Parquet and one of CSV."""
    import duckdb
    import pyarrow.parquet

    folder = os.environ["ARROW_WORK"]
    parquet = os.path.join(folder, "rows.parquet")
    pyarrow.parquet.write_table(pa.table({"id": range(len(truth.rows)), "name": pa.array(truth.rows, pa.binary())}), parquet)
    connection = duckdb.connect()
    kinds = {"valid": "BOOLEAN", "error_offset": "BIGINT", "error": "VARCHAR", "cause": "VARCHAR", "mojibake": "VARCHAR"}
    for name, *arguments in rows.FEW:
        connection.create_function(
            f"u_{name}", one_argument(name, *arguments), ["BLOB"], kinds.get(name, "BLOB"),
            type="arrow", null_handling="special",
        )
        answers = connection.execute(f"SELECT u_{name}(name) FROM '{parquet}' ORDER BY id").fetchall()
        same(f"duckdb: {name}", [row[0] for row in answers], truth.answers((name, *arguments)))
    duckdb_csv(connection, folder)
    struct = "STRUCT(text VARCHAR, cause VARCHAR, charset VARCHAR, language VARCHAR, probability DOUBLE)[]"
    connection.create_function("u_readings", one_argument("readings"), ["BLOB"], struct, type="arrow", null_handling="special")
    answers = connection.execute(f"SELECT u_readings(name) FROM (FROM '{parquet}' ORDER BY id LIMIT {len(some.rows)})").fetchall()
    same("duckdb: readings", lists(row[0] for row in answers), some.readings())
    check("duckdb: audit of a relation", ua.audit(connection.sql(f"FROM '{parquet}' LIMIT 5000")).rows == 5000)


def one_argument(name, *arguments):
    """Return a function of X alone, as DuckDB counts them."""
    return lambda column: call(column, name, *arguments)


def duckdb_csv(connection, folder):
    """Read a file of CSV in iso-8859-2 as bytes of latin-1, and decode it."""
    path = os.path.join(folder, "names.csv")
    with open(path, "wb") as file:
        file.write(b"name\n\xa3\xf3d\xbc\nplain\n")
    connection.create_function(
        "decoded", lambda x: ua.from_(ua.to(x, "latin1"), "iso-8859-2"), ["VARCHAR"], "VARCHAR", type="arrow"
    )
    answers = connection.execute(f"SELECT decoded(name) FROM read_csv('{path}', encoding='latin-1')").fetchall()
    check("duckdb: CSV", [row[0] for row in answers] == ["Łódź", "plain"])


@test
def nanoarrow():
    """Arrays of nanoarrow."""
    import nanoarrow as na

    column = na.Array(na.c_array(truth.rows[:5000], na.binary()))
    few("nanoarrow", column, lambda x: isinstance(x, na.Array), na.Array.to_pylist)
    same("nanoarrow: readings", lists(call(column, "readings").to_pylist()), some.readings()[:5000])


@test
def arro3():
    """Arrays of arro3."""
    import arro3.core
    column = arro3.core.Array.from_arrow(pa.array(truth.rows[:5000], pa.binary()))
    few("arro3", column, lambda x: type(x) is type(column), lambda x: pa.array(x).to_pylist())
    same("arro3: readings", lists(pa.array(call(column, "readings")).to_pylist()), some.readings()[:5000])


# ---- long columns ---------------------------------------------------------------------------------


def has_memory():
    """May a test take 8 GB of memory? Says why not."""
    if os.environ.get("ARROW_LIMITS") != "full":
        return False
    free = next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemAvailable"))
    if free < 8 << 20:
        print(f"SKIPPED: columns of more than 2 GB: {free >> 20} GB of memory are free, 8 are needed")
    return free >= 8 << 20


@test
def pyarrow_large_result():
    """A result of more than 2 GB has a large type; with ARROW_LIMITS=full only."""
    if not has_memory():
        return
    size = 750_000_000
    column = pa.array([b"\xff" * size, b"ok"], pa.binary())
    result = ua.repair(column)
    check("large_binary", result.type == pa.large_binary() and len(result[0].as_buffer()) == 3 * size and result[1].as_py() == b"ok")
    del result
    try:
        ua.repair(column.cast(pa.binary_view()))
        check("a view is too small", False)
    except OverflowError as error:
        check("the message", "more than 2147483647 bytes" in str(error))


@test
def pyarrow_large_input():
    """Offsets above 2^31 are read as they are; with ARROW_LIMITS=full only."""
    if not has_memory():
        return
    size = 2_200_000_000
    data = pa.py_buffer(b"a" * (size - 1) + b"\xff")
    for ends, expected in ([0, size], [size - 1]), ([0, 5, size - 10, size], [None, None, 9]):
        offsets = pa.array(ends, pa.int64()).buffers()[1]
        column = pa.Array.from_buffers(pa.large_string(), len(ends) - 1, [None, offsets, data])
        same(f"error_offset of {ends}", ua.error_offset(column).to_pylist(), expected)
        same(f"valid of {ends}", ua.valid(column).to_pylist(), [at is None for at in expected])
        same(f"the last of {ends}", ua.error_offset(column[-1:]).to_pylist(), expected[-1:])


# ---- all of them -----------------------------------------------------------------------------------


def main():
    """Run the tests of the engines that are installed."""
    only = os.environ.get("ARROW_ONLY", "")
    for function in tests:
        package = function.__name__.partition("_")[0]
        if only not in function.__name__:
            continue
        if not importlib.util.find_spec(package):
            print(f"SKIPPED: {package}: it is not installed")
            continue
        function()
    return finish()


if __name__ == "__main__":
    truth = rows.Truth(LIBRARY, rows.make_rows())
    some = rows.Truth(LIBRARY, truth.rows[:20_000])  # for what takes longer
    sys.exit(main())
