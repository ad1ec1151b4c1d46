/** A database that loads SQLite extensions: of better-sqlite3, libsql, node:sqlite or bun:sqlite. */
export interface Loadable {
  loadExtension(path: string): unknown
}

/**
 * Returns the absolute path of the extension for this platform, for clients that load it by
 * path.
 *
 * Throws an Error with code 'UTF8EXT_NOT_INSTALLED' if the package for this platform is missing; its message
 * says what to install.
 */
export function getLoadablePath(): string

/**
 * Loads the extension into an open connection. Other connections do not change.
 *
 * With node:sqlite, open the database with `{ allowExtension: true }`. Throws what
 * getLoadablePath() and the client's loadExtension() throw, and a TypeError if `db` has no such
 * method.
 */
export function load(db: Loadable): void

/** The version of this package and of the extension, as utf8_version() returns it in SQL. */
export const version: string
