//! rusqlite: reading the value as a String is an error.

use rusqlite::{Connection, Error, LoadExtensionGuard};

const REPAIR: &str =
    "UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)";

fn read(db: &Connection) -> Result<String, Error> {
    db.query_row("SELECT name FROM people", [], |row| row.get("name"))
}

fn main() -> Result<(), Error> {
    let db = Connection::open("people.db")?;
    println!("SQLite {}", rusqlite::version());
    match read(&db) {
        Ok(name) => println!("plain: {name}"),
        Err(error) => println!("plain: error: {error}"),
    }

    // Load utf8ext into this connection (feature load_extension).
    unsafe {
        let _guard = LoadExtensionGuard::new(&db)?;
        db.load_extension("./utf8ext", None::<&str>)?;
    }

    let mut audit = db.prepare("SELECT table_name, column_name, key, error FROM utf8_audit")?;
    let mut rows = audit.query([])?;
    while let Some(row) = rows.next()? {
        let (table, column): (String, String) = (row.get(0)?, row.get(1)?);
        let (key, error): (i64, String) = (row.get(2)?, row.get(3)?);
        println!("found: {table}.{column}, row {key}: {error}");
    }
    db.execute(REPAIR, [])?;
    println!("repaired: {}", read(&db)?);
    Ok(())
}
