"""workers.py: what part of the time of one worker two take: processes, threads, a Spark cluster.

    make bench-arrow-workers     # five minutes; needs java, 500 MB from PyPI

A partition is a file of Parquet; there are many, so that both workers end at the same time. A worker reads it, cleans a
column of text, and returns how many rows it has. One worker and two take turns. So do one loop that only counts and two:
their ratio is what the machine allows. The best round of each counts, since other programs can only make a round slower.
"""

import concurrent.futures
import glob
import multiprocessing
import os
import sys
import time

import spark as cluster_of_tests

FILES, ROWS, ROUNDS, JOBS = 24, 2_000, 4, 2
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


def clean_file(path):
    """Clean the column of a file, and return how many rows it has."""
    import pyarrow.parquet
    import utf8ext.arrow

    return len(utf8ext.arrow.clean(pyarrow.parquet.read_table(path).column(0), "ftfy"))


def count(_):
    """Count, for as long as a file takes."""
    return sum(i * i % 7 for i in range(3_000_000)) > 0


def processes(workers):
    """Return a pool of processes."""
    return concurrent.futures.ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))


def time_pool(pool, work, files):
    """Return the seconds that the pool takes for all files. First its workers warm up."""
    with pool:
        list(pool.map(work, files[:4]))
        start = time.perf_counter()
        list(pool.map(work, files))
        return time.perf_counter() - start


def print_pools(name, make_pool, work, files):
    """Take turns: one worker, two workers."""
    times = {1: [], 2: []}
    for _ in range(ROUNDS):
        for workers in times:
            times[workers].append(time_pool(make_pool(workers), work, files))
    one, two = (min(times[workers]) for workers in times)
    print(f"{name}\tone worker {one:.2f} s, two {two:.2f} s\t{two / one:.2f}", flush=True)


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
    spark.conf.set("spark.sql.files.maxPartitionBytes", 4 << 20)  # no more than Spark counts for opening a file
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
    files = sorted(glob.glob(os.path.join(folder, "*.parquet")))
    print_pools("counting, processes", processes, count, files)
    print_pools("clean, processes", processes, clean_file, files)
    print_pools("clean, threads", concurrent.futures.ThreadPoolExecutor, clean_file, files)
    times = {1: [], 2: []}
    with cluster_of_tests.Cluster() as cluster:
        for _ in range(ROUNDS):
            for cores in times:
                times[cores].append(time_jobs(cluster, folder, cores))
    one, two = (min(times[cores]) for cores in times)
    print(f"spark\tone worker {one:.2f} s, two {two:.2f} s\t{two / one:.2f} (goal: 0.6)")


if __name__ == "__main__":
    main()
