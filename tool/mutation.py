#!/usr/bin/env python3
"""mutation.py: changes one place of the C sources at a time, and asks whether a test notices.

    python3 tool/mutation.py                        # 60 changes from seed 1; resumes where the last run stopped
    python3 tool/mutation.py --seed 2 --count 150   # those of another seed
    python3 tool/mutation.py --quick                # only the quick tests; a later run has the others
    python3 tool/mutation.py --again --quick        # makes the changes again that nothing noticed
    python3 tool/mutation.py --show 5e0c1f9a        # prints this change, and makes none

Each change is made in a copy of the tree, build/mutation/SEED. What includes the changed file is compiled: if the machine
code is as it was, no input can tell, and nothing is run. Otherwise the quick tests that run the changed line (reach.py) run,
the fastest first, up to the first failure. When all changes have been made once, those that nothing noticed are made again for
the slow tests of the line, and the rest of make test. Lines that are not compiled on this machine are not changed.

The results are in build/mutation/SEED.tsv: a name, the file, its line, the change, and what noticed it. A change keeps its name
as long as its line's text is the same. mutation.tsv has those that no test can notice, with the reason. Prints the rates at the
end.
"""

import argparse
import hashlib
import math
import os
import random
import re
import subprocess

import reach

CFLAGS = ["-std=c11", "-O2", "-I."]
EQUIVALENT = os.path.join(reach.ROOT, "tool", "mutation.tsv")
# The suites of make test that run C code and that reach.py does not run for each line. The others compare texts.
SLOW = 15  # seconds of a test that --quick leaves out
REST = ["interrupt", "faults", "demo", "docs", "unescape", "warnings", "versions", "arrow-engines", "symbols", "static",
        "amalgamation", "lib", "install"]
EMULATED = "check-avx512"  # of make test-lab: notices what make test does on a processor with AVX-512
PENDING = ["survived the quick", "survived make test"]  # what has not noticed a change

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
    generated = re.compile(r"tables/|suspect/table\.h|utf8charsets\.h")
    return [path for path in reach.sources("all") + reach.sources("headers") if not generated.search(path)]


def compiled_lines():
    """The lines of each file that the compiler sees on this machine: the others are those of other processors."""
    lines = {}
    for path in sources():
        if not path.endswith(".c"):
            continue
        text = subprocess.run(["gcc", *CFLAGS, "-E", path], cwd=reach.ROOT, check=True, capture_output=True, text=True).stdout
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
    """The first `count` changes of the seed: (name, path, line, old, new, new text). Each line has the same chance. The order
    depends on the texts of the lines only, so a commit keeps the changes of the lines that it leaves alone."""
    texts = {path: open(os.path.join(reach.ROOT, path), encoding="utf-8").read() for path in sources()}
    lines = compiled_lines()
    places = {}
    for path, text in texts.items():
        rows, seen = text.split("\n"), {}
        for change in changes(text):
            line = text.count("\n", 0, change[0]) + 1
            if line in lines.get(path, ()):
                place = seen.setdefault(line, (path, rows[line - 1], sum(rows[line - 1] == rows[at - 1] for at in seen), line))
                places.setdefault(place, []).append(change)
    names = {place: hashlib.sha256(repr((seed, place[:3])).encode()).hexdigest()[:8] for place in places}
    for place in sorted(places, key=names.get)[:count]:
        offset, length, new = random.Random(names[place]).choice(places[place])
        text = texts[place[0]]
        yield names[place], place[0], place[3], text[offset:offset + length], new, text[:offset] + new + text[offset + length:]


