/* core/simd/avx2_convert.h: the converters of the AVX2 kernel, which the AVX-512 kernel uses too. */
#ifndef UTF8_CORE_SIMD_AVX2_CONVERT_H
#define UTF8_CORE_SIMD_AVX2_CONVERT_H

#include "core/simd/avx2_cesu8.h"
#include "core/simd/avx2_decode.h"
#include "core/simd/avx2_encode.h"
#include "core/simd/portable.h"

static const Utf8Converters avx2_converters = {
    .decode = {[UTF8_CONVERTER_UTF16LE] = avx2_decode_utf16le,
               [UTF8_CONVERTER_UTF16BE] = avx2_decode_utf16be,
               [UTF8_CONVERTER_UTF32LE] = avx2_decode_utf32le,
               [UTF8_CONVERTER_UTF32BE] = avx2_decode_utf32be,
               [UTF8_CONVERTER_LATIN1] = avx2_decode_latin1,
               [UTF8_CONVERTER_WINDOWS1252] = avx2_decode_windows1252,
               [UTF8_CONVERTER_ASCII] = portable_ascii,
               [UTF8_CONVERTER_CESU8] = avx2_decode_cesu8,
               [UTF8_CONVERTER_MUTF8] = avx2_decode_mutf8},
    .encode = {[UTF8_CONVERTER_UTF16LE] = avx2_encode_utf16le,
               [UTF8_CONVERTER_UTF16BE] = avx2_encode_utf16be,
               [UTF8_CONVERTER_UTF32LE] = avx2_encode_utf32le,
               [UTF8_CONVERTER_UTF32BE] = avx2_encode_utf32be,
               [UTF8_CONVERTER_LATIN1] = avx2_encode_latin1,
               [UTF8_CONVERTER_WINDOWS1252] = avx2_encode_windows1252,
               [UTF8_CONVERTER_ASCII] = portable_ascii,
               [UTF8_CONVERTER_CESU8] = avx2_encode_cesu8,
               [UTF8_CONVERTER_MUTF8] = avx2_encode_mutf8},
};

#endif
