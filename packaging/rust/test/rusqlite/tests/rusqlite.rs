//! The installed crate with rusqlite. Registering is global, so each test file is one program.

use rusqlite::{Connection, Result};
use std::sync::Once;

fn registered() -> Connection {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| utf8ext::register().unwrap());
    Connection::open_in_memory().unwrap()
}

fn text(db: &Connection, sql: &str) -> Result<String> {
    db.query_row(sql, [], |row| row.get(0))
}

fn number(db: &Connection, sql: &str) -> Result<i64> {
    db.query_row(sql, [], |row| row.get(0))
}

#[test]
fn version_is_that_of_the_crate() {
    assert_eq!(
        text(&registered(), "SELECT utf8_version()").unwrap(),
        utf8ext::VERSION
    );
}

#[test]
fn ill_formed_text_is_found_and_repaired() {
    let db = registered();
    assert_eq!(
        number(&db, "SELECT utf8_valid(CAST(x'4a6f73e9' AS TEXT))").unwrap(),
        0
    );
    assert!(text(&db, "SELECT CAST(x'4a6f73e9' AS TEXT)").is_err());
    let repaired = text(
        &db,
        "SELECT utf8_repair(CAST(x'4a6f73e9' AS TEXT), 'windows-1252')",
    );
    assert_eq!(repaired.unwrap(), "José");
}

#[test]
fn check_refuses_ill_formed_text() {
    let db = registered();
    db.execute_batch("CREATE TABLE people(name TEXT CHECK (utf8_valid(name)))")
        .unwrap();
    db.execute("INSERT INTO people VALUES ('Zoë')", []).unwrap();
    let refused = db
        .execute("INSERT INTO people VALUES (CAST(x'ff' AS TEXT))", [])
        .unwrap_err();
    assert!(
        refused.to_string().contains("CHECK constraint failed"),
        "{refused}"
    );
    assert_eq!(number(&db, "SELECT count(*) FROM people").unwrap(), 1);
}

#[test]
fn tables_work() {
    let db = registered();
    db.execute_batch("CREATE TABLE t(x TEXT); INSERT INTO t VALUES (CAST(x'41c0af' AS TEXT))")
        .unwrap();
    assert_eq!(
        text(&db, "SELECT error FROM utf8_audit").unwrap(),
        "overlong"
    );
    assert_eq!(
        number(&db, "SELECT count(*) FROM utf8_each('ab')").unwrap(),
        2
    );
}

#[test]
fn an_unknown_option_is_an_error_that_names_it() {
    let error = text(&registered(), "SELECT utf8_repair('x', 'no-such-policy')").unwrap_err();
    assert!(error.to_string().contains("no-such-policy"), "{error}");
}
