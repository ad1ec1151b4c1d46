/* form/names.h: the normal forms, by name.
**
**     X(id, "name", "aliases")
*/
#ifndef UTF8_FORM_NAMES_H
#define UTF8_FORM_NAMES_H

/* clang-format off */

#define UTF8_NORMAL_FORM_LIST(X) \
  X(UTF8_NFC, "nfc", "") \
  X(UTF8_NFD, "nfd", "") \
  X(UTF8_NFKC, "nfkc", "") \
  X(UTF8_NFKD, "nfkd", "") \
  X(UTF8_NFKC_CASEFOLD, "nfkc_casefold", "")

/* clang-format on */

#endif
