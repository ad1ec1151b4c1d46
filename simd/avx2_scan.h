/* simd/avx2_scan.h: skip_plain() of kernel.h for AVX2. */
#ifndef UTF8_SIMD_AVX2_SCAN_H
#define UTF8_SIMD_AVX2_SCAN_H

#include "simd/avx2.h"
#include "simd/bytes.h"

AVX2_BEGIN

#define S(name) avx2_scan_##name
#define S_SIZE  32
#include "simd/scan.h"
#undef S
#undef S_SIZE

TARGET_END

#endif
