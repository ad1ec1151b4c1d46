"""workers.py: what part of the time of one worker of a Spark cluster two take.

    make bench-arrow-workers     # two minutes; needs java, 500 MB from PyPI

A partition is a file of Parquet. A worker reads it, cleans a column of text, and returns how many rows it has. One worker
and two take turns; the best round of each counts, since other programs can only make a round slower.
"""

import os
import sys
import time

import spark as cluster_of_tests

FILES, ROWS, ROUNDS, JOBS = 8, 3_000, 3, 3
WORDS = ["na\u00efve caf\u00e9", "\u041f\u0440\u0438\u0432\u0435\u0442", "plain English text", "caf\u00c3\u00a9 cr\u00c3\u00a8me", "e\u0301te\u0301 \u0141\u00f3d\u017a"]


def write_files(folder):
    """Write the files."""
    import pyarrow as pa
    import pyarrow.parquet

    os.makedirs(folder, exist_ok=True)
    texts = [" ".join(WORDS[(i + k) % len(WORDS)] for k in range(6)) for i in range(ROWS)]
    for i in range(FILES):
        pyarrow.parquet.write_table(pa.table({"name": texts}), os.path.join(folder, f"{i}.parquet"))


def clean_batches(batches):
    """Clean the batches of a partition, and yield how many rows it has."""
    import pyarrow as pa
    import utf8ext.arrow

    rows = 0
    for batch in batches:
        rows += len(utf8ext.arrow.clean(batch.column(0), "ftfy"))
    yield pa.RecordBatch.from_pydict({"rows": [rows]})


def time_job(spark, folder):
    """Return how long the job takes."""
    start = time.perf_counter()
    counted = spark.read.parquet(folder).mapInArrow(clean_batches, "rows bigint").toArrow()
    assert sum(counted["rows"].to_pylist()) == FILES * ROWS
    return time.perf_counter() - start


def load():
    """Return how many programs want to run, on average of the last minute."""
    with open("/proc/loadavg") as file:
        return file.read().split()[0]


def time_jobs(cluster, folder, cores):
    """Return how long the fastest of some jobs takes. The first one, which starts Python, does not count."""
    spark = cluster_of_tests.session(cluster, cores)
    spark.sparkContext.setLogLevel("ERROR")
    time_job(spark, folder)
    before = load()
    best = min(time_job(spark, folder) for _ in range(JOBS))
    spark.stop()
    print(f"spark\t{cores} of 2 workers\t{best:.2f} s\tload {before}", flush=True)
    return best


def main():
    """Take turns: one worker, two workers."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = os.path.join(os.environ["ARROW_WORK"], "files")
    write_files(folder)
    times = {1: [], 2: []}
    with cluster_of_tests.Cluster() as cluster:
        for _ in range(ROUNDS):
            for cores in times:
                times[cores].append(time_jobs(cluster, folder, cores))
    one, two = (min(times[cores]) for cores in times)
    print(f"spark\tone worker {one:.2f} s, two {two:.2f} s\t{two / one:.2f} (goal: 0.6)")


if __name__ == "__main__":
    main()
