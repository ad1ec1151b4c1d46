/* core/simd/kernel.c: chooses the kernel.
**
**     const Utf8Kernel *kernel = utf8simd_kernel();
**     size_t p = kernel->valid(text, size);
**
** All kernels are compiled in, each for its own instruction set; the file itself is compiled
** without any -m flag. The first call chooses the best kernel that the processor and the
** operating system support. The environment variable UTF8EXT_KERNEL names another one, for
** tests: UTF8EXT_KERNEL=scalar. A WebAssembly module has SIMD128 or not; -msimd128 decides.
**
** Threads: the choice ends with the store of one pointer. Two threads that choose at once store
** the same one.
*/
#include "core/simd/kernel.h"
#include "core/simd/portable.h"
#include "core/simd/portable_set.h"
#include "core/simd/scalar.h"
#ifdef UTF8EXT_OMIT_SIMD
#elif UTF8_GNU && defined __x86_64__
#include "core/simd/avx512.h"
#include "core/simd/avx512_set.h"
#include "core/simd/avx2.h"
#include "core/simd/avx512_convert.h"
#include "core/simd/ssse3.h"
#include <cpuid.h>
#define X86_64
#elif UTF8_GNU && defined __aarch64__ && defined __ARM_NEON && !defined __AARCH64EB__
#include "core/simd/neon.h"
#define ARM64
#elif UTF8_GNU && defined __wasm_simd128__
#include "core/simd/simd128.h"
#define SIMD128
#endif
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* scalar.h defines scalar_valid(), scalar_count(), scalar_repair() and scalar_classify_block().
** generic.h defines the same functions for each instruction set, as K(valid) and so on:
** avx512_valid(), avx2_valid(), ssse3_valid(), neon_valid(), simd128_valid(). */
static const Utf8Kernel scalarKernel = {
    "scalar",
    0,
    scalar_valid,
    scalar_count,
    scalar_repair,
    scalar_classify_block,
    {portable_skip_outside, portable_prefix_outside, NULL},
    &portable_converters};

#ifdef X86_64
static const Utf8Kernel avx512Kernel = {
    "avx512",
    1,
    avx512_valid,
    avx512_count,
    avx512_repair,
    avx512_classify_block,
    {avx512_skip_outside, avx512_prefix_outside, avx512_skip_unpaired},
    &avx512_converters};

static const Utf8Kernel avx2Kernel = {
    "avx2",
    1,
    avx2_valid,
    avx2_count,
    avx2_repair,
    avx2_classify_block,
    {avx2_skip_outside, avx2_prefix_outside, avx2_skip_unpaired},
    &avx2_converters};

static const Utf8Kernel ssse3Kernel = {
    "ssse3",
    0,
    ssse3_valid,
    ssse3_count,
    ssse3_repair,
    ssse3_classify_block,
    {ssse3_skip_outside, ssse3_prefix_outside, ssse3_skip_unpaired},
    &portable_converters};
#elif defined ARM64
static const Utf8Kernel neonKernel = {
    "neon",
    0,
    neon_valid,
    neon_count,
    neon_repair,
    neon_classify_block,
    {neon_skip_outside, neon_prefix_outside, neon_skip_unpaired},
    &portable_converters};
#elif defined SIMD128
static const Utf8Kernel simd128Kernel = {
    "simd128",
    0,
    simd128_valid,
    simd128_count,
    simd128_repair,
    simd128_classify_block,
    {simd128_skip_outside, simd128_prefix_outside, simd128_skip_unpaired},
    &portable_converters};
#endif

/* Best first. A processor that runs one of them runs all that follow it. */
static const Utf8Kernel *const kernels[] = {
#ifdef X86_64
    &avx512Kernel, &avx2Kernel, &ssse3Kernel,
#elif defined ARM64
    &neonKernel,
#elif defined SIMD128
    &simd128Kernel,
#endif
    &scalarKernel, NULL,
};

#ifdef X86_64
/* The registers of CPUID and XCR0, one bit for each feature, named as in Intel's manual. */
typedef struct Processor {
  unsigned ecx1;       /* leaf 1 */
  unsigned ebx7, ecx7; /* leaf 7 */
  unsigned ecx_ext;    /* leaf 80000001 */
  unsigned xcr0;       /* registers that the operating system saves */
} Processor;

static unsigned xcr0(void) {
  unsigned low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

/* Returns the features of this processor; those of a leaf that it lacks are 0. */
static Processor read_processor(void) { /* unreachable: old, see check-noavx */
  Processor p = {0, 0, 0, 0, 0};
  unsigned a, b, c, d;
  if (__get_cpuid(1, &a, &b, &c, &d)) p.ecx1 = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) p.ebx7 = b, p.ecx7 = c;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d)) p.ecx_ext = c;
  if (p.ecx1 & bit_OSXSAVE) p.xcr0 = xcr0();
  return p;
}

static int has(unsigned flags, unsigned features) {
  return (flags & features) == features;
}

enum { XCR0_YMM = 0x06, XCR0_ZMM = 0xE6 };

/* Do processor and operating system support all that TARGET_BEGIN() in avx2.h names? */
static int runs_avx2(const Processor *p) { /* unreachable: see read_processor() */
  return has(p->ecx1, bit_POPCNT | bit_AVX) && has(p->xcr0, XCR0_YMM) &&
         has(p->ebx7, bit_AVX2 | bit_BMI | bit_BMI2) && has(p->ecx_ext, bit_LZCNT);
}

/* Do processor and operating system support all that avx512.h needs? runs_avx2() is true. */
static int runs_avx512(const Processor *p) { /* unreachable: see read_processor() */
  return has(p->xcr0, XCR0_ZMM) &&
         has(p->ebx7, bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL) &&
         has(p->ecx7, bit_AVX512VBMI | bit_AVX512VBMI2 | bit_GFNI);
}

/* Returns the index in kernels[] of the best one that runs here. */
static size_t kernel_best(void) { /* unreachable: see read_processor() */
  Processor p = read_processor();
  if (!has(p.ecx1, bit_SSSE3)) return 3;
  if (!runs_avx2(&p)) return 2;
  if (!runs_avx512(&p)) return 1;
  return 0;
}
#else
static size_t kernel_best(void) {
  return 0;
}
#endif

const Utf8Kernel *const *utf8simd_kernels(void) {
  return kernels + kernel_best();
}

/* Returns the kernel of this name, or NULL if this processor runs none. */
static const Utf8Kernel *kernel_named(const char *name) {
  for (const Utf8Kernel *const *k = utf8simd_kernels(); *k; k++)
    if (strcmp((*k)->name, name) == 0) return *k;
  return NULL;
}

_Atomic(const Utf8Kernel *) utf8simd_chosen;

/* Returns the name in UTF8EXT_KERNEL, NULL if there is none. */
static const char *kernel_wanted(void) {
  const char *name = getenv("UTF8EXT_KERNEL");
  return name && *name ? name : NULL;
}

const Utf8Kernel *utf8simd_choose(void) {
  const char *name = kernel_wanted();
  const Utf8Kernel *kernel = name ? kernel_named(name) : NULL;
  if (!kernel) kernel = *utf8simd_kernels();
  atomic_store_explicit(&utf8simd_chosen, kernel, memory_order_relaxed);
  return kernel;
}

const char *utf8simd_unknown(void) {
  const char *name = kernel_wanted();
  return name && !kernel_named(name) ? name : NULL;
}
