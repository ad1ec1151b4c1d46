/* form/stretch.h: what normalization and folding share: well-formed stretches of any text, and the
** code points of a stretch that a form may change.
*/
#ifndef UTF8_FORM_STRETCH_H
#define UTF8_FORM_STRETCH_H

#include "core/step.h"
#include "core/simd/kernel.h"

/* Stores the full case folding of a code point in UTF-8, and returns its size: 0 if it folds to
** itself. (form/casefold.c) */
#define UTF8_FOLD_MAX 8
size_t utf8form_fold(uint32_t codepoint, uint8_t out[UTF8_FOLD_MAX]);

/* Where a result goes: to..end. */
typedef struct FormSink {
  uint8_t *to, *end;
} FormSink;

/* A stretch of well-formed text[at..end). The text continues after end if is_open: a cluster that
** reaches it may not be whole. */
typedef struct FormStretch {
  const uint8_t *text;
  size_t at, end;
  int is_open;
} FormStretch;

/* Returns the well-formed text from `at`, up to the first ill-formed subpart, or to about
** `until`. Stores the subpart's length, or 0. */
static inline FormStretch stretchAt(const uint8_t *text, size_t size, size_t at,
                                    size_t until, size_t *ill_formed) {
  const Utf8FirstError e = utf8core_find_error(text, size, at, until, UTF8_STRICT);
  *ill_formed = e.length;
  return (FormStretch){text, at, e.offset, e.length == 0 && e.offset < size};
}

/* Long text is read in chunks, since each is read twice: so the second time it is in the cache. */
#define FORM_CHUNK ((size_t)1 << 14)

/* Returns `end`, or the end of the chunk that starts at `at` if that is nearer. */
static inline size_t chunkEnd(size_t at, size_t end) {
  return end - at > FORM_CHUNK ? at + FORM_CHUNK : end;
}

/* A search for code points that may change: those of a block that the kernel has found, at
** block + i for each bit i, and then those at or after `next`. */
typedef struct FormSearch {
  size_t block, next;
  uint64_t places;
} FormSearch;

/* Finds the next code point that may change at or after `from`. Returns 0 if there is none. */
static inline int nextPlace(const Utf8CodeSet *changing, const FormStretch *s,
                            size_t from, FormSearch *search, size_t *place) {
  for (;;) {
    while (search->places) {
      *place = search->block + mask_lowest(search->places);
      search->places &= search->places - 1;
      if (*place >= from) return 1;
    }
    const size_t at = search->next > from ? search->next : from;
    if (at >= s->end) return 0;
    search->block = at + utf8simd_kernel()->scans.skip_outside(
                             changing, s->text + at, s->end - at, &search->places);
    search->next = search->block + 64;
  }
}

#endif
