// charset.cpp: simdutf's conversions for bench/charset.c: its functions that check their input,
// in the implementation that simdutf chooses for this processor.

#include "simdutf.h"
#include <cstdint>

extern "C" {

extern uint8_t *charset_out;

static const char *chars(const uint8_t *text) {
  return reinterpret_cast<const char *>(text);
}

uint64_t charset_simdutf_from16(const void *, const uint8_t *text, size_t size) {
  return simdutf::convert_utf16le_to_utf8(reinterpret_cast<const char16_t *>(text),
                                          size / 2,
                                          reinterpret_cast<char *>(charset_out));
}

uint64_t charset_simdutf_to16(const void *, const uint8_t *text, size_t size) {
  return 2 * simdutf::convert_utf8_to_utf16le(
                 chars(text), size, reinterpret_cast<char16_t *>(charset_out));
}

uint64_t charset_simdutf_from32(const void *, const uint8_t *text, size_t size) {
  return simdutf::convert_utf32_to_utf8(reinterpret_cast<const char32_t *>(text),
                                        size / 4,
                                        reinterpret_cast<char *>(charset_out));
}

uint64_t charset_simdutf_to32(const void *, const uint8_t *text, size_t size) {
  return 4 * simdutf::convert_utf8_to_utf32(chars(text), size,
                                            reinterpret_cast<char32_t *>(charset_out));
}

uint64_t charset_simdutf_from1(const void *, const uint8_t *text, size_t size) {
  return simdutf::convert_latin1_to_utf8(chars(text), size,
                                         reinterpret_cast<char *>(charset_out));
}

uint64_t charset_simdutf_to1(const void *, const uint8_t *text, size_t size) {
  return simdutf::convert_utf8_to_latin1(chars(text), size,
                                         reinterpret_cast<char *>(charset_out));
}
}
