/* overread.c: an extension with a bug: over_read(X) reads the byte after the BLOB X.
** test/sanitized.sh checks that AddressSanitizer detects it. */
#include <stddef.h>

#include "sqlite3ext.h"
SQLITE_EXTENSION_INIT1

static void overRead(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  const volatile unsigned char *bytes = sqlite3_value_blob(argv[0]);
  sqlite3_result_int(ctx, bytes[sqlite3_value_bytes(argv[0])]);
}

int sqlite3_extension_init(sqlite3 *db, char **message,
                           const sqlite3_api_routines *api);
int sqlite3_extension_init(sqlite3 *db, char **message,
                           const sqlite3_api_routines *api) {
  (void)message;
  SQLITE_EXTENSION_INIT2(api);
  return sqlite3_create_function(db, "over_read", 1, SQLITE_UTF8, NULL, overRead, NULL,
                                 NULL);
}
