/* core/simd/avx512_convert.h: the converters of the AVX-512 kernel. Those of rarer charsets are AVX2's. */
#ifndef UTF8_CORE_SIMD_AVX512_CONVERT_H
#define UTF8_CORE_SIMD_AVX512_CONVERT_H

#include "core/simd/avx2_convert.h"
#include "core/simd/avx512_double.h"
#include "core/simd/avx512_encode.h"
#include "core/simd/avx512_single.h"

static const Utf8Converters avx512_converters = {
    .decode = {[UTF8_CONVERTER_UTF16LE] = avx512_decode_utf16le,
               [UTF8_CONVERTER_UTF16BE] = avx512_decode_utf16be,
               [UTF8_CONVERTER_UTF32LE] = avx512_decode_utf32le,
               [UTF8_CONVERTER_UTF32BE] = avx512_decode_utf32be,
               [UTF8_CONVERTER_LATIN1] = avx512_decode_latin1,
               [UTF8_CONVERTER_WINDOWS1252] = avx512_decode_windows1252,
               [UTF8_CONVERTER_ASCII] = portable_ascii,
               [UTF8_CONVERTER_CESU8] = avx2_decode_cesu8,
               [UTF8_CONVERTER_MUTF8] = avx2_decode_mutf8},
    .checked = {[UTF8_CONVERTER_UTF16LE] = avx512_ascii_utf16le,
                [UTF8_CONVERTER_UTF16BE] = avx512_ascii_utf16be,
                [UTF8_CONVERTER_UTF32LE] = avx512_ascii_utf32le,
                [UTF8_CONVERTER_UTF32BE] = avx512_ascii_utf32be,
                [UTF8_CONVERTER_LATIN1] = avx512_encode_latin1,
                [UTF8_CONVERTER_WINDOWS1252] = avx512_copy_ascii,
                [UTF8_CONVERTER_ASCII] = avx512_copy_ascii},
    .encode = {[UTF8_CONVERTER_UTF16LE] = avx512_encode_utf16le,
               [UTF8_CONVERTER_UTF16BE] = avx512_encode_utf16be,
               [UTF8_CONVERTER_UTF32LE] = avx512_encode_utf32le,
               [UTF8_CONVERTER_UTF32BE] = avx512_encode_utf32be,
               [UTF8_CONVERTER_LATIN1] = avx512_encode_latin1,
               [UTF8_CONVERTER_WINDOWS1252] = avx2_encode_windows1252,
               [UTF8_CONVERTER_ASCII] = portable_ascii,
               [UTF8_CONVERTER_CESU8] = avx2_encode_cesu8,
               [UTF8_CONVERTER_MUTF8] = avx2_encode_mutf8},
    .decode_high = avx512_decode_high,
    .encode_high = avx512_encode_high,
    .decode_double = avx512_decode_double,
};

#endif
