// form.cpp: ICU4C and utf8proc, as form.h declares them. ICU's functions for UTF-8 are C++ only.
#include "bench/peers/form.h"
#include <cstdlib>
#include <unicode/bytestream.h>
#include <unicode/casemap.h>
#include <unicode/normalizer2.h>
#include <utf8proc.h>

static icu::StringPiece piece(const uint8_t *text, size_t size) {
  return icu::StringPiece(reinterpret_cast<const char *>(text),
                          static_cast<int32_t>(size));
}

static const icu::Normalizer2 *normalizer(FormId form) {
  UErrorCode error = U_ZERO_ERROR;
  if (form == FORM_NFD) return icu::Normalizer2::getNFDInstance(error);
  if (form == FORM_NFKC) return icu::Normalizer2::getNFKCInstance(error);
  return icu::Normalizer2::getNFCInstance(error);
}

static icu::CheckedArrayByteSink sink(const FormArgument *to) {
  return icu::CheckedArrayByteSink(reinterpret_cast<char *>(to->out),
                                   static_cast<int32_t>(to->room));
}

uint64_t peer_icu_is_nfc(const void *, const uint8_t *text, size_t size) {
  UErrorCode error = U_ZERO_ERROR;
  return normalizer(FORM_NFC)->isNormalizedUTF8(piece(text, size), error) ? 1 : 0;
}

uint64_t peer_icu_normalize(const void *arg, const uint8_t *text, size_t size) {
  const auto *to = static_cast<const FormArgument *>(arg);
  UErrorCode error = U_ZERO_ERROR;
  icu::CheckedArrayByteSink out = sink(to);
  normalizer(to->form)->normalizeUTF8(0, piece(text, size), out, nullptr, error);
  return U_SUCCESS(error) ? static_cast<uint64_t>(out.NumberOfBytesAppended()) : 0;
}

uint64_t peer_icu_fold(const void *arg, const uint8_t *text, size_t size) {
  UErrorCode error = U_ZERO_ERROR;
  icu::CheckedArrayByteSink out = sink(static_cast<const FormArgument *>(arg));
  icu::CaseMap::utf8Fold(0, piece(text, size), out, nullptr, error);
  return U_SUCCESS(error) ? static_cast<uint64_t>(out.NumberOfBytesAppended()) : 0;
}

// utf8proc allocates its result.
static uint64_t mapped(const uint8_t *text, size_t size, int options) {
  utf8proc_uint8_t *out = nullptr;
  const utf8proc_ssize_t length =
      utf8proc_map(text, static_cast<utf8proc_ssize_t>(size), &out,
                   static_cast<utf8proc_option_t>(options));
  free(out);
  return length > 0 ? static_cast<uint64_t>(length) : 0;
}

uint64_t peer_utf8proc_normalize(const void *arg, const uint8_t *text, size_t size) {
  static const int options[] = {UTF8PROC_COMPOSE, UTF8PROC_DECOMPOSE,
                                UTF8PROC_COMPOSE | UTF8PROC_COMPAT};
  return mapped(text, size,
                UTF8PROC_STABLE |
                    options[static_cast<const FormArgument *>(arg)->form]);
}

uint64_t peer_utf8proc_fold(const void *, const uint8_t *text, size_t size) {
  return mapped(text, size, UTF8PROC_CASEFOLD);
}
