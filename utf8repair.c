/* utf8repair.c: ill-formed text made well-formed, under a stated policy.
**
** Well-formed stretches are copied as they are. Each ill-formed subpart (utf8core_step)
** is replaced as the policy says. Only bytes of ill-formed subparts are ever replaced, and
** all of those are above 7F; so ASCII survives, and a repaired text, being well-formed, is
** not changed by a second repair.
**
** The work is cut into calls by the room in `out`, so that the caller grows its buffer
** once in a while instead of knowing the size beforehand. Three ways through a call:
**   - the default policy on text that was UTF-8: the kernel, errors and all
**   - long stretches without an error: valid prefix and memcpy
**   - near an error: 64 bytes at a time by the kernel's masks, and near the end of the text
**     or the room step by step
*/
#include "utf8core.h"
#include "utf8private.h"
#include "utf8step.h"
#include "simd/bytes.h"
#include "simd/kernel.h"
#include <string.h>

static const uint8_t replacementCharacter[3] = {0xEF, 0xBF, 0xBD}; /* U+FFFD */

/* Windows-1252, 80..9F, by the WHATWG Encoding Standard's index: the five bytes that
** Microsoft leaves undefined are C1 controls there. */
const uint16_t utf8core_windows1252[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
    0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
};

/* A text being repaired: how, from where, and what is written so far. The functions here
** are compiled into one loop, which keeps all of it in registers. */
typedef struct Repairer {
  const Utf8Repair *how;
  const uint8_t *text;
  size_t size;
  size_t at;
  uint8_t *out;
  size_t used;
} Repairer;

/* Text that was UTF-16 has no ill-formed bytes: its errors are 16-bit units. */
COMPILED_IN int wasUtf16(const Repairer *r) {
  return (r->how->dialect & UTF8_FROM_UTF16) != 0;
}

COMPILED_IN void putCodepoint(Repairer *r, uint32_t codepoint) {
  r->used += stepPut(r->out + r->used, codepoint);
}

COMPILED_IN void putReplacement(Repairer *r) {
  if (r->how->replacement) {
    memcpy(r->out + r->used, r->how->replacement, r->how->replacement_size);
    r->used += r->how->replacement_size;
  } else {
    memcpy(r->out + r->used, replacementCharacter, sizeof replacementCharacter);
    r->used += sizeof replacementCharacter;
  }
}

/* ---- one error, by policy; each moves r->at past what it replaced ----------------- */

COMPILED_IN void repairSubpart(Repairer *r, Utf8Step s) {
  putReplacement(r);
  r->at += s.length;
}

/* The bytes of a subpart are ill-formed one by one too, so each can be a step. */
COMPILED_IN void repairByte(Repairer *r, Utf8Step s) {
  putReplacement(r);
  r->at += wasUtf16(r) ? s.length : 1;
}

COMPILED_IN void repairRun(Repairer *r, Utf8Step s) {
  putReplacement(r);
  do {
    r->at += s.length;
    if (r->at == r->size) return;
    s = step(r->text, r->size, r->at, r->how->dialect);
  } while (s.error);
}

/* What Java and Oracle write for supplementary characters and for U+0000 is what mutf-8
** reads as a character here: nothing else is, where UTF-8 sees an error. */
COMPILED_IN void repairCesu8(Repairer *r, Utf8Step s) {
  const uint8_t lead = r->text[r->at];
  Utf8Step meant = {0, 0, UTF8_INVALID_BYTE};
  if ((lead == 0xED || lead == 0xC0) && !wasUtf16(r))
    meant = step(r->text, r->size, r->at, UTF8_PAIRS | UTF8_C080);
  if (meant.error) {
    repairSubpart(r, s);
  } else {
    putCodepoint(r, meant.codepoint);
    r->at += meant.length;
  }
}

COMPILED_IN uint32_t fromLatin1(uint8_t byte) {
  return byte;
}

COMPILED_IN uint32_t fromWindows1252(uint8_t byte) {
  return byte < 0xA0 ? utf8core_windows1252[byte - 0x80] : byte;
}

COMPILED_IN void repairCharset(Repairer *r, Utf8Step s, uint32_t (*decode)(uint8_t)) {
  if (wasUtf16(r)) {
    repairSubpart(r, s);
  } else {
    while (s.length-- > 0) putCodepoint(r, decode(r->text[r->at++]));
  }
}

/* "\x" or "\u" and the number in lower-case hexadecimal digits. */
COMPILED_IN void putEscape(Repairer *r, char kind, uint32_t number, unsigned digits) {
  r->out[r->used++] = '\\';
  r->out[r->used++] = (uint8_t)kind;
  while (digits-- > 0) {
    r->out[r->used++] = (uint8_t) "0123456789abcdef"[number >> (4 * digits) & 15];
  }
}

