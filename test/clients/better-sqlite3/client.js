// better-sqlite3: reads U+FFFD without an error; writing the value back destroys the byte.
const db = require("better-sqlite3")("people.db");

const read = () => db.prepare("SELECT name FROM people").pluck().get();
console.log("SQLite", db.prepare("SELECT sqlite_version()").pluck().get());
console.log("plain: no error:", read());

// Load utf8ext into this connection.
db.loadExtension("./utf8ext");

for (const found of db.prepare("SELECT * FROM utf8_audit").iterate()) {
  console.log(`found: ${found.table_name}.${found.column_name}, row ${found.key}: ${found.error}`);
}
db.exec("UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)");
console.log("repaired:", read());
