// mattn/go-sqlite3: reads a string that is not UTF-8, without an error; json.Marshal makes U+FFFD.
package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"log"
	"unicode/utf8"

	"github.com/mattn/go-sqlite3"
)

const repair = `UPDATE people SET name = utf8_repair(name, 'windows-1252')
	WHERE NOT utf8_valid(name)`

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
	plain, err := sql.Open("sqlite3", "people.db")
	check(err)
	fmt.Println("SQLite", read(plain, "SELECT sqlite_version()"))
	name := read(plain, "SELECT name FROM people")
	text, err := json.Marshal(name)
	check(err)
	valid := utf8.ValidString(name)
	fmt.Printf("plain: no error: utf8.ValidString(): %v, json.Marshal(): %s\n", valid, text)

	// Load utf8ext into each connection of the driver "sqlite3_utf8ext".
	sql.Register("sqlite3_utf8ext", &sqlite3.SQLiteDriver{Extensions: []string{"./utf8ext"}})
	db, err := sql.Open("sqlite3_utf8ext", "people.db")
	check(err)

	rows, err := db.Query("SELECT table_name, column_name, key, error FROM utf8_audit")
	check(err)
	for rows.Next() {
		var table, column, key, message string
		check(rows.Scan(&table, &column, &key, &message))
		fmt.Printf("found: %s.%s, row %s: %s\n", table, column, key, message)
	}
	check(rows.Err())
	_, err = db.Exec(repair)
	check(err)
	fmt.Println("repaired:", read(db, "SELECT name FROM people"))
}
