-- LuaSQL: reads the byte as it is. It has no function that loads an extension, and leaves SQL's
-- load_extension() switched off.
local luasql = require "luasql.sqlite3"

local db = luasql.sqlite3():connect("people.db")
local function read(query)
  local cursor, message = db:execute(query)
  return cursor and cursor:fetch(), message
end

local version = luasql._VERSION:match("[%d.]+")
print("version " .. version .. ", SQLite " .. read("SELECT sqlite_version()"))
print("plain: no error: utf8.len(): " .. tostring(utf8.len(read("SELECT name FROM people"))))
print("not loaded: " .. select(2, read("SELECT load_extension('./utf8ext')")))