/* A surrogate is shown as its 16-bit unit, an odd last byte as that byte. */
COMPILED_IN void repairEscapeUtf16(Repairer *r, Utf8Step s) {
  const uint8_t *p = r->text + r->at;
  if (s.error == UTF8_SURROGATE) {
    putEscape(r, 'u', 0xD000u | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu), 4);
  } else {
    putEscape(r, 'x', UTF8_ODD_BYTE(p), 2);
  }
  r->at += s.length;
}

COMPILED_IN void repairEscape(Repairer *r, Utf8Step s) {
  if (wasUtf16(r)) {
    repairEscapeUtf16(r, s);
  } else {
    while (s.length-- > 0) putEscape(r, 'x', r->text[r->at++], 2);
  }
}

COMPILED_IN void repairError(Repairer *r, Utf8PolicyId policy, Utf8Step s) {
  switch (policy) {
  case UTF8_POLICY_SUBPART:
    repairSubpart(r, s);
    break;
  case UTF8_POLICY_BYTE:
    repairByte(r, s);
    break;
  case UTF8_POLICY_RUN:
    repairRun(r, s);
    break;
  case UTF8_POLICY_CESU8:
    repairCesu8(r, s);
    break;
  case UTF8_POLICY_LATIN1:
    repairCharset(r, s, fromLatin1);
    break;
  case UTF8_POLICY_WINDOWS1252:
    repairCharset(r, s, fromWindows1252);
    break;
  case UTF8_POLICY_ESCAPE:
    repairEscape(r, s);
    break;
  }
}

/* ---- stretches -------------------------------------------------------------------- */

/* What one error may need: a replacement, or three bytes as \xhh; and what eight bytes
** that are copied where fewer are meant may scribble on. */
#define ROOM_FOR_ERROR(how) ((how)->replacement_size + 24)

/* After this many bytes without an error, text is read in bulk again. */
#define CALM 64

/* Copies as many ASCII bytes as start the next eight, if there are eight: 0..8. */
COMPILED_IN size_t copyAscii(Repairer *r) {
  if (r->size - r->at < 8) return 0;
  const uint8_t *p = r->text + r->at;
  uint64_t eight = bytes_load64(p);
  memcpy(r->out + r->used, p, 8);
  size_t n = 8;
  if (eight & BYTES_HIGH_BITS) {
    for (n = 0; p[n] < 0x80;) n++;
  }
  r->used += n;
  r->at += n;
  return n;
}

COMPILED_IN void copyCharacter(Repairer *r, size_t length) {
  while (length-- > 0) r->out[r->used++] = r->text[r->at++];
}

/* From an error on: step by step, until CALM bytes were good or limit is reached. */
COMPILED_IN void repairStepwise(Repairer *whole, size_t limit, Utf8PolicyId policy) {
  Repairer r = *whole;
  size_t calm = 0;
  while (r.at < r.size && r.used < limit && calm < CALM) {
    if (r.text[r.at] < 0x80) {
      size_t n = copyAscii(&r);
      calm += n;
      if (n > 0) continue;
    }
    Utf8Step s = step(r.text, r.size, r.at, r.how->dialect);
    if (s.error) {
      repairError(&r, policy, s);
      calm = 0;
    } else {
      copyCharacter(&r, s.length);
      calm += s.length;
    }
  }
  *whole = r;
}

/* Copies length bytes of 64. */
COMPILED_IN void copyRun(Repairer *r, size_t length) {
  memcpy(r->out + r->used, r->text + r->at, 64);
  r->used += length;
  r->at += length;
}

/* Does the policy ask nothing about an ill-formed byte but what byte it is? */
COMPILED_IN int isBytewise(Utf8PolicyId policy) {
  return policy == UTF8_POLICY_BYTE || policy >= UTF8_POLICY_LATIN1;
}

/* The bytes from `from` on, of 64. */
COMPILED_IN uint64_t bitsFrom(size_t from) {
  return from < 64 ? ~(uint64_t)0 << from : 0;
}

/* The next of the bits behind `bit`, of `end` ones. */
COMPILED_IN size_t nextBit(uint64_t bits, size_t bit, size_t end) {
  uint64_t behind = bits & bitsFrom(bit + 1);
  return behind ? (size_t)__builtin_ctzll(behind) : end;
}

/* Repairs the 64 bytes that start here, but for a sequence that goes on behind them.
** Returns whether there was an error. */
COMPILED_IN int repairBlock(Repairer *r, Utf8PolicyId policy) {
  const size_t start = r->at;
  uint64_t kept, starts;
  size_t size = utf8kernel()->judge(r->text + start, &kept, &starts);
  uint64_t bad = ~kept & ~bitsFrom(size);
  const int hasErrors = bad != 0;
  for (; bad; bad &= bitsFrom(r->at - start)) {
    const size_t bit = (size_t)__builtin_ctzll(bad);
    copyRun(r, start + bit - r->at);
    size_t next = nextBit(policy == UTF8_POLICY_RUN ? kept : starts, bit, size);
    if (isBytewise(policy)) next = bit + 1;
    repairError(r, policy, (Utf8Step){0, (uint8_t)(next - bit), UTF8_INVALID_BYTE});
  }
  if (r->at < start + size) copyRun(r, start + size - r->at);
  return hasErrors;
}

