// Bun: reads U+FFFD without an error; writing the value back destroys the byte.
import { Database } from "bun:sqlite";

const db = new Database("people.db");
const read = () => db.query("SELECT name FROM people").get().name;
console.log("SQLite", db.query("SELECT sqlite_version() AS version").get().version);
console.log("plain: no error:", read());

// Load utf8ext into this connection. On macOS, Database.setCustomSQLite() must come first.
db.loadExtension("./utf8ext");

for (const found of db.query("SELECT * FROM utf8_audit").iterate()) {
  console.log(`found: ${found.table_name}.${found.column_name}, row ${found.key}: ${found.error}`);
}
db.run("UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)");
console.log("repaired:", read());
