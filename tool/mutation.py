#!/usr/bin/env python3
"""mutation.py: changes one place of the C sources at a time, and asks whether a test notices.

    python3 tool/mutation.py                     # 60 changes from seed 1; resumes where the last run stopped
    python3 tool/mutation.py --seed 2 --count 150 --all
    python3 tool/mutation.py --quick             # only the nearest suites; a later run has the others
    python3 tool/mutation.py --show 17           # prints change 17 of the seed, and runs nothing

Each change is made in a copy of the tree, build/mutation/SEED. What includes the changed file is compiled: if the machine
code is as it was, no input can tell, and nothing is run. Otherwise the tests of the changed folder run, up to the first
failure. When all changes have been made once, the other tests, then the other suites of make test, run for those that
nothing noticed; with --all, make test-lab too. Lines that are not compiled on this machine are
not changed. The results are in build/mutation/SEED.tsv: number, file, line, change, and what noticed it. Prints the rates
at the end.
"""

import argparse
import glob
import os
import random
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, "build", "mutation")
CFLAGS = ["-std=c11", "-O2", "-I."]
SECONDS = 30         # of processor time: a test that takes more has an endless loop
SUITE_SECONDS = 200  # the same for a process of a suite of make
LIBRARY = ["-fPIC", "-fvisibility=hidden"]

# The C tests and Tcl tests of each folder, which run first.
NEAREST = {
    "simd": ["core", "repair", "form", "kernel", "charset", "legacy", "suspect", "mojibake", "stream"],
    "core": ["core", "conformance", "charset", "repair", "form", "kernel"],
    "charset": ["legacy", "charset", "stream", "repair"], "detect": ["model"],
    "mojibake": ["mojibaketables", "mojibake"], "suspect": ["suspect"], "form": ["form"], "clean": ["clean"], "sql": [],
    "arrow": ["arrow"], "audit": [], ".": ["core", "conformance"],
}
TCL = {
    "simd": [], "core": ["valid", "codepoints", "truncate", "error", "dialects"], "charset": ["loss", "legacy", "charset", "policies"],
    "detect": ["detect", "cause", "auditcause"], "mojibake": ["mojibake", "cause"], "suspect": ["suspect"],
    "form": ["form", "unaccent", "collate", "loss"], "clean": ["clean", "unescape"], "arrow": [],
    "sql": ["registry", "valid", "truncate", "schema", "codepoints", "each", "options", "types", "form", "charset", "loss",
            "utf16", "error", "chunks"],
    "audit": ["auditpolicy", "auditscan", "auditdamage", "audithostile", "audit", "auditundo", "auditcause", "auditcall", "auditrepair",
              "auditends"],
    ".": ["registry", "valid", "codepoints"],
}
with open(os.path.join(ROOT, "test", "machine.sh"), encoding="utf-8") as machine:
    C_TESTS = re.search(r'^core_tests="(.*)"$', machine.read(), re.M).group(1).split()
# Suites of make test that say nothing new: what the quick suites run, and what the text of the sources decides.
NOT_RUN = {"format", "layers", "names", "setup", "version", "clients-docs", "conformance", "tcl"}
# Of the other suites, those that know most about the code of SQL.
FIRST = ["interrupt", "load", "sanitized", "faults", "versions"]
PENDING = ["the nearest", "make test", "make test-all"]  # what has not noticed a change

# Each replaces a token, or the text of a pattern's group, by one of the others.
TOKENS = [("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "=="), ("&&", "||"), ("||", "&&"),
          ("+", "-"), ("-", "+"), ("++", "--"), ("--", "++"), ("+=", "-="), ("-=", "+="), ("<<", ">>"), (">>", "<<"),
          ("|", "&"), ("|=", "&=")]
TOKEN = re.compile(r"->|\+\+|--|<<=|>>=|&&|\|\||[<>=!+\-*/|&^%]=|<<|>>|[<>+\-|]")
NUMBER = re.compile(r"(?<![\w.])(?:0[xX][0-9A-Fa-f]+|\d+)(?=[uUlL]*\b)(?![\w.]*\.)")
CONDITION = re.compile(r"\b(?:if|while) (?=\()")
STATEMENT = re.compile(r"^ +((?:[\w.>\[\]*-]+(?: [+|&-]?= .*|\+\+|--)|\w+\(.*\));)$")
# Comments, strings, characters, and lines of the preprocessor, which stay as they are.
QUIET = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)


