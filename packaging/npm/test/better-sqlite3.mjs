// better-sqlite3, and libsql, which has the same interface: node better-sqlite3.mjs libsql
import { load } from 'utf8ext'
import { contract } from './contract.mjs'

const { default: Database } = await import(process.argv[2])
const db = new Database(':memory:')
load(db)
contract({ exec: (sql) => db.exec(sql), get: (sql) => db.prepare(sql).raw().get()[0] })
