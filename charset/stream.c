/* charset/stream.c: converts a whole text, or one that comes in pieces, which may end anywhere: within a
** sequence, a double-byte code, an escape or a byte order mark.
**
** The converters of charset/unicode.c stop before a sequence that a piece leaves unfinished.
** Utf8Conversion holds its bytes, which are fewer than UTF8_CONVERSION_HELD. The next call puts the
** first bytes of its piece after them, converts both together, and continues in the piece.
*/
#include "charset/stream.h"
#include "charset/legacy/legacy.h"
#include "charset/unicode.h"
#include "core/find.h"
#include "core/bytes.h"
#include <string.h>

/* ---- legacy charsets ------------------------------------------------------------------- */

/* Decodes what starts at c->at. Returns 0 and leaves c as it is if that is an error: more bytes may
** make a code point of it. */
static int decodeStep(Utf8Conversion *c, const uint8_t *in, size_t size, uint8_t *out,
                      size_t room, size_t *written) {
  size_t at = c->at;
  unsigned state = c->state;
  *written =
      utf8charset_decode_until(c->charset, &state, in, size, at + 1, &at, out, room);
  if (*written == sizeof bytes_fffd && memcmp(out, bytes_fffd, *written) == 0) return 0;
  c->at = at;
  c->state = state;
  return 1;
}

/* Decodes all up to the last bytes at once, and these one code point at a time. */
static size_t decodeLegacyPiece(Utf8Conversion *c, const uint8_t *in, size_t size,
                                uint8_t *out, size_t room, size_t *end) {
  const size_t last = UTF8_LEGACY_LOOKAHEAD - 1;
  const size_t until = size - c->at > last ? size - last : c->at;
  size_t written, n = utf8charset_decode_until(c->charset, &c->state, in, size, until,
                                               &c->at, out, room);
  *end = size;
  while (c->at >= until && c->at < size && room - n >= UTF8_LEGACY_ROOM) {
    if (!decodeStep(c, in, size, out + n, room - n, &written)) {
      *end = c->at;
      break;
    }
    n += written;
  }
  return n;
}

static size_t decodeLegacyText(Utf8Conversion *c, const uint8_t *in, size_t size,
                               uint8_t *out, size_t room, size_t *end) {
  if (c->continues && !utf8charset_is_single_byte(c->charset))
    return decodeLegacyPiece(c, in, size, out, room, end);
  *end = size;
  return utf8charset_decode_legacy(c->charset, &c->state, in, size, &c->at, out, room);
}

/* ---- errors ------------------------------------------------------------------------------ */

/* Returns how many code units in[at..end) are U+FFFD. They are 1 << log bytes long. */
static uint64_t countUnits(const uint8_t *in, size_t at, size_t end, unsigned log,
                           int big) {
  uint64_t count = 0;
  for (; end - at >= (size_t)1 << log; at += (size_t)1 << log) {
    uint32_t unit = log == 1 ? bytes_unit16(in + at, big) : bytes_unit32(in + at, big);
    count += unit == BYTES_FFFD;
  }
  return count;
}

/* Returns how many codes in[at..end) of gb18030 are U+FFFD. Its bytes may also be parts of others. */
static uint64_t countCodes(const uint8_t *in, size_t size, size_t at, size_t end) {
  static const uint8_t own[4] = {0x84, 0x31, 0xA4, 0x37};
  uint64_t count = 0;
  if (!bytes_count_of(in + at, end - at, own, sizeof own)) return 0;
  while (at < end) {
    const size_t before = at;
    uint32_t code;
    utf8charset_read_codes(UTF8_CHARSET_GB18030, in, size, &at, end, &code, 1);
    count += at - before == sizeof own && memcmp(in + before, own, sizeof own) == 0;
  }
  return count;
}

/* Returns how often in[at..end), which has been decoded from this state, has U+FFFD itself. */
static uint64_t countOwn(const Utf8Conversion *c, unsigned state, const uint8_t *in,
                         size_t size, size_t at, size_t end) {
  const int isLittle = (c->state & UTF8_CONVERSION_LITTLE) != 0;
  switch ((int)c->charset) {
  case UTF8_CHARSET_UTF16LE:
    return countUnits(in, at, end, 1, 0);
  case UTF8_CHARSET_UTF16:
  case UTF8_CHARSET_UTF16BE:
    return countUnits(in, at, end, 1, !isLittle);
  case UTF8_CHARSET_UTF32LE:
    return countUnits(in, at, end, 2, 0);
  case UTF8_CHARSET_UTF32:
  case UTF8_CHARSET_UTF32BE:
    return countUnits(in, at, end, 2, !isLittle);
  case UTF8_CHARSET_GBK:
  case UTF8_CHARSET_GB18030:
    return countCodes(in, size, at, end);
  case UTF8_CHARSET_UTF7:
    return utf8charset_own_in_utf7(state, in, size, at, end);
  default: /* UTF-8 and its dialects; in other charsets U+FFFD has no code */
    return utf8core_charset(c->charset)->kind <= UTF8_KIND_DIALECT
               ? bytes_count_fffd(in + at, end - at)
               : 0;
  }
}

