// Deno, with node:sqlite: reads U+FFFD without an error; writing the value back destroys the byte.
import { DatabaseSync } from "node:sqlite";

const plain = new DatabaseSync("people.db");
console.log(`SQLite ${process.versions.sqlite}`);
console.log("plain: no error:", plain.prepare("SELECT name FROM people").get().name);
plain.close();

// Load utf8ext. Extensions must be allowed when the database is opened, and Deno needs -A.
const db = new DatabaseSync("people.db", { allowExtension: true });
db.loadExtension("./utf8ext");

for (const found of db.prepare("SELECT * FROM utf8_audit").iterate()) {
  console.log(`found: ${found.table_name}.${found.column_name}, row ${found.key}: ${found.error}`);
}
db.exec("UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)");
console.log("repaired:", db.prepare("SELECT name FROM people").get().name);
