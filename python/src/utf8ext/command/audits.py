"""`utf8ext audit` of several databases: one after the other, or in several processes."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from pathlib import Path
from typing import NamedTuple

import click

import utf8ext
from utf8ext._progress import Progress, ignore
from utf8ext._text import number
from utf8ext.command.failure import FOUND, Failure
from utf8ext.command.progress import titled_bar
from utf8ext.command.records import Records, file_name
from utf8ext.command.sqlite.summary import FIELDS, Count, summarize, write


def audit_all(paths: Iterable[Path], suspects: bool, syntax: str | None, jobs: int) -> int:
    """Audit databases, print what is found in the order of paths, and return the exit status."""
    with tempfile.TemporaryDirectory(prefix="utf8ext-") if syntax else nullcontext() as folder:
        tasks = [
            _Task(path, suspects, Path(folder, f"{i}.json") if folder else None)
            for i, path in enumerate(paths)
        ]
        with titled_bar(printing=True) as progress:
            return _print_all(tasks, _outcomes(tasks, jobs, folder, progress), syntax)


class _Task(NamedTuple):
    """A database to audit."""

    path: Path
    suspects: bool
    spool: Path | None  # where to write the findings, a JSON object in each line


class _Outcome(NamedTuple):
    """What came of it."""

    lines: list[str]  # the summary
    found: Count
    error: str | None = None


# ---- the output ------------------------------------------------------------------------------


def _print_all(tasks: list[_Task], outcomes: Iterator[_Outcome], syntax: str | None) -> int:
    records = Records(syntax, ("database", *FIELDS)) if syntax else None
    counts, failed = [], 0
    for task, outcome in zip(tasks, outcomes):
        if outcome.error is not None:
            failed += 1
            Failure(outcome.error).show()
        elif records and task.spool:
            _print_spool(task, task.spool, records)
        else:
            click.echo("\n".join([*outcome.lines, ""]))
        counts.append(outcome.found)
    if records:
        records.close()
    total = Count(*map(sum, zip(*counts)))
    unread = f", {number(failed, 'database')} not read" if failed else ""
    click.echo(f"{number(len(tasks), 'database')}: {total}{unread}", err=bool(syntax))
    return 2 if failed else FOUND if any(total) else 0


def _print_spool(task: _Task, spool: Path, records: Records) -> None:
    with open(spool, encoding="utf-8") as lines:
        for line in lines:
            records.write({"database": file_name(str(task.path)), **json.loads(line)})
    spool.unlink()


# ---- the work --------------------------------------------------------------------------------


def _audit(task: _Task, progress: Progress = ignore) -> _Outcome:
    """Audit a database. An error is an outcome, too."""
    try:
        if task.spool is None:
            return _Outcome(*summarize(task.path, task.suspects, progress))
        findings = utf8ext.audit(task.path, suspects=task.suspects, progress=progress)
        with open(task.spool, "w", encoding="utf-8") as out:
            return _Outcome([], write(findings, lambda found: print(json.dumps(found._asdict()), file=out)))
    except utf8ext.Error as error:
        return _Outcome([], Count(), str(error))
    except OSError as error:
        return _Outcome([], Count(), f"{task.path}: {error.strerror}")


def _outcomes(
    tasks: list[_Task], jobs: int, folder: str | None, progress: Progress
) -> Iterator[_Outcome]:
    """Yield the outcome of each task in order, as soon as those before it are known.

    If this process is killed, those of the pool remove the folder of temporary files.
    """
    if jobs == 1:
        yield from (_audit(task, progress) for task in tasks)
        return
    done: list[Future[_Outcome]] = []

    def count(future: Future[_Outcome]) -> None:
        done.append(future)
        progress(f"Reading {len(tasks)} databases", len(done) / len(tasks))

    with _pool(min(jobs, len(tasks)), folder) as pool:
        futures = [_submit(pool, task) for task in tasks]
        for future in futures:
            future.add_done_callback(count)
        try:
            for task, future in zip(tasks, futures):
                yield _outcome(task, future)
        except BaseException:
            for process in multiprocessing.active_children():
                process.terminate()
            raise


def _pool(jobs: int, folder: str | None = None) -> ProcessPoolExecutor:
    """Return a pool of processes, which Ctrl-C ends without a word."""
    context = multiprocessing.get_context("spawn")  # fork() would copy the locks of a bar's thread
    return ProcessPoolExecutor(jobs, context, _start_worker, (folder,))


def _start_worker(folder: str | None) -> None:
    """Let a process of the pool end with Ctrl-C, and with its parent, even if that is killed."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, args=(folder,), daemon=True).start()


def _end_with_parent(folder: str | None) -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)
        os._exit(1)


def _submit(pool: ProcessPoolExecutor, task: _Task) -> Future[_Outcome]:
    """Return the task's outcome to be; it has failed if a process was killed before it got the task."""
    try:
        return pool.submit(_audit, task)
    except (BrokenProcessPool, BrokenPipeError):
        failed: Future[_Outcome] = Future()
        failed.set_exception(BrokenProcessPool())
        return failed


def _outcome(task: _Task, future: Future[_Outcome]) -> _Outcome:
    """Return the outcome. If a process of the pool was killed, try again in a new one."""
    try:
        return future.result()
    except BrokenProcessPool:
        pass
    try:
        with _pool(1) as pool:
            return _submit(pool, task).result()
    except BrokenProcessPool:
        return _Outcome([], Count(), f"{task.path}: the process that read it was killed")
