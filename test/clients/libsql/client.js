// libsql: reading the value aborts the process; so another process reads it here.
const { spawnSync } = require("node:child_process");
const Database = require("libsql");

const db = new Database("people.db");
console.log("SQLite", db.prepare("SELECT sqlite_version() AS version").get().version);
const program = `new (require("libsql"))("people.db").prepare("SELECT name FROM people").get()`;
const { signal, stderr } = spawnSync(process.execPath, ["-e", program], { encoding: "utf8" });
console.log(`plain: ${signal}:`, stderr.split("\n")[1]);

// Load utf8ext into this connection.
db.loadExtension("./utf8ext");

const audit = db.prepare("SELECT table_name, column_name, key, error FROM utf8_audit");
for (const found of audit.all()) {
  console.log(`found: ${found.table_name}.${found.column_name}, row ${found.key}: ${found.error}`);
}
db.exec("UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)");
console.log("repaired:", db.prepare("SELECT name FROM people").get().name);
