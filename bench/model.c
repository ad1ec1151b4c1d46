/* model.c: the kernels' loops over long text, marked for llvm-mca, which estimates from a model
** how many cycles a loop takes on another processor. Never run.
**
**     cc -O2 -S -o model.s bench/model.c && llvm-mca -mcpu=icelake-server model.s
**
** A region's name is that of the candidate and the number of bytes of one iteration. The model
** has no caches, no branches and no change of frequency.
*/
#include "simd/kernel.c"

TARGET_BEGIN("avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi,avx512vbmi2,gfni,bmi,bmi2,"
             "lzcnt,popcnt")

/* Checks one group after the other, without the test for ASCII. */
#define MODEL(kernel, work, counting, region)                                          \
  int model_##kernel##_##work(const uint8_t *text, size_t groups, size_t *n) {         \
    kernel##_tables t = kernel##_load_tables();                                        \
    kernel##_progress p = {0, kernel##_no_errors(), 0,                                 \
                           0, kernel##_no_sum(),    kernel##_no_starts()};             \
    while (groups-- > 0) {                                                             \
      __asm__ volatile("# LLVM-MCA-BEGIN " region : "+r"(text));                       \
      kernel##_check_group(&t, &p, text, 0, counting);                                 \
      __asm__ volatile("# LLVM-MCA-END" : "+r"(text));                                 \
    }                                                                                  \
    *n = kernel##_total(kernel##_add_up(kernel##_no_sum(), p.counter));                \
    return kernel##_any(p.errors);                                                     \
  }

MODEL(avx512, valid, 0, "utf8ext avx512:256")
MODEL(avx512, count, 1, "utf8ext avx512 and count:256")

TARGET_END
TARGET_BEGIN("avx2,bmi,bmi2,lzcnt,popcnt")

MODEL(avx2, valid, 0, "utf8ext avx2:256")
MODEL(avx2, count, 1, "utf8ext avx2 and count:256")

TARGET_END
