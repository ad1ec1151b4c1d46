// utf8ext for JavaScript: where the SQLite extension is, and how to load it.
//
// Each platform has a package of its own with the compiled extension, such as
// utf8ext-linux-x64-glibc. npm installs the one that fits, since package.json lists them all as
// optional dependencies.
'use strict'

const path = require('node:path')
const { name, version, optionalDependencies = {} } = require('./package.json')

const LIBRARIES = { darwin: 'utf8ext.dylib', win32: 'utf8ext.dll' }

/** Returns the absolute path of the extension for this platform. Throws if it is not installed. */
function getLoadablePath() {
  const installed = candidates().map(directoryOf).find(Boolean)
  if (installed === undefined) throw notInstalled()
  return path.join(installed, LIBRARIES[process.platform] ?? 'utf8ext.so')
}

/** Loads the extension into an open connection. */
function load(db) {
  if (typeof db?.loadExtension !== 'function') {
    throw new TypeError(
      `${name}.load: the argument has no method loadExtension; accepted: an open database of` +
        ' better-sqlite3, libsql, node:sqlite or bun:sqlite',
    )
  }
  try {
    db.loadExtension(getLoadablePath())
  } catch (error) {
    throw explained(error)
  }
}

// The packages that may have the extension for this platform. On Linux, that of this process's C
// library comes first; the other one is tried too, since not every runtime says which it has.
function candidates() {
  const platform = `${name}-${process.platform}-${process.arch}`
  if (process.platform !== 'linux') return [platform]
  const libraries = isMusl() ? ['musl', 'glibc'] : ['glibc', 'musl']
  return libraries.map((library) => `${platform}-${library}`)
}

// Is this process linked with musl? Node's report has a version of glibc otherwise.
function isMusl() {
  if (process.report?.getReport === undefined) return false
  const { excludeNetwork } = process.report
  process.report.excludeNetwork = true // host names take seconds on some machines
  const { header } = process.report.getReport()
  process.report.excludeNetwork = excludeNetwork
  return header.glibcVersionRuntime === undefined
}

// The directory of an installed package, or undefined.
function directoryOf(id) {
  try {
    return path.dirname(require.resolve(`${id}/package.json`))
  } catch {
    return undefined
  }
}

function notInstalled() {
  const [wanted] = candidates().filter((id) => id in optionalDependencies)
  const error = new Error(
    wanted
      ? `${name}: the package ${wanted} is not installed; install ${name} without --omit=optional, on the` +
          ` platform that runs it, or run: npm install ${wanted}@${version}`
      : `${name} has no package for ${candidates().join(' or ')}; there are: ` +
          Object.keys(optionalDependencies).join(', '),
  )
  error.code = 'UTF8EXT_NOT_INSTALLED'
  return error
}

// node:sqlite refuses to load extensions unless the database was opened so. Adds how.
function explained(error) {
  if (/extension loading is not allowed/.test(error?.message)) {
    error.message += `; ${name}.load needs new DatabaseSync(path, { allowExtension: true })`
  }
  return error
}

module.exports = { getLoadablePath, load, version }
