/* core/repair.c: makes ill-formed text well-formed, under a policy.
**
** Copies well-formed text unchanged, and replaces each ill-formed subpart
** (utf8core_step()) as the policy says. All bytes of ill-formed subparts are above 7F, so
** ASCII survives. The result is well-formed, so a second repair changes nothing.
**
** The caller need not know the size of the result: each call fills the room in `out`, and
** the caller provides more until the text ends. A call works in three ways:
**   - the kernel repairs text that was UTF-8 under the default policy
**   - stretches without an error are found by utf8core_find_error() and copied
**   - near an error, the kernel classifies 64 bytes at a time; near the end of the text or
**     of the room, and in text that was UTF-16, the step decodes one by one
*/
#include "core/repair.h"
#include "core/step.h"
#include "core/bytes.h"
#include "core/simd/kernel.h"
#include <string.h>

/* State of a call: text[0..at) is repaired, out[0..used) is written. Functions with a `limit`
** stop when used reaches it, and write at most ROOM_FOR_ERROR(how) bytes beyond. Loops work on
** a copy, which the compiler keeps in registers since all functions are inlined. */
typedef struct RepairState {
  const Utf8Repair *how;
  const uint16_t *high; /* of utf8repair_with() */
  const uint8_t *text;
  size_t size;
  size_t at;
  uint8_t *out;
  size_t used;
} RepairState;

ALWAYS_INLINE void putCodepoint(RepairState *r, uint32_t codepoint) {
  r->used += stepPut(r->out + r->used, codepoint);
}

ALWAYS_INLINE void putReplacement(RepairState *r) {
  if (r->how->replacement) {
    memcpy(r->out + r->used, r->how->replacement, r->how->replacement_size);
    r->used += r->how->replacement_size;
  } else {
    r->used = (size_t)(bytes_put_fffd(r->out + r->used) - r->out);
  }
}

/* ---- one error of UTF-8, by policy ---------------------------------------------------- */

/* Writes what becomes of the error s at r->at, and moves r->at past it. */
typedef void RepairError(RepairState *r, Utf8Step s);

ALWAYS_INLINE void repairSubpart(RepairState *r, Utf8Step s) {
  putReplacement(r);
  r->at += s.length;
}

/* Moves past one byte: the other bytes of a subpart are errors on their own, too. */
ALWAYS_INLINE void repairByte(RepairState *r, Utf8Step s) {
  (void)s;
  putReplacement(r);
  r->at++;
}

/* Replaces s and all errors that follow it at once. */
ALWAYS_INLINE void repairRunIn(RepairState *r, Utf8Step s, unsigned dialect) {
  putReplacement(r);
  do {
    r->at += s.length;
    if (r->at == r->size) return;
    s = step(r->text, r->size, r->at, dialect);
  } while (s.error);
}

ALWAYS_INLINE void repairRun(RepairState *r, Utf8Step s) {
  repairRunIn(r, s, UTF8_STRICT);
}

/* Decodes what Java and Oracle write for supplementary code points and for U+0000. These
** are the only errors of UTF-8 that mutf-8 decodes. */
ALWAYS_INLINE void repairCesu8(RepairState *r, Utf8Step s) {
  const uint8_t lead = r->text[r->at];
  Utf8Step mutf8 = s;
  if (lead == 0xED || lead == 0xC0)
    mutf8 = step(r->text, r->size, r->at, UTF8_PAIRS | UTF8_C080);
  if (mutf8.error) {
    repairSubpart(r, s);
  } else {
    putCodepoint(r, mutf8.codepoint);
    r->at += mutf8.length;
  }
}

/* Writes each byte as the code point that it is in the charset: all are above 7F. */
ALWAYS_INLINE void repairCharset(RepairState *r, Utf8Step s) {
  while (s.length-- > 0) putCodepoint(r, r->high[r->text[r->at++] - 0x80]);
}

/* Writes a backslash, kind ('x' or 'u') and the number in lower-case hexadecimal. */
ALWAYS_INLINE void putEscape(RepairState *r, char kind, uint32_t number,
                             unsigned digits) {
  r->out[r->used++] = '\\';
  r->out[r->used++] = (uint8_t)kind;
  while (digits-- > 0) {
    r->out[r->used++] = (uint8_t) "0123456789abcdef"[number >> (4 * digits) & 15];
  }
}

