// bun:sqlite.
import { Database } from 'bun:sqlite'
import { load } from 'utf8ext'
import { contract } from './contract.mjs'

const db = new Database(':memory:')
load(db)
contract({ exec: (sql) => db.run(sql), get: (sql) => db.query(sql).values()[0][0] })
