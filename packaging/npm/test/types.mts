// Compiled only: index.d.ts fits the clients' own types.
import Database from 'better-sqlite3'
import { DatabaseSync } from 'node:sqlite'
import { getLoadablePath, load, version } from 'utf8ext'

load(new Database(':memory:'))
load(new DatabaseSync(':memory:', { allowExtension: true }))
const texts: string[] = [getLoadablePath(), version]
// @ts-expect-error a path is not a database
load(texts[0])
