/* charset/legacy.c: finds the codec of a legacy charset. */
#include "charset/codec.h"

size_t utf8charset_decode_until(Utf8Charset charset, unsigned *state, const uint8_t *in,
                                size_t size, size_t until, size_t *at, uint8_t *out,
                                size_t room) {
  if (utf8charset_is_single_byte(charset))
    return utf8charset_decode_bytes(charset, in, until, at, out, room);
  if (charset == UTF8_CHARSET_ISO2022_JP)
    return utf8charset_decode_jp(state, in, size, until, at, out, room);
  return utf8charset_decode_pairs(charset, in, size, until, at, out, room);
}

size_t utf8charset_decode_legacy(Utf8Charset charset, unsigned *state,
                                 const uint8_t *in, size_t size, size_t *at,
                                 uint8_t *out, size_t room) {
  return utf8charset_decode_until(charset, state, in, size, size, at, out, room);
}

size_t utf8charset_encode_legacy(Utf8Charset charset, unsigned *state,
                                 const uint8_t *in, size_t size, size_t *at,
                                 uint8_t *out, size_t room) {
  if (utf8charset_is_single_byte(charset))
    return utf8charset_encode_bytes(charset, in, size, at, out, room);
  if (charset == UTF8_CHARSET_ISO2022_JP)
    return utf8charset_encode_jp(state, in, size, at, out, room);
  return utf8charset_encode_pairs(charset, in, size, at, out, room);
}

size_t utf8charset_finish_legacy(Utf8Charset charset, unsigned *state, uint8_t *out) {
  return charset == UTF8_CHARSET_ISO2022_JP ? utf8charset_finish_jp(state, out) : 0;
}
