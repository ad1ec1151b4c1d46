/* core/simd/kernel.h: the functions for one instruction set, which the core calls.
**
** A kernel promises little, so that it can be fast: what it reports as well-formed is so, and it
** stops at a boundary. It may stop well before an error. core/find.c resumes there with
** the decoder step, so a kernel decides the speed and never the result.
**
** No function reads outside of the given text.
*/
#ifndef UTF8_CORE_SIMD_KERNEL_H
#define UTF8_CORE_SIMD_KERNEL_H

#include "core/compiler.h"
#include "core/simd/codeset.h"
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* What kernels convert to UTF-8 and back. */
typedef enum Utf8ConverterId {
  UTF8_CONVERTER_UTF16LE,
  UTF8_CONVERTER_UTF16BE,
  UTF8_CONVERTER_UTF32LE,
  UTF8_CONVERTER_UTF32BE,
  UTF8_CONVERTER_LATIN1,
  UTF8_CONVERTER_WINDOWS1252,
  UTF8_CONVERTER_ASCII,
  UTF8_CONVERTER_CESU8,
  UTF8_CONVERTER_MUTF8,
  UTF8_CONVERTER_COUNT
} Utf8ConverterId;

/* Converts in[*at..size) to out, and returns how many bytes it wrote, at most room. Sets *at
** to the boundary where it stopped, which may be anywhere: at a code point that it does not
** handle, at an error, or before out is full. */
typedef size_t Utf8Convert(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                           size_t room);

/* Defines a function of type Utf8Convert by one that takes one more argument, a constant. */
#define KERNEL_CONVERTER(name, function, constant)                                     \
  static size_t name(const uint8_t *in, size_t size, size_t *at, uint8_t *out,         \
                     size_t room) {                                                    \
    return function(in, size, at, out, room, constant);                                \
  }

/* Like Utf8Convert, from a charset of one byte for each code point: 00..7F are ASCII, high[] has the code
** points of 80..FF. Stops only at the end of in or out. */
typedef size_t Utf8DecodeHigh(const uint16_t high[128], const uint8_t *in, size_t size,
                              size_t *at, uint8_t *out, size_t room);

/* A charset that extends ASCII, by pages of 64 code points: code point c has the byte
** bytes[64 * page[c >> 6] + (c & 63)], or none if that is 0. All of page 0 is 0. */
typedef struct Utf8Pages {
  const uint8_t *page; /* 0x400 of them */
  const uint8_t *bytes;
} Utf8Pages;

/* Like Utf8Convert, from well-formed UTF-8 to such a charset. */
typedef size_t Utf8EncodeHigh(const Utf8Pages *pages, const uint8_t *in, size_t size,
                              size_t *at, uint8_t *out, size_t room);

/* A charset of two bytes for each code point that is not ASCII. The code point of the bytes a, above 7F,
** and b is index[row * cells + cell], or 0 if there is none: row is (a ^ flip) - first, below
** rows; cell is b - second, less `gap` from b = 7F + gap on, below cells. No b is in 7F..7F + gap - 1. The
** index has an even number of elements; surrogates in it stand for something else. */
typedef struct Utf8DoubleByte {
  const uint16_t *index;
  uint8_t flip, first, rows, second, gap, cells;
} Utf8DoubleByte;

/* Converts in[*at..until) to UTF-8, reading the double-byte code that starts before until from in[*at..size). Else like
** Utf8Convert: stops anywhere, at a boundary, and at what has no code point. */
typedef size_t Utf8DecodeDouble(const Utf8DoubleByte *charset, const uint8_t *in,
                                size_t size, size_t until, size_t *at, uint8_t *out,
                                size_t room);

typedef struct Utf8Converters {
  /* to UTF-8; input in CESU-8 and MUTF-8 is well-formed */
  Utf8Convert *decode[UTF8_CONVERTER_COUNT];
  /* from well-formed UTF-8 */
  Utf8Convert *encode[UTF8_CONVERTER_COUNT];
  /* like encode, from any bytes: stops at or before an error, and before what would not be faster
  ** than checking and encoding; NULL if nothing is */
  Utf8Convert *checked[UTF8_CONVERTER_COUNT];
  /* NULL if the kernel has none */
  Utf8DecodeHigh *decode_high;
  Utf8EncodeHigh *encode_high;
  Utf8DecodeDouble *decode_double;
} Utf8Converters;

