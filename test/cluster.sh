#!/bin/sh
# cluster.sh: tests utf8ext in a cluster of three rqlite nodes on the loopback address.
#
#     RQLITED=path/to/rqlited sh test/cluster.sh
#
# Uses the rqlited of $RQLITED, that on PATH, or that of test/rqlite.sh, and curl. The nodes run
# different kernels of utf8ext, and must hold equal bytes after each step. Data and logs are in
# build/cluster.
. test/tally.sh

skip() {
  echo "SKIPPED: the cluster: $1; install rqlite and curl, or set RQLITED"
  echo "0 passed, 0 failed"
  exit 0
}

rqlited=${RQLITED:-$(command -v rqlited)} || rqlited=$(sh test/rqlite.sh) || skip "$rqlited"
for tool in "$rqlited" curl; do
  command -v "$tool" >/dev/null || skip "there is no $tool"
done

data=build/cluster
first_port=${CLUSTER_PORT:-4100}
rm -rf "$data"
mkdir -p "$data/extensions"
cp "$EXTENSION" "$data/extensions"
trap 'stop_all; rm -rf "$work"' EXIT

# ---- nodes -----------------------------------------------------------------------------

http() { # http NODE: the node's address for HTTP
  echo "127.0.0.1:$((first_port + $1))"
}

raft() {
  echo "127.0.0.1:$((first_port + 100 + $1))"
}

# start NODE [OPTION...]: starts a node. Nodes 2 to 4 join the others; a node with data remembers
# its cluster.
start() {
  node=$1
  shift
  [ "$node" = 1 ] || set -- "$@" -join "$(raft 1),$(raft $((5 - node)))"
  "$rqlited" -node-id "$node" -http-addr "$(http "$node")" -raft-addr "$(raft "$node")" "$@" \
    "$data/$node" >>"$data/$node.log" 2>&1 &
  echo $! >"$data/$node.pid"
  check "node $node starts" wait_for is_ready "$node"
}

with_extension="-extensions-path $data/extensions"

kill_node() { # kill_node SIGNAL NODE
  kill "-$1" "$(cat "$data/$2.pid")" 2>/dev/null
  wait "$(cat "$data/$2.pid")" 2>/dev/null
  rm -f "$data/$2.pid"
}

