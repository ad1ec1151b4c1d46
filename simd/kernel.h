/* kernel.h: what the code for one instruction set offers to the core.
**
** A kernel promises little, so that it can be fast: what it says is well-formed is, and
** where it rests is a boundary. It may rest anywhere before an error, even on good text;
** utf8core.c goes on from there with the decoder step, which alone judges.
*/
#ifndef UTF8_KERNEL_H
#define UTF8_KERNEL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef struct Utf8Kernel {
  const char *name; /* as UTF8EXT_KERNEL and utf8_debug() write it: "avx2" */

  /* Returns p, 0..size: text[0..p) is well-formed UTF-8 and p is a boundary. Where the
  ** text is well-formed, p is size; else p is at most UTF8_KERNEL_LAG below the error. */
  size_t (*valid)(const uint8_t *text, size_t size);

  /* valid(), and *codepoints becomes the number of characters in text[0..p). */
  size_t (*count)(const uint8_t *text, size_t size, size_t *codepoints);

  /* Copies text[0..p) to out with U+FFFD for each maximal subpart, and returns p, a
  ** boundary; *written becomes the bytes written. out has room for 3 * size + 64 bytes,
  ** all of which may be scribbled on. A sequence that the end cuts short is left alone,
  ** since more text may follow: p is below size only there, and is where it starts. */
  size_t (*repair)(const uint8_t *text, size_t size, uint8_t *out, size_t *written);

  /* Judges the 64 bytes at text, which is a boundary: bit i of *kept tells whether byte i
  ** is of a well-formed character, bit i of *starts whether a character or an ill-formed
  ** subpart starts there. Returns how many bytes are judged, 61..64, and sets no bit for
  ** what is left: that starts at a boundary and may go on behind the 64. */
  unsigned (*classify_block)(const uint8_t *text, uint64_t *kept, uint64_t *starts);
} Utf8Kernel;

#define UTF8_KERNEL_LAG 512

/* The kernel in use: the best that this processor runs, or the one UTF8EXT_KERNEL in the
** environment names. Chosen at the first call; thread-safe. */
static inline const Utf8Kernel *utf8kernel(void);

/* All kernels that this processor runs, the best first, scalar last, then NULL: for tests
** and benchmarks. */
const Utf8Kernel *const *utf8kernel_all(void);

/* The name in UTF8EXT_KERNEL if there is no such kernel here, else NULL. */
const char *utf8kernel_unknown(void);

/* What utf8kernel() has found, NULL before; and what finds it. */
extern _Atomic(const Utf8Kernel *) utf8kernel_chosen;
const Utf8Kernel *utf8kernel_choose(void);

static inline const Utf8Kernel *utf8kernel(void) {
  const Utf8Kernel *k = atomic_load_explicit(&utf8kernel_chosen, memory_order_relaxed);
  return k ? k : utf8kernel_choose();
}

#pragma GCC visibility pop
#endif