ALWAYS_INLINE void repairEscape(RepairState *r, Utf8Step s) {
  while (s.length-- > 0) putEscape(r, 'x', r->text[r->at++], 2);
}

/* ---- one error of text that was UTF-16: a lone surrogate or an odd last byte ------------ */

ALWAYS_INLINE void repairUnit(RepairState *r, Utf8Step s) {
  repairSubpart(r, s);
}

ALWAYS_INLINE void repairUnitRun(RepairState *r, Utf8Step s) {
  repairRunIn(r, s, UTF8_FROM_UTF16);
}

/* Writes a surrogate as its UTF-16 code unit, an odd last byte as that byte. */
ALWAYS_INLINE void repairUnitEscape(RepairState *r, Utf8Step s) {
  const uint8_t *p = r->text + r->at;
  if (s.error == UTF8_SURROGATE) {
    putEscape(r, 'u', 0xD000u | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu), 4);
  } else {
    putEscape(r, 'x', UTF8_ODD_BYTE(p), 2);
  }
  r->at += s.length;
}

/* ---- copying ------------------------------------------------------------------------ */

/* Copies the ASCII bytes at the start of the next eight, and returns their number. Copies
** none if fewer than eight are left. May overwrite 8 bytes of out. */
ALWAYS_INLINE size_t copyAsciiPrefix(RepairState *r) {
  if (r->size - r->at < 8) return 0;
  const size_t n = bytes_copy_ascii(r->out + r->used, r->text + r->at, 8);
  r->used += n;
  r->at += n;
  return n;
}

ALWAYS_INLINE void copyCharacter(RepairState *r, size_t length) {
  while (length-- > 0) r->out[r->used++] = r->text[r->at++];
}

/* Copies length bytes, at most 64. Reads and overwrites 64, whatever length is. */
ALWAYS_INLINE void copyWithinBlock(RepairState *r, size_t length) {
  memcpy(r->out + r->used, r->text + r->at, 64);
  r->used += length;
  r->at += length;
}

/* Copies the well-formed text that starts at r->at, as much as fits below limit, which is more
** than UTF8_OCTETS_MAX bytes away. The last code point may extend beyond `until`. */
static void copyWellFormed(RepairState *r, size_t limit) {
  size_t left = r->size - r->at;
  size_t max = limit - r->used - UTF8_OCTETS_MAX;
  size_t until = left < max ? r->size : r->at + max;
  size_t end =
      utf8core_find_error(r->text, r->size, r->at, until, r->how->dialect).offset;
  memcpy(r->out + r->used, r->text + r->at, end - r->at);
  r->used += end - r->at;
  r->at = end;
}

/* ---- near errors, step by step ---------------------------------------------------- */

/* The room that one error may need: a replacement, or three bytes as \xhh, and the 8 bytes
** that copyAsciiPrefix() may overwrite. */
#define ROOM_FOR_ERROR(how) ((how)->replacement_size + 24)

/* After this many bytes without an error, text is processed in bulk again. */
#define CALM 64

/* Repairs until the last CALM bytes had no error, limit is reached, or the text ends. */
ALWAYS_INLINE void repairStepwise(RepairState *state, size_t limit, unsigned dialect,
                                  RepairError *repairError) {
  RepairState r = *state;
  size_t calm = 0;
  while (r.at < r.size && r.used < limit && calm < CALM) {
    if (r.text[r.at] < 0x80) {
      size_t n = copyAsciiPrefix(&r);
      calm += n;
      if (n > 0) continue;
    }
    Utf8Step s = step(r.text, r.size, r.at, dialect);
    if (s.error) {
      repairError(&r, s);
      calm = 0;
    } else {
      copyCharacter(&r, s.length);
      calm += s.length;
    }
  }
  *state = r;
}

/* ---- near errors, in blocks -------------------------------------------------------- */

/* What a policy replaces at once. */
typedef enum ErrorUnit { UNIT_BYTE, UNIT_SUBPART, UNIT_RUN } ErrorUnit;

/* Returns bits from..63. */
ALWAYS_INLINE uint64_t bitsFrom(size_t from) {
  return from < 64 ? ~(uint64_t)0 << from : 0;
}

