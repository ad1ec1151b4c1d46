/* sql/version.c: what is loaded, and what it runs on. */
#include "sql/functions.h"
#include "core/utf8core.h"

#if defined(__clang__)
#define COMPILER __VERSION__ /* "Clang 14.0.6" */
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "an unknown compiler"
#endif

void utf8sql_version(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  sqlite3_result_text(ctx, UTF8CORE_VERSION, -1, SQLITE_STATIC);
}

void utf8sql_debug(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  sqlite3_str *out = sqlite3_str_new(NULL);
  sqlite3_str_appendf(out, "utf8ext %s, kernel %s, %s, SQLite %s (built against %s)",
                      UTF8CORE_VERSION, utf8core_kernel_name(), COMPILER,
                      sqlite3_libversion(), SQLITE_VERSION);
  if (utf8core_kernel_is_unknown()) {
    sqlite3_str_appendall(out, ", UTF8EXT_KERNEL names no kernel that runs here");
  }
  char *text = sqlite3_str_finish(out);
  if (text) {
    sqlite3_result_text(ctx, text, -1, sqlite3_free);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
}
