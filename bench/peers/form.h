/* form.h: other libraries that normalize and fold, as functions of the type BenchRun. Each returns the
** size of its result, or, if its name ends in is_nfc, whether the text is in NFC.
*/
#ifndef BENCH_PEERS_FORM_H
#define BENCH_PEERS_FORM_H

#include <stddef.h>
#include <stdint.h>

typedef enum FormId { FORM_NFC, FORM_NFD, FORM_NFKC } FormId;

/* What `arg` points to. */
typedef struct FormArgument {
  FormId form;
  uint8_t *out; /* where the result may be written */
  size_t room;
} FormArgument;

#ifdef __cplusplus
extern "C" {
#endif

uint64_t peer_icu_is_nfc(const void *arg, const uint8_t *text, size_t size);
uint64_t peer_icu_normalize(const void *arg, const uint8_t *text, size_t size);
uint64_t peer_icu_fold(const void *arg, const uint8_t *text, size_t size);

uint64_t peer_utf8proc_normalize(const void *arg, const uint8_t *text, size_t size);
uint64_t peer_utf8proc_fold(const void *arg, const uint8_t *text, size_t size);

uint64_t peer_icu4x_is_nfc(const void *arg, const uint8_t *text, size_t size);
uint64_t peer_icu4x_normalize(const void *arg, const uint8_t *text, size_t size);

uint64_t peer_simd_normalizer_is_nfc(const void *arg, const uint8_t *text, size_t size);
uint64_t peer_simd_normalizer(const void *arg, const uint8_t *text, size_t size);

uint64_t peer_stringzilla_is_nfc(const void *arg, const uint8_t *text, size_t size);
uint64_t peer_stringzilla_normalize(const void *arg, const uint8_t *text, size_t size);
uint64_t peer_stringzilla_fold(const void *arg, const uint8_t *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
