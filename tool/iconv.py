"""iconv.py: glibc's charsets, by the iconv of this machine."""

import ctypes


class Iconv:
    """The converter from a charset."""

    libc = ctypes.CDLL(None)
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.restype = ctypes.c_size_t
    libc.iconv.argtypes = [ctypes.c_void_p] * 5

    def __init__(self, name, to):
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
