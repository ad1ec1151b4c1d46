/* clean/omitted.c: what other files call, in a build without clean/. No step exists. */
#include "core/utf8form.h"

const char *const utf8form_clean_names = "";

unsigned utf8form_clean_steps(const char *list, size_t size) {
  (void)list, (void)size;
  return 0;
}

size_t utf8form_unescape_surrogates(const uint8_t *text, size_t size, size_t *at,
                                    uint8_t *out, size_t room) {
  (void)text, (void)out, (void)room;
  *at = size;
  return 0;
}