def sources():
    """The hand-written sources that are compiled on this machine."""
    lists = [subprocess.run(["sh", "tool/sources.sh", what], cwd=ROOT, capture_output=True, text=True).stdout.split()
             for what in ("all", "headers")]
    elsewhere = re.compile(r"tables/|suspect/table\.h|utf8charsets\.h")
    return [path for path in lists[0] + lists[1] if not elsewhere.search(path)]


def compiled_lines():
    """The lines of each file that the compiler sees on this machine: the others are those of other processors."""
    lines = {}
    for path in sources():
        if not path.endswith(".c"):
            continue
        text = subprocess.run(["gcc", *CFLAGS, "-E", path], cwd=ROOT, check=True, capture_output=True, text=True).stdout
        at, seen = 0, set()
        for line in text.split("\n"):
            marker = re.match(r'# (\d+) "(?:\./)?([^"]+)"', line)
            if marker:
                at, seen = int(marker[1]), lines.setdefault(marker[2], set())
                continue
            if line.strip():
                seen.add(at)
            at += 1
    return lines


def closing(line, at):
    """Where the parenthesis at `at` has been closed; 0 if it is not in this line."""
    depth = 0
    for i in range(at, len(line)):
        depth += (line[i] == "(") - (line[i] == ")")
        if depth == 0:
            return i + 1
    return 0


def changes(text):
    """Every single change of the text: (offset, length, replacement)."""
    quiet = QUIET.sub(lambda found: re.sub(r"[^\n]", " ", found.group()), text)
    for found in TOKEN.finditer(quiet):
        yield from ((found.start(), len(old), new) for old, new in TOKENS if old == found.group())
    for found in NUMBER.finditer(quiet):
        value = int(found.group(), 0) if not re.fullmatch(r"0\d+", found.group()) else int(found.group(), 8)
        yield found.start(), len(found.group()), str(value + 1)
        if value:
            yield found.start(), len(found.group()), str(value - 1)
    start = 0
    for line in quiet.split("\n"):
        for found in CONDITION.finditer(line):
            end = closing(line, found.end())
            if end:
                at, until = start + found.end(), start + end
                yield at, until - at, "(!" + text[at:until] + ")"
        found = STATEMENT.match(line)
        if found:
            yield start + found.start(1), len(found.group(1)), ";"
        start += len(line) + 1


def chosen(seed, count):
    """The first `count` changes of the seed: (path, line, old, new, new text). A line's chance is the same everywhere."""
    texts = {path: open(os.path.join(ROOT, path), encoding="utf-8").read() for path in sources()}
    lines = compiled_lines()
    places = {}
    for path, text in texts.items():
        for change in changes(text):
            line = text.count("\n", 0, change[0]) + 1
            if line in lines.get(path, ()):
                places.setdefault((path, line), []).append(change)
    order = random.Random(seed)
    keys = sorted(places)
    order.shuffle(keys)
    for path, line in keys[:count]:
        offset, length, new = order.choice(places[path, line])
        text = texts[path]
        yield path, line, text[offset:offset + length], new, text[:offset] + new + text[offset + length:]


