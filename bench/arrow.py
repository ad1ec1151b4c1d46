"""arrow.py: utf8ext.arrow beside what users of pyarrow, pandas and Polars do today, and in two threads.

    make bench-arrow

The candidates take turns; a line has the task, the candidate, MB/s, and how many times as fast utf8ext is.
"""

import statistics
import threading
import time
import unicodedata

import ftfy
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

import utf8ext.arrow as ua

ROUNDS = 7
WORDS = ["naïve café", "Straße nach Köln", "Привет, как дела?", "plain English text", "日本語のテキスト", "cafÃ© crÃ¨me",
         "e\u0301te\u0301", "Łódź"]


def text(count, size):
    """Return values of about `size` bytes."""
    joined = " ".join(WORDS)
    return [(joined * (size // len(joined.encode()) + 1))[i % 7 : i % 7 + size * len(joined) // len(joined.encode())] for i in range(count)]


def measure(task, megabytes, candidates):
    """Print the median speed of each candidate; the first one is utf8ext."""
    times = {name: [] for name in candidates}
    for _ in range(ROUNDS):
        for name, run in candidates.items():
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    first = next(iter(medians.values()))
    for name, median in medians.items():
        print(f"{task}\t{name}\t{megabytes / median:.1f} MB/s\t{median / first:.1f}", flush=True)


def in_threads(function, parts):
    """Call the function for each part, in a thread each."""
    threads = [threading.Thread(target=function, args=[part]) for part in parts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    """Measure tasks that both can do."""
    values = text(20_000, 100)
    column, series, polars = pa.array(values), pd.Series(values), pl.Series(values)
    binary = column.cast(pa.binary())
    megabytes = column.nbytes / 1e6
    measure("normalize", megabytes, {
        "utf8ext": lambda: ua.normalize(column),
        "pyarrow.compute.utf8_normalize": lambda: pc.utf8_normalize(column, form="NFC"),
        "pandas str.normalize": lambda: series.str.normalize("NFC"),
        "polars str.normalize": lambda: polars.str.normalize("NFC"),
        "polars map_elements": lambda: polars.map_elements(lambda v: unicodedata.normalize("NFC", v), return_dtype=pl.String),
    })
    few = column[:1000]
    measure("demojibake (ftfy: fix_encoding)", few.nbytes / 1e6 , {
        "utf8ext": lambda: ua.demojibake(few),
        "ftfy by map": lambda: pa.array(map(ftfy.fix_encoding, few.to_pylist())),
    })
    measure("clean, steps ftfy", few.nbytes / 1e6, {
        "utf8ext": lambda: ua.clean(few, "ftfy"),
        "ftfy by map": lambda: pa.array(map(ftfy.fix_text, few.to_pylist())),
    })
    measure("valid", megabytes, {
        "utf8ext": lambda: ua.valid(binary),
        "bytes.decode by map": lambda: pa.array([is_valid(value) for value in binary.to_pylist()]),
    })
    two_threads()


def two_threads():
    """Measure what part of the time of one thread two take for a column, each for a half of it.

    They take turns; the best round of each counts, since other programs can only make a round slower. The processor time
    of two threads shows what they do twice, whatever else runs.
    """
    whole = pa.array(text(400_000, 100))
    half = len(whole) // 2
    halves = [whole[:half], whole[half:]]
    for name, function in (("normalize", ua.normalize), ("demojibake", ua.demojibake), ("clean", ua.clean)):
        with open("/proc/loadavg") as file:
            load = file.read().split()[0]
        rounds = [(*taken(lambda: function(whole)), *taken(lambda: in_threads(function, halves))) for _ in range(ROUNDS)]
        one, one_busy, two, two_busy = map(min, zip(*rounds))
        print(f"{name}\tload {load}\ttwo threads take\t{two / one:.2f} of the time of one (goal: 0.6)\t"
              f"{two_busy / one_busy:.2f} of its processor time", flush=True)


def taken(run):
    """Return how long a call takes, and how much processor time."""
    start, busy = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - start, time.process_time() - busy


def is_valid(value):
    """Do what users do who have bytes."""
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


if __name__ == "__main__":
    main()
