/* peers.c: the list of the peers, and those written in C: ICU, glibc's iconv, CPython.
**
** Every peer does its work through its public API and pays for what that API makes: an
** allocated result for from_utf8_lossy and CPython, a way through UTF-16 for ICU.
*/
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include "peers.h"
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <unicode/uchar.h>
#include <unicode/ustring.h>

#define DECLARE(name) uint64_t name(const void *arg, const uint8_t *text, size_t size)

/* ---- ICU: by way of UTF-16 -------------------------------------------------------- */

static UChar *icuUnits(size_t size) {
  static UChar *units;
  static size_t room;
  if (room < size + 1) {
    room = size + 1;
    units = realloc(units, room * sizeof *units);
    if (!units) bench_fail("no memory");
  }
  return units;
}

static DECLARE(icuValid) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = 0;
  (void)arg;
  u_strFromUTF8(icuUnits(size), (int32_t)size, &length, (const char *)text,
                (int32_t)size, &error);
  return U_SUCCESS(error);
}

static DECLARE(icuCount) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = 0;
  UChar *units = icuUnits(size);
  (void)arg;
  u_strFromUTF8(units, (int32_t)size, &length, (const char *)text, (int32_t)size,
                &error);
  return U_SUCCESS(error) ? (uint64_t)u_countChar32(units, length) : 0;
}

static DECLARE(icuRepair) {
  UErrorCode error = U_ZERO_ERROR;
  int32_t length = 0, written = 0;
  UChar *units = icuUnits(size);
  (void)arg;
  u_strFromUTF8WithSub(units, (int32_t)size, &length, (const char *)text, (int32_t)size,
                       0xFFFD, NULL, &error);
  u_strToUTF8((char *)bench_room, (int32_t)bench_room_size, &written, units, length,
              &error);
  return (uint64_t)written;
}

/* ---- glibc's iconv, UTF-8 to UTF-8 ------------------------------------------------ */

static iconv_t iconvHandle;

static DECLARE(iconvValid) {
  char *in = (char *)(uintptr_t)text, *out = (char *)bench_room;
  size_t left = size, room = bench_room_size;
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
  const void *one;
  for (size_t i = 0; i < SIMDUTF_MAX && (one = peer_simdutf(i, &name)); i++)
    for (unsigned work = BENCH_VALID; work <= BENCH_REPAIR; work++)
      list[count++] = (Peer){(BenchWork)work, {name, run[work], one, 0}, 1};
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
