// node:sqlite in Node: the error says how to open the database.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { load } from 'utf8ext'

assert.throws(() => load(new DatabaseSync(':memory:')), {
  message: 'extension loading is not allowed; utf8ext.load needs new DatabaseSync(path, { allowExtension: true })',
})
