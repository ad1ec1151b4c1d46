"""debiantext.py: text of many languages in Debian's packages, for the corpora of tools.

Nothing of it is committed. The readers yield the text of a file in blocks of bytes.
"""

import glob
import gzip
import html
import os
import re
import struct
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def unpack(packages, folder):
    """Downloads those of the packages that folder/x/NAME does not have yet, and unpacks them there."""
    archives, unpacked = os.path.join(folder, "packages"), os.path.join(folder, "x")
    missing = [name for name in packages if not os.path.isdir(os.path.join(unpacked, name))]
    if not missing:
        return
    os.makedirs(archives, exist_ok=True)
    os.makedirs(unpacked, exist_ok=True)
    subprocess.run(["apt-get", "download", "-q", *missing], cwd=archives, check=True)
    for name in missing:
        (archive,) = glob.glob(os.path.join(archives, name + "_*.deb"))
        target = os.path.join(unpacked, name)
        subprocess.run(["dpkg-deb", "-x", archive, target + ".new"], check=True)
        os.rename(target + ".new", target)


def versions(folder):
    """The names and versions of the packages in folder/packages, as apt named the files."""
    names = (os.path.basename(p) for p in glob.glob(os.path.join(folder, "packages", "*.deb")))
    return sorted("%s %s" % tuple(n.replace("%3a", ":").split("_")[:2]) for n in names)


def read_mo(path):
    """Yields the translations in a .mo file that is UTF-8."""
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < 20 or data[:4] != b"\xde\x12\x04\x95":
        return
    count, _, table = struct.unpack_from("<III", data, 8)
    for i in range(count):
        size, at = struct.unpack_from("<II", data, table + 8 * i)
        value = data[at:at + size]
        if i == 0 and b"charset=utf-8" not in value.lower():
            return
        if i > 0:
            yield value.replace(b"\0", b"\n")


def read_roff(path):
    with gzip.open(path, "rb") as file:
        data = file.read()
    data = re.sub(rb"\\f[A-Z]|\\f\([A-Z]+|\\f\[[A-Z]*\]|\\-|\\&", b"", data)
    yield re.sub(rb"(?m)^[.'].*$", b"", data)


def read_markup(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        text = file.read().decode("utf-8", "replace")
    text = re.sub(r"(?s)<(script|style).*?</\1>|<!--.*?-->|<[^>]*>", "", text)
    yield html.unescape(text).encode()
