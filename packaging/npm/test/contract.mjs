// What every client must be able to do after load(). Throws what is wrong.
import assert from 'node:assert/strict'
import { version } from 'utf8ext'

/**
 * Runs SQL through a client that has loaded the extension. `exec(sql)` runs statements;
 * `get(sql)` returns the first column of the first row.
 */
export function contract({ exec, get }) {
  assert.equal(get('SELECT utf8_version()'), version)
  assert.equal(get("SELECT utf8_valid('Zoë') || utf8_valid(CAST(x'4a6f73e9' AS TEXT))"), '10')
  assert.equal(get("SELECT utf8_repair(CAST(x'4a6f73e9' AS TEXT), 'windows-1252')"), 'José')
  checkRefuses({ exec, get })
  exec("CREATE TABLE audited(x TEXT); INSERT INTO audited VALUES (CAST(x'41c0af' AS TEXT))")
  assert.equal(get('SELECT error FROM utf8_audit'), 'overlong')
  assert.equal(get("SELECT count(*) FROM utf8_each('ab')"), 2)
  assert.throws(() => get("SELECT utf8_repair('x', 'no-such-policy')"), /no-such-policy/)
}

function checkRefuses({ exec, get }) {
  exec('CREATE TABLE people(name TEXT CHECK (utf8_valid(name)))')
  exec("INSERT INTO people VALUES ('Zoë')")
  assert.throws(() => exec("INSERT INTO people VALUES (CAST(x'ff' AS TEXT))"), /CHECK constraint failed/)
  assert.equal(get('SELECT count(*) FROM people'), 1)
}
