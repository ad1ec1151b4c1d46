//! Diesel: reading the value as a String is an error.

use diesel::prelude::*;
use diesel::sql_types::Text;
use diesel::{dsl::sql, sql_query};
use libsqlite3_sys as sqlite;
use std::error::Error;
use std::ffi::{c_char, c_int};
use std::ptr::null_mut;

const REPAIR: &str =
    "UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)";

diesel::table! {
    people (id) { id -> Integer, name -> Text }
}

diesel::table! {
    utf8_audit (key) { table_name -> Text, column_name -> Text, key -> Integer, error -> Text }
}

fn read(db: &mut SqliteConnection) -> QueryResult<String> {
    people::table.select(people::name).first(db)
}

// Load utf8ext into each new connection. Diesel has no function for it, so libsqlite3-sys does it.
unsafe extern "C" fn load_utf8ext(
    db: *mut sqlite::sqlite3,
    message: *mut *mut c_char,
    _: *const sqlite::sqlite3_api_routines,
) -> c_int {
    unsafe {
        let allow = sqlite::SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION;
        sqlite::sqlite3_db_config(db, allow, 1, null_mut::<c_int>());
        sqlite::sqlite3_load_extension(db, c"./utf8ext".as_ptr(), null_mut(), message)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut plain = SqliteConnection::establish("people.db")?;
    let version: String = diesel::select(sql::<Text>("sqlite_version()")).first(&mut plain)?;
    println!("SQLite {version}");
    match read(&mut plain) {
        Ok(name) => println!("plain: {name}"),
        Err(error) => println!("plain: error: {error}: {:?}", error.source()),
    }

    // Load utf8ext from now on.
    unsafe { sqlite::sqlite3_auto_extension(Some(load_utf8ext)) };

    let mut db = SqliteConnection::establish("people.db")?;
    let audit: Vec<(String, String, i32, String)> = utf8_audit::table.load(&mut db)?;
    for (table, column, key, error) in audit {
        println!("found: {table}.{column}, row {key}: {error}");
    }
    sql_query(REPAIR).execute(&mut db)?;
    println!("repaired: {}", read(&mut db)?);
    Ok(())
}
