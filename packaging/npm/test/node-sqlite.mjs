// node:sqlite, in Node and in Deno.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { load } from 'utf8ext'
import { contract } from './contract.mjs'

const db = new DatabaseSync(':memory:', { allowExtension: true })
load(db)
contract({ exec: (sql) => db.exec(sql), get: (sql) => Object.values(db.prepare(sql).get())[0] })

const closed = new DatabaseSync(':memory:')
assert.throws(() => load(closed), /extension/i)
