/* peers.c: the list of the peers, and those with a C interface: ICU, glibc's iconv, CPython.
**
** Every peer is called through its public API, and its time includes what that API requires:
** an allocated result for from_utf8_lossy and CPython, a conversion to UTF-16 for ICU.
*/
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "bench/peers/peers.h"
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/ustring.h>

#define DECLARE(name) uint64_t name(const void *arg, const uint8_t *text, size_t size)

/* ---- ICU, through UTF-16 ---------------------------------------------------------- */

static UChar *icuBuffer(size_t size) {
  static UChar *utf16;
  static size_t room;
  if (room < size + 1) {
    room = size + 1;
    utf16 = realloc(utf16, room * sizeof *utf16);
    if (!utf16) bench_fail("no memory");
  }
  return utf16;
}

static DECLARE(icuValid) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = 0;
  (void)arg;
  u_strFromUTF8(icuBuffer(size), (int32_t)size, &length, (const char *)text,
                (int32_t)size, &error);
  return U_SUCCESS(error);
}

static DECLARE(icuCount) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = 0;
  UChar *utf16 = icuBuffer(size);
  (void)arg;
  u_strFromUTF8(utf16, (int32_t)size, &length, (const char *)text, (int32_t)size,
                &error);
  return U_SUCCESS(error) ? (uint64_t)u_countChar32(utf16, length) : 0;
}

static DECLARE(icuRepair) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = 0, written = 0;
  UChar *utf16 = icuBuffer(size);
  (void)arg;
  u_strFromUTF8WithSub(utf16, (int32_t)size, &length, (const char *)text, (int32_t)size,
                       0xFFFD, NULL, &error);
  u_strToUTF8((char *)bench_out, (int32_t)bench_out_size, &written, utf16, length,
              &error);
  return (uint64_t)written;
}

/* ---- glibc's iconv, UTF-8 to UTF-8 ------------------------------------------------ */

static iconv_t iconvHandle;

static DECLARE(iconvValid) {
  char *in = (char *)(uintptr_t)text, *out = (char *)bench_out;
  size_t left = size, room = bench_out_size;
  (void)arg;
  iconv(iconvHandle, NULL, NULL, NULL, NULL);
  return iconv(iconvHandle, &in, &left, &out, &room) != (size_t)-1;
}

/* ---- CPython ---------------------------------------------------------------------- */

static DECLARE(pythonCount) {
  PyObject *str = PyUnicode_DecodeUTF8((const char *)text, (Py_ssize_t)size, "strict");
  uint64_t count = str ? (uint64_t)PyUnicode_GetLength(str) : 0;
  (void)arg;
  if (!str) PyErr_Clear();
  Py_XDECREF(str);
  return count;
}

static DECLARE(pythonValid) {
  return pythonCount(arg, text, size) > 0;
}

static DECLARE(pythonRepair) {
  PyObject *str = PyUnicode_DecodeUTF8((const char *)text, (Py_ssize_t)size, "replace");
  PyObject *bytes = str ? PyUnicode_AsUTF8String(str) : NULL;
  uint64_t length = bytes ? (uint64_t)PyBytes_Size(bytes) : 0;
  (void)arg;
  Py_XDECREF(bytes);
  Py_XDECREF(str);
  return length;
}

/* ---- Rust: peers.rs; C++: simdutf.cpp --------------------------------------------- */

DECLARE(peer_std_valid);
DECLARE(peer_std_at);
DECLARE(peer_std_count);
DECLARE(peer_std_repair);
DECLARE(peer_simdutf8_valid);
DECLARE(peer_simdutf8_at);
DECLARE(peer_simdutf8_count);
DECLARE(peer_bstr_valid);
DECLARE(peer_bstr_count);
DECLARE(peer_bstr_repair);
DECLARE(peer_encoding_rs_valid);
DECLARE(peer_encoding_rs_at);
DECLARE(peer_encoding_rs_repair);
DECLARE(peer_simdutf_valid);
DECLARE(peer_simdutf_at);
DECLARE(peer_simdutf_count);
DECLARE(peer_simdutf_repair);
const void *peer_simdutf(size_t i, const char **name);

static const Peer fixed[] = {
    {BENCH_VALID, {"simdutf8", peer_simdutf8_valid, NULL, 0}, 1},
    {BENCH_VALID, {"Rust std", peer_std_valid, NULL, 0}, 1},
    {BENCH_VALID, {"bstr", peer_bstr_valid, NULL, 0}, 0},
    {BENCH_VALID, {"encoding_rs", peer_encoding_rs_valid, NULL, 0}, 0},
    {BENCH_VALID, {"ICU", icuValid, NULL, 0}, 0},
    {BENCH_VALID, {"iconv", iconvValid, NULL, 0}, 0},
    {BENCH_VALID, {"CPython", pythonValid, NULL, 0}, 0},
    {BENCH_AT, {"simdutf8", peer_simdutf8_at, NULL, 0}, 1},
    {BENCH_AT, {"Rust std", peer_std_at, NULL, 0}, 1},
    {BENCH_AT, {"encoding_rs", peer_encoding_rs_at, NULL, 0}, 0},
    {BENCH_COUNT, {"simdutf8", peer_simdutf8_count, NULL, 0}, 1},
    {BENCH_COUNT, {"Rust std", peer_std_count, NULL, 0}, 1},
    {BENCH_COUNT, {"bstr", peer_bstr_count, NULL, 0}, 0},
    {BENCH_COUNT, {"ICU", icuCount, NULL, 0}, 0},
    {BENCH_COUNT, {"CPython", pythonCount, NULL, 0}, 0},
    {BENCH_REPAIR, {"Rust std", peer_std_repair, NULL, 0}, 1},
    {BENCH_REPAIR, {"bstr", peer_bstr_repair, NULL, 0}, 0},
    {BENCH_REPAIR, {"encoding_rs", peer_encoding_rs_repair, NULL, 0}, 0},
    {BENCH_REPAIR, {"ICU", icuRepair, NULL, 0}, 0},
    {BENCH_REPAIR, {"CPython", pythonRepair, NULL, 0}, 0},
};
enum { FIXED = sizeof fixed / sizeof *fixed, SIMDUTF_MAX = 8 };

static Peer list[FIXED + SIMDUTF_MAX * 4];

static size_t addSimdutf(size_t count) {
  static const BenchRun run[] = {peer_simdutf_valid, peer_simdutf_at,
                                 peer_simdutf_count, peer_simdutf_repair};
  const char *name;
  const void *implementation;
  for (size_t i = 0; i < SIMDUTF_MAX && (implementation = peer_simdutf(i, &name)); i++)
    for (unsigned task = BENCH_VALID; task <= BENCH_REPAIR; task++)
      list[count++] = (Peer){(BenchTask)task, {name, run[task], implementation, 0}, 1};
  return count;
}

size_t peers_open(const Peer **peers) {
  Py_InitializeEx(0);
  iconvHandle = iconv_open("UTF-8", "UTF-8");
  if (iconvHandle == (iconv_t)-1) bench_fail("iconv_open");
  memcpy(list, fixed, sizeof fixed);
  *peers = list;
  return addSimdutf(FIXED);
}
