//! The installed crate with diesel, which cannot load extensions: they must be linked in.

use diesel::prelude::*;
use diesel::sql_types::{BigInt, Text};

#[derive(QueryableByName)]
struct Person {
    #[diesel(sql_type = BigInt)]
    valid: i64,
    #[diesel(sql_type = Text)]
    name: String,
}

#[test]
fn diesel_reads_repaired_text() {
    utf8ext::register().unwrap();
    let mut db = SqliteConnection::establish(":memory:").unwrap();
    diesel::sql_query("CREATE TABLE people(name TEXT)")
        .execute(&mut db)
        .unwrap();
    diesel::sql_query("INSERT INTO people VALUES (CAST(x'4a6f73e9' AS TEXT))")
        .execute(&mut db)
        .unwrap();

    let plain = diesel::sql_query("SELECT 0 AS valid, name FROM people").load::<Person>(&mut db);
    assert!(plain.is_err(), "diesel reads ill-formed text");

    let people = diesel::sql_query(
        "SELECT utf8_valid(name) AS valid, utf8_repair(name) AS name FROM people",
    )
    .load::<Person>(&mut db)
    .unwrap();
    assert_eq!(
        (people[0].valid, people[0].name.as_str()),
        (0, "Jos\u{fffd}")
    );
}

#[test]
fn check_refuses_ill_formed_text() {
    utf8ext::register().unwrap();
    let mut db = SqliteConnection::establish(":memory:").unwrap();
    diesel::sql_query("CREATE TABLE people(name TEXT CHECK (utf8_valid(name)))")
        .execute(&mut db)
        .unwrap();
    let refused =
        diesel::sql_query("INSERT INTO people VALUES (CAST(x'ff' AS TEXT))").execute(&mut db);
    assert!(refused
        .unwrap_err()
        .to_string()
        .contains("CHECK constraint failed"));
}
