/* utf8kernel.c: which kernel runs here.
**
**     const Utf8Kernel *kernel = utf8kernel();
**     size_t p = kernel->valid(text, size);
**
** All kernels are compiled in, each function for its own instruction set, and the whole
** file with no flag for any. The first call asks the processor and the operating system
** what they have, and takes the best. The environment variable UTF8EXT_KERNEL names
** another one, for tests: UTF8EXT_KERNEL=scalar.
**
** Threads: choosing reads, computes and stores one pointer; if two threads do it at once
** they store the same.
*/
#include "simd/block.h"
#include "simd/kernel.h"
#include "simd/scalar.h"
#if defined __x86_64__ && (defined __GNUC__ || defined __clang__)
#include "simd/avx512.h"
#include "simd/avx2.h"
#include "simd/ssse3.h"
#include <cpuid.h>
#define X86_64
#elif defined __aarch64__ && defined __ARM_NEON && !defined __AARCH64EB__
#include "simd/neon.h"
#define ARM64
#endif
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Best first. What runs one of them runs all that follow it. */
static const Utf8Kernel *const kernels[] = {
#ifdef X86_64
    &avx512_kernel, &avx2_kernel, &ssse3_kernel,
#elif defined ARM64
    &neon_kernel,
#endif
    &scalar_kernel, NULL,
};

#ifdef X86_64
/* What CPUID and XCR0 say, each feature as one bit, in the words of Intel's manual. */
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

static Processor processor(void) {
  Processor p = {0, 0, 0, 0, 0};
  unsigned a, b, c, d;
  if (__get_cpuid(1, &a, &b, &c, &d)) p.ecx1 = c;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) p.ebx7 = b, p.ecx7 = c;
  if (__get_cpuid(0x80000001, &a, &b, &c, &d)) p.ecx_ext = c;
  if (p.ecx1 & bit_OSXSAVE) p.xcr0 = xcr0();
  return p;
}

static int has(unsigned flags, unsigned wanted) {
  return (flags & wanted) == wanted;
}

enum { XCR0_YMM = 0x06, XCR0_ZMM = 0xE6 };

static int runs_avx2(const Processor *p) {
  return has(p->ecx1, bit_POPCNT | bit_AVX) && has(p->xcr0, XCR0_YMM) &&
         has(p->ebx7, bit_AVX2 | bit_BMI | bit_BMI2) && has(p->ecx_ext, bit_LZCNT);
}

static int runs_avx512(const Processor *p) {
  return has(p->xcr0, XCR0_ZMM) &&
         has(p->ebx7, bit_AVX512F | bit_AVX512DQ | bit_AVX512BW | bit_AVX512VL) &&
         has(p->ecx7, bit_AVX512VBMI | bit_AVX512VBMI2 | bit_GFNI);
}

/* The index in kernels[] of the best that runs here. */
static size_t kernel_best(void) {
  Processor p = processor();
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

/* What valgrind's header calls RUNNING_ON_VALGRIND: rotations that add up to nothing, by
** which it knows that it is asked (manual, section 3.1). */
static int under_valgrind(void) {
  uint64_t question[6] = {0x1001, 0, 0, 0, 0, 0}, answer = 0;
#if defined __x86_64__
  __asm__ volatile("rolq $3, %%rdi\n rolq $13, %%rdi\n rolq $61, %%rdi\n"
                   "rolq $51, %%rdi\n xchgq %%rbx, %%rbx"
                   : "=d"(answer)
                   : "a"(question), "0"(answer)
                   : "cc", "memory");
#elif defined __aarch64__
  __asm__ volatile("mov x3, %0\n mov x4, %1\n"
                   "ror x12, x12, #3\n ror x12, x12, #13\n ror x12, x12, #51\n"
                   "ror x12, x12, #61\n orr x10, x10, x10\n mov %0, x3"
                   : "+r"(answer)
                   : "r"(question)
                   : "cc", "memory", "x3", "x4");
#endif
  (void)question;
  return answer != 0;
}

const Utf8Kernel *const *utf8kernel_all(void) {
  atomic_store_explicit(&block_exact, under_valgrind(), memory_order_relaxed);
  return kernels + kernel_best();
}

static const Utf8Kernel *kernel_named(const char *name) {
  for (const Utf8Kernel *const *k = utf8kernel_all(); *k; k++)
    if (strcmp((*k)->name, name) == 0) return *k;
  return NULL;
}

_Atomic(const Utf8Kernel *) utf8kernel_chosen;

const Utf8Kernel *utf8kernel_choose(void) {
  const char *name = getenv("UTF8EXT_KERNEL");
  const Utf8Kernel *kernel = name ? kernel_named(name) : NULL;
  if (!kernel) kernel = *utf8kernel_all();
  atomic_store_explicit(&utf8kernel_chosen, kernel, memory_order_relaxed);
  return kernel;
}

const char *utf8kernel_unknown(void) {
  const char *name = getenv("UTF8EXT_KERNEL");
  return name && !kernel_named(name) ? name : NULL;
}