class Tree:
    """A copy of the project in which one file at a time is changed. Keeps each object and what it was compiled from."""

    def __init__(self, folder):
        self.folder = folder
        self.units = {}  # the object of each source and C test
        self.includes = {}  # the files that each object was compiled from
        self.copy()
        self.run(["make", "build/omit"], 60)  # older than the objects, so that make keeps them
        for path in sources():
            if path.endswith(".c"):
                self.units[path] = "build/lib/" + path[:-2] + ".o"
        self.units.update({f"test/{name}test.c": f"build/{name}test.o" for name in C_TESTS})
        core = subprocess.run(["sh", "tool/sources.sh", "core"], cwd=ROOT, capture_output=True, text=True).stdout.split()
        self.core = [self.units[path] for path in core]
        self.all = [unit for path, unit in self.units.items() if not path.startswith("test/")]
        self.code = {path: self.compile(path) for path in self.units}
        self.link_later()
        if None in self.code.values() or not all(map(self.link, list(self.stale))):
            sys.exit("mutation.py: the sources do not compile")

    def copy(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(os.path.join(self.folder, "build"))
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["xargs", "-0", "cp", "-p", "--parents", "-t", self.folder], cwd=ROOT, check=True, input=files)
        for name in ("sqlite", "testfixture", "charsets", "form"):
            path = os.path.join(ROOT, "build", name)
            if os.path.isdir(path):
                os.symlink(path, os.path.join(self.folder, "build", name))

    def run(self, command, seconds, **environment):
        """Runs a command in the tree; is its status 0? An endless loop ends after `seconds` of processor time."""
        return subprocess.run(["sh", "-c", f'ulimit -t {seconds} && exec "$@"', "sh", *command], cwd=self.folder,
                              env=dict(os.environ, **environment), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, check=False).returncode == 0

    def compile(self, path):
        """Compiles a source. Returns the object, and notes what it includes; or None."""
        unit = os.path.join(self.folder, self.units[path])
        os.makedirs(os.path.dirname(unit), exist_ok=True)
        flags = CFLAGS + ([] if path.startswith("test/") else LIBRARY)
        if not self.run(["gcc", *flags, "-MMD", "-MF", unit + ".d", "-c", "-o", unit, path], 300):
            return None
        with open(unit + ".d", encoding="utf-8") as file:
            self.includes[path] = {os.path.normpath(name) for name in re.findall(r"[^\s\\]+", file.read())}
        with open(unit, "rb") as file:
            return file.read()

    def link(self, name):
        """Links the extension or a C test, which is then newer than all sources, unless nothing has changed."""
        if name not in self.stale:
            return True
        self.stale.discard(name)
        if name.endswith(".so"):
            return self.run(["gcc", "-shared", "-Wl,-z,nodelete", "-o", name, *self.all], 300)
        return self.run(["gcc", "-o", name, name + ".o", *self.core], 300)

    def link_later(self):
        self.stale = {"utf8ext.so"} | {f"build/{name}test" for name in C_TESTS}

    def suites(self, path):
        """The C and Tcl tests as (name, command, environment): those of the file's folder, and the others. Of each C test a
        sample comes first; its whole has the kernel that no vectors hide."""
        folder, stem = os.path.dirname(path).split("/")[0] or ".", os.path.splitext(os.path.basename(path))[0]
        scripts = sorted(os.path.basename(name)[:-5] for name in glob.glob(os.path.join(ROOT, "test", "*.test")))
        near = [name for name in scripts if name == stem] + [name for name in TCL[folder] if name != stem]

        def commands(c_tests, scripts):
            yield from ((f"{name}test quick", [f"build/{name}test", "quick"], {"CTEST_QUICK": "1"}) for name in c_tests)
            yield from ((f"{name}.test", ["tclsh", "-encoding", "utf-8", f"test/{name}.test"], {}) for name in scripts)
            yield from ((f"{name}test", [f"build/{name}test"], {"UTF8EXT_KERNEL": "scalar"}) for name in c_tests
                        if name != "kernel")

        return (list(commands(NEAREST[folder], near)),
                list(commands([name for name in C_TESTS if name not in NEAREST[folder]],
                              [name for name in scripts if name not in near])))

    def write(self, path, text):
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)

    def change(self, path, text):
        """Makes a change. Returns "compiler" or "same code", or "" if the tests can be run."""
        self.write(path, text)
        users = [unit for unit in self.units if path in self.includes[unit]]
        new = [(unit, self.compile(unit)) for unit in users]
        if any(code is None for _, code in new):
            return "compiler"
        if all(code == self.code[unit] for unit, code in new):
            return "same code"
        self.link_later()
        return "" if self.link("utf8ext.so") else "compiler"

    def restore(self, path):
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            self.write(path, file.read())
        for unit in self.units:
            if path in self.includes[unit]:
                with open(os.path.join(self.folder, self.units[unit]), "wb") as file:
                    file.write(self.code[unit])

    def first_failure(self, suites, seconds=SECONDS):
        for name, command, environment in suites:
            if not (self.link(command[0]) and self.run(command, seconds, **environment)):
                return name
        return ""

    def noticed_nearby(self, path):
        return self.first_failure(self.suites(path)[0])

    def noticed_by_make(self, path):
        """The other suites of make test."""
        database = subprocess.run(["make", "-pn", "help"], cwd=self.folder, capture_output=True, text=True).stdout
        names = re.search(r"^SUITES :?= (.*)$", database, re.M).group(1).split()
        names = FIRST + [name for name in names if name not in FIRST and name not in NOT_RUN]
        suites = [("check-" + name, ["make", "-s", "JOBS=2", "check-" + name], {}) for name in names]
        return self.first_failure(self.suites(path)[1]) or self.first_failure(suites, SUITE_SECONDS)

    def noticed_by_lab(self, _):
        return "" if self.run(["make", "-s", "JOBS=2", "test-lab"], 3600) else "test-lab"


