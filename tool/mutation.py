#!/usr/bin/env python3
"""mutation.py: changes one place of the C sources at a time, and asks whether a test notices.

    python3 tool/mutation.py                     # 60 changes from seed 1; goes on where the last run ended
    python3 tool/mutation.py --seed 2 --count 150 --all
    python3 tool/mutation.py --show 17           # prints change 17 of the seed, and runs nothing

Each change is made in a copy of the tree, build/mutation/tree. The suites of the changed folder run first, then
those of make test; with --all, make test-all runs for changes that survive both. A change after which the compiler
writes the same machine code is counted apart, since no input can tell. The results are in
build/mutation/SEED.tsv: number, file, line, change, and what noticed it. Prints the rates at the end.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = os.path.join(ROOT, "build", "mutation")
TREE = os.path.join(WORK, "tree")
SECONDS = 600  # a suite that runs longer has an endless loop

# Which suites know most about a folder; all others come after them.
NEAREST = {
    "simd": ["kernels", "core", "form"], "core": ["core", "kernels"], "charset": ["legacy", "charset", "stream"],
    "detect": ["plausible"], "mojibake": ["mojibake"], "suspect": ["suspect"], "form": ["form"],
    "sql": [], "audit": [], ".": ["core"],
}
TCL = {
    "simd": ["valid", "repair"], "core": ["error", "dialects"], "charset": ["charset", "legacy", "loss", "policies"],
    "detect": ["detect", "cause"], "mojibake": ["mojibake"], "suspect": ["suspect"], "form": ["form", "clean", "unescape"],
    "sql": ["registry", "valid", "repair", "codepoints", "each", "options", "truncate", "types", "clean", "form"],
    "audit": ["audit", "auditcause", "auditdamage", "audithostile", "auditpolicy", "auditrepair", "auditscan"],
    ".": ["registry", "valid", "codepoints"],
}
# What the text of the sources decides, not their behaviour.
NOT_RUN = {"format"}

# Each replaces a token, or the text of a pattern's group, by one of the others.
TOKENS = [("<", "<="), ("<=", "<"), (">", ">="), (">=", ">"), ("==", "!="), ("!=", "=="), ("&&", "||"), ("||", "&&"),
          ("+", "-"), ("-", "+"), ("++", "--"), ("--", "++"), ("+=", "-="), ("-=", "+="), ("<<", ">>"), (">>", "<<"),
          ("|", "&"), ("|=", "&=")]
TOKEN = re.compile(r"->|\+\+|--|<<=|>>=|&&|\|\||[<>=!+\-*/|&^%]=|<<|>>|[<>+\-|]")
NUMBER = re.compile(r"(?<![\w.])(?:0[xX][0-9A-Fa-f]+|\d+)(?=[uUlL]*\b)(?![\w.]*\.)")
CONDITION = re.compile(r"\b(?:if|while) \((.*)\)(?= |;|$)")
STATEMENT = re.compile(r"^ +((?:[\w.>\[\]*-]+(?: [+|&-]?= .*|\+\+|--)|\w+\(.*\));)$")
# Comments, strings, characters, and lines of the preprocessor, which stay as they are.
QUIET = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)


def sources():
    """The hand-written sources that are compiled on this machine."""
    lists = [subprocess.run(["sh", "tool/sources.sh", what], cwd=ROOT, capture_output=True, text=True).stdout.split()
             for what in ("all", "headers")]
    elsewhere = re.compile(r"tables/|suspect/table\.h|simd/(neon|wasm)|utf8charsets\.h")
    return [path for path in lists[0] + lists[1] if not elsewhere.search(path)]


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
            inside = found.group(1)
            if inside.count("(") == inside.count(")"):
                yield start + found.start(1), len(inside), "!(" + text[start + found.start(1):start + found.end(1)] + ")"
        found = STATEMENT.match(line)
        if found:
            yield start + found.start(1), len(found.group(1)), ";"
        start += len(line) + 1


def chosen(seed, count):
    """The first `count` changes of the seed: (path, line, old, new, new text). A line's chance is the same everywhere."""
    texts = {path: open(os.path.join(ROOT, path), encoding="utf-8").read() for path in sources()}
    places = {}
    for path, text in texts.items():
        for change in changes(text):
            places.setdefault((path, text.count("\n", 0, change[0])), []).append(change)
    order = random.Random(seed)
    keys = sorted(places)
    order.shuffle(keys)
    for path, line in keys[:count]:
        offset, length, new = order.choice(places[path, line])
        text = texts[path]
        yield path, line + 1, text[offset:offset + length], new, text[:offset] + new + text[offset + length:]