class Mutants:
    """The builds of a copy of the tree, and what notices a change in them."""

    def __init__(self, seed):
        self.tree = reach.Tree(os.path.join(reach.WORK, str(seed)))
        self.plain = reach.plain(self.tree)
        self.reach = reach.Reach(self.tree, self.plain)
        self.others = []

    def noticed(self, step, path, line, text):
        """What notices a change in step 0, the quick tests, or 1, the rest of make test; or that it survived."""
        with open(self.tree.path(path), "w", encoding="utf-8") as file:
            file.write(text)
        who = self.plain.change(path) or ("" if self.plain.link("") else "compiler") or \
            [self.noticed_by_quick, self.noticed_by_rest][step](path, line) or PENDING[step]
        self.tree.restore(path)
        for build in [self.plain, *self.others]:
            build.restore(path)
        return who

    def noticed_by_quick(self, path, line):
        return self.first_failure(test for test in self.reach.of(path, line) if test[1] < SLOW)

    def first_failure(self, tests):
        return next((test.name for test, seconds in tests if not self.plain.passes(test, math.ceil(5 + 5 * seconds))), "")

    def noticed_by_rest(self, path, line):
        """Of the suites with a build of their own, only what runs the line runs: of check-core and others the part under
        sanitizers, and of check-sanitized."""
        if os.path.basename(path).startswith("avx512") and not self.reach.of(path, line):
            return "" if self.tree.run(reach.suite("avx512"), 600) else EMULATED
        who = self.first_failure(test for test in self.reach.of(path, line) if test[1] >= SLOW)
        if who:
            return who
        if not self.others:
            self.others = [reach.sanitized(self.tree, self.plain), reach.chunked(self.tree, self.plain)]
        for build in self.others:
            if build.change(path) == "compiler" or not build.link(""):
                return "compiler"
        tests = [test for test, _ in self.reach.of(path, line)]
        for test in tests:
            if test.name.endswith(" quick") and not self.others[0].passes(test, 300):
                return test.name + " sanitized"
        scripts = [name for test in tests for name in test.files if name in self.reach.under_sanitizers]
        if scripts and not self.tree.run(["sh", "test/sanitized.sh", self.others[0].library, reach.OVER_READ, *scripts], 300):
            return "check-sanitized"
        return next((f"check-{name}" for name in REST if not self.tree.run(reach.suite(name), 300)), "")


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
    """Makes the changes whose results are not known yet; then makes those again that only the rest of make test can notice."""
    known = {row[0]: row[4] for row in read_rows(results)}
    if arguments.again:
        known = {name: who for name, who in known.items() if who not in PENDING}
    equivalent = {row[0] for row in read_rows(EQUIVALENT)}
    mutants = None
    for step in range(1 if arguments.quick else 2):
        for name, path, line, old, new, text in list(chosen(arguments.seed, arguments.count)):
            if name in equivalent or known.get(name, PENDING[0]) != PENDING[0] or (step == 0 and name in known):
                continue
            mutants = mutants or Mutants(arguments.seed)
            known[name] = mutants.noticed(step, path, line, text)
            row = [name, path, str(line), " ".join(old.split()) + " -> " + " ".join(new.split()), known[name]]
            print("\t".join(row), flush=True)
            write_rows(results, [other for other in read_rows(results) if other[0] != name] + [row])


def summary(arguments, results):
    known = {row[0]: row[4] for row in read_rows(results)}
    equivalent = {row[0] for row in read_rows(EQUIVALENT)}
    names = [change[0] for change in chosen(arguments.seed, arguments.count)]
    who = [known[name] for name in names if name in known and name not in equivalent]
    same, none = who.count("same code") + who.count("compiler"), sum(map(equivalent.__contains__, names))
    survived, emulated = sum(name in PENDING for name in who), who.count(EMULATED)
    print(f"{len(who) + none} changes, {same} that do not compile or make the same machine code, {none} of mutation.tsv; "
          f"of the other {len(who) - same}, make test noticed {len(who) - same - emulated - survived}, check-avx512 "
          f"{emulated}, and {survived} survived")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--quick", action="store_true", help=f"run only the tests of less than {SLOW} seconds")
    parser.add_argument("--again", action="store_true", help="make the changes again that nothing noticed")
    parser.add_argument("--show", metavar="NAME")
    arguments = parser.parse_args()
    if arguments.show:
        for name, path, line, old, new, _ in chosen(arguments.seed, arguments.count):
            if name == arguments.show:
                print(f"{path}:{line}: {old} -> {new}")
        return
    os.makedirs(reach.WORK, exist_ok=True)
    results = os.path.join(reach.WORK, f"{arguments.seed}.tsv")
    mutate(arguments, results)
    summary(arguments, results)


if __name__ == "__main__":
    main()
