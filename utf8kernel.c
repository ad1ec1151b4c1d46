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
#include "simd/kernel.h"
#include "simd/scalar.h"
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Best first. What runs one of them runs all that follow it. */
static const Utf8Kernel *const kernels[] = {
    &scalar_kernel,
    NULL,
};

/* The index in kernels[] of the best that runs here. */
static size_t kernel_best(void) {
  return 0;
}

const Utf8Kernel *const *utf8kernel_all(void) {
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
