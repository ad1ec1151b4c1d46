/* model.c: the kernels' loops over long text, marked for llvm-mca, which works out by a
** model of a processor how long a loop takes on one that is not at hand. Never run.
**
**     cc -O2 -S -o model.s bench/model.c && llvm-mca -mcpu=icelake-server model.s
**
** A region is named by who it is and how many bytes it deals with. The model knows no
** caches, no branches and no change of frequency.
*/
#include "../utf8kernel.c"

#define GROUP_BYTES 256
_Static_assert(avx512_LOOK == 4 * GROUP_BYTES, "the regions' names say so");

/* One group after the other, of text that is in the caches and not ASCII. */
#define MODEL(kernel, target, work, counting, region)                                  \
  target int model_##kernel##_##work(const uint8_t *text, size_t groups, size_t *n) {  \
    kernel##_tables t = kernel##_tables_for();                                         \
    kernel##_errors errors = kernel##_no_errors();                                     \
    kernel##_counter counter = kernel##_no_starts();                                   \
    while (groups-- > 0) {                                                             \
      __asm__ volatile("# LLVM-MCA-BEGIN " region : "+r"(text));                       \
      errors = kernel##_check_group(&t, errors, text, 0, counting, &counter);          \
      text += GROUP_BYTES;                                                             \
      __asm__ volatile("# LLVM-MCA-END" : "+r"(text));                                 \
    }                                                                                  \
    *n = kernel##_total(kernel##_add_up(kernel##_no_sum(), counter));                  \
    return kernel##_any(errors);                                                       \
  }

MODEL(avx512, AVX512_TARGET, valid, 0, "utf8ext avx512:256")
MODEL(avx512, AVX512_TARGET, count, 1, "utf8ext avx512 and count:256")
MODEL(avx2, AVX2_TARGET, valid, 0, "utf8ext avx2:256")
MODEL(avx2, AVX2_TARGET, count, 1, "utf8ext avx2 and count:256")
