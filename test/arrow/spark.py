#!/usr/bin/env python3
"""spark.py: utf8ext.arrow on a standalone cluster of Spark, a master and two workers, gives what SQL gives.

    sh test/arrow.sh spark     # in an environment with PySpark, and Java

The workers are processes of this machine, with one core each.
"""

import glob
import json
import os
import socket
import subprocess
import sys
import time

import rows
from rows import check, finish

WORK = os.environ["ARROW_WORK"]


def free_port():
    """Return a port that nobody uses."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Cluster:
    """A master and two workers."""

    def __init__(self):
        import pyspark

        self._class = os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-class")
        self._port = free_port()
        self.master = f"spark://127.0.0.1:{self._port}"
        self._processes = []

    def __enter__(self):
        deploy = "org.apache.spark.deploy."
        self._start(deploy + "master.Master", "--host", "127.0.0.1", "--port", str(self._port), "--webui-port", "0")
        self._wait()
        for i in range(2):
            folder = os.path.join(WORK, f"worker{i}")
            self._start(deploy + "worker.Worker", "--host", "127.0.0.1", "--webui-port", "0", "--cores", "1",
                        "--memory", "1g", "--work-dir", folder, self.master)
        return self

    def __exit__(self, *_):
        for process in reversed(self._processes):
            process.terminate()
        for process in self._processes:
            process.wait()

    def _start(self, *command):
        with open(os.path.join(WORK, "cluster.log"), "ab") as log:
            self._processes.append(subprocess.Popen([self._class, *command], stdout=log, stderr=log))

    def _wait(self):
        for _ in range(300):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", self._port)) == 0:
                    return
            time.sleep(0.1)
        raise RuntimeError("the master does not start")


def session(cluster, cores=2):
    """Return a Spark session that uses `cores` cores of the cluster. Its workers can import this package."""
    from pyspark.sql import SparkSession

    return (
        SparkSession.builder.master(cluster.master)
        .appName("utf8ext")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.executor.memory", "512m")
        .config("spark.executorEnv.PYTHONPATH", os.environ["PYTHONPATH"])
        .config("spark.cores.max", str(cores))
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
        .getOrCreate()
    )


def stored(answers):
    """Return answers as SQL returns them."""
    return [a.encode() if isinstance(a, str) else bytes(a) if isinstance(a, bytearray) else a for a in answers]


def test_functions(spark, frame, truth):
    """Each function as an arrow_udf."""
    from pyspark.sql.functions import arrow_udf

    kinds = {"valid": "boolean", "error_offset": "bigint", "error": "string", "cause": "string", "mojibake": "string"}
    for name, *arguments in rows.FEW:
        udf = arrow_udf(function_of(name, arguments), kinds.get(name, "binary"))
        answers = [row[0] for row in frame.select("id", udf("name").alias("a")).orderBy("id").select("a").collect()]
        check(f"spark: {name}", stored(answers) == truth.answers((name, *arguments)))


def function_of(name, arguments):
    """Return a function for the workers, which do not have this file."""
    alone = {"neighbours": False} if name in ("cause", "readings", "repair", "clean", "demojibake") else {}

    def work(column):
        import pyarrow
        import utf8ext.arrow

        answers: pyarrow.Array = getattr(utf8ext.arrow, name)(column, *arguments, **alone)
        return answers

    import pyarrow

    work.__annotations__ = {"column": pyarrow.Array, "return": pyarrow.Array}
    return work


def test_readings(spark, frame, truth):
    """Readings are an array of structs."""
    from pyspark.sql.functions import arrow_udf

    kind = "array<struct<text string, cause string, charset string, language string, probability double>>"
    udf = arrow_udf(function_of("readings", []), kind)
    few = frame.where("id < 5000").select("id", udf("name").alias("r")).orderBy("id")
    answers = [None if row.r is None else [dict(zip(rows.READING, stored(reading))) for reading in row.r] for row in few.collect()]
    check("spark: readings", answers == truth.readings()[:5000])


def test_strings(spark, truth):
    """A string column of Spark may have ill-formed bytes: a cast from binary checks nothing."""
    from pyspark.sql.functions import arrow_udf, col

    frame = spark.createDataFrame([(i, bytearray(b"caf\xe9 %d" % i)) for i in range(100)], "id int, name binary")
    udf = arrow_udf(function_of("repair", ["latin1"]), "string")
    answers = [row[0] for row in frame.select(udf(col("name").cast("string"))).collect()]
    check("spark: ill-formed strings", answers == [f"café {i}" for i in range(100)])


def audit_batches(batches):
    """Summarize a partition: a row with the summary in JSON."""
    import pyarrow
    import utf8ext.arrow

    summary = utf8ext.arrow.audit(batches, name="people")
    yield pyarrow.RecordBatch.from_pydict({"summary": [summary.to_json()]})


def test_audit(spark, frame):
    """The summaries of partitions add up, on the workers, to that of the whole."""
    import utf8ext.arrow as ua

    def add(a, b):
        from utf8ext.arrow import Summary

        return (Summary.from_json(a) + Summary.from_json(b)).to_json()

    parts = frame.select("name").mapInArrow(audit_batches, "summary string").cache()
    total = ua.Summary.from_json(parts.rdd.map(lambda row: row.summary).treeReduce(add))
    check("spark: rows", total.rows == rows.ROWS)
    local = ua.audit(frame.select("name").toArrow())
    check("spark: values", total.values == local.values)
    again = [ua.Summary.from_json(row.summary) for row in parts.collect()]
    check("spark: the sum is that of the parts", sum(again[1:], again[0]) == total)


def clean_file(path, out):
    """Write a file of CSV in an unknown charset as Parquet, and return the summary of what was wrong."""
    import os
    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.parquet
    import utf8ext.arrow as ua

    table = pyarrow.csv.read_csv(path, convert_options=pyarrow.csv.ConvertOptions(check_utf8=False))
    summary = ua.audit(table, name="csv")
    for i, column in enumerate(table.column_names):
        if pa.types.is_string(table.schema.field(i).type):
            table = table.set_column(i, column, ua.clean(table[column]))
    pyarrow.parquet.write_table(table, os.path.join(out, os.path.basename(path) + ".parquet"))
    return summary.to_json()


def test_folder(spark):
    """A folder of CSV in unknown charsets becomes clean Parquet."""
    import pyarrow.parquet
    import utf8ext.arrow as ua

    folder, out = os.path.join(WORK, "csv"), os.path.join(WORK, "parquet")
    os.makedirs(folder, exist_ok=True)
    os.makedirs(out, exist_ok=True)
    names = {"cp1251": ["Москва", "Нижний Новгород", "Санкт-Петербург"], "cp1250": ["Łódź", "Gdańsk", "Wrocław – miasto"],
             "utf-8": ["Köln", "Zürich", "Århus"], "shift_jis": ["東京都", "大阪府の町", "札幌市の雪"], "koi8-r": ["Привет всем", "Владивосток", "Казань"]}
    for charset, towns in names.items():
        with open(os.path.join(folder, f"{charset}.csv"), "wb") as file:
            file.write(("id,town\n" + "".join(f"{i},{town}\n" for i, town in enumerate(towns * 20))).encode(charset))
    work = clean_file
    parts = spark.sparkContext.parallelize(glob.glob(folder + "/*.csv"), 5).map(lambda path: work(path, out)).collect()
    total = sum((ua.Summary.from_json(part) for part in parts[1:]), ua.Summary.from_json(parts[0]))
    check("spark: rows of the files", total.rows == 300)
    for charset, towns in names.items():
        table = pyarrow.parquet.read_table(os.path.join(out, f"{charset}.csv.parquet"))
        if table["town"].to_pylist() != towns * 20:
            print(f"  {charset}: {table['town'].to_pylist()[:3]}")
        check(f"spark: {charset} is clean", table["town"].to_pylist() == towns * 20)
    check("spark: findings", json.loads(total.to_json())["findings"])


def main():
    """Run the tests on a cluster."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    truth = rows.Truth(sys.argv[1], rows.make_rows())
    with Cluster() as cluster:
        spark = session(cluster)
        spark.sparkContext.setLogLevel("ERROR")
        import pyarrow as pa

        table = pa.table({"id": range(len(truth.rows)), "name": pa.array(truth.rows, pa.binary())})
        frame = spark.createDataFrame(table).repartition(8).cache()
        test_functions(spark, frame, truth)
        test_readings(spark, frame, truth)
        test_strings(spark, truth)
        test_audit(spark, frame)
        test_folder(spark)
        executors = spark.sparkContext._jsc.sc().getExecutorMemoryStatus().size() - 1  # without the driver
        check("spark: two workers", executors == 2)
        spark.stop()
    return finish()


if __name__ == "__main__":
    sys.exit(main())
