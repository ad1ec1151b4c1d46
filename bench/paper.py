#!/usr/bin/env python3
"""paper.py: estimates the loops that check text on arm64 with llvm-mca, for utf8ext and simdutf.

    python3 bench/paper.py SIMDUTF [SUFFIX]    the directory with simdutf.cpp; -22 for clang-22 and llvm-mca-22

Prints a line for each loop and processor. A loop is the longest run of instructions without a jump in it, which is
the part that checks text other than ASCII. The tests for ASCII around it are left out.
LLVM 22 estimates the same for apple-m1 and apple-m4.
"""
import re
import subprocess
import sys

PROCESSORS = ("neoverse-v2", "apple-m1")
# Each loop: the program, its function, and how many bytes of text the run checks.
LOOPS = (
    ("utf8ext", "valid", r"neon_valid_long", 256),
    ("utf8ext", "count", r"neon_count_long", 256),
    ("simdutf", "valid", r"_ZNK7simdutf5arm6414implementation13validate_utf8EPKcm", 64),
)


def assembly(compiler, *arguments):
    """Returns what the compiler makes of the file for arm64."""
    command = [compiler, "--target=aarch64-linux-gnu", "-S", "-o", "-", *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def longest_run(text, function):
    """Returns the longest run of instructions without a jump in the loops of the function."""
    body = re.search(rf"^{function}:.*?\.cfi_endproc", text, re.M | re.S).group()
    blocks = re.findall(r"^(?:\.L|//)[^\n]*Loop[^\n]*\n((?:\t[a-z][^\n]*\n)+)", body, re.M)
    runs = (re.split(r"^\t(?:b|b\.\w+|cbn?z|tbn?z)\t", block, flags=re.M)[0] for block in blocks)
    return max(runs, key=len)


def estimate(run, processor, suffix):
    """Returns the instructions of the run, and the cycles that it takes in a loop."""
    command = ["llvm-mca" + suffix, "-mtriple=aarch64", "-mcpu=" + processor, "-iterations=1000"]
    out = subprocess.run(command, input=run, check=True, capture_output=True, text=True).stdout
    instructions, cycles = (int(re.search(rf"{name}: +(\d+)", out).group(1)) for name in ("Instructions", "Total Cycles"))
    return instructions / 1000, cycles / 1000


def main(simdutf, suffix=""):
    programs = {
        "utf8ext": assembly("clang" + suffix, "-std=c11", "-O2", "-I.", "simd/kernel.c"),
        "simdutf": assembly("clang++" + suffix, "-std=c++17", "-O3", "-I" + simdutf, simdutf + "/simdutf.cpp"),
    }
    for program, task, function, size in LOOPS:
        run = longest_run(programs[program], function)
        for processor in PROCESSORS:
            instructions, cycles = estimate(run, processor, suffix)
            print(f"{task}\t{program}\t{processor}\t{instructions / size:.2f} instructions\t{cycles / size:.3f} cycles a byte")


main(*sys.argv[1:])
