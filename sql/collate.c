/* sql/collate.c: the collations utf8_nocase and utf8_noaccent.
**
**     SELECT name FROM people ORDER BY name COLLATE utf8_noaccent;
**
** In a UTF-16 database, SQLite converts the texts to UTF-8 for each comparison.
*/
#include "sql/functions.h"
#include "core/utf8form.h"

int utf8sql_nocase(void *unused, int a_size, const void *a, int b_size, const void *b) {
  (void)unused;
  return utf8form_compare(UTF8_NOCASE, a, (size_t)a_size, b, (size_t)b_size);
}

int utf8sql_noaccent(void *unused, int a_size, const void *a, int b_size,
                     const void *b) {
  (void)unused;
  return utf8form_compare(UTF8_NOACCENT, a, (size_t)a_size, b, (size_t)b_size);
}
