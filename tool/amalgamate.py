#!/usr/bin/env python3
"""amalgamate.py: writes all sources of utf8ext into one file.

    python3 tool/amalgamate.py build/amalgamation

Writes utf8ext.c, which has all *.c files and the headers that they include, and utf8ext.h, for
programs that link it in. utf8ext.c compiles alone: as a loadable extension, or with
-DSQLITE_CORE. -DUTF8EXT_OMIT_MOJIBAKE and so on leave out the files of a part (core/omit.h).

What files share is UTF8_PRIVATE, that is static, in the one file: only the entry points are external, and the
compiler drops what is not used. Define UTF8_PRIVATE as nothing to call the core from other files.

A header with an include guard is copied once, where it is first included; but again after an
#include between #if and #endif, whose copy the compiler may not see. A header without a guard,
such as core/simd/generic.h, is copied each time. sqlite3.h and system headers stay #include lines.
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

# The first line of what files share: a declaration or definition at file scope that is not static.
SHARED = re.compile(
    r"(?!static\b|typedef\b|enum\b|union\b|_Static_assert\b|PUBLIC\b|ALWAYS_INLINE\b|#)(extern )?"
    r"(?=[A-Za-z_][\w *()]*\butf8[a-z]+_\w+(\(|\[|;|,| =))")
PRIVATE = """#ifdef UTF8_PRIVATE
#elif defined __GNUC__ /* gcc does not name what is not used, but drops it */
#define UTF8_PRIVATE static __attribute__((unused))
#else
#define UTF8_PRIVATE static
#endif
"""


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
            yield SHARED.sub("UTF8_PRIVATE ", line, count=1) if SHARED.match(line) else line


def sources(kind):
    """The lines that tool/sources.sh prints for a whole build."""
    command = ["sh", os.path.join(ROOT, "tool/sources.sh"), kind]
    return subprocess.check_output(command, text=True, env={**os.environ, "OMIT": ""}).splitlines()


def conditional(directive, part, lines):
    """The lines, where the compiler leaves a part out (#ifdef) or has it (#ifndef)."""
    yield f"#{directive} UTF8EXT_OMIT_{part}\n"
    yield from lines
    yield "#endif\n"


def expand_all():
    """Yields the lines of all files, those of each part between #ifndef and #endif."""
    done = set()
    parts = [line.split(" ") for line in sources("parts")]
    part_of = {path: part for part, path in parts}
    seen = {part: set() for part in part_of.values()}  # what each part has copied for itself
    yield from expand("core/omit.h", done)
    for path in sources("all"):
        if part := part_of.get(path):
            seen[part] |= done
            yield from conditional("ifndef", part, expand(path, seen[part]))
        else:
            yield from expand(path, done)
    for part, folder in dict.fromkeys((part, os.path.dirname(path)) for part, path in parts):
        if folder != "sql":
            yield from conditional("ifdef", part, expand(f"{folder}/omitted.c", set(done)))


def main(directory):
    with open(os.path.join(ROOT, "VERSION"), encoding="utf-8") as file:
        version = file.read().strip()
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "utf8ext.c"), "w", encoding="utf-8") as out:
        out.write(f"/* utf8ext {version}: all sources in one file, written by tool/amalgamate.py. */\n")
        out.write(PRIVATE)
        out.writelines(expand_all())
    with open(os.path.join(ROOT, "utf8ext.h"), encoding="utf-8") as file:
        header = file.read()
    with open(os.path.join(directory, "utf8ext.h"), "w", encoding="utf-8") as out:
        out.write(header)


if __name__ == "__main__":
    main(*sys.argv[1:])
