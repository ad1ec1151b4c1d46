# RSQLite: reads a string that is marked as UTF-8 but is not; nchar() and others then fail.
library(DBI)

db <- dbConnect(RSQLite::SQLite(), "people.db")
name <- dbGetQuery(db, "SELECT name FROM people")$name
cat("version ", format(packageVersion("RSQLite")), ", SQLite ",
    dbGetQuery(db, "SELECT sqlite_version() AS version")$version, "\n", sep = "")
cat("plain: no error, but validUTF8(): ", validUTF8(name), ", nchar(): ",
    tryCatch(nchar(name), error = conditionMessage), "\n", sep = "")
dbDisconnect(db)

# Load utf8ext into this connection, which must allow extensions.
db <- dbConnect(RSQLite::SQLite(), "people.db", loadable.extensions = TRUE)
loaded <- dbGetQuery(db, "SELECT load_extension('./utf8ext')")

audit <- dbGetQuery(db, "SELECT table_name, column_name, key, error FROM utf8_audit")
cat(with(audit, sprintf("found: %s.%s, row %s: %s\n", table_name, column_name, key, error)))
repaired <- dbExecute(db, "UPDATE people SET name = utf8_repair(name, 'windows-1252')
  WHERE NOT utf8_valid(name)")
cat("repaired: ", dbGetQuery(db, "SELECT name FROM people")$name, "\n", sep = "")
dbDisconnect(db)
