/* charset/legacy/legacy.c: finds the codec of a legacy charset. */
#include "charset/legacy/codec.h"

/* Returns the codec of a multi-byte charset. */
static const LegacyCodec *codecOf(Utf8Charset charset) {
  switch ((int)charset) {
  case UTF8_CHARSET_GBK:
    return &utf8charset_gbk;
  case UTF8_CHARSET_GB18030:
    return &utf8charset_gb18030;
  case UTF8_CHARSET_BIG5:
    return &utf8charset_big5;
  case UTF8_CHARSET_BIG5_HKSCS:
    return &utf8charset_big5_hkscs;
  case UTF8_CHARSET_EUC_JP:
    return &utf8charset_euc_jp;
  case UTF8_CHARSET_ISO2022_JP:
    return &utf8charset_iso2022_jp;
  case UTF8_CHARSET_ISO2022_KR:
    return &utf8charset_iso2022_kr;
  case UTF8_CHARSET_ISO2022_CN:
    return &utf8charset_iso2022_cn;
  case UTF8_CHARSET_HZ:
    return &utf8charset_hz;
  case UTF8_CHARSET_UTF7:
    return &utf8charset_utf7;
  case UTF8_CHARSET_MARC8:
    return &utf8charset_marc8;
  case UTF8_CHARSET_SHIFT_JIS:
    return &utf8charset_shift_jis;
  case UTF8_CHARSET_EUC_JIS_2004:
    return &utf8charset_euc_jis_2004;
  case UTF8_CHARSET_SHIFT_JIS_2004:
    return &utf8charset_shift_jis_2004;
  case UTF8_CHARSET_ISO2022_JP_2004:
    return &utf8charset_iso2022_jp_2004;
  case UTF8_CHARSET_EUC_TW:
    return &utf8charset_euc_tw;
  case UTF8_CHARSET_JOHAB:
    return &utf8charset_johab;
  default:
    return &utf8charset_euc_kr;
  }
}

size_t utf8charset_decode_until(Utf8Charset charset, unsigned *state, const uint8_t *in,
                                size_t size, size_t until, size_t *at, uint8_t *out,
                                size_t room) {
  if (utf8charset_is_single_byte(charset))
    return utf8charset_decode_bytes(charset, in, until, at, out, room);
  return codecOf(charset)->decode(state, in, size, until, at, out, room);
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
  return codecOf(charset)->encode(state, in, size, at, out, room);
}

size_t utf8charset_finish_legacy(Utf8Charset charset, unsigned *state, uint8_t *out) {
  if (utf8charset_is_single_byte(charset)) return 0;
  const LegacyCodec *codec = codecOf(charset);
  return codec->finish ? codec->finish(state, out) : 0;
}