def run(command, seconds=SECONDS):
    """Runs a command in the tree; is its status 0? An endless loop is a failure."""
    with subprocess.Popen(["timeout", "-k", "5", str(seconds)] + command, cwd=TREE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL) as process:
        return process.wait() == 0


def make(*arguments):
    return run(["make", "-s", "JOBS=2", *arguments])


def machine_code():
    """The extension as it is compiled now; None if it does not compile."""
    path = os.path.join(TREE, "utf8ext.so")
    if os.path.exists(path):
        os.remove(path)
    if not make("-j2", "utf8ext.so"):
        return None
    with open(path, "rb") as file:
        return file.read()


def suites():
    """Those of make test, in its order."""
    database = subprocess.run(["make", "-pn", "help"], cwd=TREE, capture_output=True, text=True).stdout
    return re.search(r"^SUITES :?= (.*)$", database, re.M).group(1).split()


def noticed_by(folder, original, all_tests):
    """The name of the first suite that fails, "compiler", "same code", or "" if the change survives."""
    code = machine_code()
    if code is None:
        return "compiler"
    if code == original:
        return "same code"
    for name in TCL[folder]:
        if not run(["tclsh", "-encoding", "utf-8", f"test/{name}.test"]):
            return name + ".test"
    first = NEAREST[folder]
    for name in first + [name for name in suites() if name not in first and name not in NOT_RUN]:
        if not make("check-" + name):
            return "check-" + name
    if all_tests and not make("test-lab"):
        return "test-lab"
    return ""


def copy_tree():
    shutil.rmtree(TREE, ignore_errors=True)
    os.makedirs(os.path.join(TREE, "build"))
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["xargs", "-0", "cp", "--parents", "-t", TREE], cwd=ROOT, check=True, input=files)
    for folder in ("sqlite", "testfixture", "charsets"):
        path = os.path.join(ROOT, "build", folder)
        if os.path.isdir(path):
            os.symlink(path, os.path.join(TREE, "build", folder))


def mutate(arguments, results):
    """Runs the changes that are not yet in the results."""
    copy_tree()
    original = machine_code()
    if original is None:
        sys.exit("mutation.py: the sources do not compile")
    with open(results, encoding="utf-8") as file:
        done = sum(1 for _ in file)
    for number, (path, line, old, new, text) in enumerate(chosen(arguments.seed, arguments.count), 1):
        if number <= done:
            continue
        target = os.path.join(TREE, path)
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
        who = noticed_by(os.path.dirname(path) or ".", original, arguments.all)
        shutil.copy(os.path.join(ROOT, path), target)
        row = [str(number), path, str(line), " ".join(old.split()) + " -> " + " ".join(new.split()), who or "survived"]
        print("\t".join(row), flush=True)
        with open(results, "a", encoding="utf-8") as file:
            file.write("\t".join(row) + "\n")


def summary(results):
    with open(results, encoding="utf-8") as file:
        who = [line.rstrip("\n").split("\t")[4] for line in file]
    same, survived, lab = (who.count(name) for name in ("same code", "survived", "test-lab"))
    changed = len(who) - same
    print(f"{len(who)} changes, {same} with the same machine code; of the other {changed}, make test noticed "
          f"{changed - survived - lab}, make test-all {lab} more, {survived} survived")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--all", action="store_true", help="run make test-all for what survives make test")
    parser.add_argument("--show", type=int, metavar="N")
    arguments = parser.parse_args()
    if arguments.show:
        path, line, old, new, _ = list(chosen(arguments.seed, arguments.show))[-1]
        print(f"{path}:{line}: {old} -> {new}")
        return
    os.makedirs(WORK, exist_ok=True)
    results = os.path.join(WORK, f"{arguments.seed}.tsv")
    open(results, "a", encoding="utf-8").close()
    mutate(arguments, results)
    summary(results)


if __name__ == "__main__":
    main()
