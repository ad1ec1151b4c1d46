#!/usr/bin/env python3
"""binary.py: checks a library that packaging/release.sh compiled, and prints a line about it.

    python packaging/binary.py x86_64-linux-gnu build/release/x86_64-linux-gnu/utf8ext.so
    python packaging/binary.py x86_64-linux-gnu build/release/x86_64-linux-gnu/core/utf8ext.so small

The python is that of build/venv/release, which has LIEF.

Fails, and prints what is wrong, unless the library

- is for the processor and the system of its name in packaging/targets.tsv,
- exports the entry points and nothing else; a small build (make core) has none for Arrow,
- needs only the system's C library, and no newer one than the list says,
- names no path of the machine that compiled it,
- can be loaded as it is meant: see the checks of each format below.

The line has the name, the size, the oldest system that it runs on, and the file's SHA-256.
"""

import csv
import hashlib
import os
import re
import sys

import lief

lief.logging.disable()

ENTRY_POINTS = {"sqlite3_extension_init", "sqlite3_utfext_init", "utf8ext_calls"}
ENTRY_POINT_OF_ARROW = {"utf8ext_arrow"}

# What each format calls a processor.
PROCESSORS = {
    "x86_64": {
        lief.ELF.ARCH.X86_64,
        lief.MachO.Header.CPU_TYPE.X86_64,
        lief.PE.Header.MACHINE_TYPES.AMD64,
    },
    "x86": {lief.ELF.ARCH.I386, lief.PE.Header.MACHINE_TYPES.I386},
    "aarch64": {
        lief.ELF.ARCH.AARCH64,
        lief.MachO.Header.CPU_TYPE.ARM64,
        lief.PE.Header.MACHINE_TYPES.ARM64,
    },
    "arm": {lief.ELF.ARCH.ARM},
    "riscv64": {lief.ELF.ARCH.RISCV},
    "powerpc64le": {lief.ELF.ARCH.PPC64},
    "s390x": {lief.ELF.ARCH.S390},
    "loongarch64": {lief.ELF.ARCH.LOONGARCH},
}

# The libraries that a target may need: those that its system always has.
LIBRARIES = {
    "linux-gnu": r"lib[cm]\.so\.6|ld(-linux.*|64)\.so\.\d",
    "linux-musl": r"libc\.so",
    "macos": r"/usr/lib/libSystem\.B\.dylib",
    "windows": r"KERNEL32\.dll|ntdll\.dll|api-ms-win-crt-\w+-l1-1-0\.dll",
    "bsd": r"lib[cm]\.so(\.[\d.]+)?",  # without a number, OpenBSD loads the newest
}

# The largest memory pages of a processor's Linux. Segments must be aligned to them.
PAGES = {"aarch64": 0x10000, "powerpc64le": 0x10000, "loongarch64": 0x4000}


def target(name):
    """The line of packaging/targets.tsv, as a dictionary of its columns."""
    columns = "name zig cpu library wheel npm deb runner".split()
    with open("packaging/targets.tsv", encoding="utf-8") as file:
        rows = csv.DictReader((line for line in file if line[0] != "#"), columns, delimiter="\t")
        return next(row for row in rows if row["name"] == name)


def numbers(version):
    return tuple(int(number) for number in re.findall(r"\d+", version))


def oldest_glibc(row):
    """The version that the list promises: the older one of the columns zig and wheel."""
    versions = [row["zig"].partition("-gnu")[2].lstrip("eabihf.")]
    if row["wheel"] != "-":
        versions.append(re.search(r"_(\d+_\d+)_", row["wheel"])[1])
    return min(map(numbers, versions))


