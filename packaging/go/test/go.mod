// A program that uses the installed module. test.sh copies it to build/packages/go/test and lets Go
// add the requirement for utf8ext.
module utf8ext.test

go 1.21

require github.com/mattn/go-sqlite3 v1.14.52
