/* fuzz.h: shared by the libFuzzer targets: the input format, the loop over the kernels, and
** HOLDS().
**
**     make fuzz                  # each target for one minute; make fuzz FUZZ_TIME=600
**     build/fuzz/fuzz_core FILE  # runs one input again
**
** A target defines fuzz_input(). It computes the expected result once, from the second
** definitions in test/, and compares the core with it under every kernel that the processor
** runs. A difference aborts the process; libFuzzer then stores the input in build/fuzz/.
*/
#ifndef UTF8_FUZZ_H
#define UTF8_FUZZ_H

#include <stdio.h>
#include <stdlib.h>
#include "core/simd/kernel.h"
#include "test/charsets.h"

/* An input starts with four bytes; the remaining bytes are the text. Each target defines the
** meaning of a, b and c. The low 6 bits of the fourth byte prepend up to 63 letters, which
** moves the text relative to the 64-byte blocks; its high 2 bits repeat the text 1, 2, 4 or 8
** times, which makes it long enough for the fast loops of the kernels. */
typedef struct FuzzInput {
  size_t a, b, c;
  const uint8_t *text; /* a heap buffer of exactly size bytes */
  size_t size;
} FuzzInput;

#define FUZZ_DATA_MAX 2000
#define FUZZ_TEXT_MAX (63 + 8 * FUZZ_DATA_MAX)
_Static_assert(FUZZ_TEXT_MAX <= CHARSET_INPUT_MAX,
               "test/charsets.h has room for every text");

static void fuzz_input(const FuzzInput *in);

/* Aborts with a message if the condition is false. */
#define HOLDS(what)                                                                    \
  do {                                                                                 \
    if (!(what)) fuzz_fail(__FILE__, __LINE__, #what);                                 \
  } while (0)
static inline void fuzz_fail(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d: kernel %s: does not hold: %s\n", file, line,
          utf8simd_kernel()->name, what);
  abort();
}

static inline uint8_t *fuzz_alloc(size_t size) {
  uint8_t *bytes = malloc(size ? size : 1);
  if (bytes == NULL) exit(2);
  return bytes;
}

/* Returns the size of an output buffer: at least min, and usually little more, so that
** converting the text takes many calls. */
static inline size_t fuzz_room(const FuzzInput *in, size_t min) {
  if (in->c < 64) return min + in->c;
  return min + (in->c < 192 ? 7 * (in->c - 64) : in->c * in->c);
}

/* Reads a text from *at on, writes at most room bytes and returns how many. */
typedef size_t FuzzCall(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                        size_t room);

/* Stores what calls make of a whole text in to[0..max). Each call writes to a buffer of exactly
** `room` bytes. Returns the size. Every call reads something. */
static inline size_t fuzz_calls(FuzzCall *call, const uint8_t *text, size_t size,
                                size_t room, uint8_t *to, size_t max) {
  uint8_t *out = fuzz_alloc(room);
  size_t n = 0;
  for (size_t at = 0; at < size;) {
    const size_t before = at, written = call(text, size, &at, out, room);
    HOLDS(at > before && at <= size);
    HOLDS(written <= room && n + written <= max);
    memcpy(to + n, out, written);
    n += written;
  }
  free(out);
  return n;
}

/* Writes the text with U+FFFD for each ill-formed subpart to `to`, and returns its size. */
static inline size_t fuzz_well_formed(const FuzzInput *in, uint8_t *to) {
  size_t n = 0;
  for (size_t at = 0; at < in->size;) {
    const Utf8Step one = utf8core_step(in->text, in->size, at, UTF8_STRICT);
    n += utf8core_put(to + n, one.error ? 0xFFFD : one.codepoint);
    at += one.length;
  }
  return n;
}

/* Calls check() under each kernel. */
static inline void fuzz_each_kernel(void (*check)(const FuzzInput *in),
                                    const FuzzInput *in) {
  for (const Utf8Kernel *const *k = utf8simd_kernels(); *k; k++) {
    atomic_store(&utf8simd_chosen, *k);
    check(in);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 4 || size > 4 + FUZZ_DATA_MAX) return 0;
  const size_t before = data[3] & 63, times = (size_t)1 << (data[3] >> 6);
  const size_t text_size = before + times * (size - 4);
  uint8_t *text = fuzz_alloc(text_size);
  memset(text, 'a', before);
  for (size_t at = before; at < text_size; at += size - 4) {
    memcpy(text + at, data + 4, size - 4);
  }
  FuzzInput in = {data[0], data[1], data[2], text, text_size};
  fuzz_input(&in);
  free(text);
  return 0;
}

#endif