def read_rows(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def write_rows(path, rows):
    with open(path + ".new", "w", encoding="utf-8") as file:
        file.writelines("\t".join(row) + "\n" for row in rows)
    os.replace(path + ".new", path)


def mutate(arguments, results):
    """Makes the changes that are not yet in the results; then runs the slow suites for those that nothing noticed."""
    rows = read_rows(results)
    steps = [Tree.noticed_by_make, Tree.noticed_by_lab][:0 if arguments.quick else 2 if arguments.all else 1]
    tree = None
    for number, (path, line, old, new, text) in enumerate(chosen(arguments.seed, arguments.count), 1):
        if number <= len(rows):
            if rows[number - 1][1:3] != [path, str(line)]:
                sys.exit(f"mutation.py: the sources have changed since {results} was written; remove it")
            continue
        tree = tree or Tree(os.path.join(WORK, str(arguments.seed)))
        who = tree.change(path, text) or tree.noticed_nearby(path) or "survived " + PENDING[0]
        tree.restore(path)
        rows.append([str(number), path, str(line), " ".join(old.split()) + " -> " + " ".join(new.split()), who])
        print("\t".join(rows[-1]), flush=True)
        write_rows(results, rows)
    for step, notices in enumerate(steps):
        for row, (path, _, _, _, text) in zip(rows, chosen(arguments.seed, arguments.count)):
            if row[4] != "survived " + PENDING[step]:
                continue
            tree = tree or Tree(os.path.join(WORK, str(arguments.seed)))
            tree.change(path, text)
            row[4] = notices(tree, path) or "survived " + PENDING[step + 1]
            tree.restore(path)
            print("\t".join(row), flush=True)
            write_rows(results, rows)


def summary(results):
    who = [row[4] for row in read_rows(results)]
    same, lab = who.count("same code") + who.count("compiler"), who.count("test-lab")
    survived = sum(name.startswith("survived") for name in who)
    changed = len(who) - same
    print(f"{len(who)} changes, {same} that do not compile or make the same machine code; of the other {changed}, "
          f"make test noticed {changed - survived - lab}, make test-all {lab} more, {survived} survived")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--quick", action="store_true", help="run only the nearest suites")
    parser.add_argument("--all", action="store_true", help="run make test-lab for what survives make test")
    parser.add_argument("--show", type=int, metavar="N")
    arguments = parser.parse_args()
    if arguments.show:
        path, line, old, new, _ = list(chosen(arguments.seed, arguments.show))[-1]
        print(f"{path}:{line}: {old} -> {new}")
        return
    os.makedirs(WORK, exist_ok=True)
    results = os.path.join(WORK, f"{arguments.seed}.tsv")
    mutate(arguments, results)
    summary(results)


if __name__ == "__main__":
    main()
