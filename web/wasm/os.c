/* web/wasm/os.c: SQLite's operating system in WebAssembly, and utf8ext linked in.
**
** There are no files. A database is bytes in memory (sqlite3_deserialize), temporary tables are in
** memory too (SQLITE_TEMP_STORE=3), and opening any file fails. What the host must supply are
** the three functions that web/wasm/utf8ext.js imports under "host".
**
** Compiled with -DSQLITE_OS_OTHER=1: SQLite then calls sqlite3_os_init() below, and has no
** system code of its own.
*/
#include "utf8ext.h"
#include <stddef.h>
#include <stdint.h>

#define HOST(name) __attribute__((import_module("host"), import_name(#name)))
#define EXPORT     __attribute__((visibility("default"), used))

/* Fills the buffer with unpredictable bytes. */
HOST(random) void host_random(void *buffer, int size);
/* Returns the milliseconds since 1970. */
HOST(now) double host_now(void);
/* Called while a statement runs; a result other than 0 interrupts it. */
HOST(progress) int host_progress(int connection);

enum { PATH_MAX_BYTES = 512 };

/* ---- the file system without files --------------------------------------------------- */

static int noOpen(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *file,
                  int flags, int *outFlags) {
  (void)vfs, (void)name, (void)flags, (void)outFlags;
  file->pMethods = NULL;
  return SQLITE_CANTOPEN;
}

static int noDelete(sqlite3_vfs *vfs, const char *name, int sync) {
  (void)vfs, (void)name, (void)sync;
  return SQLITE_IOERR_DELETE_NOENT;
}

static int noAccess(sqlite3_vfs *vfs, const char *name, int flags, int *result) {
  (void)vfs, (void)name, (void)flags;
  *result = 0;
  return SQLITE_OK;
}

static int samePath(sqlite3_vfs *vfs, const char *name, int size, char *path) {
  (void)vfs;
  return sqlite3_snprintf(size, path, "%s", name) ? SQLITE_OK : SQLITE_CANTOPEN;
}

static int randomBytes(sqlite3_vfs *vfs, int size, char *bytes) {
  (void)vfs;
  host_random(bytes, size);
  return size;
}

static int noSleep(sqlite3_vfs *vfs, int microseconds) {
  (void)vfs, (void)microseconds;
  return 0;
}

/* SQLite counts milliseconds from noon on November 24, 4714 BC. */
static int currentTime(sqlite3_vfs *vfs, sqlite3_int64 *milliseconds) {
  (void)vfs;
  *milliseconds = (sqlite3_int64)host_now() + 210866760000000;
  return SQLITE_OK;
}

static sqlite3_vfs noFiles = {
    .iVersion = 2,
    .szOsFile = sizeof(sqlite3_file),
    .mxPathname = PATH_MAX_BYTES,
    .zName = "none",
    .xOpen = noOpen,
    .xDelete = noDelete,
    .xAccess = noAccess,
    .xFullPathname = samePath,
    .xRandomness = randomBytes,
    .xSleep = noSleep,
    .xCurrentTimeInt64 = currentTime,
};

int sqlite3_os_init(void) {
  return sqlite3_vfs_register(&noFiles, 1);
}

int sqlite3_os_end(void) {
  return SQLITE_OK;
}

/* ---- connections --------------------------------------------------------------------- */

static int progress(void *connection) {
  return host_progress((int)(intptr_t)connection);
}

/* Opens a connection to `size` bytes of a database, allocated with sqlite3_malloc64(), which
** SQLite frees even if opening fails; NULL opens an empty database. Stores the connection, also
** on failure, for its message; close it with sqlite3_close_v2(). The file may be hostile: no SQL
** of its schema calls functions that are not innocuous. */
EXPORT int utf8wasm_open(sqlite3 **db, unsigned char *bytes, sqlite3_int64 size) {
  int rc = sqlite3_open_v2(":memory:", db, SQLITE_OPEN_READWRITE, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_utf8ext_init(*db, NULL, NULL);
  if (rc == SQLITE_OK)
    rc = sqlite3_db_config(*db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  if (rc != SQLITE_OK || bytes == NULL) {
    sqlite3_free(bytes);
    return rc;
  }
  return sqlite3_deserialize(*db, "main", bytes, size, size,
                             SQLITE_DESERIALIZE_FREEONCLOSE |
                                 SQLITE_DESERIALIZE_RESIZEABLE);
}

/* Calls host_progress(connection) every `steps` instructions of SQLite's virtual machine; 0 stops
** that. */
EXPORT void utf8wasm_watch(sqlite3 *db, int steps) {
  sqlite3_progress_handler(db, steps, progress, (void *)db);
}
