#!/usr/bin/env python3
"""archive.py: packs a directory's files into a .zip or .tar.gz.

    python3 packaging/archive.py build/packages/go/v1.0.0.zip DIRECTORY [PREFIX]

The names in the archive are PREFIX/FILE, or FILE without a prefix. The same files give the same archive: entries are
sorted, and their times are that of SOURCE_DATE_EPOCH or 1980, the oldest that a .zip can have.
"""

import gzip
import os
import sys
import tarfile
import time
import zipfile
from pathlib import Path

TIME = int(os.environ.get("SOURCE_DATE_EPOCH", 315532800))


def entries(directory: str, prefix: Path) -> list[tuple[Path, str]]:
    """The files below the directory, with their names in the archive."""
    files = sorted(path for path in Path(directory).rglob("*") if path.is_file())
    return [(path, (prefix / path.relative_to(directory)).as_posix()) for path in files]


def write_zip(archive: str, files: list[tuple[Path, str]]) -> None:
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        for path, name in files:
            info = zipfile.ZipInfo(name, time.gmtime(TIME)[:6])
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = path.stat().st_mode << 16
            out.writestr(info, path.read_bytes())


def write_tar(archive: str, files: list[tuple[Path, str]]) -> None:
    with gzip.GzipFile(archive, "w", mtime=TIME) as packed, tarfile.open(
        fileobj=packed, mode="w"
    ) as out:
        for path, name in files:
            info = out.gettarinfo(str(path), name)
            info.mtime, info.uid, info.gid, info.uname, info.gname = TIME, 0, 0, "root", "root"
            with path.open("rb") as file:
                out.addfile(info, file)


def main(archive: str, directory: str, prefix: str = "") -> None:
    write = write_zip if archive.endswith(".zip") else write_tar
    write(archive, entries(directory, Path(prefix)))


if __name__ == "__main__":
    main(*sys.argv[1:])
