/* core/compiler.h: the extensions of C11 that the project uses, each in a macro.
**
** GNU C (gcc, clang) provides them all. With any other C11 compiler, or with -DUTF8_NO_GNU,
** the macros are plain C and only the scalar kernel is compiled: the results are the same.
** The x86 and arm64 kernels are GNU C themselves.
*/
#ifndef UTF8_CORE_COMPILER_H
#define UTF8_CORE_COMPILER_H

#if defined __GNUC__ && !defined UTF8_NO_GNU
#define UTF8_GNU 1
#else
#define UTF8_GNU 0
#endif

#if UTF8_GNU
/* A function that is fast only as part of its caller, where its arguments are constants. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
/* A function kept out of its caller, which then saves fewer registers. */
#define NOINLINE    __attribute__((noinline))
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define ALWAYS_INLINE static inline
#define NOINLINE
#define UNLIKELY(x) (x)
#endif

/* Unrolls the next loop, which runs at most 16 times. */
#if UTF8_GNU && defined __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#elif UTF8_GNU
#define UNROLL _Pragma("GCC unroll 16")
#else
#define UNROLL
#endif

/* Functions between the two are compiled for this instruction set: TARGET_BEGIN("avx2"). */
#if UTF8_GNU
#define COMPILER_PRAGMA(x) _Pragma(#x)
#if defined __clang__
#define TARGET_BEGIN(isa)                                                              \
  COMPILER_PRAGMA(                                                                     \
      clang attribute push(__attribute__((target(isa))), apply_to = function))
#define TARGET_END COMPILER_PRAGMA(clang attribute pop)
#else
#define TARGET_BEGIN(isa)                                                              \
  COMPILER_PRAGMA(GCC push_options) COMPILER_PRAGMA(GCC target(isa))
#define TARGET_END COMPILER_PRAGMA(GCC pop_options)
#endif

/* Makes the compiler load through the pointer, instead of computing constants that it
** points to, or merging loads. */
#define OPAQUE_POINTER(pointer) __asm__("" : "+r"(pointer))
#endif

/* Functions between WIDE_BEGIN and TARGET_END have vectors of 32 bytes. They run where the kernel in use
** says so (is_wide). Not defined where no kernel has them. */
#if UTF8_GNU && defined __x86_64__ && !defined UTF8EXT_OMIT_SIMD
#define WIDE_BEGIN TARGET_BEGIN("avx2,bmi,bmi2,lzcnt,popcnt")
#endif

#endif
