/* arrow/functions.c: which function does what. */
#include "arrow/call.h"

/* clang-format off */
static const ArrowFunction arrowFunctions[] = {
    {.name = "valid", .kind = ARROW_TRUTH, .max = 1, .parse = utf8arrow_parse_dialect,
     .scan = {utf8arrow_skip_dialect, utf8arrow_pass_dialect}, .find = utf8arrow_find_ill_formed},
    {.name = "error", .kind = ARROW_NAME, .max = 1, .parse = utf8arrow_parse_dialect,
     .scan = {utf8arrow_skip_dialect, utf8arrow_pass_dialect}, .named = utf8arrow_name_error},
    {.name = "error_offset", .kind = ARROW_COUNT, .max = 1, .parse = utf8arrow_parse_dialect,
     .scan = {utf8arrow_skip_dialect, utf8arrow_pass_dialect}, .number = utf8arrow_error_offset},
    {.name = "validate", .kind = ARROW_CHANGE, .max = 1, .parse = utf8arrow_parse_label,
     .scan = {utf8arrow_skip_valid, utf8arrow_pass_valid}, .find = utf8arrow_find_invalid},
    {.name = "codepoints", .kind = ARROW_COUNT, .parse = utf8arrow_parse_none,
     .number = utf8arrow_codepoints},
    {.name = "repair", .kind = ARROW_CHANGE, .max = 2, .parse = utf8arrow_parse_repair,
     .scan = {utf8arrow_skip_valid, utf8arrow_pass_valid}, .find = utf8arrow_find_repair, .write = utf8arrow_write_repair},
    {.name = "strip_bom", .kind = ARROW_CHANGE, .parse = utf8arrow_parse_none,
     .find = utf8arrow_find_bom, .write = utf8arrow_write_after},
    {.name = "truncate", .kind = ARROW_CHANGE, .min = 1, .max = 1, .parse = utf8arrow_parse_length,
     .find = utf8arrow_find_end, .write = utf8arrow_write_before},
    {.name = "detect", .kind = ARROW_NAME, .parse = utf8arrow_parse_none,
     .named = utf8arrow_name_charset},
    {.name = "detect_column", .kind = ARROW_COLUMN, .parse = utf8arrow_parse_none},
    {.name = "cause", .kind = ARROW_NAME, .parse = utf8arrow_parse_none,
     .scan = {utf8arrow_skip_valid, utf8arrow_pass_valid}, .named = utf8arrow_name_cause},
    {.name = "readings", .kind = ARROW_READINGS, .parse = utf8arrow_parse_none,
     .scan = {utf8arrow_skip_valid, utf8arrow_pass_valid}},
    {.name = "from", .kind = ARROW_CHANGE, .min = 1, .max = 1, .parse = utf8arrow_parse_charset,
     .scan = {.skip = utf8arrow_skip_decoded}, .find = utf8arrow_find_decoded, .write = utf8arrow_write_decoded},
    {.name = "to", .kind = ARROW_CHANGE, .min = 1, .max = 3, .parse = utf8arrow_parse_to,
     .find = utf8arrow_find_encoded, .write = utf8arrow_write_encoded},
    {.name = "mojibake", .kind = ARROW_NAME, .parse = utf8arrow_parse_none,
     .scan = {.skip = utf8arrow_skip_misread}, .named = utf8arrow_name_misread},
    {.name = "demojibake", .kind = ARROW_CHANGE, .max = 1, .parse = utf8arrow_parse_misread,
     .scan = {.skip = utf8arrow_skip_misread}, .find = utf8arrow_find_misread, .write = utf8arrow_write_misread},
    {.name = "suspect", .kind = ARROW_NAME, .parse = utf8arrow_parse_none,
     .named = utf8arrow_name_suspect},
    {.name = "suspect_offset", .kind = ARROW_COUNT, .parse = utf8arrow_parse_none,
     .number = utf8arrow_suspect_offset},
    {.name = "strip", .kind = ARROW_CHANGE, .min = 1, .max = 1, .parse = utf8arrow_parse_kind,
     .find = utf8arrow_find_stripped, .write = utf8arrow_write_stripped},
    {.name = "normalize", .kind = ARROW_CHANGE, .max = 1, .parse = utf8arrow_parse_form,
     .scan = {.skip = utf8arrow_find_unnormalized}, .find = utf8arrow_find_unnormalized,
     .write = utf8arrow_write_normalized},
    {.name = "normalized", .kind = ARROW_TRUTH, .max = 1, .parse = utf8arrow_parse_form,
     .scan = {.skip = utf8arrow_find_unnormalized}, .find = utf8arrow_find_unnormalized},
    {.name = "casefold", .kind = ARROW_CHANGE, .parse = utf8arrow_parse_none,
     .scan = {.skip = utf8arrow_find_unfolded}, .find = utf8arrow_find_unfolded, .write = utf8arrow_write_folded},
    {.name = "unaccent", .kind = ARROW_CHANGE, .parse = utf8arrow_parse_none,
     .scan = {.skip = utf8arrow_find_accent}, .find = utf8arrow_find_accent, .write = utf8arrow_write_unaccented},
    {.name = "unescape", .kind = ARROW_CHANGE, .min = 1, .max = 1, .parse = utf8arrow_parse_escape,
     .scan = {.skip = utf8arrow_find_escape}, .find = utf8arrow_find_escape, .write = utf8arrow_write_unescaped},
    {.name = "clean", .kind = ARROW_CHANGE, .max = 1, .parse = utf8arrow_parse_steps,
     .scan = {.skip = utf8arrow_skip_clean}, .find = utf8arrow_find_cleaned, .write = utf8arrow_write_cleaned},
    {.name = "audit", .kind = ARROW_AUDIT, .parse = utf8arrow_parse_none, .scan = {.skip = utf8arrow_skip_ascii}},
};
/* clang-format on */
enum { ARROW_FUNCTIONS = sizeof arrowFunctions / sizeof *arrowFunctions };

const ArrowFunction *utf8arrow_function(const char *name) {
  for (size_t i = 0; i < ARROW_FUNCTIONS; i++)
    if (strcmp(arrowFunctions[i].name, name) == 0) return &arrowFunctions[i];
  return NULL;
}