/* repairBlock() may read this many bytes after its 64. */
#define READ_MARGIN 64

/* Can repairBlock() write to the room that is left? It writes at most 64 replacements or
** characters, and 64 bytes of copyRun(). A product of sizes could wrap on 32 bits. */
COMPILED_IN int hasBlockRoom(const Repairer *r, size_t limit) {
  return r->used < limit && limit - r->used >= 64 &&
         (limit - r->used - 64) / 64 >= r->how->replacement_size + 4;
}

/* The same in blocks of 64 bytes, as far as there are such, by the kernel's masks: what
** is well-formed costs no branches then, and nothing about errors needs to be foreseen but
** how many there are. Returns 1 if it came no further, 0 after a block without an error. */
COMPILED_IN int repairBlockwise(Repairer *whole, size_t limit, Utf8PolicyId policy) {
  Repairer r = *whole;
  int hasErrors = 1;
  while (hasErrors && r.size - r.at >= 64 + READ_MARGIN && hasBlockRoom(&r, limit)) {
    hasErrors = repairBlock(&r, policy);
  }
  *whole = r;
  return hasErrors;
}

/* Both with the policy a constant, so that each has loops of its own. */
COMPILED_IN void repairNear(Repairer *r, size_t limit, Utf8PolicyId policy) {
  if (!wasUtf16(r) && !repairBlockwise(r, limit, policy)) return;
  repairStepwise(r, limit, policy);
}

static void repairNearErrors(Repairer *r, size_t limit) {
  switch (r->how->policy) {
  case UTF8_POLICY_SUBPART:
    repairNear(r, limit, UTF8_POLICY_SUBPART);
    break;
  case UTF8_POLICY_BYTE:
    repairNear(r, limit, UTF8_POLICY_BYTE);
    break;
  case UTF8_POLICY_RUN:
    repairNear(r, limit, UTF8_POLICY_RUN);
    break;
  case UTF8_POLICY_CESU8:
    repairNear(r, limit, UTF8_POLICY_CESU8);
    break;
  case UTF8_POLICY_LATIN1:
    repairNear(r, limit, UTF8_POLICY_LATIN1);
    break;
  case UTF8_POLICY_WINDOWS1252:
    repairNear(r, limit, UTF8_POLICY_WINDOWS1252);
    break;
  case UTF8_POLICY_ESCAPE:
    repairNear(r, limit, UTF8_POLICY_ESCAPE);
    break;
  }
}

/* Copies the well-formed text that starts here, at most as much as ends below limit. */
static void copyWellFormed(Repairer *r, size_t limit) {
  size_t left = r->size - r->at;
  size_t most = limit - r->used - UTF8_OCTETS_MAX; /* until may be passed by less */
  size_t until = left < most ? r->size : r->at + most;
  size_t end = utf8core_valid_prefix(r->text, r->size, r->at, until, r->how->dialect);
  memcpy(r->out + r->used, r->text + r->at, end - r->at);
  r->used += end - r->at;
  r->at = end;
}

/* The kernel repairs as the default policy does, and asks for 3n + 64 bytes of room. It
** stops before a sequence that its text's end cuts short: returns 0 if that is at once. */
static int repairByKernel(Repairer *r, size_t room) {
  size_t left = r->size - r->at;
  size_t most = (room - r->used - 64) / 3;
  size_t written = 0;
  size_t done = utf8kernel()->repair(r->text + r->at, left < most ? left : most,
                                     r->out + r->used, &written);
  r->at += done;
  r->used += written;
  return done > 0;
}

static int isKernelPolicy(const Utf8Repair *how) {
  return how->policy == UTF8_POLICY_SUBPART && !how->replacement &&
         how->dialect == UTF8_STRICT;
}

#define KERNEL_ROOM (3 * 1024 + 64) /* less is not worth a call */

size_t utf8core_repair(const Utf8Repair *how, const uint8_t *text, size_t size,
                       size_t *at, uint8_t *out, size_t room) {
  Repairer r = {how, text, size, *at, out, 0};
  size_t limit = room - ROOM_FOR_ERROR(how);
  while (r.at < size && r.used < limit) {
    int hasKernel = isKernelPolicy(how) && room - r.used >= KERNEL_ROOM;
    if (hasKernel && repairByKernel(&r, room)) continue;
    if (limit - r.used > CALM) copyWellFormed(&r, limit);
    repairNearErrors(&r, limit);
  }
  *at = r.at;
  return r.used;
}