/* Returns the place of the first of the bits after `bit`, or end if there is none. */
ALWAYS_INLINE size_t nextBit(uint64_t bits, size_t bit, size_t end) {
  uint64_t after = bits & bitsFrom(bit + 1);
  return after ? mask_lowest(after) : end;
}

/* Repairs the next 64 bytes, without a sequence that continues after them. Returns whether
** there was an error. UTF8_INVALID_BYTE stands for every kind: repairError() ignores it. */
ALWAYS_INLINE int repairBlock(RepairState *r, RepairError *repairError,
                              ErrorUnit unit) {
  const size_t start = r->at;
  uint64_t kept, starts;
  size_t size = utf8simd_kernel()->classify_block(r->text + start, &kept, &starts);
  uint64_t errors = ~kept & ~bitsFrom(size);
  const int hasErrors = errors != 0;
  for (; errors; errors &= bitsFrom(r->at - start)) {
    const size_t bit = mask_lowest(errors);
    copyWithinBlock(r, start + bit - r->at);
    size_t next = nextBit(unit == UNIT_RUN ? kept : starts, bit, size);
    if (unit == UNIT_BYTE) next = bit + 1;
    repairError(r, (Utf8Step){0, (uint8_t)(next - bit), UTF8_INVALID_BYTE});
  }
  if (r->at < start + size) copyWithinBlock(r, start + size - r->at);
  return hasErrors;
}

/* repairBlock() may read this many bytes after its 64. */
#define READ_MARGIN 64

/* Is there room for a block? It writes at most 64 replacements or code points, and the 64
** bytes of copyWithinBlock(), so r->used stays at most limit. Divides, since a product could overflow
** in 32 bits. */
ALWAYS_INLINE int hasBlockRoom(const RepairState *r, size_t limit) {
  return limit - r->used >= 64 &&
         (limit - r->used - 64) / 64 >= r->how->replacement_size + 4;
}

/* Repairs block after block until one has no error; returns 1 if the text or the room ended
** before that, else 0. The branches depend on the number of errors only, not on where
** code points start, so the processor predicts them well. */
ALWAYS_INLINE int repairBlockwise(RepairState *state, size_t limit,
                                  RepairError *repairError, ErrorUnit unit) {
  RepairState r = *state;
  int hasErrors = 1;
  while (hasErrors && r.size - r.at >= 64 + READ_MARGIN && hasBlockRoom(&r, limit)) {
    hasErrors = repairBlock(&r, repairError, unit);
  }
  *state = r;
  return hasErrors;
}

/* ---- the policies -------------------------------------------------------------------- */

/* Each policy has loops of its own, with its function for one error inlined: a call for
** each error would cost more than its repair. */

/* Repairs UTF-8 from r->at, which is at or near an error, until 64 bytes have none, limit is
** reached, or the text ends. */
ALWAYS_INLINE void repairNear(RepairState *r, size_t limit, RepairError *repairError,
                              ErrorUnit unit) {
  if (repairBlockwise(r, limit, repairError, unit))
    repairStepwise(r, limit, UTF8_STRICT, repairError);
}

static void repairNearSubpart(RepairState *r, size_t limit) {
  repairNear(r, limit, repairSubpart, UNIT_SUBPART);
}

static void repairNearByte(RepairState *r, size_t limit) {
  repairNear(r, limit, repairByte, UNIT_BYTE);
}

static void repairNearRun(RepairState *r, size_t limit) {
  repairNear(r, limit, repairRun, UNIT_RUN);
}

static void repairNearCesu8(RepairState *r, size_t limit) {
  repairNear(r, limit, repairCesu8, UNIT_SUBPART);
}

static void repairNearCharset(RepairState *r, size_t limit) {
  repairNear(r, limit, repairCharset, UNIT_BYTE);
}

static void repairNearEscape(RepairState *r, size_t limit) {
  repairNear(r, limit, repairEscape, UNIT_BYTE);
}

static void repairNearUnit(RepairState *r, size_t limit) {
  repairStepwise(r, limit, UTF8_FROM_UTF16, repairUnit);
}

static void repairNearUnitRun(RepairState *r, size_t limit) {
  repairStepwise(r, limit, UTF8_FROM_UTF16, repairUnitRun);
}

static void repairNearUnitEscape(RepairState *r, size_t limit) {
  repairStepwise(r, limit, UTF8_FROM_UTF16, repairUnitEscape);
}

