//! The installed crate with sqlx, in a pool: each of its connections has the extension.

use sqlx::sqlite::{SqlitePool, SqlitePoolOptions};

async fn pool() -> SqlitePool {
    utf8ext::register().unwrap();
    SqlitePoolOptions::new()
        .max_connections(1)
        .connect("sqlite::memory:")
        .await
        .unwrap()
}

async fn run(db: &SqlitePool, sql: &'static str) -> Result<(), sqlx::Error> {
    sqlx::query(sql).execute(db).await.map(|_| ())
}

#[tokio::test]
async fn sqlx_reads_repaired_text() {
    let db = pool().await;
    run(&db, "CREATE TABLE people(name TEXT)").await.unwrap();
    run(
        &db,
        "INSERT INTO people VALUES (CAST(x'4a6f73e9' AS TEXT))",
    )
    .await
    .unwrap();

    let plain = sqlx::query_scalar::<_, String>("SELECT name FROM people");
    assert!(
        plain.fetch_one(&db).await.is_err(),
        "sqlx reads ill-formed text"
    );

    let repaired = "SELECT utf8_valid(name), utf8_repair(name) FROM people";
    let row: (i64, String) = sqlx::query_as(repaired).fetch_one(&db).await.unwrap();
    assert_eq!(row, (0, "Jos\u{fffd}".into()));
}

#[tokio::test]
async fn check_refuses_ill_formed_text() {
    let db = pool().await;
    run(
        &db,
        "CREATE TABLE people(name TEXT CHECK (utf8_valid(name)))",
    )
    .await
    .unwrap();
    let refused = run(&db, "INSERT INTO people VALUES (CAST(x'ff' AS TEXT))").await;
    assert!(refused
        .unwrap_err()
        .to_string()
        .contains("CHECK constraint failed"));
}
