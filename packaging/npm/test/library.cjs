// The library without any client, by require().
'use strict'
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { getLoadablePath, load, version } = require('utf8ext')

assert.equal(version, require('utf8ext/package.json').version)
assert.ok(path.isAbsolute(getLoadablePath()) && fs.existsSync(getLoadablePath()))

for (const wrong of [undefined, null, 1, 'people.db', {}]) {
  assert.throws(() => load(wrong), {
    name: 'TypeError',
    message:
      'utf8ext.load: the argument has no method loadExtension; accepted: an open database of' +
      ' better-sqlite3, libsql, node:sqlite or bun:sqlite',
  })
}
