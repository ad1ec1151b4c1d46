//! sqlx: reading the value as a String is an error.

use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use sqlx::{Error, query, query_as, query_scalar};

const REPAIR: &str =
    "UPDATE people SET name = utf8_repair(name, 'windows-1252') WHERE NOT utf8_valid(name)";
const AUDIT: &str = "SELECT table_name, column_name, key, error FROM utf8_audit";

async fn read(db: &SqlitePool) -> Result<String, Error> {
    query_scalar("SELECT name FROM people").fetch_one(db).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let options = SqliteConnectOptions::new().filename("people.db");
    let plain = SqlitePool::connect_with(options.clone()).await?;
    let version = query_scalar::<_, String>("SELECT sqlite_version()");
    println!("SQLite {}", version.fetch_one(&plain).await?);
    match read(&plain).await {
        Ok(name) => println!("plain: {name}"),
        Err(error) => println!("plain: error: {error}"),
    }
    plain.close().await;

    // Load utf8ext into each connection that the pool opens (feature sqlite-load-extension).
    let options = unsafe { options.extension("./utf8ext") };
    let db = SqlitePool::connect_with(options).await?;

    let audit: Vec<(String, String, i64, String)> = query_as(AUDIT).fetch_all(&db).await?;
    for (table, column, key, error) in audit {
        println!("found: {table}.{column}, row {key}: {error}");
    }
    query(REPAIR).execute(&db).await?;
    println!("repaired: {}", read(&db).await?);
    Ok(())
}
