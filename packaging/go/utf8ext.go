// Package utf8ext links the SQLite extension utf8ext into a Go program. The extension finds,
// explains, repairs and prevents ill-formed UTF-8 in the database.
//
// It works with drivers that compile or link SQLite by cgo, such as github.com/mattn/go-sqlite3:
//
//	utf8ext.Auto()
//	db, err := sql.Open("sqlite3", "people.db")
//	...
//	rows, err := db.Query("SELECT rowid, utf8_error(name) FROM people WHERE NOT utf8_valid(name)")
//
// Drivers without cgo, such as modernc.org/sqlite, cannot use it.
package utf8ext

// The header utf8ext.h is that of the extension. sqlite3.h and sqlite3ext.h are those of the oldest
// SQLite that it supports, so the driver may bring any later one.

// #cgo CFLAGS: -std=c11 -DSQLITE_CORE -fvisibility=hidden
// #include "utf8ext.h"
//
// static int autoExtension(void) {
//   return sqlite3_auto_extension((void (*)(void))sqlite3_utf8ext_init);
// }
//
// static int cancelAutoExtension(void) {
//   return sqlite3_cancel_auto_extension((void (*)(void))sqlite3_utf8ext_init);
// }
import "C"

import "fmt"

// Version is the extension's version, as utf8_version() returns it in SQL.
const Version = C.UTF8EXT_VERSION

// Auto registers the extension with every SQLite connection that this process opens from now on.
// Connections that are already open do not change, and database/sql keeps a pool of them: call Auto
// first, for example in an init function. A second call has no effect. Auto returns an error only if
// memory runs out.
func Auto() error {
	if code := C.autoExtension(); code != C.SQLITE_OK {
		return fmt.Errorf("utf8ext: sqlite3_auto_extension: SQLite error %d", int(code))
	}
	return nil
}

// Cancel undoes Auto for connections that are opened later. It reports whether Auto had been called.
func Cancel() bool {
	return C.cancelAutoExtension() != 0
}