class Elf:
    """Linux and the BSDs."""

    def __init__(self, binary, row):
        self.binary, self.row = binary, row
        self.system = re.search(r"linux-(gnu|musl)|bsd", row["name"])[0]

    def processor(self):
        return self.binary.header.machine_type

    def exports(self):
        return {symbol.name for symbol in self.binary.exported_symbols}

    def libraries(self):
        return list(self.binary.libraries)

    def glibc(self):
        """The newest version of glibc that a symbol names."""
        names = [
            symbol.name
            for library in self.binary.symbols_version_requirement
            for symbol in library.get_auxiliary_symbols()
        ]
        return max(numbers(name) for name in names if name.startswith("GLIBC_"))

    def oldest(self):
        if self.system == "linux-gnu":
            return "glibc " + ".".join(map(str, self.glibc()))
        if self.system == "linux-musl":
            return "musl 1.2"  # the first whose time_t has 64 bits everywhere
        name, _, version = self.row["zig"].partition("-")[2].partition("bsd.")
        return f"{name.title()}BSD {version}"

    def faults(self):
        """The code must stay in memory (see LINK_so in the Makefile), and data is not code."""
        flags = self.binary.get(lief.ELF.DynamicEntry.TAG.FLAGS_1)
        if not flags or not flags.has(lief.ELF.DynamicEntryFlags.FLAG.NODELETE):
            yield "it can be unloaded: no flag NODELETE"
        if self.binary.has_nx is False:
            yield "its stack is executable"
        if self.system == "linux-gnu" and self.glibc() > oldest_glibc(self.row):
            yield f"it needs {self.oldest()}, the list says {'.'.join(map(str, oldest_glibc(self.row)))}"
        page = PAGES.get(self.row["name"].partition("-")[0], 0x1000)
        loads = [s for s in self.binary.segments if s.type == lief.ELF.Segment.TYPE.LOAD]
        if any(segment.alignment % page for segment in loads):
            yield f"its segments are not aligned to pages of {page} bytes"


class MachO:
    """macOS."""

    system = "macos"
    # zig's linker exports these from every library. No program looks them up in ours.
    OF_LINKER = {"__dso_handle", "_mh_dylib_header"}

    def __init__(self, binary, row):
        self.binary, self.row = binary, row

    def processor(self):
        return self.binary.header.cpu_type

    def exports(self):
        trie = self.binary.dyld_info if self.binary.has_dyld_info else self.binary.dyld_exports_trie
        return {export.symbol.name.removeprefix("_") for export in trie.exports} - self.OF_LINKER

    def libraries(self):
        own = lief.MachO.LoadCommand.TYPE.ID_DYLIB
        return [library.name for library in self.binary.libraries if library.command != own]

    def minimum(self):
        if self.binary.has_build_version:
            return self.binary.build_version.minos
        return self.binary.version_min.version

    def oldest(self):
        return "macOS " + ".".join(map(str, self.minimum()[:2]))

    def faults(self):
        """The loader checks the name where a program links it; arm64 runs nothing unsigned."""
        names = [
            library.name
            for library in self.binary.libraries
            if library.name not in self.libraries()
        ]
        if names != [f"@rpath/{self.row['library']}"]:
            yield f"its install name is {names}"
        if tuple(self.minimum()[:2]) != numbers(self.row["zig"].partition("macos")[2]):
            yield f"it needs {self.oldest()}"
        if "aarch64" in self.row["name"] and not self.binary.has_code_signature:
            yield "it is not signed"


class Pe:
    """Windows."""

    system = "windows"

    def __init__(self, binary, row):
        self.binary, self.row = binary, row

    def processor(self):
        return self.binary.header.machine

    def exports(self):
        return {entry.name for entry in self.binary.get_export().entries}

    def libraries(self):
        return [library.name for library in self.binary.imports]

    def oldest(self):
        return "Windows 10"  # whose C library is the ucrt that LIBRARIES["windows"] names

    def faults(self):
        """Windows may load it anywhere, and data is not code."""
        characteristics = lief.PE.OptionalHeader.DLL_CHARACTERISTICS
        for flag in (characteristics.DYNAMIC_BASE, characteristics.NX_COMPAT):
            if not self.binary.optional_header.has(flag):
                yield f"it lacks {flag}"


FORMATS = {"so": Elf, "dylib": MachO, "dll": Pe}


def faults(library, row, content, entry_points):
    """Yields a sentence for each thing that is wrong."""
    if library.processor() not in PROCESSORS[row["name"].partition("-")[0]]:
        yield f"it is for {library.processor()}"
    if library.exports() != entry_points:
        yield f"it exports {sorted(library.exports())}"
    for name in library.libraries():
        if not re.fullmatch(LIBRARIES[library.system], name):
            yield f"it needs {name}"
    for path in (os.getcwd(), os.path.expanduser("~")):
        if len(path) > 1 and path.encode() in content:
            yield f"it contains the path {path}"
    yield from library.faults()


def main(name, path, build="whole"):
    row = target(name)
    with open(path, "rb") as file:
        content = file.read()
    library = FORMATS[path.rpartition(".")[2]](lief.parse(path), row)
    entry_points = ENTRY_POINTS if build == "small" else ENTRY_POINTS | ENTRY_POINT_OF_ARROW
    found = list(faults(library, row, content, entry_points))
    for fault in found:
        print(f"{path}: {fault}", file=sys.stderr)
    digest = hashlib.sha256(content).hexdigest()
    print(f"{name:24} {build:5} {len(content) / 1e3:6.0f} KB   {library.oldest():16} {digest}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