/* Like utf8charset_decode_piece(), and counts the errors if the caller wants it. */
static size_t decodePiece(Utf8Conversion *c, const uint8_t *in, size_t size,
                          uint8_t *out, size_t room, size_t *end) {
  const size_t at = c->at;
  const unsigned state = c->state;
  const size_t n = c->charset < UTF8_CHARSETS_UNICODE
                       ? utf8charset_decode_piece(c, in, size, out, room, end)
                       : decodeLegacyText(c, in, size, out, room, end);
  if (!c->counts_errors) return n;
  const uint64_t written = bytes_count_fffd(out, n);
  if (written > 0) c->errors += written - countOwn(c, state, in, size, at, c->at);
  return n;
}

/* Encodes in[c->at..size) without the bytes that c holds, like utf8charset_decode_piece(). */
static size_t encodePiece(Utf8Conversion *c, const uint8_t *in, size_t size,
                          uint8_t *out, size_t room, size_t *end) {
  *end = c->continues ? utf8find_whole_steps(in, size, c->at, c->dialect) : size;
  return utf8charset_encode_whole(c, in, *end, out, room);
}

/* ---- pieces -------------------------------------------------------------------------------- */

typedef size_t PieceConverter(Utf8Conversion *c, const uint8_t *in, size_t size,
                              uint8_t *out, size_t room, size_t *end);

/* Converts the bytes held together with the first of in[c->at..size). Moves c->at past those that
** are converted too, or that belong to a sequence that is still unfinished: c holds it then. */
static NOINLINE size_t convertHeld(PieceConverter *convert, Utf8Conversion *c,
                                   const uint8_t *in, size_t size, uint8_t *out,
                                   size_t room) {
  uint8_t joined[2 * UTF8_CONVERSION_HELD];
  const size_t at = c->at, held = c->held, left = size - at;
  const size_t more = bytes_min(left, UTF8_CONVERSION_HELD);
  Utf8Conversion j = *c;
  size_t end;
  memcpy(joined, c->bytes, held);
  if (more > 0) memcpy(joined + held, in + at, more);
  j.at = 0;
  j.continues = c->continues || more < left;
  const size_t n = convert(&j, joined, held + more, out, room, &end);
  const size_t stop = j.at >= held ? j.at : j.at < end ? held : held + more;
  memcpy(j.bytes, joined + j.at, stop - j.at);
  j.held = (unsigned)(stop - j.at);
  j.at = at + (stop - held);
  j.continues = c->continues;
  *c = j;
  return n;
}

/* Converts what c holds, then the piece, and holds what is unfinished at its end. */
ALWAYS_INLINE size_t convertPiece(PieceConverter *convert, Utf8Conversion *c,
                                  const uint8_t *in, size_t size, uint8_t *out,
                                  size_t room) {
  size_t n = 0, end;
  if (UNLIKELY(c->held > 0)) {
    n = convertHeld(convert, c, in, size, out, room);
    if (c->held > 0 || c->at == size || room - n < UTF8_CHARSET_ROOM) return n;
  }
  n += convert(c, in, size, out + n, room - n, &end);
  if (c->continues && c->at == end && end < size) {
    c->held = (unsigned)(size - end);
    memcpy(c->bytes, in + end, c->held);
    c->at = size;
  }
  return n;
}

/* ---- all of a text, or pieces of it --------------------------------------------------------- */

/* Does text come in pieces, or does the caller count errors? */
ALWAYS_INLINE int isStream(const Utf8Conversion *c) {
  return c->held || c->continues || c->counts_errors;
}

size_t utf8core_decode(Utf8Conversion *c, const uint8_t *in, size_t size, uint8_t *out,
                       size_t room) {
  if (UNLIKELY(isStream(c))) return convertPiece(decodePiece, c, in, size, out, room);
  if (c->charset >= UTF8_CHARSETS_UNICODE)
    return utf8charset_decode_legacy(c->charset, &c->state, in, size, &c->at, out,
                                     room);
  return utf8charset_decode_whole(c, in, size, out, room);
}

size_t utf8core_encode(Utf8Conversion *c, const uint8_t *in, size_t size, uint8_t *out,
                       size_t room) {
  if (UNLIKELY(isStream(c))) return convertPiece(encodePiece, c, in, size, out, room);
  return utf8charset_encode_whole(c, in, size, out, room);
}

/* ---- what a charset has ---------------------------------------------------------------------- */

int utf8charset_encodes(Utf8Charset charset, const uint8_t *text, size_t size) {
  Utf8Conversion c = {.charset = charset, .dialect = UTF8_STRICT};
  uint8_t out[UTF8_CHARSET_ROOM];
  while (c.at < size) {
    if (utf8core_encode(&c, text, size, out, sizeof out) == 0) return c.at == size;
  }
  return 1;
}
