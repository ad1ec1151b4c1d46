#![doc = include_str!("../README.md")]

use std::ffi::{c_char, c_int, c_void, CStr};
use std::fmt;
use std::ptr;

/// A raw connection, the one that libsqlite3-sys declares.
pub use libsqlite3_sys::sqlite3;

/// The version of this crate and of the extension in it, as `utf8_version()` returns it in SQL.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

const SQLITE_OK: c_int = 0;

extern "C" {
    /// The entry point: registers utf8ext's functions and tables with `db`.
    ///
    /// Returns `SQLITE_OK` or an error code. After an error, `*message` may be a text to be freed
    /// with `sqlite3_free`; set it to null before the call. `message` may be null, and so may `api`,
    /// which is ignored. [`register_on`] does all this.
    #[link_name = "sqlite3_utfext_init"]
    pub fn sqlite3_utf8ext_init(
        db: *mut sqlite3,
        message: *mut *mut c_char,
        api: *const c_void,
    ) -> c_int;

    // Declared here because their types differ between versions of libsqlite3-sys.
    fn sqlite3_auto_extension(entry: EntryPoint) -> c_int;
    fn sqlite3_cancel_auto_extension(entry: EntryPoint) -> c_int;
    fn sqlite3_errstr(code: c_int) -> *const c_char;
    fn sqlite3_free(memory: *mut c_void);
}

type EntryPoint = unsafe extern "C" fn(*mut sqlite3, *mut *mut c_char, *const c_void) -> c_int;

/// Why SQLite did not register the extension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// SQLite's error code.
    pub code: c_int,
    /// What went wrong, in words.
    pub message: String,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "utf8ext: {} (SQLite error {})", self.message, self.code)
    }
}

impl std::error::Error for Error {}

/// Registers utf8ext with every connection that this process opens from now on, whichever crate
/// opens it: rusqlite, diesel or sqlx.
///
/// Connections that are already open do not change. A second call has no effect. If a later
/// connection cannot load the extension, opening that connection fails with the reason.
///
/// # Errors
///
/// If memory runs out.
pub fn register() -> Result<(), Error> {
    // SAFETY: sqlite3_auto_extension() takes SQLite's own lock, and an entry point lives forever.
    check(
        unsafe { sqlite3_auto_extension(sqlite3_utf8ext_init) },
        None,
    )
}

/// Undoes [`register`] for connections that are opened later. Returns whether it was registered.
pub fn unregister() -> bool {
    // SAFETY: as in register().
    unsafe { sqlite3_cancel_auto_extension(sqlite3_utf8ext_init) != 0 }
}

/// Registers utf8ext with one open connection. Calling it again is allowed.
///
/// # Safety
///
/// `db` must be an open connection that no other thread uses during the call, such as
/// `Connection::handle()` of rusqlite.
///
/// # Errors
///
/// If SQLite is older than 3.31, or memory runs out.
pub unsafe fn register_on(db: *mut sqlite3) -> Result<(), Error> {
    let mut message = ptr::null_mut();
    let code = sqlite3_utf8ext_init(db, &mut message, ptr::null());
    let text = take_message(message);
    check(code, text)
}

fn check(code: c_int, message: Option<String>) -> Result<(), Error> {
    if code == SQLITE_OK {
        return Ok(());
    }
    let message = message.unwrap_or_else(|| describe(code));
    Err(Error { code, message })
}

/// SQLite's words for an error code.
fn describe(code: c_int) -> String {
    // SAFETY: sqlite3_errstr() returns a constant, never null.
    unsafe { CStr::from_ptr(sqlite3_errstr(code)) }
        .to_string_lossy()
        .into_owned()
}

/// Copies and frees a message of SQLite. Null means that there is none.
unsafe fn take_message(message: *mut c_char) -> Option<String> {
    if message.is_null() {
        return None;
    }
    let text = CStr::from_ptr(message).to_string_lossy().into_owned();
    sqlite3_free(message.cast());
    Some(text)
}
