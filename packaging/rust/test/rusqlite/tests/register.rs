//! register, unregister and register_on. One test, since they change the whole process.

use rusqlite::Connection;

fn has_utf8ext(db: &Connection) -> bool {
    db.query_row("SELECT utf8_valid('x')", [], |row| row.get::<_, i64>(0))
        .is_ok()
}

#[test]
fn register_affects_later_connections_and_register_on_one() {
    let before = Connection::open_in_memory().unwrap();
    utf8ext::register().unwrap();
    utf8ext::register().unwrap();
    let during = Connection::open_in_memory().unwrap();
    assert!(utf8ext::unregister());
    assert!(!utf8ext::unregister());
    let after = Connection::open_in_memory().unwrap();
    assert_eq!(
        [&before, &during, &after].map(has_utf8ext),
        [false, true, false]
    );

    for _ in 0..2 {
        unsafe { utf8ext::register_on(after.handle()) }.unwrap();
    }
    assert_eq!([&before, &after].map(has_utf8ext), [false, true]);

    fails_without_memory(&after);
}

/// The limit is that of the process, and cannot be lifted.
fn fails_without_memory(db: &Connection) {
    let limit = db.query_row("PRAGMA hard_heap_limit = 1", [], |row| row.get::<_, i64>(0));
    assert_eq!(limit, Ok(1));
    let error = unsafe { utf8ext::register_on(db.handle()) }.unwrap_err();
    assert_eq!(error.to_string(), "utf8ext: out of memory (SQLite error 7)");
}
