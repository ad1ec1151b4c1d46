// Package test uses the installed module with mattn/go-sqlite3.
package test

import (
	"database/sql"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"@ADDRESS@/v@MAJOR@"
)

// open returns a database with a single connection that has the extension.
func open(t *testing.T) *sql.DB {
	t.Helper()
	if err := utf8ext.Auto(); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

func exec(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.Exec(query); err != nil {
		t.Fatal(err)
	}
}

func TestResults(t *testing.T) {
	db := open(t)
	exec(t, db, "CREATE TABLE audited(x TEXT); INSERT INTO audited VALUES (CAST(x'41c0af' AS TEXT))")
	for query, expected := range map[string]string{
		"SELECT utf8_version()":                                                 utf8ext.Version,
		"SELECT utf8_valid('Zoë') || utf8_valid(x'ff')":                         "10",
		"SELECT utf8_repair(CAST(x'4a6f73e9' AS TEXT), 'windows-1252')":         "José",
		"SELECT count(*) FROM utf8_each('ab')":                                  "2",
		"SELECT error FROM utf8_audit":                                          "overlong",
		"SELECT count(*) FROM utf8_charsets WHERE name = 'windows-1252'":        "1",
		"SELECT hex(utf8_to(utf8_from(CAST(x'e9' AS BLOB), 'cp850'), 'cp850'))": "E9",
	} {
		var actual string
		if err := db.QueryRow(query).Scan(&actual); err != nil || actual != expected {
			t.Errorf("%s: %q, %v; expected %q", query, actual, err, expected)
		}
	}
}

// SQLite compiles these functions once for UTF-8 and once for UTF-16, by the header of 3.31.
func TestUTF16Database(t *testing.T) {
	db := open(t)
	exec(t, db, "PRAGMA encoding = 'UTF-16le'; CREATE TABLE people(name TEXT)")
	exec(t, db, "INSERT INTO people VALUES (CAST(x'3dd86100' AS TEXT)), ('Zoë')")
	var invalid int
	var repaired string
	row := db.QueryRow("SELECT count(*), utf8_repair(name) FROM people WHERE NOT utf8_valid(name)")
	if err := row.Scan(&invalid, &repaired); err != nil || invalid != 1 || repaired != "\ufffda" {
		t.Errorf("%d, %q, %v", invalid, repaired, err)
	}
}

func TestCheckRefusesIllFormedText(t *testing.T) {
	db := open(t)
	exec(t, db, "CREATE TABLE people(name TEXT CHECK (utf8_valid(name)))")
	if _, err := db.Exec("INSERT INTO people VALUES (?)", "Zoë"); err != nil {
		t.Error(err)
	}
	_, err := db.Exec("INSERT INTO people VALUES (?)", "Jos\xe9")
	if err == nil || !strings.Contains(err.Error(), "CHECK constraint failed") {
		t.Errorf("the CHECK did not refuse the value: %v", err)
	}
}

func TestUnknownOptionIsNamed(t *testing.T) {
	_, err := open(t).Exec("SELECT utf8_repair('x', 'no-such-policy')")
	if err == nil || !strings.Contains(err.Error(), "no-such-policy") {
		t.Errorf("%v", err)
	}
}

func TestCancel(t *testing.T) {
	open(t)
	if !utf8ext.Cancel() || utf8ext.Cancel() {
		t.Error("Cancel must report once that Auto had been called")
	}
	db, err := sql.Open("sqlite3", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("SELECT utf8_valid('x')"); err == nil {
		t.Error("a connection after Cancel has utf8_valid")
	}
}
