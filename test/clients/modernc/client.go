// modernc.org/sqlite: reads a string that is not UTF-8, without an error. It is SQLite translated to
// Go, so it cannot load an extension that is compiled C.
package main

import (
	"database/sql"
	"fmt"
	"log"
	"unicode/utf8"

	_ "modernc.org/sqlite"
)

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func read(db *sql.DB, query string) (value string) {
	check(db.QueryRow(query).Scan(&value))
	return value
}

func main() {
	db, err := sql.Open("sqlite", "people.db")
	check(err)
	fmt.Println("SQLite", read(db, "SELECT sqlite_version()"))
	name := read(db, "SELECT name FROM people")
	fmt.Printf("plain: no error: utf8.ValidString(): %v\n", utf8.ValidString(name))
	_, err = db.Exec("SELECT load_extension('./utf8ext')")
	fmt.Println("not loaded:", err)
}
