/* oldsqlite.c: loads utf8ext into an SQLite that is too old for it.
**
**     build/oldsqlite ./utf8ext.so
**
** No old SQLite is needed: the entry point is given a table of SQLite's functions that
** says 3.30.1, and in which nothing can be called but what tells the version and makes
** the message. Whatever else were called would be a call of NULL: the test would crash.
*/
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "sqlite3ext.h"
#undef sqlite3_libversion_number
#undef sqlite3_libversion
#undef sqlite3_mprintf
#undef sqlite3_vmprintf
#undef sqlite3_free

typedef int Init(sqlite3 *, char **, const sqlite3_api_routines *);

static int passed, failed;

static void check(int ok, const char *what) {
  if (ok) {
    passed++;
  } else {
    failed++;
    printf("FAILED: %s\n", what);
  }
}

static const char *version;
static int version_number;
static const char *versionText(void) {
  return version;
}
static int versionNumber(void) {
  return version_number;
}

/* The table of an SQLite of which nothing but its version may be asked. */
static sqlite3_api_routines oldApi(const char *text, int number) {
  sqlite3_api_routines api;
  memset(&api, 0, sizeof api);
  version = text;
  version_number = number;
  api.libversion = versionText;
  api.libversion_number = versionNumber;
  api.mprintf = sqlite3_mprintf;
  api.vmprintf = sqlite3_vmprintf;
  api.free = sqlite3_free;
  return api;
}

static void checkRefused(Init *init, const char *text, int number) {
  sqlite3_api_routines api = oldApi(text, number);
  char *message = NULL;
  int rc = init(NULL, &message, &api);
  check(rc == SQLITE_ERROR, "loading fails with SQLITE_ERROR");
  check(message != NULL, "there is a message");
  check(message && strstr(message, "utf8ext"), "the message names utf8ext");
  check(message && strstr(message, "3.31.0"), "the message names what is needed");
  check(message && strstr(message, text), "the message names what is there");
  printf("%s: %s\n", text, message ? message : "(no message)");
  sqlite3_free(message);
  check(init(NULL, NULL, &api) == SQLITE_ERROR, "the message need not be asked for");
}

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) {
    fprintf(stderr, "oldsqlite: %s\n", argc == 2 ? dlerror() : "which extension?");
    return 1;
  }
  static const char *const names[] = {"sqlite3_extension_init", "sqlite3_utfext_init"};
  for (int i = 0; i < 2; i++) {
    Init *init;
    *(void **)&init = dlsym(library, names[i]);
    check(init != NULL, names[i]);
    if (!init) continue;
    checkRefused(init, "3.8.0", 3008000);
    checkRefused(init, "3.30.1", 3030001);
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
