//! Compiles the extension to be linked with the SQLite of libsqlite3-sys.

fn main() {
    let mut build = cc::Build::new();
    // The header of the SQLite that libsqlite3-sys compiles or finds. Without the variable,
    // SQLite is the system's, and so is the header.
    if let Some(include) = std::env::var_os("DEP_SQLITE3_INCLUDE") {
        build.include(include);
    }
    build
        .file("c/utf8ext.c")
        .define("SQLITE_CORE", None)
        .std("c11")
        .flag_if_supported("-fvisibility=hidden")
        .warnings(false)
        .compile("utf8ext");
    println!("cargo:rerun-if-changed=c/utf8ext.c");
}
