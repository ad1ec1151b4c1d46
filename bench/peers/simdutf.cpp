// simdutf.cpp: the C++ library simdutf, as functions of the type BenchRun; arg is one of its
// implementations.
//
// simdutf has no repair. The peer for that is the loop that a program can write: over the
// validation that returns the offset of the error.

#include "simdutf.h"
#include <cstdint>
#include <cstring>

using simdutf::implementation;

static const implementation *as(const void *arg) {
  return static_cast<const implementation *>(arg);
}

static const char *chars(const uint8_t *text) {
  return reinterpret_cast<const char *>(text);
}

// The length of the maximal subpart that starts at an error (Unicode Table 3-7).
static size_t subpart(const uint8_t *p, size_t left) {
  size_t need = p[0] < 0xC2   ? 1
                : p[0] < 0xE0 ? 2
                : p[0] < 0xF0 ? 3
                : p[0] < 0xF5 ? 4
                              : 1;
  uint8_t low = p[0] == 0xE0 ? 0xA0 : p[0] == 0xF0 ? 0x90 : 0x80;
  uint8_t high = p[0] == 0xED ? 0x9F : p[0] == 0xF4 ? 0x8F : 0xBF;
  size_t n = 1;
  while (n < need && n < left && p[n] >= low && p[n] <= high) {
    low = 0x80;
    high = 0xBF;
    n++;
  }
  return n;
}

extern "C" {

extern uint8_t *bench_out; // peers.h

uint64_t peer_simdutf_valid(const void *arg, const uint8_t *text, size_t size) {
  return as(arg)->validate_utf8(chars(text), size);
}

uint64_t peer_simdutf_at(const void *arg, const uint8_t *text, size_t size) {
  return as(arg)->validate_utf8_with_errors(chars(text), size).count;
}

uint64_t peer_simdutf_count(const void *arg, const uint8_t *text, size_t size) {
  if (!as(arg)->validate_utf8(chars(text), size)) return 0;
  return as(arg)->count_utf8(chars(text), size);
}

uint64_t peer_simdutf_repair(const void *arg, const uint8_t *text, size_t size) {
  uint8_t *out = bench_out;
  for (size_t at = 0; at < size;) {
    size_t valid =
        as(arg)->validate_utf8_with_errors(chars(text) + at, size - at).count;
    std::memcpy(out, text + at, valid);
    out += valid;
    at += valid;
    if (at >= size) break;
    at += subpart(text + at, size - at);
    std::memcpy(out, "\xEF\xBF\xBD", 3);
    out += 3;
  }
  return static_cast<uint64_t>(out - bench_out);
}

// Returns the i-th implementation that this processor runs, or null, and sets *name.
const void *peer_simdutf(size_t i, const char **name) {
  for (const implementation *candidate : simdutf::get_available_implementations()) {
    if (!candidate->supported_by_runtime_system() || i-- > 0) continue;
    static char names[8][32];
    static size_t used;
    char *copy = names[used++ % 8];
    std::strncpy(copy, ("simdutf " + candidate->name()).c_str(), 31);
    *name = copy;
    return candidate;
  }
  return nullptr;
}
}
