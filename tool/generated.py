"""generated.py: writes and checks generated files, and fetches what they are made from.

A tool calls main() with its own documentation and a function that returns the text of each of its
files, by the file's path below the root.
"""

import difflib
import hashlib
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CACHE = os.path.join(ROOT, "build", "charsets")

# Commands that fetch the file of a package.
PIP = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:"]
NPM = ["npm", "pack", "--silent"]


class Unavailable(Exception):
    """A package that cannot be fetched."""


def fetch(package):
    """The bytes of a package's file, from the cache or by its registry's client.

    A package is a file name, its SHA-256, and the command that fetches it to the current folder.
    """
    name, digest, command = package
    path = os.path.join(CACHE, name)
    if not os.path.exists(path):
        os.makedirs(CACHE, exist_ok=True)
        try:
            subprocess.run(command, cwd=CACHE, check=True, capture_output=True, timeout=120)
        except (OSError, subprocess.SubprocessError) as error:
            raise Unavailable(f"{name}: {command[0]} failed: {error}") from None
    with open(path, "rb") as file:
        data = file.read()
    if hashlib.sha256(data).hexdigest() != digest:
        raise Unavailable(f"{name}: its SHA-256 is not the pinned one")
    return data


def install(folder, *packages):
    """Installs packages of PyPI in a folder, unless it exists. Python then imports from it first."""
    if not os.path.isdir(folder):
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
                        "--root-user-action=ignore", "--target", folder + ".new", *packages], check=True)
        os.rename(folder + ".new", folder)
    sys.path.insert(0, folder)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def charset_enumerators():
    """The enumerator of each charset by its name, in the order of core/utf8charsets.h."""
    return {name: enumerator for enumerator, name in re.findall(r'^  X\((\w+), "([^"]*)"', read("core/utf8charsets.h"), re.M)}


def in_lines(cells, count, indent="    "):
    """The cells of an array in C, `count` in a line, each with a comma after it."""
    return "\n".join(indent + ", ".join(cells[at:at + count]) + "," for at in range(0, len(cells), count))


def with_part(page, name, tool, text):
    """The page with the text between the two marks of this name."""
    pattern = rf"(<!-- {name}: {tool} -->\n).*?(<!-- end of {name} -->)"
    page, count = re.subn(pattern, lambda marks: f"{marks[1]}{text}\n{marks[2]}", page, flags=re.S)
    if count != 1:
        sys.exit(f"{tool}: the page has {count} parts {name}")
    return page


def write(files):
    for path, text in files.items():
        with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
            file.write(text)
    return 0


def report(results):
    """Prints each of the results, (is it right, what), and their numbers. Returns the status."""
    for is_right, what in results:
        print("ok  " if is_right else "FAIL", what)
    failed = sum(not is_right for is_right, _ in results)
    print(f"{len(results) - failed} passed, {failed} failed")
    return 1 if failed else 0


def compare(path, text):
    """Compares a file with its new text; prints how they differ."""
    old = read(path)
    sys.stdout.writelines(difflib.unified_diff(
        old.splitlines(True), text.splitlines(True), path, f"{path}, generated"))
    return old == text, path


def main(doc, files, **actions):
    """Runs --write, --check, or another action of the tool: its name without the hyphens."""
    name = sys.argv[1].removeprefix("--") if len(sys.argv) == 2 else ""
    if name in actions:
        sys.exit(actions[name]())
    if name not in ("write", "check"):
        sys.exit(doc)
    try:
        texts = files()
    except Unavailable as reason:
        if name == "write":
            sys.exit(str(reason))
        print(f"SKIPPED: generated files: {reason}\n0 passed, 0 failed")
        sys.exit()
    sys.exit(write(texts) if name == "write" else report([compare(*item) for item in texts.items()]))
