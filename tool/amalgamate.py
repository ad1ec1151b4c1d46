#!/usr/bin/env python3
"""amalgamate.py: writes all sources of utf8ext into one file.

    python3 tool/amalgamate.py build/amalgamation

Writes utf8ext.c, which has all *.c files and the headers that they include, and utf8ext.h, for
programs that link it in. utf8ext.c compiles alone: as a loadable extension, or with
-DSQLITE_CORE.

A header with an include guard is copied once, where it is first included; but again after an
#include between #if and #endif, whose copy the compiler may not see. A header without a guard,
such as simd/generic.h, is copied each time. sqlite3.h and system headers stay #include lines.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
INCLUDE = re.compile(r'\s*#\s*include\s+"([^"]+)"')
GUARD = re.compile(r"#ifndef (\w+_H)\n#define \1\n")
CONDITION = re.compile(r"\s*#\s*(if|el|endif)")
KEPT = {"sqlite3.h", "sqlite3ext.h"}


def resolve(name, directory):
    """The path, relative to the root, of a file that a file in `directory` includes."""
    beside = os.path.normpath(os.path.join(directory, name))
    return beside if os.path.exists(os.path.join(ROOT, beside)) else name


def change_branch(branches, directive, guarded):
    """Updates the stack at an #if, #elif, #else or #endif. A file's include guard is not a branch."""
    if directive != "if":
        branches.pop()
    if directive != "endif":
        is_guard = guarded and len(branches) == 1
        branches.append(branches[-1] if is_guard else set(branches[-1]))


def expand(path, done):
    """Yields the lines of a file, with the project's own headers in place of their #include lines."""
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        text = file.read()
    if path in done:
        return
    guarded = bool(GUARD.search(text))
    if path.endswith(".c") or guarded:
        done.add(path)
    branches = [done]  # what each enclosing #if has copied, the innermost last
    yield f"/* ======== {path} */\n"
    for line in text.splitlines(keepends=True):
        if condition := CONDITION.match(line):
            change_branch(branches, condition.group(1), guarded)
        include = INCLUDE.match(line)
        if include and include.group(1) not in KEPT:
            yield from expand(resolve(include.group(1), os.path.dirname(path)), branches[-1])
        else:
            yield line


def main(directory):
    with open(os.path.join(ROOT, "VERSION"), encoding="utf-8") as file:
        version = file.read().strip()
    os.makedirs(directory, exist_ok=True)
    done = set()
    sources = subprocess.check_output(["sh", os.path.join(ROOT, "tool/sources.sh"), "all"], text=True).split()
    with open(os.path.join(directory, "utf8ext.c"), "w", encoding="utf-8") as out:
        out.write(f"/* utf8ext {version}: all sources in one file, written by tool/amalgamate.py. */\n")
        for path in sources:
            out.writelines(expand(path, done))
    with open(os.path.join(ROOT, "utf8ext.h"), encoding="utf-8") as file:
        header = file.read()
    with open(os.path.join(directory, "utf8ext.h"), "w", encoding="utf-8") as out:
        out.write(header)


if __name__ == "__main__":
    main(*sys.argv[1:])
