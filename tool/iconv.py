"""iconv.py: glibc's charsets, by the iconv of this machine."""

import ctypes
import re
import subprocess

UNDEFINED = 0xFFFD


class Iconv:
    """The converter from a charset."""

    libc = ctypes.CDLL(None)
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.restype = ctypes.c_size_t
    libc.iconv.argtypes = [ctypes.c_void_p] * 5

    def __init__(self, name, to="UTF-32LE"):
        self.handle = self.libc.iconv_open(to.encode(), name.encode())
        self.exists = self.handle not in (None, ctypes.c_void_p(-1).value)

    def convert(self, data):
        """The bytes that iconv writes, at most 64, or None for an error."""
        source, target = ctypes.create_string_buffer(data, len(data)), (ctypes.c_char * 64)()
        at, to = (ctypes.c_void_p(ctypes.addressof(buffer)) for buffer in (source, target))
        left, room = ctypes.c_size_t(len(data)), ctypes.c_size_t(64)
        self.libc.iconv(self.handle, None, None, None, None)
        status = self.libc.iconv(self.handle, *map(ctypes.byref, (at, left, to, room)))
        if status == ctypes.c_size_t(-1).value or left.value:
            return None
        self.libc.iconv(self.handle, None, None, ctypes.byref(to), ctypes.byref(room))
        return target.raw[:64 - room.value]

    def decode(self, data):
        """The code points, or None for an error."""
        converted = self.convert(data)
        return None if converted is None else [ord(c) for c in converted.decode("utf-32-le", "replace")]

    def is_lead(self, byte):
        return any(self.decode(bytes([byte, trail])) for trail in range(0x30, 0xFF))

    def page(self):
        """The code point of each byte, or None if the charset is not a single-byte one."""
        decoded = [self.decode(bytes([byte])) for byte in range(256)] if self.exists else [[]]
        if any(codes is not None and len(codes) != 1 for codes in decoded):
            return None
        if any(codes is None and self.is_lead(byte) for byte, codes in enumerate(decoded)):
            return None
        return [codes[0] if codes else UNDEFINED for codes in decoded]


def iconv_names():
    """glibc's charsets: the name that its modules have, and all names of it."""
    folder = "/usr/lib/x86_64-linux-gnu/gconv"
    target = {}
    for path in (f"{folder}/gconv-modules", f"{folder}/gconv-modules.d/gconv-modules-extra.conf"):
        with open(path, encoding="utf-8") as file:
            target.update(re.findall(r"^alias\s+(\S+?)//\s+(\S+?)//", file.read(), re.M))
    names = {}
    for line in subprocess.run(["iconv", "-l"], capture_output=True, text=True, check=True).stdout.split():
        name = line.split("/")[0]
        while name in target:
            name = target[name]
        names.setdefault(name, []).append(line.split("/")[0])
    return names
