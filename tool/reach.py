"""reach.py: builds of a copy of the tree, and which tests run each line of its C sources.

mutation.py uses it: a change of a line is noticed only by a test that runs the line. Each test runs once alone with a
library that counts lines (gcov), which also gives its seconds, and shows that it passes. The results are kept in
build/mutation/reach.json, until a source or the test changes.
"""

import collections
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, "build", "mutation")
SO = "utf8ext.so"
# Suites of make test that run a program of their own with the library.
SUITES = ["load", "calls", "reads", "answers"]
OVER_READ = "build/sanitized/overread.so"
Test = collections.namedtuple("Test", "name program command environment files")


def lines_of(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.split()


def sources(what):
    return lines_of("sh", "tool/sources.sh", what)


def c_tests():
    return lines_of("sh", "-c", ". test/machine.sh && echo $core_tests")


class Tree:
    """A copy of what git has of the project, with the tools of its tests."""

    def __init__(self, folder):
        self.folder = folder
        os.makedirs(self.path("build"), exist_ok=True)
        files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
        subprocess.run(["xargs", "-0", "cp", "-p", "--parents", "-t", folder], cwd=ROOT, check=True, input=files)
        for name in ("sqlite", "testfixture", "charsets", "form", "apt", "venv"):
            if os.path.isdir(os.path.join(ROOT, "build", name)) and not os.path.exists(self.path("build", name)):
                os.symlink(os.path.join(ROOT, "build", name), self.path("build", name))

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run(self, command, seconds=1000, environment=None):
        """Runs a command in the tree; is its status 0? Each process has `seconds` of processor time, and all ten times more
        of time, after which they end."""
        process = subprocess.Popen(["sh", "-c", f'ulimit -t {seconds} && exec "$@"', "sh", *command], cwd=self.folder,
                                   env={**os.environ, **(environment or {})}, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, start_new_session=True)
        try:
            return process.wait(seconds * 10) == 0
        except subprocess.TimeoutExpired:
            return False
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()

    def restore(self, path):
        shutil.copyfile(os.path.join(ROOT, path), self.path(path))


class Build:
    """The objects of a tree under one set of flags, and what is linked from them. Keeps each object and what it was compiled
    from: a change compiles only what includes the changed file."""

    def __init__(self, tree, name, flags, paths, base=None, library=None, programs=None):
        """What is not among the paths is taken from the build `base`."""
        self.tree, self.flags, self.base = tree, flags, base
        self.folder = os.path.join("build", "mutation", name)
        self.library = library or os.path.join(self.folder, SO)
        self.programs = programs or self.folder
        self.units = {path: os.path.join(self.folder, path[:-2] + ".o") for path in paths}
        self.includes = {}
        self.code = {path: self.kept(path) or self.compile(path) for path in paths}
        self.fresh = set()
        if None in self.code.values():
            sys.exit(f"mutation.py: the sources do not compile with {flags}")

    def compile(self, path):
        """Compiles a source, and notes what it includes. Returns the object, or None."""
        unit = self.tree.path(self.units[path])
        os.makedirs(os.path.dirname(unit), exist_ok=True)
        library = [] if path.startswith("test/") else ["-fPIC", "-fvisibility=hidden"]
        flags = ["-std=c11", "-I.", *self.flags, *library, "-MMD", "-MF", unit + ".d"]
        if not self.tree.run(["gcc", *flags, "-c", "-o", unit, path]):
            return None
        self.note_includes(path)
        with open(unit, "rb") as file:
            return file.read()

    def kept(self, path):
        """The object that an earlier run compiled, unless a file that it includes is newer, or a change was being made."""
        unit = self.tree.path(self.units[path])
        if not os.path.exists(unit + ".d") or os.path.exists(unit + ".kept"):
            return None
        self.note_includes(path)
        if any(os.path.getmtime(self.tree.path(name)) > os.path.getmtime(unit) for name in self.includes[path]):
            return None
        with open(unit, "rb") as file:
            return file.read()

    def note_includes(self, path):
        with open(self.tree.path(self.units[path]) + ".d", encoding="utf-8") as file:
            text = file.read().split(":", 1)[1]
        self.includes[path] = {os.path.normpath(name) for name in re.findall(r"[^\s\\]+", text)}

    def users(self, path):
        return [unit for unit in self.units if path in self.includes[unit]]

    def change(self, path):
        """Compiles what includes a changed file. Returns "compiler" if that fails, "same code", or ""."""
        self.fresh.clear()
        users = self.users(path)
        for unit in users:
            os.replace(self.tree.path(self.units[unit]) + ".d", self.tree.path(self.units[unit]) + ".kept")
        new = {unit: self.compile(unit) for unit in users}
        if None in new.values():
            return "compiler"
        return "same code" if all(code == self.code[unit] for unit, code in new.items()) else ""

    def restore(self, path):
        self.fresh.clear()
        for unit in self.users(path):
            place = self.tree.path(self.units[unit])
            if os.path.exists(place + ".kept"):
                with open(place, "wb") as file:
                    file.write(self.code[unit])
                os.replace(place + ".kept", place + ".d")

    def unit(self, path):
        return self.units.get(path) or self.base.unit(path)

    def link(self, program):
        """Links the library, or a C test if there is a name, unless nothing has changed. Does it link?"""
        if program in self.fresh:
            return True
        if program:
            paths, flags, to = [f"test/{program}.c", *sources("core")], [], os.path.join(self.programs, program)
        else:
            paths, flags, to = sources("all"), ["-shared", "-Wl,-z,nodelete"], self.library
        done = self.tree.run(["gcc", *self.flags, *flags, "-o", to, *map(self.unit, paths)])
        if done:
            self.fresh.add(program)
        return done

    def passes(self, test, seconds):
        """Does the test pass? It may take `seconds` of processor time."""
        program = [os.path.join(self.programs, test.program)] if test.program else []
        return self.link("") and self.link(test.program) and self.tree.run(program + test.command, seconds, test.environment)


def plain(tree):
    """The build that users get, and the C tests."""
    return Build(tree, "plain", ["-O2"], sources("all") + [f"test/{name}test.c" for name in c_tests()], library=SO,
                 programs="build")


def sanitized(tree, base):
    """The builds of check-sanitized and of the C tests under sanitizers, with the library of its check that ASan works."""
    flags = ["-O1", "-g1", "-fno-sanitize-recover=all", "-fsanitize=address,undefined"]
    tree.run(["make", "-s", OVER_READ])
    return Build(tree, "sanitized", flags, sources("all"), base=base)


def chunked(tree, base):
    """The build of check-interrupt."""
    paths = [path for path in sources("all") if path not in sources("core")]
    os.makedirs(tree.path("build", "chunks"), exist_ok=True)
    return Build(tree, "chunked", ["-O2", "-DUTF8_CHUNK=64"], paths, base=base, library="build/chunks/" + SO)


def all_tests():
    """Every test that can run alone. Of each C test, a sample comes before the whole, which has the kernel without vectors."""
    for name in c_tests():
        files = [f"test/{name}test.c"]
        yield Test(f"{name}test quick", f"{name}test", ["quick"], {"CTEST_QUICK": "1"}, files)
        if name != "kernel":
            yield Test(f"{name}test", f"{name}test", [], {"UTF8EXT_KERNEL": "scalar"}, files)
    for path in sorted(glob.glob(os.path.join(ROOT, "test", "*.test"))):
        path = os.path.relpath(path, ROOT)
        yield Test(os.path.basename(path), "", ["tclsh", "-encoding", "utf-8", path], {}, [path])
    for name in SUITES:
        yield Test("check-" + name, "", suite(name), {}, [])


def suite(name):
    """The command that runs a suite of make with the libraries as they are."""
    return ["make", "-s", "-o", SO, "-o", "build/chunks/" + SO, "JOBS=1", "check-" + name]


def digest(paths):
    total = hashlib.sha256()
    for path in paths:
        with open(os.path.join(ROOT, path), "rb") as file:
            total.update(path.encode() + b"\0" + file.read() + b"\0")
    return total.hexdigest()


class Reach:
    """Which tests run each line. `tests` has, for each test's name, its seconds and the lines it runs; `known` the lines that
    have code, for each file."""

    def __init__(self, tree, build):
        self.file = os.path.join(WORK, "reach.json")
        self.names = {test.name: test for test in all_tests()}
        state = json.load(open(self.file, encoding="utf-8")) if os.path.exists(self.file) else {"known": {}, "tests": {}}
        self.known, self.tests = state["known"], state["tests"]
        common = sources("all") + sources("headers") + [path for path in lines_of("git", "ls-files", "test")
                                                        if path.endswith((".h", ".tcl"))]
        self.common = digest(common)
        database = subprocess.run(["make", "-pn", "help"], cwd=ROOT, capture_output=True, text=True).stdout
        sql_tests = re.search(r"^SQL_TESTS := (.*)$", database, re.M).group(1).split()
        self.under_sanitizers = set(sql_tests) - {"test/auditundo.test"}
        self.users = {path: build.users(path) for path in common}
        new = [test for test in self.names.values() if self.tests.get(test.name, {}).get("of") != self.key(test)]
        if new:
            self.measure(tree, build, new)

    def key(self, test):
        return self.common + digest(test.files)

    def measure(self, tree, build, tests):
        print(f"{len(tests)} tests run once, to see which lines they run", file=sys.stderr)
        counting = Build(tree, "counting", ["--coverage", "-O0"], sources("all"), base=build, library=SO)
        for test in tests:
            counting.link(test.program)
            start = time.time()
            if not counting.passes(test, 1000):
                sys.exit(f"mutation.py: {test.name} fails without a change")
            seconds = round(time.time() - start, 2)
            self.tests[test.name] = {"of": self.key(test), "seconds": seconds, "lines": self.counted(tree, counting)}
            self.write()
        build.fresh.clear()

    def counted(self, tree, counting):
        """Notes which lines have code. Returns those that ran since the last call, for each file."""
        data = [path[:-2] + ".gcda" for path in counting.units.values() if os.path.exists(tree.path(path[:-2] + ".gcda"))]
        output = subprocess.run(["gcov", "--json-format", "--stdout", *data], cwd=tree.folder, check=True, capture_output=True)
        ran = collections.defaultdict(set)
        for line in output.stdout.splitlines():
            for file in json.loads(line)["files"]:
                path = os.path.normpath(file["file"])
                if path in self.users:
                    known = set(self.known.get(path, ())) | {line["line_number"] for line in file["lines"]}
                    self.known[path] = sorted(known)
                    ran[path] |= {line["line_number"] for line in file["lines"] if line["count"]}
        for path in data:
            os.remove(tree.path(path))
        return {path: sorted(lines) for path, lines in ran.items()}

    def write(self):
        with open(self.file, "w", encoding="utf-8") as file:
            json.dump({"known": self.known, "tests": self.tests}, file)

    def runs(self, name, path, line):
        """Does a test run a line? A line without code, such as a constant, runs with everything that includes its file."""
        lines = self.tests[name]["lines"]
        if line in self.known.get(path, ()):
            return line in lines.get(path, ())
        return any(lines.get(user) for user in self.users[path])

    def of(self, path, line):
        """The tests that run a line as (test, seconds), the fastest first."""
        found = [(test, self.tests[name]["seconds"]) for name, test in self.names.items() if self.runs(name, path, line)]
        return sorted(found, key=lambda pair: pair[1])