/* Repairs near an error: UTF-8 in column 0, text that was UTF-16 in column 1. */
static void (*const repairNearErrors[][2])(RepairState *r, size_t limit) = {
    [UTF8_POLICY_SUBPART] = {repairNearSubpart, repairNearUnit},
    [UTF8_POLICY_BYTE] = {repairNearByte, repairNearUnit},
    [UTF8_POLICY_RUN] = {repairNearRun, repairNearUnitRun},
    [UTF8_POLICY_CESU8] = {repairNearCesu8, repairNearUnit},
    [UTF8_POLICY_TRIM] = {repairNearSubpart, repairNearUnit},
    [UTF8_POLICY_ESCAPE] = {repairNearEscape, repairNearUnitEscape},
    [UTF8_POLICY_CHARSET] = {repairNearCharset, repairNearUnit},
    [UTF8_POLICY_AUTO] = {repairNearSubpart, repairNearUnit},
};

/* ---- the default policy, by the kernel ------------------------------------------------ */

/* The kernel writes up to 3n + KERNEL_MARGIN bytes for n. A call with room for fewer than
** 1024 is not worth it. */
#define KERNEL_MARGIN 64
#define KERNEL_ROOM   (3 * 1024 + KERNEL_MARGIN)

static int isKernelPolicy(const Utf8Repair *how) {
  int replaces = how->policy == UTF8_POLICY_SUBPART || how->policy == UTF8_POLICY_TRIM;
  return replaces && !how->replacement && how->dialect == UTF8_STRICT;
}

/* Repairs as much as fits. Returns 0 if that is nothing: the kernel stops before a sequence
** that the end of its text cuts short. */
static int repairByKernel(RepairState *r, size_t room) {
  size_t left = r->size - r->at;
  size_t max = (room - r->used - KERNEL_MARGIN) / 3;
  size_t written = 0;
  size_t done = utf8simd_kernel()->repair(r->text + r->at, bytes_min(left, max),
                                          r->out + r->used, &written);
  r->at += done;
  r->used += written;
  return done > 0;
}

/* ---- the policy trim -------------------------------------------------------------------- */

/* Returns the start of the sequence that the end of the text cuts off, or size. */
static size_t cutSequence(const uint8_t *text, size_t size, unsigned dialect) {
  for (size_t length = 1; length <= 3 && length <= size; length++) {
    Utf8Step s = step(text, size, size - length, dialect);
    if (s.error == UTF8_TRUNCATED) return size - length;
  }
  return size;
}

/* Does UTF-16 as WTF-8 end in a high surrogate, ED A0..AF xx? */
static int endsInHighSurrogate(const uint8_t *text, size_t size) {
  return size >= 3 && text[size - 3] == 0xED && (text[size - 2] & 0xF0) == 0xA0;
}

/* Returns the size without a sequence that the end of the text cuts off. In UTF-16 that is an
** odd byte, and a high surrogate before it or at the end. */
static size_t trimmedSize(const Utf8Repair *how, const uint8_t *text, size_t size) {
  size = cutSequence(text, size, how->dialect);
  if ((how->dialect & UTF8_FROM_UTF16) && endsInHighSurrogate(text, size))
    return size - 3;
  return size;
}

/* ---- a call --------------------------------------------------------------------------- */

size_t utf8repair_with(const Utf8Repair *how, const uint16_t *high, const uint8_t *text,
                       size_t size, size_t *at, uint8_t *out, size_t room) {
  const int trims = how->policy == UTF8_POLICY_TRIM;
  const int wasUtf16 = (how->dialect & UTF8_FROM_UTF16) != 0;
  const size_t limit = room - ROOM_FOR_ERROR(how);
  RepairState r = {how, high, text, size, *at, out, 0};
  if (trims) r.size = trimmedSize(how, text, size);
  while (r.at < r.size && r.used < limit) {
    int hasKernel = isKernelPolicy(how) && room - r.used >= KERNEL_ROOM;
    if (hasKernel && repairByKernel(&r, room)) continue;
    if (limit - r.used > CALM) copyWellFormed(&r, limit);
    repairNearErrors[how->policy][wasUtf16](&r, limit);
  }
  *at = r.at < r.size ? r.at : size;
  return r.used;
}