#define KERNEL_SHORT 256 /* for prefix_outside() */

typedef size_t Utf8SkipUnpaired(const uint8_t *text, size_t at, size_t end,
                                uint64_t *places);

/* The scans of form/ and mojibake/, which define what they look for: core/simd/ has tables of it. */
typedef struct Utf8Scans {
  /* A place is a code point of the set, except a single one after a code point that is not in the set.
  ** Returns the offset of the first block of 64 bytes in which a place starts, and stores in *places where:
  ** bit i for byte i. The last block may be shorter. Returns size and stores 0 if there is none.
  ** Blocks start anywhere. Never misses a place, but may set the bit of another code point's first
  ** byte. text is well-formed; it may start inside a sequence, and after a code point of the set. */
  size_t (*skip_outside)(const Utf8CodeSet *set, const uint8_t *text, size_t size,
                         uint64_t *places);

  /* Returns a boundary p such that text[0..p) is well-formed and has no place; what is before text does
  ** not count. May stop early, or
  ** return 0, but reads text of up to KERNEL_SHORT bytes to the end: then p is 0 or size. */
  size_t (*prefix_outside)(const Utf8CodeSet *set, const uint8_t *text, size_t size);

  /* Finds where the pairs of core/simd/tables/pairs.h end, as utf8mojibake_skip_unpaired() does, which says what
  ** goes in and comes out. Where blocks start is up to the kernel; what a pair is is not. NULL in a
  ** kernel that would not be faster. */
  Utf8SkipUnpaired *skip_unpaired;
} Utf8Scans;

/* Validation and repair, with the scans and the converters. */
typedef struct Utf8Kernel {
  const char *name; /* as in UTF8EXT_KERNEL and utf8_debug(): "avx2" */
  int is_wide;      /* may functions of WIDE_BEGIN be called? (core/compiler.h) */

  /* Returns a boundary p <= size such that text[0..p) is well-formed UTF-8: size if all of it
  ** is, else at most UTF8_KERNEL_LAG below the first error. */
  size_t (*valid)(const uint8_t *text, size_t size);

  /* Like valid(), but also stores the number of code points in text[0..p). */
  size_t (*count)(const uint8_t *text, size_t size, size_t *codepoints);

  /* Copies text[0..p) to out, with U+FFFD for each maximal subpart, and stores the number of
  ** bytes written. Returns p: size, or the start of the sequence that the end cuts short,
  ** since more text may follow. out has room for 3 * size + 64 bytes, all of which may be
  ** overwritten. */
  size_t (*repair)(const uint8_t *text, size_t size, uint8_t *out, size_t *written);

  /* Classifies the 64 bytes at text, a boundary. Bit i of *kept is set if byte i belongs to a
  ** well-formed sequence, bit i of *starts if such a sequence or an ill-formed subpart starts
  ** there. Returns how many bytes are classified, 61..64, and leaves the bits of the remaining
  ** bytes clear: they start a sequence that may continue after the 64. */
  unsigned (*classify_block)(const uint8_t *text, uint64_t *kept, uint64_t *starts);

  Utf8Scans scans;
  const Utf8Converters *converters;
} Utf8Kernel;

#define UTF8_KERNEL_LAG 512
/* Returns the kernel in use: the one that the environment variable UTF8EXT_KERNEL names, or, if
** it names none, the best that this processor runs. Chosen at the first call. Thread-safe. */
static inline const Utf8Kernel *utf8simd_kernel(void);

/* Returns all kernels that this processor runs, the best first, scalar last, then NULL. For
** tests and benchmarks. */
const Utf8Kernel *const *utf8simd_kernels(void);

/* Returns the name in UTF8EXT_KERNEL if this processor runs no such kernel, else NULL. */
const char *utf8simd_unknown(void);

/* The kernel in use, NULL before the first call of utf8simd_kernel(); and the slow path that sets
** it. */
extern _Atomic(const Utf8Kernel *) utf8simd_chosen;
const Utf8Kernel *utf8simd_choose(void);

static inline const Utf8Kernel *utf8simd_kernel(void) {
  const Utf8Kernel *k = atomic_load_explicit(&utf8simd_chosen, memory_order_relaxed);
  return k ? k : utf8simd_choose();
}

#endif