stop_all() {
  for pid in "$data"/*.pid; do
    [ -e "$pid" ] && kill_node TERM "$(basename "$pid" .pid)"
  done
}

# wait_for COMMAND...: runs the command until it succeeds, for at most 30 seconds.
wait_for() {
  tries=0
  until "$@" >/dev/null 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || return
    sleep 0.1
  done
}

is_ready() {
  curl -sf "$(http "$1")/readyz"
}

# ---- statements ------------------------------------------------------------------------

# Prints the rows and the errors of an answer. Columns are separated by '|'.
print_results() {
  "$PYTHON" -c '
import json, sys
answer = json.loads(sys.stdin.read() or """{"error": "no answer"}""")
for result in [answer] + answer.get("results", []):
    if "error" in result:
        print("Error:", result["error"])
    for row in result.get("values", []):
        print("|".join(map(str, row)))'
}

# query NODE SQL: asks the node itself, not the leader.
query() {
  curl -s -G "$(http "$1")/db/query?level=none" --data-urlencode "q=$2" | print_results
}

# execute NODE JSON: sends statements, which the node forwards to the leader.
execute() {
  curl -s "$(http "$1")/db/execute?transaction" -H 'Content-Type: application/json' \
    --data-binary "$2" | print_results
}

# Executes lines of SQL on standard input as one transaction.
execute_lines() {
  "$PYTHON" -c 'import json, sys; print(json.dumps(sys.stdin.read().splitlines()))' >"$work/json"
  execute "$1" "@$work/json"
}

# rows NODE: stores the bytes of all rows of the table imported in $work/rows.NODE.
rows() {
  query "$1" 'SELECT id, hex(name) FROM imported ORDER BY id' >"$work/rows.$1"
  same 20000 "$(grep -c '^[0-9]*|[0-9A-F]*$' "$work/rows.$1")"
}

have_equal_rows() {
  rows 1 && rows 2 && rows 3 && cmp "$work/rows.1" "$work/rows.2" && cmp "$work/rows.2" "$work/rows.3"
}

name_of() { # name_of ID NODE
  query "$2" "SELECT name FROM imported WHERE id = $1"
}

has_name() { # has_name ID NODE NAME
  same "$3" "$(name_of "$1" "$2")"
}

can_write() { # can_write NODE
  execute "$1" "[\"INSERT INTO people(name) VALUES ('Zoë')\"]" >"$work/written" && [ ! -s "$work/written" ]
}

# ---- three nodes, three kernels --------------------------------------------------------

start 1 $with_extension
UTF8EXT_KERNEL=scalar start 2 $with_extension
UTF8EXT_KERNEL=ssse3 start 3 $with_extension
for node in 1 2 3; do
  echo "node $node: $(query $node 'SELECT utf8_debug()')"
done
check "node 2 runs another kernel" same 1 "$(query 2 "SELECT utf8_debug() LIKE '%kernel scalar,%'")"

# ---- CHECK -----------------------------------------------------------------------------

ill_formed="[\"INSERT INTO people(name) VALUES (CAST(x'4a6f73e9' AS TEXT))\"]"
refused='Error: CHECK constraint failed: utf8_valid(name)'
execute 1 '["CREATE TABLE people(id INTEGER PRIMARY KEY, name TEXT CHECK (utf8_valid(name)))"]'
check "CHECK refuses through the leader" same "$refused" "$(execute 1 "$ill_formed")"
check "CHECK refuses through a follower" same "$refused" "$(execute 2 "$ill_formed")"
check "a well-formed value is stored" can_write 2

# An argument is JSON: rqlite replaces ill-formed bytes before SQLite sees them.
printf '[["INSERT INTO people(name) VALUES (?)", "Jos\351"]]' >"$work/argument"
execute 1 "@$work/argument"
check "an ill-formed argument arrives with U+FFFD" same 4A6F73EFBFBD \
  "$(query 1 'SELECT hex(name) FROM people ORDER BY id DESC LIMIT 1')"

# ---- audit, repair ---------------------------------------------------------------------

execute 1 '["CREATE TABLE imported(id INTEGER PRIMARY KEY, name TEXT)"]'
echo "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO imported" \
  "SELECT i, CAST(CASE WHEN i % 7 = 0 THEN x'4a6f73e9' ELSE 'José' END AS TEXT) FROM n" >"$work/values.sql"
check "ill-formed values are stored" same '' "$(execute_lines 1 <"$work/values.sql")"
check "equal bytes before the repair" wait_for have_equal_rows
check "a follower audits" same 'imported|name|truncated|2857' \
  "$(query 3 'SELECT table_name, column_name, error, count(*) FROM utf8_audit GROUP BY 1, 2, 3')"

query 1 "SELECT repair_sql FROM utf8_audit('main', 'windows-1252')" >"$work/repair.sql"
check "repair_sql is executed" same '' "$(execute_lines 1 <"$work/repair.sql")"
check "nothing is left to repair" same 0 "$(query 1 'SELECT count(*) FROM utf8_audit')"
check "each value is repaired" same 'José|20000' \
  "$(query 1 'SELECT name, count(*) FROM imported GROUP BY name')"
check "equal bytes after the repair" wait_for have_equal_rows

# ---- death of the leader ---------------------------------------------------------------

kill_node KILL 1
killed=$(date +%s%N)
check "another node takes over" wait_for can_write 2
echo "first write $((($(date +%s%N) - killed) / 1000000)) ms after the leader was killed"
check "CHECK refuses through the next leader" same "$refused" "$(execute 3 "$ill_formed")"
execute 2 "[\"UPDATE imported SET name = utf8_to(name, 'latin1') WHERE id % 3 = 0\"]"
start 1 $with_extension
check "equal bytes after the return of the node" wait_for have_equal_rows

# ---- backup ----------------------------------------------------------------------------

curl -s "$(http 2)/db/backup" -o "$data/backup.db"
check "a backup is whole" same ok \
  "$("$SQLITE3" "$data/backup.db" ".load ./$EXTENSION" 'PRAGMA integrity_check')"
"$SQLITE3" "$data/backup.db" 'PRAGMA integrity_check' >"$work/integrity" 2>&1
check "integrity_check needs the extension" grep -q 'utf8_valid()' "$work/integrity"

# ---- a node without the extension ------------------------------------------------------

# It reports ready, skips each statement that calls utf8ext, and executes the others.
start 4
escape="UPDATE imported SET name = utf8_repair(CAST(x'fe' AS TEXT), 'escape') WHERE id = 1"
check "a statement with utf8ext is executed" same '' "$(execute 2 "[\"$escape\"]")"
check "and one without" same '' "$(execute 2 '["UPDATE imported SET name = 7 WHERE id = 2"]')"
check "the node without the extension has the second" wait_for has_name 2 4 7
check "the others have both" wait_for have_equal_rows
check "they have the first" has_name 1 3 '\xfe'
check "the node without the extension never has the first" has_name 1 4 José

# ---- a database file -------------------------------------------------------------------

# CHECK does not apply to what is loaded. rqlite 8 opens the file without extensions.
"$SQLITE3" "$data/load.db" "CREATE TABLE imported(name TEXT); INSERT INTO imported VALUES (CAST(x'4a6f73e9' AS TEXT))"
check "a database file is loaded" same '{"results":[]}' \
  "$(curl -s -H 'Content-Type: application/octet-stream' --data-binary "@$data/load.db" "$(http 2)/db/load" || echo failed)"
after_load='imported|truncated'
[ "$("$rqlited" -version 2>&1 | cut -c 1-9)" = 'rqlited 8' ] && after_load='Error: no such table: utf8_audit'
says_after_load() {
  same "$after_load" "$(query 2 'SELECT table_name, error FROM utf8_audit')"
}
check "what an audit says after a load" wait_for says_after_load

finish
